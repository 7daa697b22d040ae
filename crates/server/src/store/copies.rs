//! Copies of the whole database.

use std::path::Path;

use async_trait::async_trait;

use super::StoreError;

/// What a backup and a restore need.
#[async_trait]
pub trait CopyStorage {
    /// Writes all that is stored, as of one moment, into a new file, while others go on reading and writing.
    async fn copy_to(&self, path: &Path) -> Result<(), StoreError>;
    /// The hashes of all contents that files' names stand for.
    async fn content_hashes(&self) -> Result<Vec<String>, StoreError>;
    /// Moves the epoch of all openings to come ahead, and says whether the database is sound.
    async fn settle_in(&self, epochs: i64) -> Result<bool, StoreError>;
}
