//! Tallies the results of one run of the clients, in the paper's terms.

use serde::{Deserialize, Serialize};

use crate::statistics::{deviation, mean, nearest_rank};

/// Counts of the updates within the window.
#[derive(Debug, Default)]
pub(crate) struct UpdateWindowTally {
    /// Updates sent, and deliveries expected.
    sent: u64,
    pairs: u64,
    /// Updates that reached members, and acknowledgements that came back.
    pub(crate) updates: u64,
    pub(crate) acks: u64,
    /// Updates given up after 20 s, and updates still pending at the end.
    given_up: u64,
    unfinished: u64,
    responses_us: Vec<u64>,
    from_grid_us: Vec<u64>,
    pub(crate) asked_per_s: f64,
    /// Length of the window.
    pub(crate) seconds: f64,
}

/// A distribution, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct DelaySpread {
    pub(crate) count: usize,
    pub(crate) mean_ms: f64,
    /// Standard deviation.
    pub(crate) deviation_ms: f64,
    pub(crate) p50_ms: f64,
    pub(crate) p95_ms: f64,
    pub(crate) p99_ms: f64,
    pub(crate) longest_ms: f64,
}

impl DelaySpread {
    fn of(values_us: &mut [u64]) -> DelaySpread {
        let count = values_us.len();
        if count == 0 {
            return DelaySpread::default();
        }
        values_us.sort_unstable();
        let values_ms: Vec<f64> = values_us.iter().map(|us| *us as f64 / 1_000.0).collect();
        let at = |share: f64| values_ms[nearest_rank(count, share)];
        let (mean_ms, deviation_ms, longest_ms) = (mean(&values_ms), deviation(&values_ms), at(1.0));
        DelaySpread { count, mean_ms, deviation_ms, p50_ms: at(0.5), p95_ms: at(0.95), p99_ms: at(0.99), longest_ms }
    }
}

impl UpdateWindowTally {
    /// An update was sent to `others` members.
    pub(super) fn note_sent(&mut self, others: u64) {
        self.sent += 1;
        self.pairs += others;
    }

    pub(super) fn note_response(&mut self, us: u64) {
        self.responses_us.push(us);
    }

    pub(super) fn note_from_grid(&mut self, us: u64) {
        self.from_grid_us.push(us);
    }

    /// An update was given up. `us` is its waiting time if it counts.
    pub(super) fn note_given_up(&mut self, us: Option<u64>) {
        if let Some(us) = us {
            self.given_up += 1;
            self.responses_us.push(us);
        }
    }

    pub(super) fn note_unfinished(&mut self, us: u64) {
        self.unfinished += 1;
        self.responses_us.push(us);
    }

    /// Response times of the sent updates. Pending and given-up updates count with the time they have waited.
    pub(crate) fn response(&mut self) -> DelaySpread {
        DelaySpread::of(&mut self.responses_us)
    }

    /// Times from each moment of the clients' grids whose update all members acknowledged.
    pub(crate) fn by_grid(&mut self) -> DelaySpread {
        DelaySpread::of(&mut self.from_grid_us)
    }

    /// Completely acknowledged updates a second.
    pub(crate) fn achieved_per_s(&self) -> f64 {
        (self.sent - self.given_up - self.unfinished) as f64 / self.seconds
    }

    /// Messages that clients should have received: each update by all other members, and as many acknowledgements.
    pub(crate) fn expected(&self) -> u64 {
        2 * self.pairs
    }

    pub(crate) fn came(&self) -> u64 {
        self.updates + self.acks
    }

    /// The paper's *% dr.*: the share of expected messages that did not arrive.
    pub(crate) fn lost_percent(&self) -> f64 {
        100.0 * self.expected().saturating_sub(self.came()) as f64 / self.expected().max(1) as f64
    }

    pub(crate) fn unfinished(&self) -> u64 {
        self.unfinished + self.given_up
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delay_spread_contains_mean_deviation_and_percentiles() {
        let mut values: Vec<u64> = (1..=100).rev().map(|ms| ms * 1_000).collect();
        let spread = DelaySpread::of(&mut values);
        assert_eq!((spread.count, spread.mean_ms, spread.longest_ms), (100, 50.5, 100.0));
        assert_eq!((spread.p50_ms, spread.p95_ms, spread.p99_ms), (50.0, 95.0, 99.0));
        assert!((spread.deviation_ms - 29.011).abs() < 0.001, "{spread:?}");
        assert_eq!(DelaySpread::of(&mut []), DelaySpread::default());
    }
}
