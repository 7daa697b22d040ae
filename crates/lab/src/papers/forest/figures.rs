//! Computes Forest's Figures 4 to 6 from random sets of points: normalised means and spreads.

use anyhow::Result;
use fastrand::Rng;
use serde::{Deserialize, Serialize};

use super::points::{CORES, KINDS, OverlayPathLengthSummary, RandomPointSet, STRETCHES};
use crate::statistics::{deviation, mean};

/// Number and size of the random sets, and their seed.
#[derive(Clone, Copy, Debug)]
pub(super) struct RandomPointSetOptions {
    pub(super) points: usize,
    pub(super) fan_out_max: usize,
    pub(super) sets: usize,
    pub(super) seed: u64,
}

/// The results over all sets.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct TreeMeasurements {
    /// Costs by fan-out, from 1.
    pub(super) costs: Vec<FanoutCostPoint>,
    /// Path lengths by stretch.
    pub(super) ways: Vec<StretchPathLengthPoint>,
    /// Straight-line distances.
    pub(super) direct: OverlayPathLengthSummary,
}

/// Costs at one fan-out, relative to the mean of the shortest-path trees at fan-out 1. There the sum of the send limits
/// equals that of the receive limits, so a shortest-path tree from the best root is the cheapest (section 3.5).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct FanoutCostPoint {
    pub(super) fan_out: usize,
    /// The paper's bound (1 + Z/A)/2.
    pub(super) bound: f64,
    /// Figure 4's trees in the order of [`KINDS`], without a core.
    pub(super) kinds: Vec<MeanAndDeviation>,
    /// Figure 5's cores in the order of [`CORES`], each with the cheapest stretch for a set.
    pub(super) cores: Vec<MeanAndDeviation>,
    pub(super) unicast: MeanAndDeviation,
}

/// Mean and spread over the sets.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct MeanAndDeviation {
    pub(super) mean: f64,
    /// Standard deviation.
    pub(super) deviation: f64,
}

/// Lengths of the paths between all pairs in trees of one stretch; `stretch` is `None` for trees without a bound.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct StretchPathLengthPoint {
    pub(super) stretch: Option<f64>,
    pub(super) mean: f64,
    /// The longest path of a set, averaged over the sets.
    pub(super) longest_mean: f64,
    /// The longest path of all sets.
    pub(super) longest: f64,
}

/// One set's costs at one fan-out.
struct PointSetTreeCosts {
    kinds: Vec<f64>,
    cores: Vec<f64>,
    unicast: f64,
}

/// Draws the sets and computes the figures.
pub(super) fn measure(sets: RandomPointSetOptions) -> Result<TreeMeasurements> {
    let fan_outs = 1..=sets.fan_out_max;
    let mut costs: Vec<Vec<PointSetTreeCosts>> = fan_outs.clone().map(|_| Vec::new()).collect();
    let (mut ways, mut direct) = (Vec::new(), Vec::new());
    for set in 0..sets.sets {
        let mut rng = Rng::with_seed(sets.seed.wrapping_add(set as u64));
        let points = RandomPointSet::scattered(&mut rng, sets.points)?;
        for (fan_out, costs) in fan_outs.clone().zip(&mut costs) {
            costs.push(cost(&points, &mut rng, fan_out)?);
        }
        let of_stretches: Result<Vec<OverlayPathLengthSummary>> =
            STRETCHES.iter().map(|&stretch| Ok(points.ways(&points.tree(stretch)?))).collect();
        ways.push(of_stretches?);
        direct.push(points.direct_ways());
    }
    let unit = costs.first().map_or(1.0, |first| spread(first, 1.0, |costs| costs.kinds[0]).mean);
    let costs = fan_outs.zip(&costs).map(|(fan_out, costs)| cost_point(fan_out, costs, unit)).collect();
    let ways = STRETCHES.iter().enumerate().map(|(at, &stretch)| way_point(stretch, &ways, at)).collect();
    let mean = |of: fn(&OverlayPathLengthSummary) -> f64| direct.iter().map(of).sum::<f64>() / direct.len() as f64;
    let longest = direct.iter().map(|ways| ways.longest).fold(0.0, f64::max);
    Ok(TreeMeasurements { costs, ways, direct: OverlayPathLengthSummary { mean: mean(|ways| ways.mean), longest } })
}

