//! The loads at which two servers are compared. Each is fixed: small enough that the generator uses less than 85 % of
//! its core, and, except for the idle server, large enough that the server has work.

use std::thread::sleep;
use std::time::Duration;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Options;
use super::meter::{CpuTimeMeter, MeasuredRun};
use crate::bots::random_waypoint::RandomWaypointCrowd;
use crate::choice;
use crate::crowd::connections::{CrowdConnections, NetcodeConnections};
use crate::crowd::tickets::TicketSource;
use crate::crowd::webtransport::WebTransportConnections;
use crate::crowd::{Crowd, CrowdSettings};
use crate::limits;
use crate::load::connection::MqttTransport;
use crate::load::ledger::DeliveryLedger;
use crate::load::swarm::{MqttSwarm, SendSchedule};
use crate::persist::authors::{AUTHORS, AuthorCrew, WINDOW};
use crate::servers::motion::{MotionOptions, MotionServerKind, MotionServerUnderTest, PolicyName};
use crate::servers::{IssuedTokenScope, MqttServerKind, Testbed, login};

/// Time of the load before the measurement. Shorter than in searches: there are 250 runs, and no queue fills.
const WARM_UP: Duration = Duration::from_secs(1);
/// Time after the last counted message.
const GRACE: Duration = Duration::from_millis(500);

/// A quarter of the people that one core carries. With half of them a server already fills its core, however cheap a
/// message is, since it spends spare time on smaller batches. The cost would then follow the load instead of the code.
const FANOUT_PEOPLE: usize = 150;
const PERSIST_OBJECTS: usize = 1_200;
/// Persistent updates a second: they take two fifths of a core.
const PERSIST_PER_S: f64 = 4_000.0;
/// Two fifths of the people that one core carries.
const MOTION_PEOPLE: usize = 600;
/// A third of the people that one core carries.
const WEBTRANSPORT_PEOPLE: usize = 300;
/// Number of measured intervals of an idle server, of which the median counts. An idle server works for a millisecond
/// a second, so a burst of the machine may double a single interval.
const IDLE_WINDOWS: usize = 3;
/// People that decode every pose: enough to see whether poses arrive.
const DECODERS: usize = 10;

/// The load of both servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(super) enum ComparisonLoad {
    /// JSON cameras, everyone sees everyone
    Fanout,
    /// Persistent updates, each acknowledged
    Persist,
    /// Heads on the motion plane by netcode, everyone sees everyone
    Motion,
    /// Heads on the motion plane by WebTransport, everyone sees everyone
    Webtransport,
    /// A realm without clients
    Idle,
}

/// All loads, in the order in which they run.
pub(super) const ALL: [ComparisonLoad; 5] = [
    ComparisonLoad::Fanout,
    ComparisonLoad::Persist,
    ComparisonLoad::Motion,
    ComparisonLoad::Webtransport,
    ComparisonLoad::Idle,
];

impl ComparisonLoad {
    pub(super) fn name(self) -> String {
        choice::word(self)
    }

    /// The unit of the load's cost.
    pub(super) fn unit(self) -> &'static str {
        match self {
            ComparisonLoad::Fanout => "message delivered",
            ComparisonLoad::Persist => "update acknowledged",
            ComparisonLoad::Motion | ComparisonLoad::Webtransport => "pose delivered",
            ComparisonLoad::Idle => "second",
        }
    }

    /// The load as a report's parameters.
    pub(super) fn describe(self) -> Value {
        let motion_hz = 1.0 / limits::MOTION_PERIOD.as_secs_f64();
        let mut described = match self {
            ComparisonLoad::Fanout => {
                json!({ "people": FANOUT_PEOPLE, "rate_hz": limits::RATE_HZ, "payload_bytes": limits::PAYLOAD_BYTES })
            }
            ComparisonLoad::Persist => {
                json!({
                    "objects": PERSIST_OBJECTS, "authors": AUTHORS, "window": WINDOW, "updates_per_s": PERSIST_PER_S,
                })
            }
            ComparisonLoad::Motion => json!({ "people": MOTION_PEOPLE, "rate_hz": motion_hz }),
            ComparisonLoad::Webtransport => json!({ "people": WEBTRANSPORT_PEOPLE, "rate_hz": motion_hz }),
            ComparisonLoad::Idle => json!({}),
        };
        described["load"] = json!(self);
        described["unit"] = json!(self.unit());
        described
    }

    /// Measures one run with a fresh server in a fresh folder.
    pub(super) fn run(self, testbed: &Testbed, options: &Options) -> Result<MeasuredRun> {
        match self {
            ComparisonLoad::Fanout => fanout(testbed, options),
            ComparisonLoad::Persist => persist(testbed, options),
            ComparisonLoad::Motion | ComparisonLoad::Webtransport => motion(self, testbed, options),
            ComparisonLoad::Idle => idle(testbed, options),
        }
    }
}

