//! The loop around [`Realm`]: handle one batch of inputs, drain the outputs, sleep until the next deadline.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use stoa_net::connection::ConnectionEvent;
use stoa_net::network_connections::NetworkConnectionLimiter;
use stoa_net::outbox::RealmUnreadBytesLimiter;
use stoa_net::shutdown::ShutdownSignal;
use stoa_state::connection_id::ConnectionId;
use stoa_state::origin::ConnectionOrigin;
use stoa_state::realm::{Command, CommandAnswer, CommandId, DatabaseSize, MotionGrant, Realm, RealmOutput};
use stoa_state::time::Time;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use super::RealmRequest;
use super::changes::{CommitOutcome, InputWrites, PendingChangeQueue};
use super::input_times::UnchargedInputTimes;
use super::outboxes::ConnectionOutboxes;
use super::paused_inputs::{InputOrResumption, PausedInputs};
use super::records_serializer::RecordsJsonSerializer;
use super::round_timer::{RoundTimer, RoundWorkKind};
use super::token_verifier::{AccountLookup, TokenVerdict, TokenVerifier, UnverifiedToken};
use crate::identity::tokens::VerifyToken;
use crate::limits;
use crate::metrics::Metrics;
use crate::motion::{MotionHandle, TicketDocument, TicketRequestContext};
use crate::os::clock::{self, own_time};

/// The task's dependencies besides its channels.
pub(crate) struct RealmTaskParts {
    /// The state machine.
    pub realm: Realm,
    /// The machine's time zero.
    pub zero: Instant,
    /// Verifies tokens.
    pub keys: Arc<dyn VerifyToken>,
    /// Looks up accounts: a client id may not be the name of another account.
    pub accounts: Arc<dyn AccountLookup>,
    /// Limits failures by client address.
    pub addresses: NetworkConnectionLimiter,
    /// Bounds the unread bytes of all connections.
    pub unread: RealmUnreadBytesLimiter,
    /// Counters of `/metrics`.
    pub metrics: Arc<Metrics>,
    /// The queue of changes for the disk.
    pub changes: Arc<PendingChangeQueue>,
    /// The motion plane.
    pub motion: MotionHandle,
}

/// The task's inputs.
pub(crate) struct RealmChannels {
    /// Connections' inputs. The task ends when all senders are dropped.
    pub inputs: mpsc::Receiver<(ConnectionId, ConnectionEvent)>,
    /// Commands from [`super::RealmCommandClient`]s.
    pub requests: mpsc::Receiver<RealmRequest>,
    /// Results of the store's commits.
    pub outcomes: mpsc::Receiver<CommitOutcome>,
    /// Closes all connections at shutdown.
    pub shutdown: ShutdownSignal,
}

/// Runs the realm until every source of connections is gone.
pub(crate) async fn run(parts: RealmTaskParts, channels: RealmChannels) {
    let RealmChannels { mut inputs, mut requests, mut outcomes, mut shutdown } = channels;
    let mut news = parts.motion.take_reports();
    let mut task = RealmTask::new(parts);
    let mut batch = Vec::with_capacity(limits::INPUTS_BATCH_MAX);
    let mut waiting = VecDeque::with_capacity(limits::INPUTS_BATCH_MAX);
    loop {
        let due = task.parts.realm.poll_timeout().into_iter().chain(task.paused.next_due()).min();
        let deadline = due.map(|time| task.parts.zero + Duration::from_nanos(time.as_nanos()));
        let mut round = tokio::select! {
            biased;
            () = shutdown.wait(), if !task.closing => task.begin_round(RoundWorkKind::Shutdown, RealmTask::shut_down),
            Some(outcome) = outcomes.recv() => {
                task.begin_round(RoundWorkKind::Commit, |task| task.apply_commit(outcome))
            }
            () = sleep_until(deadline) => {
                let round = task.begin_round(RoundWorkKind::Timer, RealmTask::apply_timeout);
                // Further deadlines may be due already, and must not starve connections.
                task.take_waiting(&mut inputs, &mut waiting);
                round
            }
            verified = task.token_verifier.next() => {
                task.begin_round(RoundWorkKind::Connect, |task| task.apply_verified(verified))
            }
            written = task.records_serializer.next() => task.begin_round(RoundWorkKind::Records, |task| {
                let now = task.now();
                task.parts.realm.handle_records(written, now);
            }),
            Some(news) = news.recv() => task.begin_round(RoundWorkKind::Motion, |task| {
                let now = task.now();
                task.parts.realm.handle_motion(&news.scene, &news.reports, now);
            }),
            Some(request) = requests.recv() => {
                let round = task.begin_round(RoundWorkKind::Command, |task| task.apply_request(request));
                // One request per batch, so that a stream of HTTP requests can't starve connections.
                task.take_waiting(&mut inputs, &mut waiting);
                round
            }
            // Inputs of the last round wait. As below, ready tasks run first.
            () = tokio::task::yield_now(), if task.has_left(&waiting) && task.has_room() => {
                task.take_waiting(&mut inputs, &mut waiting);
                RoundTimer::new(task.now(), own_time())
            }
            count = inputs.recv_many(&mut batch, limits::INPUTS_BATCH_MAX),
                if waiting.is_empty() && task.has_room() => {
                if count == 0 {
                    break;
                }
                waiting.extend(batch.drain(..));
                // Yields to ready tasks first: writers of the last round and readers with more input. A loaded
                // server thus has few, long rounds; an idle one continues at once.
                tokio::task::yield_now().await;
                task.take_waiting(&mut inputs, &mut waiting);
                RoundTimer::new(task.now(), own_time())
            }
        };
        task.apply_waiting(&mut waiting, &mut round);
        task.end_round(round);
    }
}

