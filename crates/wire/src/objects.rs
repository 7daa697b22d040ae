// Generated from spec/objects/*.json by cargo xtask gen. Do not edit.
//! Types of scene objects and their components, with ARENA's attribute names. [`SceneAttributes::decode`] checks and reads what a
//! message holds under `data`; [`group`] finds the table of one schema.

pub mod any_object;
pub mod attribute;
pub mod r#box;
pub mod click_listener;
pub mod material;
pub mod object_type;
pub mod scene_attributes;
pub mod vector3;

pub use any_object::AnyObject;
pub use attribute::{Attribute, Group, Range, Reason, Shape, Wrong};
pub use r#box::Box;
pub use click_listener::ClickListener;
pub use material::Material;
pub use object_type::ObjectType;
pub use scene_attributes::SceneAttributes;
pub use vector3::Vector3;

/// The table of the schema `spec/objects/<stem>.json`.
pub fn group(stem: &str) -> Option<&'static Group> {
    Some(match stem {
        "any-object" => &any_object::ATTRIBUTES,
        "box" => &r#box::ATTRIBUTES,
        "click-listener" => &click_listener::ATTRIBUTES,
        "material" => &material::ATTRIBUTES,
        "vector3" => &vector3::ATTRIBUTES,
        _ => return None,
    })
}
