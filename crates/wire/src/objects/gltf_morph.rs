// Generated from spec/objects/gltf-morph.json by cargo xtask gen. Do not edit.
//! `gltf-morph`: Weight of a morph target of a glTF model.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Range, Shape};

/// Weight of a morph target of a glTF model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GltfMorph {
    /// Name of the morph target. Default `""`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub morphtarget: Option<String>,
    /// Weight; arena-py writes the number as text. Default `0`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`GltfMorph`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "morphtarget",
            shape: Shape::Text(&[]),
            default: Some("\"\""),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "value",
            shape: Shape::Choice(&[Shape::Number(Range { minimum: None, maximum: None }), Shape::Text(&[])]),
            default: Some("0"),
            unit: None,
            required: true,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
