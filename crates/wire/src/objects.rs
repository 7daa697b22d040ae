// Generated from spec/objects/*.json by cargo xtask gen. Do not edit.
//! Types of scene objects and their components, with ARENA's attribute names. [`SceneAttributes::decode`] checks and decodes
//! the `data` of a message; [`group`] returns the description of a schema.

pub mod animation;
pub mod animation_mixer;
pub mod any_object;
pub mod ar_hit_test;
pub mod arena_message;
pub mod arena_user;
pub mod arenaui_button_panel;
pub mod arenaui_card;
pub mod arenaui_prompt;
pub mod armarker;
pub mod attribute;
pub mod attribution;
pub mod blip;
pub mod bloom;
pub mod r#box;
pub mod box_collision_listener;
pub mod button;
pub mod camera;
pub mod camera_override;
pub mod capsule;
pub mod channel;
pub mod circle;
pub mod click_listener;
pub mod click_pos;
pub mod cone;
pub mod cube;
pub mod cylinder;
pub mod dodecahedron;
pub mod dynamic_body;
pub mod entity;
pub mod env_presets;
pub mod event;
pub mod fxaa;
pub mod gaussian_splatting;
pub mod geometry;
pub mod glitch;
pub mod gltf_model;
pub mod gltf_model_lod;
pub mod gltf_morph;
pub mod goto_landmark;
pub mod goto_url;
pub mod hand_left;
pub mod hand_right;
pub mod head_model;
pub mod icosahedron;
pub mod image;
pub mod impulse;
pub mod jitsi_video;
pub mod landmark;
pub mod light;
pub mod line;
pub mod look_at;
pub mod material;
pub mod material_extras;
pub mod model_container;
pub mod model_update;
pub mod multisrc;
pub mod obj_model;
pub mod object_type;
pub mod ocean;
pub mod octahedron;
pub mod openvps;
pub mod panel;
pub mod pcd_model;
pub mod physics;
pub mod physx_body;
pub mod physx_force_pushable;
pub mod physx_joint;
pub mod physx_joint_constraint;
pub mod physx_joint_driver;
pub mod physx_material;
pub mod pixel;
pub mod plane;
pub mod portal;
pub mod position;
pub mod post_processing;
pub mod program;
pub mod program_run;
pub mod remote_render;
pub mod renderer_settings;
pub mod ring;
pub mod rotation;
pub mod roundedbox;
pub mod sao;
pub mod scale;
pub mod scene_attributes;
pub mod scene_options;
pub mod seat;
pub mod shadow;
pub mod smaa;
pub mod sound;
pub mod spe_particles;
pub mod sphere;
pub mod ssao;
pub mod static_body;
pub mod stoa_user;
pub mod teleport_to_landmark;
pub mod template_container;
pub mod tetrahedron;
pub mod text;
pub mod textinput;
pub mod thickline;
pub mod threejs_scene;
pub mod torus;
pub mod torus_knot;
pub mod triangle;
pub mod urdf_model;
pub mod vector2;
pub mod vector3;
pub mod video_control;
pub mod videosphere;

