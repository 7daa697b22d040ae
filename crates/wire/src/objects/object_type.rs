// Generated from spec/objects/*.json by cargo xtask gen. Do not edit.
//! The object types of the schemas.

use core::fmt;
use core::str::FromStr;

/// A value of `object_type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ObjectType {
    /// A panel of buttons; a click on one is the event `buttonClick`.
    ArenaUiButtonPanel,
    /// A panel with text and a picture.
    ArenaUiCard,
    /// A window that asks something.
    ArenaUiPrompt,
    /// A box.
    Box,
    /// A person's view: where the head is and how it is turned.
    Camera,
    /// A cylinder with rounded ends.
    Capsule,
    /// A flat disc.
    Circle,
    /// A cone, also with its top cut off.
    Cone,
    /// A box, by its former name; write `box` instead.
    Cube,
    /// A cylinder.
    Cylinder,
    /// A solid of twelve faces.
    Dodecahedron,
    /// An object without a shape of its own: a parent, or the effect of its components.
    Entity,
    /// A cloud of Gaussian splats.
    GaussianSplatting,
    /// A glTF model; `url` names it.
    GltfModel,
    /// A person's left hand or controller.
    HandLeft,
    /// A person's right hand or controller.
    HandRight,
    /// A solid of twenty faces.
    Icosahedron,
    /// A picture on a flat rectangle; `url` names it.
    Image,
    /// A light.
    Light,
    /// A thin straight line.
    Line,
    /// A command to a person's camera: look at something.
    LookAt,
    /// A model in Wavefront's OBJ format.
    ObjModel,
    /// A moving surface of water.
    Ocean,
    /// A solid of eight faces.
    Octahedron,
    /// A cloud of points in the PCD format; `url` names it.
    PcdModel,
    /// A flat rectangle.
    Plane,
    /// A flat ring.
    Ring,
    /// A box with rounded edges.
    RoundedBox,
    /// A sphere.
    Sphere,
    /// A command to a person's camera: go to a landmark.
    TeleportToLandmark,
    /// The parent of the objects that a template was copied to.
    TemplateContainer,
    /// A solid of four faces.
    Tetrahedron,
    /// A line or block of text.
    Text,
    /// A line along several points, with a width.
    ThickLine,
    /// A scene that three.js wrote as JSON; `url` names it.
    ThreejsScene,
    /// A ring with a round section.
    Torus,
    /// A knotted tube.
    TorusKnot,
    /// A flat triangle.
    Triangle,
    /// A robot in the URDF format; `url` names it.
    UrdfModel,
    /// A sphere seen from inside, with a video around the viewer.
    VideoSphere,
}

/// The text is no known object type. Unknown types are valid in ARENA and forwarded unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown object type")]
pub struct UnknownObjectType;

