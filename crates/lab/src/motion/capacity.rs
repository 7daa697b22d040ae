//! Searches for the largest crowd in which everyone sees everyone. Figures `motion_people_all`,
//! `motion_people_hands` and `motion_people_webtransport`.

use anyhow::{Context, Result};
use serde_json::json;

use super::{ContextAndTestbed, MotionExperimentPart, Options, references};
use crate::bots::random_waypoint::RandomWaypointCrowd;
use crate::crowd::connections::{CrowdConnections, NetcodeConnections};
use crate::crowd::tickets::TicketSource;
use crate::crowd::watch::{CrowdOutcome, CrowdRunSettings, watch};
use crate::crowd::webtransport::WebTransportConnections;
use crate::crowd::{Crowd, CrowdSettings};
use crate::limits;
use crate::plot::{Axis, Curve, Plot};
use crate::report::{Figure, Report};
use crate::search::{CapacitySearch, if_carried};
use crate::servers::Testbed;
use crate::servers::motion::{MotionServerKind, MotionServerUnderTest, PolicyName};
use crate::statistics::median;

/// The parameters of one search.
#[derive(Clone, Copy, Debug)]
struct CrowdCapacitySearchSettings {
    part: MotionExperimentPart,
    /// The suffix of the figure's name.
    name: &'static str,
    by_webtransport: bool,
    /// Objects of each person: 1 for a head, 3 for a head and two hands.
    objects: usize,
    first_guess: usize,
    bar: Option<f64>,
}

const KINDS: [CrowdCapacitySearchSettings; 3] = [
    CrowdCapacitySearchSettings {
        part: MotionExperimentPart::All,
        name: "all",
        by_webtransport: false,
        objects: 1,
        first_guess: 1_000,
        bar: Some(1_000.0),
    },
    CrowdCapacitySearchSettings {
        part: MotionExperimentPart::Hands,
        name: "hands",
        by_webtransport: false,
        objects: 3,
        first_guess: 500,
        bar: None,
    },
    CrowdCapacitySearchSettings {
        part: MotionExperimentPart::Webtransport,
        name: "webtransport",
        by_webtransport: true,
        objects: 1,
        first_guess: 600,
        bar: Some(600.0),
    },
];

/// Runs the searches, and returns the plots.
pub(super) fn measure(
    report: &mut Report,
    options: &Options,
    context: ContextAndTestbed<'_>,
) -> Result<Vec<(&'static str, Plot)>> {
    let mut outcomes = Vec::new();
    for kind in KINDS.into_iter().filter(|kind| options.has(kind.part)) {
        if kind.by_webtransport && options.server != MotionServerKind::Stoa {
            continue;
        }
        outcomes.push((kind.name, search(report, options, (context, kind))?));
    }
    Ok(plots(&outcomes))
}

