// Generated from spec/objects/goto-landmark.json by cargo xtask gen. Do not edit.
//! `goto-landmark`: Takes the person to a landmark at a click.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Shape};

/// Takes the person to a landmark at a click.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GotoLandmark {
    /// Id of the landmark to go to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub landmark: Option<String>,
    /// Event at which it happens. One of `mousedown`, `mouseup`. Default `"mousedown"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on: Option<String>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`GotoLandmark`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "landmark",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "on",
            shape: Shape::Text(&["mousedown", "mouseup"]),
            default: Some("\"mousedown\""),
            unit: None,
            required: true,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
