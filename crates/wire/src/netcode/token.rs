//! Encodes and decodes tokens: a client's connect token, its private part for servers, and the challenge. Source:
//! netcode, *Connect Token* and *Challenge Token*.

use alloc::vec::Vec;
use core::net::SocketAddr;

use super::address::{self, ADDRESSES_BYTES_MAX, ServerListError};
use super::{
    CHALLENGE_TOKEN_PLAIN_BYTES, CONNECT_TOKEN_BYTES, KEY_BYTES, PRIVATE_TOKEN_BYTES, PRIVATE_TOKEN_PLAIN_BYTES,
    TOKEN_NONCE_BYTES, USER_DATA_BYTES, VERSION_INFO, VERSION_INFO_BYTES,
};
use crate::take::take;

// The longest lists fit, so the readers' last fields are always present.
const _: () = assert!(8 + 4 + ADDRESSES_BYTES_MAX + 2 * KEY_BYTES + USER_DATA_BYTES <= PRIVATE_TOKEN_PLAIN_BYTES);
const PUBLIC_HEAD_BYTES: usize = VERSION_INFO_BYTES + 3 * 8 + TOKEN_NONCE_BYTES + PRIVATE_TOKEN_BYTES + 4;
const _: () = assert!(PUBLIC_HEAD_BYTES + ADDRESSES_BYTES_MAX + 2 * KEY_BYTES <= CONNECT_TOKEN_BYTES);

/// Reason why a token is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// The token has the wrong length.
    #[error("token of {got} bytes, expected {wanted}")]
    Length {
        /// Length of the token.
        got: usize,
        /// The valid length.
        wanted: usize,
    },
    /// The token is of another version.
    #[error("token of another version than netcode 1.02")]
    Version,
    /// The expiry precedes the creation.
    #[error("token created at {created_at} expires before that, at {expires_at}")]
    Times {
        /// Unix seconds.
        created_at: u64,
        /// Unix seconds.
        expires_at: u64,
    },
    /// The token's list of servers is invalid.
    #[error(transparent)]
    Addresses(#[from] ServerListError),
}

/// Keys of both directions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PacketKeys<'a> {
    /// Seals packets of the client.
    pub client_to_server: &'a [u8; KEY_BYTES],
    /// Seals packets of the server.
    pub server_to_client: &'a [u8; KEY_BYTES],
}

/// The part of a token that only servers can open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrivateToken<'a> {
    /// Identifies the client.
    pub client_id: u64,
    /// Seconds of silence that end the session; never if negative.
    pub timeout_s: i32,
    /// Servers that accept the token: 1 to `ADDRESSES_MAX`.
    pub servers: Vec<SocketAddr>,
    /// Keys of the session's packets.
    pub keys: PacketKeys<'a>,
    /// Data from the issuer to the server.
    pub user_data: &'a [u8; USER_DATA_BYTES],
}

/// A token as the client gets it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectToken<'a> {
    /// Protocol of the payload.
    pub protocol_id: u64,
    /// Creation time, unix seconds.
    pub created_at: u64,
    /// Expiry, unix seconds.
    pub expires_at: u64,
    /// Nonce of the sealed private part.
    pub nonce: &'a [u8; TOKEN_NONCE_BYTES],
    /// The sealed private part, which the client forwards.
    pub sealed: &'a [u8; PRIVATE_TOKEN_BYTES],
    /// Seconds of silence that end the session; never if negative.
    pub timeout_s: i32,
    /// Servers to try in this order: 1 to `ADDRESSES_MAX`.
    pub servers: Vec<SocketAddr>,
    /// Keys of the session's packets.
    pub keys: PacketKeys<'a>,
}

/// An opened challenge. Returning it proves that the client receives at its address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChallengeToken<'a> {
    /// The client id of the token.
    pub client_id: u64,
    /// The user data of the token.
    pub user_data: &'a [u8; USER_DATA_BYTES],
}

impl core::fmt::Debug for PacketKeys<'_> {
    /// Formats without the keys, which are secret.
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.write_str("PacketKeys")
    }
}

