//! Passes changes from the realm to the disk. The writer takes as many queued changes as one transaction may write, and
//! stores them in it (group commit).

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use stoa_state::realm::{DatabaseSize, StoreWrite};
use tokio::sync::{Notify, mpsc};
use tokio::time::{MissedTickBehavior, interval};

use crate::limits;
use crate::store::Store;

/// The writes of one input, or of several that share a transaction.
#[derive(Debug, Default)]
pub(super) struct InputWrites {
    pub(super) writes: Vec<StoreWrite>,
    /// Approximate size in memory.
    pub(super) bytes: usize,
    /// Sequence number of the last write.
    pub(super) through: u64,
}

/// Changes waiting for the disk. The realm never waits for the disk: it bounds the bytes of waiting changes, and
/// refuses further ones.
#[derive(Debug, Default)]
pub(crate) struct PendingChangeQueue {
    queued: Mutex<StoreWriteBacklog>,
    wake: Notify,
}

#[derive(Debug, Default)]
struct StoreWriteBacklog {
    writes: VecDeque<StoreWrite>,
    /// The writes grouped by the input that made them.
    inputs: VecDeque<AtomicWriteGroup>,
    /// Sequence number of the last queued write.
    through: u64,
    ended: bool,
    /// A commit failed and the realm doesn't know yet. The realm's outputs since then build on the lost changes.
    failed: bool,
}

/// The writes of one input, of which no commit contains only a part.
#[derive(Debug)]
struct AtomicWriteGroup {
    count: usize,
    /// Approximate size in memory.
    bytes: usize,
    /// Sequence number of the last write.
    through: u64,
}

/// The result of the last commit, or a measurement of the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CommitOutcome {
    /// All changes up to a sequence number are on disk.
    Stored {
        /// The sequence number.
        through: u64,
        /// The database's size, at most [`limits::MEASURE_BYTES`] of changes ago.
        size: DatabaseSize,
    },
    /// The changes of the commit are lost.
    Failed,
    /// The database's size, measured at intervals. It may have become smaller without a commit.
    Measured(DatabaseSize),
}

impl StoreWriteBacklog {
    fn take_first(&mut self) -> InputWrites {
        let (mut count, mut bytes, mut through) = (0, 0, self.through);
        while let Some(input) =
            self.inputs.pop_front_if(|input| count == 0 || bytes + input.bytes <= limits::TRANSACTION_BYTES_MAX)
        {
            (count, bytes, through) = (count + input.count, bytes + input.bytes, input.through);
        }
        let writes = self.writes.drain(..count).collect();
        if self.writes.is_empty() {
            // Frees the memory of a burst.
            self.writes.shrink_to(limits::INPUTS_BATCH_MAX);
            self.inputs.shrink_to(limits::INPUTS_BATCH_MAX);
        }
        InputWrites { writes, bytes, through }
    }
}

impl PendingChangeQueue {
    /// Queues all writes of one input at once, so that no group commit contains only a part of them. Takes the writes
    /// out of `input`.
    pub(super) fn push_all(&self, input: &mut InputWrites) {
        let InputWrites { writes, bytes, through } = input;
        let mut queued = self.lock();
        queued.inputs.push_back(AtomicWriteGroup {
            count: writes.len(),
            bytes: std::mem::take(bytes),
            through: *through,
        });
        queued.writes.extend(writes.drain(..));
        queued.through = *through;
    }

    pub(super) fn wake(&self) {
        self.wake.notify_one();
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
        queued.inputs.clear();
        queued.through
    }

