//! Rate limits for expensive requests: token buckets for each client network, or for each account.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use stoa_state::bucket::TokenBucket;
use stoa_state::network::{ClientNetwork, NetworkPrefix, forget_older_half};
use stoa_state::time::Time;

use super::{ClientAddress, Problem};
use crate::app::slots::SlotHolder;
use crate::limits;

/// The client network of a request, whose requests share a bucket. `None` if the endpoint set no address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RequestNetwork(pub(super) Option<ClientNetwork>);

impl RequestNetwork {
    /// The network of a client.
    pub(super) fn of(client: Option<&ClientAddress>) -> RequestNetwork {
        RequestNetwork(client.map(|client| client.0.ip().into()))
    }

    /// The enclosing networks, each with a share of slots.
    pub(super) fn holders(self) -> Vec<SlotHolder> {
        SlotHolder::of_network(self.0).collect()
    }

    /// The enclosing networks, each with the number of client allowances that it gets.
    fn circles(self) -> Vec<(AllowanceKey, u32)> {
        NetworkPrefix::all_around(self.0).map(|(prefix, count)| (AllowanceKey::Network(prefix), count)).collect()
    }
}

/// The holder of an allowance.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum AllowanceKey {
    Network(NetworkPrefix),
    Account(String),
}

impl<S: Send + Sync> FromRequestParts<S> for RequestNetwork {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<RequestNetwork, Self::Rejection> {
        Ok(RequestNetwork::of(parts.extensions.get::<ClientAddress>()))
    }
}

/// The rate limit of one kind of request. A request passes while a bucket has anything left, and is charged its
/// actual cost afterwards.
#[derive(Debug)]
pub(super) struct RateLimit {
    per_s: u32,
    burst: u32,
    zero: Instant,
    left: Mutex<BTreeMap<AllowanceKey, Allowance>>,
}

/// The state of one network or account.
#[derive(Debug)]
struct Allowance {
    bucket: TokenBucket,
    asked_at: Time,
}

impl RateLimit {
    pub(super) fn new(per_s: u32, burst: u32) -> RateLimit {
        RateLimit { per_s, burst, zero: Instant::now(), left: Mutex::default() }
    }

    /// Charges one unit. Errors: 429 if a bucket is empty.
    pub(super) fn ask(&self, asker: RequestNetwork) -> Result<(), Problem> {
        self.charge(&asker.circles(), "address")
    }

    /// Charges one unit to an account, wherever it is. Errors: 429 if its bucket is empty.
    pub(super) fn ask_by_account(&self, name: &str) -> Result<(), Problem> {
        self.charge(&[(AllowanceKey::Account(name.to_owned()), 1)], "account")
    }

    fn charge(&self, keys: &[(AllowanceKey, u32)], holder: &str) -> Result<(), Problem> {
        let now = self.now();
        let mut left = self.with_room_for(keys, now);
        let is_over = keys.iter().any(|(key, _)| left.get_mut(key).is_some_and(|left| left.bucket.is_empty(now)));
        if !is_over {
            spend(&mut left, keys, 1, now);
            return Ok(());
        }
        let wait = Duration::from_secs(1);
        let detail = format!("too many requests from your {holder}; {} a second are allowed", self.per_s);
        Err(Problem::too_many(detail, wait))
    }

    /// Charges the cost above the first unit.
    pub(super) fn spend(&self, asker: RequestNetwork, cost: u32) {
        let (now, keys) = (self.now(), asker.circles());
        spend(&mut self.with_room_for(&keys, now), &keys, cost, now);
    }

    fn now(&self) -> Time {
        Time::ZERO + self.zero.elapsed()
    }

