// Generated from spec/objects/scene-options.json by cargo xtask gen. Do not edit.
//! `scene-options`: Settings of a scene for its visitors.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::ar_hit_test::ArHitTest;
use super::attribute::{Attribute, Group, Range, Shape};
use super::head_model::HeadModel;
use super::openvps::OpenVps;
use super::physics::Physics;

/// Settings of a scene for its visitors.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SceneOptions {
    /// The reticle in AR.
    #[serde(rename = "ar-hit-test", default, skip_serializing_if = "Option::is_none")]
    pub ar_hit_test: Option<ArHitTest>,
    /// Whether only objects that listen to clicks send events. Default `true`.
    #[serde(rename = "clickableOnlyEvents", default, skip_serializing_if = "Option::is_none")]
    pub clickable_only_events: Option<bool>,
    /// Model of the volume's decay with distance. One of `exponential`, `inverse`, `linear`. Default `"inverse"`.
    #[serde(rename = "distanceModel", default, skip_serializing_if = "Option::is_none")]
    pub distance_model: Option<String>,
    /// Whether visitors may leave the floor and fly. Default `false`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fly: Option<bool>,
    /// Host and port of the Jitsi server.
    #[serde(rename = "jitsiHost", default, skip_serializing_if = "Option::is_none")]
    pub jitsi_host: Option<String>,
    /// Beyond which distance voice and video are not sent. In metres. Range: at least 0. Default `20`.
    #[serde(rename = "maxAVDist", default, skip_serializing_if = "Option::is_none")]
    pub max_avdist: Option<f64>,
    /// Address of a glTF file with the floor on which people may walk. Default `""`.
    #[serde(rename = "navMesh", default, skip_serializing_if = "Option::is_none")]
    pub nav_mesh: Option<String>,
    /// Whether the network solves where people are. Default `false`.
    #[serde(rename = "networkedLocationSolver", default, skip_serializing_if = "Option::is_none")]
    pub networked_location_solver: Option<bool>,
    /// Localisation by pictures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub openvps: Option<OpenVps>,
    /// Whether a marker is shown at the scene's origin. If absent, Stoa's pages show none. Default `true`.
    #[serde(rename = "originMarker", default, skip_serializing_if = "Option::is_none")]
    pub origin_marker: Option<bool>,
    /// Settings of the physics engine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub physics: Option<Physics>,
    /// Whether visitors are kept from each other's sight. Default `false`.
    #[serde(rename = "privateScene", default, skip_serializing_if = "Option::is_none")]
    pub private_scene: Option<bool>,
    /// Distance up to which loudness does not fall. In metres. Range: at least 0. Default `1`.
    #[serde(rename = "refDistance", default, skip_serializing_if = "Option::is_none")]
    pub ref_distance: Option<f64>,
    /// Decay of the volume with distance. Range: at least 0. Default `1`.
    #[serde(rename = "rolloffFactor", default, skip_serializing_if = "Option::is_none")]
    pub rolloff_factor: Option<f64>,
    /// Heads that people may choose in this scene; the first is the default. Default `[]`.
    #[serde(rename = "sceneHeadModels", default, skip_serializing_if = "Option::is_none")]
    pub scene_head_models: Option<Vec<HeadModel>>,
    /// Name of the object that shows shared screens. Default `"screenshare"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub screenshare: Option<String>,
    /// Height of video at the start. In px. Range: at least 0. Default `180`.
    #[serde(rename = "videoDefaultResolutionConstraint", default, skip_serializing_if = "Option::is_none")]
    pub video_default_resolution_constraint: Option<f64>,
    /// Whether video of people far away has a lower resolution. Default `true`.
    #[serde(rename = "videoDistanceConstraints", default, skip_serializing_if = "Option::is_none")]
    pub video_distance_constraints: Option<bool>,
    /// Whether video of people out of sight is paused. Default `true`.
    #[serde(rename = "videoFrustumCulling", default, skip_serializing_if = "Option::is_none")]
    pub video_frustum_culling: Option<bool>,
    /// Loudness of everybody's voice. Range: at least 0. Default `1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volume: Option<f64>,
    /// Keys that the schema does not name, kept as they came.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The schema's description of each attribute of [`SceneOptions`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "ar-hit-test",
            shape: Shape::Group(&super::ar_hit_test::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "clickableOnlyEvents",
            shape: Shape::Boolean,
            default: Some("true"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "distanceModel",
            shape: Shape::Text(&["exponential", "inverse", "linear"]),
            default: Some("\"inverse\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "fly",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "jitsiHost",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "maxAVDist",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("20"),
            unit: Some("metres"),
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "navMesh",
            shape: Shape::Text(&[]),
            default: Some("\"\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "networkedLocationSolver",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "openvps",
            shape: Shape::Group(&super::openvps::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "originMarker",
            shape: Shape::Boolean,
            default: Some("true"),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "physics",
            shape: Shape::Group(&super::physics::ATTRIBUTES),
            default: None,
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "privateScene",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: true,
            deprecated: false,
        },
        Attribute {
            name: "refDistance",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("1"),
            unit: Some("metres"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "rolloffFactor",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("1"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "sceneHeadModels",
            shape: Shape::Array(&Shape::Group(&super::head_model::ATTRIBUTES)),
            default: Some("[]"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "screenshare",
            shape: Shape::Text(&[]),
            default: Some("\"screenshare\""),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "videoDefaultResolutionConstraint",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("180"),
            unit: Some("px"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "videoDistanceConstraints",
            shape: Shape::Boolean,
            default: Some("true"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "videoFrustumCulling",
            shape: Shape::Boolean,
            default: Some("true"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "volume",
            shape: Shape::Number(Range { minimum: Some(0.0), maximum: None }),
            default: Some("1"),
            unit: None,
            required: false,
            deprecated: false,
        },
    ],
    prefixes: &[],
};
