// Generated from spec/objects/portal.json by cargo xtask gen. Do not edit.
//! `portal`: Takes people to another scene of this realm when they walk into it or press it.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Range, Shape};

/// Takes people to another scene of this realm when they walk into it or press it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Portal {
    /// Id of the landmark at which people arrive; empty: where the scene begins. Default `""`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub landmark: Option<String>,
    /// Distance from its centre at which people have walked into it; 0: only a press counts. In metres. Range: at least 0. Default `1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius: Option<f64>,
    /// Namespace and name of the scene, as `public/lobby`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scene: Option<String>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`Portal`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "landmark",
            shape: Shape::Text(&[]),
            default: Some("\"\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "radius",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("1"),
            unit: Some("metres"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "scene",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: true,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
