//! Old history goes in small steps, so that writes that wait for an acknowledgement never wait long.

use stoa_state::time::UnixTime;

use super::Sqlite;
use crate::store::{Keep, Pruned, StoreError, seconds};

/// Entries per transaction: a few milliseconds of the writer's time.
const STEP_ENTRIES: i64 = 5_000;

impl Sqlite {
    /// Removes what is older than `keep.age`, then the oldest until no more than `keep.bytes` are left.
    pub(super) async fn prune_history(&self, keep: Keep, now: UnixTime) -> Result<Pruned, StoreError> {
        let age_ms = i64::try_from(keep.age.as_millis()).unwrap_or(i64::MAX);
        let oldest_ms = seconds(now).saturating_mul(1_000).saturating_sub(age_ms);
        let bytes = i64::try_from(keep.bytes).unwrap_or(i64::MAX);
        let too_old: Option<i64> = sqlx::query_scalar("SELECT max(id) FROM log WHERE at_ms < ?")
            .bind(oldest_ms)
            .fetch_one(&self.reader)
            .await?;
        let too_much: Option<i64> = sqlx::query_scalar(
            "SELECT max(id) FROM (SELECT id, sum(size_bytes) OVER (ORDER BY id DESC) AS kept FROM log) WHERE kept > ?",
        )
        .bind(bytes)
        .fetch_one(&self.reader)
        .await?;
        let Some(last) = too_old.max(too_much) else { return Ok(Pruned::default()) };
        let mut pruned = Pruned::default();
        loop {
            let step = "DELETE FROM log WHERE id IN (SELECT id FROM log WHERE id <= ? ORDER BY id LIMIT ?)";
            let done = sqlx::query(step).bind(last).bind(STEP_ENTRIES).execute(&self.writer).await?;
            if done.rows_affected() == 0 {
                return Ok(pruned);
            }
            pruned.entries += done.rows_affected();
        }
    }
}
