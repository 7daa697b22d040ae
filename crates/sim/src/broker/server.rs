//! The server's side: drives the realm as the real server does, together with the model. Each output is compared
//! with the model at once.

use core::time::Duration;
use std::collections::BTreeSet;

use stoa_state::batch::OutboxChunk;
use stoa_state::connection_id::ConnectionId;
use stoa_state::mqtt::stored::BrokerWrite;
use stoa_state::origin::ConnectionOrigin;
use stoa_state::realm::{AuthError, Command, CommandId, Realm, RealmOutput, RealmStartParameters, StoreWrite};
use stoa_state::round::OutboxBatcher;
use stoa_state::time::{Time, UnixSeconds};
use stoa_wire::packet::{
    Decoder, Disconnect, EncodedPacket, Packet, Publish, PublishAck, ReasonCode, SubscriptionRequest,
};

use super::client::{next_second, number};
use super::faults::{self, InjectedBrokerFault};
use super::model::{
    AnswerToClient, BrokerModel, DurableKey, ModelDisconnect, ModelMessage, ModelTokenRights, PublishFromClient,
    PublishToClient, SubscribeFromClient,
};
use super::situations::BrokerSituation;
use super::{BrokerEvent, BrokerSimulation};
use crate::limits;

/// Wall clock at the start of every run.
const UNIX_S: u64 = 1_800_000_000;

impl BrokerSimulation {
    pub(super) fn start_server(&mut self) {
        self.starts += 1;
        let began_s = (self.now - Time::ZERO).as_secs();
        self.realm_began = Time::from_secs(began_s);
        self.realm = Some(Realm::new(RealmStartParameters {
            unix_at_zero: UnixSeconds(UNIX_S + began_s),
            seed: self.seed,
            motion: stoa_state::motion::MotionSettings::default(),
        }));
        let revoked = &self.revoked;
        let mut kept = self.disk.broker();
        kept.drop_wills(|jti| revoked.iter().any(|token| jti == format!("token-{token}")));
        self.model.restart(self.now, |token| revoked.contains(&token));
        let outputs = self.feed(|realm, now| realm.handle_command(CommandId(1), Command::RestoreBroker { kept }, now));
        self.obey(outputs);
        self.let_deadlines_pass();
    }

    /// Crashes the server: unwritten state and all connections are lost.
    pub(super) fn crash(&mut self) {
        if self.realm.take().is_none() {
            return;
        }
        self.coverage.met(BrokerSituation::ServerCrashed);
        self.round = OutboxBatcher::default();
        self.disk.crash();
        for client in &mut self.clients {
            client.forgotten_at.take_if(|at| self.model.is_session_durable(client.index, *at));
            client.forgotten_at = client.forgotten_at.map(|_| u64::MAX);
        }
        let connections: Vec<ConnectionId> = self.wires.keys().copied().collect();
        for connection in connections {
            self.lose(connection);
            self.wires.entry(connection).and_modify(|wire| wire.server_open = false);
        }
        let down = [100, 2_000, 40_000][self.rng.usize(0..3)];
        let back = self.now + Duration::from_millis(self.rng.u64(0..down));
        self.events.push(next_second(back), BrokerEvent::Restart);
    }

    /// Passes one input to the realm and returns its outputs.
    fn feed(&mut self, input: impl FnOnce(&mut Realm, Time)) -> Vec<RealmOutput> {
        let now = Time::ZERO + (self.now - self.realm_began);
        let Some(realm) = &mut self.realm else { return Vec::new() };
        input(realm, now);
        std::iter::from_fn(|| realm.poll_output()).collect()
    }

    /// Passes one input to the realm and to the model.
    fn input(&mut self, input: impl FnOnce(&mut Realm, Time), ought: impl FnOnce(&mut BrokerModel, Time)) {
        let outputs = self.feed(input);
        ought(&mut self.model, self.now);
        self.obey(outputs);
        let settled = self.model.settle();
        self.check(settled);
    }

    pub(super) fn let_deadlines_pass(&mut self) {
        self.input(Realm::handle_timeout, BrokerModel::pass);
    }

    pub(super) fn open(&mut self, connection: ConnectionId) {
        self.input(|realm, now| realm.handle_opened(connection, ConnectionOrigin::Here, now), |_, _| ());
    }

