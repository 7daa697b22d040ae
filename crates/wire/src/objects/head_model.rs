// Generated from spec/objects/head-model.json by cargo xtask gen. Do not edit.
//! `head-model`: A head that people may choose.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Shape};

/// A head that people may choose.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HeadModel {
    /// Name that people choose by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Address of the head's glTF file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`HeadModel`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "name",
            shape: Shape::Text(&[]),
            default: None,
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
