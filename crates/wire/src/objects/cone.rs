// Generated from spec/objects/cone.json by cargo xtask gen. Do not edit.
//! `cone`: A cone, also with its top cut off.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::any_object::{self, AnyObject};
use super::attribute::{Attribute, Group, Range, Shape};

/// A cone, also with its top cut off.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cone {
    /// Colour of the surface; write `material.color` instead. Deprecated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
    /// Size along y. In metres. Range: at least 0. Default `1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub height: Option<f64>,
    /// Whether the ends are left open, so that only the mantle is drawn. Default `false`.
    #[serde(rename = "openEnded", default, skip_serializing_if = "Option::is_none")]
    pub open_ended: Option<bool>,
    /// Radius of the lower end. In metres. Range: at least 0. Default `1`.
    #[serde(rename = "radiusBottom", default, skip_serializing_if = "Option::is_none")]
    pub radius_bottom: Option<f64>,
    /// Radius of the upper end. In metres. Range: at least 0. Default `0.01`.
    #[serde(rename = "radiusTop", default, skip_serializing_if = "Option::is_none")]
    pub radius_top: Option<f64>,
    /// Into how many parts the mesh is cut along y. Range: at least 1. Default `18`.
    #[serde(rename = "segmentsHeight", default, skip_serializing_if = "Option::is_none")]
    pub segments_height: Option<f64>,
    /// Into how many parts the mesh is cut around its axis. Range: at least 1. Default `36`.
    #[serde(rename = "segmentsRadial", default, skip_serializing_if = "Option::is_none")]
    pub segments_radial: Option<f64>,
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

/// The schema's description of each attribute of [`Cone`], sorted by name.
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
            name: "height",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("1"),
            unit: Some("metres"),
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "openEnded",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "radiusBottom",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("1"),
            unit: Some("metres"),
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "radiusTop",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("0.01"),
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
            name: "segmentsRadial",
            shape: Shape::Integer(Range { minimum: Some(1.0), maximum: None }),
            default: Some("36"),
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
