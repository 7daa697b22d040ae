//! Messages about objects (topic kind `o`): creates, updates and deletes in the live and the stored state, with their
//! limits and the guests' restrictions. Source: the table of `spec/topics.md` section 2.1.

use alloc::boxed::Box;
use alloc::string::{String, ToString};

use serde_json::{Map, Value, json};
use stoa_wire::envelope::{Action, Envelope, Persist};
use stoa_wire::reason::{Reason, Refusal};
use stoa_wire::topic::{SceneTopic, TopicKind};

use super::deadlines::ExpiryKey;
use super::live::LiveObject;
use super::merge::{FoldMode, merged_bytes, record_bytes, size_bytes, text_bytes};
use super::replaced_state::ReplacedState;
use super::reserved::{ORDER_TYPES, is_reserved_type};
use super::stored::{DEFAULT_TYPE, StoredObject, StoredObjectEffect, parent_of};
use super::wall_clock::UnixMillis;
use super::{AppliedMessage, Scene, SceneMessage, SceneOutput, StoredObjectsRequest, guest_objects};
use crate::grant::Author;
use crate::limits;
use crate::time::Time;

/// A create or update with its effect. [`Scene::check_capacity`] checks it before [`Scene::put`] applies it.
pub(super) struct PutMessage<'a> {
    author: &'a Author,
    action: Action,
    fold: FoldMode,
    stores: bool,
    envelope: Envelope,
    patch: Map<String, Value>,
    user_client: &'a str,
}

impl Scene {
    /// Handles a message on `o`.
    pub(super) fn handle_object(&mut self, message: SceneMessage<'_>, now: Time) -> Result<AppliedMessage, Refusal> {
        let SceneMessage { author, topic, envelope } = message;
        if author.guest && self.is_reserved(&envelope) {
            return Err(Reason::ReservedType.into());
        }
        if changes_nothing(topic, &envelope) {
            return Ok(AppliedMessage::default());
        }
        match envelope.action {
            Some(Action::Create | Action::Update) => {
                if author.guest && envelope.ttl.is_some() && self.holds_reserved(&envelope.object_id) {
                    // The object's expiry would delete the reserved objects too.
                    return Err(Reason::ReservedType.into());
                }
                let parent = envelope.attributes.as_ref().and_then(parent_of);
                self.finish_deletions_for(&envelope.object_id, parent, now);
                let put = self.plan(author, envelope, &topic.user_client)?;
                self.check_capacity(&put)?;
                let giving_way = self.giving_way(&put, now)?;
                let applied = self.put(put, now);
                // Afterwards, because the deletion's revision follows that of the message, which is forwarded first.
                if let Some(id) = giving_way {
                    let written_bytes = self.written_bytes;
                    self.expire_stored(&id, now);
                    // The guest who brought the object has paid for its bytes.
                    self.written_bytes = written_bytes;
                }
                Ok(applied)
            }
            Some(Action::Delete) if author.guest && self.takes_reserved(&envelope.object_id) => {
                Err(Reason::ReservedType.into())
            }
            Some(Action::Delete) => Ok(self.delete_whole(&envelope.object_id, author, now)),
            Some(Action::ClientEvent) => Ok(AppliedMessage::default()),
            Some(Action::GetPersist) if self.returned_bytes() > limits::RETURNED_BYTES_MAX => Err(Refusal::beyond(
                Reason::TooLarge,
                limits::RETURNED_BYTES_MAX,
                "bytes of stored objects in one answer",
            )),
            Some(Action::GetPersist) => {
                let type_filter = envelope.attributes.as_ref().and_then(|asked| asked.get("type"));
                let type_name = type_filter.and_then(Value::as_str).map(ToString::to_string);
                let (connection, topic, object_id) = (author.connection, topic.to_string(), envelope.object_id);
                let request = StoredObjectsRequest { connection, topic, object_id, type_name };
                self.outputs.push_back(SceneOutput::Return(request));
                Ok(AppliedMessage::default())
            }
            // Templates need the source scene, which only the realm has; see `Scene::load_template`.
            Some(
                Action::LoadTemplate | Action::Join | Action::Leave | Action::Relocalized | Action::GetMotionTicket,
            )
            | None => Err(Reason::BadValue.into()),
        }
    }

