//! One session's sequence numbers, acknowledgements, round-trip estimate and sending rate. Source: `spec/wire.md`
//! sections 2 and 6.

mod arrivals;
mod loss;
mod uplink;
mod validation;

use alloc::boxed::Box;

use stoa_wire::motion::{FrameAck, FrameArrivals, FrameHeader, serial};

use self::arrivals::ReportedArrivals;
use self::loss::LossMeter;
use self::uplink::{ReceivedFrame, UplinkRate};
use self::validation::PathValidation;
use super::clock::{MotionTime, WindowedMinimum};
use super::rate::{FrameTransit, PathDelays, QUARTERS, RateBounds, RateController, quarters};
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
    credit: ByteCredit,
    loss: LossMeter,
    /// Sent frames and their bytes.
    sent_frames: SentFrameTotals,
    arrivals: Option<ReportedArrivals>,
    /// The other direction, for a client with flows.
    uplink: Option<Box<UplinkRate>>,
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
#[derive(Clone, Copy, Debug, Default)]
struct PathEstimate {
    /// Smoothed round trip, in milliseconds.
    round_trip_ms: Option<u32>,
    lost_per_mille: u16,
}

/// Bytes that may be sent.
#[derive(Clone, Copy, Debug)]
struct ByteCredit {
    /// Negative after a tick that sent more.
    bytes: i64,
    at: Time,
}

