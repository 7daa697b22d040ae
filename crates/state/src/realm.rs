//! The realm as one machine: connections, sessions, routes, scenes and grants put together. The server drives it with sockets, the simulator with a
//! queue and a virtual clock: one input, drain [`Realm::poll_output`] to `None`, sleep until [`Realm::poll_timeout`].

mod acknowledging;
mod bridge;
mod clients;
mod commands;
mod ending;
mod entering;
mod fan_out;
mod keeping;
mod motion_grants;
mod network;
mod output;
mod publishing;
mod refusing;
mod repairing;
mod revocation;
mod scene_admission;
mod scenes;
mod subscribing;
mod templates;
#[cfg(test)]
mod tests;
mod timers;

use alloc::collections::{BTreeMap, VecDeque};
use alloc::sync::Arc;
use alloc::vec::Vec;

use stoa_wire::packet::{DecodeError, MqttVersion, Packet, ReasonCode};
use stoa_wire::topic::SceneName;

use self::acknowledging::DeferredAck;
use self::bridge::MotionParticipants;
use self::clients::Client;
use self::ending::DisconnectCause;
use self::motion_grants::MotionGrants;
use self::repairing::StoreRepairs;
use self::scene_admission::RecentLeavers;
use self::scenes::HostedScene;
use self::timers::Timers;
use crate::connection_id::ConnectionId;
use crate::grant::Claims;
use crate::limits;
use crate::motion as motion_plane;
use crate::mqtt::allowance::DepartedAllowances;
use crate::mqtt::audience::Audience;
use crate::mqtt::connection::{PacketVerdict, ProtocolViolation};
use crate::mqtt::retained::RetainedMessages;
use crate::mqtt::routes::{Routes, SubscriptionOptions};
use crate::mqtt::session::SessionId;
use crate::mqtt::sessions::Sessions;
use crate::mqtt::shares::SharedSubscriptions;
use crate::origin::Origin;
use crate::packet_class::PacketClass;
use crate::time::{Time, UnixTime};

pub use self::bridge::{BridgedPose, MotionReport};
pub use self::commands::{Command, CommandAnswer, CommandId};
pub use self::motion_grants::{MotionGrant, MotionGrantId};
pub use self::output::{RealmCounter, RealmOutput, StoreWrite};

/// What a realm starts with.
#[derive(Clone, Copy, Debug)]
pub struct RealmStart {
    /// The wall clock at [`Time::ZERO`].
    pub unix_at_zero: UnixTime,
    /// Makes the client ids that the realm assigns different from those of other starts.
    pub seed: u64,
    /// How motion is shared in scenes that say nothing of it.
    pub motion: motion_plane::MotionSettings,
}

/// Why a password was not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum AuthError {
    /// Not a token of this realm.
    #[error("the token is not one of this realm")]
    BadToken,
    /// Ended.
    #[error("the token has expired")]
    Expired,
    /// Taken back.
    #[error("the token was revoked")]
    Revoked,
}

/// The realm's machine.
#[derive(Debug)]
pub struct Realm {
    start: RealmStart,
    clients: BTreeMap<ConnectionId, Client>,
    sessions: Sessions,
    routes: Routes,
    shares: SharedSubscriptions,
    retained: RetainedMessages,
    scenes: BTreeMap<SceneName, HostedScene>,
    /// Who was in the scene that gets this name now, until it is open under it: one at a time does.
    moving: Option<(SceneName, RecentLeavers)>,
    /// Acknowledgements that wait for the store, by ascending sequence.
    held: VecDeque<DeferredAck>,
    repairs: StoreRepairs,
    /// Who may be on the motion plane.
    motion_grants: MotionGrants,
    plane: MotionParticipants,
    /// The last change given to the store.
    sequence: u64,
    /// The last that it has, or never will.
    stored: u64,
    timers: Timers,
    outputs: VecDeque<RealmOutput>,
    /// Filled anew for each message, so that fan-out allocates nothing.
    receivers: Vec<(SessionId, SubscriptionOptions)>,
    /// The subscription identifiers of those.
    named: Vec<(SessionId, u32)>,
    /// Likewise.
    audiences: Vec<Arc<Audience>>,
    /// Connections that fell too far behind while somebody else's input was handled; they end after it.
    doomed: Vec<ConnectionId>,
    assigned_ids: u64,
    /// When the next graph is due, while anybody is in it.
    graph_armed: Option<Time>,
    /// What those have left who have gone.
    remembered: DepartedAllowances,
    /// Messages of QoS 1 and 2 that were ever on their way to a client.
    deliveries: u64,
    /// Of these, those that were given to the store.
    kept_deliveries: u64,
}

