//! Verifies tokens on blocking threads. Checking a signature takes as long as forwarding some hundred messages, so
//! in the realm's loop a reconnecting crowd, or a stranger's long passwords, would delay all connections.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use stoa_net::network_connections::NetworkConnectionLimiter;
use stoa_state::connection_id::ConnectionId;
use stoa_state::grant::Claims;
use stoa_state::origin::ConnectionOrigin;
use stoa_state::realm::AuthError;
use stoa_wire::packet::SecretBytes;
use tokio::task::JoinSet;

use crate::identity::tokens::VerifyToken;
use crate::limits;
use crate::os::blocking::apart;
use crate::store::Store;

/// Looks up accounts.
#[async_trait]
pub(crate) trait AccountLookup: Send + Sync {
    /// Whether an account has this name, in any case of its letters.
    async fn is_account(&self, name: &str) -> bool;
}

#[async_trait]
impl AccountLookup for Store {
    async fn is_account(&self, name: &str) -> bool {
        self.has_account_like(name).await.unwrap_or_else(|error| {
            // A failing database must not refuse clients.
            tracing::warn!(%error, "cannot compare a client id with the accounts");
            false
        })
    }
}

/// A token to verify.
pub(super) struct UnverifiedToken {
    pub(super) connection: ConnectionId,
    pub(super) origin: ConnectionOrigin,
    pub(super) client_id: String,
    pub(super) password: SecretBytes,
}

/// The result of verifying a connection's token.
pub(super) struct TokenVerdict {
    connection: ConnectionId,
    origin: ConnectionOrigin,
    verdict: Result<Claims, AuthError>,
}

/// Waiting tokens and those being verified.
pub(super) struct TokenVerifier {
    keys: Arc<dyn VerifyToken>,
    accounts: Arc<dyn AccountLookup>,
    addresses: NetworkConnectionLimiter,
    waiting: VecDeque<UnverifiedToken>,
    under_way: JoinSet<TokenVerdict>,
}

impl TokenVerifier {
    pub(super) fn new(
        keys: Arc<dyn VerifyToken>,
        accounts: Arc<dyn AccountLookup>,
        addresses: NetworkConnectionLimiter,
    ) -> TokenVerifier {
        TokenVerifier { keys, accounts, addresses, waiting: VecDeque::new(), under_way: JoinSet::new() }
    }

    pub(super) fn is_full(&self) -> bool {
        self.waiting.len() >= limits::VERIFYING_QUEUED_MAX
    }

    /// Starts to verify a token, or queues it.
    pub(super) fn begin(&mut self, mut token: UnverifiedToken) {
        // No token of the realm is longer, so the bytes need not be kept.
        if token.password.len() > limits::TOKEN_BYTES_MAX {
            token.password = SecretBytes::from(Bytes::new());
        }
        self.waiting.push_back(token);
        self.go_on();
    }

    /// The next verdict; pending while no token is being verified.
    pub(super) async fn next(&mut self) -> TokenVerdict {
        match self.under_way.join_next().await {
            Some(Ok(verified)) => verified,
            Some(Err(ended)) => std::panic::resume_unwind(ended.into_panic()),
            None => std::future::pending().await,
        }
    }

    /// Handles a verdict of [`TokenVerifier::next`]: checks revocation again, and counts a bad token against its
    /// address. Starts to verify the next token.
    pub(super) fn settle(&mut self, verified: TokenVerdict) -> (ConnectionId, Result<Claims, AuthError>) {
        let TokenVerdict { connection, origin, verdict } = verified;
        self.go_on();
        // The token may have been revoked during verification. That ended its other connections, but not yet this one.
        let still_good = |claims: Claims| {
            if claims.names().any(|name| self.keys.is_revoked(name)) { Err(AuthError::Revoked) } else { Ok(claims) }
        };
        let verdict = verdict.and_then(still_good);
        let is_bad = verdict.as_ref().is_err_and(|error| *error != AuthError::BorrowedName);
        if let ConnectionOrigin::Address(address) = origin
            && is_bad
        {
            self.addresses.blame(address);
        }
        (connection, verdict)
    }

