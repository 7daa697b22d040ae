// Generated from spec/objects/smaa.json by cargo xtask gen. Do not edit.
//! `smaa`: Smoothing of edges.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Shape};

/// Smoothing of edges.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Smaa {
    /// Has no options yet. Default `" "`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<String>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`Smaa`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[Attribute {
        name: "options",
        shape: Shape::Text(&[]),
        default: Some("\" \""),
        unit: None,
        required: true,
        deprecated: false,
    }],
    prefixes: &[],
};
