// Generated from spec/objects/button.json by cargo xtask gen. Do not edit.
//! `button`: A button of a panel.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Range, Shape};

/// A button of a panel.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Button {
    /// Radius of its corners. In metres. Range: at least 0.
    #[serde(rename = "borderRadius", default, skip_serializing_if = "Option::is_none")]
    pub border_radius: Option<f64>,
    /// Height of the button. In metres. Range: at least 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub height: Option<f64>,
    /// Address of a picture that takes the place of the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub img: Option<String>,
    /// Text on it, and its name in events.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Height of the text or picture. In metres. Range: at least 0. Default `0.3`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<f64>,
    /// Width of the button. In metres. Range: at least 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<f64>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`Button`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "borderRadius",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: None,
            unit: Some("metres"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "height",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: None,
            unit: Some("metres"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "img",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "name",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "size",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("0.3"),
            unit: Some("metres"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "width",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: None,
            unit: Some("metres"),
            required: false,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
