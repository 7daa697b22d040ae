//! One behaviour in each test, with virtual time.

mod deletion;
mod guest_objects;
mod history;
mod objects;
mod people;
mod put_objects;
mod revisions;
mod templates;

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::{Value, json};
use stoa_wire::envelope::Envelope;
use stoa_wire::reason::Reason;
use stoa_wire::topic::{SceneName, SceneTopic};

use super::*;

/// The wall clock at [`Time::ZERO`].
const UNIX_AT_ZERO: UnixSeconds = UnixSeconds(1_800_000_000);

/// A scene with a clock.
struct Stage {
    scene: Scene,
    now: Time,
}

fn name() -> SceneName {
    SceneName::new("public", "lobby").unwrap()
}

fn stage() -> Stage {
    Stage { scene: Scene::new(name(), 7, UNIX_AT_ZERO), now: Time::from_secs(100) }
}

fn author(user: &str, connection: u64) -> Author {
    Author {
        connection: ConnectionId(connection),
        user_client: format!("{user}_web"),
        id_tag: user.to_string(),
        subject: user.to_string(),
        guest: false,
        guest_name: None,
        moderator: true,
        payer: None,
    }
}

fn guest(user: &str, connection: u64) -> Author {
    Author { guest: true, ..author(user, connection) }
}

impl Scene {
    fn stored_objects(&self) -> Vec<&StoredObject> {
        self.stored.values().collect()
    }

    fn stored_object(&self, object_id: &str) -> Option<&StoredObject> {
        self.stored.get(object_id)
    }
}

impl Stage {
    /// Sends `payload` as `author` on `<kind>/<its userclient>/<object_id>`.
    fn send(&mut self, author: &Author, kind: &str, payload: Value) -> Result<AppliedMessage, Reason> {
        let id = payload["object_id"].as_str().unwrap().to_string();
        self.send_on(author, &format!("{kind}/{}/{id}", author.user_client), payload)
    }

    /// Sends a message and returns whether it changed the stored state.
    fn stores(&mut self, author: &Author, kind: &str, payload: Value) -> bool {
        let stored =
            |stage: &Stage| stage.scene.outputs.iter().filter(|said| matches!(said, SceneOutput::Store(_))).count();
        let before = stored(self);
        self.send(author, kind, payload).unwrap();
        stored(self) > before
    }

    fn send_on(&mut self, author: &Author, below: &str, payload: Value) -> Result<AppliedMessage, Reason> {
        let topic = SceneTopic::parse(&format!("realm/s/public/lobby/{below}")).unwrap()?;
        let envelope = Envelope::parse(topic.kind, &topic.uuid, payload.to_string().as_bytes());
        let message = |envelope| SceneMessage { author, topic: &topic, envelope };
        let applied = envelope.and_then(|envelope| self.scene.handle_message(message(envelope), self.now));
        applied.map_err(|refused| refused.reason)
    }

    /// Advances time by `seconds`.
    fn wait(&mut self, seconds: f64) {
        self.now = self.now + core::time::Duration::from_secs_f64(seconds);
        self.scene.handle_timeout(self.now);
    }

    fn drain(&mut self) -> Vec<SceneOutput> {
        core::iter::from_fn(|| self.scene.poll_output()).collect()
    }

    /// Messages published by the scene itself: the topic below the scene, and the action.
    fn published(&mut self) -> Vec<(String, String)> {
        let said = self.drain().into_iter().filter_map(|output| match output {
            SceneOutput::Publish { topic, payload, .. } => Some((topic, payload)),
            _ => None,
        });
        said.map(|(topic, payload)| {
            let payload: Value = serde_json::from_slice(&payload).unwrap();
            let below = topic.strip_prefix("realm/s/public/lobby/").unwrap().to_string();
            (below, payload["action"].as_str().unwrap().to_string())
        })
        .collect()
    }

    /// The object's attributes as a joining client gets them.
    fn live(&self, id: &str) -> Option<Value> {
        let messages = self.scene.snapshot(self.now).messages();
        let found = messages.into_iter().find(|(topic, payload)| topic.contains("/o/") && payload["object_id"] == id);
        found.map(|(_, payload)| payload["data"].clone())
    }

    fn stored(&self, id: &str) -> Option<Value> {
        self.scene.stored_object(id).map(|record| Value::Object(record.attributes.clone()))
    }

    /// The scene after a restart from its stored state, with all revisions on disk.
    fn restarted(mut self) -> Stage {
        let objects = self.scene.stored_objects().into_iter().cloned().collect();
        let stored = StoredScene { revision: self.scene.revision(), objects };
        let stored: StoredScene = serde_json::from_value(serde_json::to_value(&stored).unwrap()).unwrap();
        self.scene = Scene::new(name(), self.scene.epoch() + 1, UNIX_AT_ZERO);
        self.scene.restore(stored, self.now);
        self
    }
}

fn create(id: &str, persist: bool, data: Value) -> Value {
    json!({"object_id": id, "action": "create", "type": "object", "persist": persist, "data": data})
}

fn update(id: &str, persist: bool, data: Value) -> Value {
    json!({"object_id": id, "action": "update", "type": "object", "persist": persist, "data": data})
}

fn delete(id: &str) -> Value {
    json!({"object_id": id, "action": "delete"})
}

fn camera(id: &str, action: &str, x: f64) -> Value {
    json!({"object_id": id, "action": action, "type": "object", "ttl": 30,
        "data": {"object_type": "camera", "position": {"x": x, "y": 1.6, "z": 0}, "rotation": {"x": 0, "y": 0, "z": 0, "w": 1}}})
}

fn presence(id: &str, action: &str) -> Value {
    json!({"object_id": id, "action": action, "type": "arena", "dn": format!("Display {id}")})
}
