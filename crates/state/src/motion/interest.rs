//! Who is shown what: the interest sets of one scene. A machine without outputs of its own: places go in, crossings come out. Source: Ubiq ("Exploring Server-Centric
//! Scalability for Social VR", Friston et al.) section IV.
//!
//! Sets are evaluated every [`limits::INTEREST_INTERVAL`], all at once; whoever comes or moves in between is met at the next evaluation, and what is removed leaves at once.
//! An observer's own items are always in its set, and do not count.

mod field;
mod hex;
mod nearest;
mod pairs;
mod radius;

use alloc::string::String;
use alloc::vec::Vec;
use core::time::Duration;

use serde::{Deserialize, Serialize};

use self::hex::HexSets;
pub use self::hex::{HexCell, HexLattice};
use self::nearest::NearestSets;
use self::radius::RadiusSets;
use crate::limits;
use crate::time::Time;

/// Which items a scene shows whom. What is beyond the bounds in `limits` is brought within them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum InterestPolicy {
    /// Everybody sees everything. Costs nothing for any pair: none is kept, and no crossing is told, for whoever adds and removes items knows it.
    #[default]
    All,
    /// What is within a distance, in all three axes; it leaves when it is a tenth farther.
    Radius {
        /// Millimetres.
        radius_mm: u32,
    },
    /// The nearest, in all three axes; what falls out of them leaves [`limits::NEAREST_STAY`] later, at the evaluation that finds it so.
    Nearest {
        /// How many, at most [`limits::NEAREST_COUNT_MAX`].
        count: u32,
    },
    /// What stands in the observer's hexagonal cell of the ground or in the six around it.
    Hex {
        /// From corner to corner, millimetres.
        cell_mm: u32,
    },
}

impl InterestPolicy {
    /// As wide as seven cells of [`InterestPolicy::HEX`] together.
    pub const RADIUS: InterestPolicy = InterestPolicy::Radius { radius_mm: limits::RADIUS_MM };
    /// With Ubiq's parameters.
    pub const NEAREST: InterestPolicy = InterestPolicy::Nearest { count: limits::NEAREST_COUNT };
    /// With Ubiq's parameters.
    pub const HEX: InterestPolicy = InterestPolicy::Hex { cell_mm: limits::HEX_CELL_MM };
}

/// Something that is shown or not: a person (head and hands together), or one tracked object. A slot of the scene, less than [`limits::INTEREST_SLOTS_MAX`]; before a slot is given
/// anew, the item that had it must have been removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ItemId(pub u32);

impl ItemId {
    fn slot(self) -> usize {
        self.0 as usize
    }
}

/// Somebody to whom items are shown. A slot of the scene, as [`ItemId`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObserverId(pub u32);

impl ObserverId {
    fn slot(self) -> usize {
        self.0 as usize
    }
}

/// An item and where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InterestItem {
    /// The item's slot.
    pub id: ItemId,
    /// Who always sees it.
    pub owner: Option<ObserverId>,
    /// x, y, z in the scene's axes, millimetres; y is up.
    pub place: [i32; 3],
}

/// An observer and where it looks from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Observer {
    /// The observer's slot.
    pub id: ObserverId,
    /// As an item's.
    pub place: [i32; 3],
}

/// All who are in a scene. Whoever was there and is in none of the lists is removed.
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

/// An item came into an observer's set or left it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct InterestChange {
    /// The observer whose set changed.
    pub observer: ObserverId,
    /// The item that entered or left.
    pub item: ItemId,
    /// False: it left.
    pub entered: bool,
}

/// The interest sets of one scene under one policy.
#[derive(Debug)]
pub struct InterestSets {
    policy: InterestPolicy,
    sets: PolicySets,
    due_at: Time,
    evaluated_at: Option<Time>,
}

#[derive(Debug)]
enum PolicySets {
    All(AllSets),
    Radius(RadiusSets),
    Nearest(NearestSets),
    Hex(HexSets),
}

impl InterestSets {
    /// Of a scene in which nobody is.
    pub fn new(policy: InterestPolicy) -> InterestSets {
        let sets = match policy {
            InterestPolicy::All => PolicySets::All(AllSets::default()),
            InterestPolicy::Radius { radius_mm } => PolicySets::Radius(RadiusSets::new(radius_mm)),
            InterestPolicy::Nearest { count } => {
                PolicySets::Nearest(NearestSets::new(count.min(limits::NEAREST_COUNT_MAX)))
            }
            InterestPolicy::Hex { cell_mm } => PolicySets::Hex(HexSets::new(cell_mm)),
        };
        InterestSets { policy, sets, due_at: Time::ZERO, evaluated_at: None }
    }

