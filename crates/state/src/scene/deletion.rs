//! Deletes objects with their descendants. One change deletes an object and its descendants if these are few. If they
//! are many, the object is deleted at once and its descendants follow in pieces, each by a change of its own. A message
//! about such a descendant finds it deleted, because the scene deletes it just before.

use alloc::collections::BTreeSet;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;
use stoa_wire::topic::{REALM_CLIENT, TopicKind};

use super::children::{ChildIndex, OrphanStep};
use super::deadlines::ExpiryKey;
use super::objects::{LogAuthor, LogEntryDraft};
use super::replaced_state::ReplacedState;
use super::stored::{StoredObject, StoredObjectEffect, parent_of};
use super::{AppliedMessage, Scene};
use crate::grant::Author;
use crate::limits::{self, DESCENDANT_DEPTH_MAX, DESCENDANTS_MAX};
use crate::time::Time;

/// A deletion of an object whose descendants are not all deleted yet.
#[derive(Clone, Debug)]
pub(super) struct UnfinishedDeletion {
    author: Arc<DeletionAuthor>,
    /// Number of objects that the deletion may still delete. All parts of a deletion share it.
    objects_left: Arc<AtomicUsize>,
    /// Levels below the objects queued with this value that the deletion may still delete.
    levels_left: usize,
}

#[derive(Debug)]
struct DeletionAuthor {
    subject: String,
    guest_name: Option<String>,
}

impl UnfinishedDeletion {
    /// A deletion of up to [`DESCENDANTS_MAX`] objects, or of `objects` if these are more.
    fn new(author: LogAuthor<'_>, objects: usize) -> UnfinishedDeletion {
        let LogAuthor { subject, guest_name } = author;
        let author = DeletionAuthor { subject: subject.to_string(), guest_name: guest_name.map(ToString::to_string) };
        let objects_left = Arc::new(AtomicUsize::new(DESCENDANTS_MAX.max(objects)));
        UnfinishedDeletion { author: Arc::new(author), objects_left, levels_left: DESCENDANT_DEPTH_MAX - 1 }
    }

    /// Whether it has deleted as many objects as it may.
    pub(super) fn is_used_up(&self) -> bool {
        self.objects_left.load(Ordering::Relaxed) == 0
    }

    fn count_object(&self) {
        self.objects_left.store(self.objects_left.load(Ordering::Relaxed).saturating_sub(1), Ordering::Relaxed);
    }

    /// The part of this deletion that is `levels` lower; `None` below the last level.
    fn lower_by(&self, levels: usize) -> Option<UnfinishedDeletion> {
        let levels_left = self.levels_left.checked_sub(levels)?;
        Some(UnfinishedDeletion { levels_left, ..self.clone() })
    }
}

impl Scene {
    /// Deletes `id` with its descendants, and further objects of its template instance.
    pub(super) fn delete_whole(&mut self, id: &str, author: &Author, now: Time) -> AppliedMessage {
        let applied = self.delete(id, LogAuthor::of(author), now);
        if applied.revision.is_some() {
            self.delete_instance(id, LogAuthor::of(author), now);
        }
        applied
    }

    /// Deletes live and stored objects that are not in `keep`, with all their descendants: with each call about
    /// [`limits::CLEARED_AT_ONCE_MAX`]. People remain. Returns true when the scene has no more objects to delete.
    pub fn clear(&mut self, author: &str, keep: &BTreeSet<String>, now: Time) -> bool {
        let until = self.removed_objects + limits::CLEARED_AT_ONCE_MAX as u64;
        while self.removed_objects < until {
            if self.delete_next_orphan(now) {
                continue;
            }
            let is_going = |id: &&String| !keep.contains(*id);
            let ids = self.live.ids_from("").chain(self.stored.keys());
            let Some(id) = ids.into_iter().find(is_going).map(|id| self.topmost(id, keep)) else { return true };
            self.delete_and_publish(&id, LogAuthor::named(author), now);
        }
        false
    }

    /// The highest existing ancestor of `id` with no kept object between, or `id` itself. One message then deletes the
    /// ancestor with the object.
    fn topmost(&self, id: &str, keep: &BTreeSet<String>) -> String {
        let mut at = id;
        for _ in 0..DESCENDANT_DEPTH_MAX {
            let live = self.live.get(at).map(|object| &object.attributes);
            let attributes = live.or_else(|| self.stored.get(at).map(|record| &record.attributes));
            let parent =
                attributes.and_then(parent_of).filter(|parent| self.is_there(parent) && !keep.contains(*parent));
            let Some(parent) = parent else { break };
            at = parent;
        }
        at.to_string()
    }

    /// Deletes a stored object that has expired or gives way, with its descendants and the rest of its template
    /// instance, from both states.
    pub(super) fn expire_stored(&mut self, id: &str, now: Time) {
        self.delete_and_publish(id, LogAuthor::named(REALM_CLIENT), now);
        self.delete_instance(id, LogAuthor::named(REALM_CLIENT), now);
    }

