//! A motion session over WebTransport or WebSocket, as its connection's task sees it.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use bytes::Bytes;
use stoa_state::motion::{FrameClass, IncomingFrameRates};
use stoa_state::time::Time;
use stoa_wire::limits::VOICE_FRAME_BYTES_MIN;
use stoa_wire::motion::MotionFrame;
use tokio::sync::watch;

use super::reports::QueuedItemGuard;
use super::scene::HostedSessionKey;
use super::thread::ThreadCommand;
use crate::limits;

/// A motion session over its own connection. Dropping it ends the session.
#[derive(Debug)]
pub struct DedicatedMotionSession {
    key: HostedSessionKey,
    commands: Sender<ThreadCommand>,
    /// The state machines' time zero.
    zero: Instant,
    /// Bytes of this session's pose and voice frames that the thread has not handled yet.
    waiting_poses: Arc<AtomicUsize>,
    waiting_voice: Arc<AtomicUsize>,
    /// The rates at which the scene accepts frames. The scene would drop any excess anyway, after the thread had
    /// received it. Only this session's task locks them.
    rates: Mutex<IncomingFrameRates>,
    /// Frames of all such sessions of the thread that were dropped for their rate or for a full queue.
    dropped: Arc<AtomicU64>,
    /// Closed by the thread when the session ends.
    over: watch::Receiver<()>,
}

/// The thread's answer to an admitted client.
#[derive(Debug)]
pub(super) struct MotionSessionAdmission {
    pub(super) key: HostedSessionKey,
    pub(super) over: watch::Receiver<()>,
}

impl DedicatedMotionSession {
    pub(super) fn new(
        admitted: MotionSessionAdmission,
        commands: Sender<ThreadCommand>,
        zero: Instant,
        dropped: Arc<AtomicU64>,
    ) -> DedicatedMotionSession {
        let MotionSessionAdmission { key, over } = admitted;
        let now = Time::ZERO + zero.elapsed();
        let rates = Mutex::new(IncomingFrameRates::new(now));
        let (waiting_poses, waiting_voice) = Default::default();
        DedicatedMotionSession { key, commands, zero, waiting_poses, waiting_voice, rates, dropped, over }
    }

    /// Passes a frame to the thread. Drops it if this session's rate or waiting frames of its class exceed their bound,
    /// so that no other session waits for a flood, and no voice for poses.
    pub fn handle_frame(&self, frame: Bytes) {
        // The arrival time, not that of the next tick: the poses' time of capture is derived from it.
        let at = Time::ZERO + self.zero.elapsed();
        let class = MotionFrame::read(&frame).map_or(FrameClass::Poses, |frame| FrameClass::of_incoming(&frame));
        let (waiting, waiting_max, bytes_min) = match class {
            FrameClass::Poses => {
                (&self.waiting_poses, limits::MOTION_POSE_BYTES_WAITING_MAX, limits::MOTION_POSE_BYTES_MIN)
            }
            FrameClass::Voice => (&self.waiting_voice, limits::MOTION_VOICE_BYTES_WAITING_MAX, VOICE_FRAME_BYTES_MIN),
        };
        let may = self.rates.lock().unwrap_or_else(PoisonError::into_inner).take(class, frame.len(), at);
        let bytes = frame.len().max(bytes_min);
        if !may || waiting.load(Ordering::Relaxed) + bytes > waiting_max {
            self.dropped.fetch_add(1, Ordering::Relaxed);
            return;
        }
        let queued = QueuedItemGuard::of(waiting, bytes);
        // If the thread has ended, the session has ended too.
        let _ = self.commands.send(ThreadCommand::Frame { key: self.key, frame, at, _queued: queued });
    }

    /// Returns when the session has ended.
    pub async fn ended(&self) {
        let mut over = self.over.clone();
        while over.changed().await.is_ok() {}
    }
}

impl Drop for DedicatedMotionSession {
    fn drop(&mut self) {
        let _ = self.commands.send(ThreadCommand::Leave { key: self.key });
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use stoa_state::limits::{MOTION_FRAMES_BURST, MOTION_FRAMES_PER_S};
    use stoa_state::motion::{MotionEntrant, MotionRights, MotionScene, MotionSettings};
    use stoa_wire::limits::FRAME_BYTES_MAX;
    use stoa_wire::motion::frame::{HEAD_BYTES, PART_HEAD_BYTES};
    use stoa_wire::motion::{FrameEntriesWriter, FrameHeader, FramePartKind};

    use super::*;

    /// A session whose frames wait in the returned channel.
    fn session() -> (DedicatedMotionSession, mpsc::Receiver<ThreadCommand>, Arc<AtomicU64>) {
        let entrant = MotionEntrant { id_tag: "ada_1".into(), rights: MotionRights::ALL };
        let motion_session = MotionScene::new(MotionSettings::default()).enter(entrant, Time::ZERO);
        let (commands, taken) = mpsc::channel();
        let admitted = MotionSessionAdmission {
            key: HostedSessionKey { index: 0, serial: 1, motion_session },
            over: watch::channel(()).1,
        };
        let dropped = Arc::default();
        (DedicatedMotionSession::new(admitted, commands, Instant::now(), Arc::clone(&dropped)), taken, dropped)
    }

    fn frame(kind: FramePartKind, length: usize) -> Bytes {
        let mut parts = FrameEntriesWriter::new(FRAME_BYTES_MAX - HEAD_BYTES);
        assert!(parts.put(kind, &vec![0; length - HEAD_BYTES - PART_HEAD_BYTES]));
        [&FrameHeader { sequence: 1, time_ms: 1 }.to_bytes()[..], parts.bytes()].concat().into()
    }

    #[test]
    fn frames_beyond_the_frame_rate_limit_are_dropped_and_counted() {
        let (session, taken, dropped) = session();
        let begun = Instant::now();
        let said = 4 * u64::from(MOTION_FRAMES_BURST);
        let mut reached = 0;
        for _ in 0..said {
            session.handle_frame(Bytes::from_static(b"frame"));
            // Simulates a thread that takes frames immediately.
            reached += taken.try_iter().count() as u64;
        }
        let most = u64::from(MOTION_FRAMES_BURST) + begun.elapsed().as_secs() * u64::from(MOTION_FRAMES_PER_S) + 200;
        assert!((u64::from(MOTION_FRAMES_BURST)..=most).contains(&reached), "{reached} of {said} passed");
        assert_eq!(reached + dropped.load(Ordering::Relaxed), said, "the others are counted");
    }

    #[test]
    fn waiting_poses_and_voice_have_separate_shares_of_the_queue() {
        let (session, taken, dropped) = session();
        (0..100).for_each(|_| session.handle_frame(frame(FramePartKind::Own, FRAME_BYTES_MAX)));
        (0..100).for_each(|_| session.handle_frame(frame(FramePartKind::Units, 120)));
        let waiting =
            (limits::MOTION_POSE_BYTES_WAITING_MAX / FRAME_BYTES_MAX, limits::MOTION_VOICE_BYTES_WAITING_MAX / 120);
        assert_eq!(taken.try_iter().count(), waiting.0 + waiting.1);
        assert_eq!(dropped.load(Ordering::Relaxed) as usize, 200 - waiting.0 - waiting.1);
        (0..100).for_each(|_| session.handle_frame(frame(FramePartKind::Own, 40)));
        assert_eq!(taken.try_iter().count(), 32, "small frames count half of the largest");
    }
}
