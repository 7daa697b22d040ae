//! How much of each link a comtree needs, whatever pattern its traffic has within the servers' limits. Source: Forest section 3.4.2, after Fingerhut.

use alloc::vec;
use alloc::vec::Vec;

use super::{Comtree, OverlayError};

/// What one server sends and receives at most, of one scene. Those who use it answer for that; a server that only passes on has neither.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TrafficLimits {
    /// The paper's α: in proportion to the people whom it serves.
    pub send: f64,
    /// The paper's ω: what it can take in.
    pub receive: f64,
}

impl TrafficLimits {
    fn count(&self) -> bool {
        [self.send, self.receive].iter().all(|limit| limit.is_finite() && *limit >= 0.0)
    }
}

/// What the link between a server and its parent is to carry.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LinkCapacity {
    /// To the parent.
    pub up: f64,
    /// From it.
    pub down: f64,
}

impl LinkCapacity {
    /// Both directions together.
    pub fn both(self) -> f64 {
        self.up + self.down
    }
}

/// The servers of a tree that get every message of the scene, a part of it about its root: all others pass messages on towards them, and subscriptions go no farther than to
/// the first of them. Source: section 3.3, Figure 3.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoreRouters {
    has: Vec<bool>,
}

impl CoreRouters {
    /// None: a message goes straight to whoever wants it, which every server must know of.
    pub fn none(tree: &Comtree) -> CoreRouters {
        CoreRouters { has: vec![false; tree.count()] }
    }

    /// The root, and all that are at most so many links from it: 0 is the root alone (Figure 3b), [`usize::MAX`] all (Figure 3a).
    pub fn within(tree: &Comtree, hops: usize) -> CoreRouters {
        let mut away = vec![0_usize; tree.count()];
        for (server, parent, _) in tree.links() {
            away[server] = away[parent] + 1;
        }
        CoreRouters { has: away.into_iter().map(|away| away <= hops).collect() }
    }

    /// Whether a server is one of them; false of who is no server.
    pub fn has(&self, server: usize) -> bool {
        self.has.get(server).is_some_and(|has| *has)
    }

    /// The number of core routers.
    pub fn count(&self) -> usize {
        self.has.iter().filter(|has| **has).count()
    }
}

/// Of one side of a link.
#[derive(Clone, Copy, Default)]
struct LinkSide {
    send: f64,
    receive: f64,
    core: usize,
}

impl LinkSide {
    /// What may go from here to there: all that is sent here where the core is there, else no more than can be received there.
    fn to(self, there: LinkSide) -> f64 {
        if there.core > 0 { self.send } else { self.send.min(there.receive) }
    }
}

impl Comtree {
    /// What each link is to carry, at the number of its lower end; nothing at the root's. One pass up and one down, O(n).
    /// Errors: [`OverlayError::Limits`] unless there is one that counts for each server. Panics where the core is another tree's.
    pub fn provision(&self, limits: &[TrafficLimits], core: &CoreRouters) -> Result<Vec<LinkCapacity>, OverlayError> {
        let got = limits.iter().filter(|limits| limits.count()).count();
        if got != self.count() || got != limits.len() {
            return Err(OverlayError::Limits { got, count: self.count() });
        }
        assert_eq!(core.has.len(), self.count(), "the core is of this tree");
        let side = |server: usize| {
            let TrafficLimits { send, receive } = limits[server];
            LinkSide { send, receive, core: usize::from(core.has(server)) }
        };
        let mut below: Vec<LinkSide> = (0..self.count()).map(side).collect();
        for (server, parent, _) in self.links().rev() {
            let LinkSide { send, receive, core } = below[server];
            let sum = &mut below[parent];
            *sum = LinkSide { send: sum.send + send, receive: sum.receive + receive, core: sum.core + core };
        }
        let all = below[self.root()];
        let mut capacities = vec![LinkCapacity::default(); self.count()];
        for (server, ..) in self.links() {
            let here = below[server];
            // Rounding must not make less than nothing.
            let rest = |all: f64, here: f64| (all - here).max(0.0);
            let (send, receive) = (rest(all.send, here.send), rest(all.receive, here.receive));
            let there = LinkSide { send, receive, core: all.core - here.core };
            capacities[server] = LinkCapacity { up: here.to(there), down: there.to(here) };
        }
        Ok(capacities)
    }
}
