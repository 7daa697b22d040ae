//! Bounds amounts that HTTP clients occupy for a while, such as requests in progress: for each address, and with fair
//! shares for all clients together.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use metrics::Counter;
use stoa_state::ledger::{Bound, ChargeVerdict, Cost, Ledger, Payer, PayerClass, PayerClassBounds, Resource};
use stoa_state::network::ClientNetwork;
use stoa_state::time::Time;
use tokio::time::{Instant, sleep};

use super::request_abort::RequestAbort;
use crate::limits;

/// A bound that clients share while they occupy a part of it. Clones share it.
///
/// Above [`SharedCapacityLimits::shared`] it refuses addresses with more than a fair share, and serves all others up to
/// [`SharedCapacityLimits::all_max`]. Addresses keep the parts that they took before the fair share shrank, so
/// `all_max` can be reached. With [`SharedCapacityLimits::ends_stalled`] it then aborts stalled requests of addresses
/// above their fair share. Accounts share by address like guests, because the credentials may not be checked yet.
#[derive(Clone, Debug)]
pub(crate) struct FairCapacityLimiter {
    bounds: SharedCapacityLimits,
    zero: Instant,
    used: Arc<Mutex<CapacityUsage>>,
}

/// The amounts of a [`FairCapacityLimiter`].
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
    /// Whether a request that finds `all_max` taken makes the server abort stalled requests of addresses above their
    /// fair share. The request's own address must be within its fair share, or have no amount yet.
    pub(crate) ends_stalled: bool,
}

#[derive(Debug)]
struct CapacityUsage {
    ledger: Ledger,
    by_address: BTreeMap<Option<ClientNetwork>, u64>,
    /// The amounts that clients wait for in [`FairCapacityLimiter::take_soon`].
    awaited: BTreeMap<Option<ClientNetwork>, u64>,
    /// The parts by their numbers, oldest first. A part of an aborted request is removed at once.
    parts: BTreeMap<u64, CapacityUseRecord>,
    last_number: u64,
    /// Time of the last search that found too few stalled requests. Clients that wait would repeat it all the time.
    searched_in_vain: Option<Time>,
    ended: Counter,
}

#[derive(Debug)]
struct CapacityUseRecord {
    payer: Payer,
    client: Option<ClientNetwork>,
    amount: u64,
    /// Time of its last progress, in milliseconds since [`FairCapacityLimiter::zero`].
    progress_ms: Arc<AtomicU64>,
    abort: Option<RequestAbort>,
}

/// A part of a [`FairCapacityLimiter`]'s amount, given back on drop.
#[derive(Debug)]
pub(crate) struct CapacityPermit {
    level: FairCapacityLimiter,
    number: u64,
    progress_ms: Arc<AtomicU64>,
}

/// An amount that a client waits for, until it is dropped.
#[derive(Debug)]
struct CapacityWaiter {
    level: FairCapacityLimiter,
    client: Option<ClientNetwork>,
    amount: u64,
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
    /// The bound of all clients is reached, and the address has its fair share; or
    /// [`SharedCapacityLimits::all_max`] is reached.
    #[error("the server has too many {of}; the limit is {shared}, of which your address has its share")]
    AllTaken {
        /// The quantity.
        of: &'static str,
        /// The bound of all clients.
        shared: u64,
    },
}

/// Requests in progress, which the HTTP and HTTPS endpoints share.
pub(crate) fn of_requests() -> FairCapacityLimiter {
    FairCapacityLimiter::new(SharedCapacityLimits {
        resource: Resource::OpenRequests,
        of: "requests in progress",
        address_max: limits::REQUESTS_PER_ADDRESS_MAX,
        shared: limits::REQUESTS_SHARED,
        all_max: limits::REQUESTS_MAX,
        ends_stalled: true,
    })
}

/// Uploads, imports and copies in progress. Their slots bound them too; this limiter reserves a few of the slots for
/// addresses below their fair share.
pub(crate) fn of_uploads() -> FairCapacityLimiter {
    FairCapacityLimiter::new(SharedCapacityLimits {
        resource: Resource::OpenRequests,
        of: "uploads, imports and copies in progress",
        address_max: limits::UPLOADS_PER_ADDRESS_MAX as u64,
        shared: limits::UPLOADS_SHARED as u64,
        all_max: limits::UPLOADS_MAX as u64,
        ends_stalled: false,
    })
}

