//! Measures the capacity map: people, rate and interest policy against the server's processor time, bytes and
//! staleness, and the growth of processor time and bytes with the people. Figures `map_…`.
//!
//! Under `nearest` and `hex` the area grows with the people (400 m² for each), so the density stays the same. The
//! map then shows the cost of a person, and not that of a denser crowd. Under `all` everyone sees everyone at any
//! distance. The load is open-loop: times count from the due time of a pose.

mod picture;

use std::time::Duration;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::bots::CrowdMovementModel;
use crate::bots::random_waypoint::RandomWaypointCrowd;
use crate::choice;
use crate::crowd::connections::NetcodeConnections;
use crate::crowd::tickets::TicketSource;
use crate::crowd::watch::{CrowdOutcome, CrowdRunSettings, watch};
use crate::crowd::{Crowd, CrowdSettings};
use crate::environment::ExperimentContext;
use crate::limits;
use crate::report::{Figure, Report};
use crate::search::if_carried;
use crate::servers::Testbed;
use crate::servers::motion::{MotionOptions, MotionServerKind, MotionServerUnderTest, PolicyName};
use crate::statistics::{median, slope};

/// The figures of the report.
pub(crate) const FIGURES: &[&str] = &[
    "map_exponent_cpu",
    "map_exponent_cpu_{hex,all}",
    "map_exponent_bytes_{nearest,hex,all}",
    "map_core_s_per_person_hour_{nearest,hex,all}",
];

const POLICIES: [PolicyName; 3] = [PolicyName::All, PolicyName::Nearest, PolicyName::Hex];
/// The rate at which growth is fitted: that of Stoa's clients.
const FITTED_HZ: u32 = 20;
/// Smaller crowds are excluded from the fit, since they mostly show the server's base load.
const FITTED_PEOPLE_MIN: usize = 250;
/// The bar on the exponent of processor time.
const EXPONENT_MAX: f64 = 1.1;
/// Cells of policy `all` with more poses a second between all pairs are not tried: above any load that one core has
/// carried here.
const POSES_PER_S_MAX: f64 = 30e6;

/// Options of the map.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Options {
    /// Numbers of people
    #[arg(long, value_delimiter = ',', default_values_t = [50, 100, 250, 500, 1_000, 2_000])]
    people: Vec<usize>,
    /// Poses a second of each person
    #[arg(long, value_delimiter = ',', default_values_t = [10, 20, 60])]
    rates_hz: Vec<u32>,
    /// Measure only these policies
    #[arg(long, value_delimiter = ',', value_parser = choice::one_of(&POLICIES))]
    policies: Vec<PolicyName>,
    /// Runs of the cells by which growth is fitted; all other cells have one
    #[arg(long, default_value_t = 3)]
    runs: usize,
    /// Seconds that count in each run
    #[arg(long, default_value_t = 5)]
    step_s: u64,
    /// Seed of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// The result of one run of a cell.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct CellRunOutcome {
    outcome: Option<CrowdOutcome>,
    /// The reason of a failed run.
    #[serde(skip_serializing_if = "Option::is_none")]
    failed: Option<String>,
}

/// One combination of people, rate and policy, with its runs.
#[derive(Clone, Debug)]
struct MapCellRuns {
    people: usize,
    rate_hz: u32,
    policy: PolicyName,
    steps: Vec<CellRunOutcome>,
}

/// Medians of a cell's runs.
#[derive(Clone, Copy, Debug, Serialize)]
struct CapacityCellCost {
    /// Share of a core.
    server_load: f64,
    core_s_per_person_hour: f64,
    bytes_per_receiver_s: f64,
    staleness_p95_ms: f64,
    /// New poses a second of each pair, as a share of the requested rate.
    achieved: f64,
    generator_bound: bool,
    /// Whether the budget omitted poses.
    thinned: bool,
    /// Whether datagrams were lost.
    hurt: bool,
}

impl MapCellRuns {
    fn outcomes(&self) -> impl Iterator<Item = &CrowdOutcome> {
        self.steps.iter().filter_map(|step| step.outcome.as_ref())
    }

