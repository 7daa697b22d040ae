// Generated from spec/objects/physx-force-pushable.json by cargo xtask gen. Do not edit.
//! `physx-force-pushable`: Lets people push the body by a click.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Range, Shape};

/// Lets people push the body by a click.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PhysxForcePushable {
    /// Strength of the push. Default `10`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub force: Option<f64>,
    /// Event at which it happens. One of `mousedown`, `mouseup`. Default `"mousedown"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on: Option<String>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`PhysxForcePushable`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "force",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("10"),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "on",
            shape: Shape::Text(&["mousedown", "mouseup"]),
            default: Some("\"mousedown\""),
            unit: None,
            required: false,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
