// Generated from spec/objects/physx-body.json by cargo xtask gen. Do not edit.
//! `physx-body`: Makes the object a body of the physics engine.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Range, Shape};
use super::vector3::Vector3;

/// Makes the object a body of the physics engine.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PhysxBody {
    /// Damping of its rotation. Range: at least 0. Default `0`.
    #[serde(rename = "angularDamping", default, skip_serializing_if = "Option::is_none")]
    pub angular_damping: Option<f64>,
    /// Whether it reports collisions. Default `false`.
    #[serde(rename = "emitCollisionEvents", default, skip_serializing_if = "Option::is_none")]
    pub emit_collision_events: Option<bool>,
    /// Whether the collision mesh is exact. Default `false`.
    #[serde(rename = "highPrecision", default, skip_serializing_if = "Option::is_none")]
    pub high_precision: Option<bool>,
    /// Damping of its motion. Range: at least 0. Default `0`.
    #[serde(rename = "linearDamping", default, skip_serializing_if = "Option::is_none")]
    pub linear_damping: Option<f64>,
    /// Mass. In kg. Range: at least 0. Default `1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mass: Option<f64>,
    /// Offset of the collision mesh. In metres. Default `{"x":0,"y":0,"z":0}`.
    #[serde(rename = "shapeOffset", default, skip_serializing_if = "Option::is_none")]
    pub shape_offset: Option<Vector3>,
    /// Whether it moves freely, never, or by animation only. One of `dynamic`, `static`, `kinematic`. Default `"dynamic"`.
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub r#type: Option<String>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`PhysxBody`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "angularDamping",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("0"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "emitCollisionEvents",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "highPrecision",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "linearDamping",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("0"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "mass",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("1"),
            unit: Some("kg"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "shapeOffset",
            shape: Shape::Group(&super::vector3::ATTRIBUTES),
            default: Some("{\"x\":0,\"y\":0,\"z\":0}"),
            unit: Some("metres"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "type",
            shape: Shape::Text(&["dynamic", "static", "kinematic"]),
            default: Some("\"dynamic\""),
            unit: None,
            required: false,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
