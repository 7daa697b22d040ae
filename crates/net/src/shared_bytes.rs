//! Bounds an amount that all connections hold together, such as the bytes in one kind of buffer, with fair shares of
//! client networks.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use stoa_state::ledger::{Bound, ChargeVerdict, Cost, Ledger, Payer, PayerClass, PayerClassBounds, PayerId, Resource};
use stoa_state::origin::ConnectionOrigin;
use stoa_state::time::Time;
use tokio::time::Instant;

/// The bounds of a [`SharedByteLimiter`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct SharedByteLimits {
    /// The bounded quantity.
    pub(crate) resource: Resource,
    /// Description of the quantity.
    pub(crate) of: &'static str,
    /// Amount of all connections above which fair shares count.
    pub(crate) shared: u64,
    /// Amount of all connections above which nothing is granted.
    pub(crate) all_max: u64,
}

/// The amounts of all connections. Clones share them.
///
/// The transports don't know the client of a connection, so each connection is a payer, in the group of its network.
/// The server's own connections are in no group.
#[derive(Clone, Debug)]
pub(crate) struct SharedByteLimiter {
    bounds: SharedByteLimits,
    zero: Instant,
    state: Arc<Mutex<SharedByteUsage>>,
    /// Whether fair shares may count at present.
    reached: Arc<AtomicBool>,
}

#[derive(Debug)]
struct SharedByteUsage {
    ledger: Ledger,
    /// The keys of the connections that have an amount, by payer.
    keys: BTreeMap<PayerId, u64>,
}

/// One connection's amount, given back on drop.
#[derive(Debug)]
pub(crate) struct ConnectionByteShare {
    shares: SharedByteLimiter,
    key: u64,
    origin: ConnectionOrigin,
    /// `None` until the first amount.
    payer: Option<Payer>,
    amount: u64,
}

/// The amount of all connections is above [`SharedByteLimits::shared`] and the connection above its fair share; or it
/// would exceed [`SharedByteLimits::all_max`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ByteShareExceeded;

impl SharedByteLimiter {
    pub(crate) fn new(bounds: SharedByteLimits) -> SharedByteLimiter {
        let SharedByteLimits { resource, of, shared, all_max } = bounds;
        let shared = Bound::Level { most: shared, ceiling: all_max };
        let entry = PayerClassBounds { resource, class: PayerClass::Guests, own: None, shared, of };
        let state = SharedByteUsage { ledger: Ledger::new(&[entry], Time::ZERO), keys: BTreeMap::new() };
        SharedByteLimiter { bounds, zero: Instant::now(), state: Arc::new(Mutex::new(state)), reached: Arc::default() }
    }

    /// Adds a connection with amount 0. `key` is unique among connections.
    pub(crate) fn join(&self, key: u64, origin: ConnectionOrigin) -> ConnectionByteShare {
        ConnectionByteShare { shares: self.clone(), key, origin, payer: None, amount: 0 }
    }

    /// While the amount of all connections is above [`SharedByteLimits::shared`], returns the key of the connection
    /// with the largest amount, in the group with the largest. Without load the call costs one atomic read.
    pub(crate) fn largest(&self) -> Option<u64> {
        if !self.reached.load(Ordering::Relaxed) {
            return None;
        }
        let (now, mut state) = (self.now(), self.lock());
        if self.used_in(&state, now) <= self.bounds.shared {
            self.reached.store(false, Ordering::Relaxed);
            return None;
        }
        let largest = state.ledger.largest(now, self.bounds.resource, PayerClass::Guests)?;
        state.keys.get(&largest).copied()
    }

    /// The amount of all connections.
    pub(crate) fn used(&self) -> u64 {
        self.used_in(&self.lock(), self.now())
    }

    fn used_in(&self, state: &SharedByteUsage, now: Time) -> u64 {
        state.ledger.usage(now).map(|(_, _, used, _)| used).sum()
    }

    fn now(&self) -> Time {
        Time::ZERO + self.zero.elapsed()
    }

    fn lock(&self) -> MutexGuard<'_, SharedByteUsage> {
        self.state.lock().expect("no code panics while it holds this lock")
    }
}

impl ConnectionByteShare {
    /// Sets the amount.
    ///
    /// # Errors
    /// [`ByteShareExceeded`]; the amount is then as before.
    pub(crate) fn set(&mut self, amount: u64) -> Result<(), ByteShareExceeded> {
        match amount.checked_sub(self.amount) {
            Some(0) => Ok(()),
            Some(more) => self.grow(more),
            None => {
                self.shrink(self.amount - amount);
                Ok(())
            }
        }
    }

    fn grow(&mut self, more: u64) -> Result<(), ByteShareExceeded> {
        let (shares, now) = (&self.shares, self.shares.now());
        let mut state = shares.lock();
        let new = || state.ledger.address_payer(&self.key.to_string(), self.origin.network(), now);
        let payer = *self.payer.get_or_insert_with(new);
        if let ChargeVerdict::Refuse(_) = state.ledger.charge(now, payer, self.shares.cost(more)) {
            return Err(ByteShareExceeded);
        }
        self.amount += more;
        state.keys.insert(payer.id(), self.key);
        if shares.used_in(&state, now) > shares.bounds.shared {
            shares.reached.store(true, Ordering::Relaxed);
        }
        Ok(())
    }

    fn shrink(&mut self, less: u64) {
        let Some(payer) = self.payer else { return };
        self.amount -= less;
        let mut state = self.shares.lock();
        state.ledger.release(payer, self.shares.cost(less));
        if self.amount == 0 {
            state.keys.remove(&payer.id());
        }
    }
}

impl SharedByteLimiter {
    fn cost(&self, amount: u64) -> Cost {
        Cost { resource: self.bounds.resource, amount }
    }
}

impl Drop for ConnectionByteShare {
    fn drop(&mut self) {
        let _ = self.set(0);
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    fn level() -> SharedByteLimiter {
        SharedByteLimiter::new(SharedByteLimits {
            resource: Resource::UnreadBytes,
            of: "unread bytes",
            shared: 600,
            all_max: 800,
        })
    }

    fn from(address: &str) -> ConnectionOrigin {
        address.parse::<IpAddr>().unwrap().into()
    }

    #[tokio::test(start_paused = true)]
    async fn a_flooding_network_is_refused_bytes_while_a_small_one_gets_its_share() {
        let level = level();
        let mut flood: Vec<ConnectionByteShare> = (0..60).map(|key| level.join(key, from("192.0.2.1"))).collect();
        assert!(flood.iter_mut().all(|share| share.set(10).is_ok()));
        assert_eq!(level.largest(), None, "the level is reached, not exceeded");
        assert_eq!(flood[0].set(20), Err(ByteShareExceeded));
        let mut small = level.join(100, from("192.0.2.2"));
        assert_eq!(small.set(150), Ok(()));
        assert!(level.largest().is_some_and(|largest| largest < 60), "one of the flood is the largest");
        flood.truncate(40);
        assert_eq!((level.largest(), level.used()), (None, 550), "amounts are given back");
        drop((small, flood));
        assert_eq!(level.used(), 0);
    }
}
