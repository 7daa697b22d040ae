// Generated from spec/objects/any-object.json by cargo xtask gen. Do not edit.
//! `any-object`: Attributes of any object type: its pose, its parent, and components.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::animation::Animation;
use super::animation_mixer::AnimationMixer;
use super::armarker::ArMarker;
use super::attribute::{Attribute, Group, Range, Shape};
use super::attribution::Attribution;
use super::blip::Blip;
use super::dynamic_body::DynamicBody;
use super::geometry::Geometry;
use super::gltf_model_lod::GltfModelLod;
use super::gltf_morph::GltfMorph;
use super::goto_landmark::GotoLandmark;
use super::goto_url::GotoUrl;
use super::impulse::Impulse;
use super::jitsi_video::JitsiVideo;
use super::landmark::Landmark;
use super::material::Material;
use super::material_extras::MaterialExtras;
use super::model_container::ModelContainer;
use super::model_update::ModelUpdate;
use super::multisrc::MultiSrc;
use super::physx_body::PhysxBody;
use super::physx_force_pushable::PhysxForcePushable;
use super::physx_joint::PhysxJoint;
use super::physx_joint_constraint::PhysxJointConstraint;
use super::physx_joint_driver::PhysxJointDriver;
use super::physx_material::PhysxMaterial;
use super::portal::Portal;
use super::position::Position;
use super::remote_render::RemoteRender;
use super::rotation::Rotation;
use super::scale::Scale;
use super::seat::Seat;
use super::shadow::Shadow;
use super::sound::Sound;
use super::spe_particles::SpeParticles;
use super::static_body::StaticBody;
use super::textinput::TextInput;
use super::video_control::VideoControl;

