//! A bound that many payers share: passes charges below it, and refuses the largest payers first above it.

use core::time::Duration;

use stoa_wire::reason::{Reason, Refusal};

use super::payer::{Payer, PayerId};
use super::share::{ShareCheckContext, ShareHolderKind, ShareNode, ShareVerdict};
use crate::bucket::TokenBucket;
use crate::limits;
use crate::time::Time;

/// A bound of one resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// A rate, for quantities that are used up.
    Rate {
        /// Amount a second.
        per_s: u32,
        /// Amount at once.
        burst: u32,
    },
    /// A level, for quantities that are held until they are given back.
    Level {
        /// Amount of all payers together above which fair shares apply.
        most: u64,
        /// Amount of all payers together above which every charge is refused.
        ceiling: u64,
    },
}

/// The answer to a charge, or to a check without a charge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum ChargeVerdict {
    /// The charge passes.
    Pass,
    /// The charge passes although the bound is reached: the payer is above half of its fair share, but within it. Read
    /// the payer's connection no sooner than after this time.
    Slow(Duration),
    /// The charge is refused. The refusal names the bound.
    Refuse(Refusal),
}

/// The state of a bound: the use of all payers together and of each.
///
/// While the bound is not reached, every charge passes. After that a charge is refused if the payer, and every group
/// that it is in, exceeds its fair share, so the largest payers are refused first. Above a level's ceiling, all are
/// refused.
///
/// Of a rate, a group of guests has the larger of two shares: one of equal shares of all households, and one of equal
/// shares of all people. The first keeps a person from losing to crowds, and the second keeps a class behind one
/// address from losing to many small networks. The shares of each kind add up to the bound, so both kinds together
/// can grant up to twice the rate. The excess becomes a debt of at most one burst. The second half of that debt shrinks
/// the shares, down to half of their size, so in the long run they grant the rate.
#[derive(Debug)]
pub struct FairShareLimiter {
    bound: Bound,
    /// Description of the quantity, for refusals.
    of: &'static str,
    /// The unused amount of a rate; `None` for a level.
    bucket: Option<TokenBucket>,
    uses: ShareNode,
    /// New payers since idle ones were forgotten.
    newcomers: usize,
    /// Window in which idle payers were last forgotten.
    swept_window: u64,
}

impl FairShareLimiter {
    /// An unused bound. `of` describes its quantity: `bytes a second of all guests`.
    pub fn new(bound: Bound, of: &'static str, now: Time) -> FairShareLimiter {
        let bucket = match bound {
            Bound::Rate { per_s, burst } => Some(TokenBucket::new(per_s, burst, now)),
            Bound::Level { .. } => None,
        };
        FairShareLimiter { bound, of, bucket, uses: ShareNode::default(), newcomers: 0, swept_window: 0 }
    }

    /// Whether a charge would pass. The charge follows by [`FairShareLimiter::settle`].
    pub fn check(&mut self, now: Time, payer: Payer, amount: u64) -> ChargeVerdict {
        if let Bound::Level { ceiling, .. } = self.bound
            && self.used(now).saturating_add(amount) > ceiling
        {
            return ChargeVerdict::Refuse(self.refusal());
        }
        if !self.is_reached(now, amount) {
            return ChargeVerdict::Pass;
        }
        match self.compare(now, payer, amount) {
            ShareVerdict::Above { .. } => ChargeVerdict::Refuse(self.refusal()),
            ShareVerdict::Within { used, share } if used <= share / 2 => ChargeVerdict::Pass,
            ShareVerdict::Within { share, .. } => {
                ChargeVerdict::Slow(self.pause(amount, share).min(limits::CHARGE_PAUSE_MAX))
            }
        }
    }

    /// Whether the payer, or a group that it is in, remains within its fair share with this amount.
    pub fn is_within_share(&mut self, now: Time, payer: Payer, amount: u64) -> bool {
        matches!(self.compare(now, payer, amount), ShareVerdict::Within { .. })
    }

    /// Charges for past work. Returns the pause after which the payer has its fair share again. The pause is zero while
    /// the bound is not reached, and for a payer within half of its share.
    pub fn pace(&mut self, now: Time, payer: Payer, amount: u64) -> Duration {
        let pause = if self.is_reached(now, amount) {
            match self.compare(now, payer, amount) {
                ShareVerdict::Above { share } => (2 * self.pause(amount, share)).min(limits::PACE_PAUSE_MAX),
                ShareVerdict::Within { used, share } if used <= share / 2 => Duration::ZERO,
                ShareVerdict::Within { share, .. } => self.pause(amount, share).min(limits::CHARGE_PAUSE_MAX),
            }
        } else {
            Duration::ZERO
        };
        self.settle(now, payer, amount);
        pause
    }

