//! Restricts an undo to one object. Deleted ancestors and descendants of the object are restored too.

use alloc::collections::BTreeSet;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::super::children::ChildIndex;
use super::super::stored::{StoredObject, StoredObjects, parent_of};
use super::TargetObjectStates;
use crate::limits::DESCENDANT_DEPTH_MAX;

/// Keeps the targets that belong to `id`. With `takes_below`, a deletion of `id` includes all its descendants.
pub(super) fn narrow(stored: &StoredObjects, targets: &mut TargetObjectStates, id: &str, takes_below: bool) {
    let Some(target) = targets.get(id).cloned() else {
        targets.clear();
        return;
    };
    if target.is_none() && takes_below && stored.contains_key(id) {
        let mut children = ChildIndex::default();
        for record in stored.values() {
            children.add(parent_of(&record.attributes), &record.object_id);
        }
        let below = children.descendants(id);
        targets.clear();
        targets.extend(below.into_iter().chain([id.to_string()]).map(|id| (id, None)));
        return;
    }
    let mut kept = BTreeSet::from([id.to_string()]);
    let above =
        chain(stored, targets, id).into_iter().filter(|above| restored_target(stored, targets, above).is_some());
    kept.extend(above.map(ToString::to_string));
    let returns = |id: &&String| restored_target(stored, targets, id).is_some();
    let below = targets.keys().filter(returns).filter(|below| chain(stored, targets, below).contains(&id));
    kept.extend(below.cloned().collect::<Vec<String>>());
    targets.retain(|id, _| kept.contains(id));
}

/// The target of an object that is absent at present; `None` for other objects.
fn restored_target<'a>(stored: &StoredObjects, targets: &'a TargetObjectStates, id: &str) -> Option<&'a StoredObject> {
    targets.get(id).and_then(Option::as_ref).filter(|_| !stored.contains_key(id))
}

/// The ancestors of `id`, up to the first that the undo does not restore.
fn chain<'a>(stored: &StoredObjects, targets: &'a TargetObjectStates, id: &str) -> Vec<&'a str> {
    let mut chain: Vec<&str> = Vec::new();
    let mut record = targets.get(id).and_then(Option::as_ref);
    while let Some(above) = record.and_then(|record| parent_of(&record.attributes))
        && chain.len() < DESCENDANT_DEPTH_MAX
    {
        record = restored_target(stored, targets, above);
        chain.push(above);
    }
    chain
}
