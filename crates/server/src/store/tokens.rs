//! Issued and revoked tokens, as stored: never the tokens themselves.

use async_trait::async_trait;
use stoa_state::grant::Claims;
use stoa_state::time::UnixTime;

use super::StoreError;

/// Storage of what was issued and what was revoked.
#[async_trait]
pub trait TokenStorage {
    /// Records an issued token by its `jti`.
    async fn record_token(&self, claims: &Claims) -> Result<(), StoreError>;
    /// Revokes a token, also one that was issued elsewhere with this realm's key.
    async fn revoke_token(&self, jti: &str) -> Result<(), StoreError>;
    /// Every revoked `jti` that could still be in use.
    async fn revoked_jtis(&self) -> Result<Vec<String>, StoreError>;
    /// Revokes all unexpired tokens and passes of an account; which those are.
    async fn revoke_tokens_of(&self, sub: &str, now: UnixTime) -> Result<Vec<String>, StoreError>;
    /// Forgets tokens that ended before `now`; those that were revoked when whatever came from them has ended too.
    async fn forget_tokens(&self, now: UnixTime) -> Result<(), StoreError>;
}
