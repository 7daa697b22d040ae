// Generated from spec/objects/gltf-model-lod.json by cargo xtask gen. Do not edit.
//! `gltf-model-lod`: A more detailed model for near by.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Range, Shape};

/// A more detailed model for near by.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GltfModelLod {
    /// Within which distance the detailed model is shown. In metres. Range: at least 0. Default `10`.
    #[serde(rename = "detailedDistance", default, skip_serializing_if = "Option::is_none")]
    pub detailed_distance: Option<f64>,
    /// Address of the detailed model. Default `""`.
    #[serde(rename = "detailedUrl", default, skip_serializing_if = "Option::is_none")]
    pub detailed_url: Option<String>,
    /// Whether the detailed model stays in memory. Default `false`.
    #[serde(rename = "retainCache", default, skip_serializing_if = "Option::is_none")]
    pub retain_cache: Option<bool>,
    /// Time between two looks at the distance. In ms. Range: at least 0. Default `333`.
    #[serde(rename = "updateRate", default, skip_serializing_if = "Option::is_none")]
    pub update_rate: Option<f64>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`GltfModelLod`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "detailedDistance",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("10"),
            unit: Some("metres"),
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "detailedUrl",
            shape: Shape::Text(&[]),
            default: Some("\"\""),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "retainCache",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "updateRate",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("333"),
            unit: Some("ms"),
            required: true,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
