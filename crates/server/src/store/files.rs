//! The names of uploaded files, as stored; their content lies in the file store.

use async_trait::async_trait;

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

/// Storage of names.
#[async_trait]
pub trait FileStorage {
    /// Gives `file.path` this content; tells the hash that no name stands for any more, if there is one.
    async fn put_file(&self, file: &FileRow) -> Result<Option<String>, StoreError>;
    /// What stands behind a name.
    async fn file(&self, path: &str) -> Result<Option<FileRow>, StoreError>;
    /// How many bytes an account's files have in all.
    async fn file_bytes_of(&self, owner: &str) -> Result<u64, StoreError>;
}
