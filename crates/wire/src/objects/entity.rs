// Generated from spec/objects/entity.json by cargo xtask gen. Do not edit.
//! `entity`: An object without a shape of its own: a parent, or the effect of its components.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::any_object::{self, AnyObject};
use super::attribute::{Attribute, Group, Shape};
use super::panel::Panel;

/// An object without a shape of its own: a parent, or the effect of its components.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Entity {
    /// A flat box for user interfaces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub panel: Option<Panel>,
    /// Attributes of any object.
    #[serde(flatten)]
    pub any: AnyObject,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`Entity`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: Some(&any_object::ATTRIBUTES),
    attributes: &[Attribute {
        name: "panel",
        shape: Shape::Group(&super::panel::ATTRIBUTES),
        default: None,
        unit: None,
        required: false,
        deprecated: false,
    }],
    prefixes: &[],
};
