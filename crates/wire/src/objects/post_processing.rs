// Generated from spec/objects/post-processing.json by cargo xtask gen. Do not edit.
//! `post-processing`: Effects on the whole picture.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Shape};
use super::bloom::Bloom;
use super::fxaa::Fxaa;
use super::glitch::Glitch;
use super::pixel::Pixel;
use super::sao::Sao;
use super::smaa::Smaa;
use super::ssao::Ssao;

/// Effects on the whole picture.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PostProcessing {
    /// Glow around bright places.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bloom: Option<Bloom>,
    /// Fast smoothing of edges.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fxaa: Option<Fxaa>,
    /// Disturbances of the picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub glitch: Option<Glitch>,
    /// Coarse pixels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pixel: Option<Pixel>,
    /// Shadows in corners, the older way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sao: Option<Sao>,
    /// Smoothing of edges.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub smaa: Option<Smaa>,
    /// Shadows in corners.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ssao: Option<Ssao>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`PostProcessing`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "bloom",
            shape: Shape::Group(&super::bloom::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "fxaa",
            shape: Shape::Group(&super::fxaa::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "glitch",
            shape: Shape::Group(&super::glitch::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "pixel",
            shape: Shape::Group(&super::pixel::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "sao",
            shape: Shape::Group(&super::sao::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "smaa",
            shape: Shape::Group(&super::smaa::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "ssao",
            shape: Shape::Group(&super::ssao::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
