//! The size of the database's files. Free pages return to the file system in small steps, so that acknowledged writes
//! never wait long.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use sqlx::sqlite::SqlitePool;
use stoa_state::realm::DatabaseSize;
use tokio::sync::Notify;

use super::Sqlite;
use crate::limits;
use crate::os::disk;
use crate::store::{DatabaseSizeControl, StoreError};

/// The value of `PRAGMA auto_vacuum` with which free pages can return to the file system.
const INCREMENTAL: i64 = 2;

/// The auto-vacuum mode, the bytes of a page, and the numbers of all pages and of free ones.
const PAGES: &str = "SELECT auto_vacuum, page_size, page_count, freelist_count
 FROM pragma_auto_vacuum, pragma_page_size, pragma_page_count, pragma_freelist_count";

/// Bytes that were logged since history was last pruned.
#[derive(Debug, Default)]
pub(super) struct LogPruningTrigger {
    bytes: AtomicU64,
    grown: Notify,
}

impl LogPruningTrigger {
    pub(super) fn add(&self, bytes: u64) {
        let before = self.bytes.fetch_add(bytes, Ordering::Relaxed);
        if before + bytes >= limits::LOG_GROWTH_BYTES {
            self.grown.notify_one();
        }
    }

    pub(super) fn reset(&self) {
        self.bytes.store(0, Ordering::Relaxed);
    }

    async fn wait(&self) {
        while self.bytes.load(Ordering::Relaxed) < limits::LOG_GROWTH_BYTES {
            self.grown.notified().await;
        }
    }
}

#[async_trait]
impl DatabaseSizeControl for Sqlite {
    fn database_size(&self) -> DatabaseSize {
        let bytes = file_bytes(&self.path) + file_bytes(&log_of(&self.path));
        DatabaseSize { bytes, bytes_max: self.bytes_max.load(Ordering::Relaxed) }
    }

    fn limit_size(&self, bytes_max: u64) {
        self.bytes_max.store(bytes_max, Ordering::Relaxed);
    }

    async fn shrink(&self) -> Result<bool, StoreError> {
        let mut writer = self.writer.acquire().await?;
        let (mode, page_bytes, pages, free): (i64, i64, i64, i64) =
            sqlx::query_as(PAGES).fetch_one(&mut *writer).await?;
        let is_much = free * limits::FREE_PART_MAX > pages || free * page_bytes > limits::FREE_BYTES_MAX;
        if mode != INCREMENTAL || !is_much {
            let content_bytes = (pages * page_bytes).unsigned_abs();
            if file_bytes(&self.path) > content_bytes {
                // SQLite shortens the file itself when it checkpoints the commits.
                sqlx::query("PRAGMA wal_checkpoint(PASSIVE)").execute(&mut *writer).await?;
            }
            return Ok(false);
        }
        let step = (limits::VACUUM_COMPARISONS_MAX / free).clamp(1, limits::VACUUM_PAGES_MAX);
        let vacuum = sqlx::AssertSqlSafe(format!("PRAGMA incremental_vacuum({step})"));
        sqlx::query(vacuum).execute(&mut *writer).await?;
        let left: i64 = sqlx::query_scalar("PRAGMA freelist_count").fetch_one(&mut *writer).await?;
        Ok(left < free)
    }

    async fn log_grown(&self) {
        self.growth.wait().await;
    }
}

impl Sqlite {
    /// Checks that an import may be stored. Errors: [`StoreError::Ceiling`].
    pub(super) fn check_size(&self) -> Result<(), StoreError> {
        let DatabaseSize { bytes, bytes_max } = self.database_size();
        if bytes < bytes_max { Ok(()) } else { Err(StoreError::Ceiling { mib: bytes_max >> 20 }) }
    }
}

/// Converts the file of an older version for [`DatabaseSizeControl::shrink`], if the conversion is quick and the disk
/// has space for a copy. Otherwise the file is not changed.
pub(super) async fn convert(writer: &SqlitePool, path: &Path) -> Result<(), StoreError> {
    let mut writer = writer.acquire().await?;
    let mode: i64 = sqlx::query_scalar("PRAGMA auto_vacuum").fetch_one(&mut *writer).await?;
    if mode == INCREMENTAL || !is_convertible(file_bytes(path), disk::free_bytes(path).unwrap_or(0)) {
        return Ok(());
    }
    for statement in ["PRAGMA auto_vacuum = INCREMENTAL", "VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"] {
        sqlx::query(statement).execute(&mut *writer).await?;
    }
    Ok(())
}

/// Whether a file is small enough to be converted at a start, and its disk has twice its bytes free.
fn is_convertible(bytes: u64, free_bytes: u64) -> bool {
    bytes <= limits::CONVERTED_BYTES_MAX && free_bytes >= 2 * bytes
}

/// SQLite's write-ahead log (WAL): commits that are not checkpointed into the database yet.
fn log_of(path: &Path) -> PathBuf {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    log.into()
}

