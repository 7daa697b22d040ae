//! How often people speak: at each turn, or, while others come in, no more than the server must hear. The whole load of those who are in would leave no room for those who come.

/// Microseconds between two frames of who is coming in, or has something to say: that it is there, or what it was told.
const ENTERING_PERIOD_US: u64 = 50_000;
/// Of who waits for others: often enough for the server not to take it for silent.
const WAITING_PERIOD_US: u64 = 1_000_000;
/// Tickets are asked for in between, for two seconds.
const _: () = assert!(2 * WAITING_PERIOD_US + 2_000_000 < stoa_wire::limits::MOTION_SILENCE_MS * 1_000);

/// How often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pace {
    /// As long as people come in.
    Waiting,
    /// At each turn.
    Full,
}

/// What somebody last said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spoken {
    pub(super) at_us: u64,
    /// Of how many changes it had been told by then.
    pub(super) told: u32,
}

impl Spoken {
    /// Whether it is time to say something again while people come in. `is_known`: who is in and was told that it is; `told`: of how many changes it has been told by now.
    pub(super) fn is_over(self, is_known: bool, (now_us, told): (u64, u32)) -> bool {
        let period_us = if is_known && told == self.told { WAITING_PERIOD_US } else { ENTERING_PERIOD_US };
        // Where it spoke after that moment was looked at, none of it is over.
        now_us.saturating_sub(self.at_us) >= period_us
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_waits_speaks_once_a_second_and_who_comes_in_or_has_news_soon() {
        let spoken = Spoken { at_us: 7, told: 3 };
        assert!(!spoken.is_over(true, (999_000, 3)) && spoken.is_over(true, (1_000_007, 3)));
        assert!(spoken.is_over(false, (50_007, 3)), "it is not in");
        assert!(spoken.is_over(true, (50_007, 4)), "it acknowledges what it was told");
        assert!(!spoken.is_over(false, (50_006, 4)), "a lost frame is said again, not at once");
        assert!(!spoken.is_over(false, (6, 4)), "it spoke after that moment");
    }
}
