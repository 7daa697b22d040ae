//! Creates, changes, renames, exports, imports and removes whole scenes.

pub(crate) mod expiry;
pub mod first_scenes;
pub(crate) mod pictures;
pub(crate) mod registrar;
pub(crate) mod transfer;
