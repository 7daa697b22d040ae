//! The server's side: drives the realm as the real server does, and executes its outputs.

use core::time::Duration;

use serde_json::Value;
use stoa_state::batch::OutboxChunk;
use stoa_state::connection_id::ConnectionId;
use stoa_state::grant::{Role, SceneSettings};
use stoa_state::origin::ConnectionOrigin;
use stoa_state::realm::{
    Command, CommandAnswer, CommandId, Realm, RealmCounter, RealmOutput, RealmStartParameters, StoreWrite,
};
use stoa_state::round::OutboxBatcher;
use stoa_state::scene::StoredScene;
use stoa_state::time::{Time, UnixSeconds};
use stoa_wire::packet::{EncodedPacket, Packet, Publish, Qos};
use stoa_wire::topic::SceneName;

use super::SceneSimulation;
use super::events::SceneSimulationEvent;
use crate::check;
use crate::client::{SceneClient, SceneEntryPhase};
use crate::coverage::SceneSituation;
use crate::faults::{self, InjectedSceneFault};
use crate::limits;
use crate::model::{ModelInputMessage, SceneModel};
use crate::record::ModelStoredObjects;
use crate::replica::SceneReplica;

/// Wall clock at the start of every run.
const UNIX_S: u64 = 1_800_000_000;

impl SceneSimulation {
    pub(super) fn start_server(&mut self) {
        self.epoch += 1;
        let began_s = (self.now - Time::ZERO).as_secs();
        self.realm_began = Time::from_secs(began_s);
        let start = RealmStartParameters {
            unix_at_zero: UnixSeconds(UNIX_S + began_s),
            seed: self.seed,
            motion: stoa_state::motion::MotionSettings::default(),
        };
        self.realm = Some(Realm::new(start));
        let names: Vec<_> = self.models.keys().cloned().collect();
        for name in names {
            let stored = self.disk.scene(&name);
            let records = self.durable.get(&name).cloned().unwrap_or_default();
            self.models.insert(name.clone(), SceneModel::restored(records));
            self.open_scene(name, stored);
        }
        let kept = self.disk.broker();
        self.command(Command::RestoreBroker { kept });
    }

    fn open_scene(&mut self, name: SceneName, stored: StoredScene) {
        self.openings += 1;
        let settings = SceneSettings { public_write: !self.guarded.contains(&name), ..SceneSettings::default() };
        self.command(Command::OpenScene { name, epoch: self.openings, settings, stored });
    }

    /// Removes the scene and creates it again under the same name, sometimes without building rights for guests.
    pub(super) fn remake_scene(&mut self, name: &SceneName) {
        self.coverage.met(SceneSituation::SceneRemoved);
        self.disk.remake(name, self.openings + 1);
        self.durable.remove(name);
        self.waiting.remove(name);
        self.models.entry(name.clone()).or_default().crash();
        self.command(Command::CloseScene { name: name.clone() });
        if !self.guarded.remove(name) && self.rng.bool() {
            self.guarded.insert(name.clone());
        }
        let builders = self.guest_builders(name);
        self.open_scene(name.clone(), StoredScene::default());
        if builders > 0 && self.guarded.contains(name) {
            self.coverage.met(SceneSituation::GrantOutdated);
            if self.guest_builders(name) > 0 {
                self.fault = Some(format!("a grant to build in the {name} of before still holds"));
            }
        }
    }

    /// Number of connections with a grant that lets a guest build in the scene.
    fn guest_builders(&self, name: &SceneName) -> usize {
        let builds = |client: &SceneClient| {
            client.guest && client.role == Role::Editor && client.phase != SceneEntryPhase::Offline
        };
        let wires = self.wires.values().filter(|wire| wire.server_open && wire.is_in && wire.scene == *name);
        wires.filter(|wire| builds(&self.clients[wire.client])).count()
    }

