// Generated from spec/objects/ar-hit-test.json by cargo xtask gen. Do not edit.
//! `ar-hit-test`: A reticle that shows where a ray meets the real world.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Range, Shape};

/// A reticle that shows where a ray meets the real world.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ArHitTest {
    /// Whether a reticle shows where a ray meets the real world. Default `true`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
    /// Thickness of the footprint. In metres. Range: at least 0. Default `0.1`.
    #[serde(rename = "footprintDepth", default, skip_serializing_if = "Option::is_none")]
    pub footprint_depth: Option<f64>,
    /// Width and height of the picture, apart by a blank. Default `"0.5 0.5"`.
    #[serde(rename = "mapSize", default, skip_serializing_if = "Option::is_none")]
    pub map_size: Option<String>,
    /// Address of the picture of the reticle. Default `"static/images/reticle-gray.png"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub src: Option<String>,
    /// Whether the reticle is the object's footprint or a picture. One of `footprint`, `map`. Default `"footprint"`.
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub r#type: Option<String>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`ArHitTest`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "enabled",
            shape: Shape::Boolean,
            default: Some("true"),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "footprintDepth",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("0.1"),
            unit: Some("metres"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "mapSize",
            shape: Shape::Text(&[]),
            default: Some("\"0.5 0.5\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "src",
            shape: Shape::Text(&[]),
            default: Some("\"static/images/reticle-gray.png\""),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "type",
            shape: Shape::Text(&["footprint", "map"]),
            default: Some("\"footprint\""),
            unit: None,
            required: false,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
