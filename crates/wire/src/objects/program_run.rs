// Generated from spec/objects/program-run.json by cargo xtask gen. Do not edit.
//! `program-run`: Status of a running program.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Range, Shape};

/// Status of a running program.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ProgramRun {
    /// Arguments that it was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub args: Option<String>,
    /// Time of its start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub create_time: Option<String>,
    /// Environment that it was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub env: Option<String>,
    /// File that runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filename: Option<String>,
    /// Time of its last activity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_active_time: Option<String>,
    /// Time of its last published message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_pub_time: Option<String>,
    /// Time of its last received message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_rcv_time: Option<String>,
    /// Namespace of the scene.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// Number of messages it has published. Range: at least 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pub_msgs: Option<f64>,
    /// Messages it publishes. In messages/s. Range: at least 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pub_msgs_per_sec: Option<f64>,
    /// Number of messages it has received. Range: at least 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rcv_msgs: Option<f64>,
    /// Messages it receives. In messages/s. Range: at least 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rcv_msgs_per_sec: Option<f64>,
    /// First token of its topics.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub realm: Option<String>,
    /// Name of the scene.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scene: Option<String>,
    /// Host of the realm.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub web_host: Option<String>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`ProgramRun`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "args",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "create_time",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "env",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "filename",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "last_active_time",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "last_pub_time",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "last_rcv_time",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "namespace",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "pub_msgs",
            shape: Shape::Integer(Range { minimum: Some(0.0), maximum: None }),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "pub_msgs_per_sec",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: None,
            unit: Some("messages/s"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "rcv_msgs",
            shape: Shape::Integer(Range { minimum: Some(0.0), maximum: None }),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "rcv_msgs_per_sec",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: None,
            unit: Some("messages/s"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "realm",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "scene",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "web_host",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
