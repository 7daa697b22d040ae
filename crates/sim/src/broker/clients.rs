//! The clients' side: they connect, publish, subscribe, receive and answer.

use core::time::Duration;
use std::collections::VecDeque;

use bytes::Bytes;
use stoa_state::connection_id::ConnectionId;
use stoa_state::outbox::Outbox;
use stoa_wire::limits::PACKET_BYTES_MAX;
use stoa_wire::packet::{
    Connect, Decoder, Disconnect, MqttVersion, Packet, Publish, PublishAck, PublishProperties, Qos, ReasonCode,
    RetainHandling, Subscribe, SubscriptionRequest, Unsubscribe, Will, encode,
};
use stoa_wire::topic::Topic;

use super::client::number;
use super::model::ModelTokenRights;
use super::situations::BrokerSituation;
use super::{BrokerEvent, BrokerSimulation, SimulatedBrokerConnection};
use crate::limits;

/// Topics that clients publish on; no client may use the last.
const TOPICS: [&str; 8] = ["t/1", "t/1", "t/2", "t/2", "u/1", "job/1", "task/1", "x/1"];

/// Filters that clients subscribe to; no client may use the last.
const FILTERS: [&str; 9] = ["t/1", "t/+", "t/#", "u/#", "u/1", "w/#", "$share/g/job/+", "$share/h/task/#", "x/#"];

impl BrokerSimulation {
    pub(super) fn happen(&mut self, event: BrokerEvent) {
        match event {
            BrokerEvent::ToServer { connection, bytes } => {
                if self.wires.get(&connection).is_some_and(|wire| !wire.lost) {
                    self.server_reads(connection, &bytes);
                }
            }
            BrokerEvent::ToClient { connection, bytes } => {
                if self.wires.get(&connection).is_some_and(|wire| !wire.lost) {
                    self.client_reads(connection, &bytes);
                }
            }
            BrokerEvent::ServerSeesEnd { connection } => self.server_sees_end(connection),
            BrokerEvent::ClientSeesEnd { connection } => self.client_sees_end(connection),
            BrokerEvent::Dial { client } => self.dial(client),
            BrokerEvent::Act { client, connection } if self.clients[client].attached == Some(connection) => {
                self.act(client)
            }
            BrokerEvent::Reply { client, connection, packet } if self.clients[client].attached == Some(connection) => {
                if let Packet::PubComp(ack) = &*packet {
                    self.clients[client].received.remove(&ack.packet_id);
                }
                self.send(client, &packet);
            }
            BrokerEvent::Act { .. } | BrokerEvent::Reply { .. } => {}
            BrokerEvent::Commit { start } => self.commit(start),
            BrokerEvent::Restart => self.start_server(),
            BrokerEvent::Rested => self.rested = true,
        }
    }

