//! Plain MQTT under simulation: durable sessions, QoS 1 and 2, retained messages, wills and shared subscriptions.
//! Meanwhile connections are lost, the store is late or fails, and the server crashes. A world of its own, because
//! scene clients have no durable sessions. The results are compared with `model`, which is deliberately simple.

mod client;
mod clients;
mod faults;
mod model;
mod server;
mod situations;

use core::time::Duration;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::Range;

use fastrand::Rng;
use stoa_state::connection_id::ConnectionId;
use stoa_state::outbox::Outbox;
use stoa_state::realm::Realm;
use stoa_state::round::OutboxBatcher;
use stoa_state::time::Time;
use stoa_wire::packet::{Connect, Decoder, Packet};

use self::client::{BrokerClient, next_second};
use self::model::BrokerModel;
use crate::coverage::Coverage;
use crate::disk::SimulatedDisk;
use crate::failure::Failure;
use crate::limits;
use crate::queue::EventQueue;
use crate::seeds::run_each;

pub use self::faults::InjectedBrokerFault;
pub use self::situations::{BrokerSituation, ROWS};

/// Summary of a run without disagreement.
#[derive(Clone, Debug, Default)]
pub struct BrokerRunSummary {
    /// How often each row occurred.
    pub coverage: Coverage<BrokerSituation>,
    /// Number of the clients' actions.
    pub operations: usize,
    /// Virtual time passed.
    pub lasted: Duration,
}

enum BrokerEvent {
    /// Bytes reach the server.
    ToServer { connection: ConnectionId, bytes: Vec<u8> },
    /// Bytes reach the client.
    ToClient { connection: ConnectionId, bytes: Vec<u8> },
    /// The server notices that a connection has ended.
    ServerSeesEnd { connection: ConnectionId },
    /// The client notices that a connection has ended.
    ClientSeesEnd { connection: ConnectionId },
    /// A client connects.
    Dial { client: usize },
    /// A client performs its next action.
    Act { client: usize, connection: ConnectionId },
    /// A client answers a message.
    Reply { client: usize, connection: ConnectionId, packet: Box<Packet> },
    /// The store writes the queued group, or fails.
    Commit { start: u64 },
    /// The server restarts.
    Restart,
    /// The rest period is over.
    Rested,
}

/// Both ends of one transport connection.
struct SimulatedBrokerConnection {
    client: usize,
    /// Decodes the client's bytes, for the server.
    decoder: Decoder,
    /// Decodes the server's bytes as they are sent.
    probe: Option<Decoder>,
    connect: Option<Connect>,
    /// Session present flag that CONNACK has to carry.
    ought_present: Option<bool>,
    /// Whether the server may close the connection.
    may_close: bool,
    server_open: bool,
    closing: bool,
    lost: bool,
    up_at: Time,
    down_at: Time,
    /// Messages in flight to the client: number in the payload, packet id.
    under_way: VecDeque<(u64, Option<u16>)>,
}

struct BrokerSimulation {
    seed: u64,
    bug: Option<InjectedBrokerFault>,
    rng: Rng,
    now: Time,
    events: EventQueue<BrokerEvent>,
    /// `None` while the server is down.
    realm: Option<Realm>,
    starts: u64,
    /// Start of the realm's own clock.
    realm_began: Time,
    disk: SimulatedDisk,
    model: BrokerModel,
    clients: Vec<BrokerClient>,
    wires: BTreeMap<ConnectionId, SimulatedBrokerConnection>,
    round: OutboxBatcher<Outbox>,
    revoked: BTreeSet<u64>,
    connections: u64,
    messages: u64,
    tokens: u64,
    coverage: Coverage<BrokerSituation>,
    operations: usize,
    is_quiet: bool,
    rested: bool,
    fault: Option<String>,
}

/// Simulates `seed`. Errors: the disagreement, with the command that replays it.
pub fn run(seed: u64) -> Result<BrokerRunSummary, Failure> {
    run_with(seed, None)
}

/// Simulates `seed` with a bug planted. Errors: as above.
pub fn run_with(seed: u64, bug: Option<InjectedBrokerFault>) -> Result<BrokerRunSummary, Failure> {
    let mut world = BrokerSimulation::new(seed, bug);
    let verdict = world.live();
    let at = world.now - Time::ZERO;
    match verdict {
        Ok(()) => Ok(BrokerRunSummary { coverage: world.coverage, operations: world.operations, lasted: at }),
        Err(what) => Err(Failure { seed, at, what, flags: "--broker " }),
    }
}

