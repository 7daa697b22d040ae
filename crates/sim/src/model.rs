//! The expected behaviour of a scene: the tables of `spec/topics.md` once more, as simple as possible, by scanning
//! maps. The model knows connections by number only. It shares no code with `state`.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use serde_json::{Value, json};

use crate::coverage::SceneSituation;
use crate::record::{ModelStoredObject, ModelStoredObjects};
use crate::{templates, tree};

/// A camera or a hand.
#[derive(Debug)]
pub(crate) struct ModelPersonPart {
    pub(crate) attributes: Value,
    ttl: Option<f64>,
    expires_ms: Option<u64>,
}

/// A person in the scene.
#[derive(Debug)]
pub(crate) struct ModelPerson {
    connection: u64,
    pub(crate) name: Option<Value>,
    pub(crate) parts: BTreeMap<String, ModelPersonPart>,
}

#[derive(Clone, Debug)]
pub(crate) struct MessageSender {
    pub(crate) connection: u64,
    pub(crate) user_client: String,
    pub(crate) id_tag: String,
    pub(crate) guest: bool,
    pub(crate) builds: bool,
}

/// A message with its wall-clock time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ModelInputMessage<'a> {
    pub(crate) sender: &'a MessageSender,
    pub(crate) topic: &'a str,
    pub(crate) payload: &'a Value,
    pub(crate) now_ms: u64,
    /// Stored objects of the scene that a `loadTemplate` names, and whether it is another scene.
    pub(crate) template: Option<(&'a ModelStoredObjects, bool)>,
}

/// One scene.
#[derive(Debug, Default)]
pub(crate) struct SceneModel {
    pub(crate) stored: ModelStoredObjects,
    pub(crate) live: BTreeMap<String, ModelStoredObject>,
    pub(crate) people: BTreeMap<String, ModelPerson>,
    departed: BTreeSet<(u64, String)>,
    /// Rows that occurred since the last query.
    pub(crate) met: Vec<SceneSituation>,
}

const RESERVED: [&str; 4] = ["program", "scene-options", "camera-override", "rig"];

impl SceneModel {
    /// A scene after a server start.
    pub(crate) fn restored(stored: ModelStoredObjects) -> SceneModel {
        let live = stored.iter().map(|(id, record)| (id.clone(), ModelStoredObject::clone(record))).collect();
        SceneModel { stored, live, ..SceneModel::default() }
    }

    /// Drops people, live and stored objects: at a crash, or when the scene is removed. After a crash,
    /// [`SceneModel::restored`] brings back the objects on disk.
    pub(crate) fn crash(&mut self) {
        *self = SceneModel { met: std::mem::take(&mut self.met), ..SceneModel::default() };
    }

