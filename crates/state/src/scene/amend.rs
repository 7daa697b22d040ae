//! Carries out a plan of changes, all or none, although the scene may have changed since the plan. Leaves that have
//! changed since then remain. Source: `spec/history.md` section 5.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::{Map, Value, json};
use stoa_wire::envelope::{Action, Envelope, Persist};
use stoa_wire::reason::{Reason, Refusal};
use stoa_wire::topic::{REALM_CLIENT, TopicKind};

use super::Scene;
use super::leaves::{changed, lead, leaves_of};
use super::objects::{LogAuthor, check_scene_bytes};
use super::replaced_state::holds_null;
use super::reserved::is_reserved_type;
use super::stored::{StoredObject, parent_of};
use super::template::in_order;
use super::wall_clock::UnixMillis;
use crate::grant::Author;
use crate::limits;
use crate::time::Time;

/// A planned change of one object from its state at the time of the plan to a target state. `None` means absent.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjectStateChange {
    /// The object's id.
    pub object_id: String,
    /// The state at the time of the plan.
    pub basis: Option<StoredObject>,
    /// The target state.
    pub target: Option<StoredObject>,
}

/// Whether two records are equal, apart from their times of creation and change.
pub(super) fn has_same_content(one: &StoredObject, other: &StoredObject) -> bool {
    one.type_name == other.type_name && one.attributes == other.attributes && one.expires_at == other.expires_at
}

/// Messages that carry out amendments.
#[derive(Default)]
struct AmendmentMessages {
    /// Creates and updates, parents first.
    puts: Vec<Envelope>,
    deletes: Vec<String>,
}

impl Scene {
    /// Amends objects in `author`'s name. Each change is a revision of its own, announced by the realm itself.
    /// Returns the number of changed objects. Errors: [`Reason::TooManyObjects`] beyond [`limits::AMENDED_MAX`] or
    /// [`limits::AMENDED_BYTES_MAX`], [`Reason::ReservedType`] for a guest's change of an object that guests may not
    /// change, else the errors of the corresponding messages.
    pub fn amend(&mut self, author: &Author, amendments: Vec<ObjectStateChange>, now: Time) -> Result<usize, Refusal> {
        for ObjectStateChange { object_id, target, .. } in &amendments {
            let parent = target.as_ref().and_then(|record| parent_of(&record.attributes));
            self.finish_deletions_for(object_id, parent, now);
        }
        let amendment_plan = self.plan_amendments(amendments, now);
        self.check_plan(author, &amendment_plan)?;
        let count = amendment_plan.puts.len() + amendment_plan.deletes.len();
        let going: BTreeSet<&String> = amendment_plan.deletes.iter().collect();
        let mut swept = Vec::new();
        let plan = |create: Envelope| self.plan(author, create, REALM_CLIENT);
        let announced: Vec<Value> = amendment_plan.puts.iter().map(announcement).collect();
        let puts = amendment_plan.puts.into_iter().map(plan).collect::<Result<Vec<_>, Reason>>()?;
        puts.iter().try_for_each(|put| self.check_capacity(put))?;
        for (put, payload) in puts.into_iter().zip(announced) {
            let topic = self.topic(TopicKind::O, REALM_CLIENT, payload["object_id"].as_str().unwrap_or_default());
            let applied = self.put(put, now);
            self.publish(topic, &payload, applied.revision);
        }
        for id in &amendment_plan.deletes {
            let below = self.stored_children.descendants(id);
            swept.extend(below.iter().filter(|id| !going.contains(id)).filter_map(|id| self.stored.get(id).cloned()));
            self.delete_and_publish(id, LogAuthor::of(author), now);
        }
        self.restore_swept(author, &swept, now);
        Ok(count)
    }

