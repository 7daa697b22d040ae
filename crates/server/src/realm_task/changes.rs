//! Passes changes from the realm to the disk. The writer takes all queued changes at once and stores them in one
//! transaction (group commit).

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Map, Value};
use stoa_state::mqtt::stored::{BrokerWrite, SessionWrite};
use stoa_state::realm::StoreWrite;
use stoa_state::scene::{ReplacedState, StoredChange, StoredChangeKind};
use tokio::sync::{Notify, mpsc};

use crate::limits;
use crate::store::Store;

/// Changes waiting for the disk. The realm never waits for it; instead it reads nothing from connections while the
/// queue is full.
#[derive(Debug, Default)]
pub(crate) struct ChangeQueue {
    queued: Mutex<QueuedChanges>,
    wake: Notify,
}

#[derive(Debug, Default)]
struct QueuedChanges {
    writes: Vec<StoreWrite>,
    /// Approximate size in memory.
    bytes: usize,
    /// Sequence number of the last queued write.
    through: u64,
    ended: bool,
    /// A commit failed and the realm doesn't know yet. Its outputs since then build on the lost changes.
    failed: bool,
}

/// The result for all taken changes without a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CommitOutcome {
    /// All changes up to this sequence number are on disk.
    Stored(u64),
    /// The changes are lost.
    Failed,
}

impl ChangeQueue {
    /// Queues all writes of one input at once, so that no group commit contains only a part of them. Leaves
    /// `writes` empty.
    pub(super) fn push_all(&self, through: u64, writes: &mut Vec<StoreWrite>) {
        let bytes = bytes_of_all(writes);
        let mut queued = self.lock();
        queued.bytes += bytes;
        queued.writes.append(writes);
        queued.through = through;
    }

    pub(super) fn wake(&self) {
        self.wake.notify_one();
    }

    pub(super) fn is_full(&self) -> bool {
        let queued = self.lock();
        queued.writes.len() >= limits::CHANGES_QUEUED_MAX || queued.bytes >= limits::CHANGES_QUEUED_BYTES_MAX
    }

    /// Ends the queue; no more writes follow.
    pub(super) fn end(&self) {
        self.lock().ended = true;
        self.wake();
    }

    /// Stops the writer until the realm knows of the failed commit.
    fn fail(&self) {
        self.lock().failed = true;
    }

    /// Drops the writes queued since the failed commit, which are lost too. Returns the last sequence number among
    /// them.
    pub(super) fn drop_after_failure(&self) -> u64 {
        let mut queued = self.lock();
        queued.failed = false;
        queued.writes.clear();
        queued.bytes = 0;
        queued.through
    }

