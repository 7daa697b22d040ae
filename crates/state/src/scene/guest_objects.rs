//! The objects that guests brought, by guest, with their bounds. When the guests of a scene reach their common bound,
//! objects of departed guests give way, oldest first. If departed guests have none, objects of the guest with the
//! largest share give way.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use stoa_wire::reason::{Reason, Refusal};

use crate::connection_id::ConnectionId;
use crate::grant::Author;
use crate::ledger::{Bound, ChargeVerdict, FairShareLimiter, Payer};
use crate::limits;
use crate::time::Time;

/// Description of the bound of all guests, for refusals.
const OF_ALL: &str = "objects of all guests of a scene";

/// The objects of all guests. An object counts as long as it is live or stored.
#[derive(Debug)]
pub(super) struct GuestObjectLimiter {
    by_id: BTreeMap<String, BroughtObject>,
    /// Guests with objects, by subject.
    guests: BTreeMap<String, ObjectsOfGuest>,
    by_connection: BTreeMap<ConnectionId, String>,
    /// Objects of guests who are not connected, oldest first.
    departed: BTreeMap<u64, String>,
    /// Objects of connected guests, by payer.
    shares: FairShareLimiter,
    /// Number of the newest object.
    last: u64,
    /// Object number at which the next search among the departed guests' objects begins.
    cursor: u64,
    /// When a search may next walk an object's descendants.
    walks_at: Time,
}

#[derive(Debug)]
struct BroughtObject {
    guest: String,
    /// Number of the object, ascending with the time of its creation.
    number: u64,
}

/// One guest's objects, by number.
#[derive(Debug, Default)]
struct ObjectsOfGuest {
    objects: BTreeMap<u64, String>,
    connections: BTreeSet<ConnectionId>,
    /// `Some` while connected.
    payer: Option<Payer>,
}

impl GuestObjectLimiter {
    pub(super) fn new() -> GuestObjectLimiter {
        let bound = Bound::Level { most: limits::GUESTS_OBJECTS_MAX as u64, ceiling: u64::MAX };
        GuestObjectLimiter {
            by_id: BTreeMap::new(),
            guests: BTreeMap::new(),
            by_connection: BTreeMap::new(),
            departed: BTreeMap::new(),
            shares: FairShareLimiter::new(bound, OF_ALL, Time::ZERO),
            last: 0,
            cursor: 0,
            walks_at: Time::ZERO,
        }
    }

    /// Whether a guest brought the object.
    pub(super) fn has(&self, id: &str) -> bool {
        self.by_id.contains_key(id)
    }

    /// Whether one more object would exceed the bound of all guests.
    pub(super) fn is_full(&self) -> bool {
        self.by_id.len() >= limits::GUESTS_OBJECTS_MAX
    }

    /// Whether a guest may bring `more` objects by its own bound. Errors: [`Reason::TooManyObjects`].
    pub(super) fn check_own(&self, author: &Author, more: usize) -> Result<(), Refusal> {
        let own = self.guests.get(&author.subject).map_or(0, |guest| guest.objects.len());
        if author.guest && own + more > limits::GUEST_OBJECTS_MAX {
            let of = "objects of one guest";
            return Err(Refusal::beyond(Reason::TooManyObjects, limits::GUEST_OBJECTS_MAX, of));
        }
        Ok(())
    }

    /// Whether a guest may bring `more` objects by its own bound and by that of all guests. Errors:
    /// [`Reason::TooManyObjects`].
    pub(super) fn check_capacity(&self, author: &Author, more: usize) -> Result<(), Refusal> {
        self.check_own(author, more)?;
        if author.guest && self.by_id.len() + more > limits::GUESTS_OBJECTS_MAX { Err(full()) } else { Ok(()) }
    }

    /// Counts an object that a guest created, and notes the connection of a guest with objects.
    pub(super) fn note(&mut self, author: &Author, id: &str, is_new: bool, now: Time) {
        if is_new && !self.has(id) {
            self.last += 1;
            let brought = BroughtObject { guest: author.subject.clone(), number: self.last };
            self.by_id.insert(id.to_string(), brought);
            let guest = self.guests.entry(author.subject.clone()).or_default();
            guest.objects.insert(self.last, id.to_string());
            match guest.payer {
                Some(payer) => self.shares.settle(now, payer, 1),
                None => drop(self.departed.insert(self.last, id.to_string())),
            }
        }
        self.enter(author, now);
    }

