//! The clients' side: they connect, enter, act and read.

use core::time::Duration;
use std::collections::{BTreeMap, VecDeque};

use bytes::Bytes;
use serde_json::Value;
use stoa_state::connection_id::ConnectionId;
use stoa_state::outbox::Outbox;
use stoa_wire::limits::PACKET_BYTES_MAX;
use stoa_wire::packet::{
    Connect, Decoder, Disconnect, MqttVersion, Packet, Publish, PublishAck, PublishProperties, Qos, ReasonCode,
    RetainHandling, Subscribe, SubscriptionRequest, Will, encode,
};
use stoa_wire::topic::Topic;

use super::events::SceneSimulationEvent;
use super::{SceneSimulation, SimulatedSceneConnection};
use crate::check;
use crate::client::{SceneEntryPhase, UpdateContinuityResult};
use crate::coverage::SceneSituation;
use crate::limits;
use crate::operations::{self, ActionChoiceInput, ClientAction};

impl SceneSimulation {
    pub(super) fn happen(&mut self, event: SceneSimulationEvent) {
        match event {
            SceneSimulationEvent::ToServer { connection, bytes } => {
                if self.wires.get(&connection).is_some_and(|wire| !wire.lost) {
                    self.server_reads(connection, &bytes);
                }
            }
            SceneSimulationEvent::ToClient { connection, bytes } => {
                if self.wires.get(&connection).is_some_and(|wire| !wire.lost) {
                    self.client_reads(connection, &bytes);
                }
            }
            SceneSimulationEvent::ServerSeesEnd { connection } => self.server_sees_end(connection),
            SceneSimulationEvent::ClientSeesEnd { connection } => self.client_sees_end(connection),
            SceneSimulationEvent::Dial { client } => self.dial(client),
            SceneSimulationEvent::Act { client, connection } if self.clients[client].attached == Some(connection) => {
                self.act(client)
            }
            SceneSimulationEvent::Ping { client, connection } if self.clients[client].attached == Some(connection) => {
                if !self.clients[client].frozen {
                    self.send(client, &Packet::PingReq);
                }
                self.schedule_ping(client);
            }
            SceneSimulationEvent::Ask { client, connection } if self.clients[client].attached == Some(connection) => {
                self.asked(client, connection)
            }
            SceneSimulationEvent::Answered { client, connection, snapshot }
                if self.clients[client].attached == Some(connection) =>
            {
                if self.clients[client].take_snapshot(*snapshot) == UpdateContinuityResult::Gap {
                    self.close_gap(client);
                } else {
                    self.came_in(client);
                }
            }
            SceneSimulationEvent::Act { .. }
            | SceneSimulationEvent::Ping { .. }
            | SceneSimulationEvent::Ask { .. }
            | SceneSimulationEvent::Answered { .. } => {}
            SceneSimulationEvent::Commit { epoch } => self.commit(epoch),
            SceneSimulationEvent::Restart => self.start_server(),
            SceneSimulationEvent::Thaw { client } => self.thaw(client),
        }
    }

    fn dial(&mut self, client: usize) {
        if self.clients[client].phase != SceneEntryPhase::Offline {
            return;
        }
        if self.realm.is_none() {
            self.events.push(self.now + Duration::from_millis(300), SceneSimulationEvent::Dial { client });
            return;
        }
        let clients = &self.clients;
        self.wires.retain(|connection, wire| {
            let kept = wire.server_open || clients[wire.client].attached == Some(*connection);
            if !kept {
                self.round.remove(*connection);
            }
            kept
        });
        self.connections += 1;
        let connection = ConnectionId(self.connections);
        let wire = SimulatedSceneConnection {
            client,
            scene: self.clients[client].scene.clone(),
            decoder: Decoder::new(PACKET_BYTES_MAX),
            server_open: true,
            is_in: false,
            closing: false,
            lost: false,
            up_at: self.now,
            down_at: self.now,
            asked: VecDeque::new(),
            owed: BTreeMap::new(),
        };
        self.wires.insert(connection, wire);
        self.round.insert(connection, Outbox::with_patience(limits::PATIENCE_FRAMES));
        self.open(connection);
        let has_will = self.rng.bool();
        let client = &mut self.clients[client];
        client.forget();
        client.attached = Some(connection);
        client.phase = SceneEntryPhase::Entering;
        client.decoder = Decoder::for_client(client.version);
        let connect = connect(client, connection, has_will);
        let index = self.wires[&connection].client;
        self.send(index, &Packet::Connect(connect));
        self.schedule_ping(index);
    }

