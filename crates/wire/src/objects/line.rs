// Generated from spec/objects/line.json by cargo xtask gen. Do not edit.
//! `line`: A thin straight line.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::any_object::{self, AnyObject};
use super::attribute::{Attribute, Group, Range, Shape};
use super::vector3::Vector3;

/// A thin straight line.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Colour of the line. Default `"#74BEC1"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
    /// End of the line, relative to the object. In metres. Default `{"x":-0.5,"y":-0.5,"z":0}`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<Vector3>,
    /// Opacity of the line: 0 is invisible, 1 is opaque. Range: 0 to 1. Default `1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opacity: Option<f64>,
    /// Start of the line, relative to the object. In metres. Default `{"x":0,"y":0.5,"z":0}`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Vector3>,
    /// Attributes of any object.
    #[serde(flatten)]
    pub any: AnyObject,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`Line`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: Some(&any_object::ATTRIBUTES),
    attributes: &[
        Attribute {
            name: "color",
            shape: Shape::Text(&[]),
            default: Some("\"#74BEC1\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "end",
            shape: Shape::Group(&super::vector3::ATTRIBUTES),
            default: Some("{\"x\":-0.5,\"y\":-0.5,\"z\":0}"),
            unit: Some("metres"),
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "opacity",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: Some(1.0) }),
            default: Some("1"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "start",
            shape: Shape::Group(&super::vector3::ATTRIBUTES),
            default: Some("{\"x\":0,\"y\":0.5,\"z\":0}"),
            unit: Some("metres"),
            required: true,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
