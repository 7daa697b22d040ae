//! Reads the log.

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
    HistoryEntry, HistoryPage, HistoryQuery, HistorySpan, HistoryStorage, LoggedText, RestorePoint, StoreError,
};

/// The columns for display. Long values are left out.
const SELECTED: &str =
    "SELECT revision, at_ms, author, guest_name, object_id, changes, json_extract(patch, '$.action') AS action,
 CASE WHEN length(patch) <= 16384 THEN patch END AS patch, CASE WHEN length(before) <= 16384 THEN before END AS before,
 coalesce(length(patch) > 16384 OR length(before) > 16384, 0) AS is_long,
 CASE WHEN before LIKE '[%' THEN json_array_length(before) END AS objects FROM log WHERE scene_id = ";

const REACHES: &str = "SELECT coalesce((SELECT max(revision) FROM log WHERE scene_id = ?1 AND before IS NULL),
 (SELECT min(revision) - 1 FROM log WHERE scene_id = ?1))";

#[async_trait]
impl HistoryStorage for Sqlite {
    async fn history(&self, name: &SceneName, query: &HistoryQuery) -> Result<Option<HistoryPage>, StoreError> {
        let mut transaction = self.reader.begin().await?;
        let Some(scene_id) = scene_id(&mut transaction, name).await? else { return Ok(None) };
        let mut wanted = QueryBuilder::new(SELECTED);
        // Entries without a change mark where pruning left a gap.
        wanted.push_bind(scene_id).push(" AND changes > 0");
        if let Some(before) = query.before {
            wanted.push(" AND revision < ").push_bind(integer(before));
        }
        if let Some(object_id) = &query.object_id {
            wanted.push(" AND object_id = ").push_bind(object_id);
        }
        if let Some(author) = &query.author {
            wanted.push(" AND author = ").push_bind(author);
        }
        if let Some(from) = query.from {
            wanted.push(" AND at_ms >= ").push_bind(integer(from.0));
        }
        if let Some(until) = query.until {
            wanted.push(" AND at_ms <= ").push_bind(integer(until.0));
        }
        let most = i64::try_from(query.entries_max).unwrap_or(i64::MAX - 1);
        wanted.push(" ORDER BY revision DESC LIMIT ").push_bind(most + 1);
        let rows = wanted.build().fetch_all(&mut *transaction).await?;
        let entries = rows.iter().take(query.entries_max).map(told).collect::<Result<_, _>>()?;
        let oldest: Option<i64> =
            sqlx::query_scalar("SELECT at_ms FROM log WHERE scene_id = ? AND changes > 0 ORDER BY revision LIMIT 1")
                .bind(scene_id)
                .fetch_optional(&mut *transaction)
                .await?;
        Ok(Some(HistoryPage {
            entries,
            has_more: rows.len() > query.entries_max,
            oldest: oldest.map(|at| UnixMillis(at.unsigned_abs())),
            reaches: reaches(&mut transaction, scene_id).await?,
        }))
    }

    async fn history_since(
        &self,
        name: &SceneName,
        since: RestorePoint,
        through: u64,
    ) -> Result<Option<HistorySpan>, StoreError> {
        let mut transaction = self.reader.begin().await?;
        let Some(scene_id) = scene_id(&mut transaction, name).await? else { return Ok(None) };
        let Some(reaches) = reaches(&mut transaction, scene_id).await? else {
            return Ok(Some(HistorySpan::TooOld(None)));
        };
        let revision = match since {
            RestorePoint::Revision(revision) => Some(revision),
            RestorePoint::Time { at, at_most } => {
                let last = "SELECT max(revision) FROM log WHERE scene_id = ? AND at_ms <= ?";
                let last: Option<i64> =
                    sqlx::query_scalar(last).bind(scene_id).bind(integer(at.0)).fetch_one(&mut *transaction).await?;
                let last = last.map(i64::unsigned_abs);
                if at_most { Some(last.map_or(reaches, |last| last.max(reaches))) } else { last }
            }
        };
        let Some(revision) = revision.filter(|revision| *revision >= reaches) else {
            let oldest = "SELECT min(at_ms) FROM log WHERE scene_id = ? AND revision > ?";
            let oldest: Option<i64> =
                sqlx::query_scalar(oldest).bind(scene_id).bind(integer(reaches)).fetch_one(&mut *transaction).await?;
            return Ok(Some(HistorySpan::TooOld(oldest.map(|at| UnixMillis(at.unsigned_abs())))));
        };
        let size = "SELECT count(*) AS entries, coalesce(sum(size_bytes), 0) AS bytes FROM log WHERE scene_id = ? AND revision > ? AND revision <= ?";
        let size = sqlx::query(size).bind(scene_id).bind(integer(revision)).bind(integer(through));
        let size = size.fetch_one(&mut *transaction).await?;
        let number = |column: &str| size.try_get::<i64, _>(column).map(i64::unsigned_abs);
        let (entries, bytes) = (number("entries")?, number("bytes")?);
        if entries > limits::SPAN_ENTRIES_MAX as u64 || bytes > limits::SPAN_BYTES_MAX as u64 {
            return Ok(Some(HistorySpan::TooMany { entries, bytes }));
        }
        let rows = sqlx::query(
            "SELECT revision, author, object_id, patch, before FROM log
             WHERE scene_id = ? AND revision > ? AND revision <= ? ORDER BY revision DESC",
        );
        let mut rows = rows.bind(scene_id).bind(integer(revision)).bind(integer(through)).fetch(&mut *transaction);
        let mut entries = Vec::new();
        while let Some(row) = rows.try_next().await? {
            entries.push(logged(&row)?);
        }
        Ok(Some(HistorySpan::Whole { revision, entries }))
    }
}

async fn scene_id(connection: &mut SqliteConnection, name: &SceneName) -> Result<Option<i64>, StoreError> {
    let query = sqlx::query_scalar("SELECT id FROM scenes WHERE namespace = ? AND scene = ?");
    Ok(query.bind(name.namespace()).bind(name.scene()).fetch_optional(connection).await?)
}

/// The earliest revision that the log leads back to: the one before its oldest entry, or that of the last entry
/// without a replaced state.
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

fn logged(row: &SqliteRow) -> Result<LoggedText, StoreError> {
    Ok(LoggedText {
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

    #[tokio::test]
    async fn how_far_the_log_reaches_is_found_without_walking_over_it() {
        let dir = tempfile::tempdir().unwrap();
        let store = Sqlite::open(&dir.path().join("realm.sqlite")).await.unwrap();
        let plan = sqlx::query(sqlx::AssertSqlSafe(format!("EXPLAIN QUERY PLAN {REACHES}"))).bind(1);
        let plan = plan.fetch_all(&store.reader).await.unwrap();
        let steps: Vec<&str> = plan.iter().map(|row| row.get("detail")).collect();
        assert!(steps.iter().any(|step| step.contains("INDEX log_without_before")), "{steps:?}");
    }
}
