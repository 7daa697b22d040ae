//! One scene, the single writer of its state. It applies messages, numbers the changes, and maintains the live and
//! the stored state. Source: `spec/topics.md` sections 2 and 4. [`crate::grant`] checks topics and senders; the scene
//! checks the restrictions of guests, and that a sender of `chat-ctrl` is a moderator.

mod amend;
mod children;
mod conflation;
mod deadlines;
mod deletion;
mod guest_objects;
mod history;
mod leaves;
mod live;
mod merge;
mod objects;
mod people;
mod presence;
mod put_objects;
mod replaced_state;
mod reserved;
mod snapshot;
mod stored;
mod template;
#[cfg(test)]
mod tests;
mod wall_clock;

pub use amend::ObjectStateChange;
pub use history::{StoredLogEntry, UndoPlan, UndoRequest};
pub use replaced_state::ReplacedState;
pub use snapshot::SceneSnapshot;
pub use stored::{
    DEFAULT_TYPE, PendingLogEntry, RecordsSnapshot, StoredObject, StoredObjectEffect, StoredScene, composed_patch,
};
pub use template::{PendingTemplateCopy, TemplateRequest, TemplateSizeEstimate};
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
use self::conflation::ConflationKeyIssuer;
use self::deadlines::{ExpiryDeadlines, ExpiryKey};
use self::guest_objects::GuestObjectLimiter;
use self::live::VisibleObjectTable;
use self::people::PresentPeople;
use self::reserved::ReservedTypeObjectIds;
use self::stored::StoredObjects;
use self::template::RemainingTemplateCopies;
use crate::connection_id::ConnectionId;
use crate::grant::Author;
use crate::limits;
use crate::packet_class::ConflationKey;
use crate::time::{Time, UnixSeconds};

/// A message in a scene with a checked envelope.
#[derive(Clone, Debug)]
pub struct SceneMessage<'a> {
    /// The sender.
    pub author: &'a Author,
    /// The topic.
    pub topic: &'a SceneTopic,
    /// The checked payload.
    pub envelope: Envelope,
}

/// The effect of an accepted message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AppliedMessage {
    /// The new revision; `None` if nothing changed.
    pub revision: Option<u64>,
    /// A queued message with the same key is superseded by this one and may be dropped.
    pub conflation: Option<ConflationKey>,
    /// Bytes of the live and the stored object that a create or update on `o` walked; 0 for other changes.
    pub walked_bytes: usize,
}

/// An action that the caller must carry out.
#[derive(Clone, Debug, PartialEq)]
pub enum SceneOutput {
    /// Publish a message of the scene itself.
    Publish {
        /// The full topic.
        topic: String,
        /// JSON payload.
        payload: Bytes,
        /// The message's revision.
        revision: Option<u64>,
    },
    /// Send the stored objects to one connection.
    Return(StoredObjectsRequest),
    /// Append an entry to the log, and apply it to the present state in the store.
    Store(PendingLogEntry),
    /// The first of the templates that are copied in pieces is complete, or its container was deleted.
    TemplateCopied {
        /// Bytes that its copies have written to the store since [`Scene::load_template`] returned.
        written_bytes: u64,
    },
}

/// A `getPersist`: a request for stored objects in one message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredObjectsRequest {
    /// The requesting connection, which alone gets the answer.
    pub connection: ConnectionId,
    /// The full topic of the request and of the answer.
    pub topic: String,
    /// The request's object id, which the answer repeats.
    pub object_id: String,
    /// Only objects of this type.
    pub type_name: Option<String>,
}

/// The state of one scene.
#[derive(Debug)]
pub struct Scene {
    name: SceneName,
    epoch: u64,
    revision: u64,
    unix_at_zero: UnixSeconds,
    live: VisibleObjectTable,
    stored: StoredObjects,
    /// Bytes of all stored objects, as `merge` counts them.
    stored_bytes: usize,
    stored_children: ChildIndex,
    reserved: ReservedTypeObjectIds,
    guests: GuestObjectLimiter,
    /// Approximate bytes written to the store so far, as `written_bytes()` counts them.
    written_bytes: u64,
    /// Changes of stored objects so far.
    stored_changes: u64,
    /// Objects removed so far. An object that was live and stored counts twice.
    removed_objects: u64,
    people: PresentPeople,
    deadlines: ExpiryDeadlines,
    /// When expired objects may be removed again.
    expiry_resumes_at: Time,
    /// Templates that are copied in pieces, in order of their requests.
    copies: VecDeque<RemainingTemplateCopies>,
    copies_resume_at: Time,
    keys: ConflationKeyIssuer,
    outputs: VecDeque<SceneOutput>,
}

impl Scene {
    /// Creates an empty scene. `epoch` differs for each opening of a scene of this name; `unix_at_zero` is the wall
    /// clock at [`Time::ZERO`].
    pub fn new(name: SceneName, epoch: u64, unix_at_zero: UnixSeconds) -> Scene {
        Scene {
            keys: ConflationKeyIssuer::new(&name, epoch),
            name,
            epoch,
            revision: 0,
            unix_at_zero,
            live: VisibleObjectTable::default(),
            stored: StoredObjects::default(),
            stored_bytes: 0,
            stored_children: ChildIndex::default(),
            reserved: ReservedTypeObjectIds::new(),
            guests: GuestObjectLimiter::new(),
            written_bytes: 0,
            stored_changes: 0,
            removed_objects: 0,
            people: PresentPeople::default(),
            deadlines: ExpiryDeadlines::default(),
            expiry_resumes_at: Time::ZERO,
            copies: VecDeque::new(),
            copies_resume_at: Time::ZERO,
            outputs: VecDeque::new(),
        }
    }

