// Generated from spec/objects/animation-mixer.json by cargo xtask gen. Do not edit.
//! `animation-mixer`: The playing clips of a glTF model.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Range, Shape};

/// The playing clips of a glTF model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AnimationMixer {
    /// Whether the last pose stays when the clip is over. Default `false`.
    #[serde(rename = "clampWhenFinished", default, skip_serializing_if = "Option::is_none")]
    pub clamp_when_finished: Option<bool>,
    /// Names of the clips to play; `*` matches any letters. Default `"*"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clip: Option<String>,
    /// Duration of the cross-fade between clips. In seconds. Range: at least 0. Default `0`.
    #[serde(rename = "crossFadeDuration", default, skip_serializing_if = "Option::is_none")]
    pub cross_fade_duration: Option<f64>,
    /// Duration of one run of the clip; 0 is the clip's own. In seconds. Range: at least 0. Default `0`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration: Option<f64>,
    /// Behaviour at the end of the clip. One of `once`, `repeat`, `pingpong`. Default `"repeat"`.
    #[serde(rename = "loop", default, skip_serializing_if = "Option::is_none")]
    pub r#loop: Option<String>,
    /// Number of runs of the clip; endless if absent. Range: at least 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repetitions: Option<f64>,
    /// Start time in the clip. In seconds. Default `0`.
    #[serde(rename = "startAt", default, skip_serializing_if = "Option::is_none")]
    pub start_at: Option<f64>,
    /// Speed of the clip; negative plays backwards. Default `1`.
    #[serde(rename = "timeScale", default, skip_serializing_if = "Option::is_none")]
    pub time_scale: Option<f64>,
    /// Whether `clip` is a regular expression. Default `false`.
    #[serde(rename = "useRegExp", default, skip_serializing_if = "Option::is_none")]
    pub use_reg_exp: Option<bool>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`AnimationMixer`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "clampWhenFinished",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "clip",
            shape: Shape::Text(&[]),
            default: Some("\"*\""),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "crossFadeDuration",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("0"),
            unit: Some("seconds"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "duration",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("0"),
            unit: Some("seconds"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "loop",
            shape: Shape::Text(&["once", "repeat", "pingpong"]),
            default: Some("\"repeat\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "repetitions",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "startAt",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("0"),
            unit: Some("seconds"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "timeScale",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("1"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "useRegExp",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: false,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
