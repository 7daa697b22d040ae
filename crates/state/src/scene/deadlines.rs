//! What of a scene goes by itself, and when.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;

use crate::time::Time;

/// What expires. At one and the same moment the stored state goes first and takes the live one along: one revision, not two.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ExpiryKey {
    /// A stored object.
    Stored(String),
    /// A live object.
    Live(String),
    /// A camera, a hand, a face.
    Part {
        /// The person's idTag.
        id_tag: String,
        /// The part's object id.
        object_id: String,
    },
}

/// At most one deadline for each thing.
#[derive(Debug, Default)]
pub(super) struct ExpiryDeadlines {
    at: BTreeMap<ExpiryKey, Time>,
    order: BTreeSet<(Time, ExpiryKey)>,
}

impl ExpiryDeadlines {
    /// Moves a deadline, or takes it away.
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

    /// The next one.
    pub(super) fn next_at(&self) -> Option<Time> {
        self.order.first().map(|(at, _)| *at)
    }

    /// Takes out the first that is due.
    pub(super) fn take_due(&mut self, now: Time) -> Option<ExpiryKey> {
        if self.next_at().is_none_or(|at| at > now) {
            return None;
        }
        let (_, what) = self.order.pop_first()?;
        self.at.remove(&what);
        Some(what)
    }
}
