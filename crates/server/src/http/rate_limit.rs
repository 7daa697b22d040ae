//! Rate limits for expensive requests: token buckets for each client network, or for each account, and a bound of all
//! together.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use stoa_state::bucket::TokenBucket;
use stoa_state::ledger::{Bound, ChargeVerdict, Cost, Ledger, Payer, PayerClass, PayerClassBounds, Resource};
use stoa_state::network::{ClientNetwork, NetworkPrefix, forget_older_half};
use stoa_state::time::Time;

use super::{PeerSocketAddress, Problem};
use crate::app::slots::SlotHolder;
use crate::limits;
use stoa_net::background::ComputationPayer;

/// The network of a request's client. Requests of one network share a bucket. `None` if the endpoint set no address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RequestNetwork(pub(super) Option<ClientNetwork>);

impl RequestNetwork {
    /// The network of a client.
    pub(super) fn of(client: Option<&PeerSocketAddress>) -> RequestNetwork {
        RequestNetwork(client.map(|client| client.0.ip().into()))
    }

    /// The owner of the request's computations.
    pub(super) fn payer(self, name: &str) -> ComputationPayer {
        ComputationPayer::of(self.0, name)
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
        Ok(RequestNetwork::of(parts.extensions.get::<PeerSocketAddress>()))
    }
}

/// An amount a second, and an amount at once.
#[derive(Clone, Copy, Debug)]
pub(super) struct RateAndBurst {
    pub(super) per_s: u32,
    pub(super) burst: u32,
}

/// The rate limit of one kind of request: a bound of each network or account, and one of all together with fair shares.
/// A request passes while its buckets have anything left, and is charged its actual cost afterwards.
#[derive(Debug)]
pub(super) struct RequestRateLimiter {
    own: RateAndBurst,
    all: RateAndBurst,
    zero: Instant,
    spending: Mutex<RateLimiterState>,
}

/// The spending of all networks and accounts.
#[derive(Debug)]
struct RateLimiterState {
    own: BTreeMap<AllowanceKey, RequestBucketState>,
    all: Ledger,
}

/// The state of one network or account.
#[derive(Debug)]
struct RequestBucketState {
    bucket: TokenBucket,
    asked_at: Time,
}

/// The allowances and the payer of a request.
struct RequestChargeTarget {
    keys: Vec<(AllowanceKey, u32)>,
    class: PayerClass,
    name: String,
    network: Option<ClientNetwork>,
}

impl RequestChargeTarget {
    fn at(asker: RequestNetwork) -> RequestChargeTarget {
        let name = asker.0.map_or_else(String::new, |network| network.address().to_string());
        RequestChargeTarget { keys: asker.circles(), class: PayerClass::Guests, name, network: asker.0 }
    }

    fn account(name: &str) -> RequestChargeTarget {
        let keys = vec![(AllowanceKey::Account(name.to_owned()), 1)];
        RequestChargeTarget { keys, class: PayerClass::Members, name: name.to_owned(), network: None }
    }
}

impl RequestRateLimiter {
    /// A limit `own` for each network or account, a limit `all` for all networks together, and an equal one for all
    /// accounts together.
    pub(super) fn new(own: RateAndBurst, all: RateAndBurst) -> RequestRateLimiter {
        let entry = |class| PayerClassBounds {
            resource: Resource::Requests,
            class,
            own: None,
            shared: Bound::Rate { per_s: all.per_s, burst: all.burst },
            of: "requests a second",
        };
        let ledger = Ledger::new(&[entry(PayerClass::Guests), entry(PayerClass::Members)], Time::ZERO);
        let spending = Mutex::new(RateLimiterState { own: BTreeMap::new(), all: ledger });
        RequestRateLimiter { own, all, zero: Instant::now(), spending }
    }

    /// Charges one unit. Errors: 429 if a bucket is empty, or above a fair share of the bound of all.
    pub(super) fn ask(&self, asker: RequestNetwork) -> Result<(), Problem> {
        self.charge(&RequestChargeTarget::at(asker), "address")
    }

    /// Charges one unit to an account, whose addresses share one bucket. Errors: 429 as for a network.
    pub(super) fn charge_account(&self, name: &str) -> Result<(), Problem> {
        self.charge(&RequestChargeTarget::account(name), "account")
    }

