//! The rate at which frames are sent on one direction of a path, from their delays and losses. Source: Google
//! Congestion Control (draft-ietf-rmcat-gcc-02): the delay sets the rate, and loss only limits it.
//!
//! Two things differ. The delay of the queue counts itself, besides its trend, since frames are few and a slowly
//! growing queue has no clear trend. And a cut first drains the queue, below the capacity that was measured while it was
//! full.

mod busy_rate;
mod delay_trend;
mod queue_delay;
mod sent_history;
mod transit;

use self::busy_rate::BusyRateMeter;
use self::delay_trend::DelayTrend;
use self::queue_delay::QueueDelayEstimator;
pub(super) use self::sent_history::{SentFrameHistory, quarters};
pub(super) use self::transit::{FrameTransit, QUARTERS};
use super::clock::MotionTime;
use crate::limits;

/// Bounds of a rate, in bytes per second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RateBounds {
    pub(super) first: u32,
    pub(super) least: u32,
    pub(super) most: u32,
}

/// Delays that are not the queue's, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PathDelays {
    /// Round trip.
    pub(super) round_trip_ms: u32,
    /// Recent delay of the sender itself.
    pub(super) late_ms: u32,
}

/// Chooses a rate.
#[derive(Clone, Copy, Debug)]
pub(super) struct RateController {
    bounds: RateBounds,
    bytes_per_s: u32,
    phase: RatePhase,
    queue: QueueDelayEstimator,
    trend: DelayTrend,
    delivered: BusyRateMeter,
    /// The capacity at the last cut, until the rate exceeds it by far.
    capacity: Option<u32>,
    /// The last rise, in thousandths of the rate.
    rise_per_mille: u32,
    /// When the rate was last changed.
    risen_at: Option<MotionTime>,
    sent: SentBytes,
    lost_per_mille: u16,
}

/// Sent bytes of the present period and of the one before.
#[derive(Clone, Copy, Debug, Default)]
struct SentBytes {
    now: u64,
    before: u64,
    before_ms: u32,
}

/// The phase of a rate.
#[derive(Clone, Copy, Debug)]
enum RatePhase {
    /// The rate doubles until the first sign of congestion.
    Starting,
    /// The rate rises and falls slowly.
    Steady,
    /// The rate is below the path's capacity until the queue is empty.
    Draining(DrainEpisode),
}

#[derive(Clone, Copy, Debug)]
struct DrainEpisode {
    /// When the rate was cut last.
    cut_at: MotionTime,
    /// The queue at that time, in quarters of a millisecond.
    queue_q: u32,
    /// Cuts in a row that didn't shorten the queue.
    vain: u8,
    /// Whether the rate was used, so that the queue is its own.
    is_used: bool,
    /// The rate after the episode.
    after_bytes_per_s: u32,
}

const HOLD_Q: u32 = limits::RATE_HOLD_QUEUE_MS * QUARTERS;
const CUT_Q: u32 = limits::RATE_CUT_QUEUE_MS * QUARTERS;

impl RateController {
    /// A controller of frames that are reported one by one.
    pub(super) fn new(bounds: RateBounds) -> RateController {
        RateController {
            bounds,
            bytes_per_s: bounds.first.min(bounds.most),
            phase: RatePhase::Starting,
            queue: QueueDelayEstimator::over(limits::RATE_RECENT_MS),
            trend: DelayTrend::default(),
            delivered: BusyRateMeter::default(),
            capacity: None,
            rise_per_mille: 0,
            risen_at: None,
            sent: SentBytes::default(),
            lost_per_mille: 0,
        }
    }

    /// Begins to measure anew: reports have another source, or the path has changed. `recent_ms` is the time whose
    /// smallest delay is the present one.
    pub(super) fn measure_anew(&mut self, recent_ms: u32) {
        self.queue = QueueDelayEstimator::over(recent_ms);
        self.trend.clear();
        self.delivered = BusyRateMeter::default();
    }

    /// The rate in bytes per second.
    pub(super) fn bytes_per_s(&self) -> u32 {
        self.bytes_per_s
    }

    /// The rate after a queue has drained, in bytes per second: the one to plan by.
    pub(super) fn sustained_bytes_per_s(&self) -> u32 {
        match self.phase {
            RatePhase::Draining(episode) => episode.after_bytes_per_s.max(self.bytes_per_s),
            RatePhase::Starting | RatePhase::Steady => self.bytes_per_s,
        }
    }

    /// Lost frames in thousandths, smoothed.
    pub(super) fn lost_per_mille(&self) -> u16 {
        self.lost_per_mille
    }

