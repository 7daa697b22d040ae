//! Names of files in SQLite.

use async_trait::async_trait;
use sqlx::{Row, SqliteConnection};

use super::Sqlite;
use crate::store::{FileRow, FileStorage, StoreError};

#[async_trait]
impl FileStorage for Sqlite {
    async fn put_file(&self, file: &FileRow) -> Result<Option<String>, StoreError> {
        let mut transaction = self.writer.begin().await?;
        let orphan = put(&mut transaction, file).await?;
        transaction.commit().await?;
        Ok(orphan)
    }

    async fn file(&self, path: &str) -> Result<Option<FileRow>, StoreError> {
        let row = sqlx::query("SELECT * FROM files WHERE path = ?").bind(path).fetch_optional(&self.reader).await?;
        let Some(row) = row else { return Ok(None) };
        Ok(Some(FileRow {
            path: row.try_get("path")?,
            hash: row.try_get("hash")?,
            size_bytes: row.try_get::<i64, _>("size_bytes")?.max(0).unsigned_abs(),
            content_type: row.try_get("content_type")?,
            owner: row.try_get("owner")?,
        }))
    }

    async fn file_bytes_of(&self, owner: &str) -> Result<u64, StoreError> {
        let query = sqlx::query_scalar("SELECT coalesce(sum(size_bytes), 0) FROM files WHERE owner = ?");
        let bytes: i64 = query.bind(owner).fetch_one(&self.reader).await?;
        Ok(bytes.max(0).unsigned_abs())
    }
}

/// Gives a path its content; tells the hash that no path stands for any more.
pub(super) async fn put(connection: &mut SqliteConnection, file: &FileRow) -> Result<Option<String>, StoreError> {
    let old: Option<String> = sqlx::query_scalar("SELECT hash FROM files WHERE path = ?")
        .bind(&file.path)
        .fetch_optional(&mut *connection)
        .await?;
    sqlx::query(
        "INSERT OR REPLACE INTO files (path, hash, size_bytes, content_type, owner, at_s)
         VALUES (?, ?, ?, ?, ?, unixepoch())",
    )
    .bind(&file.path)
    .bind(&file.hash)
    .bind(i64::try_from(file.size_bytes).unwrap_or(i64::MAX))
    .bind(&file.content_type)
    .bind(&file.owner)
    .execute(&mut *connection)
    .await?;
    let orphan = sqlx::query_scalar("SELECT ?1 WHERE NOT EXISTS (SELECT 1 FROM files WHERE hash = ?1)");
    let orphan: Option<Option<String>> = orphan.bind(old).fetch_optional(connection).await?;
    Ok(orphan.flatten())
}