/// Bytes of snapshots that wait for their readers, on all endpoints.
pub(crate) fn of_unread_bytes() -> FairCapacityLimiter {
    FairCapacityLimiter::new(SharedCapacityLimits {
        resource: Resource::ReturnedBytes,
        of: "unread bytes of snapshots",
        address_max: limits::UNREAD_BYTES_SHARED,
        shared: limits::UNREAD_BYTES_SHARED,
        all_max: limits::UNREAD_BYTES_MAX,
        ends_stalled: true,
    })
}

impl FairCapacityLimiter {
    /// A limiter of which no part is taken.
    pub(crate) fn new(bounds: SharedCapacityLimits) -> FairCapacityLimiter {
        let SharedCapacityLimits { resource, of, shared, all_max, .. } = bounds;
        let shared = Bound::Level { most: shared, ceiling: all_max };
        let entry = PayerClassBounds { resource, class: PayerClass::Guests, own: None, shared, of };
        let ledger = Ledger::new(&[entry], Time::ZERO);
        let used = CapacityUsage {
            ledger,
            by_address: BTreeMap::new(),
            awaited: BTreeMap::new(),
            parts: BTreeMap::new(),
            last_number: 0,
            searched_in_vain: None,
            ended: Counter::noop(),
        };
        FairCapacityLimiter { bounds, zero: Instant::now(), used: Arc::new(Mutex::new(used)) }
    }

    /// Counts in `ended` the requests that the limiter aborts.
    pub(crate) fn counting(self, ended: &Counter) -> FairCapacityLimiter {
        self.lock().ended = ended.clone();
        self
    }

    /// Takes a part for a client of this network; `None` if its address is unknown. The request that the task serves
    /// may be aborted later, with [`SharedCapacityLimits::ends_stalled`].
    ///
    /// # Errors
    /// [`CapacityError`].
    pub(crate) fn take(&self, client: Option<ClientNetwork>, amount: u64) -> Result<CapacityPermit, CapacityError> {
        let SharedCapacityLimits { resource, of, address_max, shared, all_max, ends_stalled } = self.bounds;
        let now = self.now();
        let mut used = self.lock();
        let own = used.by_address.get(&client).copied().unwrap_or(0);
        if own.saturating_add(amount) > address_max {
            return Err(CapacityError::OwnTaken { of, address_max });
        }
        let payer = used.payer(client, now);
        let cost = Cost { resource, amount };
        if let ChargeVerdict::Refuse(_) = used.ledger.check(now, payer, cost) {
            // With very many addresses, a single part may exceed the fair share.
            let is_small = own == 0 || used.ledger.is_within_share(now, payer, cost);
            if !ends_stalled || !is_small || !used.make_room(now, cost, all_max) {
                return Err(CapacityError::AllTaken { of, shared });
            }
        }
        used.ledger.settle(now, payer, cost);
        *used.by_address.entry(client).or_default() += amount;
        used.last_number += 1;
        let (number, progress_ms) = (used.last_number, Arc::new(AtomicU64::new(millis(now))));
        let part = CapacityUseRecord {
            payer,
            client,
            amount,
            progress_ms: Arc::clone(&progress_ms),
            abort: RequestAbort::current(),
        };
        used.parts.insert(number, part);
        Ok(CapacityPermit { level: self.clone(), number, progress_ms })
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
        self.take_within(limits::SLOT_TIMEOUT, client, amount).await
    }

    /// Takes a part. A client below its fair share waits for it, until requests whose responses are unread now count as
    /// stalled.
    ///
    /// # Errors
    /// [`CapacityError::OwnTaken`] at once. [`CapacityError::AllTaken`] at once if the client has its fair share or
    /// clients wait for [`SharedCapacityLimits::all_max`] already. Otherwise [`CapacityError`] after
    /// [`limits::REQUEST_STALLED`] and two retries.
    pub(crate) async fn take_soon(
        &self,
        client: Option<ClientNetwork>,
        amount: u64,
    ) -> Result<CapacityPermit, CapacityError> {
        let refused = match self.take(client, amount) {
            Err(refused @ CapacityError::AllTaken { .. }) => refused,
            taken => return taken,
        };
        let Some(_waiter) = self.wait_for(client, amount) else { return Err(refused) };
        self.take_within(limits::REQUEST_STALLED + 2 * limits::LEVEL_RETRY, client, amount).await
    }

