//! Folds the changes of one group commit: successive updates of one object by one author become one log entry if a
//! single update can express them, and of each changed object only the last state is written.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use stoa_state::scene::{PendingLogEntry, ReplacedState, StoredObject, StoredObjectEffect, UnixMillis, composed_patch};
use stoa_wire::topic::SceneName;

/// An entry of the log.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LogEntry {
    pub(super) revision: u64,
    pub(super) at: UnixMillis,
    pub(super) author: String,
    pub(super) guest_name: Option<String>,
    pub(super) object_id: String,
    pub(super) patch: Value,
    pub(super) before: ReplacedState,
    /// Number of changes folded into the entry.
    pub(super) changes: u32,
}

/// The writes of one group commit to one opening (epoch) of a scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct SceneBatch {
    pub(super) entries: Vec<LogEntry>,
    /// State after the batch; `None` if deleted.
    pub(super) objects: BTreeMap<String, Option<StoredObject>>,
    pub(super) revision: u64,
    /// The index of each object's newest entry, if a later change may still be folded into it.
    newest: BTreeMap<String, usize>,
}

/// Groups changes by scene and epoch, and folds each group.
pub(super) fn fold(changes: impl IntoIterator<Item = PendingLogEntry>) -> BTreeMap<(SceneName, u64), SceneBatch> {
    let mut batches = BTreeMap::<_, SceneBatch>::new();
    for change in changes {
        batches.entry((change.scene.clone(), change.epoch)).or_default().take(change);
    }
    for batch in batches.values_mut() {
        // A folded entry keeps the position of its first change but has the revision of its last. Sorted by
        // revision, the log has no gap after the oldest entries are pruned.
        batch.entries.sort_by_key(|entry| entry.revision);
    }
    batches
}

impl SceneBatch {
    /// The batch of imported objects: one create entry for each, with the revisions after `revision`.
    pub(super) fn of_import(objects: &[StoredObject], author: &str, revision: u64, at: UnixMillis) -> SceneBatch {
        let mut batch = SceneBatch { revision, ..SceneBatch::default() };
        for object in objects {
            batch.revision += 1;
            batch.entries.push(LogEntry {
                revision: batch.revision,
                at,
                author: author.to_owned(),
                guest_name: None,
                object_id: object.object_id.clone(),
                patch: json!({"action": "create", "type": object.type_name, "data": object.attributes}),
                before: ReplacedState::Objects(Vec::new()),
                changes: 1,
            });
            batch.objects.insert(object.object_id.clone(), Some(object.clone()));
        }
        batch
    }

    fn take(&mut self, change: PendingLogEntry) {
        self.revision = self.revision.max(change.revision);
        let PendingLogEntry { revision, unix_at, author, guest_name, object_id, kind, patch, before, .. } = change;
        match kind {
            StoredObjectEffect::Put(object) => {
                self.objects.insert(object_id.clone(), Some(object));
            }
            StoredObjectEffect::Delete { descendants } => {
                let gone = descendants.into_iter().chain([object_id.clone()]);
                self.objects.extend(gone.map(|id| (id, None)));
                // The set of descendants depends on all earlier changes, so no earlier change may be folded into an
                // entry after the delete.
                self.newest.clear();
            }
        }
        let entry = LogEntry {
            revision,
            at: unix_at,
            author,
            guest_name: guest_name.map(String::from),
            object_id,
            patch,
            before: *before,
            changes: 1,
        };
        self.append(entry);
    }

