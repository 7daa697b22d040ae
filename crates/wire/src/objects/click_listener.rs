// Generated from spec/objects/click-listener.json by cargo xtask gen. Do not edit.
//! `click-listener`: Makes the object report clicks.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Shape};

/// Makes the object report clicks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClickListener {
    /// Whether a click also reaches the objects it belongs to. Default `true`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bubble: Option<bool>,
    /// Whether it listens. Default `true`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`ClickListener`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "bubble",
            shape: Shape::Boolean,
            default: Some("true"),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "enabled",
            shape: Shape::Boolean,
            default: Some("true"),
            unit: None,
            required: true,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
