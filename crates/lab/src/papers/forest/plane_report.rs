//! Reports the measurements that accompany the simulated game: the real motion plane with the game's bots, and the
//! rates of one core against the paper's routers.

use anyhow::{Result, ensure};
use serde_json::json;

use super::motion_plane::{
    InterestChangeThroughput, MotionPlaneOutcome, MotionPlaneRunSettings, change_rate, key, meet,
};
use crate::choice;
use crate::environment::ExperimentContext;
use crate::limits;
use crate::machine;
use crate::papers::numbers;
use crate::plot::{Axis, Curve, Plot};
use crate::report::{Figure, ReferenceSystemMeasurement, Report, Table};
use crate::search::if_carried;
use crate::servers::Testbed;
use crate::servers::motion::PolicyName;
use crate::statistics::{median, rounded};

/// Options of the measurements.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct PlaneOptions {
    /// People that run about the arena, in one scene of the real server
    #[arg(long, value_delimiter = ',', default_values_t = [25, 100, 400, 800, 1_600])]
    people: Vec<usize>,
    /// Interest policy of the scene
    #[arg(long, value_enum, default_value_t = PolicyName::Hex, value_parser = choice::one_of(&POLICIES))]
    policy: PolicyName,
    /// Seconds that count in each run
    #[arg(long, default_value_t = 15)]
    plane_s: u64,
    /// Runs for each number of people, each on its own map; the report has the median
    #[arg(long, default_value_t = 3)]
    runs: usize,
    /// People for the rate at which one core changes interest sets
    #[arg(long, default_value_t = 1_000)]
    rate_people: usize,
}

/// The bar on the deviation between simulator and wire.
const DEVIATION_PERCENT_MAX: f64 = 10.0;
/// Policies that limit interest sets, as regions do.
const POLICIES: [PolicyName; 3] = [PolicyName::Hex, PolicyName::Radius, PolicyName::Nearest];

/// The runs for one number of people.
struct CrowdSizeOutcomes {
    people: usize,
    runs: Vec<MotionPlaneOutcome>,
    /// Requested runs. Some may be missing, if not everyone could enter.
    asked: usize,
}

impl CrowdSizeOutcomes {
    fn of(&self, of: impl Fn(&MotionPlaneOutcome) -> f64) -> f64 {
        median(&self.runs.iter().map(of).collect::<Vec<_>>())
    }

    /// Whether most of the requested runs lost nothing, with a generator within its limits.
    fn is_whole(&self) -> bool {
        2 * self.runs.iter().filter(|met| met.is_whole()).count() > self.asked
    }
}

/// Measures the game's bots as people on the real plane.
pub(super) fn plane(
    report: &mut Report,
    setting: &ExperimentContext,
    (options, seed): (&PlaneOptions, u64),
) -> Result<()> {
    let (mut points, mut failed) = (Vec::new(), Vec::new());
    let stoa = setting.stoa()?;
    for &people in &options.people {
        let mut runs = Vec::new();
        for number in 0..options.runs {
            let seed = seed.wrapping_add(number as u64);
            let run = MotionPlaneRunSettings { people, policy: options.policy, measured_s: options.plane_s, seed };
            let met: Result<MotionPlaneOutcome, String> =
                setting.step(key(&run, number), || if_carried(meet(&Testbed::new(stoa.clone())?, &run)))?;
            match met {
                Ok(met) => runs.push(met),
                Err(error) => failed.push(json!({ "people": people, "seed": seed, "error": error })),
            }
        }
        if !runs.is_empty() {
            points.push(CrowdSizeOutcomes { people, runs, asked: options.runs });
        }
    }
    ensure!(!points.is_empty(), "no run could begin: {failed:?}");
    for point in &points {
        let of = [
            (
                "fanin",
                "people",
                (|met: &MotionPlaneOutcome| [met.wire.fan_in, met.simulated.fan_in])
                    as fn(&MotionPlaneOutcome) -> [f64; 2],
            ),
            ("subscriptions", "changes/s", |met| [met.wire.changes_per_s, met.simulated.changes_per_s]),
            ("bytes", "B/s", |met| [met.wire.bytes_per_s, met.simulated.bytes_per_s]),
        ];
        for (name, unit, of) in of {
            let [wire, simulated] = [0, 1].map(|at| point.of(|met| of(met)[at]));
            let simulator = ReferenceSystemMeasurement {
                name: "the scene's machine under virtual time".to_owned(),
                version: format!("{}, the same bots", options.policy),
                value: simulated,
                generator_bound: false,
            };
            let mut figure = Figure::new(wire, unit).beside(simulator);
            figure.generator_bound = point.runs.iter().any(MotionPlaneOutcome::is_generator_bound);
            report.figure(&format!("forest_{name}_plane_{}", point.people), figure);
        }
        let load = Figure::new(point.of(|met| met.server_load), "of a core");
        report.figure(&format!("forest_cpu_plane_{}", point.people), load);
    }
    tell_agreement(report, &points, &options.people);
    if let Some(most) = points.last() {
        let paper = numbers::GAME_ROUTER_PACKETS_PER_S.read()?;
        let rate = most.of(|met| met.datagrams_per_s / met.server_load);
        let figure = Figure::new(rate, "datagrams a core-second");
        report.figure("forest_router_packets", figure.published("Forest section 5.1, a micro-engine", paper));
    }
    let told: Vec<_> = points.iter().map(|point| json!({ "people": point.people, "runs": point.runs })).collect();
    report.series("plane", json!({ "places": told, "failed": failed }));
    report.table(table(options.policy, &points));
    draw(setting, options.policy, &points)
}

