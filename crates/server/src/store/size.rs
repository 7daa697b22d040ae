//! The database's size on disk.

use async_trait::async_trait;
use stoa_state::realm::DatabaseSize;

use super::StoreError;

/// The size of the database, and its reduction.
#[async_trait]
pub trait DatabaseSizeControl {
    /// The bytes on disk of the database and of commits that are not checkpointed yet (WAL), and the ceiling.
    fn database_size(&self) -> DatabaseSize;
    /// Sets the ceiling. The realm refuses changes above it, and the store refuses imports.
    fn limit_size(&self, bytes_max: u64);
    /// If much of the database is free space, returns some of it to the file system, in one short transaction. Returns
    /// `false` when nothing was returned.
    async fn shrink(&self) -> Result<bool, StoreError>;
    /// Waits until 16 MiB were logged since history was last pruned.
    async fn log_grown(&self);
}
