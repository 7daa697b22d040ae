//! Invitations, account links and pictures of scenes in SQLite.

use async_trait::async_trait;
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection};
use stoa_state::time::UnixSeconds;
use stoa_wire::topic::SceneName;

use super::Sqlite;
use super::accounts::ADD;
use crate::store::{
    AccountLink, AccountRow, InvitationRow, InvitationStorage, Redeemer, RegistrationOutcome, RegistrationWarrant,
    ScenePicture, SecretHash, StoreError, seconds,
};

/// A name is reserved while an account has it, after an account had it, and while files or scenes are below it. For a
/// stranger (`?2`) it is also reserved while a scene's settings list it as owner, editor or viewer.
const NAME_IS_KEPT: &str = "SELECT EXISTS (SELECT 1 FROM accounts WHERE lower(name) = lower(?1))
    OR EXISTS (SELECT 1 FROM retired_names WHERE lower(name) = lower(?1))
    OR EXISTS (SELECT 1 FROM files WHERE lower(owner) = lower(?1))
    OR EXISTS (SELECT 1 FROM scenes WHERE lower(namespace) = lower(?1))
    OR (?2 AND EXISTS (SELECT 1 FROM scenes WHERE settings ->> '$.owner' = ?1
        OR EXISTS (SELECT 1 FROM json_each(settings, '$.editors') WHERE value = ?1)
        OR EXISTS (SELECT 1 FROM json_each(settings, '$.viewers') WHERE value = ?1)))";

const HAS_USES_LEFT: &str = "SELECT EXISTS (SELECT 1 FROM invitations WHERE id = ?1
    AND (uses_max IS NULL OR uses_max > (SELECT count(*) FROM invitation_uses WHERE invitation = ?1)))";

fn unix(seconds: i64) -> UnixSeconds {
    UnixSeconds(seconds.max(0).unsigned_abs())
}

fn invitation_from_row(row: &SqliteRow) -> Result<Option<InvitationRow>, sqlx::Error> {
    let (namespace, scene): (String, String) = (row.try_get("namespace")?, row.try_get("scene")?);
    let Ok(scene) = SceneName::new(&namespace, &scene) else { return Ok(None) };
    let uses_max: Option<i64> = row.try_get("uses_max")?;
    let uses_max = uses_max.map(|most| u32::try_from(most).unwrap_or(0));
    Ok(Some(InvitationRow { id: row.try_get("id")?, scene, uses_max, ends: unix(row.try_get("ends_s")?) }))
}

/// Counts a use within the caller's transaction; see [`InvitationStorage::use_invitation`].
async fn take_use(connection: &mut SqliteConnection, id: &str, who: &str) -> Result<bool, sqlx::Error> {
    let known = sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM invitation_uses WHERE invitation = ? AND who = ?)");
    if known.bind(id).bind(who).fetch_one(&mut *connection).await? {
        return Ok(true);
    }
    let has_uses_left: bool = sqlx::query_scalar(HAS_USES_LEFT).bind(id).fetch_one(&mut *connection).await?;
    if !has_uses_left {
        return Ok(false);
    }
    let used = sqlx::query("INSERT INTO invitation_uses (invitation, who) VALUES (?, ?)").bind(id).bind(who);
    used.execute(connection).await?;
    Ok(true)
}

#[async_trait]
impl InvitationStorage for Sqlite {
    async fn add_invitation(&self, secret_hash: &SecretHash, row: &InvitationRow) -> Result<(), StoreError> {
        sqlx::query(
            "INSERT INTO invitations (secret_hash, id, namespace, scene, uses_max, ends_s) VALUES (?, ?, ?, ?, ?, ?)",
        )
        .bind(&secret_hash[..])
        .bind(&row.id)
        .bind(row.scene.namespace())
        .bind(row.scene.scene())
        .bind(row.uses_max.map(i64::from))
        .bind(seconds(row.ends))
        .execute(&self.writer)
        .await?;
        Ok(())
    }

    async fn invitation(&self, secret_hash: &SecretHash) -> Result<Option<InvitationRow>, StoreError> {
        let query = sqlx::query("SELECT * FROM invitations WHERE secret_hash = ?").bind(&secret_hash[..]);
        let row = query.fetch_optional(&self.reader).await?;
        Ok(row.as_ref().map(invitation_from_row).transpose()?.flatten())
    }

