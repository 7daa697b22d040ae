// Generated from spec/objects/shadow.json by cargo xtask gen. Do not edit.
//! `shadow`: Shadows of the object and on it.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Shape};

/// Shadows of the object and on it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Shadow {
    /// Whether it throws a shadow. Default `false`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cast: Option<bool>,
    /// Whether shadows fall on it. Default `false`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receive: Option<bool>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`Shadow`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "cast",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "receive",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: true,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
