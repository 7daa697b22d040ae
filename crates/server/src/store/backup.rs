//! Copies of the whole database.

use std::path::Path;

use async_trait::async_trait;

use super::StoreError;

/// Operations for backup and restore.
#[async_trait]
pub trait BackupStorage {
    /// Writes a consistent copy of the database to a new file. Reads and writes continue meanwhile.
    async fn copy_to(&self, path: &Path) -> Result<(), StoreError>;
    /// The content hashes of all stored files.
    async fn content_hashes(&self) -> Result<Vec<String>, StoreError>;
    /// Prepares a restored database: adds `epochs` to the realm's epoch, so that later openings of scenes are newer
    /// than all before. Returns `false`, without a change, if the database fails SQLite's integrity check.
    async fn settle_in(&self, epochs: i64) -> Result<bool, StoreError>;
}
