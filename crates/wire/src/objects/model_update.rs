// Generated from spec/objects/modelUpdate.json by cargo xtask gen. Do not edit.
//! `modelUpdate`: Poses of parts of a glTF model, by the part's name.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::Group;

/// Poses of parts of a glTF model, by the part's name.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ModelUpdate {
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`ModelUpdate`], sorted by name.
pub static ATTRIBUTES: Group = Group { base: None, attributes: &[], prefixes: &[] };
