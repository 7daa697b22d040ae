//! Signs tokens for requests on background threads. A signature takes as long as forwarding some hundred messages.

use std::sync::Arc;

use serde::Serialize;
use stoa_state::grant::Claims;

use super::scoped_tokens::{self, TokenHolder, TokenPurpose};
use super::tokens::{KeyError, TokenAuthority};
use stoa_net::background::{BackgroundThreads, ComputationPayer};

/// Signs with the realm's keys.
#[derive(Clone, Debug)]
pub(crate) struct TokenSigner {
    keys: Arc<TokenAuthority>,
    threads: BackgroundThreads,
}

impl TokenSigner {
    /// A signer with these keys on these threads.
    pub(crate) fn new(keys: Arc<TokenAuthority>, threads: BackgroundThreads) -> TokenSigner {
        TokenSigner { keys, threads }
    }

    /// Signs a token's claims.
    ///
    /// # Errors
    /// [`KeyError::NotSigned`].
    pub(crate) async fn sign<T: Serialize + Send + 'static>(
        &self,
        payer: ComputationPayer,
        claims: T,
    ) -> Result<String, KeyError> {
        let keys = Arc::clone(&self.keys);
        self.threads.run(payer, move || keys.sign(&claims)).await
    }

    /// Signs a scoped token. The caller records the second value if the token is to be revoked with its account. Tokens
    /// that only recognize browsers aren't recorded.
    ///
    /// # Errors
    /// [`KeyError::NotSigned`].
    pub(crate) async fn issue(
        &self,
        payer: ComputationPayer,
        purpose: TokenPurpose,
        holder: TokenHolder<'_>,
        ttl_s: u64,
    ) -> Result<(String, Claims), KeyError> {
        let (scoped_token, recorded) = scoped_tokens::unsigned(purpose, holder, ttl_s);
        Ok((self.sign(payer, scoped_token).await?, recorded))
    }
}