    /// Whether the path limits the rate, as far as it is measured.
    pub(super) fn is_limited(&self) -> bool {
        !matches!(self.phase, RatePhase::Starting) && self.bytes_per_s < self.bounds.most
    }

    /// Whether the rate is below the path's capacity until the queue is empty.
    pub(super) fn is_draining(&self) -> bool {
        matches!(self.phase, RatePhase::Draining(_))
    }

    /// Sets the largest rate.
    pub(super) fn set_most(&mut self, most: u32) {
        self.bounds.most = most;
        self.set(self.bytes_per_s);
    }

    /// Notes sent bytes.
    pub(super) fn handle_sent(&mut self, bytes: usize) {
        self.sent.now = self.sent.now.saturating_add(bytes as u64);
    }

    /// Handles the times of a frame that has arrived.
    pub(super) fn handle_transit(&mut self, transit: FrameTransit) {
        let own_q = self.queue.add(transit, self.bytes_per_s);
        self.trend.add(transit);
        self.delivered.add(transit, own_q > HOLD_Q / 2);
    }

    /// Handles measured loss.
    pub(super) fn handle_loss(&mut self, lost_per_mille: u16) {
        // Of a few frames, chance takes some more.
        self.lost_per_mille = (self.lost_per_mille * 3 + lost_per_mille) / 4;
        if lost_per_mille >= limits::RATE_LOST_PER_MILLE_MIN && matches!(self.phase, RatePhase::Starting) {
            self.phase = RatePhase::Steady;
        }
        let is_much = self.lost_per_mille.min(lost_per_mille) > limits::RATE_LOST_PER_MILLE_MAX;
        if is_much && !matches!(self.phase, RatePhase::Draining(_)) {
            self.rise_per_mille = 0;
            self.set(share(self.bytes_per_s, 1_000 - u32::from(self.lost_per_mille) / 2, 1_000));
        }
    }

    /// Changes the rate by all that was reported. Call it after each report.
    pub(super) fn decide(&mut self, delays: PathDelays, now: MotionTime) {
        let queue_q = self.queue.get().saturating_sub(delays.late_ms.saturating_mul(QUARTERS));
        let is_congested = queue_q > CUT_Q || queue_q > HOLD_Q && self.trend.is_rising();
        match self.phase {
            RatePhase::Draining(episode) => {
                let is_over = now.since(episode.cut_at) > delays.round_trip_ms + limits::RATE_DRAIN_MS;
                match (is_over, is_congested) {
                    (true, true) => self.cut(queue_q, Some(episode), now),
                    (false, true) => self.cut_further(episode),
                    _ if queue_q <= HOLD_Q || is_over => self.resume(episode, now),
                    _ => {}
                }
            }
            RatePhase::Starting | RatePhase::Steady if is_congested => self.cut(queue_q, None, now),
            RatePhase::Starting | RatePhase::Steady => self.change_slowly(queue_q, now),
        }
    }

    /// Cuts the rate below the capacity, so that the queue drains.
    fn cut(&mut self, queue_q: u32, before: Option<DrainEpisode>, now: MotionTime) {
        let is_vain = |episode: &DrainEpisode| u64::from(queue_q) * 4 >= u64::from(episode.queue_q) * 3;
        let vain = before.filter(is_vain).map_or(0, |episode| episode.vain + 1);
        if vain >= limits::RATE_VAIN_CUTS_MAX {
            // The path has become longer.
            self.queue.clear();
            self.trend.clear();
            self.phase = RatePhase::Steady;
            return;
        }
        let (sent_per_s, is_used) = (self.sent_per_s(now), self.is_used(now));
        if sent_per_s < self.bounds.least {
            // Even the smallest rate would send as much.
            self.phase = RatePhase::Steady;
            return;
        }
        let delivered = self.delivered.bytes_per_s().filter(|_| is_used);
        let after_bytes_per_s = match delivered.map(|delivered| delivered.min(self.sustained_bytes_per_s())) {
            Some(capacity) => self.drain(capacity),
            None => {
                // The unused part was never tried. At the first rate every session begins.
                let tried = (sent_per_s.saturating_mul(3) / 2).max(self.bounds.first);
                self.set(share(self.bytes_per_s, limits::RATE_UNUSED_CUT_PERCENT, 100).min(tried));
                self.bytes_per_s
            }
        };
        self.rise_per_mille = 0;
        self.phase = RatePhase::Draining(DrainEpisode { cut_at: now, queue_q, vain, is_used, after_bytes_per_s });
        self.begin_period(now);
    }

