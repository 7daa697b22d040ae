//! Shared costs: each payer is charged for the resources that it uses, such as stored bytes, time or connections.
//!
//! A resource has a bound that all guests share and another that all members share, and perhaps a rate for each payer.
//! A shared bound that is reached refuses the largest payers first, and serves every payer within its fair share. Only
//! a level's ceiling refuses all.

mod bound;
mod payer;
mod share;
#[cfg(test)]
mod tests;

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::time::Duration;

use stoa_wire::reason::{Reason, Refusal};

pub use self::bound::{Bound, ChargeVerdict, FairShareLimiter};
pub use self::payer::{Payer, PayerClass, PayerId};
pub use self::share::{UseAndWeight, water_level};
use crate::bucket::TokenBucket;
use crate::limits;
use crate::network::{ClientNetwork, forget_older_half};
use crate::time::Time;

/// A quantity that costs the realm something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Resource {
    /// Bytes that a message or command makes the realm write to disk: changes of stored objects, and retained messages.
    StoredBytes,
    /// Bytes in memory that wait for the disk.
    QueuedBytes,
    /// Bytes of stored objects that the realm returns in one message.
    ReturnedBytes,
    /// Structural characters of JSON that the realm parses.
    JsonStructure,
    /// Microseconds of the realm's task, beyond those of ordinary inputs.
    RealmTime,
    /// Microseconds of the realm's task for all inputs.
    InputTime,
    /// HTTP requests in progress.
    OpenRequests,
    /// HTTP requests of one kind, or their cost in a unit of that kind.
    Requests,
    /// Motion sessions and unused tickets.
    MotionGrants,
    /// Retained messages outside of scenes.
    RetainedMessages,
    /// Bytes of retained messages outside of scenes.
    RetainedBytes,
    /// Bytes in wills that are not published.
    WillBytes,
    /// WebTransport connections.
    QuicConnections,
    /// Bytes of packets that clients have not read.
    UnreadBytes,
    /// Bytes of packets and messages that clients have sent in part.
    UnfinishedBytes,
    /// New connections.
    Openings,
}

/// An amount of a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// The resource.
    pub resource: Resource,
    /// The amount, in the resource's unit.
    pub amount: u64,
}

/// The bounds of one resource for the payers of one class.
#[derive(Clone, Copy, Debug)]
pub struct PayerClassBounds {
    /// The resource.
    pub resource: Resource,
    /// The payers.
    pub class: PayerClass,
    /// Rate and burst of one payer, with their description.
    pub own: Option<PayerRateBound>,
    /// The bound of all payers of the class.
    pub shared: Bound,
    /// Description of the shared quantity, for refusals.
    pub of: &'static str,
}

/// The rate of one payer.
#[derive(Clone, Copy, Debug)]
pub struct PayerRateBound {
    /// Amount a second.
    pub per_s: u32,
    /// Amount at once.
    pub burst: u32,
    /// Description of the quantity, for refusals.
    pub of: &'static str,
}

/// The bounds of one part of the server, such as the realm, and their use.
#[derive(Debug)]
pub struct Ledger {
    bounds: Vec<ResourceLimiter>,
    ids: BTreeMap<(PayerClass, String), PayerRegistration>,
    last_id: u64,
    /// The longest pause since the last [`Ledger::take_pause`].
    pause: Duration,
}

#[derive(Debug)]
struct PayerRegistration {
    id: PayerId,
    seen_at: Time,
}

#[derive(Debug)]
struct ResourceLimiter {
    bounds: PayerClassBounds,
    shared: FairShareLimiter,
    own: BTreeMap<PayerId, PayerSpending>,
}

#[derive(Debug)]
struct PayerSpending {
    bucket: TokenBucket,
    charged_at: Time,
}

impl Ledger {
    /// An empty ledger with these bounds.
    pub fn new(bounds: &[PayerClassBounds], now: Time) -> Ledger {
        let entry = |bounds: &PayerClassBounds| ResourceLimiter {
            bounds: *bounds,
            shared: FairShareLimiter::new(bounds.shared, bounds.of, now),
            own: BTreeMap::new(),
        };
        Ledger { bounds: bounds.iter().map(entry).collect(), ids: BTreeMap::new(), last_id: 0, pause: Duration::ZERO }
    }

    /// The payer of this name. A known name keeps its number, so that a returning client continues with its former use.
    pub fn payer(&mut self, class: PayerClass, name: &str, network: Option<ClientNetwork>, now: Time) -> Payer {
        if self.ids.len() >= limits::PAYERS_MAX {
            forget_older_half(&mut self.ids, |known| Some(known.seen_at));
        }
        let next = PayerId(self.last_id + 1);
        let known = self.ids.entry((class, name.into())).or_insert(PayerRegistration { id: next, seen_at: now });
        known.seen_at = now;
        if known.id == next {
            self.last_id += 1;
        }
        Payer { id: known.id, class, network, is_person: true }
    }

