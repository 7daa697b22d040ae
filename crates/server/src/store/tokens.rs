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
    /// The unexpired tokens of `sub`, so that removing an account can revoke them.
    async fn token_jtis(&self, sub: &str, now: UnixTime) -> Result<Vec<String>, StoreError>;
    /// Forgets tokens that ended before `now`.
    async fn forget_tokens(&self, now: UnixTime) -> Result<(), StoreError>;
}