    /// Plans the changes. Skips changes without an effect, new objects that have expired, deletions of objects that
    /// differ from their basis, and objects that were created or deleted since. Other differences are merged.
    fn plan_amendments(&self, amendments: Vec<ObjectStateChange>, now: Time) -> AmendmentMessages {
        let unix_now = UnixMillis::at(self.unix_at_zero, now);
        let mut amendment_plan = AmendmentMessages::default();
        let (mut created, mut changed) = (Vec::new(), Vec::new());
        for ObjectStateChange { object_id, basis, target } in amendments {
            match (basis, target, self.stored.get(&object_id)) {
                (None, Some(target), None) => created.push(target),
                (Some(basis), None, Some(present)) if has_same_content(&basis, present) => {
                    amendment_plan.deletes.push(object_id)
                }
                (Some(basis), Some(target), Some(present)) => {
                    let target =
                        if has_same_content(&basis, present) { target } else { merged(&basis, &target, present) };
                    changed.extend(update(present, &target, unix_now));
                }
                _ => {}
            }
        }
        created.retain(|record| record.expires_at.is_none_or(|at| at > unix_now));
        let order = in_order(&created);
        let mut creates: BTreeMap<String, Envelope> =
            created.into_iter().map(|record| (record.object_id.clone(), create(record, unix_now))).collect();
        amendment_plan.puts = order.iter().filter_map(|id| creates.remove(id)).chain(changed).collect();
        amendment_plan
    }

    fn check_plan(&self, author: &Author, amendment_plan: &AmendmentMessages) -> Result<(), Refusal> {
        let too_many = |most, of| Err(Refusal::beyond(Reason::TooManyObjects, most, of));
        if amendment_plan.puts.len() + amendment_plan.deletes.len() > limits::AMENDED_MAX {
            return too_many(limits::AMENDED_MAX, "objects changed by one restore");
        }
        let size = |put: &Envelope| put.attributes.as_ref().map_or(0, super::merge::size_bytes);
        let bytes: usize = amendment_plan.puts.iter().map(size).sum();
        if bytes > limits::AMENDED_BYTES_MAX {
            return too_many(limits::AMENDED_BYTES_MAX, "bytes changed by one restore");
        }
        let ids = amendment_plan.puts.iter().map(|put| &put.object_id).chain(&amendment_plan.deletes);
        let is_reserved = |put: &Envelope| put.type_name.as_deref().is_some_and(is_reserved_type);
        if author.guest
            && (amendment_plan.puts.iter().any(is_reserved) || ids.into_iter().any(|id| self.keeps_from_guests(id)))
        {
            return Err(Reason::ReservedType.into());
        }
        let new = amendment_plan.puts.iter().filter(|put| put.action == Some(Action::Create));
        let (count, weight) = new.fold((0, 0), |(count, weight), put| (count + 1, weight + size(put)));
        self.live.check_capacity(count)?;
        self.check_stored_capacity(count)?;
        self.guests.check_capacity(author, count)?;
        check_scene_bytes(self.live.size_bytes().max(self.stored_bytes) + weight)
    }

    /// Restores descendants that were deleted with an object although no change deletes them.
    fn restore_swept(&mut self, author: &Author, records: &[StoredObject], now: Time) {
        let unix_now = UnixMillis::at(self.unix_at_zero, now);
        let is_lost = |id: &str| !self.stored.contains_key(id) || self.stored_deletion(id).is_some();
        let lost: Vec<StoredObject> = records.iter().filter(|record| is_lost(&record.object_id)).cloned().collect();
        let order = in_order(&lost);
        let mut by_id: BTreeMap<String, StoredObject> =
            lost.into_iter().map(|record| (record.object_id.clone(), record)).collect();
        for record in order.iter().filter_map(|id| by_id.remove(id)) {
            self.finish_deletions_for(&record.object_id, parent_of(&record.attributes), now);
            let create = create(record, unix_now);
            let (topic, payload) = (self.topic(TopicKind::O, REALM_CLIENT, &create.object_id), announcement(&create));
            let put = self.plan(author, create, REALM_CLIENT).expect("has attributes");
            let applied = self.put(put, now);
            self.publish(topic, &payload, applied.revision);
        }
    }
}

