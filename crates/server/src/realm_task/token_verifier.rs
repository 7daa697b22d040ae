//! Verifies tokens on blocking threads. Checking a signature takes as long as forwarding some hundred messages, so
//! in the realm's loop a reconnecting crowd, or a stranger's long passwords, would delay all connections.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use bytes::Bytes;
use stoa_net::addresses::AddressLimits;
use stoa_state::connection_id::ConnectionId;
use stoa_state::grant::Claims;
use stoa_state::origin::ConnectionOrigin;
use stoa_state::realm::AuthError;
use stoa_wire::packet::SecretBytes;
use tokio::task::JoinSet;

use crate::identity::tokens::VerifyToken;
use crate::limits;

/// A connection's verdict.
pub(super) struct VerifiedToken {
    connection: ConnectionId,
    origin: ConnectionOrigin,
    verdict: Result<Claims, AuthError>,
}

/// Waiting tokens and those being verified.
pub(super) struct TokenVerifier {
    keys: Arc<dyn VerifyToken>,
    addresses: AddressLimits,
    waiting: VecDeque<(ConnectionId, ConnectionOrigin, SecretBytes)>,
    under_way: JoinSet<VerifiedToken>,
}

impl TokenVerifier {
    pub(super) fn new(keys: Arc<dyn VerifyToken>, addresses: AddressLimits) -> TokenVerifier {
        TokenVerifier { keys, addresses, waiting: VecDeque::new(), under_way: JoinSet::new() }
    }

    pub(super) fn is_full(&self) -> bool {
        self.waiting.len() >= limits::VERIFYING_QUEUED_MAX
    }

    /// Starts to verify a token, or queues it.
    pub(super) fn begin(&mut self, connection: ConnectionId, origin: ConnectionOrigin, password: SecretBytes) {
        // No token of the realm is longer, so the bytes need not be kept.
        let fits = password.len() <= limits::TOKEN_BYTES_MAX;
        let password = if fits { password } else { SecretBytes::from(Bytes::new()) };
        self.waiting.push_back((connection, origin, password));
        self.go_on();
    }

    /// The next verdict; pending while no token is being verified.
    pub(super) async fn next(&mut self) -> VerifiedToken {
        match self.under_way.join_next().await {
            Some(Ok(verified)) => verified,
            Some(Err(ended)) => std::panic::resume_unwind(ended.into_panic()),
            None => std::future::pending().await,
        }
    }

    /// Takes a verdict of [`TokenVerifier::next`] and checks revocation again. Starts the next token, and counts a bad
    /// one against its address.
    pub(super) fn settle(&mut self, verified: VerifiedToken) -> (ConnectionId, Result<Claims, AuthError>) {
        let VerifiedToken { connection, origin, verdict } = verified;
        self.go_on();
        // A token revoked during verification: its other connections were ended, but this one was not among them
        // yet.
        let still_good = |claims: Claims| {
            if claims.names().any(|name| self.keys.is_revoked(name)) { Err(AuthError::Revoked) } else { Ok(claims) }
        };
        let verdict = verdict.and_then(still_good);
        if let (Err(_), ConnectionOrigin::Address(address)) = (&verdict, origin) {
            self.addresses.blame(address);
        }
        (connection, verdict)
    }

    fn go_on(&mut self) {
        while self.under_way.len() < limits::VERIFYING_MAX
            && let Some((connection, origin, password)) = self.waiting.pop_front()
        {
            let keys = Arc::clone(&self.keys);
            self.under_way.spawn_blocking(move || {
                let token = str::from_utf8(&password).map_err(|_| AuthError::BadToken);
                // A panic while verifying must not end the realm.
                let verify = AssertUnwindSafe(|| token.and_then(|token| keys.verify(token)));
                let verdict = catch_unwind(verify).unwrap_or(Err(AuthError::BadToken));
                VerifiedToken { connection, origin, verdict }
            });
        }
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
            let claims = crate::identity::claims::new("alice", stoa_state::grant::realm_filters(), 60);
            Ok(Claims { jti: "child".into(), parents: vec!["parent".into()], ..claims })
        }

        fn is_revoked(&self, jti: &str) -> bool {
            jti == self.0
        }
    }

    #[tokio::test]
    async fn a_token_that_is_revoked_with_its_parent_while_it_is_looked_at_is_revoked() {
        for (revoked, is_good) in [("child", false), ("parent", false), ("another", true)] {
            let mut verifying = TokenVerifier::new(Arc::new(Revokes(revoked)), AddressLimits::new(10));
            verifying.begin(ConnectionId(7), ConnectionOrigin::Here, SecretBytes::from(Bytes::from_static(b"this")));
            let verified = verifying.next().await;
            assert_eq!(verifying.settle(verified).1.is_ok(), is_good, "{revoked}");
        }
    }

    #[tokio::test]
    async fn a_token_that_cannot_even_be_looked_at_is_a_bad_one() {
        let mut verifying = TokenVerifier::new(Arc::new(Stumbles), AddressLimits::new(10));
        verifying.begin(ConnectionId(7), ConnectionOrigin::Here, SecretBytes::from(Bytes::from_static(b"this")));
        let VerifiedToken { connection, verdict, .. } = verifying.next().await;
        assert_eq!((connection, verdict.unwrap_err()), (ConnectionId(7), AuthError::BadToken));
    }
}
