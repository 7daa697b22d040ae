//! Scenes as stored: settings, log and current objects.

use std::time::Duration;

use async_trait::async_trait;
use stoa_state::grant::SceneSettings;
use stoa_state::realm::StoreWrite;
use stoa_state::scene::StoredScene;
use stoa_state::time::UnixSeconds;
use stoa_wire::topic::SceneName;

use super::{SceneImport, StoreError};
use crate::limits;

/// Retention of history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HistoryRetention {
    /// Maximum age; older entries are removed.
    pub age: Duration,
    /// Maximum size; beyond it, the oldest entries of the largest shares are removed.
    pub bytes: u64,
}

impl Default for HistoryRetention {
    fn default() -> HistoryRetention {
        HistoryRetention { age: limits::HISTORY_AGE_DEFAULT, bytes: limits::HISTORY_BYTES_DEFAULT }
    }
}

/// The result of pruning. Pruning never changes current objects, which are stored apart from the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PrunedHistory {
    /// Removed log entries.
    pub entries: u64,
}

/// The result of an import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompletedSceneImport {
    /// The epoch of the scene's first opening.
    pub epoch: u64,
    /// The scene's revision as stored.
    pub stored_revision: u64,
    /// Hashes of contents that no file name refers to any more.
    pub orphans: Vec<String>,
}

/// Storage of scenes.
#[async_trait]
pub trait SceneStorage {
    /// Returns a new epoch, greater than all before, for all scenes, and removes unfinished imports. The caller opens
    /// the scenes under the epoch; later changes of earlier epochs are dropped.
    async fn next_epoch(&self) -> Result<u64, StoreError>;
    /// All scenes with settings and objects.
    async fn load_scenes(&self) -> Result<Vec<(SceneName, SceneSettings, StoredScene)>, StoreError>;
    /// All scenes with settings, by name.
    async fn scenes(&self) -> Result<Vec<(SceneName, SceneSettings)>, StoreError>;
    /// Names of the scenes in a namespace.
    async fn scene_names(&self, namespace: &str) -> Result<Vec<SceneName>, StoreError>;
    /// One scene's settings.
    async fn scene(&self, name: &SceneName) -> Result<Option<SceneSettings>, StoreError>;
    /// One scene with settings and objects, as one consistent read.
    async fn load_scene(&self, name: &SceneName) -> Result<Option<(SceneSettings, StoredScene)>, StoreError>;
    /// Creates a scene with its objects and file names, whole or not at all. It is written in transactions of
    /// [`limits::TRANSACTION_BYTES_MAX`], and readers find it after the last one. Replaces a scene of that name if the
    /// import asks for it; otherwise `None` if one exists.
    async fn import_scene(&self, import: &SceneImport) -> Result<Option<CompletedSceneImport>, StoreError>;
    /// Number of scenes in a namespace.
    async fn scenes_in(&self, namespace: &str) -> Result<u64, StoreError>;
    /// Creates a scene and returns the epoch of its first opening; `None` if the name is taken.
    async fn make_scene(&self, name: &SceneName, settings: &SceneSettings) -> Result<Option<u64>, StoreError>;
    /// Changes a scene's settings; `false` if it doesn't exist.
    async fn change_scene(&self, name: &SceneName, settings: &SceneSettings) -> Result<bool, StoreError>;
    /// Renames a scene with all its stored data and returns the epoch of its first opening under the new name.
    /// `None` if the scene doesn't exist or the new name is taken. Later appends of changes made under the old name
    /// go to the renamed scene.
    async fn rename_scene(&self, name: &SceneName, to: &SceneName) -> Result<Option<u64>, StoreError>;
    /// The current name of the scene that was called `former`.
    async fn renamed(&self, former: &SceneName) -> Result<Option<SceneName>, StoreError>;
    /// Removes a scene, its objects and its log; `false` if it doesn't exist.
    async fn remove_scene(&self, name: &SceneName) -> Result<bool, StoreError>;
    /// Appends changes to the log and applies them to the current objects, and writes changes of MQTT's sessions and
    /// retained messages, in one transaction that is on disk on return. Successive updates of one object by one author
    /// become one entry with a count, if a single update can express them. Changes of a scene that is no longer stored
    /// are dropped; a new scene of the same name has another epoch and doesn't get them.
    ///
    /// # Errors
    /// After [`StoreError::Full`] or any other error nothing is stored.
    async fn append(&self, writes: Vec<StoreWrite>) -> Result<(), StoreError>;
    /// Whether [`SceneStorage::note_first_scenes_made`] was ever called.
    async fn first_scenes_made(&self) -> Result<bool, StoreError>;
    /// Records that the first scenes were created and filled, so that no later start does so again.
    async fn note_first_scenes_made(&self) -> Result<(), StoreError>;
    /// Removes history beyond `keep`.
    async fn prune(&self, keep: HistoryRetention, now: UnixSeconds) -> Result<PrunedHistory, StoreError>;
    /// Limits the database to this many pages, to simulate a full disk.
    #[cfg(test)]
    async fn limit_pages(&self, pages: u32) -> Result<(), StoreError>;
}
