// Generated from spec/objects/videosphere.json by cargo xtask gen. Do not edit.
//! `videosphere`: A sphere seen from inside, with a video around the viewer.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::any_object::{self, AnyObject};
use super::attribute::{Attribute, Group, Range, Shape};

/// A sphere seen from inside, with a video around the viewer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct VideoSphere {
    /// Whether it plays by itself. Default `true`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub autoplay: Option<bool>,
    /// Colour of the surface; write `material.color` instead. Deprecated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
    /// The CORS setting with which the file is fetched. Default `"anonymous"`.
    #[serde(rename = "crossOrigin", default, skip_serializing_if = "Option::is_none")]
    pub cross_origin: Option<String>,
    /// Whether it begins anew at its end. Default `true`.
    #[serde(rename = "loop", default, skip_serializing_if = "Option::is_none")]
    pub r#loop: Option<bool>,
    /// Distance from the centre to the surface. In metres. Range: at least 0. Default `500`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius: Option<f64>,
    /// Into how many parts the mesh is cut from pole to pole. Range: at least 1. Default `32`.
    #[serde(rename = "segmentsHeight", default, skip_serializing_if = "Option::is_none")]
    pub segments_height: Option<f64>,
    /// Into how many parts the mesh is cut around the vertical axis. Range: at least 1. Default `64`.
    #[serde(rename = "segmentsWidth", default, skip_serializing_if = "Option::is_none")]
    pub segments_width: Option<f64>,
    /// Address of the video or picture that is shown on the inside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub src: Option<String>,
    /// Attributes of any object.
    #[serde(flatten)]
    pub any: AnyObject,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`VideoSphere`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: Some(&any_object::ATTRIBUTES),
    attributes: &[
        Attribute {
            name: "autoplay",
            shape: Shape::Boolean,
            default: Some("true"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "color",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: false,
            deprecated: true,
        },
        Attribute {
            name: "crossOrigin",
            shape: Shape::Text(&[]),
            default: Some("\"anonymous\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "loop",
            shape: Shape::Boolean,
            default: Some("true"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "radius",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("500"),
            unit: Some("metres"),
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "segmentsHeight",
            shape: Shape::Integer(Range { minimum: Some(1.0), maximum: None }),
            default: Some("32"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "segmentsWidth",
            shape: Shape::Integer(Range { minimum: Some(1.0), maximum: None }),
            default: Some("64"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "src",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
