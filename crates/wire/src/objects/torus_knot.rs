// Generated from spec/objects/torusKnot.json by cargo xtask gen. Do not edit.
//! `torusKnot`: A knotted tube.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::any_object::{self, AnyObject};
use super::attribute::{Attribute, Group, Range, Shape};

/// A knotted tube.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TorusKnot {
    /// Colour of the surface; write `material.color` instead. Deprecated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
    /// Turns of the knot around its axis of rotation. Range: at least 1. Default `2`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p: Option<f64>,
    /// Turns of the knot around the inside of its ring. Range: at least 1. Default `3`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub q: Option<f64>,
    /// Radius of the knot, up to the middle of the tube. In metres. Range: at least 0. Default `1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius: Option<f64>,
    /// Radius of the tube itself. In metres. Range: at least 0. Default `0.2`.
    #[serde(rename = "radiusTubular", default, skip_serializing_if = "Option::is_none")]
    pub radius_tubular: Option<f64>,
    /// Into how many parts the mesh is cut around its axis. Range: at least 1. Default `8`.
    #[serde(rename = "segmentsRadial", default, skip_serializing_if = "Option::is_none")]
    pub segments_radial: Option<f64>,
    /// Into how many parts the tube is cut along its way. Range: at least 1. Default `100`.
    #[serde(rename = "segmentsTubular", default, skip_serializing_if = "Option::is_none")]
    pub segments_tubular: Option<f64>,
    /// Attributes of any object.
    #[serde(flatten)]
    pub any: AnyObject,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`TorusKnot`], sorted by name.
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
            name: "p",
            shape: Shape::Number(Range { minimum: Some(1.0), maximum: None }),
            default: Some("2"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "q",
            shape: Shape::Number(Range { minimum: Some(1.0), maximum: None }),
            default: Some("3"),
            unit: None,
            required: false,
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
            name: "radiusTubular",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("0.2"),
            unit: Some("metres"),
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "segmentsRadial",
            shape: Shape::Integer(Range { minimum: Some(1.0), maximum: None }),
            default: Some("8"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "segmentsTubular",
            shape: Shape::Integer(Range { minimum: Some(1.0), maximum: None }),
            default: Some("100"),
            unit: None,
            required: false,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