    async fn take_within(
        &self,
        time: Duration,
        client: Option<ClientNetwork>,
        amount: u64,
    ) -> Result<CapacityPermit, CapacityError> {
        let end = Instant::now() + time;
        loop {
            let taken = self.take(client, amount);
            if taken.is_ok() || Instant::now() >= end {
                return taken;
            }
            sleep(limits::LEVEL_RETRY).await;
        }
    }

    /// Counts an amount as awaited. `None` if all clients would wait for more than [`SharedCapacityLimits::all_max`],
    /// or if the client would exceed its fair share with all that it waits for. A client that neither has nor awaits an
    /// amount may exceed its fair share.
    fn wait_for(&self, client: Option<ClientNetwork>, amount: u64) -> Option<CapacityWaiter> {
        let now = self.now();
        let mut used = self.lock();
        let payer = used.payer(client, now);
        let own = used.awaited.get(&client).copied().unwrap_or(0);
        let all = used.awaited.values().sum::<u64>().saturating_add(amount);
        let cost = Cost { resource: self.bounds.resource, amount: own.saturating_add(amount) };
        let is_small =
            (own == 0 && !used.by_address.contains_key(&client)) || used.ledger.is_within_share(now, payer, cost);
        if !is_small || all > self.bounds.all_max {
            return None;
        }
        *used.awaited.entry(client).or_default() += amount;
        Some(CapacityWaiter { level: self.clone(), client, amount })
    }

    /// The amount that clients of this network occupy.
    #[cfg(test)]
    pub(crate) fn used_by(&self, client: Option<ClientNetwork>) -> u64 {
        self.lock().by_address.get(&client).copied().unwrap_or(0)
    }

    fn now(&self) -> Time {
        Time::ZERO + self.zero.elapsed()
    }

    fn lock(&self) -> MutexGuard<'_, CapacityUsage> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CapacityUsage {
    fn payer(&mut self, client: Option<ClientNetwork>, now: Time) -> Payer {
        let name = client.map_or_else(String::new, |client| client.address().to_string());
        self.ledger.address_payer(&name, client, now)
    }

    /// Aborts stalled requests of addresses above their fair share, longest stalled first, until the cost fits below
    /// `all_max`. Returns whether it fits.
    fn make_room(&mut self, now: Time, cost: Cost, all_max: u64) -> bool {
        let fits = |used: &CapacityUsage| used.total().saturating_add(cost.amount) <= all_max;
        if fits(self) {
            return true;
        }
        if self.searched_in_vain.is_some_and(|before| now < before + limits::STALLED_SEARCH_PAUSE) {
            return false;
        }
        let stalled_ms = millis(Time::ZERO + limits::REQUEST_STALLED);
        let progress = |part: &CapacityUseRecord| part.progress_ms.load(Ordering::Relaxed);
        let stalled = self.parts.iter().filter(|(_, part)| part.amount > 0 && part.abort.is_some());
        let mut stalled: Vec<(u64, u64)> = stalled
            .map(|(number, part)| (progress(part), *number))
            .filter(|(progress_ms, _)| progress_ms + stalled_ms <= millis(now))
            .collect();
        stalled.sort_unstable();
        for (_, number) in stalled {
            let Some(part) = self.parts.get(&number) else { continue };
            let (payer, abort) = (part.payer, part.abort.clone());
            if self.ledger.is_within_share(now, payer, Cost { amount: 0, ..cost }) {
                continue;
            }
            abort.iter().for_each(RequestAbort::abort);
            self.ended.increment(1);
            self.set_amount(number, now, Cost { amount: 0, ..cost });
            self.parts.remove(&number);
            if fits(self) {
                return true;
            }
        }
        self.searched_in_vain = Some(now);
        false
    }

    /// The amount of all parts.
    fn total(&self) -> u64 {
        self.by_address.values().sum()
    }

