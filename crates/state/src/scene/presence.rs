//! Messages about people (topic kinds `x` and `u`): join, leave, cameras, hands and faces. Also the end of a
//! connection. Source: `spec/topics.md` section 2.2.

use alloc::string::{String, ToString};

use serde_json::{Map, Value, json};
use stoa_wire::envelope::{Action, Envelope};
use stoa_wire::reason::{Reason, Refusal};
use stoa_wire::topic::{SceneTopic, TopicKind, owner_of_part};

use super::deadlines::ExpiryKey;
use super::merge::{FoldMode, size_bytes};
use super::objects::after;
use super::people::{ConnectionPresenceStatus, PresentPerson};
use super::{AppliedMessage, Scene, SceneMessage};
use crate::connection_id::ConnectionId;
use crate::limits;
use crate::time::Time;

impl Scene {
    /// Handles a message on `x`.
    pub(super) fn handle_presence(&mut self, message: SceneMessage<'_>) -> Result<AppliedMessage, Refusal> {
        let SceneMessage { author, topic, envelope } = message;
        let id_tag = topic.uuid.as_str();
        let status = self.people.status_of(author.connection, id_tag);
        if topic.to_uid.is_some() {
            return if status == ConnectionPresenceStatus::Departed {
                Err(Reason::Departed.into())
            } else {
                Ok(AppliedMessage::default())
            };
        }
        match (envelope.action, status) {
            (Some(Action::Join), _) => {
                check_joined(None, &envelope)?;
                self.make_present(author.connection, topic, id_tag)?;
                let person = self.people.get_mut(id_tag).expect("was just raised");
                person.joined = Some(joined_of(envelope));
                Ok(self.changed())
            }
            (Some(Action::Update), ConnectionPresenceStatus::Present) => {
                let person = self.people.get_mut(id_tag).expect("is present");
                check_joined(person.joined.as_ref(), &envelope)?;
                person.joined.get_or_insert_default().extend(joined_of(envelope));
                Ok(self.changed())
            }
            (Some(Action::Leave), _) => self.leave(author.connection, id_tag),
            (Some(Action::Relocalized), ConnectionPresenceStatus::Present | ConnectionPresenceStatus::Unknown) => {
                Ok(AppliedMessage::default())
            }
            (Some(Action::Update | Action::Relocalized), _) => Err(Reason::Departed.into()),
            _ => Err(Reason::BadValue.into()),
        }
    }

    fn leave(&mut self, connection: ConnectionId, id_tag: &str) -> Result<AppliedMessage, Refusal> {
        // The person is present by another connection: a `leave` or will of an older one must not end the presence.
        if self.people.get(id_tag).is_some_and(|person| person.connection != connection) {
            return Err(Reason::Departed.into());
        }
        match self.people.depart(connection, id_tag) {
            None => Ok(AppliedMessage::default()),
            Some(person) => {
                self.forget_parts(id_tag, &person);
                Ok(self.changed())
            }
        }
    }

    /// Handles a message on `u`.
    pub(super) fn handle_user(&mut self, message: SceneMessage<'_>, now: Time) -> Result<AppliedMessage, Refusal> {
        let SceneMessage { author, topic, envelope } = message;
        let id_tag = owner_of_part(&topic.uuid, &author.id_tag);
        let status = self.people.status_of(author.connection, id_tag);
        let is_camera = topic.uuid == id_tag;
        match envelope.action {
            Some(Action::Delete) if status == ConnectionPresenceStatus::Present && topic.to_uid.is_none() => {
                Ok(self.remove_part(id_tag, &topic.uuid))
            }
            Some(Action::Delete) => Ok(AppliedMessage::default()),
            _ if topic.to_uid.is_some() || envelope.action == Some(Action::ClientEvent) => {
                if status == ConnectionPresenceStatus::Departed {
                    Err(Reason::Departed.into())
                } else {
                    Ok(AppliedMessage::default())
                }
            }
            Some(action @ (Action::Create | Action::Update)) => {
                let makes_present = match status {
                    ConnectionPresenceStatus::Present => false,
                    ConnectionPresenceStatus::Unknown if is_camera => true,
                    ConnectionPresenceStatus::Departed if is_camera && action == Action::Create => true,
                    ConnectionPresenceStatus::Unknown | ConnectionPresenceStatus::Departed => {
                        return Err(Reason::Departed.into());
                    }
                };
                self.check_part(id_tag, &envelope)?;
                if makes_present {
                    self.make_present(author.connection, topic, id_tag)?;
                }
                Ok(self.put_part(SceneMessage { author, topic, envelope }, now))
            }
            _ => Err(Reason::BadValue.into()),
        }
    }

    fn make_present(&mut self, connection: ConnectionId, topic: &SceneTopic, id_tag: &str) -> Result<(), Refusal> {
        if self.people.get(id_tag).is_none() && !self.people.has_room() {
            return Err(Refusal::beyond(Reason::TooManyObjects, limits::PEOPLE_MAX, "people in a scene"));
        }
        if self.people.status_of(connection, id_tag) != ConnectionPresenceStatus::Present {
            self.people.make_present(connection, id_tag, &topic.user_client);
        }
        Ok(())
    }

