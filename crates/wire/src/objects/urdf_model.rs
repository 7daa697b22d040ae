// Generated from spec/objects/urdf-model.json by cargo xtask gen. Do not edit.
//! `urdf-model`: A robot in the URDF format; `url` names it.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::any_object::{self, AnyObject};
use super::attribute::{Attribute, Group, Shape};

/// A robot in the URDF format; `url` names it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct UrdfModel {
    /// Positions of the joints, by name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joints: Option<Value>,
    /// Address that the file's relative addresses begin at.
    #[serde(rename = "urlBase", default, skip_serializing_if = "Option::is_none")]
    pub url_base: Option<String>,
    /// Attributes of any object.
    #[serde(flatten)]
    pub any: AnyObject,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`UrdfModel`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: Some(&any_object::ATTRIBUTES),
    attributes: &[
        Attribute {
            name: "joints",
            shape: Shape::Choice(&[Shape::Text(&[]), Shape::Object]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "urlBase",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: true,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