    /// Fills a new scene with its stored state. The next calls of [`Scene::handle_timeout`] remove objects that have
    /// expired meanwhile.
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
            if reserved::is_reserved_type(&record.type_name) {
                self.reserved.insert(id.clone());
            }
            self.stored.insert_mut(id, record);
        }
    }

    /// Applies a message; the caller has checked topic and sender against the grant, and forwards an accepted one.
    /// Errors: [`Reason`] says why the message is refused. A refused message itself changes nothing, but an unfinished
    /// deletion of its object or of the object's new parent may have been finished before.
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

    /// Removes expired objects and descendants of deleted ones, and copies templates, a piece with each call. A late
    /// call is safe; an early one does nothing.
    pub fn handle_timeout(&mut self, now: Time) {
        self.expire(now);
        self.continue_copies(now);
    }

    /// Removes about [`limits::EXPIRED_AT_ONCE_MAX`] expired objects and descendants of deleted ones. Further ones
    /// follow after [`limits::EXPIRY_PAUSE`].
    fn expire(&mut self, now: Time) {
        if now < self.expiry_resumes_at {
            return;
        }
        let until = self.removed_objects + 2 * limits::EXPIRED_AT_ONCE_MAX as u64;
        for _ in 0..limits::EXPIRED_AT_ONCE_MAX {
            match self.deadlines.take_due(now) {
                Some(ExpiryKey::Stored(id)) => self.expire_stored(&id, now),
                Some(ExpiryKey::Live(id)) => self.expire_live(&id, now),
                Some(ExpiryKey::Part { id_tag, object_id }) => self.expire_part(&id_tag, &object_id),
                None if self.delete_next_orphan(now) => {}
                None => return,
            }
            if self.removed_objects >= until {
                break;
            }
        }
        self.expiry_resumes_at = now + limits::EXPIRY_PAUSE;
    }

    /// Returns the time of the next expiry, of further deletions or of further copies.
    pub fn poll_timeout(&self) -> Option<Time> {
        let next = if self.has_orphans() { Some(Time::ZERO) } else { self.deadlines.next_at() };
        let expiry = next.map(|at| at.max(self.expiry_resumes_at));
        expiry.into_iter().chain(self.copies_due_at()).min()
    }

    /// Returns the next output, in order.
    pub fn poll_output(&mut self) -> Option<SceneOutput> {
        self.outputs.pop_front()
    }

    /// Takes a snapshot of the present revision in constant time, because objects are shared.
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

    /// Returns the presence messages for a joining client: for each person camera, hands, face, then join.
    pub fn presence(&self) -> Vec<(String, Bytes)> {
        let messages = self.people.all();
        let messages = messages.iter().flat_map(|(id_tag, person)| snapshot::of_person(&self.name, id_tag, person));
        messages.map(|(topic, payload)| (topic, payload.to_string().into())).collect()
    }

    /// Returns the connection by which a person is present.
    pub fn connection_of(&self, id_tag: &str) -> Option<ConnectionId> {
        self.people.get(id_tag).map(|person| person.connection)
    }

    /// Whether any person is present by this connection.
    pub fn is_present(&self, connection: ConnectionId) -> bool {
        self.people.has_present(connection)
    }

    /// Returns the display names under which the scene shows a person.
    pub fn names_of(&self, id_tag: &str) -> impl Iterator<Item = &str> {
        self.people.get(id_tag).into_iter().flat_map(move |person| person.names(id_tag))
    }

    /// Whether a person's camera, hand or face exists.
    pub fn has_part(&self, id_tag: &str, object_id: &str) -> bool {
        self.people.get(id_tag).is_some_and(|person| person.parts.contains_key(object_id))
    }

    /// All cameras, hands and faces: the owner's idTag, the object id, the attributes.
    pub fn parts(&self) -> Vec<(Arc<str>, String, Map<String, Value>)> {
        let of_one = |(id_tag, person): (Arc<str>, Arc<people::PresentPerson>)| {
            let parts =
                person.parts.iter().map(|(id, part)| (Arc::clone(&id_tag), id.clone(), part.attributes.clone()));
            parts.collect::<Vec<_>>()
        };
        self.people.all().into_iter().flat_map(of_one).collect()
    }

    /// Number of people present.
    pub fn people(&self) -> usize {
        self.people.len()
    }

    /// Returns the present stored objects, or one of them, or those of one type. They are shared, not copied.
    pub fn records(&self, object_id: Option<String>, type_name: Option<String>) -> RecordsSnapshot {
        RecordsSnapshot { stored: self.stored.clone(), object_id, type_name }
    }

    /// The scene's name.
    pub fn name(&self) -> &SceneName {
        &self.name
    }

    /// The epoch, new for each opening.
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// The last revision.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Bytes of all stored objects, counted as [`limits::SCENE_BYTES_MAX`] says.
    pub fn stored_bytes(&self) -> usize {
        self.stored_bytes
    }

    /// Approximate bytes written to the store so far. They grow with each change of a stored object, except with the
    /// deletion of an object that gave way.
    pub fn written_bytes(&self) -> u64 {
        self.written_bytes
    }

    /// Number of changes of stored objects so far.
    pub fn stored_changes(&self) -> u64 {
        self.stored_changes
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