    fn cost(&self) -> Option<CapacityCellCost> {
        self.outcomes().next()?;
        let middle = |of: &dyn Fn(&CrowdOutcome) -> f64| median(&self.outcomes().map(of).collect::<Vec<_>>());
        let server_load = middle(&|outcome| outcome.server_load);
        Some(CapacityCellCost {
            server_load,
            core_s_per_person_hour: server_load * 3_600.0 / self.people as f64,
            bytes_per_receiver_s: middle(&|outcome| outcome.bytes_per_receiver_s),
            staleness_p95_ms: middle(&|outcome| outcome.staleness.p95_ms),
            achieved: middle(&|outcome| outcome.rates.mean_per_s) / f64::from(self.rate_hz),
            generator_bound: self.outcomes().any(CrowdOutcome::is_generator_bound),
            thinned: self.outcomes().any(|outcome| outcome.thinned > 0),
            hurt: !self.outcomes().all(CrowdOutcome::is_unhurt),
        })
    }
}

pub(crate) fn run(options: &Options, setting: &ExperimentContext) -> Result<Report> {
    let mut report = Report::new(
        "map",
        json!({
            "people": options.people, "rates_hz": options.rates_hz, "step_s": options.step_s, "runs": options.runs, "seed": options.seed,
            "area_m2_per_person": crate::bots::AREA_PER_BOT_M2, "bytes_per_s": MotionOptions::default().bytes_per_s,
        }),
    );
    let testbed = Testbed::new(setting.stoa()?)?;
    let mut cells = Vec::new();
    for policy in POLICIES.into_iter().filter(|policy| choice::has(&options.policies, policy)) {
        for &rate_hz in &options.rates_hz {
            for &people in &options.people {
                cells.push(measure(
                    options,
                    (setting, &testbed),
                    MapCellRuns { people, rate_hz, policy, steps: Vec::new() },
                )?);
            }
        }
        fit(&mut report, policy, &cells);
    }
    for cell in &cells {
        let MapCellRuns { people, rate_hz, policy, steps } = cell;
        let name = format!("{policy}_{rate_hz}hz_{people}");
        report.series(&name, json!({ "cost": cell.cost(), "steps": steps }));
    }
    setting.draw_svg("map.svg", || picture::svg(&cells))?;
    Ok(report.finish())
}

fn measure(
    options: &Options,
    (setting, testbed): (&ExperimentContext, &Testbed),
    mut cell: MapCellRuns,
) -> Result<MapCellRuns> {
    let MapCellRuns { people, rate_hz, policy, .. } = cell;
    if policy == PolicyName::All && (people * people) as f64 * f64::from(rate_hz) > POSES_PER_S_MAX {
        return Ok(cell);
    }
    let is_fitted = rate_hz == FITTED_HZ && people >= FITTED_PEOPLE_MIN;
    for run in 0..if is_fitted { options.runs } else { 1 } {
        let key = json!({ "policy": policy, "rate_hz": rate_hz, "people": people, "run": run });
        let step = setting.step(key, || {
            Ok(match if_carried(step(options, testbed, (&cell, run)))? {
                Ok(outcome) => CellRunOutcome { outcome: Some(outcome), failed: None },
                Err(why) => CellRunOutcome { outcome: None, failed: Some(why) },
            })
        })?;
        cell.steps.push(step);
    }
    Ok(cell)
}

/// One run with a fresh server.
fn step(options: &Options, testbed: &Testbed, (cell, run): (&MapCellRuns, usize)) -> Result<CrowdOutcome> {
    let seed = options.seed + run as u64;
    let &MapCellRuns { people, rate_hz, policy, .. } = cell;
    let plane = MotionOptions { policy, ..MotionOptions::default() };
    let server = MotionServerUnderTest::start(MotionServerKind::Stoa, testbed, &plane)?;
    let period = Duration::from_secs(1) / rate_hz;
    let decoders = limits::MOTION_DECODERS.min(people);
    let cast = CrowdSettings { people, decoders, period, seed, ..CrowdSettings::default() };
    let mut bots = RandomWaypointCrowd::new(people, seed);
    // The walkers start evenly scattered. After a while they are somewhat denser in the middle.
    (0..60 * rate_hz).for_each(|_| bots.step(period));
    let mut crowd = Crowd::new(cast, NetcodeConnections::new(people, server.address())?, Box::new(bots));
    crowd.enter(&mut TicketSource::of(&server, &cast)?).with_context(|| format!("{people} people"))?;
    crowd.await_roommates(policy)?;
    watch(
        &mut crowd,
        &server,
        &CrowdRunSettings { cast, measured_s: options.step_s, poses_per_s_min: f64::from(rate_hz) * 0.9 },
    )
}

