// Generated from spec/objects/rotation.json by cargo xtask gen. Do not edit.
//! `rotation`: Rotation of the object: a unit quaternion.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Range, Shape};

/// Rotation of the object: a unit quaternion.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rotation {
    /// Real part; without it `x`, `y` and `z` are Euler angles in degrees, which is deprecated. Default `1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub w: Option<f64>,
    /// Imaginary part along x. Default `0`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub x: Option<f64>,
    /// Imaginary part along y. Default `0`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub y: Option<f64>,
    /// Imaginary part along z. Default `0`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub z: Option<f64>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`Rotation`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "w",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("1"),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "x",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("0"),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "y",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("0"),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "z",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("0"),
            unit: None,
            required: true,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
