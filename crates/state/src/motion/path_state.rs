//! One session's sequence numbers, acknowledgements, round-trip estimate and sending rate. Source: `spec/wire.md`
//! sections 2 and 6.

mod validation;

use stoa_wire::motion::{FrameAck, FrameHeader, serial};

use self::validation::PathValidation;
use super::clock::{MotionTime, WindowedMinimum};
use crate::limits;
use crate::time::Time;

/// Receive window in sequence numbers.
const WINDOW: u32 = limits::MOTION_WINDOW;

/// The state of one session's path.
#[derive(Debug)]
pub(super) struct NetworkPathState {
    sent: u32,
    received: ReceivedFrameWindow,
    heard_at: Time,
    /// Arrival time minus the client's time. The minimum belongs to the fastest frame.
    offset: WindowedMinimum,
    /// The client's last acknowledgement.
    acked: Option<FrameAck>,
    /// The validation of a new address, until it succeeds.
    validation: Option<PathValidation>,
    estimate: PathEstimate,
    rate: RateController,
}

/// Received frames.
#[derive(Debug)]
struct ReceivedFrameWindow {
    newest: u32,
    count: u32,
    time_ms: u32,
    at: Time,
    /// Bitmap of received frames, by sequence number modulo the window.
    bitmap: [u64; (WINDOW / 64) as usize],
}

/// Estimated properties of the path.
#[derive(Clone, Copy, Debug)]
struct PathEstimate {
    /// Smoothed round trip, in milliseconds.
    round_trip_ms: Option<u32>,
    shortest: WindowedMinimum,
    lost_per_mille: u16,
    /// Recent delay of the server itself.
    late_ms: u32,
}

/// The sending rate.
#[derive(Clone, Copy, Debug)]
struct RateController {
    bytes_per_s: u32,
    budget_per_s: u32,
    /// Slow start: the rate doubles with each rate decision until the first loss or delay.
    is_starting: bool,
    /// The last increment. It grows with each decision without loss and delay, so that a hitch is soon repaired.
    rise: u32,
    /// The acknowledgement at the last rate decision.
    reported: Option<(FrameAck, MotionTime)>,
    /// Acknowledgements of frames up to this one don't measure the present path.
    measured_after: Option<u32>,
    /// Bytes that may be sent now; negative after a tick that sent more.
    credit: i64,
    credited_at: Time,
}

/// Path quality for the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OutgoingPathReport {
    pub(super) bytes_per_s: u32,
    pub(super) lost_per_mille: u16,
    pub(super) round_trip_ms: u16,
}

impl NetworkPathState {
    pub(super) fn new(budget_per_s: u32, now: Time) -> NetworkPathState {
        NetworkPathState {
            sent: 0,
            received: ReceivedFrameWindow {
                newest: 0,
                count: 0,
                time_ms: 0,
                at: now,
                bitmap: [0; (WINDOW / 64) as usize],
            },
            heard_at: now,
            offset: WindowedMinimum::of_last(limits::MOTION_LEAST_MS),
            acked: None,
            validation: None,
            estimate: PathEstimate {
                round_trip_ms: None,
                shortest: WindowedMinimum::of_last(limits::MOTION_LEAST_MS),
                lost_per_mille: 0,
                late_ms: 0,
            },
            rate: RateController {
                bytes_per_s: limits::MOTION_FIRST_BYTES_PER_S.min(budget_per_s),
                budget_per_s,
                is_starting: true,
                rise: 0,
                reported: None,
                measured_after: None,
                credit: 0,
                credited_at: now,
            },
        }
    }

    /// Notes a frame's arrival. Returns whether it is the newest; `None` for a duplicate, or a frame before the
    /// window.
    pub(super) fn handle_head(&mut self, head: FrameHeader, now: Time) -> Option<bool> {
        if !self.received.take(head, now) {
            return None;
        }
        self.heard_at = now;
        self.offset.add(MotionTime::at(now).0.wrapping_sub(head.time_ms).cast_signed(), MotionTime::at(now));
        Some(self.received.newest == head.sequence)
    }

    /// Returns the capture time, by the motion clock, of a pose that arrived now: never in the future, and at most
    /// a second and `age_ms` ago.
    pub(super) fn taken_at(&self, time_ms: u32, age_ms: u8, now: Time) -> MotionTime {
        let now = MotionTime::at(now);
        let quickest = self.offset.get().unwrap_or(0).cast_unsigned();
        let late_ms = now.0.wrapping_sub(time_ms.wrapping_add(quickest)).cast_signed().clamp(0, 1_000).cast_unsigned();
        now.before(late_ms + u32::from(age_ms))
    }

