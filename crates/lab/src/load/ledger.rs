//! Records arrivals: delivery times, and the age of each receiver's knowledge of each sender. The ledger keeps two
//! numbers for each pair and allocates nothing for a message.

use serde::{Deserialize, Deserializer, Serialize};

/// Bin width and number of bins of the staleness histogram.
const STALENESS_STEP_US: u64 = 1_000;
const STALENESS_STEPS: usize = 20_000;
/// Bin width and number of bins of the histogram of delivery times.
const DELIVERY_STEP_US: u64 = 100;
const DELIVERY_STEPS: usize = 200_000;

/// The newest message of a pair, in microseconds since the load began.
#[derive(Clone, Copy, Debug, Default)]
struct NewestMessageTimes {
    sent: u32,
    arrived: u32,
}

/// The record of one run. It counts messages sent, and time passed, between `from_us` and `to_us`.
#[derive(Debug)]
pub(crate) struct DeliveryLedger {
    receivers: usize,
    senders: usize,
    from_us: u64,
    to_us: u64,
    /// A receiver whose delivery times and losses are not counted.
    apart: Option<usize>,
    last: Vec<NewestMessageTimes>,
    /// Time-weighted staleness: +1 where a pair's age begins, -1 where a newer message ends it. The running sum is
    /// a histogram.
    staleness: Vec<i64>,
    delivery: Vec<u64>,
    delivery_sum_us: u64,
    sent: u64,
    delivered: u64,
}

/// Percentiles of a distribution, in milliseconds; infinite without values, which is `null` in JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Percentiles {
    #[serde(deserialize_with = "or_never")]
    pub(crate) p50_ms: f64,
    #[serde(deserialize_with = "or_never")]
    pub(crate) p95_ms: f64,
    #[serde(deserialize_with = "or_never")]
    pub(crate) p99_ms: f64,
}

/// Reads `null` as infinity, since JSON has no infinite numbers.
pub(crate) fn or_never<'a, D: Deserializer<'a>>(time_ms: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(time_ms)?.unwrap_or(f64::INFINITY))
}

impl DeliveryLedger {
    /// A ledger for a number of receivers and senders.
    pub(crate) fn new((receivers, senders): (usize, usize), (from_us, to_us): (u64, u64)) -> DeliveryLedger {
        DeliveryLedger {
            receivers,
            senders,
            from_us,
            to_us,
            apart: None,
            last: vec![NewestMessageTimes::default(); receivers * senders],
            staleness: vec![0; STALENESS_STEPS + 1],
            delivery: vec![0; DELIVERY_STEPS + 1],
            delivery_sum_us: 0,
            sent: 0,
            delivered: 0,
        }
    }

    /// Leaves a receiver that deliberately reads nothing out of delivery times and losses. Its staleness still counts.
    pub(crate) fn set_apart(mut self, receiver: usize) -> DeliveryLedger {
        self.apart = Some(receiver);
        self
    }

    pub(crate) fn note_sent(&mut self, sent_us: u64) {
        self.sent += u64::from((self.from_us..self.to_us).contains(&sent_us));
    }

    #[inline]
    pub(crate) fn note_arrival(&mut self, (receiver, sender): (usize, usize), sent_us: u64, now_us: u64) {
        if (self.from_us..self.to_us).contains(&sent_us) && self.apart != Some(receiver) {
            self.delivered += 1;
            let delay_us = now_us.saturating_sub(sent_us);
            self.delivery_sum_us += delay_us;
            let step = (delay_us / DELIVERY_STEP_US) as usize;
            self.delivery[step.min(DELIVERY_STEPS)] += 1;
        }
        let Some(last) = self.last.get_mut(receiver * self.senders + sender) else { return };
        if sent_us <= u64::from(last.sent) {
            // Older than the newest known message.
            return;
        }
        let before = core::mem::replace(last, NewestMessageTimes { sent: sent_us as u32, arrived: now_us as u32 });
        self.age(before, now_us);
    }

    /// The receiver no longer knows the sender, so the pair's age no longer counts.
    pub(crate) fn forget(&mut self, (receiver, sender): (usize, usize), now_us: u64) {
        if let Some(last) = self.last.get_mut(receiver * self.senders + sender) {
            let before = core::mem::replace(last, NewestMessageTimes { sent: 0, arrived: u32::MAX });
            self.age(before, now_us);
        }
    }

    /// Counts a pair's age from its arrival until `until_us`.
    fn age(&mut self, last: NewestMessageTimes, until_us: u64) {
        let begin = u64::from(last.arrived).max(self.from_us);
        let end = until_us.min(self.to_us);
        if begin < end {
            let step = |at: u64| (((at - u64::from(last.sent)) / STALENESS_STEP_US) as usize).min(STALENESS_STEPS);
            self.staleness[step(begin)] += 1;
            self.staleness[step(end)] -= 1;
        }
    }

    /// The age of a receiver's oldest knowledge of any sender.
    pub(crate) fn oldest_us(&self, receiver: usize, now_us: u64) -> u64 {
        let known = &self.last[receiver * self.senders..(receiver + 1) * self.senders];
        known.iter().map(|last| now_us.saturating_sub(u64::from(last.sent))).max().unwrap_or(0)
    }

    /// Ends the record. Pairs without newer messages age until the end.
    pub(crate) fn close(&mut self) {
        for last in core::mem::take(&mut self.last) {
            self.age(last, self.to_us);
        }
    }

    /// The share of expected deliveries that did not arrive; 1 if none was expected.
    pub(crate) fn undelivered(&self) -> f64 {
        let due = self.sent * (self.receivers - usize::from(self.apart.is_some())) as u64;
        if due == 0 { 1.0 } else { 1.0 - self.delivered as f64 / due as f64 }
    }

