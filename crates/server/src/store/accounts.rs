//! Accounts, web sessions and the first owner's link, as stored.

use async_trait::async_trait;
use stoa_state::time::UnixTime;

use super::{SecretHash, StoreError};

/// A local account.
#[derive(Clone, PartialEq, Eq)]
pub struct AccountRow {
    /// Its name, which is its namespace too.
    pub name: String,
    /// The password's argon2id hash, a PHC string.
    pub password: String,
    /// Whether it owns the realm.
    pub realm_owner: bool,
    /// When it was made.
    pub created: UnixTime,
}

impl std::fmt::Debug for AccountRow {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = formatter.debug_struct("AccountRow");
        shown.field("name", &self.name).field("realm_owner", &self.realm_owner).finish_non_exhaustive()
    }
}

/// A browser that signed in.
#[derive(Clone, Debug)]
pub struct WebSession {
    /// Hash of its cookie.
    pub secret_hash: SecretHash,
    /// Who signed in.
    pub account: String,
    /// The hash of the password that this was done with.
    pub password: String,
    /// When it ends.
    pub expires: UnixTime,
}

/// How the first owner's link was redeemed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnerRedemption {
    /// The account is made and owns the realm; the link is void.
    Made,
    /// Wrong, expired, or void since an owner exists.
    Refused,
    /// The name belongs to another account.
    NameTaken,
}

/// Storage of accounts.
#[async_trait]
pub trait AccountStorage {
    /// Adds an account; `false` where the name is taken.
    async fn add_account(&self, account: &AccountRow) -> Result<bool, StoreError>;
    /// One account.
    async fn account(&self, name: &str) -> Result<Option<AccountRow>, StoreError>;
    /// All accounts by name.
    async fn accounts(&self) -> Result<Vec<AccountRow>, StoreError>;
    /// How many there are.
    async fn count_accounts(&self) -> Result<u64, StoreError>;
    /// Whether the account owns the realm, and no other does.
    async fn is_last_owner(&self, name: &str) -> Result<bool, StoreError>;
    /// The account owns the realm no more, if another does; `false` where it still does.
    async fn give_up_realm(&self, name: &str) -> Result<bool, StoreError>;
    /// Replaces a password's hash and ends the account's web sessions; `false` where there is no such account.
    async fn set_password(&self, name: &str, password: &str) -> Result<bool, StoreError>;
    /// Removes an account and its web sessions; `false` where there is none.
    async fn remove_account(&self, name: &str) -> Result<bool, StoreError>;
    /// Whether somebody owns the realm.
    async fn owner_exists(&self) -> Result<bool, StoreError>;
    /// Makes the first owner's link valid until `expires`; an older one is void.
    async fn put_owner_link(&self, secret_hash: &SecretHash, expires: UnixTime) -> Result<(), StoreError>;
    /// Voids the link.
    async fn void_owner_link(&self) -> Result<(), StoreError>;
    /// Whether the link is good and nobody owns the realm yet.
    async fn owner_link_is_good(&self, secret_hash: &SecretHash, now: UnixTime) -> Result<bool, StoreError>;
    /// Makes `account`, if the link is good and nobody owns the realm yet: all in one transaction, so a link makes one owner.
    async fn redeem_owner_link(
        &self,
        secret_hash: &SecretHash,
        account: &AccountRow,
    ) -> Result<OwnerRedemption, StoreError>;
    /// Begins a web session; those that ended before `now` are forgotten. `false` where the account has another password by now, or is gone.
    async fn add_web_session(&self, session: &WebSession, now: UnixTime) -> Result<bool, StoreError>;
    /// Whose cookie this is, unless its session ended.
    async fn web_session_account(
        &self,
        secret_hash: &SecretHash,
        now: UnixTime,
    ) -> Result<Option<AccountRow>, StoreError>;
    /// Ends a web session.
    async fn end_web_session(&self, secret_hash: &SecretHash) -> Result<(), StoreError>;
}
