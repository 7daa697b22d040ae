// Generated from spec/objects/ocean.json by cargo xtask gen. Do not edit.
//! `ocean`: A moving surface of water.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::any_object::{self, AnyObject};
use super::attribute::{Attribute, Group, Range, Shape};

/// A moving surface of water.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ocean {
    /// Height of the waves. In metres. Default `0.1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amplitude: Option<f64>,
    /// By how much the heights of waves differ. In metres. Default `0.3`.
    #[serde(rename = "amplitudeVariance", default, skip_serializing_if = "Option::is_none")]
    pub amplitude_variance: Option<f64>,
    /// Colour of the water. Default `"#7AD2F7"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
    /// Into how many parts the surface is cut each way. Range: at least 0. Default `10`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub density: Option<f64>,
    /// Size along z. In metres. Range: at least 0. Default `10`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<f64>,
    /// Opacity of the water: 0 is invisible, 1 is opaque. Range: 0 to 1. Default `0.8`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opacity: Option<f64>,
    /// Speed of the waves. Default `1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<f64>,
    /// By how much the speeds of waves differ. Default `2`.
    #[serde(rename = "speedVariance", default, skip_serializing_if = "Option::is_none")]
    pub speed_variance: Option<f64>,
    /// Size along x. In metres. Range: at least 0. Default `10`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<f64>,
    /// Attributes of any object.
    #[serde(flatten)]
    pub any: AnyObject,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`Ocean`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: Some(&any_object::ATTRIBUTES),
    attributes: &[
        Attribute {
            name: "amplitude",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("0.1"),
            unit: Some("metres"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "amplitudeVariance",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("0.3"),
            unit: Some("metres"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "color",
            shape: Shape::Text(&[]),
            default: Some("\"#7AD2F7\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "density",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("10"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "depth",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("10"),
            unit: Some("metres"),
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "opacity",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: Some(1.0) }),
            default: Some("0.8"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "speed",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("1"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "speedVariance",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("2"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "width",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("10"),
            unit: Some("metres"),
            required: true,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