    pub(crate) fn delivered(&self) -> u64 {
        self.delivered
    }

    pub(crate) fn delivery(&self) -> Percentiles {
        percentiles(self.delivery.iter().copied(), DELIVERY_STEP_US)
    }

    /// The mean over all deliveries; 0 without any.
    pub(crate) fn delivery_mean_ms(&self) -> f64 {
        self.delivery_sum_us as f64 / self.delivered.max(1) as f64 / 1_000.0
    }

    pub(crate) fn staleness(&self) -> Percentiles {
        let histogram = self.staleness.iter().scan(0_i64, |sum, change| {
            *sum += change;
            Some(sum.unsigned_abs())
        });
        percentiles(histogram, STALENESS_STEP_US)
    }
}

/// Percentiles of a histogram with bins of `step_us`.
fn percentiles(counts: impl Iterator<Item = u64> + Clone, step_us: u64) -> Percentiles {
    let at = |share| {
        let steps = percentile(counts.clone(), share);
        steps.map_or(f64::INFINITY, |steps| steps as f64 * step_us as f64 / 1_000.0)
    };
    Percentiles { p50_ms: at(0.5), p95_ms: at(0.95), p99_ms: at(0.99) }
}

/// The end of the bin below which `share` of all counts are; `None` without counts.
fn percentile(counts: impl Iterator<Item = u64> + Clone, share: f64) -> Option<usize> {
    let all: u64 = counts.clone().sum();
    if all == 0 {
        return None;
    }
    let mut left = (all as f64 * share).ceil() as u64;
    for (step, count) in counts.enumerate() {
        if left <= count {
            return Some(step + 1);
        }
        left -= count;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: u64 = 1_000_000;

    /// One pair with a message every 100 ms, each delayed by `delay_us`, some lost.
    fn run(delay_us: u64, lost: impl Fn(u64) -> bool) -> DeliveryLedger {
        let mut ledger = DeliveryLedger::new((1, 1), (SECOND, 11 * SECOND));
        for number in 1..=120 {
            let sent_us = number * 100_000;
            ledger.note_sent(sent_us);
            if !lost(number) {
                ledger.note_arrival((0, 0), sent_us, sent_us + delay_us);
            }
        }
        ledger.close();
        ledger
    }

    #[test]
    fn staleness_is_the_delay_plus_the_time_to_the_next_message() {
        let ledger = run(20_000, |_| false);
        assert_eq!(ledger.undelivered(), 0.0);
        assert!((ledger.delivery().p99_ms - 20.0).abs() < 0.2, "{:?}", ledger.delivery());
        assert_eq!(ledger.delivery_mean_ms(), 20.0);
        let Percentiles { p50_ms, p99_ms, .. } = ledger.staleness();
        assert!((p50_ms - 70.0).abs() < 3.0 && (p99_ms - 119.0).abs() < 3.0, "{p50_ms} {p99_ms}");
    }

    #[test]
    fn lost_messages_raise_staleness_and_count_as_undelivered() {
        let ledger = run(20_000, |number| number % 2 == 0);
        assert!((ledger.undelivered() - 0.5).abs() < 0.02);
        assert!((ledger.staleness().p99_ms - 218.0).abs() < 4.0, "{:?}", ledger.staleness());
    }

    #[test]
    fn staleness_grows_for_a_receiver_without_messages() {
        let ledger = run(20_000, |_| true);
        assert_eq!(ledger.undelivered(), 1.0);
        assert!(ledger.staleness().p50_ms > 5_000.0, "{:?}", ledger.staleness());
    }

    #[test]
    fn percentiles_without_arrivals_are_infinite_and_survive_json() {
        let delivery = run(20_000, |_| true).delivery();
        assert_eq!([delivery.p50_ms, delivery.p95_ms, delivery.p99_ms], [f64::INFINITY; 3]);
        assert_eq!(DeliveryLedger::new((0, 0), (0, SECOND)).staleness().p99_ms, f64::INFINITY);
        let kept = serde_json::to_value(delivery).expect("it is JSON");
        let read: Percentiles = serde_json::from_value(kept).expect("a journal gives back what it was given");
        assert_eq!(read, delivery);
        let kept = serde_json::to_value(run(20_000, |_| false).delivery()).expect("it is JSON");
        assert!(serde_json::from_value::<Percentiles>(kept).expect("it is read").p99_ms < 21.0, "negative control");
    }

    #[test]
    fn an_excluded_receiver_affects_neither_losses_nor_delivery_times() {
        // Of two receivers the first gets nothing in time; the second misses every second message.
        let undelivered = |ledger: DeliveryLedger| {
            let mut ledger = ledger;
            for number in 1..=100 {
                ledger.note_sent(number * 1_000);
                if number % 2 == 0 {
                    ledger.note_arrival((1, 0), number * 1_000, number * 1_000 + 100);
                }
            }
            ledger.note_arrival((0, 0), 1_000, 90_000);
            (ledger.undelivered(), ledger.delivery().p99_ms)
        };
        let book = || DeliveryLedger::new((2, 1), (0, SECOND));
        let (lost, p99_ms) = undelivered(book().set_apart(0));
        assert!(lost == 0.5 && p99_ms < 1.0, "{lost} {p99_ms}");
        let (lost, p99_ms) = undelivered(book());
        assert!((lost - 0.745).abs() < 1e-9 && p99_ms > 80.0, "negative control: {lost} {p99_ms}");
    }
}
