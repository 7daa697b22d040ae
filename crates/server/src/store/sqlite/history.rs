//! Reads scenes' logs in SQLite.

use async_trait::async_trait;
use futures_util::TryStreamExt;
use sqlx::sqlite::SqliteRow;
use sqlx::{QueryBuilder, Row, SqliteConnection};
use stoa_state::scene::UnixMillis;
use stoa_wire::topic::SceneName;

use super::Sqlite;
use super::scenes::{from_json, integer};
use crate::limits;
use crate::store::{
    HistoryEntry, HistoryPage, HistoryQuery, HistoryReader, LogEntryJson, RestoreEntriesResult, RestorePoint,
    StoreError,
};

/// The columns for display. Long values are left out.
const SELECTED: &str =
    "SELECT revision, at_ms, author, guest_name, object_id, changes, json_extract(patch, '$.action') AS action,
 CASE WHEN length(patch) <= 16384 THEN patch END AS patch, CASE WHEN length(before) <= 16384 THEN before END AS before,
 coalesce(length(patch) > 16384 OR length(before) > 16384, 0) AS is_long,
 CASE WHEN before LIKE '[%' THEN json_array_length(before) END AS objects";

const REACHES: &str = "SELECT coalesce((SELECT max(revision) FROM log WHERE scene_id = ?1 AND before IS NULL),
 (SELECT min(revision) - 1 FROM log WHERE scene_id = ?1))";

/// The newest revision up to a time. The wall clock may have been set back, so the query compares some entries.
const NEWEST_UNTIL: &str = "SELECT max(revision) FROM (SELECT revision FROM log WHERE scene_id = ?1 AND at_ms <= ?2
 ORDER BY at_ms DESC, revision DESC LIMIT ?3)";

/// The oldest revision from a time on. The wall clock may have been set back, so the query compares some entries.
const OLDEST_FROM: &str = "SELECT min(revision) FROM (SELECT revision FROM log WHERE scene_id = ?1 AND at_ms >= ?2
 ORDER BY at_ms, revision LIMIT ?3)";

#[async_trait]
impl HistoryReader for Sqlite {
    async fn history(&self, name: &SceneName, query: &HistoryQuery) -> Result<Option<HistoryPage>, StoreError> {
        let _turn = self.log_turn().await;
        let mut transaction = self.reader.begin().await?;
        let Some(scene_id) = scene_id(&mut transaction, name).await? else { return Ok(None) };
        let mut page = match LogRange::of(&mut transaction, scene_id, query).await? {
            Some(range) => range.page(&mut transaction, query).await?,
            None => HistoryPage::default(),
        };
        let oldest: Option<i64> =
            sqlx::query_scalar("SELECT at_ms FROM log WHERE scene_id = ? AND changes > 0 ORDER BY revision LIMIT 1")
                .bind(scene_id)
                .fetch_optional(&mut *transaction)
                .await?;
        page.oldest = oldest.map(|at| UnixMillis(at.unsigned_abs()));
        page.reaches = reaches(&mut transaction, scene_id).await?;
        Ok(Some(page))
    }

