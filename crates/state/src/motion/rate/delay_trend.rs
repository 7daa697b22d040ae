//! Tells a growing queue from the trend of delays. Source: Google Congestion Control (draft-ietf-rmcat-gcc-02, sections
//! 4 and 5.3) with the least-squares line that its later implementations use in place of the Kalman filter.

use super::transit::{FrameTransit, QUARTERS};

/// Groups of frames on the line.
const GROUPS: usize = 20;
/// Frames sent within so many quarters of a millisecond are one group. Source: section 5.2, 5 ms.
const GROUP_Q: u32 = 5 * QUARTERS;
/// Weight of the delays before in the smoothed delay, in tenths.
const SMOOTHING_TENTHS: i64 = 9;
/// Slope from which a queue grows: a tenth of a millisecond of delay for each millisecond, as a divisor.
const SLOPE_DIVISOR: i64 = 10;

/// The delays of the last groups of frames.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DelayTrend {
    /// When the present group's first frame was sent, and its last frame's times.
    group: Option<(u32, FrameGroupEnd)>,
    before: Option<FrameGroupEnd>,
    /// Sum of all differences in delay, and its smoothed value, in thousandths of a quarter of a millisecond.
    delay: i64,
    smoothed: i64,
    /// Points of the line: arrival in quarters of a millisecond, and smoothed delay.
    points: [(u32, i64); GROUPS],
    count: usize,
}

#[derive(Clone, Copy, Debug)]
struct FrameGroupEnd {
    sent_q: u32,
    arrived_q: u32,
}

impl DelayTrend {
    /// Adds a frame.
    pub(super) fn add(&mut self, transit: FrameTransit) {
        let FrameTransit { sent_q, arrived_q, .. } = transit;
        let end = FrameGroupEnd { sent_q, arrived_q };
        let Some((first_q, last)) = self.group else {
            self.group = Some((sent_q, end));
            return;
        };
        let since = sent_q.wrapping_sub(first_q).cast_signed();
        if since < 0 {
            // A late frame of an earlier group.
            return;
        }
        if since.unsigned_abs() < GROUP_Q {
            let is_later = arrived_q.wrapping_sub(last.arrived_q).cast_signed() > 0;
            let arrived_q = if is_later { arrived_q } else { last.arrived_q };
            self.group = Some((first_q, FrameGroupEnd { sent_q, arrived_q }));
            return;
        }
        self.group = Some((sent_q, end));
        if let Some(before) = self.before.replace(last) {
            self.push(before, last);
        }
    }

    fn push(&mut self, before: FrameGroupEnd, last: FrameGroupEnd) {
        let sent = last.sent_q.wrapping_sub(before.sent_q).cast_signed();
        let arrived = last.arrived_q.wrapping_sub(before.arrived_q).cast_signed();
        self.delay += i64::from(arrived.saturating_sub(sent)) * 1_000;
        self.smoothed = (self.smoothed * SMOOTHING_TENTHS + self.delay * (10 - SMOOTHING_TENTHS)) / 10;
        self.points[self.count % GROUPS] = (last.arrived_q, self.smoothed);
        self.count += 1;
    }

    /// Whether the delays of the last groups rise with the slope of a growing queue.
    pub(super) fn is_rising(&self) -> bool {
        if self.count < GROUPS {
            return false;
        }
        // Least squares, relative to the oldest point.
        let (from_q, from_delay) = self.points[self.count % GROUPS];
        let relative = self
            .points
            .map(|(at, delay)| (i64::from(at.wrapping_sub(from_q).cast_signed()), delay.saturating_sub(from_delay)));
        let count = GROUPS as i64;
        let sum_x: i64 = relative.iter().map(|point| point.0).sum();
        let sum_y: i64 = relative.iter().map(|point| point.1).sum();
        let (mut covariance, mut variance) = (0_i128, 0_i128);
        for (x, y) in relative {
            let x = i128::from(x * count - sum_x);
            covariance += x * i128::from(y * count - sum_y);
            variance += x * x;
        }
        // The slope is covariance / variance, in thousandths.
        variance > 0 && covariance * i128::from(SLOPE_DIVISOR) > variance * 1_000
    }

    /// Forgets all delays.
    pub(super) fn clear(&mut self) {
        *self = DelayTrend::default();
    }
}
