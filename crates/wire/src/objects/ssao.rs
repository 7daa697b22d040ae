// Generated from spec/objects/ssao.json by cargo xtask gen. Do not edit.
//! `ssao`: Shadows in corners.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Range, Shape};

/// Shadows in corners.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ssao {
    /// Radius around a point that is sampled. Range: at least 0. Default `8`.
    #[serde(rename = "kernelRadius", default, skip_serializing_if = "Option::is_none")]
    pub kernel_radius: Option<f64>,
    /// Greatest difference of depth that makes a shadow. Range: at least 0. Default `0.1`.
    #[serde(rename = "maxDistance", default, skip_serializing_if = "Option::is_none")]
    pub max_distance: Option<f64>,
    /// Least difference of depth that makes a shadow. Default `0.005`.
    #[serde(rename = "minDistance", default, skip_serializing_if = "Option::is_none")]
    pub min_distance: Option<f64>,
    /// Resolution at which the effect is computed. In px. Range: at least 0. Default `512`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolution: Option<f64>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`Ssao`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "kernelRadius",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("8"),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "maxDistance",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("0.1"),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "minDistance",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("0.005"),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "resolution",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("512"),
            unit: Some("px"),
            required: true,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
