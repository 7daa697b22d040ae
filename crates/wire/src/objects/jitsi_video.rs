// Generated from spec/objects/jitsi-video.json by cargo xtask gen. Do not edit.
//! `jitsi-video`: Shows a person's video on the object.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Shape};

/// Shows a person's video on the object.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JitsiVideo {
    /// Name of the person whose video is shown.
    #[serde(rename = "displayName", default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// Id of a connection to Jitsi.
    #[serde(rename = "jitsiId", default, skip_serializing_if = "Option::is_none")]
    pub jitsi_id: Option<String>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`JitsiVideo`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "displayName",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "jitsiId",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