    fn compare(&mut self, now: Time, payer: Payer, amount: u64) -> ShareVerdict {
        let capacity = self.capacity() - self.lasting_debt(now);
        let by_household = ShareCheckContext { unit: ShareHolderKind::Household, capacity, now, window: self.window() };
        let by_person = ShareCheckContext { unit: ShareHolderKind::Person, ..by_household };
        match self.uses.compare(&payer.path(), amount, &by_household) {
            ShareVerdict::Above { .. } if self.bucket.is_some() && payer.is_person && payer.path().len() > 1 => {
                self.uses.compare(&payer.path(), amount, &by_person)
            }
            verdict => verdict,
        }
    }

    /// Charges without a check. A shortage of a rate becomes a debt, of at most one burst.
    pub fn settle(&mut self, now: Time, payer: Payer, amount: u64) {
        let capacity = self.capacity();
        if let Some(bucket) = &mut self.bucket {
            let debt_max = u32::try_from(capacity).unwrap_or(u32::MAX);
            bucket.spend_owing(u32::try_from(amount).unwrap_or(u32::MAX), debt_max, now);
        }
        if self.uses.add(&payer.path(), amount, now, self.window()) {
            self.newcomers += 1;
        }
        // Idle payers are forgotten once a window, so that shares are computed from active payers.
        let window = self.uses.window_of_last_use();
        if self.newcomers > limits::PAYERS_MAX / 2 || self.window().is_some() && window != self.swept_window {
            self.uses.forget(limits::PAYERS_MAX / 2, now, self.window());
            (self.newcomers, self.swept_window) = (0, window);
        }
    }

    /// Gives back an amount that the payer held of a level.
    pub fn release(&mut self, payer: Payer, amount: u64) {
        assert!(matches!(self.bound, Bound::Level { .. }), "a rate is used up");
        self.uses.take_back(&payer.path(), amount);
    }

    /// The payer with the largest use, within the group that uses most for its number of households.
    pub fn largest(&mut self, now: Time) -> Option<PayerId> {
        self.uses.largest(&ShareCheckContext {
            unit: ShareHolderKind::Household,
            capacity: self.capacity(),
            now,
            window: self.window(),
        })
    }

    /// Number of payers with a use.
    #[cfg(test)]
    pub(super) fn payers(&mut self) -> usize {
        self.uses.forget(usize::MAX, Time::ZERO, self.window())
    }

    /// The use within one window, or the held amount.
    pub fn used(&self, now: Time) -> u64 {
        self.uses.amount(now, self.window())
    }

    /// The burst of a rate, or the held amount above which a level's fair shares apply.
    pub fn capacity(&self) -> u64 {
        match self.bound {
            Bound::Rate { burst, .. } => u64::from(burst),
            Bound::Level { most, .. } => most,
        }
    }

    fn is_reached(&mut self, now: Time, amount: u64) -> bool {
        match (&mut self.bucket, self.bound) {
            (Some(bucket), _) => bucket.is_empty(now),
            (None, Bound::Level { most, .. }) => self.used(now).saturating_add(amount) > most,
            (None, Bound::Rate { .. }) => false,
        }
    }

    /// The debt of a rate beyond half of its burst: at most the other half. Newcomers cause a smaller debt for a while,
    /// because each may use its share at once.
    fn lasting_debt(&mut self, now: Time) -> u64 {
        let debt = self.bucket.as_mut().map_or(0, |bucket| u64::from(bucket.debt(now)));
        debt.saturating_sub(self.capacity() / 2).min(self.capacity() / 2)
    }

    /// The time in which an empty bucket fills; `None` for a level.
    fn window(&self) -> Option<Duration> {
        match self.bound {
            Bound::Rate { per_s, burst } => Some(Duration::from_secs(u64::from(burst)) / per_s),
            Bound::Level { .. } => None,
        }
    }

    /// The time after which the payer's share would have grown by the amount.
    fn pause(&self, amount: u64, share: u64) -> Duration {
        let window = self.window().unwrap_or(limits::LEVEL_PAUSE_WINDOW);
        let nanos = window.as_nanos() * u128::from(amount) / u128::from(share.max(1));
        Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX / 2).min(u64::MAX / 2))
    }

    fn refusal(&self) -> Refusal {
        let most = match self.bound {
            Bound::Rate { per_s, .. } => per_s as usize,
            Bound::Level { most, .. } => usize::try_from(most).unwrap_or(usize::MAX),
        };
        Refusal::beyond(Reason::Flood, most, self.of)
    }
}