    async fn history_since(
        &self,
        name: &SceneName,
        since: RestorePoint,
        through: u64,
    ) -> Result<Option<RestoreEntriesResult>, StoreError> {
        let _turn = self.log_turn().await;
        let mut transaction = self.reader.begin().await?;
        let Some(scene_id) = scene_id(&mut transaction, name).await? else { return Ok(None) };
        let Some(reaches) = reaches(&mut transaction, scene_id).await? else {
            return Ok(Some(RestoreEntriesResult::TooOld(None)));
        };
        let revision = match since {
            RestorePoint::Revision(revision) => Some(revision),
            RestorePoint::Time { at, at_most } => {
                let last = revision_near(&mut transaction, NEWEST_UNTIL, (scene_id, at)).await?;
                let last = last.map(i64::unsigned_abs);
                if at_most { Some(last.map_or(reaches, |last| last.max(reaches))) } else { last }
            }
        };
        let Some(revision) = revision.filter(|revision| *revision >= reaches) else {
            let oldest = "SELECT at_ms FROM log WHERE scene_id = ? AND revision > ? ORDER BY revision LIMIT 1";
            let oldest = sqlx::query_scalar(oldest).bind(scene_id).bind(integer(reaches));
            let oldest: Option<i64> = oldest.fetch_optional(&mut *transaction).await?;
            return Ok(Some(RestoreEntriesResult::TooOld(oldest.map(|at| UnixMillis(at.unsigned_abs())))));
        };
        let rows = sqlx::query(
            "SELECT revision, author, object_id, patch, before, size_bytes FROM log
             WHERE scene_id = ? AND revision > ? AND revision <= ? ORDER BY revision DESC",
        );
        let mut rows = rows.bind(scene_id).bind(integer(revision)).bind(integer(through)).fetch(&mut *transaction);
        let (mut entries, mut bytes) = (Vec::new(), 0);
        while let Some(row) = rows.try_next().await? {
            bytes += row.try_get::<i64, _>("size_bytes")?.unsigned_abs();
            entries.push(logged(&row)?);
            if entries.len() > limits::SPAN_ENTRIES_MAX || bytes > limits::SPAN_BYTES_MAX as u64 {
                return Ok(Some(RestoreEntriesResult::TooMany { entries: entries.len() as u64, bytes }));
            }
        }
        Ok(Some(RestoreEntriesResult::Whole { revision, entries }))
    }
}

impl Sqlite {
    /// Waits for a turn to read the log. Reads of the log leave one reader to the rest of the server.
    async fn log_turn(&self) -> tokio::sync::SemaphorePermit<'_> {
        self.log_turns.acquire().await.expect("the semaphore is never closed")
    }
}

/// A part of a scene's log that one request reads.
#[derive(Clone, Copy, Debug)]
struct LogRange {
    scene_id: i64,
    newest: i64,
    oldest: i64,
    /// Whether older entries remain for the next request.
    is_cut: bool,
}

/// The revision and the bytes of an entry.
#[derive(Debug, sqlx::FromRow)]
struct EntrySize {
    revision: i64,
    size_bytes: i64,
}

impl LogRange {
    /// The range of the query's revisions and times, with at most [`limits::LOG_SCANNED_MAX`] entries to walk over.
    /// `None` if no entry has such a time.
    async fn of(
        connection: &mut SqliteConnection,
        scene_id: i64,
        query: &HistoryQuery,
    ) -> Result<Option<LogRange>, StoreError> {
        let before = query.before.map_or(i64::MAX, integer);
        let mut range = LogRange { scene_id, newest: before.saturating_sub(1), oldest: 0, is_cut: false };
        if let Some(until) = query.until {
            let newest = revision_near(connection, NEWEST_UNTIL, (scene_id, until)).await?;
            let Some(newest) = newest else { return Ok(None) };
            range.newest = range.newest.min(newest);
        }
        if let Some(from) = query.from {
            let oldest = revision_near(connection, OLDEST_FROM, (scene_id, from)).await?;
            let Some(oldest) = oldest else { return Ok(None) };
            range.oldest = oldest;
        }
        let mut beyond = QueryBuilder::new("SELECT revision");
        range.push_walked(&mut beyond, query);
        beyond.push(" ORDER BY revision DESC LIMIT 1 OFFSET ").push_bind(limits::LOG_SCANNED_MAX);
        let beyond: Option<i64> = beyond.build_query_scalar().fetch_optional(connection).await?;
        if let Some(beyond) = beyond {
            (range.oldest, range.is_cut) = (beyond + 1, true);
        }
        Ok(Some(range))
    }

