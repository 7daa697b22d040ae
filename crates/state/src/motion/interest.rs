//! Interest sets of one scene: the items shown to each observer. Positions enter, changes of the sets leave.
//! Source: Ubiq ("Exploring Server-Centric Scalability for Social VR", Friston et al.) section IV.
//!
//! All sets are evaluated together every [`limits::INTEREST_INTERVAL`]. New and moved items are considered at the
//! next evaluation; removed ones leave at once. An observer's own items are always in its set and don't count
//! towards its size.

mod field;
mod hex;
mod nearest;
mod pairs;
mod policy;
mod radius;

use alloc::vec::Vec;
use core::time::Duration;

use self::hex::HexSets;
pub use self::hex::{HexCell, HexLattice};
use self::nearest::NearestSets;
pub use self::policy::{InterestPolicyError, InterestSetPolicy};
use self::radius::RadiusSets;
use crate::limits;
use crate::time::Time;

/// Id of an item: a person (head and hands together) or one tracked object. It is a slot below
/// [`limits::INTEREST_SLOTS_MAX`]; before its reuse, the earlier item must have been removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ItemId(pub u32);

impl ItemId {
    fn slot(self) -> usize {
        self.0 as usize
    }
}

/// Id of an observer: a slot, like [`ItemId`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObserverId(pub u32);

impl ObserverId {
    fn slot(self) -> usize {
        self.0 as usize
    }
}

/// An item and its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InterestItem {
    /// The item's slot.
    pub id: ItemId,
    /// The observer that always sees it.
    pub owner: Option<ObserverId>,
    /// x, y, z in the scene's axes, in millimetres; y is up.
    pub position: [i32; 3],
}

/// An observer and its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Observer {
    /// The observer's slot.
    pub id: ObserverId,
    /// In millimetres, as an item's.
    pub position: [i32; 3],
}

/// All items and observers of a scene. Those missing from the lists are removed.
#[derive(Clone, Copy, Debug)]
pub struct InterestInput<'a> {
    /// Ascending by id, each once.
    pub items: &'a [InterestItem],
    /// Ascending by id, each once.
    pub observers: &'a [Observer],
}

impl InterestInput<'_> {
    fn check(&self) {
        let items = self.items.is_sorted_by(|one, next| one.id < next.id);
        let observers = self.observers.is_sorted_by(|one, next| one.id < next.id);
        assert!(items && observers, "items and observers ascend, each once");
        let item = self.items.last().map_or(0, |item| item.id.0);
        let observer = self.observers.last().map_or(0, |observer| observer.id.0);
        assert!(item.max(observer) < limits::INTEREST_SLOTS_MAX, "slots are small numbers: {item}, {observer}");
    }
}

/// An item entered or left an observer's set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct InterestMembershipChange {
    /// The observer whose set changed.
    pub observer: ObserverId,
    /// The item that entered or left.
    pub item: ItemId,
    /// Whether it entered; otherwise it left.
    pub entered: bool,
}

/// The interest sets of one scene under one policy.
#[derive(Debug)]
pub struct InterestSets {
    policy: InterestSetPolicy,
    sets: InterestPolicyState,
    due_at: Time,
    evaluated_at: Option<Time>,
}

#[derive(Debug)]
enum InterestPolicyState {
    All(AllPolicyState),
    Radius(RadiusSets),
    Nearest(NearestSets),
    Hex(HexSets),
}

impl InterestSets {
    /// Creates the sets of an empty scene.
    pub fn new(policy: InterestSetPolicy) -> InterestSets {
        let sets = match policy {
            InterestSetPolicy::All => InterestPolicyState::All(AllPolicyState::default()),
            InterestSetPolicy::Radius { radius_mm } => InterestPolicyState::Radius(RadiusSets::new(radius_mm)),
            InterestSetPolicy::Nearest { count } => {
                InterestPolicyState::Nearest(NearestSets::new(count.min(limits::NEAREST_COUNT_MAX)))
            }
            InterestSetPolicy::Hex { cell_mm } => InterestPolicyState::Hex(HexSets::new(cell_mm)),
        };
        InterestSets { policy, sets, due_at: Time::ZERO, evaluated_at: None }
    }

    /// The policy of these sets.
    pub fn policy(&self) -> InterestSetPolicy {
        self.policy
    }

    /// When the next evaluation is due.
    pub fn poll_timeout(&self) -> Time {
        self.due_at
    }

    /// Evaluates all sets and appends the changes, ascending by observer, then by item. A late call is safe; an
    /// early one does nothing. [`InterestSetPolicy::All`] reports no changes. Panics where ids don't ascend or exceed
    /// the slots.
    pub fn update(&mut self, present: InterestInput<'_>, now: Time, changes: &mut Vec<InterestMembershipChange>) {
        if now < self.due_at {
            return;
        }
        present.check();
        let elapsed = self.evaluated_at.map_or(Duration::ZERO, |before| now.since(before));
        (self.due_at, self.evaluated_at) = (now + limits::INTEREST_INTERVAL, Some(now));
        match &mut self.sets {
            InterestPolicyState::All(all) => all.update(present),
            InterestPolicyState::Radius(radius) => radius.update(present, changes),
            InterestPolicyState::Nearest(nearest) => nearest.update(present, elapsed, changes),
            InterestPolicyState::Hex(hex) => hex.update(present, changes),
        }
    }

