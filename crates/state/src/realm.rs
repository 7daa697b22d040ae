//! The realm as one state machine: connections, sessions, routes, scenes and grants. The server drives it with
//! sockets, the simulator with a queue and virtual time. For each input, drain [`Realm::poll_output`] to `None`,
//! then sleep until [`Realm::poll_timeout`].

mod acknowledging;
mod bridge;
mod broker_persistence;
mod clients;
mod commands;
mod costs;
mod database_size;
mod ending;
mod entering;
mod fan_out;
mod full_scene;
mod get_persist;
mod motion_grants;
mod muting;
mod namespace_shares;
mod network_graph;
mod output;
mod people_inside;
mod publishing;
mod refusing;
mod repairing;
mod revocation;
mod scene_admission;
mod scene_bounds;
mod scenes;
mod store_queue;
mod subscribing;
mod templates;
#[cfg(test)]
mod tests;
mod timers;
mod wills;

use alloc::collections::{BTreeMap, VecDeque};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::time::Duration;

use stoa_wire::packet::{DecodeError, MqttVersion, Packet, ReasonCode};
use stoa_wire::reason::Reason;
use stoa_wire::topic::SceneName;

use self::acknowledging::DeferredAck;
use self::bridge::MotionParticipants;
use self::clients::ClientConnection;
use self::ending::DisconnectCause;
use self::get_persist::RecordsJsonCache;
use self::motion_grants::MotionGrants;
use self::namespace_shares::NamespaceStorageLimiter;
use self::network_graph::NetworkGraphCollector;
use self::people_inside::PeopleInsideScenes;
use self::repairing::LostWriteRepairs;
use self::scene_admission::RecentlyDepartedPeople;
use self::scenes::HostedScene;
use self::store_queue::PendingStoreWrites;
use self::timers::TimerQueue;
use crate::connection_id::ConnectionId;
use crate::grant::Claims;
use crate::ledger::{ChargeVerdict, Ledger, Payer};
use crate::limits;
use crate::motion as motion_plane;
use crate::mqtt::audience::FilterReceivers;
use crate::mqtt::client_rate_limiter::DisconnectedRateLimiters;
use crate::mqtt::connection::{PacketNextStep, ProtocolViolation};
use crate::mqtt::received_packet::{ReceivedMessage, ReceivedPacket};
use crate::mqtt::retained::RetainedMessages;
use crate::mqtt::routes::{SubscriptionOptions, SubscriptionRoutes};
use crate::mqtt::session::SessionId;
use crate::mqtt::sessions::Sessions;
use crate::mqtt::shared_subscriptions::SharedSubscriptions;
use crate::origin::ConnectionOrigin;
use crate::packet_class::PacketClass;
use crate::time::{Time, UnixSeconds};

pub use self::bridge::{MotionPlaneEvent, PoseFromMqtt};
pub use self::commands::{Command, CommandAnswer, CommandId, ListedScenes};
pub use self::database_size::DatabaseSize;
pub use self::get_persist::{RecordsJson, RecordsSerializationJob};
pub use self::motion_grants::{MotionGrant, MotionGrantId};
pub use self::output::{RealmCounter, RealmOutput, StoreWrite};
pub use self::people_inside::{SceneBearer, UnjoinedListener};

/// The clock, the seed and the motion settings of a starting realm.
#[derive(Clone, Copy, Debug)]
pub struct RealmStartParameters {
    /// The wall clock at [`Time::ZERO`].
    pub unix_at_zero: UnixSeconds,
    /// Distinguishes the client ids that the realm assigns from those of earlier starts.
    pub seed: u64,
    /// Motion settings of scenes that set none.
    pub motion: motion_plane::MotionSettings,
}

/// Why a token was rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum AuthError {
    /// The token was not signed by this realm.
    #[error("the token is not one of this realm")]
    BadToken,
    /// The token has expired.
    #[error("the token has expired")]
    Expired,
    /// The token was revoked.
    #[error("the token was revoked")]
    Revoked,
    /// The token names no client, and the client id is the name of another account.
    #[error("the client id is the name of another account")]
    BorrowedName,
}

