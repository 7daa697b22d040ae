// Generated from spec/objects/model-container.json by cargo xtask gen. Do not edit.
//! `model-container`: A box that the model is scaled to fit.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Range, Shape};

/// A box that the model is scaled to fit.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ModelContainer {
    /// Whether the model keeps its proportions. Default `true`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uniform: Option<bool>,
    /// Width of the box that the model is fitted into. In metres. Default `1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub x: Option<f64>,
    /// Height of the box that the model is fitted into. In metres. Default `1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub y: Option<f64>,
    /// Depth of the box that the model is fitted into. In metres. Default `1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub z: Option<f64>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`ModelContainer`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "uniform",
            shape: Shape::Boolean,
            default: Some("true"),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "x",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("1"),
            unit: Some("metres"),
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "y",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("1"),
            unit: Some("metres"),
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "z",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("1"),
            unit: Some("metres"),
            required: true,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
