//! A motion session over WebTransport or WebSocket, as its connection's task sees it.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use bytes::Bytes;
use stoa_state::bucket::TokenBucket;
use stoa_state::limits::{MOTION_FRAMES_BURST, MOTION_FRAMES_PER_S};
use stoa_state::time::Time;
use tokio::sync::watch;

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
    /// Number of this session's frames that the thread has not handled yet.
    waiting: Arc<AtomicUsize>,
    /// The rate at which the scene accepts frames. The scene would drop any excess anyway, after the thread had
    /// received it. Only this session's task locks the bucket.
    pace: Mutex<TokenBucket>,
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
        let pace = Mutex::new(TokenBucket::new(MOTION_FRAMES_PER_S, MOTION_FRAMES_BURST, now));
        DedicatedMotionSession { key, commands, zero, waiting: Arc::default(), pace, dropped, over }
    }

    /// Passes a frame to the thread. Drops it if this session's rate or number of waiting frames exceeds its bound, so
    /// that no other session waits for a flood.
    pub fn handle_frame(&self, frame: Bytes) {
        // The arrival time, not that of the next tick: the poses' time of capture is derived from it.
        let at = Time::ZERO + self.zero.elapsed();
        let may = self.pace.lock().unwrap_or_else(PoisonError::into_inner).take(at);
        if !may || self.waiting.load(Ordering::Relaxed) >= limits::MOTION_FRAMES_WAITING_MAX {
            self.dropped.fetch_add(1, Ordering::Relaxed);
            return;
        }
        self.waiting.fetch_add(1, Ordering::Relaxed);
        // If the thread has ended, the session has ended too.
        let _ =
            self.commands.send(ThreadCommand::Frame { key: self.key, frame, at, waiting: Arc::clone(&self.waiting) });
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

    use stoa_state::motion::MotionSettings;
    use stoa_state::motion::{MotionEntrant, MotionScene};

    use super::*;

    #[test]
    fn frames_beyond_the_frame_rate_limit_are_dropped_and_counted() {
        let entrant = MotionEntrant { id_tag: "ada_1".into(), may_show: true, may_track: false };
        let motion_session = MotionScene::new(MotionSettings::default()).enter(entrant, Time::ZERO);
        let (commands, taken) = mpsc::channel();
        let admitted = MotionSessionAdmission {
            key: HostedSessionKey { index: 0, serial: 1, motion_session },
            over: watch::channel(()).1,
        };
        let (begun, dropped) = (Instant::now(), Arc::default());
        let entry = DedicatedMotionSession::new(admitted, commands, begun, Arc::clone(&dropped));
        let said = 4 * u64::from(MOTION_FRAMES_BURST);
        let mut reached = 0;
        for _ in 0..said {
            entry.handle_frame(Bytes::from_static(b"frame"));
            // Simulates a thread that takes frames immediately.
            for command in taken.try_iter() {
                let ThreadCommand::Frame { waiting, .. } = command else { continue };
                waiting.fetch_sub(1, Ordering::Relaxed);
                reached += 1;
            }
        }
        let most = u64::from(MOTION_FRAMES_BURST) + begun.elapsed().as_secs() * u64::from(MOTION_FRAMES_PER_S) + 200;
        assert!((u64::from(MOTION_FRAMES_BURST)..=most).contains(&reached), "{reached} of {said} passed");
        assert_eq!(reached + dropped.load(Ordering::Relaxed), said, "the others are counted");
    }
}
