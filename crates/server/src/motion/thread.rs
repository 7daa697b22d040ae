//! One thread of the motion plane. It owns its scenes and the socket for native clients; other code sends it
//! commands.
//!
//! The loop: datagrams until the next tick, then commands (`people.rs`), then the tick, which serves a fifth of the
//! receivers. A tick here is a subtick of the scenes ([`limits::MOTION_SUBTICK`]). With 1,000 people who all see each
//! other, 20,000 datagrams a second arrive and 280,000 are sent.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use bytes::Bytes;
use stoa_net::datagrams::{DatagramAddresses, DatagramSender, DatagramSocket};
use stoa_net::frames::FrameSink;
use stoa_net::netcode::{DueAction, NetcodeDatagramOutcome, NetcodeServer, NetcodeSessionId};
use stoa_state::motion::send_timing::SendTimingMode;
use stoa_state::motion::{MotionSettings, SessionEndReason, SessionTakeover};
use stoa_state::realm::{MotionGrantId, PoseFromMqtt};
use stoa_state::time::Time;
use stoa_wire::motion::MotionObjectKind;
use stoa_wire::topic::SceneName;
use tokio::sync::oneshot;

use super::connection::MotionSessionAdmission;
use super::reports::{QueuedItemGuard, ReportSender};
use super::scene::{HostedScene, HostedSessionKey, NetcodeSender};
use super::scenes::HostedScenes;
use super::thread_counters::{MotionThreadSnapshot, SharedThreadCounters};
use super::tickets::{MotionGrantRegistry, MotionTransportKind, TicketBytes};
use crate::limits;
use crate::os::clock::own_time;

/// A command to the thread. The channel is unbounded, because neither the realm nor a connection may wait for a
/// tick. Counters bound the frequent commands: frames per connection, bridged poses per thread. Each other command
/// follows an arrival, a departure, or a message or command whose handling in the realm costs more.
pub(super) enum ThreadCommand {
    /// Starts a session over WebTransport or WebSocket.
    Enter(EntryRequest),
    /// A frame of a WebTransport or WebSocket session, with its arrival time.
    Frame { key: HostedSessionKey, frame: Bytes, at: Time, _queued: QueuedItemGuard },
    /// The connection of a WebTransport or WebSocket session has ended.
    Leave { key: HostedSessionKey },
    /// The motion grant has ended.
    End { grant: MotionGrantId, scene: SceneName },
    /// A pose from MQTT.
    SetPose { scene: SceneName, pose: PoseFromMqtt, _queued: QueuedItemGuard },
    /// A person known by MQTT alone, or one of that person's parts, is gone.
    RemovePose { scene: SceneName, id_tag: String, part: Option<MotionObjectKind> },
    /// Whether any client follows the scene's poses over MQTT.
    Follow { scene: SceneName, is_followed: bool },
    /// The scene's motion settings have changed.
    Change { scene: SceneName, settings: MotionSettings },
}

/// A client's request to enter over WebTransport or WebSocket.
pub(super) struct EntryRequest {
    pub(super) ticket: TicketBytes,
    pub(super) transport: MotionTransportKind,
    pub(super) sink: Box<dyn FrameSink>,
    pub(super) answer: oneshot::Sender<MotionSessionAdmission>,
}

/// The thread's state besides scenes and sessions.
pub(super) struct MotionThreadResources {
    /// The state machines' time zero.
    pub(super) zero: Instant,
    pub(super) tickets: Arc<Mutex<MotionGrantRegistry>>,
    pub(super) commands: Receiver<ThreadCommand>,
    pub(super) reports: ReportSender,
    pub(super) serving: SendTimingMode,
    pub(super) ending: Arc<AtomicBool>,
    pub(super) figures: SharedThreadCounters,
    /// Frames dropped before they reached the thread.
    pub(super) queue_full: Arc<AtomicU64>,
    /// `None` without native clients.
    pub(super) socket: Option<DatagramSocket>,
    pub(super) netcode: NetcodeServer,
}

