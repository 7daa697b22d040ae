//! One run of the scenes' world: a virtual clock, clients and a server that exchange events, and comparisons with the
//! model.

mod clients;
mod events;
mod server;

use core::time::Duration;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use fastrand::Rng;
use stoa_state::connection_id::ConnectionId;
use stoa_state::outbox::Outbox;
use stoa_state::realm::Realm;
use stoa_state::round::OutboxBatcher;
use stoa_state::time::Time;
use stoa_wire::packet::Decoder;
use stoa_wire::topic::SceneName;

use self::events::{SceneEventQueue, SceneSimulationEvent};
use crate::client::{SceneClient, SceneEntryPhase};
use crate::coverage::Coverage;
use crate::disk::SimulatedDisk;
use crate::failure::Failure;
use crate::faults::InjectedSceneFault;
use crate::limits;
use crate::model::SceneModel;
use crate::record::ModelStoredObjects;
use crate::replica::TypeAndAttributes;

/// Summary of a run without disagreement.
#[derive(Clone, Debug, Default)]
pub struct SceneRunSummary {
    /// How often each row occurred.
    pub coverage: Coverage,
    /// Number of the clients' actions.
    pub operations: usize,
    /// Virtual time passed.
    pub lasted: Duration,
}

/// Both ends of one transport connection.
struct SimulatedSceneConnection {
    client: usize,
    scene: SceneName,
    /// Decodes the client's bytes, for the server.
    decoder: Decoder,
    server_open: bool,
    /// The server has accepted its token.
    is_in: bool,
    /// The server has closed it; the client notices after the queued bytes.
    closing: bool,
    /// Nothing is delivered any more.
    lost: bool,
    /// Arrival of the last bytes, in each direction.
    up_at: Time,
    down_at: Time,
    /// Expected answers to the client's `getPersist` requests.
    asked: VecDeque<BTreeMap<String, TypeAndAttributes>>,
    /// Changes that have to be on disk before these packets are acknowledged.
    owed: BTreeMap<u16, u64>,
}

pub(crate) struct SceneSimulation {
    seed: u64,
    bug: Option<InjectedSceneFault>,
    rng: Rng,
    now: Time,
    events: SceneEventQueue,
    /// `None` while the server is down.
    realm: Option<Realm>,
    epoch: u64,
    /// Number of scene openings: each has another epoch.
    openings: u64,
    /// Scenes in which guests may not build.
    guarded: BTreeSet<SceneName>,
    /// Start of the realm's own clock.
    realm_began: Time,
    disk: SimulatedDisk,
    models: BTreeMap<SceneName, SceneModel>,
    /// The model's stored state that is on disk, and the state queued for the next commit.
    durable: BTreeMap<SceneName, ModelStoredObjects>,
    waiting: BTreeMap<SceneName, ModelStoredObjects>,
    clients: Vec<SceneClient>,
    wires: BTreeMap<ConnectionId, SimulatedSceneConnection>,
    /// The outboxes of all wires.
    round: OutboxBatcher<Outbox>,
    connections: u64,
    coverage: Coverage,
    operations: usize,
    /// Clients begin nothing new.
    is_quiet: bool,
    fault: Option<String>,
}

/// Simulates `seed`. Errors: the disagreement, with the command that replays it.
pub fn run(seed: u64) -> Result<SceneRunSummary, Failure> {
    run_with(seed, None)
}

/// Simulates `seed` with a bug planted.
pub fn run_with(seed: u64, bug: Option<InjectedSceneFault>) -> Result<SceneRunSummary, Failure> {
    let mut world = SceneSimulation::new(seed, bug);
    let verdict = world.live();
    let at = world.now - Time::ZERO;
    match verdict {
        Ok(()) => Ok(SceneRunSummary { coverage: world.coverage, operations: world.operations, lasted: at }),
        Err(what) => Err(Failure { seed, at, what, flags: "" }),
    }
}

impl SceneSimulation {
    fn new(seed: u64, bug: Option<InjectedSceneFault>) -> SceneSimulation {
        let scenes = ["public/atrium", "public/garden"].map(|name| name.parse::<SceneName>().expect("is a name"));
        let mut rng = Rng::with_seed(seed);
        let clients =
            (0..limits::CLIENTS).map(|index| SceneClient::new(index, scenes[usize::from(rng.u32(0..4) == 0)].clone()));
        SceneSimulation {
            seed,
            bug,
            clients: clients.collect(),
            rng,
            now: Time::ZERO,
            events: SceneEventQueue::default(),
            realm: None,
            epoch: 0,
            openings: 0,
            guarded: BTreeSet::new(),
            realm_began: Time::ZERO,
            disk: SimulatedDisk::default(),
            models: scenes.map(|name| (name, SceneModel::default())).into(),
            durable: BTreeMap::new(),
            waiting: BTreeMap::new(),
            wires: BTreeMap::new(),
            round: OutboxBatcher::default(),
            connections: 0,
            coverage: Coverage::default(),
            operations: 0,
            is_quiet: false,
            fault: None,
        }
    }

    fn live(&mut self) -> Result<(), String> {
        self.start_server();
        for client in 0..limits::CLIENTS {
            let earliest = if client < limits::EARLY_CLIENTS { 0 } else { 20_000 };
            let after = Duration::from_millis(earliest + self.rng.u64(0..2_000));
            self.events.push(self.now + after, SceneSimulationEvent::Dial { client });
        }
        for round in 1..=limits::ROUNDS {
            let enough = limits::OPERATIONS_MIN * round / limits::ROUNDS;
            let is_last = round == limits::ROUNDS;
            self.go_on(|world| world.operations >= enough && !(is_last && world.coverage.missing().is_some()))?;
            self.come_to_rest()?;
            self.compare()?;
        }
        self.crash();
        self.come_to_rest()?;
        self.compare()
    }

    /// Runs until `enough`.
    fn go_on(&mut self, enough: impl Fn(&SceneSimulation) -> bool) -> Result<(), String> {
        self.is_quiet = false;
        for client in 0..self.clients.len() {
            self.schedule_act(client);
            self.schedule_ping(client);
        }
        while !enough(self) {
            if self.operations > limits::OPERATIONS_MAX {
                return Err(format!("{:?} was never met", self.coverage.missing()));
            }
            self.step()?;
        }
        Ok(())
    }

    /// Clients begin nothing new, messages in flight arrive, and clients reconnect or thaw.
    fn come_to_rest(&mut self) -> Result<(), String> {
        self.is_quiet = true;
        self.events.drop_initiative();
        for client in 0..self.clients.len() {
            if self.clients[client].phase == SceneEntryPhase::Offline && !self.events.dials(client) {
                self.events.push(self.now, SceneSimulationEvent::Dial { client });
            }
        }
        while !self.events.is_empty() {
            self.step()?;
        }
        Ok(())
    }

    /// Runs the next event, or the realm's next deadline if the deadline is not later.
    fn step(&mut self) -> Result<(), String> {
        let deadline = self.realm.as_ref().and_then(Realm::poll_timeout).map(|at| self.realm_began + (at - Time::ZERO));
        let event_at = self.events.next_at();
        match (deadline, event_at) {
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
        for model in self.models.values_mut() {
            model.met.drain(..).for_each(|row| self.coverage.met(row));
        }
        self.fault.take().map_or(Ok(()), Err)
    }
}