    fn send(&mut self, client: usize, packet: &Packet) {
        let Some(connection) = self.clients[client].attached else { return };
        let Some(wire) = self.wires.get_mut(&connection) else { return };
        let bytes = encode(packet, self.clients[client].version).parts().concat();
        let latency = Duration::from_millis(self.rng.u64(1..limits::LATENCY_MAX_MS));
        wire.up_at = wire.up_at.max(self.now + latency);
        self.events.push(wire.up_at, SceneSimulationEvent::ToServer { connection, bytes });
    }

    /// Publishes `payload`; `below` is the topic below the scene.
    fn say(&mut self, client: usize, below: &str, payload: &Value) {
        let topic = format!("realm/s/{}/{below}", self.clients[client].scene);
        let qos = self.qos();
        let packet_id = (qos != Qos::AtMostOnce).then(|| self.clients[client].next_packet_id());
        let publish = Publish {
            topic: Topic::parse(&topic).expect("ids hold no wildcards"),
            payload: Bytes::from(payload.to_string()),
            qos,
            retain: false,
            dup: false,
            packet_id,
            properties: PublishProperties::default(),
        };
        self.send(client, &Packet::Publish(publish));
    }

    fn client_reads(&mut self, connection: ConnectionId, bytes: &[u8]) {
        let client = self.wires[&connection].client;
        if self.clients[client].attached != Some(connection) {
            return;
        }
        self.clients[client].decoder.feed(bytes);
        while self.clients[client].attached == Some(connection) {
            match self.clients[client].decoder.next_packet() {
                Ok(Some(packet)) => self.client_takes(client, packet),
                Ok(None) => return,
                Err(error) => {
                    self.fault = Some(format!("the server's bytes are no packet: {error}"));
                    return;
                }
            }
        }
    }

    fn client_takes(&mut self, client: usize, packet: Packet) {
        match packet {
            Packet::ConnAck(ack) if ack.code == ReasonCode::SUCCESS => {
                let root = format!("realm/s/{}", self.clients[client].scene);
                let filters = [format!("{root}/+/+/+"), format!("{root}/+/+/+/{}/#", self.clients[client].id_tag)];
                let subscriptions = filters.map(subscription).to_vec();
                let packet_id = self.clients[client].next_packet_id();
                self.send(client, &Packet::Subscribe(Subscribe { packet_id, subscriptions, subscription_id: None }));
            }
            Packet::SubAck(acks) if acks.codes.iter().all(|code| !code.is_error()) => {
                match self.clients[client].version {
                    MqttVersion::V5 => {
                        self.clients[client].phase = SceneEntryPhase::Fetching(Vec::new());
                        self.ask(client);
                    }
                    MqttVersion::V311 => {
                        self.clients[client].phase = SceneEntryPhase::Live;
                        self.came_in(client);
                    }
                }
            }
            Packet::ConnAck(_) | Packet::SubAck(_) => {
                self.fault = Some(format!("{} is not let in: {packet:?}", self.clients[client].name));
            }
            Packet::PubRec(PublishAck { packet_id, code, .. }) if !code.is_error() => {
                self.send(client, &Packet::PubRel(PublishAck::success(packet_id)));
            }
            Packet::Publish(publish) => self.client_hears(client, &publish),
            _ => {}
        }
    }

