// Generated from spec/objects/*.json by cargo xtask gen. Do not edit.
//! The attributes of an object of any type.

use alloc::boxed::Box;
use alloc::string::String;

use serde_json::{Map, Value};

use super::ObjectType;
use super::attribute::{self, AttributeError};

/// An object's attributes (`data` of a message), by `object_type`.
#[derive(Clone, Debug, PartialEq)]
pub enum SceneAttributes {
    /// A panel of buttons; a click on one is the event `buttonClick`.
    ArenaUiButtonPanel(Box<super::ArenaUiButtonPanel>),
    /// A panel with text and a picture.
    ArenaUiCard(Box<super::ArenaUiCard>),
    /// A window that asks something.
    ArenaUiPrompt(Box<super::ArenaUiPrompt>),
    /// A box.
    Box(Box<super::Box>),
    /// A person's view: where the head is and how it is turned.
    Camera(Box<super::Camera>),
    /// A cylinder with rounded ends.
    Capsule(Box<super::Capsule>),
    /// A flat disc.
    Circle(Box<super::Circle>),
    /// A cone, also with its top cut off.
    Cone(Box<super::Cone>),
    /// A box, by its former name; write `box` instead.
    Cube(Box<super::Cube>),
    /// A cylinder.
    Cylinder(Box<super::Cylinder>),
    /// A solid of twelve faces.
    Dodecahedron(Box<super::Dodecahedron>),
    /// An object without a shape of its own: a parent, or the effect of its components.
    Entity(Box<super::Entity>),
    /// A cloud of Gaussian splats.
    GaussianSplatting(Box<super::GaussianSplatting>),
    /// A glTF model; `url` names it.
    GltfModel(Box<super::GltfModel>),
    /// A person's left hand or controller.
    HandLeft(Box<super::HandLeft>),
    /// A person's right hand or controller.
    HandRight(Box<super::HandRight>),
    /// A solid of twenty faces.
    Icosahedron(Box<super::Icosahedron>),
    /// A picture on a flat rectangle; `url` names it.
    Image(Box<super::Image>),
    /// A light.
    Light(Box<super::Light>),
    /// A thin straight line.
    Line(Box<super::Line>),
    /// A command to a person's camera: look at something.
    LookAt(Box<super::LookAt>),
    /// A model in Wavefront's OBJ format.
    ObjModel(Box<super::ObjModel>),
    /// A moving surface of water.
    Ocean(Box<super::Ocean>),
    /// A solid of eight faces.
    Octahedron(Box<super::Octahedron>),
    /// A cloud of points in the PCD format; `url` names it.
    PcdModel(Box<super::PcdModel>),
    /// A flat rectangle.
    Plane(Box<super::Plane>),
    /// A flat ring.
    Ring(Box<super::Ring>),
    /// A box with rounded edges.
    RoundedBox(Box<super::RoundedBox>),
    /// A sphere.
    Sphere(Box<super::Sphere>),
    /// A command to a person's camera: go to a landmark.
    TeleportToLandmark(Box<super::TeleportToLandmark>),
    /// The parent of the objects that a template was copied to.
    TemplateContainer(Box<super::TemplateContainer>),
    /// A solid of four faces.
    Tetrahedron(Box<super::Tetrahedron>),
    /// A line or block of text.
    Text(Box<super::Text>),
    /// A line along several points, with a width.
    ThickLine(Box<super::ThickLine>),
    /// A scene that three.js wrote as JSON; `url` names it.
    ThreejsScene(Box<super::ThreejsScene>),
    /// A ring with a round section.
    Torus(Box<super::Torus>),
    /// A knotted tube.
    TorusKnot(Box<super::TorusKnot>),
    /// A flat triangle.
    Triangle(Box<super::Triangle>),
    /// A robot in the URDF format; `url` names it.
    UrdfModel(Box<super::UrdfModel>),
    /// A sphere seen from inside, with a video around the viewer.
    VideoSphere(Box<super::VideoSphere>),
}

