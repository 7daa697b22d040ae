// Generated from spec/objects/text.json by cargo xtask gen. Do not edit.
//! `text`: A line or block of text.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::any_object::{self, AnyObject};
use super::attribute::{Attribute, Group, Range, Shape};

/// A line or block of text.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Text {
    /// To which side each line of text is flush. One of `left`, `center`, `right`. Default `"left"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub align: Option<String>,
    /// Glyph pixels that are less opaque than this are not drawn. Range: 0 to 1. Default `0.5`.
    #[serde(rename = "alphaTest", default, skip_serializing_if = "Option::is_none")]
    pub alpha_test: Option<f64>,
    /// The part of the text at the object's position, left to right. One of `left`, `right`, `center`, `align`. Default `"center"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anchor: Option<String>,
    /// The part of the text at the object's position, top to bottom. One of `top`, `center`, `bottom`. Default `"center"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<String>,
    /// Colour of the glyphs. Default `"#FFF"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
    /// Name of the font. One of `aileronsemibold`, `dejavu`, `exo2bold`, `exo2semibold`, `kelsonsans`, `monoid`, `mozillavr`, `roboto`, `sourcecodepro`. Default `"roboto"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub font: Option<String>,
    /// Height of the block of text; the text's own where absent. In metres. Range: at least 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub height: Option<f64>,
    /// Additional space between letters, in units of the font. Default `0`.
    #[serde(rename = "letterSpacing", default, skip_serializing_if = "Option::is_none")]
    pub letter_spacing: Option<f64>,
    /// Height of a line, in units of the font; the font's own where absent. Range: at least 0.
    #[serde(rename = "lineHeight", default, skip_serializing_if = "Option::is_none")]
    pub line_height: Option<f64>,
    /// Opacity of the glyphs: 0 is invisible, 1 is opaque. Range: 0 to 1. Default `1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opacity: Option<f64>,
    /// Shader of the glyphs. One of `portal`, `flat`, `standard`, `sdf`, `msdf`, `ios10hls`, `skyshader`, `gradientshader`. Default `"sdf"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shader: Option<String>,
    /// From which sides the text is seen. One of `front`, `back`, `double`. Default `"double"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<String>,
    /// Width of a tab in spaces. Range: at least 0. Default `4`.
    #[serde(rename = "tabSize", default, skip_serializing_if = "Option::is_none")]
    pub tab_size: Option<f64>,
    /// The text; write `value` instead. Deprecated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Whether the glyphs are transparent. Default `true`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transparent: Option<bool>,
    /// The text that is shown. Default `"Default Text"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// Treatment of spaces and line ends, as in CSS. One of `normal`, `pre`, `nowrap`. Default `"normal"`.
    #[serde(rename = "whiteSpace", default, skip_serializing_if = "Option::is_none")]
    pub white_space: Option<String>,
    /// Width in which the text is wrapped. In metres. Range: at least 0. Default `5`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<f64>,
    /// About how many letters fit into a line. Range: at least 1. Default `40`.
    #[serde(rename = "wrapCount", default, skip_serializing_if = "Option::is_none")]
    pub wrap_count: Option<f64>,
    /// Width of a line in pixels of the font; takes the place of `wrapCount`. In px. Range: at least 1.
    #[serde(rename = "wrapPixels", default, skip_serializing_if = "Option::is_none")]
    pub wrap_pixels: Option<f64>,
    /// Offset of the text to the right. In metres. Default `0`.
    #[serde(rename = "xOffset", default, skip_serializing_if = "Option::is_none")]
    pub x_offset: Option<f64>,
    /// Offset of the text towards the viewer, against flicker. In metres. Default `0.001`.
    #[serde(rename = "zOffset", default, skip_serializing_if = "Option::is_none")]
    pub z_offset: Option<f64>,
    /// Attributes of any object.
    #[serde(flatten)]
    pub any: AnyObject,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`Text`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: Some(&any_object::ATTRIBUTES),
    attributes: &[
        Attribute {
            name: "align",
            shape: Shape::Text(&["left", "center", "right"]),
            default: Some("\"left\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "alphaTest",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: Some(1.0) }),
            default: Some("0.5"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "anchor",
            shape: Shape::Text(&["left", "right", "center", "align"]),
            default: Some("\"center\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "baseline",
            shape: Shape::Text(&["top", "center", "bottom"]),
            default: Some("\"center\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "color",
            shape: Shape::Text(&[]),
            default: Some("\"#FFF\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "font",
            shape: Shape::Text(&[
                "aileronsemibold",
                "dejavu",
                "exo2bold",
                "exo2semibold",
                "kelsonsans",
                "monoid",
                "mozillavr",
                "roboto",
                "sourcecodepro",
            ]),
            default: Some("\"roboto\""),
            unit: None,
            required: true,
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
            name: "letterSpacing",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("0"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "lineHeight",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "opacity",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: Some(1.0) }),
            default: Some("1"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "shader",
            shape: Shape::Text(&[
                "portal",
                "flat",
                "standard",
                "sdf",
                "msdf",
                "ios10hls",
                "skyshader",
                "gradientshader",
            ]),
            default: Some("\"sdf\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "side",
            shape: Shape::Text(&["front", "back", "double"]),
            default: Some("\"double\""),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "tabSize",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("4"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "text",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: false,
            deprecated: true,
        },
        Attribute {
            name: "transparent",
            shape: Shape::Boolean,
            default: Some("true"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "value",
            shape: Shape::Text(&[]),
            default: Some("\"Default Text\""),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "whiteSpace",
            shape: Shape::Text(&["normal", "pre", "nowrap"]),
            default: Some("\"normal\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "width",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("5"),
            unit: Some("metres"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "wrapCount",
            shape: Shape::Number(Range { minimum: Some(1.0), maximum: None }),
            default: Some("40"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "wrapPixels",
            shape: Shape::Number(Range { minimum: Some(1.0), maximum: None }),
            default: None,
            unit: Some("px"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "xOffset",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("0"),
            unit: Some("metres"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "zOffset",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("0.001"),
            unit: Some("metres"),
            required: false,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
