// Generated from spec/objects/multisrc.json by cargo xtask gen. Do not edit.
//! `multisrc`: Several pictures, one for each face.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Shape};

/// Several pictures, one for each face.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MultiSrc {
    /// Names of the files, apart by commas.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub srcs: Option<String>,
    /// Address of the folder of the files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub srcspath: Option<String>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`MultiSrc`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "srcs",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "srcspath",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: true,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
