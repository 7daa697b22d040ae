// Generated from spec/objects/stoa-user.json by cargo xtask gen. Do not edit.
//! `stoa-user`: A person's gestures, at their camera, in addition to ARENA's.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Shape};
use super::vector3::Vector3;

/// A person's gestures, at their camera, in addition to ARENA's.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StoaUser {
    /// Whether the body has legs. One of `full`, `half`. Default `"full"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// Whether the person has raised a hand. Default `false`.
    #[serde(rename = "handRaised", default, skip_serializing_if = "Option::is_none")]
    pub hand_raised: Option<bool>,
    /// Whether the person points at something. Default `false`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub laser: Option<bool>,
    /// Start of the beam: the head or a hand. One of `head`, `left`, `right`. Default `"head"`.
    #[serde(rename = "laserFrom", default, skip_serializing_if = "Option::is_none")]
    pub laser_from: Option<String>,
    /// The point the person indicates, in scene space. In metres.
    #[serde(rename = "laserTo", default, skip_serializing_if = "Option::is_none")]
    pub laser_to: Option<Vector3>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`StoaUser`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "body",
            shape: Shape::Text(&["full", "half"]),
            default: Some("\"full\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "handRaised",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "laser",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "laserFrom",
            shape: Shape::Text(&["head", "left", "right"]),
            default: Some("\"head\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "laserTo",
            shape: Shape::Group(&super::vector3::ATTRIBUTES),
            default: None,
            unit: Some("metres"),
            required: false,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
