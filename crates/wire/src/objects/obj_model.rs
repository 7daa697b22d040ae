// Generated from spec/objects/obj-model.json by cargo xtask gen. Do not edit.
//! `obj-model`: A model in Wavefront's OBJ format.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::any_object::{self, AnyObject};
use super::attribute::{Attribute, Group, Shape};

/// A model in Wavefront's OBJ format.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ObjModel {
    /// Address of the MTL file with its materials.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mtl: Option<String>,
    /// Address of the OBJ file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub obj: Option<String>,
    /// Attributes of any object.
    #[serde(flatten)]
    pub any: AnyObject,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`ObjModel`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: Some(&any_object::ATTRIBUTES),
    attributes: &[
        Attribute {
            name: "mtl",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "obj",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: true,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
