// Generated from spec/objects/templateContainer.json by cargo xtask gen. Do not edit.
//! `templateContainer`: The parent of the objects that a template was copied to.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::any_object::{self, AnyObject};
use super::attribute::Group;

/// The parent of the objects that a template was copied to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TemplateContainer {
    /// Attributes of any object.
    #[serde(flatten)]
    pub any: AnyObject,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`TemplateContainer`], sorted by name.
pub static ATTRIBUTES: Group = Group { base: Some(&any_object::ATTRIBUTES), attributes: &[], prefixes: &[] };
