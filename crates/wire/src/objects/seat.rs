// Generated from spec/objects/seat.json by cargo xtask gen. Do not edit.
//! `seat`: A place to sit: press the object to sit down.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Range, Shape};
use super::vector3::Vector3;

/// A place to sit: press the object to sit down.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Seat {
    /// Viewing direction about the upward axis; 0 is along the object's -z. In degrees. Range: -360 to 360. Default `0`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facing: Option<f64>,
    /// Centre of the seat, relative to the object. In metres. Default `{"x":0,"y":0.45,"z":0}`.
    #[serde(rename = "offsetPosition", default, skip_serializing_if = "Option::is_none")]
    pub offset_position: Option<Vector3>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`Seat`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "facing",
            shape: Shape::Number(Range { minimum: Some(-360.0), maximum: Some(360.0) }),
            default: Some("0"),
            unit: Some("degrees"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "offsetPosition",
            shape: Shape::Group(&super::vector3::ATTRIBUTES),
            default: Some("{\"x\":0,\"y\":0.45,\"z\":0}"),
            unit: Some("metres"),
            required: false,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