    fn check_part(&self, id_tag: &str, envelope: &Envelope) -> Result<(), Refusal> {
        let patch = envelope.attributes.as_ref().ok_or(Reason::MissingKey)?;
        let part = self.people.get(id_tag).and_then(|person| person.parts.get(&envelope.object_id));
        let before = part.map_or(0, |part| part.bytes);
        // The sizes are added without merging: cameras take a hundredth of the limit, and their updates are the hottest
        // path.
        let growth = size_bytes(patch);
        if before + growth > limits::USER_OBJECT_BYTES_MAX {
            let of = "bytes of a camera, hand or face";
            return Err(Refusal::beyond(Reason::TooLarge, limits::USER_OBJECT_BYTES_MAX, of));
        }
        self.people.check_growth(id_tag, growth)
    }

    fn put_part(&mut self, SceneMessage { author, topic, envelope }: SceneMessage<'_>, now: Time) -> AppliedMessage {
        let id_tag = owner_of_part(&topic.uuid, &author.id_tag);
        let patch = envelope.attributes.expect("was checked before");
        let keys = &mut self.keys;
        let person = self.people.get_mut(id_tag).expect("is present");
        let part = person.parts.entry(topic.uuid.clone()).or_default();
        let is_replaced = envelope.action == Some(Action::Create) || envelope.overwrite;
        let same_ttl = envelope.ttl.is_none() || envelope.ttl == part.ttl;
        let conflation = if is_replaced || !same_ttl {
            part.streams.close();
            None
        } else {
            Some(part.streams.key_of(&patch, envelope.type_name.as_deref(), keys))
        };
        let fold = if is_replaced { FoldMode::Replace } else { FoldMode::Merge };
        fold.apply(&mut part.attributes, patch);
        let bytes = size_bytes(&part.attributes);
        let before = core::mem::replace(&mut part.bytes, bytes);
        part.type_name = envelope.type_name.or_else(|| part.type_name.take());
        part.user_client.clone_from(&topic.user_client);
        part.ttl = envelope.ttl.or(part.ttl);
        let deadline = part.ttl.map(|ttl| after(now, ttl));
        self.people.resize_part(before, bytes);
        self.deadlines.set(expiring(id_tag, &topic.uuid), deadline);
        AppliedMessage { conflation, ..self.changed() }
    }

    fn remove_part(&mut self, id_tag: &str, object_id: &str) -> AppliedMessage {
        let person = self.people.get_mut(id_tag).expect("is present");
        let Some(part) = person.parts.remove(object_id) else { return AppliedMessage::default() };
        self.people.resize_part(part.bytes, 0);
        self.deadlines.set(expiring(id_tag, object_id), None);
        self.changed()
    }

    /// Removes a camera, hand or face without recent messages. The person remains, and the next message about the part
    /// restores it.
    pub(super) fn expire_part(&mut self, id_tag: &str, object_id: &str) {
        let applied = self.remove_part(id_tag, object_id);
        self.publish_delete(TopicKind::U, object_id, applied.revision);
    }

    /// Ends the presence of all people of a connection. A guest without a further connection has then departed. Call it
    /// after the connection's will, which in a scene is never delayed: people that a will makes present must not
    /// remain.
    pub fn handle_connection_ended(&mut self, connection: ConnectionId) {
        self.guests.handle_connection_ended(connection);
        for (id_tag, person) in self.people.end(connection) {
            self.forget_parts(&id_tag, &person);
            let topic = self.topic(TopicKind::X, &person.user_client, &id_tag);
            let revision = Some(self.next_revision());
            self.publish(topic, &json!({"object_id": id_tag, "action": "leave"}), revision);
        }
    }

    fn forget_parts(&mut self, id_tag: &str, person: &PresentPerson) {
        for object_id in person.parts.keys() {
            self.deadlines.set(expiring(id_tag, object_id), None);
        }
    }

    fn changed(&mut self) -> AppliedMessage {
        AppliedMessage { revision: Some(self.next_revision()), ..AppliedMessage::default() }
    }
}

fn expiring(id_tag: &str, object_id: &str) -> ExpiryKey {
    ExpiryKey::Part { id_tag: id_tag.to_string(), object_id: object_id.to_string() }
}

// An update adds to the join, so both sizes count: many small updates would otherwise grow it without limit.
fn check_joined(before: Option<&Map<String, Value>>, envelope: &Envelope) -> Result<(), Refusal> {
    let size = before.map_or(0, size_bytes) + size_bytes(&envelope.rest);
    if size > limits::JOIN_BYTES_MAX {
        return Err(Refusal::beyond(Reason::TooLarge, limits::JOIN_BYTES_MAX, "bytes of a join"));
    }
    Ok(())
}

fn joined_of(envelope: Envelope) -> Map<String, Value> {
    let mut joined = envelope.rest;
    if let Some(type_name) = envelope.type_name {
        joined.insert("type".to_string(), Value::String(type_name));
    }
    joined
}
