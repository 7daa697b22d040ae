//! Slots for requests that hold memory, a thread or a file: a total number, and a share for each account and for each
//! network that a client is in.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use stoa_state::network::{ClientNetwork, NetworkPrefix};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::limits;

/// The slots for one kind of request.
#[derive(Debug)]
pub(crate) struct RequestSlots {
    all: Arc<Semaphore>,
    bounds: RequestSlotLimits,
    each: Mutex<BTreeMap<SlotHolder, Arc<Semaphore>>>,
}

/// The numbers of slots.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RequestSlotLimits {
    /// All slots.
    pub(crate) all: usize,
    /// The share of one account.
    pub(crate) account: usize,
    /// The share of one address, and of each wider IPv6 prefix: a customer with many of them gets no more.
    pub(crate) network: usize,
}

/// A holder of a share.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SlotHolder {
    /// An account.
    Account(String),
    /// A network prefix.
    Network(NetworkPrefix),
}

/// A slot, released on drop.
#[derive(Debug)]
pub(crate) struct RequestSlot {
    _permits: Vec<OwnedSemaphorePermit>,
}

/// The reason why there is no slot. Its text is the refusal that the client gets.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum RequestSlotError {
    /// The account or address has used up its share.
    #[error("your {what} are still running; the limit is {each_max} at a time")]
    OwnTaken {
        /// The kind of request, in the plural.
        what: String,
        /// The share of one account or address.
        each_max: usize,
    },
    /// All slots are taken.
    #[error("too many {what} are running; try again in a moment")]
    AllTaken {
        /// The kind of request, in the plural.
        what: String,
    },
    /// No slot became free in time.
    #[error("no slot became free in {waited_s} s; the limit is {each_max} at a time", waited_s = limits::SLOT_TIMEOUT.as_secs())]
    TimedOut {
        /// The share of one account or address.
        each_max: usize,
    },
}

/// The slots for uploads, imports and copies, which the HTTP and HTTPS endpoints share.
pub(crate) fn for_uploads() -> Arc<RequestSlots> {
    Arc::new(RequestSlots::new(RequestSlotLimits {
        all: limits::UPLOADS_MAX,
        account: limits::UPLOADS_PER_ACCOUNT_MAX,
        network: limits::UPLOADS_PER_ADDRESS_MAX,
    }))
}

impl SlotHolder {
    /// The holders of a client of this network, narrowest first; `None` if its address is unknown.
    pub(crate) fn of_network(client: Option<ClientNetwork>) -> impl Iterator<Item = SlotHolder> {
        NetworkPrefix::all_around(client).map(|(prefix, _)| SlotHolder::Network(prefix))
    }

    /// The holders of a request by an account, from a client of this network.
    pub(crate) fn of_account(name: &str, client: Option<ClientNetwork>) -> Vec<SlotHolder> {
        std::iter::once(SlotHolder::Account(name.to_owned())).chain(SlotHolder::of_network(client)).collect()
    }
}

impl RequestSlots {
    /// Slots, none of them taken.
    pub(crate) fn new(bounds: RequestSlotLimits) -> RequestSlots {
        RequestSlots { all: Arc::new(Semaphore::new(bounds.all)), bounds, each: Mutex::default() }
    }

    /// Takes a slot at once, which counts for each of `holders`.
    ///
    /// # Errors
    /// [`RequestSlotError::OwnTaken`], [`RequestSlotError::AllTaken`].
    pub(crate) fn take_now(&self, holders: &[SlotHolder], what: &str) -> Result<RequestSlot, RequestSlotError> {
        let mut permits = Vec::with_capacity(holders.len() + 1);
        for holder in holders {
            let own = self.of(holder).try_acquire_owned();
            permits.push(own.map_err(|_| RequestSlotError::OwnTaken {
                what: holder.possessive(what),
                each_max: self.share_of(holder),
            })?);
        }
        let of_all = Arc::clone(&self.all);
        permits.push(of_all.try_acquire_owned().map_err(|_| RequestSlotError::AllTaken { what: what.to_owned() })?);
        Ok(RequestSlot { _permits: permits })
    }

    /// Waits for a slot, which counts for each of `holders`, narrowest first.
    ///
    /// # Errors
    /// [`RequestSlotError::TimedOut`] after [`limits::SLOT_TIMEOUT`].
    pub(crate) async fn take(&self, holders: &[SlotHolder]) -> Result<RequestSlot, RequestSlotError> {
        let own: Vec<Arc<Semaphore>> = holders.iter().map(|holder| self.of(holder)).collect();
        let all = async {
            let mut permits = Vec::with_capacity(holders.len() + 1);
            // The own shares first: a request waiting for its share blocks no slot of other clients.
            for slots in own.into_iter().chain([Arc::clone(&self.all)]) {
                permits.push(slots.acquire_owned().await.expect("the semaphore is never closed"));
            }
            RequestSlot { _permits: permits }
        };
        let each_max = holders.iter().map(|holder| self.share_of(holder)).min().unwrap_or(self.bounds.all);
        timeout(limits::SLOT_TIMEOUT, all).await.map_err(|_| RequestSlotError::TimedOut { each_max })
    }