    /// Appends SQL that walks over the entries of the query's object, or else of its author, or else of the scene. The
    /// named index keeps SQLite from a longer walk.
    fn push_walked(&self, into: &mut QueryBuilder<sqlx::Sqlite>, query: &HistoryQuery) {
        let (index, column, value) = match (&query.object_id, &query.author) {
            (Some(object_id), _) => ("log_by_object", "object_id", Some(object_id)),
            (None, Some(author)) => ("log_by_author", "author", Some(author)),
            (None, None) => ("log_by_scene", "scene_id", None),
        };
        into.push(format_args!(" FROM log INDEXED BY {index} WHERE scene_id = ")).push_bind(self.scene_id);
        if let Some(value) = value {
            into.push(format_args!(" AND {column} = ")).push_bind(value.clone());
        }
        into.push(" AND revision >= ").push_bind(self.oldest);
        into.push(" AND revision <= ").push_bind(self.newest);
    }

    /// Appends SQL that selects the walked entries which match all conditions, newest first. It ends with `LIMIT`; the
    /// caller appends the number.
    fn push_selected(&self, into: &mut QueryBuilder<sqlx::Sqlite>, query: &HistoryQuery) {
        self.push_walked(into, query);
        if let (Some(_), Some(author)) = (&query.object_id, &query.author) {
            into.push(" AND author = ").push_bind(author.clone());
        }
        if let Some(from) = query.from {
            into.push(" AND at_ms >= ").push_bind(integer(from.0));
        }
        if let Some(until) = query.until {
            into.push(" AND at_ms <= ").push_bind(integer(until.0));
        }
        // Entries without a change mark where pruning left a gap.
        into.push(" AND changes > 0 ORDER BY revision DESC LIMIT ");
    }

    /// The query's entries in the range, up to its page size and [`limits::HISTORY_PAGE_BYTES_MAX`]. A longer first
    /// entry is returned alone.
    async fn page(self, connection: &mut SqliteConnection, query: &HistoryQuery) -> Result<HistoryPage, StoreError> {
        let most = i64::try_from(query.entries_max).unwrap_or(i64::MAX - 1);
        let mut sizes = QueryBuilder::new("SELECT revision, size_bytes");
        self.push_selected(&mut sizes, query);
        sizes.push_bind(most + 1);
        let sizes: Vec<EntrySize> = sizes.build_query_as().fetch_all(&mut *connection).await?;
        let (mut bytes, mut count) = (0, 0);
        for entry in sizes.iter().take(query.entries_max) {
            bytes += entry.size_bytes.unsigned_abs();
            if count > 0 && bytes > limits::HISTORY_PAGE_BYTES_MAX {
                break;
            }
            count += 1;
        }
        let Some(last) = sizes[..count].last().map(|entry| entry.revision) else {
            let next = self.is_cut.then_some(self.oldest.unsigned_abs());
            return Ok(HistoryPage { next, ..HistoryPage::default() });
        };
        let mut wanted = QueryBuilder::new(SELECTED);
        LogRange { oldest: last, ..self }.push_selected(&mut wanted, query);
        wanted.push_bind(most);
        let rows = wanted.build().fetch_all(connection).await?;
        let entries = rows.iter().map(told).collect::<Result<_, _>>()?;
        let next = if sizes.len() > count { Some(last) } else { self.is_cut.then_some(self.oldest) };
        Ok(HistoryPage { entries, next: next.map(i64::unsigned_abs), ..HistoryPage::default() })
    }
}

/// Runs [`NEWEST_UNTIL`] or [`OLDEST_FROM`] for a scene and a time.
async fn revision_near(
    connection: &mut SqliteConnection,
    query: &'static str,
    near: (i64, UnixMillis),
) -> Result<Option<i64>, StoreError> {
    let query = sqlx::query_scalar(query).bind(near.0).bind(integer(near.1.0)).bind(limits::LOG_SCANNED_MAX);
    Ok(query.fetch_one(connection).await?)
}

async fn scene_id(connection: &mut SqliteConnection, name: &SceneName) -> Result<Option<i64>, StoreError> {
    let query = sqlx::query_scalar("SELECT id FROM scenes WHERE namespace = ? AND scene = ?");
    Ok(query.bind(name.namespace()).bind(name.scene()).fetch_optional(connection).await?)
}

