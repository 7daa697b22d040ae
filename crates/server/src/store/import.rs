//! A scene that comes from elsewhere, as the store takes it in.

use serde::{Deserialize, Serialize};
use stoa_state::grant::SceneSettings;
use stoa_state::scene::StoredObject;
use stoa_wire::topic::SceneName;

use super::FileRow;

/// A scene as it is carried: all that is stored of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Carried {
    /// Its settings.
    pub settings: SceneSettings,
    /// Its objects.
    pub objects: Vec<StoredObject>,
    /// The uploaded files that its objects refer to, and that go along.
    pub files: Vec<FileRow>,
}

/// A carried scene, and where it shall be put.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Import {
    /// The scene to be.
    pub name: SceneName,
    /// What is in it.
    pub carried: Carried,
    /// Whether one of that name gives way, with its history, and all that was decided about people in it.
    pub replace: bool,
    /// Who makes it, for its history; nobody: whoever runs the realm.
    #[serde(default)]
    pub author: Option<String>,
}
