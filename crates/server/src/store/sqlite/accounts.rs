//! Accounts in SQLite.

use async_trait::async_trait;
use sqlx::Row;
use sqlx::sqlite::SqliteRow;
use stoa_state::time::UnixSeconds;

use super::Sqlite;
use crate::limits;
use crate::store::{AccountRow, AccountStorage, OwnerRedemptionOutcome, SecretHash, StoreError, WebSession, seconds};

fn account_from_row(row: &SqliteRow) -> Result<AccountRow, sqlx::Error> {
    Ok(AccountRow {
        name: row.try_get("name")?,
        password: row.try_get("password")?,
        realm_owner: row.try_get("realm_owner")?,
        created: UnixSeconds(row.try_get::<i64, _>("created_s")?.max(0).unsigned_abs()),
    })
}

pub(super) const ADD: &str =
    "INSERT INTO accounts (name, password, realm_owner, created_s) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING";

const LINK_IS_GOOD: &str = "SELECT EXISTS (SELECT 1 FROM owner_link WHERE secret_hash = ? AND expires_s > ?)
    AND NOT EXISTS (SELECT 1 FROM accounts WHERE realm_owner)";

const IS_LAST_OWNER: &str = "SELECT EXISTS (SELECT 1 FROM accounts WHERE name = ?1 AND realm_owner)
    AND NOT EXISTS (SELECT 1 FROM accounts WHERE name <> ?1 AND realm_owner)";

/// Ends an account's oldest sessions beyond a number. Several sessions may begin within a second; the new one is kept.
const END_OLDEST_SESSIONS: &str = "DELETE FROM web_sessions WHERE account = ?1 AND secret_hash NOT IN (
    SELECT secret_hash FROM web_sessions WHERE account = ?1 ORDER BY secret_hash = ?2 DESC, expires_s DESC LIMIT ?3)";

#[async_trait]
impl AccountStorage for Sqlite {
    async fn add_account(&self, account: &AccountRow) -> Result<bool, StoreError> {
        let done = sqlx::query(ADD)
            .bind(&account.name)
            .bind(&account.password)
            .bind(account.realm_owner)
            .bind(seconds(account.created))
            .execute(&self.writer)
            .await?;
        Ok(done.rows_affected() == 1)
    }

    async fn account(&self, name: &str) -> Result<Option<AccountRow>, StoreError> {
        let row = sqlx::query("SELECT * FROM accounts WHERE name = ?").bind(name).fetch_optional(&self.reader).await?;
        Ok(row.as_ref().map(account_from_row).transpose()?)
    }

    async fn has_account_like(&self, name: &str) -> Result<bool, StoreError> {
        const IS_ACCOUNT: &str = "SELECT EXISTS (SELECT 1 FROM accounts WHERE lower(name) = lower(?))";
        Ok(sqlx::query_scalar(IS_ACCOUNT).bind(name).fetch_one(&self.reader).await?)
    }

    async fn accounts(&self) -> Result<Vec<AccountRow>, StoreError> {
        let rows = sqlx::query("SELECT * FROM accounts ORDER BY name").fetch_all(&self.reader).await?;
        Ok(rows.iter().map(account_from_row).collect::<Result<_, _>>()?)
    }

    async fn count_accounts(&self) -> Result<u64, StoreError> {
        let count: i64 = sqlx::query_scalar("SELECT count(*) FROM accounts").fetch_one(&self.reader).await?;
        Ok(count.max(0).unsigned_abs())
    }

    async fn is_last_owner(&self, name: &str) -> Result<bool, StoreError> {
        Ok(sqlx::query_scalar(IS_LAST_OWNER).bind(name).fetch_one(&self.reader).await?)
    }

    async fn give_up_realm(&self, name: &str) -> Result<bool, StoreError> {
        let mut transaction = self.writer.begin().await?;
        let is_last: bool = sqlx::query_scalar(IS_LAST_OWNER).bind(name).fetch_one(&mut *transaction).await?;
        if is_last {
            return Ok(false);
        }
        let give_up = sqlx::query("UPDATE accounts SET realm_owner = FALSE WHERE name = ?").bind(name);
        give_up.execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(true)
    }

    async fn set_password(&self, name: &str, password: &str) -> Result<bool, StoreError> {
        let mut transaction = self.writer.begin().await?;
        let done = sqlx::query("UPDATE accounts SET password = ? WHERE name = ?")
            .bind(password)
            .bind(name)
            .execute(&mut *transaction)
            .await?;
        sqlx::query("DELETE FROM web_sessions WHERE account = ?").bind(name).execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(done.rows_affected() == 1)
    }

