//! What a failed commit lost of sessions and retained messages is written again, whole: what is written of a session else counts from what was written
//! before. Answers that meant it wait so long. Source: `spec/mqtt.md` section 3.

use alloc::boxed::Box;
use alloc::collections::{BTreeSet, VecDeque};
use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec::Vec;

use stoa_wire::topic::Topic;

use super::Realm;
use super::acknowledging::DeferredAck;
use super::timers::Timer;
use crate::limits;
use crate::mqtt::stored::{BrokerWrite, SessionName, SessionWrite};
use crate::time::Time;

/// What a write is of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum WrittenRecord {
    Retained(Topic),
    Session(Arc<SessionName>),
}

impl WrittenRecord {
    fn of(write: &BrokerWrite) -> WrittenRecord {
        match write {
            BrokerWrite::Retain { topic, .. } => WrittenRecord::Retained(topic.clone()),
            BrokerWrite::Session { session, .. } => WrittenRecord::Session(Arc::clone(session)),
        }
    }
}

/// What the store may have otherwise than we.
#[derive(Debug, Default)]
pub(super) struct StoreRepairs {
    /// On its way there, by ascending sequence.
    unstored: VecDeque<(u64, WrittenRecord)>,
    /// Lost on its way.
    stale: BTreeSet<WrittenRecord>,
    /// They wait until nothing is stale.
    unanswered: Vec<DeferredAck>,
    /// When it is tried next.
    armed: Option<Time>,
}

impl StoreRepairs {
    /// A write goes out.
    pub(super) fn note(&mut self, sequence: u64, write: &BrokerWrite) {
        self.unstored.push_back((sequence, WrittenRecord::of(write)));
    }

    /// Whether the store has something else than we under this name; it is about to be told all of it.
    pub(super) fn take_stale(&mut self, record: &WrittenRecord) -> bool {
        !self.stale.is_empty() && self.stale.remove(record)
    }

    pub(super) fn note_stored(&mut self, through: u64) {
        while self.unstored.front().is_some_and(|(sequence, _)| *sequence <= through) {
            self.unstored.pop_front();
        }
    }

    /// Whether answers wait until something is written again.
    pub(super) fn are_awaited(&self) -> bool {
        !self.unanswered.is_empty()
    }

    /// Whether the store may have something otherwise than we, and nothing is on its way there that changes that.
    pub(super) fn has_stale(&self) -> bool {
        !self.stale.is_empty()
    }

    /// An answer to something that was lost.
    pub(super) fn defer(&mut self, held: DeferredAck) {
        self.unanswered.push(held);
    }
}

impl Realm {
    /// Nothing that is on its way to the store will get there.
    pub(super) fn note_lost(&mut self, now: Time) {
        let StoreRepairs { unstored, stale, unanswered, armed } = &mut self.repairs;
        stale.extend(unstored.drain(..).map(|(_, record)| record));
        if !stale.is_empty() || !unanswered.is_empty() {
            self.timers.arm(Timer::Repair, Some(now + limits::STORE_RETRY), armed);
        }
    }

    pub(super) fn fire_repair(&mut self, now: Time) {
        self.repairs.armed = None;
        self.repair();
        // It was repaired meanwhile, by the next change of it.
        if self.repairs.unstored.is_empty() {
            self.release_held(self.sequence, None, now);
        }
    }

    /// Writes what was lost again; what waits for that comes before whatever waits for a later write.
    pub(super) fn repair(&mut self) {
        for record in core::mem::take(&mut self.repairs.stale) {
            self.rewrite(&record);
        }
        for held in core::mem::take(&mut self.repairs.unanswered) {
            self.held.push_back(held.until(self.sequence));
        }
    }

    /// Writes all of it, in the place of whatever the store has.
    pub(super) fn rewrite(&mut self, record: &WrittenRecord) {
        match record {
            WrittenRecord::Retained(topic) => {
                let message = self.retained.get(topic).map(|message| message.to_kept(self.unix(message.taken_at)));
                self.write(BrokerWrite::Retain { topic: topic.clone(), message });
            }
            WrittenRecord::Session(name) => {
                for write in core::iter::once(SessionWrite::Ended).chain(self.whole_session(name)) {
                    self.write(BrokerWrite::Session { session: Arc::clone(name), write });
                }
            }
        }
    }

    /// What makes the session as it is, where it outlives the server.
    fn whole_session(&self, name: &SessionName) -> Vec<SessionWrite> {
        let id = self.sessions.of_client(&name.subject, &name.client_id);
        let Some((id, session)) =
            id.and_then(|id| Some((id, self.sessions.get(id).filter(|session| session.is_kept)?)))
        else {
            return Vec::new();
        };
        let own = session.subscriptions.iter().map(|(filter, wanted)| (filter.to_string(), *wanted));
        let shared = session.shares.iter().map(|(filter, wanted)| (filter.to_string(), *wanted));
        let mut writes = Vec::from([self.lasting(id, session)]);
        // Its time counts from when it is said.
        writes.extend(self.will_to_keep(id, Time::ZERO).map(|will| SessionWrite::Will(Some(Box::new(will)))));
        writes.extend(own.chain(shared).map(|(filter, wanted)| SessionWrite::Subscribed { filter, wanted }));
        writes.extend(session.outgoing.to_kept(|at| self.unix(at)).map(SessionWrite::Queued));
        writes.extend(session.incoming.received().map(|packet_id| SessionWrite::Received { packet_id }));
        writes
    }
}
