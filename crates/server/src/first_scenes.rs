//! What a new realm begins with: `public/lobby`, where guests look, move, click and chat, and `public/sandbox`, where they build.

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

/// The client that fills scenes, and the author of their first objects in the log.
const CLIENT_ID: &str = "stoa-first-scenes";
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

/// Puts the first objects (back) into a scene that is open; false for a scene that has none.
///
/// # Errors
/// [`FillError`].
pub async fn fill(app: &App, name: &SceneName) -> Result<bool, FillError> {
    let objects = objects(name);
    if objects.is_empty() {
        return Ok(false);
    }
    let claims = claims::new(CLIENT_ID, grant::realm_filters(), TTL_S);
    let token = app.keys.issue(&claims)?;
    Loopback::with(&app.intake, (CLIENT_ID, CLIENT_ID, token), async |client| {
        for object in &objects {
            let topic = format!("realm/s/{name}/o/{CLIENT_ID}/{}", object["object_id"].as_str().unwrap_or_default());
            client.publish(&topic, Bytes::from(object.to_string())).await?;
        }
        Ok(())
    })
    .await?;
    Ok(true)
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
    use std::collections::BTreeSet;

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
