//! Searches for the largest number of clients for which a server's mean response time is below the paper's limit of
//! 250 ms, and for which the median of Stoa, sending at once, is below 2 ms. Both need 90 % of the requested rate.
//! Figures `car_stoa_clients_2ms`, `car_stoa_{,at_once_,auto_}clients_250ms` and the references'.

use anyhow::{Context, Result};
use serde_json::json;

use super::load::{ACHIEVED_MIN, P50_MS_MAX, row};
use super::paper::PaperTables;
use super::run::{CarRunOutcome, CarRunSettings, ComparedServer};
use super::{CarExperimentContext, CarExperimentPart};
use crate::plot::{Axis, Curve, Plot};
use crate::report::{Figure, Report};
use crate::search::CapacitySearch;

/// The bar of `car_stoa_clients_250ms`.
const CLIENTS_MIN: f64 = 5_000.0;
/// Searches end when the gap is this share of the number.
const RESOLUTION: f64 = 0.04;

/// The result of one server's searches, one for each run.
struct ClientCapacityResult {
    clients: Vec<f64>,
    tried: Vec<CarRunOutcome>,
    generator_bound: bool,
}

pub(super) fn measure(report: &mut Report, lab: &CarExperimentContext<'_>) -> Result<()> {
    if !lab.has(CarExperimentPart::Ceiling) {
        return Ok(());
    }
    let limit_ms = PaperTables::read()?.limit_ms;
    let mut curves = Vec::new();
    for server in lab.servers() {
        let found = search(lab, server, |outcome| outcome.response.mean_ms < limit_ms)?;
        let tried: Vec<_> =
            found.tried.iter().map(|outcome| json!({ "clients": outcome.clients, "row": row(outcome) })).collect();
        report.series(&format!("ceiling {server}"), json!({ "largest": found.clients, "steps": tried }));
        let mut figure = Figure::of_runs(&found.clients, "clients");
        figure.generator_bound = found.generator_bound;
        match server {
            ComparedServer::Reference(reference, acks) => {
                report.figure(&format!("car_{}{}_clients_250ms", reference.name(), acks.suffix()), figure);
            }
            ComparedServer::Ticks => {
                report.figure("car_stoa_clients_250ms", figure.held_to(">=", CLIENTS_MIN, "value"));
            }
            ComparedServer::Auto => report.figure("car_stoa_auto_clients_250ms", figure),
            ComparedServer::AtOnce => {
                report.figure("car_stoa_at_once_clients_250ms", figure);
                let quick = search(lab, server, |outcome| outcome.response.p50_ms < P50_MS_MAX)?;
                report.series("p50 below 2 ms", json!({ "largest": quick.clients }));
                let mut figure = Figure::of_runs(&quick.clients, "clients");
                figure.generator_bound = quick.generator_bound;
                report.figure("car_stoa_clients_2ms", figure);
            }
        }
        let points = found.tried.iter().map(|outcome| (outcome.clients as f64, outcome.response.mean_ms));
        let curve = Curve::new(server.to_string(), points);
        curves.push(if matches!(server, ComparedServer::Reference(..)) { curve.dashed() } else { curve });
    }
    let plot = Plot {
        title: format!("Response time to the limit, groups of {}", lab.options.group),
        x: Axis::linear("clients"),
        y: Axis::logarithmic("mean response time, ms"),
        limit: Some(limit_ms),
        curves,
    };
    lab.setting.draw("ceiling.svg", &plot)
}

/// Searches for the largest number of clients whose outcome meets `is_such`, at nearly the requested rate.
fn search(
    lab: &CarExperimentContext<'_>,
    server: ComparedServer,
    is_such: impl Fn(&CarRunOutcome) -> bool,
) -> Result<ClientCapacityResult> {
    let group = lab.options.group;
    let mut found = ClientCapacityResult { clients: Vec::new(), tried: Vec::new(), generator_bound: false };
    let most = lab.options.clients_max / group;
    let mut from = if matches!(server, ComparedServer::Ticks | ComparedServer::Auto) {
        most / 2
    } else {
        lab.options.clients / group
    };
    for run in 0..lab.options.runs {
        let mut bears = |groups: usize| {
            let case = lab.case(server, groups * group);
            let Some(outcome) = lab.measure(&CarRunSettings { seed: case.seed + run, ..case })? else {
                return Ok(false);
            };
            let holds = is_such(&outcome) && outcome.achieved() >= ACHIEVED_MIN;
            found.generator_bound |= !holds && outcome.is_generator_bound();
            found.tried.push(outcome);
            Ok(holds)
        };
        let search = CapacitySearch { from, resolution: RESOLUTION, most };
        let clients = lab.options.clients_max;
        let largest =
            search.largest(&mut bears).with_context(|| format!("up to {clients} clients in groups of {group}"))?;
        // The next search begins at this result.
        from = largest.max(1);
        found.clients.push((largest * group) as f64);
        // Larger numbers were not tried.
        found.generator_bound |= largest >= most;
    }
    Ok(found)
}
