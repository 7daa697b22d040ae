//! Scenes in SQLite.

use std::collections::BTreeMap;

use async_trait::async_trait;
use sqlx::sqlite::SqliteRow;
use sqlx::{Connection, QueryBuilder, Row, SqliteConnection};
use stoa_state::grant::SceneSettings;
use stoa_state::realm::StoreWrite;
use stoa_state::scene::{StoredObject, StoredScene};
use stoa_state::time::UnixSeconds;
use stoa_wire::topic::SceneName;

use super::Sqlite;
use super::broker::append_broker;
use super::importing::UNFINISHED;
use crate::limits;
use crate::os::blocking::apart;
use crate::store::broker::BrokerBatch;
use crate::store::fold::{LogEntry, SceneBatch, fold};
use crate::store::{CompletedSceneImport, HistoryRetention, PrunedHistory, SceneImport, SceneStorage, StoreError};

/// All scenes, without unfinished imports.
const ALL: &str = "SELECT * FROM scenes WHERE namespace <> ? ORDER BY namespace, scene";

#[async_trait]
impl SceneStorage for Sqlite {
    async fn next_epoch(&self) -> Result<u64, StoreError> {
        let mut transaction = self.writer.begin().await?;
        let epoch = take_epoch(&mut transaction).await?;
        let unfinished = sqlx::query("DELETE FROM scenes WHERE namespace = ?").bind(UNFINISHED);
        unfinished.execute(&mut *transaction).await?;
        sqlx::query("UPDATE scenes SET epoch = ?").bind(integer(epoch)).execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(epoch)
    }

    async fn load_scenes(&self) -> Result<Vec<(SceneName, SceneSettings, StoredScene)>, StoreError> {
        // One transaction, so that revisions and objects are consistent.
        let mut transaction = self.reader.begin().await?;
        let scenes = sqlx::query(ALL).bind(UNFINISHED).fetch_all(&mut *transaction).await?;
        let objects =
            sqlx::query("SELECT * FROM objects ORDER BY scene_id, object_id").fetch_all(&mut *transaction).await?;
        let mut objects_by_scene = BTreeMap::<i64, Vec<StoredObject>>::new();
        for row in &objects {
            let object = from_json(row.try_get("record")?, "object")?;
            objects_by_scene.entry(row.try_get("scene_id")?).or_default().push(object);
        }
        let mut loaded = Vec::with_capacity(scenes.len());
        for row in &scenes {
            let (name, settings) = scene_from_row(row)?;
            let objects = objects_by_scene.remove(&row.try_get("id")?).unwrap_or_default();
            let revision = row.try_get::<i64, _>("revision")?.unsigned_abs();
            loaded.push((name, settings, StoredScene { revision, objects }));
        }
        Ok(loaded)
    }

    async fn scenes(&self) -> Result<Vec<(SceneName, SceneSettings)>, StoreError> {
        let rows = sqlx::query(ALL).bind(UNFINISHED).fetch_all(&self.reader).await?;
        rows.iter().map(scene_from_row).collect()
    }

    async fn scene_names(&self, namespace: &str) -> Result<Vec<SceneName>, StoreError> {
        const NAMES: &str = "SELECT namespace, scene FROM scenes WHERE namespace = ? ORDER BY scene";
        let rows = sqlx::query(NAMES).bind(namespace).fetch_all(&self.reader).await?;
        rows.iter().map(name_from_row).collect()
    }

    async fn scene(&self, name: &SceneName) -> Result<Option<SceneSettings>, StoreError> {
        let row = sqlx::query("SELECT * FROM scenes WHERE namespace = ? AND scene = ?")
            .bind(name.namespace())
            .bind(name.scene())
            .fetch_optional(&self.reader)
            .await?;
        Ok(row.as_ref().map(scene_from_row).transpose()?.map(|(_, settings)| settings))
    }

    async fn load_scene(&self, name: &SceneName) -> Result<Option<(SceneSettings, StoredScene)>, StoreError> {
        let mut transaction = self.reader.begin().await?;
        let scene = sqlx::query("SELECT * FROM scenes WHERE namespace = ? AND scene = ?")
            .bind(name.namespace())
            .bind(name.scene())
            .fetch_optional(&mut *transaction)
            .await?;
        let Some(scene) = scene else { return Ok(None) };
        let records = sqlx::query_scalar("SELECT record FROM objects WHERE scene_id = ? ORDER BY object_id");
        let records: Vec<String> = records.bind(scene.try_get::<i64, _>("id")?).fetch_all(&mut *transaction).await?;
        drop(transaction);
        // Parsing a large scene takes seconds.
        let parsed = move || records.into_iter().map(|record| from_json(&record, "object")).collect::<Result<_, _>>();
        let objects = apart(parsed).await?;
        let revision = scene.try_get::<i64, _>("revision")?.unsigned_abs();
        Ok(Some((scene_from_row(&scene)?.1, StoredScene { revision, objects })))
    }

