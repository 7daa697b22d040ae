//! Measures references: a plain UDP relay at its own largest number of people and at Stoa's, and JSON cameras over MQTT
//! at Stoa's number.

use std::time::Duration;

use anyhow::{Context, Result};
use serde::Serialize;
use serde_json::json;

use super::{ContextAndTestbed, Options};
use crate::bots::random_waypoint::RandomWaypointCrowd;
use crate::crowd::relayed::RelayConnections;
use crate::crowd::tickets::TicketSource;
use crate::crowd::watch::{CrowdOutcome, CrowdRunSettings, watch};
use crate::crowd::{Crowd, CrowdSettings};
use crate::environment::ExperimentContext;
use crate::limits;
use crate::load::connection::MqttTransport;
use crate::load::swarm::{self, MqttSwarm, SwarmPlan};
use crate::report::{ReferenceSystemMeasurement, Report};
use crate::search::{CapacitySearch, if_carried};
use crate::servers::motion::MotionServerUnderTest;
use crate::servers::relay::{GatherOptions, RelayServer};
use crate::servers::{IssuedTokenScope, MqttServerKind, Testbed, login};
use crate::statistics::median;

/// Milliseconds for which the relay gathers arrivals before it forwards them, 0 for none: longer runs of datagrams need
/// fewer system calls.
const GATHERINGS_MS: [u64; 2] = [0, 10];
/// Start of the search for the relay's number. Each of n people sends 20 datagrams a second to n receivers.
const RELAY_FIRST_GUESS: usize = 200;

/// The relay's results for one gathering time.
#[derive(Debug, Serialize)]
struct RelayCapacityResult {
    gather_ms: u64,
    largest: Vec<usize>,
    /// Whether the lab's core was at its limit in a failing step.
    generator_bound: bool,
}

/// Searches for the number of people that a plain relay carries under the same limits, with the better of two
/// gathering times. Each is searched as often as Stoa. The relay is also measured at Stoa's number. Without a
/// search there is no reference.
pub(super) fn relay(
    report: &mut Report,
    options: &Options,
    (setting, people): (&ExperimentContext, usize),
) -> Result<Option<ReferenceSystemMeasurement>> {
    let (mut outcomes, mut found) = (Vec::new(), Vec::new());
    let runs = if options.people.is_empty() { options.runs } else { 0 };
    for gather_ms in GATHERINGS_MS {
        let mut way = RelayCapacityResult { gather_ms, largest: Vec::new(), generator_bound: false };
        let mut measure = |people: usize, run: usize| -> Result<Option<CrowdOutcome>> {
            let key = json!({ "relay_gathering_ms": gather_ms, "people": people, "run": run });
            let outcome = setting.step(key, || Ok(if_carried(relay_step(options, (gather_ms, people), run))?.ok()))?;
            outcomes.push(json!({ "gather_ms": gather_ms, "run": run + 1, "people": people, "outcome": outcome }));
            Ok(outcome)
        };
        for run in 0..runs {
            let from = way.largest.last().copied().unwrap_or(RELAY_FIRST_GUESS);
            let search = CapacitySearch { from, resolution: 0.04, most: limits::MOTION_PEOPLE_MAX };
            let largest = search.largest(|people| {
                let Some(outcome) = measure(people, run)? else { return Ok(false) };
                way.generator_bound |= !outcome.holds() && outcome.is_generator_bound();
                Ok(outcome.holds())
            })?;
            way.largest.push(largest);
        }
        measure(people, runs)?;
        found.push(way);
    }
    report.series("udp_relay", json!({ "ways": found, "steps": outcomes }));
    Ok(reference(&found))
}

/// The better median. A search that ended because the lab's core was full may have missed a higher number.
fn reference(found: &[RelayCapacityResult]) -> Option<ReferenceSystemMeasurement> {
    let searched = found.iter().filter(|way| !way.largest.is_empty());
    let medians = searched.map(|way| median(&way.largest.iter().map(|people| *people as f64).collect::<Vec<_>>()));
    Some(ReferenceSystemMeasurement {
        name: "plain UDP relay, not sealed, no interest".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        value: medians.reduce(f64::max)?,
        generator_bound: found.iter().any(|way| way.generator_bound),
    })
}

fn relay_step(options: &Options, (gather_ms, people): (u64, usize), run: usize) -> Result<CrowdOutcome> {
    let server = MotionServerUnderTest::Relay(RelayServer::start(GatherOptions { gather_ms })?);
    let (connections, seed) = (RelayConnections::new(people, server.address())?, options.seed + run as u64);
    let cast =
        CrowdSettings { people, decoders: limits::MOTION_DECODERS.min(people), seed, ..CrowdSettings::default() };
    let mut crowd = Crowd::new(cast, connections, Box::new(RandomWaypointCrowd::new(people, seed)));
    crowd.enter(&mut TicketSource::of(&server, &cast)?).with_context(|| format!("{people} people at a relay"))?;
    watch(
        &mut crowd,
        &server,
        &CrowdRunSettings { cast, measured_s: options.step_s, poses_per_s_min: limits::MOTION_POSES_PER_S_MIN },
    )
}

/// Measures as many people with JSON cameras over MQTT, ten times a second, as ARENA's clients send them.
pub(super) fn cameras(
    report: &mut Report,
    options: &Options,
    ((setting, testbed), people): (ContextAndTestbed<'_>, usize),
) -> Result<()> {
    let outcome = setting.step(json!({ "mqtt_cameras": people }), || cameras_step(options, testbed, people))?;
    report.series("mqtt_cameras", json!([outcome]));
    Ok(())
}

fn cameras_step(options: &Options, testbed: &Testbed, people: usize) -> Result<swarm::SwarmOutcome> {
    let server = MqttServerKind::Stoa.start(testbed)?;
    let mut swarm = MqttSwarm::enter(
        people,
        &server.endpoint(MqttTransport::Tcp)?,
        &login(MqttServerKind::Stoa, testbed, IssuedTokenScope::Scene),
    )
    .with_context(|| format!("{people} people with cameras over MQTT"))?;
    let measured = Duration::from_secs(options.step_s);
    swarm.run(&SwarmPlan { people, rate_hz: limits::RATE_HZ, measured }, server.pid())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_relay_reference_is_the_higher_of_the_medians() {
        let way = |largest: &[usize], generator_bound| RelayCapacityResult {
            gather_ms: 0,
            largest: largest.to_vec(),
            generator_bound,
        };
        let found = reference(&[way(&[675, 600, 650], false), way(&[625, 640, 630], false)]).expect("it was searched");
        assert_eq!((found.value, found.generator_bound), (650.0, false));
        let found = reference(&[way(&[675], false), way(&[625], true)]).expect("it was searched");
        assert_eq!((found.value, found.generator_bound), (675.0, true), "the other way may be the better one");
        assert!(reference(&[way(&[], false), way(&[], false)]).is_none(), "what was not searched for is no reference");
    }
}
