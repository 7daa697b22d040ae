//! Scenes as wholes: they are made, changed, renamed, exported, imported and removed here.

pub(crate) mod expiry;
pub mod first_scenes;
pub(crate) mod pictures;
pub(crate) mod registrar;
pub(crate) mod transfer;
