// Generated from spec/objects/glitch.json by cargo xtask gen. Do not edit.
//! `glitch`: Disturbances of the picture.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Range, Shape};

/// Disturbances of the picture.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Glitch {
    /// Size of the disturbance's texture. Range: at least 1. Default `64`.
    #[serde(rename = "dtSize", default, skip_serializing_if = "Option::is_none")]
    pub dt_size: Option<f64>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`Glitch`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[Attribute {
        name: "dtSize",
        shape: Shape::Number(Range { minimum: Some(1.0), maximum: None }),
        default: Some("64"),
        unit: None,
        required: true,
        deprecated: false,
    }],
    prefixes: &[],
};