fn cost(points: &RandomPointSet, rng: &mut Rng, fan_out: usize) -> Result<PointSetTreeCosts> {
    let demand = points.demand(rng, fan_out);
    let kinds: Result<Vec<f64>> =
        KINDS.iter().map(|(_, stretch)| points.cost(&points.tree(*stretch)?, (&demand, None))).collect();
    let trees: Result<Vec<_>> = STRETCHES.iter().map(|&stretch| points.tree(stretch)).collect();
    let trees = trees?;
    let cheapest = |core| {
        let costs: Result<Vec<f64>> = trees.iter().map(|tree| points.cost(tree, (&demand, core))).collect();
        Ok(costs?.into_iter().fold(f64::INFINITY, f64::min))
    };
    let cores: Result<Vec<f64>> = CORES.iter().map(|(_, hops)| cheapest(*hops)).collect();
    Ok(PointSetTreeCosts { kinds: kinds?, cores: cores?, unicast: points.unicast_cost(&demand) })
}

fn cost_point(fan_out: usize, costs: &[PointSetTreeCosts], unit: f64) -> FanoutCostPoint {
    FanoutCostPoint {
        fan_out,
        bound: f64::midpoint(1.0, fan_out as f64),
        kinds: (0..KINDS.len()).map(|at| spread(costs, unit, |costs| costs.kinds[at])).collect(),
        cores: (0..CORES.len()).map(|at| spread(costs, unit, |costs| costs.cores[at])).collect(),
        unicast: spread(costs, unit, |costs| costs.unicast),
    }
}

fn way_point(stretch: f64, sets: &[Vec<OverlayPathLengthSummary>], at: usize) -> StretchPathLengthPoint {
    let mean =
        |of: fn(&OverlayPathLengthSummary) -> f64| sets.iter().map(|set| of(&set[at])).sum::<f64>() / sets.len() as f64;
    StretchPathLengthPoint {
        stretch: stretch.is_finite().then_some(stretch),
        mean: mean(|ways| ways.mean),
        longest_mean: mean(|ways| ways.longest),
        longest: sets.iter().map(|set| set[at].longest).fold(0.0, f64::max),
    }
}

fn spread(costs: &[PointSetTreeCosts], unit: f64, of: impl Fn(&PointSetTreeCosts) -> f64) -> MeanAndDeviation {
    let values: Vec<f64> = costs.iter().map(|costs| of(costs) / unit).collect();
    MeanAndDeviation { mean: mean(&values), deviation: deviation(&values) }
}

impl TreeMeasurements {
    /// The largest relative deviation of the shortest-path tree from the bound.
    pub(super) fn deviation_from_bound(&self) -> f64 {
        self.costs.iter().map(|point| (point.kinds[0].mean / point.bound - 1.0).abs()).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(seed: u64) -> TreeMeasurements {
        measure(RandomPointSetOptions { points: 25, fan_out_max: 24, sets: 12, seed }).expect("points in a square")
    }

    #[test]
    fn the_same_seed_gives_the_same_numbers() {
        let text = |seed| serde_json::to_string(&drawn(seed)).expect("it is JSON");
        assert_eq!(text(1), text(1));
        assert_ne!(text(1), text(2), "negative control");
    }

    #[test]
    fn the_curves_have_the_shapes_described_in_the_paper() {
        let outcome = drawn(1);
        assert!(outcome.deviation_from_bound() < 0.1, "{}", outcome.deviation_from_bound());
        let last = outcome.costs.last().expect("fan-outs");
        let [spt, stretch12, mst] = [0, 1, 2].map(|at| last.kinds[at].mean);
        assert!(mst < stretch12 && stretch12 < spt / 1.5, "{spt}, {stretch12}, {mst} at fan-out 24");
        let [none, centre, .., all] = last.cores[..] else { panic!("all cores") };
        assert!(centre.mean < none.mean * 1.05 && centre.mean < all.mean * 1.001, "{none:?}, {centre:?}, {all:?}");
        assert!(last.unicast.mean > 3.0 * none.mean, "{:?}", last.unicast);
        let second = &outcome.costs[1];
        assert!(second.unicast.mean < second.cores[0].mean, "at fan-out 2 straight ways are cheaper: {second:?}");
        let (least, unbounded) = (&outcome.ways[0], outcome.ways.last().expect("stretches"));
        assert!(least.longest_mean < 2.9 && unbounded.longest_mean > least.longest_mean, "{least:?}, {unbounded:?}");
    }
}
