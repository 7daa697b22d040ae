// Generated from spec/objects/vector2.json by cargo xtask gen. Do not edit.
//! `vector2`: A pair of numbers.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Range, Shape};

/// A pair of numbers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Vector2 {
    /// First number. Default `0`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub x: Option<f64>,
    /// Second number. Default `0`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub y: Option<f64>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`Vector2`], sorted by name.
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
    ],
    prefixes: &[],
};
