//! What the threads of the motion plane count, as metrics show it.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use stoa_net::datagrams;
use stoa_net::netcode::{DropCounts, DropReason};
use stoa_state::motion::MotionCounts;

/// One thread's numbers, as of the last second.
#[derive(Clone, Copy, Debug, Default)]
pub struct MotionTotals {
    /// How many are in, by whatever way.
    pub people: usize,
    /// In how many scenes.
    pub scenes: usize,
    /// What scenes counted, those that have ended too.
    pub frames: MotionCounts,
    /// What the socket counted.
    pub datagrams: datagrams::SocketCounts,
    /// Datagrams that the machine of netcode dropped.
    pub drops: DropCounts,
    /// Ticks that began later than the next one should have.
    pub late_ticks: u64,
    /// Frames of WebTransport and WebSocket that came faster than they are taken.
    pub queue_full: u64,
    /// Whoever had a sealed token, and a ticket in it that was not good, or not any more.
    pub bad_tickets: u64,
    /// Stays that were ended since nothing came of them.
    pub silent: u64,
    /// Stays that were ended since they did not say that they know who came and went.
    pub behind: u64,
    /// Stays that ended because they had not proved where they are.
    pub unproved: u64,
    /// What the thread had of a processor.
    pub busy: Duration,
}

/// Written by a thread once a second, read by whoever wants to know.
#[derive(Clone, Debug, Default)]
pub struct MotionFigures(Arc<Mutex<MotionTotals>>);

impl MotionFigures {
    pub(super) fn set(&self, totals: MotionTotals) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = totals;
    }

    /// The numbers of now, or of a second ago.
    pub fn get(&self) -> MotionTotals {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl MotionTotals {
    /// What was dropped, and why: names as metrics have them.
    pub fn dropped(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let MotionTotals { frames, datagrams, drops, .. } = *self;
        let counted = [
            ("frame_malformed", frames.malformed),
            ("frame_repeated", frames.repeated),
            ("frame_flooding", frames.flooding),
            ("pose_undeclared", frames.undeclared),
            ("pose_beyond", frames.beyond),
            ("object_refused", frames.refused),
            ("ack_untrue", frames.untrue),
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
