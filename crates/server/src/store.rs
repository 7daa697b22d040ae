//! What survives a restart: scenes with their log and its fold, accounts, tokens, the names of files. Everything goes through the traits of this
//! module, so that another database is another implementation and nothing else; today's is [`sqlite`].

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;

mod accounts;
mod broker;
mod copies;
mod files;
mod fold;
mod history;
mod import;
mod invitations;
mod scenes;
mod sqlite;
#[cfg(test)]
mod tests;
mod tokens;

pub use accounts::{AccountRow, AccountStorage, OwnerRedemption, WebSession};
pub use broker::BrokerStorage;
pub use copies::CopyStorage;
pub use files::{FileEntry, FileRow, FileStorage, Used};
pub use history::{HistoryEntry, HistoryPage, HistoryQuery, HistoryStorage, LoggedText, Since, Span};
pub use import::{Carried, Import};
pub use invitations::{AccountLink, InvitationRow, Joined, Picture, Redeemer, Warrant, WaysInStorage};
pub use scenes::{Imported, Keep, Pruned, SceneStorage};
pub use tokens::TokenStorage;

/// The database, below the data folder. Where it stands, there is a realm.
pub const FILE_NAME: &str = "realm.sqlite";

/// Hash of a secret, as it is stored: never the secret itself.
pub type SecretHash = [u8; 32];

/// All that a database must do for the server.
pub trait Storage:
    SceneStorage
    + HistoryStorage
    + BrokerStorage
    + AccountStorage
    + TokenStorage
    + FileStorage
    + CopyStorage
    + WaysInStorage
    + Send
    + Sync
{
}

impl<T> Storage for T where
    T: SceneStorage
        + HistoryStorage
        + BrokerStorage
        + AccountStorage
        + TokenStorage
        + FileStorage
        + CopyStorage
        + WaysInStorage
        + Send
        + Sync
{
}

/// The data folder's database. Clones share it.
#[derive(Clone)]
pub struct Store(Arc<dyn Storage>);

impl Store {
    /// Opens `DIR/realm.sqlite`, making or migrating it as needed.
    ///
    /// # Errors
    /// [`StoreError::Newer`] where a newer stoa wrote it; else what the database says.
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

/// What the store cannot do.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Written by a newer version: its tables may mean something else.
    #[error(
        "{path} has schema {found}, this stoa knows up to {known}: start the newer stoa that wrote it, or give another --data"
    )]
    Newer {
        /// The database.
        path: PathBuf,
        /// Its newest migration.
        found: i64,
        /// Our newest migration.
        known: i64,
    },
    /// Neither opened nor made.
    #[error("cannot open {path}: {source}")]
    Open {
        /// The database.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A migration failed.
    #[error("cannot migrate {path}: {source}")]
    Migrate {
        /// The database.
        path: PathBuf,
        /// Why.
        source: sqlx::migrate::MigrateError,
    },
    /// No room for what must be written. Nothing of it was.
    #[error("the disk is full")]
    Full,
    /// The database failed.
    #[error("the database failed: {0}")]
    Database(sqlx::Error),
    /// What belongs to a session comes before the session: an earlier commit of it failed. Nothing of this one is stored.
    #[error("a change of a session that is not stored")]
    NoSession,
    /// A retained message stands under what is no topic.
    #[error("a stored topic cannot be read")]
    BadTopic,
    /// What is stored isn't what we store.
    #[error("stored {what} cannot be read: {source}")]
    Unreadable {
        /// Scene settings, record …
        what: &'static str,
        /// Where and why.
        source: serde_json::Error,
    },
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> StoreError {
        // SQLITE_FULL, whatever the extended code: the low byte is the primary one.
        let code = error.as_database_error().and_then(|error| error.code()).and_then(|code| code.parse::<i64>().ok());
        if code.is_some_and(|code| code & 0xff == 13) { StoreError::Full } else { StoreError::Database(error) }
    }
}

/// Seconds since 1970, as the store writes them: SQLite's integers are signed.
pub(crate) fn seconds(at: stoa_state::time::UnixTime) -> i64 {
    i64::try_from(at.0).unwrap_or(i64::MAX)
}
