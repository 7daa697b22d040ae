//! The delay of a path's queue: the smallest recent delay of a frame, above the smallest one that is remembered.

use super::transit::{FrameTransit, QUARTERS};
use crate::limits;
use crate::motion::clock::{MotionTime, WindowedMinimum};

/// Estimates the queueing delay of one direction of a path. Times are in quarters of a millisecond.
#[derive(Clone, Copy, Debug)]
pub(super) struct QueueDelayEstimator {
    /// The first delay. All others count from it, since the two clocks start anywhere.
    origin: Option<u32>,
    /// Smallest delay of an empty path.
    least: WindowedMinimum,
    /// Smallest recent delay, without the frame's own transmission.
    recent: WindowedMinimum,
}

impl QueueDelayEstimator {
    /// An estimator whose present delay is the smallest of at least `recent_ms` milliseconds.
    pub(super) const fn over(recent_ms: u32) -> QueueDelayEstimator {
        QueueDelayEstimator {
            origin: None,
            least: WindowedMinimum::of_last(limits::RATE_LEAST_MS * QUARTERS),
            recent: WindowedMinimum::of_last(recent_ms * QUARTERS),
        }
    }

    /// Adds a frame and returns its own queueing delay. `bytes_per_s` estimates the path's rate, and with it the time
    /// that the frame itself takes: without it, a long frame on a slow path would count as a queue.
    pub(super) fn add(&mut self, transit: FrameTransit, bytes_per_s: u32) -> u32 {
        let delay = transit.arrived_q.wrapping_sub(transit.sent_q);
        let delay = delay.wrapping_sub(*self.origin.get_or_insert(delay)).cast_signed();
        let sent = MotionTime(transit.sent_q);
        let own = u64::from(transit.bytes) * u64::from(1_000 * QUARTERS) / u64::from(bytes_per_s.max(1));
        let without = delay.saturating_sub(i32::try_from(own).unwrap_or(i32::MAX));
        self.recent.add(without, sent);
        above(without, self.least.add(delay, sent))
    }

    /// The queueing delay; 0 before the first frame.
    pub(super) fn get(&self) -> u32 {
        match (self.recent.get(), self.least.get()) {
            (Some(recent), Some(least)) => above(recent, least),
            _ => 0,
        }
    }

    /// Forgets all delays: the path or a clock has changed.
    pub(super) fn clear(&mut self) {
        self.least.clear();
        self.recent.clear();
        self.origin = None;
    }
}

fn above(delay: i32, least: i32) -> u32 {
    u32::try_from(delay.saturating_sub(least)).unwrap_or(0)
}