    fn enter(&mut self, author: &Author, now: Time) {
        let Some(payer) = author.payer else { return };
        let Some(guest) = self.guests.get_mut(&author.subject) else { return };
        if !guest.connections.insert(author.connection) {
            return;
        }
        self.by_connection.insert(author.connection, author.subject.clone());
        if guest.payer.is_none() {
            guest.payer = Some(payer);
            self.shares.settle(now, payer, guest.objects.len() as u64);
            guest.objects.keys().for_each(|number| drop(self.departed.remove(number)));
        }
    }

    /// Notes that a connection has ended. After a guest's last connection, its objects are those of a departed guest.
    pub(super) fn handle_connection_ended(&mut self, connection: ConnectionId) {
        let Some(subject) = self.by_connection.remove(&connection) else { return };
        let Some(guest) = self.guests.get_mut(&subject) else { return };
        guest.connections.remove(&connection);
        if !guest.connections.is_empty() {
            return;
        }
        if let Some(payer) = guest.payer.take() {
            self.shares.release(payer, guest.objects.len() as u64);
            self.departed.extend(guest.objects.iter().map(|(number, id)| (*number, id.clone())));
        }
    }

    /// Forgets an object that is gone, or that is no longer a guest's.
    pub(super) fn forget(&mut self, id: &str) {
        let Some(BroughtObject { guest: subject, number }) = self.by_id.remove(id) else { return };
        self.departed.remove(&number);
        let guest = self.guests.get_mut(&subject).expect("each guest with an object has an entry");
        guest.objects.remove(&number);
        if let Some(payer) = guest.payer {
            self.shares.release(payer, 1);
        }
        if guest.objects.is_empty() {
            let connections = self.guests.remove(&subject).map(|guest| guest.connections).unwrap_or_default();
            connections.iter().for_each(|connection| drop(self.by_connection.remove(connection)));
        }
    }

    /// Ids of objects of which one may give way to a new object of `author`, oldest first from the cursor on. Errors:
    /// [`Reason::TooManyObjects`] for a guest above its fair share, or with the largest share itself.
    pub(super) fn candidates(&mut self, author: &Author, now: Time) -> Result<Vec<String>, Refusal> {
        let payer = author.payer.ok_or_else(full)?;
        // Two more objects must fit into the share: otherwise two guests with equal shares would displace each other's
        // objects in turn.
        if matches!(self.shares.check(now, payer, 2), ChargeVerdict::Refuse(_)) {
            return Err(full());
        }
        if self.departed.is_empty() {
            let largest = self.shares.largest(now).filter(|largest| *largest != payer.id());
            let is_it = |guest: &&ObjectsOfGuest| guest.payer.map(Payer::id) == largest;
            let guest = largest.and_then(|_| self.guests.values().find(is_it)).ok_or_else(full)?;
            return Ok(guest.objects.values().cloned().collect());
        }
        if self.departed.range(self.cursor..).next().is_none() {
            self.cursor = 0;
        }
        Ok(self.departed.range(self.cursor..).take(limits::GIVING_WAY_TRIED).map(|(_, id)| id.clone()).collect())
    }

    /// Notes that none of these candidates can give way alone: later searches begin behind them. Returns whether the
    /// caller may now try to remove one with its descendants: once in [`limits::GIVING_WAY_WALK_INTERVAL`].
    pub(super) fn skip(&mut self, candidates: &[String], now: Time) -> bool {
        let last = candidates.last().and_then(|id| self.by_id.get(id));
        self.cursor = last.map_or(0, |last| last.number + 1);
        let may_walk = now >= self.walks_at;
        if may_walk {
            self.walks_at = now + limits::GIVING_WAY_WALK_INTERVAL;
        }
        may_walk
    }
}

/// The refusal of an object above the bound of all guests.
pub(super) fn full() -> Refusal {
    Refusal::beyond(Reason::TooManyObjects, limits::GUESTS_OBJECTS_MAX, OF_ALL)
}
