//! Counters of the motion plane's threads, for metrics.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use stoa_net::datagrams;
use stoa_net::netcode::{DropCounts, DropReason};
use stoa_state::motion::MotionCounts;

/// One thread's counters, at most a second old.
#[derive(Clone, Copy, Debug, Default)]
pub struct MotionThreadSnapshot {
    /// Number of sessions, over all transports.
    pub people: usize,
    /// Number of scenes with sessions.
    pub scenes: usize,
    /// Counters of scenes, including those that have ended.
    pub frames: MotionCounts,
    /// Counters of the socket.
    pub datagrams: datagrams::SocketCounts,
    /// Datagrams that the netcode state machine dropped.
    pub drops: DropCounts,
    /// Ticks that began after the next one was due.
    pub late_ticks: u64,
    /// Frames over WebTransport and WebSocket that were dropped for their rate or for a full queue.
    pub queue_full: u64,
    /// Clients whose ticket was invalid, used or expired: with a valid connect token over netcode, and with a known
    /// ticket over WebTransport or WebSocket.
    pub bad_tickets: u64,
    /// Sessions ended because the client sent nothing.
    pub silent: u64,
    /// Sessions ended because the client didn't acknowledge arrivals and departures.
    pub behind: u64,
    /// Sessions ended because the client didn't verify its new address.
    pub unproved: u64,
    /// Processor time of the thread.
    pub busy: Duration,
}

/// A thread's counters, written by the thread once a second. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct SharedThreadCounters(Arc<Mutex<MotionThreadSnapshot>>);

impl SharedThreadCounters {
    pub(super) fn set(&self, totals: MotionThreadSnapshot) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = totals;
    }

    /// The counters, at most a second old.
    pub fn get(&self) -> MotionThreadSnapshot {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl MotionThreadSnapshot {
    /// Dropped frames, poses and datagrams, ended sessions and bad tickets by reason, with the names that metrics use.
    pub fn dropped(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let MotionThreadSnapshot { frames, datagrams, drops, .. } = *self;
        let counted = [
            ("frame_malformed", frames.malformed),
            ("frame_repeated", frames.repeated),
            ("frame_flooding", frames.flooding),
            ("pose_undeclared", frames.undeclared),
            ("pose_beyond", frames.beyond),
            ("object_refused", frames.refused),
            ("ack_untrue", frames.untrue),
            ("flow_refused", frames.voice.flows_refused),
            ("unit_undeclared", frames.voice.undeclared),
            ("unit_repeated", frames.voice.repeated),
            ("unit_flooding", frames.voice.flooding),
            ("stay_silent", self.silent),
            ("stay_behind", self.behind),
            ("stay_unproved", self.unproved),
            ("queue_full", self.queue_full),
            ("bad_ticket", self.bad_tickets),
            ("socket_overflowed", datagrams.overflowed),
            ("unsent_full", datagrams.unsent_full),
            ("unsent_refused", datagrams.unsent_refused),
        ];
        counted.into_iter().chain(DropReason::ALL.into_iter().map(move |why| (why.name(), drops[why])))
    }
}