fn fanout(testbed: &Testbed, options: &Options) -> Result<MeasuredRun> {
    let server = MqttServerKind::Stoa.start(testbed)?;
    let endpoint = server.endpoint(MqttTransport::Tcp)?;
    let mut swarm =
        MqttSwarm::enter(FANOUT_PEOPLE, &endpoint, &login(MqttServerKind::Stoa, testbed, IssuedTokenScope::Scene))?;
    let [warm_us, grace_us] = [WARM_UP, GRACE].map(|time| time.as_micros() as u64);
    let end_us = warm_us + options.run_s * 1_000_000;
    let mut ledger = DeliveryLedger::new((FANOUT_PEOPLE, FANOUT_PEOPLE), (warm_us, end_us));
    let mut pace = SendSchedule::new(FANOUT_PEOPLE, limits::RATE_HZ);
    swarm.begin();
    swarm.drive(&mut pace, warm_us, &mut ledger)?;
    let meter = CpuTimeMeter::start(server.pid());
    swarm.drive(&mut pace, end_us, &mut ledger)?;
    let spent = meter.stop()?;
    swarm.drive(&mut pace, end_us + grace_us, &mut ledger)?;
    spent.on(ledger.delivered() as f64, ledger.undelivered())
}

fn persist(testbed: &Testbed, options: &Options) -> Result<MeasuredRun> {
    let server = MqttServerKind::Stoa.start(testbed)?;
    let mut crew = AuthorCrew::enter(&server, &testbed.folder, PERSIST_OBJECTS)?;
    crew.work_at(PERSIST_PER_S, WARM_UP)?;
    let (before, meter) = (crew.acknowledged, CpuTimeMeter::start(server.pid()));
    crew.work_at(PERSIST_PER_S, Duration::from_secs(options.run_s))?;
    let spent = meter.stop()?;
    let acknowledged = (crew.acknowledged - before) as f64;
    let due = PERSIST_PER_S * spent.wall_s;
    spent.on(acknowledged, (1.0 - acknowledged / due).max(0.0))
}

fn motion(load: ComparisonLoad, testbed: &Testbed, options: &Options) -> Result<MeasuredRun> {
    let plane = MotionOptions::default();
    let server = MotionServerUnderTest::start(MotionServerKind::Stoa, testbed, &plane)?;
    let people = if load == ComparisonLoad::Motion { MOTION_PEOPLE } else { WEBTRANSPORT_PEOPLE };
    let cast = CrowdSettings { people, decoders: DECODERS, seed: options.seed, ..CrowdSettings::default() };
    if load == ComparisonLoad::Motion {
        poses(NetcodeConnections::new(people, server.address())?, cast, (&server, plane.policy, options))
    } else {
        poses(WebTransportConnections::new(people)?, cast, (&server, plane.policy, options))
    }
}

/// Measures a crowd in one scene.
fn poses<L: CrowdConnections>(
    connections: L,
    cast: CrowdSettings,
    (server, policy, options): (&MotionServerUnderTest<'_>, PolicyName, &Options),
) -> Result<MeasuredRun> {
    let CrowdSettings { people, seed, .. } = cast;
    let mut ticket_source = TicketSource::of(server, &cast)?;
    let mut crowd = Crowd::new(cast, connections, Box::new(RandomWaypointCrowd::new(people, seed)));
    crowd.enter(&mut ticket_source)?;
    crowd.await_roommates(policy)?;
    let from_us = crowd.now_us() + WARM_UP.as_micros() as u64;
    let to_us = from_us + options.run_s * 1_000_000;
    crowd.open_ledger((from_us, to_us));
    crowd.drive(from_us)?;
    let meter = CpuTimeMeter::start(server.pid());
    crowd.drive(to_us)?;
    let spent = meter.stop()?;
    let rates = crowd.close_ledger().context("the ledger is open")?.rates(0.0);
    let rate_hz = 1.0 / limits::MOTION_PERIOD.as_secs_f64();
    let delivered = rates.mean_per_s * spent.wall_s * (people * (people - 1)) as f64;
    spent.on(delivered, (1.0 - rates.mean_per_s / rate_hz).max(0.0))
}

fn idle(testbed: &Testbed, options: &Options) -> Result<MeasuredRun> {
    let server = MqttServerKind::Stoa.start(testbed)?;
    sleep(WARM_UP);
    let mut windows = Vec::with_capacity(IDLE_WINDOWS);
    for _ in 0..IDLE_WINDOWS {
        let meter = CpuTimeMeter::start(server.pid());
        sleep(Duration::from_secs(options.run_s));
        let spent = meter.stop()?;
        let seconds = spent.wall_s;
        windows.push(spent.on(seconds, 0.0)?);
    }
    windows.sort_by(|one, other| one.cost_ns.total_cmp(&other.cost_ns));
    Ok(windows[IDLE_WINDOWS / 2])
}
