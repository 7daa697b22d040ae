// Generated from spec/objects/panel.json by cargo xtask gen. Do not edit.
//! `panel`: A flat box for user interfaces.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Range, Shape};

/// A flat box for user interfaces.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Panel {
    /// Thickness. In metres. Range: at least 0. Default `0.05`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<f64>,
    /// Size along y. In metres. Range: at least 0. Default `1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub height: Option<f64>,
    /// Size along x. In metres. Range: at least 0. Default `1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<f64>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`Panel`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "depth",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("0.05"),
            unit: Some("metres"),
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "height",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("1"),
            unit: Some("metres"),
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "width",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("1"),
            unit: Some("metres"),
            required: true,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
