// Generated from spec/objects/arena-user.json by cargo xtask gen. Do not edit.
//! `arena-user`: A person's identity, at their camera.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Shape};

/// A person's identity, at their camera.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ArenaUser {
    /// Colour of the person's name and head.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
    /// Display name. Default `""`.
    #[serde(rename = "displayName", default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// Whether the microphone is on. Default `false`.
    #[serde(rename = "hasAudio", default, skip_serializing_if = "Option::is_none")]
    pub has_audio: Option<bool>,
    /// Whether the face is tracked. Default `false`.
    #[serde(rename = "hasAvatar", default, skip_serializing_if = "Option::is_none")]
    pub has_avatar: Option<bool>,
    /// Whether the camera is on. Default `false`.
    #[serde(rename = "hasVideo", default, skip_serializing_if = "Option::is_none")]
    pub has_video: Option<bool>,
    /// Address of the head's glTF file. Default `"/static/models/avatars/robobit.glb"`.
    #[serde(rename = "headModelPath", default, skip_serializing_if = "Option::is_none")]
    pub head_model_path: Option<String>,
    /// Id of the person's connection to Jitsi. Default `""`.
    #[serde(rename = "jitsiId", default, skip_serializing_if = "Option::is_none")]
    pub jitsi_id: Option<String>,
    /// Presence of the person in the scene. One of `Standard`, `Portal`. Default `"Standard"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub presence: Option<String>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`ArenaUser`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "color",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "displayName",
            shape: Shape::Text(&[]),
            default: Some("\"\""),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "hasAudio",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "hasAvatar",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "hasVideo",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "headModelPath",
            shape: Shape::Text(&[]),
            default: Some("\"/static/models/avatars/robobit.glb\""),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "jitsiId",
            shape: Shape::Text(&[]),
            default: Some("\"\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "presence",
            shape: Shape::Text(&["Standard", "Portal"]),
            default: Some("\"Standard\""),
            unit: None,
            required: false,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
