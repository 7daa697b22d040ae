//! Fair shares: max-min fairness over a tree of payers.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::time::Duration;

use super::payer::{PayerId, ShareKey, ShareStep};
use crate::limits;
use crate::time::Time;

/// The use of one child and its weight.
#[derive(Clone, Copy, Debug)]
pub struct UseAndWeight {
    /// The child's use.
    pub amount: u64,
    /// The number of shares that the child may have, at least 1.
    pub weight: u64,
}

/// The level of max-min fairness: with each use cut to its weight times the level, all of them together use
/// `capacity`. If they use less, the level is the largest use for its weight, so that only a larger use exceeds it.
pub fn water_level(uses: &mut [UseAndWeight], capacity: u64) -> u64 {
    let total = uses.iter().fold(0_u64, |total, child| total.saturating_add(child.amount));
    // Compares amount / weight without a division.
    let times = |one: u64, other: u64| u128::from(one) * u128::from(other);
    uses.sort_unstable_by(|one, other| times(one.amount, other.weight).cmp(&times(other.amount, one.weight)));
    let mut left = capacity.min(total);
    let mut weights: u64 = uses.iter().map(|child| child.weight).sum();
    for child in uses.iter() {
        if times(child.amount, weights) > times(left, child.weight) {
            return left / weights;
        }
        (left, weights) = (left - child.amount, weights - child.weight);
    }
    uses.last().map_or(capacity, |largest| largest.amount.div_ceil(largest.weight))
}

/// A use within a window that slides with time, or a held amount.
#[derive(Clone, Copy, Debug, Default)]
struct WindowedUsage {
    current: u64,
    previous: u64,
    /// Number of the current window.
    window: u64,
}

/// A payer or a group of payers, with its use.
#[derive(Debug, Default)]
pub(super) struct ShareNode {
    used: WindowedUsage,
    households_max: u32,
    people_max: u32,
    children: BTreeMap<ShareKey, ShareNode>,
    /// Computed shares, one for each kind of holder. A payer has none, because it has no members.
    cached: Option<Box<[ShareComputationCache; 2]>>,
}

/// The shares of a node in one unit, computed from time to time.
#[derive(Clone, Copy, Debug, Default)]
struct ShareComputationCache {
    level: Option<CachedLevel>,
    weight: Option<CachedWeight>,
}

/// A node's weight.
#[derive(Clone, Copy, Debug)]
struct CachedWeight {
    weight: u64,
    computed_at: Time,
    /// Number of children at that time.
    children: usize,
}

/// The members of a group that have one fair share each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ShareHolderKind {
    /// Households: people behind one address share, however many they are.
    Household,
    /// People, up to [`limits::PEOPLE_PER_HOUSEHOLD_MAX`] for each household.
    Person,
}

/// The level of a node's children, computed from time to time.
#[derive(Clone, Copy, Debug)]
struct CachedLevel {
    capacity: u64,
    level: u64,
    computed_at: Time,
    /// The node's use at that time.
    used: u64,
}

/// The result of comparing a charge with the fair shares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ShareVerdict {
    /// The payer, or a group that it is in, remains within this share.
    Within {
        /// The use of the payer or group with the charge.
        used: u64,
        /// The share of that payer or group.
        share: u64,
    },
    /// The payer and all groups that it is in exceed their shares.
    Above {
        /// The payer's share.
        share: u64,
    },
}

impl WindowedUsage {
    /// Moves to the window of `now`. Without a window, uses are held until they are released.
    fn turn(&mut self, now: Time, window: Option<Duration>) {
        let Some(number) = window.map(|window| window_number(now, window)) else { return };
        let passed = number.saturating_sub(self.window);
        if passed > 0 {
            self.previous = if passed == 1 { self.current } else { 0 };
            (self.current, self.window) = (0, number);
        }
    }

    /// The use within one window before `now`, if the previous window's use was even.
    fn amount(mut self, now: Time, window: Option<Duration>) -> u64 {
        let Some(length) = window else { return self.current };
        self.turn(now, window);
        let into = now.as_nanos() % nanos(length);
        let left = u128::from(self.previous) * u128::from(nanos(length) - into) / u128::from(nanos(length));
        self.current.saturating_add(u64::try_from(left).unwrap_or(u64::MAX))
    }
}

fn nanos(length: Duration) -> u64 {
    u64::try_from(length.as_nanos()).unwrap_or(u64::MAX).max(1)
}

fn window_number(now: Time, window: Duration) -> u64 {
    now.as_nanos() / nanos(window)
}

impl ShareNode {
    /// Adds a use to all nodes of a path, and creates missing nodes. Returns whether it created any.
    pub(super) fn add(&mut self, path: &[ShareStep], amount: u64, now: Time, window: Option<Duration>) -> bool {
        self.used.turn(now, window);
        self.used.current = self.used.current.saturating_add(amount);
        let Some((step, rest)) = path.split_first() else { return false };
        let is_new = !self.children.contains_key(&step.key);
        let child = self.children.entry(step.key).or_default();
        child.households_max = step.households_max;
        child.people_max = child.people_max.max(step.people_max);
        child.add(rest, amount, now, window) || is_new
    }

    /// Takes a use back from all nodes of a path, and drops those that hold nothing.
    pub(super) fn take_back(&mut self, path: &[ShareStep], amount: u64) {
        self.used.current = self.used.current.saturating_sub(amount);
        let Some((step, rest)) = path.split_first() else { return };
        if let Some(child) = self.children.get_mut(&step.key) {
            child.take_back(rest, amount);
            if child.used.current == 0 {
                self.children.remove(&step.key);
            }
        }
    }

    pub(super) fn amount(&self, now: Time, window: Option<Duration>) -> u64 {
        self.used.amount(now, window)
    }

