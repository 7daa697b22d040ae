//! Past states of a scene or object, and states without one author's changes. They are computed from the present
//! and the newest log entries, newest first. Source: `spec/history.md` sections 3 and 4.

mod object_undo;
mod scope;

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::borrow::Borrow;

use serde_json::{Map, Value};

use self::object_undo::ObjectUndos;
use super::leaves::{Leaves, leaves_of};
use super::merge::FoldMode;
use super::replaced_state::ReplacedState;
use super::stored::{RecordsSnapshot, StoredObject, StoredObjects};
use super::{ObjectStateChange, amend};

/// A log entry, as read from the store.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredLogEntry {
    /// Revision of the last change in it.
    pub revision: u64,
    /// The requesting subject.
    pub author: String,
    /// The changed object.
    pub object_id: String,
    /// The requested change.
    pub patch: Value,
    /// The replaced state.
    pub before: ReplacedState,
}

impl StoredLogEntry {
    fn is_delete(&self) -> bool {
        self.patch["action"] == "delete"
    }

    fn is_update(&self) -> bool {
        self.patch["action"] == "update"
    }

    fn attributes(&self) -> Option<&Map<String, Value>> {
        self.patch.get("data").and_then(Value::as_object)
    }
}

/// The changes to undo among the given entries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UndoRequest {
    /// Only this object, and its deleted ancestors and descendants.
    pub object_id: Option<String>,
    /// Only this author's changes, where no other author has changed the same since.
    pub author: Option<String>,
}

/// The changes that an undo requires.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UndoPlan {
    /// One for each object.
    pub amendments: Vec<ObjectStateChange>,
    /// Objects that keep some change of the author: another author has changed the same since, another object is
    /// attached, or the parent is absent.
    pub left: BTreeSet<String>,
}

/// A scene's state at some point in the past.
struct PastScene<'a> {
    stored: &'a StoredObjects,
    /// Objects that may have been different then; `None` for absent ones.
    was: BTreeMap<String, Option<StoredObject>>,
}

impl PastScene<'_> {
    fn get(&self, id: &str) -> Option<&StoredObject> {
        self.was.get(id).map_or_else(|| self.stored.get(id), Option::as_ref)
    }

    fn leaves(&self, id: &str, keys: Option<&BTreeSet<String>>) -> Leaves {
        leaves_of(self.get(id), keys)
    }

    /// Goes back by one entry.
    fn step_back(&mut self, entry: &StoredLogEntry) {
        let id = &entry.object_id;
        match &entry.before {
            ReplacedState::Objects(records) => {
                self.was.insert(id.clone(), None);
                self.was.extend(records.iter().map(|record| (record.object_id.clone(), Some(record.clone()))));
            }
            ReplacedState::Attributes(back) => {
                let was = self.was.entry(id.clone()).or_insert_with(|| self.stored.get(id).cloned());
                if let Some(record) = was {
                    FoldMode::Merge.apply(&mut record.attributes, back.clone());
                }
            }
        }
    }
}

/// Objects with a different target state; `None` means absent.
type TargetObjectStates = BTreeMap<String, Option<StoredObject>>;

impl RecordsSnapshot {
    /// Plans an undo of `entries`: the newest log entries up to these records, newest first. With
    /// [`UndoRequest::author`] it undoes only changes of this author that no other author has changed since. Otherwise
    /// the target is the state before the oldest entry. It reads one entry at a time.
    pub fn undoing(&self, entries: impl IntoIterator<Item: Borrow<StoredLogEntry>>, wanted: &UndoRequest) -> UndoPlan {
        let mut past = PastScene { stored: &self.stored, was: BTreeMap::new() };
        let mut left = BTreeSet::new();
        let mut targets = match &wanted.author {
            None => {
                entries.into_iter().for_each(|entry| past.step_back(entry.borrow()));
                past.was
            }
            Some(author) => {
                let mut trails = ObjectUndos::default();
                for entry in entries {
                    trails.follow(&mut past, entry.borrow(), author);
                }
                trails.end(&self.stored, &mut left)
            }
        };
        if let Some(id) = &wanted.object_id {
            scope::narrow(&self.stored, &mut targets, id, wanted.author.is_none());
            left.retain(|left| left == id);
        }
        let amendment = |(object_id, target): (String, Option<StoredObject>)| {
            let basis = self.stored.get(&object_id);
            let is_same = match (basis, &target) {
                (Some(basis), Some(target)) => amend::has_same_content(basis, target),
                (basis, target) => basis.is_none() && target.is_none(),
            };
            (!is_same).then(|| ObjectStateChange { basis: basis.cloned(), target, object_id })
        };
        UndoPlan { amendments: targets.into_iter().filter_map(amendment).collect(), left }
    }
}

/// Top-level keys that an update may have changed; `None` means any.
fn keys_of(entry: &StoredLogEntry) -> Option<BTreeSet<String>> {
    match &entry.before {
        ReplacedState::Attributes(back) => Some(back.keys().map(ToString::to_string).collect()),
        ReplacedState::Objects(_) => None,
    }
}
