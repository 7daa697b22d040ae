//! One scene: its single writer. Takes messages, decides what they change, numbers the changes, and keeps what is stored and what is live side by
//! side. Source: `spec/topics.md` sections 2 and 4. Who may send what is [`crate::grant`]'s matter.

mod amend;
mod children;
mod conflation;
mod deadlines;
mod history;
mod leaves;
mod live;
mod merge;
mod objects;
mod people;
mod presence;
mod put_objects;
mod replaced_state;
mod snapshot;
mod stored;
mod template;
#[cfg(test)]
mod tests;
mod wall_clock;

pub use amend::Amendment;
pub use history::{LoggedChange, UndoPlan, UndoRequest};
pub use replaced_state::ReplacedState;
pub use snapshot::SceneSnapshot;
pub use stored::{
    DEFAULT_TYPE, StoredChange, StoredChangeKind, StoredObject, StoredRecords, StoredScene, composed_patch,
};
pub use template::{Template, TemplateRequest};
pub use wall_clock::UnixMillis;

use alloc::collections::VecDeque;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use bytes::Bytes;
use serde_json::{Map, Value, json};
use stoa_wire::envelope::Envelope;
use stoa_wire::reason::{Reason, Refusal};
use stoa_wire::topic::{REALM_CLIENT, SCENE_PREFIX, SceneName, SceneTopic, TopicKind};

use self::children::ChildIndex;
use self::conflation::KeyIssuer;
use self::deadlines::{ExpiryDeadlines, ExpiryKey};
use self::live::LiveState;
use self::people::PresentPeople;
use self::stored::StoredObjects;
use crate::connection_id::ConnectionId;
use crate::grant::Author;
use crate::packet_class::ConflationKey;
use crate::time::{Time, UnixTime};

/// A message in a scene, envelope checked.
#[derive(Clone, Debug)]
pub struct SceneMessage<'a> {
    /// The sender.
    pub author: &'a Author,
    /// On which topic.
    pub topic: &'a SceneTopic,
    /// The checked payload.
    pub envelope: Envelope,
}

/// What an accepted message did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AppliedMessage {
    /// The revision it made; `None` where it changed nothing.
    pub revision: Option<u64>,
    /// A message with the same key that still waits somewhere is made pointless by this one, which may take its place.
    pub conflation: Option<ConflationKey>,
    /// How large the object is that was gone through to make it.
    pub walked_bytes: usize,
}

/// What the caller must do.
#[derive(Clone, Debug, PartialEq)]
pub enum SceneOutput {
    /// The scene itself says something to everybody.
    Publish {
        /// The full topic.
        topic: String,
        /// JSON.
        payload: Bytes,
        /// The revision that it tells.
        revision: Option<u64>,
    },
    /// An answer to one connection alone.
    Reply {
        /// The receiving connection.
        connection: ConnectionId,
        /// The full topic.
        topic: String,
        /// JSON.
        payload: Bytes,
    },
    /// Append and fold.
    Store(StoredChange),
}

/// One scene's state.
#[derive(Debug)]
pub struct Scene {
    name: SceneName,
    epoch: u64,
    revision: u64,
    unix_at_zero: UnixTime,
    live: LiveState,
    stored: StoredObjects,
    /// Their attributes, as JSON.
    stored_bytes: usize,
    stored_children: ChildIndex,
    people: PresentPeople,
    deadlines: ExpiryDeadlines,
    keys: KeyIssuer,
    outputs: VecDeque<SceneOutput>,
}

impl Scene {
    /// An empty scene. `epoch` is another for each opening of a scene of this name; `unix_at_zero` is the wall clock at [`Time::ZERO`].
    pub fn new(name: SceneName, epoch: u64, unix_at_zero: UnixTime) -> Scene {
        Scene {
            keys: KeyIssuer::new(&name, epoch),
            name,
            epoch,
            revision: 0,
            unix_at_zero,
            live: LiveState::default(),
            stored: StoredObjects::default(),
            stored_bytes: 0,
            stored_children: ChildIndex::default(),
            people: PresentPeople::default(),
            deadlines: ExpiryDeadlines::default(),
            outputs: VecDeque::new(),
        }
    }

    /// Fills a new scene with what was stored. What has expired meanwhile goes at the next [`Scene::handle_timeout`].
    pub fn restore(&mut self, stored: StoredScene, now: Time) {
        assert!(self.revision == 0 && self.live.len() == 0, "only a new scene is restored");
        self.revision = stored.revision;
        for record in stored.objects {
            let id = record.object_id.clone();
            let deadline = record.expires_at.map(|at| at.since(self.unix_at_zero).max(now));
            self.deadlines.set(ExpiryKey::Stored(id.clone()), deadline);
            self.stored_children.add(stored::parent_of(&record.attributes), &id);
            self.live.change(&id, |object| {
                object.type_name.clone_from(&record.type_name);
                object.attributes = record.attributes.clone();
                object.user_client = REALM_CLIENT.to_string();
            });
            self.stored_bytes += record.weight_bytes();
            self.stored.insert_mut(id, record);
        }
    }

