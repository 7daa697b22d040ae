// Generated from spec/objects/static-body.json by cargo xtask gen. Do not edit.
//! `static-body`: A body at rest, by the former physics engine; write `physx-body` instead.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::Group;

/// A body at rest, by the former physics engine; write `physx-body` instead.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StaticBody {
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`StaticBody`], sorted by name.
pub static ATTRIBUTES: Group = Group { base: None, attributes: &[], prefixes: &[] };
