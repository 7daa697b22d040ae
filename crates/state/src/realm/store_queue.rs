//! Writes that wait for the disk, with their sizes in memory and their payers. A client pays for the changes and
//! retained messages that it makes, and an account for its persistent sessions.

use alloc::collections::VecDeque;
use alloc::string::String;

use bytes::Bytes;
use serde_json::{Map, Value};
use stoa_wire::reason::Refusal;

use super::{Realm, RealmOutput, StoreWrite, costs};
use crate::ledger::Payer;
use crate::mqtt::session::SessionId;
use crate::mqtt::stored::{BrokerWrite, SessionWrite};
use crate::scene::{PendingLogEntry, ReplacedState, StoredObjectEffect};
use crate::time::Time;

/// Writes that were given to the store and are neither stored nor lost yet.
#[derive(Debug, Default)]
pub(super) struct PendingStoreWrites {
    /// The writes, by ascending sequence.
    waiting: VecDeque<UnstoredWriteCharge>,
    /// Number of writes at the end of `waiting` that their payers are not charged for yet.
    uncharged: usize,
    /// Sum of all sizes.
    bytes: usize,
    /// The packet of the last delivery, which the next one may share.
    last_packet: Bytes,
    /// The payer of the message or command that is being handled.
    pub(super) payer: Option<Payer>,
}

#[derive(Debug)]
struct UnstoredWriteCharge {
    sequence: u64,
    /// `None` for writes of the realm itself, such as expired objects.
    payer: Option<Payer>,
    bytes: usize,
}

impl PendingStoreWrites {
    /// Approximate size of all waiting writes in memory.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Adds a size that no write has.
    #[cfg(test)]
    pub(super) fn add_unpaid(&mut self, bytes: usize) {
        self.bytes += bytes;
    }

    /// Adds a write and returns its size in memory.
    fn push(&mut self, sequence: u64, payer: Option<Payer>, write: &StoreWrite) -> usize {
        let mut bytes = bytes_of(write);
        if let StoreWrite::Broker(BrokerWrite::Session { write: SessionWrite::Queued(delivery), .. }) = write {
            let packet = &delivery.message.packet;
            if packet.as_ptr() == self.last_packet.as_ptr() {
                bytes -= packet.len();
            } else {
                self.last_packet = packet.clone();
            }
        }
        self.bytes += bytes;
        self.uncharged += 1;
        self.waiting.push_back(UnstoredWriteCharge { sequence, payer, bytes });
        bytes
    }

    fn pop(&mut self, through: u64) -> Option<UnstoredWriteCharge> {
        let first = self.waiting.pop_front_if(|write| write.sequence <= through)?;
        self.bytes -= first.bytes;
        Some(first)
    }
}

impl Realm {
    /// Approximate size in memory of all writes that are neither stored nor lost.
    pub fn queued_bytes(&self) -> usize {
        self.store_queue.bytes()
    }

    /// Gives a write to the store.
    pub(super) fn give_to_store(&mut self, write: StoreWrite, payer: Option<Payer>) {
        self.sequence += 1;
        let bytes = self.store_queue.push(self.sequence, payer, &write);
        self.outputs.push_back(RealmOutput::Store { sequence: self.sequence, write, bytes });
    }

    /// Charges the payers of the writes that were given to the store since the last call.
    pub(super) fn charge_queued(&mut self, now: Time) {
        if self.store_queue.uncharged == 0 {
            return;
        }
        let charged = self.store_queue.waiting.len() - self.store_queue.uncharged;
        for write in self.store_queue.waiting.range(charged..) {
            if let Some(payer) = write.payer {
                self.ledger.settle(now, payer, costs::queued(write.bytes));
            }
        }
        self.store_queue.uncharged = 0;
    }

    /// Gives back the charges of all writes up to `through`, which are stored or lost.
    pub(super) fn release_queued(&mut self, through: u64, now: Time) {
        self.charge_queued(now);
        while let Some(write) = self.store_queue.pop(through) {
            if let Some(payer) = write.payer {
                self.ledger.release(payer, costs::queued(write.bytes));
            }
        }
    }

    /// Whether that many bytes more may wait for the disk on behalf of a session. Errors: the bound of its account.
    /// Never refuses a session that is not stored.
    pub(super) fn check_session_write(&mut self, id: SessionId, bytes: usize, now: Time) -> Result<(), Refusal> {
        let payer = self.sessions.get(id).filter(|session| session.is_kept).and_then(|session| session.payer);
        let Some(payer) = payer else { return Ok(()) };
        // The pause is ignored: the connection whose message is being handled may belong to another payer.
        costs::accept(self.ledger.check(now, payer, costs::queued(bytes))).map(|_| ())
    }
}

