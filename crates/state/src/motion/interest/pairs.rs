//! Pairs of observers and visible items, indexed in both directions. Used by policies with small sets, or with
//! hysteresis for each pair. A pair takes 12 bytes.

use alloc::vec::Vec;

use super::{InterestInput, InterestMembershipChange, ItemId, ObserverId};

/// An item in an observer's set.
#[derive(Clone, Copy, Debug)]
pub(super) struct ObservedItem {
    pub(super) item: ItemId,
    /// Milliseconds since it fell out of the selection; `None` while it is selected.
    pub(super) out_for_ms: Option<u16>,
}

/// The new selection of one observer.
pub(super) struct ObserverSelection<Selected, Keeps> {
    /// Selected items, ascending, each once.
    pub(super) selected: Selected,
    /// Decides for each other visible item whether it remains visible.
    pub(super) keeps: Keeps,
}

/// All pairs. Both directions always change together.
#[derive(Debug, Default)]
pub(super) struct ObservedPairs {
    /// Observers of the last evaluation, ascending.
    observers: Vec<ObserverId>,
    /// Each observer's items, by the observer's slot; ascending by item.
    observed: Vec<Vec<ObservedItem>>,
    /// Each item's observers, by the item's slot; ascending.
    observed_by: Vec<Vec<ObserverId>>,
    next: Vec<ObservedItem>,
}

impl ObservedPairs {
    /// Drops absent observers and allocates slots for the present ones.
    pub(super) fn keep(&mut self, present: InterestInput<'_>) {
        for at in 0..self.observers.len() {
            let observer = self.observers[at];
            if present.observers.binary_search_by_key(&observer, |it| it.id).is_err() {
                self.forget(observer);
            }
        }
        self.observers.clear();
        self.observers.extend(present.observers.iter().map(|observer| observer.id));
        let slots = |last: Option<usize>| last.map_or(0, |slot| slot + 1);
        let observers = slots(present.observers.last().map(|observer| observer.id.slot()));
        let items = slots(present.items.last().map(|item| item.id.slot()));
        self.observed.resize_with(observers.max(self.observed.len()), Vec::new);
        self.observed_by.resize_with(items.max(self.observed_by.len()), Vec::new);
    }

    /// Applies an observer's selection and appends the changes, ascending by item. Hot path: allocates only where a
    /// set is larger than ever before.
    pub(super) fn renew<Selected, Keeps>(
        &mut self,
        observer: ObserverId,
        selection: ObserverSelection<Selected, Keeps>,
        changes: &mut Vec<InterestMembershipChange>,
    ) where
        Selected: Iterator<Item = ItemId>,
        Keeps: FnMut(&mut ObservedItem) -> bool,
    {
        let ObservedPairs { observed, observed_by, next, .. } = self;
        let ObserverSelection { selected, mut keeps } = selection;
        let set = &mut observed[observer.slot()];
        next.clear();
        let mut update = ObserverSetUpdater { observer, observed_by, next, changes };
        let mut before = set.iter().copied().peekable();
        for item in selected {
            while let Some(observed_item) = before.next_if(|observed_item| observed_item.item < item) {
                update.settle(observed_item, &mut keeps);
            }
            match before.next_if(|observed_item| observed_item.item == item) {
                Some(_) => update.next.push(ObservedItem { item, out_for_ms: None }),
                None => update.enter(item),
            }
        }
        for observed_item in before {
            update.settle(observed_item, &mut keeps);
        }
        // Copied, not swapped: each set keeps its own capacity.
        set.clear();
        set.extend_from_slice(next);
    }

    fn forget(&mut self, observer: ObserverId) {
        let Some(set) = self.observed.get_mut(observer.slot()) else { return };
        for observed_item in set.drain(..) {
            unwatch(&mut self.observed_by[observed_item.item.slot()], observer);
        }
    }

    /// Removes an item, which leaves every set at once.
    pub(super) fn remove_item(&mut self, item: ItemId, changes: &mut Vec<InterestMembershipChange>) {
        let Some(watchers) = self.observed_by.get_mut(item.slot()) else { return };
        for observer in watchers.drain(..) {
            let set = &mut self.observed[observer.slot()];
            let at = set
                .binary_search_by_key(&item, |observed_item| observed_item.item)
                .expect("both directions list each pair");
            set.remove(at);
            changes.push(InterestMembershipChange { observer, item, entered: false });
        }
    }

    /// Removes an observer without reporting changes.
    pub(super) fn remove_observer(&mut self, observer: ObserverId) {
        self.forget(observer);
        if let Ok(at) = self.observers.binary_search(&observer) {
            self.observers.remove(at);
        }
    }

    /// Ascending.
    pub(super) fn visible(&self, observer: ObserverId) -> impl Iterator<Item = ItemId> {
        self.observed.get(observer.slot()).into_iter().flatten().map(|observed_item| observed_item.item)
    }

    /// Ascending.
    pub(super) fn watchers(&self, item: ItemId) -> impl Iterator<Item = ObserverId> {
        self.observed_by.get(item.slot()).into_iter().flatten().copied()
    }

    #[cfg(test)]
    pub(super) fn capacity(&self) -> usize {
        let observed: usize = self.observed.iter().map(Vec::capacity).sum();
        let observed_by: usize = self.observed_by.iter().map(Vec::capacity).sum();
        let outer = self.observed.capacity() + self.observed_by.capacity();
        observed + observed_by + outer + self.observers.capacity() + self.next.capacity()
    }
}

/// The update of one observer's set.
struct ObserverSetUpdater<'a> {
    observer: ObserverId,
    observed_by: &'a mut [Vec<ObserverId>],
    next: &'a mut Vec<ObservedItem>,
    changes: &'a mut Vec<InterestMembershipChange>,
}

impl ObserverSetUpdater<'_> {
    fn enter(&mut self, item: ItemId) {
        let watchers = &mut self.observed_by[item.slot()];
        let at = watchers.binary_search(&self.observer).expect_err("neither direction lists the new pair");
        watchers.insert(at, self.observer);
        self.next.push(ObservedItem { item, out_for_ms: None });
        self.changes.push(InterestMembershipChange { observer: self.observer, item, entered: true });
    }

    /// Keeps or removes an item that is not selected.
    fn settle(&mut self, mut observed_item: ObservedItem, keeps: &mut impl FnMut(&mut ObservedItem) -> bool) {
        if keeps(&mut observed_item) {
            self.next.push(observed_item);
            return;
        }
        unwatch(&mut self.observed_by[observed_item.item.slot()], self.observer);
        self.changes.push(InterestMembershipChange {
            observer: self.observer,
            item: observed_item.item,
            entered: false,
        });
    }
}

fn unwatch(watchers: &mut Vec<ObserverId>, observer: ObserverId) {
    let at = watchers.binary_search(&observer).expect("both directions list each pair");
    watchers.remove(at);
}
