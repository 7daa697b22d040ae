//! What a scene or an object was, and what it would be without one author's changes: computed from the present and the newest entries of the log, newest
//! first. Source: `spec/history.md` sections 3 and 4.

mod scope;
mod trail;

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::borrow::Borrow;

use serde_json::{Map, Value};

use self::trail::UndoTrails;
use super::leaves::{Leaves, leaves_of};
use super::merge::FoldMode;
use super::replaced_state::ReplacedState;
use super::stored::{StoredObject, StoredObjects, StoredRecords};
use super::{Amendment, amend};

/// An entry of the log, as it is read back.
#[derive(Clone, Debug, PartialEq)]
pub struct LoggedChange {
    /// Of the last change in it.
    pub revision: u64,
    /// Who asked for it.
    pub author: String,
    /// What it is about.
    pub object_id: String,
    /// What was asked for.
    pub patch: Value,
    /// The state that the change replaced.
    pub before: ReplacedState,
}

impl LoggedChange {
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

/// What is to be taken back of the entries that are given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UndoRequest {
    /// Of this object alone; with it comes what is gone now that it hung on, or that hung on it.
    pub object_id: Option<String>,
    /// What this author did, but for what others have changed since.
    pub author: Option<String>,
}

/// What would have to be changed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UndoPlan {
    /// Object by object.
    pub amendments: Vec<Amendment>,
    /// Objects of which something stays as it is, because others have changed it since.
    pub left: BTreeSet<String>,
}

/// The state of a scene, going back in time.
struct PastScene<'a> {
    stored: &'a StoredObjects,
    /// Of objects that were different.
    was: BTreeMap<String, Option<StoredObject>>,
}

impl PastScene<'_> {
    fn get(&self, id: &str) -> Option<&StoredObject> {
        self.was.get(id).map_or_else(|| self.stored.get(id), Option::as_ref)
    }

    fn leaves(&self, id: &str, keys: Option<&BTreeSet<String>>) -> Leaves {
        leaves_of(self.get(id), keys)
    }

    /// One entry earlier.
    fn take_back(&mut self, entry: &LoggedChange) {
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

/// Objects as they shall be, where that is another way than now; `None`: not there.
type TargetObjects = BTreeMap<String, Option<StoredObject>>;

impl StoredRecords {
    /// What takes back `entries`: the newest of the log up to these records, newest first. With [`UndoRequest::author`] only what is that author's and nobody
    /// has changed since; without it the records as they were before the last of the entries. One entry at a time is looked at.
    pub fn undoing(&self, entries: impl IntoIterator<Item: Borrow<LoggedChange>>, wanted: &UndoRequest) -> UndoPlan {
        let mut past = PastScene { stored: &self.stored, was: BTreeMap::new() };
        let mut left = BTreeSet::new();
        let mut targets = match &wanted.author {
            None => {
                entries.into_iter().for_each(|entry| past.take_back(entry.borrow()));
                past.was
            }
            Some(author) => {
                let mut trails = UndoTrails::default();
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
                (Some(basis), Some(target)) => amend::is_alike(basis, target),
                (basis, target) => basis.is_none() && target.is_none(),
            };
            (!is_same).then(|| Amendment { basis: basis.cloned(), target, object_id })
        };
        UndoPlan { amendments: targets.into_iter().filter_map(amendment).collect(), left }
    }
}

/// The top-level keys that an update may have changed; `None`: any.
fn keys_of(entry: &LoggedChange) -> Option<BTreeSet<String>> {
    match &entry.before {
        ReplacedState::Attributes(back) => Some(back.keys().map(ToString::to_string).collect()),
        ReplacedState::Objects(_) => None,
    }
}