/// Reports the largest deviation of the wire from the simulator, and the largest number of people whose deviation is
/// within the bar. A run with losses or a busy generator is not comparable with the simulation. So only numbers whose
/// runs are mostly whole count, and the bar holds only if most of the requested numbers are whole.
fn tell_agreement(report: &mut Report, points: &[CrowdSizeOutcomes], tried: &[usize]) {
    let deviation = |point: &CrowdSizeOutcomes| 100.0 * point.of(MotionPlaneOutcome::deviation);
    let whole = || points.iter().filter(|point| point.is_whole());
    let worst = whole().map(deviation).fold(0.0, f64::max);
    // If no number is whole, all count.
    let worst = if whole().next().is_none() { points.iter().map(deviation).fold(0.0, f64::max) } else { worst };
    let mut figure = Figure::new(worst, "%").held_to("<=", DEVIATION_PERCENT_MAX, "value");
    let are_most_whole = 2 * whole().count() > tried.len();
    figure.holds = figure.holds.map(|holds| holds && are_most_whole);
    report.figure("forest_plane_deviation", figure);
    let held = whole().filter(|point| deviation(point) <= DEVIATION_PERCENT_MAX).map(|point| point.people).max();
    let unit = if held == tried.iter().copied().max() { "people, the most that were tried" } else { "people" };
    let mut figure = Figure::new(held.unwrap_or(0) as f64, unit);
    let beyond = points.iter().filter(|point| Some(point.people) > held).min_by_key(|point| point.people);
    figure.generator_bound = beyond.is_some_and(|point| point.runs.iter().any(MotionPlaneOutcome::is_generator_bound));
    report.figure("forest_plane_people", figure);
}

fn table(policy: PolicyName, points: &[CrowdSizeOutcomes]) -> Table {
    let digits = |value: f64| json!(rounded(value));
    let of: [fn(&MotionPlaneOutcome) -> f64; 8] = [
        |met| met.wire.fan_in,
        |met| met.simulated.fan_in,
        |met| met.wire.changes_per_s,
        |met| met.simulated.changes_per_s,
        |met| met.wire.bytes_per_s,
        |met| met.simulated.bytes_per_s,
        |met| met.server_load,
        |met| met.generator_load,
    ];
    let row = |point: &CrowdSizeOutcomes| {
        [json!(point.people)].into_iter().chain(of.map(|of| digits(point.of(of)))).collect()
    };
    let columns = ["people", "fan-in", "simulated", "changes/s", "simulated", "B/s each", "simulated", "server's core"];
    Table {
        title: format!("The real plane, one scene under {policy}, the same bots, and the simulator"),
        columns: columns.into_iter().chain(["generator's core"]).map(str::to_owned).collect(),
        rows: points.iter().map(row).collect(),
    }
}

fn draw(setting: &ExperimentContext, policy: PolicyName, points: &[CrowdSizeOutcomes]) -> Result<()> {
    let curve = |name: &str, of: fn(&MotionPlaneOutcome) -> f64| {
        Curve::new(name, points.iter().map(|point| (point.people as f64, point.of(of))))
    };
    let curves = vec![
        curve("fan-in", |met| met.wire.fan_in),
        curve("fan-in, simulated", |met| met.simulated.fan_in).dashed(),
        curve("changes/s", |met| met.wire.changes_per_s),
        curve("changes/s, simulated", |met| met.simulated.changes_per_s).dashed(),
        curve("kB/s each", |met| met.wire.bytes_per_s / 1e3),
        curve("kB/s each, simulated", |met| met.simulated.bytes_per_s / 1e3).dashed(),
    ];
    let title = format!("People of the arena on the real plane, {policy} (dashed: simulated)");
    let (x, y) = (Axis::linear("people"), Axis::logarithmic("people, changes/s, kB/s"));
    setting.draw("plane.svg", &Plot { title, x, y, limit: None, curves })
}