    fn charge(&self, spender: &RequestChargeTarget, holder: &str) -> Result<(), Problem> {
        let now = self.now();
        let mut spending = self.lock_buckets_of(spender, now);
        let wait = Duration::from_secs(1);
        if spending.is_own_empty(spender, now) {
            let per_s = self.own.per_s;
            let detail = format!("too many requests from your {holder}; {per_s} a second are allowed");
            return Err(Problem::too_many(detail, wait));
        }
        if let ChargeVerdict::Refuse(_) = spending.charge_all(spender, 1, now) {
            let per_s = self.all.per_s;
            let detail = format!(
                "too many requests to the server; {per_s} a second are allowed, of which your {holder} has its share"
            );
            return Err(Problem::too_many(detail, wait));
        }
        spending.spend_own(spender, 1, now);
        Ok(())
    }

    /// Charges `cost` units besides the one that [`RequestRateLimiter::ask`] has charged.
    pub(super) fn spend(&self, asker: RequestNetwork, cost: u32) {
        let (now, spender) = (self.now(), RequestChargeTarget::at(asker));
        let mut spending = self.lock_buckets_of(&spender, now);
        spending.spend_own(&spender, cost, now);
        spending.settle_all(&spender, cost, now);
    }

    fn now(&self) -> Time {
        Time::ZERO + self.zero.elapsed()
    }

    /// Locks the buckets and adds those of the caller. If there are too many, the full ones are dropped. If more than
    /// half are left, the half that was used least recently is dropped too, so that the next request needs no search.
    fn lock_buckets_of(&self, spender: &RequestChargeTarget, now: Time) -> MutexGuard<'_, RateLimiterState> {
        let mut spending = self.spending.lock().unwrap_or_else(PoisonError::into_inner);
        let own = &mut spending.own;
        if own.len() >= limits::PACE_ASKERS_MAX {
            own.retain(|_, left| !left.bucket.is_full(now));
            if own.len() > limits::PACE_ASKERS_MAX / 2 {
                forget_older_half(own, |left| Some(left.asked_at));
            }
        }
        let RateAndBurst { per_s, burst } = self.own;
        for (key, count) in &spender.keys {
            let full = || TokenBucket::new(per_s.saturating_mul(*count), burst.saturating_mul(*count), now);
            own.entry(key.clone()).or_insert_with(|| RequestBucketState { bucket: full(), asked_at: now }).asked_at =
                now;
        }
        spending
    }
}

impl RateLimiterState {
    fn is_own_empty(&mut self, spender: &RequestChargeTarget, now: Time) -> bool {
        let own = &mut self.own;
        spender.keys.iter().any(|(key, _)| own.get_mut(key).is_some_and(|left| left.bucket.is_empty(now)))
    }

    fn spend_own(&mut self, spender: &RequestChargeTarget, cost: u32, now: Time) {
        for (key, _) in &spender.keys {
            if let Some(left) = self.own.get_mut(key) {
                left.bucket.spend(cost, now);
            }
        }
    }

    fn charge_all(&mut self, spender: &RequestChargeTarget, cost: u32, now: Time) -> ChargeVerdict {
        let payer = self.payer(spender, now);
        self.all.charge(now, payer, requests(cost))
    }

    fn settle_all(&mut self, spender: &RequestChargeTarget, cost: u32, now: Time) {
        let payer = self.payer(spender, now);
        self.all.settle(now, payer, requests(cost));
    }

    fn payer(&mut self, spender: &RequestChargeTarget, now: Time) -> Payer {
        match spender.class {
            PayerClass::Members => self.all.payer(PayerClass::Members, &spender.name, None, now),
            PayerClass::Guests => self.all.address_payer(&spender.name, spender.network, now),
        }
    }
}

