//! What some people saw of all others: how many new poses a second of each, how late, and how old what they knew was.

use crate::load::ledger::{Ledger, Percentiles};

/// Who are together for less than this say nothing of their rate.
const TOGETHER_MIN_US: u64 = 2_000_000;

/// The book of one run.
#[derive(Debug)]
pub(crate) struct Book {
    ledger: Ledger,
    objects: usize,
    from_us: u64,
    to_us: u64,
    pairs: Vec<Pair>,
}

/// One who sees and one who is seen.
#[derive(Clone, Copy, Debug, Default)]
struct Pair {
    /// Since when it is in the other's set.
    since_us: Option<u64>,
    /// For how long it was, of what counts.
    held_us: u64,
    /// The number of the newest pose.
    newest: u64,
    /// New poses, of what counts.
    news: u32,
}

/// How often those who are seen were seen anew.
#[derive(Clone, Copy, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct Rates {
    /// How many pairs there were.
    pub(crate) pairs: usize,
    /// New poses a second of the pair that had the fewest.
    pub(crate) least_per_s: f64,
    pub(crate) mean_per_s: f64,
    /// Pairs below the bar.
    pub(crate) below: usize,
}

impl Book {
    /// For so many who see and objects that are seen; what counts is between the two times, in microseconds since the load began.
    pub(crate) fn new((receivers, objects): (usize, usize), (from_us, to_us): (u64, u64)) -> Book {
        let pairs = vec![Pair::default(); receivers * objects];
        let mut ledger = Ledger::new((receivers, objects), (from_us, to_us));
        // Who was never seen is not stale, but has no rate.
        (0..pairs.len()).for_each(|pair| ledger.forget((pair / objects, pair % objects), 0));
        Book { ledger, objects, from_us, to_us, pairs }
    }

    /// An object came into somebody's set.
    pub(crate) fn enter(&mut self, (receiver, object): (usize, usize), now_us: u64) {
        let pair = &mut self.pairs[receiver * self.objects + object];
        pair.since_us.get_or_insert(now_us);
    }

    /// It went out of it.
    pub(crate) fn leave(&mut self, (receiver, object): (usize, usize), now_us: u64) {
        self.ledger.forget((receiver, object), now_us);
        let (from_us, to_us) = (self.from_us, self.to_us);
        self.pairs[receiver * self.objects + object].hold((from_us, to_us), now_us);
    }

    /// A pose came that was said at `sent_us`; `number` counts the poses of that object. Hot path.
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

    /// Ends the book.
    pub(crate) fn close(&mut self) {
        self.ledger.close();
        let (from_us, to_us) = (self.from_us, self.to_us);
        self.pairs.iter_mut().for_each(|pair| pair.hold((from_us, to_us), to_us));
    }

    /// The pairs that were together long enough to have a rate, held against a bar.
    pub(crate) fn rates(&self, bar_per_s: f64) -> Rates {
        let counted = self.pairs.iter().filter(|pair| pair.held_us >= TOGETHER_MIN_US);
        let mut rates = Rates { least_per_s: f64::INFINITY, ..Rates::default() };
        for pair in counted {
            let rate = f64::from(pair.news) * 1e6 / pair.held_us as f64;
            rates.pairs += 1;
            rates.least_per_s = rates.least_per_s.min(rate);
            rates.mean_per_s += rate;
            rates.below += usize::from(rate < bar_per_s);
        }
        if rates.pairs == 0 {
            return Rates::default();
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

impl Pair {
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
    fn a_pair_has_the_rate_of_its_new_poses_while_it_is_together() {
        let mut book = Book::new((1, 3), (SECOND, 11 * SECOND));
        book.enter((0, 0), 0);
        book.enter((0, 1), 0);
        book.enter((0, 2), 10 * SECOND);
        for number in 1..=240_u64 {
            let at = number * SECOND / 20;
            book.see((0, 0), (number, at - 1), at);
            book.see((0, 0), (number, at - 1), at + 1); // nothing new
            if number % 2 == 0 && at < 6 * SECOND {
                book.see((0, 1), (number, at - 1), at);
            }
            if at == 6 * SECOND {
                book.leave((0, 1), at);
            }
        }
        book.close();
        let rates = book.rates(19.0);
        assert_eq!((rates.pairs, rates.below), (2, 1), "the third was there for a second only: {rates:?}");
        assert!((rates.least_per_s - 10.0).abs() < 0.25 && (rates.mean_per_s - 15.0).abs() < 0.3, "{rates:?}");
    }

    #[test]
    fn who_left_does_not_grow_old() {
        let staleness = |leaves: bool| {
            let mut book = Book::new((1, 1), (SECOND, 11 * SECOND));
            book.enter((0, 0), 0);
            (1..=40).for_each(|number| book.see((0, 0), (number, number * 50_000), number * 50_000 + 1_000));
            if leaves {
                book.leave((0, 0), 2 * SECOND);
            }
            book.close();
            book.staleness().p99_ms
        };
        assert!(staleness(true) < 60.0, "{}", staleness(true));
        assert!(staleness(false) > 8_000.0, "negative control: {}", staleness(false));
    }
}