/// Applies the difference of `basis` and `target` to `present`, at the leaves where `present` equals `basis`. The
/// expiry of `present` remains.
fn merged(basis: &StoredObject, target: &StoredObject, present: &StoredObject) -> StoredObject {
    let leaves = [basis, target, present].map(|record| leaves_of(Some(record), None));
    let [before, after, now] = &leaves;
    let is_as_before = |path: &Vec<String>| now.get(path) == before.get(path);
    let back = changed(before, after).map(|(path, _)| (path, after.get(path)));
    let mut record = present.clone();
    lead(&mut record, back.filter(|(path, _)| is_as_before(path)));
    record
}

fn create(record: StoredObject, now: UnixMillis) -> Envelope {
    let ttl = record.expires_at.map(|at| seconds_until(at, now));
    Envelope {
        object_id: record.object_id,
        action: Some(Action::Create),
        type_name: Some(record.type_name),
        persist: Persist::True,
        ttl,
        attributes: Some(record.attributes),
        ..Envelope::default()
    }
}

/// Returns the message that turns `present` into `target`; `None` if they are equal. An expiry of `target` in the past
/// is ignored.
fn update(present: &StoredObject, target: &StoredObject, now: UnixMillis) -> Option<Envelope> {
    let is_over = target.expires_at.is_some_and(|at| at <= now);
    let expires_at = if is_over { present.expires_at } else { target.expires_at };
    let lasts_longer = expires_at.is_none() && present.expires_at.is_some();
    let same_kind = target.type_name == present.type_name && !lasts_longer;
    let patch = Some(()).filter(|()| same_kind).and_then(|()| difference(&present.attributes, &target.attributes));
    let overwrite = patch.is_none();
    if patch.as_ref().is_some_and(Map::is_empty) && expires_at == present.expires_at {
        return None;
    }
    let moves = overwrite || expires_at != present.expires_at;
    Some(Envelope {
        object_id: target.object_id.clone(),
        action: Some(Action::Update),
        type_name: Some(target.type_name.clone()),
        persist: Persist::True,
        overwrite,
        ttl: expires_at.filter(|_| moves).map(|at| seconds_until(at, now)),
        attributes: Some(patch.unwrap_or_else(|| target.attributes.clone())),
        ..Envelope::default()
    })
}

/// Returns the patch that turns `present` into `target`; `None` if no update can.
fn difference(present: &Map<String, Value>, target: &Map<String, Value>) -> Option<Map<String, Value>> {
    let mut patch = Map::new();
    for (key, wanted) in target {
        match (present.get(key), wanted) {
            (Some(value), wanted) if value == wanted => {}
            (Some(Value::Object(below)), Value::Object(wanted)) => {
                patch.insert(key.clone(), Value::Object(difference(below, wanted)?));
            }
            (_, wanted) if holds_null(wanted) => return None,
            (_, wanted) => {
                patch.insert(key.clone(), wanted.clone());
            }
        }
    }
    let gone = present.keys().filter(|key| !target.contains_key(*key));
    patch.extend(gone.map(|key| (key.to_string(), Value::Null)));
    Some(patch)
}

fn seconds_until(at: UnixMillis, now: UnixMillis) -> f64 {
    at.0.saturating_sub(now.0) as f64 / 1_000.0
}

fn announcement(put: &Envelope) -> Value {
    let mut payload = json!({
        "object_id": put.object_id,
        "action": put.action.map(Action::as_str),
        "type": put.type_name,
        "persist": true,
        "data": put.attributes,
    });
    if put.overwrite {
        payload["overwrite"] = json!(true);
    }
    if let Some(ttl) = put.ttl {
        payload["ttl"] = json!(ttl);
    }
    payload
}
