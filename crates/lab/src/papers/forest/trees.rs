//! Reports the costs of Forest's trees, and the lengths of the paths in them (Figures 4 to 6), by the planner in
//! `stoa_state::overlay`. Figures `forest_cost_…` and `forest_stretch_…`. Nothing is measured: a seed draws the
//! points, the rest is arithmetic.

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::figures::{FanoutCostPoint, RandomPointSetOptions, StretchPathLengthPoint, TreeMeasurements, measure};
use super::points::{CORES, KINDS};
use crate::environment::ExperimentContext;
use crate::papers::numbers;
use crate::plot::{Axis, Curve, Plot};
use crate::report::{Figure, ReferenceSystemMeasurement, Report, Table};
use crate::statistics::{median, rounded, rounded_to};

/// The figures of the report. A cost is divided by that of the shortest-path tree at fan-out 1. It is the cost at the
/// largest fan-out, with cores at [`CORE_FAN_OUT`] or less. `spread` (a median) and `deviation` (the largest) cover all
/// fan-outs, in percent. The series have every fan-out.
pub(crate) const FIGURES: &[&str] = &[
    "forest_cost_spt",
    "forest_cost_spt_deviation",
    "forest_cost_stretch12",
    "forest_cost_mst",
    "forest_cost_spread",
    "forest_cost_core_{none,centre,neighbours,two_hops,three_hops,all}",
    "forest_cost_unicast",
    "forest_cost_unicast_fanout2",
    "forest_stretch_{10,12,mst}_{mean,longest}",
    "forest_stretch_direct_mean",
];

/// Options of the experiment on trees.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Options {
    /// Points of a set
    #[arg(long, default_value_t = 25)]
    points: usize,
    /// Number of random sets
    #[arg(long, default_value_t = 50)]
    sets: usize,
    /// Largest number of points that each point sends to [default: all others]
    #[arg(long)]
    fan_out_max: Option<usize>,
    /// Seed of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Bar on the deviation of the shortest-path tree from the paper's bound, in percent.
const DEVIATION_PERCENT_MAX: f64 = 5.0;
/// Fan-out of the cores' figures. At the largest fan-out every point receives everything, and a core adds no cost.
const CORE_FAN_OUT: usize = 4;

pub(crate) fn run(options: &Options, setting: &ExperimentContext) -> Result<Report> {
    let &Options { points, sets, seed, .. } = options;
    ensure!(points >= 2 && sets >= 1, "a tree has two points, and a mean a set");
    let fan_out_max = options.fan_out_max.unwrap_or(points - 1);
    ensure!((1..points).contains(&fan_out_max), "the fan-out among {points} points must be 1 to {}", points - 1);
    let parameters = json!({ "points": points, "sets": sets, "fan_out_max": fan_out_max, "seed": seed });
    let mut report = Report::new("forest-trees", parameters);
    // The computation is short, so the journal does not keep it.
    let outcome = measure(RandomPointSetOptions { points, fan_out_max, sets, seed })?;
    report_costs(&mut report, &outcome)?;
    report_path_lengths(&mut report, &outcome)?;
    draw(setting, &outcome)?;
    Ok(report.finish())
}

