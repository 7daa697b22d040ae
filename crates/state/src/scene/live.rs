//! The live state: what clients in the scene see, stored or not.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::{Map, Value};

use super::children::Children;
use super::conflation::Streams;
use super::merge::size_bytes;
use super::stored::parent_of;
use crate::grant::Author;
use crate::limits;

/// An object as clients see it.
#[derive(Debug, Default)]
pub(super) struct LiveObject {
    pub(super) type_name: String,
    pub(super) attributes: Map<String, Value>,
    /// Token 5 of who changed it last.
    pub(super) user_client: String,
    /// Its events go to private topics.
    pub(super) private: bool,
    /// Which program gets them.
    pub(super) program_id: Option<String>,
    /// The guest who brought it.
    pub(super) guest: Option<String>,
    /// Its updates under way.
    pub(super) streams: Streams,
    size_bytes: usize,
}

/// All live objects.
#[derive(Debug, Default)]
pub(super) struct Live {
    objects: BTreeMap<String, LiveObject>,
    children: Children,
    size_bytes: usize,
    guests: BTreeMap<String, usize>,
    guests_objects: usize,
}

impl Live {
    pub(super) fn get(&self, id: &str) -> Option<&LiveObject> {
        self.objects.get(id)
    }

    pub(super) fn len(&self) -> usize {
        self.objects.len()
    }

    pub(super) fn descendants(&self, id: &str) -> Vec<String> {
        self.children.descendants(id)
    }

    /// Attributes of all objects, as JSON.
    pub(super) fn size_bytes(&self) -> usize {
        self.size_bytes
    }

    /// Whether `author` may bring so many objects more.
    pub(super) fn has_room_for(&self, author: &Author, more: usize) -> bool {
        let brought = self.guests.get(&author.subject).copied().unwrap_or_default();
        let guest_has_room =
            brought + more <= limits::GUEST_OBJECTS_MAX && self.guests_objects + more <= limits::GUESTS_OBJECTS_MAX;
        self.objects.len() + more <= limits::OBJECTS_MAX && (!author.guest || guest_has_room)
    }

    /// Ids from `first` on, ascending.
    pub(super) fn ids_from<'a>(&'a self, first: &str) -> impl Iterator<Item = &'a String> + use<'a> {
        self.objects.range(first.to_string()..).map(|(id, _)| id)
    }

    /// Changes the object `id`, which comes to be where it was not.
    pub(super) fn change(&mut self, id: &str, change: impl FnOnce(&mut LiveObject)) {
        let object = self.objects.entry(id.to_string()).or_default();
        let parent_before = parent_of(&object.attributes).map(ToString::to_string);
        let is_counted = object.guest.is_some();
        change(object);
        let size_before = core::mem::replace(&mut object.size_bytes, size_bytes(&object.attributes));
        self.size_bytes = self.size_bytes + object.size_bytes - size_before;
        let parent = parent_of(&object.attributes);
        if parent != parent_before.as_deref() {
            self.children.remove(parent_before.as_deref(), id);
            self.children.add(parent, id);
        }
        if let (Some(guest), false) = (&object.guest, is_counted) {
            *self.guests.entry(guest.clone()).or_default() += 1;
            self.guests_objects += 1;
        }
    }

    pub(super) fn remove(&mut self, id: &str) -> Option<LiveObject> {
        let object = self.objects.remove(id)?;
        self.children.remove(parent_of(&object.attributes), id);
        self.size_bytes -= object.size_bytes;
        if let Some(guest) = &object.guest {
            self.guests_objects -= 1;
            let brought = self.guests.get_mut(guest).expect("each guest's objects are counted when they come");
            *brought -= 1;
            if *brought == 0 {
                self.guests.remove(guest);
            }
        }
        Some(object)
    }

    /// Ids, parents before children; objects whose parents run in a circle come last.
    pub(super) fn in_order(&self) -> Vec<String> {
        let is_root =
            |object: &LiveObject| parent_of(&object.attributes).is_none_or(|parent| !self.objects.contains_key(parent));
        let mut order: Vec<String> = Vec::with_capacity(self.objects.len());
        let mut seen = BTreeSet::new();
        let roots = self.objects.iter().filter(|(_, object)| is_root(object));
        let mut next: Vec<&str> = roots.map(|(id, _)| id.as_str()).collect();
        while !next.is_empty() {
            order.extend(next.iter().filter(|id| seen.insert(**id)).map(ToString::to_string));
            next = next.into_iter().flat_map(|id| self.children.of(id)).collect();
        }
        order.extend(self.objects.keys().filter(|id| !seen.contains(id.as_str())).cloned());
        order
    }
}
