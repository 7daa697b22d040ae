//! The names of uploaded files, as stored; their content lies in the file store.

use async_trait::async_trait;
use stoa_state::time::UnixTime;

use super::StoreError;

/// A name that users see, and what stands behind it.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct FileRow {
    /// `users/<name>/…`.
    pub path: String,
    /// SHA-256 of the content, hexadecimal.
    pub hash: String,
    /// Length of the content.
    pub size_bytes: u64,
    /// Its media type.
    pub content_type: String,
    /// The account that uploaded it.
    pub owner: String,
}

/// What an account's files take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Used {
    /// How many there are.
    pub files: u64,
    /// How many bytes they have in all.
    pub bytes: u64,
}

/// What lies right below a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileEntry {
    /// Its name there; of a folder with `/` at the end.
    pub name: String,
    /// Of a folder, all that lies below it.
    pub size_bytes: u64,
    /// When it, or the newest below it, was given its content.
    pub changed_at: UnixTime,
}

impl FileEntry {
    /// Whether it is a folder.
    #[must_use]
    pub fn is_folder(&self) -> bool {
        self.name.ends_with('/')
    }
}

/// Storage of names.
#[async_trait]
pub trait FileStorage {
    /// Gives `file.path` this content; tells the hash that no name stands for any more, if there is one.
    async fn put_file(&self, file: &FileRow) -> Result<Option<String>, StoreError>;
    /// What stands behind a name.
    async fn file(&self, path: &str) -> Result<Option<FileRow>, StoreError>;
    /// What lies right below `folder`, by name: `users/alice/`, or nothing for the top. At most [`crate::limits::FILES_LISTED_MAX`].
    async fn files_in(&self, folder: &str) -> Result<Vec<FileEntry>, StoreError>;
    /// Forgets the name `path`, or where it ends in `/` all names below it; tells how many went, and the hashes that no name stands for any more.
    async fn remove_files(&self, path: &str) -> Result<(u64, Vec<String>), StoreError>;
    /// Of these contents, those that no name stands for.
    async fn unnamed(&self, hashes: Vec<String>) -> Result<Vec<String>, StoreError>;
    /// What an account's files take.
    async fn files_of(&self, owner: &str) -> Result<Used, StoreError>;
}