    /// An estimate of the bytes that a create or update writes to the store; `None` if it writes none, and for other
    /// messages. A deletion is charged afterwards, because it also frees bytes. A template's estimate is
    /// [`super::TemplateSizeEstimate`].
    pub fn bytes_to_write(&self, topic: &SceneTopic, envelope: &Envelope, payload_bytes: usize) -> Option<usize> {
        if topic.kind != TopicKind::O || changes_nothing(topic, envelope) {
            return None;
        }
        let stores = match envelope.action {
            Some(Action::Create | Action::Update) => self.stores(envelope),
            _ => false,
        };
        let before = || self.stored.get(&envelope.object_id).map_or(0, StoredObject::row_bytes);
        stores.then(|| limits::LOG_ENTRY_BYTES + 2 * payload_bytes + before())
    }

    /// Approximate bytes of all stored objects, for a message that requests all of them or those of one type. `None`
    /// for other messages, and beyond [`limits::RETURNED_BYTES_MAX`].
    pub fn bytes_to_return(&self, topic: &SceneTopic, envelope: &Envelope) -> Option<usize> {
        let is_request = topic.kind == TopicKind::O && envelope.action == Some(Action::GetPersist);
        let bytes = (is_request && !changes_nothing(topic, envelope)).then(|| self.returned_bytes())?;
        (bytes <= limits::RETURNED_BYTES_MAX).then_some(bytes)
    }

    /// Whether a create or update changes the stored state.
    fn stores(&self, envelope: &Envelope) -> bool {
        match envelope.action {
            Some(Action::Create) => envelope.persist == Persist::True,
            _ => envelope.persist != Persist::False && self.stored.contains_key(&envelope.object_id),
        }
    }

    /// Approximate size of the answer to a `getPersist` of all types.
    fn returned_bytes(&self) -> usize {
        self.stored_bytes + self.stored.size() * limits::RECORD_KEYS_BYTES
    }

