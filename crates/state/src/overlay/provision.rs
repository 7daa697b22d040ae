//! Link capacities that a comtree needs for any traffic pattern within the servers' limits. Source: Forest section
//! 3.4.2, after Fingerhut.

use alloc::vec;
use alloc::vec::Vec;

use super::{Comtree, OverlayPlanError};

/// Largest traffic that the users of one server cause in one scene. Both limits of a server that only forwards are 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ServerTrafficLimits {
    /// The paper's α, in proportion to the people that the server serves.
    pub send: f64,
    /// The paper's ω: the traffic that the server can receive.
    pub receive: f64,
}

impl ServerTrafficLimits {
    fn count(&self) -> bool {
        [self.send, self.receive].iter().all(|limit| limit.is_finite() && *limit >= 0.0)
    }
}

/// Capacity of the link between a server and its parent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LinkCapacity {
    /// Towards the parent.
    pub up: f64,
    /// From the parent.
    pub down: f64,
}

impl LinkCapacity {
    /// Sum of both directions.
    pub fn both(self) -> f64 {
        self.up + self.down
    }
}

/// The core routers of a tree: connected servers around its root that get every message of the scene. All servers
/// forward messages towards them, and subscriptions end at the first of them. Source: section 3.3, Figure 3.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoreRouters {
    has: Vec<bool>,
}

impl CoreRouters {
    /// No core: messages go straight to subscribers, which every server must know.
    pub fn none(tree: &Comtree) -> CoreRouters {
        CoreRouters { has: vec![false; tree.count()] }
    }

    /// The root and all servers within `hops` links: 0 is the root alone (Figure 3b), [`usize::MAX`] all (Figure
    /// 3a).
    pub fn within(tree: &Comtree, hops: usize) -> CoreRouters {
        let mut away = vec![0_usize; tree.count()];
        for (server, parent, _) in tree.links() {
            away[server] = away[parent] + 1;
        }
        CoreRouters { has: away.into_iter().map(|away| away <= hops).collect() }
    }

    /// Whether a server is a core router; false for invalid numbers.
    pub fn has(&self, server: usize) -> bool {
        self.has.get(server).is_some_and(|has| *has)
    }

    /// The number of core routers.
    pub fn count(&self) -> usize {
        self.has.iter().filter(|has| **has).count()
    }
}

/// The traffic of the servers on one side of a link, and their core routers.
#[derive(Clone, Copy, Default)]
struct LinkSideDemand {
    send: f64,
    receive: f64,
    core: usize,
}

impl LinkSideDemand {
    /// Traffic to the other side: all that this side sends if the other side has core routers, else limited by the
    /// receivers of the other side.
    fn to(self, there: LinkSideDemand) -> f64 {
        if there.core > 0 { self.send } else { self.send.min(there.receive) }
    }
}

impl Comtree {
    /// Computes the capacity of each link, by its lower server; zero for the root. One pass up and one down, O(n).
    /// Errors: [`OverlayPlanError::Limits`] unless each server has valid limits. Panics if the core is of a tree with
    /// another number of servers.
    pub fn provision(
        &self,
        limits: &[ServerTrafficLimits],
        core: &CoreRouters,
    ) -> Result<Vec<LinkCapacity>, OverlayPlanError> {
        let got = limits.iter().filter(|limits| limits.count()).count();
        if got != self.count() || got != limits.len() {
            return Err(OverlayPlanError::Limits { got, count: self.count() });
        }
        assert_eq!(core.has.len(), self.count(), "the core is of this tree");
        let side = |server: usize| {
            let ServerTrafficLimits { send, receive } = limits[server];
            LinkSideDemand { send, receive, core: usize::from(core.has(server)) }
        };
        let mut below: Vec<LinkSideDemand> = (0..self.count()).map(side).collect();
        for (server, parent, _) in self.links().rev() {
            let LinkSideDemand { send, receive, core } = below[server];
            let sum = &mut below[parent];
            *sum = LinkSideDemand { send: sum.send + send, receive: sum.receive + receive, core: sum.core + core };
        }
        let all = below[self.root()];
        let mut capacities = vec![LinkCapacity::default(); self.count()];
        for (server, ..) in self.links() {
            let here = below[server];
            // Rounding must not yield negative rates.
            let rest = |all: f64, here: f64| (all - here).max(0.0);
            let (send, receive) = (rest(all.send, here.send), rest(all.receive, here.receive));
            let there = LinkSideDemand { send, receive, core: all.core - here.core };
            capacities[server] = LinkCapacity { up: here.to(there), down: there.to(here) };
        }
        Ok(capacities)
    }
}
