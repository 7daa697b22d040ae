// Generated from spec/objects/landmark.json by cargo xtask gen. Do not edit.
//! `landmark`: A place that people can go to.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Range, Shape};
use super::vector3::Vector3;

/// A place that people can go to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Landmark {
    /// Whether people arrive on the navigation mesh. Default `"false"`.
    #[serde(rename = "constrainToNavMesh", default, skip_serializing_if = "Option::is_none")]
    pub constrain_to_nav_mesh: Option<Value>,
    /// Name in the list of landmarks. Default `""`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Whether people arrive with their eyes on the object. Default `true`.
    #[serde(rename = "lookAtLandmark", default, skip_serializing_if = "Option::is_none")]
    pub look_at_landmark: Option<bool>,
    /// Arrival point, relative to the object. In metres. Default `{"x":0,"y":1.6,"z":0}`.
    #[serde(rename = "offsetPosition", default, skip_serializing_if = "Option::is_none")]
    pub offset_position: Option<Vector3>,
    /// Greatest distance at which people arrive. In metres. Range: at least 0. Default `0`.
    #[serde(rename = "randomRadiusMax", default, skip_serializing_if = "Option::is_none")]
    pub random_radius_max: Option<f64>,
    /// Least distance at which people arrive. In metres. Range: at least 0. Default `0`.
    #[serde(rename = "randomRadiusMin", default, skip_serializing_if = "Option::is_none")]
    pub random_radius_min: Option<f64>,
    /// Whether people may enter the scene here. Default `false`.
    #[serde(rename = "startingPosition", default, skip_serializing_if = "Option::is_none")]
    pub starting_position: Option<bool>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`Landmark`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "constrainToNavMesh",
            shape: Shape::Choice(&[Shape::Text(&["false", "any", "coplanar"]), Shape::Boolean]),
            default: Some("\"false\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "label",
            shape: Shape::Text(&[]),
            default: Some("\"\""),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "lookAtLandmark",
            shape: Shape::Boolean,
            default: Some("true"),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "offsetPosition",
            shape: Shape::Group(&super::vector3::ATTRIBUTES),
            default: Some("{\"x\":0,\"y\":1.6,\"z\":0}"),
            unit: Some("metres"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "randomRadiusMax",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("0"),
            unit: Some("metres"),
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "randomRadiusMin",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("0"),
            unit: Some("metres"),
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "startingPosition",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: false,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
