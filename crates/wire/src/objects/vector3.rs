// Generated from spec/objects/vector3.json by cargo xtask gen. Do not edit.
//! `vector3`: A point or direction.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Range, Shape};

/// A point or direction.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Vector3 {
    /// Along x. Default `0`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub x: Option<f64>,
    /// Along y. Default `0`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub y: Option<f64>,
    /// Along z. Default `0`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub z: Option<f64>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`Vector3`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "x",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("0"),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "y",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("0"),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "z",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("0"),
            unit: None,
            required: true,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
