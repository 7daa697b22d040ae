//! Scenes as wholes: they are made, changed, renamed, exported, imported and removed here.

pub(crate) mod expiry;
pub mod first_scenes;
pub mod pictures;
pub mod registrar;
pub mod transfer;
