//! A tree over all servers, and its paths.

use alloc::vec;
use alloc::vec::Vec;

use super::links::{OverlayLinkMatrix, least};
use super::{LinkCapacity, OverlayPlanError};

/// Tolerance for rounding: sums of the same lengths in another order differ by less.
const ROUNDING: f64 = 1.0 + 1e-12;

/// A tree over all servers. A scene that needs only some of them uses the part with capacity from
/// [`Comtree::provision`]. Links to subtrees without traffic and core routers get none, which prunes them (section
/// 3.5).
#[derive(Clone, Debug)]
pub struct Comtree {
    /// The next server on the path to the root; for the root, the root itself.
    parents: Vec<usize>,
    /// Length of the link to the parent.
    lengths: Vec<f64>,
    /// Length of the path to the root.
    depths: Vec<f64>,
    /// All servers, each after its parent.
    order: Vec<usize>,
}

impl Comtree {
    /// Grows a tree from a root. Each step adds the shortest link to a server outside of the tree whose path to the
    /// root then is at most `stretch` times the shortest possible. Such a link exists for connected servers, because a
    /// shortest path to an outside server crosses the tree's border. O(n²). Source: section 3.5. Errors:
    /// [`OverlayPlanError::NoSuchServer`], [`OverlayPlanError::Stretch`], [`OverlayPlanError::NoWay`].
    pub fn grow(links: &OverlayLinkMatrix, root: usize, stretch: f64) -> Result<Comtree, OverlayPlanError> {
        if stretch.is_nan() || stretch < 1.0 {
            return Err(OverlayPlanError::Stretch { got: stretch });
        }
        let count = links.count();
        // A minimum spanning tree has no bound, not even for servers at the root's position.
        let bound = |way: &f64| if stretch.is_infinite() { stretch } else { way * stretch * ROUNDING };
        let longest: Vec<f64> = links.shortest_from(root)?.iter().map(bound).collect();
        let mut tree = Comtree {
            parents: vec![root; count],
            lengths: vec![f64::INFINITY; count],
            depths: vec![0.0; count],
            order: Vec::with_capacity(count),
        };
        let mut is_in = vec![false; count];
        tree.lengths[root] = 0.0;
        while let Some(next) = least(&tree.lengths, &is_in) {
            is_in[next] = true;
            tree.order.push(next);
            tree.depths[next] = tree.depths[tree.parents[next]] + tree.lengths[next];
            for outside in (0..count).filter(|outside| !is_in[*outside]) {
                let length = links.length(next, outside);
                if length < tree.lengths[outside] && tree.depths[next] + length <= longest[outside] {
                    (tree.parents[outside], tree.lengths[outside]) = (next, length);
                }
            }
        }
        match is_in.iter().position(|is_in| !is_in) {
            Some(to) => Err(OverlayPlanError::NoWay { from: root, to }),
            None => Ok(tree),
        }
    }

    /// Number of servers.
    pub fn count(&self) -> usize {
        self.parents.len()
    }

    /// The root.
    pub fn root(&self) -> usize {
        self.order[0]
    }

    /// The next server on the path to the root; `None` for the root and for invalid numbers.
    pub fn parent(&self, server: usize) -> Option<usize> {
        self.parents.get(server).copied().filter(|parent| *parent != server)
    }

    /// All servers, the root first, each after its parent.
    pub fn order(&self) -> impl DoubleEndedIterator<Item = usize> + '_ {
        self.order.iter().copied()
    }

    /// All links as server, parent and length, each server after its parent.
    pub fn links(&self) -> impl DoubleEndedIterator<Item = (usize, usize, f64)> + '_ {
        self.order.iter().skip(1).map(|&server| (server, self.parents[server], self.lengths[server]))
    }

    /// Length of the path to the root. Panics for an invalid number.
    pub fn depth(&self, server: usize) -> f64 {
        self.depths[server]
    }

    /// Sum of all link lengths.
    pub fn length(&self) -> f64 {
        self.links().map(|(_, _, length)| length).sum()
    }

    /// Length of the path between two servers in the tree: the delay of routing through it (Figure 6). Panics for
    /// invalid numbers.
    pub fn way(&self, one: usize, other: usize) -> f64 {
        let to_root = |from: usize| core::iter::successors(Some(from), |&at| self.parent(at));
        let above: Vec<usize> = to_root(one).collect();
        let meeting = to_root(other).find(|at| above.contains(at)).expect("the root is on both ways");
        self.depths[one] + self.depths[other] - 2.0 * self.depths[meeting]
    }

    /// Cost of capacities: for each link both directions times its length. Source: section 3.5. Panics unless
    /// each server has one.
    pub fn cost(&self, capacities: &[LinkCapacity]) -> f64 {
        assert_eq!(capacities.len(), self.count(), "one for each server");
        let cost = |(server, _, length): (usize, usize, f64)| capacities[server].both() * length;
        self.links().map(cost).sum()
    }
}
