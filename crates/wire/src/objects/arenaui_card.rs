// Generated from spec/objects/arenaui-card.json by cargo xtask gen. Do not edit.
//! `arenaui-card`: A panel with text and a picture.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::any_object::{self, AnyObject};
use super::attribute::{Attribute, Group, Range, Shape};

/// A panel with text and a picture.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ArenaUiCard {
    /// Main text. Default `""`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// To which side the text is flush. One of `left`, `center`, `right`, `justify`. Default `"left"`.
    #[serde(rename = "bodyAlign", default, skip_serializing_if = "Option::is_none")]
    pub body_align: Option<String>,
    /// Whether there is a button that closes it. Default `false`.
    #[serde(rename = "closeButton", default, skip_serializing_if = "Option::is_none")]
    pub close_button: Option<bool>,
    /// Name of the font. One of `Roboto`, `Roboto-Mono`. Default `"Roboto"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub font: Option<String>,
    /// Height of the text. In metres. Range: at least 0. Default `0.035`.
    #[serde(rename = "fontSize", default, skip_serializing_if = "Option::is_none")]
    pub font_size: Option<f64>,
    /// Address of a picture. Default `""`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub img: Option<String>,
    /// Line below the picture. Default `""`.
    #[serde(rename = "imgCaption", default, skip_serializing_if = "Option::is_none")]
    pub img_caption: Option<String>,
    /// On which side the picture is. One of `left`, `right`. Default `"right"`.
    #[serde(rename = "imgDirection", default, skip_serializing_if = "Option::is_none")]
    pub img_direction: Option<String>,
    /// Fit of the picture in its space. One of `cover`, `contain`, `stretch`. Default `"cover"`.
    #[serde(rename = "imgSize", default, skip_serializing_if = "Option::is_none")]
    pub img_size: Option<String>,
    /// From which sides it is seen. One of `both`, `front`. Default `"both"`.
    #[serde(rename = "materialSides", default, skip_serializing_if = "Option::is_none")]
    pub material_sides: Option<String>,
    /// Share of the width that the text takes. Range: 0 to 1. Default `0.5`.
    #[serde(rename = "textImageRatio", default, skip_serializing_if = "Option::is_none")]
    pub text_image_ratio: Option<f64>,
    /// Colour theme. One of `light`, `dark`. Default `"light"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub theme: Option<String>,
    /// Colours that replace those of the theme. Default `[]`.
    #[serde(rename = "themeOverride", default, skip_serializing_if = "Option::is_none")]
    pub theme_override: Option<Value>,
    /// Heading. Default `""`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Factor of the width. Range: at least 0. Default `1`.
    #[serde(rename = "widthScale", default, skip_serializing_if = "Option::is_none")]
    pub width_scale: Option<f64>,
    /// Attributes of any object.
    #[serde(flatten)]
    pub any: AnyObject,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`ArenaUiCard`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: Some(&any_object::ATTRIBUTES),
    attributes: &[
        Attribute {
            name: "body",
            shape: Shape::Text(&[]),
            default: Some("\"\""),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "bodyAlign",
            shape: Shape::Text(&["left", "center", "right", "justify"]),
            default: Some("\"left\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "closeButton",
            shape: Shape::Boolean,
            default: Some("false"),
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
            name: "fontSize",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("0.035"),
            unit: Some("metres"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "img",
            shape: Shape::Text(&[]),
            default: Some("\"\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "imgCaption",
            shape: Shape::Text(&[]),
            default: Some("\"\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "imgDirection",
            shape: Shape::Text(&["left", "right"]),
            default: Some("\"right\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "imgSize",
            shape: Shape::Text(&["cover", "contain", "stretch"]),
            default: Some("\"cover\""),
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
            name: "textImageRatio",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: Some(1.0) }),
            default: Some("0.5"),
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
            name: "widthScale",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("1"),
            unit: None,
            required: false,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
