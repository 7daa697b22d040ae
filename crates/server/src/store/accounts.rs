//! Accounts, web sessions and the first owner's link, as stored.

use async_trait::async_trait;
use stoa_state::time::UnixSeconds;

use super::{SecretHash, StoreError};

/// A local account.
#[derive(Clone, PartialEq, Eq)]
pub struct AccountRow {
    /// The account's name and namespace.
    pub name: String,
    /// The password's argon2id hash, a PHC string.
    pub password: String,
    /// Whether the account owns the realm.
    pub realm_owner: bool,
    /// Creation time.
    pub created: UnixSeconds,
}

impl std::fmt::Debug for AccountRow {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = formatter.debug_struct("AccountRow");
        shown.field("name", &self.name).field("realm_owner", &self.realm_owner).finish_non_exhaustive()
    }
}

/// A signed-in browser.
#[derive(Clone, Debug)]
pub struct WebSession {
    /// Hash of the browser's cookie.
    pub secret_hash: SecretHash,
    /// The account that signed in.
    pub account: String,
    /// The account's password hash when it signed in. A changed password invalidates the session.
    pub password: String,
    /// Expiry.
    pub expires: UnixSeconds,
}

/// How the first owner's link was redeemed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnerRedemptionOutcome {
    /// The account was created and owns the realm. The link is void.
    Made,
    /// The link is wrong, expired, or void because the realm has an owner.
    Refused,
    /// The name belongs to another account.
    NameTaken,
}

/// Storage of accounts.
#[async_trait]
pub trait AccountStorage {
    /// Adds an account; `false` if the name is taken.
    async fn add_account(&self, account: &AccountRow) -> Result<bool, StoreError>;
    /// The account of that name.
    async fn account(&self, name: &str) -> Result<Option<AccountRow>, StoreError>;
    /// Whether an account has this name, in any case of its letters.
    async fn has_account_like(&self, name: &str) -> Result<bool, StoreError>;
    /// All accounts by name.
    async fn accounts(&self) -> Result<Vec<AccountRow>, StoreError>;
    /// Number of accounts.
    async fn count_accounts(&self) -> Result<u64, StoreError>;
    /// Whether the account is the realm's only owner.
    async fn is_last_owner(&self, name: &str) -> Result<bool, StoreError>;
    /// Removes the account's ownership of the realm, unless it is the only owner: then `false`.
    async fn give_up_realm(&self, name: &str) -> Result<bool, StoreError>;
    /// Replaces a password's hash and ends the account's web sessions; `false` if the account doesn't exist.
    async fn set_password(&self, name: &str, password: &str) -> Result<bool, StoreError>;
    /// Removes an account and its web sessions, and retires its name; `false` if it doesn't exist.
    async fn remove_account(&self, name: &str) -> Result<bool, StoreError>;
    /// Whether the realm has an owner.
    async fn owner_exists(&self) -> Result<bool, StoreError>;
    /// Makes the first owner's link valid until `expires` and replaces an older link.
    async fn put_owner_link(&self, secret_hash: &SecretHash, expires: UnixSeconds) -> Result<(), StoreError>;
    /// Voids the first owner's link.
    async fn void_owner_link(&self) -> Result<(), StoreError>;
    /// Whether the link is valid and the realm has no owner yet.
    async fn owner_link_is_good(&self, secret_hash: &SecretHash, now: UnixSeconds) -> Result<bool, StoreError>;
    /// Creates `account` as the realm's owner if the link is valid and the realm has no owner. One transaction, so a
    /// link makes one owner.
    async fn redeem_owner_link(
        &self,
        secret_hash: &SecretHash,
        account: &AccountRow,
    ) -> Result<OwnerRedemptionOutcome, StoreError>;
    /// Stores a web session. Removes those that expired before `now`, and the account's oldest ones beyond
    /// `limits::WEB_SESSIONS_PER_ACCOUNT_MAX`. `false` if the account's password has changed since the sign-in, or the
    /// account is gone.
    async fn add_web_session(&self, session: &WebSession, now: UnixSeconds) -> Result<bool, StoreError>;
    /// The account of a web session's cookie; `None` once the session has expired.
    async fn web_session_account(
        &self,
        secret_hash: &SecretHash,
        now: UnixSeconds,
    ) -> Result<Option<AccountRow>, StoreError>;
    /// Ends a web session.
    async fn end_web_session(&self, secret_hash: &SecretHash) -> Result<(), StoreError>;
}
