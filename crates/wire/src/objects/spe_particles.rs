// Generated from spec/objects/spe-particles.json by cargo xtask gen. Do not edit.
//! `spe-particles`: A source of particles.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attribute::{Attribute, Group, Range, Shape};
use super::vector2::Vector2;
use super::vector3::Vector3;

/// A source of particles.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SpeParticles {
    /// Acceleration of each particle. In m/s². Default `{"x":0,"y":0,"z":0}`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acceleration: Option<Vector3>,
    /// Spread of the accelerations. One of `none`, `box`, `sphere`, `disc`. Default `"none"`.
    #[serde(rename = "accelerationDistribution", default, skip_serializing_if = "Option::is_none")]
    pub acceleration_distribution: Option<String>,
    /// By how much accelerations differ. In m/s². Default `{"x":0,"y":0,"z":0}`.
    #[serde(rename = "accelerationSpread", default, skip_serializing_if = "Option::is_none")]
    pub acceleration_spread: Option<Vector3>,
    /// Share of particles that is born at once. Range: 0 to 1. Default `1`.
    #[serde(rename = "activeMultiplier", default, skip_serializing_if = "Option::is_none")]
    pub active_multiplier: Option<f64>,
    /// Whether fog falls on them. Default `true`.
    #[serde(rename = "affectedByFog", default, skip_serializing_if = "Option::is_none")]
    pub affected_by_fog: Option<bool>,
    /// Pixels that are less opaque than this are not drawn. Range: 0 to 1. Default `0`.
    #[serde(rename = "alphaTest", default, skip_serializing_if = "Option::is_none")]
    pub alpha_test: Option<f64>,
    /// Turn of each particle over its life. In rad. Default `[0]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub angle: Option<Vec<f64>>,
    /// By how much turns differ. In rad. Default `[0]`.
    #[serde(rename = "angleSpread", default, skip_serializing_if = "Option::is_none")]
    pub angle_spread: Option<Vec<f64>>,
    /// Blending of their colours with the background. One of `no`, `normal`, `additive`, `subtractive`, `multiply`, `custom`. Default `"normal"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blending: Option<String>,
    /// Colours over a particle's life.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<Value>,
    /// By how much colours differ. Default `[]`.
    #[serde(rename = "colorSpread", default, skip_serializing_if = "Option::is_none")]
    pub color_spread: Option<Vec<Vector3>>,
    /// Whether closer objects hide them. Default `true`.
    #[serde(rename = "depthTest", default, skip_serializing_if = "Option::is_none")]
    pub depth_test: Option<bool>,
    /// Whether they hide objects behind them. Default `false`.
    #[serde(rename = "depthWrite", default, skip_serializing_if = "Option::is_none")]
    pub depth_write: Option<bool>,
    /// Whether their life runs forward or backward. One of `forward`, `backward`. Default `"forward"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direction: Option<String>,
    /// From which form they start. One of `box`, `sphere`, `disc`. Default `"box"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distribution: Option<String>,
    /// Drag on the motion. Default `0`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drag: Option<f64>,
    /// By how much braking differs. Default `0`.
    #[serde(rename = "dragSpread", default, skip_serializing_if = "Option::is_none")]
    pub drag_spread: Option<f64>,
    /// Duration of the emission; -1 is endless. In seconds. Range: at least -1. Default `-1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration: Option<f64>,
    /// Size of particles in all. Default `100`.
    #[serde(rename = "emitterScale", default, skip_serializing_if = "Option::is_none")]
    pub emitter_scale: Option<f64>,
    /// Whether they move while a scene is edited. Default `false`.
    #[serde(rename = "enableInEditor", default, skip_serializing_if = "Option::is_none")]
    pub enable_in_editor: Option<bool>,
    /// Whether particles are made. Default `true`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
    /// Whether nothing is drawn when the object is out of sight. Default `false`.
    #[serde(rename = "frustumCulled", default, skip_serializing_if = "Option::is_none")]
    pub frustum_culled: Option<bool>,
    /// Whether particles look smaller from further away. Default `true`.
    #[serde(rename = "hasPerspective", default, skip_serializing_if = "Option::is_none")]
    pub has_perspective: Option<bool>,
    /// Lifetime of a particle. In seconds. Range: at least 0. Default `1`.
    #[serde(rename = "maxAge", default, skip_serializing_if = "Option::is_none")]
    pub max_age: Option<f64>,
    /// By how much lives differ. In seconds. Range: at least 0. Default `0`.
    #[serde(rename = "maxAgeSpread", default, skip_serializing_if = "Option::is_none")]
    pub max_age_spread: Option<f64>,
    /// Opacity of a particle over its life. Default `[1]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opacity: Option<Vec<f64>>,
    /// By how much that differs. Default `[0]`.
    #[serde(rename = "opacitySpread", default, skip_serializing_if = "Option::is_none")]
    pub opacity_spread: Option<Vec<f64>>,
    /// Number of particles. Range: at least 0. Default `100`.
    #[serde(rename = "particleCount", default, skip_serializing_if = "Option::is_none")]
    pub particle_count: Option<f64>,
    /// From which form they start, in place of `distribution`. One of `none`, `box`, `sphere`, `disc`. Default `"none"`.
    #[serde(rename = "positionDistribution", default, skip_serializing_if = "Option::is_none")]
    pub position_distribution: Option<String>,
    /// Start position, relative to the object. In metres. Default `{"x":0,"y":0,"z":0}`.
    #[serde(rename = "positionOffset", default, skip_serializing_if = "Option::is_none")]
    pub position_offset: Option<Vector3>,
    /// By how much starts differ. In metres. Default `{"x":0,"y":0,"z":0}`.
    #[serde(rename = "positionSpread", default, skip_serializing_if = "Option::is_none")]
    pub position_spread: Option<Vector3>,
    /// Radius of a sphere or disc they start from. In metres. Range: at least 0. Default `1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius: Option<f64>,
    /// Scale of that sphere or disc. Default `{"x":1,"y":1,"z":1}`.
    #[serde(rename = "radiusScale", default, skip_serializing_if = "Option::is_none")]
    pub radius_scale: Option<Vector3>,
    /// Whether each life has a new acceleration. Default `false`.
    #[serde(rename = "randomizeAcceleration", default, skip_serializing_if = "Option::is_none")]
    pub randomize_acceleration: Option<bool>,
    /// Whether each life has a new turn. Default `false`.
    #[serde(rename = "randomizeAngle", default, skip_serializing_if = "Option::is_none")]
    pub randomize_angle: Option<bool>,
    /// Whether each life has a new colour. Default `false`.
    #[serde(rename = "randomizeColor", default, skip_serializing_if = "Option::is_none")]
    pub randomize_color: Option<bool>,
    /// Whether each life has a new braking. Default `false`.
    #[serde(rename = "randomizeDrag", default, skip_serializing_if = "Option::is_none")]
    pub randomize_drag: Option<bool>,
    /// Whether each life has a new opacity. Default `false`.
    #[serde(rename = "randomizeOpacity", default, skip_serializing_if = "Option::is_none")]
    pub randomize_opacity: Option<bool>,
    /// Whether each life has a new start. Default `false`.
    #[serde(rename = "randomizePosition", default, skip_serializing_if = "Option::is_none")]
    pub randomize_position: Option<bool>,
    /// Whether each life has a new rotation. Default `false`.
    #[serde(rename = "randomizeRotation", default, skip_serializing_if = "Option::is_none")]
    pub randomize_rotation: Option<bool>,
    /// Whether each life has a new size. Default `false`.
    #[serde(rename = "randomizeSize", default, skip_serializing_if = "Option::is_none")]
    pub randomize_size: Option<bool>,
    /// Whether each life has a new velocity. Default `false`.
    #[serde(rename = "randomizeVelocity", default, skip_serializing_if = "Option::is_none")]
    pub randomize_velocity: Option<bool>,
    /// Whether particles go with the object or stay in the world. One of `local`, `world`. Default `"local"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relative: Option<String>,
    /// Axis around which all turn. Default `{"x":0,"y":0,"z":0}`.
    #[serde(rename = "rotationAxis", default, skip_serializing_if = "Option::is_none")]
    pub rotation_axis: Option<Vector3>,
    /// By how much axes differ. Default `{"x":0,"y":0,"z":0}`.
    #[serde(rename = "rotationAxisSpread", default, skip_serializing_if = "Option::is_none")]
    pub rotation_axis_spread: Option<Vector3>,
    /// By how much that differs. In rad. Default `0`.
    #[serde(rename = "rotationSpread", default, skip_serializing_if = "Option::is_none")]
    pub rotation_spread: Option<f64>,
    /// Whether they are turned once and stay so. Default `false`.
    #[serde(rename = "rotationStatic", default, skip_serializing_if = "Option::is_none")]
    pub rotation_static: Option<bool>,
    /// Size of a particle over its life. Default `[1]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<Vec<f64>>,
    /// By how much sizes differ. Default `[0]`.
    #[serde(rename = "sizeSpread", default, skip_serializing_if = "Option::is_none")]
    pub size_spread: Option<Vec<f64>>,
    /// Address of the picture of a particle. Default `""`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub texture: Option<String>,
    /// Number of frames in the picture; -1 is all. Default `-1`.
    #[serde(rename = "textureFrameCount", default, skip_serializing_if = "Option::is_none")]
    pub texture_frame_count: Option<f64>,
    /// Repetitions of the frames in a life. Default `1`.
    #[serde(rename = "textureFrameLoop", default, skip_serializing_if = "Option::is_none")]
    pub texture_frame_loop: Option<f64>,
    /// Frames of the picture each way. Default `{"x":1,"y":1}`.
    #[serde(rename = "textureFrames", default, skip_serializing_if = "Option::is_none")]
    pub texture_frames: Option<Vector2>,
    /// Whether they are transparent. Default `true`.
    #[serde(rename = "useTransparency", default, skip_serializing_if = "Option::is_none")]
    pub use_transparency: Option<bool>,
    /// Velocity at the start. In m/s. Default `{"x":0,"y":0,"z":0}`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub velocity: Option<Vector3>,
    /// Spread of the velocities. One of `none`, `box`, `sphere`, `disc`. Default `"none"`.
    #[serde(rename = "velocityDistribution", default, skip_serializing_if = "Option::is_none")]
    pub velocity_distribution: Option<String>,
    /// By how much velocities differ. In m/s. Default `{"x":0,"y":0,"z":0}`.
    #[serde(rename = "velocitySpread", default, skip_serializing_if = "Option::is_none")]
    pub velocity_spread: Option<Vector3>,
    /// Wiggle of the particles. Default `0`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wiggle: Option<f64>,
    /// By how much that differs. Default `0`.
    #[serde(rename = "wiggleSpread", default, skip_serializing_if = "Option::is_none")]
    pub wiggle_spread: Option<f64>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`SpeParticles`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "acceleration",
            shape: Shape::Group(&super::vector3::ATTRIBUTES),
            default: Some("{\"x\":0,\"y\":0,\"z\":0}"),
            unit: Some("m/s²"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "accelerationDistribution",
            shape: Shape::Text(&["none", "box", "sphere", "disc"]),
            default: Some("\"none\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "accelerationSpread",
            shape: Shape::Group(&super::vector3::ATTRIBUTES),
            default: Some("{\"x\":0,\"y\":0,\"z\":0}"),
            unit: Some("m/s²"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "activeMultiplier",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: Some(1.0) }),
            default: Some("1"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "affectedByFog",
            shape: Shape::Boolean,
            default: Some("true"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "alphaTest",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: Some(1.0) }),
            default: Some("0"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "angle",
            shape: Shape::Array(&Shape::Number(Range { minimum: None, maximum: None })),
            default: Some("[0]"),
            unit: Some("rad"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "angleSpread",
            shape: Shape::Array(&Shape::Number(Range { minimum: None, maximum: None })),
            default: Some("[0]"),
            unit: Some("rad"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "blending",
            shape: Shape::Text(&["no", "normal", "additive", "subtractive", "multiply", "custom"]),
            default: Some("\"normal\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "color",
            shape: Shape::Choice(&[Shape::Array(&Shape::Text(&[])), Shape::Text(&[])]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "colorSpread",
            shape: Shape::Array(&Shape::Group(&super::vector3::ATTRIBUTES)),
            default: Some("[]"),
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
            default: Some("false"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "direction",
            shape: Shape::Text(&["forward", "backward"]),
            default: Some("\"forward\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "distribution",
            shape: Shape::Text(&["box", "sphere", "disc"]),
            default: Some("\"box\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "drag",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("0"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "dragSpread",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("0"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "duration",
            shape: Shape::Number(Range { minimum: Some(-1.0), maximum: None }),
            default: Some("-1"),
            unit: Some("seconds"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "emitterScale",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("100"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "enableInEditor",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "enabled",
            shape: Shape::Boolean,
            default: Some("true"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "frustumCulled",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "hasPerspective",
            shape: Shape::Boolean,
            default: Some("true"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "maxAge",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("1"),
            unit: Some("seconds"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "maxAgeSpread",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("0"),
            unit: Some("seconds"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "opacity",
            shape: Shape::Array(&Shape::Number(Range { minimum: None, maximum: None })),
            default: Some("[1]"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "opacitySpread",
            shape: Shape::Array(&Shape::Number(Range { minimum: None, maximum: None })),
            default: Some("[0]"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "particleCount",
            shape: Shape::Integer(Range { minimum: Some(0.0), maximum: None }),
            default: Some("100"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "positionDistribution",
            shape: Shape::Text(&["none", "box", "sphere", "disc"]),
            default: Some("\"none\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "positionOffset",
            shape: Shape::Group(&super::vector3::ATTRIBUTES),
            default: Some("{\"x\":0,\"y\":0,\"z\":0}"),
            unit: Some("metres"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "positionSpread",
            shape: Shape::Group(&super::vector3::ATTRIBUTES),
            default: Some("{\"x\":0,\"y\":0,\"z\":0}"),
            unit: Some("metres"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "radius",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("1"),
            unit: Some("metres"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "radiusScale",
            shape: Shape::Group(&super::vector3::ATTRIBUTES),
            default: Some("{\"x\":1,\"y\":1,\"z\":1}"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "randomizeAcceleration",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "randomizeAngle",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "randomizeColor",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "randomizeDrag",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "randomizeOpacity",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "randomizePosition",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "randomizeRotation",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "randomizeSize",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "randomizeVelocity",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "relative",
            shape: Shape::Text(&["local", "world"]),
            default: Some("\"local\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "rotationAxis",
            shape: Shape::Group(&super::vector3::ATTRIBUTES),
            default: Some("{\"x\":0,\"y\":0,\"z\":0}"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "rotationAxisSpread",
            shape: Shape::Group(&super::vector3::ATTRIBUTES),
            default: Some("{\"x\":0,\"y\":0,\"z\":0}"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "rotationSpread",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("0"),
            unit: Some("rad"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "rotationStatic",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "size",
            shape: Shape::Array(&Shape::Number(Range { minimum: None, maximum: None })),
            default: Some("[1]"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "sizeSpread",
            shape: Shape::Array(&Shape::Number(Range { minimum: None, maximum: None })),
            default: Some("[0]"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "texture",
            shape: Shape::Text(&[]),
            default: Some("\"\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "textureFrameCount",
            shape: Shape::Integer(Range { minimum: None, maximum: None }),
            default: Some("-1"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "textureFrameLoop",
            shape: Shape::Integer(Range { minimum: None, maximum: None }),
            default: Some("1"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "textureFrames",
            shape: Shape::Group(&super::vector2::ATTRIBUTES),
            default: Some("{\"x\":1,\"y\":1}"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "useTransparency",
            shape: Shape::Boolean,
            default: Some("true"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "velocity",
            shape: Shape::Group(&super::vector3::ATTRIBUTES),
            default: Some("{\"x\":0,\"y\":0,\"z\":0}"),
            unit: Some("m/s"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "velocityDistribution",
            shape: Shape::Text(&["none", "box", "sphere", "disc"]),
            default: Some("\"none\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "velocitySpread",
            shape: Shape::Group(&super::vector3::ATTRIBUTES),
            default: Some("{\"x\":0,\"y\":0,\"z\":0}"),
            unit: Some("m/s"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "wiggle",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("0"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "wiggleSpread",
            shape: Shape::Number(Range { minimum: None, maximum: None }),
            default: Some("0"),
            unit: None,
            required: false,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
