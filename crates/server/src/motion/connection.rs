//! Somebody who came in by WebTransport or WebSocket, as their connection sees it.

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

/// A stay by a connection of its own. Dropping it ends the stay.
#[derive(Debug)]
pub struct MotionConnection {
    key: HostedSessionKey,
    commands: Sender<ThreadCommand>,
    /// The moment that the machines call zero.
    zero: Instant,
    /// Frames of its that the thread has not taken yet.
    waiting: Arc<AtomicUsize>,
    /// How many may still come: the scene would drop what is beyond, after the thread had taken it. Nobody else locks it.
    pace: Mutex<TokenBucket>,
    /// How many of all entries' were dropped because too many came, or waited.
    dropped: Arc<AtomicU64>,
    /// Closed by the thread when the stay is over.
    over: watch::Receiver<()>,
}

/// The thread's end of an entry.
#[derive(Debug)]
pub(super) struct AdmittedSession {
    pub(super) key: HostedSessionKey,
    pub(super) over: watch::Receiver<()>,
}

impl MotionConnection {
    pub(super) fn new(
        admitted: AdmittedSession,
        (commands, zero): (Sender<ThreadCommand>, Instant),
        dropped: Arc<AtomicU64>,
    ) -> MotionConnection {
        let AdmittedSession { key, over } = admitted;
        let now = Time::ZERO + zero.elapsed();
        let pace = Mutex::new(TokenBucket::new(MOTION_FRAMES_PER_S, MOTION_FRAMES_BURST, now));
        MotionConnection { key, commands, zero, waiting: Arc::default(), pace, dropped, over }
    }

    /// A frame came. Dropped where so many came, or so many wait, that it must be flooding: nobody else waits for it.
    pub fn handle_frame(&self, frame: Bytes) {
        // Now, and not at the next tick: the time at which its poses were taken follows from it.
        let at = Time::ZERO + self.zero.elapsed();
        let may = self.pace.lock().unwrap_or_else(PoisonError::into_inner).take(at);
        if !may || self.waiting.load(Ordering::Relaxed) >= limits::MOTION_FRAMES_WAITING_MAX {
            self.dropped.fetch_add(1, Ordering::Relaxed);
            return;
        }
        self.waiting.fetch_add(1, Ordering::Relaxed);
        // The thread may have ended; then so has the stay.
        let _ =
            self.commands.send(ThreadCommand::Frame { key: self.key, frame, at, waiting: Arc::clone(&self.waiting) });
    }

    /// Returns when the stay is over.
    pub async fn ended(&self) {
        let mut over = self.over.clone();
        while over.changed().await.is_ok() {}
    }
}

impl Drop for MotionConnection {
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
    fn what_is_beyond_the_pace_of_a_headset_never_reaches_the_thread() {
        let entrant = MotionEntrant { id_tag: "ada_1".into(), may_show: true, may_track: false };
        let motion_session = MotionScene::new(MotionSettings::default()).enter(entrant, Time::ZERO);
        let (commands, taken) = mpsc::channel();
        let admitted = AdmittedSession {
            key: HostedSessionKey { index: 0, serial: 1, motion_session },
            over: watch::channel(()).1,
        };
        let (begun, dropped) = (Instant::now(), Arc::default());
        let entry = MotionConnection::new(admitted, (commands, begun), Arc::clone(&dropped));
        let said = 4 * u64::from(MOTION_FRAMES_BURST);
        let mut reached = 0;
        for _ in 0..said {
            entry.handle_frame(Bytes::from_static(b"frame"));
            // The thread is as quick as can be.
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
