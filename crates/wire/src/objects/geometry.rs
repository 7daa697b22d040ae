// Generated from spec/objects/geometry.json by cargo xtask gen. Do not edit.
//! `geometry`: The form of an entity: a primitive and that primitive's own attributes.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Shape};

/// The form of an entity: a primitive and that primitive's own attributes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Geometry {
    /// The shape. One of `box`, `capsule`, `circle`, `cone`, `cylinder`, `dodecahedron`, `icosahedron`, `octahedron`, `plane`, `ring`, `roundedbox`, `sphere`, `tetrahedron`, `torus`, `torusKnot`, `triangle`. Default `"box"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub primitive: Option<String>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`Geometry`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[Attribute {
        name: "primitive",
        shape: Shape::Text(&[
            "box",
            "capsule",
            "circle",
            "cone",
            "cylinder",
            "dodecahedron",
            "icosahedron",
            "octahedron",
            "plane",
            "ring",
            "roundedbox",
            "sphere",
            "tetrahedron",
            "torus",
            "torusKnot",
            "triangle",
        ]),
        default: Some("\"box\""),
        unit: None,
        required: true,
        deprecated: false,
    }],
    prefixes: &[],
};