/// The approximate size of a write in memory: its texts, and a constant for each value.
fn bytes_of(write: &StoreWrite) -> usize {
    let change = match write {
        StoreWrite::Change(change) => change,
        StoreWrite::Broker(write) => return bytes_of_broker(write),
    };
    let object = match &change.kind {
        StoredObjectEffect::Put(object) => bytes_of_attributes(&object.attributes),
        StoredObjectEffect::Delete { descendants } => descendants.iter().map(String::len).sum::<usize>(),
    };
    size_of::<PendingLogEntry>() + object + weight(&change.patch) + bytes_before(&change.before)
}

fn bytes_before(before: &ReplacedState) -> usize {
    match before {
        ReplacedState::Attributes(map) => bytes_of_attributes(map),
        ReplacedState::Objects(records) => {
            records.iter().map(|record| size_of_val(record) + bytes_of_attributes(&record.attributes)).sum()
        }
    }
}

fn bytes_of_broker(write: &BrokerWrite) -> usize {
    let message = match write {
        BrokerWrite::Retain { topic, message } => {
            topic.as_str().len() + message.as_ref().map_or(0, |kept| kept.message.packet.len())
        }
        BrokerWrite::Session { write: SessionWrite::Queued(delivery), .. } => delivery.message.packet.len(),
        BrokerWrite::Session { write: SessionWrite::Will(Some(will)), .. } => will.message.packet.len(),
        BrokerWrite::Session { write: SessionWrite::Subscribed { filter, .. }, .. } => filter.len(),
        BrokerWrite::Session { .. } => 0,
    };
    size_of::<BrokerWrite>() + message
}

fn bytes_of_attributes(attributes: &Map<String, Value>) -> usize {
    attributes.iter().map(|(key, value)| key.len() + weight(value)).sum()
}

fn weight(value: &Value) -> usize {
    let below = match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(weight).sum(),
        Value::Object(map) => bytes_of_attributes(map),
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    };
    size_of::<Value>() + below
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;
    use alloc::sync::Arc;
    use alloc::vec;
    use alloc::vec::Vec;

    use stoa_wire::packet::Qos;

    use super::*;
    use crate::mqtt::stored::{SessionKey, StoredDelivery, StoredMessage};
    use crate::time::UnixSeconds;

    #[test]
    fn the_bytes_of_a_message_for_many_sessions_count_once() {
        let packet = Bytes::from(vec![b'x'; 60_000]);
        let queued = |number: u64, packet: &Bytes| {
            let session = SessionKey { subject: "ada".into(), client_id: number.to_string() };
            let write = SessionWrite::Queued(StoredDelivery {
                number,
                message: StoredMessage { packet: packet.clone(), taken_at: UnixSeconds(1) },
                qos: Qos::AtLeastOnce,
                retain: false,
                subscription_ids: Vec::new(),
                packet_id: None,
                released: false,
            });
            StoreWrite::Broker(BrokerWrite::Session { session: Arc::new(session), write })
        };
        let total = |packet_of: &dyn Fn() -> Bytes| {
            let mut queue = PendingStoreWrites::default();
            (1..=100).map(|number| queue.push(number, None, &queued(number, &packet_of()))).sum::<usize>()
        };
        let (one, own) = (total(&|| packet.clone()), total(&|| Bytes::copy_from_slice(&packet)));
        assert!((60_000..200_000).contains(&one) && own > 6_000_000, "{one} {own}");
    }

    #[test]
    fn completed_writes_leave_the_store_queue() {
        let mut queue = PendingStoreWrites::default();
        let cleared = || {
            let topic = stoa_wire::topic::Topic::parse("a/b").unwrap();
            StoreWrite::Broker(BrokerWrite::Retain { topic, message: None })
        };
        let all = (1..=3).map(|number| queue.push(number, None, &cleared())).sum::<usize>();
        assert_eq!(queue.bytes(), all);
        assert!(queue.pop(2).is_some() && queue.pop(2).is_some() && queue.pop(2).is_none());
        assert_eq!(queue.bytes(), all / 3);
        assert!(queue.pop(3).is_some());
        assert_eq!(queue.bytes(), 0);
    }
}
