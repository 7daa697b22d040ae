//! Who is connected, by address: nobody alone may fill the doors, or keep them busy with coming and going.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard};

use stoa_state::mqtt::bucket::Bucket;
use stoa_state::time::Time;
use tokio::time::Instant;

use crate::limits;

/// Whose connections are counted together: an address, or of IPv6 the 2^64 that one household has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Household(IpAddr);

impl From<IpAddr> for Household {
    fn from(address: IpAddr) -> Household {
        Household(match address.to_canonical() {
            IpAddr::V6(address) if !address.is_loopback() => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
            address => address,
        })
    }
}

impl Household {
    /// The address that stands for it.
    pub fn address(self) -> IpAddr {
        self.0
    }

    /// This machine: held to a door's own cap alone, for a proxy, a script or an experiment may have many connections.
    pub fn is_here(self) -> bool {
        self.0.is_loopback()
    }
}

/// Connections of all doors by where they come from. Clones share them.
#[derive(Clone, Debug)]
pub struct Addresses {
    connections_max: usize,
    zero: Instant,
    present: Arc<Mutex<BTreeMap<Household, Presence>>>,
}

#[derive(Debug)]
struct Presence {
    open: usize,
    openings: Bucket,
    failures: Bucket,
}

/// Why somebody may not come in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnedAway {
    /// As many connections from there are open as may be.
    TooMany,
    /// Connections from there come too fast, or too many of them had no good token.
    TooFast,
}

/// One connection, while it lasts.
#[derive(Debug)]
pub struct Admission {
    /// `None` for this machine's own.
    counted: Option<(Addresses, Household)>,
}

impl Addresses {
    /// Nobody is there yet; one household may have so many connections at one time.
    pub fn new(connections_max: usize) -> Addresses {
        Addresses { connections_max, zero: Instant::now(), present: Arc::default() }
    }

    /// Lets a connection in.
    ///
    /// # Errors
    /// [`TurnedAway`].
    pub fn admit(&self, address: IpAddr) -> Result<Admission, TurnedAway> {
        let household = Household::from(address);
        if household.is_here() {
            return Ok(Admission { counted: None });
        }
        let now = self.now();
        let mut present = self.lock();
        make_room(&mut present, now);
        let here = present.entry(household).or_insert_with(|| Presence::new(now));
        if here.open >= self.connections_max {
            return Err(TurnedAway::TooMany);
        }
        if here.failures.is_empty(now) || !here.openings.take(now) {
            return Err(TurnedAway::TooFast);
        }
        here.open += 1;
        Ok(Admission { counted: Some((self.clone(), household)) })
    }

    /// A connection from there had no good token. After many of these, what comes from there is turned away for a while.
    pub fn blame(&self, address: IpAddr) {
        let now = self.now();
        if let Some(here) = self.lock().get_mut(&Household::from(address)) {
            here.failures.spend(1, now);
        }
    }

    fn now(&self) -> Time {
        Time::ZERO + self.zero.elapsed()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<Household, Presence>> {
        self.present.lock().expect("no code panics while it holds this lock")
    }
}

impl Presence {
    fn new(now: Time) -> Presence {
        Presence {
            open: 0,
            openings: Bucket::new(limits::OPENINGS_PER_S, limits::OPENINGS_BURST, now),
            failures: Bucket::new(limits::FAILURES_PER_S, limits::FAILURES_BURST, now),
        }
    }
}

/// Forgets who has nothing open and all of its allowances back, once there are many.
fn make_room(present: &mut BTreeMap<Household, Presence>, now: Time) {
    if present.len() >= limits::HOUSEHOLDS_MAX {
        present.retain(|_, here| here.open > 0 || !here.openings.is_full(now) || !here.failures.is_full(now));
    }
}

impl Drop for Admission {
    fn drop(&mut self) {
        if let Some((addresses, household)) = &self.counted
            && let Some(here) = addresses.lock().get_mut(household)
        {
            here.open = here.open.saturating_sub(1);
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
    async fn one_household_never_takes_the_places_of_others() {
        let addresses = Addresses::new(3);
        let held: Vec<_> = (0..3).map(|n| addresses.admit(ip(&format!("2001:db8::{n}"))).unwrap()).collect();
        assert_eq!(addresses.admit(ip("2001:db8::ffff")).unwrap_err(), TurnedAway::TooMany, "the same /64");
        assert!(addresses.admit(ip("2001:db8:0:1::1")).is_ok(), "another /64");
        assert!(addresses.admit(ip("192.0.2.1")).is_ok());
        drop(held);
        assert!(addresses.admit(ip("2001:db8::1")).is_ok(), "places are given back");
    }

    #[tokio::test(start_paused = true)]
    async fn an_address_that_comes_and_goes_is_slowed_down_and_this_machine_is_not() {
        let addresses = Addresses::new(10);
        let let_in = |address: &str| (0..5_000).filter(|_| addresses.admit(ip(address)).is_ok()).count();
        assert_eq!(let_in("::ffff:192.0.2.1"), limits::OPENINGS_BURST as usize);
        assert_eq!(let_in("192.0.2.1"), 0, "the same address, told as IPv4");
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!(let_in("192.0.2.1"), limits::OPENINGS_PER_S as usize);
        for here in ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"] {
            assert_eq!(let_in(here), 5_000, "{here}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_guesses_tokens_is_turned_away_for_a_while() {
        let addresses = Addresses::new(10);
        let guesser = ip("192.0.2.1");
        for _ in 0..limits::FAILURES_BURST {
            drop(addresses.admit(guesser).unwrap());
            addresses.blame(guesser);
        }
        assert_eq!(addresses.admit(guesser).unwrap_err(), TurnedAway::TooFast);
        assert!(addresses.admit(ip("192.0.2.2")).is_ok(), "others are not");
        tokio::time::advance(Duration::from_secs(60)).await;
        assert!(addresses.admit(guesser).is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn who_has_gone_is_forgotten_before_memory_runs_out() {
        let addresses = Addresses::new(10);
        for number in 0..2 * u32::try_from(limits::HOUSEHOLDS_MAX).unwrap() {
            drop(addresses.admit(IpAddr::from(number.saturating_add(1 << 31).to_be_bytes())));
            if number % 1_024 == 0 {
                tokio::time::advance(Duration::from_secs(1)).await;
            }
        }
        assert!(addresses.lock().len() <= limits::HOUSEHOLDS_MAX + 1_024, "{}", addresses.lock().len());
    }
}