    /// All queued writes, or `None` at the end.
    async fn take(&self) -> Option<(u64, Vec<StoreWrite>)> {
        loop {
            {
                let mut queued = self.lock();
                if !queued.writes.is_empty() && !queued.failed {
                    queued.bytes = 0;
                    return Some((queued.through, std::mem::take(&mut queued.writes)));
                }
                if queued.ended {
                    return None;
                }
            }
            self.wake.notified().await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, QueuedChanges> {
        self.queued.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Stores queued changes until the queue ends and reports the results. A failing disk refuses changes but doesn't
/// stop the realm.
pub(crate) async fn write_changes(store: Store, queue: Arc<ChangeQueue>, outcomes: mpsc::Sender<CommitOutcome>) {
    while let Some((through, writes)) = queue.take().await {
        let count = writes.len();
        let outcome = match store.append(writes).await {
            Ok(()) => CommitOutcome::Stored(through),
            Err(error) => {
                tracing::error!(%error, count, "changes could not be stored; their senders are told");
                queue.fail();
                CommitOutcome::Failed
            }
        };
        // Accepted changes are stored even if the realm task has ended.
        let _ = outcomes.send(outcome).await;
    }
}

/// The approximate size of writes in memory. A message for many sessions counts once.
fn bytes_of_all(writes: &[StoreWrite]) -> usize {
    let mut last = std::ptr::null();
    let bytes = writes.iter().map(|write| {
        let shared = match write {
            StoreWrite::Broker(BrokerWrite::Session { write: SessionWrite::Queued(delivery), .. }) => {
                &delivery.message.packet
            }
            _ => return bytes_of(write),
        };
        let before = std::mem::replace(&mut last, shared.as_ptr());
        bytes_of(write) - if before == last { shared.len() } else { 0 }
    });
    bytes.sum()
}

/// The approximate size of a write in memory: its texts, and a constant for each value.
fn bytes_of(write: &StoreWrite) -> usize {
    let change = match write {
        StoreWrite::Change(change) => change,
        StoreWrite::Broker(write) => return bytes_of_broker(write),
    };
    let object = match &change.kind {
        StoredChangeKind::Put(object) => object.attributes.iter().map(|(key, value)| key.len() + weight(value)).sum(),
        StoredChangeKind::Delete { descendants } => descendants.iter().map(String::len).sum::<usize>(),
    };
    size_of::<StoredChange>() + object + weight(&change.patch) + bytes_before(&change.before)
}

fn bytes_before(before: &ReplacedState) -> usize {
    let attributes = |map: &Map<String, Value>| map.iter().map(|(key, value)| key.len() + weight(value)).sum::<usize>();
    match before {
        ReplacedState::Attributes(map) => attributes(map),
        ReplacedState::Objects(records) => {
            records.iter().map(|record| size_of_val(record) + attributes(&record.attributes)).sum()
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

fn weight(value: &Value) -> usize {
    let below = match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(weight).sum(),
        Value::Object(map) => map.iter().map(|(key, value)| key.len() + weight(value)).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    };
    size_of::<Value>() + below
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use serde_json::json;
    use stoa_state::mqtt::stored::{SessionName, StoredDelivery, StoredMessage};
    use stoa_state::scene::{StoredObject, UnixMillis};
    use stoa_state::time::{Time, UnixTime};
    use stoa_wire::packet::Qos;

    use super::*;

    fn write(text_bytes: usize) -> StoreWrite {
        let attributes = json!({"object_type": "text", "value": "x".repeat(text_bytes)});
        let object = StoredObject {
            object_id: "sign".into(),
            type_name: "object".into(),
            attributes: attributes.as_object().cloned().unwrap(),
            expires_at: None,
            created_at: UnixMillis(1),
            updated_at: UnixMillis(1),
        };
        StoreWrite::Change(StoredChange {
            scene: "public/lobby".parse().unwrap(),
            epoch: 1,
            revision: 1,
            at: Time::ZERO,
            unix_at: UnixMillis(1),
            author: "alice".into(),
            object_id: "sign".into(),
            kind: StoredChangeKind::Put(object),
            patch: json!({"action": "create", "data": attributes}),
            before: Box::new(ReplacedState::Objects(Vec::new())),
            guest_name: None,
        })
    }

    #[tokio::test]
    async fn a_slow_disk_holds_a_bounded_number_of_bytes_too() {
        let queue = ChangeQueue::default();
        let large = 256 * 1_024;
        let mut pushed = 0;
        while !queue.is_full() {
            queue.push_all(pushed, &mut vec![write(large)]);
            pushed += 1;
            assert!(pushed < 10_000, "the queue is full by bytes long before it is by number");
        }
        assert_eq!(pushed, (limits::CHANGES_QUEUED_BYTES_MAX / (2 * large)) as u64);
        queue.take().await.unwrap();
        assert!(!queue.is_full(), "what the writer has taken waits no more");
    }

    #[test]
    fn a_message_for_many_sessions_counts_once() {
        let packet = Bytes::from(vec![b'x'; 60_000]);
        let queued = |number: u64, packet: &Bytes| {
            let session = SessionName { subject: "ada".into(), client_id: number.to_string() };
            let write = SessionWrite::Queued(StoredDelivery {
                number,
                message: StoredMessage { packet: packet.clone(), taken_at: UnixTime(1) },
                qos: Qos::AtLeastOnce,
                retain: false,
                subscription_ids: Vec::new(),
                packet_id: None,
                released: false,
            });
            StoreWrite::Broker(BrokerWrite::Session { session: Arc::new(session), write })
        };
        let one: Vec<StoreWrite> = (0..100).map(|number| queued(number, &packet)).collect();
        let own: Vec<StoreWrite> = (0..100).map(|number| queued(number, &Bytes::copy_from_slice(&packet))).collect();
        let (one, own) = (bytes_of_all(&one), bytes_of_all(&own));
        assert!((60_000..200_000).contains(&one) && own > 6_000_000, "{one} {own}");
    }

    #[tokio::test]
    async fn after_a_failed_commit_nothing_is_stored_that_counts_from_it() {
        let queue = ChangeQueue::default();
        queue.push_all(1, &mut vec![write(1)]);
        assert_eq!(queue.take().await.map(|(through, writes)| (through, writes.len())), Some((1, 1)));
        queue.fail();
        queue.push_all(2, &mut vec![write(1)]);
        let taken = tokio::time::timeout(std::time::Duration::ZERO, queue.take()).await;
        assert!(taken.is_err(), "the realm does not know yet what it builds on");
        assert_eq!(queue.drop_after_failure(), 2, "so that fails too");
        queue.push_all(3, &mut vec![write(1)]);
        assert_eq!(
            queue.take().await.map(|(through, writes)| (through, writes.len())),
            Some((3, 1)),
            "what follows is taken"
        );
    }
}
