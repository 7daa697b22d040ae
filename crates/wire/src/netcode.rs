//! netcode 1.02 without its cryptography: what is sealed, beside what, and how it lies in a packet. Source: `STANDARD.md` of mas-bandwidth/netcode, whose sections are
//! named where they count; sizes that it leaves to the implementation are those of its `netcode.c`.
//!
//! Integers are little-endian, those of IPv6 addresses too (*General Conventions*; the crate renetcode writes these big-endian, and can't read ours). Sealing is
//! ChaCha20-Poly1305 of RFC 8439 for packets and challenge tokens, XChaCha20-Poly1305 for private tokens; its tag stands behind what it seals.

mod address;
mod content;
pub mod packet;
mod token;

pub use self::address::AddressesError;
pub use self::content::{Challenge, PacketContent};
pub use self::packet::{ConnectionRequest, NetcodePacket, PacketError, SealedHeader, SealedKind, SealedPacket};
pub use self::token::{ChallengeToken, ConnectToken, PacketKeys, PrivateToken, TokenError};

/// With it begin tokens, requests and what is associated: name and version, and a zero (*Connect Token*).
pub const VERSION_INFO: &[u8; VERSION_INFO_BYTES] = b"NETCODE 1.02\0";
/// Bytes of that.
pub const VERSION_INFO_BYTES: usize = 13;
/// A key.
pub const KEY_BYTES: usize = 32;
/// The tag behind what is sealed (the standard says HMAC).
pub const TAG_BYTES: usize = 16;
/// A private token's nonce, which is random and told in the clear.
pub const TOKEN_NONCE_BYTES: usize = 24;
/// A packet's or a challenge token's nonce, which follows from its sequence.
pub const NONCE_BYTES: usize = 12;
/// What the issuer of a token tells the server.
pub const USER_DATA_BYTES: usize = 256;
/// Servers that one token leads to.
pub const ADDRESSES_MAX: usize = 32;
/// A private token, sealed.
pub const PRIVATE_TOKEN_BYTES: usize = 1_024;
/// A private token before sealing.
pub const PRIVATE_TOKEN_PLAIN_BYTES: usize = PRIVATE_TOKEN_BYTES - TAG_BYTES;
/// A connect token, as clients get it.
pub const CONNECT_TOKEN_BYTES: usize = 2_048;
/// A challenge token, sealed.
pub const CHALLENGE_TOKEN_BYTES: usize = 300;
/// A challenge token before sealing.
pub const CHALLENGE_TOKEN_PLAIN_BYTES: usize = CHALLENGE_TOKEN_BYTES - TAG_BYTES;
/// A request: prefix, version, protocol, end, nonce, private token (*Processing Connection Requests*).
pub const REQUEST_BYTES: usize = 1 + VERSION_INFO_BYTES + 8 + 8 + TOKEN_NONCE_BYTES + PRIVATE_TOKEN_BYTES;
/// What one payload packet carries.
pub const PACKET_PAYLOAD_BYTES_MAX: usize = 1_200;
/// What is associated with a sealed packet.
pub const PACKET_ASSOCIATED_BYTES: usize = VERSION_INFO_BYTES + 8 + 1;
/// What is associated with a private token.
pub const TOKEN_ASSOCIATED_BYTES: usize = VERSION_INFO_BYTES + 8 + 8;
/// The first sequence of what a server sends before a client is in: with the same key, the client's own begin at 0, and no nonce may come twice (`netcode.c`; its
/// `IMPLEMENTERS.md`, 3).
pub const EARLY_SEQUENCE_FIRST: u64 = 1 << 63;

const _: () = assert!(REQUEST_BYTES == 1_078 && PACKET_ASSOCIATED_BYTES == 22 && TOKEN_ASSOCIATED_BYTES == 29);
const _: () = assert!(8 + USER_DATA_BYTES <= CHALLENGE_TOKEN_PLAIN_BYTES);
// The longest answer to an address that has proved nothing: less than the request.
const _: () = assert!(packet::HEAD_BYTES_MAX + 8 + CHALLENGE_TOKEN_BYTES + TAG_BYTES < REQUEST_BYTES);

/// The nonce of a packet or a challenge token: four zeros, the sequence (*Challenge Token*, *Packets*).
pub fn nonce(sequence: u64) -> [u8; NONCE_BYTES] {
    let mut bytes = [0; NONCE_BYTES];
    bytes[4..].copy_from_slice(&sequence.to_le_bytes());
    bytes
}

/// What is associated with a private token: version, protocol, and its end in unix seconds (*Connect Token*).
pub fn token_associated(protocol_id: u64, expires_at: u64) -> [u8; TOKEN_ASSOCIATED_BYTES] {
    let mut bytes = [0; TOKEN_ASSOCIATED_BYTES];
    bytes[..13].copy_from_slice(VERSION_INFO);
    bytes[13..21].copy_from_slice(&protocol_id.to_le_bytes());
    bytes[21..].copy_from_slice(&expires_at.to_le_bytes());
    bytes
}

#[cfg(test)]
mod tests;
