//! The rates of the messages in one scene, for all its publishers and for the guests among them.
//!
//! Any publisher takes from the first half of a rate, as from a plain bucket. The second half has a fair share for each
//! publisher and refuses the largest first. So a scene looks up no publisher until its first half is used up: a camera
//! update costs one comparison of buckets, and a guest's costs two. The largest publishers are still refused first,
//! because a publisher within its fair share of the second half is always served.

use core::time::Duration;

use stoa_wire::reason::{Reason, Refusal};

use super::costs;
use crate::bucket::TokenBucket;
use crate::ledger::{Bound, FairShareLimiter, Payer, PayerClass};
use crate::limits;
use crate::time::Time;

/// The rate of one quantity.
#[derive(Debug)]
struct QuantityRateLimiter {
    /// The first half, from which any publisher takes.
    open: TokenBucket,
    /// The second half, with fair shares.
    shared: FairShareLimiter,
    refusal: Refusal,
}

impl QuantityRateLimiter {
    fn new(per_s: u32, burst: u32, of: &'static str, now: Time) -> QuantityRateLimiter {
        let half = Bound::Rate { per_s: per_s / 2, burst: burst / 2 };
        QuantityRateLimiter {
            open: TokenBucket::new(per_s / 2, burst / 2, now),
            shared: FairShareLimiter::new(half, of, now),
            refusal: Refusal::beyond(Reason::Flood, per_s as usize, of),
        }
    }

    fn take(&mut self, amount: u32, payer: Payer, now: Time) -> Result<Duration, Refusal> {
        if amount == 0 || self.open.take_many(amount, now) {
            return Ok(Duration::ZERO);
        }
        let pause = costs::accept(self.shared.check(now, payer, amount.into())).map_err(|_| self.refusal)?;
        self.shared.settle(now, payer, amount.into());
        Ok(pause)
    }
}

/// The rates of messages and their bytes.
#[derive(Debug)]
struct MessageRateLimiter {
    messages: QuantityRateLimiter,
    kib: QuantityRateLimiter,
}

impl MessageRateLimiter {
    fn take(&mut self, bytes: usize, payer: Payer, now: Time) -> Result<Duration, Refusal> {
        let pause = self.messages.take(1, payer, now)?;
        Ok(pause.max(self.kib.take(u32::try_from(bytes / 1_024).unwrap_or(u32::MAX), payer, now)?))
    }
}

/// The rates of one scene.
#[derive(Debug)]
pub(super) struct SceneRateLimiter {
    all: MessageRateLimiter,
    /// The guests' half of the scene's rates; the rest is reserved for members.
    guests: MessageRateLimiter,
}

impl SceneRateLimiter {
    pub(super) fn new(now: Time) -> SceneRateLimiter {
        let all = MessageRateLimiter {
            messages: QuantityRateLimiter::new(
                limits::SCENE_MESSAGES_PER_S,
                limits::SCENE_MESSAGES_BURST,
                "messages a second of all in a scene",
                now,
            ),
            kib: QuantityRateLimiter::new(
                limits::SCENE_KIB_PER_S,
                limits::SCENE_KIB_BURST,
                "KiB a second of all in a scene",
                now,
            ),
        };
        let guests = MessageRateLimiter {
            messages: QuantityRateLimiter::new(
                limits::SCENE_MESSAGES_PER_S / 2,
                limits::SCENE_MESSAGES_BURST / 2,
                "messages a second of all guests in a scene",
                now,
            ),
            kib: QuantityRateLimiter::new(
                limits::SCENE_KIB_PER_S / 2,
                limits::SCENE_KIB_BURST / 2,
                "KiB a second of all guests in a scene",
                now,
            ),
        };
        SceneRateLimiter { all, guests }
    }

    /// Charges a message of that size. Returns the pause before the publisher's connection is read again. Errors:
    /// [`Reason::Flood`] for a publisher above its fair share.
    pub(super) fn take(&mut self, bytes: usize, payer: Payer, now: Time) -> Result<Duration, Refusal> {
        let is_guest = payer.class() == PayerClass::Guests;
        let pause = if is_guest { self.guests.take(bytes, payer, now)? } else { Duration::ZERO };
        Ok(pause.max(self.all.take(bytes, payer, now)?))
    }
}
