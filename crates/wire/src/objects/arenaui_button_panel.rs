// Generated from spec/objects/arenaui-button-panel.json by cargo xtask gen. Do not edit.
//! `arenaui-button-panel`: A panel of buttons; a click on one is the event `buttonClick`.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::any_object::{self, AnyObject};
use super::attribute::{Attribute, Group, Shape};

/// A panel of buttons; a click on one is the event `buttonClick`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ArenaUiButtonPanel {
    /// The buttons, in order. Default `[{"name":"Confirm"},{"name":"Cancel"}]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub buttons: Option<Vec<Value>>,
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
    /// Heading. Default `""`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Whether the buttons are arranged vertically. Default `false`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vertical: Option<bool>,
    /// Attributes of any object.
    #[serde(flatten)]
    pub any: AnyObject,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`ArenaUiButtonPanel`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: Some(&any_object::ATTRIBUTES),
    attributes: &[
        Attribute {
            name: "buttons",
            shape: Shape::Array(&Shape::Choice(&[Shape::Group(&super::button::ATTRIBUTES), Shape::Text(&[])])),
            default: Some("[{\"name\":\"Confirm\"},{\"name\":\"Cancel\"}]"),
            unit: None,
            required: true,
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
            default: Some("\"\""),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "vertical",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: true,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
