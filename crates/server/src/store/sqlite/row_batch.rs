//! Group commit: rows added at the same time share one transaction, so other writes wait for a single commit and
//! not for one per row.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot::error::TryRecvError;
use tokio::sync::{Mutex as Turn, oneshot};

/// Waiting rows of one kind, each with a channel that reports its commit.
#[derive(Debug)]
pub(super) struct GroupCommitQueue<T> {
    waiting: Mutex<Vec<(T, oneshot::Sender<()>)>>,
    turn: Turn<()>,
}

impl<T> Default for GroupCommitQueue<T> {
    fn default() -> GroupCommitQueue<T> {
        GroupCommitQueue { waiting: Mutex::default(), turn: Turn::default() }
    }
}

impl<T: Clone> GroupCommitQueue<T> {
    /// Returns when the row is written, by this call's `write` together with all waiting rows, or by an earlier
    /// caller's. Returns an error of its own `write`; the other waiting callers then write again.
    pub(super) async fn add<E, F>(&self, row: T, write: impl FnOnce(Vec<T>) -> F) -> Result<(), E>
    where
        F: Future<Output = Result<(), E>>,
    {
        let mut written = self.wait(row.clone());
        let _turn = self.turn.lock().await;
        match written.try_recv() {
            Ok(()) => return Ok(()),
            Err(TryRecvError::Empty) => {}
            // The caller that had taken the row failed or was cancelled.
            Err(TryRecvError::Closed) => drop(self.wait(row)),
        }
        let taken = std::mem::take(&mut *self.lock());
        let (rows, writers): (Vec<T>, Vec<_>) = taken.into_iter().unzip();
        write(rows).await?;
        for writer in writers {
            // Its caller may have been cancelled.
            let _ = writer.send(());
        }
        Ok(())
    }

    fn wait(&self, row: T) -> oneshot::Receiver<()> {
        let (told, written) = oneshot::channel();
        self.lock().push((row, told));
        written
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(T, oneshot::Sender<()>)>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use futures_util::future::join_all;
    use tokio::task::yield_now;

    use super::*;

    #[tokio::test]
    async fn concurrent_rows_share_few_commits_and_none_is_lost() {
        let (gathering, commits) = (GroupCommitQueue::default(), Mutex::new(Vec::new()));
        let add = |number: u32| {
            gathering.add(number, async |rows: Vec<u32>| {
                yield_now().await;
                commits.lock().unwrap().push(rows);
                Ok::<(), ()>(())
            })
        };
        assert!(join_all((0..5_000).map(add)).await.into_iter().all(|added| added.is_ok()));
        let commits = commits.into_inner().unwrap();
        assert!(commits.len() <= 3, "{}", commits.len());
        let mut rows: Vec<u32> = commits.into_iter().flatten().collect();
        rows.sort_unstable();
        assert_eq!(rows, (0..5_000).collect::<Vec<u32>>());
    }

    #[tokio::test]
    async fn a_failed_group_commit_fails_one_row_and_retries_the_rest() {
        let (gathering, commits) = (GroupCommitQueue::default(), Mutex::new(Vec::new()));
        let add = |number: u32| {
            gathering.add(number, async |rows: Vec<u32>| {
                yield_now().await;
                let is_first = rows.len() > 1;
                if !is_first {
                    commits.lock().unwrap().extend(rows);
                }
                if is_first { Err("the disk is full") } else { Ok(()) }
            })
        };
        let added = join_all((0..10).map(add)).await;
        let failed: Vec<usize> = (0..10).filter(|index| added[*index].is_err()).collect();
        let stored = commits.into_inner().unwrap();
        assert_eq!((failed.len(), stored.len()), (1, 9), "{failed:?} {stored:?}");
        assert!(!stored.contains(&(failed[0] as u32)));
    }
}
