//! A token bucket for rate limits.

use core::time::Duration;

use crate::time::Time;

/// Holds up to `burst` tokens, refilled evenly.
#[derive(Clone, Debug)]
pub struct TokenBucket {
    interval: Duration,
    capacity: Duration,
    /// Tokens available, as the time of their refill.
    available: Duration,
    /// Debt from [`TokenBucket::spend`], which refills pay first.
    debt: Duration,
    filled_at: Time,
}

impl TokenBucket {
    /// Creates a full bucket. `rate_hz` and `burst` are at least 1.
    pub fn new(rate_hz: u32, burst: u32, now: Time) -> TokenBucket {
        let interval = Duration::from_secs(1) / rate_hz;
        let capacity = interval * burst;
        TokenBucket { interval, capacity, available: capacity, debt: Duration::ZERO, filled_at: now }
    }

    /// Takes one token; false if none is available.
    pub fn take(&mut self, now: Time) -> bool {
        self.take_many(1, now)
    }

    /// Takes `count` tokens for past work. A shortage becomes a debt.
    pub fn spend(&mut self, count: u32, now: Time) {
        self.fill(now);
        let cost = self.interval.saturating_mul(count);
        self.debt = self.debt.saturating_add(cost.saturating_sub(self.available));
        self.available = self.available.saturating_sub(cost);
    }

    /// Takes `count` tokens for past work. A shortage becomes a debt, of at most `debt_max` tokens in all.
    pub fn spend_owing(&mut self, count: u32, debt_max: u32, now: Time) {
        self.spend(count, now);
        self.debt = self.debt.min(self.interval.saturating_mul(debt_max));
    }

    /// The debt in tokens.
    pub fn debt(&mut self, now: Time) -> u32 {
        self.fill(now);
        u32::try_from(self.debt.as_nanos() / self.interval.as_nanos().max(1)).unwrap_or(u32::MAX)
    }

    /// Whether less than one token is available.
    pub fn is_empty(&mut self, now: Time) -> bool {
        self.fill(now);
        self.available < self.interval
    }

    /// A bucket with the smaller number of tokens and the larger debt of `self` and `other`, whose rate and burst are
    /// equal.
    pub fn at_most(mut self, mut other: TokenBucket, now: Time) -> TokenBucket {
        self.fill(now);
        other.fill(now);
        self.available = self.available.min(other.available);
        self.debt = self.debt.max(other.debt);
        self
    }

    /// Whether the bucket is full.
    pub fn is_full(&mut self, now: Time) -> bool {
        self.fill(now);
        self.available == self.capacity
    }

    fn fill(&mut self, now: Time) {
        let elapsed = now.since(self.filled_at);
        let left = elapsed.saturating_sub(self.debt);
        self.debt = self.debt.saturating_sub(elapsed);
        self.available = (self.available + left).min(self.capacity);
        self.filled_at = now;
    }

    /// Takes `count` tokens; false, and none taken, if fewer are available. False for any count while there is a debt.
    pub fn take_many(&mut self, count: u32, now: Time) -> bool {
        self.fill(now);
        if !self.debt.is_zero() {
            return false;
        }
        match self.available.checked_sub(self.interval.saturating_mul(count)) {
            Some(left) => {
                self.available = left;
                true
            }
            None => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_passes_and_then_only_the_rate() {
        let mut bucket = TokenBucket::new(10, 20, Time::ZERO);
        let passed = (0..30).filter(|_| bucket.take(Time::ZERO)).count();
        assert_eq!(passed, 20);
        let passed = (1..=100).filter(|tenth| bucket.take(Time::from_millis(tenth * 50))).count();
        assert_eq!(passed, 50, "10 Hz for 5 s");
    }

    #[test]
    fn a_bucket_grants_nothing_until_refills_have_paid_its_debt() {
        let mut bucket = TokenBucket::new(10, 20, Time::ZERO);
        bucket.spend(120, Time::ZERO);
        assert!(!bucket.take_many(0, Time::from_secs(9)), "nothing is free while something is owed");
        assert!(bucket.is_empty(Time::from_secs(9)) && !bucket.take(Time::from_millis(10_050)));
        let later = Time::from_millis(10_100);
        assert!(bucket.take(later) && !bucket.take(later), "ten seconds for what it owed, and one token since");
        assert!(bucket.is_full(Time::from_secs(60)));
    }

    #[test]
    fn a_debt_stays_within_its_limit() {
        let mut bucket = TokenBucket::new(10, 20, Time::ZERO);
        bucket.spend_owing(25, 30, Time::ZERO);
        assert_eq!(bucket.debt(Time::ZERO), 5);
        bucket.spend_owing(1_000, 30, Time::ZERO);
        assert_eq!((bucket.debt(Time::ZERO), bucket.debt(Time::from_secs(2))), (30, 10));
        assert_eq!(bucket.debt(Time::from_secs(4)), 0);
    }
}
