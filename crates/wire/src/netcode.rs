//! Encodes and decodes netcode 1.02 without its cryptography: packets, tokens, their sealed parts and associated data.
//! Source: `STANDARD.md` of mas-bandwidth/netcode, cited by section. Sizes that it leaves to the implementation are
//! those of its `netcode.c`.
//!
//! Integers are little-endian, those of IPv6 addresses too (*General Conventions*; the crate renetcode writes
//! addresses big-endian, and can't read those of this module). Sealing is ChaCha20-Poly1305 of RFC 8439 for packets and
//! challenge tokens, XChaCha20-Poly1305 for private tokens. The tag follows the sealed bytes.

mod address;
mod content;
pub mod packet;
mod token;

pub use self::address::ServerListError;
pub use self::content::{ChallengePacketContent, PacketContent};
pub use self::packet::{
    ConnectionRequest, PacketError, SealedHeader, SealedPacket, SealedPacketKind, UnopenedNetcodePacket,
};
pub use self::token::{ChallengeToken, ConnectToken, PacketKeys, PrivateToken, TokenError};

/// Name, version and a zero: the first bytes of connect tokens and associated data, and of requests after their prefix
/// (*Connect Token*).
pub const VERSION_INFO: &[u8; VERSION_INFO_BYTES] = b"NETCODE 1.02\0";
/// Bytes of [`VERSION_INFO`].
pub const VERSION_INFO_BYTES: usize = 13;
/// Bytes of a key.
pub const KEY_BYTES: usize = 32;
/// Bytes of the tag after sealed content (HMAC in the standard's words).
pub const TAG_BYTES: usize = 16;
/// Bytes of a private token's nonce, which is random and sent in the clear.
pub const TOKEN_NONCE_BYTES: usize = 24;
/// Bytes of the nonce of a packet or challenge token, which is derived from its sequence.
pub const NONCE_BYTES: usize = 12;
/// Bytes of user data, from the issuer of a token to the server.
pub const USER_DATA_BYTES: usize = 256;
/// Servers that a token can list.
pub const ADDRESSES_MAX: usize = 32;
/// Bytes of a sealed private token.
pub const PRIVATE_TOKEN_BYTES: usize = 1_024;
/// Bytes of a private token before sealing.
pub const PRIVATE_TOKEN_PLAIN_BYTES: usize = PRIVATE_TOKEN_BYTES - TAG_BYTES;
/// Bytes of a connect token, as clients get it.
pub const CONNECT_TOKEN_BYTES: usize = 2_048;
/// Bytes of a sealed challenge token.
pub const CHALLENGE_TOKEN_BYTES: usize = 300;
/// Bytes of a challenge token before sealing.
pub const CHALLENGE_TOKEN_PLAIN_BYTES: usize = CHALLENGE_TOKEN_BYTES - TAG_BYTES;
/// Bytes of a request: prefix, version, protocol, expiry, nonce, private token (*Processing Connection Requests*).
pub const REQUEST_BYTES: usize = 1 + VERSION_INFO_BYTES + 8 + 8 + TOKEN_NONCE_BYTES + PRIVATE_TOKEN_BYTES;
/// Bytes of a payload packet's content.
pub const PACKET_PAYLOAD_BYTES_MAX: usize = 1_200;
/// Bytes of a sealed packet's associated data.
pub const PACKET_ASSOCIATED_BYTES: usize = VERSION_INFO_BYTES + 8 + 1;
/// Bytes of a private token's associated data.
pub const TOKEN_ASSOCIATED_BYTES: usize = VERSION_INFO_BYTES + 8 + 8;
/// First sequence of server packets sent before a client is admitted. With the same key, the server's session
/// packets begin at 0, and no nonce may repeat (`netcode.c`; its `IMPLEMENTERS.md`, 3).
pub const EARLY_SEQUENCE_FIRST: u64 = 1 << 63;

const _: () = assert!(REQUEST_BYTES == 1_078 && PACKET_ASSOCIATED_BYTES == 22 && TOKEN_ASSOCIATED_BYTES == 29);
const _: () = assert!(8 + USER_DATA_BYTES <= CHALLENGE_TOKEN_PLAIN_BYTES);
// The longest answer to an unvalidated address is shorter than the request.
const _: () = assert!(packet::HEAD_BYTES_MAX + 8 + CHALLENGE_TOKEN_BYTES + TAG_BYTES < REQUEST_BYTES);

/// The nonce of a packet or challenge token: four zeros, then the sequence (*Challenge Token*, *Packets*).
pub fn nonce(sequence: u64) -> [u8; NONCE_BYTES] {
    let mut bytes = [0; NONCE_BYTES];
    bytes[4..].copy_from_slice(&sequence.to_le_bytes());
    bytes
}

/// Associated data of a private token: version, protocol, and expiry in unix seconds (*Connect Token*).
pub fn token_associated(protocol_id: u64, expires_at: u64) -> [u8; TOKEN_ASSOCIATED_BYTES] {
    let mut bytes = [0; TOKEN_ASSOCIATED_BYTES];
    bytes[..13].copy_from_slice(VERSION_INFO);
    bytes[13..21].copy_from_slice(&protocol_id.to_le_bytes());
    bytes[21..].copy_from_slice(&expires_at.to_le_bytes());
    bytes
}

#[cfg(test)]
mod tests;
