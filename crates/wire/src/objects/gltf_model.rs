// Generated from spec/objects/gltf-model.json by cargo xtask gen. Do not edit.
//! `gltf-model`: A glTF model; `url` names it.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::any_object::{self, AnyObject};
use super::attribute::{Attribute, Group, Shape};

/// A glTF model; `url` names it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GltfModel {
    /// Colour of the surface; write `material.color` instead. Deprecated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
    /// Attributes of any object.
    #[serde(flatten)]
    pub any: AnyObject,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`GltfModel`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: Some(&any_object::ATTRIBUTES),
    attributes: &[Attribute {
        name: "color",
        shape: Shape::Text(&[]),
        default: None,
        unit: None,
        required: false,
        deprecated: true,
    }],
    prefixes: &[],
};