struct RealmTask {
    parts: RealmTaskParts,
    token_verifier: TokenVerifier,
    records_serializer: RecordsJsonSerializer,
    writers: ConnectionOutboxes,
    paused: PausedInputs,
    input_times: UnchargedInputTimes,
    /// Number of packets that the current input sent.
    sent: u32,
    answers: BTreeMap<CommandId, oneshot::Sender<CommandAnswer>>,
    /// The current input's writes.
    stores: InputWrites,
    commands: u64,
    closing: bool,
}

/// Ends the queue of changes, so that the store doesn't wait for more however the task ends.
impl Drop for RealmTask {
    fn drop(&mut self) {
        self.parts.changes.end();
    }
}

impl RealmTask {
    fn new(parts: RealmTaskParts) -> RealmTask {
        RealmTask {
            token_verifier: TokenVerifier::new(
                Arc::clone(&parts.keys),
                Arc::clone(&parts.accounts),
                parts.addresses.clone(),
            ),
            writers: ConnectionOutboxes::new(parts.unread.clone()),
            parts,
            records_serializer: RecordsJsonSerializer::default(),
            paused: PausedInputs::default(),
            input_times: UnchargedInputTimes::default(),
            sent: 0,
            answers: BTreeMap::new(),
            stores: InputWrites::default(),
            commands: 0,
            closing: false,
        }
    }

    fn now(&self) -> Time {
        Time::ZERO + self.parts.zero.elapsed()
    }

    /// Whether inputs of connections may be handled: the queue of tokens to verify is not full, and the changes that
    /// wait for the disk are below [`limits::CHANGES_QUEUED_BYTES_MAX`]. A slow disk hardly ever stops reading, because
    /// the realm refuses further changes long before that limit.
    fn has_room(&self) -> bool {
        self.parts.realm.queued_bytes() < limits::CHANGES_QUEUED_BYTES_MAX && !self.token_verifier.is_full()
    }

    /// Whether inputs wait for a round.
    fn has_left(&self, waiting: &VecDeque<(ConnectionId, ConnectionEvent)>) -> bool {
        !waiting.is_empty() || self.paused.has_resumed()
    }

    /// Adds ready inputs to those that wait for a round, if inputs may be handled.
    fn take_waiting(
        &self,
        inputs: &mut mpsc::Receiver<(ConnectionId, ConnectionEvent)>,
        waiting: &mut VecDeque<(ConnectionId, ConnectionEvent)>,
    ) {
        if !self.has_room() {
            return;
        }
        while waiting.len() < limits::INPUTS_BATCH_MAX
            && let Ok(input) = inputs.try_recv()
        {
            waiting.push_back(input);
        }
    }

    /// Begins a round with an input that no connection sent.
    fn begin_round(&mut self, cause: RoundWorkKind, apply: impl FnOnce(&mut RealmTask)) -> RoundTimer {
        let mut round = RoundTimer::new(self.now(), own_time());
        apply(self);
        self.drain();
        round.note(cause, self.now());
        round
    }

