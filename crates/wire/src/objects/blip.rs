// Generated from spec/objects/blip.json by cargo xtask gen. Do not edit.
//! `blip`: An effect with which the object appears and disappears.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Range, Shape};

/// An effect with which the object appears and disappears.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Blip {
    /// Whether its children take part. Default `false`.
    #[serde(rename = "applyDescendants", default, skip_serializing_if = "Option::is_none")]
    pub apply_descendants: Option<bool>,
    /// Whether it appears with the effect. Default `true`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blipin: Option<bool>,
    /// Whether it disappears with the effect. Default `true`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blipout: Option<bool>,
    /// Duration of the effect. In ms. Range: at least 0. Default `750`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration: Option<f64>,
    /// Form of the planes. One of `rect`, `disk`, `ring`. Default `"rect"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub geometry: Option<String>,
    /// From which sides the planes come. One of `both`, `top`, `bottom`. Default `"both"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub planes: Option<String>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`Blip`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "applyDescendants",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "blipin",
            shape: Shape::Boolean,
            default: Some("true"),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "blipout",
            shape: Shape::Boolean,
            default: Some("true"),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "duration",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("750"),
            unit: Some("ms"),
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "geometry",
            shape: Shape::Text(&["rect", "disk", "ring"]),
            default: Some("\"rect\""),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "planes",
            shape: Shape::Text(&["both", "top", "bottom"]),
            default: Some("\"both\""),
            unit: None,
            required: true,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
