//! The names of uploaded files, as stored. Their contents are in the file store ([`crate::files`]).

use async_trait::async_trait;
use stoa_state::time::UnixSeconds;

use super::StoreError;

/// A file's name and the content it refers to.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct FileRow {
    /// `users/<name>/…`.
    pub path: String,
    /// SHA-256 of the content, hexadecimal.
    pub hash: String,
    /// Content length.
    pub size_bytes: u64,
    /// The content's media type.
    pub content_type: String,
    /// The account in whose folder the file is. The file counts against its quota.
    pub owner: String,
}

/// An account's use of file storage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileUsage {
    /// Number of files.
    pub files: u64,
    /// Their total size.
    pub bytes: u64,
}

/// An entry of a folder listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderListingEntry {
    /// The entry's name; a folder's ends with `/`.
    pub name: String,
    /// A folder's size is the total of all files below it.
    pub size_bytes: u64,
    /// Last upload; for a folder, the newest below it.
    pub changed_at: UnixSeconds,
}

impl FolderListingEntry {
    /// Whether the entry is a folder.
    #[must_use]
    pub fn is_folder(&self) -> bool {
        self.name.ends_with('/')
    }
}

/// Storage of file names.
#[async_trait]
pub trait FileNameStorage {
    /// Sets the content of `file.path`. Returns the replaced content's hash if no name refers to it any more.
    async fn put_file(&self, file: &FileRow) -> Result<Option<String>, StoreError>;
    /// The file of that name.
    async fn file(&self, path: &str) -> Result<Option<FileRow>, StoreError>;
    /// The entries directly in `folder` (`users/alice/`, or an empty string for the top), by name. At most
    /// `limits::FILES_LISTED_MAX`.
    async fn files_in(&self, folder: &str) -> Result<Vec<FolderListingEntry>, StoreError>;
    /// Removes the name `path`; if it ends in `/`, all names below it. Returns the number of removed names and the
    /// hashes that no name refers to any more.
    async fn remove_files(&self, path: &str) -> Result<(u64, Vec<String>), StoreError>;
    /// Returns the members of `hashes` that no name refers to.
    async fn unnamed(&self, hashes: Vec<String>) -> Result<Vec<String>, StoreError>;
    /// An account's use of file storage.
    async fn files_of(&self, owner: &str) -> Result<FileUsage, StoreError>;
}