    /// Removes an item and appends the changes, ascending by observer. [`InterestSetPolicy::All`] reports no changes.
    pub fn remove_item(&mut self, item: ItemId, changes: &mut Vec<InterestMembershipChange>) {
        match &mut self.sets {
            InterestPolicyState::All(all) => all.remove_item(item),
            InterestPolicyState::Radius(RadiusSets { pairs, .. })
            | InterestPolicyState::Nearest(NearestSets { pairs, .. }) => {
                pairs.remove_item(item, changes);
            }
            InterestPolicyState::Hex(hex) => hex.remove_item(item, changes),
        }
    }

    /// Removes an observer without reporting changes. Its items remain until they are removed.
    pub fn remove_observer(&mut self, observer: ObserverId) {
        match &mut self.sets {
            InterestPolicyState::All(all) => all.remove_observer(observer),
            InterestPolicyState::Radius(RadiusSets { pairs, .. })
            | InterestPolicyState::Nearest(NearestSets { pairs, .. }) => {
                pairs.remove_observer(observer);
            }
            InterestPolicyState::Hex(hex) => hex.remove_observer(observer),
        }
    }

    /// Items visible to an observer, each once, in a deterministic order.
    pub fn visible(&self, observer: ObserverId) -> impl Iterator<Item = ItemId> {
        let (all, pairs, hex) = self.views();
        let all = all.into_iter().flat_map(move |all| all.visible(observer));
        let pairs = pairs.into_iter().flat_map(move |pairs| pairs.visible(observer));
        all.chain(pairs).chain(hex.into_iter().flat_map(move |hex| hex.visible(observer)))
    }

    /// Observers of an item, each once, in a deterministic order. An observer is listed if and only if the item is
    /// visible to it.
    pub fn watchers(&self, item: ItemId) -> impl Iterator<Item = ObserverId> {
        let (all, pairs, hex) = self.views();
        let all = all.into_iter().flat_map(move |all| all.watchers(item));
        let pairs = pairs.into_iter().flat_map(move |pairs| pairs.watchers(item));
        all.chain(pairs).chain(hex.into_iter().flat_map(move |hex| hex.watchers(item)))
    }

    /// Returns the sets of the present policy; the other two are `None`.
    fn views(&self) -> (Option<&AllPolicyState>, Option<&pairs::ObservedPairs>, Option<&HexSets>) {
        match &self.sets {
            InterestPolicyState::All(all) => (Some(all), None, None),
            InterestPolicyState::Radius(RadiusSets { pairs, .. })
            | InterestPolicyState::Nearest(NearestSets { pairs, .. }) => (None, Some(pairs), None),
            InterestPolicyState::Hex(hex) => (None, None, Some(hex)),
        }
    }

    /// Capacity of all buffers, in elements of any kind.
    #[cfg(test)]
    fn capacity(&self) -> usize {
        match &self.sets {
            InterestPolicyState::All(all) => all.items.capacity() + all.observers.capacity(),
            InterestPolicyState::Radius(radius) => radius.capacity(),
            InterestPolicyState::Nearest(nearest) => nearest.capacity(),
            InterestPolicyState::Hex(hex) => hex.capacity(),
        }
    }
}

/// Present items and observers, both ascending.
#[derive(Debug, Default)]
struct AllPolicyState {
    items: Vec<ItemId>,
    observers: Vec<ObserverId>,
}

impl AllPolicyState {
    fn update(&mut self, present: InterestInput<'_>) {
        self.items.clear();
        self.items.extend(present.items.iter().map(|item| item.id));
        self.observers.clear();
        self.observers.extend(present.observers.iter().map(|observer| observer.id));
    }

    fn remove_item(&mut self, item: ItemId) {
        if let Ok(at) = self.items.binary_search(&item) {
            self.items.remove(at);
        }
    }

    fn remove_observer(&mut self, observer: ObserverId) {
        if let Ok(at) = self.observers.binary_search(&observer) {
            self.observers.remove(at);
        }
    }

    fn visible(&self, observer: ObserverId) -> impl Iterator<Item = ItemId> {
        let is_there = self.observers.binary_search(&observer).is_ok();
        self.items.iter().copied().filter(move |_| is_there)
    }

    fn watchers(&self, item: ItemId) -> impl Iterator<Item = ObserverId> {
        let is_there = self.items.binary_search(&item).is_ok();
        self.observers.iter().copied().filter(move |_| is_there)
    }
}

#[cfg(test)]
mod tests;
