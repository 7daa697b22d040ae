// Generated from spec/objects/openvps.json by cargo xtask gen. Do not edit.
//! `openvps`: Localisation by pictures.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Range, Shape};

/// Localisation by pictures.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OpenVps {
    /// Whether pictures are sent to find where people are. Default `false`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
    /// Address of the picture service. Default `""`.
    #[serde(rename = "imageUrl", default, skip_serializing_if = "Option::is_none")]
    pub image_url: Option<String>,
    /// Quality of the picture's compression. Range: 0 to 1. Default `0.8`.
    #[serde(rename = "imgQuality", default, skip_serializing_if = "Option::is_none")]
    pub img_quality: Option<f64>,
    /// Time between two pictures. In ms. Range: at least 0. Default `5000`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<f64>,
    /// Address of the mesh of the place. Default `""`.
    #[serde(rename = "meshUrl", default, skip_serializing_if = "Option::is_none")]
    pub mesh_url: Option<String>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`OpenVps`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "enabled",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "imageUrl",
            shape: Shape::Text(&[]),
            default: Some("\"\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "imgQuality",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: Some(1.0) }),
            default: Some("0.8"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "interval",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("5000"),
            unit: Some("ms"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "meshUrl",
            shape: Shape::Text(&[]),
            default: Some("\"\""),
            unit: None,
            required: false,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