    pub(super) fn plan<'a>(
        &self,
        author: &'a Author,
        mut envelope: Envelope,
        user_client: &'a str,
    ) -> Result<PutMessage<'a>, Reason> {
        let patch = envelope.attributes.take().ok_or(Reason::MissingKey)?;
        let stores = self.stores(&envelope);
        let (action, fold) = match envelope.action {
            Some(Action::Create) => (Action::Create, FoldMode::Replace),
            _ if envelope.overwrite => (Action::Update, FoldMode::Replace),
            _ => (Action::Update, FoldMode::Merge),
        };
        Ok(PutMessage { author, action, fold, stores, envelope, patch, user_client })
    }

    pub(super) fn check_capacity(&self, put: &PutMessage<'_>) -> Result<(), Refusal> {
        let id = &put.envelope.object_id;
        let live = self.live.get(id);
        let stored = self.stored.get(id);
        if live.is_none() {
            self.live.check_capacity(1)?;
        }
        if live.is_none() && !self.guests.has(id) {
            self.guests.check_own(put.author, 1)?;
        }
        if put.stores && stored.is_none() {
            self.check_stored_capacity(1)?;
        }
        let stored_bytes = if put.stores { self.stored_bytes } else { 0 };
        let type_name = put.envelope.type_name.as_deref().unwrap_or(DEFAULT_TYPE);
        check_scene_bytes(self.live.size_bytes().max(stored_bytes) + record_bytes(id, type_name, &put.patch))?;
        let check_size = ObjectSizeChecker::of(put);
        check_size.after(live.map(|object| (&object.attributes, object.size_bytes())))?;
        // Last, because the size of a stored object must be computed.
        let stored = stored.filter(|_| put.stores && put.fold == FoldMode::Merge);
        check_size.after(stored.map(|object| (&object.attributes, object.size_bytes())))
    }

    pub(super) fn check_stored_capacity(&self, more: usize) -> Result<(), Refusal> {
        if self.stored.size() + self.live.reserved_objects() + more > limits::OBJECTS_MAX {
            return Err(Refusal::beyond(Reason::TooManyObjects, limits::OBJECTS_MAX, "stored objects of a scene"));
        }
        Ok(())
    }

    /// The object that gives way to a guest's new one; `None` if none has to. Errors: [`Reason::TooManyObjects`].
    fn giving_way(&mut self, put: &PutMessage<'_>, now: Time) -> Result<Option<String>, Refusal> {
        let id = put.envelope.object_id.as_str();
        let is_new = put.author.guest && self.live.get(id).is_none() && !self.guests.has(id);
        if !is_new || !self.guests.is_full() {
            return Ok(None);
        }
        let candidates = self.guests.candidates(put.author, now)?;
        let parent = parent_of(&put.patch);
        let is_alone = |id: &&String| {
            let has_children = self.live.has_children(id) || self.stored_children.of(id).next().is_some();
            !has_children && self.may_give_way(id, parent)
        };
        if let Some(id) = candidates.iter().find(is_alone) {
            return Ok(Some(id.clone()));
        }
        let walks = self.guests.skip(&candidates, now);
        let first = candidates.into_iter().next().filter(|id| walks && self.may_give_way(id, parent));
        first.map(Some).ok_or_else(guest_objects::full)
    }

    /// Whether a deletion of `id` removes only objects that guests brought, no reserved one, and not `parent`, the
    /// parent of the new object.
    fn may_give_way(&self, id: &str, parent: Option<&str>) -> bool {
        // All guests together have no more objects than this.
        let most = limits::GUESTS_OBJECTS_MAX;
        let below = self.live.few_descendants(id, most).zip(self.stored_children.few_descendants(id, most));
        let Some((live, stored)) = below else { return false };
        let below = live.iter().chain(&stored).chain(self.instance_ids(id)).map(String::as_str);
        let gives_way = |id: &str| self.guests.has(id) && !self.has_reserved(id) && parent != Some(id);
        below.chain([id]).all(gives_way)
    }

    pub(super) fn put(&mut self, put: PutMessage<'_>, now: Time) -> AppliedMessage {
        let id = put.envelope.object_id.clone();
        if put.author.guest {
            self.guests.note(put.author, &id, self.live.get(&id).is_none(), now);
        } else if put.action == Action::Create {
            self.guests.forget(&id);
        }
        let revision = self.next_revision();
        let stored_bytes = if put.stores { self.put_stored(&put, revision, now) } else { 0 };
        // Without a ttl, an overwriting update removes the deadline; a create and every other update keep it.
        let deadline = match put.envelope.ttl {
            Some(ttl) => Some(Some(after(now, ttl))),
            None if put.action == Action::Update && put.fold == FoldMode::Replace => Some(None),
            None => None,
        };
        if let Some(deadline) = deadline {
            self.deadlines.set(ExpiryKey::Live(id.clone()), deadline);
        }
        let is_reserved = put.envelope.type_name.as_deref().is_some_and(is_reserved_type);
        let (keys, mut conflation) = (&mut self.keys, None);
        self.live.change(&id, |object| {
            if put.fold == FoldMode::Merge && put.envelope.ttl.is_none() {
                conflation = Some(object.streams.key_of(&put.patch, put.envelope.type_name.as_deref(), keys));
            } else {
                object.streams.close();
            }
            if let Some(deadline) = deadline {
                object.expires_at = deadline;
            }
            change_live(object, put);
        });
        self.note_reserved(&id, is_reserved);
        let live_bytes = self.live.get(&id).map_or(0, LiveObject::size_bytes);
        AppliedMessage { revision: Some(revision), conflation, walked_bytes: live_bytes + stored_bytes }
    }

    /// Applies a message to the stored state. Returns the object's new size.
    fn put_stored(&mut self, put: &PutMessage<'_>, revision: u64, now: Time) -> usize {
        let PutMessage { envelope, patch, .. } = put;
        let (id, unix_now) = (&envelope.object_id, UnixMillis::at(self.unix_at_zero, now));
        let mut record = self.stored.get(id).cloned().unwrap_or_else(|| StoredObject {
            object_id: id.clone(),
            type_name: DEFAULT_TYPE.to_string(),
            attributes: Map::new(),
            expires_at: None,
            created_at: unix_now,
            updated_at: unix_now,
        });
        let before = match (self.stored.get(id), put.fold) {
            (Some(record), FoldMode::Merge) if envelope.ttl.is_none() => ReplacedState::of_update(record, patch),
            (record, _) => ReplacedState::of(record),
        };
        put.fold.apply(&mut record.attributes, patch.clone());
        if let (FoldMode::Replace, Some(type_name)) = (put.fold, &envelope.type_name) {
            record.type_name.clone_from(type_name);
        }
        record.updated_at = unix_now;
        match envelope.ttl {
            Some(ttl) => record.expires_at = Some(UnixMillis(unix_now.0 + millis(ttl))),
            None if put.action == Action::Update && put.fold == FoldMode::Replace => record.expires_at = None,
            None => {}
        }
        let writer = LogAuthor::of(put.author);
        self.store_record(RecordWrite { revision, writer, record, patch: patch_of(put), before }, now)
    }

    /// Stores a record under its id. Returns its size.
    pub(super) fn store_record(
        &mut self,
        RecordWrite { revision, writer, record, patch, before }: RecordWrite<'_>,
        now: Time,
    ) -> usize {
        let id = record.object_id.clone();
        if let Some(before) = self.stored.get(&id) {
            self.stored_children.remove(parent_of(&before.attributes), &id);
            self.stored_bytes -= before.weight_bytes();
        }
        let deadline = record.expires_at.map(|at| at.since(self.unix_at_zero));
        self.deadlines.set(ExpiryKey::Stored(id.clone()), deadline);
        self.stored_children.add(parent_of(&record.attributes), &id);
        let weight_bytes = record.weight_bytes();
        self.stored_bytes += weight_bytes;
        self.stored.insert_mut(id.clone(), record.clone());
        let row_bytes = record.row_bytes();
        let kind = StoredObjectEffect::Put(record);
        self.written_bytes += row_bytes as u64;
        self.store(LogEntryDraft { revision, writer, object_id: &id, kind, patch, before }, now);
        weight_bytes
    }

    pub(super) fn store(&mut self, entry: LogEntryDraft<'_>, now: Time) {
        let LogEntryDraft { revision, writer, object_id, kind, patch, before } = entry;
        self.stored_changes += 1;
        self.written_bytes += (limits::LOG_ENTRY_BYTES + text_bytes(&patch) + before.row_bytes()) as u64;
        self.outputs.push_back(SceneOutput::Store(super::PendingLogEntry {
            scene: self.name.clone(),
            epoch: self.epoch,
            revision,
            at: now,
            unix_at: UnixMillis::at(self.unix_at_zero, now),
            author: writer.subject.to_string(),
            object_id: object_id.to_string(),
            kind,
            patch,
            before: Box::new(before),
            guest_name: writer.guest_name.map(Into::into),
        }));
    }
}