    fn client_hears(&mut self, client: usize, publish: &Publish) {
        let Ok(payload) = serde_json::from_slice::<Value>(&publish.payload) else {
            self.fault = Some(format!("{} receives a payload that is not JSON", self.clients[client].name));
            return;
        };
        if payload["action"] == "returnPersist" {
            let connection = self.clients[client].attached.expect("a client receives on a connection");
            let ought = self.wires.get_mut(&connection).and_then(|wire| wire.asked.pop_front());
            let told = check::told(&check::records(&payload["data"]), &ought.unwrap_or_default());
            self.fault = self.fault.take().or(told.err());
        } else if self.clients[client].hear(publish, payload) == UpdateContinuityResult::Gap {
            self.close_gap(client);
        }
    }

    fn close_gap(&mut self, client: usize) {
        self.coverage.met(SceneSituation::GapClosed);
        self.ask(client);
    }

    /// Requests a snapshot, as over HTTP: on a path of its own, with its own latency.
    fn ask(&mut self, client: usize) {
        let Some(connection) = self.clients[client].attached else { return };
        let latency = Duration::from_millis(self.rng.u64(1..3 * limits::LATENCY_MAX_MS));
        self.events.push(self.now + latency, SceneSimulationEvent::Ask { client, connection });
    }

    /// Announces the client in the scene: camera first, then the join. A client that only closed a gap has done so
    /// before.
    fn came_in(&mut self, client: usize) {
        let Some(connection) = self.clients[client].attached else { return };
        if std::mem::replace(&mut self.clients[client].entered, true) {
            return;
        }
        let sender = self.clients[client].sender(connection);
        for (below, payload) in operations::entrance(&sender) {
            self.say(client, &below, &payload);
        }
        self.schedule_act(client);
    }

    pub(super) fn schedule_act(&mut self, client: usize) {
        let Some(connection) = self.clients[client].attached.filter(|_| !self.is_quiet) else { return };
        if self.clients[client].entered {
            let pause = Duration::from_millis(self.rng.u64(50..limits::PAUSE_MAX_MS));
            self.events.push(self.now + pause, SceneSimulationEvent::Act { client, connection });
        }
    }

    pub(super) fn schedule_ping(&mut self, client: usize) {
        let Some(connection) = self.clients[client].attached.filter(|_| !self.is_quiet) else { return };
        self.events.push(self.now + limits::PING, SceneSimulationEvent::Ping { client, connection });
    }

    fn act(&mut self, client: usize) {
        let Some(connection) = self.clients[client].attached else { return };
        if self.clients[client].frozen || self.clients[client].phase != SceneEntryPhase::Live {
            self.schedule_act(client);
            return;
        }
        let sender = self.clients[client].sender(connection);
        let scene = &self.clients[client].scene;
        let turn = ActionChoiceInput {
            sender: &sender,
            model: &self.models[scene],
            scenes: &self.models,
            missing: self.coverage.missing(),
        };
        let step = operations::choose(&mut self.rng, turn);
        self.operations += 1;
        match step {
            ClientAction::Say(said) => said.iter().for_each(|(below, payload)| self.say(client, below, payload)),
            ClientAction::Lose => self.lose(connection),
            ClientAction::ChangeScene => self.change_scene(client),
            ClientAction::Freeze => {
                self.coverage.met(SceneSituation::TabFrozen);
                self.clients[client].frozen = true;
                self.events.push(self.now + limits::FREEZE, SceneSimulationEvent::Thaw { client });
            }
            ClientAction::Reset => self.reset(client),
            ClientAction::Remove => self.remove_scene(client),
            ClientAction::Crash => self.crash(),
        }
        self.schedule_act(client);
    }

    /// Thaws a client, which reads and writes again.
    pub(super) fn thaw(&mut self, client: usize) {
        self.clients[client].frozen = false;
        let connections: Vec<ConnectionId> = self.wires.keys().copied().collect();
        connections.into_iter().for_each(|connection| self.write_out(connection));
    }

