// Generated from spec/objects/remote-render.json by cargo xtask gen. Do not edit.
//! `remote-render`: Whether a render server draws the object.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Shape};

/// Whether a render server draws the object.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RemoteRender {
    /// Whether it is drawn by a render server. Default `true`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`RemoteRender`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[Attribute {
        name: "enabled",
        shape: Shape::Boolean,
        default: Some("true"),
        unit: None,
        required: false,
        deprecated: false,
    }],
    prefixes: &[],
};
