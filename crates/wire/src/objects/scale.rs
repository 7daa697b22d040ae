// Generated from spec/objects/scale.json by cargo xtask gen. Do not edit.
//! `scale`: Scale of the object along its axes.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Range, Shape};

/// Scale of the object along its axes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Scale {
    /// Factor along x. Default `1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub x: Option<f64>,
    /// Factor along y. Default `1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub y: Option<f64>,
    /// Factor along z. Default `1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub z: Option<f64>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`Scale`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "x",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("1"),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "y",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("1"),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "z",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("1"),
            unit: None,
            required: true,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