impl SceneAttributes {
    /// Checks and decodes attributes. `null` means absent; required keys may be absent; unknown keys are kept.
    /// Errors: an unknown `object_type`, or the first value that is of a wrong type, not among those allowed, or out of range.
    pub fn decode(attributes: &Map<String, Value>) -> Result<Self, AttributeError> {
        let object_type = attribute::object_type(attributes)?;
        Ok(match object_type {
            ObjectType::ArenaUiButtonPanel => {
                Self::ArenaUiButtonPanel(attribute::read(&super::arenaui_button_panel::ATTRIBUTES, attributes)?)
            }
            ObjectType::ArenaUiCard => {
                Self::ArenaUiCard(attribute::read(&super::arenaui_card::ATTRIBUTES, attributes)?)
            }
            ObjectType::ArenaUiPrompt => {
                Self::ArenaUiPrompt(attribute::read(&super::arenaui_prompt::ATTRIBUTES, attributes)?)
            }
            ObjectType::Box => Self::Box(attribute::read(&super::r#box::ATTRIBUTES, attributes)?),
            ObjectType::Camera => Self::Camera(attribute::read(&super::camera::ATTRIBUTES, attributes)?),
            ObjectType::Capsule => Self::Capsule(attribute::read(&super::capsule::ATTRIBUTES, attributes)?),
            ObjectType::Circle => Self::Circle(attribute::read(&super::circle::ATTRIBUTES, attributes)?),
            ObjectType::Cone => Self::Cone(attribute::read(&super::cone::ATTRIBUTES, attributes)?),
            ObjectType::Cube => Self::Cube(attribute::read(&super::cube::ATTRIBUTES, attributes)?),
            ObjectType::Cylinder => Self::Cylinder(attribute::read(&super::cylinder::ATTRIBUTES, attributes)?),
            ObjectType::Dodecahedron => {
                Self::Dodecahedron(attribute::read(&super::dodecahedron::ATTRIBUTES, attributes)?)
            }
            ObjectType::Entity => Self::Entity(attribute::read(&super::entity::ATTRIBUTES, attributes)?),
            ObjectType::GaussianSplatting => {
                Self::GaussianSplatting(attribute::read(&super::gaussian_splatting::ATTRIBUTES, attributes)?)
            }
            ObjectType::GltfModel => Self::GltfModel(attribute::read(&super::gltf_model::ATTRIBUTES, attributes)?),
            ObjectType::HandLeft => Self::HandLeft(attribute::read(&super::hand_left::ATTRIBUTES, attributes)?),
            ObjectType::HandRight => Self::HandRight(attribute::read(&super::hand_right::ATTRIBUTES, attributes)?),
            ObjectType::Icosahedron => Self::Icosahedron(attribute::read(&super::icosahedron::ATTRIBUTES, attributes)?),
            ObjectType::Image => Self::Image(attribute::read(&super::image::ATTRIBUTES, attributes)?),
            ObjectType::Light => Self::Light(attribute::read(&super::light::ATTRIBUTES, attributes)?),
            ObjectType::Line => Self::Line(attribute::read(&super::line::ATTRIBUTES, attributes)?),
            ObjectType::LookAt => Self::LookAt(attribute::read(&super::look_at::ATTRIBUTES, attributes)?),
            ObjectType::ObjModel => Self::ObjModel(attribute::read(&super::obj_model::ATTRIBUTES, attributes)?),
            ObjectType::Ocean => Self::Ocean(attribute::read(&super::ocean::ATTRIBUTES, attributes)?),
            ObjectType::Octahedron => Self::Octahedron(attribute::read(&super::octahedron::ATTRIBUTES, attributes)?),
            ObjectType::PcdModel => Self::PcdModel(attribute::read(&super::pcd_model::ATTRIBUTES, attributes)?),
            ObjectType::Plane => Self::Plane(attribute::read(&super::plane::ATTRIBUTES, attributes)?),
            ObjectType::Ring => Self::Ring(attribute::read(&super::ring::ATTRIBUTES, attributes)?),
            ObjectType::RoundedBox => Self::RoundedBox(attribute::read(&super::roundedbox::ATTRIBUTES, attributes)?),
            ObjectType::Sphere => Self::Sphere(attribute::read(&super::sphere::ATTRIBUTES, attributes)?),
            ObjectType::TeleportToLandmark => {
                Self::TeleportToLandmark(attribute::read(&super::teleport_to_landmark::ATTRIBUTES, attributes)?)
            }
            ObjectType::TemplateContainer => {
                Self::TemplateContainer(attribute::read(&super::template_container::ATTRIBUTES, attributes)?)
            }
            ObjectType::Tetrahedron => Self::Tetrahedron(attribute::read(&super::tetrahedron::ATTRIBUTES, attributes)?),
            ObjectType::Text => Self::Text(attribute::read(&super::text::ATTRIBUTES, attributes)?),
            ObjectType::ThickLine => Self::ThickLine(attribute::read(&super::thickline::ATTRIBUTES, attributes)?),
            ObjectType::ThreejsScene => {
                Self::ThreejsScene(attribute::read(&super::threejs_scene::ATTRIBUTES, attributes)?)
            }
            ObjectType::Torus => Self::Torus(attribute::read(&super::torus::ATTRIBUTES, attributes)?),
            ObjectType::TorusKnot => Self::TorusKnot(attribute::read(&super::torus_knot::ATTRIBUTES, attributes)?),
            ObjectType::Triangle => Self::Triangle(attribute::read(&super::triangle::ATTRIBUTES, attributes)?),
            ObjectType::UrdfModel => Self::UrdfModel(attribute::read(&super::urdf_model::ATTRIBUTES, attributes)?),
            ObjectType::VideoSphere => Self::VideoSphere(attribute::read(&super::videosphere::ATTRIBUTES, attributes)?),
        })
    }

    /// Encodes the attributes for a message, including `object_type`.
    pub fn encode(&self) -> Map<String, Value> {
        let object_type = self.object_type();
        match self {
            Self::ArenaUiButtonPanel(object) => attribute::write(object_type, object),
            Self::ArenaUiCard(object) => attribute::write(object_type, object),
            Self::ArenaUiPrompt(object) => attribute::write(object_type, object),
            Self::Box(object) => attribute::write(object_type, object),
            Self::Camera(object) => attribute::write(object_type, object),
            Self::Capsule(object) => attribute::write(object_type, object),
            Self::Circle(object) => attribute::write(object_type, object),
            Self::Cone(object) => attribute::write(object_type, object),
            Self::Cube(object) => attribute::write(object_type, object),
            Self::Cylinder(object) => attribute::write(object_type, object),
            Self::Dodecahedron(object) => attribute::write(object_type, object),
            Self::Entity(object) => attribute::write(object_type, object),
            Self::GaussianSplatting(object) => attribute::write(object_type, object),
            Self::GltfModel(object) => attribute::write(object_type, object),
            Self::HandLeft(object) => attribute::write(object_type, object),
            Self::HandRight(object) => attribute::write(object_type, object),
            Self::Icosahedron(object) => attribute::write(object_type, object),
            Self::Image(object) => attribute::write(object_type, object),
            Self::Light(object) => attribute::write(object_type, object),
            Self::Line(object) => attribute::write(object_type, object),
            Self::LookAt(object) => attribute::write(object_type, object),
            Self::ObjModel(object) => attribute::write(object_type, object),
            Self::Ocean(object) => attribute::write(object_type, object),
            Self::Octahedron(object) => attribute::write(object_type, object),
            Self::PcdModel(object) => attribute::write(object_type, object),
            Self::Plane(object) => attribute::write(object_type, object),
            Self::Ring(object) => attribute::write(object_type, object),
            Self::RoundedBox(object) => attribute::write(object_type, object),
            Self::Sphere(object) => attribute::write(object_type, object),
            Self::TeleportToLandmark(object) => attribute::write(object_type, object),
            Self::TemplateContainer(object) => attribute::write(object_type, object),
            Self::Tetrahedron(object) => attribute::write(object_type, object),
            Self::Text(object) => attribute::write(object_type, object),
            Self::ThickLine(object) => attribute::write(object_type, object),
            Self::ThreejsScene(object) => attribute::write(object_type, object),
            Self::Torus(object) => attribute::write(object_type, object),
            Self::TorusKnot(object) => attribute::write(object_type, object),
            Self::Triangle(object) => attribute::write(object_type, object),
            Self::UrdfModel(object) => attribute::write(object_type, object),
            Self::VideoSphere(object) => attribute::write(object_type, object),
        }
    }

    /// The object type.
    pub fn object_type(&self) -> ObjectType {
        match self {
            Self::ArenaUiButtonPanel(_) => ObjectType::ArenaUiButtonPanel,
            Self::ArenaUiCard(_) => ObjectType::ArenaUiCard,
            Self::ArenaUiPrompt(_) => ObjectType::ArenaUiPrompt,
            Self::Box(_) => ObjectType::Box,
            Self::Camera(_) => ObjectType::Camera,
            Self::Capsule(_) => ObjectType::Capsule,
            Self::Circle(_) => ObjectType::Circle,
            Self::Cone(_) => ObjectType::Cone,
            Self::Cube(_) => ObjectType::Cube,
            Self::Cylinder(_) => ObjectType::Cylinder,
            Self::Dodecahedron(_) => ObjectType::Dodecahedron,
            Self::Entity(_) => ObjectType::Entity,
            Self::GaussianSplatting(_) => ObjectType::GaussianSplatting,
            Self::GltfModel(_) => ObjectType::GltfModel,
            Self::HandLeft(_) => ObjectType::HandLeft,
            Self::HandRight(_) => ObjectType::HandRight,
            Self::Icosahedron(_) => ObjectType::Icosahedron,
            Self::Image(_) => ObjectType::Image,
            Self::Light(_) => ObjectType::Light,
            Self::Line(_) => ObjectType::Line,
            Self::LookAt(_) => ObjectType::LookAt,
            Self::ObjModel(_) => ObjectType::ObjModel,
            Self::Ocean(_) => ObjectType::Ocean,
            Self::Octahedron(_) => ObjectType::Octahedron,
            Self::PcdModel(_) => ObjectType::PcdModel,
            Self::Plane(_) => ObjectType::Plane,
            Self::Ring(_) => ObjectType::Ring,
            Self::RoundedBox(_) => ObjectType::RoundedBox,
            Self::Sphere(_) => ObjectType::Sphere,
            Self::TeleportToLandmark(_) => ObjectType::TeleportToLandmark,
            Self::TemplateContainer(_) => ObjectType::TemplateContainer,
            Self::Tetrahedron(_) => ObjectType::Tetrahedron,
            Self::Text(_) => ObjectType::Text,
            Self::ThickLine(_) => ObjectType::ThickLine,
            Self::ThreejsScene(_) => ObjectType::ThreejsScene,
            Self::Torus(_) => ObjectType::Torus,
            Self::TorusKnot(_) => ObjectType::TorusKnot,
            Self::Triangle(_) => ObjectType::Triangle,
            Self::UrdfModel(_) => ObjectType::UrdfModel,
            Self::VideoSphere(_) => ObjectType::VideoSphere,
        }
    }
}
