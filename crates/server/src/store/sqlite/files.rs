//! Names of files in SQLite.

use std::collections::BTreeSet;

use async_trait::async_trait;
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection};
use stoa_state::time::UnixSeconds;

use super::Sqlite;
use crate::limits;
use crate::store::{FileNameStorage, FileRow, FileUsage, FolderListingEntry, StoreError};

/// Groups the paths below `folder` by their part up to the next slash.
const LISTED: &str = "SELECT CASE instr(rest, '/') WHEN 0 THEN rest ELSE substr(rest, 1, instr(rest, '/')) END AS name,
        sum(size_bytes) AS size_bytes, max(at_s) AS at_s
    FROM (SELECT substr(path, length(?1) + 1) AS rest, size_bytes, at_s FROM files WHERE path > ?1 AND path < ?2)
    GROUP BY name ORDER BY name LIMIT ?3";

#[async_trait]
impl FileNameStorage for Sqlite {
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

    async fn files_in(&self, folder: &str) -> Result<Vec<FolderListingEntry>, StoreError> {
        let listed = sqlx::query(LISTED).bind(folder).bind(end_of(folder)).bind(limits::FILES_LISTED_MAX);
        let rows = listed.fetch_all(&self.reader).await?;
        let entry = |row: &SqliteRow| {
            Ok(FolderListingEntry {
                name: row.try_get("name")?,
                size_bytes: row.try_get::<i64, _>("size_bytes")?.max(0).unsigned_abs(),
                changed_at: UnixSeconds(row.try_get::<i64, _>("at_s")?.max(0).unsigned_abs()),
            })
        };
        rows.iter().map(entry).collect()
    }

    async fn remove_files(&self, path: &str) -> Result<(u64, Vec<String>), StoreError> {
        let mut transaction = self.writer.begin().await?;
        let removed = if path.ends_with('/') {
            let below = sqlx::query_scalar("DELETE FROM files WHERE path > ?1 AND path < ?2 RETURNING hash");
            below.bind(path).bind(end_of(path)).fetch_all(&mut *transaction).await?
        } else {
            let one = sqlx::query_scalar("DELETE FROM files WHERE path = ?1 RETURNING hash");
            one.bind(path).fetch_all(&mut *transaction).await?
        };
        let removed: Vec<String> = removed;
        let count = removed.len() as u64;
        let orphans = unnamed(&mut transaction, removed.into_iter().collect()).await?;
        transaction.commit().await?;
        Ok((count, orphans))
    }

    async fn unnamed(&self, hashes: Vec<String>) -> Result<Vec<String>, StoreError> {
        let mut connection = self.writer.acquire().await?;
        unnamed(&mut connection, hashes.into_iter().collect()).await
    }

    async fn files_of(&self, owner: &str) -> Result<FileUsage, StoreError> {
        let query =
            sqlx::query("SELECT count(*) AS files, coalesce(sum(size_bytes), 0) AS bytes FROM files WHERE owner = ?");
        let row = query.bind(owner).fetch_one(&self.reader).await?;
        let count = |name: &str| Ok::<u64, StoreError>(row.try_get::<i64, _>(name)?.max(0).unsigned_abs());
        Ok(FileUsage { files: count("files")?, bytes: count("bytes")? })
    }
}

/// Returns the members of `hashes` that no file refers to.
async fn unnamed(connection: &mut SqliteConnection, hashes: BTreeSet<String>) -> Result<Vec<String>, StoreError> {
    let mut orphans = Vec::new();
    for hash in hashes {
        let named = sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM files WHERE hash = ?1)");
        let is_named: bool = named.bind(&hash).fetch_one(&mut *connection).await?;
        if !is_named {
            orphans.push(hash);
        }
    }
    Ok(orphans)
}

/// The exclusive upper bound of the paths below `folder`: `0` follows `/` in ASCII.
fn end_of(folder: &str) -> String {
    folder.strip_suffix('/').map_or_else(|| char::MAX.to_string(), |name| format!("{name}0"))
}

/// Sets a path's content. Returns the replaced content's hash if no path refers to it any more.
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
