//! Bounds amounts that HTTP clients occupy for a while, such as requests in progress: for each address, and with fair
//! shares for all clients together.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use stoa_state::ledger::{Bound, ChargeVerdict, Cost, Ledger, Payer, PayerClass, Resource, ResourceBounds};
use stoa_state::network::ClientNetwork;
use stoa_state::time::Time;
use tokio::time::{Instant, sleep};

use crate::limits;

/// A bound that clients share while they occupy a part of it. Clones share it.
///
/// Above [`SharedCapacityLimits::shared`] it refuses the addresses with more than a fair share, and serves the other
/// ones up to [`SharedCapacityLimits::all_max`]. Accounts share by address like guests, because the credentials may not
/// be checked yet.
#[derive(Clone, Debug)]
pub(crate) struct SharedCapacityLimiter {
    bounds: SharedCapacityLimits,
    zero: Instant,
    used: Arc<Mutex<CapacityUsage>>,
}

/// The amounts of a [`SharedCapacityLimiter`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct SharedCapacityLimits {
    /// The quantity.
    pub(crate) resource: Resource,
    /// The quantity's description in refusals.
    pub(crate) of: &'static str,
    /// Largest amount of one address, or one /64 of IPv6.
    pub(crate) address_max: u64,
    /// Amount of all clients from which fair shares count.
    pub(crate) shared: u64,
    /// Largest amount of all clients.
    pub(crate) all_max: u64,
}

#[derive(Debug)]
struct CapacityUsage {
    ledger: Ledger,
    by_address: BTreeMap<Option<ClientNetwork>, u64>,
}

/// A part of a level, given back on drop.
#[derive(Debug)]
pub(crate) struct CapacityPermit {
    level: SharedCapacityLimiter,
    payer: Payer,
    client: Option<ClientNetwork>,
    amount: AtomicU64,
}

/// The reason why a part is refused. Its text is the refusal that the client gets.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CapacityError {
    /// The address occupies all that it may.
    #[error("your address has too many {of}; the limit is {address_max}")]
    OwnTaken {
        /// The quantity.
        of: &'static str,
        /// The bound of one address.
        address_max: u64,
    },
    /// The bound of all clients is reached, and the address has its fair share.
    #[error("the server has too many {of}; the limit is {shared}, of which your address has its share")]
    AllTaken {
        /// The quantity.
        of: &'static str,
        /// The bound of all clients.
        shared: u64,
    },
}

/// Requests in progress, which the HTTP and HTTPS endpoints share.
pub(crate) fn of_requests() -> SharedCapacityLimiter {
    SharedCapacityLimiter::new(SharedCapacityLimits {
        resource: Resource::OpenRequests,
        of: "requests in progress",
        address_max: limits::REQUESTS_PER_ADDRESS_MAX,
        shared: limits::REQUESTS_SHARED,
        all_max: limits::REQUESTS_MAX,
    })
}

/// Uploads, imports and copies in progress, beside their slots: a few slots are for addresses below their fair share.
pub(crate) fn of_uploads() -> SharedCapacityLimiter {
    SharedCapacityLimiter::new(SharedCapacityLimits {
        resource: Resource::OpenRequests,
        of: "uploads, imports and copies in progress",
        address_max: limits::UPLOADS_PER_ADDRESS_MAX as u64,
        shared: limits::UPLOADS_SHARED as u64,
        all_max: limits::UPLOADS_MAX as u64,
    })
}

/// Bytes of snapshots that wait for their readers, on all endpoints.
pub(crate) fn of_unread_bytes() -> SharedCapacityLimiter {
    SharedCapacityLimiter::new(SharedCapacityLimits {
        resource: Resource::ReturnedBytes,
        of: "unread bytes of snapshots",
        address_max: limits::UNREAD_BYTES_SHARED,
        shared: limits::UNREAD_BYTES_SHARED,
        all_max: limits::UNREAD_BYTES_MAX,
    })
}

impl SharedCapacityLimiter {
    /// An unused level.
    pub(crate) fn new(bounds: SharedCapacityLimits) -> SharedCapacityLimiter {
        let SharedCapacityLimits { resource, of, shared, all_max, .. } = bounds;
        let shared = Bound::Level { most: shared, ceiling: all_max };
        let entry = ResourceBounds { resource, class: PayerClass::Guests, own: None, shared, of };
        let used = CapacityUsage { ledger: Ledger::new(&[entry], Time::ZERO), by_address: BTreeMap::new() };
        SharedCapacityLimiter { bounds, zero: Instant::now(), used: Arc::new(Mutex::new(used)) }
    }

    /// Takes a part for a client of this network; `None` if its address is unknown.
    ///
    /// # Errors
    /// [`CapacityError`].
    pub(crate) fn take(&self, client: Option<ClientNetwork>, amount: u64) -> Result<CapacityPermit, CapacityError> {
        let SharedCapacityLimits { resource, of, address_max, shared, .. } = self.bounds;
        let now = Time::ZERO + self.zero.elapsed();
        let mut used = self.lock();
        let own = used.by_address.get(&client).copied().unwrap_or(0);
        if own.saturating_add(amount) > address_max {
            return Err(CapacityError::OwnTaken { of, address_max });
        }
        let name = client.map_or_else(String::new, |client| client.address().to_string());
        let payer = used.ledger.payer(PayerClass::Guests, &name, client, now);
        if let ChargeVerdict::Refuse(_) = used.ledger.charge(now, payer, Cost { resource, amount }) {
            return Err(CapacityError::AllTaken { of, shared });
        }
        *used.by_address.entry(client).or_default() += amount;
        Ok(CapacityPermit { level: self.clone(), payer, client, amount: AtomicU64::new(amount) })
    }