    /// Compares the use of a payer, with `cost` added, with its fair share of `capacity`.
    pub(super) fn compare(&mut self, path: &[ShareStep], cost: u64, bound: &ShareCheckContext) -> ShareVerdict {
        let Some((step, rest)) = path.split_first() else {
            return ShareVerdict::Above { share: bound.capacity };
        };
        let level = self.level(bound);
        let mut unknown = ShareNode::default();
        let child = self.children.get_mut(&step.key).unwrap_or(&mut unknown);
        let used = child.amount(bound.now, bound.window).saturating_add(cost);
        let share = level.saturating_mul(child.weight(bound));
        if used <= share {
            return ShareVerdict::Within { used, share };
        }
        child.compare(rest, cost, &ShareCheckContext { capacity: share, ..*bound })
    }

    /// The payer with the largest use for its weight, within the group with the largest use for its weight.
    pub(super) fn largest(&mut self, bound: &ShareCheckContext) -> Option<PayerId> {
        let weighted = self.children.iter_mut().map(|(key, child)| {
            let (amount, weight) = (child.amount(bound.now, bound.window), child.weight(bound));
            (key, child, (u128::from(amount), u128::from(weight)))
        });
        let (key, child, _) =
            weighted.max_by(|(_, _, one), (_, _, other)| (one.0 * other.1).cmp(&(other.0 * one.1)))?;
        match key {
            ShareKey::Payer(id) => Some(*id),
            ShareKey::Prefix(_) => child.largest(bound),
        }
    }

    /// Number of households or people as which the node counts: those that are active in it, up to its maximum.
    fn weight(&mut self, bound: &ShareCheckContext) -> u64 {
        let children = self.children.len();
        if children == 0 {
            return 1;
        }
        if let Some(cached) = self.cached(bound.unit).weight
            && cached.children == children
            && bound.now.since(cached.computed_at) < limits::SHARES_KEPT
        {
            return cached.weight;
        }
        let most = self.weight_max(bound.unit);
        let mut active = 0;
        for child in self.children.values_mut() {
            if active >= most {
                break;
            }
            if child.amount(bound.now, bound.window) > 0 {
                active += child.weight(bound);
            }
        }
        let weight = active.clamp(1, most);
        self.cached(bound.unit).weight = Some(CachedWeight { weight, computed_at: bound.now, children });
        weight
    }

    fn weight_max(&self, unit: ShareHolderKind) -> u64 {
        let most = match unit {
            ShareHolderKind::Household => self.households_max,
            ShareHolderKind::Person => self.people_max,
        };
        u64::from(most.max(1))
    }

    fn level(&mut self, bound: &ShareCheckContext) -> u64 {
        let used = self.amount(bound.now, bound.window);
        if let Some(cached) = self.cached(bound.unit).level {
            let most_change = bound.capacity / 64;
            let is_fresh = bound.now.since(cached.computed_at) < limits::SHARES_KEPT
                && bound.capacity.abs_diff(cached.capacity) <= most_change
                && used.abs_diff(cached.used) <= most_change;
            if is_fresh {
                return cached.level;
            }
        }
        let mut uses: Vec<UseAndWeight> = self
            .children
            .values_mut()
            .map(|child| UseAndWeight { amount: child.amount(bound.now, bound.window), weight: child.weight(bound) })
            .collect();
        let weights: u64 = uses.iter().map(|child| child.weight).sum();
        // An even share never exceeds the fair share. It matters while all members together use less than the capacity,
        // and the bound is reached because of a debt.
        let level = water_level(&mut uses, bound.capacity).max(bound.capacity / weights.max(1));
        self.cached(bound.unit).level =
            Some(CachedLevel { capacity: bound.capacity, level, computed_at: bound.now, used });
        level
    }

    fn cached(&mut self, unit: ShareHolderKind) -> &mut ShareComputationCache {
        let [by_household, by_person] = &mut **self.cached.get_or_insert_default();
        match unit {
            ShareHolderKind::Household => by_household,
            ShareHolderKind::Person => by_person,
        }
    }

    /// The number of the window of the last use.
    pub(super) fn window_of_last_use(&self) -> u64 {
        self.used.window
    }

    /// Forgets payers without a use in the window. If more than `payers_max` remain, it forgets the half with the
    /// smaller uses, which are below any share. Returns the number of remaining payers.
    pub(super) fn forget(&mut self, payers_max: usize, now: Time, window: Option<Duration>) -> usize {
        self.forget_below(1, now, window);
        let mut uses = Vec::new();
        self.collect(&mut uses, now, window);
        if uses.len() > payers_max {
            let median_index = uses.len() / 2;
            let (_, median, _) = uses.select_nth_unstable(median_index);
            let least = median.saturating_add(1);
            self.forget_below(least, now, window);
            uses.retain(|amount| *amount >= least);
        }
        uses.len()
    }

    fn forget_below(&mut self, least: u64, now: Time, window: Option<Duration>) {
        self.children.retain(|key, child| match key {
            ShareKey::Payer(_) => child.amount(now, window) >= least,
            ShareKey::Prefix(_) => {
                child.forget_below(least, now, window);
                !child.children.is_empty()
            }
        });
    }

    fn collect(&self, into: &mut Vec<u64>, now: Time, window: Option<Duration>) {
        for (key, child) in &self.children {
            match key {
                ShareKey::Payer(_) => into.push(child.amount(now, window)),
                ShareKey::Prefix(_) => child.collect(into, now, window),
            }
        }
    }
}

/// The capacity, the time and the unit of a comparison.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShareCheckContext {
    pub(super) unit: ShareHolderKind,
    pub(super) capacity: u64,
    pub(super) now: Time,
    pub(super) window: Option<Duration>,
}
