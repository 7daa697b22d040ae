//! Objects of reserved types, which guests may not change or delete. An object may have [`limits::DESCENDANTS_MAX`]
//! descendants, but reserved objects are usually few. A search for one below an object therefore follows the parents of
//! each reserved object upwards, unless a scene has more than [`limits::RESERVED_FOLLOWED_MAX`] of them.

use alloc::collections::BTreeSet;
use alloc::string::{String, ToString};

use stoa_wire::envelope::Envelope;

use super::Scene;
use super::stored::parent_of;
use crate::limits;

/// Types that no guest may send or change.
const RESERVED_TYPES: [&str; 4] = ["program", "scene-options", ORDER_TYPES[0], ORDER_TYPES[1]];

/// Types that move a person's camera. They are commands and create no object.
pub(super) const ORDER_TYPES: [&str; 2] = ["camera-override", "rig"];

/// Ids of all objects of a reserved type, live or stored.
pub(super) type ReservedTypeObjectIds = BTreeSet<String>;

/// Whether a type marks a program, scene options or a camera command rather than a visible object.
pub(super) fn is_reserved_type(type_name: &str) -> bool {
    RESERVED_TYPES.contains(&type_name)
}

impl Scene {
    /// Brings the reserved objects up to date with a changed or deleted object. `is_named`: the change names a reserved
    /// type.
    pub(super) fn note_reserved(&mut self, id: &str, is_named: bool) {
        if is_named && self.has_reserved(id) {
            self.reserved.insert(id.to_string());
        } else if self.reserved.contains(id) && !self.has_reserved(id) {
            self.reserved.remove(id);
        }
    }

    /// Whether a message is about an object of a reserved type, or would create one.
    pub(super) fn is_reserved(&self, envelope: &Envelope) -> bool {
        envelope.type_name.as_deref().is_some_and(is_reserved_type) || self.has_reserved(&envelope.object_id)
    }

    pub(super) fn has_reserved(&self, id: &str) -> bool {
        let live = self.live.get(id).map(|object| object.type_name.as_str());
        let stored = self.stored.get(id).map(|object| object.type_name.as_str());
        [live, stored].into_iter().flatten().any(is_reserved_type)
    }

    /// Whether deleting `id` would also delete an object of a reserved type.
    pub(super) fn takes_reserved(&self, id: &str) -> bool {
        self.reaches_reserved(id, true)
    }

    /// Whether a descendant has a reserved type. The object itself need not exist.
    pub(super) fn holds_reserved(&self, id: &str) -> bool {
        self.reaches_reserved(id, false)
    }

    /// Whether guests may not change or delete the object.
    pub(super) fn keeps_from_guests(&self, id: &str) -> bool {
        self.has_reserved(id) || self.takes_reserved(id)
    }

    /// Whether an object of a reserved type is below `id`, or belongs to its template instance or is below that. With
    /// `exists`, `id` counts as a parent only in the state, live or stored, that contains it.
    fn reaches_reserved(&self, id: &str, exists: bool) -> bool {
        if self.reserved.is_empty() {
            return false;
        }
        let instance = Scene::instance_prefix(id);
        let is_of_instance = |at: &str| instance.as_deref().is_some_and(|prefix| at.starts_with(prefix));
        if self.reserved.len() > limits::RESERVED_FOLLOWED_MAX {
            return self.searches_reserved(id);
        }
        let is_top = |at: &str| at == id || is_of_instance(at);
        let is_above_live = |at: &str| is_top(at) && (!exists || self.live.get(at).is_some());
        let is_above_stored = |at: &str| is_top(at) && (!exists || self.stored.contains_key(at));
        self.reserved.iter().any(|reserved| {
            is_of_instance(reserved)
                || self.live_ancestors(reserved).any(is_above_live)
                || self.stored_ancestors(reserved).any(is_above_stored)
        })
    }

    /// The parents of a live object upwards, as far as a deletion of one of them reaches down.
    fn live_ancestors<'a>(&'a self, id: &'a str) -> impl Iterator<Item = &'a str> {
        let parents = core::iter::successors(Some(id), |at| parent_of(&self.live.get(at)?.attributes));
        parents.skip(1).take(limits::DESCENDANT_DEPTH_MAX)
    }

    /// The parents of a stored object upwards, as far as a deletion of one of them reaches down.
    fn stored_ancestors<'a>(&'a self, id: &'a str) -> impl Iterator<Item = &'a str> {
        let parents = core::iter::successors(Some(id), |at| parent_of(&self.stored.get(*at)?.attributes));
        parents.skip(1).take(limits::DESCENDANT_DEPTH_MAX)
    }

    /// Whether a search downwards finds an object of a reserved type below `id` or in its template instance, for scenes
    /// with too many reserved objects to follow their parents. Also true for an object with more descendants than may
    /// be searched.
    fn searches_reserved(&self, id: &str) -> bool {
        let most = limits::RESERVED_FOLLOWED_MAX;
        // An object that is live and stored is listed twice.
        let instance: BTreeSet<&String> = self.instance_ids(id).take(2 * most + 1).collect();
        let tops = || core::iter::once(id).chain(instance.iter().map(|id| id.as_str()));
        let mut left = most;
        let mut may_be_above = |top: &str| {
            let live = self.live.few_descendants(top, left);
            let stored = self.stored_children.few_descendants(top, left);
            let (Some(live), Some(stored)) = (live, stored) else { return true };
            left -= live.len().max(stored.len());
            live.iter().chain(&stored).any(|below| self.has_reserved(below))
        };
        instance.len() > most || instance.iter().any(|id| self.has_reserved(id)) || tops().any(&mut may_be_above)
    }
}
