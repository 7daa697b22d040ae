// Generated from spec/objects/capsule.json by cargo xtask gen. Do not edit.
//! `capsule`: A cylinder with rounded ends.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::any_object::{self, AnyObject};
use super::attribute::{Attribute, Group, Range, Shape};

/// A cylinder with rounded ends.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Capsule {
    /// Colour of the surface; write `material.color` instead. Deprecated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
    /// Length of the straight part between the two caps. In metres. Range: at least 0. Default `1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<f64>,
    /// Distance from the centre to the surface. In metres. Range: at least 0. Default `1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius: Option<f64>,
    /// Into how many parts each rounded end is cut. Range: at least 1. Default `18`.
    #[serde(rename = "segmentsCap", default, skip_serializing_if = "Option::is_none")]
    pub segments_cap: Option<f64>,
    /// Into how many parts the mesh is cut around its axis. Range: at least 1. Default `36`.
    #[serde(rename = "segmentsRadial", default, skip_serializing_if = "Option::is_none")]
    pub segments_radial: Option<f64>,
    /// Attributes of any object.
    #[serde(flatten)]
    pub any: AnyObject,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`Capsule`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: Some(&any_object::ATTRIBUTES),
    attributes: &[
        Attribute {
            name: "color",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: false,
            deprecated: true,
        },
        Attribute {
            name: "length",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("1"),
            unit: Some("metres"),
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "radius",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("1"),
            unit: Some("metres"),
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "segmentsCap",
            shape: Shape::Integer(Range { minimum: Some(1.0), maximum: None }),
            default: Some("18"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "segmentsRadial",
            shape: Shape::Integer(Range { minimum: Some(1.0), maximum: None }),
            default: Some("36"),
            unit: None,
            required: false,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
