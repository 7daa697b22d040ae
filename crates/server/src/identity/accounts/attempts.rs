//! Limits password guessing: counts failures per account name and address, per address, and per name, within a time
//! window. A browser in which the account signed in before has a counter of its own, which strangers can't use up.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use stoa_state::network::{ClientNetwork, NetworkPrefix, forget_older_half};

use crate::limits;

/// Counters of failures.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum FailureCounterKey {
    Name(String),
    Here(String, Option<IpAddr>),
    Address(NetworkPrefix),
    Browser(String),
    KnownBrowsers(String),
}

/// The origin of an attempt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct AttemptOrigin {
    /// The client's address.
    pub(crate) address: Option<IpAddr>,
    /// The browser's id, if the account signed in there before.
    pub(crate) known_browser: Option<String>,
}

impl AttemptOrigin {
    /// The counters of an attempt for `name`, each with its limit.
    fn keys(&self, name: &str) -> Vec<(FailureCounterKey, u32)> {
        if let Some(browser) = &self.known_browser {
            // Each sign-in makes another known browser, so all of them together are limited too.
            return vec![
                (FailureCounterKey::Browser(browser.clone()), limits::LOGIN_FAILURES_HERE_MAX),
                (FailureCounterKey::KnownBrowsers(name.to_owned()), limits::LOGIN_FAILURES_PER_NAME_MAX),
            ];
        }
        let of_address = circles(self.address).map(|(circle, households)| {
            (FailureCounterKey::Address(circle), limits::LOGIN_FAILURES_PER_ADDRESS_MAX.saturating_mul(households))
        });
        let of_name = [
            (FailureCounterKey::Here(name.to_owned(), self.address), limits::LOGIN_FAILURES_HERE_MAX),
            (FailureCounterKey::Name(name.to_owned()), limits::LOGIN_FAILURES_PER_NAME_MAX),
        ];
        of_name.into_iter().chain(of_address).collect()
    }
}

#[derive(Clone, Copy, Debug)]
struct FailureCount {
    since: Instant,
    count: u32,
}

/// Recent failures. Clones share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct SignInFailureLimiter(Arc<Mutex<BTreeMap<FailureCounterKey, FailureCount>>>);

impl SignInFailureLimiter {
    /// Counts an attempt as a failure before its password is checked, so that concurrent guesses count too.
    ///
    /// # Errors
    /// The time to wait, if this name, address or browser has failed too often.
    pub(crate) fn begin(&self, name: &str, origin: &AttemptOrigin, now: Instant) -> Result<(), Duration> {
        let mut failures = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let period = limits::LOGIN_FAILURES_PERIOD;
        make_room(&mut failures, now);
        let keys = origin.keys(counted(name));
        for (key, max) in &keys {
            if let Some(found) = failures.get(key) {
                let age = now.duration_since(found.since);
                if age < period && found.count >= *max {
                    return Err(period - age);
                }
            }
        }
        for (key, _) in keys {
            let found = failures.entry(key).or_insert(FailureCount { since: now, count: 0 });
            if now.duration_since(found.since) >= period {
                *found = FailureCount { since: now, count: 0 };
            }
            found.count += 1;
        }
        Ok(())
    }

    /// Takes the attempt back after a right password, and resets the counter of this name and address or browser.
    pub(crate) fn succeeded(&self, name: &str, origin: &AttemptOrigin) {
        let mut failures = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (key, _) in origin.keys(counted(name)) {
            if matches!(key, FailureCounterKey::Here(..) | FailureCounterKey::Browser(_)) {
                failures.remove(&key);
            } else if let Some(found) = failures.get_mut(&key) {
                found.count = found.count.saturating_sub(1);
            }
        }
    }
}

/// The networks that an address is counted in, each with the number of households it stands for.
fn circles(address: Option<IpAddr>) -> impl Iterator<Item = (NetworkPrefix, u32)> {
    NetworkPrefix::all_around(address.map(ClientNetwork::from))
}

/// Names longer than any account's share one counter, which bounds the memory of a guess.
fn counted(name: &str) -> &str {
    if name.len() <= limits::ACCOUNT_NAME_BYTES_MAX { name } else { "" }
}