/// Measures the changes of interest sets that one core makes, where the paper's routers switch bits.
pub(super) fn rates(report: &mut Report, (options, seed): (&PlaneOptions, u64)) -> Result<()> {
    let published = numbers::GAME_ROUTER_SUBSCRIPTIONS_PER_S.read()?;
    machine::pin(limits::SERVER_CPU)?;
    let mut rows = Vec::new();
    for policy in POLICIES {
        let rates: Vec<InterestChangeThroughput> = (0..options.runs as u64)
            .map(|run| change_rate(policy, (options.rate_people, seed.wrapping_add(run))))
            .collect();
        let of = |of: fn(&InterestChangeThroughput) -> f64| median(&rates.iter().map(of).collect::<Vec<_>>());
        let rate = of(|rate| rate.changes_per_s);
        eprintln!("  {policy}: {rate:.0} changes a core-second, {:.0} µs an evaluation", of(|rate| rate.evaluation_us));
        let figure = Figure::new(rate, "changes a core-second");
        let source = "Forest section 5.1, 350 changes in a packet";
        let figure = figure.published(source, published);
        report.figure(&format!("forest_router_subscriptions_{policy}"), figure);
        rows.push(json!({ "policy": policy, "runs": rates }));
    }
    report.series("interest", json!(rows));
    machine::pin(limits::GENERATOR_CPU)
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::crowd::simulated::MeanReceiverRates;

    /// Three runs with this deviation. If they are not whole, two of them lost frames.
    fn point((people, deviation_percent, is_whole): (usize, f64, bool)) -> CrowdSizeOutcomes {
        let simulated = MeanReceiverRates { fan_in: 10.0, bytes_per_s: 1_000.0, changes_per_s: 4.0 };
        let met = |run: u64| MotionPlaneOutcome {
            people,
            wire: MeanReceiverRates { fan_in: 10.0 * (1.0 + deviation_percent / 100.0), ..simulated },
            simulated,
            datagrams_per_s: 1.0,
            frames_lost: if is_whole { 0 } else { run },
            thinned: 0,
            overflowed: 0,
            unheard: 0,
            server_load: 0.5,
            generator_load: 0.1,
        };
        CrowdSizeOutcomes { people, runs: (0..3).map(met).collect(), asked: 3 }
    }

    const TRIED: [usize; 5] = [25, 100, 400, 800, 1_600];

    fn figures(points: &[(usize, f64, bool)]) -> Value {
        let mut report = Report::new("forest-game", json!({}));
        tell_agreement(&mut report, &points.iter().copied().map(point).collect::<Vec<_>>(), &TRIED);
        serde_json::to_value(report).expect("JSON")["figures"].clone()
    }

    /// The deviation, whether it holds, and the largest number of people within it.
    fn told(of: [(f64, bool); 5]) -> (f64, bool, f64) {
        let points: Vec<_> = TRIED.into_iter().zip(of).map(|(people, (off, whole))| (people, off, whole)).collect();
        let figures = figures(&points);
        let [deviation, people] = ["forest_plane_deviation", "forest_plane_people"].map(|name| &figures[name]);
        let value = |figure: &Value| figure["value"].as_f64().expect("a value");
        (value(deviation).round(), deviation["holds"] == true, value(people))
    }

    #[test]
    fn the_deviation_is_the_worst_of_whole_sizes_and_holds_if_most_are_whole() {
        let whole = (2.0, true);
        let busy = (60.0, false);
        assert_eq!(told([whole; 5]), (2.0, true, 1_600.0));
        assert_eq!(told([whole, whole, whole, busy, busy]), (2.0, true, 400.0), "a busy core says nothing");
        assert_eq!(told([whole, whole, (11.0, true), busy, busy]), (11.0, false, 100.0), "the worst counts");
        assert_eq!(told([whole, whole, busy, busy, busy]), (2.0, false, 100.0), "most are not whole");
        assert_eq!(told([whole, busy, busy, busy, busy]), (2.0, false, 25.0));
        assert_eq!(told([busy; 5]), (60.0, false, 0.0), "of none that is whole all are told");
        let agreeing = (2.0, false);
        assert_eq!(told([agreeing; 5]), (2.0, false, 0.0));
    }

    #[test]
    fn crowd_sizes_without_an_outcome_count_as_not_whole() {
        let figures = figures(&[(25, 2.0, true), (100, 2.0, true)]);
        assert_eq!(figures["forest_plane_deviation"]["holds"], false, "two of five that were tried");
    }
}
