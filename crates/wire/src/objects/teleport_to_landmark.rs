// Generated from spec/objects/teleport-to-landmark.json by cargo xtask gen. Do not edit.
//! `teleport-to-landmark`: A command to a person's camera: go to a landmark.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::any_object::{self, AnyObject};
use super::attribute::{Attribute, Group, Shape};

/// A command to a person's camera: go to a landmark.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TeleportToLandmark {
    /// Id of the landmark to go to.
    #[serde(rename = "landmarkObj", default, skip_serializing_if = "Option::is_none")]
    pub landmark_obj: Option<String>,
    /// Attributes of any object.
    #[serde(flatten)]
    pub any: AnyObject,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`TeleportToLandmark`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: Some(&any_object::ATTRIBUTES),
    attributes: &[Attribute {
        name: "landmarkObj",
        shape: Shape::Text(&[]),
        default: None,
        unit: None,
        required: true,
        deprecated: false,
    }],
    prefixes: &[],
};