    /// Changes the amount of a part, without a check. A part of an aborted request stays given back.
    fn set_amount(&mut self, number: u64, now: Time, cost: Cost) {
        let Some(part) = self.parts.get_mut(&number) else { return };
        let (payer, client) = (part.payer, part.client);
        let before = std::mem::replace(&mut part.amount, cost.amount);
        let (grown, freed) = (cost.amount.saturating_sub(before), before.saturating_sub(cost.amount));
        self.ledger.settle(now, payer, Cost { amount: grown, ..cost });
        self.ledger.release(payer, Cost { amount: freed, ..cost });
        let own = self.by_address.entry(client).or_default();
        *own = (*own + grown).saturating_sub(freed);
        if *own == 0 {
            self.by_address.remove(&client);
        }
    }

    fn amount(&self, number: u64) -> u64 {
        self.parts.get(&number).map_or(0, |part| part.amount)
    }
}

impl CapacityPermit {
    /// Notes that the client took a piece of its response.
    pub(crate) fn note_progress(&self) {
        self.progress_ms.store(millis(self.level.now()), Ordering::Relaxed);
    }

    /// Adds an amount that was unknown before. It is never refused, but counts for further parts.
    pub(crate) fn grow(&self, amount: u64) {
        self.change(|before| before.saturating_add(amount));
    }

    /// Gives back all but `amount`.
    pub(crate) fn shrink(&self, amount: u64) {
        self.change(|before| before.min(amount));
    }

    fn change(&self, to: impl FnOnce(u64) -> u64) {
        let now = self.level.now();
        let mut used = self.level.lock();
        let amount = to(used.amount(self.number));
        used.set_amount(self.number, now, Cost { resource: self.level.bounds.resource, amount });
    }
}

impl Drop for CapacityPermit {
    fn drop(&mut self) {
        self.shrink(0);
        self.level.lock().parts.remove(&self.number);
    }
}

impl Drop for CapacityWaiter {
    fn drop(&mut self) {
        let mut used = self.level.lock();
        let Entry::Occupied(mut own) = used.awaited.entry(self.client) else { return };
        *own.get_mut() -= self.amount;
        if *own.get() == 0 {
            own.remove();
        }
    }
}