    /// Corrects a cut: the capacity was not measured then, or fell shortly before and was measured too high.
    fn cut_further(&mut self, mut episode: DrainEpisode) {
        let limit = share(episode.after_bytes_per_s, limits::RATE_NEAR_PERCENT_MIN, 100);
        let delivered = self.delivered.bytes_per_s().filter(|delivered| episode.is_used && *delivered < limit);
        if let Some(delivered) = delivered {
            episode.after_bytes_per_s = self.drain(delivered);
            self.phase = RatePhase::Draining(episode);
        }
    }

    /// Sets the rate at which the queue drains, and returns the one after that.
    fn drain(&mut self, capacity: u32) -> u32 {
        self.capacity = Some(capacity);
        self.set(share(capacity, limits::RATE_DRAIN_PERCENT, 100));
        self.bounded(share(capacity, limits::RATE_RESUME_PERCENT, 100))
    }

    fn resume(&mut self, episode: DrainEpisode, now: MotionTime) {
        self.phase = RatePhase::Steady;
        self.set(episode.after_bytes_per_s);
        self.begin_period(now);
    }

    fn change_slowly(&mut self, queue_q: u32, now: MotionTime) {
        let since = *self.risen_at.get_or_insert(now);
        if now.since(since) < limits::RATE_RISE_PERIOD_MS {
            return;
        }
        let is_used = self.is_used(now);
        self.begin_period(now);
        if queue_q > HOLD_Q {
            self.phase = RatePhase::Steady;
            self.rise_per_mille = 0;
            // Down to the rate after a cut. If a queue remains then, it is not this rate's.
            let least = share(*self.capacity.get_or_insert(self.bytes_per_s), limits::RATE_RESUME_PERCENT, 100);
            let less = share(self.bytes_per_s, limits::RATE_HOLD_PERCENT, 100).max(least);
            self.set(less.min(self.bytes_per_s));
            return;
        }
        if self.lost_per_mille > limits::RATE_LOST_PER_MILLE_MAX {
            return;
        }
        if matches!(self.phase, RatePhase::Starting) {
            self.set(self.bytes_per_s.saturating_mul(2));
            return;
        }
        let (near, far) = (limits::RATE_NEAR_PERCENT_MIN, limits::RATE_NEAR_PERCENT_MAX);
        self.capacity = self.capacity.filter(|capacity| self.bytes_per_s <= share(*capacity, far, 100));
        let is_near = self.capacity.is_some_and(|capacity| self.bytes_per_s >= share(capacity, near, 100));
        let rise = if is_near || !is_used || self.lost_per_mille >= limits::RATE_LOST_PER_MILLE_MIN {
            let rise =
                share(self.bytes_per_s, limits::RATE_RISE_NEAR_PER_MILLE, 1_000).max(limits::RATE_RISE_BYTES_PER_S);
            // A beginning queue shows that the capacity is reached.
            if queue_q > HOLD_Q / 4 { rise / 4 } else { rise }
        } else {
            self.rise_per_mille =
                (self.rise_per_mille * 3 / 2).clamp(limits::RATE_RISE_PER_MILLE_MIN, limits::RATE_RISE_PER_MILLE_MAX);
            share(self.bytes_per_s, self.rise_per_mille, 1_000)
        };
        self.set(self.bytes_per_s.saturating_add(rise));
    }

    /// Whether at least half of the rate was used lately.
    fn is_used(&self, now: MotionTime) -> bool {
        self.risen_at.is_some() && self.sent_per_s(now) >= self.bytes_per_s / 2
    }

    /// Bytes sent per second in this period and the one before.
    fn sent_per_s(&self, now: MotionTime) -> u32 {
        let elapsed_ms = self.sent.before_ms + self.risen_at.map_or(0, |since| now.since(since));
        let bytes = self.sent.before + self.sent.now;
        u32::try_from(bytes.saturating_mul(1_000) / u64::from(elapsed_ms.max(1))).unwrap_or(u32::MAX)
    }

    fn begin_period(&mut self, now: MotionTime) {
        let before_ms = self.risen_at.replace(now).map_or(0, |since| now.since(since).min(60_000));
        self.sent = SentBytes { now: 0, before: self.sent.now, before_ms };
    }

    fn set(&mut self, bytes_per_s: u32) {
        self.bytes_per_s = self.bounded(bytes_per_s);
    }

    fn bounded(&self, bytes_per_s: u32) -> u32 {
        bytes_per_s.clamp(self.bounds.least.min(self.bounds.most), self.bounds.most)
    }
}

fn share(of: u32, part: u32, whole: u32) -> u32 {
    u32::try_from(u64::from(of) * u64::from(part) / u64::from(whole)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