    /// Handles an acknowledgement. Returns false if its frame was never sent. `late_ms` is the server's own delay,
    /// which doesn't count as queueing on the path.
    pub(super) fn handle_ack(&mut self, ack: FrameAck, late_ms: u32, now: Time) -> bool {
        if !self.has_sent(ack.newest) {
            self.validation.iter_mut().for_each(PathValidation::refute);
            return false;
        }
        if self.acked.is_some_and(|acked| !serial::is_newer(ack.newest, acked.newest)) {
            // An older or repeated acknowledgement.
            return true;
        }
        self.acked = Some(ack);
        let now = MotionTime::at(now);
        let round_trip_ms = now.since(MotionTime(ack.time_ms)).saturating_sub(u32::from(ack.held_ms));
        self.estimate.add(round_trip_ms, now);
        self.estimate.late_ms = late_ms;
        if self.validation.take_if(|validation| validation.is_proved_by(ack.newest)).is_some() {
            // Skipped numbers and withheld frames were not lost on the path.
            (self.rate.reported, self.rate.measured_after) = (None, Some(self.sent));
        }
        if self.validation.is_none() {
            self.rate.handle_report(ack, &mut self.estimate, now);
        }
        true
    }

    fn has_sent(&self, sequence: u32) -> bool {
        let is_skipped = self.validation.is_some_and(|validation| validation.has_skipped(sequence));
        sequence != 0 && !serial::is_newer(sequence, self.sent) && !is_skipped
    }

    /// Notes that the client's address changed.
    pub(super) fn handle_moved(&mut self, random: u32, now: Time) {
        let validation = PathValidation::after(self.sent, random, self.validation, now);
        self.sent = validation.skipped();
        self.validation = Some(validation);
    }

    /// Whether the present address is validated.
    pub(super) fn is_proved(&self) -> bool {
        self.validation.is_none()
    }

    /// Whether validation has failed.
    pub(super) fn is_unproved(&self, now: Time) -> bool {
        self.validation.is_some_and(|validation| validation.is_lost(now))
    }

    /// Returns the newest acknowledged frame, and the client's count of received frames at that point.
    pub(super) fn acked(&self) -> (u32, u32) {
        self.acked.map_or((0, 0), |ack| (ack.newest, ack.received))
    }

    /// Sequence number of the last frame sent, or after an address change of the last one skipped.
    pub(super) fn sent(&self) -> u32 {
        self.sent
    }

    /// When the last frame arrived.
    pub(super) fn heard_at(&self) -> Time {
        self.heard_at
    }

    /// Makes the header of the next frame.
    pub(super) fn next_head(&mut self, time: MotionTime) -> FrameHeader {
        self.sent = self.sent.wrapping_add(1);
        FrameHeader { sequence: self.sent, time_ms: time.0 }
    }

    /// Returns the acknowledgement for received frames; `None` before the first.
    pub(super) fn ack(&self, now: Time) -> Option<FrameAck> {
        let held_ms = u16::try_from(now.since(self.received.at).as_millis()).unwrap_or(u16::MAX);
        let ReceivedFrameWindow { newest, count, time_ms, .. } = self.received;
        (count > 0).then_some(FrameAck { newest, received: count, time_ms, held_ms, changes: 0 })
    }

    /// Bytes that may be sent in this tick; 0 after a tick that exceeded its share.
    pub(super) fn credit(&mut self, now: Time) -> usize {
        self.rate.fill(now);
        usize::try_from(self.rate.credit).unwrap_or(0)
    }

    /// Charges sent bytes. The debt is at most a second's bytes, because voice is sent without credit.
    pub(super) fn spend(&mut self, bytes: usize) {
        let rest = self.rate.credit.saturating_sub(i64::try_from(bytes).unwrap_or(i64::MAX));
        self.rate.credit = rest.max(-i64::from(self.rate.bytes_per_s));
    }

    /// Sets the largest rate.
    pub(super) fn set_budget(&mut self, budget_per_s: u32) {
        self.rate.budget_per_s = budget_per_s;
        self.rate.bytes_per_s = self.rate.bytes_per_s.min(budget_per_s);
    }

    /// Returns the path quality.
    pub(super) fn report(&self) -> OutgoingPathReport {
        let round_trip_ms = self.estimate.round_trip_ms.map_or(0, |ms| u16::try_from(ms).unwrap_or(u16::MAX));
        let PathEstimate { lost_per_mille, .. } = self.estimate;
        OutgoingPathReport { bytes_per_s: self.rate.bytes_per_s, lost_per_mille, round_trip_ms }
    }

    /// Retransmission timeout in milliseconds: one and a half round trips and a period, within limits.
    pub(super) fn patience_ms(&self) -> u32 {
        let round_trip_ms = self.estimate.round_trip_ms.unwrap_or(limits::MOTION_PATIENCE_MS_MIN);
        (round_trip_ms * 3 / 2 + limits::MOTION_PERIOD_MS)
            .clamp(limits::MOTION_PATIENCE_MS_MIN, limits::MOTION_PATIENCE_MS_MAX)
    }
}