pub use animation::Animation;
pub use animation_mixer::AnimationMixer;
pub use any_object::AnyObject;
pub use ar_hit_test::ArHitTest;
pub use arena_message::ArenaMessage;
pub use arena_user::ArenaUser;
pub use arenaui_button_panel::ArenaUiButtonPanel;
pub use arenaui_card::ArenaUiCard;
pub use arenaui_prompt::ArenaUiPrompt;
pub use armarker::ArMarker;
pub use attribute::{Attribute, AttributeError, AttributeFault, Group, Range, Shape};
pub use attribution::Attribution;
pub use blip::Blip;
pub use bloom::Bloom;
pub use r#box::Box;
pub use box_collision_listener::BoxCollisionListener;
pub use button::Button;
pub use camera::Camera;
pub use camera_override::CameraOverride;
pub use capsule::Capsule;
pub use channel::Channel;
pub use circle::Circle;
pub use click_listener::ClickListener;
pub use click_pos::ClickPos;
pub use cone::Cone;
pub use cube::Cube;
pub use cylinder::Cylinder;
pub use dodecahedron::Dodecahedron;
pub use dynamic_body::DynamicBody;
pub use entity::Entity;
pub use env_presets::EnvPresets;
pub use event::ClientEventAttributes;
pub use fxaa::Fxaa;
pub use gaussian_splatting::GaussianSplatting;
pub use geometry::Geometry;
pub use glitch::Glitch;
pub use gltf_model::GltfModel;
pub use gltf_model_lod::GltfModelLod;
pub use gltf_morph::GltfMorph;
pub use goto_landmark::GotoLandmark;
pub use goto_url::GotoUrl;
pub use hand_left::HandLeft;
pub use hand_right::HandRight;
pub use head_model::HeadModel;
pub use icosahedron::Icosahedron;
pub use image::Image;
pub use impulse::Impulse;
pub use jitsi_video::JitsiVideo;
pub use landmark::Landmark;
pub use light::Light;
pub use line::Line;
pub use look_at::LookAt;
pub use material::Material;
pub use material_extras::MaterialExtras;
pub use model_container::ModelContainer;
pub use model_update::ModelUpdate;
pub use multisrc::MultiSrc;
pub use obj_model::ObjModel;
pub use object_type::ObjectType;
pub use ocean::Ocean;
pub use octahedron::Octahedron;
pub use openvps::OpenVps;
pub use panel::Panel;
pub use pcd_model::PcdModel;
pub use physics::Physics;
pub use physx_body::PhysxBody;
pub use physx_force_pushable::PhysxForcePushable;
pub use physx_joint::PhysxJoint;
pub use physx_joint_constraint::PhysxJointConstraint;
pub use physx_joint_driver::PhysxJointDriver;
pub use physx_material::PhysxMaterial;
pub use pixel::Pixel;
pub use plane::Plane;
pub use portal::Portal;
pub use position::Position;
pub use post_processing::PostProcessing;
pub use program::Program;
pub use program_run::ProgramRun;
pub use remote_render::RemoteRender;
pub use renderer_settings::RendererSettings;
pub use ring::Ring;
pub use rotation::Rotation;
pub use roundedbox::RoundedBox;
pub use sao::Sao;
pub use scale::Scale;
pub use scene_attributes::SceneAttributes;
pub use scene_options::SceneOptions;
pub use seat::Seat;
pub use shadow::Shadow;
pub use smaa::Smaa;
pub use sound::Sound;
pub use spe_particles::SpeParticles;
pub use sphere::Sphere;
pub use ssao::Ssao;
pub use static_body::StaticBody;
pub use stoa_user::StoaUser;
pub use teleport_to_landmark::TeleportToLandmark;
pub use template_container::TemplateContainer;
pub use tetrahedron::Tetrahedron;
pub use text::Text;
pub use textinput::TextInput;
pub use thickline::ThickLine;
pub use threejs_scene::ThreejsScene;
pub use torus::Torus;
pub use torus_knot::TorusKnot;
pub use triangle::Triangle;
pub use urdf_model::UrdfModel;
pub use vector2::Vector2;
pub use vector3::Vector3;
pub use video_control::VideoControl;
pub use videosphere::VideoSphere;

