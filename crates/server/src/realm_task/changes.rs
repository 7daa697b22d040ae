//! From the realm to the disk: changes wait in a queue, the writer takes all of them at once and stores them in one transaction (group commit).

use std::sync::{Arc, Mutex, MutexGuard};

use stoa_state::scene::Change;
use tokio::sync::{Notify, mpsc};

use crate::limits;
use crate::store::Store;

/// Changes that wait for the disk. The realm never waits for it: it stops taking from connections while the queue is full.
#[derive(Debug, Default)]
pub struct ChangeQueue {
    waiting: Mutex<Waiting>,
    wake: Notify,
}

#[derive(Debug, Default)]
struct Waiting {
    changes: Vec<Change>,
    /// The sequence of the last of them.
    through: u64,
    ended: bool,
}

/// What became of all changes up to a sequence that had no verdict yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// They are on disk.
    Stored(u64),
    /// They are not, and won't be.
    Failed(u64),
}

impl ChangeQueue {
    pub(super) fn push(&self, sequence: u64, change: Change) {
        let mut waiting = self.lock();
        waiting.changes.push(change);
        waiting.through = sequence;
    }

    pub(super) fn wake(&self) {
        self.wake.notify_one();
    }

    pub(super) fn is_full(&self) -> bool {
        self.lock().changes.len() >= limits::CHANGES_QUEUED_MAX
    }

    /// No more will come.
    pub(super) fn end(&self) {
        self.lock().ended = true;
        self.wake();
    }

    /// All that waits, or `None` at the end.
    async fn take(&self) -> Option<(u64, Vec<Change>)> {
        loop {
            {
                let mut waiting = self.lock();
                if !waiting.changes.is_empty() {
                    return Some((waiting.through, std::mem::take(&mut waiting.changes)));
                }
                if waiting.ended {
                    return None;
                }
            }
            self.wake.notified().await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().expect("no code panics while it holds this lock")
    }
}

/// Stores what comes into `queue` until it ends, and says what became of it. A failing disk refuses changes; it doesn't end the realm.
pub async fn write_changes(store: Store, queue: Arc<ChangeQueue>, verdicts: mpsc::Sender<Verdict>) {
    while let Some((through, changes)) = queue.take().await {
        let count = changes.len();
        let verdict = match store.append(changes).await {
            Ok(()) => Verdict::Stored(through),
            Err(error) => {
                tracing::error!(%error, count, "changes could not be stored; their senders are told");
                Verdict::Failed(through)
            }
        };
        // The realm task may have ended already: what was accepted is stored all the same.
        let _ = verdicts.send(verdict).await;
    }
}
