// Generated from spec/objects/animation.json by cargo xtask gen. Do not edit.
//! `animation`: A change of one property over time.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Range, Shape};

/// A change of one property over time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Animation {
    /// Whether it starts by itself. Default `true`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub autoplay: Option<bool>,
    /// Delay before it starts. In ms. Range: at least 0. Default `0`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delay: Option<f64>,
    /// In which direction it runs. One of `normal`, `alternate`, `reverse`. Default `"normal"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dir: Option<String>,
    /// Duration of one run. In ms. Range: at least 0. Default `1000`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dur: Option<f64>,
    /// Easing: the change of speed during a run. One of `easeInQuad`, `easeInCubic`, `easeInQuart`, `easeInQuint`, `easeInSine`, `easeInExpo`, `easeInCirc`, `easeInBack`, `easeInElastic`, `easeOutQuad`, `easeOutCubic`, `easeOutQuart`, `easeOutQuint`, `easeOutSine`, `easeOutExpo`, `easeOutCirc`, `easeOutBack`, `easeOutElastic`, `easeInOutQuad`, `easeInOutCubic`, `easeInOutQuart`, `easeInOutQuint`, `easeInOutSine`, `easeInOutExpo`, `easeInOutCirc`, `easeInOutBack`, `easeInOutElastic`, `linear`. Default `"easeInQuad"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub easing: Option<String>,
    /// Strength of an elastic easing. Range: at least 0. Default `400`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elasticity: Option<f64>,
    /// Whether it may run. Default `true`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
    /// The value at the start; the present one where empty. Default `""`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Value>,
    /// Whether the property is one of three.js and not of a component. Default `false`.
    #[serde(rename = "isRawProperty", default, skip_serializing_if = "Option::is_none")]
    pub is_raw_property: Option<bool>,
    /// Number of repetitions; `true` is endless. Default `0`.
    #[serde(rename = "loop", default, skip_serializing_if = "Option::is_none")]
    pub r#loop: Option<Value>,
    /// Events that halt it. Default `[]`.
    #[serde(rename = "pauseEvents", default, skip_serializing_if = "Option::is_none")]
    pub pause_events: Option<Value>,
    /// The animated property, such as `position` or `material.opacity`. Default `""`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub property: Option<String>,
    /// Events that let it go on. Default `[]`.
    #[serde(rename = "resumeEvents", default, skip_serializing_if = "Option::is_none")]
    pub resume_events: Option<Value>,
    /// Whether values are rounded to whole numbers. Default `false`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round: Option<bool>,
    /// Events that start it; it then does not start by itself. Default `[]`.
    #[serde(rename = "startEvents", default, skip_serializing_if = "Option::is_none")]
    pub start_events: Option<Value>,
    /// The value at the end. Default `""`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Value>,
    /// `color` where the values are colours. Default `""`.
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub r#type: Option<String>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`Animation`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "autoplay",
            shape: Shape::Boolean,
            default: Some("true"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "delay",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("0"),
            unit: Some("ms"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "dir",
            shape: Shape::Text(&["normal", "alternate", "reverse"]),
            default: Some("\"normal\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "dur",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("1000"),
            unit: Some("ms"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "easing",
            shape: Shape::Text(&[
                "easeInQuad",
                "easeInCubic",
                "easeInQuart",
                "easeInQuint",
                "easeInSine",
                "easeInExpo",
                "easeInCirc",
                "easeInBack",
                "easeInElastic",
                "easeOutQuad",
                "easeOutCubic",
                "easeOutQuart",
                "easeOutQuint",
                "easeOutSine",
                "easeOutExpo",
                "easeOutCirc",
                "easeOutBack",
                "easeOutElastic",
                "easeInOutQuad",
                "easeInOutCubic",
                "easeInOutQuart",
                "easeInOutQuint",
                "easeInOutSine",
                "easeInOutExpo",
                "easeInOutCirc",
                "easeInOutBack",
                "easeInOutElastic",
                "linear",
            ]),
            default: Some("\"easeInQuad\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "elasticity",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("400"),
            unit: None,
            required: false,
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
        Attribute {
            name: "from",
            shape: Shape::Choice(&[
                Shape::Text(&[]),
                Shape::Number(Range { minimum: None, maximum: None }),
                Shape::Boolean,
                Shape::Object,
            ]),
            default: Some("\"\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "isRawProperty",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "loop",
            shape: Shape::Choice(&[
                Shape::Text(&[]),
                Shape::Number(Range { minimum: None, maximum: None }),
                Shape::Boolean,
            ]),
            default: Some("0"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "pauseEvents",
            shape: Shape::Choice(&[Shape::Array(&Shape::Text(&[])), Shape::Text(&[])]),
            default: Some("[]"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "property",
            shape: Shape::Text(&[]),
            default: Some("\"\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "resumeEvents",
            shape: Shape::Choice(&[Shape::Array(&Shape::Text(&[])), Shape::Text(&[])]),
            default: Some("[]"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "round",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "startEvents",
            shape: Shape::Choice(&[Shape::Array(&Shape::Text(&[])), Shape::Text(&[])]),
            default: Some("[]"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "to",
            shape: Shape::Choice(&[
                Shape::Text(&[]),
                Shape::Number(Range { minimum: None, maximum: None }),
                Shape::Boolean,
                Shape::Object,
            ]),
            default: Some("\"\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "type",
            shape: Shape::Text(&[]),
            default: Some("\"\""),
            unit: None,
            required: false,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
