//! The rate at which a client should send its frames. Source: `spec/wire.md` section 8.2.

use stoa_wire::motion::{FrameAck, FrameHeader};

use super::loss::LossMeter;
use crate::limits;
use crate::motion::clock::MotionTime;
use crate::motion::rate::{FrameTransit, PathDelays, QUARTERS, RateBounds, RateController, quarters};
use crate::time::Time;

/// Estimates a client's rate from the times and sequences of its frames.
#[derive(Debug)]
pub(super) struct UplinkRate {
    rate: RateController,
    loss: LossMeter,
    decided_at: Time,
    /// The rate that the client was sent last, and when.
    reported: Option<(u32, Time)>,
}

/// A received frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReceivedFrame {
    pub(super) head: FrameHeader,
    pub(super) bytes: usize,
    /// The newest sequence by then, and the number of frames.
    pub(super) newest: u32,
    pub(super) count: u32,
}

impl UplinkRate {
    pub(super) fn new(now: Time) -> UplinkRate {
        let mut rate = RateController::new(RateBounds {
            first: limits::UPLINK_FIRST_BYTES_PER_S,
            least: limits::UPLINK_BYTES_PER_S_MIN,
            most: limits::UPLINK_BYTES_PER_S_MAX,
        });
        // A client's frames are fewer than ours, and radio delays single ones.
        rate.measure_anew(limits::RATE_RECENT_ACKS_MS);
        UplinkRate { rate, loss: LossMeter::default(), decided_at: now, reported: None }
    }

    /// Handles a frame.
    pub(super) fn handle_frame(&mut self, frame: ReceivedFrame, delays: PathDelays, now: Time) {
        let ReceivedFrame { head, bytes, newest, count } = frame;
        let (sent_q, bytes_long) = (head.time_ms.wrapping_mul(QUARTERS), bytes as u32);
        self.rate.handle_sent(bytes);
        let transit = FrameTransit { sent_q, arrived_q: quarters(now), bytes: bytes_long, delivered: bytes_long };
        self.rate.handle_transit(transit);
        if now.since(self.decided_at).as_millis() < u128::from(limits::RATE_RECENT_MS) {
            return;
        }
        self.decided_at = now;
        let counts = FrameAck { newest, received: count, time_ms: 0, held_ms: 0, changes: 0 };
        if let Some(lost_per_mille) = self.loss.handle_ack(counts, MotionTime::at(now)) {
            self.rate.handle_loss(lost_per_mille);
        }
        self.rate.decide(delays, MotionTime::at(now));
    }

    /// Returns the rate in bytes per second when the client is to be sent it: it has changed by a tenth, or a second
    /// has passed.
    pub(super) fn poll(&mut self, now: Time) -> Option<u32> {
        let rate = self.rate.sustained_bytes_per_s();
        let is_due = self.reported.is_none_or(|(before, at)| {
            let (elapsed, is_changed) = (now.since(at), rate.abs_diff(before) >= before / 10);
            elapsed >= limits::UPLINK_PERIOD || is_changed && elapsed >= limits::UPLINK_PERIOD_MIN
        });
        is_due.then(|| {
            self.reported = Some((rate, now));
            rate
        })
    }
}
