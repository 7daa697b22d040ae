// Generated from spec/objects/circle.json by cargo xtask gen. Do not edit.
//! `circle`: A flat disc.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::any_object::{self, AnyObject};
use super::attribute::{Attribute, Group, Range, Shape};

/// A flat disc.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Circle {
    /// Colour of the surface; write `material.color` instead. Deprecated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
    /// Distance from the centre to the edge. In metres. Range: at least 0. Default `1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius: Option<f64>,
    /// Into how many triangles the disc is cut. Range: at least 1. Default `32`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub segments: Option<f64>,
    /// Angle that the shape spans from where it begins. In degrees. Range: at least 0. Default `360`.
    #[serde(rename = "thetaLength", default, skip_serializing_if = "Option::is_none")]
    pub theta_length: Option<f64>,
    /// Angle at which the shape begins. In degrees. Default `0`.
    #[serde(rename = "thetaStart", default, skip_serializing_if = "Option::is_none")]
    pub theta_start: Option<f64>,
    /// Attributes of any object.
    #[serde(flatten)]
    pub any: AnyObject,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`Circle`], sorted by name.
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
            name: "radius",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("1"),
            unit: Some("metres"),
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "segments",
            shape: Shape::Integer(Range { minimum: Some(1.0), maximum: None }),
            default: Some("32"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "thetaLength",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("360"),
            unit: Some("degrees"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "thetaStart",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("0"),
            unit: Some("degrees"),
            required: false,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
