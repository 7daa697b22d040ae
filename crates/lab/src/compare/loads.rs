//! The loads at which two servers are compared. Each is fixed: small enough that the generator uses less than 85 % of
//! its core, and large enough that the server has work.

use std::thread::sleep;
use std::time::Duration;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Options;
use super::meter::{Meter, Run};
use crate::bots::random_walk::RandomWalk;
use crate::choice;
use crate::crowd::gate::Gate;
use crate::crowd::lines::{Lines, NetcodeLines};
use crate::crowd::webtransport::WebTransportLines;
use crate::crowd::{Cast, Crowd};
use crate::limits;
use crate::load::ledger::Ledger;
use crate::load::line::Transport;
use crate::load::swarm::{Pace, Swarm};
use crate::persist::crew::{AUTHORS, Crew, WINDOW};
use crate::servers::motion::{MotionKind, MotionOptions, MotionServer, PolicyName};
use crate::servers::{Kind, Rights, Stage, login};

/// Load before the measurement. Shorter than in searches: there are 250 runs, and no queue fills.
const WARM_UP: Duration = Duration::from_secs(1);
/// Time after the last counted message.
const GRACE: Duration = Duration::from_millis(500);

/// A quarter of the people that one core carries. With twice as many, a server fills its core at any cost of a
/// message. It spends spare time on smaller batches, so the cost would follow the load instead of the code.
const FANOUT_PEOPLE: usize = 150;
const PERSIST_OBJECTS: usize = 1_200;
/// Two fifths of a core.
const PERSIST_PER_S: f64 = 4_000.0;
/// Two fifths of the people that one core carries.
const MOTION_PEOPLE: usize = 600;
/// A third of the people that one core carries.
const WEBTRANSPORT_PEOPLE: usize = 300;
/// People that decode every pose: enough to see whether poses arrive.
const DECODERS: usize = 10;

/// The load of both servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(super) enum Load {
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

/// In the order in which they run.
pub(super) const ALL: [Load; 5] = [Load::Fanout, Load::Persist, Load::Motion, Load::Webtransport, Load::Idle];

impl Load {
    pub(super) fn name(self) -> String {
        choice::word(self)
    }

    /// The unit of its cost.
    pub(super) fn unit(self) -> &'static str {
        match self {
            Load::Fanout => "message delivered",
            Load::Persist => "update acknowledged",
            Load::Motion | Load::Webtransport => "pose delivered",
            Load::Idle => "second",
        }
    }

    /// The load as a report's parameters.
    pub(super) fn describe(self) -> Value {
        let motion_hz = 1.0 / limits::MOTION_PERIOD.as_secs_f64();
        let mut described = match self {
            Load::Fanout => {
                json!({ "people": FANOUT_PEOPLE, "rate_hz": limits::RATE_HZ, "payload_bytes": limits::PAYLOAD_BYTES })
            }
            Load::Persist => {
                json!({
                    "objects": PERSIST_OBJECTS, "authors": AUTHORS, "window": WINDOW, "updates_per_s": PERSIST_PER_S,
                })
            }
            Load::Motion => json!({ "people": MOTION_PEOPLE, "rate_hz": motion_hz }),
            Load::Webtransport => json!({ "people": WEBTRANSPORT_PEOPLE, "rate_hz": motion_hz }),
            Load::Idle => json!({}),
        };
        described["load"] = json!(self);
        described["unit"] = json!(self.unit());
        described
    }

    /// Measures one run with a fresh server in a fresh folder.
    pub(super) fn run(self, stage: &Stage, options: &Options) -> Result<Run> {
        match self {
            Load::Fanout => fanout(stage, options),
            Load::Persist => persist(stage, options),
            Load::Motion | Load::Webtransport => motion(self, stage, options),
            Load::Idle => idle(stage, options),
        }
    }
}