/// The earliest revision to which the log can be undone: the revision of the newest entry without a replaced state,
/// or else the revision before the oldest entry.
async fn reaches(connection: &mut SqliteConnection, scene_id: i64) -> Result<Option<u64>, StoreError> {
    let reaches: Option<i64> = sqlx::query_scalar(REACHES).bind(scene_id).fetch_one(connection).await?;
    Ok(reaches.map(i64::unsigned_abs))
}

fn told(row: &SqliteRow) -> Result<HistoryEntry, StoreError> {
    let number = |column: &str| row.try_get::<i64, _>(column).map(i64::unsigned_abs);
    let text = |column: &str| row.try_get::<Option<&str>, _>(column);
    Ok(HistoryEntry {
        revision: number("revision")?,
        at: UnixMillis(number("at_ms")?),
        author: row.try_get("author")?,
        guest_name: row.try_get("guest_name")?,
        object_id: row.try_get("object_id")?,
        action: row.try_get::<Option<String>, _>("action")?.unwrap_or_default(),
        patch: text("patch")?.map(|patch| from_json(patch, "patch")).transpose()?,
        before: text("before")?.map(|before| from_json(before, "before")).transpose()?,
        is_long: row.try_get("is_long")?,
        objects: row.try_get::<Option<i64>, _>("objects")?.map(i64::unsigned_abs),
        changes: number("changes")?,
    })
}

