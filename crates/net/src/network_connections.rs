//! Connection limits per client network, so that one network can neither occupy all endpoints nor keep them busy
//! with reconnects.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard};

use stoa_state::bucket::TokenBucket;
use stoa_state::ledger::{Bound, ChargeVerdict, Cost, Ledger, PayerClass, PayerClassBounds, Resource};
use stoa_state::network::{ClientNetwork, NetworkPrefix, forget_older_half};
use stoa_state::time::Time;
use tokio::time::Instant;

use crate::limits;

const OPENING: Cost = Cost { resource: Resource::Openings, amount: 1 };

/// Open connections and rates of all endpoints, by client network. Clones share them.
#[derive(Clone, Debug)]
pub struct NetworkConnectionLimiter {
    connections_max: usize,
    zero: Instant,
    present: Arc<Mutex<BTreeMap<NetworkPrefix, PrefixUsage>>>,
    /// The openings of all networks, with fair shares.
    openings: Arc<Mutex<Ledger>>,
}

#[derive(Debug)]
struct PrefixUsage {
    open: usize,
    openings: TokenBucket,
    failures: TokenBucket,
    seen_at: Time,
}

/// Reason for refusing a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetworkLimitRefusal {
    /// The network has reached its limit of open connections.
    TooMany,
    /// The network opens connections too fast, or too many of its connections had an invalid token; or all networks
    /// together open connections too fast, and this network more than its fair share.
    TooFast,
}

/// Counts one connection until it is dropped.
#[derive(Debug)]
pub struct NetworkConnectionPermit {
    /// `None` for loopback.
    counted: Option<(NetworkConnectionLimiter, ClientNetwork)>,
}

impl NetworkConnectionLimiter {
    /// Starts empty; one household may have `connections_max` open at a time.
    pub fn new(connections_max: usize) -> NetworkConnectionLimiter {
        let (per_s, burst) = (limits::OPENINGS_SHARED_PER_S, limits::OPENINGS_SHARED_BURST);
        let openings = PayerClassBounds {
            resource: OPENING.resource,
            class: PayerClass::Guests,
            own: None,
            shared: Bound::Rate { per_s, burst },
            of: "new connections a second of all networks",
        };
        let openings = Arc::new(Mutex::new(Ledger::new(&[openings], Time::ZERO)));
        NetworkConnectionLimiter { connections_max, zero: Instant::now(), present: Arc::default(), openings }
    }

    /// Admits a connection.
    ///
    /// # Errors
    /// [`NetworkLimitRefusal`].
    pub fn admit(&self, address: IpAddr) -> Result<NetworkConnectionPermit, NetworkLimitRefusal> {
        let household = ClientNetwork::from(address);
        if household.is_here() {
            return Ok(NetworkConnectionPermit { counted: None });
        }
        let now = self.now();
        let mut present = self.lock();
        make_room(&mut present, now);
        for (prefix, households) in household.circles() {
            let usage = present.entry(prefix).or_insert_with(|| PrefixUsage::new(households, now));
            if usage.open >= self.connections_max.saturating_mul(households as usize) {
                return Err(NetworkLimitRefusal::TooMany);
            }
            if usage.failures.is_empty(now) || usage.openings.is_empty(now) {
                return Err(NetworkLimitRefusal::TooFast);
            }
        }
        if !self.charge_opening(household, now) {
            return Err(NetworkLimitRefusal::TooFast);
        }
        for (prefix, _) in household.circles() {
            let usage = present.get_mut(&prefix).expect("was just looked at");
            usage.openings.spend(1, now);
            (usage.open, usage.seen_at) = (usage.open + 1, now);
        }
        Ok(NetworkConnectionPermit { counted: Some((self.clone(), household)) })
    }

    /// Charges an opening. Returns whether it is within the bound of all networks or the household's fair share.
    fn charge_opening(&self, household: ClientNetwork, now: Time) -> bool {
        let mut openings = self.openings.lock().expect("no code panics while it holds this lock");
        let payer = openings.address_payer(&household.address().to_string(), Some(household), now);
        !matches!(openings.charge(now, payer, OPENING), ChargeVerdict::Refuse(_))
    }

