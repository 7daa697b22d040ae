//! Issued and revoked tokens, by id. The tokens themselves are never stored.

use async_trait::async_trait;
use stoa_state::grant::Claims;
use stoa_state::time::UnixSeconds;

use super::StoreError;

/// Storage of issued and revoked tokens.
#[async_trait]
pub trait TokenStorage {
    /// Records an issued token by its `jti`.
    async fn record_token(&self, claims: &Claims) -> Result<(), StoreError>;
    /// Revokes a token, recorded or not.
    async fn revoke_token(&self, jti: &str) -> Result<(), StoreError>;
    /// Every revoked `jti` that is not forgotten yet.
    async fn revoked_jtis(&self) -> Result<Vec<String>, StoreError>;
    /// Revokes all recorded, unexpired tokens of an account and returns their ids.
    async fn revoke_tokens_of(&self, sub: &str, now: UnixSeconds) -> Result<Vec<String>, StoreError>;
    /// Removes tokens that expired before `now`. Revoked ones are kept for `limits::REVOKED_KEPT` more, until every
    /// token derived from them has expired too. A revoked token that was never recorded is kept forever, because its
    /// expiry is unknown.
    async fn forget_tokens(&self, now: UnixSeconds) -> Result<(), StoreError>;
}