    async fn remove_account(&self, name: &str) -> Result<bool, StoreError> {
        let done = sqlx::query("DELETE FROM accounts WHERE name = ?").bind(name).execute(&self.writer).await?;
        Ok(done.rows_affected() == 1)
    }

    async fn owner_exists(&self) -> Result<bool, StoreError> {
        Ok(sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM accounts WHERE realm_owner)")
            .fetch_one(&self.reader)
            .await?)
    }

    async fn put_owner_link(&self, secret_hash: &SecretHash, expires: UnixSeconds) -> Result<(), StoreError> {
        sqlx::query("INSERT OR REPLACE INTO owner_link (id, secret_hash, expires_s) VALUES (1, ?, ?)")
            .bind(&secret_hash[..])
            .bind(seconds(expires))
            .execute(&self.writer)
            .await?;
        Ok(())
    }

    async fn void_owner_link(&self) -> Result<(), StoreError> {
        sqlx::query("DELETE FROM owner_link").execute(&self.writer).await?;
        Ok(())
    }

    async fn owner_link_is_good(&self, secret_hash: &SecretHash, now: UnixSeconds) -> Result<bool, StoreError> {
        let query = sqlx::query_scalar(LINK_IS_GOOD).bind(&secret_hash[..]).bind(seconds(now));
        Ok(query.fetch_one(&self.reader).await?)
    }

    async fn redeem_owner_link(
        &self,
        secret_hash: &SecretHash,
        account: &AccountRow,
    ) -> Result<OwnerRedemptionOutcome, StoreError> {
        let mut transaction = self.writer.begin().await?;
        let good: bool = sqlx::query_scalar(LINK_IS_GOOD)
            .bind(&secret_hash[..])
            .bind(seconds(account.created))
            .fetch_one(&mut *transaction)
            .await?;
        if !good {
            return Ok(OwnerRedemptionOutcome::Refused);
        }
        let made = sqlx::query(ADD)
            .bind(&account.name)
            .bind(&account.password)
            .bind(true)
            .bind(seconds(account.created))
            .execute(&mut *transaction)
            .await?;
        if made.rows_affected() == 0 {
            return Ok(OwnerRedemptionOutcome::NameTaken);
        }
        sqlx::query("DELETE FROM owner_link").execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(OwnerRedemptionOutcome::Made)
    }

    async fn add_web_session(&self, session: &WebSession, now: UnixSeconds) -> Result<bool, StoreError> {
        let mut transaction = self.writer.begin().await?;
        sqlx::query("DELETE FROM web_sessions WHERE expires_s <= ?")
            .bind(seconds(now))
            .execute(&mut *transaction)
            .await?;
        let done = sqlx::query(
            "INSERT INTO web_sessions (secret_hash, account, expires_s)
             SELECT ?, name, ? FROM accounts WHERE name = ? AND password = ?",
        )
        .bind(&session.secret_hash[..])
        .bind(seconds(session.expires))
        .bind(&session.account)
        .bind(&session.password)
        .execute(&mut *transaction)
        .await?;
        sqlx::query(END_OLDEST_SESSIONS)
            .bind(&session.account)
            .bind(&session.secret_hash[..])
            .bind(limits::WEB_SESSIONS_PER_ACCOUNT_MAX)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(done.rows_affected() == 1)
    }

    async fn web_session_account(
        &self,
        secret_hash: &SecretHash,
        now: UnixSeconds,
    ) -> Result<Option<AccountRow>, StoreError> {
        let row = sqlx::query(
            "SELECT accounts.* FROM web_sessions JOIN accounts ON accounts.name = web_sessions.account
             WHERE secret_hash = ? AND expires_s > ?",
        )
        .bind(&secret_hash[..])
        .bind(seconds(now))
        .fetch_optional(&self.reader)
        .await?;
        Ok(row.as_ref().map(account_from_row).transpose()?)
    }

    async fn end_web_session(&self, secret_hash: &SecretHash) -> Result<(), StoreError> {
        sqlx::query("DELETE FROM web_sessions WHERE secret_hash = ?")
            .bind(&secret_hash[..])
            .execute(&self.writer)
            .await?;
        Ok(())
    }
}
