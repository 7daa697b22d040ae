//! Undo of one author's changes. Each object is followed backwards. The author's changes of a leaf remain if another
//! author wrote the leaf later. All changes of an object remain that another author later created, replaced or deleted.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::Value;

use super::super::leaves::{LeafPath, Leaves, changed, lead, meets, written_by};
use super::super::replaced_state::ReplacedState;
use super::super::stored::{StoredObject, StoredObjects, parent_of};
use super::{PastScene, StoredLogEntry, TargetObjectStates, keys_of};

/// The state of an object before its leaves are restored.
#[derive(Debug, Default)]
enum UndoStartState {
    /// The object's present state.
    #[default]
    Present,
    /// The author created it, and no other author has changed it since.
    Gone,
    /// The author deleted it.
    Deleted(StoredObject),
}

/// Changes of one object, from the present back to some entry.
#[derive(Debug, Default)]
struct ObjectUndo {
    base: UndoStartState,
    /// Leaves last written by the author, with their earlier values.
    back: BTreeMap<LeafPath, Option<Value>>,
    /// Leaves that other authors have written since.
    others: BTreeSet<LeafPath>,
    /// Earlier changes remain: another author created, replaced or deleted the object, or has changed it since the
    /// author created it.
    is_closed: bool,
    /// Some change of the author remains.
    is_left: bool,
}

/// The undo of each object so far.
#[derive(Debug, Default)]
pub(super) struct ObjectUndos {
    objects: BTreeMap<String, ObjectUndo>,
}

impl ObjectUndos {
    /// Goes back by one entry.
    pub(super) fn follow(&mut self, past: &mut PastScene<'_>, entry: &StoredLogEntry, author: &str) {
        let is_own = entry.author == author;
        if entry.is_delete() {
            let ReplacedState::Objects(records) = &entry.before else { return };
            for record in records {
                self.of(&record.object_id).pass_delete(record, is_own);
            }
            past.step_back(entry);
            return;
        }
        let id = &entry.object_id;
        let keys = keys_of(entry);
        let after = if is_own { past.leaves(id, keys.as_ref()) } else { Leaves::new() };
        past.step_back(entry);
        let was_there = past.get(id).is_some();
        let trail = self.of(id);
        if trail.is_closed {
            trail.is_left |= is_own;
        } else if !is_own {
            trail.pass_others(entry, was_there);
        } else if was_there {
            trail.pass_own(&past.leaves(id, keys.as_ref()), &after);
        } else {
            trail.pass_own_create();
        }
    }

    fn of(&mut self, id: &str) -> &mut ObjectUndo {
        self.objects.entry(id.to_string()).or_default()
    }

    /// Returns the target states, and adds to `left`. Drops a target that would delete an ancestor of a remaining
    /// object, or would give an object an absent parent.
    pub(super) fn end(self, stored: &StoredObjects, left: &mut BTreeSet<String>) -> TargetObjectStates {
        left.extend(self.objects.iter().filter(|(_, trail)| trail.is_left).map(|(id, _)| id.clone()));
        let target = |(id, trail): (String, ObjectUndo)| {
            let target = trail.target(stored.get(&id));
            (id, target)
        };
        let mut targets: TargetObjectStates = self.objects.into_iter().map(target).collect();
        targets.retain(|id, target| stored.get(id) != target.as_ref());
        for id in carriers(stored, &targets).into_iter().chain(orphans(stored, &targets)) {
            targets.remove(&id);
            left.insert(id);
        }
        targets
    }
}

impl ObjectUndo {
    fn pass_delete(&mut self, record: &StoredObject, is_own: bool) {
        if self.is_closed {
            self.is_left |= is_own;
        } else if is_own {
            *self = ObjectUndo {
                base: UndoStartState::Deleted(record.clone()),
                is_left: self.is_left,
                ..ObjectUndo::default()
            };
        } else {
            self.is_closed = true;
        }
    }

    fn pass_others(&mut self, entry: &StoredLogEntry, was_there: bool) {
        match entry.attributes().filter(|_| was_there && entry.is_update()) {
            Some(patch) => self.others.extend(written_by(patch)),
            None => self.is_closed = true,
        }
    }

    fn pass_own(&mut self, before: &Leaves, after: &Leaves) {
        for (path, value) in changed(before, after) {
            if meets(&self.others, path) {
                self.is_left = true;
            } else {
                self.back.insert(path.clone(), value.cloned());
            }
        }
    }

    fn pass_own_create(&mut self) {
        if self.others.is_empty() {
            *self = ObjectUndo { base: UndoStartState::Gone, is_left: self.is_left, ..ObjectUndo::default() };
        } else {
            self.is_left = true;
            self.is_closed = true;
        }
    }

    fn target(self, present: Option<&StoredObject>) -> Option<StoredObject> {
        let mut record = match self.base {
            UndoStartState::Present => present.cloned(),
            UndoStartState::Gone => None,
            UndoStartState::Deleted(record) => Some(record),
        };
        if let Some(record) = &mut record {
            lead(record, self.back.iter().map(|(path, value)| (path, value.as_ref())));
        }
        record
    }
}

/// Id of an object's parent.
fn parent(record: &StoredObject) -> Option<&str> {
    parent_of(&record.attributes)
}

/// Objects to be deleted that are ancestors of remaining ones.
fn carriers(stored: &StoredObjects, targets: &TargetObjectStates) -> BTreeSet<String> {
    let goes = |id: &str| targets.get(id).is_some_and(Option::is_none);
    if !targets.values().any(Option::is_none) {
        return BTreeSet::new();
    }
    let stays = stored.values().filter_map(|record| match targets.get(&record.object_id) {
        Some(target) => target.as_ref(),
        None => Some(record),
    });
    let mut kept = BTreeSet::new();
    let mut carried: Vec<&str> = stays.filter_map(parent).filter(|id| goes(id)).collect();
    while let Some(id) = carried.pop() {
        if kept.insert(id.to_string()) {
            carried.extend(stored.get(id).and_then(parent).filter(|above| goes(above)));
        }
    }
    kept
}

/// Objects that would newly get an absent parent.
fn orphans(stored: &StoredObjects, targets: &TargetObjectStates) -> BTreeSet<String> {
    let mut below: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut found = Vec::new();
    for (id, target) in targets {
        let Some(above) = target.as_ref().and_then(parent) else { continue };
        if stored.get(id).and_then(parent) == Some(above) {
            continue;
        }
        below.entry(above).or_default().push(id);
        // An object to be deleted is kept for its children, so only absent ones count.
        if !stored.contains_key(above) && targets.get(above).and_then(Option::as_ref).is_none() {
            found.push(id.as_str());
        }
    }
    let mut orphans = BTreeSet::new();
    while let Some(id) = found.pop() {
        if orphans.insert(id.to_string()) && !stored.contains_key(id) {
            found.extend(below.get(id).into_iter().flatten());
        }
    }
    orphans
}
