//! Rate limits for clients: messages and KiB per second, with bursts. A client that reconnects continues with the
//! allowance that remained at its disconnect.

use alloc::collections::BTreeMap;
use alloc::string::String;

use stoa_wire::reason::{Reason, Refusal};

use crate::bucket::TokenBucket;
use crate::limits;
use crate::time::Time;

/// The remainder of an allowance.
#[derive(Clone, Debug)]
pub(crate) struct ClientRateLimiter {
    messages: TokenBucket,
    kib: TokenBucket,
    /// KiB of objects walked by changes. A debt here blocks only further messages about objects.
    walked: TokenBucket,
    /// Packets that no other bucket covers.
    unpaid: TokenBucket,
    bounds: &'static ClientRateBounds,
}

/// The bounds of an allowance.
#[derive(Debug)]
struct ClientRateBounds {
    messages: QuantityRateBound,
    kib: QuantityRateBound,
}

/// The rate and the burst of one quantity.
#[derive(Debug)]
struct QuantityRateBound {
    per_s: u32,
    burst: u32,
    /// Description of the quantity, for refusals.
    of: &'static str,
}

impl QuantityRateBound {
    const fn new(per_s: u32, burst: u32, of: &'static str) -> QuantityRateBound {
        QuantityRateBound { per_s, burst, of }
    }

    fn full_bucket(&self, now: Time) -> TokenBucket {
        TokenBucket::new(self.per_s, self.burst, now)
    }

    fn flood(&self) -> Refusal {
        Refusal::beyond(Reason::Flood, self.per_s as usize, self.of)
    }
}

const GUEST: ClientRateBounds = ClientRateBounds {
    messages: QuantityRateBound::new(
        limits::GUEST_MESSAGES_PER_S,
        limits::GUEST_MESSAGES_BURST,
        "messages a second of a guest",
    ),
    kib: QuantityRateBound::new(limits::GUEST_KIB_PER_S, limits::GUEST_KIB_BURST, "KiB a second of a guest"),
};
const MEMBER: ClientRateBounds = ClientRateBounds {
    messages: QuantityRateBound::new(
        limits::MEMBER_MESSAGES_PER_S,
        limits::MEMBER_MESSAGES_BURST,
        "messages a second of a client",
    ),
    kib: QuantityRateBound::new(limits::MEMBER_KIB_PER_S, limits::MEMBER_KIB_BURST, "KiB a second of a client"),
};

impl ClientRateLimiter {
    /// Creates the full allowance of a guest or a member.
    pub(crate) fn new(guest: bool, now: Time) -> ClientRateLimiter {
        ClientRateLimiter::within(if guest { &GUEST } else { &MEMBER }, now)
    }

    fn within(bounds: &'static ClientRateBounds, now: Time) -> ClientRateLimiter {
        let unpaid = TokenBucket::new(limits::UNPAID_PACKETS_PER_S, limits::UNPAID_PACKETS_BURST, now);
        ClientRateLimiter {
            messages: bounds.messages.full_bucket(now),
            kib: bounds.kib.full_bucket(now),
            walked: bounds.kib.full_bucket(now),
            unpaid,
            bounds,
        }
    }

    /// Counts a packet that is no message, or a message that exceeded the rate. Returns false if the client must be
    /// disconnected.
    pub(crate) fn count_unpaid(&mut self, now: Time) -> bool {
        self.unpaid.take(now)
    }

    /// Charges for past work, such as answers and comparisons. A shortage becomes a debt.
    pub(crate) fn spend(&mut self, messages: usize, bytes: usize, now: Time) {
        self.messages.spend(u32::try_from(messages).unwrap_or(u32::MAX), now);
        self.kib.spend(u32::try_from(bytes / 1_024).unwrap_or(u32::MAX), now);
    }

    /// Charges for an object walked by a change. Another client may have made the object large, so a debt delays only
    /// further messages about objects.
    pub(crate) fn spend_walk(&mut self, bytes: usize, now: Time) {
        self.walked.spend(u32::try_from(bytes / 1_024).unwrap_or(u32::MAX), now);
    }

    /// Whether a message about an object is allowed. Errors: [`Reason::Flood`].
    pub(crate) fn may_walk(&mut self, now: Time) -> Result<(), Refusal> {
        if self.walked.take_many(0, now) { Ok(()) } else { Err(self.bounds.kib.flood()) }
    }

    /// The smaller remainder of `self` and `other`, bucket by bucket; both are of the same kind.
    pub(crate) fn at_most(self, other: ClientRateLimiter, now: Time) -> ClientRateLimiter {
        ClientRateLimiter {
            messages: self.messages.at_most(other.messages, now),
            kib: self.kib.at_most(other.kib, now),
            walked: self.walked.at_most(other.walked, now),
            unpaid: self.unpaid.at_most(other.unpaid, now),
            bounds: self.bounds,
        }
    }

    /// Whether all buckets are full.
    pub(crate) fn is_full(&mut self, now: Time) -> bool {
        self.messages.is_full(now) && self.kib.is_full(now) && self.walked.is_full(now) && self.unpaid.is_full(now)
    }

    /// Counts a message that reads a whole scene. Errors: [`Reason::Flood`].
    pub(crate) fn take_reading(&mut self, now: Time) -> Result<(), Refusal> {
        self.take_messages(limits::READING_MESSAGES, now)
    }

    /// Counts `count` messages of together `bytes`, all or none by number. Errors: [`Reason::Flood`].
    pub(crate) fn take_copies(&mut self, count: usize, bytes: usize, now: Time) -> Result<(), Refusal> {
        self.take_messages(u32::try_from(count).unwrap_or(u32::MAX), now)?;
        self.take_kib(bytes, now)
    }

