// Generated from spec/objects/video-control.json by cargo xtask gen. Do not edit.
//! `video-control`: A video that starts and stops by clicks.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Range, Shape};

/// A video that starts and stops by clicks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct VideoControl {
    /// Whether everybody may start it. Default `true`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anyone_clicks: Option<bool>,
    /// Whether it plays by itself. Default `false`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub autoplay: Option<bool>,
    /// Whether the picture returns at the end. Default `true`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cleanup: Option<bool>,
    /// Address of the picture that is shown before it plays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frame_object: Option<String>,
    /// Whether it begins anew at its end. Default `true`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub video_loop: Option<bool>,
    /// Id of the object that shows the video.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub video_object: Option<String>,
    /// Address of the video.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub video_path: Option<String>,
    /// Loudness; 1 is that of the file. Range: at least 0. Default `1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volume: Option<f64>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`VideoControl`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "anyone_clicks",
            shape: Shape::Boolean,
            default: Some("true"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "autoplay",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "cleanup",
            shape: Shape::Boolean,
            default: Some("true"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "frame_object",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "video_loop",
            shape: Shape::Boolean,
            default: Some("true"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "video_object",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "video_path",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "volume",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("1"),
            unit: None,
            required: false,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
