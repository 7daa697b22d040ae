//! The live state, as clients in the scene see it, stored or not.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use rpds::RedBlackTreeMapSync;
use serde_json::{Map, Value};
use stoa_wire::reason::{Reason, Refusal};

use super::children::{ChildIndex, OrphanStep};
use super::conflation::ObjectConflationKeys;
use super::deletion::UnfinishedDeletion;
use super::merge::size_bytes;
use super::stored::parent_of;
use crate::limits;
use crate::time::Time;

/// An object as clients see it.
#[derive(Clone, Debug, Default)]
pub(super) struct LiveObject {
    pub(super) type_name: String,
    pub(super) attributes: Map<String, Value>,
    /// User client (token 5 of topics) of the last author.
    pub(super) user_client: String,
    /// The object's events are published on private topics.
    pub(super) private: bool,
    /// The program that receives the object's events.
    pub(super) program_id: Option<String>,
    /// When the live object expires. A stored record of the same id has an expiry of its own.
    pub(super) expires_at: Option<Time>,
    /// The conflation keys of the object's updates.
    pub(super) streams: ObjectConflationKeys,
    size_bytes: usize,
    /// Bytes of the object's attributes and names.
    weight_bytes: usize,
}

impl LiveObject {
    /// Bytes of its attributes and names.
    pub(super) fn weight_bytes(&self) -> usize {
        self.weight_bytes
    }

    /// Approximate bytes of its attributes as JSON.
    pub(super) fn size_bytes(&self) -> usize {
        self.size_bytes
    }
}

/// Live objects by id. Clones are cheap and independent: later changes copy on write.
pub(super) type LiveObjects = RedBlackTreeMapSync<String, LiveObject>;

/// All live objects.
#[derive(Debug, Default)]
pub(super) struct VisibleObjectTable {
    objects: LiveObjects,
    children: ChildIndex,
    size_bytes: usize,
    /// Objects that will be created, and the bytes of their attributes.
    reserved_objects: usize,
    reserved_bytes: usize,
}

impl VisibleObjectTable {
    pub(super) fn get(&self, id: &str) -> Option<&LiveObject> {
        self.objects.get(id)
    }

    pub(super) fn len(&self) -> usize {
        self.objects.size()
    }

    /// The live objects by parent.
    pub(super) fn children(&self) -> &ChildIndex {
        &self.children
    }

    /// Queues the present children of a deleted parent for a deletion.
    pub(super) fn orphan_children(&mut self, parent: &str, deletion: UnfinishedDeletion) {
        self.children.orphan_children(parent, deletion);
    }

    /// Queues an object for a deletion, if it exists.
    pub(super) fn orphan(&mut self, id: &str, deletion: UnfinishedDeletion) {
        if let Some(object) = self.objects.get(id) {
            self.children.orphan_one(parent_of(&object.attributes), id, deletion);
        }
    }

    /// The next step of unfinished deletions.
    pub(super) fn next_orphan(&mut self) -> Option<OrphanStep> {
        self.children.next_orphan()
    }

    /// All descendants of `id`; `None` if there are more than `most`.
    pub(super) fn few_descendants(&self, id: &str, most: usize) -> Option<Vec<String>> {
        self.children.few_descendants(id, most)
    }

    /// Approximate bytes of all names and attributes as JSON, with those that are reserved.
    pub(super) fn size_bytes(&self) -> usize {
        self.size_bytes + self.reserved_bytes
    }

    /// Number of objects that will be created.
    pub(super) fn reserved_objects(&self) -> usize {
        self.reserved_objects
    }

    /// Reserves capacity for objects that will be created.
    pub(super) fn reserve(&mut self, objects: usize, bytes: usize) {
        self.reserved_objects += objects;
        self.reserved_bytes += bytes;
    }

    /// Releases reserved capacity, just before the objects are created or given up.
    pub(super) fn release(&mut self, objects: usize, bytes: usize) {
        self.reserved_objects -= objects;
        self.reserved_bytes -= bytes;
    }

    /// Whether `more` objects fit. Errors: [`Reason::TooManyObjects`], with the limit.
    pub(super) fn check_capacity(&self, more: usize) -> Result<(), Refusal> {
        if self.objects.size() + self.reserved_objects + more > limits::OBJECTS_MAX {
            return Err(Refusal::beyond(Reason::TooManyObjects, limits::OBJECTS_MAX, "objects of a scene"));
        }
        Ok(())
    }

    /// Whether objects are attached to `id`.
    pub(super) fn has_children(&self, id: &str) -> bool {
        self.children.of(id).next().is_some()
    }

    /// Ids from `first` on, ascending.
    pub(super) fn ids_from<'a>(&'a self, first: &str) -> impl Iterator<Item = &'a String> + use<'a> {
        self.objects.range(first.to_string()..).map(|(id, _)| id)
    }

    /// Changes the object `id`, or creates it.
    pub(super) fn change(&mut self, id: &str, change: impl FnOnce(&mut LiveObject)) {
        if !self.objects.contains_key(id) {
            self.objects.insert_mut(id.to_string(), LiveObject::default());
        }
        let object = self.objects.get_mut(id).expect("is there, or was just inserted");
        let parent_before = parent_of(&object.attributes).map(ToString::to_string);
        change(object);
        let weight_before = object.weight_bytes;
        object.size_bytes = size_bytes(&object.attributes);
        let named = id.len() + object.type_name.len() + object.program_id.as_ref().map_or(0, String::len);
        object.weight_bytes = object.size_bytes + named;
        self.size_bytes = self.size_bytes + object.weight_bytes - weight_before;
        let parent = parent_of(&object.attributes);
        if parent != parent_before.as_deref() {
            self.children.remove(parent_before.as_deref(), id);
            self.children.add(parent, id);
        }
    }

    /// Removes an object. Returns whether it existed.
    pub(super) fn remove(&mut self, id: &str) -> bool {
        let Some(object) = self.objects.get(id) else {
            return false;
        };
        self.children.remove(parent_of(&object.attributes), id);
        self.size_bytes -= object.weight_bytes;
        self.objects.remove_mut(id)
    }

    /// All objects at present, as a cheap clone.
    pub(super) fn all(&self) -> LiveObjects {
        self.objects.clone()
    }
}