    /// Locks the buckets and adds those of the caller. If there are too many, the full ones are dropped, and then the
    /// half that was used least recently.
    fn with_room_for(
        &self,
        keys: &[(AllowanceKey, u32)],
        now: Time,
    ) -> MutexGuard<'_, BTreeMap<AllowanceKey, Allowance>> {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        if left.len() >= limits::PACE_ASKERS_MAX {
            left.retain(|_, left| !left.bucket.is_full(now));
        }
        if left.len() >= limits::PACE_ASKERS_MAX {
            forget_older_half(&mut left, |left| Some(left.asked_at));
        }
        for (key, count) in keys {
            let full = || TokenBucket::new(self.per_s.saturating_mul(*count), self.burst.saturating_mul(*count), now);
            left.entry(key.clone()).or_insert_with(|| Allowance { bucket: full(), asked_at: now }).asked_at = now;
        }
        left
    }
}

fn spend(left: &mut BTreeMap<AllowanceKey, Allowance>, keys: &[(AllowanceKey, u32)], cost: u32, now: Time) {
    for (key, _) in keys {
        if let Some(left) = left.get_mut(key) {
            left.bucket.spend(cost, now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asker(address: &str) -> RequestNetwork {
        RequestNetwork::of(Some(&ClientAddress((address.parse::<std::net::IpAddr>().unwrap(), 1_234).into())))
    }

    #[test]
    fn addresses_have_an_allowance_each_and_a_household_has_one() {
        let pace = RateLimit::new(1, 3);
        let passed = |address| (0..10).filter(|_| pace.ask(asker(address)).is_ok()).count();
        assert_eq!(passed("192.0.2.1"), 3);
        assert_eq!(passed("192.0.2.2"), 3);
        assert_eq!(passed("::ffff:192.0.2.2"), 0, "the same one, seen by a listener for both families");
        assert_eq!(passed("2001:db8::1"), 3);
        assert_eq!(passed("2001:db8::ffff:2"), 0, "the same household");
        assert_eq!(passed("2001:db8:0:1::1"), 3, "the neighbours");
    }

    #[test]
    fn what_was_dear_is_paid_afterwards() {
        let pace = RateLimit::new(1, 100);
        assert!(pace.ask(asker("192.0.2.1")).is_ok());
        pace.spend(asker("192.0.2.1"), 1_000);
        assert!(pace.ask(asker("192.0.2.1")).is_err());
        let later = pace.now() + Duration::from_secs(850);
        let circle = asker("192.0.2.1").circles().remove(0).0;
        assert!(pace.left.lock().unwrap().get_mut(&circle).unwrap().bucket.is_empty(later), "all of it");
    }

    #[test]
    fn an_account_has_one_allowance_wherever_it_is() {
        let pace = RateLimit::new(1, 3);
        let passed = |account| (0..10).filter(|_| pace.ask_by_account(account).is_ok()).count();
        assert_eq!((passed("alice"), passed("alice"), passed("bob")), (3, 0, 3));
        assert!(pace.ask(asker("192.0.2.1")).is_ok(), "and its address another");
    }

    #[test]
    fn one_customer_with_many_networks_has_the_allowance_of_a_few() {
        let pace = RateLimit::new(1, 3);
        let passed =
            |address: &dyn Fn(u32) -> String| (0..300).filter(|n| pace.ask(asker(&address(n % 256))).is_ok()).count();
        assert_eq!(passed(&|n| format!("2001:db8:0:{n:x}::1")), 4 * 3, "a /56");
        assert_eq!(passed(&|n| format!("2001:db8:0:{n:x}00::1")), 4 * 3, "the rest of its /48");
        assert_eq!(passed(&|n| format!("198.51.100.{n}")), 256 + 44, "of IPv4 each address is another's");
    }

    #[test]
    fn whoever_fills_the_memory_keeps_no_newcomer_out() {
        let pace = RateLimit::new(1, 1);
        for number in 0..limits::PACE_ASKERS_MAX as u32 + 10 {
            let address = std::net::Ipv4Addr::from_bits(0x0a00_0000 + number).to_string();
            assert!(pace.ask(asker(&address)).is_ok(), "{address}");
            // None of them is refilled soon.
            pace.spend(asker(&address), 1_000);
        }
        assert!(pace.left.lock().unwrap().len() <= limits::PACE_ASKERS_MAX);
    }
}