    fn dial(&mut self, client: usize) {
        if self.clients[client].attached.is_some() {
            return;
        }
        if self.realm.is_none() {
            self.events.push(self.now + Duration::from_millis(300), BrokerEvent::Dial { client });
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
        let wire = SimulatedBrokerConnection {
            client,
            decoder: Decoder::new(PACKET_BYTES_MAX),
            probe: None,
            connect: None,
            ought_present: None,
            may_close: false,
            server_open: true,
            closing: false,
            lost: false,
            up_at: self.now,
            down_at: self.now,
            under_way: VecDeque::new(),
        };
        self.wires.insert(connection, wire);
        self.round.insert(connection, Outbox::new());
        self.open(connection);
        self.renew_token(client);
        let connect = self.connect(client);
        let client = &mut self.clients[client];
        client.expiry_s = connect.session_expiry_s.unwrap_or(0);
        client.attached = Some(connection);
        client.is_in = false;
        client.decoder = Decoder::for_client(client.version);
        if connect.clean_start {
            client.forget_session();
            client.forgotten_at = Some(u64::MAX);
        }
        let index = client.index;
        self.send(index, &Packet::Connect(connect));
    }

    /// Replaces a revoked token, sometimes by one with fewer rights. Sometimes the client notices only when it is
    /// refused.
    fn renew_token(&mut self, client: usize) {
        let token = self.clients[client].token;
        let is_tried = self.rng.u32(0..4) == 0 && !self.is_quiet;
        if token == 0 || self.revoked.contains(&token) && !is_tried || self.rng.u32(0..12) == 0 {
            self.tokens += 1;
            self.clients[client].token = self.tokens;
            self.clients[client].rights = ModelTokenRights { is_narrow: self.rng.u32(0..3) == 0 };
        }
    }

    fn connect(&mut self, client: usize) -> Connect {
        let (version, lasts) = (self.clients[client].version, self.clients[client].lasts);
        let rng = &mut self.rng;
        // A client that has forgotten a session must not find it.
        let forgotten_at = &mut self.clients[client].forgotten_at;
        forgotten_at.take_if(|at| self.model.is_session_durable(client, *at));
        let may_find = forgotten_at.is_none();
        let is_clean =
            !may_find || if lasts { rng.u32(0..10) == 0 } else { version == MqttVersion::V311 || rng.bool() };
        let expiry_s = if lasts { [0, 5, 20, 60, 600, 600][rng.usize(0..6)] } else { 0 };
        let will = rng.bool().then(|| {
            self.messages += 1;
            let delay_s = [0, 0, 1, 3, 10, 40][rng.usize(0..6)];
            let topic = if rng.u32(0..4) == 0 { format!("u/w{client}") } else { format!("w/{client}") };
            Will {
                topic: Topic::parse(&topic).expect("is a topic"),
                payload: Bytes::from(self.messages.to_string()),
                qos: [Qos::AtMostOnce, Qos::AtLeastOnce, Qos::ExactlyOnce][rng.usize(0..3)],
                retain: rng.u32(0..4) == 0,
                delay_s: if version == MqttVersion::V5 { delay_s } else { 0 },
                properties: PublishProperties::default(),
            }
        });
        let client = &self.clients[client];
        Connect {
            clean_start: is_clean,
            keep_alive_s: limits::KEEP_ALIVE_S,
            will,
            session_expiry_s: (version == MqttVersion::V5).then_some(expiry_s),
            receive_max: client.receive_max,
            ..Connect::new(version, format!("client-{}", client.index))
                .with_credentials(client.subject.clone(), Bytes::from_static(b"token"))
        }
    }

    fn send(&mut self, client: usize, packet: &Packet) {
        let Some(connection) = self.clients[client].attached else { return };
        let Some(wire) = self.wires.get_mut(&connection) else { return };
        let bytes = encode(packet, self.clients[client].version).parts().concat();
        let latency = Duration::from_millis(self.rng.u64(1..limits::LATENCY_MAX_MS));
        wire.up_at = wire.up_at.max(self.now + latency);
        self.events.push(wire.up_at, BrokerEvent::ToServer { connection, bytes });
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
                Err(error) => return self.fail(format!("the server's bytes are no packet: {error}")),
            }
        }
    }

    fn client_takes(&mut self, client: usize, packet: Packet) {
        match packet {
            Packet::ConnAck(ack) if ack.code == ReasonCode::SUCCESS => self.handle_connack(client, ack.session_present),
            Packet::Publish(publish) => self.client_receives(client, &publish),
            Packet::PubAck(ack) => self.client_is_acknowledged(client, &ack, true),
            Packet::PubRec(ack) => self.client_is_acknowledged(client, &ack, false),
            Packet::PubComp(ack) => {
                let client = &mut self.clients[client];
                client.position_of(ack.packet_id).map(|position| client.unacknowledged.remove(&position));
            }
            Packet::PubRel(ack) => self.reply(client, Packet::PubComp(PublishAck::success(ack.packet_id))),
            _ => {}
        }
    }

    /// Publishes unacknowledged messages again; in a new session, subscribes instead.
    fn handle_connack(&mut self, index: usize, is_present: bool) {
        let client = &mut self.clients[index];
        client.is_in = true;
        if !is_present {
            client.forgotten_at = Some(self.model.clock());
            client.forget_session();
        }
        let again = client.unacknowledged.values().map(|each| match each.is_received {
            true => Packet::PubRel(PublishAck::success(each.publish.packet_id.expect("is not of QoS 0"))),
            false => Packet::Publish(Publish { dup: true, ..each.publish.clone() }),
        });
        for packet in again.collect::<Vec<_>>() {
            self.send(index, &packet);
        }
        if !is_present {
            for _ in 0..3 {
                self.subscribe(index);
            }
        }
        self.schedule_act(index);
    }

    fn client_receives(&mut self, client: usize, publish: &Publish) {
        let Some(connection) = self.clients[client].attached else { return };
        let received_message = (number(&publish.payload), publish.packet_id);
        let expected = self.wires.get_mut(&connection).and_then(|wire| wire.under_way.pop_front());
        if expected != Some(received_message) {
            self.fail(format!("{client} receives {received_message:?}, but the next message sent is {expected:?}"));
        }
        let (Some(packet_id), id) = (publish.packet_id, received_message.0) else { return };
        let ack = PublishAck::success(packet_id);
        if publish.qos == Qos::AtLeastOnce {
            return self.reply(client, Packet::PubAck(ack));
        }
        let is_new = self.clients[client].received.insert(packet_id);
        // A retained message is sent once per subscription.
        let counts = is_new && !publish.retain && id != 0;
        if counts && !self.clients[client].exactly_once_ids.insert(id) && !self.model.is_spoiled(id) {
            self.fail(format!("{client} receives {id} twice, at QoS 2"));
        }
        self.reply(client, Packet::PubRec(ack));
    }

    /// Answers a message, now or later.
    fn reply(&mut self, client: usize, packet: Packet) {
        let Some(connection) = self.clients[client].attached else { return };
        let slow = if self.is_quiet || self.rng.u32(0..4) > 0 { 30 } else { 3_000 };
        let after = Duration::from_millis(self.rng.u64(0..slow));
        self.events.push(self.now + after, BrokerEvent::Reply { client, connection, packet: Box::new(packet) });
    }

    /// Handles a PUBACK or PUBREC.
    fn client_is_acknowledged(&mut self, index: usize, ack: &PublishAck, is_done: bool) {
        let client = &mut self.clients[index];
        let Some(position) = client.position_of(ack.packet_id) else { return };
        let Some(unacked) = client.unacknowledged.get_mut(&position) else { return };
        let (id, is_allowed) = (unacked.id, client.rights.cover(unacked.publish.topic.as_str()));
        unacked.is_received = true;
        if is_done || ack.code.is_error() {
            client.unacknowledged.remove(&position);
        }
        if is_allowed && !ack.code.is_error() && !self.model.was_accepted(id) {
            self.fail(format!("{index} gets an acknowledgement of {id}, which was never accepted"));
        }
        if !is_done && !ack.code.is_error() {
            self.send(index, &Packet::PubRel(PublishAck::success(ack.packet_id)));
        }
    }

    pub(super) fn schedule_act(&mut self, client: usize) {
        let Some(connection) = self.clients[client].attached.filter(|_| !self.is_quiet) else { return };
        if self.clients[client].is_in {
            let pause = Duration::from_millis(self.rng.u64(20..limits::PAUSE_MAX_MS / 2));
            self.events.push(self.now + pause, BrokerEvent::Act { client, connection });
        }
    }

    fn act(&mut self, client: usize) {
        let Some(connection) = self.clients[client].attached else { return };
        self.operations += 1;
        match self.rng.u32(0..100) {
            0..58 => self.publish(client),
            58..70 => self.subscribe(client),
            70..76 => self.unsubscribe(client),
            76..85 => self.lose(connection),
            85..91 => self.leave(client),
            91..95 => self.take_over(client),
            95..97 => self.crash(),
            _ => {
                let other = self.rng.usize(0..self.clients.len());
                self.revoke(self.clients[other].token);
            }
        }
        self.schedule_act(client);
    }

    fn publish(&mut self, index: usize) {
        let client = &self.clients[index];
        let qos = [Qos::AtMostOnce, Qos::AtLeastOnce, Qos::ExactlyOnce][self.rng.usize(0..3)];
        let topic = TOPICS[self.rng.usize(0..TOPICS.len())];
        let is_doubtful = client.version == MqttVersion::V311 && !ModelTokenRights { is_narrow: true }.cover(topic);
        let qos = if client.unacknowledged.len() >= limits::UNACKNOWLEDGED_MAX { Qos::AtMostOnce } else { qos };
        // MQTT 3.1.1 has no refusal of a PUBLISH. The client would continue QoS 2 for a topic that its token, now
        // or later, doesn't cover.
        let qos = if is_doubtful { qos.min(Qos::AtLeastOnce) } else { qos };
        let packet_id = (qos > Qos::AtMostOnce).then(|| client.free_packet_id());
        let retain = self.rng.u32(0..6) == 0 && (topic.starts_with('t') || topic.starts_with('u'));
        let is_clearing = retain && self.rng.u32(0..4) == 0;
        self.messages += 1;
        let id = if is_clearing { 0 } else { self.messages };
        let publish = Publish {
            topic: Topic::parse(topic).expect("is a topic"),
            payload: if is_clearing { Bytes::new() } else { Bytes::from(id.to_string()) },
            qos,
            retain,
            dup: false,
            packet_id,
            properties: PublishProperties::default(),
        };
        if qos > Qos::AtMostOnce {
            self.clients[index].note_published(publish.clone(), id);
        }
        self.send(index, &Packet::Publish(publish));
    }

    fn subscribe(&mut self, index: usize) {
        let packet_id = self.clients[index].next_request_id();
        let is_newer = self.clients[index].version == MqttVersion::V5;
        let rng = &mut self.rng;
        let count = rng.usize(1..3);
        let mut filters: Vec<&str> = (0..count).map(|_| FILTERS[rng.usize(0..FILTERS.len())]).collect();
        filters.dedup();
        let subscription = |filter: &str| SubscriptionRequest {
            filter: filter.to_string(),
            qos: [Qos::AtMostOnce, Qos::AtLeastOnce, Qos::ExactlyOnce, Qos::ExactlyOnce][rng.usize(0..4)],
            no_local: false,
            retain_as_published: false,
            retain_handling: match rng.u32(0..4) {
                0 if is_newer => RetainHandling::DoNotSend,
                1 if is_newer => RetainHandling::SendIfNew,
                _ => RetainHandling::Send,
            },
        };
        let subscriptions = filters.into_iter().map(subscription).collect();
        self.send(index, &Packet::Subscribe(Subscribe { packet_id, subscriptions, subscription_id: None }));
    }

    fn unsubscribe(&mut self, index: usize) {
        let packet_id = self.clients[index].next_request_id();
        let filters = vec![FILTERS[self.rng.usize(0..FILTERS.len())].to_string()];
        self.send(index, &Packet::Unsubscribe(Unsubscribe { packet_id, filters }));
    }

    /// Sends a DISCONNECT, perhaps with its will, perhaps with another session expiry.
    fn leave(&mut self, index: usize) {
        let Some(connection) = self.clients[index].attached else { return };
        let is_newer = self.clients[index].version == MqttVersion::V5;
        let with_will = is_newer && self.rng.u32(0..3) == 0;
        let may_change = is_newer && self.clients[index].expiry_s > 0 && self.rng.u32(0..3) == 0;
        let disconnect = Disconnect {
            code: if with_will { ReasonCode::DISCONNECT_WITH_WILL } else { ReasonCode::SUCCESS },
            session_expiry_s: may_change.then(|| [0, 5, 30, 900][self.rng.usize(0..4)]),
            reason: None,
        };
        self.send(index, &Packet::Disconnect(disconnect));
        // The client's sent packets arrive; packets to the client don't.
        self.client_sees_end(connection);
    }

    /// Connects again while the server still has the old connection.
    fn take_over(&mut self, client: usize) {
        if let Some(connection) = self.clients[client].attached.take() {
            let after = Duration::from_millis(self.rng.u64(1..3_000));
            self.events.push(self.now + after, BrokerEvent::ServerSeesEnd { connection });
        }
        self.dial(client);
    }

    /// Breaks a connection. Each side notices at its own time, the server perhaps only after the client has
    /// reconnected.
    pub(super) fn lose(&mut self, connection: ConnectionId) {
        let Some(wire) = self.wires.get_mut(&connection).filter(|wire| !wire.lost) else { return };
        wire.lost = true;
        self.coverage.met(BrokerSituation::ConnectionLost);
        let (server, client) = (self.rng.u64(1..3_000), self.rng.u64(1..1_000));
        self.events.push(self.now + Duration::from_millis(server), BrokerEvent::ServerSeesEnd { connection });
        self.events.push(self.now + Duration::from_millis(client), BrokerEvent::ClientSeesEnd { connection });
    }

    pub(super) fn client_sees_end(&mut self, connection: ConnectionId) {
        let Some(client) = self.wires.get(&connection).map(|wire| wire.client) else { return };
        if self.clients[client].attached != Some(connection) {
            return;
        }
        self.clients[client].attached = None;
        let away = [500, 3_000, 3_000, 45_000][if self.is_quiet { 0 } else { self.rng.usize(0..4) }];
        let pause = Duration::from_millis(self.rng.u64(0..away));
        self.events.push(self.now + pause, BrokerEvent::Dial { client });
    }
}
