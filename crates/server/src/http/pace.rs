//! How much one address may ask of what costs the realm something: a token bucket for each.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use stoa_net::addresses::Household;
use stoa_state::mqtt::bucket::Bucket;
use stoa_state::time::Time;

use super::{ClientAddress, Problem};
use crate::limits;

/// Whose requests are counted together. `None` where the listener did not tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Asker(pub(super) Option<Household>);

impl Asker {
    fn of(client: Option<&ClientAddress>) -> Asker {
        Asker(client.map(|client| client.0.ip().into()))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Asker {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Asker, Self::Rejection> {
        Ok(Asker::of(parts.extensions.get::<ClientAddress>()))
    }
}

/// One kind of request. It may be asked for as long as anything is left, and then costs what it turns out to cost.
#[derive(Debug)]
pub(super) struct Pace {
    per_s: u32,
    burst: u32,
    zero: Instant,
    left: Mutex<BTreeMap<Asker, Bucket>>,
}

impl Pace {
    pub(super) fn new(per_s: u32, burst: u32) -> Pace {
        Pace { per_s, burst, zero: Instant::now(), left: Mutex::default() }
    }

    /// Takes one. Errors: 429, where nothing is left.
    pub(super) fn ask(&self, asker: Asker) -> Result<(), Problem> {
        let now = self.now();
        let taken = self.with(asker, now, |bucket| bucket.take(now)).unwrap_or(false);
        if taken {
            return Ok(());
        }
        let wait = Duration::from_secs(1);
        Err(Problem::too_many(
            format!("too many requests from your address; {} a second are allowed", self.per_s),
            wait,
        ))
    }

    /// Takes what it has cost beyond the one.
    pub(super) fn spend(&self, asker: Asker, cost: u32) {
        let now = self.now();
        self.with(asker, now, |bucket| bucket.spend(cost, now));
    }

    fn now(&self) -> Time {
        Time::ZERO + self.zero.elapsed()
    }

    fn with<T>(&self, asker: Asker, now: Time, act: impl FnOnce(&mut Bucket) -> T) -> Option<T> {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        if left.len() >= limits::PACE_ASKERS_MAX {
            left.retain(|_, bucket| !bucket.is_full(now));
        }
        if left.len() >= limits::PACE_ASKERS_MAX && !left.contains_key(&asker) {
            return None;
        }
        Some(act(left.entry(asker).or_insert_with(|| Bucket::new(self.per_s, self.burst, now))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asker(address: &str) -> Asker {
        Asker::of(Some(&ClientAddress((address.parse::<std::net::IpAddr>().unwrap(), 1_234).into())))
    }

    #[test]
    fn addresses_have_an_allowance_each_and_a_household_has_one() {
        let pace = Pace::new(1, 3);
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
        let pace = Pace::new(1, 100);
        assert!(pace.ask(asker("192.0.2.1")).is_ok());
        pace.spend(asker("192.0.2.1"), 1_000);
        assert!(pace.ask(asker("192.0.2.1")).is_err());
        let later = pace.now() + Duration::from_secs(850);
        assert_eq!(pace.with(asker("192.0.2.1"), later, |bucket| bucket.take(later)), Some(false), "all of it");
    }
}
