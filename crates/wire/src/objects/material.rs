// Generated from spec/objects/material.json by cargo xtask gen. Do not edit.
//! `material`: Look of the surface.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Range, Shape};
use super::vector2::Vector2;

/// Look of the surface.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Material {
    /// Pixels that are less opaque than this are not drawn. Range: 0 to 1. Default `0`.
    #[serde(rename = "alphaTest", default, skip_serializing_if = "Option::is_none")]
    pub alpha_test: Option<f64>,
    /// Address of the texture of shaded corners.
    #[serde(rename = "ambientOcclusionMap", default, skip_serializing_if = "Option::is_none")]
    pub ambient_occlusion_map: Option<String>,
    /// Strength of the texture of shaded corners. Range: at least 0. Default `1`.
    #[serde(rename = "ambientOcclusionMapIntensity", default, skip_serializing_if = "Option::is_none")]
    pub ambient_occlusion_map_intensity: Option<f64>,
    /// Offset of the texture of shaded corners. Default `{"x":0,"y":0}`.
    #[serde(rename = "ambientOcclusionTextureOffset", default, skip_serializing_if = "Option::is_none")]
    pub ambient_occlusion_texture_offset: Option<Vector2>,
    /// Repetitions of the texture of shaded corners each way. Default `{"x":1,"y":1}`.
    #[serde(rename = "ambientOcclusionTextureRepeat", default, skip_serializing_if = "Option::is_none")]
    pub ambient_occlusion_texture_repeat: Option<Vector2>,
    /// Samples of the texture at a slant; 0 is the renderer's choice. Range: at least 0. Default `0`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anisotropy: Option<f64>,
    /// Blending of the colour with the background. One of `none`, `normal`, `additive`, `subtractive`, `multiply`. Default `"normal"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blending: Option<String>,
    /// Address of the texture of heights, for shading only.
    #[serde(rename = "bumpMap", default, skip_serializing_if = "Option::is_none")]
    pub bump_map: Option<String>,
    /// Strength of the texture of heights. Default `1`.
    #[serde(rename = "bumpMapScale", default, skip_serializing_if = "Option::is_none")]
    pub bump_map_scale: Option<f64>,
    /// Offset of the texture of heights for shading. Default `{"x":0,"y":0}`.
    #[serde(rename = "bumpTextureOffset", default, skip_serializing_if = "Option::is_none")]
    pub bump_texture_offset: Option<Vector2>,
    /// Repetitions of the texture of heights for shading each way. Default `{"x":1,"y":1}`.
    #[serde(rename = "bumpTextureRepeat", default, skip_serializing_if = "Option::is_none")]
    pub bump_texture_repeat: Option<Vector2>,
    /// Colour of the surface. Default `"#FFF"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
    /// Mixing of the surroundings' reflection with the colour. One of `mix`, `add`, `multiply`. Default `"mix"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub combine: Option<String>,
    /// Whether closer objects hide it. Default `true`.
    #[serde(rename = "depthTest", default, skip_serializing_if = "Option::is_none")]
    pub depth_test: Option<bool>,
    /// Whether it hides objects behind it. Default `true`.
    #[serde(rename = "depthWrite", default, skip_serializing_if = "Option::is_none")]
    pub depth_write: Option<bool>,
    /// Offset of the displacement. Default `0.5`.
    #[serde(rename = "displacementBias", default, skip_serializing_if = "Option::is_none")]
    pub displacement_bias: Option<f64>,
    /// Address of the texture of heights that moves the surface.
    #[serde(rename = "displacementMap", default, skip_serializing_if = "Option::is_none")]
    pub displacement_map: Option<String>,
    /// Distance by which that texture moves the surface. Default `1`.
    #[serde(rename = "displacementScale", default, skip_serializing_if = "Option::is_none")]
    pub displacement_scale: Option<f64>,
    /// Offset of the texture of heights that move the surface. Default `{"x":0,"y":0}`.
    #[serde(rename = "displacementTextureOffset", default, skip_serializing_if = "Option::is_none")]
    pub displacement_texture_offset: Option<Vector2>,
    /// Repetitions of the texture of heights that move the surface each way. Default `{"x":1,"y":1}`.
    #[serde(rename = "displacementTextureRepeat", default, skip_serializing_if = "Option::is_none")]
    pub displacement_texture_repeat: Option<Vector2>,
    /// Whether noise hides steps between colours. Default `true`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dithering: Option<bool>,
    /// Colour of the surface's own light. Default `"#000000"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub emissive: Option<String>,
    /// Strength of the surface's own light. Range: at least 0. Default `1`.
    #[serde(rename = "emissiveIntensity", default, skip_serializing_if = "Option::is_none")]
    pub emissive_intensity: Option<f64>,
    /// Address of the picture of the surroundings. Default `""`.
    #[serde(rename = "envMap", default, skip_serializing_if = "Option::is_none")]
    pub env_map: Option<String>,
    /// Whether faces are drawn flat. Default `false`.
    #[serde(rename = "flatShading", default, skip_serializing_if = "Option::is_none")]
    pub flat_shading: Option<bool>,
    /// Whether fog falls on it. Default `true`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fog: Option<bool>,
    /// Metalness. Range: 0 to 1. Default `0`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metalness: Option<f64>,
    /// Address of the texture of metalness.
    #[serde(rename = "metalnessMap", default, skip_serializing_if = "Option::is_none")]
    pub metalness_map: Option<String>,
    /// Offset of the texture of metalness. Default `{"x":0,"y":0}`.
    #[serde(rename = "metalnessTextureOffset", default, skip_serializing_if = "Option::is_none")]
    pub metalness_texture_offset: Option<Vector2>,
    /// Repetitions of the texture of metalness each way. Default `{"x":1,"y":1}`.
    #[serde(rename = "metalnessTextureRepeat", default, skip_serializing_if = "Option::is_none")]
    pub metalness_texture_repeat: Option<Vector2>,
    /// Address of the texture of normals.
    #[serde(rename = "normalMap", default, skip_serializing_if = "Option::is_none")]
    pub normal_map: Option<String>,
    /// Strength of that texture, both ways. Default `{"x":1,"y":1}`.
    #[serde(rename = "normalScale", default, skip_serializing_if = "Option::is_none")]
    pub normal_scale: Option<Vector2>,
    /// Offset of the texture of normals. Default `{"x":0,"y":0}`.
    #[serde(rename = "normalTextureOffset", default, skip_serializing_if = "Option::is_none")]
    pub normal_texture_offset: Option<Vector2>,
    /// Repetitions of the texture of normals each way. Default `{"x":1,"y":1}`.
    #[serde(rename = "normalTextureRepeat", default, skip_serializing_if = "Option::is_none")]
    pub normal_texture_repeat: Option<Vector2>,
    /// Whether the texture's size need not be a power of two. Default `false`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub npot: Option<bool>,
    /// Offset of the texture. Default `{"x":0,"y":0}`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<Vector2>,
    /// Opacity: 0 is invisible, 1 is opaque; needs `transparent`. Range: 0 to 1. Default `1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opacity: Option<f64>,
    /// Strength of the reflection of the surroundings. Range: 0 to 1. Default `0.9`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reflectivity: Option<f64>,
    /// Whether it bends light instead of reflecting it. Default `false`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refract: Option<bool>,
    /// Refraction of light. Range: 0 to 1. Default `0.98`.
    #[serde(rename = "refractionRatio", default, skip_serializing_if = "Option::is_none")]
    pub refraction_ratio: Option<f64>,
    /// Repetitions of the texture each way. Default `{"x":1,"y":1}`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeat: Option<Vector2>,
    /// Roughness. Range: 0 to 1. Default `0.5`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub roughness: Option<f64>,
    /// Address of the texture of roughness.
    #[serde(rename = "roughnessMap", default, skip_serializing_if = "Option::is_none")]
    pub roughness_map: Option<String>,
    /// Offset of the texture of roughness. Default `{"x":0,"y":0}`.
    #[serde(rename = "roughnessTextureOffset", default, skip_serializing_if = "Option::is_none")]
    pub roughness_texture_offset: Option<Vector2>,
    /// Repetitions of the texture of roughness each way. Default `{"x":1,"y":1}`.
    #[serde(rename = "roughnessTextureRepeat", default, skip_serializing_if = "Option::is_none")]
    pub roughness_texture_repeat: Option<Vector2>,
    /// Lighting model. One of `flat`, `standard`, `phong`. Default `"standard"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shader: Option<String>,
    /// Size of highlights, for `phong`: larger values make them smaller. Range: at least 0. Default `30`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shininess: Option<f64>,
    /// Drawn sides of its faces. One of `front`, `back`, `double`. Default `"front"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<String>,
    /// Colour of highlights, for `phong`. Default `"#111111"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub specular: Option<String>,
    /// Address of a round picture of the surroundings.
    #[serde(rename = "sphericalEnvMap", default, skip_serializing_if = "Option::is_none")]
    pub spherical_env_map: Option<String>,
    /// Address of the picture or video on the surface.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub src: Option<String>,
    /// Whether brightness is fitted to the screen. Default `true`.
    #[serde(rename = "toneMapped", default, skip_serializing_if = "Option::is_none")]
    pub tone_mapped: Option<bool>,
    /// Whether `opacity` makes it transparent. Default `false`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transparent: Option<bool>,
    /// Whether the mesh's own colours are used. Default `false`.
    #[serde(rename = "vertexColorsEnabled", default, skip_serializing_if = "Option::is_none")]
    pub vertex_colors_enabled: Option<bool>,
    /// Whether it is drawn. Default `true`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub visible: Option<bool>,
    /// Whether only edges are drawn. Default `false`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wireframe: Option<bool>,
    /// Width of those edges. In px. Range: at least 0. Default `2`.
    #[serde(rename = "wireframeLinewidth", default, skip_serializing_if = "Option::is_none")]
    pub wireframe_linewidth: Option<f64>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`Material`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "alphaTest",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: Some(1.0) }),
            default: Some("0"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "ambientOcclusionMap",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "ambientOcclusionMapIntensity",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("1"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "ambientOcclusionTextureOffset",
            shape: Shape::Group(&super::vector2::ATTRIBUTES),
            default: Some("{\"x\":0,\"y\":0}"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "ambientOcclusionTextureRepeat",
            shape: Shape::Group(&super::vector2::ATTRIBUTES),
            default: Some("{\"x\":1,\"y\":1}"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "anisotropy",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("0"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "blending",
            shape: Shape::Text(&["none", "normal", "additive", "subtractive", "multiply"]),
            default: Some("\"normal\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "bumpMap",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "bumpMapScale",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("1"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "bumpTextureOffset",
            shape: Shape::Group(&super::vector2::ATTRIBUTES),
            default: Some("{\"x\":0,\"y\":0}"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "bumpTextureRepeat",
            shape: Shape::Group(&super::vector2::ATTRIBUTES),
            default: Some("{\"x\":1,\"y\":1}"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "color",
            shape: Shape::Text(&[]),
            default: Some("\"#FFF\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "combine",
            shape: Shape::Text(&["mix", "add", "multiply"]),
            default: Some("\"mix\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "depthTest",
            shape: Shape::Boolean,
            default: Some("true"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "depthWrite",
            shape: Shape::Boolean,
            default: Some("true"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "displacementBias",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("0.5"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "displacementMap",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "displacementScale",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("1"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "displacementTextureOffset",
            shape: Shape::Group(&super::vector2::ATTRIBUTES),
            default: Some("{\"x\":0,\"y\":0}"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "displacementTextureRepeat",
            shape: Shape::Group(&super::vector2::ATTRIBUTES),
            default: Some("{\"x\":1,\"y\":1}"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "dithering",
            shape: Shape::Boolean,
            default: Some("true"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "emissive",
            shape: Shape::Text(&[]),
            default: Some("\"#000000\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "emissiveIntensity",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("1"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "envMap",
            shape: Shape::Text(&[]),
            default: Some("\"\""),
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
            shape: Shape::Boolean,
            default: Some("true"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "metalness",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: Some(1.0) }),
            default: Some("0"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "metalnessMap",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "metalnessTextureOffset",
            shape: Shape::Group(&super::vector2::ATTRIBUTES),
            default: Some("{\"x\":0,\"y\":0}"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "metalnessTextureRepeat",
            shape: Shape::Group(&super::vector2::ATTRIBUTES),
            default: Some("{\"x\":1,\"y\":1}"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "normalMap",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "normalScale",
            shape: Shape::Group(&super::vector2::ATTRIBUTES),
            default: Some("{\"x\":1,\"y\":1}"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "normalTextureOffset",
            shape: Shape::Group(&super::vector2::ATTRIBUTES),
            default: Some("{\"x\":0,\"y\":0}"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "normalTextureRepeat",
            shape: Shape::Group(&super::vector2::ATTRIBUTES),
            default: Some("{\"x\":1,\"y\":1}"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "npot",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "offset",
            shape: Shape::Group(&super::vector2::ATTRIBUTES),
            default: Some("{\"x\":0,\"y\":0}"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "opacity",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: Some(1.0) }),
            default: Some("1"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "reflectivity",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: Some(1.0) }),
            default: Some("0.9"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "refract",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "refractionRatio",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: Some(1.0) }),
            default: Some("0.98"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "repeat",
            shape: Shape::Group(&super::vector2::ATTRIBUTES),
            default: Some("{\"x\":1,\"y\":1}"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "roughness",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: Some(1.0) }),
            default: Some("0.5"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "roughnessMap",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "roughnessTextureOffset",
            shape: Shape::Group(&super::vector2::ATTRIBUTES),
            default: Some("{\"x\":0,\"y\":0}"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "roughnessTextureRepeat",
            shape: Shape::Group(&super::vector2::ATTRIBUTES),
            default: Some("{\"x\":1,\"y\":1}"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "shader",
            shape: Shape::Text(&["flat", "standard", "phong"]),
            default: Some("\"standard\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "shininess",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("30"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "side",
            shape: Shape::Text(&["front", "back", "double"]),
            default: Some("\"front\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "specular",
            shape: Shape::Text(&[]),
            default: Some("\"#111111\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "sphericalEnvMap",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "src",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "toneMapped",
            shape: Shape::Boolean,
            default: Some("true"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "transparent",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "vertexColorsEnabled",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "visible",
            shape: Shape::Boolean,
            default: Some("true"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "wireframe",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "wireframeLinewidth",
            shape: Shape::Integer(Range { minimum: Some(0.0), maximum: None }),
            default: Some("2"),
            unit: Some("px"),
            required: false,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
