//! Whole records that the server itself puts into a scene: objects of the first scenes, copies of another scene.

use alloc::collections::BTreeMap;
use alloc::string::ToString;
use alloc::vec::Vec;

use serde_json::{Map, Value, json};
use stoa_wire::reason::{Reason, Refusal};
use stoa_wire::topic::{REALM_CLIENT, TopicKind};

use super::Scene;
use super::deadlines::ExpiryKey;
use super::live::LiveObject;
use super::objects::{LogAuthor, RecordWrite, check_scene_bytes};
use super::replaced_state::ReplacedState;
use super::reserved::is_reserved_type;
use super::stored::{StoredObject, parent_of};
use super::wall_clock::UnixMillis;
use crate::limits;
use crate::time::Time;

impl Scene {
    /// Puts records under their own ids, in order, live and stored, all or none. Each keeps its times of creation
    /// and expiry, and is a revision of its own, announced by the realm itself. An existing object is replaced.
    /// Errors: [`Reason::TooLarge`] if one exceeds the limit of an object, [`Reason::TooManyObjects`] if they don't
    /// fit.
    pub fn put_objects(&mut self, author: &str, records: Vec<StoredObject>, now: Time) -> Result<(), Refusal> {
        self.check_capacity_for_records(&records)?;
        for record in records {
            self.finish_deletions_for(&record.object_id, parent_of(&record.attributes), now);
            let revision = self.next_revision();
            let unix_now = UnixMillis::at(self.unix_at_zero, now);
            let (topic, announced) =
                (self.topic(TopicKind::O, REALM_CLIENT, &record.object_id), announcement(&record, unix_now));
            let patch = patch_of(&announced);
            self.put_live_record(&record);
            let before = ReplacedState::of(self.stored.get(&record.object_id));
            let record = StoredObject { updated_at: unix_now, ..record };
            let (id, is_reserved) = (record.object_id.clone(), is_reserved_type(&record.type_name));
            self.store_record(RecordWrite { revision, writer: LogAuthor::named(author), record, patch, before }, now);
            self.note_reserved(&id, is_reserved);
            self.publish(topic, &announced, Some(revision));
        }
        Ok(())
    }

    fn check_capacity_for_records(&self, records: &[StoredObject]) -> Result<(), Refusal> {
        if records.iter().any(|record| record.size_bytes() > limits::OBJECT_BYTES_MAX) {
            return Err(Refusal::beyond(Reason::TooLarge, limits::OBJECT_BYTES_MAX, "bytes of an object"));
        }
        // The last record of an id counts.
        let sizes: BTreeMap<&str, usize> =
            records.iter().map(|record| (record.object_id.as_str(), record.weight_bytes())).collect();
        let (mut live, mut stored) =
            ((self.live.len(), self.live.size_bytes()), (self.stored.size(), self.stored_bytes));
        for (id, bytes) in sizes {
            let was_live = self.live.get(id).map(LiveObject::weight_bytes);
            let was_stored = self.stored.get(id).map(StoredObject::weight_bytes);
            for ((objects, size), was) in [(&mut live, was_live), (&mut stored, was_stored)] {
                *objects += usize::from(was.is_none());
                *size = *size + bytes - was.unwrap_or_default();
            }
        }
        if live.0.max(stored.0) + self.live.reserved_objects() > limits::OBJECTS_MAX {
            return Err(Refusal::beyond(Reason::TooManyObjects, limits::OBJECTS_MAX, "objects of a scene"));
        }
        check_scene_bytes(live.1.max(stored.1))
    }

    fn put_live_record(&mut self, record: &StoredObject) {
        self.guests.forget(&record.object_id);
        let expires_at = record.expires_at.map(|at| at.since(self.unix_at_zero));
        self.deadlines.set(ExpiryKey::Live(record.object_id.clone()), expires_at);
        self.live.change(&record.object_id, |object| {
            object.streams.close();
            object.type_name.clone_from(&record.type_name);
            object.attributes.clone_from(&record.attributes);
            object.user_client = REALM_CLIENT.to_string();
            object.private = false;
            object.program_id = None;
            object.expires_at = expires_at;
        });
    }
}

fn announcement(record: &StoredObject, now: UnixMillis) -> Value {
    let mut payload = json!({
        "object_id": record.object_id,
        "action": "create",
        "type": record.type_name,
        "persist": true,
        "data": record.attributes,
    });
    if let Some(at) = record.expires_at {
        payload["ttl"] = json!(at.0.saturating_sub(now.0) as f64 / 1_000.0);
    }
    payload
}

/// The log's part of an announcement.
fn patch_of(announced: &Value) -> Value {
    let kept = ["action", "type", "data", "ttl"];
    kept.iter().filter_map(|key| Some(((*key).to_string(), announced.get(key)?.clone()))).collect::<Map<_, _>>().into()
}