    /// Crashes the server: unwritten state and all connections are lost.
    pub(super) fn crash(&mut self) {
        if self.realm.is_none() {
            return;
        }
        self.coverage.met(SceneSituation::ServerCrashed);
        self.realm = None;
        // Each realm numbers its own groups, so the next realm uses the same numbers for different groups.
        self.round = OutboxBatcher::default();
        self.disk.crash();
        self.waiting.clear();
        let connections: Vec<ConnectionId> = self.wires.keys().copied().collect();
        for connection in connections {
            self.lose(connection);
            if let Some(wire) = self.wires.get_mut(&connection) {
                wire.server_open = false;
            }
        }
        for model in self.models.values_mut() {
            model.crash();
        }
        let down = Duration::from_millis(self.rng.u64(100..4_000));
        self.events.push(self.now + down, SceneSimulationEvent::Restart);
    }

    fn wall_ms(&self) -> u64 {
        UNIX_S * 1_000 + (self.now.as_nanos() / 1_000_000)
    }

    /// Passes one input to the realm and returns its outputs.
    fn feed(&mut self, input: impl FnOnce(&mut Realm, Time)) -> Vec<RealmOutput> {
        let now = Time::ZERO + (self.now - self.realm_began);
        let Some(realm) = &mut self.realm else { return Vec::new() };
        input(realm, now);
        std::iter::from_fn(|| realm.poll_output()).collect()
    }

    pub(super) fn let_deadlines_pass(&mut self) {
        let outputs = self.feed(Realm::handle_timeout);
        let wall_ms = self.wall_ms();
        self.models.values_mut().for_each(|model| model.expire(wall_ms));
        self.obey(outputs);
    }

    pub(super) fn open(&mut self, connection: ConnectionId) {
        let outputs = self.feed(|realm, now| realm.handle_opened(connection, ConnectionOrigin::Here, now));
        self.obey(outputs);
    }

    /// Ends a connection on the server's side.
    pub(super) fn server_sees_end(&mut self, connection: ConnectionId) {
        if self.wires.get(&connection).is_none_or(|wire| !wire.server_open) {
            return;
        }
        self.end_in_model(connection);
        let outputs = self.feed(|realm, now| realm.handle_closed(connection, now));
        self.obey(outputs);
    }

    fn end_in_model(&mut self, connection: ConnectionId) {
        if let Some(wire) = self.wires.get_mut(&connection) {
            wire.server_open = false;
            self.models.entry(wire.scene.clone()).or_default().connection_ended(connection.0);
        }
    }

    /// Handles bytes of a client.
    pub(super) fn server_reads(&mut self, connection: ConnectionId, bytes: &[u8]) {
        let Some(wire) = self.wires.get_mut(&connection).filter(|wire| wire.server_open) else { return };
        wire.decoder.feed(bytes);
        while let Some(wire) = self.wires.get_mut(&connection) {
            match wire.decoder.next_packet() {
                Ok(Some(Packet::Publish(publish))) => self.take(connection, publish),
                Ok(Some(packet)) => {
                    let outputs = self.feed(|realm, now| realm.handle_packet(connection, packet, now));
                    self.obey(outputs);
                }
                Ok(None) => return,
                Err(error) => {
                    self.fault = Some(format!("a client's bytes are no packet: {error}"));
                    return;
                }
            }
        }
    }

