// Generated from spec/objects/camera-override.json by cargo xtask gen. Do not edit.
//! `camera-override`: A command to a person's camera.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Shape};
use super::position::Position;
use super::rotation::Rotation;

/// A command to a person's camera.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CameraOverride {
    /// Id of the landmark to go to.
    #[serde(rename = "landmarkObj", default, skip_serializing_if = "Option::is_none")]
    pub landmark_obj: Option<String>,
    /// The command, one of three. One of `camera`, `look-at`, `teleport-to-landmark`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object_type: Option<String>,
    /// New position of the person's camera. In metres.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<Position>,
    /// New rotation of the person's camera.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotation: Option<Rotation>,
    /// Id of the object, or the place, to look at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<Value>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`CameraOverride`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "landmarkObj",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "object_type",
            shape: Shape::Text(&["camera", "look-at", "teleport-to-landmark"]),
            default: None,
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "position",
            shape: Shape::Group(&super::position::ATTRIBUTES),
            default: None,
            unit: Some("metres"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "rotation",
            shape: Shape::Group(&super::rotation::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "target",
            shape: Shape::Choice(&[Shape::Text(&[]), Shape::Group(&super::vector3::ATTRIBUTES)]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
