//! The cheapest of several trees.

use alloc::vec::Vec;

use super::{Comtree, CoreRouters, LinkCapacity, OverlayError, OverlayLinks, TrafficLimits};

/// What a comtree is wanted for, and what may be chosen.
#[derive(Clone, Copy, Debug)]
pub struct PlanRequest<'a> {
    /// Each server's.
    pub limits: &'a [TrafficLimits],
    /// The core is the root and all that are at most so many links from it; without, there is none.
    pub core_hops: Option<usize>,
    /// Where it may grow from. With all of them and a stretch of 1 the tree is the cheapest that there is where as much is sent as received (section 3.5).
    pub roots: &'a [usize],
    /// How far from the shortest ways it may be. Figure 5 takes the best of several.
    pub stretches: &'a [f64],
}

/// A comtree with what each of its links is to carry.
#[derive(Clone, Debug)]
pub struct ComtreePlan {
    /// The tree.
    pub tree: Comtree,
    /// Its core.
    pub core: CoreRouters,
    /// Of each link, at the number of its lower end.
    pub capacities: Vec<LinkCapacity>,
    /// Capacity times length, of all links.
    pub cost: f64,
}

impl ComtreePlan {
    /// Tries all roots with all stretches; of equals the first. Errors: as [`Comtree::grow`] and [`Comtree::provision`], and [`OverlayError::NoChoice`].
    pub fn cheapest(links: &OverlayLinks, wanted: &PlanRequest<'_>) -> Result<ComtreePlan, OverlayError> {
        let mut best: Option<ComtreePlan> = None;
        for &root in wanted.roots {
            for &stretch in wanted.stretches {
                let plan = ComtreePlan::of(Comtree::grow(links, root, stretch)?, wanted)?;
                if best.as_ref().is_none_or(|best| plan.cost < best.cost) {
                    best = Some(plan);
                }
            }
        }
        best.ok_or(OverlayError::NoChoice)
    }

    fn of(tree: Comtree, wanted: &PlanRequest<'_>) -> Result<ComtreePlan, OverlayError> {
        let core = match wanted.core_hops {
            Some(hops) => CoreRouters::within(&tree, hops),
            None => CoreRouters::none(&tree),
        };
        let capacities = tree.provision(wanted.limits, &core)?;
        let cost = tree.cost(&capacities);
        Ok(ComtreePlan { tree, core, capacities, cost })
    }
}