    /// Handles a message: realm and model must decide alike.
    fn take(&mut self, connection: ConnectionId, publish: Publish) {
        let Some(wire) = self.wires.get(&connection).filter(|wire| wire.server_open) else { return };
        let (client, scene) = (wire.client, wire.scene.clone());
        let sender = self.clients[client].sender(connection);
        let payload: Value = serde_json::from_slice(&publish.payload).unwrap_or(Value::Null);
        let mut tampered = publish.clone();
        faults::tamper_publish(self.bug, &mut tampered);
        let outputs = self.feed(|realm, now| realm.handle_packet(connection, Packet::Publish(tampered), now));
        let template = self.template(&payload);
        let incoming = ModelInputMessage {
            sender: &sender,
            topic: publish.topic.as_str(),
            payload: &payload,
            now_ms: self.wall_ms(),
            template: template.as_ref().map(|(name, records)| (records, *name != scene)),
        };
        let model = self.models.entry(scene).or_default();
        let ought = model.message(incoming);
        if payload["action"] == "getPersist" && ought.is_ok() && publish.topic.as_str().split('/').count() == 7 {
            let records = model.records(payload["data"]["type"].as_str());
            self.wires.entry(connection).and_modify(|wire| wire.asked.push_back(records));
        }
        let verdict = outputs.iter().find_map(|output| match output {
            RealmOutput::Count { counter: RealmCounter::Accepted, .. } => Some(Ok(())),
            RealmOutput::Count { counter: RealmCounter::Refused, reason, .. } => {
                Some(Err(reason.unwrap_or("no reason")))
            }
            _ => None,
        });
        if verdict != Some(ought) {
            let topic = publish.topic.as_str();
            self.fault = Some(format!("{payload} on {topic} is {verdict:?}, but ought to be {ought:?}"));
        }
        if let Some(packet_id) = publish.packet_id {
            self.note_debt(connection, packet_id, &outputs);
        }
        self.obey(outputs);
    }

    /// Stored objects of the scene that a `loadTemplate` names.
    fn template(&self, payload: &Value) -> Option<(SceneName, ModelStoredObjects)> {
        let asked = payload.get("data").filter(|_| payload["action"] == "loadTemplate")?;
        let (namespace, scene) = (asked["templateNamespace"].as_str()?, asked["templateSceneId"].as_str()?);
        let name = SceneName::new(namespace, scene).ok()?;
        Some((name.clone(), self.models.get(&name)?.stored.clone()))
    }

    fn note_debt(&mut self, connection: ConnectionId, packet_id: u16, outputs: &[RealmOutput]) {
        let stored = outputs.iter().filter_map(|output| match output {
            RealmOutput::Store { sequence, .. } => Some(*sequence),
            _ => None,
        });
        if let (Some(sequence), Some(wire)) = (stored.max(), self.wires.get_mut(&connection)) {
            wire.owed.insert(packet_id, sequence);
        }
    }

    pub(super) fn commit(&mut self, epoch: u64) {
        if epoch != self.epoch || self.realm.is_none() {
            return;
        }
        match self.disk.commit() {
            Err(what) => self.fault = Some(what),
            Ok(sequence) => {
                self.durable.append(&mut self.waiting);
                let outputs = self.feed(|realm, now| realm.handle_stored(sequence, now));
                self.obey(outputs);
            }
        }
    }

    /// Runs a command of the server itself, which is answered at once.
    pub(super) fn command(&mut self, command: Command) -> Option<CommandAnswer> {
        let mut outputs = self.feed(|realm, now| realm.handle_command(CommandId(1), command, now));
        let position = outputs.iter().position(|output| matches!(output, RealmOutput::Answer { .. }));
        let answer = position.map(|position| outputs.remove(position));
        self.obey(outputs);
        match answer {
            Some(RealmOutput::Answer { answer, .. }) => Some(answer),
            _ => None,
        }
    }

    pub(super) fn reset(&mut self, client: usize) {
        let name = self.clients[client].scene.clone();
        self.models.entry(name.clone()).or_default().clear();
        let keep = std::collections::BTreeSet::new();
        let clear = Command::ClearScene { name, author: "owner".to_string(), keep };
        let answer = self.command(clear);
        assert!(!matches!(answer, Some(CommandAnswer::Continues)), "its scenes are small");
    }

