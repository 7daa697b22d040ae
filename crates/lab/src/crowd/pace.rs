//! Sets the rate at which people send: every turn, or the minimum while other people enter. The full load of admitted
//! people would leave no capacity for new ones.

/// Microseconds between two frames of a person that is entering or has something to acknowledge.
const ENTERING_PERIOD_US: u64 = 50_000;
/// Microseconds between two frames of a waiting person: short enough not to count as silent.
const WAITING_PERIOD_US: u64 = 1_000_000;
/// Between two frames of a waiting person, the lab may also request tickets for two seconds.
const _: () = assert!(2 * WAITING_PERIOD_US + 2_000_000 < stoa_wire::limits::MOTION_SILENCE_MS * 1_000);

/// A rate of sending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FramePace {
    /// The minimum, while people enter.
    Waiting,
    /// Every turn.
    Full,
}

/// A person's last frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LastSentFrame {
    pub(super) at_us: u64,
    /// Changes received by then.
    pub(super) told: u32,
}

impl LastSentFrame {
    /// Whether the next frame is due while people enter. `is_known`: the person has entered and its objects are
    /// confirmed; `told`: changes received by now.
    pub(super) fn is_over(self, is_known: bool, (now_us, told): (u64, u32)) -> bool {
        let period_us = if is_known && told == self.told { WAITING_PERIOD_US } else { ENTERING_PERIOD_US };
        // A frame sent after `now_us` was read is not due again.
        now_us.saturating_sub(self.at_us) >= period_us
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_due_each_second_or_sooner_while_entering_or_after_changes() {
        let last_frame = LastSentFrame { at_us: 7, told: 3 };
        assert!(!last_frame.is_over(true, (999_000, 3)) && last_frame.is_over(true, (1_000_007, 3)));
        assert!(last_frame.is_over(false, (50_007, 3)), "it is not in");
        assert!(last_frame.is_over(true, (50_007, 4)), "it acknowledges what it was told");
        assert!(!last_frame.is_over(false, (50_006, 4)), "a lost frame is said again, not at once");
        assert!(!last_frame.is_over(false, (6, 4)), "it spoke after that moment");
    }
}