/// Simulates every seed. Errors: the failure with the lowest seed among those found before all threads stopped.
pub fn run_many(seeds: Range<u64>) -> Result<Coverage<BrokerSituation>, Failure> {
    run_each(seeds, |seed| run(seed).map(|report| report.coverage))
}

impl BrokerSimulation {
    fn new(seed: u64, bug: Option<InjectedBrokerFault>) -> BrokerSimulation {
        BrokerSimulation {
            seed,
            bug,
            rng: Rng::with_seed(seed),
            now: Time::ZERO,
            events: EventQueue::default(),
            realm: None,
            starts: 0,
            realm_began: Time::ZERO,
            disk: SimulatedDisk::default(),
            model: BrokerModel::default(),
            clients: (0..limits::BROKER_CLIENTS).map(BrokerClient::new).collect(),
            wires: BTreeMap::new(),
            round: OutboxBatcher::default(),
            revoked: BTreeSet::new(),
            connections: 0,
            messages: 0,
            tokens: 0,
            coverage: Coverage::default(),
            operations: 0,
            is_quiet: false,
            rested: false,
            fault: None,
        }
    }

    fn live(&mut self) -> Result<(), String> {
        self.start_server();
        for client in 0..self.clients.len() {
            let after = Duration::from_millis(self.rng.u64(0..2_000));
            self.events.push(self.now + after, BrokerEvent::Dial { client });
        }
        for round in 1..=limits::ROUNDS {
            self.is_quiet = false;
            for client in 0..self.clients.len() {
                self.schedule_act(client);
            }
            while self.operations < limits::BROKER_OPERATIONS * round / limits::ROUNDS {
                self.step()?;
            }
            self.come_to_rest()?;
        }
        self.crash();
        self.come_to_rest()
    }

    /// Clients begin nothing new, messages in flight arrive, and clients reconnect. Then compares everything.
    fn come_to_rest(&mut self) -> Result<(), String> {
        (self.is_quiet, self.rested) = (true, false);
        self.events.retain(|event| !matches!(event, BrokerEvent::Act { .. } | BrokerEvent::Dial { .. }));
        for client in 0..self.clients.len() {
            if self.clients[client].attached.is_none() {
                self.events.push(self.now, BrokerEvent::Dial { client });
            }
        }
        if self.realm.is_none() {
            self.events.retain(|event| !matches!(event, BrokerEvent::Restart));
            self.events.push(next_second(self.now), BrokerEvent::Restart);
        }
        self.events.push(self.now + limits::BROKER_REST, BrokerEvent::Rested);
        while !self.rested {
            self.step()?;
        }
        self.model.compare(&self.disk.broker())?;
        for client in &self.clients {
            let lost = client.unacknowledged().find(|id| !self.model.is_spoiled(*id));
            if let Some(lost) = lost.filter(|_| client.is_in) {
                return Err(format!("{} waits for an acknowledgement of {lost} for ever", client.index));
            }
        }
        Ok(())
    }

    /// Runs the next event, or the realm's next deadline if the deadline is not later.
    fn step(&mut self) -> Result<(), String> {
        let deadline = self.realm.as_ref().and_then(Realm::poll_timeout).map(|at| self.realm_began + (at - Time::ZERO));
        match (deadline, self.events.next_at()) {
            (Some(deadline), Some(event)) if deadline <= event => {
                self.now = self.now.max(deadline);
                self.let_deadlines_pass();
            }
            (_, Some(at)) => {
                self.now = self.now.max(at);
                if let Some(event) = self.events.pop() {
                    self.happen(event);
                }
            }
            (_, None) => return Err("nothing is going to happen any more".to_string()),
        }
        self.end_round();
        if self.events.happened() > limits::EVENTS_MAX {
            return Err("there is no end to it".to_string());
        }
        if self.realm.is_some() {
            self.model.check_repairs(self.now)?;
        }
        self.model.met.drain(..).for_each(|row| self.coverage.met(row));
        self.fault.take().map_or(Ok(()), Err)
    }

    /// Records the first fault.
    fn fail(&mut self, what: String) {
        self.fault.get_or_insert(what);
    }

    fn check(&mut self, verdict: Result<(), String>) {
        if let Err(what) = verdict {
            self.fail(what);
        }
    }
}
