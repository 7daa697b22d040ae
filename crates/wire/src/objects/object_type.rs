// Generated from spec/objects/*.json by cargo xtask gen. Do not edit.
//! The object types that the schemas name.

use core::fmt;
use core::str::FromStr;

/// A value of `object_type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ObjectType {
    /// A box.
    Box,
}

/// The given text is no object type of ours. Others are valid in ARENA and are carried as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown object type")]
pub struct UnknownObjectType;

impl ObjectType {
    /// All, sorted by their names.
    pub const ALL: &'static [ObjectType] = &[ObjectType::Box];

    /// ARENA's name of it.
    pub fn as_str(self) -> &'static str {
        match self {
            ObjectType::Box => "box",
        }
    }
}

impl FromStr for ObjectType {
    type Err = UnknownObjectType;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text {
            "box" => ObjectType::Box,
            _ => return Err(UnknownObjectType),
        })
    }
}

impl fmt::Display for ObjectType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