fn fanout(stage: &Stage, options: &Options) -> Result<Run> {
    let server = Kind::Stoa.start(stage)?;
    let door = server.door(Transport::Tcp)?;
    let mut swarm = Swarm::enter(FANOUT_PEOPLE, &door, &login(Kind::Stoa, stage, Rights::Scene))?;
    let [warm_us, grace_us] = [WARM_UP, GRACE].map(|time| time.as_micros() as u64);
    let end_us = warm_us + options.run_s * 1_000_000;
    let mut ledger = Ledger::new((FANOUT_PEOPLE, FANOUT_PEOPLE), (warm_us, end_us));
    let mut pace = Pace::new(FANOUT_PEOPLE, limits::RATE_HZ);
    swarm.begin();
    swarm.drive(&mut pace, warm_us, &mut ledger)?;
    let meter = Meter::start(server.pid());
    swarm.drive(&mut pace, end_us, &mut ledger)?;
    let spent = meter.stop()?;
    swarm.drive(&mut pace, end_us + grace_us, &mut ledger)?;
    spent.on(ledger.delivered() as f64, ledger.undelivered())
}

fn persist(stage: &Stage, options: &Options) -> Result<Run> {
    let server = Kind::Stoa.start(stage)?;
    let mut crew = Crew::enter(&server, &stage.folder, PERSIST_OBJECTS)?;
    crew.work_at(PERSIST_PER_S, WARM_UP)?;
    let (before, meter) = (crew.acknowledged, Meter::start(server.pid()));
    crew.work_at(PERSIST_PER_S, Duration::from_secs(options.run_s))?;
    let spent = meter.stop()?;
    let acknowledged = (crew.acknowledged - before) as f64;
    let due = PERSIST_PER_S * spent.wall_s;
    spent.on(acknowledged, (1.0 - acknowledged / due).max(0.0))
}

fn motion(load: Load, stage: &Stage, options: &Options) -> Result<Run> {
    let plane = MotionOptions::default();
    let server = MotionServer::start(MotionKind::Stoa, stage, &plane)?;
    let people = if load == Load::Motion { MOTION_PEOPLE } else { WEBTRANSPORT_PEOPLE };
    let cast = Cast { people, decoders: DECODERS, seed: options.seed, ..Cast::default() };
    if load == Load::Motion {
        poses(NetcodeLines::new(people, server.address())?, cast, (&server, plane.policy, options))
    } else {
        poses(WebTransportLines::new(people)?, cast, (&server, plane.policy, options))
    }
}

/// Measures a crowd in one scene.
fn poses<L: Lines>(
    lines: L,
    cast: Cast,
    (server, policy, options): (&MotionServer<'_>, PolicyName, &Options),
) -> Result<Run> {
    let Cast { people, seed, .. } = cast;
    let mut gate = Gate::of(server, &cast)?;
    let mut crowd = Crowd::new(cast, lines, Box::new(RandomWalk::new(people, seed)));
    crowd.enter(&mut gate)?;
    crowd.await_roommates(policy)?;
    let from_us = crowd.now_us() + WARM_UP.as_micros() as u64;
    let to_us = from_us + options.run_s * 1_000_000;
    crowd.open_book((from_us, to_us));
    crowd.drive(from_us)?;
    let meter = Meter::start(server.pid());
    crowd.drive(to_us)?;
    let spent = meter.stop()?;
    let rates = crowd.close_book().context("the book is open")?.rates(0.0);
    let rate_hz = 1.0 / limits::MOTION_PERIOD.as_secs_f64();
    let delivered = rates.mean_per_s * spent.wall_s * (people * (people - 1)) as f64;
    spent.on(delivered, (1.0 - rates.mean_per_s / rate_hz).max(0.0))
}

fn idle(stage: &Stage, options: &Options) -> Result<Run> {
    let server = Kind::Stoa.start(stage)?;
    sleep(WARM_UP);
    let meter = Meter::start(server.pid());
    sleep(Duration::from_secs(options.run_s));
    let spent = meter.stop()?;
    let seconds = spent.wall_s;
    spent.on(seconds, 0.0)
}
