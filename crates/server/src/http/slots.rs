//! Places for what holds memory, a thread or a file while it lasts: so many in all, and a share of them for each account or address.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::http::StatusCode;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::Problem;
use crate::limits;

/// The places for one kind of request; `K` is whose they are.
#[derive(Debug)]
pub struct Places<K> {
    all: Arc<Semaphore>,
    each_max: usize,
    each: Mutex<BTreeMap<K, Arc<Semaphore>>>,
}

/// Somebody's place, until it is dropped.
#[derive(Debug)]
pub(super) struct Place {
    _own: OwnedSemaphorePermit,
    _of_all: OwnedSemaphorePermit,
}

impl<K: Ord + Clone> Places<K> {
    /// `all_max` places, of which one may have `each_max`.
    pub fn new(all_max: usize, each_max: usize) -> Places<K> {
        Places { all: Arc::new(Semaphore::new(all_max)), each_max, each: Mutex::default() }
    }

    /// A place at once. Errors: 429 where `of` has all of its own, 503 where all are taken.
    pub(super) fn take_now(&self, of: &K, what: &str) -> Result<Place, Problem> {
        let own = self.of(of).try_acquire_owned().map_err(|_| {
            let detail = format!("{what} of yours are under way; at most {} at one time are allowed", self.each_max);
            Problem::too_many(detail, limits::PLACE_RETRY)
        })?;
        let of_all = Arc::clone(&self.all).try_acquire_owned().map_err(|_| {
            let detail = format!("too many {what} are under way; try again in a moment");
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, detail)
        })?;
        Ok(Place { _own: own, _of_all: of_all })
    }

    /// Waits for a place. Errors: 429 after [`limits::PLACE_TIMEOUT`].
    pub(super) async fn take(&self, of: &K) -> Result<Place, Problem> {
        let own = self.of(of);
        let both = async {
            // One's own first: whoever waits for that keeps no place from others.
            let own = own.acquire_owned().await.expect("nobody closes it");
            let of_all = Arc::clone(&self.all).acquire_owned().await.expect("nobody closes it");
            Place { _own: own, _of_all: of_all }
        };
        timeout(limits::PLACE_TIMEOUT, both).await.map_err(|_| {
            let waited_s = limits::PLACE_TIMEOUT.as_secs();
            let detail = format!("no place in {waited_s} s; at most {} at one time are allowed", self.each_max);
            Problem::too_many(detail, limits::PLACE_RETRY)
        })
    }

    /// How many have a place of those, or wait for one.
    #[cfg(test)]
    pub(super) fn asked_for(&self, of: &K) -> usize {
        let each = self.each.lock().unwrap_or_else(PoisonError::into_inner);
        each.get(of).map_or(0, |places| Arc::strong_count(places) - 1)
    }

    fn of(&self, of: &K) -> Arc<Semaphore> {
        let mut each = self.each.lock().unwrap_or_else(PoisonError::into_inner);
        // Only who has a place, or waits for one, holds a second reference.
        each.retain(|_, places| Arc::strong_count(places) > 1);
        Arc::clone(each.entry(of.clone()).or_insert_with(|| Arc::new(Semaphore::new(self.each_max))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_account_never_holds_the_places_of_others() {
        let places = Places::new(8, 2);
        let status = |account| places.take_now(&account, "uploads").map_err(|problem| problem.status().as_u16());
        let first = status("alice").unwrap();
        let _second = status("alice").unwrap();
        assert_eq!(status("alice").unwrap_err(), 429);
        let _others: Vec<_> = ["bob", "bob", "carla", "carla", "dora", "dora"].map(|name| status(name).unwrap()).into();
        assert_eq!(status("emil").unwrap_err(), 503, "all are taken");
        drop(first);
        assert!(status("alice").is_ok(), "a place is given back");
    }

    #[tokio::test(start_paused = true)]
    async fn who_waits_is_told_after_a_while_and_leaves_places_to_others() {
        let places = Places::new(3, 2);
        let held = [places.take(&1).await.unwrap(), places.take(&1).await.unwrap()];
        assert_eq!(places.take(&1).await.unwrap_err().status().as_u16(), 429);
        let other = places.take(&2).await.expect("others have a place");
        drop(held);
        assert!(places.take(&1).await.is_ok(), "negative control");
        drop(other);
        let all = [places.take(&1).await, places.take(&1).await, places.take(&2).await];
        assert!(all.iter().all(Result::is_ok) && places.take(&2).await.is_err(), "so many in all");
    }

    #[test]
    fn who_has_no_place_is_forgotten() {
        let places = Places::new(2, 2);
        for number in 0..100 {
            drop(places.take_now(&number, "uploads").unwrap());
        }
        assert_eq!(places.each.lock().unwrap().len(), 1);
    }
}