    /// Handles a message. Errors: the expected reason of its refusal.
    pub(crate) fn message(&mut self, incoming: ModelInputMessage<'_>) -> Result<(), &'static str> {
        let verdict = self.decide(incoming);
        if verdict.is_err() {
            self.met.push(SceneSituation::Refused);
        }
        verdict
    }

    fn decide(&mut self, incoming: ModelInputMessage<'_>) -> Result<(), &'static str> {
        let ModelInputMessage { sender, topic, payload, .. } = incoming;
        let tokens: Vec<&str> = topic.split('/').collect();
        let [_, _, _, _, kind, user_client, id, ..] = tokens[..] else { return Err("bad_topic") };
        let owner = owner_of(id, sender);
        if user_client != sender.user_client || (kind == "u" && owner != sender.id_tag) {
            return Err("wrong_identity");
        }
        if matches!(kind, "x" | "c") && id != sender.id_tag {
            return Err("wrong_identity");
        }
        if kind == "o" && !sender.builds {
            return Err("not_granted");
        }
        if !payload.is_object() {
            return Err("not_an_object");
        }
        if payload["object_id"] != id {
            return Err("id_mismatch");
        }
        let private = tokens.len() == 8;
        match kind {
            "o" => self.object(incoming, id, private),
            "u" => self.user(incoming, owner, private),
            "x" => self.presence(incoming, id, private),
            _ if payload["type"] == "chat-ctrl" && !sender.builds => Err("not_moderator"),
            _ => {
                self.met.push(SceneSituation::Chat);
                Ok(())
            }
        }
    }

    fn object(&mut self, incoming: ModelInputMessage<'_>, id: &str, private: bool) -> Result<(), &'static str> {
        let ModelInputMessage { sender, payload, now_ms, .. } = incoming;
        let known = self
            .live
            .get(id)
            .into_iter()
            .chain(self.stored.get(id).map(Rc::as_ref))
            .map(|record| record.type_name.as_str());
        let mut kinds = known.chain(payload["type"].as_str());
        if sender.guest && kinds.any(|type_name| RESERVED.contains(&type_name)) {
            return Err("reserved_type");
        }
        if private {
            self.met.push(SceneSituation::PrivateObject);
            return Ok(());
        }
        if payload["type"] == "camera-override" {
            return Ok(());
        }
        let takes_reserved = match payload["action"].as_str() {
            Some("delete") => self.is_above_reserved(id, false),
            // The object's expiry removes its descendants, as a delete does.
            Some("create" | "update") => deadline(payload, now_ms).is_some() && self.is_above_reserved(id, true),
            _ => false,
        };
        if sender.guest && takes_reserved {
            return Err("reserved_type");
        }
        match payload["action"].as_str() {
            Some("create") => self.create(incoming, id),
            Some("update") => self.update(incoming, id),
            Some("delete") => self.delete(id),
            Some("clientEvent") => self.met.push(SceneSituation::EventOnObjects),
            Some("getPersist") if payload["data"]["type"].is_string() => {
                self.met.push(SceneSituation::GetPersistByType)
            }
            Some("getPersist") => self.met.push(SceneSituation::GetPersist),
            _ => {
                let verdict = self.load_template(incoming);
                self.met.push(if verdict.is_ok() {
                    SceneSituation::LoadTemplate
                } else {
                    SceneSituation::LoadTemplateRefused
                });
                return verdict;
            }
        }
        Ok(())
    }

    /// Whether the object or a descendant is of a reserved type. `to_come`: also if the object doesn't exist yet.
    fn is_above_reserved(&self, id: &str, to_come: bool) -> bool {
        let parent = |record: &ModelStoredObject| record.attributes["parent"].as_str().map(str::to_string);
        let itself = || to_come.then(|| (id.to_string(), None)).into_iter();
        let live = self.live.iter().map(|(id, record)| (id.clone(), parent(record)));
        let live = with_descendants(id, &itself().chain(live).collect());
        let stored = self.stored.iter().map(|(id, record)| (id.clone(), parent(record)));
        let stored = with_descendants(id, &itself().chain(stored).collect());
        let is_reserved = |record: &ModelStoredObject| RESERVED.contains(&record.type_name.as_str());
        live.union(&stored).any(|id| {
            self.live.get(id).is_some_and(is_reserved) || self.stored.get(id).is_some_and(|record| is_reserved(record))
        })
    }

    fn create(&mut self, ModelInputMessage { payload, now_ms, .. }: ModelInputMessage<'_>, id: &str) {
        let deadline = deadline(payload, now_ms);
        let type_name = |before: Option<&ModelStoredObject>| {
            let before = before.map_or("object", |record| record.type_name.as_str());
            payload["type"].as_str().unwrap_or(before).to_string()
        };
        let replaced = |before: Option<&ModelStoredObject>| ModelStoredObject {
            type_name: type_name(before),
            attributes: payload["data"].clone(),
            expires_ms: deadline.or(before.and_then(|record| record.expires_ms)),
        };
        self.met.push(match (&payload["persist"], deadline) {
            (Value::Bool(true), Some(_)) => SceneSituation::CreatePersistedWithTtl,
            (Value::Bool(true), None) => SceneSituation::CreatePersisted,
            (Value::Bool(false) | Value::Null, _) => SceneSituation::CreateNotPersisted,
            _ => SceneSituation::CreateTruthyIsNotTrue,
        });
        if payload["persist"] == true {
            let before = self.stored.get(id).map(Rc::as_ref);
            if deadline.is_none() && before.is_some_and(|record| record.expires_ms.is_some()) {
                self.met.push(SceneSituation::CreateKeepsDeadline);
            }
            let record = replaced(before);
            self.stored.insert(id.to_string(), Rc::new(record));
        }
        let object = replaced(self.live.get(id));
        self.live.insert(id.to_string(), object);
    }

    fn update(&mut self, ModelInputMessage { payload, now_ms, .. }: ModelInputMessage<'_>, id: &str) {
        let deadline = deadline(payload, now_ms);
        let overwrites = payload["overwrite"] == true;
        let changed = |before: Option<&ModelStoredObject>| {
            let type_name = payload["type"].as_str().unwrap_or("object").to_string();
            let mut record =
                before.cloned().unwrap_or(ModelStoredObject { type_name, attributes: json!({}), expires_ms: None });
            if overwrites {
                record.type_name = payload["type"].as_str().map_or(record.type_name, str::to_string);
                record.attributes = payload["data"].clone();
                record.expires_ms = deadline;
            } else {
                tree::update(&mut record.attributes, &payload["data"]);
                record.expires_ms = deadline.or(record.expires_ms);
            }
            record
        };
        let stored = self.stored.get(id).filter(|_| is_truthy(&payload["persist"]));
        self.met.push(match (stored.is_some(), overwrites) {
            (true, true) => SceneSituation::OverwritePersistedKnown,
            (true, false) => SceneSituation::UpdatePersistedKnown,
            (false, true) => SceneSituation::OverwriteNotStored,
            (false, false) if is_truthy(&payload["persist"]) => SceneSituation::UpdatePersistedUnknown,
            (false, false) if self.live.contains_key(id) => SceneSituation::UpdateNotPersistedKnown,
            (false, false) => SceneSituation::UpdateNotPersistedUnknown,
        });
        if let Some(before) = stored {
            let data = payload["data"].as_object().into_iter().flatten();
            let (nulls, lists) = data.fold((false, false), |(nulls, lists), (_, value)| {
                (nulls || value.to_string().contains("null"), lists || value.is_array())
            });
            let rows = [
                (nulls, SceneSituation::UpdateRemovesLeaf),
                (lists, SceneSituation::UpdateReplacesList),
                (deadline.is_some(), SceneSituation::UpdateMovesDeadline),
            ];
            self.met.extend(rows.into_iter().filter(|(met, _)| *met && !overwrites).map(|(_, row)| row));
            let record = changed(Some(before));
            self.stored.insert(id.to_string(), Rc::new(record));
        }
        let object = changed(self.live.get(id));
        self.live.insert(id.to_string(), object);
    }

    fn delete(&mut self, id: &str) {
        let known = self.live.contains_key(id) || self.stored.contains_key(id);
        self.met.push(if known { SceneSituation::DeleteKnown } else { SceneSituation::DeleteUnknown });
        if self.remove(id) > 1 {
            self.met.push(SceneSituation::DeleteWithDescendants);
        }
    }

    fn load_template(&mut self, incoming: ModelInputMessage<'_>) -> Result<(), &'static str> {
        let ModelInputMessage { payload, template, now_ms, .. } = incoming;
        let asked = &payload["data"];
        let copies = templates::copies(asked, template.map(|(stored, _)| stored))?;
        if copies.keys().any(|id| self.live.contains_key(id) || self.stored.contains_key(id)) {
            return Err("already_there");
        }
        let expires_ms = deadline(asked, now_ms);
        let container = templates::container(asked);
        for (id, record) in copies {
            let record = ModelStoredObject { expires_ms: expires_ms.filter(|_| id == container), ..record };
            if asked["persist"] == true {
                self.stored.insert(id.clone(), Rc::new(record.clone()));
            }
            self.live.insert(id, record);
        }
        if template.is_some_and(|(_, is_another)| is_another) {
            self.met.push(SceneSituation::TemplateOfAnotherScene);
        }
        Ok(())
    }

    /// Removes an object from both states, with its descendants and the moved objects of its template instance.
    /// Returns the number removed from the stored state.
    fn remove(&mut self, id: &str) -> usize {
        let known = self.live.contains_key(id) || self.stored.contains_key(id);
        let mut gone = self.remove_one(id);
        let ids: BTreeSet<&String> = self.live.keys().chain(self.stored.keys()).collect();
        let left = ids.into_iter().filter(|left| known && templates::is_instance_of(left, id));
        for left in left.cloned().collect::<Vec<_>>() {
            self.met.push(SceneSituation::TemplateRemnants);
            gone += self.remove_one(&left);
        }
        gone
    }

    fn remove_one(&mut self, id: &str) -> usize {
        self.remove_live(id);
        let parent = |record: &Rc<ModelStoredObject>| record.attributes["parent"].as_str().map(str::to_string);
        let gone = with_descendants(id, &self.stored.iter().map(|(id, record)| (id.clone(), parent(record))).collect());
        let before = self.stored.len();
        self.stored.retain(|id, _| !gone.contains(id));
        before - self.stored.len()
    }

    fn remove_live(&mut self, id: &str) {
        let parent = |record: &ModelStoredObject| record.attributes["parent"].as_str().map(str::to_string);
        let gone = with_descendants(id, &self.live.iter().map(|(id, record)| (id.clone(), parent(record))).collect());
        self.live.retain(|id, _| !gone.contains(id));
    }

    fn user(&mut self, incoming: ModelInputMessage<'_>, owner: &str, private: bool) -> Result<(), &'static str> {
        let ModelInputMessage { sender, topic, payload, now_ms, .. } = incoming;
        let id = topic.rsplit('/').next().filter(|_| !private).unwrap_or(owner);
        let is_present = self.people.get(owner).is_some_and(|person| person.connection == sender.connection);
        let has_departed = self.departed.contains(&(sender.connection, owner.to_string()));
        let action = payload["action"].as_str().unwrap_or_default();
        if action == "delete" {
            if let Some(person) = self.people.get_mut(owner).filter(|_| is_present && !private) {
                person.parts.remove(id);
            }
            return Ok(());
        }
        if private || action == "clientEvent" {
            return if has_departed { Err("departed") } else { Ok(()) };
        }
        let may_raise = id == owner && (!has_departed || action == "create");
        if !is_present && !may_raise {
            self.met.push(SceneSituation::Straggler);
            return Err("departed");
        }
        if !is_present {
            self.raise(sender.connection, owner);
        }
        self.met.push(if id == owner { SceneSituation::Camera } else { SceneSituation::Hand });
        let person = self.people.get_mut(owner).expect("is present now");
        let part = person.parts.entry(id.to_string()).or_insert(ModelPersonPart {
            attributes: json!({}),
            ttl: None,
            expires_ms: None,
        });
        if action == "create" || payload["overwrite"] == true {
            part.attributes = payload["data"].clone();
        } else {
            tree::update(&mut part.attributes, &payload["data"]);
        }
        part.ttl = payload["ttl"].as_f64().or(part.ttl);
        part.expires_ms = part.ttl.map(|ttl| now_ms + (ttl * 1_000.0) as u64);
        Ok(())
    }

    fn presence(&mut self, incoming: ModelInputMessage<'_>, id: &str, private: bool) -> Result<(), &'static str> {
        let ModelInputMessage { sender, payload, .. } = incoming;
        let is_present = self.people.get(id).is_some_and(|person| person.connection == sender.connection);
        let has_departed = self.departed.contains(&(sender.connection, id.to_string()));
        match payload["action"].as_str().unwrap_or_default() {
            _ if private && has_departed => return Err("departed"),
            _ if private => {}
            "join" => {
                self.met.push(SceneSituation::Join);
                if !is_present {
                    self.raise(sender.connection, id);
                }
                self.people.get_mut(id).expect("is present now").name = Some(payload["dn"].clone());
            }
            "update" if is_present => {
                self.met.push(SceneSituation::Rename);
                self.people.get_mut(id).expect("is present").name = Some(payload["dn"].clone());
            }
            "leave" if self.people.contains_key(id) && !is_present => return Err("departed"),
            "leave" => {
                self.met.push(SceneSituation::Leave);
                self.people.remove(id);
                self.departed.insert((sender.connection, id.to_string()));
            }
            "relocalized" if !has_departed => {}
            _ => return Err("departed"),
        }
        Ok(())
    }

    fn raise(&mut self, connection: u64, id: &str) {
        self.departed.remove(&(connection, id.to_string()));
        match self.people.get_mut(id) {
            Some(person) => {
                self.departed.insert((person.connection, id.to_string()));
                person.connection = connection;
            }
            None => {
                self.people.insert(id.to_string(), ModelPerson { connection, name: None, parts: BTreeMap::new() });
            }
        }
    }

    /// Handles the end of a connection, its will included.
    pub(crate) fn connection_ended(&mut self, connection: u64) {
        self.people.retain(|_, person| person.connection != connection);
        self.departed.retain(|(departed, _)| *departed != connection);
    }

    /// Handles the owner's reset.
    pub(crate) fn clear(&mut self) {
        self.live.clear();
        self.stored.clear();
        self.met.push(SceneSituation::Reset);
    }

    /// Removes expired objects, cameras and hands.
    pub(crate) fn expire(&mut self, now_ms: u64) {
        let is_due = |at: Option<u64>| at.is_some_and(|at| at <= now_ms);
        while let Some(id) = self.stored.iter().find(|(_, record)| is_due(record.expires_ms)).map(|(id, _)| id.clone())
        {
            self.met.push(SceneSituation::ExpiryStored);
            if self.remove(&id) > 1 {
                self.met.push(SceneSituation::ExpiryWithDescendants);
            }
        }
        while let Some(id) = self.live.iter().find(|(_, record)| is_due(record.expires_ms)).map(|(id, _)| id.clone()) {
            self.met.push(SceneSituation::ExpiryLive);
            self.remove_live(&id);
            let left: Vec<String> =
                self.live.keys().filter(|left| templates::is_instance_of(left, &id)).cloned().collect();
            left.iter().for_each(|left| self.remove_live(left));
        }
        for person in self.people.values_mut() {
            let before = person.parts.len();
            person.parts.retain(|_, part| !is_due(part.expires_ms));
            if person.parts.len() < before {
                self.met.push(SceneSituation::CameraExpired);
            }
        }
    }

    /// The records that `getPersist` has to return.
    pub(crate) fn records(&self, type_name: Option<&str>) -> BTreeMap<String, (Value, Value)> {
        let wanted = self.stored.iter().filter(|(_, record)| type_name.is_none_or(|wanted| record.type_name == wanted));
        wanted.map(|(id, record)| (id.clone(), (json!(record.type_name), record.attributes.clone()))).collect()
    }
}

fn owner_of<'a>(id: &'a str, sender: &MessageSender) -> &'a str {
    let parts = ["handLeft_", "handRight_", "face_"];
    let stripped = parts.iter().find_map(|prefix| id.strip_prefix(prefix));
    if id == sender.id_tag { id } else { stripped.unwrap_or(id) }
}

fn with_descendants(id: &str, parents: &BTreeMap<String, Option<String>>) -> BTreeSet<String> {
    let mut gone = BTreeSet::new();
    if !parents.contains_key(id) {
        return gone;
    }
    gone.insert(id.to_string());
    loop {
        let is_below = |parent: &Option<String>| parent.as_ref().is_some_and(|parent| gone.contains(parent));
        let below: Vec<String> = parents
            .iter()
            .filter(|(id, parent)| !gone.contains(*id) && is_below(parent))
            .map(|(id, _)| id.clone())
            .collect();
        if below.is_empty() {
            return gone;
        }
        gone.extend(below);
    }
}

fn deadline(payload: &Value, now_ms: u64) -> Option<u64> {
    payload["ttl"].as_f64().filter(|ttl| *ttl >= 0.0).map(|ttl| now_ms + (ttl * 1_000.0) as u64)
}

fn is_truthy(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(truth) => *truth,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(_) | Value::Object(_) => true,
    }
}
