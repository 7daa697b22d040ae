// Generated from spec/objects/box.json by cargo xtask gen. Do not edit.
//! `box`: A box.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::any_object::{self, AnyObject};
use super::attribute::{Attribute, Group, Range, Shape};

/// A box.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Box {
    /// Size along x. In metres. Range: at least 0. Default `1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<f64>,
    /// What any object may carry.
    #[serde(flatten)]
    pub any: AnyObject,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// What the schema says of each attribute of [`Box`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: Some(&any_object::ATTRIBUTES),
    attributes: &[Attribute {
        name: "width",
        shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
        default: Some("1"),
        unit: Some("metres"),
        required: true,
        deprecated: false,
    }],
    prefixes: &[],
};