    fn change_scene(&mut self, client: usize) {
        let Some(connection) = self.clients[client].attached else { return };
        self.coverage.met(SceneSituation::SceneChanged);
        let (below, payload) = operations::farewell(&self.clients[client].sender(connection));
        self.say(client, &below, &payload);
        self.send(client, &Packet::Disconnect(Disconnect::default()));
        let other = self.models.keys().find(|name| **name != self.clients[client].scene).cloned();
        self.clients[client].forget();
        self.clients[client].scene = other.expect("there are two scenes");
        let pause = Duration::from_millis(self.rng.u64(0..1_000));
        self.events.push(self.now + pause, SceneSimulationEvent::Dial { client });
    }

    /// Removes a scene. Its clients enter the new one, or reconnect if they can't tell the two apart.
    fn remove_scene(&mut self, client: usize) {
        let name = self.clients[client].scene.clone();
        self.remake_scene(&name);
        for index in 0..self.clients.len() {
            let client = &self.clients[index];
            let Some(connection) = client.attached.filter(|_| client.scene == name) else { continue };
            if client.version == MqttVersion::V311 {
                self.lose(connection);
            } else if client.entered && !client.frozen {
                let entrance = operations::entrance(&client.sender(connection));
                entrance.iter().for_each(|(below, payload)| self.say(index, below, payload));
            }
        }
    }

    /// Breaks a connection. Each side notices at its own time, the server perhaps only after the client has
    /// reconnected.
    pub(super) fn lose(&mut self, connection: ConnectionId) {
        let Some(wire) = self.wires.get_mut(&connection).filter(|wire| !wire.lost) else { return };
        wire.lost = true;
        self.coverage.met(SceneSituation::ConnectionLost);
        let (server, client) = (self.rng.u64(1..3_000), self.rng.u64(1..1_000));
        self.events.push(self.now + Duration::from_millis(server), SceneSimulationEvent::ServerSeesEnd { connection });
        self.events.push(self.now + Duration::from_millis(client), SceneSimulationEvent::ClientSeesEnd { connection });
    }

    fn client_sees_end(&mut self, connection: ConnectionId) {
        let Some(client) = self.wires.get(&connection).map(|wire| wire.client) else { return };
        if self.clients[client].attached != Some(connection) {
            return;
        }
        self.clients[client].forget();
        let pause = Duration::from_millis(self.rng.u64(0..2_000));
        self.events.push(self.now + pause, SceneSimulationEvent::Dial { client });
    }
}

fn subscription(filter: String) -> SubscriptionRequest {
    SubscriptionRequest {
        filter,
        qos: Qos::AtMostOnce,
        no_local: false,
        retain_as_published: false,
        retain_handling: RetainHandling::Send,
    }
}

fn connect(client: &crate::client::SceneClient, connection: ConnectionId, has_will: bool) -> Connect {
    let topic = format!("realm/s/{}/x/{}/{}", client.scene, client.user_client, client.id_tag);
    let payload = format!(r#"{{"object_id":"{}","action":"leave"}}"#, client.id_tag);
    let will = has_will.then(|| Will {
        topic: Topic::parse(&topic).expect("ids hold no wildcards"),
        payload: Bytes::from(payload),
        qos: Qos::ExactlyOnce,
        retain: false,
        delay_s: 0,
        properties: PublishProperties::default(),
    });
    // ARENA's pages have several connections with one identity, and a second tab may use the same token.
    let program = if connection.0.is_multiple_of(3) { "otherTab" } else { "webClient" };
    Connect {
        keep_alive_s: limits::KEEP_ALIVE_S,
        will,
        ..Connect::new(client.version, format!("{program}-{}", client.id_tag))
            .with_credentials(client.name.clone(), Bytes::from_static(b"token"))
    }
}
