//! The embedded database: SQLite in WAL mode with `synchronous=FULL`, so a commit is on disk when it returns. One
//! connection writes and a few read.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;

use sqlx::migrate::Migrator;
use sqlx::pool::PoolConnection;
use sqlx::sqlite::{
    SqliteAutoVacuum, SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};
use tokio::sync::Semaphore;
use tokio::time::Instant;

use self::row_batch::GroupCommitQueue;
use self::size::LogPruningTrigger;
use self::tokens::TokenRow;
use super::StoreError;
use crate::limits;

mod accounts;
mod backup;
mod broker;
mod files;
mod history;
mod importing;
mod invitations;
mod pruning;
mod row_batch;
mod scenes;
mod size;
mod tokens;

/// All migrations in order. Released files of `crates/server/migrations` never change.
static MIGRATIONS: Migrator = sqlx::migrate!("./migrations");

/// The connection pools of a data folder's database.
#[derive(Debug)]
pub(super) struct Sqlite {
    path: PathBuf,
    writer: SqlitePool,
    reader: SqlitePool,
    /// Turns for reading the log, fewer than there are readers.
    log_turns: Semaphore,
    tokens: GroupCommitQueue<TokenRow>,
    growth: LogPruningTrigger,
    /// The ceiling of the database's size.
    bytes_max: AtomicU64,
}

impl Sqlite {
    /// Opens the file and creates or migrates it as needed.
    pub(super) async fn open(path: &Path) -> Result<Sqlite, StoreError> {
        let is_new = make_private(path).map_err(|source| StoreError::Open { path: path.to_owned(), source })?;
        let options = SqliteConnectOptions::new()
            .filename(path)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(limits::BUSY_TIMEOUT)
            .pragma("journal_size_limit", limits::WAL_BYTES_KEPT.to_string());
        // `auto_vacuum` takes effect before the first table. Set again, it would make each connection write.
        let first = if is_new { options.clone().auto_vacuum(SqliteAutoVacuum::Incremental) } else { options.clone() };
        // Idle connections are kept: the writer's pragmas must hold as long as the server runs.
        let pool = || SqlitePoolOptions::new().idle_timeout(None).max_lifetime(None);
        // The pool tests the connection after each use, and a connection to a file doesn't end by itself.
        let writer = pool().max_connections(1).acquire_timeout(limits::WRITER_TIMEOUT).test_before_acquire(false);
        let writer = writer.connect_with(first).await?;
        migrate(&writer, path, &MIGRATIONS).await?;
        if let Err(error) = size::convert(&writer, path).await {
            tracing::warn!(%error, "the database's free space will not return to the disk");
        }
        let reader = pool().max_connections(limits::READERS).connect_with(options.pragma("query_only", "on")).await?;
        let (tokens, growth) = (GroupCommitQueue::default(), LogPruningTrigger::default());
        let (path, bytes_max) = (path.to_owned(), AtomicU64::new(u64::MAX));
        let log_turns = Semaphore::new(limits::LOG_READERS);
        Ok(Sqlite { path, writer, reader, log_turns, tokens, growth, bytes_max })
    }

    /// Acquires the writer for changes that are already accepted. Waits up to [`limits::WRITER_WAIT_MAX`], much
    /// longer than a request does.
    async fn patient_writer(&self) -> Result<PoolConnection<sqlx::Sqlite>, sqlx::Error> {
        let began = Instant::now();
        loop {
            match self.writer.acquire().await {
                Err(sqlx::Error::PoolTimedOut) if began.elapsed() < limits::WRITER_WAIT_MAX => {}
                acquired => return acquired,
            }
        }
    }
}

/// Creates a missing file readable by its owner only, because it holds password hashes. SQLite gives its other files
/// the same mode. Returns whether the file is empty.
fn make_private(path: &Path) -> std::io::Result<bool> {
    let mut options = std::fs::OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    Ok(options.open(path)?.metadata()?.len() == 0)
}

/// Migrates the tables to this version. Leaves a newer database untouched.
async fn migrate(pool: &SqlitePool, path: &Path, migrations: &Migrator) -> Result<(), StoreError> {
    let known = migrations.iter().map(|migration| migration.version).max().unwrap_or(0);
    let found = newest_applied(pool).await?;
    if found > known {
        return Err(StoreError::Newer { path: path.to_owned(), found, known });
    }
    migrations.run(pool).await.map_err(|source| StoreError::Migrate { path: path.to_owned(), source })
}

