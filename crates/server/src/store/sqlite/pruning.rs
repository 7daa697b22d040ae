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

/// Entries counted per transaction, fewer than deleted ones: a count reads through the texts of each entry.
const STEP_COUNTED: i64 = 500;

/// The beginning of all guests' ids. No account's name has it.
const GUEST_PREFIX: &str = "anonymous-";

/// Each scene with entries from before a time, and the newest revision of such an entry.
const NEWEST_OLD: &str = "SELECT scenes.id,
 (SELECT max(revision) FROM log INDEXED BY log_by_scene_time WHERE log.scene_id = scenes.id AND at_ms < ?) AS newest
 FROM scenes WHERE newest IS NOT NULL";

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
        self.count_shares().await?;
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

    /// Adds the entries since the last count to the authors' shares of the scenes' logs. To count each entry as it is
    /// written would cost 4 % of the server's time for stored messages.
    async fn count_shares(&self) -> Result<(), StoreError> {
        const LAST: &str = "SELECT max(id) FROM (SELECT id FROM log
             WHERE id > (SELECT through FROM log_counted) ORDER BY id LIMIT ?)";
        const COUNT: &str = "INSERT INTO log_shares (scene_id, author, size_bytes)
             SELECT scene_id, author, sum(size_bytes) FROM log
             WHERE id > (SELECT through FROM log_counted) AND id <= ? GROUP BY scene_id, author
             ON CONFLICT (scene_id, author) DO UPDATE SET size_bytes = size_bytes + excluded.size_bytes";
        loop {
            let mut transaction = self.writer.begin().await?;
            let last = sqlx::query_scalar(LAST).bind(STEP_COUNTED).fetch_one(&mut *transaction).await?;
            let Some(last): Option<i64> = last else { return Ok(()) };
            sqlx::query(COUNT).bind(last).execute(&mut *transaction).await?;
            sqlx::query("UPDATE log_counted SET through = ?").bind(last).execute(&mut *transaction).await?;
            transaction.commit().await?;
        }
    }

    /// Removes each scene's entries up to the newest one that is older than `age`. Returns their number.
    async fn prune_old(&self, age: Duration, now: UnixSeconds) -> Result<u64, StoreError> {
        const STEP: &str = "DELETE FROM log WHERE id IN
             (SELECT id FROM log WHERE scene_id = ? AND revision <= ? ORDER BY revision LIMIT ?)";
        let age_ms = i64::try_from(age.as_millis()).unwrap_or(i64::MAX);
        let oldest_ms = seconds(now).saturating_mul(1_000).saturating_sub(age_ms);
        let scenes: Vec<(i64, i64)> = sqlx::query_as(NEWEST_OLD).bind(oldest_ms).fetch_all(&self.reader).await?;
        let mut entries = 0;
        for (scene_id, newest) in scenes {
            loop {
                let step = sqlx::query(STEP).bind(scene_id).bind(newest).bind(STEP_ENTRIES);
                let removed = step.execute(&self.writer).await?.rows_affected();
                if removed == 0 {
                    break;
                }
                entries += removed;
            }
        }
        Ok(entries)
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

    /// Removes an author's entries up to a revision. Older entries of other authors may remain. Then, unless a later
    /// entry marks a gap already, an empty entry marks this one: the scene can't be restored beyond it. Returns the
    /// number of removed entries.
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

/// The shares above the level at which all shares together have `capacity`, each with its bytes above the level.
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

#[cfg(test)]
mod tests {
    use sqlx::Row;

    use super::*;

    /// Two scenes with entries at `times` (seconds), the first entry first.
    async fn two_scenes_with_entries(times: [&[i64]; 2]) -> (tempfile::TempDir, Sqlite) {
        let dir = tempfile::tempdir().unwrap();
        let store = Sqlite::open(&dir.path().join("realm.sqlite")).await.unwrap();
        for (scene_id, times) in (1_i64..).zip(times) {
            let scene = "INSERT INTO scenes (id, namespace, scene, settings) VALUES (?1, 'public', ?1, '{}')";
            sqlx::query(scene).bind(scene_id).execute(&store.writer).await.unwrap();
            for (revision, at_s) in (1_i64..).zip(times) {
                add_entry(&store, scene_id, revision, *at_s).await;
            }
        }
        (dir, store)
    }

    async fn add_entry(store: &Sqlite, scene_id: i64, revision: i64, at_s: i64) {
        const ENTRY: &str = "INSERT INTO log (scene_id, revision, at_ms, author, object_id, patch, changes, size_bytes)
             VALUES (?, ?, ? * 1000, 'ada', 'lamp', '{}', 1, 4)";
        let entry = sqlx::query(ENTRY).bind(scene_id).bind(revision).bind(at_s);
        entry.execute(&store.writer).await.unwrap();
    }

    async fn remove_entries(store: &Sqlite, ids: std::ops::RangeInclusive<i64>) {
        let remove = sqlx::query("DELETE FROM log WHERE id BETWEEN ? AND ?").bind(*ids.start()).bind(*ids.end());
        remove.execute(&store.writer).await.unwrap();
    }

    async fn revisions(store: &Sqlite, scene_id: i64) -> Vec<i64> {
        let all = sqlx::query_scalar("SELECT revision FROM log WHERE scene_id = ? ORDER BY revision").bind(scene_id);
        all.fetch_all(&store.reader).await.unwrap()
    }

    #[tokio::test]
    async fn pruning_by_age_leaves_no_gap_where_the_clock_went_back() {
        let (_dir, store) = two_scenes_with_entries([&[50, 90, 40, 95], &[60, 70]]).await;
        assert_eq!(store.prune_old(Duration::from_secs(10), UnixSeconds(60)).await.unwrap(), 3);
        assert_eq!(revisions(&store, 1).await, [4]);
        assert_eq!(revisions(&store, 2).await, [1, 2], "negative control: nothing in it is too old");
        assert_eq!(store.prune_old(Duration::from_secs(10), UnixSeconds(71)).await.unwrap(), 1);
        assert_eq!(revisions(&store, 2).await, [2]);
    }

    /// The counted bytes of each scene's log.
    async fn counted(store: &Sqlite) -> Vec<(i64, i64)> {
        const COUNTED: &str = "SELECT scene_id, size_bytes FROM log_shares ORDER BY scene_id";
        store.count_shares().await.unwrap();
        sqlx::query_as(COUNTED).fetch_all(&store.reader).await.unwrap()
    }

    #[tokio::test]
    async fn history_shares_count_each_entry_once_when_row_ids_are_reused() {
        let (_dir, store) = two_scenes_with_entries([&[1; 600], &[2, 2]]).await;
        assert_eq!(counted(&store).await, [(1, 2_400), (2, 8)]);
        remove_entries(&store, 601..=602).await;
        add_entry(&store, 1, 601, 3).await;
        remove_entries(&store, 601..=601).await;
        add_entry(&store, 1, 602, 3).await;
        assert_eq!(counted(&store).await, [(1, 2_404)]);
        remove_entries(&store, 600..=600).await;
        add_entry(&store, 2, 1, 3).await;
        assert_eq!(counted(&store).await, [(1, 2_400), (2, 4)]);
    }

    #[tokio::test]
    async fn pruning_by_age_reads_only_old_entries() {
        let (_dir, store) = two_scenes_with_entries([&[1], &[2]]).await;
        let plan = sqlx::query(sqlx::AssertSqlSafe(format!("EXPLAIN QUERY PLAN {NEWEST_OLD}")));
        let plan = plan.fetch_all(&store.reader).await.unwrap();
        let steps: Vec<String> = plan.iter().map(|row| row.get("detail")).collect();
        let by_time = "SEARCH log USING COVERING INDEX log_by_scene_time (scene_id=? AND at_ms<?)";
        assert!(steps.iter().any(|step| step == by_time), "{steps:?}");
        assert!(!steps.iter().any(|step| step.starts_with("SCAN log")), "{steps:?}");
    }
}
