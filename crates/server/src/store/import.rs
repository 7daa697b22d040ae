//! The input of a scene's import.

use serde::{Deserialize, Serialize};
use stoa_state::grant::SceneSettings;
use stoa_state::scene::StoredObject;
use stoa_wire::topic::SceneName;

use super::FileRow;

/// The portable contents of a scene.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SceneContents {
    /// The scene's settings.
    pub settings: SceneSettings,
    /// The scene's objects.
    pub objects: Vec<StoredObject>,
    /// The uploaded files that the objects refer to.
    pub files: Vec<FileRow>,
}

/// A scene's contents and the destination.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SceneImport {
    /// The destination.
    pub name: SceneName,
    /// The contents.
    pub carried: SceneContents,
    /// Whether to replace an existing scene of that name. Its history and its restrictions of people are lost.
    pub replace: bool,
    /// The author in the scene's history; `None` for the operator.
    #[serde(default)]
    pub author: Option<String>,
}
