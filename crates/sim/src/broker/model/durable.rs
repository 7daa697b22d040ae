//! The state on disk, and the broker's state after a crash.

use core::time::Duration;
use std::collections::{BTreeMap, BTreeSet};

use stoa_state::mqtt::stored::StoredBroker;
use stoa_state::time::Time;

use super::{BrokerModel, BrokerSituation, DurableState, ModelSession, PendingSharedDelivery};

/// Time from a failed commit to the next attempt, with a margin.
const RETRY: Duration = Duration::from_millis(5_100);

/// Identifies a record of the store.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::broker) enum DurableKey {
    /// A client's session.
    Session(usize),
    /// A topic's retained message.
    Retained(String),
}

/// A record whose last write was lost.
#[derive(Debug)]
pub(super) struct StaleRecord {
    /// The disk has its state as of this time.
    clock: u64,
    since: Time,
    is_rewritten: bool,
}

impl BrokerModel {
    pub(super) fn is_durable(&self, record: &DurableKey, clock: u64) -> bool {
        self.stale.get(record).map_or(self.durable.clock, |stale| stale.clock) >= clock
    }

    /// Whether the disk has a session's state as of `clock` or later.
    pub(in crate::broker) fn is_session_durable(&self, index: usize, clock: u64) -> bool {
        self.is_durable(&DurableKey::Session(index), clock)
    }

    /// The present model time.
    pub(in crate::broker) fn clock(&self) -> u64 {
        self.clock
    }

    /// Records a write to the store.
    pub(in crate::broker) fn note_written(&mut self, record: &DurableKey) {
        self.written_at = self.clock;
        if let Some(stale) = self.stale.get_mut(record) {
            stale.is_rewritten = true;
        }
    }

    /// Records that everything written to the store is on disk.
    pub(in crate::broker) fn commit(&mut self, written: &BTreeSet<DurableKey>) {
        self.stale.retain(|record, _| !written.contains(record));
        let is_fresh = |record: DurableKey| !self.stale.contains_key(&record);
        let DurableState { clock, sessions, retained, shared_deliveries } = &mut self.durable;
        *clock = self.clock;
        // The recipient of a shared delivery may be known by now, or its session may have ended. The disk doesn't show
        // this while the member's record is stale.
        let is_stale = |index: usize| !is_fresh(DurableKey::Session(index));
        let before = std::mem::take(shared_deliveries).into_iter();
        let before = before.filter(|before| before.candidates.keys().any(|index| is_stale(*index)));
        *shared_deliveries = self.shared_deliveries.clone();
        for before in before {
            match shared_deliveries.iter_mut().find(|present| present.delivery == before.delivery) {
                Some(present) => {
                    for (index, qos) in before.candidates.into_iter().filter(|(index, _)| is_stale(*index)) {
                        present.candidates.entry(index).or_insert(qos);
                    }
                }
                None => shared_deliveries.push(PendingSharedDelivery { is_certain: false, ..before }),
            }
        }
        sessions.retain(|index, _| !is_fresh(DurableKey::Session(*index)));
        let kept =
            self.sessions.iter().filter(|(index, each)| each.is_kept() && is_fresh(DurableKey::Session(**index)));
        sessions.extend(kept.map(|(index, session)| (*index, session.clone())));
        retained.retain(|topic, _| !is_fresh(DurableKey::Retained(topic.clone())));
        let kept = self.retained.iter().filter(|(topic, _)| is_fresh(DurableKey::Retained((*topic).clone())));
        retained.extend(kept.map(|(topic, message)| (topic.clone(), message.clone())));
        self.clock += 1;
    }

    /// Records a failed commit: nothing of `written` is on disk.
    pub(in crate::broker) fn fail(&mut self, written: &BTreeSet<DurableKey>, now: Time) {
        self.met.push(BrokerSituation::CommitFailed);
        let durable = self.durable.clock;
        for record in written {
            let stale = StaleRecord { clock: durable, since: now, is_rewritten: false };
            let stale = self.stale.entry(record.clone()).or_insert(stale);
            (stale.since, stale.is_rewritten) = (now, false);
        }
        for session in self.sessions.values_mut() {
            for (packet_id, owed_ack) in &mut session.owed_acks {
                owed_ack.has_failed = true;
                self.spoiled.insert(owed_ack.id);
                session.received.remove(packet_id);
            }
            for owed_suback in session
                .owed_subacks
                .values_mut()
                .filter(|owed_suback| owed_suback.is_stored && owed_suback.granted.is_some())
            {
                owed_suback.has_failed = true;
                for filter in &owed_suback.fresh {
                    self.met.push(BrokerSituation::SubscriptionTakenBack);
                    session.subscriptions.remove(filter);
                }
            }
        }
        self.shared_deliveries
            .iter_mut()
            .filter(|shared_delivery| shared_delivery.clock > durable)
            .for_each(|shared_delivery| shared_delivery.is_certain = false);
        self.clock += 1;
    }

