// Generated from spec/objects/sound.json by cargo xtask gen. Do not edit.
//! `sound`: A sound at the object's place.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Range, Shape};

/// A sound at the object's place.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sound {
    /// Whether it plays by itself. Default `false`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub autoplay: Option<bool>,
    /// Model of the volume's decay with distance. One of `linear`, `inverse`, `exponential`. Default `"inverse"`.
    #[serde(rename = "distanceModel", default, skip_serializing_if = "Option::is_none")]
    pub distance_model: Option<String>,
    /// Whether it begins anew at its end. Default `false`.
    #[serde(rename = "loop", default, skip_serializing_if = "Option::is_none")]
    pub r#loop: Option<bool>,
    /// Distance beyond which loudness falls no further. In metres. Range: at least 0. Default `10000`.
    #[serde(rename = "maxDistance", default, skip_serializing_if = "Option::is_none")]
    pub max_distance: Option<f64>,
    /// Event at which it plays. One of `mousedown`, `mouseup`, `mouseenter`, `mouseleave`, `triggerdown`, `triggerup`, `gripdown`, `gripup`, `menudown`, `menuup`, `systemdown`, `systemup`, `trackpaddown`, `trackpadup`. Default `"mousedown"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on: Option<String>,
    /// Number that may play at once. Range: at least 1. Default `1`.
    #[serde(rename = "poolSize", default, skip_serializing_if = "Option::is_none")]
    pub pool_size: Option<f64>,
    /// Whether it is heard from where the object is. Default `true`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub positional: Option<bool>,
    /// Distance up to which loudness does not fall. In metres. Range: at least 0. Default `1`.
    #[serde(rename = "refDistance", default, skip_serializing_if = "Option::is_none")]
    pub ref_distance: Option<f64>,
    /// Decay of the volume with distance. Range: at least 0. Default `1`.
    #[serde(rename = "rolloffFactor", default, skip_serializing_if = "Option::is_none")]
    pub rolloff_factor: Option<f64>,
    /// Address of the sound file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub src: Option<String>,
    /// Loudness; 1 is that of the file. Range: at least 0. Default `1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volume: Option<f64>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`Sound`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "autoplay",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "distanceModel",
            shape: Shape::Text(&["linear", "inverse", "exponential"]),
            default: Some("\"inverse\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "loop",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "maxDistance",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("10000"),
            unit: Some("metres"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "on",
            shape: Shape::Text(&[
                "mousedown",
                "mouseup",
                "mouseenter",
                "mouseleave",
                "triggerdown",
                "triggerup",
                "gripdown",
                "gripup",
                "menudown",
                "menuup",
                "systemdown",
                "systemup",
                "trackpaddown",
                "trackpadup",
            ]),
            default: Some("\"mousedown\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "poolSize",
            shape: Shape::Number(Range { minimum: Some(1.0), maximum: None }),
            default: Some("1"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "positional",
            shape: Shape::Boolean,
            default: Some("true"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "refDistance",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("1"),
            unit: Some("metres"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "rolloffFactor",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("1"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "src",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: false,
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
