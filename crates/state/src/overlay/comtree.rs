//! A tree over all servers, and the ways in it.

use alloc::vec;
use alloc::vec::Vec;

use super::links::{OverlayLinks, least};
use super::{LinkCapacity, OverlayError};

/// What rounding may add to a way that is as long as allowed: the same lengths, added in another order, differ by less.
const ROUNDING: f64 = 1.0 + 1e-12;

/// A tree over all servers. A scene that needs only some of them uses the part that [`Comtree::provision`] gives capacity to: links to where nobody sends and nobody receives
/// get none, which prunes them (section 3.5).
#[derive(Clone, Debug)]
pub struct Comtree {
    /// Each server's way to the root begins here; the root's own is itself.
    parents: Vec<usize>,
    /// How long the link to the parent is.
    lengths: Vec<f64>,
    /// How long the way to the root is.
    depths: Vec<f64>,
    /// All of them, each after its parent.
    order: Vec<usize>,
}

impl Comtree {
    /// Grows a tree from a root: each time by the shortest link to a server outside, of those by which its way to the root is at most `stretch` times the shortest that there
    /// is. Such a link is always left: the shortest way to somebody outside crosses over at one. O(n²). Source: section 3.5.
    /// Errors: [`OverlayError::NoSuchServer`], [`OverlayError::Stretch`], [`OverlayError::NoWay`].
    pub fn grow(links: &OverlayLinks, root: usize, stretch: f64) -> Result<Comtree, OverlayError> {
        if stretch.is_nan() || stretch < 1.0 {
            return Err(OverlayError::Stretch { got: stretch });
        }
        let count = links.count();
        // Nothing bounds the ways of a minimum spanning tree, not even to who is at the root's place.
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
            Some(to) => Err(OverlayError::NoWay { from: root, to }),
            None => Ok(tree),
        }
    }

    /// How many servers it joins.
    pub fn count(&self) -> usize {
        self.parents.len()
    }

    /// Where it grew from.
    pub fn root(&self) -> usize {
        self.order[0]
    }

    /// The next on the way to the root; none of the root's own, and of who is no server.
    pub fn parent(&self, server: usize) -> Option<usize> {
        self.parents.get(server).copied().filter(|parent| *parent != server)
    }

    /// All servers, the root first, each after its parent.
    pub fn order(&self) -> impl DoubleEndedIterator<Item = usize> + '_ {
        self.order.iter().copied()
    }

    /// All links: a server and its parent, and how long the link between them is. Each server after its parent.
    pub fn links(&self) -> impl DoubleEndedIterator<Item = (usize, usize, f64)> + '_ {
        self.order.iter().skip(1).map(|&server| (server, self.parents[server], self.lengths[server]))
    }

    /// How long the way to the root is. Panics where it is no server.
    pub fn depth(&self, server: usize) -> f64 {
        self.depths[server]
    }

    /// How long all links are together.
    pub fn length(&self) -> f64 {
        self.links().map(|(_, _, length)| length).sum()
    }

    /// How long the way between two of them is in the tree: the delay that routing through it costs (Figure 6). Panics where one is no server.
    pub fn way(&self, one: usize, other: usize) -> f64 {
        let to_root = |from: usize| core::iter::successors(Some(from), |&at| self.parent(at));
        let above: Vec<usize> = to_root(one).collect();
        let meeting = to_root(other).find(|at| above.contains(at)).expect("the root is on both ways");
        self.depths[one] + self.depths[other] - 2.0 * self.depths[meeting]
    }

    /// What so much capacity costs: of each link that in both directions together, times its length. Source: section 3.5. Panics where there is not one for each server.
    pub fn cost(&self, capacities: &[LinkCapacity]) -> f64 {
        assert_eq!(capacities.len(), self.count(), "one for each server");
        let cost = |(server, _, length): (usize, usize, f64)| capacities[server].both() * length;
        self.links().map(cost).sum()
    }
}
