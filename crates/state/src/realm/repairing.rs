//! Repair after a failed commit: the lost sessions and retained messages are written again, whole, because session
//! writes build on earlier ones. Answers that depend on them wait until then. Source: `spec/mqtt.md` section 3.

use alloc::boxed::Box;
use alloc::collections::{BTreeSet, VecDeque};
use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec::Vec;

use stoa_wire::topic::Topic;

use super::Realm;
use super::acknowledging::DeferredAck;
use super::timers::TimerKey;
use crate::limits;
use crate::mqtt::stored::{BrokerWrite, SessionKey, SessionWrite};
use crate::time::Time;

/// The stored record that a write changes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum BrokerRecordKey {
    Retained(Topic),
    Session(Arc<SessionKey>),
}

impl BrokerRecordKey {
    fn of(write: &BrokerWrite) -> BrokerRecordKey {
        match write {
            BrokerWrite::Retain { topic, .. } => BrokerRecordKey::Retained(topic.clone()),
            BrokerWrite::Session { session, .. } => BrokerRecordKey::Session(Arc::clone(session)),
        }
    }
}

/// Records in which the store may differ from memory.
#[derive(Debug, Default)]
pub(super) struct LostWriteRepairs {
    /// Writes not yet stored, by ascending sequence.
    unstored: VecDeque<(u64, BrokerRecordKey)>,
    /// Records with a lost write.
    stale: BTreeSet<BrokerRecordKey>,
    /// Answers that wait until no record is stale.
    unanswered: Vec<DeferredAck>,
    /// When the next attempt is due.
    armed: Option<Time>,
}

impl LostWriteRepairs {
    /// Notes a new write.
    pub(super) fn note(&mut self, sequence: u64, write: &BrokerWrite) {
        self.unstored.push_back((sequence, BrokerRecordKey::of(write)));
    }

    /// Removes the mark of a stale record. Returns true if it had one; the caller then writes the whole record.
    pub(super) fn take_stale(&mut self, record: &BrokerRecordKey) -> bool {
        !self.stale.is_empty() && self.stale.remove(record)
    }

    pub(super) fn note_stored(&mut self, through: u64) {
        while self.unstored.front().is_some_and(|(sequence, _)| *sequence <= through) {
            self.unstored.pop_front();
        }
    }

    /// Whether answers wait for a repair.
    pub(super) fn are_awaited(&self) -> bool {
        !self.unanswered.is_empty()
    }

    /// Whether any record is stale and not yet being repaired.
    pub(super) fn has_stale(&self) -> bool {
        !self.stale.is_empty()
    }

    /// Defers an answer whose write was lost.
    pub(super) fn defer(&mut self, held: DeferredAck) {
        self.unanswered.push(held);
    }
}

impl Realm {
    /// Marks all unstored writes as lost and schedules a repair.
    pub(super) fn note_lost(&mut self, now: Time) {
        let LostWriteRepairs { unstored, stale, unanswered, armed } = &mut self.repairs;
        stale.extend(unstored.drain(..).map(|(_, record)| record));
        if !stale.is_empty() || !unanswered.is_empty() {
            self.timers.arm(TimerKey::Repair, Some(now + limits::STORE_RETRY), armed);
        }
    }

    pub(super) fn fire_repair(&mut self, now: Time) {
        self.repairs.armed = None;
        self.repair();
        // If later changes have repaired all records and are stored, the answers go out now. Otherwise they wait for
        // the writes of this repair.
        if self.repairs.unstored.is_empty() {
            self.release_acks(self.sequence, None, now);
        }
    }

    /// Writes lost records again. Answers that wait for them precede answers to later writes.
    pub(super) fn repair(&mut self) {
        for record in core::mem::take(&mut self.repairs.stale) {
            self.rewrite(&record);
        }
        for held in core::mem::take(&mut self.repairs.unanswered) {
            self.deferred_acks.push_back(held.until(self.sequence));
        }
    }

    /// Writes a whole record, which replaces the stored one. A session is ended and recreated; one that doesn't survive
    /// a restart is only ended.
    pub(super) fn rewrite(&mut self, record: &BrokerRecordKey) {
        match record {
            BrokerRecordKey::Retained(topic) => {
                let message = self.retained.get(topic).map(|message| message.to_kept(self.unix(message.taken_at)));
                self.write(BrokerWrite::Retain { topic: topic.clone(), message }, self.store_queue.payer);
            }
            BrokerRecordKey::Session(name) => {
                let id = self.sessions.of_client(&name.subject, &name.client_id);
                let payer = id.and_then(|id| self.sessions.get(id)).and_then(|session| session.payer);
                for write in core::iter::once(SessionWrite::Ended).chain(self.whole_session(name)) {
                    self.write(BrokerWrite::Session { session: Arc::clone(name), write }, payer);
                }
            }
        }
    }

    /// Returns the writes that recreate a session; none if it doesn't survive a restart.
    fn whole_session(&self, name: &SessionKey) -> Vec<SessionWrite> {
        let id = self.sessions.of_client(&name.subject, &name.client_id);
        let Some((id, session)) =
            id.and_then(|id| Some((id, self.sessions.get(id).filter(|session| session.is_kept)?)))
        else {
            return Vec::new();
        };
        let own = session.subscriptions.iter().map(|(filter, wanted)| (filter.to_string(), *wanted));
        let shared = session.shares.iter().map(|(filter, wanted)| (filter.to_string(), *wanted));
        let mut writes = Vec::from([self.lasting(id, session)]);
        // A will's expiry counts from its publication, so the time passed here has no effect.
        writes.extend(self.will_to_keep(id, Time::ZERO).map(|will| SessionWrite::Will(Some(Box::new(will)))));
        writes.extend(own.chain(shared).map(|(filter, wanted)| SessionWrite::Subscribed { filter, wanted }));
        writes.extend(session.outgoing.to_kept(|at| self.unix(at)).map(SessionWrite::Queued));
        writes.extend(session.incoming.received().map(|packet_id| SessionWrite::Received { packet_id }));
        writes
    }
}