impl Realm {
    /// A realm without scenes.
    pub fn new(start: RealmStart) -> Realm {
        Realm {
            start,
            clients: BTreeMap::new(),
            sessions: Sessions::default(),
            routes: Routes::default(),
            shares: SharedSubscriptions::default(),
            retained: RetainedMessages::default(),
            scenes: BTreeMap::new(),
            moving: None,
            held: VecDeque::new(),
            repairs: StoreRepairs::default(),
            motion_grants: MotionGrants::default(),
            plane: MotionParticipants::default(),
            sequence: 0,
            stored: 0,
            timers: Timers::default(),
            outputs: VecDeque::new(),
            receivers: Vec::new(),
            named: Vec::new(),
            audiences: Vec::new(),
            doomed: Vec::new(),
            assigned_ids: 0,
            remembered: DepartedAllowances::default(),
            graph_armed: None,
            deliveries: 0,
            kept_deliveries: 0,
        }
    }

    /// A transport connection is there; nothing was read from it yet.
    // arena-py 1.6.0 opens and closes a bare connection before its real one: not an error, nothing is counted.
    pub fn handle_opened(&mut self, connection: ConnectionId, origin: Origin, now: Time) {
        self.clients.insert(connection, Client::new(origin, now));
        self.arm_client(connection);
    }

    /// One packet from it.
    pub fn handle_packet(&mut self, connection: ConnectionId, packet: Packet, now: Time) {
        let Some(client) = self.clients.get_mut(&connection) else {
            return; // It ended while the packet was on its way.
        };
        match client.protocol.handle_packet(packet, now) {
            Ok(PacketVerdict::Authenticate(connect)) => self.enter(connection, connect, now),
            Ok(PacketVerdict::Act(packet)) => self.act(connection, packet, now),
            Ok(PacketVerdict::Later) => {}
            Err(violation) => self.end_in_error(connection, violation, now),
        }
        self.settle(now);
    }

    fn act(&mut self, connection: ConnectionId, packet: Packet, now: Time) {
        match packet {
            Packet::Publish(publish) => self.handle_publish(connection, publish, now),
            Packet::Subscribe(subscribe) => self.handle_subscribe(connection, subscribe, now),
            Packet::Disconnect(_) => self.end(connection, DisconnectCause::Requested, now),
            packet if self.bear(connection, now) => self.answer_to(connection, packet, now),
            _ => {}
        }
    }

    fn answer_to(&mut self, connection: ConnectionId, packet: Packet, now: Time) {
        match packet {
            Packet::PubAck(ack) | Packet::PubComp(ack) => self.handle_done(connection, ack.packet_id, now),
            Packet::PubRec(ack) => self.handle_received(connection, &ack, now),
            Packet::PubRel(ack) => self.handle_release(connection, ack.packet_id, now),
            Packet::Unsubscribe(unsubscribe) => self.handle_unsubscribe(connection, &unsubscribe),
            Packet::PingReq => self.control(connection, &Packet::PingResp),
            // Handled before, or not let through by the connection's own machine.
            Packet::Publish(_)
            | Packet::Subscribe(_)
            | Packet::Disconnect(_)
            | Packet::Connect(_)
            | Packet::ConnAck(_)
            | Packet::SubAck(_)
            | Packet::UnsubAck(_) => {}
            Packet::PingResp | Packet::Auth => {}
        }
    }

    /// Bytes from it that are no packet.
    pub fn handle_malformed(&mut self, connection: ConnectionId, error: DecodeError, now: Time) {
        self.end_in_error(connection, ProtocolViolation { code: error.code, reason: error.reason }, now);
        self.settle(now);
    }

    fn end_in_error(&mut self, connection: ConnectionId, violation: ProtocolViolation, now: Time) {
        self.count(RealmCounter::ProtocolError, 1);
        self.end(connection, DisconnectCause::Because(violation), now);
    }

    /// What a clock on the wall shows. It may have been set since the start, on a machine that has none of its own while it is off: whoever comes in from
    /// now on stays until its grant ends by that clock.
    pub fn handle_clock(&mut self, unix_now: UnixTime, now: Time) {
        if unix_now.0.abs_diff(self.unix(now).0) > limits::GRANT_LEEWAY_S {
            self.start.unix_at_zero = UnixTime(unix_now.0.saturating_sub(now.as_nanos() / 1_000_000_000));
        }
    }