    /// Ends a connection on the server's side.
    pub(super) fn server_sees_end(&mut self, connection: ConnectionId) {
        let Some(wire) = self.wires.get_mut(&connection).filter(|wire| wire.server_open) else { return };
        wire.server_open = false;
        let ought = |model: &mut BrokerModel, now: Time| {
            if let Some(index) = model.of_connection(connection.0) {
                model.end(index, now);
            }
        };
        self.input(|realm, now| realm.handle_closed(connection, now), ought);
    }

    /// Handles bytes of a client.
    pub(super) fn server_reads(&mut self, connection: ConnectionId, bytes: &[u8]) {
        let Some(wire) = self.wires.get_mut(&connection).filter(|wire| wire.server_open) else { return };
        wire.decoder.feed(bytes);
        while let Some(wire) = self.wires.get_mut(&connection).filter(|wire| wire.server_open) {
            match wire.decoder.next_packet() {
                Ok(Some(packet)) => self.take(connection, packet),
                Ok(None) => return,
                Err(error) => return self.fail(format!("a client's bytes are no packet: {error}")),
            }
        }
    }

    fn take(&mut self, connection: ConnectionId, packet: Packet) {
        let original = packet.clone();
        let mut tampered = packet;
        faults::tamper(self.bug, &mut tampered);
        let Some(wire) = self.wires.get_mut(&connection) else { return };
        let client = wire.client;
        if let Packet::Connect(connect) = &original {
            wire.connect = Some(connect.clone());
        }
        if let Packet::Disconnect(disconnect) = &original {
            return self.take_leave(connection, disconnect.clone());
        }
        if let (
            Some(InjectedBrokerFault::TakenTwice),
            Packet::Publish(Publish { dup: true, packet_id: Some(packet_id), .. }),
        ) = (self.bug, &original)
        {
            let again = Packet::PubRel(PublishAck::success(*packet_id));
            self.feed(|realm, now| realm.handle_packet(connection, again, now));
        }
        let is_in = self.model.of_connection(connection.0) == Some(client);
        let ought = |model: &mut BrokerModel, _: Time| {
            if is_in {
                heed(model, client, original);
            }
        };
        self.input(|realm, now| realm.handle_packet(connection, tampered, now), ought);
    }

    fn take_leave(&mut self, connection: ConnectionId, disconnect: Disconnect) {
        let Some(wire) = self.wires.get_mut(&connection) else { return };
        (wire.may_close, wire.server_open) = (true, false);
        let client = &self.clients[wire.client];
        let leaving = ModelDisconnect {
            with_will: disconnect.code == ReasonCode::DISCONNECT_WITH_WILL,
            expiry: disconnect.session_expiry_s.map(|asked| client.expiry(Duration::from_secs(u64::from(asked)))),
        };
        let ought = |model: &mut BrokerModel, now: Time| {
            if let Some(index) = model.of_connection(connection.0) {
                model.leave(index, leaving);
                model.end(index, now);
            }
        };
        if self.bug == Some(InjectedBrokerFault::WillAfterDisconnect) {
            self.input(|realm, now| realm.handle_closed(connection, now), ought);
        } else {
            self.input(|realm, now| realm.handle_packet(connection, Packet::Disconnect(disconnect), now), ought);
        }
    }

    pub(super) fn revoke(&mut self, token: u64) {
        self.revoked.insert(token);
        for wire in self.wires.values_mut() {
            wire.may_close |= self.clients[wire.client].token == token;
        }
        let command = Command::Revoke { jti: format!("token-{token}") };
        let ought = |model: &mut BrokerModel, _: Time| model.revoke(token);
        self.input(|realm, now| realm.handle_command(CommandId(1), command, now), ought);
    }

    pub(super) fn commit(&mut self, start: u64) {
        if start != self.starts || self.realm.is_none() {
            return;
        }
        let written: BTreeSet<DurableKey> = self.disk.waiting().filter_map(record).collect();
        let fails = !self.is_quiet && self.rng.u32(0..24) == 0;
        if fails {
            let Some(through) = self.disk.fail() else { return };
            let is_hidden = self.bug == Some(InjectedBrokerFault::FailureIgnored);
            let report = |realm: &mut Realm, now: Time| match is_hidden {
                true => realm.handle_stored(through, now),
                false => realm.handle_store_failed(through, now),
            };
            return self.input(report, |model, now| model.fail(&written, now));
        }
        match self.disk.commit() {
            Err(what) => self.fail(what),
            Ok(sequence) => {
                self.model.commit(&written);
                self.input(|realm, now| realm.handle_stored(sequence, now), |_, _| ());
            }
        }
    }

