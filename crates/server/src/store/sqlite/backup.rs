//! Copies of the database, made by SQLite's `VACUUM INTO`.

use std::path::Path;

use async_trait::async_trait;
use sqlx::Connection;
use sqlx::sqlite::SqliteConnection;

use super::Sqlite;
use crate::store::{BackupStorage, StoreError};

#[async_trait]
impl BackupStorage for Sqlite {
    async fn copy_to(&self, path: &Path) -> Result<(), StoreError> {
        // A connection of its own: the writer stays free, and connections of the reader pool can't write.
        let options = self.reader.connect_options().as_ref().clone().pragma("query_only", "off");
        let mut connection = SqliteConnection::connect_with(&options).await?;
        sqlx::query("VACUUM INTO ?").bind(path.to_string_lossy()).execute(&mut connection).await?;
        Ok(connection.close().await?)
    }

    async fn content_hashes(&self) -> Result<Vec<String>, StoreError> {
        Ok(sqlx::query_scalar("SELECT DISTINCT hash FROM files ORDER BY hash").fetch_all(&self.reader).await?)
    }

    async fn settle_in(&self, epochs: i64) -> Result<bool, StoreError> {
        let sound: String = sqlx::query_scalar("PRAGMA integrity_check(1)").fetch_one(&self.writer).await?;
        if sound != "ok" {
            return Ok(false);
        }
        sqlx::query("UPDATE realm SET epoch = epoch + ?").bind(epochs).execute(&self.writer).await?;
        Ok(true)
    }
}
