// Generated from spec/objects/arenaui-prompt.json by cargo xtask gen. Do not edit.
//! `arenaui-prompt`: A window that asks something.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::any_object::{self, AnyObject};
use super::attribute::{Attribute, Group, Range, Shape};

/// A window that asks something.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ArenaUiPrompt {
    /// Texts of the buttons, in order. Default `["Confirm","Cancel"]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub buttons: Option<Vec<String>>,
    /// The question. Default `"This is a prompt. Please confirm or cancel."`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Name of the font. One of `Roboto`, `Roboto-Mono`. Default `"Roboto"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub font: Option<String>,
    /// From which sides it is seen. One of `both`, `front`. Default `"both"`.
    #[serde(rename = "materialSides", default, skip_serializing_if = "Option::is_none")]
    pub material_sides: Option<String>,
    /// Colour theme. One of `light`, `dark`. Default `"light"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub theme: Option<String>,
    /// Colours that replace those of the theme. Default `[]`.
    #[serde(rename = "themeOverride", default, skip_serializing_if = "Option::is_none")]
    pub theme_override: Option<Value>,
    /// Heading. Default `"Prompt"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Width of the window. In metres. Range: at least 0. Default `1.5`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<f64>,
    /// Attributes of any object.
    #[serde(flatten)]
    pub any: AnyObject,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`ArenaUiPrompt`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: Some(&any_object::ATTRIBUTES),
    attributes: &[
        Attribute {
            name: "buttons",
            shape: Shape::Array(&Shape::Text(&[])),
            default: Some("[\"Confirm\",\"Cancel\"]"),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "description",
            shape: Shape::Text(&[]),
            default: Some("\"This is a prompt. Please confirm or cancel.\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "font",
            shape: Shape::Text(&["Roboto", "Roboto-Mono"]),
            default: Some("\"Roboto\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "materialSides",
            shape: Shape::Text(&["both", "front"]),
            default: Some("\"both\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "theme",
            shape: Shape::Text(&["light", "dark"]),
            default: Some("\"light\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "themeOverride",
            shape: Shape::Choice(&[Shape::Array(&Shape::Any), Shape::Object]),
            default: Some("[]"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "title",
            shape: Shape::Text(&[]),
            default: Some("\"Prompt\""),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "width",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("1.5"),
            unit: Some("metres"),
            required: true,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
