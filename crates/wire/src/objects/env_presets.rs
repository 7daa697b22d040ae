// Generated from spec/objects/env-presets.json by cargo xtask gen. Do not edit.
//! `env-presets`: The surroundings: sky, ground and decoration.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Range, Shape};
use super::vector3::Vector3;

/// The surroundings: sky, ground and decoration.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EnvPresets {
    /// Whether the surroundings are drawn. Default `true`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub active: Option<bool>,
    /// The decoration. One of `apparatus`, `arches`, `cubes`, `cylinders`, `hexagons`, `mushrooms`, `none`, `pyramids`, `stones`, `torii`, `towers`, `trees`. Default `"none"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dressing: Option<String>,
    /// Their number. Range: at least 0. Default `10`.
    #[serde(rename = "dressingAmount", default, skip_serializing_if = "Option::is_none")]
    pub dressing_amount: Option<f64>,
    /// Their colour. Default `"#795449"`.
    #[serde(rename = "dressingColor", default, skip_serializing_if = "Option::is_none")]
    pub dressing_color: Option<String>,
    /// Share of the decoration within the play area. Range: 0 to 1. Default `0`.
    #[serde(rename = "dressingOnPlayArea", default, skip_serializing_if = "Option::is_none")]
    pub dressing_on_play_area: Option<f64>,
    /// Their height. In metres. Default `5`.
    #[serde(rename = "dressingScale", default, skip_serializing_if = "Option::is_none")]
    pub dressing_scale: Option<f64>,
    /// Whether width and depth go with the height. Default `true`.
    #[serde(rename = "dressingUniformScale", default, skip_serializing_if = "Option::is_none")]
    pub dressing_uniform_scale: Option<bool>,
    /// By how much their sizes differ. Default `{"x":1,"y":1,"z":1}`.
    #[serde(rename = "dressingVariance", default, skip_serializing_if = "Option::is_none")]
    pub dressing_variance: Option<Vector3>,
    /// Whether faces are drawn flat. Default `false`.
    #[serde(rename = "flatShading", default, skip_serializing_if = "Option::is_none")]
    pub flat_shading: Option<bool>,
    /// Density of the fog. Range: at least 0. Default `0`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fog: Option<f64>,
    /// Pattern of lines on the ground. One of `1x1`, `2x2`, `crosses`, `dots`, `none`, `xlines`, `ylines`. Default `"none"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grid: Option<String>,
    /// Colour of those lines. Default `"#ccc"`.
    #[serde(rename = "gridColor", default, skip_serializing_if = "Option::is_none")]
    pub grid_color: Option<String>,
    /// Form of the ground. One of `canyon`, `flat`, `hills`, `noise`, `none`, `spikes`. Default `"hills"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ground: Option<String>,
    /// Colour of the ground. Default `"#553e35"`.
    #[serde(rename = "groundColor", default, skip_serializing_if = "Option::is_none")]
    pub ground_color: Option<String>,
    /// Second colour of the ground. Default `"#694439"`.
    #[serde(rename = "groundColor2", default, skip_serializing_if = "Option::is_none")]
    pub ground_color2: Option<String>,
    /// Into how many parts the ground is cut each way. Range: at least 1. Default `64`.
    #[serde(rename = "groundDensity", default, skip_serializing_if = "Option::is_none")]
    pub ground_density: Option<f64>,
    /// Density of the hills. Default `10`.
    #[serde(rename = "groundFrequency", default, skip_serializing_if = "Option::is_none")]
    pub ground_frequency: Option<f64>,
    /// Scale of the ground. Default `{"x":1,"y":1,"z":1}`.
    #[serde(rename = "groundScale", default, skip_serializing_if = "Option::is_none")]
    pub ground_scale: Option<Vector3>,
    /// Pattern of the ground's colours. One of `checkerboard`, `none`, `squares`, `walkernoise`. Default `"none"`.
    #[serde(rename = "groundTexture", default, skip_serializing_if = "Option::is_none")]
    pub ground_texture: Option<String>,
    /// Height of hills and valleys. Default `3`.
    #[serde(rename = "groundYScale", default, skip_serializing_if = "Option::is_none")]
    pub ground_yscale: Option<f64>,
    /// Whether it is hidden in AR. Default `true`.
    #[serde(rename = "hideInAR", default, skip_serializing_if = "Option::is_none")]
    pub hide_in_ar: Option<bool>,
    /// Colour of the horizon. Default `"#ffa500"`.
    #[serde(rename = "horizonColor", default, skip_serializing_if = "Option::is_none")]
    pub horizon_color: Option<String>,
    /// Position of that light. Default `{"x":0,"y":1,"z":-0.2}`.
    #[serde(rename = "lightPosition", default, skip_serializing_if = "Option::is_none")]
    pub light_position: Option<Vector3>,
    /// Lights in addition to the scene's own. One of `distant`, `none`, `point`. Default `"distant"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lighting: Option<String>,
    /// Radius of the free area around the origin. In metres. Range: at least 0. Default `1`.
    #[serde(rename = "playArea", default, skip_serializing_if = "Option::is_none")]
    pub play_area: Option<f64>,
    /// The preset that supplies missing values. One of `arches`, `checkerboard`, `contact`, `default`, `dream`, `egypt`, `forest`, `goaland`, `goldmine`, `japan`, `none`, `osiris`, `poison`, `starry`, `threetowers`, `tron`, `volcano`, `yavapai`. Default `"default"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preset: Option<String>,
    /// Number from which all chance is drawn. Default `1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<f64>,
    /// Size of the area in which shadows are found. In metres. Range: at least 0. Default `10`.
    #[serde(rename = "shadowSize", default, skip_serializing_if = "Option::is_none")]
    pub shadow_size: Option<f64>,
    /// Colour of the sky. Default `"#ffa500"`.
    #[serde(rename = "skyColor", default, skip_serializing_if = "Option::is_none")]
    pub sky_color: Option<String>,
    /// Kind of sky. One of `atmosphere`, `color`, `gradient`, `none`. Default `"color"`.
    #[serde(rename = "skyType", default, skip_serializing_if = "Option::is_none")]
    pub sky_type: Option<String>,
    /// Size of the ground. In metres. Range: at least 0. Default `200`.
    #[serde(rename = "stageSize", default, skip_serializing_if = "Option::is_none")]
    pub stage_size: Option<f64>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`EnvPresets`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "active",
            shape: Shape::Boolean,
            default: Some("true"),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "dressing",
            shape: Shape::Text(&[
                "apparatus",
                "arches",
                "cubes",
                "cylinders",
                "hexagons",
                "mushrooms",
                "none",
                "pyramids",
                "stones",
                "torii",
                "towers",
                "trees",
            ]),
            default: Some("\"none\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "dressingAmount",
            shape: Shape::Integer(Range { minimum: Some(0.0), maximum: None }),
            default: Some("10"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "dressingColor",
            shape: Shape::Text(&[]),
            default: Some("\"#795449\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "dressingOnPlayArea",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: Some(1.0) }),
            default: Some("0"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "dressingScale",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("5"),
            unit: Some("metres"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "dressingUniformScale",
            shape: Shape::Boolean,
            default: Some("true"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "dressingVariance",
            shape: Shape::Group(&super::vector3::ATTRIBUTES),
            default: Some("{\"x\":1,\"y\":1,\"z\":1}"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "flatShading",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "fog",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("0"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "grid",
            shape: Shape::Text(&["1x1", "2x2", "crosses", "dots", "none", "xlines", "ylines"]),
            default: Some("\"none\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "gridColor",
            shape: Shape::Text(&[]),
            default: Some("\"#ccc\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "ground",
            shape: Shape::Text(&["canyon", "flat", "hills", "noise", "none", "spikes"]),
            default: Some("\"hills\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "groundColor",
            shape: Shape::Text(&[]),
            default: Some("\"#553e35\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "groundColor2",
            shape: Shape::Text(&[]),
            default: Some("\"#694439\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "groundDensity",
            shape: Shape::Number(Range { minimum: Some(1.0), maximum: None }),
            default: Some("64"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "groundFrequency",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("10"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "groundScale",
            shape: Shape::Group(&super::vector3::ATTRIBUTES),
            default: Some("{\"x\":1,\"y\":1,\"z\":1}"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "groundTexture",
            shape: Shape::Text(&["checkerboard", "none", "squares", "walkernoise"]),
            default: Some("\"none\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "groundYScale",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("3"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "hideInAR",
            shape: Shape::Boolean,
            default: Some("true"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "horizonColor",
            shape: Shape::Text(&[]),
            default: Some("\"#ffa500\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "lightPosition",
            shape: Shape::Group(&super::vector3::ATTRIBUTES),
            default: Some("{\"x\":0,\"y\":1,\"z\":-0.2}"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "lighting",
            shape: Shape::Text(&["distant", "none", "point"]),
            default: Some("\"distant\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "playArea",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("1"),
            unit: Some("metres"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "preset",
            shape: Shape::Text(&[
                "arches",
                "checkerboard",
                "contact",
                "default",
                "dream",
                "egypt",
                "forest",
                "goaland",
                "goldmine",
                "japan",
                "none",
                "osiris",
                "poison",
                "starry",
                "threetowers",
                "tron",
                "volcano",
                "yavapai",
            ]),
            default: Some("\"default\""),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "seed",
            shape: Shape::Integer(Range { minimum: None, maximum: None }),
            default: Some("1"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "shadowSize",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("10"),
            unit: Some("metres"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "skyColor",
            shape: Shape::Text(&[]),
            default: Some("\"#ffa500\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "skyType",
            shape: Shape::Text(&["atmosphere", "color", "gradient", "none"]),
            default: Some("\"color\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "stageSize",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("200"),
            unit: Some("metres"),
            required: false,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
