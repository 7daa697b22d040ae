// Generated from spec/objects/light.json by cargo xtask gen. Do not edit.
//! `light`: A light.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::any_object::{self, AnyObject};
use super::attribute::{Attribute, Group, Range, Shape};

/// A light.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Light {
    /// Half the opening of a spot light's cone. In degrees. Range: 0 to 180. Default `60`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub angle: Option<f64>,
    /// Whether objects in this light cast shadows. Default `false`.
    #[serde(rename = "castShadow", default, skip_serializing_if = "Option::is_none")]
    pub cast_shadow: Option<bool>,
    /// Colour of the light. Default `"#FFF"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
    /// Decay of the light with distance. Range: at least 0. Default `1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decay: Option<f64>,
    /// Beyond which distance the light is gone; 0 is never. In metres. Range: at least 0. Default `0`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distance: Option<f64>,
    /// Colour of the light from below, for a hemisphere light. Default `"#FFF"`.
    #[serde(rename = "groundColor", default, skip_serializing_if = "Option::is_none")]
    pub ground_color: Option<String>,
    /// Strength of the light. Range: at least 0. Default `3.14`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intensity: Option<f64>,
    /// Share of a spot light's cone that is a soft edge. Range: 0 to 1. Default `0`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub penumbra: Option<f64>,
    /// Small offset of depths, against stripes in shadows. Default `0`.
    #[serde(rename = "shadowBias", default, skip_serializing_if = "Option::is_none")]
    pub shadow_bias: Option<f64>,
    /// Lower edge of the region in which a directional light's shadows are found. In metres. Default `-5`.
    #[serde(rename = "shadowCameraBottom", default, skip_serializing_if = "Option::is_none")]
    pub shadow_camera_bottom: Option<f64>,
    /// Furthest distance at which objects cast shadows. In metres. Range: at least 0. Default `500`.
    #[serde(rename = "shadowCameraFar", default, skip_serializing_if = "Option::is_none")]
    pub shadow_camera_far: Option<f64>,
    /// Opening of the view from which a point or spot light's shadows are found. In degrees. Range: 0 to 180. Default `90`.
    #[serde(rename = "shadowCameraFov", default, skip_serializing_if = "Option::is_none")]
    pub shadow_camera_fov: Option<f64>,
    /// Left edge of the region in which a directional light's shadows are found. In metres. Default `-5`.
    #[serde(rename = "shadowCameraLeft", default, skip_serializing_if = "Option::is_none")]
    pub shadow_camera_left: Option<f64>,
    /// Nearest distance at which objects cast shadows. In metres. Range: at least 0. Default `0.5`.
    #[serde(rename = "shadowCameraNear", default, skip_serializing_if = "Option::is_none")]
    pub shadow_camera_near: Option<f64>,
    /// Right edge of the region in which a directional light's shadows are found. In metres. Default `5`.
    #[serde(rename = "shadowCameraRight", default, skip_serializing_if = "Option::is_none")]
    pub shadow_camera_right: Option<f64>,
    /// Upper edge of the region in which a directional light's shadows are found. In metres. Default `5`.
    #[serde(rename = "shadowCameraTop", default, skip_serializing_if = "Option::is_none")]
    pub shadow_camera_top: Option<f64>,
    /// Whether that region is drawn, to find mistakes. Default `false`.
    #[serde(rename = "shadowCameraVisible", default, skip_serializing_if = "Option::is_none")]
    pub shadow_camera_visible: Option<bool>,
    /// Height of the shadow texture. In px. Range: at least 1. Default `512`.
    #[serde(rename = "shadowMapHeight", default, skip_serializing_if = "Option::is_none")]
    pub shadow_map_height: Option<f64>,
    /// Width of the shadow texture. In px. Range: at least 1. Default `512`.
    #[serde(rename = "shadowMapWidth", default, skip_serializing_if = "Option::is_none")]
    pub shadow_map_width: Option<f64>,
    /// Softness of the edges of shadows. Range: at least 0. Default `1`.
    #[serde(rename = "shadowRadius", default, skip_serializing_if = "Option::is_none")]
    pub shadow_radius: Option<f64>,
    /// Id of the object that a directional or spot light points to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// Kind of light. One of `ambient`, `directional`, `hemisphere`, `point`, `spot`. Default `"directional"`.
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub r#type: Option<String>,
    /// Attributes of any object.
    #[serde(flatten)]
    pub any: AnyObject,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`Light`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: Some(&any_object::ATTRIBUTES),
    attributes: &[
        Attribute {
            name: "angle",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: Some(180.0) }),
            default: Some("60"),
            unit: Some("degrees"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "castShadow",
            shape: Shape::Boolean,
            default: Some("false"),
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
            name: "decay",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("1"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "distance",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("0"),
            unit: Some("metres"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "groundColor",
            shape: Shape::Text(&[]),
            default: Some("\"#FFF\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "intensity",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("3.14"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "penumbra",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: Some(1.0) }),
            default: Some("0"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "shadowBias",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("0"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "shadowCameraBottom",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("-5"),
            unit: Some("metres"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "shadowCameraFar",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("500"),
            unit: Some("metres"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "shadowCameraFov",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: Some(180.0) }),
            default: Some("90"),
            unit: Some("degrees"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "shadowCameraLeft",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("-5"),
            unit: Some("metres"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "shadowCameraNear",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("0.5"),
            unit: Some("metres"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "shadowCameraRight",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("5"),
            unit: Some("metres"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "shadowCameraTop",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("5"),
            unit: Some("metres"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "shadowCameraVisible",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "shadowMapHeight",
            shape: Shape::Integer(Range { minimum: Some(1.0), maximum: None }),
            default: Some("512"),
            unit: Some("px"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "shadowMapWidth",
            shape: Shape::Integer(Range { minimum: Some(1.0), maximum: None }),
            default: Some("512"),
            unit: Some("px"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "shadowRadius",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("1"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "target",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "type",
            shape: Shape::Text(&["ambient", "directional", "hemisphere", "point", "spot"]),
            default: Some("\"directional\""),
            unit: None,
            required: false,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
