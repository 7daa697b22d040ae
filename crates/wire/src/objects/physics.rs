// Generated from spec/objects/physics.json by cargo xtask gen. Do not edit.
//! `physics`: Settings of the physics engine.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Range, Shape};
use super::vector3::Vector3;

/// Settings of the physics engine.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Physics {
    /// Delay after loading. In ms. Range: at least 0. Default `5000`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delay: Option<f64>,
    /// Whether physics is simulated. Where nothing is said, Stoa's pages simulate it. Default `false`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
    /// Acceleration of all that falls. In m/s². Default `{"x":0,"y":-9.8,"z":0}`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gravity: Option<Vector3>,
    /// Collision layers of the ground. Default `[2]`.
    #[serde(rename = "groundCollisionLayers", default, skip_serializing_if = "Option::is_none")]
    pub ground_collision_layers: Option<Vec<f64>>,
    /// Layers that collide with the ground. Default `[1,2,3,4]`.
    #[serde(rename = "groundCollisionMask", default, skip_serializing_if = "Option::is_none")]
    pub ground_collision_mask: Option<Vec<f64>>,
    /// Speed of simulated time. Default `1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<f64>,
    /// Shown statistics. Default `[]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stats: Option<Vec<String>>,
    /// Least time between two steps. In ms. Range: at least 0. Default `10`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub throttle: Option<f64>,
    /// Whether the floor and other defaults exist. Default `true`.
    #[serde(rename = "useDefaultScene", default, skip_serializing_if = "Option::is_none")]
    pub use_default_scene: Option<bool>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`Physics`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "delay",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("5000"),
            unit: Some("ms"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "enabled",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "gravity",
            shape: Shape::Group(&super::vector3::ATTRIBUTES),
            default: Some("{\"x\":0,\"y\":-9.8,\"z\":0}"),
            unit: Some("m/s²"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "groundCollisionLayers",
            shape: Shape::Array(&Shape::Number(Range { minimum: None, maximum: None })),
            default: Some("[2]"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "groundCollisionMask",
            shape: Shape::Array(&Shape::Number(Range { minimum: None, maximum: None })),
            default: Some("[1,2,3,4]"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "speed",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("1"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "stats",
            shape: Shape::Array(&Shape::Text(&[])),
            default: Some("[]"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "throttle",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("10"),
            unit: Some("ms"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "useDefaultScene",
            shape: Shape::Boolean,
            default: Some("true"),
            unit: None,
            required: false,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
