// Generated from spec/objects/camera.json by cargo xtask gen. Do not edit.
//! `camera`: A person's view: where the head is and how it is turned.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::any_object::{self, AnyObject};
use super::arena_user::ArenaUser;
use super::attribute::{Attribute, Group, Shape};
use super::stoa_user::StoaUser;

/// A person's view: where the head is and how it is turned.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Camera {
    /// The person's identity.
    #[serde(rename = "arena-user", default, skip_serializing_if = "Option::is_none")]
    pub arena_user: Option<ArenaUser>,
    /// Ids of the objects in the person's selection, shown to other editors. Default `[]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holds: Option<Vec<String>>,
    /// The person's gestures.
    #[serde(rename = "stoa-user", default, skip_serializing_if = "Option::is_none")]
    pub stoa_user: Option<StoaUser>,
    /// Attributes of any object.
    #[serde(flatten)]
    pub any: AnyObject,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`Camera`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: Some(&any_object::ATTRIBUTES),
    attributes: &[
        Attribute {
            name: "arena-user",
            shape: Shape::Group(&super::arena_user::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "holds",
            shape: Shape::Array(&Shape::Text(&[])),
            default: Some("[]"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "stoa-user",
            shape: Shape::Group(&super::stoa_user::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
