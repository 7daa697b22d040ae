//! The expiry times (`ttl`) of a scene's stored and live objects, cameras, hands and faces, ordered by time.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;

use crate::time::Time;

/// An expiring object. Of two equal deadlines of an object, the stored one is due first: its expiry removes the live
/// object too, with one revision instead of two.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ExpiryKey {
    /// A stored object.
    Stored(String),
    /// A live object.
    Live(String),
    /// A camera, a hand or a face.
    Part {
        /// The person's idTag.
        id_tag: String,
        /// The part's object id.
        object_id: String,
    },
}

/// At most one deadline for each key. An object may have one for its live and one for its stored state.
#[derive(Debug, Default)]
pub(super) struct ExpiryDeadlines {
    at: BTreeMap<ExpiryKey, Time>,
    order: BTreeSet<(Time, ExpiryKey)>,
}

impl ExpiryDeadlines {
    /// Sets or removes a deadline.
    pub(super) fn set(&mut self, what: ExpiryKey, at: Option<Time>) {
        let before = match at {
            Some(at) => {
                self.order.insert((at, what.clone()));
                self.at.insert(what.clone(), at).filter(|before| *before != at)
            }
            None => self.at.remove(&what),
        };
        if let Some(before) = before {
            self.order.remove(&(before, what));
        }
    }

    /// The next deadline.
    pub(super) fn next_at(&self) -> Option<Time> {
        self.order.first().map(|(at, _)| *at)
    }

    /// Removes the first deadline that is due, and returns its key.
    pub(super) fn take_due(&mut self, now: Time) -> Option<ExpiryKey> {
        if self.next_at().is_none_or(|at| at > now) {
            return None;
        }
        let (_, what) = self.order.pop_first()?;
        self.at.remove(&what);
        Some(what)
    }
}
