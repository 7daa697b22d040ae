//! A new realm's first scenes: `public/lobby`, where guests look, move, click and chat, and `public/sandbox`, where
//! they build.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::{Map, Value};
use stoa_state::grant::SceneSettings;
use stoa_state::scene::{StoredObject, UnixMillis};
use stoa_wire::topic::SceneName;

use crate::os::clock;
use crate::realm_task::{RealmCommandClient, RealmError};
use crate::scenes::registrar::{RegistrarError, SceneRegistrar};
use crate::store::{ScenePicture, Store, StoreError};

/// The author of the first objects in the log.
const AUTHOR: &str = "stoa-first-scenes";

const LOBBY: &str = include_str!("first_scenes/lobby.json");
const SANDBOX: &str = include_str!("first_scenes/sandbox.json");
/// Both pictures were taken in the app, as a scene's thumbnail is.
const LOBBY_PICTURE: &[u8] = include_bytes!("first_scenes/lobby.jpg");
const SANDBOX_PICTURE: &[u8] = include_bytes!("first_scenes/sandbox.jpg");

/// Errors of creating the first scenes.
#[derive(Debug, thiserror::Error)]
pub enum FirstScenesError {
    /// A scene could not be created.
    #[error(transparent)]
    Scene(#[from] RegistrarError),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The realm refused the objects.
    #[error("the first scenes could not be filled: {0}")]
    Realm(#[from] RealmError),
}

/// The names of both first scenes.
pub fn names() -> [SceneName; 2] {
    ["public/lobby", "public/sandbox"].map(|name| name.parse().expect("both are names of scenes"))
}

/// The settings of a first scene; the defaults for any other name.
pub fn settings(name: &SceneName) -> SceneSettings {
    SceneSettings { public_write: name.to_string() == "public/sandbox", ..SceneSettings::default() }
}

/// Creates and fills both scenes, unless an earlier start completed that.
///
/// # Errors
/// [`FirstScenesError`].
pub async fn make_once(
    store: &Store,
    registrar: &SceneRegistrar,
    realm: &RealmCommandClient,
) -> Result<(), FirstScenesError> {
    if store.first_scenes_made().await? {
        return Ok(());
    }
    for name in names() {
        // An existing scene is filled again: the server may have been killed between its creation and its filling.
        registrar.make(name.clone(), settings(&name)).await?;
        fill(realm, &name).await?;
        store.put_picture(&name, &picture(&name)).await?;
    }
    store.note_first_scenes_made().await?;
    Ok(())
}

/// Puts the first objects into an open scene, replaces existing ones of their ids, and returns the ids.
///
/// # Errors
/// [`FirstScenesError`].
pub async fn fill(realm: &RealmCommandClient, name: &SceneName) -> Result<BTreeSet<String>, FirstScenesError> {
    let objects = objects(name);
    let ids = objects.iter().map(|object| object.object_id.clone()).collect();
    realm.put_objects(name, AUTHOR, objects).await?;
    Ok(ids)
}

fn picture(name: &SceneName) -> ScenePicture {
    let bytes = if name.to_string() == "public/sandbox" { SANDBOX_PICTURE } else { LOBBY_PICTURE };
    ScenePicture { content_type: "image/jpeg".to_owned(), bytes: bytes.to_vec() }
}

/// An object as the JSON files have it.
#[derive(Deserialize)]
struct FirstObject {
    object_id: String,
    #[serde(rename = "type")]
    type_name: String,
    data: Map<String, Value>,
}

fn objects(name: &SceneName) -> Vec<StoredObject> {
    let text = match name.to_string().as_str() {
        "public/lobby" => LOBBY,
        "public/sandbox" => SANDBOX,
        _ => return Vec::new(),
    };
    let objects: Vec<FirstObject> = serde_json::from_str(text).expect("a test reads both files");
    let now = UnixMillis(clock::unix_now().0 * 1_000);
    let record = |object: FirstObject| StoredObject {
        object_id: object.object_id,
        type_name: object.type_name,
        attributes: object.data,
        expires_at: None,
        created_at: now,
        updated_at: now,
    };
    objects.into_iter().map(record).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits;
    use crate::scenes::pictures::read_header;

    #[test]
    fn the_first_scenes_parse_and_have_unique_object_ids() {
        for name in names() {
            let objects = objects(&name);
            let ids: BTreeSet<_> = objects.iter().map(|object| object.object_id.as_str()).collect();
            assert_eq!(ids.len(), objects.len(), "{name}");
            assert!(ids.contains("scene-options"), "{name} has a sky");
            for object in objects.iter().filter(|object| object.type_name == "object") {
                assert!(object.attributes["object_type"].is_string(), "{object:?}");
                let parent = object.attributes.get("parent").and_then(Value::as_str);
                assert!(parent.is_none_or(|parent| ids.contains(parent)), "{object:?}");
            }
        }
    }

    #[test]
    fn the_pictures_of_the_first_scenes_are_valid_and_differ() {
        for name in names() {
            let ScenePicture { content_type, bytes } = picture(&name);
            assert_eq!(read_header(&bytes).unwrap().content_type, content_type, "{name}");
            assert!(bytes.len() <= limits::PICTURE_BYTES_MAX, "{name}");
        }
        let [lobby, sandbox] = names();
        assert_ne!(picture(&lobby), picture(&sandbox));
    }

    #[test]
    fn guests_can_edit_the_sandbox_but_not_the_lobby() {
        let [lobby, sandbox] = names();
        assert!(!settings(&lobby).public_write && settings(&lobby).public_read && settings(&lobby).anonymous_users);
        assert!(settings(&sandbox).public_write);
    }
}
