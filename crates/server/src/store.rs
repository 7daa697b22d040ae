//! Durable state: scenes with their log, current objects and pictures, accounts, invitations, tokens, the names of
//! uploaded files, and MQTT's sessions and retained messages. The server reaches the database only through this
//! module's traits, so another database is another implementation of [`Storage`]. `sqlite` is the only one today.

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;

mod accounts;
mod backup;
mod broker;
mod files;
mod fold;
mod history;
mod import;
mod invitations;
mod scenes;
mod size;
mod sqlite;
#[cfg(test)]
mod tests;
mod tokens;

pub use accounts::{AccountRow, AccountStorage, OwnerRedemptionOutcome, WebSession};
pub use backup::BackupStorage;
pub use broker::BrokerStorage;
pub use files::{FileNameStorage, FileRow, FileUsage, FolderListingEntry};
pub use history::{
    HistoryEntry, HistoryPage, HistoryQuery, HistoryReader, LogEntryJson, RestoreEntriesResult, RestorePoint,
};
pub use import::{SceneContents, SceneImport};
pub use invitations::{
    AccountLink, InvitationRow, InvitationStorage, Redeemer, RegistrationOutcome, RegistrationWarrant, ScenePicture,
};
pub use scenes::{CompletedSceneImport, HistoryRetention, PrunedHistory, SceneStorage};
pub use size::DatabaseSizeControl;
pub use tokens::TokenStorage;

/// The database file's name below the data folder. A folder that contains it holds a realm.
pub const FILE_NAME: &str = "realm.sqlite";

/// SHA-256 of a secret. Secrets are stored only as hashes.
pub type SecretHash = [u8; 32];

/// Everything the server needs from a database.
pub trait Storage:
    SceneStorage
    + HistoryReader
    + BrokerStorage
    + AccountStorage
    + TokenStorage
    + FileNameStorage
    + BackupStorage
    + InvitationStorage
    + DatabaseSizeControl
    + Send
    + Sync
{
}

impl<T> Storage for T where
    T: SceneStorage
        + HistoryReader
        + BrokerStorage
        + AccountStorage
        + TokenStorage
        + FileNameStorage
        + BackupStorage
        + InvitationStorage
        + DatabaseSizeControl
        + Send
        + Sync
{
}

/// The data folder's database. Clones share its connections.
#[derive(Clone)]
pub struct Store(Arc<dyn Storage>);

impl Store {
    /// Opens `DIR/realm.sqlite` and creates or migrates it as needed.
    ///
    /// # Errors
    /// [`StoreError::Newer`] if a newer stoa wrote the file, otherwise the database's error.
    pub async fn open(data_dir: &Path) -> Result<Store, StoreError> {
        Ok(Store(Arc::new(sqlite::Sqlite::open(&data_dir.join(FILE_NAME)).await?)))
    }
}

impl Deref for Store {
    type Target = dyn Storage;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl std::fmt::Debug for Store {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Store")
    }
}

/// Errors of the store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A newer version wrote the database, so its tables may have another meaning.
    #[error(
        "{path} has schema {found}, this stoa knows up to {known}: start the newer stoa that wrote it, or give another --data"
    )]
    Newer {
        /// The database.
        path: PathBuf,
        /// The database's newest migration.
        found: i64,
        /// This binary's newest migration.
        known: i64,
    },
    /// The file could not be opened or created.
    #[error("cannot open {path}: {source}")]
    Open {
        /// The database.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// A migration failed.
    #[error("cannot migrate {path}: {source}")]
    Migrate {
        /// The database.
        path: PathBuf,
        /// The migration's error.
        source: sqlx::migrate::MigrateError,
    },
    /// The disk is full. The transaction was rolled back.
    #[error("the disk is full")]
    Full,
    /// The database has reached its ceiling. The import was refused, and nothing of it is stored.
    #[error("the database is at its ceiling of {mib} MiB (--database-mib)")]
    Ceiling {
        /// The ceiling.
        mib: u64,
    },
    /// The database failed.
    #[error("the database failed: {0}")]
    Database(sqlx::Error),
    /// The write belongs to a session that is not stored, because an earlier commit of that session failed. The
    /// transaction was rolled back.
    #[error("the change belongs to a session that is not stored")]
    NoSession,
    /// A retained message is stored under an invalid topic.
    #[error("a stored topic cannot be read")]
    BadTopic,
    /// Stored JSON doesn't have the expected shape.
    #[error("stored {what} cannot be read: {source}")]
    Unreadable {
        /// The kind of value, such as "scene settings".
        what: &'static str,
        /// The parser's error, with its position.
        source: serde_json::Error,
    },
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> StoreError {
        // The low byte of an extended code is the primary code; 13 is SQLITE_FULL.
        let code = error.as_database_error().and_then(|error| error.code()).and_then(|code| code.parse::<i64>().ok());
        if code.is_some_and(|code| code & 0xff == 13) { StoreError::Full } else { StoreError::Database(error) }
    }
}

/// Seconds since 1970 as a signed integer, as SQLite stores them.
pub(crate) fn seconds(at: stoa_state::time::UnixSeconds) -> i64 {
    i64::try_from(at.0).unwrap_or(i64::MAX)
}