    /// Removes an expired live object, with its descendants and the rest of its template instance. A stored object of
    /// the same id expires later or never, and is live again after the next start.
    pub(super) fn expire_live(&mut self, id: &str, now: Time) {
        let until = self.removed_objects + limits::EXPIRED_AT_ONCE_MAX as u64;
        self.finish_deletion_of(id, now);
        self.expire_one(id);
        let left = self.left_by_instance(id);
        self.expiry_resumes_at = self.expiry_resumes_at.max(now);
        let deletion = UnfinishedDeletion::new(LogAuthor::named(REALM_CLIENT), left.len());
        for id in left {
            if self.removed_objects < until {
                self.expire_one(&id);
            } else {
                self.live.orphan(&id, deletion.clone());
            }
        }
    }

    fn expire_one(&mut self, id: &str) {
        if self.live.get(id).is_some() {
            let revision = self.next_revision();
            self.remove_live(id, LogAuthor::named(REALM_CLIENT));
            self.publish_delete(TopicKind::O, id, Some(revision));
        }
    }

    /// Deletes the objects that are left of the template instance of a deleted container, in pieces if they are many.
    fn delete_instance(&mut self, container: &str, writer: LogAuthor<'_>, now: Time) {
        let until = self.removed_objects + limits::EXPIRED_AT_ONCE_MAX as u64;
        let left = self.left_by_instance(container);
        let deletion = UnfinishedDeletion::new(writer, left.len());
        for id in left {
            if self.removed_objects < until {
                self.delete_and_publish(&id, writer, now);
                continue;
            }
            self.live.orphan(&id, deletion.clone());
            if let Some(record) = self.stored.get(&id) {
                self.stored_children.orphan_one(parent_of(&record.attributes), &id, deletion.clone());
            }
        }
    }

    /// Objects of a template's instance that are no longer descendants of its deleted container `id`. Empty for other
    /// objects.
    fn left_by_instance(&self, id: &str) -> BTreeSet<String> {
        self.instance_ids(id).filter(|id| !self.is_leaving(id)).cloned().collect()
    }

    /// Deletes `id` and announces it, if it exists.
    pub(super) fn delete_and_publish(&mut self, id: &str, writer: LogAuthor<'_>, now: Time) {
        let applied = self.delete(id, writer, now);
        if applied.revision.is_some() {
            self.publish_delete(TopicKind::O, id, applied.revision);
        }
    }

    /// Deletes `id` from both states with its descendants. If these are many, they are queued and follow in pieces.
    pub(super) fn delete(&mut self, id: &str, writer: LogAuthor<'_>, now: Time) -> AppliedMessage {
        self.finish_deletion_of(id, now);
        let (is_live, is_stored) = (self.live.get(id).is_some(), self.stored.contains_key(id));
        if !is_live && !is_stored {
            return AppliedMessage::default();
        }
        let revision = self.next_revision();
        if is_live {
            self.remove_live(id, writer);
        }
        if is_stored {
            let (descendants, records) = self.remove_stored(id, writer);
            let (kind, before) = (StoredObjectEffect::Delete { descendants }, ReplacedState::Objects(records));
            let patch = json!({"action": "delete"});
            self.store(LogEntryDraft { revision, writer, object_id: id, kind, patch, before }, now);
        }
        self.expiry_resumes_at = self.expiry_resumes_at.max(now);
        AppliedMessage { revision: Some(revision), ..AppliedMessage::default() }
    }

    fn remove_live(&mut self, id: &str, writer: LogAuthor<'_>) {
        let below = self.live.few_descendants(id, limits::EXPIRED_AT_ONCE_MAX);
        if below.is_none() {
            self.live.orphan_children(id, UnfinishedDeletion::new(writer, 0));
        }
        below.unwrap_or_default().iter().for_each(|id| self.remove_one_live(id));
        self.remove_one_live(id);
    }

    fn remove_one_live(&mut self, id: &str) {
        if self.live.remove(id) {
            self.removed_objects += 1;
            if !self.stored.contains_key(id) {
                self.guests.forget(id);
            }
            self.note_reserved(id, false);
            self.deadlines.set(ExpiryKey::Live(id.to_string()), None);
        }
    }

    /// Removes `id` from the stored state. Returns the ids of descendants that were removed too, and all removed
    /// records.
    fn remove_stored(&mut self, id: &str, writer: LogAuthor<'_>) -> (Vec<String>, Vec<StoredObject>) {
        let below = self.stored_children.few_descendants(id, limits::EXPIRED_AT_ONCE_MAX);
        if below.is_none() {
            self.stored_children.orphan_children(id, UnfinishedDeletion::new(writer, 0));
        }
        let descendants = below.unwrap_or_default();
        let ids = descendants.iter().map(String::as_str).chain([id]);
        let records = ids.filter_map(|id| self.remove_one_stored(id)).collect();
        (descendants, records)
    }

