//! Scenes, as stored: settings, log, fold.

use std::time::Duration;

use async_trait::async_trait;
use stoa_state::grant::SceneSettings;
use stoa_state::realm::StoreWrite;
use stoa_state::scene::StoredScene;
use stoa_state::time::UnixTime;
use stoa_wire::topic::SceneName;

use super::{Import, StoreError};
use crate::limits;

/// How much history is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keep {
    /// Older entries go.
    pub age: Duration,
    /// The oldest entries go until the rest is not longer than this.
    pub bytes: u64,
}

impl Default for Keep {
    fn default() -> Keep {
        Keep { age: limits::HISTORY_AGE_MAX, bytes: limits::HISTORY_BYTES_MAX }
    }
}

/// What pruning removed. The present state is never touched: it is the fold of all that ever was in the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    /// Entries of the log.
    pub entries: u64,
}

/// What an import has made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// The epoch of the scene's first opening.
    pub epoch: u64,
    /// What is stored of it.
    pub stored_revision: u64,
    /// Contents that no file's name stands for any more.
    pub orphans: Vec<String>,
}

/// Storage of scenes.
#[async_trait]
pub trait SceneStorage {
    /// An epoch for all scenes there are, which the caller is about to open: greater than every epoch before. Changes of earlier ones are dropped from now on.
    async fn next_epoch(&self) -> Result<u64, StoreError>;
    /// Every scene with its settings and its present state.
    async fn load_scenes(&self) -> Result<Vec<(SceneName, SceneSettings, StoredScene)>, StoreError>;
    /// Every scene with its settings, by name.
    async fn scenes(&self) -> Result<Vec<(SceneName, SceneSettings)>, StoreError>;
    /// One scene's settings.
    async fn scene(&self, name: &SceneName) -> Result<Option<SceneSettings>, StoreError>;
    /// One scene with all that is stored of it, as of one moment.
    async fn load_scene(&self, name: &SceneName) -> Result<Option<(SceneSettings, StoredScene)>, StoreError>;
    /// Makes a scene with these objects and names these files, all in one transaction; a scene of that name gives way, if it shall. `None` where there is
    /// one that shan't.
    async fn import_scene(&self, import: &Import) -> Result<Option<Imported>, StoreError>;
    /// How many scenes a namespace has.
    async fn scenes_in(&self, namespace: &str) -> Result<u64, StoreError>;
    /// Makes a scene, and gives the epoch of its first opening; `None` where there is one of that name.
    async fn make_scene(&self, name: &SceneName, settings: &SceneSettings) -> Result<Option<u64>, StoreError>;
    /// Changes a scene's settings; `false` where there is none.
    async fn change_scene(&self, name: &SceneName, settings: &SceneSettings) -> Result<bool, StoreError>;
    /// Gives a scene another name, with all that is stored of it, and the epoch of its first opening under it; `None` where there is none, or the other
    /// name is taken. Changes that were made under the old name are appended to it all the same.
    async fn rename_scene(&self, name: &SceneName, to: &SceneName) -> Result<Option<u64>, StoreError>;
    /// How a scene is called that had this name before.
    async fn renamed(&self, former: &SceneName) -> Result<Option<SceneName>, StoreError>;
    /// Removes a scene, its objects and its log; `false` where there is none.
    async fn remove_scene(&self, name: &SceneName) -> Result<bool, StoreError>;
    /// Appends changes to the log and folds them into the present state: one transaction, on disk when it returns. Updates of one object by one
    /// author become one entry that says how many it holds. Changes of scenes that are no longer stored are
    /// dropped, also where another scene has their name by now: it has another epoch.
    ///
    /// # Errors
    /// [`StoreError::Full`] and others: then nothing of it is stored.
    async fn append(&self, writes: Vec<StoreWrite>) -> Result<(), StoreError>;
    /// Whether [`SceneStorage::note_first_scenes_made`] was ever called.
    async fn first_scenes_made(&self) -> Result<bool, StoreError>;
    /// The first scenes were made and filled: no later start does it again.
    async fn note_first_scenes_made(&self) -> Result<(), StoreError>;
    /// Removes history past `keep`.
    async fn prune(&self, keep: Keep, now: UnixTime) -> Result<Pruned, StoreError>;
    /// Pretends that the disk has room for this many pages, or gives it back.
    #[cfg(test)]
    async fn limit_pages(&self, pages: u32) -> Result<(), StoreError>;
}
