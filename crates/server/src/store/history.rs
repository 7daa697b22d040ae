//! The log of a scene, as it is read.

use async_trait::async_trait;
use serde_json::Value;
use stoa_state::scene::{LoggedChange, ReplacedState, UnixMillis};
use stoa_wire::topic::SceneName;

use super::StoreError;

/// Which entries of a scene's log are wanted, newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HistoryQuery {
    /// Older than this revision.
    pub before: Option<u64>,
    /// About this object.
    pub object_id: Option<String>,
    /// By this author.
    pub author: Option<String>,
    /// Not older.
    pub from: Option<UnixMillis>,
    /// Not newer.
    pub until: Option<UnixMillis>,
    /// So many at most.
    pub entries_max: usize,
}

/// An entry, as people are told of it. What is very long is left out.
#[derive(Clone, Debug, PartialEq)]
pub struct HistoryEntry {
    /// Of the last change in it.
    pub revision: u64,
    /// When.
    pub at: UnixMillis,
    /// Who.
    pub author: String,
    /// What a guest called itself.
    pub guest_name: Option<String>,
    /// What it is about.
    pub object_id: String,
    /// `create`, `update`, `overwrite` or `delete`.
    pub action: String,
    /// What was asked for.
    pub patch: Option<Value>,
    /// What it replaced.
    pub before: Option<ReplacedState>,
    /// Something of it is very long, and left out.
    pub is_long: bool,
    /// How many objects it replaced or took along, where it is known.
    pub objects: Option<u64>,
    /// How many changes it holds.
    pub changes: u64,
}

/// A piece of a scene's history.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HistoryPage {
    /// Newest first.
    pub entries: Vec<HistoryEntry>,
    /// Whether there are older ones of those that are wanted.
    pub has_more: bool,
    /// When the oldest entry of the scene is from.
    pub oldest: Option<UnixMillis>,
    /// How far back a scene can be restored: to the state at this revision; `None`: there is no log.
    pub reaches: Option<u64>,
}

/// How far back somebody wants to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Since {
    /// To the state at that time. `at_most`: or as far as the log goes.
    Time {
        /// When.
        at: UnixMillis,
        /// Where the log begins later, its beginning will do.
        at_most: bool,
    },
    /// To the state at this revision.
    Revision(u64),
}

/// An entry of the log as it lies there. Parsed, it may take 16 times as much memory: one is looked at after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedText {
    /// Of the last change in it.
    pub revision: u64,
    /// Who asked for it.
    pub author: String,
    /// What it is about.
    pub object_id: String,
    /// What was asked for, as JSON.
    pub patch: String,
    /// What it replaced, as JSON.
    pub before: String,
}

impl LoggedText {
    /// The entry.
    ///
    /// # Errors
    /// [`StoreError::Unreadable`].
    pub fn parsed(self) -> Result<LoggedChange, StoreError> {
        let unreadable = |what| move |source| StoreError::Unreadable { what, source };
        Ok(LoggedChange {
            revision: self.revision,
            author: self.author,
            object_id: self.object_id,
            patch: serde_json::from_str(&self.patch).map_err(unreadable("patch"))?,
            before: serde_json::from_str(&self.before).map_err(unreadable("before"))?,
        })
    }
}

/// The entries since then.
#[derive(Clone, Debug, PartialEq)]
pub enum Span {
    /// All of them, newest first.
    Whole {
        /// The state that they lead back to.
        revision: u64,
        /// Newest first.
        entries: Vec<LoggedText>,
    },
    /// The log does not go back so far, but to here.
    TooOld(Option<UnixMillis>),
    /// More than are read at once.
    TooMany {
        /// How many there are.
        entries: u64,
        /// How long they are in all.
        bytes: u64,
    },
}

/// Reading the log.
#[async_trait]
pub trait HistoryStorage {
    /// A piece of a scene's history; `None` where there is no such scene.
    async fn history(&self, name: &SceneName, query: &HistoryQuery) -> Result<Option<HistoryPage>, StoreError>;
    /// What happened in a scene after `since`, up to the revision `through`; `None` where there is no such scene.
    async fn history_since(&self, name: &SceneName, since: Since, through: u64) -> Result<Option<Span>, StoreError>;
}