    fn obey(&mut self, outputs: Vec<RealmOutput>) {
        for output in outputs {
            match output {
                RealmOutput::Send { connection, frame, class } => {
                    self.check_debt(connection, &frame);
                    self.round.send(connection, frame, class);
                }
                RealmOutput::Share { group, frame, class } => self.round.share(&group, frame, class),
                RealmOutput::Authenticate { connection, .. } => {
                    let Some(wire) = self.wires.get_mut(&connection) else { continue };
                    wire.is_in = true;
                    let client = &mut self.clients[wire.client];
                    if client.guest && client.role != Role::Viewer || client.is_demoted {
                        client.is_demoted = self.guarded.contains(&wire.scene);
                        client.role = if client.is_demoted { Role::Viewer } else { Role::Editor };
                    }
                    let claims = client.claims();
                    let outputs = self.feed(|realm, now| realm.handle_authenticated(connection, Ok(claims), now));
                    self.obey(outputs);
                }
                RealmOutput::Close { connection } => {
                    self.end_in_model(connection);
                    if let Some(wire) = self.wires.get_mut(&connection) {
                        wire.closing = true;
                    }
                }
                RealmOutput::Store { sequence, write: StoreWrite::Broker(write), .. } => {
                    self.append(sequence, Some(StoreWrite::Broker(write)));
                }
                RealmOutput::Store { sequence, write: StoreWrite::Change(change), .. } => {
                    let name = change.scene.clone();
                    let records = self.models.entry(name.clone()).or_default().stored.clone();
                    self.waiting.insert(name, records);
                    let change = Some(change).filter(|change| !faults::loses(self.bug, change));
                    self.append(sequence, change.map(StoreWrite::Change));
                    if self.bug == Some(InjectedSceneFault::EarlyAcknowledgement) {
                        let outputs = self.feed(|realm, now| realm.handle_stored(sequence, now));
                        self.obey(outputs);
                    }
                }
                RealmOutput::WriteRecords { job } => {
                    let outputs = self.feed(|realm, now| realm.handle_records(job.write(), now));
                    self.obey(outputs);
                }
                RealmOutput::Answer { .. } | RealmOutput::Count { .. } | RealmOutput::SlowReading { .. } => {}
                // No template here is copied in pieces, and no client requests the motion plane.
                RealmOutput::PauseReading { .. }
                | RealmOutput::ResumeReading { .. }
                | RealmOutput::MotionGranted { .. }
                | RealmOutput::MotionGrantEnded { .. }
                | RealmOutput::MotionChanged { .. }
                | RealmOutput::PoseFromMqtt { .. }
                | RealmOutput::BridgedPoseEnded { .. }
                | RealmOutput::Followed { .. } => {}
            }
        }
    }

    /// Ends the batch of one event's inputs: passes the outputs to the outboxes and onto the wires.
    pub(super) fn end_round(&mut self) {
        loop {
            self.round.end(|_, _| ());
            let Some(connection) = self.round.poll_overflowed() else { break };
            let outputs = self.feed(|realm, now| realm.handle_overflow(connection, now));
            self.obey(outputs);
        }
        let connections: Vec<ConnectionId> = self.wires.keys().copied().collect();
        connections.into_iter().for_each(|connection| self.write_out(connection));
    }

    fn append(&mut self, sequence: u64, write: Option<StoreWrite>) {
        if self.disk.append(sequence, write) {
            self.events.push(self.now + limits::COMMIT, SceneSimulationEvent::Commit { epoch: self.epoch });
        }
    }

    /// Moves an outbox's bytes onto the wire, unless the client does not read.
    pub(super) fn write_out(&mut self, connection: ConnectionId) {
        let Some(wire) = self.wires.get_mut(&connection) else { return };
        let Some(outbox) = self.round.sink(connection) else { return };
        if self.clients[wire.client].frozen || (outbox.is_empty() && !wire.closing) {
            return;
        }
        let mut pieces: Vec<OutboxChunk> = Vec::new();
        outbox.take(usize::MAX, &mut pieces);
        let bytes = pieces.iter().flat_map(|piece| match piece {
            OutboxChunk::Frame(frame) => frame.parts().concat(),
            OutboxChunk::Run(run) => run.bytes().to_vec(),
        });
        let bytes = bytes.collect();
        let latency = Duration::from_millis(self.rng.u64(1..limits::LATENCY_MAX_MS));
        wire.down_at = wire.down_at.max(self.now + latency);
        self.events.push(wire.down_at, SceneSimulationEvent::ToClient { connection, bytes });
        if std::mem::take(&mut wire.closing) {
            self.events.push(wire.down_at, SceneSimulationEvent::ClientSeesEnd { connection });
        }
    }