    /// What it was made with.
    pub fn policy(&self) -> InterestPolicy {
        self.policy
    }

    /// When the next evaluation is due.
    pub fn poll_timeout(&self) -> Time {
        self.due_at
    }

    /// Evaluates all sets, and appends what crossed, ascending by observer, then by item. Late is safe; early does nothing. Under [`InterestPolicy::All`] nothing crosses.
    /// Panics where ids do not ascend or are no slots.
    pub fn update(&mut self, present: InterestInput<'_>, now: Time, crossings: &mut Vec<InterestChange>) {
        if now < self.due_at {
            return;
        }
        present.check();
        let elapsed = self.evaluated_at.map_or(Duration::ZERO, |before| now.since(before));
        (self.due_at, self.evaluated_at) = (now + limits::INTEREST_INTERVAL, Some(now));
        match &mut self.sets {
            PolicySets::All(everything) => everything.update(present),
            PolicySets::Radius(radius) => radius.update(present, crossings),
            PolicySets::Nearest(nearest) => nearest.update(present, elapsed, crossings),
            PolicySets::Hex(hex) => hex.update(present, crossings),
        }
    }

    /// An item is gone: appends whose sets it left, ascending. Under [`InterestPolicy::All`] nothing crosses.
    pub fn remove_item(&mut self, item: ItemId, crossings: &mut Vec<InterestChange>) {
        match &mut self.sets {
            PolicySets::All(everything) => everything.remove_item(item),
            PolicySets::Radius(RadiusSets { pairs, .. }) | PolicySets::Nearest(NearestSets { pairs, .. }) => {
                pairs.remove_item(item, crossings);
            }
            PolicySets::Hex(hex) => hex.remove_item(item, crossings),
        }
    }

    /// An observer is gone; nobody has to be told. Its items stay until they are removed.
    pub fn remove_observer(&mut self, observer: ObserverId) {
        match &mut self.sets {
            PolicySets::All(everything) => everything.remove_observer(observer),
            PolicySets::Radius(RadiusSets { pairs, .. }) | PolicySets::Nearest(NearestSets { pairs, .. }) => {
                pairs.remove_observer(observer);
            }
            PolicySets::Hex(hex) => hex.remove_observer(observer),
        }
    }

    /// What an observer sees: each once, in an order that follows from the inputs.
    pub fn visible(&self, observer: ObserverId) -> impl Iterator<Item = ItemId> {
        let (all, pairs, hex) = self.views();
        let all = all.into_iter().flat_map(move |all| all.visible(observer));
        let pairs = pairs.into_iter().flat_map(move |pairs| pairs.visible(observer));
        all.chain(pairs).chain(hex.into_iter().flat_map(move |hex| hex.visible(observer)))
    }

    /// Who sees an item: each once, in an order that follows from the inputs. An observer is among them if and only if the item is among what is visible to it.
    pub fn watchers(&self, item: ItemId) -> impl Iterator<Item = ObserverId> {
        let (all, pairs, hex) = self.views();
        let all = all.into_iter().flat_map(move |all| all.watchers(item));
        let pairs = pairs.into_iter().flat_map(move |pairs| pairs.watchers(item));
        all.chain(pairs).chain(hex.into_iter().flat_map(move |hex| hex.watchers(item)))
    }

    /// Whichever of the three kinds of sets it has.
    fn views(&self) -> (Option<&AllSets>, Option<&pairs::ObservedPairs>, Option<&HexSets>) {
        match &self.sets {
            PolicySets::All(everything) => (Some(everything), None, None),
            PolicySets::Radius(RadiusSets { pairs, .. }) | PolicySets::Nearest(NearestSets { pairs, .. }) => {
                (None, Some(pairs), None)
            }
            PolicySets::Hex(hex) => (None, None, Some(hex)),
        }
    }

    /// What all buffers have room for, in elements of any kind.
    #[cfg(test)]
    fn room(&self) -> usize {
        match &self.sets {
            PolicySets::All(everything) => everything.items.capacity() + everything.observers.capacity(),
            PolicySets::Radius(radius) => radius.room(),
            PolicySets::Nearest(nearest) => nearest.room(),
            PolicySets::Hex(hex) => hex.room(),
        }
    }
}

/// Who and what is there; both ascending.
#[derive(Debug, Default)]
struct AllSets {
    items: Vec<ItemId>,
    observers: Vec<ObserverId>,
}

impl AllSets {
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
