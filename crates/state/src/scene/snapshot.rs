//! A scene at one revision, as the messages that create it. Source: `spec/topics.md` section 4. A snapshot shares
//! the scene's objects; the reader makes messages, order and JSON later, outside the realm's task.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use serde_json::{Value, json};
use stoa_wire::topic::{SceneName, TopicKind};

use super::live::LiveObjects;
use super::people::PresentPerson;
use super::stored::{StoredObjects, parent_of};
use super::topic_in;
use crate::time::{Time, UnixSeconds};

/// Messages that turn an empty scene into the state at `revision`.
#[derive(Clone, Debug)]
pub struct SceneSnapshot {
    /// The scene's epoch.
    pub epoch: u64,
    /// The last change included.
    pub revision: u64,
    pub(super) scene: SceneName,
    pub(super) now: Time,
    pub(super) unix_at_zero: UnixSeconds,
    pub(super) people: Vec<(Arc<str>, Arc<PresentPerson>)>,
    pub(super) live: LiveObjects,
    pub(super) stored: StoredObjects,
}

impl SceneSnapshot {
    /// Topics and payloads. People come first (camera, hands, face, join), because objects may be attached to them;
    /// then objects, parents before children.
    pub fn into_messages(self) -> impl Iterator<Item = (String, Value)> {
        let people = self.people.clone().into_iter();
        let scene = self.scene.clone();
        let of_people = people.flat_map(move |(id_tag, person)| of_person(&scene, &id_tag, &person));
        of_people.chain(in_order(&self.live).into_iter().map(move |id| self.of_object(&id)))
    }

    /// All messages.
    pub fn messages(&self) -> Vec<(String, Value)> {
        self.clone().into_messages().collect()
    }

    /// The JSON of `spec/topics.md` section 4, one message at a time.
    pub fn into_json(self) -> impl Iterator<Item = Vec<u8>> {
        let head = alloc::format!(r#"{{"epoch":{},"revision":{},"messages":["#, self.epoch, self.revision);
        let messages = self.into_messages().enumerate().map(|(index, (topic, payload))| {
            let comma = if index == 0 { "" } else { "," };
            alloc::format!("{comma}{}", json!({"topic": topic, "payload": payload})).into_bytes()
        });
        core::iter::once(head.into_bytes()).chain(messages).chain(core::iter::once(b"]}".to_vec()))
    }

    fn of_object(&self, id: &str) -> (String, Value) {
        let object = self.live.get(id).expect("ids in order are ids of live objects");
        let stored = self.stored.get(id);
        let mut payload = json!({
            "object_id": id,
            "action": "create",
            "type": object.type_name,
            "persist": stored.is_some(),
            "data": object.attributes,
        });
        let stored_until = stored.and_then(|record| record.expires_at).map(|at| at.since(self.unix_at_zero));
        if let Some(at) = object.expires_at.into_iter().chain(stored_until).min() {
            payload["ttl"] = json!(at.since(self.now).as_millis() as f64 / 1_000.0);
        }
        if object.private {
            payload["private"] = json!(true);
        }
        if let Some(program_id) = &object.program_id {
            payload["program_id"] = json!(program_id);
        }
        (topic_in(&self.scene, TopicKind::O, &object.user_client, id), payload)
    }
}

/// Messages that show a person to a joining client: camera, hands, face, then join.
pub(super) fn of_person(scene: &SceneName, id_tag: &str, person: &PresentPerson) -> Vec<(String, Value)> {
    let mut messages = Vec::new();
    for (object_id, part) in person.parts_in_order(id_tag) {
        let mut payload = json!({"object_id": object_id, "action": "create", "data": part.attributes});
        if let Some(type_name) = &part.type_name {
            payload["type"] = json!(type_name);
        }
        if let Some(ttl) = part.ttl {
            payload["ttl"] = json!(ttl);
        }
        messages.push((topic_in(scene, TopicKind::U, &part.user_client, object_id), payload));
    }
    if let Some(joined) = &person.joined {
        let mut payload = joined.clone();
        payload.insert("object_id".to_string(), json!(id_tag));
        payload.insert("action".to_string(), json!("join"));
        messages.push((topic_in(scene, TopicKind::X, &person.user_client, id_tag), Value::Object(payload)));
    }
    messages
}

/// Ids with parents before children; cycles come last.
fn in_order(objects: &LiveObjects) -> Vec<String> {
    let mut below: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut next: Vec<&str> = Vec::new();
    for (id, object) in objects.iter() {
        match parent_of(&object.attributes).filter(|parent| objects.contains_key(*parent)) {
            Some(parent) => below.entry(parent).or_default().push(id),
            None => next.push(id),
        }
    }
    let mut order: Vec<String> = Vec::with_capacity(objects.size());
    let mut seen = BTreeSet::new();
    while !next.is_empty() {
        order.extend(next.iter().filter(|id| seen.insert(**id)).map(ToString::to_string));
        next = next.into_iter().flat_map(|id| below.remove(id).unwrap_or_default()).collect();
    }
    order.extend(objects.keys().filter(|id| !seen.contains(id.as_str())).cloned());
    order
}
