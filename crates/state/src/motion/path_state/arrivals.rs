//! The arrivals that a client reports. Source: `spec/wire.md` section 6.2.

use stoa_wire::motion::FrameArrivals;

use crate::limits;
use crate::motion::clock::{MotionTime, WindowedMinimum};
use crate::motion::rate::{FrameTransit, QUARTERS, RateController, SentFrameHistory};

/// Sent frames, and the reports of their arrivals.
#[derive(Debug)]
pub(super) struct ReportedArrivals {
    pub(super) history: SentFrameHistory,
    /// The time of the last report.
    at: MotionTime,
    /// The last acknowledged frame and its round trip in milliseconds.
    round_trip: Option<(u32, u32)>,
    /// Smallest difference between a frame's round trip and its delay, in quarters of a millisecond. A queue on the way
    /// to the client doesn't change it, and the client's clock does.
    way_back: WindowedMinimum,
    /// The first such difference. All others count from it, since the client's clock starts anywhere.
    origin: Option<u32>,
}

/// A difference this far below the smallest one is a jump of the client's clock, in quarters of a millisecond.
const JUMP_Q: i32 = (limits::RATE_CUT_QUEUE_MS * QUARTERS).cast_signed();

impl ReportedArrivals {
    pub(super) fn new(now: MotionTime) -> ReportedArrivals {
        let way_back = WindowedMinimum::of_last(limits::MOTION_LEAST_MS);
        ReportedArrivals { history: SentFrameHistory::new(), at: now, round_trip: None, way_back, origin: None }
    }

    /// Whether reports have stopped.
    pub(super) fn is_over(&self, now: MotionTime) -> bool {
        now.since(self.at) >= limits::RATE_ARRIVALS_SILENCE_MS
    }

    /// Notes the round trip of an acknowledged frame.
    pub(super) fn handle_round_trip(&mut self, sequence: u32, round_trip_ms: u32) {
        self.round_trip = Some((sequence, round_trip_ms));
    }

    /// Handles a report.
    pub(super) fn handle(&mut self, arrivals: &FrameArrivals<'_>, rate: &mut RateController, now: MotionTime) {
        for (sequence, arrived_q) in arrivals.iter() {
            let transit = arrived_q.and_then(|arrived_q| self.history.take(sequence, arrived_q));
            let Some(transit) = transit else { continue };
            self.at = now;
            if let Some((_, round_trip_ms)) = self.round_trip.take_if(|(of, _)| *of == sequence)
                && self.has_jumped(transit, round_trip_ms, now)
            {
                rate.measure_anew(limits::RATE_RECENT_MS);
            }
            rate.handle_transit(transit);
        }
    }

    /// Whether the client's clock jumped forward, which looks like a queue.
    fn has_jumped(&mut self, transit: FrameTransit, round_trip_ms: u32, now: MotionTime) -> bool {
        let delay = transit.arrived_q.wrapping_sub(transit.sent_q);
        let way_back = (round_trip_ms * QUARTERS).wrapping_sub(delay);
        let way_back = way_back.wrapping_sub(*self.origin.get_or_insert(way_back)).cast_signed();
        let has_jumped = self.way_back.get().is_some_and(|least| way_back < least.saturating_sub(JUMP_Q));
        self.way_back.add(way_back, now);
        has_jumped
    }
}