    fn go_on(&mut self) {
        while self.under_way.len() < limits::VERIFYING_MAX
            && let Some(token) = self.waiting.pop_front()
        {
            let (keys, accounts) = (Arc::clone(&self.keys), Arc::clone(&self.accounts));
            self.under_way.spawn(async move {
                let UnverifiedToken { connection, origin, client_id, password } = token;
                let verdict = apart(move || verify(&*keys, &password)).await;
                let verdict = match verdict {
                    Ok(claims) if borrows_a_name(&claims, &client_id) && accounts.is_account(&client_id).await => {
                        Err(AuthError::BorrowedName)
                    }
                    verdict => verdict,
                };
                TokenVerdict { connection, origin, verdict }
            });
        }
    }
}

fn verify(keys: &dyn VerifyToken, password: &SecretBytes) -> Result<Claims, AuthError> {
    let token = str::from_utf8(password).map_err(|_| AuthError::BadToken);
    // A panic while verifying must not end the realm.
    let verify = AssertUnwindSafe(|| token.and_then(|token| keys.verify(token)));
    catch_unwind(verify).unwrap_or(Err(AuthError::BadToken))
}

/// Whether the client would be known by its client id although the client id is not the name of the token's account.
fn borrows_a_name(claims: &Claims, client_id: &str) -> bool {
    claims.user_client.is_none() && !client_id.eq_ignore_ascii_case(&claims.sub)
}

/// A fixed list of accounts.
#[cfg(test)]
pub(super) struct FixedAccountLookup(pub(super) &'static [&'static str]);

#[cfg(test)]
#[async_trait]
impl AccountLookup for FixedAccountLookup {
    async fn is_account(&self, name: &str) -> bool {
        self.0.iter().any(|known| known.eq_ignore_ascii_case(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Stumbles;

    impl VerifyToken for Stumbles {
        fn verify(&self, token: &str) -> Result<Claims, AuthError> {
            panic!("{token} is more than it can take")
        }

        fn is_revoked(&self, _jti: &str) -> bool {
            false
        }
    }

    struct Revokes(&'static str);

    impl VerifyToken for Revokes {
        fn verify(&self, _token: &str) -> Result<Claims, AuthError> {
            let claims = crate::identity::claims::of_realm_owner("alice", 60);
            Ok(Claims { jti: "child".into(), parents: vec!["parent".into()], ..claims })
        }

        fn is_revoked(&self, jti: &str) -> bool {
            jti == self.0
        }
    }

    fn verifier(keys: Arc<dyn VerifyToken>) -> TokenVerifier {
        TokenVerifier::new(keys, Arc::new(FixedAccountLookup(&["alice", "bob"])), NetworkConnectionLimiter::new(10))
    }

    fn token(client_id: &str) -> UnverifiedToken {
        UnverifiedToken {
            connection: ConnectionId(7),
            origin: ConnectionOrigin::Address([192, 0, 2, 1].into()),
            client_id: client_id.into(),
            password: SecretBytes::from(Bytes::from_static(b"this")),
        }
    }

    #[tokio::test]
    async fn a_client_id_that_is_another_accounts_name_is_refused() {
        for (client_id, is_good) in [("bob", false), ("Bob", false), ("alice", true), ("sensor-1", true)] {
            let mut verifying = verifier(Arc::new(Revokes("another")));
            // Only an address that had a connection is blamed.
            drop(verifying.addresses.admit([192, 0, 2, 1].into()).unwrap());
            for _ in 0..2 * stoa_net::limits::FAILURES_BURST {
                verifying.begin(token(client_id));
                let verified = verifying.next().await;
                let verdict = verifying.settle(verified).1;
                assert_eq!(
                    verdict.map(drop),
                    if is_good { Ok(()) } else { Err(AuthError::BorrowedName) },
                    "{client_id}"
                );
            }
            assert!(verifying.addresses.admit([192, 0, 2, 1].into()).is_ok(), "its token is good");
        }
    }

    #[tokio::test]
    async fn a_token_revoked_directly_or_by_its_parent_during_verification_is_refused() {
        for (revoked, is_good) in [("child", false), ("parent", false), ("another", true)] {
            let mut verifying = verifier(Arc::new(Revokes(revoked)));
            verifying.begin(token("sensor"));
            let verified = verifying.next().await;
            assert_eq!(verifying.settle(verified).1.is_ok(), is_good, "{revoked}");
        }
    }

    #[tokio::test]
    async fn a_panic_during_token_verification_counts_as_a_bad_token() {
        let mut verifying = verifier(Arc::new(Stumbles));
        verifying.begin(token("sensor"));
        let TokenVerdict { connection, verdict, .. } = verifying.next().await;
        assert_eq!((connection, verdict.unwrap_err()), (ConnectionId(7), AuthError::BadToken));
    }
}
