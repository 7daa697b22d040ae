// Generated from spec/objects/material-extras.json by cargo xtask gen. Do not edit.
//! `material-extras`: Further properties of a material.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Range, Shape};

/// Further properties of a material.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MaterialExtras {
    /// Colour space of the picture. One of `SRGBColorSpace`, `LinearSRGBColorSpace`, `DisplayP3ColorSpace`, `NoColorSpace`. Default `"SRGBColorSpace"`.
    #[serde(rename = "colorSpace", default, skip_serializing_if = "Option::is_none")]
    pub color_space: Option<String>,
    /// Whether colours are drawn. Default `true`.
    #[serde(rename = "colorWrite", default, skip_serializing_if = "Option::is_none")]
    pub color_write: Option<bool>,
    /// Opacity of the model: 0 is invisible, 1 is opaque. Range: 0 to 1. Default `1`.
    #[serde(rename = "gltfOpacity", default, skip_serializing_if = "Option::is_none")]
    pub gltf_opacity: Option<f64>,
    /// Address of a picture that replaces that of the model. Default `""`.
    #[serde(rename = "overrideSrc", default, skip_serializing_if = "Option::is_none")]
    pub override_src: Option<String>,
    /// Place in the order of drawing; lower is earlier. Default `1`.
    #[serde(rename = "renderOrder", default, skip_serializing_if = "Option::is_none")]
    pub render_order: Option<f64>,
    /// Whether it hides objects behind it while invisible itself. Default `false`.
    #[serde(rename = "transparentOccluder", default, skip_serializing_if = "Option::is_none")]
    pub transparent_occluder: Option<bool>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`MaterialExtras`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "colorSpace",
            shape: Shape::Text(&["SRGBColorSpace", "LinearSRGBColorSpace", "DisplayP3ColorSpace", "NoColorSpace"]),
            default: Some("\"SRGBColorSpace\""),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "colorWrite",
            shape: Shape::Boolean,
            default: Some("true"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "gltfOpacity",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: Some(1.0) }),
            default: Some("1"),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "overrideSrc",
            shape: Shape::Text(&[]),
            default: Some("\"\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "renderOrder",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("1"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "transparentOccluder",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: false,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
