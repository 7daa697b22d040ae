//! The references, at the number of people that Stoa carried: a plain UDP relay, and JSON cameras over MQTT.

use anyhow::{Context, Result};
use serde_json::json;
use std::time::Duration;

use super::Options;
use crate::bots::random_walk::RandomWalk;
use crate::crowd::relayed::RelayedLines;
use crate::crowd::watch::{Outcome, Watch, watch};
use crate::crowd::{Cast, Crowd};
use crate::limits;
use crate::load::line::Transport;
use crate::load::swarm::{Plan, Swarm};
use crate::report::{Reference, Report};
use crate::search::Search;
use crate::servers::motion::MotionServer;
use crate::servers::relay::{Gathering, Relay};
use crate::servers::{Kind, Rights, Stage, login};

/// What comes goes on at once, or with what else comes within so many milliseconds: longer runs, fewer system calls.
const GATHERINGS_MS: [u64; 2] = [0, 10];
/// Where the search for the relay's number begins: each of n says 20 things a second to n.
const RELAY_FIRST_GUESS: usize = 200;

/// How many a plain relay carries by the same limits, in the better of two ways, and what it does at Stoa's number.
pub(super) fn relay(report: &mut Report, options: &Options, people: usize) -> Result<Reference> {
    let (mut outcomes, mut largest) = (Vec::new(), Vec::new());
    for gather_ms in GATHERINGS_MS {
        let mut bears = |people: usize| {
            let outcome = relay_step(options, (gather_ms, people))?;
            eprintln!("  relay, gathering {gather_ms} ms, {people}: {}", serde_json::to_string(&outcome)?);
            let holds = outcome.holds();
            outcomes.push(json!({ "gather_ms": gather_ms, "outcome": outcome }));
            Ok(holds)
        };
        let search = Search { from: RELAY_FIRST_GUESS, resolution: 0.04, most: limits::MOTION_PEOPLE_MAX };
        largest.push(if options.people.is_empty() { search.largest(&mut bears)? } else { 0 });
        bears(people)?;
    }
    report.series("udp_relay", json!({ "gathers_ms": GATHERINGS_MS, "largest": largest, "steps": outcomes }));
    let version = env!("CARGO_PKG_VERSION").to_owned();
    let value = largest.into_iter().max().unwrap_or(0) as f64;
    Ok(Reference { name: "plain UDP relay, not sealed, no interest".to_owned(), version, value })
}

fn relay_step(options: &Options, (gather_ms, people): (u64, usize)) -> Result<Outcome> {
    let server = MotionServer::Relay(Relay::start(Gathering { gather_ms })?);
    let lines = RelayedLines::new(people, server.address())?;
    let cast = Cast { people, decoders: limits::MOTION_DECODERS.min(people), seed: options.seed, ..Cast::default() };
    let mut crowd = Crowd::new(cast, lines, Box::new(RandomWalk::new(people, options.seed)));
    crowd.enter(&mut server.gate(&cast)?).with_context(|| format!("{people} people at a relay"))?;
    watch(
        &mut crowd,
        &server,
        &Watch { cast, measured_s: options.step_s, poses_per_s_min: limits::MOTION_POSES_PER_S_MIN },
    )
}

/// As many people with JSON cameras over MQTT, ten times a second, as ARENA's clients say them.
pub(super) fn cameras(report: &mut Report, options: &Options, (stage, people): (&Stage, usize)) -> Result<()> {
    let server = Kind::Stoa.start(stage)?;
    let mut swarm = Swarm::enter(people, &server.door(Transport::Tcp)?, &login(Kind::Stoa, stage, Rights::Scene))
        .with_context(|| format!("{people} people with cameras over MQTT"))?;
    let measured = Duration::from_secs(options.step_s);
    let outcome = swarm.run(&Plan { people, rate_hz: limits::RATE_HZ, measured }, server.pid())?;
    eprintln!("  MQTT cameras {people}: {}", serde_json::to_string(&outcome)?);
    report.series("mqtt_cameras", json!([outcome]));
    Ok(())
}
