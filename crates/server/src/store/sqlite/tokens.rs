//! Issued and revoked tokens in SQLite.

use async_trait::async_trait;
use stoa_state::grant::Claims;
use stoa_state::time::UnixSeconds;

use super::Sqlite;
use crate::limits;
use crate::store::{StoreError, TokenStorage, seconds};

/// The recorded part of a token.
#[derive(Clone, Debug)]
pub(super) struct TokenRow {
    jti: String,
    sub: String,
    expires: UnixSeconds,
}

impl Sqlite {
    async fn record_tokens(&self, rows: Vec<TokenRow>) -> Result<(), StoreError> {
        let mut transaction = self.writer.begin().await?;
        for row in &rows {
            sqlx::query(
                "INSERT INTO tokens (jti, sub, expires_s) VALUES (?, ?, ?)
                 ON CONFLICT (jti) DO UPDATE SET sub = excluded.sub, expires_s = excluded.expires_s",
            )
            .bind(&row.jti)
            .bind(&row.sub)
            .bind(seconds(row.expires))
            .execute(&mut *transaction)
            .await?;
        }
        Ok(transaction.commit().await?)
    }
}

#[async_trait]
impl TokenStorage for Sqlite {
    async fn record_token(&self, claims: &Claims) -> Result<(), StoreError> {
        let row = TokenRow { jti: claims.jti.clone(), sub: claims.sub.clone(), expires: claims.exp };
        self.tokens.add(row, |rows| self.record_tokens(rows)).await
    }

    async fn revoke_token(&self, jti: &str) -> Result<(), StoreError> {
        sqlx::query("INSERT INTO tokens (jti, revoked) VALUES (?, 1) ON CONFLICT (jti) DO UPDATE SET revoked = 1")
            .bind(jti)
            .execute(&self.writer)
            .await?;
        Ok(())
    }

    async fn revoked_jtis(&self) -> Result<Vec<String>, StoreError> {
        Ok(sqlx::query_scalar("SELECT jti FROM tokens WHERE revoked ORDER BY jti").fetch_all(&self.reader).await?)
    }

    async fn revoke_tokens_of(&self, sub: &str, now: UnixSeconds) -> Result<Vec<String>, StoreError> {
        let query = "UPDATE tokens SET revoked = 1 WHERE sub = ? AND expires_s > ? RETURNING jti";
        Ok(sqlx::query_scalar(query).bind(sub).bind(seconds(now)).fetch_all(&self.writer).await?)
    }

    async fn forget_tokens(&self, now: UnixSeconds) -> Result<(), StoreError> {
        let long_ago = UnixSeconds(now.0.saturating_sub(limits::REVOKED_KEPT.as_secs()));
        sqlx::query("DELETE FROM tokens WHERE expires_s <= CASE revoked WHEN 0 THEN ? ELSE ? END")
            .bind(seconds(now))
            .bind(seconds(long_ago))
            .execute(&self.writer)
            .await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use futures_util::future::join_all;

    use super::*;

    #[tokio::test]
    async fn many_tokens_at_once_are_all_recorded_and_share_commits() {
        let dir = tempfile::tempdir().unwrap();
        let store = Sqlite::open(&dir.path().join("realm.sqlite")).await.unwrap();
        let checkpoint = async || {
            let row = sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").fetch_one(&store.writer).await.unwrap();
            assert_eq!(sqlx::Row::get::<i64, _>(&row, 0), 0, "nobody reads meanwhile");
        };
        checkpoint().await;
        let claims: Vec<Claims> = (0..300).map(|_| crate::identity::claims::of_realm_owner("alice", 60)).collect();
        assert!(join_all(claims.iter().map(|claims| store.record_token(claims))).await.iter().all(Result::is_ok));
        let row = sqlx::query("PRAGMA wal_checkpoint(PASSIVE)").fetch_one(&store.writer).await.unwrap();
        let pages: i64 = sqlx::Row::get(&row, 1);
        assert!(pages < 150, "{pages} pages were written: each commit writes one at least");
        let mut recorded = store.revoke_tokens_of("alice", UnixSeconds(0)).await.unwrap();
        recorded.sort_unstable();
        let mut jtis: Vec<&str> = claims.iter().map(|claims| &*claims.jti).collect();
        jtis.sort_unstable();
        assert_eq!(recorded, jtis);
    }
}