    /// Counts a message of `bytes`. Errors: [`Reason::Flood`].
    pub(crate) fn take(&mut self, bytes: usize, now: Time) -> Result<(), Refusal> {
        self.take_messages(1, now)?;
        self.take_kib(bytes, now)
    }

    fn take_kib(&mut self, bytes: usize, now: Time) -> Result<(), Refusal> {
        let kib = u32::try_from(bytes / 1_024).unwrap_or(u32::MAX);
        if self.kib.take_many(kib, now) { Ok(()) } else { Err(self.bounds.kib.flood()) }
    }

    fn take_messages(&mut self, count: u32, now: Time) -> Result<(), Refusal> {
        if self.messages.take_many(count, now) { Ok(()) } else { Err(self.bounds.messages.flood()) }
    }
}

/// Allowances of disconnected clients, which continue with them on reconnect.
#[derive(Debug, Default)]
pub(crate) struct DisconnectedRateLimiters {
    spent: BTreeMap<GrantSubjectKey, ClientRateLimiter>,
    /// When full allowances may be forgotten again.
    forgets_at: Time,
}

/// The holder of an allowance.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct GrantSubjectKey {
    /// Whether the holder is a guest.
    pub guest: bool,
    /// The grant's subject.
    pub subject: String,
}

impl DisconnectedRateLimiters {
    /// Returns the allowance of a client that connects.
    pub(crate) fn begin(&self, holder: &GrantSubjectKey, now: Time) -> ClientRateLimiter {
        let new = ClientRateLimiter::new(holder.guest, now);
        match self.spent.get(holder) {
            Some(left) => new.at_most(left.clone(), now),
            None => new,
        }
    }

    /// Remembers the allowance of a client that disconnects.
    pub(crate) fn end(&mut self, holder: GrantSubjectKey, mut left: ClientRateLimiter, now: Time) {
        if left.is_full(now) {
            return;
        }
        if self.spent.len() >= limits::ALLOWANCES_REMEMBERED_MAX && now >= self.forgets_at {
            self.forgets_at = now + limits::ALLOWANCES_FORGOTTEN_EVERY;
            self.spent.retain(|_, spent| !spent.is_full(now));
        }
        if self.spent.len() < limits::ALLOWANCES_REMEMBERED_MAX {
            let left = match self.spent.remove(&holder) {
                Some(other) => left.at_most(other, now),
                None => left,
            };
            self.spent.insert(holder, left);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guest_is_limited_in_bytes_as_well_as_in_messages() {
        let taken = |bytes| {
            let mut allowance = ClientRateLimiter::new(true, Time::ZERO);
            (0..1_000).filter(|_| allowance.take(bytes, Time::ZERO).is_ok()).count()
        };
        assert_eq!(taken(1_000), limits::GUEST_MESSAGES_BURST as usize, "small ones count as messages");
        assert_eq!(taken(256 * 1_024), limits::GUEST_KIB_BURST as usize / 256, "large ones as bytes");
    }

    #[test]
    fn a_payload_of_the_maximum_size_is_refused_without_overflow() {
        assert!(ClientRateLimiter::new(true, Time::ZERO).take(usize::MAX, Time::ZERO).is_err());
    }

    fn holder(subject: &str) -> GrantSubjectKey {
        GrantSubjectKey { guest: true, subject: subject.into() }
    }

    #[test]
    fn a_returning_client_continues_with_its_remaining_allowance() {
        let mut remembered = DisconnectedRateLimiters::default();
        let taken =
            |allowance: &mut ClientRateLimiter, now| (0..1_000).filter(|_| allowance.take(0, now).is_ok()).count();
        let mut first = remembered.begin(&holder("ada"), Time::ZERO);
        assert_eq!(taken(&mut first, Time::ZERO), limits::GUEST_MESSAGES_BURST as usize);
        remembered.end(holder("ada"), first, Time::ZERO);
        assert_eq!(taken(&mut remembered.begin(&holder("ada"), Time::ZERO), Time::ZERO), 0);
        assert!(taken(&mut remembered.begin(&holder("bo"), Time::ZERO), Time::ZERO) > 0, "another's is its own");
        let later = Time::from_secs(1);
        assert_eq!(taken(&mut remembered.begin(&holder("ada"), later), later), limits::GUEST_MESSAGES_PER_S as usize);
    }

    #[test]
    fn allowances_of_disconnected_clients_are_bounded_and_forgotten() {
        let mut remembered = DisconnectedRateLimiters::default();
        for number in 0..=limits::ALLOWANCES_REMEMBERED_MAX {
            let mut left = ClientRateLimiter::new(true, Time::ZERO);
            left.take(0, Time::ZERO).unwrap();
            remembered.end(holder(&alloc::format!("guest-{number}")), left, Time::ZERO);
        }
        assert_eq!(remembered.spent.len(), limits::ALLOWANCES_REMEMBERED_MAX);
        let searched_again = Time::ZERO + limits::ALLOWANCES_FORGOTTEN_EVERY;
        let just_before = Time::from_nanos(searched_again.as_nanos() - 1);
        for (at, remembered_then) in [(just_before, limits::ALLOWANCES_REMEMBERED_MAX), (searched_again, 1)] {
            let mut left = ClientRateLimiter::new(true, at);
            left.take(0, at).unwrap();
            remembered.end(holder("ada"), left, at);
            assert_eq!(remembered.spent.len(), remembered_then);
        }
    }
}
