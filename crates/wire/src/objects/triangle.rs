// Generated from spec/objects/triangle.json by cargo xtask gen. Do not edit.
//! `triangle`: A flat triangle.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::any_object::{self, AnyObject};
use super::attribute::{Attribute, Group, Shape};
use super::vector3::Vector3;

/// A flat triangle.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Triangle {
    /// Colour of the surface; write `material.color` instead. Deprecated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
    /// First corner. In metres. Default `{"x":0,"y":0.5,"z":0}`.
    #[serde(rename = "vertexA", default, skip_serializing_if = "Option::is_none")]
    pub vertex_a: Option<Vector3>,
    /// Second corner. In metres. Default `{"x":-0.5,"y":-0.5,"z":0}`.
    #[serde(rename = "vertexB", default, skip_serializing_if = "Option::is_none")]
    pub vertex_b: Option<Vector3>,
    /// Third corner. In metres. Default `{"x":0.5,"y":-0.5,"z":0}`.
    #[serde(rename = "vertexC", default, skip_serializing_if = "Option::is_none")]
    pub vertex_c: Option<Vector3>,
    /// Attributes of any object.
    #[serde(flatten)]
    pub any: AnyObject,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`Triangle`], sorted by name.
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
            name: "vertexA",
            shape: Shape::Group(&super::vector3::ATTRIBUTES),
            default: Some("{\"x\":0,\"y\":0.5,\"z\":0}"),
            unit: Some("metres"),
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "vertexB",
            shape: Shape::Group(&super::vector3::ATTRIBUTES),
            default: Some("{\"x\":-0.5,\"y\":-0.5,\"z\":0}"),
            unit: Some("metres"),
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "vertexC",
            shape: Shape::Group(&super::vector3::ATTRIBUTES),
            default: Some("{\"x\":0.5,\"y\":-0.5,\"z\":0}"),
            unit: Some("metres"),
            required: true,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