fn file_bytes(path: &Path) -> u64 {
    path.metadata().map_or(0, |file| file.len())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::json;
    use stoa_state::grant::SceneSettings;

    use super::*;
    use crate::os::clock;
    use crate::store::tests::{object, put, sqlite, writes};
    use crate::store::{HistoryRetention, SceneContents, SceneImport, SceneStorage};

    async fn free_pages(store: &Sqlite) -> i64 {
        sqlx::query_scalar("PRAGMA freelist_count").fetch_one(&store.reader).await.unwrap()
    }

    async fn filled_and_emptied(store: &Sqlite) {
        for statement in [
            "CREATE TABLE ballast (id INTEGER PRIMARY KEY, bytes BLOB)",
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 32)
             INSERT INTO ballast (bytes) SELECT randomblob(1048576) FROM n",
            "DELETE FROM ballast",
        ] {
            sqlx::query(statement).execute(&store.writer).await.unwrap();
        }
    }

    #[tokio::test]
    async fn the_database_file_shrinks_after_its_content_is_deleted() {
        let dir = tempfile::tempdir().unwrap();
        let store = Sqlite::open(&dir.path().join("realm.sqlite")).await.unwrap();
        assert!(!store.shrink().await.unwrap(), "negative control: nothing is free");
        filled_and_emptied(&store).await;
        assert!(store.database_size().bytes > 32 << 20 && free_pages(&store).await > 8_000, "negative control");
        while store.shrink().await.unwrap() {}
        store.shrink().await.unwrap();
        let pages: i64 = sqlx::query_scalar("PRAGMA page_count").fetch_one(&store.reader).await.unwrap();
        let free = free_pages(&store).await;
        assert!(5 * free <= pages, "{free} of {pages} pages are free");
        assert!(file_bytes(&store.path) < 2 << 20, "{} bytes", file_bytes(&store.path));
        let DatabaseSize { bytes, .. } = store.database_size();
        assert!(bytes < (4 << 20) + limits::WAL_BYTES_KEPT, "{bytes} bytes with the log");
    }

    /// Opens a database of an older version, whose file of this size is nearly empty.
    async fn opened_of_an_older_version(dir: &tempfile::TempDir, file_bytes: u64) -> Sqlite {
        let path = dir.path().join("realm.sqlite");
        let options = sqlx::sqlite::SqliteConnectOptions::new().filename(&path).create_if_missing(true);
        let older = SqlitePool::connect_with(options).await.unwrap();
        for statement in ["CREATE TABLE kept (id INTEGER PRIMARY KEY)", "INSERT INTO kept VALUES (7)"] {
            sqlx::query(statement).execute(&older).await.unwrap();
        }
        older.close().await;
        std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(file_bytes).unwrap();
        Sqlite::open(&path).await.unwrap()
    }

    async fn mode_and_content(store: &Sqlite) -> (i64, i64) {
        let mode = sqlx::query_scalar("PRAGMA auto_vacuum").fetch_one(&store.reader).await.unwrap();
        (mode, sqlx::query_scalar("SELECT id FROM kept").fetch_one(&store.reader).await.unwrap())
    }

    #[tokio::test]
    async fn a_small_older_database_gets_incremental_vacuum_and_keeps_its_content() {
        let dir = tempfile::tempdir().unwrap();
        let store = opened_of_an_older_version(&dir, 1 << 20).await;
        assert_eq!(mode_and_content(&store).await, (INCREMENTAL, 7));
        filled_and_emptied(&store).await;
        assert!(store.shrink().await.unwrap());
    }

    #[tokio::test]
    async fn a_large_older_database_is_not_converted() {
        let dir = tempfile::tempdir().unwrap();
        let store = opened_of_an_older_version(&dir, limits::CONVERTED_BYTES_MAX + 4_096).await;
        assert_eq!(mode_and_content(&store).await, (0, 7));
        assert!(!store.shrink().await.unwrap());
    }

    #[test]
    fn a_database_is_converted_below_a_limit_if_twice_its_size_is_free() {
        let most = limits::CONVERTED_BYTES_MAX;
        assert!(is_convertible(most, 2 * most) && !is_convertible(most + 1, u64::MAX));
        assert!(!is_convertible(most, 2 * most - 1) && is_convertible(most / 2, most));
    }

    #[tokio::test]
    async fn uncheckpointed_commits_count_towards_the_database_size() {
        let dir = tempfile::tempdir().unwrap();
        let store = sqlite(&dir).await;
        let (before, of_file) = (store.database_size().bytes, file_bytes(&store.path));
        store.append(writes([put(1, "text", json!({"text": "x".repeat(1 << 20)}))])).await.unwrap();
        assert_eq!(file_bytes(&store.path), of_file, "negative control: nothing is folded in");
        let added = store.database_size().bytes - before;
        assert!(added >= 2 << 20, "the object and its log entry: {added}");
    }

    #[tokio::test]
    async fn log_growth_counts_changes_and_imports_since_the_last_pruning() {
        let dir = tempfile::tempdir().unwrap();
        let store = sqlite(&dir).await;
        let text = json!({"text": "x".repeat(10_000)});
        let grown = || store.growth.bytes.load(Ordering::Relaxed) / 10_000;
        store.append(writes([put(1, "text", text.clone())])).await.unwrap();
        assert_eq!(grown(), 1);
        let objects = vec![object("one", text.clone()), object("two", text)];
        let carried = SceneContents { settings: SceneSettings::default(), objects, files: Vec::new() };
        let import = SceneImport { name: "public/den".parse().unwrap(), carried, replace: false, author: None };
        store.import_scene(&import).await.unwrap();
        assert_eq!(grown(), 3);
        let keep = HistoryRetention { age: Duration::MAX, bytes: u64::MAX };
        store.prune(keep, clock::unix_now()).await.unwrap();
        assert_eq!(grown(), 0);
    }

    #[tokio::test]
    async fn log_growth_at_its_limit_triggers_one_pruning() {
        let growth = LogPruningTrigger::default();
        let reported = async || tokio::time::timeout(std::time::Duration::ZERO, growth.wait()).await.is_ok();
        growth.add(limits::LOG_GROWTH_BYTES - 1);
        assert!(!reported().await);
        growth.add(1);
        assert!(reported().await);
        growth.reset();
        assert!(!reported().await);
    }
}
