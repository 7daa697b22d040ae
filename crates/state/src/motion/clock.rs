//! The motion clock in milliseconds, a minimum over recent samples, and the server's own recent delay.

use stoa_wire::motion::serial;

use crate::limits;
use crate::time::Time;

/// Milliseconds since the server's start, modulo 2^32.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MotionTime(pub u32);

impl MotionTime {
    /// The clock's reading at a time.
    pub const fn at(time: Time) -> MotionTime {
        MotionTime((time.as_nanos() / 1_000_000) as u32)
    }

    /// Milliseconds since `earlier`; 0 if that is later.
    pub const fn since(self, earlier: MotionTime) -> u32 {
        if serial::is_newer(earlier.0, self.0) { 0 } else { self.0.wrapping_sub(earlier.0) }
    }

    /// Whether this is later than `other`, across the wrap-around.
    pub const fn is_after(self, other: MotionTime) -> bool {
        serial::is_newer(self.0, other.0)
    }

    /// Adds milliseconds.
    pub const fn after(self, milliseconds: u32) -> MotionTime {
        MotionTime(self.0.wrapping_add(milliseconds))
    }

    /// Subtracts milliseconds.
    pub const fn before(self, milliseconds: u32) -> MotionTime {
        MotionTime(self.0.wrapping_sub(milliseconds))
    }
}

/// Minimum of recent samples: those of the current span and of the one before.
#[derive(Clone, Copy, Debug)]
pub(super) struct WindowedMinimum {
    span_ms: u32,
    began: MotionTime,
    now: Option<i32>,
    before: Option<i32>,
}

impl WindowedMinimum {
    pub(super) const fn of_last(span_ms: u32) -> WindowedMinimum {
        WindowedMinimum { span_ms, began: MotionTime(0), now: None, before: None }
    }

    /// Adds a sample and returns the minimum.
    pub(super) fn add(&mut self, sample: i32, now: MotionTime) -> i32 {
        if self.now.is_none() {
            self.began = now;
        } else if now.since(self.began) >= self.span_ms {
            (self.before, self.now, self.began) = (self.now, None, now);
        }
        let least = self.now.map_or(sample, |least| least.min(sample));
        self.now = Some(least);
        self.before.map_or(least, |before| before.min(least))
    }

    /// Forgets all samples.
    pub(super) fn clear(&mut self) {
        (self.now, self.before) = (None, None);
    }

    /// Returns the minimum.
    pub(super) fn get(&self) -> Option<i32> {
        match (self.now, self.before) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        }
    }
}

/// Recent delays of the server itself. Services are a fifth of a tick apart; any more is our own delay.
#[derive(Clone, Copy, Debug)]
pub(super) struct TickLatenessMeter {
    ticked_at: Option<Time>,
    /// The delays, negated, because the maximum counts.
    late: WindowedMinimum,
}

impl Default for TickLatenessMeter {
    fn default() -> TickLatenessMeter {
        TickLatenessMeter { ticked_at: None, late: WindowedMinimum::of_last(limits::MOTION_LATE_MS) }
    }
}

impl TickLatenessMeter {
    /// Notes a call of [`super::MotionScene::tick`].
    pub(super) fn tick(&mut self, now: Time) {
        if let Some(before) = self.ticked_at.replace(now) {
            let late = now.since(before).saturating_sub(limits::MOTION_SUBTICK);
            self.late.add(-i32::try_from(late.as_millis()).unwrap_or(i32::MAX), MotionTime::at(now));
        }
    }

    /// Largest recent delay in milliseconds.
    pub(super) fn most_ms(&self) -> u32 {
        self.late.get().map_or(0, i32::unsigned_abs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_motion_clock_compares_correctly_across_its_wrap_around() {
        let (before, after) = (MotionTime(u32::MAX - 9), MotionTime(10));
        assert_eq!((after.since(before), before.since(after)), (20, 0));
        assert!(after.is_after(before) && !before.is_after(after) && after.before(20) == before);
    }

    #[test]
    fn a_windowed_minimum_expires_after_at_most_two_spans() {
        let mut least = WindowedMinimum::of_last(100);
        let sample = [(0, 9), (50, 3), (120, 7), (190, 8), (230, 6), (340, 9)];
        let told = sample.map(|(at, sample)| least.add(sample, MotionTime(at)));
        assert_eq!(told, [9, 3, 3, 3, 6, 6]);
        assert_eq!(least.get(), Some(6));
    }

    #[test]
    fn the_lateness_meter_reports_a_delay_and_forgets_it_later() {
        let mut late = TickLatenessMeter::default();
        let mut told = |milliseconds| {
            late.tick(Time::from_millis(milliseconds));
            late.most_ms()
        };
        assert_eq!([1_000, 1_008, 1_015, 1_145, 1_153].map(&mut told), [0, 0, 0, 122, 122]);
        let later = (1_161..4_000).step_by(8).map(told).last();
        assert_eq!(later, Some(0));
    }
}