    /// Number of requests of `holder` that have a slot or wait for one.
    #[cfg(test)]
    pub(crate) fn request_count_of(&self, holder: &SlotHolder) -> usize {
        let each = self.each.lock().unwrap_or_else(PoisonError::into_inner);
        each.get(holder).map_or(0, |slots| Arc::strong_count(slots) - 1)
    }

    fn of(&self, holder: &SlotHolder) -> Arc<Semaphore> {
        let mut each = self.each.lock().unwrap_or_else(PoisonError::into_inner);
        // A semaphore is referenced twice only while a slot of it is taken or awaited.
        each.retain(|_, slots| Arc::strong_count(slots) > 1);
        let slots = each.entry(holder.clone()).or_insert_with(|| Arc::new(Semaphore::new(self.share_of(holder))));
        Arc::clone(slots)
    }

    fn share_of(&self, holder: &SlotHolder) -> usize {
        match holder {
            SlotHolder::Account(_) => self.bounds.account,
            SlotHolder::Network(_) => self.bounds.network,
        }
    }
}

impl SlotHolder {
    /// The words after "your" for requests of this holder, such as "address's uploads".
    fn possessive(&self, what: &str) -> String {
        match self {
            SlotHolder::Account(_) => what.to_owned(),
            SlotHolder::Network(_) => format!("address's {what}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::Problem;

    fn status(error: RequestSlotError) -> u16 {
        Problem::from(error).status().as_u16()
    }

    #[test]
    fn an_account_cannot_take_more_than_its_share_of_slots() {
        let slots = RequestSlots::new(RequestSlotLimits { all: 8, account: 2, network: 8 });
        let take = |account: &str| slots.take_now(&[SlotHolder::Account(account.into())], "uploads").map_err(status);
        let first = take("alice").unwrap();
        let _second = take("alice").unwrap();
        assert_eq!(take("alice").unwrap_err(), 429);
        let _others: Vec<_> = ["bob", "bob", "carla", "carla", "dora", "dora"].map(|name| take(name).unwrap()).into();
        assert_eq!(take("emil").unwrap_err(), 503, "all are taken");
        drop(first);
        assert!(take("alice").is_ok(), "a place is given back");
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_waiting_for_a_slot_times_out_and_blocks_no_other_account() {
        let slots = RequestSlots::new(RequestSlotLimits { all: 3, account: 2, network: 3 });
        let [one, two] = ["alice", "bob"].map(|name| [SlotHolder::Account(name.into())]);
        let held = [slots.take(&one).await.unwrap(), slots.take(&one).await.unwrap()];
        assert_eq!(status(slots.take(&one).await.unwrap_err()), 429);
        let other = slots.take(&two).await.expect("others have a place");
        drop(held);
        assert!(slots.take(&one).await.is_ok(), "negative control");
        drop(other);
        let all = [slots.take(&one).await, slots.take(&one).await, slots.take(&two).await];
        assert!(all.iter().all(Result::is_ok) && slots.take(&two).await.is_err(), "so many in all");
    }

    #[test]
    fn accounts_that_hold_no_slot_are_removed_from_the_map() {
        let slots = RequestSlots::new(RequestSlotLimits { all: 2, account: 2, network: 2 });
        for number in 0..100 {
            drop(slots.take_now(&[SlotHolder::Account(number.to_string())], "uploads").unwrap());
        }
        assert_eq!(slots.each.lock().unwrap().len(), 1);
    }

    #[test]
    fn an_ipv6_customer_with_many_networks_gets_the_slots_of_one_address() {
        let slots = RequestSlots::new(RequestSlotLimits { all: 32, account: 2, network: 8 });
        let network = |address: String| Some(address.parse::<std::net::IpAddr>().unwrap().into());
        let taken = |address: &dyn Fn(u32) -> String| {
            let take = |number: u32| {
                let holders = SlotHolder::of_account(&format!("account{number}"), network(address(number)));
                slots.take_now(&holders, "uploads")
            };
            let taken: Vec<RequestSlot> = (0..32).filter_map(|number| take(number).ok()).collect();
            (taken.len(), take(40).err().map(|error| error.to_string()))
        };
        let refused = Some("your address's uploads are still running; the limit is 8 at a time".to_owned());
        assert_eq!(taken(&|_| "192.0.2.1".into()), (8, refused.clone()));
        assert_eq!(taken(&|number| format!("2001:db8:0:{number:x}::1")), (8, refused.clone()), "a /56");
        assert_eq!(taken(&|number| format!("2001:db8:0:{number:x}00::1")), (8, refused), "a /48");
        assert_eq!(taken(&|number| format!("192.0.2.{number}")).0, 32, "negative control");
    }
}
