// Generated from spec/objects/physx-joint.json by cargo xtask gen. Do not edit.
//! `physx-joint`: A joint between two bodies.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Shape};
use super::vector2::Vector2;

/// A joint between two bodies.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PhysxJoint {
    /// Force and torque at which it breaks; -1 is never. Default `{"x":-1,"y":-1}`.
    #[serde(rename = "breakForce", default, skip_serializing_if = "Option::is_none")]
    pub break_force: Option<Vector2>,
    /// Whether both still collide. Default `false`.
    #[serde(rename = "collideWithTarget", default, skip_serializing_if = "Option::is_none")]
    pub collide_with_target: Option<bool>,
    /// Distance and angle beyond which the joint is put right; -1 is never. Default `{"x":-1,"y":-1}`.
    #[serde(rename = "projectionTolerance", default, skip_serializing_if = "Option::is_none")]
    pub projection_tolerance: Option<Vector2>,
    /// Whether the joint is removed when it breaks. Default `false`.
    #[serde(rename = "removeElOnBreak", default, skip_serializing_if = "Option::is_none")]
    pub remove_el_on_break: Option<bool>,
    /// Whether a fixed joint gives a little. Default `false`.
    #[serde(rename = "softFixed", default, skip_serializing_if = "Option::is_none")]
    pub soft_fixed: Option<bool>,
    /// Id of the other object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// Kind of joint. One of `Spherical`, `Fixed`, `Revolute`, `Prismatic`, `D6`. Default `"Spherical"`.
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub r#type: Option<String>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`PhysxJoint`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "breakForce",
            shape: Shape::Group(&super::vector2::ATTRIBUTES),
            default: Some("{\"x\":-1,\"y\":-1}"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "collideWithTarget",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "projectionTolerance",
            shape: Shape::Group(&super::vector2::ATTRIBUTES),
            default: Some("{\"x\":-1,\"y\":-1}"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "removeElOnBreak",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "softFixed",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "target",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "type",
            shape: Shape::Text(&["Spherical", "Fixed", "Revolute", "Prismatic", "D6"]),
            default: Some("\"Spherical\""),
            unit: None,
            required: false,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