    /// Restores the state on disk, after a restart.
    pub(in crate::broker) fn restart(&mut self, now: Time, is_revoked: impl Fn(u64) -> bool) {
        let owed =
            |sessions: &BTreeMap<usize, ModelSession>| sessions.values().map(|each| each.owed.len()).sum::<usize>();
        if owed(&self.durable.sessions) < owed(&self.sessions) {
            self.met.push(BrokerSituation::LostInCrash);
        }
        self.clock += 1;
        self.note_unended_wills();
        self.stale.clear();
        self.expected.clear();
        self.durable.clock = self.clock;
        (self.sessions, self.retained) = (self.durable.sessions.clone(), self.durable.retained.clone());
        self.shared_deliveries.clone_from(&self.durable.shared_deliveries);
        let sessions = &self.sessions;
        for shared_delivery in &mut self.shared_deliveries {
            let before = shared_delivery.candidates.len();
            shared_delivery.candidates.retain(|index, _| sessions.contains_key(index));
            shared_delivery.is_certain &= shared_delivery.candidates.len() == before;
        }
        self.shared_deliveries.retain(|shared_delivery| !shared_delivery.candidates.is_empty());
        for session in self.sessions.values_mut() {
            (session.connection, session.token) = (None, None);
            session.owed_acks.clear();
            session.owed_subacks.clear();
            session.ends_at = Some(session.ends_at.map_or(now + session.expiry, whole_second));
            session.will.take_if(|will| is_revoked(will.token));
            if let Some(will) = &mut session.will {
                will.due_at = Some(will.due_at.map_or(now + will.delay, whole_second));
            }
        }
    }

    /// Notes the wills that may be published again: a failed commit lost the end of the will, and the crash preceded
    /// the repair of its session. Sessions that got the will may have it on disk, because each record is written again
    /// on its own. The sender of a PUBLISH would get an error; a will has no acknowledgement.
    fn note_unended_wills(&mut self) {
        let stale = self.stale.keys().filter_map(|record| match record {
            DurableKey::Session(index) => self.durable.sessions.get(index),
            DurableKey::Retained(_) => None,
        });
        let wills = stale.filter_map(|session| session.will.as_ref()).map(|will| will.message.id);
        let unended: Vec<u64> = wills.filter(|id| self.accepted.contains(id)).collect();
        self.spoiled.extend(unended);
    }

    /// Errors: a lost write was not repeated in time.
    pub(in crate::broker) fn check_repairs(&self, now: Time) -> Result<(), String> {
        let late = self.stale.iter().find(|(_, stale)| !stale.is_rewritten && now > stale.since + RETRY);
        late.map_or(Ok(()), |late| Err(format!("{late:?} was not written again")))
    }

    /// Compares with the disk at rest. Errors: an outstanding delivery, or another state on disk.
    pub(in crate::broker) fn compare(&self, disk: &StoredBroker) -> Result<(), String> {
        if let Some(shared_delivery) = self.shared_deliveries.iter().find(|shared_delivery| shared_delivery.is_certain)
        {
            return Err(format!("no member of the share got {shared_delivery:?}"));
        }
        for (index, session) in &self.sessions {
            if let Some(owed) = session.owed.values().next() {
                return Err(format!("{index} never got {owed:?}, of {} messages", session.owed.len()));
            }
            if session.connection.is_none() {
                return Err(format!("{index} is not there"));
            }
        }
        if !self.stale.is_empty() {
            return Err(format!("{:?} were never repaired", self.stale));
        }
        self.compare_disk(disk)
    }

    fn compare_disk(&self, disk: &StoredBroker) -> Result<(), String> {
        let kept = self.sessions.iter().filter(|(_, session)| session.is_kept());
        let ought: BTreeMap<String, Vec<&String>> =
            kept.map(|(index, session)| (format!("client-{index}"), session.subscriptions.keys().collect())).collect();
        let kept = disk.sessions.iter().map(|kept| {
            let mut filters: Vec<&String> = kept.subscriptions.iter().map(|(filter, _)| filter).collect();
            filters.sort();
            (kept.name.client_id.clone(), filters)
        });
        let kept: BTreeMap<_, _> = kept.collect();
        if kept != ought {
            return Err(format!("the disk has sessions {kept:?}, but ought to have {ought:?}"));
        }
        if let Some(full) = disk.sessions.iter().find(|kept| !kept.deliveries.is_empty()) {
            return Err(format!("the disk has {:?} for {:?}", full.deliveries, full.name));
        }
        let topics: BTreeSet<&str> = disk.retained.iter().map(|kept| kept.topic.as_str()).collect();
        let ought: BTreeSet<&str> = self.retained.keys().map(String::as_str).collect();
        if topics == ought {
            Ok(())
        } else {
            Err(format!("the disk retains {topics:?}, but ought to retain {ought:?}"))
        }
    }
}

/// Rounds down, because clocks on disk count in seconds.
fn whole_second(at: Time) -> Time {
    Time::from_secs(at.as_nanos() / 1_000_000_000)
}