/// Attributes of any object type: its pose, its parent, and components.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AnyObject {
    /// A change of one property over time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub animation: Option<alloc::boxed::Box<Animation>>,
    /// The playing clips of a glTF model.
    #[serde(rename = "animation-mixer", default, skip_serializing_if = "Option::is_none")]
    pub animation_mixer: Option<alloc::boxed::Box<AnimationMixer>>,
    /// Ties the scene to a marker in the real world.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub armarker: Option<alloc::boxed::Box<ArMarker>>,
    /// Author and licence of its model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attribution: Option<alloc::boxed::Box<Attribution>>,
    /// Lets it appear and disappear with an effect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blip: Option<alloc::boxed::Box<Blip>>,
    /// Reports heads and hands in its box.
    #[serde(rename = "box-collision-listener", default, skip_serializing_if = "Option::is_none")]
    pub box_collision_listener: Option<Value>,
    /// Raw geometry, carried unchanged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub buffer: Option<Value>,
    /// Reports clicks: `true`, an empty text, or an object.
    #[serde(rename = "click-listener", default, skip_serializing_if = "Option::is_none")]
    pub click_listener: Option<Value>,
    /// Reports collisions.
    #[serde(rename = "collision-listener", default, skip_serializing_if = "Option::is_none")]
    pub collision_listener: Option<Value>,
    /// A moving body, by the former physics engine. Deprecated.
    #[serde(rename = "dynamic-body", default, skip_serializing_if = "Option::is_none")]
    pub dynamic_body: Option<alloc::boxed::Box<DynamicBody>>,
    /// Its form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub geometry: Option<alloc::boxed::Box<Geometry>>,
    /// A more detailed model for near by.
    #[serde(rename = "gltf-model-lod", default, skip_serializing_if = "Option::is_none")]
    pub gltf_model_lod: Option<alloc::boxed::Box<GltfModelLod>>,
    /// Weight of a morph target.
    #[serde(rename = "gltf-morph", default, skip_serializing_if = "Option::is_none")]
    pub gltf_morph: Option<alloc::boxed::Box<GltfMorph>>,
    /// Takes people to a landmark at a click.
    #[serde(rename = "goto-landmark", default, skip_serializing_if = "Option::is_none")]
    pub goto_landmark: Option<alloc::boxed::Box<GotoLandmark>>,
    /// Opens an address at a click.
    #[serde(rename = "goto-url", default, skip_serializing_if = "Option::is_none")]
    pub goto_url: Option<alloc::boxed::Box<GotoUrl>>,
    /// Whether it is hidden in AR.
    #[serde(rename = "hide-on-enter-ar", default, skip_serializing_if = "Option::is_none")]
    pub hide_on_enter_ar: Option<Value>,
    /// Whether it is hidden in VR.
    #[serde(rename = "hide-on-enter-vr", default, skip_serializing_if = "Option::is_none")]
    pub hide_on_enter_vr: Option<Value>,
    /// A push, by the former physics engine. Deprecated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub impulse: Option<alloc::boxed::Box<Impulse>>,
    /// Shows a person's video on it.
    #[serde(rename = "jitsi-video", default, skip_serializing_if = "Option::is_none")]
    pub jitsi_video: Option<alloc::boxed::Box<JitsiVideo>>,
    /// Makes it a place that people can go to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub landmark: Option<alloc::boxed::Box<Landmark>>,
    /// Locks it: editors neither move nor delete it until it is unlocked. Default `false`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locked: Option<bool>,
    /// Id of an object, or a place, to which it is always turned.
    #[serde(rename = "look-at", default, skip_serializing_if = "Option::is_none")]
    pub look_at: Option<Value>,
    /// Look of its surface.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub material: Option<alloc::boxed::Box<Material>>,
    /// Further properties of its material.
    #[serde(rename = "material-extras", default, skip_serializing_if = "Option::is_none")]
    pub material_extras: Option<alloc::boxed::Box<MaterialExtras>>,
    /// A box that its model is scaled to fit.
    #[serde(rename = "model-container", default, skip_serializing_if = "Option::is_none")]
    pub model_container: Option<alloc::boxed::Box<ModelContainer>>,
    /// Poses of parts of its glTF model.
    #[serde(rename = "modelUpdate", default, skip_serializing_if = "Option::is_none")]
    pub model_update: Option<alloc::boxed::Box<ModelUpdate>>,
    /// Several pictures, one for each face.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub multisrc: Option<alloc::boxed::Box<MultiSrc>>,
    /// Id of the object, or of the person, that it belongs to and moves with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// Makes it a body of the physics engine.
    #[serde(rename = "physx-body", default, skip_serializing_if = "Option::is_none")]
    pub physx_body: Option<alloc::boxed::Box<PhysxBody>>,
    /// Lets people push it.
    #[serde(rename = "physx-force-pushable", default, skip_serializing_if = "Option::is_none")]
    pub physx_force_pushable: Option<alloc::boxed::Box<PhysxForcePushable>>,
    /// Whether people may grab it.
    #[serde(rename = "physx-grabbable", default, skip_serializing_if = "Option::is_none")]
    pub physx_grabbable: Option<Value>,
    /// A joint between it and another body.
    #[serde(rename = "physx-joint", default, skip_serializing_if = "Option::is_none")]
    pub physx_joint: Option<alloc::boxed::Box<PhysxJoint>>,
    /// Limits of its joint.
    #[serde(rename = "physx-joint-constraint", default, skip_serializing_if = "Option::is_none")]
    pub physx_joint_constraint: Option<alloc::boxed::Box<PhysxJointConstraint>>,
    /// Motors of its joint.
    #[serde(rename = "physx-joint-driver", default, skip_serializing_if = "Option::is_none")]
    pub physx_joint_driver: Option<alloc::boxed::Box<PhysxJointDriver>>,
    /// Friction and bounce of its surface.
    #[serde(rename = "physx-material", default, skip_serializing_if = "Option::is_none")]
    pub physx_material: Option<alloc::boxed::Box<PhysxMaterial>>,
    /// Takes people to another scene.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub portal: Option<alloc::boxed::Box<Portal>>,
    /// Position, relative to its parent. In metres.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<alloc::boxed::Box<Position>>,
    /// Whether a render server draws it.
    #[serde(rename = "remote-render", default, skip_serializing_if = "Option::is_none")]
    pub remote_render: Option<alloc::boxed::Box<RemoteRender>>,
    /// Rotation, relative to its parent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotation: Option<alloc::boxed::Box<Rotation>>,
    /// Scale along its axes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<alloc::boxed::Box<Scale>>,
    /// Whether shared screens may be shown on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub screenshareable: Option<bool>,
    /// Lets people sit down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<alloc::boxed::Box<Seat>>,
    /// Shadows of it and on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shadow: Option<alloc::boxed::Box<Shadow>>,
    /// Whether it is shown in AR only.
    #[serde(rename = "show-on-enter-ar", default, skip_serializing_if = "Option::is_none")]
    pub show_on_enter_ar: Option<Value>,
    /// Whether it is shown in VR only.
    #[serde(rename = "show-on-enter-vr", default, skip_serializing_if = "Option::is_none")]
    pub show_on_enter_vr: Option<Value>,
    /// Whether its file is fetched anew each time.
    #[serde(rename = "skipCache", default, skip_serializing_if = "Option::is_none")]
    pub skip_cache: Option<bool>,
    /// A sound at its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sound: Option<alloc::boxed::Box<Sound>>,
    /// A source of particles.
    #[serde(rename = "spe-particles", default, skip_serializing_if = "Option::is_none")]
    pub spe_particles: Option<alloc::boxed::Box<SpeParticles>>,
    /// A body at rest, by the former physics engine. Deprecated.
    #[serde(rename = "static-body", default, skip_serializing_if = "Option::is_none")]
    pub static_body: Option<alloc::boxed::Box<StaticBody>>,
    /// Name of the part of the parent's model that it belongs to.
    #[serde(rename = "submodel-parent", default, skip_serializing_if = "Option::is_none")]
    pub submodel_parent: Option<String>,
    /// A form that opens at an event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub textinput: Option<alloc::boxed::Box<TextInput>>,
    /// Lifetime; -1 is for ever. In seconds. Range: at least -1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ttl: Option<f64>,
    /// Address of the file that is shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// A video that starts and stops by clicks.
    #[serde(rename = "video-control", default, skip_serializing_if = "Option::is_none")]
    pub video_control: Option<alloc::boxed::Box<VideoControl>>,
    /// Whether it is drawn. Default `true`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub visible: Option<bool>,
}

