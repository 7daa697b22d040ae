// Generated from spec/objects/threejs-scene.json by cargo xtask gen. Do not edit.
//! `threejs-scene`: A scene that three.js wrote as JSON; `url` names it.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::any_object::{self, AnyObject};
use super::attribute::Group;

/// A scene that three.js wrote as JSON; `url` names it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ThreejsScene {
    /// Attributes of any object.
    #[serde(flatten)]
    pub any: AnyObject,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`ThreejsScene`], sorted by name.
pub static ATTRIBUTES: Group = Group { base: Some(&any_object::ATTRIBUTES), attributes: &[], prefixes: &[] };
