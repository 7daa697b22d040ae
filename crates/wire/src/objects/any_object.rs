// Generated from spec/objects/any-object.json by cargo xtask gen. Do not edit.
//! `any-object`: Any.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::attribute::{Attribute, Group, Shape};
use super::material::Material;
use super::vector3::Vector3;

/// Any.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AnyObject {
    /// Clicks.
    #[serde(rename = "click-listener", default, skip_serializing_if = "Option::is_none")]
    pub click_listener: Option<Value>,
    /// Looks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub material: Option<alloc::boxed::Box<Material>>,
    /// Parent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// Where.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<alloc::boxed::Box<Vector3>>,
}

/// What the schema says of each attribute of [`AnyObject`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "click-listener",
            shape: Shape::Choice(&[Shape::Boolean, Shape::Text(&[]), Shape::Group(&super::click_listener::ATTRIBUTES)]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "material",
            shape: Shape::Group(&super::material::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "parent",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "position",
            shape: Shape::Group(&super::vector3::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
    ],
    prefixes: &[Attribute {
        name: "material__",
        shape: Shape::Group(&super::material::ATTRIBUTES),
        default: None,
        unit: None,
        required: false,
        deprecated: false,
    }],
};
