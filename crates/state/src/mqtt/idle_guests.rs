//! Guests' sessions without a connection, by payer, and their bounds. Where a bound is reached, the guest with the
//! largest share loses a session or messages to guests within their shares. Members' sessions have bounds of their own.

use alloc::collections::{BTreeMap, BTreeSet};

use super::session::SessionId;
use super::sessions::IdlePermission;
use crate::ledger::{Bound, ChargeVerdict, FairShareLimiter, Payer, PayerId};
use crate::limits;
use crate::time::Time;

/// Fraction of the largest share down to which its payer's messages are dropped before the next search for the largest
/// share. A search compares all payers, which is too much work for each small message.
const SEARCHED_AGAIN_BELOW: (usize, usize) = (7, 8);

/// The idle sessions of all guests.
#[derive(Debug)]
pub(super) struct IdleGuestSessions {
    by_payer: BTreeMap<PayerId, PayerIdleSessions>,
    sessions: FairShareLimiter,
    bytes: FairShareLimiter,
    /// The payer whose messages are dropped, and the queued bytes at which the dropping stops.
    giving_way: Option<(PayerId, usize)>,
}

/// One payer's idle sessions.
#[derive(Debug, Default)]
struct PayerIdleSessions {
    /// Queued bytes of each; the last is the fullest.
    sizes: BTreeSet<(usize, SessionId)>,
    bytes: usize,
}

impl Default for IdleGuestSessions {
    fn default() -> IdleGuestSessions {
        let bound = |most: usize, of| {
            FairShareLimiter::new(Bound::Level { most: most as u64, ceiling: u64::MAX }, of, Time::ZERO)
        };
        IdleGuestSessions {
            by_payer: BTreeMap::new(),
            sessions: bound(limits::GUESTS_IDLE_SESSIONS_MAX, "sessions of all guests without a connection"),
            bytes: bound(limits::GUESTS_IDLE_BYTES_MAX, "bytes queued for all guests without a connection"),
            giving_way: None,
        }
    }
}

impl IdleGuestSessions {
    /// Adds a session with its queued bytes.
    pub(super) fn add(&mut self, payer: Payer, id: SessionId, bytes: usize) {
        let guest = self.by_payer.entry(payer.id()).or_default();
        guest.sizes.insert((bytes, id));
        guest.bytes += bytes;
        // A level doesn't depend on time.
        self.sessions.settle(Time::ZERO, payer, 1);
        self.settle_bytes(payer, bytes);
    }

    /// Removes a session with its queued bytes.
    pub(super) fn remove(&mut self, payer: Payer, id: SessionId, bytes: usize) {
        let guest = self.by_payer.get_mut(&payer.id()).expect("an idle session counts for its payer");
        guest.sizes.remove(&(bytes, id));
        guest.bytes -= bytes;
        if guest.sizes.is_empty() {
            self.by_payer.remove(&payer.id());
        }
        self.sessions.release(payer, 1);
        self.release_bytes(payer, bytes);
    }

    /// Changes the queued bytes of a session.
    pub(super) fn change(&mut self, payer: Payer, id: SessionId, before: usize, after: usize) {
        let guest = self.by_payer.get_mut(&payer.id()).expect("an idle session counts for its payer");
        guest.sizes.remove(&(before, id));
        guest.sizes.insert((after, id));
        guest.bytes = guest.bytes - before + after;
        self.settle_bytes(payer, after.saturating_sub(before));
        self.release_bytes(payer, before.saturating_sub(after));
    }

    /// Number of sessions.
    pub(super) fn count(&self) -> usize {
        usize::try_from(self.sessions.used(Time::ZERO)).unwrap_or(usize::MAX)
    }

    /// Queued bytes of all sessions.
    pub(super) fn bytes(&self) -> usize {
        usize::try_from(self.bytes.used(Time::ZERO)).unwrap_or(usize::MAX)
    }

    fn settle_bytes(&mut self, payer: Payer, bytes: usize) {
        if bytes > 0 {
            self.bytes.settle(Time::ZERO, payer, bytes as u64);
        }
    }

    fn release_bytes(&mut self, payer: Payer, bytes: usize) {
        if bytes > 0 {
            self.bytes.release(payer, bytes as u64);
        }
    }

    /// Whether a payer may have another idle session, perhaps after another payer's session ends.
    pub(super) fn check_session(&mut self, payer: Payer, now: Time) -> IdlePermission {
        if self.sessions.used(now) < self.sessions.capacity() {
            return IdlePermission::Free;
        }
        // Two: otherwise two guests with equal shares would end each other's sessions in turn.
        if matches!(self.sessions.check(now, payer, 2), ChargeVerdict::Refuse(_)) {
            return IdlePermission::Never;
        }
        let largest = self.sessions.largest(now).filter(|largest| *largest != payer.id());
        let emptiest = largest.and_then(|largest| self.by_payer.get(&largest)?.sizes.first());
        emptiest.map_or(IdlePermission::Never, |(_, id)| IdlePermission::After(*id))
    }

    /// Whether `bytes` more may be queued in a payer's idle session, perhaps after another session drops a message: one
    /// of its own if the payer is above its fair share, otherwise one of the largest share.
    pub(super) fn check_bytes(&mut self, payer: Payer, bytes: usize, now: Time) -> IdlePermission {
        if self.bytes.used(now) + bytes as u64 <= self.bytes.capacity() {
            return IdlePermission::Free;
        }
        let from = match self.bytes.check(now, payer, bytes as u64) {
            ChargeVerdict::Refuse(_) => Some(payer.id()),
            ChargeVerdict::Pass | ChargeVerdict::Slow(_) => self.largest(now),
        };
        let fullest = from.and_then(|from| self.by_payer.get(&from)?.sizes.last());
        fullest.map_or(IdlePermission::Never, |(_, id)| IdlePermission::After(*id))
    }

    /// The payer with the largest share of the bytes, or one that had it until a moment ago.
    fn largest(&mut self, now: Time) -> Option<PayerId> {
        let bytes_of = |id| self.by_payer.get(&id).map_or(0, |guest: &PayerIdleSessions| guest.bytes);
        if let Some((id, _)) = self.giving_way.filter(|(id, down_to)| bytes_of(*id) > *down_to) {
            return Some(id);
        }
        let largest = self.bytes.largest(now)?;
        let (part, whole) = SEARCHED_AGAIN_BELOW;
        self.giving_way = Some((largest, bytes_of(largest) / whole * part));
        Some(largest)
    }
}
