//! Reads a scene's log.

use async_trait::async_trait;
use serde_json::Value;
use stoa_state::scene::{ReplacedState, StoredLogEntry, UnixMillis};
use stoa_wire::topic::SceneName;

use super::StoreError;

/// Selects entries of a scene's log, newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HistoryQuery {
    /// Only revisions below this one.
    pub before: Option<u64>,
    /// Only changes of this object.
    pub object_id: Option<String>,
    /// Only changes by this author.
    pub author: Option<String>,
    /// Only entries from this time on.
    pub from: Option<UnixMillis>,
    /// Only entries up to this time.
    pub until: Option<UnixMillis>,
    /// Page size.
    pub entries_max: usize,
}

/// An entry of the log for display. Very long values are left out.
#[derive(Clone, Debug, PartialEq)]
pub struct HistoryEntry {
    /// Revision of the entry's last change.
    pub revision: u64,
    /// Time of the last change.
    pub at: UnixMillis,
    /// The requesting subject: an account or a guest id.
    pub author: String,
    /// A guest author's display name.
    pub guest_name: Option<String>,
    /// The changed object.
    pub object_id: String,
    /// `create`, `update`, `overwrite` or `delete`.
    pub action: String,
    /// The requested change, as the message had it. In a folded entry, one update with all its changes.
    pub patch: Option<Value>,
    /// The state that the change replaced.
    pub before: Option<ReplacedState>,
    /// Whether `patch` or `before` was left out for its length.
    pub is_long: bool,
    /// Number of objects that the change replaced or deleted, where known.
    pub objects: Option<u64>,
    /// Number of changes folded into the entry.
    pub changes: u64,
}

/// A page of a scene's history.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HistoryPage {
    /// Newest first.
    pub entries: Vec<HistoryEntry>,
    /// The `before` of the next page; `None` on the last page. A page may end before its size, because a request reads
    /// a bounded part of the log.
    pub next: Option<u64>,
    /// Time of the scene's oldest entry.
    pub oldest: Option<UnixMillis>,
    /// The earliest revision to which the scene can be restored; `None` for an empty log.
    pub reaches: Option<u64>,
}

/// The point to go back to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RestorePoint {
    /// The state at a time.
    Time {
        /// The time.
        at: UnixMillis,
        /// If the log begins later, go back to its beginning.
        at_most: bool,
    },
    /// The state at this revision.
    Revision(u64),
}

/// An entry of the log as JSON text. Parsed JSON may take 16 times as much memory, so callers parse one entry at a
/// time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogEntryJson {
    /// Revision of the entry's last change.
    pub revision: u64,
    /// The requesting subject: an account or a guest id.
    pub author: String,
    /// The changed object.
    pub object_id: String,
    /// The requested change, as JSON.
    pub patch: String,
    /// The state that the change replaced, as JSON.
    pub before: String,
}

impl LogEntryJson {
    /// Parses the entry.
    ///
    /// # Errors
    /// [`StoreError::Unreadable`].
    pub fn parsed(self) -> Result<StoredLogEntry, StoreError> {
        let unreadable = |what| move |source| StoreError::Unreadable { what, source };
        Ok(StoredLogEntry {
            revision: self.revision,
            author: self.author,
            object_id: self.object_id,
            patch: serde_json::from_str(&self.patch).map_err(unreadable("patch"))?,
            before: serde_json::from_str(&self.before).map_err(unreadable("before"))?,
        })
    }
}

/// The entries after a [`RestorePoint`].
#[derive(Clone, Debug, PartialEq)]
pub enum RestoreEntriesResult {
    /// All entries.
    Whole {
        /// The revision that undoing them restores.
        revision: u64,
        /// Newest first.
        entries: Vec<LogEntryJson>,
    },
    /// The log doesn't reach back that far. Holds the time of its oldest usable entry, if any.
    TooOld(Option<UnixMillis>),
    /// The entries exceed the limits of one read.
    TooMany {
        /// Number of entries up to the one that exceeds the limit.
        entries: u64,
        /// Their total length.
        bytes: u64,
    },
}

/// Reading of the log.
#[async_trait]
pub trait HistoryReader {
    /// A page of a scene's history; `None` if the scene doesn't exist.
    async fn history(&self, name: &SceneName, query: &HistoryQuery) -> Result<Option<HistoryPage>, StoreError>;
    /// The entries after `since` up to revision `through`; `None` if the scene doesn't exist.
    async fn history_since(
        &self,
        name: &SceneName,
        since: RestorePoint,
        through: u64,
    ) -> Result<Option<RestoreEntriesResult>, StoreError>;
}