impl ReceivedFrameWindow {
    fn take(&mut self, head: FrameHeader, now: Time) -> bool {
        let FrameHeader { sequence, time_ms } = head;
        if self.count == 0 {
            self.newest = sequence.wrapping_sub(1);
        }
        if serial::is_newer(sequence, self.newest) {
            let ahead = sequence.wrapping_sub(self.newest).min(WINDOW);
            for skipped in 0..ahead {
                self.set(sequence.wrapping_sub(skipped), false);
            }
            (self.newest, self.time_ms, self.at) = (sequence, time_ms, now);
        } else if self.newest.wrapping_sub(sequence) >= WINDOW || self.has(sequence) {
            return false;
        }
        self.set(sequence, true);
        self.count = self.count.wrapping_add(1);
        true
    }

    fn has(&self, sequence: u32) -> bool {
        let bit = sequence % WINDOW;
        self.bitmap[(bit / 64) as usize] >> (bit % 64) & 1 == 1
    }

    fn set(&mut self, sequence: u32, is_received: bool) {
        let bit = sequence % WINDOW;
        let word = &mut self.bitmap[(bit / 64) as usize];
        *word = *word & !(1 << (bit % 64)) | u64::from(is_received) << (bit % 64);
    }
}

impl PathEstimate {
    fn add(&mut self, round_trip_ms: u32, now: MotionTime) {
        let sample = i32::try_from(round_trip_ms).unwrap_or(i32::MAX);
        self.shortest.add(sample, now);
        // Weight 1/8 for each new sample, as in RFC 6298.
        let smoothed = self.round_trip_ms.map_or(round_trip_ms, |before| (before * 7 + round_trip_ms.min(60_000)) / 8);
        self.round_trip_ms = Some(smoothed.min(60_000));
    }

    /// Queueing delay on the path.
    fn queueing_ms(&self) -> u32 {
        let shortest = self.shortest.get().unwrap_or(0).unsigned_abs();
        self.round_trip_ms.unwrap_or(0).saturating_sub(shortest).saturating_sub(self.late_ms)
    }
}

impl RateController {
    /// Sets the rate from the frames acknowledged since the last decision: lower after loss or queueing, else
    /// higher.
    fn handle_report(&mut self, ack: FrameAck, estimate: &mut PathEstimate, now: MotionTime) {
        if self.measured_after.is_some_and(|after| !serial::is_newer(ack.newest, after)) {
            return;
        }
        self.measured_after = None;
        let Some((before, at)) = self.reported else {
            self.reported = Some((ack, now));
            return;
        };
        let elapsed_ms = now.since(at);
        let sent = ack.newest.wrapping_sub(before.newest);
        if elapsed_ms < limits::MOTION_RATE_MS || sent == 0 {
            return;
        }
        let received = ack.received.wrapping_sub(before.received).min(sent);
        let lost_per_mille = (u64::from(sent - received) * 1_000 / u64::from(sent)) as u16;
        self.reported = Some((ack, now));
        estimate.lost_per_mille = lost_per_mille;
        let is_late = estimate.queueing_ms() > limits::MOTION_QUEUEING_MS_MAX;
        if lost_per_mille > limits::MOTION_LOST_PER_MILLE_MAX || is_late {
            self.is_starting = false;
            self.rise = 0;
            self.bytes_per_s = self.bytes_per_s / 100 * 85;
        } else if self.is_starting {
            self.bytes_per_s = self.bytes_per_s.saturating_mul(2);
        } else {
            self.rise = self.rise.saturating_add(limits::MOTION_RISE_BYTES_PER_S);
            self.bytes_per_s = self.bytes_per_s.saturating_add(self.rise);
        }
        let least = limits::MOTION_BYTES_PER_S_MIN.min(self.budget_per_s);
        self.bytes_per_s = self.bytes_per_s.clamp(least, self.budget_per_s);
    }

    fn fill(&mut self, now: Time) {
        let elapsed_us = i64::try_from(now.since(self.credited_at).as_micros()).unwrap_or(i64::MAX);
        self.credited_at = now;
        // Unused bytes add up to those of two motion periods at most. A larger burst would just queue on the path.
        let most = i64::from(self.bytes_per_s) * i64::from(limits::MOTION_PERIOD_MS) * 2 / 1_000;
        let more = i64::from(self.bytes_per_s) * elapsed_us.min(1_000_000) / 1_000_000;
        self.credit = (self.credit + more).min(most);
    }
}

#[cfg(test)]
mod tests;