/// Fits the growth of a policy's costs with the people: y = c · peopleᵉ, on the logarithms of every run.
fn fit(report: &mut Report, policy: PolicyName, cells: &[MapCellRuns]) {
    let fitted = |cell: &&MapCellRuns| {
        cell.policy == policy && cell.rate_hz == FITTED_HZ && cell.people >= FITTED_PEOPLE_MIN && cell.cost().is_some()
    };
    let fitted: Vec<&MapCellRuns> = cells.iter().filter(fitted).collect();
    let exponent = |of: fn(&CrowdOutcome) -> f64| {
        let runs = fitted.iter().flat_map(|cell| cell.outcomes());
        slope(&runs.map(|outcome| ((outcome.people as f64).ln(), of(outcome).max(1e-9).ln())).collect::<Vec<_>>())
    };
    let costs: Vec<CapacityCellCost> = fitted.iter().filter_map(|cell| cell.cost()).collect();
    let bound = costs.iter().any(|cost| cost.generator_bound);
    // Poses that were omitted or lost cost nothing.
    let is_carried = costs.iter().all(|cost| !cost.thinned && !cost.hurt && cost.achieved > 0.9);
    // All runs must have an outcome. A run has none if the server did not carry its people. Cells that were not tried
    // have no runs.
    let is_asked =
        |cell: &&MapCellRuns| cell.policy == policy && cell.rate_hz == FITTED_HZ && cell.people >= FITTED_PEOPLE_MIN;
    let is_there = cells.iter().filter(is_asked).all(|cell| cell.steps.iter().all(|step| step.outcome.is_some()));
    let is_whole = is_carried && is_there;
    let sizes: Vec<usize> = fitted.iter().map(|cell| cell.people).collect();
    if sizes.len() < 2 {
        return;
    }
    for (kind, of) in [
        ("cpu", (|outcome| outcome.server_load) as fn(&CrowdOutcome) -> f64),
        ("bytes", |outcome| outcome.bytes_per_receiver_s),
    ] {
        let (value, half) = exponent(of);
        let mut figure = Figure::new(value, "exponent of the people");
        figure.generator_bound = bound;
        let is_the_bars = (kind, policy) == ("cpu", PolicyName::Nearest);
        if is_the_bars {
            figure = figure.held_to("<=", EXPONENT_MAX, "value");
            figure.holds = figure.holds.map(|holds| holds && is_whole);
        }
        let name = if is_the_bars { "map_exponent_cpu".to_owned() } else { format!("map_exponent_{kind}_{policy}") };
        let interval = half.is_finite().then_some([value - half, value + half]);
        report.series(&name, json!({ "exponent": value, "interval_95": interval, "people": sizes, "whole": is_whole }));
        report.figure(&name, figure);
    }
    if let Some(largest) = costs.last() {
        let mut figure = Figure::new(largest.core_s_per_person_hour, "core seconds");
        figure.generator_bound = largest.generator_bound;
        report.figure(&format!("map_core_s_per_person_hour_{policy}"), figure);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn cell(people: usize, server_load: f64) -> MapCellRuns {
        let step = || CellRunOutcome { outcome: Some(CrowdOutcome::of_load(people, server_load)), failed: None };
        MapCellRuns { people, rate_hz: 20, policy: PolicyName::Nearest, steps: vec![step(), step(), step()] }
    }

    fn figures(cells: &[MapCellRuns]) -> serde_json::Value {
        let mut report = Report::new("map", json!({}));
        fit(&mut report, PolicyName::Nearest, cells);
        serde_json::to_value(report).expect("JSON")["figures"].clone()
    }

    #[test]
    fn the_exponent_is_fitted_to_the_load_and_thinned_poses_miss_the_bar() {
        let load = |people: usize, exponent: f64| 0.001 * (people as f64).powf(exponent);
        let cells = |exponent: f64| [250, 500, 1_000, 2_000].map(|people| cell(people, load(people, exponent)));
        let figure = |cells: &[MapCellRuns]| figures(cells)["map_exponent_cpu"].clone();
        let linear = figure(&cells(1.0));
        assert!((linear["value"].as_f64().expect("a value") - 1.0).abs() < 1e-9 && linear["holds"] == true, "{linear}");
        assert_eq!(figure(&cells(1.5))["holds"], false, "negative control");
        let mut thinned = cells(1.0);
        thinned[3].steps[0].outcome.as_mut().expect("it has one").thinned = 1;
        assert_eq!(figure(&thinned)["holds"], false);
        let all = figures(&cells(1.0));
        assert_eq!(all["map_exponent_bytes_nearest"]["value"], 0.0, "the same bytes for each");
        assert!((all["map_core_s_per_person_hour_nearest"]["value"].as_f64().expect("a value") - 3.6).abs() < 1e-9);
    }
}