fn report_costs(report: &mut Report, outcome: &TreeMeasurements) -> Result<()> {
    let last = outcome.costs.last().context("a fan-out")?;
    let bound = || ReferenceSystemMeasurement {
        name: "bound (1 + Z/A)/2".to_owned(),
        version: format!("fan-out {}", last.fan_out),
        value: last.bound,
        generator_bound: false,
    };
    for ((name, _), spread) in KINDS.iter().zip(&last.kinds) {
        let mut figure = Figure::new(spread.mean, "times").beside(bound());
        if *name == "spt" {
            figure = figure.held_to("<=", 1.0 + DEVIATION_PERCENT_MAX / 100.0, "ratio");
        }
        report.figure(&format!("forest_cost_{name}"), figure);
    }
    let deviation = Figure::new(100.0 * outcome.deviation_from_bound(), "%");
    report.figure("forest_cost_spt_deviation", deviation.held_to("<=", DEVIATION_PERCENT_MAX, "value"));
    let shares = outcome.costs.iter().flat_map(|point| &point.kinds).map(|spread| spread.deviation / spread.mean);
    let shares: Vec<f64> = shares.map(|share| 100.0 * share).collect();
    let typical = median(&shares);
    let source = "Forest section 3.5, typically less than";
    report.figure(
        "forest_cost_spread",
        Figure::new(typical, "%").published(source, numbers::TREES_SPREAD_PERCENT_MAX.read()?),
    );
    let early = outcome.costs.iter().find(|point| point.fan_out == CORE_FAN_OUT).unwrap_or(last);
    for ((name, _), spread) in CORES.iter().zip(&early.cores) {
        let none = ReferenceSystemMeasurement {
            name: "no core".to_owned(),
            version: format!("fan-out {}", early.fan_out),
            value: early.cores[0].mean,
            generator_bound: false,
        };
        report.figure(&format!("forest_cost_core_{name}"), Figure::new(spread.mean, "times").beside(none));
    }
    let multicast = |point: &FanoutCostPoint| ReferenceSystemMeasurement {
        name: "multicast without a core".to_owned(),
        version: format!("fan-out {}", point.fan_out),
        value: point.cores[0].mean,
        generator_bound: false,
    };
    report.figure("forest_cost_unicast", Figure::new(last.unicast.mean, "times").beside(multicast(last)));
    if let Some(second) = outcome.costs.iter().find(|point| point.fan_out == 2) {
        let figure = Figure::new(second.unicast.mean, "times").beside(multicast(second));
        report.figure("forest_cost_unicast_fanout2", figure.held_to("<", 1.0, "ratio"));
    }
    report.series("costs", json!(outcome.costs.iter().map(named).collect::<Vec<_>>()));
    report.table(cost_table(outcome));
    Ok(())
}

/// A point as JSON, with the names of trees and cores as keys.
fn named(point: &FanoutCostPoint) -> Value {
    let mut row = json!({ "fan_out": point.fan_out, "bound": point.bound, "unicast": point.unicast });
    for ((name, _), spread) in KINDS.iter().zip(&point.kinds) {
        row[*name] = json!(spread);
    }
    for ((name, _), spread) in CORES.iter().zip(&point.cores) {
        row[format!("core_{name}")] = json!(spread);
    }
    row
}

fn cost_table(outcome: &TreeMeasurements) -> Table {
    let words = ["fan-out", "the paper's bound", "shortest-path", "stretch 1.2", "minimum spanning"];
    let words = words.into_iter().chain(["no core", "core: centre", "and neighbours", "all a core", "unicast"]);
    let rows = outcome.costs.iter().filter(|point| [1, 2, 4, 8, 12, 16, 20, 24].contains(&point.fan_out));
    let row = |point: &FanoutCostPoint| {
        let [none, centre, neighbours, .., all] = &point.cores[..] else { return Vec::new() };
        let means = point.kinds.iter().chain([none, centre, neighbours, all, &point.unicast]);
        let means = means.map(|spread| json!(rounded(spread.mean)));
        [json!(point.fan_out), json!(point.bound)].into_iter().chain(means).collect()
    };
    Table {
        title: "Figures 4 and 5: cost, in costs of the shortest-path tree at fan-out 1 (with cores: the best stretch)"
            .to_owned(),
        columns: words.map(str::to_owned).collect(),
        rows: rows.map(row).collect(),
    }
}