/// One thread of the motion plane.
pub(super) struct MotionThread {
    pub(super) parts: MotionThreadResources,
    pub(super) scenes: HostedScenes,
    /// The session of each netcode connection, by the connection's slot.
    pub(super) netcode_sessions: Vec<Option<(NetcodeSessionId, HostedSessionKey)>>,
    pub(super) totals: MotionThreadSnapshot,
    tick: u64,
    tick_at: Instant,
    reported_at: Instant,
    bridged_at: Instant,
    /// Number of calls of [`MotionThread::report_poses`] so far, and the index of the scene with which the next begins.
    tellings: u64,
    tell_from: usize,
}

/// The start or end of a netcode connection, or the takeover of an earlier session by one.
enum NetcodeConnectionEvent {
    Entered(NetcodeSessionId, Option<TicketBytes>),
    Left(NetcodeSessionId),
    TookOver(HostedSessionKey, SessionTakeover),
}

impl MotionThread {
    pub(super) fn new(parts: MotionThreadResources) -> MotionThread {
        let now = Instant::now();
        MotionThread {
            parts,
            scenes: HostedScenes::default(),
            netcode_sessions: Vec::new(),
            totals: MotionThreadSnapshot::default(),
            tick: 0,
            tick_at: now,
            reported_at: now,
            bridged_at: now,
            tellings: 0,
            tell_from: 0,
        }
    }

    /// Runs until [`MotionThreads::end`](super::MotionThreads::end), then ends all sessions.
    pub(super) fn run(mut self) {
        while !self.parts.ending.load(Ordering::Relaxed) {
            self.begin_tick();
            while self.receive() {}
            self.obey();
            self.serve_at_once();
            self.serve();
            self.say_what_is_due();
            self.flush();
            if self.bridged_at.elapsed() >= limits::MOTION_BRIDGE_PERIOD {
                self.bridged_at = Instant::now();
                self.report_poses();
            }
            if self.reported_at.elapsed() >= limits::MOTION_REPORT_PERIOD {
                self.reported_at = Instant::now();
                self.run_maintenance();
            }
        }
        self.end_all_sessions();
        self.flush();
    }

