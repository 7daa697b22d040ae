// Generated from spec/objects/look-at.json by cargo xtask gen. Do not edit.
//! `look-at`: A command to a person's camera: look at something.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::any_object::{self, AnyObject};
use super::attribute::{Attribute, Group, Shape};

/// A command to a person's camera: look at something.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LookAt {
    /// Id of the object, or the place, to look at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<Value>,
    /// Attributes of any object.
    #[serde(flatten)]
    pub any: AnyObject,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`LookAt`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: Some(&any_object::ATTRIBUTES),
    attributes: &[Attribute {
        name: "target",
        shape: Shape::Choice(&[Shape::Text(&[]), Shape::Group(&super::vector3::ATTRIBUTES)]),
        default: None,
        unit: None,
        required: true,
        deprecated: false,
    }],
    prefixes: &[],
};