impl<'a> PacketKeys<'a> {
    fn take(bytes: &mut &'a [u8]) -> Option<PacketKeys<'a>> {
        Some(PacketKeys { client_to_server: take(bytes)?, server_to_client: take(bytes)? })
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(self.client_to_server);
        bytes.extend_from_slice(self.server_to_client);
    }
}

impl<'a> PrivateToken<'a> {
    /// Reads an opened private part. Bytes after the last field are ignored. Errors: the request has to be ignored.
    pub fn read(plain: &'a [u8; PRIVATE_TOKEN_PLAIN_BYTES]) -> Result<PrivateToken<'a>, TokenError> {
        let mut rest = plain.as_slice();
        let cut = TokenError::Addresses(ServerListError::CutShort);
        let client_id = u64::from_le_bytes(*take(&mut rest).ok_or(cut)?);
        let timeout_s = i32::from_le_bytes(*take(&mut rest).ok_or(cut)?);
        let servers = address::read(&mut rest)?;
        let keys = PacketKeys::take(&mut rest).ok_or(cut)?;
        let user_data = take(&mut rest).ok_or(cut)?;
        Ok(PrivateToken { client_id, timeout_s, servers, keys, user_data })
    }

    /// Encodes the part to seal.
    pub fn to_bytes(&self) -> [u8; PRIVATE_TOKEN_PLAIN_BYTES] {
        let mut bytes = Vec::with_capacity(PRIVATE_TOKEN_PLAIN_BYTES);
        bytes.extend_from_slice(&self.client_id.to_le_bytes());
        bytes.extend_from_slice(&self.timeout_s.to_le_bytes());
        address::write(&self.servers, &mut bytes);
        self.keys.write(&mut bytes);
        bytes.extend_from_slice(self.user_data);
        padded(&bytes)
    }
}

impl<'a> ConnectToken<'a> {
    /// Reads a connect token. Bytes after the last field are ignored.
    pub fn read(bytes: &'a [u8]) -> Result<ConnectToken<'a>, TokenError> {
        let length = TokenError::Length { got: bytes.len(), wanted: CONNECT_TOKEN_BYTES };
        if bytes.len() != CONNECT_TOKEN_BYTES {
            return Err(length);
        }
        let mut rest = bytes;
        let version: &[u8; VERSION_INFO_BYTES] = take(&mut rest).ok_or(length)?;
        if version != VERSION_INFO {
            return Err(TokenError::Version);
        }
        let protocol_id = u64::from_le_bytes(*take(&mut rest).ok_or(length)?);
        let created_at = u64::from_le_bytes(*take(&mut rest).ok_or(length)?);
        let expires_at = u64::from_le_bytes(*take(&mut rest).ok_or(length)?);
        if created_at > expires_at {
            return Err(TokenError::Times { created_at, expires_at });
        }
        let nonce = take(&mut rest).ok_or(length)?;
        let sealed = take(&mut rest).ok_or(length)?;
        let timeout_s = i32::from_le_bytes(*take(&mut rest).ok_or(length)?);
        let servers = address::read(&mut rest)?;
        let keys = PacketKeys::take(&mut rest).ok_or(length)?;
        Ok(ConnectToken { protocol_id, created_at, expires_at, nonce, sealed, timeout_s, servers, keys })
    }

    /// Encodes the token, [`CONNECT_TOKEN_BYTES`] bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(CONNECT_TOKEN_BYTES);
        bytes.extend_from_slice(VERSION_INFO);
        for number in [self.protocol_id, self.created_at, self.expires_at] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        bytes.extend_from_slice(self.nonce);
        bytes.extend_from_slice(self.sealed);
        bytes.extend_from_slice(&self.timeout_s.to_le_bytes());
        address::write(&self.servers, &mut bytes);
        self.keys.write(&mut bytes);
        bytes.resize(CONNECT_TOKEN_BYTES, 0);
        bytes
    }
}

impl<'a> ChallengeToken<'a> {
    /// Reads an opened challenge. Bytes after the last field are ignored.
    pub fn read(plain: &'a [u8; CHALLENGE_TOKEN_PLAIN_BYTES]) -> ChallengeToken<'a> {
        let (client_id, rest) = plain.split_first_chunk().expect("a challenge token is longer than 8 bytes");
        let user_data = rest.first_chunk().expect("a challenge token is longer than 264 bytes");
        ChallengeToken { client_id: u64::from_le_bytes(*client_id), user_data }
    }

    /// Encodes the challenge to seal.
    pub fn to_bytes(&self) -> [u8; CHALLENGE_TOKEN_PLAIN_BYTES] {
        let mut bytes = [0; CHALLENGE_TOKEN_PLAIN_BYTES];
        bytes[..8].copy_from_slice(&self.client_id.to_le_bytes());
        bytes[8..8 + USER_DATA_BYTES].copy_from_slice(self.user_data);
        bytes
    }
}

/// Pads with zeros.
fn padded<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut all = [0; N];
    all[..bytes.len()].copy_from_slice(bytes);
    all
}