fn report_path_lengths(report: &mut Report, outcome: &TreeMeasurements) -> Result<()> {
    for point in &outcome.ways {
        let name = match point.stretch {
            Some(1.0) => "10",
            Some(1.2) => "12",
            None => "mst",
            Some(_) => continue,
        };
        let mean = Figure::new(point.mean, "sides/2").published("Forest Fig 6, text", numbers::TREES_WAY_MEAN.read()?);
        let longest = Figure::new(point.longest_mean, "sides/2");
        let diagonal = numbers::TREES_LONGEST_WAY.read()?;
        let longest = longest.published("Forest Fig 6, text: near the diagonal where stretch is small", diagonal);
        report.figure(&format!("forest_stretch_{name}_mean"), mean);
        report.figure(&format!("forest_stretch_{name}_longest"), longest);
    }
    let direct = Figure::new(outcome.direct.mean, "sides/2");
    let direct = direct.published("Forest Fig 6, text", numbers::TREES_DIRECT_WAY_MEAN.read()?);
    report.figure("forest_stretch_direct_mean", direct);
    report.series("ways", json!(outcome.ways));
    report.series("direct", json!([outcome.direct]));
    let rounded = |value: f64| json!(rounded_to(3, value));
    let row = |point: &StretchPathLengthPoint| {
        let stretch = point.stretch.map_or(json!("no bound"), |stretch| json!(stretch));
        vec![stretch, rounded(point.mean), rounded(point.longest_mean), rounded(point.longest)]
    };
    let direct = vec![json!("straight"), rounded(outcome.direct.mean), json!(""), rounded(outcome.direct.longest)];
    report.table(Table {
        title: "Figure 6: paths between all pairs (the paper: about 1.5 in trees of any stretch, 1.04 straight, the diagonal 2.83)".to_owned(),
        columns: ["stretch", "mean", "longest of a set", "longest of all"].map(str::to_owned).to_vec(),
        rows: outcome.ways.iter().map(row).chain([direct]).collect(),
    });
    Ok(())
}

fn draw(setting: &ExperimentContext, outcome: &TreeMeasurements) -> Result<()> {
    let curve = |name: &str, of: &dyn Fn(&FanoutCostPoint) -> f64| {
        Curve::new(name, outcome.costs.iter().map(|point| (point.fan_out as f64, of(point))))
    };
    let plot = |title: &str, curves| Plot {
        title: title.to_owned(),
        x: Axis::linear("fan-out"),
        y: Axis::linear("cost, shortest-path tree at fan-out 1 = 1"),
        limit: None,
        curves,
    };
    let names = ["shortest-path tree", "stretch 1.2", "minimum spanning tree"];
    let kinds = names.iter().enumerate().map(|(at, name)| curve(name, &move |point| point.kinds[at].mean));
    let bound = curve("bound (1 + Z/A)/2", &|point| point.bound).dashed();
    setting.draw("costs.svg", &plot("Comtree topologies (Forest Fig 4), simulated", kinds.chain([bound]).collect()))?;
    let names = ["no core", "centre alone", "and its neighbours", "two hops", "three hops", "all"];
    let cores = names.iter().enumerate().map(|(at, name)| curve(name, &move |point| point.cores[at].mean));
    let unicast = curve("unicast routes", &|point| point.unicast.mean).dashed();
    setting.draw("cores.svg", &plot("Cost of a core (Forest Fig 5), simulated", cores.chain([unicast]).collect()))?;
    let bounded = || outcome.ways.iter().filter_map(|point| Some((point.stretch?, point)));
    let ends = || bounded().map(|(stretch, _)| stretch);
    let (straight, diagonal) = (numbers::TREES_DIRECT_WAY_MEAN.read()?, numbers::TREES_LONGEST_WAY.read()?);
    let curves = vec![
        Curve::new("longest of all sets", bounded().map(|(stretch, point)| (stretch, point.longest))),
        Curve::new("longest of a set", bounded().map(|(stretch, point)| (stretch, point.longest_mean))),
        Curve::new("mean", bounded().map(|(stretch, point)| (stretch, point.mean))),
        Curve::new("straight, mean", ends().map(|stretch| (stretch, outcome.direct.mean))),
        Curve::new("paper: straight, mean", ends().map(|stretch| (stretch, straight))).dashed(),
        Curve::new("the diagonal", ends().map(|stretch| (stretch, diagonal))).dashed(),
    ];
    let title = "Paths in the tree against its stretch (Forest Fig 6), simulated".to_owned();
    let (x, y) = (Axis::linear("stretch"), Axis::linear("length, half a side of the square = 1"));
    setting.draw("ways.svg", &Plot { title, x, y, limit: None, curves })
}