    /// Checks that an acknowledgement's changes are on disk.
    fn check_debt(&mut self, connection: ConnectionId, frame: &EncodedPacket) {
        let bytes = frame.parts().concat();
        let (Some(kind), Some(packet_id)) = (bytes.first().map(|byte| byte >> 4), bytes.get(2..4)) else { return };
        let is_good = bytes.get(4).is_none_or(|code| *code < 0x80);
        if !matches!(kind, 4 | 5) || !is_good {
            return;
        }
        let packet_id = u16::from_be_bytes([packet_id[0], packet_id[1]]);
        let owed = self.wires.get_mut(&connection).and_then(|wire| wire.owed.remove(&packet_id));
        let written = self.disk.written;
        if let Some(sequence) = owed.filter(|sequence| *sequence > written) {
            self.fault = Some(format!("packet {packet_id} is acknowledged, but its change {sequence} is not on disk"));
        }
    }

    /// Handles a client's request for a snapshot.
    pub(super) fn asked(&mut self, client: usize, connection: ConnectionId) {
        let name = self.clients[client].scene.clone();
        let Some(CommandAnswer::Snapshot(snapshot)) = self.command(Command::Snapshot { name }) else { return };
        let mut messages = snapshot.messages();
        faults::tamper_snapshot(self.bug, &mut messages);
        let snapshot = Box::new(SceneReplica::of(snapshot.epoch, snapshot.revision, &messages));
        let latency = Duration::from_millis(self.rng.u64(1..3 * limits::LATENCY_MAX_MS));
        self.events.push(self.now + latency, SceneSimulationEvent::Answered { client, connection, snapshot });
    }

    /// Compares everything with the model.
    pub(super) fn compare(&mut self) -> Result<(), String> {
        let names: Vec<_> = self.models.keys().cloned().collect();
        for name in names {
            let Some(CommandAnswer::Snapshot(snapshot)) = self.command(Command::Snapshot { name: name.clone() }) else {
                return Err(format!("{name} gives no snapshot"));
            };
            let wanted = Command::Records { name: name.clone(), object_id: None, object_type: None };
            let Some(CommandAnswer::Records(records)) = self.command(wanted) else {
                return Err(format!("{name} gives no records"));
            };
            let model = &self.models[&name];
            let present = SceneReplica::of(snapshot.epoch, snapshot.revision, &snapshot.messages());
            let records = serde_json::to_value(&records).map_err(|error| error.to_string())?;
            let in_scene = |what: String| format!("{name}: {what}");
            check::told(&check::records(&records), &model.records(None)).map_err(in_scene)?;
            check::disk(&self.disk.scene(&name), model).map_err(in_scene)?;
            check::live(&present, model).map_err(in_scene)?;
            for client in
                self.clients.iter().filter(|client| client.scene == name && client.phase == SceneEntryPhase::Live)
            {
                let knows_objects = client.version == stoa_wire::packet::MqttVersion::V5;
                check::replica(&client.name, &client.replica, &present, knows_objects).map_err(in_scene)?;
            }
        }
        let away = self.clients.iter().find(|client| client.phase != SceneEntryPhase::Live);
        away.map_or(Ok(()), |client| Err(format!("{} never came in: {:?}", client.name, client.phase)))
    }

    pub(super) fn qos(&mut self) -> Qos {
        [Qos::AtMostOnce, Qos::AtLeastOnce, Qos::AtLeastOnce, Qos::ExactlyOnce][self.rng.usize(0..4)]
    }
}