/// At [`limits::LOGIN_KEYS_MAX`] counters, removes the expired ones. If that is not enough, also removes those with one
/// failure, and then the older half. So an attacker who fills the memory locks out no other person.
fn make_room(failures: &mut BTreeMap<FailureCounterKey, FailureCount>, now: Instant) {
    let is_full = |failures: &BTreeMap<FailureCounterKey, FailureCount>| failures.len() >= limits::LOGIN_KEYS_MAX;
    if is_full(failures) {
        failures.retain(|_, failures| now.duration_since(failures.since) < limits::LOGIN_FAILURES_PERIOD);
    }
    if is_full(failures) {
        failures.retain(|_, failures| failures.count > 1);
    }
    if is_full(failures) {
        forget_older_half(failures, |failures| Some(failures.since));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: AttemptOrigin = AttemptOrigin { address: None, known_browser: None };

    fn from(address: Option<IpAddr>) -> AttemptOrigin {
        AttemptOrigin { address, known_browser: None }
    }

    #[test]
    fn too_many_failures_block_a_name_at_one_address_until_the_period_ends() {
        let attempts = SignInFailureLimiter::default();
        let start = Instant::now();
        for _ in 0..limits::LOGIN_FAILURES_HERE_MAX {
            assert!(attempts.begin("alice", &HERE, start).is_ok());
        }
        assert!(attempts.begin("alice", &HERE, start).is_err());
        let elsewhere = Some(IpAddr::from([192, 0, 2, 1]));
        assert!(
            attempts.begin("alice", &from(elsewhere), start).is_ok(),
            "a guesser does not keep alice out elsewhere"
        );
        assert!(attempts.begin("bob", &HERE, start).is_ok(), "negative control: others may");
        assert!(attempts.begin("alice", &HERE, start + limits::LOGIN_FAILURES_PERIOD).is_ok());
    }

    #[test]
    fn a_known_browser_has_its_own_failure_counter() {
        let attempts = SignInFailureLimiter::default();
        let start = Instant::now();
        let known = AttemptOrigin { address: None, known_browser: Some("browser".into()) };
        for _ in 0..limits::LOGIN_FAILURES_HERE_MAX {
            assert!(attempts.begin("alice", &HERE, start).is_ok());
        }
        assert!(attempts.begin("alice", &HERE, start).is_err(), "negative control");
        for _ in 0..limits::LOGIN_FAILURES_HERE_MAX {
            assert!(attempts.begin("alice", &known, start).is_ok());
        }
        assert!(attempts.begin("alice", &known, start).is_err());
        attempts.succeeded("alice", &known);
        assert!(attempts.begin("alice", &known, start).is_ok() && attempts.begin("alice", &HERE, start).is_err());
    }

    #[test]
    fn failures_of_one_address_are_limited_across_all_names() {
        let attempts = SignInFailureLimiter::default();
        let start = Instant::now();
        let address = Some(IpAddr::from([192, 0, 2, 1]));
        for number in 0..limits::LOGIN_FAILURES_PER_ADDRESS_MAX {
            assert!(attempts.begin(&format!("name{number}"), &from(address), start).is_ok());
        }
        assert!(attempts.begin("another", &from(address), start).is_err());
        assert!(attempts.begin("another", &from(Some(IpAddr::from([192, 0, 2, 2]))), start).is_ok());
    }

    #[test]
    fn all_networks_of_an_ipv6_56_prefix_share_four_address_limits() {
        let attempts = SignInFailureLimiter::default();
        let start = Instant::now();
        let tried = |number: u32| {
            let address = format!("2001:db8:0:{:x}::1", number % 256).parse().unwrap();
            attempts.begin(&format!("name{number}"), &from(Some(address)), start).is_ok()
        };
        let begun = (0..2_000).filter(|number| tried(*number)).count();
        assert_eq!(begun, 4 * limits::LOGIN_FAILURES_PER_ADDRESS_MAX as usize);
    }

    #[test]
    fn failures_for_one_name_are_limited_across_all_addresses() {
        let attempts = SignInFailureLimiter::default();
        let start = Instant::now();
        let address = |number: u32| Some(IpAddr::from(std::net::Ipv4Addr::from_bits(0xc000_0200 + number)));
        let begun = (0..1_000).filter(|number| attempts.begin("alice", &from(address(*number)), start).is_ok()).count();
        assert_eq!(begun, limits::LOGIN_FAILURES_PER_NAME_MAX as usize);
    }

    #[test]
    fn successful_sign_ins_are_never_limited() {
        let attempts = SignInFailureLimiter::default();
        let start = Instant::now();
        for _ in 0..1_000 {
            assert!(attempts.begin("alice", &HERE, start).is_ok());
            attempts.succeeded("alice", &HERE);
        }
    }

    #[test]
    fn stored_failure_counters_are_small_bounded_and_block_no_new_name() {
        let attempts = SignInFailureLimiter::default();
        let start = Instant::now();
        let address = |number: u32| Some(IpAddr::from(std::net::Ipv4Addr::from_bits(0xc000_0200 + number)));
        assert!(attempts.begin(&"x".repeat(250_000), &from(address(0)), start).is_ok());
        let longest = |attempts: &SignInFailureLimiter| {
            let length = |key: &FailureCounterKey| {
                if let FailureCounterKey::Name(name) | FailureCounterKey::Here(name, _) = key { name.len() } else { 0 }
            };
            attempts.0.lock().unwrap().keys().map(length).max()
        };
        assert_eq!(longest(&attempts), Some(0));
        for number in 0..limits::LOGIN_KEYS_MAX as u32 {
            let _ = attempts.begin(&format!("name{number}"), &from(address(number)), start);
        }
        assert!(attempts.0.lock().unwrap().len() <= limits::LOGIN_KEYS_MAX + 5);
        assert!(attempts.begin("alice", &from(address(limits::LOGIN_KEYS_MAX as u32)), start).is_ok());
    }
}