    /// The payer of an address, or of a connection, whose person is unknown. It counts among the guests, and has a
    /// share by household only, because one person can open many connections.
    pub fn address_payer(&mut self, name: &str, network: Option<ClientNetwork>, now: Time) -> Payer {
        Payer { is_person: false, ..self.payer(PayerClass::Guests, name, network, now) }
    }

    /// Charges a cost that is known beforehand.
    pub fn charge(&mut self, now: Time, payer: Payer, cost: Cost) -> ChargeVerdict {
        let verdict = self.check(now, payer, cost);
        if !matches!(verdict, ChargeVerdict::Refuse(_)) {
            self.settle(now, payer, cost);
        }
        verdict
    }

    /// Whether a charge would pass, without charging. For work whose cost is known afterwards.
    pub fn check(&mut self, now: Time, payer: Payer, cost: Cost) -> ChargeVerdict {
        let Some(entry) = self.entry(payer, cost.resource) else { return ChargeVerdict::Pass };
        if let Some(own) = entry.bounds.own
            && entry.own.get_mut(&payer.id).is_some_and(|spent| spent.bucket.is_empty(now))
        {
            return ChargeVerdict::Refuse(Refusal::beyond(Reason::Flood, own.per_s as usize, own.of));
        }
        entry.shared.check(now, payer, cost.amount)
    }

    /// Whether a payer stays within its fair share of the shared bound with a further cost.
    pub fn is_within_share(&mut self, now: Time, payer: Payer, cost: Cost) -> bool {
        self.entry(payer, cost.resource).is_none_or(|entry| entry.shared.is_within_share(now, payer, cost.amount))
    }

    /// Charges for past work. It is never refused: a shortage becomes a debt of the payer and of the shared bound.
    pub fn settle(&mut self, now: Time, payer: Payer, cost: Cost) {
        let Some(entry) = self.entry(payer, cost.resource) else { return };
        entry.shared.settle(now, payer, cost.amount);
        let Some(own) = entry.bounds.own else { return };
        if entry.own.len() >= limits::PAYERS_MAX {
            entry.own.retain(|_, spent| !spent.bucket.is_full(now));
            if entry.own.len() >= limits::PAYERS_MAX {
                forget_older_half(&mut entry.own, |spent| Some(spent.charged_at));
            }
        }
        let full = || PayerSpending { bucket: TokenBucket::new(own.per_s, own.burst, now), charged_at: now };
        let spent = entry.own.entry(payer.id).or_insert_with(full);
        spent.charged_at = now;
        spent.bucket.spend(u32::try_from(cost.amount).unwrap_or(u32::MAX), now);
    }

    /// Charges the shared bound alone for past work. Returns the pause after which the payer has its fair share again.
    pub fn pace(&mut self, now: Time, payer: Payer, cost: Cost) -> Duration {
        self.entry(payer, cost.resource).map_or(Duration::ZERO, |entry| entry.shared.pace(now, payer, cost.amount))
    }

    /// Gives back an amount that the payer held of a level.
    pub fn release(&mut self, payer: Payer, cost: Cost) {
        if let Some(entry) = self.entry(payer, cost.resource) {
            entry.shared.release(payer, cost.amount);
        }
    }

    /// Notes the pause of a [`ChargeVerdict::Slow`] for the connection whose message is being handled.
    pub fn note_pause(&mut self, pause: Duration) {
        self.pause = self.pause.max(pause);
    }

    /// The longest pause that was noted since the last call.
    pub fn take_pause(&mut self) -> Duration {
        core::mem::take(&mut self.pause)
    }

    /// The use of each resource by each class, and its bound.
    pub fn usage(&self, now: Time) -> impl Iterator<Item = (Resource, PayerClass, u64, u64)> {
        self.bounds.iter().map(move |entry| {
            (entry.bounds.resource, entry.bounds.class, entry.shared.used(now), entry.shared.capacity())
        })
    }

    /// The payer with the largest use of a resource, within the group that uses most for its number of households.
    pub fn largest(&mut self, now: Time, resource: Resource, class: PayerClass) -> Option<PayerId> {
        let is_it = |entry: &&mut ResourceLimiter| entry.bounds.resource == resource && entry.bounds.class == class;
        self.bounds.iter_mut().find(is_it).and_then(|entry| entry.shared.largest(now))
    }

    fn entry(&mut self, payer: Payer, resource: Resource) -> Option<&mut ResourceLimiter> {
        let is_it =
            |entry: &&mut ResourceLimiter| entry.bounds.resource == resource && entry.bounds.class == payer.class;
        self.bounds.iter_mut().find(is_it)
    }
}
