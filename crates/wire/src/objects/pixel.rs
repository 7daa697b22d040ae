// Generated from spec/objects/pixel.json by cargo xtask gen. Do not edit.
//! `pixel`: An effect that draws the picture in coarse pixels.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Range, Shape};

/// An effect that draws the picture in coarse pixels.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Pixel {
    /// Strength of the outlines where depth changes. Default `0.4`.
    #[serde(rename = "depthEdgeStrength", default, skip_serializing_if = "Option::is_none")]
    pub depth_edge_strength: Option<f64>,
    /// Strength of the outlines where the direction of the surface changes. Default `0.3`.
    #[serde(rename = "normalEdgeStrength", default, skip_serializing_if = "Option::is_none")]
    pub normal_edge_strength: Option<f64>,
    /// Size of the coarse pixels. In px. Range: at least 1. Default `6`.
    #[serde(rename = "pixelSize", default, skip_serializing_if = "Option::is_none")]
    pub pixel_size: Option<f64>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`Pixel`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "depthEdgeStrength",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("0.4"),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "normalEdgeStrength",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("0.3"),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "pixelSize",
            shape: Shape::Number(Range { minimum: Some(1.0), maximum: None }),
            default: Some("6"),
            unit: Some("px"),
            required: true,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