fn search(
    report: &mut Report,
    options: &Options,
    (context, kind): (ContextAndTestbed<'_>, CrowdCapacitySearchSettings),
) -> Result<Vec<CrowdOutcome>> {
    let (setting, testbed) = context;
    let (mut outcomes, mut largest, mut bound, mut outside) = (Vec::new(), Vec::new(), false, Vec::new());
    let mut bears = |people: usize, run: usize| {
        let key = json!({ "together": kind.name, "people": people, "run": run });
        let outcome = match setting.step(key, || if_carried(step(options, (testbed, kind), (people, run))))? {
            Ok(outcome) => outcome,
            Err(why) => {
                outside.push(json!({ "people": people, "error": why }));
                return Ok(false);
            }
        };
        let holds = outcome.holds();
        bound |= !holds && outcome.is_generator_bound();
        outcomes.push(outcome);
        Ok(holds)
    };
    if options.people.is_empty() {
        for run in 0..options.runs {
            let from = largest.last().copied().unwrap_or(kind.first_guess);
            let search = CapacitySearch { from, resolution: 0.04, most: limits::MOTION_PEOPLE_MAX };
            largest.push(search.largest(|people| bears(people, run))?);
        }
    } else {
        let mut most = 0;
        for &people in &options.people {
            most = if bears(people, 0)? { most.max(people) } else { most };
        }
        largest.push(most);
    }
    report.series(kind.name, json!({ "largest": largest, "steps": outcomes, "failed": outside }));
    let largest: Vec<f64> = largest.into_iter().map(|people| people as f64).collect();
    let mut figure = Figure::of_runs(&largest, "people");
    figure.generator_bound = bound;
    if kind.part == MotionExperimentPart::All && options.has(MotionExperimentPart::Beside) {
        let people = options.people.iter().copied().max().unwrap_or(median(&largest) as usize);
        if let Some(relay) = references::relay(report, options, (setting, people))? {
            figure = figure.beside(relay);
        }
        references::cameras(report, options, (context, people))?;
    }
    if let Some(bar) = kind.bar {
        figure = figure.held_to(">=", bar, "value");
    }
    report.figure(&format!("motion_people_{}", kind.name), figure);
    Ok(outcomes)
}

/// One run with heads by netcode, as for `motion_people_all`.
pub(super) fn heads(options: &Options, testbed: &Testbed, people: usize) -> Result<CrowdOutcome> {
    step(options, (testbed, KINDS[0]), (people, 0))
}

/// One run with a fresh server.
fn step(
    options: &Options,
    (testbed, kind): (&Testbed, CrowdCapacitySearchSettings),
    (people, run): (usize, usize),
) -> Result<CrowdOutcome> {
    let server = MotionServerUnderTest::start(options.server, testbed, &options.plane)?;
    let decoders = limits::MOTION_DECODERS.min(people);
    let cast = CrowdSettings {
        people,
        decoders,
        objects: kind.objects,
        seed: options.seed + run as u64,
        ..CrowdSettings::default()
    };
    let run = CrowdRunSettings { cast, measured_s: options.step_s, poses_per_s_min: limits::MOTION_POSES_PER_S_MIN };
    let policy = options.plane.policy;
    let mut ticket_source = TicketSource::of(&server, &cast)?;
    let mut outcome = if kind.by_webtransport {
        watch(&mut walk_in(WebTransportConnections::new(people)?, &mut ticket_source, (cast, policy))?, &server, &run)?
    } else {
        watch(
            &mut walk_in(NetcodeConnections::new(people, server.address())?, &mut ticket_source, (cast, policy))?,
            &server,
            &run,
        )?
    };
    if policy != PolicyName::All {
        // The policy hides some pairs, so only the visible ones are expected.
        outcome.pairs = outcome.rates.pairs;
    }
    Ok(outcome)
}

fn walk_in<L: CrowdConnections>(
    connections: L,
    ticket_source: &mut TicketSource<'_>,
    (cast, policy): (CrowdSettings, PolicyName),
) -> Result<Crowd<L>> {
    let CrowdSettings { people, seed, .. } = cast;
    let mut crowd = Crowd::new(cast, connections, Box::new(RandomWaypointCrowd::new(people, seed)));
    crowd.enter(ticket_source).with_context(|| format!("{people} people"))?;
    crowd.await_roommates(policy)?;
    Ok(crowd)
}

fn plots(outcomes: &[(&str, Vec<CrowdOutcome>)]) -> Vec<(&'static str, Plot)> {
    let curve = |(name, outcomes): &(&str, Vec<CrowdOutcome>), of: fn(&CrowdOutcome) -> f64| {
        Curve::new(*name, outcomes.iter().map(|outcome| (outcome.people as f64, of(outcome))))
    };
    let plot = |title: &str, limit, of: fn(&CrowdOutcome) -> f64| Plot {
        title: title.to_owned(),
        x: Axis::linear("people"),
        y: Axis::logarithmic("ms (99th percentile)"),
        limit: Some(limit),
        curves: outcomes.iter().map(|outcomes| curve(outcomes, of)).collect(),
    };
    let staleness =
        plot("Staleness against people", limits::MOTION_STALENESS_P99_MS_MAX, |outcome| outcome.staleness.p99_ms);
    let delivery =
        plot("Delivery time against people", limits::MOTION_DELIVERY_P99_MS_MAX, |outcome| outcome.delivery.p99_ms);
    let drawn = [("staleness.svg", staleness), ("delivery.svg", delivery)];
    drawn.into_iter().filter(|(_, plot)| !plot.curves.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use clap::ValueEnum;

    use super::*;

    /// Nothing arrives on these connections, so all pairs stay unknown.
    #[test]
    fn a_crowd_does_not_wait_for_pairs_that_its_policy_hides() {
        for &policy in PolicyName::value_variants().iter().filter(|policy| **policy != PolicyName::All) {
            let cast = CrowdSettings { people: 3, ..CrowdSettings::default() };
            let began = Instant::now();
            let crowd = walk_in((), &mut TicketSource::Open, (cast, policy));
            assert!(crowd.is_ok() && began.elapsed() < limits::ENTERING_TIMEOUT / 4, "{policy}: {:?}", crowd.err());
        }
    }
}
