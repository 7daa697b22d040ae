//! Models the overlay between a game's servers: routers joined by a comtree, and the traffic on its links. Source:
//! Forest sections 3.3 and 5.2.

use anyhow::Result;
use fastrand::Rng;
use stoa_state::overlay::{Comtree, ComtreePlan, CoreRouters, OverlayLinkMatrix, PlanRequest, ServerTrafficLimits};

/// Stretch of the comtree. The paper's choice: low cost, and hardly longer paths (section 3.5).
const STRETCH: f64 = 1.2;

/// Routers, with the servers at each.
pub(super) struct RouterOverlay {
    tree: Comtree,
    /// Core routers, which receive everything: all routers as in the paper's prototype (section 4.2), or only the
    /// tree's root (the centre), with the fewest update crossings.
    cores: [CoreRouters; 2],
    /// The servers below each link as a bit set, at the index of its lower router.
    below: Vec<u64>,
    /// The servers at each router.
    at: Vec<u64>,
}

/// Traffic on all links, both directions together.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TotalLinkTraffic {
    pub(super) updates: u64,
    pub(super) subscriptions: u64,
}

/// The names of the two cores.
pub(super) const CORES: [&str; 2] = ["all", "centre"];

impl RouterOverlay {
    /// Routers at random positions in a square, with the servers spread evenly over them. The tree is the one with
    /// the cheapest provisioning, if each server sends for its players and may receive from all other servers.
    pub(super) fn planned(
        rng: &mut Rng,
        routers: usize,
        (servers, players_each): (usize, usize),
    ) -> Result<RouterOverlay> {
        let places: Vec<[f64; 2]> = (0..routers).map(|_| [rng.f64(), rng.f64()]).collect();
        let length =
            |one: usize, other: usize| (places[one][0] - places[other][0]).hypot(places[one][1] - places[other][1]);
        let links = OverlayLinkMatrix::new(routers, length)?;
        let (mut at, mut limits) = (vec![0; routers], vec![ServerTrafficLimits::default(); routers]);
        for server in 0..servers {
            at[server % routers] |= 1 << server;
            limits[server % routers].send += players_each as f64;
            limits[server % routers].receive += ((servers - 1) * players_each) as f64;
        }
        let roots: Vec<usize> = (0..routers).collect();
        let wanted = PlanRequest { limits: &limits, core_hops: Some(0), roots: &roots, stretches: &[STRETCH] };
        let tree = ComtreePlan::cheapest(&links, &wanted)?.tree;
        let cores = [CoreRouters::within(&tree, usize::MAX), CoreRouters::within(&tree, 0)];
        let mut below = at.clone();
        for (router, parent, _) in tree.links().rev() {
            below[parent] |= below[router];
        }
        Ok(RouterOverlay { tree, cores, below, at })
    }

    /// Number of links that an update from `server` to its subscribers and all core routers crosses.
    pub(super) fn update(&self, core: usize, (server, subscribers): (usize, u64)) -> u64 {
        let core = &self.cores[core];
        let all = self.below[self.tree.root()];
        let crosses = |&(router, ..): &(usize, usize, f64)| {
            let below = self.below[router];
            let there = if below >> server & 1 == 1 { !below & all } else { below };
            subscribers & there != 0 || self.has_core(core, (router, below == there))
        };
        self.tree.links().filter(crosses).count() as u64
    }

    /// Number of links that a server's new or ended subscription crosses towards the core. `others` are the other
    /// servers that are subscribed to the same region, or were until now.
    pub(super) fn subscription(&self, core: usize, (server, others): (usize, u64)) -> u64 {
        let start = self.at.iter().position(|at| at >> server & 1 == 1).expect("every server is at a router");
        let mut links = 0;
        let mut at = start;
        // A router with subscribers at or below it has already subscribed.
        while let Some(parent) = self.tree.parent(at).filter(|_| !self.cores[core].has(at)) {
            if others & self.below[at] != 0 {
                break;
            }
            (at, links) = (parent, links + 1);
        }
        links
    }

    /// Whether a core router is below the link above `router` if `is_below`, else on its other side.
    fn has_core(&self, core: &CoreRouters, (router, is_below): (usize, bool)) -> bool {
        let is_there = |at: usize| {
            let mut to_root = std::iter::successors(Some(at), |&at| self.tree.parent(at));
            to_root.any(|at| at == router) == is_below
        };
        (0..self.tree.count()).any(|at| core.has(at) && is_there(at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_router_has_no_link_to_cross() {
        let routers = RouterOverlay::planned(&mut Rng::with_seed(1), 1, (4, 2)).expect("a plan");
        assert_eq!((routers.update(0, (0, 0b1110)), routers.subscription(1, (0, 0))), (0, 0));
    }

    #[test]
    fn a_core_of_all_routers_sends_updates_over_every_link_and_no_subscriptions() {
        let routers = RouterOverlay::planned(&mut Rng::with_seed(2), 8, (20, 5)).expect("a plan");
        for server in 0..20 {
            assert_eq!((routers.update(0, (server, 0)), routers.subscription(0, (server, 0))), (7, 0));
        }
    }

    #[test]
    fn with_a_central_core_updates_without_subscribers_stop_at_the_centre() {
        let routers = RouterOverlay::planned(&mut Rng::with_seed(3), 8, (20, 5)).expect("a plan");
        let everybody = u64::MAX >> (64 - 20);
        for server in 0..20 {
            let hops = std::iter::successors(Some(server % 8), |&at| routers.tree.parent(at)).count() as u64 - 1;
            assert_eq!(routers.update(1, (server, 0)), hops);
            assert_eq!(routers.subscription(1, (server, 0)), hops, "nobody else is subscribed");
            assert_eq!(routers.update(1, (server, everybody)), 7);
            let beside = 1 << ((server + 8) % 16);
            let is_beside = (server + 8) % 16 % 8 == server % 8;
            assert!(
                !is_beside || routers.subscription(1, (server, beside)) == 0,
                "one at the same router asked before"
            );
        }
    }
}
