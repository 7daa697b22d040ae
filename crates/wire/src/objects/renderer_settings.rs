// Generated from spec/objects/renderer-settings.json by cargo xtask gen. Do not edit.
//! `renderer-settings`: Settings of the renderer.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Shape};

/// Settings of the renderer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RendererSettings {
    /// Whether materials may have clipping planes of their own. Default `false`.
    #[serde(rename = "localClippingEnabled", default, skip_serializing_if = "Option::is_none")]
    pub local_clipping_enabled: Option<bool>,
    /// Colour space of the picture. One of `SRGBColorSpace`, `LinearSRGBColorSpace`, `DisplayP3ColorSpace`, `NoColorSpace`. Default `"SRGBColorSpace"`.
    #[serde(rename = "outputColorSpace", default, skip_serializing_if = "Option::is_none")]
    pub output_color_space: Option<String>,
    /// Whether lights are in physical units. Default `false`.
    #[serde(rename = "physicallyCorrectLights", default, skip_serializing_if = "Option::is_none")]
    pub physically_correct_lights: Option<bool>,
    /// Whether objects are sorted before they are drawn. Default `true`.
    #[serde(rename = "sortObjects", default, skip_serializing_if = "Option::is_none")]
    pub sort_objects: Option<bool>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`RendererSettings`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "localClippingEnabled",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "outputColorSpace",
            shape: Shape::Text(&["SRGBColorSpace", "LinearSRGBColorSpace", "DisplayP3ColorSpace", "NoColorSpace"]),
            default: Some("\"SRGBColorSpace\""),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "physicallyCorrectLights",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "sortObjects",
            shape: Shape::Boolean,
            default: Some("true"),
            unit: None,
            required: false,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