/// Frames sent since the last acknowledgement.
#[derive(Clone, Copy, Debug, Default)]
struct SentFrameTotals {
    frames: u32,
    bytes: u32,
    /// Mean length of the frames before.
    mean_bytes: u32,
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
        let (first, least) = (limits::MOTION_FIRST_BYTES_PER_S, limits::MOTION_BYTES_PER_S_MIN);
        let mut rate = RateController::new(RateBounds { first, least, most: budget_per_s });
        rate.measure_anew(limits::RATE_RECENT_ACKS_MS);
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
            estimate: PathEstimate::default(),
            rate,
            credit: ByteCredit { bytes: 0, at: now },
            loss: LossMeter::default(),
            sent_frames: SentFrameTotals::default(),
            arrivals: None,
            uplink: None,
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
        let before = self.acked;
        if before.is_some_and(|acked| !serial::is_newer(ack.newest, acked.newest)) {
            // An older or repeated acknowledgement.
            return true;
        }
        self.acked = Some(ack);
        let clock = MotionTime::at(now);
        let round_trip_ms = clock.since(MotionTime(ack.time_ms)).saturating_sub(u32::from(ack.held_ms));
        self.estimate.add(round_trip_ms);
        if self.validation.take_if(|validation| validation.is_proved_by(ack.newest)).is_some() {
            // Skipped numbers and withheld frames were not lost on the path.
            self.loss = LossMeter::of_frames_after(self.sent);
            self.rate.measure_anew(self.recent_ms());
        }
        if self.validation.is_some() || !self.loss.is_measured(ack.newest) {
            return true;
        }
        if let Some(lost_per_mille) = self.loss.handle_ack(ack, clock) {
            self.estimate.lost_per_mille = lost_per_mille;
            self.rate.handle_loss(lost_per_mille);
        }
        if self.arrivals.take_if(|arrivals| arrivals.is_over(clock)).is_some() {
            self.rate.measure_anew(limits::RATE_RECENT_ACKS_MS);
        }
        match &mut self.arrivals {
            Some(arrivals) => arrivals.handle_round_trip(ack.newest, round_trip_ms),
            None => self.handle_acked_transit(ack, before, now),
        }
        self.rate.decide(PathDelays { round_trip_ms: self.estimate.round_trip_ms.unwrap_or(0), late_ms }, clock);
        true
    }

    /// Takes the round trip of an acknowledged frame for its transit.
    fn handle_acked_transit(&mut self, ack: FrameAck, before: Option<FrameAck>, now: Time) {
        let arrived_q = quarters(now).wrapping_sub(u32::from(ack.held_ms) * QUARTERS);
        let sent_q = ack.time_ms.wrapping_mul(QUARTERS);
        let bytes = self.sent_frames.take_mean();
        let frames = before
            .map_or(1, |before| ack.received.wrapping_sub(before.received).min(ack.newest.wrapping_sub(before.newest)));
        let delivered = bytes.saturating_mul(frames);
        self.rate.handle_transit(FrameTransit { sent_q, arrived_q, bytes, delivered });
    }

    /// Handles the content of an `arrivals` part. `late_ms` is the server's own delay.
    pub(super) fn handle_arrivals(&mut self, content: &[u8], late_ms: u32, now: Time) {
        let Some(arrivals) = FrameArrivals::read(content).filter(|_| self.validation.is_none()) else { return };
        let clock = MotionTime::at(now);
        let NetworkPathState { arrivals: reported, rate, .. } = self;
        let reported = reported.get_or_insert_with(|| {
            rate.measure_anew(limits::RATE_RECENT_MS);
            ReportedArrivals::new(clock)
        });
        reported.handle(&arrivals, rate, clock);
        rate.decide(PathDelays { round_trip_ms: self.estimate.round_trip_ms.unwrap_or(0), late_ms }, clock);
    }

    /// Begins to estimate the client's own rate.
    pub(super) fn measure_uplink(&mut self, now: Time) {
        self.uplink.get_or_insert_with(|| Box::new(UplinkRate::new(now)));
    }

    /// Handles the length of a frame whose header was accepted. `late_ms` is the server's own delay.
    pub(super) fn handle_length(&mut self, head: FrameHeader, bytes: usize, late_ms: u32, now: Time) {
        let Some(uplink) = &mut self.uplink else { return };
        let ReceivedFrameWindow { newest, count, .. } = self.received;
        let delays = PathDelays { round_trip_ms: self.estimate.round_trip_ms.unwrap_or(0), late_ms };
        uplink.handle_frame(ReceivedFrame { head, bytes, newest, count }, delays, now);
    }

    /// Returns the client's own rate in bytes per second when it is to be sent.
    pub(super) fn poll_uplink(&mut self, now: Time) -> Option<u32> {
        self.uplink.as_mut()?.poll(now)
    }

    fn recent_ms(&self) -> u32 {
        if self.arrivals.is_some() { limits::RATE_RECENT_MS } else { limits::RATE_RECENT_ACKS_MS }
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

    /// Notes the length of the frame whose header was made last.
    pub(super) fn handle_frame_sent(&mut self, bytes: usize, now: Time) {
        self.sent_frames.add(bytes);
        self.rate.handle_sent(bytes);
        if let Some(arrivals) = &mut self.arrivals {
            arrivals.history.note(self.sent, bytes, now);
        }
    }

    /// Returns the acknowledgement for received frames; `None` before the first.
    pub(super) fn ack(&self, now: Time) -> Option<FrameAck> {
        let held_ms = u16::try_from(now.since(self.received.at).as_millis()).unwrap_or(u16::MAX);
        let ReceivedFrameWindow { newest, count, time_ms, .. } = self.received;
        (count > 0).then_some(FrameAck { newest, received: count, time_ms, held_ms, changes: 0 })
    }

    /// Bytes that may be sent now; 0 after a service that exceeded its share.
    pub(super) fn credit(&mut self, now: Time) -> usize {
        let bytes_per_s = self.rate.bytes_per_s();
        let most = if self.is_limited() { portion_bytes(bytes_per_s) } else { burst_bytes(bytes_per_s) };
        self.credit.fill(bytes_per_s, most, now);
        usize::try_from(self.credit.bytes).unwrap_or(0)
    }

    /// Whether a frame with poses is worth its header.
    pub(super) fn has_portion(&mut self, now: Time) -> bool {
        self.credit(now) >= limits::RATE_PORTION_BYTES_MIN
    }

    /// Whether the path limits the rate, as far as it is measured.
    pub(super) fn is_limited(&self) -> bool {
        self.rate.is_limited()
    }

    /// Lost frames in thousandths, smoothed over some seconds.
    pub(super) fn lost_per_mille(&self) -> u16 {
        self.rate.lost_per_mille()
    }

    /// Whether a queue on the path drains.
    pub(super) fn is_draining(&self) -> bool {
        self.rate.is_draining()
    }

    /// Charges sent bytes. The debt is at most a second's bytes, because voice is sent without credit.
    pub(super) fn spend(&mut self, bytes: usize) {
        let rest = self.credit.bytes.saturating_sub(i64::try_from(bytes).unwrap_or(i64::MAX));
        self.credit.bytes = rest.max(-i64::from(self.rate.bytes_per_s()));
    }

    /// Sets the largest rate.
    pub(super) fn set_budget(&mut self, budget_per_s: u32) {
        self.rate.set_most(budget_per_s);
    }

    /// The rate in bytes per second to plan by: it doesn't fall for the moment in which a queue drains.
    pub(super) fn sustained_bytes_per_s(&self) -> u32 {
        self.rate.sustained_bytes_per_s()
    }

    /// Returns the path quality.
    pub(super) fn report(&self) -> OutgoingPathReport {
        let round_trip_ms = self.estimate.round_trip_ms.map_or(0, |ms| u16::try_from(ms).unwrap_or(u16::MAX));
        let PathEstimate { lost_per_mille, .. } = self.estimate;
        OutgoingPathReport { bytes_per_s: self.rate.bytes_per_s(), lost_per_mille, round_trip_ms }
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
    fn add(&mut self, round_trip_ms: u32) {
        // Weight 1/8 for each new sample, as in RFC 6298.
        let smoothed = self.round_trip_ms.map_or(round_trip_ms, |before| (before * 7 + round_trip_ms.min(60_000)) / 8);
        self.round_trip_ms = Some(smoothed.min(60_000));
    }
}

impl SentFrameTotals {
    fn add(&mut self, bytes: usize) {
        self.frames = self.frames.saturating_add(1);
        self.bytes = self.bytes.saturating_add(bytes as u32);
    }

    /// Returns the mean length of frames sent since the last call, or before.
    fn take_mean(&mut self) -> u32 {
        self.mean_bytes = self.bytes.checked_div(self.frames).unwrap_or(self.mean_bytes);
        (self.frames, self.bytes) = (0, 0);
        self.mean_bytes
    }
}

impl ByteCredit {
    fn fill(&mut self, bytes_per_s: u32, most: i64, now: Time) {
        let elapsed_us = i64::try_from(now.since(self.at).as_micros()).unwrap_or(i64::MAX);
        self.at = now;
        let more = i64::from(bytes_per_s) * elapsed_us.min(1_000_000) / 1_000_000;
        self.bytes = (self.bytes + more).min(most);
    }
}

/// Unused bytes of a path that is not limited: those of two motion periods. A larger burst would just queue.
fn burst_bytes(bytes_per_s: u32) -> i64 {
    i64::from(bytes_per_s) * i64::from(limits::MOTION_PERIOD_MS) * 2 / 1_000
}

/// Unused bytes of a limited path: half as much again as the rate in a subtick.
fn portion_bytes(bytes_per_s: u32) -> i64 {
    let bytes = i64::from(bytes_per_s) * limits::MOTION_SUBTICK.as_micros() as i64 * 3 / 2_000_000;
    bytes.max(limits::RATE_PORTION_BYTES_MIN as i64 * 3 / 2)
}

#[cfg(test)]
mod tests;
