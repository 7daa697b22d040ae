// Generated from spec/objects/sphere.json by cargo xtask gen. Do not edit.
//! `sphere`: A sphere.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::any_object::{self, AnyObject};
use super::attribute::{Attribute, Group, Range, Shape};

/// A sphere.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sphere {
    /// Colour of the surface; write `material.color` instead. Deprecated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
    /// Angle around the vertical axis that the shape spans. In degrees. Range: at least 0. Default `360`.
    #[serde(rename = "phiLength", default, skip_serializing_if = "Option::is_none")]
    pub phi_length: Option<f64>,
    /// Angle around the vertical axis at which the shape begins. In degrees. Default `0`.
    #[serde(rename = "phiStart", default, skip_serializing_if = "Option::is_none")]
    pub phi_start: Option<f64>,
    /// Distance from the centre to the surface. In metres. Range: at least 0. Default `1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius: Option<f64>,
    /// Into how many parts the mesh is cut from pole to pole. Range: at least 1. Default `18`.
    #[serde(rename = "segmentsHeight", default, skip_serializing_if = "Option::is_none")]
    pub segments_height: Option<f64>,
    /// Into how many parts the mesh is cut around the vertical axis. Range: at least 1. Default `36`.
    #[serde(rename = "segmentsWidth", default, skip_serializing_if = "Option::is_none")]
    pub segments_width: Option<f64>,
    /// Angle from pole to pole that the shape spans. In degrees. Range: at least 0. Default `180`.
    #[serde(rename = "thetaLength", default, skip_serializing_if = "Option::is_none")]
    pub theta_length: Option<f64>,
    /// Angle from the upper pole at which the shape begins. In degrees. Default `0`.
    #[serde(rename = "thetaStart", default, skip_serializing_if = "Option::is_none")]
    pub theta_start: Option<f64>,
    /// Attributes of any object.
    #[serde(flatten)]
    pub any: AnyObject,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`Sphere`], sorted by name.
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
            name: "phiLength",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("360"),
            unit: Some("degrees"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "phiStart",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("0"),
            unit: Some("degrees"),
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
            name: "segmentsHeight",
            shape: Shape::Integer(Range { minimum: Some(1.0), maximum: None }),
            default: Some("18"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "segmentsWidth",
            shape: Shape::Integer(Range { minimum: Some(1.0), maximum: None }),
            default: Some("36"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "thetaLength",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("180"),
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
