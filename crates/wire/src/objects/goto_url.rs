// Generated from spec/objects/goto-url.json by cargo xtask gen. Do not edit.
//! `goto-url`: Opens an address at a click.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Shape};

/// Opens an address at a click.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GotoUrl {
    /// Tab or window in which the address opens. One of `popup`, `newtab`, `sametab`. Default `"sametab"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dest: Option<String>,
    /// Event at which it happens. One of `mousedown`, `mouseup`. Default `"mousedown"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on: Option<String>,
    /// Address to open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`GotoUrl`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "dest",
            shape: Shape::Text(&["popup", "newtab", "sametab"]),
            default: Some("\"sametab\""),
            unit: None,
            required: true,
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
        Attribute {
            name: "url",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: true,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
