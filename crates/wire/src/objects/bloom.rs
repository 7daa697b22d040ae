// Generated from spec/objects/bloom.json by cargo xtask gen. Do not edit.
//! `bloom`: Glow around bright places.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Range, Shape};

/// Glow around bright places.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Bloom {
    /// Radius of the glow. Range: at least 0. Default `0.1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius: Option<f64>,
    /// Resolution at which the effect is computed. In px. Range: at least 0. Default `256`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolution: Option<f64>,
    /// Strength of the glow. Range: at least 0. Default `0.5`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strength: Option<f64>,
    /// Brightness from which places glow. Range: 0 to 1. Default `0`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threshold: Option<f64>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`Bloom`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "radius",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("0.1"),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "resolution",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("256"),
            unit: Some("px"),
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "strength",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("0.5"),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "threshold",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: Some(1.0) }),
            default: Some("0"),
            unit: None,
            required: true,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
