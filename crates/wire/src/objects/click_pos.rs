// Generated from spec/objects/clickPos.json by cargo xtask gen. Do not edit.
//! `clickPos`: Position of the person at a click.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Range, Shape};

/// Position of the person at a click.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClickPos {
    /// Along x, to the right. In metres.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub x: Option<f64>,
    /// Along y, upwards. In metres.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub y: Option<f64>,
    /// Along z, towards the viewer. In metres.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub z: Option<f64>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`ClickPos`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "x",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: None,
            unit: Some("metres"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "y",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: None,
            unit: Some("metres"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "z",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: None,
            unit: Some("metres"),
            required: false,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
