//! Passes changes from the realm to the disk. The writer takes all queued changes at once and stores them in one
//! transaction (group commit).

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use stoa_state::realm::StoreWrite;
use tokio::sync::{Notify, mpsc};

use crate::store::Store;

/// Changes waiting for the disk. The realm never waits for it: it bounds their bytes, and refuses further ones.
#[derive(Debug, Default)]
pub(crate) struct ChangeQueue {
    queued: Mutex<QueuedChanges>,
    wake: Notify,
}

#[derive(Debug, Default)]
struct QueuedChanges {
    writes: Vec<StoreWrite>,
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
        let mut queued = self.lock();
        queued.writes.append(writes);
        queued.through = through;
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
        queued.through
    }

    /// All queued writes, or `None` at the end.
    async fn take(&self) -> Option<(u64, Vec<StoreWrite>)> {
        loop {
            {
                let mut queued = self.lock();
                if !queued.writes.is_empty() && !queued.failed {
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

#[cfg(test)]
mod tests {
    use stoa_state::mqtt::stored::BrokerWrite;
    use stoa_wire::topic::Topic;

    use super::*;

    fn write() -> StoreWrite {
        StoreWrite::Broker(BrokerWrite::Retain { topic: Topic::parse("a/b").unwrap(), message: None })
    }

    #[tokio::test]
    async fn after_a_failed_commit_nothing_is_stored_that_counts_from_it() {
        let queue = ChangeQueue::default();
        queue.push_all(1, &mut vec![write()]);
        assert_eq!(queue.take().await.map(|(through, writes)| (through, writes.len())), Some((1, 1)));
        queue.fail();
        queue.push_all(2, &mut vec![write()]);
        let taken = tokio::time::timeout(std::time::Duration::ZERO, queue.take()).await;
        assert!(taken.is_err(), "the realm does not know yet what it builds on");
        assert_eq!(queue.drop_after_failure(), 2, "so that fails too");
        queue.push_all(3, &mut vec![write()]);
        assert_eq!(
            queue.take().await.map(|(through, writes)| (through, writes.len())),
            Some((3, 1)),
            "what follows is taken"
        );
    }
}
