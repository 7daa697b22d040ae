//! Measures the resident memory of a session: idle, idle by WebTransport, and with a thousand visible people. Figures
//! `motion_session_kib`, `motion_session_kib_webtransport` and `motion_session_kib_1000`.

use anyhow::Result;
use serde_json::json;

use super::{ContextAndTestbed, MotionExperimentPart, Options};
use crate::bots::random_waypoint::RandomWaypointCrowd;
use crate::crowd::connections::NetcodeConnections;
use crate::crowd::tickets::TicketSource;
use crate::crowd::webtransport::WebTransportConnections;
use crate::crowd::{Crowd, CrowdSettings};
use crate::machine::resident_kib;
use crate::report::{Figure, Report};
use crate::servers::Testbed;
use crate::servers::motion::{MotionServerKind, MotionServerUnderTest};

/// Time for memory to settle.
const REST_US: u64 = 3_000_000;
/// Idle sessions.
const SESSIONS: usize = 2_000;
/// Idle sessions by WebTransport, whose connections take most of the memory.
const BY_WEBTRANSPORT: usize = 500;
/// Sessions that see each other.
const VISIBLE: usize = 1_000;

pub(super) fn measure(report: &mut Report, options: &Options, (setting, testbed): ContextAndTestbed<'_>) -> Result<()> {
    if !options.has(MotionExperimentPart::Memory) {
        return Ok(());
    }
    let each = |people: usize, objects: usize| {
        let key = json!({ "memory": people, "objects": objects });
        setting.step(key, || each_kib(options, testbed, (people, objects)))
    };
    let at_rest = each(SESSIONS, 0)?;
    report.figure("motion_session_kib", Figure::new(at_rest, "KiB").held_to("<", 8.0, "value"));
    if options.server == MotionServerKind::Stoa {
        let key = json!({ "memory_by_webtransport": BY_WEBTRANSPORT });
        let kib = setting.step(key, || webtransport_kib(options, testbed))?;
        report.figure("motion_session_kib_webtransport", Figure::new(kib, "KiB"));
    }
    let visible = each(VISIBLE, 1)?;
    report.figure("motion_session_kib_1000", Figure::new(visible, "KiB").held_to("<", 64.0, "value"));
    report.series("memory", json!([{ "sessions": SESSIONS, "each_kib": at_rest }, { "sessions": VISIBLE, "visible": VISIBLE, "each_kib": visible }]));
    Ok(())
}

/// Resident memory that each session adds, in KiB, including allocations for the first.
fn each_kib(options: &Options, testbed: &Testbed, (people, objects): (usize, usize)) -> Result<f64> {
    let server = MotionServerUnderTest::start(options.server, testbed, &options.plane)?;
    // Tickets are requested before: their cost (HTTP, tokens) belongs to the scene plane.
    let cast = CrowdSettings { people, objects, seed: options.seed, ..CrowdSettings::default() };
    let mut ticket_source = TicketSource::Given(TicketSource::of(&server, &cast)?.tickets(0..people)?);
    let before = resident_kib(server.pid())?;
    let connections = NetcodeConnections::new(people, server.address())?;
    let mut crowd = Crowd::new(cast, connections, Box::new(RandomWaypointCrowd::new(people, options.seed)));
    crowd.enter(&mut ticket_source)?;
    if objects > 0 {
        crowd.await_roommates(options.plane.policy)?;
    }
    crowd.drive(crowd.now_us() + REST_US)?;
    let after = resident_kib(server.pid())?;
    eprintln!("  memory: {before} KiB before, {after} KiB with {people} sessions, {objects} objects each");
    Ok((after - before) / people as f64)
}

/// Resident memory that each idle session by WebTransport adds, in KiB.
fn webtransport_kib(options: &Options, testbed: &Testbed) -> Result<f64> {
    let server = MotionServerUnderTest::start(options.server, testbed, &options.plane)?;
    let cast = CrowdSettings { people: BY_WEBTRANSPORT, objects: 0, seed: options.seed, ..CrowdSettings::default() };
    let mut ticket_source = TicketSource::Given(TicketSource::of(&server, &cast)?.tickets(0..BY_WEBTRANSPORT)?);
    let before = resident_kib(server.pid())?;
    let bots = Box::new(RandomWaypointCrowd::new(BY_WEBTRANSPORT, options.seed));
    let mut crowd = Crowd::new(cast, WebTransportConnections::new(BY_WEBTRANSPORT)?, bots);
    crowd.enter(&mut ticket_source)?;
    crowd.drive(crowd.now_us() + REST_US)?;
    let after = resident_kib(server.pid())?;
    eprintln!("  memory: {before} KiB before, {after} KiB with {BY_WEBTRANSPORT} by WebTransport");
    Ok((after - before) / BY_WEBTRANSPORT as f64)
}
