//! Measures Stoa with heads, 60 times a second, sealed: the load of its motion plane that is nearest to that of the
//! references. [`super::stoa_flows`] carries the flows themselves.
//!
//! A frame has a header of 9 B, an acknowledgement of 23 B and a pose of 22 B, together 54 B, and 19 B more for the
//! seal. Without seal and acknowledgement, which the paper's packets lack too, these are 31 B or 1,860 B/s. That is
//! nearest to the paper's video of 30 B or 1,800 B/s. With both it is 4,380 B/s.

use std::time::Duration;

use anyhow::{Context, Result};
use stoa_wire::motion::frame::{HEAD_BYTES, PART_HEAD_BYTES};
use stoa_wire::motion::{FrameAck, OwnPose};

use super::load::{ClientLoad, LoadStepOutcome};
use crate::bots::random_waypoint::RandomWaypointCrowd;
use crate::crowd::connections::NetcodeConnections;
use crate::crowd::tickets::TicketSource;
use crate::crowd::watch::{CrowdRunSettings, watch};
use crate::crowd::{Crowd, CrowdSettings};
use crate::servers::Testbed;
use crate::servers::motion::{MotionOptions, MotionServerKind, MotionServerUnderTest, SendTimingMode};

/// People that decode all their poses. Every person opens all its datagrams.
const DECODERS: usize = 200;
/// Bytes of a frame with a pose and no acknowledgement.
pub(super) const POSE_FRAME_BYTES: usize = HEAD_BYTES + PART_HEAD_BYTES + OwnPose::BYTES;
/// Bytes of the acknowledging part.
pub(super) const ACK_PART_BYTES: usize = PART_HEAD_BYTES + FrameAck::BYTES;
/// netcode's overhead: a byte, a sequence of two bytes (up to 65,535 datagrams, a quarter of an hour), the tag.
pub(super) const SEAL_BYTES: usize = 1 + 2 + 16;

/// Mode of serving, and rate of the clients' poses.
#[derive(Clone, Copy, Debug, serde::Serialize)]
pub(super) struct StoaRunSettings {
    pub(super) serving: SendTimingMode,
    pub(super) rate_hz: u64,
}

/// One run with a fresh server.
pub(super) fn measure(testbed: &Testbed, setup: &StoaRunSettings, load: &ClientLoad) -> Result<LoadStepOutcome> {
    let plane = MotionOptions { serving: Some(setup.serving), ..MotionOptions::default() };
    let server = MotionServerUnderTest::start(MotionServerKind::Stoa, testbed, &plane)?;
    let cast = CrowdSettings {
        people: load.clients,
        decoders: DECODERS.min(load.clients),
        period: Duration::from_micros(1_000_000 / setup.rate_hz),
        together: load.together,
        seed: load.seed,
        ..CrowdSettings::default()
    };
    // A thousand scenes and tokens need seconds. The crowd's clock starts with its first wave, so no turns are missed.
    let mut ticket_source = TicketSource::of(&server, &cast)?;
    let connections = NetcodeConnections::new(load.clients, server.address())?;
    let mut crowd = Crowd::new(cast, connections, Box::new(RandomWaypointCrowd::new(load.clients, load.seed)));
    crowd.enter(&mut ticket_source).with_context(|| format!("{} people", load.clients))?;
    crowd.await_roommates(plane.policy)?;
    let run = CrowdRunSettings { cast, measured_s: load.seconds, poses_per_s_min: 0.0 };
    let found = watch(&mut crowd, &server, &run)?;
    let dropped = found.server_overflowed + found.server_dropped.values().sum::<u64>() + found.line.unsent;
    let said = found.said_per_s * load.seconds as f64;
    let frame = POSE_FRAME_BYTES + ACK_PART_BYTES + SEAL_BYTES;
    Ok(LoadStepOutcome {
        clients: load.clients,
        mean_ms: found.delivery_mean_ms,
        latency: found.delivery,
        asked_per_s: load.clients as f64 * 1e6 / cast.period.as_micros() as f64,
        said_per_s: found.said_per_s,
        // Losses in both directions.
        lost: dropped as f64 / said.max(1.0) + found.loss,
        heard_per_s: found.datagrams_per_s,
        bytes_per_client_s: found.said_per_s * frame as f64 / load.clients as f64,
        server_us: found.server_load * 1e6 / found.datagrams_per_s.max(1.0),
        server_load: found.server_load,
        generator_load: found.generator_load,
        server_overflowed: found.server_overflowed,
        generator_overflowed: found.line.overflowed,
        poses_per_s: Some(found.rates.mean_per_s),
    })
}
