//! What a new realm begins with: `public/lobby`, where guests look, move, click and chat, and `public/sandbox`, where they build.

use std::collections::BTreeSet;

use bytes::Bytes;
use serde_json::{Value, json};
use stoa_state::grant::{self, SceneSettings};
use stoa_wire::topic::SceneName;

use crate::app::App;
use crate::claims;
use crate::loopback::{Loopback, LoopbackError};
use crate::registrar::RegistrarError;
use crate::store::StoreError;
use crate::tokens::KeyError;

/// The author of the first objects in the log, and how the client ids of those who put them there begin.
const AUTHOR: &str = "stoa-first-scenes";
/// How long its token lives.
const TTL_S: u64 = 300;

const LOBBY: &str = include_str!("first_scenes/lobby.json");
const SANDBOX: &str = include_str!("first_scenes/sandbox.json");

/// Why the first scenes can't be made.
#[derive(Debug, thiserror::Error)]
pub enum FillError {
    /// They could not be made.
    #[error(transparent)]
    Scene(#[from] RegistrarError),
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The keys.
    #[error(transparent)]
    Keys(#[from] KeyError),
    /// An object was refused.
    #[error("the first scenes could not be filled: {0}")]
    Loopback(#[from] LoopbackError),
}

/// Both names.
pub fn names() -> [SceneName; 2] {
    ["public/lobby", "public/sandbox"].map(|name| name.parse().expect("both are names of scenes"))
}

/// The settings of a first scene; of any other the defaults.
pub fn settings(name: &SceneName) -> SceneSettings {
    SceneSettings { public_write: name.to_string() == "public/sandbox", ..SceneSettings::default() }
}

/// Makes both scenes, with their objects, unless an earlier start has done all of it.
///
/// # Errors
/// [`FillError`].
pub async fn make_once(app: &App) -> Result<(), FillError> {
    if app.store.first_scenes_made().await? {
        return Ok(());
    }
    for name in names() {
        // One that is there already is filled all the same: the start that made it was killed before it could, or half-way.
        app.registrar.make(name.clone(), settings(&name)).await?;
        fill(app, &name).await?;
    }
    app.store.note_first_scenes_made().await?;
    Ok(())
}

/// Puts the first objects (back) into a scene that is open, and gives their ids.
///
/// # Errors
/// [`FillError`].
pub async fn fill(app: &App, name: &SceneName) -> Result<BTreeSet<String>, FillError> {
    let objects = objects(name);
    let ids: BTreeSet<String> =
        objects.iter().filter_map(|object| Some(object["object_id"].as_str()?.to_owned())).collect();
    if ids.is_empty() {
        return Ok(ids);
    }
    // Nobody can have taken it before.
    let client_id = format!("{AUTHOR}-{:032x}", rand::random::<u128>());
    let claims = claims::new(AUTHOR, grant::realm_filters(), TTL_S);
    let token = app.keys.issue(&claims)?;
    Loopback::with(&app.intake, (&client_id, AUTHOR, token), async |client| {
        for object in &objects {
            let topic = format!("realm/s/{name}/o/{client_id}/{}", object["object_id"].as_str().unwrap_or_default());
            client.publish(&topic, Bytes::from(object.to_string())).await?;
        }
        Ok(())
    })
    .await?;
    Ok(ids)
}

/// The messages that make a first scene's objects.
fn objects(name: &SceneName) -> Vec<Value> {
    let text = match name.to_string().as_str() {
        "public/lobby" => LOBBY,
        "public/sandbox" => SANDBOX,
        _ => return Vec::new(),
    };
    let records: Vec<Value> = serde_json::from_str(text).expect("a test reads both files");
    let message = |record: Value| {
        json!({
            "object_id": record["object_id"],
            "action": "create",
            "type": record["type"],
            "persist": true,
            "data": record["data"],
        })
    };
    records.into_iter().map(message).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_first_scenes_can_be_read_and_name_each_object_once() {
        for name in names() {
            let objects = objects(&name);
            let ids: BTreeSet<_> = objects.iter().map(|object| object["object_id"].as_str().unwrap()).collect();
            assert_eq!(ids.len(), objects.len(), "{name}");
            assert!(ids.contains("scene-options"), "{name} has a sky");
            let is_drawn = |object: &&Value| object["type"] == "object";
            for object in objects.iter().filter(is_drawn) {
                assert!(object["data"]["object_type"].is_string(), "{object}");
                let parent = object["data"]["parent"].as_str();
                assert!(parent.is_none_or(|parent| ids.contains(parent)), "{object}");
            }
        }
    }

    #[test]
    fn guests_build_in_the_sandbox_alone() {
        let [lobby, sandbox] = names();
        assert!(!settings(&lobby).public_write && settings(&lobby).public_read && settings(&lobby).anonymous_users);
        assert!(settings(&sandbox).public_write);
    }
}
