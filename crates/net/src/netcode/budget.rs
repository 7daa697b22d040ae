//! So many a second, and no more.

use std::time::Duration;

use stoa_state::time::Time;

/// Counts down within each second; what is left over is not kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    per_s: u32,
    left: u32,
    since: Time,
}

impl Budget {
    pub(super) fn new(per_s: u32) -> Budget {
        Budget { per_s, left: per_s, since: Time::ZERO }
    }

    /// False if there is none left in this second.
    pub(super) fn take(&mut self, now: Time) -> bool {
        if now.since(self.since) >= Duration::from_secs(1) {
            (self.left, self.since) = (self.per_s, now);
        }
        let left = self.left.checked_sub(1);
        self.left = left.unwrap_or(0);
        left.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_has_as_many_as_were_said() {
        let mut budget = Budget::new(3);
        let taken = |budget: &mut Budget, now| (0..9).filter(|_| budget.take(now)).count();
        assert_eq!(taken(&mut budget, Time::from_millis(500)), 3);
        assert_eq!(taken(&mut budget, Time::from_millis(999)), 0);
        assert_eq!(taken(&mut budget, Time::from_millis(1_000)), 3);
        assert_eq!(taken(&mut budget, Time::from_millis(1_999)), 0);
        assert_eq!(taken(&mut budget, Time::from_secs(60)), 3, "what was not used is not kept");
    }
}
