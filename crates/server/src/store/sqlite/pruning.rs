//! Prunes the log: old entries, then the oldest ones of the largest shares. A scene's size decides first, then an
//! author's within it, and guests come before members. Small steps keep acknowledged writes from waiting long.

use std::time::Duration;

use stoa_state::ledger::{UseAndWeight, water_level};
use stoa_state::time::UnixSeconds;

use super::Sqlite;
use crate::limits;
use crate::store::{HistoryRetention, PrunedHistory, StoreError, seconds};

/// Entries deleted per transaction: a few milliseconds of the writer's time.
const STEP_ENTRIES: i64 = 5_000;

/// The beginning of all guests' names. No account has it.
const GUEST_PREFIX: &str = "anonymous-";

/// Logged bytes of a scene, by its id, or of an author.
#[derive(Clone, Debug)]
struct LogShare<K> {
    key: K,
    bytes: u64,
}

impl Sqlite {
    /// Removes entries older than `keep.age`, then those of the largest shares until about `keep.bytes` are left.
    pub(super) async fn prune_history(
        &self,
        keep: HistoryRetention,
        now: UnixSeconds,
    ) -> Result<PrunedHistory, StoreError> {
        self.growth.reset();
        let mut pruned = PrunedHistory { entries: self.prune_old(keep.age, now).await? };
        let sizes: Vec<(i64, i64)> =
            sqlx::query_as("SELECT scene_id, sum(size_bytes) FROM log_shares GROUP BY scene_id")
                .fetch_all(&self.reader)
                .await?;
        let scenes = sizes.into_iter().map(|(key, bytes)| LogShare { key, bytes: bytes.unsigned_abs() }).collect();
        for scene in above_level(scenes, keep.bytes) {
            pruned.entries += self.prune_scene(scene).await?;
        }
        Ok(pruned)
    }

    /// Removes entries in the order of their ids, until a step has some that are not too old.
    async fn prune_old(&self, age: Duration, now: UnixSeconds) -> Result<u64, StoreError> {
        const STEP: &str = "DELETE FROM log WHERE id IN (SELECT id FROM log ORDER BY id LIMIT ?) AND at_ms < ?";
        let age_ms = i64::try_from(age.as_millis()).unwrap_or(i64::MAX);
        let oldest_ms = seconds(now).saturating_mul(1_000).saturating_sub(age_ms);
        let mut entries = 0;
        loop {
            let done = sqlx::query(STEP).bind(STEP_ENTRIES).bind(oldest_ms).execute(&self.writer).await?;
            entries += done.rows_affected();
            if done.rows_affected() < STEP_ENTRIES as u64 {
                return Ok(entries);
            }
        }
    }

    /// Removes `excess.bytes` of a scene's log. Returns the number of removed entries.
    async fn prune_scene(&self, excess: LogShare<i64>) -> Result<u64, StoreError> {
        let sizes: Vec<(String, i64)> = sqlx::query_as("SELECT author, size_bytes FROM log_shares WHERE scene_id = ?")
            .bind(excess.key)
            .fetch_all(&self.reader)
            .await?;
        let authors = sizes.into_iter().map(|(key, bytes)| LogShare { key, bytes: bytes.unsigned_abs() });
        let (guests, members): (Vec<_>, Vec<_>) = authors.partition(|author| author.key.starts_with(GUEST_PREFIX));
        let of_guests = excess.bytes.min(total(&guests));
        let mut entries = 0;
        for (authors, bytes) in [(guests, of_guests), (members, excess.bytes - of_guests)] {
            let left = total(&authors).saturating_sub(bytes);
            for author in above_level(authors, left) {
                entries += self.prune_author(excess.key, author).await?;
            }
        }
        Ok(entries)
    }

    /// Removes the oldest entries of an author in a scene, of `excess.bytes` together. Returns their number.
    async fn prune_author(&self, scene_id: i64, excess: LogShare<String>) -> Result<u64, StoreError> {
        let (mut entries, mut left) = (0, excess.bytes);
        while left > 0 {
            let oldest =
                "SELECT revision, size_bytes FROM log WHERE scene_id = ? AND author = ? ORDER BY revision LIMIT ?";
            let oldest = sqlx::query_as(oldest).bind(scene_id).bind(&excess.key).bind(STEP_ENTRIES);
            let oldest: Vec<(i64, i64)> = oldest.fetch_all(&self.reader).await?;
            let most = left.min(limits::TRANSACTION_BYTES_MAX as u64);
            let (mut freed, mut last) = (0, None);
            for (revision, bytes) in oldest {
                if freed >= most {
                    break;
                }
                (freed, last) = (freed + bytes.unsigned_abs(), Some(revision));
            }
            let Some(last) = last.filter(|_| freed > 0) else { break };
            entries += self.remove_through(scene_id, &excess.key, last).await?;
            left = left.saturating_sub(freed);
        }
        Ok(entries)
    }

    /// Removes an author's entries up to a revision. If older entries of other authors stay, an empty entry marks the
    /// gap, because the scene can't be restored beyond it. Returns the number of removed entries.
    async fn remove_through(&self, scene_id: i64, author: &str, revision: i64) -> Result<u64, StoreError> {
        const OLDER: &str = "DELETE FROM log WHERE scene_id = ?1 AND author = ?2 AND revision < ?3";
        const OLDER_MARKS: &str = "DELETE FROM log WHERE scene_id = ?1 AND before IS NULL AND changes = 0
             AND revision < ?2";
        const MARK: &str = "UPDATE log SET patch = '{}', before = NULL, changes = 0, size_bytes = 0
             WHERE scene_id = ?1 AND author = ?2 AND revision = ?3
             AND EXISTS (SELECT 1 FROM log WHERE scene_id = ?1 AND revision < ?3)
             AND NOT EXISTS (SELECT 1 FROM log WHERE scene_id = ?1 AND before IS NULL AND revision > ?3)";
        const LAST: &str = "DELETE FROM log WHERE scene_id = ?1 AND author = ?2 AND revision = ?3";
        let mut transaction = self.writer.begin().await?;
        sqlx::query(OLDER_MARKS).bind(scene_id).bind(revision).execute(&mut *transaction).await?;
        let older = sqlx::query(OLDER).bind(scene_id).bind(author).bind(revision).execute(&mut *transaction).await?;
        let marked = sqlx::query(MARK).bind(scene_id).bind(author).bind(revision).execute(&mut *transaction).await?;
        if marked.rows_affected() == 0 {
            sqlx::query(LAST).bind(scene_id).bind(author).bind(revision).execute(&mut *transaction).await?;
        }
        transaction.commit().await?;
        Ok(older.rows_affected() + 1)
    }
}

/// The shares above the level at which all shares together have `capacity`, each with its bytes above it.
fn above_level<K>(shares: Vec<LogShare<K>>, capacity: u64) -> Vec<LogShare<K>> {
    let mut uses: Vec<UseAndWeight> =
        shares.iter().map(|share| UseAndWeight { amount: share.bytes, weight: 1 }).collect();
    let level = water_level(&mut uses, capacity);
    let above = shares.into_iter().filter(|share| share.bytes > level);
    above.map(|share| LogShare { bytes: share.bytes - level, ..share }).collect()
}

fn total<K>(shares: &[LogShare<K>]) -> u64 {
    shares.iter().map(|share| share.bytes).sum()
}
