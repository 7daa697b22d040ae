// Generated from spec/objects/box-collision-listener.json by cargo xtask gen. Do not edit.
//! `box-collision-listener`: Reports when a person's head or hand enters the object's box.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Shape};

/// Reports when a person's head or hand enters the object's box.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BoxCollisionListener {
    /// Whether its box is measured again while it moves. Default `false`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dynamic: Option<bool>,
    /// Whether it listens. Default `true`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`BoxCollisionListener`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "dynamic",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "enabled",
            shape: Shape::Boolean,
            default: Some("true"),
            unit: None,
            required: false,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