    fn remove_one_stored(&mut self, id: &str) -> Option<StoredObject> {
        let record = self.stored.get(id)?.clone();
        self.removed_objects += 1;
        self.stored_children.remove(parent_of(&record.attributes), id);
        self.stored_bytes -= record.weight_bytes();
        self.stored.remove_mut(id);
        if self.live.get(id).is_none() {
            self.guests.forget(id);
        }
        self.note_reserved(id, false);
        self.deadlines.set(ExpiryKey::Stored(id.to_string()), None);
        Some(record)
    }

    /// Whether objects are queued for deletion.
    pub(super) fn has_orphans(&self) -> bool {
        self.live.children().has_orphans() || self.stored_children.has_orphans()
    }

    /// Deletes all queued objects, for a scene that is about to close.
    pub fn finish_deletions(&mut self, now: Time) {
        while self.delete_next_orphan(now) {}
    }

    /// Makes the next step of the unfinished deletions. Returns whether there was one.
    pub(super) fn delete_next_orphan(&mut self, now: Time) -> bool {
        match self.live.next_orphan().or_else(|| self.stored_children.next_orphan()) {
            Some(OrphanStep::Delete(id)) => self.finish_deletion_of(&id, now),
            Some(OrphanStep::Kept) => {}
            None => return false,
        }
        true
    }

    /// Deletes `id` now if it is queued for deletion, or below a queued object.
    pub(super) fn finish_deletion_of(&mut self, id: &str, now: Time) {
        let (live, stored) = (self.live_deletion(id), self.stored_deletion(id));
        if live.is_none() && stored.is_none() {
            return;
        }
        let revision = self.next_revision();
        if let Some(deletion) = live {
            deletion.count_object();
            self.remove_one_live(id);
            if let Some(below) = deletion.lower_by(1) {
                self.live.orphan_children(id, below);
            }
        }
        if let Some(deletion) = stored {
            deletion.count_object();
            let before = ReplacedState::Objects(self.remove_one_stored(id).into_iter().collect());
            if let Some(below) = deletion.lower_by(1) {
                self.stored_children.orphan_children(id, below);
            }
            let DeletionAuthor { subject, guest_name } = &*deletion.author;
            let writer = LogAuthor { subject, guest_name: guest_name.as_deref() };
            let (kind, patch) = (StoredObjectEffect::Delete { descendants: Vec::new() }, json!({"action": "delete"}));
            self.store(LogEntryDraft { revision, writer, object_id: id, kind, patch, before }, now);
        }
        if self.live.get(id).is_none() {
            self.publish_delete(TopicKind::O, id, Some(revision));
        } else {
            // The object has another parent in the live state, and remains there. Each revision has a message.
            let topic = self.topic(TopicKind::O, REALM_CLIENT, id);
            let unchanged = json!({"object_id": id, "action": "update", "persist": false, "data": {}});
            self.publish(topic, &unchanged, Some(revision));
        }
    }

    /// Finishes the deletion of an object and of its future parent, for a message that puts the object.
    pub(super) fn finish_deletions_for(&mut self, id: &str, parent: Option<&str>, now: Time) {
        if self.has_orphans() {
            self.finish_deletion_of(id, now);
            parent.into_iter().for_each(|parent| self.finish_deletion_of(parent, now));
        }
    }

    /// Whether an object is queued for deletion, or below a queued object.
    pub(super) fn is_leaving(&self, id: &str) -> bool {
        self.live_deletion(id).is_some() || self.stored_deletion(id).is_some()
    }

    fn live_deletion(&self, id: &str) -> Option<UnfinishedDeletion> {
        deletion_above(self.live.children(), id, |id| parent_of(&self.live.get(id)?.attributes))
    }

    /// The deletion that will delete `id` from the stored state.
    pub(super) fn stored_deletion(&self, id: &str) -> Option<UnfinishedDeletion> {
        deletion_above(&self.stored_children, id, |id| parent_of(&self.stored.get(id)?.attributes))
    }
}

/// The deletion for which an object, or its nearest queued ancestor, is queued.
fn deletion_above<'a>(
    children: &ChildIndex,
    id: &'a str,
    parent_of: impl Fn(&'a str) -> Option<&'a str>,
) -> Option<UnfinishedDeletion> {
    if !children.has_orphans() {
        return None;
    }
    let mut at = id;
    for level in 0..DESCENDANT_DEPTH_MAX {
        let parent = parent_of(at);
        if let Some(deletion) = children.deletion_of(parent, at) {
            return deletion.lower_by(level);
        }
        at = parent?;
    }
    None
}