fn millis(time: Time) -> u64 {
    time.as_nanos() / 1_000_000
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    fn network(address: &str) -> Option<ClientNetwork> {
        Some(address.parse::<IpAddr>().unwrap().into())
    }

    fn level() -> FairCapacityLimiter {
        FairCapacityLimiter::new(SharedCapacityLimits {
            resource: Resource::OpenRequests,
            of: "requests in progress",
            address_max: 300,
            shared: 600,
            all_max: 800,
            ends_stalled: true,
        })
    }

    /// Takes a part within a request, which lasts until it is aborted.
    fn request(level: &FairCapacityLimiter, address: &str, amount: u64) -> tokio::task::JoinHandle<bool> {
        let (level, client) = (level.clone(), network(address));
        tokio::spawn(RequestAbort::default().serve(async move {
            let _part = level.take(client, amount).unwrap();
            std::future::pending::<()>().await;
        }))
    }

    #[test]
    fn an_address_at_its_bound_is_refused_until_it_releases_capacity() {
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
    fn the_shared_bound_refuses_large_addresses_and_serves_small_ones() {
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
    async fn a_new_address_at_full_capacity_aborts_the_longest_stalled_request() {
        let ended = Arc::new(AtomicU64::new(0));
        let level = level().counting(&Counter::from_arc(Arc::clone(&ended)));
        let early: Vec<_> = (0..3).map(|_| request(&level, "192.0.2.1", 100)).collect();
        tokio::task::yield_now().await;
        let late: Vec<_> = (2..7).map(|host| request(&level, &format!("192.0.2.{host}"), 100)).collect();
        tokio::task::yield_now().await;
        assert_eq!(level.lock().parts.len(), 8, "the level is full");
        assert!(level.take(network("192.0.2.8"), 20).is_err(), "every request makes progress");
        sleep(limits::REQUEST_STALLED).await;
        assert!(level.take(network("192.0.2.2"), 1).is_err(), "it has its share");
        let first = level.lock().parts.values().next().unwrap().progress_ms.clone();
        first.fetch_add(1, Ordering::Relaxed);
        let newcomer = level.take(network("192.0.2.8"), 20).expect("it is below its share");
        let mut early = early.into_iter();
        let (reader, stalled) = (early.next().unwrap(), early.next().unwrap());
        stalled.await.expect("the request that stalled longest is aborted");
        assert_eq!(ended.load(Ordering::Relaxed), 1);
        assert!(!reader.is_finished() && level.used_by(network("192.0.2.1")) == 200);
        newcomer.grow(200);
        assert_eq!(level.used_by(network("192.0.2.8")), 220);
        drop(newcomer);
        assert_eq!((level.used_by(network("192.0.2.8")), level.lock().parts.len()), (0, 7));
        early.chain(late).chain([reader]).for_each(|request| request.abort());
    }

    #[tokio::test(start_paused = true)]
    async fn at_full_capacity_only_an_address_below_its_share_waits_for_stalled_requests() {
        let level = level();
        let floods: Vec<_> = (1..9).map(|host| request(&level, &format!("192.0.2.{host}"), 100)).collect();
        tokio::task::yield_now().await;
        let begun = Instant::now();
        assert!(level.take_soon(network("192.0.2.1"), 1).await.is_err());
        assert_eq!(begun.elapsed(), Duration::ZERO, "an address with its share waits for nothing");
        let newcomer = level.take_soon(network("198.51.100.1"), 1).await;
        assert!(newcomer.is_ok() && begun.elapsed() >= limits::REQUEST_STALLED, "{newcomer:?}");
        assert!(level.lock().awaited.is_empty());
        floods.iter().for_each(|request| request.abort());
    }

    #[tokio::test(start_paused = true)]
    async fn a_failed_search_for_stalled_requests_is_not_repeated_before_a_pause() {
        let level = level();
        let floods: Vec<_> = (1..9).map(|host| request(&level, &format!("192.0.2.{host}"), 100)).collect();
        tokio::task::yield_now().await;
        sleep(limits::REQUEST_STALLED - Duration::from_millis(1)).await;
        assert!(level.take(network("198.51.100.1"), 1).is_err(), "no request counts as stalled yet");
        sleep(Duration::from_millis(2)).await;
        assert!(level.take(network("198.51.100.1"), 1).is_err(), "all do now, but nothing searches for them");
        sleep(limits::STALLED_SEARCH_PAUSE).await;
        assert!(level.take(network("198.51.100.1"), 1).is_ok());
        floods.iter().for_each(|request| request.abort());
    }

    #[tokio::test(start_paused = true)]
    async fn waiting_requests_are_bounded_by_share_and_in_total() {
        let level = level();
        let floods: Vec<_> = (1..9).map(|host| request(&level, &format!("192.0.2.{host}"), 100)).collect();
        tokio::task::yield_now().await;
        let share = 800 / 9;
        let own = level.wait_for(network("198.51.100.1"), share - 1).expect("it is below its share");
        assert!(level.wait_for(network("198.51.100.1"), 2).is_none(), "with this, above its share");
        let rest = level.wait_for(network("198.51.100.2"), 800 - share + 1);
        assert!(rest.is_some() && level.wait_for(network("198.51.100.3"), 1).is_none(), "the bound");
        drop(own);
        assert!(level.wait_for(network("198.51.100.3"), 1).is_some());
        floods.iter().for_each(|request| request.abort());
    }

    #[tokio::test(start_paused = true)]
    async fn a_new_address_is_served_even_if_its_first_request_exceeds_a_share() {
        let level = level();
        let floods: Vec<_> = (0..40).map(|host| request(&level, &format!("192.0.2.{host}"), 20)).collect();
        tokio::task::yield_now().await;
        sleep(limits::REQUEST_STALLED).await;
        let newcomer = level.take(network("198.51.100.1"), 20);
        assert!(newcomer.is_ok(), "a share is 15: {newcomer:?}");
        assert_eq!(level.lock().total(), 800);
        floods.iter().for_each(|request| request.abort());
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_waits_for_released_capacity_until_the_slot_timeout() {
        let level = level();
        let part = level.take(network("192.0.2.1"), 300).unwrap();
        assert!(level.take_in_time(network("192.0.2.1"), 1).await.is_err());
        let waiting = level.take_in_time(network("192.0.2.1"), 1);
        let giving = async move { drop(part) };
        assert!(tokio::join!(waiting, giving).0.is_ok());
    }
}