    /// Takes the first queued writes: those of one input, and those of more up to [`limits::TRANSACTION_BYTES_MAX`].
    /// Returns `None` at the end.
    async fn take(&self) -> Option<InputWrites> {
        loop {
            {
                let mut queued = self.lock();
                if !queued.writes.is_empty() && !queued.failed {
                    return Some(queued.take_first());
                }
                if queued.ended {
                    return None;
                }
            }
            self.wake.notified().await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, StoreWriteBacklog> {
        self.queued.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Stores queued changes until the queue ends and reports the results. A failed commit loses its changes but doesn't
/// stop the realm.
pub(crate) async fn write_changes(store: Store, queue: Arc<PendingChangeQueue>, outcomes: mpsc::Sender<CommitOutcome>) {
    let mut measuring = interval(limits::MEASURE_PERIOD);
    measuring.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let (mut size, mut unmeasured_bytes) = (store.database_size(), 0);
    loop {
        let taken = tokio::select! {
            biased;
            taken = queue.take() => taken,
            _ = measuring.tick() => {
                (size, unmeasured_bytes) = (store.database_size(), 0);
                // If the channel is full, a later measurement serves too.
                let _ = outcomes.try_send(CommitOutcome::Measured(size));
                continue;
            }
        };
        let Some(InputWrites { writes, bytes, through }) = taken else { return };
        let (count, began) = (writes.len(), Instant::now());
        let outcome = match store.append(writes).await {
            Ok(()) => {
                unmeasured_bytes += bytes;
                if unmeasured_bytes >= limits::MEASURE_BYTES {
                    (size, unmeasured_bytes) = (store.database_size(), 0);
                }
                CommitOutcome::Stored { through, size }
            }
            Err(error) => {
                tracing::error!(%error, count, "changes could not be stored; their senders are told");
                queue.fail();
                CommitOutcome::Failed
            }
        };
        // Accepted changes are stored even if the realm task has ended.
        let _ = outcomes.send(outcome).await;
        if let Some(pause) = pause_after(count, began.elapsed()) {
            tokio::time::sleep(pause).await;
        }
    }
}

/// The pause after a commit of `writes` that took `took`, so that under load more changes share the next one. A change
/// that was alone doesn't delay the next one, and many changes are worth a commit of their own.
fn pause_after(writes: usize, took: Duration) -> Option<Duration> {
    let is_few = (2..limits::COMMIT_WRITES_MANY).contains(&writes);
    limits::COMMIT_PERIOD.checked_sub(took).filter(|_| is_few)
}

#[cfg(test)]
mod tests {
    use stoa_state::mqtt::stored::{BrokerWrite, StoredMessage, StoredRetained};
    use stoa_state::time::UnixSeconds;
    use stoa_wire::packet::Qos;
    use stoa_wire::topic::Topic;

    use super::*;

    fn write() -> StoreWrite {
        StoreWrite::Broker(BrokerWrite::Retain { topic: Topic::parse("a/b").unwrap(), message: None })
    }

    fn input(through: u64, bytes: usize) -> InputWrites {
        InputWrites { writes: vec![write()], bytes, through }
    }

    #[tokio::test]
    async fn a_transaction_takes_whole_inputs_up_to_its_size_limit() {
        let queue = PendingChangeQueue::default();
        let third = limits::TRANSACTION_BYTES_MAX / 3;
        for (through, bytes) in [(1, third), (2, third), (3, 2 * third), (4, 5 * third), (5, 1)] {
            queue.push_all(&mut input(through, bytes));
        }
        let taken = async || queue.take().await.map(|taken| (taken.through, taken.writes.len()));
        assert_eq!(taken().await, Some((2, 2)));
        assert_eq!(taken().await, Some((3, 1)));
        assert_eq!(taken().await, Some((4, 1)), "one input is never divided");
        queue.end();
        assert_eq!(taken().await, Some((5, 1)), "all is taken before the end");
        assert_eq!(taken().await, None);
    }

    #[test]
    fn commits_of_a_few_changes_begin_a_period_apart() {
        let third = limits::COMMIT_PERIOD / 3;
        for writes in [2, limits::COMMIT_WRITES_MANY - 1] {
            assert_eq!(pause_after(writes, third), Some(limits::COMMIT_PERIOD - third));
            assert_eq!(pause_after(writes, 2 * limits::COMMIT_PERIOD), None, "a slow disk has its own period");
        }
        assert_eq!(pause_after(1, third), None, "a change that was alone");
        assert_eq!(pause_after(limits::COMMIT_WRITES_MANY, third), None, "many changes");
    }

    #[tokio::test]
    async fn the_size_of_the_database_is_reported_at_the_start_and_after_many_changes() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path()).await.unwrap();
        store.limit_size(7);
        let queue = Arc::new(PendingChangeQueue::default());
        let (sender, mut outcomes) = mpsc::channel(1);
        let writing = tokio::spawn(write_changes(store.clone(), Arc::clone(&queue), sender));
        let measured = DatabaseSize { bytes_max: 7, ..store.database_size() };
        assert_eq!(outcomes.recv().await, Some(CommitOutcome::Measured(measured)));
        let topic = Topic::parse("a/b").unwrap();
        let message = StoredMessage { packet: vec![0; 10_000].into(), taken_at: UnixSeconds(1) };
        let retained = StoredRetained { topic: topic.clone(), subject: "ada".into(), qos: Qos::AtMostOnce, message };
        let retain = StoreWrite::Broker(BrokerWrite::Retain { topic, message: Some(retained) });
        let mut stored = async |through, bytes| {
            queue.push_all(&mut InputWrites { writes: vec![retain.clone()], bytes, through });
            queue.wake();
            outcomes.recv().await
        };
        let few = stored(1, limits::MEASURE_BYTES - 1).await;
        assert_eq!(few, Some(CommitOutcome::Stored { through: 1, size: measured }));
        let many = stored(2, 1).await;
        let size = store.database_size();
        assert_eq!(many, Some(CommitOutcome::Stored { through: 2, size }));
        assert!(size.bytes > measured.bytes && size.bytes_max == 7, "negative control: {size:?}");
        queue.end();
        writing.await.unwrap();
    }

    #[tokio::test]
    async fn changes_queued_after_a_failed_commit_are_dropped() {
        let queue = PendingChangeQueue::default();
        queue.push_all(&mut input(1, 1));
        assert_eq!(queue.take().await.map(|taken| (taken.through, taken.writes.len())), Some((1, 1)));
        queue.fail();
        queue.push_all(&mut input(2, 1));
        let taken = tokio::time::timeout(std::time::Duration::ZERO, queue.take()).await;
        assert!(taken.is_err(), "the realm does not know yet what it builds on");
        assert_eq!(queue.drop_after_failure(), 2, "so that fails too");
        queue.push_all(&mut input(3, 1));
        assert_eq!(
            queue.take().await.map(|taken| (taken.through, taken.writes.len())),
            Some((3, 1)),
            "what follows is taken"
        );
    }
}