    /// Applies waiting inputs, if any may be handled, until the time of the round is used up, but at least one.
    fn apply_waiting(&mut self, waiting: &mut VecDeque<(ConnectionId, ConnectionEvent)>, round: &mut RoundTimer) {
        if !self.has_room() {
            return;
        }
        let mut next_waiting =
            || waiting.pop_front().map(|(connection, input)| (connection, InputOrResumption::Input(input)));
        while let Some((connection, input)) = self.paused.next_resumed().or_else(&mut next_waiting) {
            let Some(input) = self.paused.keep(connection, input) else { continue };
            let InputOrResumption::Input(inbound) = input else {
                self.writers.resume_reading(connection);
                continue;
            };
            let (cause, began) = (RoundWorkKind::of(&inbound), round.marked());
            let is_last = matches!(inbound, ConnectionEvent::Closed);
            self.sent = 0;
            // Discards the time that commands, timers and other causes added: only inputs are charged.
            self.parts.realm.take_caused_time();
            self.apply_inbound(connection, inbound, began);
            self.drain();
            round.note(cause, self.now());
            self.charge_time(connection, began, round);
            if is_last {
                self.charge_ended(connection, round.marked());
            }
            if round.is_over(own_time) {
                return;
            }
        }
    }

    /// Charges the client of a connection for the time of its input, with the time by which the input delays later
    /// messages. If the sum exceeds the time of an ordinary input, charges the excess as a long input too.
    fn charge_time(&mut self, connection: ConnectionId, began: Time, round: &mut RoundTimer) {
        let caused = self.parts.realm.take_caused_time();
        let (now, spent) = (round.marked(), round.marked().since(began) + caused);
        let payer = self.parts.realm.payer(connection);
        if let Some((payer, charged)) = self.input_times.add(connection, payer, spent) {
            self.parts.realm.handle_input_time(connection, payer, charged, now);
            self.drain();
        }
        let ordinary = limits::ORDINARY_INPUT_TIME + limits::ORDINARY_SEND_TIME * self.sent;
        if spent <= ordinary {
            return;
        }
        let excess = (round.own_time_since(began, own_time()) + caused).saturating_sub(ordinary);
        if !excess.is_zero() {
            self.parts.realm.handle_long_input(connection, excess, round.marked());
            self.drain();
        }
    }

    /// Charges the last client of an ended connection for its uncharged inputs.
    fn charge_ended(&mut self, connection: ConnectionId, now: Time) {
        if let Some((payer, charged)) = self.input_times.end(connection) {
            self.parts.realm.handle_input_time(connection, payer, charged, now);
        }
    }

    fn shut_down(&mut self) {
        self.closing = true;
        let now = self.now();
        self.parts.realm.handle_shutdown(now);
    }

    fn apply_timeout(&mut self) {
        let now = self.now();
        self.paused.resume_due(now);
        self.parts.realm.handle_timeout(now);
    }

    fn apply_verified(&mut self, verified: TokenVerdict) {
        let (connection, verdict) = self.token_verifier.settle(verified);
        let now = self.now();
        self.parts.realm.handle_clock(clock::unix_now(), now);
        self.parts.realm.handle_authenticated(connection, verdict, now);
    }

    fn apply_inbound(&mut self, connection: ConnectionId, inbound: ConnectionEvent, now: Time) {
        let realm = &mut self.parts.realm;
        match inbound {
            ConnectionEvent::Opened { outbox, origin } => {
                if self.closing {
                    outbox.close();
                }
                self.writers.open(connection, outbox);
                realm.handle_opened(connection, origin, now);
            }
            ConnectionEvent::Packet(received, _room) => realm.handle_packet(connection, received, now),
            ConnectionEvent::Malformed(error) => realm.handle_malformed(connection, error, now),
            ConnectionEvent::Closed => {
                realm.handle_closed(connection, now);
                self.writers.forget(connection);
            }
        }
    }

    fn apply_request(&mut self, request: RealmRequest) {
        let id = CommandId(self.commands);
        self.commands += 1;
        self.answers.insert(id, request.answer);
        let began = matches!(request.command, Command::Snapshot { .. }).then(own_time);
        let now = self.now();
        self.parts.realm.handle_command(id, request.command, now);
        self.drain();
        if let Some(began) = began {
            self.parts.metrics.snapshot_taken(own_time() - began);
        }
    }

    fn apply_commit(&mut self, outcome: CommitOutcome) {
        let now = self.now();
        match outcome {
            CommitOutcome::Stored { through, size } => {
                self.note_size(size, now);
                self.parts.realm.handle_stored(through, now);
            }
            CommitOutcome::Measured(size) => self.note_size(size, now),
            CommitOutcome::Failed => {
                let through = self.parts.changes.drop_after_failure();
                self.parts.realm.handle_store_failed(through, now);
            }
        }
    }

    fn note_size(&mut self, size: DatabaseSize, now: Time) {
        self.parts.realm.handle_database_size(size, now);
        self.parts.metrics.database_measured(size.bytes);
    }

    /// Ends a round: wakes writers and the store, and counts the round if it was long.
    fn end_round(&mut self, mut round: RoundTimer) {
        self.wake_writers();
        self.parts.changes.wake();
        round.note(RoundWorkKind::Send, self.now());
        if let Some(cause) = round.end(own_time) {
            self.parts.metrics.long_round(cause.as_str());
        }
    }