/// The schema's description of each attribute of [`AnyObject`], sorted by name.
pub static ATTRIBUTES: Group = Group {
    base: None,
    attributes: &[
        Attribute {
            name: "animation",
            shape: Shape::Group(&super::animation::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "animation-mixer",
            shape: Shape::Group(&super::animation_mixer::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "armarker",
            shape: Shape::Group(&super::armarker::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "attribution",
            shape: Shape::Group(&super::attribution::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "blip",
            shape: Shape::Group(&super::blip::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "box-collision-listener",
            shape: Shape::Choice(&[
                Shape::Group(&super::box_collision_listener::ATTRIBUTES),
                Shape::Boolean,
                Shape::Text(&[]),
            ]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute { name: "buffer", shape: Shape::Any, default: None, unit: None, required: false, deprecated: false },
        Attribute {
            name: "click-listener",
            shape: Shape::Choice(&[Shape::Boolean, Shape::Text(&[]), Shape::Group(&super::click_listener::ATTRIBUTES)]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "collision-listener",
            shape: Shape::Choice(&[Shape::Text(&[]), Shape::Boolean, Shape::Object]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "dynamic-body",
            shape: Shape::Group(&super::dynamic_body::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: true,
        },
        Attribute {
            name: "geometry",
            shape: Shape::Group(&super::geometry::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "gltf-model-lod",
            shape: Shape::Group(&super::gltf_model_lod::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "gltf-morph",
            shape: Shape::Group(&super::gltf_morph::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "goto-landmark",
            shape: Shape::Group(&super::goto_landmark::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "goto-url",
            shape: Shape::Group(&super::goto_url::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "hide-on-enter-ar",
            shape: Shape::Choice(&[Shape::Boolean, Shape::Text(&[])]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "hide-on-enter-vr",
            shape: Shape::Choice(&[Shape::Boolean, Shape::Text(&[])]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "impulse",
            shape: Shape::Group(&super::impulse::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: true,
        },
        Attribute {
            name: "jitsi-video",
            shape: Shape::Group(&super::jitsi_video::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "landmark",
            shape: Shape::Group(&super::landmark::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "locked",
            shape: Shape::Boolean,
            default: Some("false"),
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "look-at",
            shape: Shape::Choice(&[Shape::Text(&[]), Shape::Group(&super::vector3::ATTRIBUTES)]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "material",
            shape: Shape::Group(&super::material::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "material-extras",
            shape: Shape::Group(&super::material_extras::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "model-container",
            shape: Shape::Group(&super::model_container::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "modelUpdate",
            shape: Shape::Group(&super::model_update::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "multisrc",
            shape: Shape::Group(&super::multisrc::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "parent",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "physx-body",
            shape: Shape::Group(&super::physx_body::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "physx-force-pushable",
            shape: Shape::Group(&super::physx_force_pushable::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "physx-grabbable",
            shape: Shape::Choice(&[Shape::Boolean, Shape::Text(&[]), Shape::Object]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "physx-joint",
            shape: Shape::Group(&super::physx_joint::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "physx-joint-constraint",
            shape: Shape::Group(&super::physx_joint_constraint::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "physx-joint-driver",
            shape: Shape::Group(&super::physx_joint_driver::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "physx-material",
            shape: Shape::Group(&super::physx_material::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "portal",
            shape: Shape::Group(&super::portal::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "position",
            shape: Shape::Group(&super::position::ATTRIBUTES),
            default: None,
            unit: Some("metres"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "remote-render",
            shape: Shape::Group(&super::remote_render::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "rotation",
            shape: Shape::Group(&super::rotation::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "scale",
            shape: Shape::Group(&super::scale::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "screenshareable",
            shape: Shape::Boolean,
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "seat",
            shape: Shape::Group(&super::seat::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "shadow",
            shape: Shape::Group(&super::shadow::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "show-on-enter-ar",
            shape: Shape::Choice(&[Shape::Boolean, Shape::Text(&[])]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "show-on-enter-vr",
            shape: Shape::Choice(&[Shape::Boolean, Shape::Text(&[])]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "skipCache",
            shape: Shape::Boolean,
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "sound",
            shape: Shape::Group(&super::sound::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "spe-particles",
            shape: Shape::Group(&super::spe_particles::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "static-body",
            shape: Shape::Group(&super::static_body::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: true,
        },
        Attribute {
            name: "submodel-parent",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "textinput",
            shape: Shape::Group(&super::textinput::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "ttl",
            shape: Shape::Number(Range { minimum: Some(-1.0), maximum: None }),
            default: None,
            unit: Some("seconds"),
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "url",
            shape: Shape::Text(&[]),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "video-control",
            shape: Shape::Group(&super::video_control::ATTRIBUTES),
            default: None,
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
    ],
    prefixes: &[
        Attribute {
            name: "animation__",
            shape: Shape::Group(&super::animation::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
        Attribute {
            name: "gltf-morph__",
            shape: Shape::Group(&super::gltf_morph::ATTRIBUTES),
            default: None,
            unit: None,
            required: false,
            deprecated: false,
        },
    ],
};