fn logged(row: &SqliteRow) -> Result<LogEntryJson, StoreError> {
    Ok(LogEntryJson {
        revision: row.try_get::<i64, _>("revision")?.unsigned_abs(),
        author: row.try_get("author")?,
        object_id: row.try_get("object_id")?,
        patch: row.try_get("patch")?,
        before: row.try_get("before")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The steps of SQLite for a query.
    async fn plan_of(store: &Sqlite, query: &str) -> Vec<String> {
        let plan = sqlx::query(sqlx::AssertSqlSafe(format!("EXPLAIN QUERY PLAN {query}")));
        let plan = plan.fetch_all(&store.reader).await.unwrap();
        plan.iter().map(|row| row.get("detail")).collect()
    }

    fn has_step(plan: &[String], part: &str) -> bool {
        plan.iter().any(|step| step.contains(part)) && !plan.iter().any(|step| step.contains("TEMP B-TREE"))
    }

    /// A scene with `count` entries by `ada` of an object `lamp`, a second apart. The first one is by `bob`.
    async fn long_history(count: u32) -> (tempfile::TempDir, Sqlite) {
        let dir = tempfile::tempdir().unwrap();
        let store = Sqlite::open(&dir.path().join("realm.sqlite")).await.unwrap();
        for statement in [
            "INSERT INTO scenes (id, namespace, scene, settings) VALUES (1, 'public', 'lobby', '{}')".to_owned(),
            format!(
                "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count})
                 INSERT INTO log (scene_id, revision, at_ms, author, object_id, patch, before, changes, size_bytes)
                 SELECT 1, i, i * 1000, iif(i = 1, 'bob', 'ada'), 'lamp', '{{}}', '{{}}', 1, 4 FROM n"
            ),
        ] {
            sqlx::query(sqlx::AssertSqlSafe(statement)).execute(&store.writer).await.unwrap();
        }
        (dir, store)
    }

    async fn page(store: &Sqlite, query: HistoryQuery) -> (Vec<u64>, Option<u64>) {
        let page = store.history(&"public/lobby".parse().unwrap(), &query).await.unwrap().unwrap();
        (page.entries.iter().map(|entry| entry.revision).collect(), page.next)
    }

    #[tokio::test]
    async fn the_reach_of_a_history_is_found_by_an_index() {
        let (_dir, store) = long_history(1).await;
        let plan = plan_of(&store, REACHES).await;
        assert!(has_step(&plan, "INDEX log_without_before"), "{plan:?}");
    }

    #[tokio::test]
    async fn a_time_in_a_history_is_found_by_an_index() {
        let (_dir, store) = long_history(1).await;
        for query in [NEWEST_UNTIL, OLDEST_FROM] {
            let plan = plan_of(&store, query).await;
            assert!(has_step(&plan, "COVERING INDEX log_by_scene_time"), "{plan:?}");
        }
    }

    #[tokio::test]
    async fn each_history_filter_uses_its_own_index() {
        let (_dir, store) = long_history(1).await;
        let some = || Some("x".to_owned());
        let (until, from) = (Some(UnixMillis(9)), Some(UnixMillis(1)));
        let all = HistoryQuery { until, from, ..HistoryQuery::default() };
        for (query, index) in [
            (all.clone(), "log_by_scene "),
            (HistoryQuery { author: some(), ..all.clone() }, "log_by_author "),
            (HistoryQuery { author: some(), object_id: some(), ..all }, "log_by_object "),
        ] {
            let range = LogRange { scene_id: 1, newest: 9, oldest: 1, is_cut: false };
            let mut selected = QueryBuilder::new("SELECT revision, size_bytes");
            range.push_selected(&mut selected, &query);
            let plan = plan_of(&store, selected.push("9").sql().as_str()).await;
            assert!(has_step(&plan, &format!("INDEX {index}")), "{plan:?}");
        }
    }

    #[tokio::test]
    async fn a_history_page_until_an_old_time_skips_newer_entries() {
        let (_dir, store) = long_history(3 * limits::LOG_SCANNED_MAX).await;
        let until = Some(UnixMillis(3_500));
        let query = HistoryQuery { until, entries_max: 2, ..HistoryQuery::default() };
        assert_eq!(page(&store, query.clone()).await, (vec![3, 2], Some(2)));
        assert_eq!(page(&store, HistoryQuery { before: Some(2), ..query.clone() }).await, (vec![1], None));
        assert_eq!(page(&store, HistoryQuery { until: Some(UnixMillis(999)), ..query }).await, (vec![], None));
    }

    #[tokio::test]
    async fn a_search_for_a_rare_entry_continues_by_its_cursor() {
        let (_dir, store) = long_history(2 * limits::LOG_SCANNED_MAX + 1).await;
        let (object_id, author) = (Some("lamp".to_owned()), Some("bob".to_owned()));
        let mut query = HistoryQuery { object_id, author, entries_max: 2, ..HistoryQuery::default() };
        for part in [1, 0] {
            let (found, next) = page(&store, query.clone()).await;
            assert_eq!((found, next), (vec![], Some(u64::from(part * limits::LOG_SCANNED_MAX + 2))));
            query.before = next;
        }
        assert_eq!(page(&store, query).await, (vec![1], None));
    }

    #[tokio::test]
    async fn history_pages_are_bounded_by_their_bytes() {
        let (_dir, store) = long_history(5).await;
        let half = limits::HISTORY_PAGE_BYTES_MAX / 2;
        let sizes = sqlx::query("UPDATE log SET size_bytes = iif(revision = 1, 3 * ?1, ?1)").bind(integer(half));
        sizes.execute(&store.writer).await.unwrap();
        let mut query = HistoryQuery { entries_max: 9, ..HistoryQuery::default() };
        for expected in [(vec![5, 4], Some(4)), (vec![3, 2], Some(2)), (vec![1], None)] {
            assert_eq!(page(&store, query.clone()).await, expected);
            query.before = expected.1;
        }
    }

    #[tokio::test]
    async fn history_reads_take_turns_and_leave_database_readers_free() {
        let (_dir, store) = long_history(1).await;
        let turn = store.log_turn().await;
        let query = || HistoryQuery { entries_max: 1, ..HistoryQuery::default() };
        let waiting = async { tokio::join!(page(&store, query()), page(&store, query())) };
        let mut waiting = std::pin::pin!(waiting);
        tokio::select! {
            read = waiting.as_mut() => panic!("{read:?} before its turn"),
            () = async {
                // Both readers are free while the histories wait for their turn.
                let _both = tokio::join!(store.reader.acquire(), store.reader.acquire());
            } => {}
        }
        drop(turn);
        assert_eq!(waiting.await, ((vec![1], None), (vec![1], None)));
    }
}
