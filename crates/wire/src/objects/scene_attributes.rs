// Generated from spec/objects/*.json by cargo xtask gen. Do not edit.
//! The attributes of an object, whatever its type.

use alloc::boxed::Box;
use alloc::string::String;

use serde_json::{Map, Value};

use super::ObjectType;
use super::attribute::{self, Wrong};

/// What a message about an object holds under `data`, by `object_type`.
#[derive(Clone, Debug, PartialEq)]
pub enum SceneAttributes {
    /// A box.
    Box(Box<super::Box>),
}

impl SceneAttributes {
    /// Checks and reads attributes. `null` stands for absence; required keys may be absent; unknown keys are kept.
    /// Errors: an unknown `object_type`, or the first value that is of a wrong type, not among those allowed, or out of range.
    pub fn decode(attributes: &Map<String, Value>) -> Result<Self, Wrong> {
        let object_type = attribute::object_type(attributes)?;
        Ok(match object_type {
            ObjectType::Box => Self::Box(attribute::read(&super::r#box::ATTRIBUTES, attributes)?),
        })
    }

    /// The attributes as a message holds them, with `object_type`.
    pub fn encode(&self) -> Map<String, Value> {
        let object_type = self.object_type();
        match self {
            Self::Box(object) => attribute::write(object_type, object),
        }
    }

    /// Which type it is.
    pub fn object_type(&self) -> ObjectType {
        match self {
            Self::Box(_) => ObjectType::Box,
        }
    }
}
