// Generated from spec/objects/armarker.json by cargo xtask gen. Do not edit.
//! `armarker`: A marker in the real world that ties the scene to it.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Range, Shape};

/// A marker in the real world that ties the scene to it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ArMarker {
    /// Whether editors of the scene may move it. Default `false`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub buildable: Option<bool>,
    /// Whether it moves, and moves the objects fixed to it. Default `false`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dynamic: Option<bool>,
    /// Height above sea level. In metres. Default `0`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ele: Option<f64>,
    /// Latitude. In degrees. Range: -90 to 90. Default `0`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lat: Option<f64>,
    /// Longitude. In degrees. Range: -180 to 180. Default `0`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub long: Option<f64>,
    /// Id of the marker: a text or a number. Default `"0"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub markerid: Option<Value>,
    /// Kind of marker. One of `apriltag_36h11`, `lightanchor`, `uwb`, `vive`, `optitrack`. Default `"apriltag_36h11"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub markertype: Option<String>,
    /// Whether its detections are published. Default `false`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub publish: Option<bool>,
    /// Length of an edge. In mm. Range: at least 0. Default `150`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<f64>,
    /// Address that belongs to the marker.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`ArMarker`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "buildable",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "dynamic",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "ele",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("0"),
            unit: Some("metres"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "lat",
            shape: Shape::Number(Range { minimum: Some(-90.0), maximum: Some(90.0) }),
            default: Some("0"),
            unit: Some("degrees"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "long",
            shape: Shape::Number(Range { minimum: Some(-180.0), maximum: Some(180.0) }),
            default: Some("0"),
            unit: Some("degrees"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "markerid",
            shape: Shape::Choice(&[Shape::Text(&[]), Shape::Number(Range { minimum: None, maximum: None })]),
            default: Some("\"0\""),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "markertype",
            shape: Shape::Text(&["apriltag_36h11", "lightanchor", "uwb", "vive", "optitrack"]),
            default: Some("\"apriltag_36h11\""),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "publish",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "size",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("150"),
            unit: Some("mm"),
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "url",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
