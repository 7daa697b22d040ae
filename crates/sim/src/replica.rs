//! A client's copy of a scene, from its snapshot and the stream alone.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::tree;

/// Type and attributes of an object or a part of a person.
pub(crate) type TypeAndAttributes = (Value, Value);

/// A scene as a client sees it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct SceneReplica {
    pub(crate) epoch: u64,
    pub(crate) revision: u64,
    pub(crate) objects: BTreeMap<String, TypeAndAttributes>,
    /// Objects that are completely known without a snapshot, or known to be deleted.
    pub(crate) whole: BTreeSet<String>,
    /// Cameras and hands, by object id.
    pub(crate) parts: BTreeMap<String, Value>,
    /// Display names by idTag.
    pub(crate) joined: BTreeMap<String, Value>,
}

impl SceneReplica {
    /// Builds the replica of a snapshot.
    pub(crate) fn of(epoch: u64, revision: u64, messages: &[(String, Value)]) -> SceneReplica {
        let mut replica = SceneReplica { epoch, revision, ..SceneReplica::default() };
        for (topic, payload) in messages {
            replica.apply(topic, payload);
        }
        replica
    }

    /// Applies a message of the stream; ignores those that change nothing.
    pub(crate) fn apply(&mut self, topic: &str, payload: &Value) {
        let tokens: Vec<&str> = topic.split('/').collect();
        let (Some(&kind), Some(&id), 7) = (tokens.get(4), tokens.get(6), tokens.len()) else { return };
        let action = payload["action"].as_str().unwrap_or_default();
        match (kind, action) {
            ("o", "create" | "update") if payload["type"] != "camera-override" => self.put_object(id, payload),
            ("o", "delete") => self.remove_object(id),
            ("u", "create" | "update") => put(self.parts.entry(id.to_string()).or_insert(json!({})), payload),
            ("u", "delete") => {
                self.parts.remove(id);
            }
            ("x", "join") => {
                self.joined.insert(id.to_string(), payload["dn"].clone());
            }
            ("x", "update") => {
                self.joined.insert(id.to_string(), payload["dn"].clone());
            }
            ("x", "leave") => {
                self.joined.remove(id);
                for prefix in ["", "handLeft_", "handRight_", "face_"] {
                    self.parts.remove(&format!("{prefix}{id}"));
                }
            }
            _ => {}
        }
    }

    fn put_object(&mut self, id: &str, payload: &Value) {
        let known = self.objects.contains_key(id);
        let (type_name, attributes) = self.objects.entry(id.to_string()).or_insert((json!("object"), json!({})));
        put(attributes, payload);
        if payload["action"] == "create" || payload["overwrite"] == true {
            self.whole.insert(id.to_string());
        }
        let renames = !known || payload["action"] == "create" || payload["overwrite"] == true;
        if renames && payload["type"].is_string() {
            *type_name = payload["type"].clone();
        }
    }

    fn remove_object(&mut self, id: &str) {
        // Objects with a parent may be gone too, below an object that this client doesn't know.
        let objects = &self.objects;
        self.whole.retain(|id| objects.get(id).is_none_or(|(_, attributes)| attributes["parent"].is_null()));
        self.whole.insert(id.to_string());
        let mut gone = BTreeSet::from([id.to_string()]);
        if !self.objects.contains_key(id) {
            return;
        }
        loop {
            let is_below =
                |attributes: &Value| attributes["parent"].as_str().is_some_and(|parent| gone.contains(parent));
            let below = self.objects.iter().filter(|(id, (_, attributes))| !gone.contains(*id) && is_below(attributes));
            let below: Vec<String> = below.map(|(id, _)| id.clone()).collect();
            if below.is_empty() {
                break;
            }
            gone.extend(below);
        }
        self.objects.retain(|id, _| !gone.contains(id));
    }

    /// People that are seen, completely or in part.
    pub(crate) fn people(&self) -> BTreeSet<&str> {
        let owner = |id: &'_ str| -> usize {
            ["handLeft_", "handRight_", "face_"]
                .iter()
                .find(|prefix| id.starts_with(**prefix))
                .map_or(0, |prefix| prefix.len())
        };
        let of_parts = self.parts.keys().map(|id| &id[owner(id)..]);
        of_parts.chain(self.joined.keys().map(String::as_str)).collect()
    }
}

fn put(attributes: &mut Value, payload: &Value) {
    if payload["action"] == "create" || payload["overwrite"] == true {
        attributes.clone_from(&payload["data"]);
    } else {
        tree::update(attributes, &payload["data"]);
    }
}