    async fn import_scene(&self, import: &SceneImport) -> Result<Option<CompletedSceneImport>, StoreError> {
        self.import(import).await
    }

    async fn scenes_in(&self, namespace: &str) -> Result<u64, StoreError> {
        let query = sqlx::query_scalar("SELECT count(*) FROM scenes WHERE namespace = ?");
        let count: i64 = query.bind(namespace).fetch_one(&self.reader).await?;
        Ok(count.unsigned_abs())
    }

    async fn make_scene(&self, name: &SceneName, settings: &SceneSettings) -> Result<Option<u64>, StoreError> {
        let mut transaction = self.writer.begin().await?;
        let epoch = take_epoch(&mut transaction).await?;
        if !insert_scene(&mut transaction, name, epoch, settings).await? {
            transaction.rollback().await?;
            return Ok(None);
        }
        transaction.commit().await?;
        Ok(Some(epoch))
    }

    async fn change_scene(&self, name: &SceneName, settings: &SceneSettings) -> Result<bool, StoreError> {
        let done = sqlx::query("UPDATE scenes SET settings = ? WHERE namespace = ? AND scene = ?")
            .bind(to_json(settings, "scene settings")?)
            .bind(name.namespace())
            .bind(name.scene())
            .execute(&self.writer)
            .await?;
        Ok(done.rows_affected() == 1)
    }

    async fn rename_scene(&self, name: &SceneName, to: &SceneName) -> Result<Option<u64>, StoreError> {
        let mut transaction = self.writer.begin().await?;
        let epoch = take_epoch(&mut transaction).await?;
        let of = "SELECT id, epoch FROM scenes WHERE namespace = ? AND scene = ?";
        let of = sqlx::query_as(of).bind(name.namespace()).bind(name.scene());
        let Some((id, former)): Option<(i64, i64)> = of.fetch_optional(&mut *transaction).await? else {
            return Ok(None);
        };
        let renamed = sqlx::query("UPDATE OR IGNORE scenes SET namespace = ?, scene = ?, epoch = ? WHERE id = ?")
            .bind(to.namespace())
            .bind(to.scene())
            .bind(integer(epoch))
            .bind(id)
            .execute(&mut *transaction)
            .await?;
        if renamed.rows_affected() == 0 || name == to {
            return Ok(None);
        }
        forget_former(&mut transaction, to).await?;
        sqlx::query("INSERT INTO former_names (namespace, scene, scene_id, epoch) VALUES (?, ?, ?, ?)")
            .bind(name.namespace())
            .bind(name.scene())
            .bind(id)
            .bind(former)
            .execute(&mut *transaction)
            .await?;
        sqlx::query("UPDATE invitations SET namespace = ?, scene = ? WHERE namespace = ? AND scene = ?")
            .bind(to.namespace())
            .bind(to.scene())
            .bind(name.namespace())
            .bind(name.scene())
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(Some(epoch))
    }

    async fn renamed(&self, former: &SceneName) -> Result<Option<SceneName>, StoreError> {
        let row = sqlx::query(
            "SELECT scenes.namespace, scenes.scene FROM former_names JOIN scenes ON scenes.id = former_names.scene_id
             WHERE former_names.namespace = ? AND former_names.scene = ?",
        )
        .bind(former.namespace())
        .bind(former.scene())
        .fetch_optional(&self.reader)
        .await?;
        Ok(row.as_ref().map(name_from_row).transpose()?)
    }

    async fn remove_scene(&self, name: &SceneName) -> Result<bool, StoreError> {
        let done = sqlx::query("DELETE FROM scenes WHERE namespace = ? AND scene = ?")
            .bind(name.namespace())
            .bind(name.scene())
            .execute(&self.writer)
            .await?;
        Ok(done.rows_affected() == 1)
    }