/// A record to store, with its log entry.
pub(super) struct RecordWrite<'a> {
    pub(super) revision: u64,
    pub(super) writer: LogAuthor<'a>,
    pub(super) record: StoredObject,
    pub(super) patch: Value,
    pub(super) before: ReplacedState,
}

/// The author in a log entry.
#[derive(Clone, Copy)]
pub(super) struct LogAuthor<'a> {
    pub(super) subject: &'a str,
    pub(super) guest_name: Option<&'a str>,
}

impl<'a> LogAuthor<'a> {
    pub(super) fn of(author: &'a Author) -> LogAuthor<'a> {
        LogAuthor { subject: &author.subject, guest_name: author.guest_name.as_deref() }
    }

    /// The realm, or the account named in a command.
    pub(super) fn named(subject: &'a str) -> LogAuthor<'a> {
        LogAuthor { subject, guest_name: None }
    }
}

/// A [`super::PendingLogEntry`] without the scene's name, its epoch and the time.
pub(super) struct LogEntryDraft<'a> {
    pub(super) revision: u64,
    pub(super) writer: LogAuthor<'a>,
    pub(super) object_id: &'a str,
    pub(super) kind: StoredObjectEffect,
    pub(super) patch: Value,
    pub(super) before: ReplacedState,
}

/// Whether a message changes no object, because it is for one person or a command to cameras.
fn changes_nothing(topic: &SceneTopic, envelope: &Envelope) -> bool {
    let is_order = envelope.type_name.as_deref().is_some_and(|type_name| ORDER_TYPES.contains(&type_name));
    topic.to_uid.is_some() || is_order
}

fn change_live(object: &mut LiveObject, put: PutMessage<'_>) {
    let PutMessage { fold, envelope, patch, user_client, .. } = put;
    let is_new = object.type_name.is_empty();
    fold.apply(&mut object.attributes, patch);
    match envelope.type_name {
        Some(type_name) if is_new || fold == FoldMode::Replace => object.type_name = type_name,
        None if is_new => object.type_name = DEFAULT_TYPE.to_string(),
        _ => {}
    }
    object.user_client = user_client.to_string();
    object.private = envelope.private || object.private && fold == FoldMode::Merge;
    let program_id = envelope.rest.get("program_id").and_then(Value::as_str).map(ToString::to_string);
    object.program_id = program_id.or_else(|| object.program_id.take().filter(|_| fold == FoldMode::Merge));
}

/// Checks the bytes of all objects in a scene.
pub(super) fn check_scene_bytes(bytes: usize) -> Result<(), Refusal> {
    if bytes > limits::SCENE_BYTES_MAX {
        return Err(Refusal::beyond(Reason::TooManyObjects, limits::SCENE_BYTES_MAX, "bytes of a scene's objects"));
    }
    Ok(())
}

/// The bound of an object's size after a change.
struct ObjectSizeChecker<'a> {
    put: &'a PutMessage<'a>,
    patch_bytes: usize,
    most: usize,
    of: &'static str,
}

