//! Makes connect tokens and opens their private part: XChaCha20-Poly1305, by the crate chacha20poly1305. Runs once for
//! each token and for each request with a new token, so it may allocate.

use std::fmt;
use std::net::SocketAddr;
use std::time::Duration;

use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use stoa_state::time::UnixSeconds;
use stoa_wire::netcode::{
    ADDRESSES_MAX, ConnectToken, KEY_BYTES, PRIVATE_TOKEN_BYTES, PRIVATE_TOKEN_PLAIN_BYTES, PacketKeys, PrivateToken,
    TOKEN_NONCE_BYTES, USER_DATA_BYTES, token_associated,
};

/// Makes tokens for one realm, with the realm's key.
#[derive(Clone)]
pub struct TokenIssuer {
    protocol_id: u64,
    cipher: XChaCha20Poly1305,
}

/// Content of a token.
#[derive(Clone)]
pub struct TokenContent<'a> {
    /// Distinguishes clients for the server: unique per token.
    pub client_id: u64,
    /// At most 256 bytes for the server; zeros fill the rest.
    pub ticket: &'a [u8],
    /// Servers to try in this order: 1 to 32.
    pub servers: Vec<SocketAddr>,
    /// Creation time.
    pub created_at: UnixSeconds,
    /// Time from which the token is invalid.
    pub expires_at: UnixSeconds,
    /// Silence that ends the session, in whole seconds.
    pub silence_max: Duration,
    /// Fresh random bytes.
    pub random: TokenRandomness,
}

/// Random bytes for one token, never used for another.
#[derive(Clone)]
pub struct TokenRandomness {
    /// Seals the token's private part, with the realm's key.
    pub nonce: [u8; TOKEN_NONCE_BYTES],
    /// Seals what the client sends.
    pub client_to_server: [u8; KEY_BYTES],
    /// Seals what the server sends.
    pub server_to_client: [u8; KEY_BYTES],
}

/// Reason why no token was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IssueError {
    /// Wrong number of servers.
    #[error("token with {0} servers, the limit is 1 to {ADDRESSES_MAX}")]
    Servers(usize),
    /// The ticket is too long.
    #[error("ticket of {0} bytes exceeds the limit of {USER_DATA_BYTES}")]
    Ticket(usize),
    /// The silence is shorter than a second, or its seconds don't fit the standard's 31 bits.
    #[error("silence of {0} s doesn't fit the format's 31 bits")]
    Silence(u64),
}

impl fmt::Debug for TokenIssuer {
    /// Omits the key.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("TokenIssuer")
    }
}

impl fmt::Debug for TokenRandomness {
    /// Omits the keys.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("TokenRandomness")
    }
}

impl fmt::Debug for TokenContent<'_> {
    /// Omits the ticket.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("TokenContent").field("client_id", &self.client_id).finish_non_exhaustive()
    }
}

impl TokenIssuer {
    /// Creates an issuer. [`super::NetcodeServer`] opens its tokens with an equal `protocol_id` and `key`.
    pub fn new(protocol_id: u64, key: [u8; KEY_BYTES]) -> TokenIssuer {
        TokenIssuer { protocol_id, cipher: XChaCha20Poly1305::new(&key.into()) }
    }

    /// Encodes a connect token, 2,048 bytes, for its client only.
    ///
    /// # Errors
    /// The content exceeds a limit of the format.
    pub fn issue(&self, content: &TokenContent<'_>) -> Result<Vec<u8>, IssueError> {
        if !(1..=ADDRESSES_MAX).contains(&content.servers.len()) {
            return Err(IssueError::Servers(content.servers.len()));
        }
        let mut user_data = [0; USER_DATA_BYTES];
        let beginning = user_data.get_mut(..content.ticket.len()).ok_or(IssueError::Ticket(content.ticket.len()))?;
        beginning.copy_from_slice(content.ticket);
        let silence_s = content.silence_max.as_secs();
        let timeout_s = i32::try_from(silence_s).ok().filter(|&s| s > 0).ok_or(IssueError::Silence(silence_s))?;
        let TokenRandomness { nonce, client_to_server, server_to_client } = &content.random;
        let keys = PacketKeys { client_to_server, server_to_client };
        let servers = content.servers.clone();
        let private = PrivateToken { client_id: content.client_id, timeout_s, servers, keys, user_data: &user_data };
        let sealed = self.seal(&private.to_bytes(), nonce, content.expires_at);
        let token = ConnectToken {
            protocol_id: self.protocol_id,
            created_at: content.created_at.0,
            expires_at: content.expires_at.0,
            nonce,
            sealed: &sealed,
            timeout_s,
            servers: content.servers.clone(),
            keys,
        };
        Ok(token.to_bytes())
    }