    async fn use_invitation(&self, id: &str, redeemer: Redeemer<'_>) -> Result<bool, StoreError> {
        let mut transaction = self.writer.begin().await?;
        if let Some(before) = redeemer.before {
            sqlx::query("UPDATE invitation_uses SET who = ? WHERE who = ?")
                .bind(redeemer.who)
                .bind(before)
                .execute(&mut *transaction)
                .await?;
        }
        let used = take_use(&mut transaction, id, redeemer.who).await?;
        if used {
            transaction.commit().await?;
        }
        Ok(used)
    }

    async fn invitations_of(&self, who: &str) -> Result<Vec<String>, StoreError> {
        let query = sqlx::query_scalar("SELECT invitation FROM invitation_uses WHERE who = ?").bind(who);
        Ok(query.fetch_all(&self.reader).await?)
    }

    async fn redeemed(&self, who: &str, scene: &SceneName) -> Result<Vec<(String, UnixSeconds)>, StoreError> {
        let rows = sqlx::query(
            "SELECT id, ends_s FROM invitations JOIN invitation_uses ON invitation = id
             WHERE who = ? AND namespace = ? AND scene = ?",
        )
        .bind(who)
        .bind(scene.namespace())
        .bind(scene.scene())
        .fetch_all(&self.reader)
        .await?;
        let of_row = |row: &SqliteRow| Ok((row.try_get("id")?, unix(row.try_get("ends_s")?)));
        Ok(rows.iter().map(of_row).collect::<Result<_, sqlx::Error>>()?)
    }

    async fn invitation_uses(&self, scene: &SceneName) -> Result<Vec<(String, u32)>, StoreError> {
        let rows = sqlx::query(
            "SELECT id, (SELECT count(*) FROM invitation_uses WHERE invitation = id) AS uses FROM invitations
             WHERE namespace = ? AND scene = ?",
        )
        .bind(scene.namespace())
        .bind(scene.scene())
        .fetch_all(&self.reader)
        .await?;
        let of_row =
            |row: &SqliteRow| Ok((row.try_get("id")?, u32::try_from(row.try_get::<i64, _>("uses")?).unwrap_or(0)));
        Ok(rows.iter().map(of_row).collect::<Result<_, sqlx::Error>>()?)
    }

    async fn forget_ended_links(&self, before: UnixSeconds, now: UnixSeconds) -> Result<(), StoreError> {
        sqlx::query("DELETE FROM invitations WHERE ends_s < ?").bind(seconds(before)).execute(&self.writer).await?;
        sqlx::query("DELETE FROM account_links WHERE expires_s < ?").bind(seconds(now)).execute(&self.writer).await?;
        Ok(())
    }

    async fn add_account_link(&self, secret_hash: &SecretHash, link: &AccountLink) -> Result<bool, StoreError> {
        let mut transaction = self.writer.begin().await?;
        // An account has at most one link: the newest.
        sqlx::query("DELETE FROM account_links WHERE account = ?")
            .bind(&link.account)
            .execute(&mut *transaction)
            .await?;
        let done = sqlx::query(
            "INSERT INTO account_links (secret_hash, account, expires_s) SELECT ?1, ?2, ?3
             WHERE ?2 IS NULL OR EXISTS (SELECT 1 FROM accounts WHERE name = ?2)",
        )
        .bind(&secret_hash[..])
        .bind(&link.account)
        .bind(seconds(link.expires))
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(done.rows_affected() == 1)
    }

    async fn account_link(
        &self,
        secret_hash: &SecretHash,
        now: UnixSeconds,
    ) -> Result<Option<AccountLink>, StoreError> {
        let query = sqlx::query("SELECT * FROM account_links WHERE secret_hash = ? AND expires_s > ?");
        let row = query.bind(&secret_hash[..]).bind(seconds(now)).fetch_optional(&self.reader).await?;
        let link = |row: &SqliteRow| {
            Ok::<_, sqlx::Error>(AccountLink {
                account: row.try_get("account")?,
                expires: unix(row.try_get("expires_s")?),
            })
        };
        Ok(row.as_ref().map(link).transpose()?)
    }

