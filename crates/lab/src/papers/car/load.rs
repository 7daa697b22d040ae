//! Measures each server's response time and loss with `--clients` clients, over several runs. The figures
//! `car_stoa_p50_ms` and `car_stoa_loss` are those of the at-once variant, which has a bar; `car_stoa_ticks_…` and
//! `car_stoa_auto_…` have none.

use anyhow::Result;
use serde_json::{Value, json};

use super::paper::PaperTables;
use super::run::{CarRunOutcome, CarRunSettings, ComparedServer};
use super::{CarExperimentContext, CarExperimentPart};
use crate::choice;
use crate::report::{Figure, Report};
use crate::statistics::median;

/// The bar of `car_stoa_p50_ms`.
pub(super) const P50_MS_MAX: f64 = 2.0;
/// Minimum share of the requested rate.
pub(super) const ACHIEVED_MIN: f64 = 0.9;

pub(super) fn measure(report: &mut Report, lab: &CarExperimentContext<'_>) -> Result<()> {
    if !lab.has(CarExperimentPart::Load) {
        return Ok(());
    }
    let options = lab.options;
    for server in lab.servers() {
        let mut outcomes = Vec::new();
        for run in 0..options.runs {
            let case = lab.case(server, options.clients);
            let case = CarRunSettings { measured_ms: options.load_ms, seed: options.seed + run, ..case };
            outcomes.extend(lab.measure(&case)?);
        }
        report.series(&format!("load {server}"), json!(outcomes));
        if outcomes.is_empty() {
            report.left_out(vec![json!({ "server": server.to_string(), "why": "not all clients could enter" })]);
            continue;
        }
        tell(report, (lab, server), &outcomes)?;
    }
    Ok(())
}

fn tell(
    report: &mut Report,
    (lab, server): (&CarExperimentContext<'_>, ComparedServer),
    outcomes: &[CarRunOutcome],
) -> Result<()> {
    let of = |value: fn(&CarRunOutcome) -> f64| outcomes.iter().map(value).collect::<Vec<f64>>();
    let mut figure = Figure::of_runs(&of(|outcome| outcome.response.p50_ms), "ms");
    figure.generator_bound = outcomes.iter().any(CarRunOutcome::is_generator_bound);
    match server {
        ComparedServer::Reference(reference, acks) => {
            let paper = PaperTables::read()?.mean_ms(server, lab.options);
            let figure =
                paper.into_iter().fold(figure, |figure, mean_ms| figure.published("002, Table 8, mean", mean_ms));
            report.figure(&format!("car_{}{}_p50_ms", reference.name(), acks.suffix()), figure);
        }
        ComparedServer::AtOnce => {
            let achieved = median(&of(CarRunOutcome::achieved));
            let mut figure = figure.held_to("<", P50_MS_MAX, "value");
            let are_all = outcomes.len() as u64 == lab.options.runs;
            figure.holds = figure.holds.map(|holds| holds && are_all && achieved >= ACHIEVED_MIN);
            report.figure("car_stoa_p50_ms", figure);
            let worst = of(|outcome| outcome.lost_percent).into_iter().fold(0.0, f64::max);
            report.figure("car_stoa_loss", Figure::new(worst, "%").held_to("<=", 0.0, "value"));
        }
        ComparedServer::Ticks | ComparedServer::Auto => {
            report.figure(&format!("car_stoa_{}_p50_ms", choice::word(server.name())), figure)
        }
    }
    Ok(())
}

/// One run as an entry of a series, named as the paper's columns where it has them.
pub(super) fn row(outcome: &CarRunOutcome) -> Value {
    json!({
        "response_ms": outcome.response.mean_ms, "deviation_ms": outcome.response.deviation_ms,
        "p50_ms": outcome.response.p50_ms, "p95_ms": outcome.response.p95_ms, "p99_ms": outcome.response.p99_ms,
        "from_grid_ms": outcome.from_grid.mean_ms, "cpu_percent": 100.0 * outcome.server_load,
        "dropped_percent": outcome.lost_percent, "achieved": outcome.achieved(), "generator_load": outcome.generator_load,
        "generator_bound": outcome.is_generator_bound(),
    })
}
