// Generated from spec/objects/arena-message.json by cargo xtask gen. Do not edit.
//! `arena-message`: The envelope of a message about objects.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Range, Shape};

/// The envelope of a message about objects.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ArenaMessage {
    /// The action on it. One of `create`, `delete`, `update`, `clientEvent`. Default `"create"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// The attributes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Map<String, Value>>,
    /// Id of the object or person; equals token 6 of the topic.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object_id: Option<String>,
    /// Whether an update replaces instead of merging; write `overwrite` instead. Default `false`. Deprecated.
    #[serde(rename = "override", default, skip_serializing_if = "Option::is_none")]
    pub r#override: Option<bool>,
    /// Whether an update replaces instead of merging. Default `false`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overwrite: Option<bool>,
    /// Whether it is stored. Default `true`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub persist: Option<bool>,
    /// Whether events on the object go to its program alone. Default `false`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub private: Option<bool>,
    /// Id of the program that gets those events.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program_id: Option<String>,
    /// Time of sending, by the sender's clock; not parsed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<String>,
    /// Lifetime; -1 is for ever. In seconds. Range: at least -1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ttl: Option<f64>,
    /// Kind of message.
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub r#type: Option<String>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`ArenaMessage`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "action",
            shape: Shape::Text(&["create", "delete", "update", "clientEvent"]),
            default: Some("\"create\""),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute { name: "data", shape: Shape::Object, default: None, unit: None, required: true, deprecated: false },
        Attribute {
            name: "object_id",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "override",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: false,
            deprecated: true,
        },
        Attribute {
            name: "overwrite",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "persist",
            shape: Shape::Boolean,
            default: Some("true"),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "private",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "program_id",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "timestamp",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "ttl",
            shape: Shape::Number(Range { minimum: Some(-1.0), maximum: None }),
            default: None,
            unit: Some("seconds"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "type",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: true,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
