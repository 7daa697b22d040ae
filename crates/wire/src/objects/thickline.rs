// Generated from spec/objects/thickline.json by cargo xtask gen. Do not edit.
//! `thickline`: A line along several points, with a width.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::any_object::{self, AnyObject};
use super::attribute::{Attribute, Group, Range, Shape};

/// A line along several points, with a width.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ThickLine {
    /// Colour of the line. Default `"#000000"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
    /// Width of the line. In px. Range: at least 0. Default `1`.
    #[serde(rename = "lineWidth", default, skip_serializing_if = "Option::is_none")]
    pub line_width: Option<f64>,
    /// Change of the width along the line. One of `default`, `grow`, `shrink`, `center-sharp`, `center-smooth`, `sine-wave`. Default `"default"`.
    #[serde(rename = "lineWidthStyler", default, skip_serializing_if = "Option::is_none")]
    pub line_width_styler: Option<String>,
    /// The points of the way: coordinates apart by blanks, points apart by commas. Default `"-2 -1 0, 0 20 0, 10 -1 10"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Whether the line looks thinner from further away. Default `false`.
    #[serde(rename = "sizeAttenuation", default, skip_serializing_if = "Option::is_none")]
    pub size_attenuation: Option<bool>,
    /// Attributes of any object.
    #[serde(flatten)]
    pub any: AnyObject,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`ThickLine`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: Some(&any_object::ATTRIBUTES),
    attributes: &[
        Attribute {
            name: "color",
            shape: Shape::Text(&[]),
            default: Some("\"#000000\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "lineWidth",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("1"),
            unit: Some("px"),
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "lineWidthStyler",
            shape: Shape::Text(&["default", "grow", "shrink", "center-sharp", "center-smooth", "sine-wave"]),
            default: Some("\"default\""),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "path",
            shape: Shape::Text(&[]),
            default: Some("\"-2 -1 0, 0 20 0, 10 -1 10\""),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "sizeAttenuation",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: false,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
