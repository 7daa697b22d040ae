// Generated from spec/objects/handRight.json by cargo xtask gen. Do not edit.
//! `handRight`: A person's right hand or controller.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::any_object::{self, AnyObject};
use super::attribute::{Attribute, Group, Shape};

/// A person's right hand or controller.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HandRight {
    /// Id of the person that the hand belongs to. Default `""`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dep: Option<String>,
    /// Attributes of any object.
    #[serde(flatten)]
    pub any: AnyObject,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`HandRight`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: Some(&any_object::ATTRIBUTES),
    attributes: &[Attribute {
        name: "dep",
        shape: Shape::Text(&[]),
        default: Some("\"\""),
        unit: None,
        required: true,
        deprecated: false,
    }],
    prefixes: &[],
};