    /// The answer to [`RealmOutput::Authenticate`].
    pub fn handle_authenticated(&mut self, connection: ConnectionId, verdict: Result<Claims, AuthError>, now: Time) {
        let admitted = match verdict {
            Ok(claims) => self.admit_client(connection, claims, now),
            Err(error) => Err(entering::refusal(error)),
        };
        match admitted {
            Ok(early) => {
                for packet in early {
                    self.handle_packet(connection, packet, now);
                }
            }
            Err(violation) => self.end(connection, DisconnectCause::Because(violation), now),
        }
        self.settle(now);
    }

    /// The transport connection is gone.
    pub fn handle_closed(&mut self, connection: ConnectionId, now: Time) {
        self.end(connection, DisconnectCause::Closed, now);
        self.settle(now);
    }

    /// Its outbox passed its limit.
    pub fn handle_overflow(&mut self, connection: ConnectionId, now: Time) {
        self.doomed.push(connection);
        self.settle(now);
    }

    /// The server ends: everybody is told, and what was left for later is said now.
    pub fn handle_shutdown(&mut self, now: Time) {
        let connections: Vec<ConnectionId> = self.clients.keys().copied().collect();
        for connection in connections {
            let violation =
                ProtocolViolation { code: ReasonCode::SERVER_SHUTTING_DOWN, reason: "the realm is shutting down" };
            self.end(connection, DisconnectCause::Because(violation), now);
        }
        self.publish_all_delayed(now);
        self.settle(now);
    }

    /// Every change up to `sequence` is on disk.
    pub fn handle_stored(&mut self, sequence: u64, now: Time) {
        self.repairs.note_stored(sequence);
        self.stored = self.stored.max(sequence);
        self.release_held(sequence, None, now);
        self.settle(now);
    }

    /// No change that was not yet reported stored will be: `through` is the last that was given out. Later ones are stored, or fail, after them.
    pub fn handle_store_failed(&mut self, through: u64, now: Time) {
        self.stored = self.stored.max(through);
        self.release_held(through, Some(stoa_wire::reason::Reason::NotStored), now);
        self.note_lost(now);
        self.settle(now);
    }

    /// A command; answered by [`RealmOutput::Answer`].
    pub fn handle_command(&mut self, id: CommandId, command: Command, now: Time) {
        let (waits, settles, before) = (command.is_stored(), command.is_settling(), self.sequence);
        let answer = self.obey(command, now);
        if waits && self.sequence > before || settles && self.sequence > self.stored {
            self.held.push_back(DeferredAck::command(id, answer, self.sequence));
        } else {
            self.outputs.push_back(RealmOutput::Answer { command: id, answer });
        }
        self.settle(now);
    }

    /// Deadlines. Late is safe; early does nothing.
    pub fn handle_timeout(&mut self, now: Time) {
        self.fire(now);
        self.settle(now);
    }

    /// The next deadline.
    pub fn poll_timeout(&self) -> Option<Time> {
        self.timers.first()
    }

    /// What is to be done, in order.
    pub fn poll_output(&mut self) -> Option<RealmOutput> {
        self.outputs.pop_front()
    }

    /// Ends those who fell too far behind. Each end may make others fall behind, but there are only so many.
    fn settle(&mut self, now: Time) {
        while let Some(connection) = self.doomed.pop() {
            if self.clients.contains_key(&connection) {
                self.count(RealmCounter::Overflowed, 1);
                let violation = ProtocolViolation {
                    code: ReasonCode::QUOTA_EXCEEDED,
                    reason: "the client does not read fast enough",
                };
                self.end(connection, DisconnectCause::Because(violation), now);
            }
        }
    }

    /// The wall clock.
    fn unix(&self, now: Time) -> UnixTime {
        UnixTime(self.start.unix_at_zero.0 + now.as_nanos() / 1_000_000_000)
    }

    fn count(&mut self, counter: RealmCounter, times: u64) {
        self.outputs.push_back(RealmOutput::Count { counter, reason: None, times });
    }

    /// Sends a protocol answer.
    fn control(&mut self, connection: ConnectionId, packet: &Packet) {
        let version = self.clients.get(&connection).map_or(MqttVersion::V311, |client| client.protocol.version());
        let frame = stoa_wire::packet::encode(packet, version);
        self.outputs.push_back(RealmOutput::Send { connection, frame, class: PacketClass::Control });
    }
}