    async fn append(&self, writes: Vec<StoreWrite>) -> Result<(), StoreError> {
        let (mut changes, mut broker) = (Vec::new(), BrokerBatch::default());
        for write in writes {
            match write {
                StoreWrite::Change(change) => changes.push(change),
                StoreWrite::Broker(write) => broker.take(write),
            }
        }
        let batches = fold(changes);
        if batches.is_empty() && broker.is_empty() {
            // Everything queued was delivered meanwhile; no write is needed.
            return Ok(());
        }
        let mut writer = self.patient_writer().await?;
        let mut transaction = writer.begin().await?;
        let mut logged = 0;
        for ((name, epoch), batch) in &batches {
            logged += append_batch(&mut transaction, name, *epoch, batch).await?;
        }
        append_broker(&mut transaction, &broker).await?;
        transaction.commit().await?;
        self.growth.add(logged);
        Ok(())
    }

    async fn first_scenes_made(&self) -> Result<bool, StoreError> {
        Ok(sqlx::query_scalar("SELECT first_scenes_made FROM realm").fetch_one(&self.reader).await?)
    }

    async fn note_first_scenes_made(&self) -> Result<(), StoreError> {
        sqlx::query("UPDATE realm SET first_scenes_made = 1").execute(&self.writer).await?;
        Ok(())
    }

    async fn prune(&self, keep: HistoryRetention, now: UnixSeconds) -> Result<PrunedHistory, StoreError> {
        self.prune_history(keep, now).await
    }

    #[cfg(test)]
    async fn limit_pages(&self, pages: u32) -> Result<(), StoreError> {
        let pragma = sqlx::AssertSqlSafe(format!("PRAGMA max_page_count = {pages}"));
        sqlx::query(pragma).execute(&self.writer).await?;
        Ok(())
    }
}

pub(super) async fn take_epoch(connection: &mut SqliteConnection) -> Result<u64, StoreError> {
    let query = sqlx::query_scalar("UPDATE realm SET epoch = epoch + 1 RETURNING epoch");
    let epoch: i64 = query.fetch_one(connection).await?;
    Ok(epoch.unsigned_abs())
}

/// Forgets that a renamed scene had this name, because another scene gets it.
pub(super) async fn forget_former(connection: &mut SqliteConnection, name: &SceneName) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM former_names WHERE namespace = ? AND scene = ?")
        .bind(name.namespace())
        .bind(name.scene())
        .execute(connection)
        .await?;
    Ok(())
}

/// Inserts an empty scene; `false` if the name is taken.
async fn insert_scene(
    connection: &mut SqliteConnection,
    name: &SceneName,
    epoch: u64,
    settings: &SceneSettings,
) -> Result<bool, StoreError> {
    forget_former(&mut *connection, name).await?;
    let insert = "INSERT INTO scenes (namespace, scene, settings, epoch) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING";
    let done = sqlx::query(insert)
        .bind(name.namespace())
        .bind(name.scene())
        .bind(to_json(settings, "scene settings")?)
        .bind(integer(epoch))
        .execute(connection)
        .await?;
    Ok(done.rows_affected() == 1)
}

/// Writes a scene's changes. Returns the logged bytes.
async fn append_batch(
    connection: &mut SqliteConnection,
    name: &SceneName,
    epoch: u64,
    batch: &SceneBatch,
) -> Result<u64, StoreError> {
    let scene_id: Option<i64> = sqlx::query_scalar(
        "UPDATE scenes SET revision = max(revision, ?1) WHERE (namespace = ?2 AND scene = ?3 AND epoch = ?4)
         OR id = (SELECT scene_id FROM former_names WHERE namespace = ?2 AND scene = ?3 AND epoch = ?4) RETURNING id",
    )
    .bind(integer(batch.revision))
    .bind(name.namespace())
    .bind(name.scene())
    .bind(integer(epoch))
    .fetch_optional(&mut *connection)
    .await?;
    // The scene was removed, and perhaps created anew, before its last changes were written.
    let Some(scene_id) = scene_id else { return Ok(0) };
    append_rows(connection, scene_id, batch).await
}

/// Writes the log entries and objects of a scene's changes. Returns the logged bytes.
pub(super) async fn append_rows(
    connection: &mut SqliteConnection,
    scene_id: i64,
    batch: &SceneBatch,
) -> Result<u64, StoreError> {
    let rows: Vec<LogRow<'_>> = batch.entries.iter().map(LogRow::of).collect::<Result<_, _>>()?;
    append_log(connection, scene_id, &rows).await?;
    put_objects(connection, scene_id, &batch.objects).await?;
    Ok(rows.iter().map(|row| row.size_bytes).sum())
}

/// An entry of the log with its texts.
#[derive(Debug)]
struct LogRow<'a> {
    entry: &'a LogEntry,
    patch: String,
    before: String,
    size_bytes: u64,
}