/// State machine of a realm.
#[derive(Debug)]
pub struct Realm {
    start: RealmStartParameters,
    clients: BTreeMap<ConnectionId, ClientConnection>,
    sessions: Sessions,
    routes: SubscriptionRoutes,
    shares: SharedSubscriptions,
    retained: RetainedMessages,
    scenes: BTreeMap<SceneName, HostedScene>,
    /// The next name of a scene that is being renamed, and the people who may return to it: those inside and recent
    /// leavers. Only one scene is renamed at a time.
    renaming: Option<(SceneName, RecentlyDepartedPeople)>,
    /// Acknowledgements and answers that wait for the store, by ascending sequence.
    deferred_acks: VecDeque<DeferredAck>,
    repairs: LostWriteRepairs,
    motion_grants: MotionGrants,
    plane: MotionParticipants,
    /// People inside each scene.
    bearers: PeopleInsideScenes,
    /// Sequence of the last write given to the store.
    sequence: u64,
    /// Sequence up to which writes are stored or have failed.
    stored: u64,
    timers: TimerQueue,
    outputs: VecDeque<RealmOutput>,
    /// Reused buffer: the receivers of a message that are served one by one.
    receivers: Vec<(SessionId, SubscriptionOptions)>,
    /// Reused buffer: receivers with their subscription identifiers.
    named: Vec<(SessionId, u32)>,
    /// Reused buffer: the cached receivers of each matching filter.
    audiences: Vec<Arc<FilterReceivers>>,
    /// Connections that fell too far behind. They end after the present input is handled.
    doomed: Vec<ConnectionId>,
    assigned_ids: u64,
    graph: NetworkGraphCollector,
    /// The cached list of open scenes; `None` once a scene was opened or closed, or its settings changed.
    listed: Option<ListedScenes>,
    remembered: DisconnectedRateLimiters,
    /// Shared bounds of the bytes that clients store and request.
    ledger: Ledger,
    records: RecordsJsonCache,
    store_queue: PendingStoreWrites,
    database: DatabaseSize,
    namespaces: NamespaceStorageLimiter,
    /// The scene of the message that is being handled, if the message requested a template that is copied in pieces.
    begun_load: Option<SceneName>,
    /// Number of the last QoS 1 or 2 delivery. Restored deliveries count.
    deliveries: u64,
    /// QoS 1 and 2 deliveries so far to sessions that survive a restart.
    kept_deliveries: u64,
}

impl Realm {
    /// Creates a realm without scenes.
    pub fn new(start: RealmStartParameters) -> Realm {
        Realm {
            start,
            clients: BTreeMap::new(),
            sessions: Sessions::default(),
            routes: SubscriptionRoutes::default(),
            shares: SharedSubscriptions::default(),
            retained: RetainedMessages::default(),
            scenes: BTreeMap::new(),
            renaming: None,
            deferred_acks: VecDeque::new(),
            repairs: LostWriteRepairs::default(),
            motion_grants: MotionGrants::default(),
            plane: MotionParticipants::default(),
            bearers: PeopleInsideScenes::default(),
            sequence: 0,
            stored: 0,
            timers: TimerQueue::default(),
            outputs: VecDeque::new(),
            receivers: Vec::new(),
            named: Vec::new(),
            audiences: Vec::new(),
            doomed: Vec::new(),
            assigned_ids: 0,
            remembered: DisconnectedRateLimiters::default(),
            ledger: Ledger::new(&costs::BOUNDS, Time::ZERO),
            records: RecordsJsonCache::default(),
            store_queue: PendingStoreWrites::default(),
            database: DatabaseSize::default(),
            namespaces: NamespaceStorageLimiter::default(),
            begun_load: None,
            graph: NetworkGraphCollector::default(),
            listed: None,
            deliveries: 0,
            kept_deliveries: 0,
        }
    }

    /// Registers an open transport connection from which nothing was read yet.
    // arena-py 1.6.0 opens and closes a bare connection before its real one. That is no error, so it is not counted.
    pub fn handle_opened(&mut self, connection: ConnectionId, origin: ConnectionOrigin, now: Time) {
        self.clients.insert(connection, ClientConnection::new(origin, now));
        self.arm_client(connection);
    }

    /// Handles one packet of a connection. Parses a scene message's JSON payload that was not parsed before.
    pub fn handle_packet(&mut self, connection: ConnectionId, received: impl Into<ReceivedPacket>, now: Time) {
        let Some(client) = self.clients.get_mut(&connection) else {
            // The connection ended while its packet was queued.
            return;
        };
        match client.protocol.handle_packet(received, now) {
            Ok(PacketNextStep::Authenticate(connect)) => self.enter(connection, connect, now),
            Ok(PacketNextStep::Act(received)) => self.act(connection, received, now),
            Ok(PacketNextStep::Later) => {}
            Err(violation) => self.end_in_error(connection, violation, now),
        }
        self.settle(now);
    }