    async fn join(
        &self,
        account: &AccountRow,
        warrant: RegistrationWarrant<'_>,
    ) -> Result<RegistrationOutcome, StoreError> {
        let mut transaction = self.writer.begin().await?;
        // The warrant is checked first, so that without one the answer doesn't reveal which names are reserved.
        let warranted = match warrant {
            RegistrationWarrant::Open => true,
            RegistrationWarrant::Invitation(id) => {
                sqlx::query_scalar(HAS_USES_LEFT).bind(id).fetch_one(&mut *transaction).await?
            }
            RegistrationWarrant::Link(secret_hash) => {
                let void = sqlx::query(
                    "DELETE FROM account_links WHERE secret_hash = ? AND account IS NULL AND expires_s > ?",
                );
                let void = void.bind(&secret_hash[..]).bind(seconds(account.created));
                void.execute(&mut *transaction).await?.rows_affected() == 1
            }
        };
        if !warranted {
            return Ok(RegistrationOutcome::Refused);
        }
        // A name in a scene's lists is meant for a certain person, so a stranger can't claim it. A link from the
        // realm's owner is trusted to reach that person.
        let is_stranger = !matches!(warrant, RegistrationWarrant::Link(_));
        let kept = sqlx::query_scalar(NAME_IS_KEPT).bind(&account.name).bind(is_stranger);
        if kept.fetch_one(&mut *transaction).await? {
            return Ok(RegistrationOutcome::NameTaken);
        }
        if let RegistrationWarrant::Invitation(id) = warrant {
            take_use(&mut transaction, id, &account.name).await?;
        }
        let made = sqlx::query(ADD)
            .bind(&account.name)
            .bind(&account.password)
            .bind(account.realm_owner)
            .bind(seconds(account.created))
            .execute(&mut *transaction)
            .await?;
        if made.rows_affected() == 0 {
            return Ok(RegistrationOutcome::NameTaken);
        }
        transaction.commit().await?;
        Ok(RegistrationOutcome::Made)
    }

    async fn reset_password(
        &self,
        secret_hash: &SecretHash,
        password: &str,
        now: UnixSeconds,
    ) -> Result<Option<String>, StoreError> {
        let mut transaction = self.writer.begin().await?;
        let name: Option<String> = sqlx::query_scalar(
            "DELETE FROM account_links WHERE secret_hash = ? AND account IS NOT NULL AND expires_s > ? RETURNING account",
        )
        .bind(&secret_hash[..])
        .bind(seconds(now))
        .fetch_optional(&mut *transaction)
        .await?;
        let Some(name) = name else { return Ok(None) };
        let set = sqlx::query("UPDATE accounts SET password = ? WHERE name = ?").bind(password).bind(&name);
        set.execute(&mut *transaction).await?;
        sqlx::query("DELETE FROM web_sessions WHERE account = ?").bind(&name).execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(Some(name))
    }

    async fn put_picture(&self, scene: &SceneName, picture: &ScenePicture) -> Result<bool, StoreError> {
        let done = sqlx::query(
            "INSERT OR REPLACE INTO pictures (scene_id, content_type, bytes)
             SELECT id, ?, ? FROM scenes WHERE namespace = ? AND scene = ?",
        )
        .bind(&picture.content_type)
        .bind(&picture.bytes)
        .bind(scene.namespace())
        .bind(scene.scene())
        .execute(&self.writer)
        .await?;
        Ok(done.rows_affected() == 1)
    }

    async fn picture(&self, scene: &SceneName) -> Result<Option<ScenePicture>, StoreError> {
        let row = sqlx::query(
            "SELECT content_type, bytes FROM pictures JOIN scenes ON scenes.id = scene_id WHERE namespace = ? AND scene = ?",
        )
        .bind(scene.namespace())
        .bind(scene.scene())
        .fetch_optional(&self.reader)
        .await?;
        let picture = |row: &SqliteRow| {
            Ok::<_, sqlx::Error>(ScenePicture {
                content_type: row.try_get("content_type")?,
                bytes: row.try_get("bytes")?,
            })
        };
        Ok(row.as_ref().map(picture).transpose()?)
    }

    async fn pictured(&self) -> Result<Vec<SceneName>, StoreError> {
        let rows = sqlx::query("SELECT namespace, scene FROM pictures JOIN scenes ON scenes.id = scene_id");
        let rows = rows.fetch_all(&self.reader).await?;
        let name = |row: &SqliteRow| SceneName::new(row.try_get("namespace").ok()?, row.try_get("scene").ok()?).ok();
        Ok(rows.iter().filter_map(name).collect())
    }
}
