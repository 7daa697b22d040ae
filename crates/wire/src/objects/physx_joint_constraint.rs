// Generated from spec/objects/physx-joint-constraint.json by cargo xtask gen. Do not edit.
//! `physx-joint-constraint`: Limits of a joint.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Range, Shape};
use super::vector2::Vector2;

/// Limits of a joint.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PhysxJointConstraint {
    /// Least and greatest angle.
    #[serde(rename = "angularLimit", default, skip_serializing_if = "Option::is_none")]
    pub angular_limit: Option<Vector2>,
    /// Axes with limits. Default `[]`.
    #[serde(rename = "constrainedAxes", default, skip_serializing_if = "Option::is_none")]
    pub constrained_axes: Option<Vec<String>>,
    /// Damping of the motion. Range: at least 0. Default `0`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping: Option<f64>,
    /// Axes without limits. Default `[]`.
    #[serde(rename = "freeAxes", default, skip_serializing_if = "Option::is_none")]
    pub free_axes: Option<Vec<String>>,
    /// Opening of the cone of swing, both ways.
    #[serde(rename = "limitCone", default, skip_serializing_if = "Option::is_none")]
    pub limit_cone: Option<Vector2>,
    /// Least and greatest distance.
    #[serde(rename = "linearLimit", default, skip_serializing_if = "Option::is_none")]
    pub linear_limit: Option<Vector2>,
    /// Axes along or around which nothing moves. Default `[]`.
    #[serde(rename = "lockedAxes", default, skip_serializing_if = "Option::is_none")]
    pub locked_axes: Option<Vec<String>>,
    /// Bounciness. Range: at least 0. Default `0`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restitution: Option<f64>,
    /// Strength of the pull back. Default `0`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<f64>,
    /// Least and greatest twist.
    #[serde(rename = "twistLimit", default, skip_serializing_if = "Option::is_none")]
    pub twist_limit: Option<Vector2>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`PhysxJointConstraint`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "angularLimit",
            shape: Shape::Group(&super::vector2::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "constrainedAxes",
            shape: Shape::Array(&Shape::Text(&[])),
            default: Some("[]"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "damping",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("0"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "freeAxes",
            shape: Shape::Array(&Shape::Text(&[])),
            default: Some("[]"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "limitCone",
            shape: Shape::Group(&super::vector2::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "linearLimit",
            shape: Shape::Group(&super::vector2::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "lockedAxes",
            shape: Shape::Array(&Shape::Text(&[])),
            default: Some("[]"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "restitution",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("0"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "stiffness",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("0"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "twistLimit",
            shape: Shape::Group(&super::vector2::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