/// Descriptions of all schemas by the stems of their files in `spec/objects/`, sorted.
pub static GROUPS: &[(&str, &Group)] = &[
    ("animation", &animation::ATTRIBUTES),
    ("animation-mixer", &animation_mixer::ATTRIBUTES),
    ("any-object", &any_object::ATTRIBUTES),
    ("ar-hit-test", &ar_hit_test::ATTRIBUTES),
    ("arena-message", &arena_message::ATTRIBUTES),
    ("arena-user", &arena_user::ATTRIBUTES),
    ("arenaui-button-panel", &arenaui_button_panel::ATTRIBUTES),
    ("arenaui-card", &arenaui_card::ATTRIBUTES),
    ("arenaui-prompt", &arenaui_prompt::ATTRIBUTES),
    ("armarker", &armarker::ATTRIBUTES),
    ("attribution", &attribution::ATTRIBUTES),
    ("blip", &blip::ATTRIBUTES),
    ("bloom", &bloom::ATTRIBUTES),
    ("box", &r#box::ATTRIBUTES),
    ("box-collision-listener", &box_collision_listener::ATTRIBUTES),
    ("button", &button::ATTRIBUTES),
    ("camera", &camera::ATTRIBUTES),
    ("camera-override", &camera_override::ATTRIBUTES),
    ("capsule", &capsule::ATTRIBUTES),
    ("channel", &channel::ATTRIBUTES),
    ("circle", &circle::ATTRIBUTES),
    ("click-listener", &click_listener::ATTRIBUTES),
    ("clickPos", &click_pos::ATTRIBUTES),
    ("cone", &cone::ATTRIBUTES),
    ("cube", &cube::ATTRIBUTES),
    ("cylinder", &cylinder::ATTRIBUTES),
    ("dodecahedron", &dodecahedron::ATTRIBUTES),
    ("dynamic-body", &dynamic_body::ATTRIBUTES),
    ("entity", &entity::ATTRIBUTES),
    ("env-presets", &env_presets::ATTRIBUTES),
    ("event", &event::ATTRIBUTES),
    ("fxaa", &fxaa::ATTRIBUTES),
    ("gaussian_splatting", &gaussian_splatting::ATTRIBUTES),
    ("geometry", &geometry::ATTRIBUTES),
    ("glitch", &glitch::ATTRIBUTES),
    ("gltf-model", &gltf_model::ATTRIBUTES),
    ("gltf-model-lod", &gltf_model_lod::ATTRIBUTES),
    ("gltf-morph", &gltf_morph::ATTRIBUTES),
    ("goto-landmark", &goto_landmark::ATTRIBUTES),
    ("goto-url", &goto_url::ATTRIBUTES),
    ("handLeft", &hand_left::ATTRIBUTES),
    ("handRight", &hand_right::ATTRIBUTES),
    ("head-model", &head_model::ATTRIBUTES),
    ("icosahedron", &icosahedron::ATTRIBUTES),
    ("image", &image::ATTRIBUTES),
    ("impulse", &impulse::ATTRIBUTES),
    ("jitsi-video", &jitsi_video::ATTRIBUTES),
    ("landmark", &landmark::ATTRIBUTES),
    ("light", &light::ATTRIBUTES),
    ("line", &line::ATTRIBUTES),
    ("look-at", &look_at::ATTRIBUTES),
    ("material", &material::ATTRIBUTES),
    ("material-extras", &material_extras::ATTRIBUTES),
    ("model-container", &model_container::ATTRIBUTES),
    ("modelUpdate", &model_update::ATTRIBUTES),
    ("multisrc", &multisrc::ATTRIBUTES),
    ("obj-model", &obj_model::ATTRIBUTES),
    ("ocean", &ocean::ATTRIBUTES),
    ("octahedron", &octahedron::ATTRIBUTES),
    ("openvps", &openvps::ATTRIBUTES),
    ("panel", &panel::ATTRIBUTES),
    ("pcd-model", &pcd_model::ATTRIBUTES),
    ("physics", &physics::ATTRIBUTES),
    ("physx-body", &physx_body::ATTRIBUTES),
    ("physx-force-pushable", &physx_force_pushable::ATTRIBUTES),
    ("physx-joint", &physx_joint::ATTRIBUTES),
    ("physx-joint-constraint", &physx_joint_constraint::ATTRIBUTES),
    ("physx-joint-driver", &physx_joint_driver::ATTRIBUTES),
    ("physx-material", &physx_material::ATTRIBUTES),
    ("pixel", &pixel::ATTRIBUTES),
    ("plane", &plane::ATTRIBUTES),
    ("portal", &portal::ATTRIBUTES),
    ("position", &position::ATTRIBUTES),
    ("post-processing", &post_processing::ATTRIBUTES),
    ("program", &program::ATTRIBUTES),
    ("program-run", &program_run::ATTRIBUTES),
    ("remote-render", &remote_render::ATTRIBUTES),
    ("renderer-settings", &renderer_settings::ATTRIBUTES),
    ("ring", &ring::ATTRIBUTES),
    ("rotation", &rotation::ATTRIBUTES),
    ("roundedbox", &roundedbox::ATTRIBUTES),
    ("sao", &sao::ATTRIBUTES),
    ("scale", &scale::ATTRIBUTES),
    ("scene-options", &scene_options::ATTRIBUTES),
    ("seat", &seat::ATTRIBUTES),
    ("shadow", &shadow::ATTRIBUTES),
    ("smaa", &smaa::ATTRIBUTES),
    ("sound", &sound::ATTRIBUTES),
    ("spe-particles", &spe_particles::ATTRIBUTES),
    ("sphere", &sphere::ATTRIBUTES),
    ("ssao", &ssao::ATTRIBUTES),
    ("static-body", &static_body::ATTRIBUTES),
    ("stoa-user", &stoa_user::ATTRIBUTES),
    ("teleport-to-landmark", &teleport_to_landmark::ATTRIBUTES),
    ("templateContainer", &template_container::ATTRIBUTES),
    ("tetrahedron", &tetrahedron::ATTRIBUTES),
    ("text", &text::ATTRIBUTES),
    ("textinput", &textinput::ATTRIBUTES),
    ("thickline", &thickline::ATTRIBUTES),
    ("threejs-scene", &threejs_scene::ATTRIBUTES),
    ("torus", &torus::ATTRIBUTES),
    ("torusKnot", &torus_knot::ATTRIBUTES),
    ("triangle", &triangle::ATTRIBUTES),
    ("urdf-model", &urdf_model::ATTRIBUTES),
    ("vector2", &vector2::ATTRIBUTES),
    ("vector3", &vector3::ATTRIBUTES),
    ("video-control", &video_control::ATTRIBUTES),
    ("videosphere", &videosphere::ATTRIBUTES),
];

/// The description of the schema `spec/objects/<stem>.json`.
pub fn group(stem: &str) -> Option<&'static Group> {
    let place = GROUPS.binary_search_by(|(name, _)| (*name).cmp(stem)).ok()?;
    GROUPS.get(place).map(|(_, group)| *group)
}
