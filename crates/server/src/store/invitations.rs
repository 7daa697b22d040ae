//! Invitations and links to accounts, as stored: of their secrets only the hash.

use async_trait::async_trait;
use stoa_state::time::UnixTime;
use stoa_wire::topic::SceneName;

use super::{AccountRow, SecretHash, StoreError};

/// An invitation, as far as it isn't in its scene's settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvitationRow {
    /// By which the settings name it.
    pub id: String,
    /// Where to.
    pub scene: SceneName,
    /// How many people may use it.
    pub uses_max: Option<u32>,
    /// Until when.
    pub ends: UnixTime,
}

/// Who redeems an invitation.
#[derive(Clone, Copy, Debug)]
pub struct Redeemer<'a> {
    /// See [`stoa_state::grant::Claims::who`].
    pub who: &'a str,
    /// Who a guest was until now: what that one has redeemed goes over.
    pub before: Option<&'a str>,
}

/// A link to an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountLink {
    /// Whose password it sets; `None`: it makes an account.
    pub account: Option<String>,
    /// Until when.
    pub expires: UnixTime,
}

/// By what right an account is made by whoever will have it.
#[derive(Clone, Copy, Debug)]
pub enum Warrant<'a> {
    /// Everybody may.
    Open,
    /// One use of an invitation.
    Invitation(&'a str),
    /// A link of the realm's owner, which is void then.
    Link(&'a SecretHash),
}

/// What became of a wish for an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joined {
    /// It is made.
    Made,
    /// The warrant is used up or void.
    Refused,
    /// Somebody has the name or had it, in small or capital letters, or something is kept for it.
    NameTaken,
}

/// Storage of ways in.
#[async_trait]
pub trait WaysInStorage {
    /// Adds an invitation.
    async fn add_invitation(&self, secret_hash: &SecretHash, row: &InvitationRow) -> Result<(), StoreError>;
    /// The invitation of a secret, also one that has ended.
    async fn invitation(&self, secret_hash: &SecretHash) -> Result<Option<InvitationRow>, StoreError>;
    /// Counts a use; one who has used it uses it again without being counted. `false` where as many have used it as may.
    async fn use_invitation(&self, id: &str, redeemer: Redeemer<'_>) -> Result<bool, StoreError>;
    /// The ids of all that somebody has redeemed.
    async fn invitations_of(&self, who: &str) -> Result<Vec<String>, StoreError>;
    /// The ids of what somebody has redeemed for a scene, also of what has ended or was taken back, and when each ends.
    async fn redeemed(&self, who: &str, scene: &SceneName) -> Result<Vec<(String, UnixTime)>, StoreError>;
    /// How many have redeemed each of a scene's.
    async fn invitation_uses(&self, scene: &SceneName) -> Result<Vec<(String, u32)>, StoreError>;
    /// Forgets invitations that ended before `before`, and links that ended before `now`.
    async fn forget_ways_in(&self, before: UnixTime, now: UnixTime) -> Result<(), StoreError>;
    /// Adds a link to an account; `false` where there is no such account.
    async fn add_account_link(&self, secret_hash: &SecretHash, link: &AccountLink) -> Result<bool, StoreError>;
    /// What a link is for, unless it has ended.
    async fn account_link(&self, secret_hash: &SecretHash, now: UnixTime) -> Result<Option<AccountLink>, StoreError>;
    /// Makes an account by a warrant, all in one transaction.
    async fn join(&self, account: &AccountRow, warrant: Warrant<'_>) -> Result<Joined, StoreError>;
    /// Sets the password that a link is for and ends the account's web sessions; whose it is. `None` where the link is void.
    async fn reset_password(
        &self,
        secret_hash: &SecretHash,
        password: &str,
        now: UnixTime,
    ) -> Result<Option<String>, StoreError>;
    /// Keeps what a scene looks like; `false` where there is no such scene.
    async fn put_picture(&self, scene: &SceneName, picture: &Picture) -> Result<bool, StoreError>;
    /// What a scene looks like.
    async fn picture(&self, scene: &SceneName) -> Result<Option<Picture>, StoreError>;
    /// The scenes that there are pictures of.
    async fn pictured(&self) -> Result<Vec<SceneName>, StoreError>;
}

/// What a scene looks like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Of these bytes.
    pub content_type: String,
    /// The file.
    pub bytes: Vec<u8>,
}
