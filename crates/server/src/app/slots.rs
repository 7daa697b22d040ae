//! Slots for requests that hold memory, a thread or a file: a total number and a share for each account or address.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::limits;

/// The slots for one kind of request. `K` is the account or address.
#[derive(Debug)]
pub(crate) struct RequestSlots<K> {
    all: Arc<Semaphore>,
    each_max: usize,
    each: Mutex<BTreeMap<K, Arc<Semaphore>>>,
}

/// A slot, released on drop.
#[derive(Debug)]
pub(crate) struct RequestSlot {
    _own: OwnedSemaphorePermit,
    _of_all: OwnedSemaphorePermit,
}

/// The reason why there is no slot. Its text is the refusal that the client gets.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SlotError {
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

/// The slots for uploads, which the HTTP and HTTPS endpoints share.
pub(crate) fn for_uploads() -> Arc<RequestSlots<String>> {
    Arc::new(RequestSlots::new(limits::UPLOADS_MAX, limits::UPLOADS_PER_ACCOUNT_MAX))
}

impl<K: Ord + Clone> RequestSlots<K> {
    /// `all_max` slots, of which one account or address may have `each_max`.
    pub(crate) fn new(all_max: usize, each_max: usize) -> RequestSlots<K> {
        RequestSlots { all: Arc::new(Semaphore::new(all_max)), each_max, each: Mutex::default() }
    }

    /// Takes a slot at once.
    ///
    /// # Errors
    /// [`SlotError::OwnTaken`], [`SlotError::AllTaken`].
    pub(crate) fn take_now(&self, of: &K, what: &str) -> Result<RequestSlot, SlotError> {
        let each_max = self.each_max;
        let own =
            self.of(of).try_acquire_owned().map_err(|_| SlotError::OwnTaken { what: what.to_owned(), each_max })?;
        let of_all = Arc::clone(&self.all);
        let of_all = of_all.try_acquire_owned().map_err(|_| SlotError::AllTaken { what: what.to_owned() })?;
        Ok(RequestSlot { _own: own, _of_all: of_all })
    }

    /// Waits for a slot.
    ///
    /// # Errors
    /// [`SlotError::TimedOut`] after [`limits::SLOT_TIMEOUT`].
    pub(crate) async fn take(&self, of: &K) -> Result<RequestSlot, SlotError> {
        let own = self.of(of);
        let both = async {
            // The own share first: a request waiting for its share blocks no slot of other accounts.
            let own = own.acquire_owned().await.expect("the semaphore is never closed");
            let of_all = Arc::clone(&self.all).acquire_owned().await.expect("the semaphore is never closed");
            RequestSlot { _own: own, _of_all: of_all }
        };
        timeout(limits::SLOT_TIMEOUT, both).await.map_err(|_| SlotError::TimedOut { each_max: self.each_max })
    }

    /// Number of requests of `of` that have a slot or wait for one.
    #[cfg(test)]
    pub(crate) fn asked_for(&self, of: &K) -> usize {
        let each = self.each.lock().unwrap_or_else(PoisonError::into_inner);
        each.get(of).map_or(0, |slots| Arc::strong_count(slots) - 1)
    }

    fn of(&self, of: &K) -> Arc<Semaphore> {
        let mut each = self.each.lock().unwrap_or_else(PoisonError::into_inner);
        // A semaphore is referenced twice only while a slot of it is taken or awaited.
        each.retain(|_, slots| Arc::strong_count(slots) > 1);
        Arc::clone(each.entry(of.clone()).or_insert_with(|| Arc::new(Semaphore::new(self.each_max))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::Problem;

    fn status(error: SlotError) -> u16 {
        Problem::from(error).status().as_u16()
    }

    #[test]
    fn one_account_never_holds_the_places_of_others() {
        let slots = RequestSlots::new(8, 2);
        let take = |account| slots.take_now(&account, "uploads").map_err(status);
        let first = take("alice").unwrap();
        let _second = take("alice").unwrap();
        assert_eq!(take("alice").unwrap_err(), 429);
        let _others: Vec<_> = ["bob", "bob", "carla", "carla", "dora", "dora"].map(|name| take(name).unwrap()).into();
        assert_eq!(take("emil").unwrap_err(), 503, "all are taken");
        drop(first);
        assert!(take("alice").is_ok(), "a place is given back");
    }

    #[tokio::test(start_paused = true)]
    async fn who_waits_is_told_after_a_while_and_leaves_places_to_others() {
        let slots = RequestSlots::new(3, 2);
        let held = [slots.take(&1).await.unwrap(), slots.take(&1).await.unwrap()];
        assert_eq!(status(slots.take(&1).await.unwrap_err()), 429);
        let other = slots.take(&2).await.expect("others have a place");
        drop(held);
        assert!(slots.take(&1).await.is_ok(), "negative control");
        drop(other);
        let all = [slots.take(&1).await, slots.take(&1).await, slots.take(&2).await];
        assert!(all.iter().all(Result::is_ok) && slots.take(&2).await.is_err(), "so many in all");
    }

    #[test]
    fn who_has_no_place_is_forgotten() {
        let slots = RequestSlots::new(2, 2);
        for number in 0..100 {
            drop(slots.take_now(&number, "uploads").unwrap());
        }
        assert_eq!(slots.each.lock().unwrap().len(), 1);
    }
}
