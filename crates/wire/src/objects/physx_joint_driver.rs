// Generated from spec/objects/physx-joint-driver.json by cargo xtask gen. Do not edit.
//! `physx-joint-driver`: The motor of a joint.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Range, Shape};
use super::vector3::Vector3;

/// The motor of a joint.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PhysxJointDriver {
    /// Turning speed that is aimed at. In rad/s. Default `{"x":0,"y":0,"z":0}`.
    #[serde(rename = "angularVelocity", default, skip_serializing_if = "Option::is_none")]
    pub angular_velocity: Option<Vector3>,
    /// Axes that are driven. Default `[]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axes: Option<Vec<String>>,
    /// Damping of the motion. Range: at least 0. Default `1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping: Option<f64>,
    /// Greatest force. Default `3.402823466385289e+38`.
    #[serde(rename = "forceLimit", default, skip_serializing_if = "Option::is_none")]
    pub force_limit: Option<f64>,
    /// Speed that is aimed at. In m/s. Default `{"x":0,"y":0,"z":0}`.
    #[serde(rename = "linearVelocity", default, skip_serializing_if = "Option::is_none")]
    pub linear_velocity: Option<Vector3>,
    /// Whether all other axes are locked. Default `false`.
    #[serde(rename = "lockOtherAxes", default, skip_serializing_if = "Option::is_none")]
    pub lock_other_axes: Option<bool>,
    /// Whether turning takes the shortest way. Default `true`.
    #[serde(rename = "slerpRotation", default, skip_serializing_if = "Option::is_none")]
    pub slerp_rotation: Option<bool>,
    /// Strength of the pull back. Default `1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<f64>,
    /// Whether masses are left out of account. Default `true`.
    #[serde(rename = "useAcceleration", default, skip_serializing_if = "Option::is_none")]
    pub use_acceleration: Option<bool>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`PhysxJointDriver`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "angularVelocity",
            shape: Shape::Group(&super::vector3::ATTRIBUTES),
            default: Some("{\"x\":0,\"y\":0,\"z\":0}"),
            unit: Some("rad/s"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "axes",
            shape: Shape::Array(&Shape::Text(&[])),
            default: Some("[]"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "damping",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("1"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "forceLimit",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("3.402823466385289e+38"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "linearVelocity",
            shape: Shape::Group(&super::vector3::ATTRIBUTES),
            default: Some("{\"x\":0,\"y\":0,\"z\":0}"),
            unit: Some("m/s"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "lockOtherAxes",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "slerpRotation",
            shape: Shape::Boolean,
            default: Some("true"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "stiffness",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("1"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "useAcceleration",
            shape: Shape::Boolean,
            default: Some("true"),
            unit: None,
            required: false,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
