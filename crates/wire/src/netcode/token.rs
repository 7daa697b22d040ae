//! Tokens: the one that a client is given, what only servers read of it, and the challenge. Source: netcode, *Connect Token* and *Challenge Token*.

use alloc::vec::Vec;
use core::net::SocketAddr;

use super::address::{self, ADDRESSES_BYTES_MAX, AddressesError};
use super::{
    CHALLENGE_TOKEN_PLAIN_BYTES, CONNECT_TOKEN_BYTES, KEY_BYTES, PRIVATE_TOKEN_BYTES, PRIVATE_TOKEN_PLAIN_BYTES,
    TOKEN_NONCE_BYTES, USER_DATA_BYTES, VERSION_INFO, VERSION_INFO_BYTES,
};
use crate::take::take;

// The longest of each fits: the readers' last fields are always there.
const _: () = assert!(8 + 4 + ADDRESSES_BYTES_MAX + 2 * KEY_BYTES + USER_DATA_BYTES <= PRIVATE_TOKEN_PLAIN_BYTES);
const PUBLIC_HEAD_BYTES: usize = VERSION_INFO_BYTES + 3 * 8 + TOKEN_NONCE_BYTES + PRIVATE_TOKEN_BYTES + 4;
const _: () = assert!(PUBLIC_HEAD_BYTES + ADDRESSES_BYTES_MAX + 2 * KEY_BYTES <= CONNECT_TOKEN_BYTES);

/// Why a token is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// It is not as long as one is.
    #[error("a token of {got} bytes, not {wanted}")]
    Length {
        /// How long it is.
        got: usize,
        /// How long one is.
        wanted: usize,
    },
    /// It is of another version.
    #[error("a token of another version than netcode 1.02")]
    Version,
    /// It ends before it was made.
    #[error("a token of {created_at} that ended at {expires_at}")]
    Times {
        /// Unix seconds.
        created_at: u64,
        /// Unix seconds.
        expires_at: u64,
    },
    /// Its servers are none.
    #[error(transparent)]
    Addresses(#[from] AddressesError),
}

/// What the two ends seal with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PacketKeys<'a> {
    /// What the client sends.
    pub client_to_server: &'a [u8; KEY_BYTES],
    /// What the server sends.
    pub server_to_client: &'a [u8; KEY_BYTES],
}

/// What a server reads in a token, after it has opened it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrivateToken<'a> {
    /// Who it is for.
    pub client_id: u64,
    /// After how many seconds of silence the connection ends; never where negative.
    pub timeout_s: i32,
    /// The servers that it is good for: 1 to `ADDRESSES_MAX`.
    pub servers: Vec<SocketAddr>,
    /// What packets are sealed with.
    pub keys: PacketKeys<'a>,
    /// What the issuer tells the server.
    pub user_data: &'a [u8; USER_DATA_BYTES],
}

/// A token as the client has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectToken<'a> {
    /// What is spoken in the payload.
    pub protocol_id: u64,
    /// When it was made, unix seconds.
    pub created_at: u64,
    /// When it ends, unix seconds.
    pub expires_at: u64,
    /// What the private part was sealed with, beside the servers' key.
    pub nonce: &'a [u8; TOKEN_NONCE_BYTES],
    /// The private part, sealed; the client hands it on.
    pub sealed: &'a [u8; PRIVATE_TOKEN_BYTES],
    /// After how many seconds of silence the connection ends; never where negative.
    pub timeout_s: i32,
    /// Where to connect, one after the other: 1 to `ADDRESSES_MAX`.
    pub servers: Vec<SocketAddr>,
    /// What packets are sealed with.
    pub keys: PacketKeys<'a>,
}

/// What a server gives an address to say back, opened: who has it, is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChallengeToken<'a> {
    /// Who the token was for.
    pub client_id: u64,
    /// What stood in it.
    pub user_data: &'a [u8; USER_DATA_BYTES],
}

impl core::fmt::Debug for PacketKeys<'_> {
    /// Keys are never told.
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.write_str("Keys")
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
    /// What was opened. What stands behind the last field is not looked at. Errors: the request is to be ignored.
    pub fn read(plain: &'a [u8; PRIVATE_TOKEN_PLAIN_BYTES]) -> Result<PrivateToken<'a>, TokenError> {
        let mut rest = plain.as_slice();
        let cut = TokenError::Addresses(AddressesError::CutShort);
        let client_id = u64::from_le_bytes(*take(&mut rest).ok_or(cut)?);
        let timeout_s = i32::from_le_bytes(*take(&mut rest).ok_or(cut)?);
        let servers = address::read(&mut rest)?;
        let keys = PacketKeys::take(&mut rest).ok_or(cut)?;
        let user_data = take(&mut rest).ok_or(cut)?;
        Ok(PrivateToken { client_id, timeout_s, servers, keys, user_data })
    }

    /// What is to be sealed.
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
    /// From its bytes. What stands behind the last field is not looked at.
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

    /// Its bytes, [`CONNECT_TOKEN_BYTES`] of them.
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
    /// What was opened. What stands behind the last field is not looked at.
    pub fn read(plain: &'a [u8; CHALLENGE_TOKEN_PLAIN_BYTES]) -> ChallengeToken<'a> {
        let (client_id, rest) = plain.split_first_chunk().expect("a challenge token is longer than 8 bytes");
        let user_data = rest.first_chunk().expect("a challenge token is longer than 264 bytes");
        ChallengeToken { client_id: u64::from_le_bytes(*client_id), user_data }
    }

    /// What is to be sealed.
    pub fn to_bytes(&self) -> [u8; CHALLENGE_TOKEN_PLAIN_BYTES] {
        let mut bytes = [0; CHALLENGE_TOKEN_PLAIN_BYTES];
        bytes[..8].copy_from_slice(&self.client_id.to_le_bytes());
        bytes[8..8 + USER_DATA_BYTES].copy_from_slice(self.user_data);
        bytes
    }
}

/// With zeros behind it.
fn padded<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut all = [0; N];
    all[..bytes.len()].copy_from_slice(bytes);
    all
}
