//! Draws Forest's random points in a square, and computes the costs of trees over them and the lengths of paths in the
//! trees. Pure arithmetic; the same seed gives the same numbers.

use anyhow::Result;
use fastrand::Rng;
use serde::{Deserialize, Serialize};
use stoa_state::overlay::{Comtree, CoreRouters, OverlayLinkMatrix, ServerTrafficLimits};

/// Distance from the origin to each side (section 3.5: "a 2x2 square centered at the origin").
const HALF_SIDE: f64 = 1.0;
/// The stretches of Figures 5 and 6. The paper names only 1.2, and "several values".
pub(super) const STRETCHES: [f64; 9] = [1.0, 1.1, 1.2, 1.3, 1.5, 1.75, 2.0, 3.0, f64::INFINITY];
/// Figure 4's three trees, by their stretch.
pub(super) const KINDS: [(&str, f64); 3] = [("spt", 1.0), ("stretch12", 1.2), ("mst", f64::INFINITY)];
/// Figure 5's cores, by their radius around the centre in links.
pub(super) const CORES: [(&str, Option<usize>); 6] = [
    ("none", None),
    ("centre", Some(0)),
    ("neighbours", Some(1)),
    ("two_hops", Some(2)),
    ("three_hops", Some(3)),
    ("all", Some(usize::MAX)),
];

pub(super) struct RandomPointSet {
    places: Vec<[f64; 2]>,
    links: OverlayLinkMatrix,
    /// The point nearest to the origin.
    centre: usize,
}

/// The receivers and the traffic limits of each point.
pub(super) struct TrafficDemand {
    /// For each point the points it sends to.
    receivers: Vec<Vec<usize>>,
    limits: Vec<ServerTrafficLimits>,
}

/// Lengths of paths.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct OverlayPathLengthSummary {
    pub(super) mean: f64,
    pub(super) longest: f64,
}

impl RandomPointSet {
    /// A number of points, evenly distributed.
    pub(super) fn scattered(rng: &mut Rng, count: usize) -> Result<RandomPointSet> {
        let mut ordinate = || (rng.f64() * 2.0 - 1.0) * HALF_SIDE;
        let places: Vec<[f64; 2]> = (0..count).map(|_| [ordinate(), ordinate()]).collect();
        let links = OverlayLinkMatrix::new(count, |one, other| apart(places[one], places[other]))?;
        let from_origin = |at: &usize| apart(places[*at], [0.0; 2]);
        let centre = (0..count).min_by(|one, other| from_origin(one).total_cmp(&from_origin(other))).unwrap_or(0);
        Ok(RandomPointSet { places, links, centre })
    }

    /// A tree grown from the centre.
    pub(super) fn tree(&self, stretch: f64) -> Result<Comtree> {
        Ok(Comtree::grow(&self.links, self.centre, stretch)?)
    }

    /// Random demand. Each point has as many users as there are points, and picks `fan_out` other points at random.
    /// Each of its users sends 1 to those points. A point's receive limit is the traffic sent to it.
    pub(super) fn demand(&self, rng: &mut Rng, fan_out: usize) -> TrafficDemand {
        let count = self.places.len();
        let users = count as f64;
        let mut limits = vec![ServerTrafficLimits { send: users, receive: 0.0 }; count];
        let receivers: Vec<Vec<usize>> =
            (0..count).map(|from| rng.choose_multiple((0..count).filter(|to| *to != from), fan_out)).collect();
        receivers.iter().flatten().for_each(|&to| limits[to].receive += users);
        TrafficDemand { receivers, limits }
    }

    /// The sum over all links of capacity times length.
    pub(super) fn cost(&self, tree: &Comtree, (demand, core): (&TrafficDemand, Option<usize>)) -> Result<f64> {
        let core = core.map_or_else(|| CoreRouters::none(tree), |hops| CoreRouters::within(tree, hops));
        Ok(tree.cost(&tree.provision(&demand.limits, &core)?))
    }

    /// Cost if each point sends straight to each receiver: the sum over all pairs of traffic times distance.
    pub(super) fn unicast_cost(&self, demand: &TrafficDemand) -> f64 {
        let pairs = demand.receivers.iter().enumerate().flat_map(|(from, all)| all.iter().map(move |&to| (from, to)));
        pairs.map(|(from, to)| demand.limits[from].send * self.links.length(from, to)).sum()
    }

    /// Path lengths between all pairs in the tree.
    pub(super) fn ways(&self, tree: &Comtree) -> OverlayPathLengthSummary {
        self.ways_by(|one, other| tree.way(one, other))
    }

    /// Straight distances between all pairs.
    pub(super) fn direct_ways(&self) -> OverlayPathLengthSummary {
        self.ways_by(|one, other| self.links.length(one, other))
    }

    fn ways_by(&self, way: impl Fn(usize, usize) -> f64) -> OverlayPathLengthSummary {
        let count = self.places.len();
        let lengths = (0..count).flat_map(|one| (one + 1..count).map(move |other| (one, other)));
        let (mut sum, mut pairs, mut longest) = (0.0, 0.0, 0.0_f64);
        for length in lengths.map(|(one, other)| way(one, other)) {
            (sum, pairs, longest) = (sum + length, pairs + 1.0, longest.max(length));
        }
        OverlayPathLengthSummary { mean: sum / f64::max(pairs, 1.0), longest }
    }
}

fn apart(one: [f64; 2], other: [f64; 2]) -> f64 {
    (one[0] - other[0]).hypot(one[1] - other[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn with_equal_limits_the_shortest_path_tree_costs_exactly_the_bound() {
        let points = RandomPointSet::scattered(&mut Rng::with_seed(4), 25).expect("points");
        let tree = points.tree(1.0).expect("a tree");
        let even = |fan_out: f64| {
            let limits = vec![ServerTrafficLimits { send: 25.0, receive: 25.0 * fan_out }; 25];
            points.cost(&tree, (&TrafficDemand { receivers: Vec::new(), limits }, None)).expect("a cost")
        };
        for fan_out in 1..=24 {
            let (normalised, bound) = (even(f64::from(fan_out)) / even(1.0), f64::midpoint(1.0, f64::from(fan_out)));
            assert!((normalised - bound).abs() < 1e-9, "{normalised} at {fan_out}, not {bound}");
        }
    }

    #[test]
    fn the_receive_demand_is_the_send_demand_times_the_fan_out() {
        let mut rng = Rng::with_seed(5);
        let points = RandomPointSet::scattered(&mut rng, 25).expect("points");
        for fan_out in [1, 7, 24] {
            let demand = points.demand(&mut rng, fan_out);
            let sum = |of: fn(&ServerTrafficLimits) -> f64| demand.limits.iter().map(of).sum::<f64>();
            assert_eq!(sum(|limits| limits.send), 625.0);
            assert_eq!(sum(|limits| limits.receive), 625.0 * fan_out as f64);
            for (from, receivers) in demand.receivers.iter().enumerate() {
                let mut once = receivers.clone();
                once.sort_unstable();
                once.dedup();
                assert!(once.len() == fan_out && !once.contains(&from), "{from}: {receivers:?}");
            }
        }
    }

    #[test]
    fn the_mean_direct_path_length_matches_geometry() {
        let mut rng = Rng::with_seed(6);
        let means: Vec<f64> =
            (0..200).map(|_| RandomPointSet::scattered(&mut rng, 25).expect("points").direct_ways().mean).collect();
        let mean = means.iter().sum::<f64>() / 200.0;
        // The mean distance of two points in a unit square is 0.5214.
        assert!((mean - 2.0 * 0.5214).abs() < 0.02, "{mean}");
    }
}