    /// Wakes every writer that got frames. An overflowed queue ends its connection, which makes more frames.
    fn wake_writers(&mut self) {
        loop {
            self.writers.wake();
            let Some(connection) = self.writers.poll_overflowed() else { return };
            let now = self.now();
            self.parts.realm.handle_overflow(connection, now);
            self.drain();
        }
    }

    /// Carries out all outputs of the realm, then queues the writes among them for the disk. Hot path: one push for a
    /// message and group, no allocation here.
    fn drain(&mut self) {
        loop {
            while let Some(output) = self.parts.realm.poll_output() {
                self.carry_out(output);
            }
            let Some(connection) = self.writers.poll_overflowed() else { break };
            let now = self.now();
            self.parts.realm.handle_overflow(connection, now);
        }
        if !self.stores.writes.is_empty() {
            self.parts.changes.push_all(&mut self.stores);
        }
    }

    /// Creates a ticket for a motion grant and sends it to the connection that requested it.
    fn send_ticket(&mut self, connection: ConnectionId, origin: ConnectionOrigin, grant: MotionGrant) {
        let (id, scene) = (grant.id, grant.scene.clone());
        self.parts.motion.hold(grant);
        let address = match origin {
            ConnectionOrigin::Here => None,
            ConnectionOrigin::Address(address) => Some(address),
        };
        let Some(document) =
            self.parts.motion.document(id, &TicketRequestContext { address, ..TicketRequestContext::default() })
        else {
            return;
        };
        let message = TicketMqttPayload { object_id: "-", action: "motionTicket", document };
        let payload = serde_json::to_vec(&message).expect("strings and numbers are JSON");
        let now = self.now();
        self.parts.realm.handle_ticket(connection, &scene, payload, now);
    }

    fn carry_out(&mut self, output: RealmOutput) {
        match output {
            RealmOutput::Send { connection, frame, class } => {
                self.sent += 1;
                self.writers.send(connection, frame, class);
            }
            RealmOutput::Share { group, frame, class } => {
                self.sent += u32::try_from(group.members.len()).unwrap_or(u32::MAX);
                self.writers.share(&group, frame, class);
            }
            RealmOutput::Authenticate { connection, origin, client_id, password } => {
                self.token_verifier.begin(UnverifiedToken { connection, origin, client_id, password });
            }
            RealmOutput::Close { connection } => self.writers.close(connection),
            RealmOutput::SlowReading { connection, pause } => {
                self.paused.pause_until(connection, self.now() + pause);
                self.writers.pause_reading(connection);
            }
            RealmOutput::PauseReading { connection } => {
                self.paused.pause(connection);
                self.writers.pause_reading(connection);
            }
            RealmOutput::ResumeReading { connection } => self.paused.resume(connection),
            RealmOutput::Store { sequence, write, bytes } => {
                self.stores.through = sequence;
                self.stores.bytes += bytes;
                self.stores.writes.push(write);
            }
            RealmOutput::WriteRecords { job } => self.records_serializer.begin(job),
            RealmOutput::Answer { command, answer } => {
                // The grant is stored before the answer is sent, because the answer's receiver may end it at once.
                if let CommandAnswer::MotionGrant(grant) = &answer {
                    self.parts.motion.hold((**grant).clone());
                }
                if let Some(asker) = self.answers.remove(&command) {
                    // The caller may have gone.
                    let _ = asker.send(answer);
                }
            }
            RealmOutput::MotionGranted { connection, origin, motion_grant: grant } => {
                self.send_ticket(connection, origin, grant)
            }
            RealmOutput::MotionGrantEnded { motion_grant: grant, scene } => self.parts.motion.end(grant, scene),
            RealmOutput::MotionChanged { scene, settings } => self.parts.motion.change(scene, settings),
            RealmOutput::PoseFromMqtt { scene, bridged_pose } => self.parts.motion.set_pose(scene, bridged_pose),
            RealmOutput::BridgedPoseEnded { scene, id_tag, part } => self.parts.motion.remove_pose(scene, id_tag, part),
            RealmOutput::Followed { scene, is_followed } => self.parts.motion.follow(scene, is_followed),
            RealmOutput::Count { counter, reason, times } => self.parts.metrics.count(counter, reason, times),
        }
    }
}

/// A ticket as an MQTT message.
#[derive(serde::Serialize)]
struct TicketMqttPayload {
    object_id: &'static str,
    action: &'static str,
    #[serde(flatten)]
    document: TicketDocument,
}

async fn sleep_until(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => tokio::time::sleep_until(deadline).await,
        None => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests;