    /// Records a connection from `address` with an invalid token. After many of them, connections from there are
    /// refused for a while.
    pub fn blame(&self, address: IpAddr) {
        let now = self.now();
        let mut present = self.lock();
        for (prefix, _) in ClientNetwork::from(address).circles() {
            if let Some(usage) = present.get_mut(&prefix) {
                usage.failures.spend(1, now);
            }
        }
    }

    fn now(&self) -> Time {
        Time::ZERO + self.zero.elapsed()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<NetworkPrefix, PrefixUsage>> {
        self.present.lock().expect("no code panics while it holds this lock")
    }
}

impl PrefixUsage {
    fn new(households: u32, now: Time) -> PrefixUsage {
        let bucket = |per_s: u32, burst: u32| TokenBucket::new(per_s * households, burst * households, now);
        PrefixUsage {
            open: 0,
            openings: bucket(limits::OPENINGS_PER_S, limits::OPENINGS_BURST),
            failures: bucket(limits::FAILURES_PER_S, limits::FAILURES_BURST),
            seen_at: now,
        }
    }
}

/// At [`limits::HOUSEHOLDS_MAX`] entries, forgets prefixes without open connections whose allowances are full again. If
/// that is not enough, also forgets the half of the prefixes without open connections that was seen least recently. So
/// no client is refused for lack of memory.
fn make_room(present: &mut BTreeMap<NetworkPrefix, PrefixUsage>, now: Time) {
    if present.len() < limits::HOUSEHOLDS_MAX {
        return;
    }
    present.retain(|_, usage| usage.open > 0 || !usage.openings.is_full(now) || !usage.failures.is_full(now));
    if present.len() < limits::HOUSEHOLDS_MAX {
        return;
    }
    forget_older_half(present, |usage| (usage.open == 0).then_some(usage.seen_at));
}

impl Drop for NetworkConnectionPermit {
    fn drop(&mut self) {
        let Some((addresses, household)) = &self.counted else { return };
        let mut present = addresses.lock();
        for (prefix, _) in household.circles() {
            if let Some(usage) = present.get_mut(&prefix) {
                usage.open = usage.open.saturating_sub(1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn a_full_household_is_refused_while_other_households_connect() {
        let addresses = NetworkConnectionLimiter::new(3);
        let held: Vec<_> = (0..3).map(|n| addresses.admit(ip(&format!("2001:db8::{n}"))).unwrap()).collect();
        assert_eq!(addresses.admit(ip("2001:db8::ffff")).unwrap_err(), NetworkLimitRefusal::TooMany, "the same /64");
        assert!(addresses.admit(ip("2001:db8:0:1::1")).is_ok(), "another /64");
        assert!(addresses.admit(ip("192.0.2.1")).is_ok());
        drop(held);
        assert!(addresses.admit(ip("2001:db8::1")).is_ok(), "places are given back");
    }

    #[tokio::test(start_paused = true)]
    async fn households_in_one_56_or_48_prefix_share_a_connection_limit() {
        let addresses = NetworkConnectionLimiter::new(3);
        let held = |address: &dyn Fn(u32) -> String| -> Vec<NetworkConnectionPermit> {
            (0..300).flat_map(|n| [0; 3].map(|_| addresses.admit(ip(&address(n))).ok())).flatten().collect()
        };
        let of_56 = held(&|n| format!("2001:db8:0:{:x}::1", n % 256));
        assert_eq!(of_56.len(), 4 * 3, "a /56");
        let of_48 = held(&|n| format!("2001:db8:0:{:x}::1", n * 256 % 65_536));
        assert_eq!(of_48.len() + of_56.len(), 8 * 3, "a /48");
        assert!(addresses.admit(ip("2001:db8:1::1")).is_ok(), "another");
        assert_eq!(held(&|n| format!("198.51.100.{}", n % 8)).len(), 8 * 3, "of IPv4 each address is another's");
        drop((of_56, of_48));
        assert_eq!(held(&|n| format!("2001:db8:0:{:x}::1", 100 + n % 100)).len(), 4 * 3, "places are given back");
    }

    #[tokio::test(start_paused = true)]
    async fn token_guesses_across_a_56_prefix_block_its_unseen_networks_too() {
        let addresses = NetworkConnectionLimiter::new(10);
        let network = |number: u32| ip(&format!("2001:db8:0:{number:x}::1"));
        for number in 0..4 * limits::FAILURES_BURST {
            drop(addresses.admit(network(number % 255)).unwrap());
            addresses.blame(network(number % 255));
        }
        assert_eq!(
            addresses.admit(network(255)).unwrap_err(),
            NetworkLimitRefusal::TooFast,
            "a /64 that was never seen"
        );
        assert!(addresses.admit(network(256)).is_ok(), "others are not");
    }

    #[tokio::test(start_paused = true)]
    async fn a_full_network_table_refuses_no_client_and_keeps_open_connections() {
        let addresses = NetworkConnectionLimiter::new(10);
        let stays = addresses.admit(ip("192.0.2.1")).unwrap();
        for number in 0..2 * u32::try_from(limits::HOUSEHOLDS_MAX).unwrap() {
            drop(addresses.admit(IpAddr::from(number.saturating_add(1 << 31).to_be_bytes())).unwrap());
            if number % 10_000 == 0 {
                tokio::time::advance(Duration::from_millis(1)).await;
            }
        }
        assert!(addresses.lock().len() <= limits::HOUSEHOLDS_MAX, "{}", addresses.lock().len());
        let prefix = ClientNetwork::from(ip("192.0.2.1")).circles().next().unwrap().0;
        assert_eq!(addresses.lock()[&prefix].open, 1, "who is here is remembered");
        drop(stays);
    }

    #[tokio::test(start_paused = true)]
    async fn reconnects_are_rate_limited_per_address_except_on_loopback() {
        let addresses = NetworkConnectionLimiter::new(10);
        let let_in = |address: &str| (0..5_000).filter(|_| addresses.admit(ip(address)).is_ok()).count();
        assert_eq!(let_in("::ffff:192.0.2.1"), limits::OPENINGS_BURST as usize);
        assert_eq!(let_in("192.0.2.1"), 0, "the same address, told as IPv4");
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!(let_in("192.0.2.1"), limits::OPENINGS_PER_S as usize);
        for address in ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"] {
            assert_eq!(let_in(address), 5_000, "{address}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_network_below_its_share_connects_while_other_networks_flood_openings() {
        let addresses = NetworkConnectionLimiter::new(usize::MAX);
        let opened = |address: &str, count| (0..count).filter(|_| addresses.admit(ip(address)).is_ok()).count();
        let mut seconds = Vec::new();
        for _ in 0..10 {
            seconds.push((0..200).map(|network| opened(&format!("192.0.{network}.1"), 60)).sum::<usize>());
            assert_eq!(opened("198.51.100.7", 5), 5, "of a network below its share, after {seconds:?}");
            tokio::time::advance(Duration::from_secs(1)).await;
        }
        let last = seconds[9];
        assert!(last <= 2 * limits::OPENINGS_SHARED_PER_S as usize, "{seconds:?}");
        assert!(seconds[0] >= 200 * 50, "negative control: {seconds:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn an_address_that_guesses_tokens_is_refused_for_a_while() {
        let addresses = NetworkConnectionLimiter::new(10);
        let guesser = ip("192.0.2.1");
        for _ in 0..limits::FAILURES_BURST {
            drop(addresses.admit(guesser).unwrap());
            addresses.blame(guesser);
        }
        assert_eq!(addresses.admit(guesser).unwrap_err(), NetworkLimitRefusal::TooFast);
        assert!(addresses.admit(ip("192.0.2.2")).is_ok(), "others are not");
        tokio::time::advance(Duration::from_secs(60)).await;
        assert!(addresses.admit(guesser).is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn networks_without_connections_are_forgotten_at_the_memory_limit() {
        let addresses = NetworkConnectionLimiter::new(10);
        for number in 0..2 * u32::try_from(limits::HOUSEHOLDS_MAX).unwrap() {
            drop(addresses.admit(IpAddr::from(number.saturating_add(1 << 31).to_be_bytes())));
            if number % 1_024 == 0 {
                tokio::time::advance(Duration::from_secs(1)).await;
            }
        }
        assert!(addresses.lock().len() <= limits::HOUSEHOLDS_MAX + 1_024, "{}", addresses.lock().len());
    }
}
