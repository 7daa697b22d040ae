//! Imports a scene in short transactions, between which the changes of other scenes are written. Until the last one the
//! scene has an invalid namespace, so no reader finds it. A failed import is removed at once, an interrupted one at the
//! next start.

use sqlx::SqliteConnection;
use stoa_state::grant::LOCAL_OWNER;
use stoa_state::scene::{StoredObject, UnixMillis};

use super::scenes::{append_rows, forget_former, integer, take_epoch, to_json};
use super::{Sqlite, files};
use crate::limits;
use crate::os::clock;
use crate::store::fold::SceneBatch;
use crate::store::{CompletedSceneImport, SceneImport, SceneStorage, StoreError};

/// The namespace of unfinished imports.
pub(super) const UNFINISHED: &str = "!";

impl Sqlite {
    /// See [`SceneStorage::import_scene`].
    pub(super) async fn import(&self, import: &SceneImport) -> Result<Option<CompletedSceneImport>, StoreError> {
        self.check_size()?;
        if !import.replace && self.scene(&import.name).await?.is_some() {
            return Ok(None);
        }
        let insert = "INSERT INTO scenes (namespace, scene, settings, epoch) VALUES (?, ?, ?, 0) RETURNING id";
        let insert = sqlx::query_scalar(insert)
            .bind(UNFINISHED)
            .bind(format!("{:032x}", rand::random::<u128>()))
            .bind(to_json(&import.carried.settings, "scene settings")?);
        let id: i64 = insert.fetch_one(&self.writer).await?;
        let imported = self.fill(id, import).await;
        if !matches!(imported, Ok(Some(_))) {
            sqlx::query("DELETE FROM scenes WHERE id = ?").bind(id).execute(&self.writer).await?;
        }
        imported
    }

    /// Writes the objects in pieces, then the scene's name and its files. `None` if the name was taken meanwhile.
    async fn fill(&self, id: i64, import: &SceneImport) -> Result<Option<CompletedSceneImport>, StoreError> {
        let at = UnixMillis(clock::unix_now().0 * 1_000);
        let author = import.author.as_deref().unwrap_or(LOCAL_OWNER);
        let mut revision = 0;
        for objects in pieces(&import.carried.objects) {
            self.check_size()?;
            let batch = SceneBatch::of_import(objects, author, revision, at);
            revision = batch.revision;
            let mut transaction = self.writer.begin().await?;
            let logged = append_rows(&mut transaction, id, &batch).await?;
            transaction.commit().await?;
            self.growth.add(logged);
        }
        let mut transaction = self.writer.begin().await?;
        let Some(epoch) = name_scene(&mut transaction, id, revision, import).await? else { return Ok(None) };
        let mut orphans = Vec::new();
        for file in &import.carried.files {
            orphans.extend(files::put(&mut transaction, file).await?);
        }
        transaction.commit().await?;
        Ok(Some(CompletedSceneImport { epoch, stored_revision: revision, orphans }))
    }
}

/// Gives a filled scene its name, and removes the scene that it replaces. Returns the epoch of its first opening;
/// `None` if the name is taken.
async fn name_scene(
    connection: &mut SqliteConnection,
    id: i64,
    revision: u64,
    import: &SceneImport,
) -> Result<Option<u64>, StoreError> {
    let name = &import.name;
    if import.replace {
        let removed = sqlx::query("DELETE FROM scenes WHERE namespace = ? AND scene = ?");
        removed.bind(name.namespace()).bind(name.scene()).execute(&mut *connection).await?;
    }
    let epoch = take_epoch(&mut *connection).await?;
    forget_former(&mut *connection, name).await?;
    let named =
        sqlx::query("UPDATE OR IGNORE scenes SET namespace = ?, scene = ?, epoch = ?, revision = ? WHERE id = ?")
            .bind(name.namespace())
            .bind(name.scene())
            .bind(integer(epoch))
            .bind(integer(revision))
            .bind(id)
            .execute(connection)
            .await?;
    Ok((named.rows_affected() == 1).then_some(epoch))
}

/// Splits objects so that one transaction writes each piece with its log entries.
fn pieces(objects: &[StoredObject]) -> impl Iterator<Item = &[StoredObject]> {
    let mut left = objects;
    std::iter::from_fn(move || {
        let mut bytes = 0;
        let fits = |object: &&StoredObject| {
            bytes += 2 * object.size_bytes();
            bytes <= limits::TRANSACTION_BYTES_MAX
        };
        let count = left.iter().take_while(fits).count().max(1).min(left.len());
        let (piece, rest) = left.split_at(count);
        left = rest;
        (!piece.is_empty()).then_some(piece)
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_piece_of_an_import_fits_into_a_transaction() {
        let object = |bytes: usize| StoredObject {
            object_id: "box".into(),
            type_name: "object".into(),
            attributes: [("text".to_owned(), json!("x".repeat(bytes)))].into_iter().collect(),
            expires_at: None,
            created_at: UnixMillis(1),
            updated_at: UnixMillis(1),
        };
        let counts = |sizes: &[usize]| {
            let objects: Vec<StoredObject> = sizes.iter().map(|bytes| object(*bytes)).collect();
            pieces(&objects).map(<[StoredObject]>::len).collect::<Vec<_>>()
        };
        let half = limits::TRANSACTION_BYTES_MAX / 2;
        assert_eq!(counts(&[]), [0; 0]);
        assert_eq!(counts(&[10, half / 2, half / 4, half / 2, half, 10, 2 * half, 10]), [3, 1, 1, 1, 1, 1]);
    }
}