    fn seal(
        &self,
        plain: &[u8; PRIVATE_TOKEN_PLAIN_BYTES],
        nonce: &[u8; TOKEN_NONCE_BYTES],
        expires_at: UnixSeconds,
    ) -> [u8; PRIVATE_TOKEN_BYTES] {
        let aad = token_associated(self.protocol_id, expires_at.0);
        let sealed = self
            .cipher
            .encrypt(&XNonce::from(*nonce), Payload { msg: plain, aad: &aad })
            .expect("a token is far below the cipher's limit");
        sealed.try_into().expect("it has grown by its tag")
    }

    /// Opens a private part; `None` if this realm did not seal it for this protocol and expiry.
    pub(super) fn open(
        &self,
        sealed: &[u8; PRIVATE_TOKEN_BYTES],
        nonce: &[u8; TOKEN_NONCE_BYTES],
        expires_at: UnixSeconds,
    ) -> Option<[u8; PRIVATE_TOKEN_PLAIN_BYTES]> {
        let aad = token_associated(self.protocol_id, expires_at.0);
        let plain = self.cipher.decrypt(&XNonce::from(*nonce), Payload { msg: sealed, aad: &aad }).ok()?;
        plain.try_into().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(ticket: &[u8]) -> TokenContent<'_> {
        let random = TokenRandomness { nonce: [1; 24], client_to_server: [2; 32], server_to_client: [3; 32] };
        let servers = vec!["127.0.0.1:8444".parse().unwrap(), "[::1]:8444".parse().unwrap()];
        let (created_at, expires_at) = (UnixSeconds(1_000), UnixSeconds(1_010));
        TokenContent {
            client_id: 9,
            ticket,
            servers,
            created_at,
            expires_at,
            silence_max: Duration::from_secs(5),
            random,
        }
    }

    #[test]
    fn a_private_token_opens_only_with_its_key_nonce_protocol_and_expiry() {
        let issuer = TokenIssuer::new(4, [5; 32]);
        let token = issuer.issue(&content(b"twenty-four bytes of it.")).unwrap();
        let public = ConnectToken::read(&token).unwrap();
        let plain = issuer.open(public.sealed, public.nonce, UnixSeconds(1_010)).unwrap();
        let private = PrivateToken::read(&plain).unwrap();
        assert_eq!((private.client_id, private.timeout_s, public.timeout_s), (9, 5, 5));
        assert_eq!(private.user_data[..24], *b"twenty-four bytes of it.");
        assert_eq!(private.user_data[24..], [0; 232]);
        assert_eq!((&private.servers, private.keys), (&public.servers, public.keys));
        assert!(issuer.open(public.sealed, public.nonce, UnixSeconds(9_999)).is_none(), "its end is sealed with it");
        assert!(issuer.open(public.sealed, &[9; 24], UnixSeconds(1_010)).is_none());
        assert!(TokenIssuer::new(4, [6; 32]).open(public.sealed, public.nonce, UnixSeconds(1_010)).is_none());
        assert!(TokenIssuer::new(5, [5; 32]).open(public.sealed, public.nonce, UnixSeconds(1_010)).is_none());
    }

    #[test]
    fn token_content_beyond_a_format_limit_is_refused() {
        let issuer = TokenIssuer::new(4, [5; 32]);
        assert_eq!(issuer.issue(&content(&[0; 257])), Err(IssueError::Ticket(257)));
        assert_eq!(issuer.issue(&TokenContent { servers: Vec::new(), ..content(b"") }), Err(IssueError::Servers(0)));
        let crowd = vec!["127.0.0.1:1".parse().unwrap(); 33];
        assert_eq!(issuer.issue(&TokenContent { servers: crowd, ..content(b"") }), Err(IssueError::Servers(33)));
        assert_eq!(
            issuer.issue(&TokenContent { silence_max: Duration::ZERO, ..content(b"") }),
            Err(IssueError::Silence(0))
        );
    }
}