impl ObjectType {
    /// All, sorted by their names.
    pub const ALL: &'static [ObjectType] = &[
        ObjectType::ArenaUiButtonPanel,
        ObjectType::ArenaUiCard,
        ObjectType::ArenaUiPrompt,
        ObjectType::Box,
        ObjectType::Camera,
        ObjectType::Capsule,
        ObjectType::Circle,
        ObjectType::Cone,
        ObjectType::Cube,
        ObjectType::Cylinder,
        ObjectType::Dodecahedron,
        ObjectType::Entity,
        ObjectType::GaussianSplatting,
        ObjectType::GltfModel,
        ObjectType::HandLeft,
        ObjectType::HandRight,
        ObjectType::Icosahedron,
        ObjectType::Image,
        ObjectType::Light,
        ObjectType::Line,
        ObjectType::LookAt,
        ObjectType::ObjModel,
        ObjectType::Ocean,
        ObjectType::Octahedron,
        ObjectType::PcdModel,
        ObjectType::Plane,
        ObjectType::Ring,
        ObjectType::RoundedBox,
        ObjectType::Sphere,
        ObjectType::TeleportToLandmark,
        ObjectType::TemplateContainer,
        ObjectType::Tetrahedron,
        ObjectType::Text,
        ObjectType::ThickLine,
        ObjectType::ThreejsScene,
        ObjectType::Torus,
        ObjectType::TorusKnot,
        ObjectType::Triangle,
        ObjectType::UrdfModel,
        ObjectType::VideoSphere,
    ];

    /// ARENA's name of the type.
    pub fn as_str(self) -> &'static str {
        match self {
            ObjectType::ArenaUiButtonPanel => "arenaui-button-panel",
            ObjectType::ArenaUiCard => "arenaui-card",
            ObjectType::ArenaUiPrompt => "arenaui-prompt",
            ObjectType::Box => "box",
            ObjectType::Camera => "camera",
            ObjectType::Capsule => "capsule",
            ObjectType::Circle => "circle",
            ObjectType::Cone => "cone",
            ObjectType::Cube => "cube",
            ObjectType::Cylinder => "cylinder",
            ObjectType::Dodecahedron => "dodecahedron",
            ObjectType::Entity => "entity",
            ObjectType::GaussianSplatting => "gaussian_splatting",
            ObjectType::GltfModel => "gltf-model",
            ObjectType::HandLeft => "handLeft",
            ObjectType::HandRight => "handRight",
            ObjectType::Icosahedron => "icosahedron",
            ObjectType::Image => "image",
            ObjectType::Light => "light",
            ObjectType::Line => "line",
            ObjectType::LookAt => "look-at",
            ObjectType::ObjModel => "obj-model",
            ObjectType::Ocean => "ocean",
            ObjectType::Octahedron => "octahedron",
            ObjectType::PcdModel => "pcd-model",
            ObjectType::Plane => "plane",
            ObjectType::Ring => "ring",
            ObjectType::RoundedBox => "roundedbox",
            ObjectType::Sphere => "sphere",
            ObjectType::TeleportToLandmark => "teleport-to-landmark",
            ObjectType::TemplateContainer => "templateContainer",
            ObjectType::Tetrahedron => "tetrahedron",
            ObjectType::Text => "text",
            ObjectType::ThickLine => "thickline",
            ObjectType::ThreejsScene => "threejs-scene",
            ObjectType::Torus => "torus",
            ObjectType::TorusKnot => "torusKnot",
            ObjectType::Triangle => "triangle",
            ObjectType::UrdfModel => "urdf-model",
            ObjectType::VideoSphere => "videosphere",
        }
    }
}

impl FromStr for ObjectType {
    type Err = UnknownObjectType;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text {
            "arenaui-button-panel" => ObjectType::ArenaUiButtonPanel,
            "arenaui-card" => ObjectType::ArenaUiCard,
            "arenaui-prompt" => ObjectType::ArenaUiPrompt,
            "box" => ObjectType::Box,
            "camera" => ObjectType::Camera,
            "capsule" => ObjectType::Capsule,
            "circle" => ObjectType::Circle,
            "cone" => ObjectType::Cone,
            "cube" => ObjectType::Cube,
            "cylinder" => ObjectType::Cylinder,
            "dodecahedron" => ObjectType::Dodecahedron,
            "entity" => ObjectType::Entity,
            "gaussian_splatting" => ObjectType::GaussianSplatting,
            "gltf-model" => ObjectType::GltfModel,
            "handLeft" => ObjectType::HandLeft,
            "handRight" => ObjectType::HandRight,
            "icosahedron" => ObjectType::Icosahedron,
            "image" => ObjectType::Image,
            "light" => ObjectType::Light,
            "line" => ObjectType::Line,
            "look-at" => ObjectType::LookAt,
            "obj-model" => ObjectType::ObjModel,
            "ocean" => ObjectType::Ocean,
            "octahedron" => ObjectType::Octahedron,
            "pcd-model" => ObjectType::PcdModel,
            "plane" => ObjectType::Plane,
            "ring" => ObjectType::Ring,
            "roundedbox" => ObjectType::RoundedBox,
            "sphere" => ObjectType::Sphere,
            "teleport-to-landmark" => ObjectType::TeleportToLandmark,
            "templateContainer" => ObjectType::TemplateContainer,
            "tetrahedron" => ObjectType::Tetrahedron,
            "text" => ObjectType::Text,
            "thickline" => ObjectType::ThickLine,
            "threejs-scene" => ObjectType::ThreejsScene,
            "torus" => ObjectType::Torus,
            "torusKnot" => ObjectType::TorusKnot,
            "triangle" => ObjectType::Triangle,
            "urdf-model" => ObjectType::UrdfModel,
            "videosphere" => ObjectType::VideoSphere,
            _ => return Err(UnknownObjectType),
        })
    }
}

impl fmt::Display for ObjectType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