impl LogRow<'_> {
    fn of(entry: &LogEntry) -> Result<LogRow<'_>, StoreError> {
        let patch = to_json(&entry.patch, "patch")?;
        let before = to_json(&entry.before, "before")?;
        let size = patch.len() + before.len() + entry.author.len() + entry.object_id.len();
        Ok(LogRow { entry, patch, before, size_bytes: size as u64 })
    }
}

async fn append_log(connection: &mut SqliteConnection, scene_id: i64, rows: &[LogRow<'_>]) -> Result<(), StoreError> {
    for rows in chunks(rows) {
        let mut insert = QueryBuilder::new(
            "INSERT INTO log (scene_id, revision, at_ms, author, guest_name, object_id, patch, before, changes, size_bytes) ",
        );
        insert.push_values(rows, |mut values, LogRow { entry, patch, before, size_bytes }| {
            values
                .push_bind(scene_id)
                .push_bind(integer(entry.revision))
                .push_bind(integer(entry.at.0))
                .push_bind(&entry.author)
                .push_bind(&entry.guest_name)
                .push_bind(&entry.object_id)
                .push_bind(patch)
                .push_bind(before)
                .push_bind(entry.changes)
                .push_bind(integer(*size_bytes));
        });
        insert.build().execute(&mut *connection).await?;
    }
    Ok(())
}

/// Writes the last states of changed objects, and deletes the objects whose state is `None`.
async fn put_objects(
    connection: &mut SqliteConnection,
    scene_id: i64,
    objects: &BTreeMap<String, Option<StoredObject>>,
) -> Result<(), StoreError> {
    let mut records = Vec::with_capacity(objects.len());
    for (object_id, object) in objects {
        match object {
            Some(object) => records.push((object_id, to_json(object, "object")?)),
            None => {
                let delete = sqlx::query("DELETE FROM objects WHERE scene_id = ? AND object_id = ?");
                delete.bind(scene_id).bind(object_id).execute(&mut *connection).await?;
            }
        }
    }
    for records in chunks(&records) {
        let mut insert = QueryBuilder::new("INSERT INTO objects (scene_id, object_id, record) ");
        insert.push_values(records, |mut values, (object_id, record)| {
            values.push_bind(scene_id).push_bind(*object_id).push_bind(record);
        });
        // Cheaper than `INSERT OR REPLACE`, which deletes the row and checks that the scene exists.
        insert.push(" ON CONFLICT (scene_id, object_id) DO UPDATE SET record = excluded.record");
        insert.build().execute(&mut *connection).await?;
    }
    Ok(())
}

/// Splits rows into the fewest parts whose lengths are powers of two, up to [`limits::ROWS_PER_STATEMENT_MAX`]. Each
/// statement is a round trip to SQLite's thread, and each number of rows needs a prepared statement of its own.
fn chunks<T>(mut rows: &[T]) -> impl Iterator<Item = &[T]> {
    std::iter::from_fn(move || {
        let count = 1 << rows.len().min(limits::ROWS_PER_STATEMENT_MAX).checked_ilog2()?;
        let (chunk, rest) = rows.split_at(count);
        rows = rest;
        Some(chunk)
    })
}

fn scene_from_row(row: &SqliteRow) -> Result<(SceneName, SceneSettings), StoreError> {
    Ok((name_from_row(row)?, from_json(row.try_get("settings")?, "scene settings")?))
}

fn name_from_row(row: &SqliteRow) -> Result<SceneName, StoreError> {
    let (namespace, scene): (&str, &str) = (row.try_get("namespace")?, row.try_get("scene")?);
    let unreadable = |_| StoreError::Database(sqlx::Error::Decode("a stored scene's name is no scene name".into()));
    SceneName::new(namespace, scene).map_err(unreadable)
}

/// SQLite's integers are signed; ours are below 2^63.
pub(super) fn integer(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

pub(super) fn to_json(value: &impl serde::Serialize, what: &'static str) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|source| StoreError::Unreadable { what, source })
}

pub(super) fn from_json<T: serde::de::DeserializeOwned>(text: &str, what: &'static str) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|source| StoreError::Unreadable { what, source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_split_into_powers_of_two() {
        for count in [0, 1, 7, 64, 200] {
            let rows: Vec<usize> = (0..count).collect();
            let parts: Vec<&[usize]> = chunks(&rows).collect();
            assert_eq!(parts.concat(), rows);
            assert!(parts.iter().all(|part| part.len().is_power_of_two() && part.len() <= 64), "{parts:?}");
        }
        assert_eq!(chunks(&[0; 200]).map(<[_]>::len).collect::<Vec<_>>(), [64, 64, 64, 8]);
    }
}
