//! The queue of future events, in virtual time: the earliest first, and equal times in the order of insertion.

use std::collections::BTreeMap;

use stoa_state::time::Time;

/// Events by time; events of the same time in the order of their insertion.
pub(crate) struct EventQueue<E> {
    queue: BTreeMap<(Time, u64), E>,
    announced: u64,
    happened: usize,
}

impl<E> Default for EventQueue<E> {
    fn default() -> EventQueue<E> {
        EventQueue { queue: BTreeMap::new(), announced: 0, happened: 0 }
    }
}

impl<E> EventQueue<E> {
    pub(crate) fn push(&mut self, at: Time, event: E) {
        self.announced += 1;
        self.queue.insert((at, self.announced), event);
    }

    pub(crate) fn pop(&mut self) -> Option<E> {
        self.happened += 1;
        self.queue.pop_first().map(|(_, event)| event)
    }

    pub(crate) fn next_at(&self) -> Option<Time> {
        self.queue.first_key_value().map(|((at, _), _)| *at)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    pub(crate) fn happened(&self) -> usize {
        self.happened
    }

    pub(crate) fn any(&self, wanted: impl Fn(&E) -> bool) -> bool {
        self.queue.values().any(wanted)
    }

    pub(crate) fn retain(&mut self, kept: impl Fn(&E) -> bool) {
        self.queue.retain(|_, event| kept(event));
    }
}
