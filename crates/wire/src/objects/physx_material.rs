// Generated from spec/objects/physx-material.json by cargo xtask gen. Do not edit.
//! `physx-material`: Friction and bounce of a body's surface.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Range, Shape};

/// Friction and bounce of a body's surface.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PhysxMaterial {
    /// Layers that it collides with. Default `[1,2,3,4]`.
    #[serde(rename = "collidesWithLayers", default, skip_serializing_if = "Option::is_none")]
    pub collides_with_layers: Option<Vec<f64>>,
    /// Group within which nothing collides; 0 is none. Default `0`.
    #[serde(rename = "collisionGroup", default, skip_serializing_if = "Option::is_none")]
    pub collision_group: Option<f64>,
    /// Layers that it is in. Default `[1]`.
    #[serde(rename = "collisionLayers", default, skip_serializing_if = "Option::is_none")]
    pub collision_layers: Option<Vec<f64>>,
    /// Distance at which a contact is foreseen. In metres.
    #[serde(rename = "contactOffset", default, skip_serializing_if = "Option::is_none")]
    pub contact_offset: Option<Value>,
    /// Mass for each unit of volume. Range: at least 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub density: Option<f64>,
    /// Friction in motion. Range: at least 0. Default `0.2`.
    #[serde(rename = "dynamicFriction", default, skip_serializing_if = "Option::is_none")]
    pub dynamic_friction: Option<f64>,
    /// Distance at which bodies rest. In metres.
    #[serde(rename = "restOffset", default, skip_serializing_if = "Option::is_none")]
    pub rest_offset: Option<Value>,
    /// Bounciness. Range: at least 0. Default `0.2`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restitution: Option<f64>,
    /// Friction at rest. Range: at least 0. Default `0.2`.
    #[serde(rename = "staticFriction", default, skip_serializing_if = "Option::is_none")]
    pub static_friction: Option<f64>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`PhysxMaterial`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "collidesWithLayers",
            shape: Shape::Array(&Shape::Number(Range { minimum: None, maximum: None })),
            default: Some("[1,2,3,4]"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "collisionGroup",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("0"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "collisionLayers",
            shape: Shape::Array(&Shape::Number(Range { minimum: None, maximum: None })),
            default: Some("[1]"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "contactOffset",
            shape: Shape::Choice(&[Shape::Number(Range { minimum: None, maximum: None }), Shape::Text(&[])]),
            default: None,
            unit: Some("metres"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "density",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "dynamicFriction",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("0.2"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "restOffset",
            shape: Shape::Choice(&[Shape::Number(Range { minimum: None, maximum: None }), Shape::Text(&[])]),
            default: None,
            unit: Some("metres"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "restitution",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("0.2"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "staticFriction",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("0.2"),
            unit: None,
            required: false,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