    /// Takes a part as soon as it is free.
    ///
    /// # Errors
    /// [`CapacityError`] after [`limits::SLOT_TIMEOUT`].
    pub(crate) async fn take_in_time(
        &self,
        client: Option<ClientNetwork>,
        amount: u64,
    ) -> Result<CapacityPermit, CapacityError> {
        let end = Instant::now() + limits::SLOT_TIMEOUT;
        loop {
            let taken = self.take(client, amount);
            if taken.is_ok() || Instant::now() >= end {
                return taken;
            }
            sleep(limits::LEVEL_RETRY).await;
        }
    }

    /// The amount that clients of this network occupy.
    #[cfg(test)]
    pub(crate) fn used_by(&self, client: Option<ClientNetwork>) -> u64 {
        self.lock().by_address.get(&client).copied().unwrap_or(0)
    }

    /// Adds an amount that was unknown when the part was taken. It may exceed the bounds.
    fn settle(&self, part: &CapacityPermit, amount: u64) {
        let now = Time::ZERO + self.zero.elapsed();
        let mut used = self.lock();
        used.ledger.settle(now, part.payer, Cost { resource: self.bounds.resource, amount });
        *used.by_address.entry(part.client).or_default() += amount;
    }

    fn release(&self, part: &CapacityPermit, amount: u64) {
        if amount == 0 {
            return;
        }
        let mut used = self.lock();
        used.ledger.release(part.payer, Cost { resource: self.bounds.resource, amount });
        if let Some(own) = used.by_address.get_mut(&part.client) {
            *own = own.saturating_sub(amount);
            if *own == 0 {
                used.by_address.remove(&part.client);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, CapacityUsage> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CapacityPermit {
    /// Adds an amount that was unknown before. It is never refused, but counts for further parts.
    pub(crate) fn grow(&self, amount: u64) {
        self.amount.fetch_add(amount, Ordering::Relaxed);
        self.level.settle(self, amount);
    }

    /// Gives back all but `amount`.
    pub(crate) fn shrink(&self, amount: u64) {
        let before = self.amount.fetch_min(amount, Ordering::Relaxed);
        self.level.release(self, before.saturating_sub(amount));
    }
}

impl Drop for CapacityPermit {
    fn drop(&mut self) {
        self.shrink(0);
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    fn network(address: &str) -> Option<ClientNetwork> {
        Some(address.parse::<IpAddr>().unwrap().into())
    }

    fn level() -> SharedCapacityLimiter {
        SharedCapacityLimiter::new(SharedCapacityLimits {
            resource: Resource::OpenRequests,
            of: "requests in progress",
            address_max: 300,
            shared: 600,
            all_max: 800,
        })
    }

    #[test]
    fn an_address_has_no_more_than_its_bound_and_gives_it_back() {
        let level = level();
        let part = level.take(network("2001:db8::1"), 300).unwrap();
        let refused = level.take(network("2001:db8::2"), 1).unwrap_err();
        assert_eq!(refused, CapacityError::OwnTaken { of: "requests in progress", address_max: 300 });
        assert!(level.take(network("2001:db8:0:1::1"), 1).is_ok(), "another household");
        part.shrink(299);
        assert!(level.take(network("2001:db8::2"), 1).is_ok());
        drop(part);
        assert_eq!(level.used_by(network("2001:db8::1")), 0);
        assert!(level.take(None, 300).is_ok(), "all unknown addresses count as one");
    }

    #[test]
    fn a_reached_level_refuses_the_largest_and_serves_newcomers() {
        let level = level();
        let large = ["192.0.2.1", "192.0.2.2"].map(|address| level.take(network(address), 300).unwrap());
        let refused = level.take(network("192.0.2.3"), 300);
        assert!(refused.is_err(), "more than a share, and more than is left");
        let small: Vec<_> = (0..100).map(|_| level.take(network("192.0.2.4"), 1).unwrap()).collect();
        large[0].shrink(250);
        let refused = level.take(network("192.0.2.1"), 10).unwrap_err();
        assert_eq!(refused, CapacityError::AllTaken { of: "requests in progress", shared: 600 });
        drop((large, small));
        assert!(level.take(network("192.0.2.3"), 300).is_ok(), "negative control");
    }

    #[tokio::test(start_paused = true)]
    async fn a_part_is_waited_for_within_the_time_of_a_slot() {
        let level = level();
        let part = level.take(network("192.0.2.1"), 300).unwrap();
        assert!(level.take_in_time(network("192.0.2.1"), 1).await.is_err());
        let waiting = level.take_in_time(network("192.0.2.1"), 1);
        let giving = async move { drop(part) };
        assert!(tokio::join!(waiting, giving).0.is_ok());
    }
}