async fn newest_applied(pool: &SqlitePool) -> Result<i64, StoreError> {
    let table = sqlx::query("SELECT 1 FROM sqlite_master WHERE name = '_sqlx_migrations'").fetch_optional(pool).await?;
    if table.is_none() {
        return Ok(0);
    }
    Ok(sqlx::query_scalar("SELECT coalesce(max(version), 0) FROM _sqlx_migrations").fetch_one(pool).await?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{
        AccountStorage, BrokerStorage, HistoryQuery, HistoryReader, RestoreEntriesResult, RestorePoint, SceneStorage,
        TokenStorage,
    };

    /// A database with the first `known` migrations applied and then `statements` executed.
    async fn old_folder(path: &Path, known: usize, statements: &[&'static str]) {
        let options = SqliteConnectOptions::new().filename(path).create_if_missing(true);
        let pool = SqlitePool::connect_with(options).await.unwrap();
        let first = MIGRATIONS.iter().take(known).cloned().collect::<Vec<_>>();
        let migrations = Migrator { migrations: first.into(), ..Migrator::DEFAULT };
        migrate(&pool, path, &migrations).await.unwrap();
        for statement in statements {
            sqlx::query(*statement).execute(&pool).await.unwrap();
        }
        pool.close().await;
    }

    #[tokio::test]
    async fn a_database_of_an_older_version_is_migrated_with_its_content() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("realm.sqlite");
        old_folder(&path, 1, &["UPDATE realm SET epoch = 41"]).await;
        let store = Sqlite::open(&path).await.unwrap();
        let epoch: i64 = sqlx::query_scalar("SELECT epoch FROM realm").fetch_one(&store.reader).await.unwrap();
        assert_eq!(epoch, 41);
        let accounts: i64 = sqlx::query_scalar("SELECT count(*) FROM accounts").fetch_one(&store.reader).await.unwrap();
        assert_eq!(accounts, 0, "the later tables are there");
        let made: bool =
            sqlx::query_scalar("SELECT first_scenes_made FROM realm").fetch_one(&store.reader).await.unwrap();
        assert!(made, "a realm that has started before has its first scenes");
    }

    #[tokio::test]
    async fn queued_messages_survive_the_migration_to_shared_messages() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("realm.sqlite");
        let waiting = [
            "INSERT INTO sessions VALUES (1, 'ada', 'desk', 60, 9, 0), (2, 'ada', 'lab', 60, 9, 0)",
            "INSERT INTO deliveries VALUES (1, 1, x'01', 7, 1, 0, '[]', NULL, 0), (1, 2, x'02', 7, 2, 0, '[5]', 3, 1),
             (2, 1, x'01', 7, 1, 0, '[]', NULL, 0)",
        ];
        old_folder(&path, 6, &waiting).await;
        let store = Sqlite::open(&path).await.unwrap();
        let kept = store.load_broker().await.unwrap();
        let packets = |index: usize| {
            let deliveries = kept.sessions[index].deliveries.iter();
            deliveries.map(|delivery| delivery.message.packet.to_vec()).collect::<Vec<_>>()
        };
        assert_eq!([packets(0), packets(1)], [vec![vec![1], vec![2]], vec![vec![1]]]);
        let second = &kept.sessions[0].deliveries[1];
        assert_eq!((&second.subscription_ids[..], second.packet_id, second.released), (&[5][..], Some(3), true));
        for (gone, left) in [(1, 1), (2, 0)] {
            sqlx::query("DELETE FROM sessions WHERE id = ?").bind(gone).execute(&store.writer).await.unwrap();
            let count = sqlx::query_scalar("SELECT count(*) FROM deliveries").fetch_one(&store.reader).await;
            assert_eq!(count.ok(), Some(left), "it goes with its session");
        }
    }

    #[tokio::test]
    async fn history_of_an_older_version_is_listed_but_cannot_be_restored() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("realm.sqlite");
        let logged = [
            "INSERT INTO scenes (id, namespace, scene, settings, revision) VALUES (1, 'public', 'lobby', '{}', 4)",
            r#"INSERT INTO log (scene_id, revision, at_ms, author, object_id, patch, changes, size_bytes)
             VALUES (1, 4, 9, 'ada', 'lamp', '{"action":"create","data":{}}', 1, 30)"#,
        ];
        old_folder(&path, 7, &logged).await;
        let store = Sqlite::open(&path).await.unwrap();
        let lobby = "public/lobby".parse().unwrap();
        let query = HistoryQuery { entries_max: 9, ..HistoryQuery::default() };
        let page = store.history(&lobby, &query).await.unwrap().unwrap();
        assert_eq!((page.entries.len(), page.reaches, &page.entries[0].before), (1, Some(4), &None));
        let span = async |revision| store.history_since(&lobby, RestorePoint::Revision(revision), 9).await.unwrap();
        assert_eq!(span(3).await, Some(RestoreEntriesResult::TooOld(None)));
        assert_eq!(
            span(4).await,
            Some(RestoreEntriesResult::Whole { revision: 4, entries: Vec::new() }),
            "negative control"
        );
    }

    #[tokio::test]
    async fn a_case_insensitive_name_lookup_uses_indexes() {
        const LIKE: &str = "EXPLAIN QUERY PLAN SELECT EXISTS (SELECT 1 FROM accounts WHERE lower(name) = lower('ADA'))
            OR EXISTS (SELECT 1 FROM retired_names WHERE lower(name) = lower('ADA'))
            OR EXISTS (SELECT 1 FROM files WHERE lower(owner) = lower('ADA'))
            OR EXISTS (SELECT 1 FROM scenes WHERE lower(namespace) = lower('ADA'))";
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("realm.sqlite");
        old_folder(&path, 13, &["INSERT INTO accounts VALUES ('Ada', 'x', 0, 0)"]).await;
        let store = Sqlite::open(&path).await.unwrap();
        assert!(store.has_account_like("aDA").await.unwrap() && !store.has_account_like("ad").await.unwrap());
        let plan: Vec<(i64, i64, i64, String)> = sqlx::query_as(LIKE).fetch_all(&store.reader).await.unwrap();
        let steps: Vec<&str> = plan.iter().map(|(.., detail)| detail.as_str()).collect();
        let searches = steps.iter().filter(|step| step.contains("_by_folded_")).count();
        let scans = steps.iter().filter(|step| step.starts_with("SCAN") && !step.contains("CONSTANT")).count();
        assert_eq!((searches, scans), (4, 0), "{steps:?}");
    }

    #[tokio::test]
    async fn an_unfinished_import_is_no_scene_and_is_removed_at_the_next_start() {
        let dir = tempfile::tempdir().unwrap();
        let store = Sqlite::open(&dir.path().join("realm.sqlite")).await.unwrap();
        for statement in [
            "INSERT INTO scenes (id, namespace, scene, settings, epoch) VALUES (7, '!', 'x', '{}', 0)",
            "INSERT INTO objects (scene_id, object_id, record) VALUES (7, 'lamp', '{}')",
        ] {
            sqlx::query(statement).execute(&store.writer).await.unwrap();
        }
        let objects = async || {
            let count = sqlx::query_scalar("SELECT count(*) FROM objects").fetch_one(&store.reader);
            count.await.map(|count: i64| count)
        };
        assert_eq!((store.scenes().await.unwrap().len(), objects().await.ok()), (0, Some(1)));
        store.next_epoch().await.unwrap();
        assert_eq!(objects().await.ok(), Some(0));
    }

    #[tokio::test]
    async fn a_database_of_a_newer_schema_version_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("realm.sqlite");
        let store = Sqlite::open(&path).await.unwrap();
        sqlx::query("INSERT INTO _sqlx_migrations VALUES (9000, 'later', '2030-01-01', true, x'00', 1)")
            .execute(&store.writer)
            .await
            .unwrap();
        let refused = Sqlite::open(&path).await.expect_err("the folder is newer").to_string();
        assert!(refused.contains("schema 9000") && refused.contains("realm.sqlite"), "{refused}");
    }

    #[tokio::test]
    #[cfg(unix)]
    async fn the_database_files_are_private_to_their_owner() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("realm.sqlite");
        let _store = Sqlite::open(&path).await.unwrap();
        for name in ["realm.sqlite", "realm.sqlite-wal"] {
            let mode = std::fs::metadata(dir.path().join(name)).unwrap().permissions().mode();
            assert_eq!(mode & 0o077, 0, "{name}");
        }
    }

    #[tokio::test]
    async fn accepted_changes_wait_for_the_writer_but_requests_time_out_soon() {
        let dir = tempfile::tempdir().unwrap();
        let store = Sqlite::open(&dir.path().join("realm.sqlite")).await.unwrap();
        let held = store.writer.acquire().await.unwrap();
        tokio::time::pause();
        let began = Instant::now();
        let mut patient = std::pin::pin!(store.patient_writer());
        tokio::select! {
            _ = patient.as_mut() => panic!("it waits"),
            refused = store.revoke_token("pass") => assert!(refused.is_err()),
        }
        assert!(began.elapsed() < 2 * limits::WRITER_TIMEOUT, "{:?}", began.elapsed());
        let waited = tokio::time::timeout(limits::WRITER_WAIT_MAX / 2, patient.as_mut()).await;
        assert!(waited.is_err(), "it waits on");
        tokio::time::resume();
        drop(held);
        assert!(patient.await.is_ok());
    }

    #[tokio::test]
    async fn the_database_uses_wal_with_full_synchronous_commits() {
        let dir = tempfile::tempdir().unwrap();
        let store = Sqlite::open(&dir.path().join("realm.sqlite")).await.unwrap();
        let mode: String = sqlx::query_scalar("PRAGMA journal_mode").fetch_one(&store.writer).await.unwrap();
        let synchronous: i64 = sqlx::query_scalar("PRAGMA synchronous").fetch_one(&store.writer).await.unwrap();
        assert_eq!((mode.as_str(), synchronous), ("wal", 2));
    }
}
