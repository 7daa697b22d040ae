//! Measures the growth of a person's cost from `growth_from` people to four times as many, in four times the area.
//! Figures `motion_bytes_growth_…` and `motion_cpu_growth_…`.

use anyhow::{Context, Result};
use serde_json::json;

use super::{ContextAndTestbed, MotionExperimentPart, Options};
use crate::bots::CrowdMovementModel;
use crate::bots::interest_boids::InterestFilteredBoids;
use crate::bots::random_waypoint::RandomWaypointCrowd;
use crate::crowd::connections::NetcodeConnections;
use crate::crowd::tickets::TicketSource;
use crate::crowd::watch::{CrowdOutcome, CrowdRunSettings, watch};
use crate::crowd::{Crowd, CrowdSettings};
use crate::limits;
use crate::report::{Figure, Report};
use crate::servers::Testbed;
use crate::servers::motion::{MotionOptions, MotionServerUnderTest, PolicyName};
use crate::statistics::median;

const CASES: [GrowthScenario; 4] = [
    GrowthScenario {
        part: MotionExperimentPart::GrowthNearestRandomwalk,
        policy: PolicyName::Nearest,
        walk: WalkKind::Random,
    },
    GrowthScenario {
        part: MotionExperimentPart::GrowthNearestBoids,
        policy: PolicyName::Nearest,
        walk: WalkKind::Boids,
    },
    GrowthScenario { part: MotionExperimentPart::GrowthHexRandomwalk, policy: PolicyName::Hex, walk: WalkKind::Random },
    GrowthScenario { part: MotionExperimentPart::GrowthHexBoids, policy: PolicyName::Hex, walk: WalkKind::Boids },
];
/// The default budget of a scene's receivers, which a dense flock reaches.
const BYTES_PER_S: u32 = 262_144;
/// Ticks in which the bots walk before they enter: a minute.
const SETTLING_TICKS: usize = 1_200;

pub(super) fn measure(report: &mut Report, options: &Options, context: ContextAndTestbed<'_>) -> Result<()> {
    let wanted = |case: &GrowthScenario| options.has(MotionExperimentPart::Growth) || options.has(case.part);
    CASES.into_iter().filter(wanted).try_for_each(|case| grow(report, options, (context, case)))
}

/// The movement of people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WalkKind {
    Random,
    Boids,
}

#[derive(Clone, Copy, Debug)]
struct GrowthScenario {
    part: MotionExperimentPart,
    policy: PolicyName,
    walk: WalkKind,
}

impl GrowthScenario {
    /// The suffix of the figures' names.
    fn name(self) -> String {
        let walk = if self.walk == WalkKind::Boids { "boids" } else { "randomwalk" };
        format!("{}_{walk}", self.policy)
    }
}

fn grow(
    report: &mut Report,
    options: &Options,
    ((setting, testbed), case): (ContextAndTestbed<'_>, GrowthScenario),
) -> Result<()> {
    let name = case.name();
    let sizes = [options.growth_from, options.growth_from * 4];
    let mut outcomes: [Vec<CrowdOutcome>; 2] = [Vec::new(), Vec::new()];
    for run in 0..options.runs {
        for (people, outcomes) in sizes.into_iter().zip(&mut outcomes) {
            let key = json!({ "growth": name, "people": people, "run": run });
            outcomes.push(setting.step(key, || step(options, (testbed, case), (people, run)))?);
        }
    }
    let middle = |of: fn(&CrowdOutcome) -> f64| {
        outcomes.each_ref().map(|outcomes| median(&outcomes.iter().map(of).collect::<Vec<_>>()))
    };
    let [small, large] = middle(|outcome| outcome.bytes_per_receiver_s);
    let [idle, busy] = middle(|outcome| outcome.server_load / outcome.people as f64);
    let is_whole = outcomes.iter().flatten().all(|outcome| outcome.is_whole());
    let bound = outcomes.iter().flatten().any(CrowdOutcome::is_generator_bound);
    report.series(&name, json!({ "steps": outcomes, "whole": is_whole }));
    let is_held = case.walk == WalkKind::Random;
    for (kind, value, bar) in [("bytes", large / small.max(1e-9), 1.1), ("cpu", busy / idle.max(1e-9), 1.2)] {
        let mut figure = Figure::new(value, "times");
        figure.generator_bound = bound;
        if is_held {
            figure = figure.held_to("<=", bar, "value");
            // Omitted poses would cost nothing.
            figure.holds = figure.holds.map(|holds| holds && is_whole);
        }
        report.figure(&format!("motion_{kind}_growth_{name}"), figure);
    }
    Ok(())
}

fn step(
    options: &Options,
    (testbed, case): (&Testbed, GrowthScenario),
    (people, run): (usize, usize),
) -> Result<CrowdOutcome> {
    let seed = options.seed + run as u64;
    let GrowthScenario { policy, walk, .. } = case;
    let plane = MotionOptions { policy, bytes_per_s: BYTES_PER_S, ..options.plane.clone() };
    let server = MotionServerUnderTest::start(options.server, testbed, &plane)?;
    let mut bots: Box<dyn CrowdMovementModel> = match walk {
        WalkKind::Boids => Box::new(InterestFilteredBoids::new(people, seed, policy.policy())),
        WalkKind::Random => Box::new(RandomWaypointCrowd::new(people, seed)),
    };
    // The paper's time, after which flocks have formed.
    (0..SETTLING_TICKS).for_each(|_| bots.step(limits::MOTION_PERIOD));
    let cast =
        CrowdSettings { people, decoders: limits::MOTION_DECODERS.min(people), seed, ..CrowdSettings::default() };
    let connections = NetcodeConnections::new(people, server.address())?;
    let mut crowd = Crowd::new(cast, connections, bots);
    crowd.enter(&mut TicketSource::of(&server, &cast)?).with_context(|| format!("{people} people"))?;
    watch(
        &mut crowd,
        &server,
        &CrowdRunSettings { cast, measured_s: options.step_s, poses_per_s_min: limits::MOTION_POSES_PER_S_MIN },
    )
}
