// Generated from spec/objects/gaussian_splatting.json by cargo xtask gen. Do not edit.
//! `gaussian_splatting`: A cloud of Gaussian splats.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::any_object::{self, AnyObject};
use super::attribute::{Attribute, Group, Range, Shape};

/// A cloud of Gaussian splats.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GaussianSplatting {
    /// Id of an object whose box limits the drawn part. Default `""`.
    #[serde(rename = "cutoutEntity", default, skip_serializing_if = "Option::is_none")]
    pub cutout_entity: Option<String>,
    /// Pixels that are drawn for each pixel of the screen. Range: at least 0. Default `1.0`.
    #[serde(rename = "pixelRatio", default, skip_serializing_if = "Option::is_none")]
    pub pixel_ratio: Option<f64>,
    /// Address of the splat file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub src: Option<String>,
    /// Pixels drawn for each pixel of the screen in VR and AR. Range: at least 0. Default `0.5`.
    #[serde(rename = "xrPixelRatio", default, skip_serializing_if = "Option::is_none")]
    pub xr_pixel_ratio: Option<f64>,
    /// Attributes of any object.
    #[serde(flatten)]
    pub any: AnyObject,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`GaussianSplatting`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: Some(&any_object::ATTRIBUTES),
    attributes: &[
        Attribute {
            name: "cutoutEntity",
            shape: Shape::Text(&[]),
            default: Some("\"\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "pixelRatio",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("1.0"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "src",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "xrPixelRatio",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("0.5"),
            unit: None,
            required: false,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