    fn obey(&mut self, outputs: Vec<RealmOutput>) {
        for output in outputs {
            match output {
                RealmOutput::Send { connection, frame, class } => {
                    self.examine(connection, &frame);
                    self.round.send(connection, frame, class);
                }
                RealmOutput::Share { group, frame, class } => {
                    group.members.iter().for_each(|member| self.examine(member.connection, &frame));
                    self.round.share(&group, frame, class);
                }
                RealmOutput::Authenticate { connection, .. } => self.authenticate(connection),
                RealmOutput::Close { connection } => {
                    let Some(wire) = self.wires.get_mut(&connection) else { continue };
                    (wire.closing, wire.server_open) = (true, false);
                    if !wire.may_close && self.model.of_connection(connection.0).is_some() {
                        self.fail(format!("the server ends {connection:?}"));
                    }
                }
                RealmOutput::Store { sequence, write, .. } => self.store(sequence, write),
                RealmOutput::Answer { .. } | RealmOutput::Count { .. } | RealmOutput::SlowReading { .. } => {}
                // No client requests a scene or the motion plane here.
                RealmOutput::WriteRecords { .. }
                | RealmOutput::PauseReading { .. }
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

    fn store(&mut self, sequence: u64, write: StoreWrite) {
        if let Some(record) = record(&write) {
            self.model.note_written(&record);
        }
        let write = Some(write).filter(|write| !faults::loses(self.bug, write));
        if self.disk.append(sequence, write) {
            let is_late = !self.is_quiet && self.rng.u32(0..6) == 0;
            let after = if is_late { self.rng.u64(100..limits::COMMIT_LATE_MS) } else { self.rng.u64(1..20) };
            if is_late {
                self.coverage.met(BrokerSituation::CommitLate);
            }
            self.events.push(self.now + Duration::from_millis(after), BrokerEvent::Commit { start: self.starts });
        }
        if self.bug == Some(InjectedBrokerFault::EarlyAcknowledgement) {
            let outputs = self.feed(|realm, now| realm.handle_stored(sequence, now));
            self.obey(outputs);
        }
    }

    fn authenticate(&mut self, connection: ConnectionId) {
        let Some(wire) = self.wires.get_mut(&connection) else { return };
        let Some(connect) = wire.connect.take() else { return };
        let (index, client) = (wire.client, &self.clients[wire.client]);
        if self.revoked.contains(&client.token) {
            wire.may_close = true;
            let outputs = self.feed(|realm, now| realm.handle_authenticated(connection, Err(AuthError::Revoked), now));
            return self.obey(outputs);
        }
        let rights = if self.bug == Some(InjectedBrokerFault::RightsIgnored) {
            ModelTokenRights::default()
        } else {
            client.rights
        };
        let (claims, entry) = (client.claims(rights), client.entry(connection, &connect));
        let outputs = self.feed(|realm, now| realm.handle_authenticated(connection, Ok(claims), now));
        let is_present = self.model.connect(index, entry, self.now);
        self.wires.entry(connection).and_modify(|wire| wire.ought_present = Some(is_present));
        self.obey(outputs);
    }

    /// Checks a packet to a client.
    fn examine(&mut self, connection: ConnectionId, frame: &EncodedPacket) {
        let Some(wire) = self.wires.get_mut(&connection) else { return };
        let client = wire.client;
        let version = self.clients[client].version;
        let probe = wire.probe.get_or_insert_with(|| Decoder::for_client(version));
        frame.parts().iter().for_each(|part| probe.feed(part));
        while let Some(wire) = self.wires.get_mut(&connection) {
            let Some(probe) = &mut wire.probe else { return };
            match probe.next_packet() {
                Ok(Some(packet)) => self.examine_packet(connection, &packet),
                Ok(None) => return,
                Err(error) => {
                    let bytes = frame.parts().concat();
                    return self.fail(format!("the server's bytes are no packet, {error}: {bytes:?}"));
                }
            }
        }
    }

    fn examine_packet(&mut self, connection: ConnectionId, packet: &Packet) {
        let Some(wire) = self.wires.get_mut(&connection) else { return };
        let (client, version) = (wire.client, self.clients[wire.client].version);
        match packet {
            Packet::ConnAck(ack) => {
                let ought = wire.ought_present;
                if ought != (!ack.code.is_error()).then_some(ack.session_present) {
                    self.fail(format!("{client} receives {ack:?}, but a session is present: {ought:?}"));
                }
                return;
            }
            Packet::Disconnect(_) => return,
            _ => {}
        }
        if self.model.of_connection(connection.0) != Some(client) {
            return self.fail(format!("{client} receives {packet:?} on a connection without session"));
        }
        let answered =
            |ack: &PublishAck, exactly| AnswerToClient { packet_id: ack.packet_id, code: ack.code, version, exactly };
        let verdict = match packet {
            Packet::Publish(publish) => {
                let sent = sent_publish(publish);
                wire.under_way.push_back((sent.message.id, sent.packet_id));
                self.model.sent(client, &sent)
            }
            Packet::PubAck(ack) => self.model.acknowledged(client, answered(ack, false)),
            Packet::PubRec(ack) => self.model.acknowledged(client, answered(ack, true)),
            Packet::PubRel(ack) => self.model.released(client, answered(ack, true)),
            Packet::PubComp(ack) => self.model.completed(client, ack.packet_id),
            Packet::SubAck(acks) | Packet::UnsubAck(acks) => self.model.answered(client, acks),
            _ => Ok(()),
        };
        self.check(verdict);
    }

    /// Ends the batch of one event's inputs: passes the outputs to the outboxes and onto the wires.
    pub(super) fn end_round(&mut self) {
        self.round.end(|_, _| ());
        if let Some(connection) = self.round.poll_overflowed() {
            self.fail(format!("the outbox of {connection:?} is full"));
        }
        let connections: Vec<ConnectionId> = self.wires.keys().copied().collect();
        connections.into_iter().for_each(|connection| self.write_out(connection));
    }

    fn write_out(&mut self, connection: ConnectionId) {
        let Some(wire) = self.wires.get_mut(&connection) else { return };
        let Some(outbox) = self.round.sink(connection) else { return };
        if outbox.is_empty() && !wire.closing {
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
        self.events.push(wire.down_at, BrokerEvent::ToClient { connection, bytes });
        if std::mem::take(&mut wire.closing) {
            self.events.push(wire.down_at, BrokerEvent::ClientSeesEnd { connection });
        }
    }
}

/// Passes a connected client's packet to the model.
fn heed(model: &mut BrokerModel, client: usize, packet: Packet) {
    match packet {
        Packet::Publish(publish) => {
            let PublishToClient { message, packet_id, .. } = sent_publish(&publish);
            model.publish(client, PublishFromClient { message, packet_id });
        }
        Packet::Subscribe(subscribe) => {
            let asked = |asked: SubscriptionRequest| (asked.filter, asked.qos, asked.retain_handling);
            let filters = subscribe.subscriptions.into_iter().map(asked).collect();
            model.subscribe(client, SubscribeFromClient { packet_id: subscribe.packet_id, filters });
        }
        Packet::Unsubscribe(unsubscribe) => model.unsubscribe(client, unsubscribe.packet_id, &unsubscribe.filters),
        Packet::PubAck(ack) | Packet::PubComp(ack) => model.done(client, ack.packet_id),
        Packet::PubRec(ack) => model.received(client, ack.packet_id),
        Packet::PubRel(ack) => model.release(client, ack.packet_id),
        _ => {}
    }
}

fn sent_publish(publish: &Publish) -> PublishToClient {
    let Publish { topic, payload, qos, retain, dup, packet_id, .. } = publish;
    let message = ModelMessage { id: number(payload), topic: topic.as_str().to_string(), qos: *qos, retain: *retain };
    PublishToClient { message, is_dup: *dup, packet_id: *packet_id }
}

/// The record of a write. Sessions are named for their clients.
fn record(write: &StoreWrite) -> Option<DurableKey> {
    match write {
        StoreWrite::Broker(BrokerWrite::Retain { topic, .. }) => Some(DurableKey::Retained(topic.as_str().to_string())),
        StoreWrite::Broker(BrokerWrite::Session { session, .. }) => {
            session.client_id.strip_prefix("client-")?.parse().ok().map(DurableKey::Session)
        }
        StoreWrite::Change(_) => None,
    }
}
