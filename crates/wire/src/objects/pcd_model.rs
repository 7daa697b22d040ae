// Generated from spec/objects/pcd-model.json by cargo xtask gen. Do not edit.
//! `pcd-model`: A cloud of points in the PCD format; `url` names it.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::any_object::{self, AnyObject};
use super::attribute::{Attribute, Group, Range, Shape};

/// A cloud of points in the PCD format; `url` names it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PcdModel {
    /// Opacity of the points: 0 is invisible, 1 is opaque. Range: 0 to 1. Default `1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opacity: Option<f64>,
    /// Colour of all points; each point's own where empty. Default `""`.
    #[serde(rename = "pointColor", default, skip_serializing_if = "Option::is_none")]
    pub point_color: Option<String>,
    /// Size of each point. In metres. Range: at least 0. Default `0.01`.
    #[serde(rename = "pointSize", default, skip_serializing_if = "Option::is_none")]
    pub point_size: Option<f64>,
    /// Attributes of any object.
    #[serde(flatten)]
    pub any: AnyObject,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`PcdModel`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: Some(&any_object::ATTRIBUTES),
    attributes: &[
        Attribute {
            name: "opacity",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: Some(1.0) }),
            default: Some("1"),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "pointColor",
            shape: Shape::Text(&[]),
            default: Some("\"\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "pointSize",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("0.01"),
            unit: Some("metres"),
            required: true,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
