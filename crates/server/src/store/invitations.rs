//! Invitations, account links and pictures of scenes, as stored. Secrets of links are stored only as hashes.

use async_trait::async_trait;
use stoa_state::time::UnixSeconds;
use stoa_wire::topic::SceneName;

use super::{AccountRow, SecretHash, StoreError};

/// The part of an invitation that is not in its scene's settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvitationRow {
    /// The invitation's id in the scene's settings.
    pub id: String,
    /// The scene it leads to.
    pub scene: SceneName,
    /// Maximum number of people; `None` for no limit.
    pub uses_max: Option<u32>,
    /// Expiry.
    pub ends: UnixSeconds,
}

/// A person redeeming an invitation.
#[derive(Clone, Copy, Debug)]
pub struct Redeemer<'a> {
    /// See [`stoa_state::grant::Claims::who`].
    pub who: &'a str,
    /// The person's former guest id, whose redeemed invitations are carried over.
    pub before: Option<&'a str>,
}

/// A link that creates an account or resets its password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountLink {
    /// The account whose password it resets; `None` if it creates an account.
    pub account: Option<String>,
    /// Expiry.
    pub expires: UnixSeconds,
}

/// The right by which a person creates their own account.
#[derive(Clone, Copy, Debug)]
pub enum RegistrationWarrant<'a> {
    /// Registration is open.
    Open,
    /// One use of the invitation with this id.
    Invitation(&'a str),
    /// An account link from a realm owner, void after use.
    Link(&'a SecretHash),
}

/// The result of a registration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegistrationOutcome {
    /// The account was created.
    Made,
    /// The warrant is used up or void.
    Refused,
    /// The name is in use, was in use, or is reserved, ignoring case.
    NameTaken,
}

/// Storage of invitations, account links and pictures of scenes.
#[async_trait]
pub trait InvitationStorage {
    /// Adds an invitation.
    async fn add_invitation(&self, secret_hash: &SecretHash, row: &InvitationRow) -> Result<(), StoreError>;
    /// The invitation with that secret, expired or not.
    async fn invitation(&self, secret_hash: &SecretHash) -> Result<Option<InvitationRow>, StoreError>;
    /// Counts a use; a repeated use by the same person is not counted again. `false` if the uses are exhausted, or the
    /// invitation doesn't exist.
    async fn use_invitation(&self, id: &str, redeemer: Redeemer<'_>) -> Result<bool, StoreError>;
    /// The ids of all invitations that a person has redeemed.
    async fn invitations_of(&self, who: &str) -> Result<Vec<String>, StoreError>;
    /// The ids and expiries of the invitations to `scene` that a person has redeemed, including revoked ones and, until
    /// [`InvitationStorage::forget_ended_links`] removes them, expired ones.
    async fn redeemed(&self, who: &str, scene: &SceneName) -> Result<Vec<(String, UnixSeconds)>, StoreError>;
    /// Number of people who redeemed each of a scene's invitations.
    async fn invitation_uses(&self, scene: &SceneName) -> Result<Vec<(String, u32)>, StoreError>;
    /// Removes invitations that expired before `before` and account links that expired before `now`.
    async fn forget_ended_links(&self, before: UnixSeconds, now: UnixSeconds) -> Result<(), StoreError>;
    /// Adds an account link and removes an older link of the same account; `false` if the account doesn't exist.
    async fn add_account_link(&self, secret_hash: &SecretHash, link: &AccountLink) -> Result<bool, StoreError>;
    /// The link with that secret; `None` once it has expired.
    async fn account_link(&self, secret_hash: &SecretHash, now: UnixSeconds)
    -> Result<Option<AccountLink>, StoreError>;
    /// Creates an account by a warrant, in one transaction.
    async fn join(
        &self,
        account: &AccountRow,
        warrant: RegistrationWarrant<'_>,
    ) -> Result<RegistrationOutcome, StoreError>;
    /// Sets the password of the link's account and ends its web sessions. Returns the account's name; `None` if the
    /// link is void.
    async fn reset_password(
        &self,
        secret_hash: &SecretHash,
        password: &str,
        now: UnixSeconds,
    ) -> Result<Option<String>, StoreError>;
    /// Stores a scene's picture; `false` if the scene doesn't exist.
    async fn put_picture(&self, scene: &SceneName, picture: &ScenePicture) -> Result<bool, StoreError>;
    /// A scene's picture.
    async fn picture(&self, scene: &SceneName) -> Result<Option<ScenePicture>, StoreError>;
    /// The scenes that have a picture.
    async fn pictured(&self) -> Result<Vec<SceneName>, StoreError>;
}

/// A scene's picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenePicture {
    /// Media type.
    pub content_type: String,
    /// The image file.
    pub bytes: Vec<u8>,
}