    pub(super) fn now(&self) -> Time {
        Time::ZERO + self.parts.zero.elapsed()
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, MotionGrantRegistry> {
        self.parts.tickets.lock().expect("no code panics while it holds this lock")
    }

    /// Sets the next tick: [`limits::MOTION_SUBTICK`] after the last, or now if that has passed. Without sessions,
    /// [`limits::MOTION_IDLE_TICK`].
    fn begin_tick(&mut self) {
        let is_idle = self.scenes.is_empty() && self.parts.netcode.is_empty();
        self.tick += 1;
        self.tick_at += if is_idle { limits::MOTION_IDLE_TICK } else { limits::MOTION_SUBTICK };
        let now = Instant::now();
        if self.tick_at < now {
            self.totals.late_ticks += u64::from(!is_idle && now - self.tick_at > limits::MOTION_SUBTICK);
            self.tick_at = now;
        }
    }

    /// Handles one batch of datagrams received before the next tick. Returns false when the tick is due. One reading
    /// of the clock is the arrival time of the whole batch. Hot path: allocates only when a session starts or ends.
    fn receive(&mut self) -> bool {
        let MotionThreadResources { socket: Some(DatagramSocket { incoming, outgoing, .. }), netcode, zero, .. } =
            &mut self.parts
        else {
            return self.pause(Duration::MAX);
        };
        // After a socket error the thread continues for the other transports.
        let Ok(batch) = incoming.receive(self.tick_at) else { return self.pause(Duration::MAX) };
        let now = Time::ZERO + zero.elapsed();
        let (mut changes, mut taken) = (Vec::new(), 0);
        for (peer, datagram) in batch {
            taken += 1;
            let proved = match netcode.handle(datagram, peer, now) {
                NetcodeDatagramOutcome::Frame { session, bytes, moved } => {
                    let entry = self.netcode_sessions.get(session.slot()).copied().flatten();
                    let key = entry.filter(|(entered, _)| *entered == session).map(|(_, key)| key);
                    let hosted = key.and_then(|key| Some((self.scenes.at(key)?, key.motion_session)));
                    // A random number of sequence numbers is skipped, so that only a client that receives at the
                    // new address can acknowledge its frames.
                    let moved = moved.then(rand::random);
                    let (is_proved, takeover) = hosted.map_or((false, None), |(hosted, motion_session)| {
                        hosted.handle_sealed(motion_session, bytes, moved, now)
                    });
                    changes.extend(key.zip(takeover).map(|(key, by)| NetcodeConnectionEvent::TookOver(key, by)));
                    is_proved.then_some(session)
                }
                NetcodeDatagramOutcome::Answer(bytes) => send(outgoing, peer, bytes),
                NetcodeDatagramOutcome::Entered { session, ticket, answer } => {
                    changes.push(NetcodeConnectionEvent::Entered(session, TicketBytes::from_user_data(ticket)));
                    send(outgoing, peer, answer)
                }
                NetcodeDatagramOutcome::Left { session } => {
                    changes.push(NetcodeConnectionEvent::Left(session));
                    None
                }
                NetcodeDatagramOutcome::Nothing => None,
            };
            if let Some(session) = proved {
                netcode.prove(session);
            }
        }
        for change in changes {
            match change {
                NetcodeConnectionEvent::Entered(session, ticket) => self.enter_by_netcode(session, ticket, now),
                NetcodeConnectionEvent::Left(session) => self.end_netcode_session(session, now),
                NetcodeConnectionEvent::TookOver(key, takeover) => self.take_over(key, takeover),
            }
        }
        if taken == 0 {
            return Instant::now() < self.tick_at;
        }
        // More datagrams wait, and a late tick is better than an overflowing receive buffer. Receivers are served
        // afterwards, so that frames received together are sent together.
        if taken >= stoa_net::limits::BATCH_MESSAGES_MAX
            && Instant::now() < self.tick_at + limits::MOTION_TICK_DELAY_MAX
        {
            return true;
        }
        self.serve_at_once();
        self.flush();
        self.pause(pause_of(self.parts.serving, self.parts.netcode.len()))
    }

    /// Sleeps at most until the next tick. Returns false when the tick is due.
    fn pause(&self, pause: Duration) -> bool {
        let left = self.tick_at.saturating_duration_since(Instant::now());
        std::thread::sleep(pause.min(left));
        left > pause
    }

    /// Serves a fifth of all scenes' receivers. Small scenes are served whole in every fifth call.
    fn serve(&mut self) {
        let now = self.now();
        let MotionThreadResources { netcode, socket, serving, .. } = &mut self.parts;
        let outgoing = socket.as_mut().map(|socket| &mut socket.outgoing);
        let mut sender = NetcodeSender { netcode, outgoing, tick: self.tick, serving: *serving, peer: None };
        self.scenes.iter_mut().for_each(|(_, hosted)| hosted.tick(&mut sender, now));
    }

    /// Serves the scenes that have new frames and are served at once.
    fn serve_at_once(&mut self) {
        let now = self.now();
        let MotionThreadResources { netcode, socket, serving, .. } = &mut self.parts;
        let outgoing = socket.as_mut().map(|socket| &mut socket.outgoing);
        let mut sender = NetcodeSender { netcode, outgoing, tick: self.tick, serving: *serving, peer: None };
        self.scenes.drain_stirred(|hosted| hosted.serve_at_once(&mut sender, now));
    }

    /// Sends netcode's keep-alives and removes the connections that timed out.
    fn say_what_is_due(&mut self) {
        let now = self.now();
        self.parts.netcode.handle_timeout(now);
        loop {
            let MotionThreadResources { netcode, socket: Some(socket), .. } = &mut self.parts else { return };
            match netcode.poll_due() {
                None => return,
                Some(DueAction::KeepAlive { peer, bytes }) => {
                    send(&mut socket.outgoing, peer, bytes);
                }
                Some(DueAction::Left { session }) => self.end_netcode_session(session, now),
            }
        }
    }

    pub(super) fn flush(&mut self) {
        if let Some(socket) = &mut self.parts.socket {
            socket.outgoing.flush();
        }
    }

    /// Ten times a second, reports poses of heads and hands for clients with MQTT alone. A scene that none of them
    /// follows reports once a second, so that a later request gets recent poses. If the realm has fallen behind,
    /// the next report begins with the first skipped scene.
    pub(super) fn report_poses(&mut self) {
        let reports = &self.parts.reports;
        self.tellings += 1;
        for (index, hosted) in self.scenes.iter_mut_from(self.tell_from) {
            if !reports.has_room() {
                self.tell_from = index;
                return;
            }
            let told = hosted.poll_bridge(self.tellings);
            if !told.is_empty() {
                reports.send(&hosted.name, told);
            }
        }
    }

    /// Once a second, ends the sessions of clients that are silent, don't acknowledge arrivals and departures, or
    /// didn't verify a new address. Then chooses the scenes to serve at once, and publishes the counters.
    fn run_maintenance(&mut self) {
        let now = self.now();
        let ended = |(index, hosted): (usize, &mut HostedScene)| {
            let (motion_session, why) = hosted.scene.poll_ended(now)?;
            Some((HostedSessionKey { index, serial: hosted.serial, motion_session }, why))
        };
        loop {
            let found = self.scenes.iter_mut().find_map(ended);
            let Some((key, why)) = found else { break };
            match why {
                SessionEndReason::Silent => self.totals.silent += 1,
                SessionEndReason::Behind => self.totals.behind += 1,
                SessionEndReason::Unproved => self.totals.unproved += 1,
            }
            self.end_session(key);
        }
        self.scenes.choose(self.parts.serving);
        self.totals.scenes = self.scenes.len();
        self.totals.frames = self.scenes.counts();
        self.totals.datagrams = self.parts.socket.as_ref().map(DatagramSocket::counts).unwrap_or_default();
        self.totals.drops = *self.parts.netcode.drops();
        self.totals.queue_full = self.parts.queue_full.load(Ordering::Relaxed);
        self.totals.busy = own_time();
        self.parts.figures.set(self.totals);
    }
}

/// The pause before the next read. In a crowd, datagrams are gathered: a wake-up for forty costs hardly more than
/// for one. Not in [`SendTimingMode::AtOnce`].
fn pause_of(serving: SendTimingMode, people: usize) -> Duration {
    let is_gathered = serving != SendTimingMode::AtOnce && people > limits::MOTION_CROWD;
    if is_gathered { limits::MOTION_PAUSE } else { Duration::ZERO }
}

/// Sends bytes unchanged. Returns `None`, since no address is verified by it.
pub(super) fn send(outgoing: &mut DatagramSender, peer: DatagramAddresses, bytes: &[u8]) -> Option<NetcodeSessionId> {
    outgoing.add(peer, |buffer| {
        buffer[..bytes.len()].copy_from_slice(bytes);
        bytes.len()
    });
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_of_a_crowd_are_batched_unless_send_timing_is_at_once() {
        let crowd = limits::MOTION_CROWD + 1;
        for serving in [SendTimingMode::Auto, SendTimingMode::Ticks] {
            assert_eq!(pause_of(serving, crowd), limits::MOTION_PAUSE);
            assert_eq!(pause_of(serving, crowd - 1), Duration::ZERO);
        }
        assert_eq!(pause_of(SendTimingMode::AtOnce, crowd), Duration::ZERO);
    }
}
