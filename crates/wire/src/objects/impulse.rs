// Generated from spec/objects/impulse.json by cargo xtask gen. Do not edit.
//! `impulse`: A push, by the former physics engine.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::Group;

/// A push, by the former physics engine.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Impulse {
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`Impulse`], sorted by name.
pub static ATTRIBUTES: Group = Group { base: None, attributes: &[], prefixes: &[] };
