// Generated from spec/objects/event.json by cargo xtask gen. Do not edit.
//! `event`: The `data` of a client event.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Range, Shape};
use super::click_pos::ClickPos;
use super::vector3::Vector3;

/// The `data` of a client event.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClientEventAttributes {
    /// Place of that button in its panel, from 0. Range: at least 0.
    #[serde(rename = "buttonIndex", default, skip_serializing_if = "Option::is_none")]
    pub button_index: Option<f64>,
    /// Name of the button that was pressed.
    #[serde(rename = "buttonName", default, skip_serializing_if = "Option::is_none")]
    pub button_name: Option<String>,
    /// Position of the person, as in `originPosition`. Deprecated.
    #[serde(rename = "clickPos", default, skip_serializing_if = "Option::is_none")]
    pub click_pos: Option<ClickPos>,
    /// From where it was pointed. In metres. Default `{"x":0,"y":1.6,"z":0}`.
    #[serde(rename = "originPosition", default, skip_serializing_if = "Option::is_none")]
    pub origin_position: Option<Vector3>,
    /// Id of the person; the message's `object_id` says it. Deprecated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Id of the object that was met.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// Point at which the target was hit. In metres.
    #[serde(rename = "targetPosition", default, skip_serializing_if = "Option::is_none")]
    pub target_position: Option<Vector3>,
    /// The typed text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`ClientEventAttributes`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "buttonIndex",
            shape: Shape::Integer(Range { minimum: Some(0.0), maximum: None }),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "buttonName",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "clickPos",
            shape: Shape::Group(&super::click_pos::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: true,
        },
        Attribute {
            name: "originPosition",
            shape: Shape::Group(&super::vector3::ATTRIBUTES),
            default: Some("{\"x\":0,\"y\":1.6,\"z\":0}"),
            unit: Some("metres"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "source",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: false,
            deprecated: true,
        },
        Attribute {
            name: "target",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "targetPosition",
            shape: Shape::Group(&super::vector3::ATTRIBUTES),
            default: None,
            unit: Some("metres"),
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "text",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
