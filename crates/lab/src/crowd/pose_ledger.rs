//! Records the poses that some people received from all other people: new poses a second, delay, and age.

use crate::load::ledger::{DeliveryLedger, Percentiles};

/// Pairs that were together for less have no rate.
const TOGETHER_MIN_US: u64 = 2_000_000;

/// The record of one run.
#[derive(Debug)]
pub(crate) struct PoseArrivalRecorder {
    ledger: DeliveryLedger,
    objects: usize,
    from_us: u64,
    to_us: u64,
    pairs: Vec<ReceiverObjectArrivals>,
}

/// The poses of one object that one receiver got.
#[derive(Clone, Copy, Debug, Default)]
struct ReceiverObjectArrivals {
    /// Time since which the object is in the receiver's interest set.
    since_us: Option<u64>,
    /// Time in the set, within the window.
    held_us: u64,
    /// Number of the newest pose.
    newest: u64,
    /// New poses within the window.
    news: u32,
}

/// Rates of new poses over all pairs.
#[derive(Clone, Copy, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct PoseRates {
    /// Number of pairs with a rate.
    pub(crate) pairs: usize,
    /// New poses a second of the slowest pair.
    pub(crate) least_per_s: f64,
    pub(crate) mean_per_s: f64,
    /// Pairs below the bar.
    pub(crate) below: usize,
}

impl PoseArrivalRecorder {
    /// A ledger for a number of receivers and objects. The window is in microseconds since the load began.
    pub(crate) fn new((receivers, objects): (usize, usize), (from_us, to_us): (u64, u64)) -> PoseArrivalRecorder {
        let pairs = vec![ReceiverObjectArrivals::default(); receivers * objects];
        let mut ledger = DeliveryLedger::new((receivers, objects), (from_us, to_us));
        // A pair that was never visible has no age and no rate.
        (0..pairs.len()).for_each(|pair| ledger.forget((pair / objects, pair % objects), 0));
        PoseArrivalRecorder { ledger, objects, from_us, to_us, pairs }
    }

    /// An object entered a receiver's interest set.
    pub(crate) fn enter(&mut self, (receiver, object): (usize, usize), now_us: u64) {
        let pair = &mut self.pairs[receiver * self.objects + object];
        pair.since_us.get_or_insert(now_us);
    }

    /// An object left a receiver's interest set.
    pub(crate) fn leave(&mut self, (receiver, object): (usize, usize), now_us: u64) {
        self.ledger.forget((receiver, object), now_us);
        let (from_us, to_us) = (self.from_us, self.to_us);
        self.pairs[receiver * self.objects + object].hold((from_us, to_us), now_us);
    }

    /// A pose arrived that was due at `sent_us`; `number` counts the poses of that object. Hot path.
    #[inline]
    pub(crate) fn see(&mut self, (receiver, object): (usize, usize), (number, sent_us): (u64, u64), now_us: u64) {
        let pair = &mut self.pairs[receiver * self.objects + object];
        if number <= pair.newest {
            return;
        }
        pair.newest = number;
        pair.news += u32::from((self.from_us..self.to_us).contains(&now_us));
        self.ledger.note_arrival((receiver, object), sent_us, now_us);
    }

    /// Ends the record.
    pub(crate) fn close(&mut self) {
        self.ledger.close();
        let (from_us, to_us) = (self.from_us, self.to_us);
        self.pairs.iter_mut().for_each(|pair| pair.hold((from_us, to_us), to_us));
    }

    /// Rates of the pairs that were together long enough, compared with a bar.
    pub(crate) fn rates(&self, bar_per_s: f64) -> PoseRates {
        let counted = self.pairs.iter().filter(|pair| pair.held_us >= TOGETHER_MIN_US);
        let mut rates = PoseRates { least_per_s: f64::INFINITY, ..PoseRates::default() };
        for pair in counted {
            let rate = f64::from(pair.news) * 1e6 / pair.held_us as f64;
            rates.pairs += 1;
            rates.least_per_s = rates.least_per_s.min(rate);
            rates.mean_per_s += rate;
            rates.below += usize::from(rate < bar_per_s);
        }
        if rates.pairs == 0 {
            return PoseRates::default();
        }
        rates.mean_per_s /= rates.pairs as f64;
        rates
    }

    pub(crate) fn staleness(&self) -> Percentiles {
        self.ledger.staleness()
    }

    pub(crate) fn delivery(&self) -> Percentiles {
        self.ledger.delivery()
    }

    pub(crate) fn delivery_mean_ms(&self) -> f64 {
        self.ledger.delivery_mean_ms()
    }
}

impl ReceiverObjectArrivals {
    fn hold(&mut self, (from_us, to_us): (u64, u64), now_us: u64) {
        if let Some(since_us) = self.since_us.take() {
            self.held_us += now_us.min(to_us).saturating_sub(since_us.max(from_us));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: u64 = 1_000_000;

    #[test]
    fn the_rate_of_a_pair_counts_new_poses_while_both_are_present() {
        let mut ledger = PoseArrivalRecorder::new((1, 3), (SECOND, 11 * SECOND));
        ledger.enter((0, 0), 0);
        ledger.enter((0, 1), 0);
        ledger.enter((0, 2), 10 * SECOND);
        for number in 1..=240_u64 {
            let at = number * SECOND / 20;
            ledger.see((0, 0), (number, at - 1), at);
            // The same pose again.
            ledger.see((0, 0), (number, at - 1), at + 1);
            if number % 2 == 0 && at < 6 * SECOND {
                ledger.see((0, 1), (number, at - 1), at);
            }
            if at == 6 * SECOND {
                ledger.leave((0, 1), at);
            }
        }
        ledger.close();
        let rates = ledger.rates(19.0);
        assert_eq!((rates.pairs, rates.below), (2, 1), "the third was there for a second only: {rates:?}");
        assert!((rates.least_per_s - 10.0).abs() < 0.25 && (rates.mean_per_s - 15.0).abs() < 0.3, "{rates:?}");
    }

    #[test]
    fn the_staleness_of_a_sender_stops_growing_when_it_leaves() {
        let staleness = |leaves: bool| {
            let mut ledger = PoseArrivalRecorder::new((1, 1), (SECOND, 11 * SECOND));
            ledger.enter((0, 0), 0);
            (1..=40).for_each(|number| ledger.see((0, 0), (number, number * 50_000), number * 50_000 + 1_000));
            if leaves {
                ledger.leave((0, 0), 2 * SECOND);
            }
            ledger.close();
            ledger.staleness().p99_ms
        };
        assert!(staleness(true) < 60.0, "{}", staleness(true));
        assert!(staleness(false) > 8_000.0, "negative control: {}", staleness(false));
    }
}
