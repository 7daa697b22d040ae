// Generated from spec/objects/sao.json by cargo xtask gen. Do not edit.
//! `sao`: Shadows in corners, the older way.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Range, Shape};

/// Shadows in corners, the older way.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sao {
    /// Resolution at which the effect is computed. In px. Range: at least 0. Default `256`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolution: Option<f64>,
    /// Offset against shadows on flat faces. Default `0.5`.
    #[serde(rename = "saoBias", default, skip_serializing_if = "Option::is_none")]
    pub sao_bias: Option<f64>,
    /// Whether the shadows are blurred. Default `true`.
    #[serde(rename = "saoBlur", default, skip_serializing_if = "Option::is_none")]
    pub sao_blur: Option<bool>,
    /// Difference of depth that ends the blur. Default `0.01`.
    #[serde(rename = "saoBlurDepthCutoff", default, skip_serializing_if = "Option::is_none")]
    pub sao_blur_depth_cutoff: Option<f64>,
    /// Radius of their blur. Default `8`.
    #[serde(rename = "saoBlurRadius", default, skip_serializing_if = "Option::is_none")]
    pub sao_blur_radius: Option<f64>,
    /// Standard deviation of the blur. Default `4`.
    #[serde(rename = "saoBlurStdDev", default, skip_serializing_if = "Option::is_none")]
    pub sao_blur_std_dev: Option<f64>,
    /// Darkness of the shadows. Default `0.18`.
    #[serde(rename = "saoIntensity", default, skip_serializing_if = "Option::is_none")]
    pub sao_intensity: Option<f64>,
    /// Radius around a point that is sampled. Range: at least 0. Default `100`.
    #[serde(rename = "saoKernelRadius", default, skip_serializing_if = "Option::is_none")]
    pub sao_kernel_radius: Option<f64>,
    /// Least resolution that is looked at. Range: at least 0. Default `0`.
    #[serde(rename = "saoMinResolution", default, skip_serializing_if = "Option::is_none")]
    pub sao_min_resolution: Option<f64>,
    /// Scale of distances. Default `1`.
    #[serde(rename = "saoScale", default, skip_serializing_if = "Option::is_none")]
    pub sao_scale: Option<f64>,
    /// Whether depths come from a texture. Default `false`.
    #[serde(rename = "useDepthTexture", default, skip_serializing_if = "Option::is_none")]
    pub use_depth_texture: Option<bool>,
    /// Whether normals are drawn for it. Default `false`.
    #[serde(rename = "useNormals", default, skip_serializing_if = "Option::is_none")]
    pub use_normals: Option<bool>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`Sao`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "resolution",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("256"),
            unit: Some("px"),
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "saoBias",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("0.5"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "saoBlur",
            shape: Shape::Boolean,
            default: Some("true"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "saoBlurDepthCutoff",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("0.01"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "saoBlurRadius",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("8"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "saoBlurStdDev",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("4"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "saoIntensity",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("0.18"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "saoKernelRadius",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("100"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "saoMinResolution",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("0"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "saoScale",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("1"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "useDepthTexture",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "useNormals",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: true,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