impl<'a> ObjectSizeChecker<'a> {
    fn of(put: &'a PutMessage<'_>) -> ObjectSizeChecker<'a> {
        let (most, of) = if put.author.guest {
            (limits::GUEST_OBJECT_BYTES_MAX, "bytes of a guest's object")
        } else {
            (limits::OBJECT_BYTES_MAX, "bytes of an object")
        };
        ObjectSizeChecker { put, patch_bytes: size_bytes(&put.patch), most, of }
    }

    /// Checks the change of these attributes, which come with their size. Errors: [`Reason::TooLarge`].
    fn after(&self, before: Option<(&Map<String, Value>, usize)>) -> Result<(), Refusal> {
        let after = match before.filter(|_| self.put.fold == FoldMode::Merge) {
            None => self.patch_bytes,
            Some((_, bytes)) if bytes + self.patch_bytes <= self.most => return Ok(()),
            Some((before, bytes)) => merged_bytes(before, bytes, &self.put.patch),
        };
        if after > self.most { Err(Refusal::beyond(Reason::TooLarge, self.most, self.of)) } else { Ok(()) }
    }
}

fn patch_of(put: &PutMessage<'_>) -> Value {
    let action =
        if put.action == Action::Update && put.fold == FoldMode::Replace { "overwrite" } else { put.action.as_str() };
    let mut patch = Map::from_iter([("action".to_string(), json!(action)), ("data".to_string(), json!(put.patch))]);
    if let Some(type_name) = &put.envelope.type_name {
        patch.insert("type".to_string(), json!(type_name));
    }
    if let Some(ttl) = put.envelope.ttl {
        patch.insert("ttl".to_string(), json!(ttl));
    }
    Value::Object(patch)
}

/// Whole milliseconds, the resolution of a record's wall clock, so that live and stored deadlines agree.
pub(super) fn after(now: Time, ttl: f64) -> Time {
    Time::from_millis(now.as_nanos() / 1_000_000 + millis(ttl))
}

// The envelope's check guarantees 0 to `TTL_S_MAX`.
fn millis(ttl: f64) -> u64 {
    (ttl * 1_000.0) as u64
}