    /// Takes one message, whose topic and sender the caller has checked against the grant. Where it is accepted, the caller forwards its bytes.
    /// Errors: a refused message changes nothing, [`Reason`] says why.
    pub fn handle_message(&mut self, message: SceneMessage<'_>, now: Time) -> Result<AppliedMessage, Refusal> {
        match message.topic.kind {
            TopicKind::O => self.handle_object(message, now),
            TopicKind::U => self.handle_user(message, now),
            TopicKind::X => self.handle_presence(message),
            TopicKind::C => {
                let is_control = message.envelope.type_name.as_deref() == Some("chat-ctrl");
                if is_control && !message.author.moderator {
                    Err(Reason::NotModerator.into())
                } else {
                    Ok(AppliedMessage::default())
                }
            }
            TopicKind::R | TopicKind::E | TopicKind::P | TopicKind::D => Ok(AppliedMessage::default()),
        }
    }

    /// Removes what has expired. Late is safe; early does nothing.
    pub fn handle_timeout(&mut self, now: Time) {
        while let Some(due) = self.deadlines.take_due(now) {
            match due {
                ExpiryKey::Stored(id) => self.expire_stored(&id, now),
                ExpiryKey::Live(id) => self.expire_live(&id),
                ExpiryKey::Part { id_tag, object_id } => self.expire_part(&id_tag, &object_id),
            }
        }
    }

    /// When the next object expires.
    pub fn poll_timeout(&self) -> Option<Time> {
        self.deadlines.next_at()
    }

    /// What is to be done, in order.
    pub fn poll_output(&mut self) -> Option<SceneOutput> {
        self.outputs.pop_front()
    }

    /// Everything at the present revision. The time it takes does not grow with the objects: they are shared, not copied.
    pub fn snapshot(&self, now: Time) -> SceneSnapshot {
        SceneSnapshot {
            epoch: self.epoch,
            revision: self.revision,
            scene: self.name.clone(),
            now,
            unix_at_zero: self.unix_at_zero,
            people: self.people.all(),
            live: self.live.all(),
            stored: self.stored.clone(),
        }
    }

    /// Who is there, for one joiner: for each person camera, hands, face, then join.
    pub fn presence(&self) -> Vec<(String, Bytes)> {
        let messages = self.people.all();
        let messages = messages.iter().flat_map(|(id_tag, person)| snapshot::of_person(&self.name, id_tag, person));
        messages.map(|(topic, payload)| (topic, payload.to_string().into())).collect()
    }

    /// By which connection somebody is present.
    pub fn connection_of(&self, id_tag: &str) -> Option<ConnectionId> {
        self.people.get(id_tag).map(|person| person.connection)
    }

    /// Whether somebody's camera, hand or face is known.
    pub fn has_part(&self, id_tag: &str, object_id: &str) -> bool {
        self.people.get(id_tag).is_some_and(|person| person.parts.contains_key(object_id))
    }

    /// All cameras, hands and faces: whose, its id, its attributes.
    pub fn parts(&self) -> Vec<(Arc<str>, String, Map<String, Value>)> {
        let of_one = |(id_tag, person): (Arc<str>, Arc<people::PresentPerson>)| {
            let parts =
                person.parts.iter().map(|(id, part)| (Arc::clone(&id_tag), id.clone(), part.attributes.clone()));
            parts.collect::<Vec<_>>()
        };
        self.people.all().into_iter().flat_map(of_one).collect()
    }

    /// How many are there.
    pub fn people(&self) -> usize {
        self.people.len()
    }

    /// What is stored as it is now, whatever happens to it later, or one object of it, or one type: no copy is made.
    pub fn records(&self, object_id: Option<String>, type_name: Option<String>) -> StoredRecords {
        StoredRecords { stored: self.stored.clone(), object_id, type_name }
    }

    /// Its name.
    pub fn name(&self) -> &SceneName {
        &self.name
    }

    /// New at every opening.
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// The last accepted change.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    fn next_revision(&mut self) -> u64 {
        self.revision += 1;
        self.revision
    }

    fn topic(&self, kind: TopicKind, user_client: &str, uuid: &str) -> String {
        topic_in(&self.name, kind, user_client, uuid)
    }

    fn publish(&mut self, topic: String, payload: &Value, revision: Option<u64>) {
        self.outputs.push_back(SceneOutput::Publish { topic, payload: payload.to_string().into(), revision });
    }

    fn publish_delete(&mut self, kind: TopicKind, object_id: &str, revision: Option<u64>) {
        let topic = self.topic(kind, REALM_CLIENT, object_id);
        self.publish(topic, &json!({"object_id": object_id, "action": "delete"}), revision);
    }
}

fn topic_in(scene: &SceneName, kind: TopicKind, user_client: &str, uuid: &str) -> String {
    format!("{SCENE_PREFIX}{scene}/{}/{user_client}/{uuid}", kind.as_str())
}