fn requests(cost: u32) -> Cost {
    Cost { resource: Resource::Requests, amount: u64::from(cost) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A limit of each, beside a bound of all that is never reached.
    fn limit(per_s: u32, burst: u32) -> RequestRateLimiter {
        RequestRateLimiter::new(RateAndBurst { per_s, burst }, RateAndBurst { per_s: u32::MAX, burst: u32::MAX })
    }

    fn asker(address: &str) -> RequestNetwork {
        RequestNetwork::of(Some(&PeerSocketAddress((address.parse::<std::net::IpAddr>().unwrap(), 1_234).into())))
    }

    #[test]
    fn each_ipv4_address_and_ipv6_64_network_has_its_own_allowance() {
        let pace = limit(1, 3);
        let passed = |address| (0..10).filter(|_| pace.ask(asker(address)).is_ok()).count();
        assert_eq!(passed("192.0.2.1"), 3);
        assert_eq!(passed("192.0.2.2"), 3);
        assert_eq!(passed("::ffff:192.0.2.2"), 0, "the same one, seen by a listener for both families");
        assert_eq!(passed("2001:db8::1"), 3);
        assert_eq!(passed("2001:db8::ffff:2"), 0, "the same household");
        assert_eq!(passed("2001:db8:0:1::1"), 3, "the neighbours");
    }

    #[test]
    fn the_full_cost_of_an_expensive_request_is_charged_afterwards() {
        let pace = limit(1, 100);
        assert!(pace.ask(asker("192.0.2.1")).is_ok());
        pace.spend(asker("192.0.2.1"), 1_000);
        assert!(pace.ask(asker("192.0.2.1")).is_err());
        let later = pace.now() + Duration::from_secs(850);
        let circle = asker("192.0.2.1").circles().remove(0).0;
        assert!(pace.spending.lock().unwrap().own.get_mut(&circle).unwrap().bucket.is_empty(later), "all of it");
    }

    #[test]
    fn an_account_has_one_allowance_independent_of_its_address() {
        let pace = limit(1, 3);
        let passed = |account| (0..10).filter(|_| pace.charge_account(account).is_ok()).count();
        assert_eq!((passed("alice"), passed("alice"), passed("bob")), (3, 0, 3));
        assert!(pace.ask(asker("192.0.2.1")).is_ok(), "and its address another");
    }

    #[test]
    fn an_ipv6_customer_with_many_networks_gets_only_four_allowances() {
        let pace = limit(1, 3);
        let passed =
            |address: &dyn Fn(u32) -> String| (0..300).filter(|n| pace.ask(asker(&address(n % 256))).is_ok()).count();
        assert_eq!(passed(&|n| format!("2001:db8:0:{n:x}::1")), 4 * 3, "a /56");
        assert_eq!(passed(&|n| format!("2001:db8:0:{n:x}00::1")), 4 * 3, "the rest of its /48");
        assert_eq!(passed(&|n| format!("198.51.100.{n}")), 256 + 44, "of IPv4 each address is another's");
    }

    #[test]
    fn a_full_address_table_stays_bounded_and_accepts_new_addresses() {
        let pace = limit(1, 1);
        for number in 0..limits::PACE_ASKERS_MAX as u32 + 10 {
            let address = std::net::Ipv4Addr::from_bits(0x0a00_0000 + number).to_string();
            assert!(pace.ask(asker(&address)).is_ok(), "{address}");
            // None of them is refilled soon.
            pace.spend(asker(&address), 1_000);
        }
        assert!(pace.spending.lock().unwrap().own.len() <= limits::PACE_ASKERS_MAX);
    }

    #[test]
    fn at_the_common_bound_an_account_below_its_share_is_still_served() {
        let many = RateAndBurst { per_s: 1_000, burst: 1_000 };
        let pace = RequestRateLimiter::new(many, RateAndBurst { per_s: 1, burst: 100 });
        let passed = |account: &str, count| (0..count).filter(|_| pace.charge_account(account).is_ok()).count();
        let greedy: usize = (0..1_000).map(|turn| passed(&format!("greedy-{}", turn % 20), 1)).sum();
        assert!((100..=120).contains(&greedy), "{greedy} of 1,000");
        assert_eq!(passed("alice", 2), 2, "she is below her share");
        assert_eq!(pace.charge_account("greedy-0").unwrap_err().status(), 429);
    }

    #[test]
    fn one_address_does_not_use_up_the_bound_of_all_addresses() {
        let many = RateAndBurst { per_s: 1_000, burst: 1_000 };
        let pace = RequestRateLimiter::new(many, RateAndBurst { per_s: 1, burst: 100 });
        let greedy = (0..1_000).filter(|_| pace.ask(asker("192.0.2.1")).is_ok()).count();
        assert!((100..=101).contains(&greedy), "{greedy} of 1,000");
        pace.spend(asker("192.0.2.1"), 1_000);
        assert!((0..10).all(|_| pace.ask(asker("192.0.2.2")).is_ok()), "the neighbour is below its share");
    }

    #[test]
    fn a_full_bucket_table_is_halved_even_if_few_buckets_have_refilled() {
        let pace = limit(1, 1);
        for number in 0..limits::PACE_ASKERS_MAX as u32 {
            let address = std::net::Ipv4Addr::from_bits(0x0a00_0000 + number).to_string();
            assert!(pace.ask(asker(&address)).is_ok());
            // A few are full again by the time of the search.
            pace.spend(asker(&address), if number < 10 { 0 } else { 100_000 });
        }
        for (_, allowance) in pace.spending.lock().unwrap().own.iter_mut().take(10) {
            allowance.bucket = TokenBucket::new(1, 1, Time::ZERO);
        }
        assert!(pace.ask(asker("192.0.2.1")).is_ok());
        assert!(pace.spending.lock().unwrap().own.len() <= limits::PACE_ASKERS_MAX / 2 + 1);
    }
}