    fn append(&mut self, entry: LogEntry) {
        let newest = self.newest.get(&entry.object_id).and_then(|index| self.entries.get_mut(*index));
        if let Some(newest) = newest.filter(|newest| newest.author == entry.author)
            && let Some(patch) = composed_patch(&newest.patch, &entry.patch)
            && let Some(before) = ReplacedState::composed(&newest.before, &entry.before)
        {
            *newest = LogEntry { patch, before, changes: newest.changes + 1, ..entry };
            return;
        }
        self.newest.insert(entry.object_id.clone(), self.entries.len());
        self.entries.push(entry);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Map;
    use stoa_state::time::Time;

    use super::*;

    fn change(revision: u64, author: &str, patch: Value) -> PendingLogEntry {
        let object = StoredObject {
            object_id: "lamp".into(),
            type_name: "object".into(),
            attributes: Map::new(),
            expires_at: None,
            created_at: UnixMillis(1),
            updated_at: UnixMillis(revision),
        };
        PendingLogEntry {
            scene: "public/lobby".parse().unwrap(),
            epoch: 1,
            revision,
            at: Time::ZERO,
            unix_at: UnixMillis(revision),
            author: author.into(),
            object_id: "lamp".into(),
            kind: StoredObjectEffect::Put(object),
            patch,
            before: Box::new(ReplacedState::Attributes(Map::new())),
            guest_name: None,
        }
    }

    fn entries(changes: Vec<PendingLogEntry>) -> Vec<(u64, u32, Value)> {
        let batches = fold(changes);
        let entries = batches.into_values().flat_map(|batch| batch.entries);
        entries.map(|entry| (entry.revision, entry.changes, entry.patch)).collect()
    }

    #[test]
    fn updates_of_one_object_by_one_author_become_one_entry() {
        let first = json!({"action": "update", "data": {"position": {"x": 1, "y": 2}, "color": null}});
        let second = json!({"action": "update", "data": {"position": {"x": 3}}});
        let folded = entries(vec![change(4, "alice", first), change(5, "alice", second)]);
        let patch = json!({"action": "update", "data": {"position": {"x": 3, "y": 2}, "color": null}});
        assert_eq!(folded, [(5, 2, patch)]);
    }

    #[test]
    fn creates_overwrites_and_other_authors_updates_are_not_merged() {
        let update = json!({"action": "update", "data": {"x": 1}});
        let create = json!({"action": "create", "data": {"x": 1}});
        let overwrite = json!({"action": "overwrite", "data": {"x": 1}});
        for between in [change(2, "bob", update.clone()), change(2, "alice", create), change(2, "alice", overwrite)] {
            let changes = vec![change(1, "alice", update.clone()), between, change(3, "alice", update.clone())];
            assert_eq!(entries(changes).len(), 3);
        }
    }

    #[test]
    fn updates_that_no_single_update_can_express_are_not_merged() {
        let update = |data: Value| json!({"action": "update", "data": data});
        let both =
            |below: Value, above: Value| entries(vec![change(1, "alice", below), change(2, "alice", above)]).len();
        assert_eq!(both(update(json!({"material": null})), update(json!({"material": {"color": "red"}}))), 2);
        let timed = json!({"action": "update", "ttl": 5, "data": {"x": 1}});
        assert_eq!(both(timed.clone(), update(json!({"x": 2}))), 2, "its ttl began with the first");
        assert_eq!(both(update(json!({"x": 2})), timed), 1, "negative control");
    }

    #[test]
    fn an_update_before_a_delete_is_not_merged_with_one_after_it() {
        let update = |revision, data: Value| change(revision, "alice", json!({"action": "update", "data": data}));
        let kind = StoredObjectEffect::Delete { descendants: Vec::new() };
        let delete =
            PendingLogEntry { object_id: "table".into(), kind, ..change(2, "alice", json!({"action": "delete"})) };
        let folded = entries(vec![update(1, json!({"parent": "shelf"})), delete, update(3, json!({"x": 1}))]);
        assert_eq!(folded.iter().map(|(revision, ..)| *revision).collect::<Vec<_>>(), [1, 2, 3]);
    }

    #[test]
    fn a_delete_also_removes_its_descendants_from_the_batch() {
        let put = change(1, "alice", json!({"action": "create"}));
        let kind = StoredObjectEffect::Delete { descendants: vec!["lamp".into()] };
        let delete =
            PendingLogEntry { object_id: "table".into(), kind, ..change(2, "alice", json!({"action": "delete"})) };
        let batches = fold(vec![put, delete]);
        let batch = batches.values().next().unwrap();
        assert_eq!(batch.objects, BTreeMap::from([("lamp".into(), None), ("table".into(), None)]));
        assert_eq!(batch.revision, 2);
    }
}