    fn act(&mut self, connection: ConnectionId, received: ReceivedPacket, now: Time) {
        let ReceivedPacket { packet, parsed } = received;
        match packet {
            Packet::Publish(publish) => self.handle_publish(connection, ReceivedMessage { publish, parsed }, now),
            Packet::Subscribe(subscribe) => self.handle_subscribe(connection, subscribe, now),
            Packet::Disconnect(_) => self.end(connection, DisconnectCause::Requested, now),
            packet if self.count_unpaid(connection, now) => self.answer_to(connection, packet, now),
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
            // Handled by `act`, or rejected by the connection's protocol machine.
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

    /// Charges a client for the time that its last input took beyond that of an ordinary one. Above its fair share, the
    /// client's next input waits in proportion to that time, so that a few bytes of an attacker don't delay other
    /// clients for long.
    pub fn handle_long_input(&mut self, connection: ConnectionId, excess: Duration, now: Time) {
        let Some(payer) = self.access(connection).map(|access| access.payer) else { return };
        let cost = costs::realm_time(excess);
        let verdict = self.ledger.check(now, payer, cost);
        self.ledger.settle(now, payer, cost);
        let pause = match verdict {
            ChargeVerdict::Pass => return,
            ChargeVerdict::Slow(pause) => pause,
            ChargeVerdict::Refuse(_) => (excess * limits::LONG_INPUT_PAUSE_TIMES).min(limits::LONG_INPUT_PAUSE_MAX),
        };
        self.outputs.push_back(RealmOutput::SlowReading { connection, pause });
    }

    /// The payer of a connection's inputs; `None` before its token is verified.
    pub fn payer(&self, connection: ConnectionId) -> Option<Payer> {
        self.access(connection).map(|access| access.payer)
    }

    /// Time that later messages will take because inputs since the last call changed subscriptions or their
    /// subscribers: the messages must find their receivers again.
    pub fn take_caused_time(&mut self) -> Duration {
        limits::RECEIVER_TIME * u32::try_from(self.routes.take_dropped()).unwrap_or(u32::MAX)
    }

    /// Charges a client for the time of its inputs, of any length. While all clients of its class together use more
    /// than their bound, a client above half of its fair share waits until that share has grown by the time.
    pub fn handle_input_time(&mut self, connection: ConnectionId, payer: Payer, spent: Duration, now: Time) {
        let pause = self.ledger.pace(now, payer, costs::input_time(spent));
        if !pause.is_zero() && self.clients.contains_key(&connection) {
            self.outputs.push_back(RealmOutput::SlowReading { connection, pause });
        }
    }

    /// Handles bytes that don't decode as a packet: the connection ends.
    pub fn handle_malformed(&mut self, connection: ConnectionId, error: DecodeError, now: Time) {
        if let Some((client, version)) = self.clients.get_mut(&connection).zip(error.version) {
            client.protocol.handle_unread_connect(version);
        }
        self.end_in_error(connection, ProtocolViolation { code: error.code, reason: error.reason }, now);
        self.settle(now);
    }

    fn end_in_error(&mut self, connection: ConnectionId, violation: ProtocolViolation, now: Time) {
        self.count(RealmCounter::ProtocolError, 1);
        self.end(connection, DisconnectCause::Because(violation), now);
    }

    /// Corrects the wall clock if it is off by more than [`limits::GRANT_LEEWAY_S`]. A machine without a battery clock
    /// may set its clock after the start. Clients admitted from now on leave when their grant ends by the new clock.
    pub fn handle_clock(&mut self, unix_now: UnixSeconds, now: Time) {
        if unix_now.0.abs_diff(self.unix(now).0) > limits::GRANT_LEEWAY_S {
            self.start.unix_at_zero = UnixSeconds(unix_now.0.saturating_sub(now.as_nanos() / 1_000_000_000));
        }
    }

    /// Handles the answer to [`RealmOutput::Authenticate`].
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

    /// Handles a closed transport connection.
    pub fn handle_closed(&mut self, connection: ConnectionId, now: Time) {
        self.end(connection, DisconnectCause::Closed, now);
        self.settle(now);
    }

    /// Handles an outbox overflow: the connection ends.
    pub fn handle_overflow(&mut self, connection: ConnectionId, now: Time) {
        self.doomed.push(connection);
        self.settle(now);
    }

    /// Disconnects all clients, publishes the delayed wills of sessions that don't survive a restart and finishes
    /// deletions, because the server shuts down.
    pub fn handle_shutdown(&mut self, now: Time) {
        let connections: Vec<ConnectionId> = self.clients.keys().copied().collect();
        for connection in connections {
            let violation =
                ProtocolViolation { code: ReasonCode::SERVER_SHUTTING_DOWN, reason: "the server is shutting down" };
            self.end(connection, DisconnectCause::Because(violation), now);
        }
        self.publish_all_delayed(now);
        let scenes: Vec<SceneName> = self.scenes.keys().cloned().collect();
        scenes.iter().for_each(|name| self.finish_deletions(name, now));
        self.settle(now);
    }

    /// Reports that all writes up to `sequence` are on disk.
    pub fn handle_stored(&mut self, sequence: u64, now: Time) {
        self.release_queued(sequence, now);
        self.repairs.note_stored(sequence);
        self.stored = self.stored.max(sequence);
        self.release_acks(sequence, None, now);
        self.settle(now);
    }

    /// Reports a failed commit: the unreported writes up to `through`, the last one given out, are lost. Later
    /// writes are reported after them.
    pub fn handle_store_failed(&mut self, through: u64, now: Time) {
        self.release_queued(through, now);
        self.stored = self.stored.max(through);
        self.lose_loads();
        self.release_acks(through, Some(Reason::NotStored), now);
        self.note_lost(now);
        self.settle(now);
    }

    /// Handles a command, which [`RealmOutput::Answer`] answers.
    pub fn handle_command(&mut self, id: CommandId, command: Command, now: Time) {
        let (waits, settles, before) = (command.is_stored(), command.is_settling(), self.sequence);
        let answer = match self.charge_command(&command, now) {
            Ok(()) => self.execute(command, now),
            Err(refused) => CommandAnswer::Refused(refused),
        };
        self.store_queue.payer = None;
        if waits && self.sequence > before || settles && self.sequence > self.stored {
            self.deferred_acks.push_back(DeferredAck::command(id, answer, self.sequence));
        } else {
            self.outputs.push_back(RealmOutput::Answer { command: id, answer });
        }
        self.settle(now);
    }

    /// Fires due deadlines. A late call is safe; an early one does nothing.
    pub fn handle_timeout(&mut self, now: Time) {
        self.fire(now);
        self.settle(now);
    }

    /// Returns the next deadline.
    pub fn poll_timeout(&self) -> Option<Time> {
        self.timers.first()
    }

    /// Returns the next output, in order.
    pub fn poll_output(&mut self) -> Option<RealmOutput> {
        self.outputs.pop_front()
    }

    /// Ends connections that fell too far behind, and charges for the input's writes. Each end may make more fall
    /// behind, but the loop ends because their number is finite.
    fn settle(&mut self, now: Time) {
        while let Some(connection) = self.doomed.pop() {
            if self.clients.contains_key(&connection) {
                self.count(RealmCounter::Overflowed, 1);
                let violation =
                    ProtocolViolation { code: ReasonCode::QUOTA_EXCEEDED, reason: "the client reads too slowly" };
                self.end(connection, DisconnectCause::Because(violation), now);
            }
        }
        self.charge_queued(now);
    }

    /// Converts to the wall clock.
    fn unix(&self, now: Time) -> UnixSeconds {
        UnixSeconds(self.start.unix_at_zero.0 + now.as_nanos() / 1_000_000_000)
    }

    fn count(&mut self, counter: RealmCounter, times: u64) {
        self.outputs.push_back(RealmOutput::Count { counter, reason: None, times });
    }

    /// Sends a control packet.
    fn control(&mut self, connection: ConnectionId, packet: &Packet) {
        let version = self.clients.get(&connection).map_or(MqttVersion::V311, |client| client.protocol.version());
        let frame = stoa_wire::packet::encode(packet, version);
        self.outputs.push_back(RealmOutput::Send { connection, frame, class: PacketClass::Control });
    }
}
