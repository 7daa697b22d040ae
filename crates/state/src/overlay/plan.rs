//! The cheapest of several comtrees.

use alloc::vec::Vec;

use super::{Comtree, CoreRouters, LinkCapacity, OverlayLinkMatrix, OverlayPlanError, ServerTrafficLimits};

/// Requirements and choices for a comtree.
#[derive(Clone, Copy, Debug)]
pub struct PlanRequest<'a> {
    /// Traffic limits of each server.
    pub limits: &'a [ServerTrafficLimits],
    /// Core routers are the root and all servers within this many links; `None` means no core.
    pub core_hops: Option<usize>,
    /// Candidates for the root. With all servers and a stretch of 1, the result is the cheapest possible tree if
    /// sent and received traffic are equal (section 3.5).
    pub roots: &'a [usize],
    /// Candidates for the stretch. Figure 5 takes the best of several.
    pub stretches: &'a [f64],
}

/// A comtree with the capacity of each link and its cost.
#[derive(Clone, Debug)]
pub struct ComtreePlan {
    /// The tree.
    pub tree: Comtree,
    /// Its core routers.
    pub core: CoreRouters,
    /// Capacity of each link, by its lower server.
    pub capacities: Vec<LinkCapacity>,
    /// Sum of capacity times length.
    pub cost: f64,
}

impl ComtreePlan {
    /// Tries all roots with all stretches; ties go to the first. Errors: those of [`Comtree::grow`] and
    /// [`Comtree::provision`], and [`OverlayPlanError::NoChoice`].
    pub fn cheapest(links: &OverlayLinkMatrix, wanted: &PlanRequest<'_>) -> Result<ComtreePlan, OverlayPlanError> {
        let mut best: Option<ComtreePlan> = None;
        for &root in wanted.roots {
            for &stretch in wanted.stretches {
                let plan = ComtreePlan::of(Comtree::grow(links, root, stretch)?, wanted)?;
                if best.as_ref().is_none_or(|best| plan.cost < best.cost) {
                    best = Some(plan);
                }
            }
        }
        best.ok_or(OverlayPlanError::NoChoice)
    }

    fn of(tree: Comtree, wanted: &PlanRequest<'_>) -> Result<ComtreePlan, OverlayPlanError> {
        let core = match wanted.core_hops {
            Some(hops) => CoreRouters::within(&tree, hops),
            None => CoreRouters::none(&tree),
        };
        let capacities = tree.provision(wanted.limits, &core)?;
        let cost = tree.cost(&capacities);
        Ok(ComtreePlan { tree, core, capacities, cost })
    }
}
