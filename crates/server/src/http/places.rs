//! Places for uploads under way: so many in all, and so many of one account.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use axum::http::StatusCode;

use super::Problem;
use crate::limits;

/// How many uploads each account has under way. Clones share the places.
#[derive(Clone, Debug, Default)]
pub struct Places(Arc<Mutex<BTreeMap<String, usize>>>);

/// One place; given back when it is dropped.
#[derive(Debug)]
pub(super) struct Place {
    places: Places,
    account: String,
}

impl Places {
    /// Takes a place for `account`.
    ///
    /// Errors: 429 where it has all of its own, 503 where all are taken.
    pub(super) fn take(&self, account: &str) -> Result<Place, Problem> {
        let mut taken = self.lock();
        let (own, all) = (taken.get(account).copied().unwrap_or(0), taken.values().sum::<usize>());
        if own >= limits::UPLOADS_PER_ACCOUNT_MAX {
            let detail = format!("{own} uploads of {account} are under way; at most {own} at one time are allowed");
            return Err(Problem::too_many(detail, limits::UPLOAD_RETRY));
        }
        if all >= limits::UPLOADS_MAX {
            let detail = format!("{all} uploads are under way; try again in a moment");
            return Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, detail));
        }
        taken.insert(account.to_owned(), own + 1);
        Ok(Place { places: self.clone(), account: account.to_owned() })
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, usize>> {
        self.0.lock().expect("no code panics while it holds this lock")
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.places.lock();
        match taken.get_mut(&self.account) {
            Some(own) if *own > 1 => *own -= 1,
            _ => drop(taken.remove(&self.account)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_account_never_holds_the_places_of_others() {
        let places = Places::default();
        let status = |account: &str| places.take(account).map_err(|problem| problem.status().as_u16());
        let first = status("alice").unwrap();
        let _second = status("alice").unwrap();
        assert_eq!(status("alice").unwrap_err(), 429);
        let _others: Vec<_> = ["bob", "bob", "carla", "carla", "dora", "dora"].map(|name| status(name).unwrap()).into();
        assert_eq!(status("emil").unwrap_err(), 503, "all are taken");
        drop(first);
        assert!(status("alice").is_ok(), "a place is given back");
    }
}
