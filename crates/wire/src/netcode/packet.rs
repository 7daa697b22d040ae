//! Reads and writes requests, and the headers of sealed packets. Source: netcode, *Packets* and *Reading Encrypted
//! Packets*.

use super::{
    PACKET_ASSOCIATED_BYTES, PRIVATE_TOKEN_BYTES, REQUEST_BYTES, TAG_BYTES, TOKEN_NONCE_BYTES, VERSION_INFO,
    VERSION_INFO_BYTES,
};
use crate::take::take;

/// Bytes of the longest header: a prefix and a sequence.
pub const HEAD_BYTES_MAX: usize = 1 + 8;
/// Bytes of the shortest sealed packet: a prefix, a sequence of one byte, no content, the tag.
const SEALED_PACKET_BYTES_MIN: usize = 1 + 1 + TAG_BYTES;

/// Reason for ignoring a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PacketError {
    /// The packet is truncated.
    #[error("packet of {got} bytes is shorter than {least}")]
    TooShort {
        /// Length of the packet.
        got: usize,
        /// The shortest valid length.
        least: usize,
    },
    /// A request of the wrong length.
    #[error("request of {0} bytes, expected {REQUEST_BYTES}")]
    RequestLength(usize),
    /// A request of another version.
    #[error("request of another version than netcode 1.02")]
    Version,
    /// An unknown kind.
    #[error("unknown packet kind {0}")]
    Kind(u8),
    /// The sequence has no bytes, or too many.
    #[error("sequence of {0} bytes, the limit is 1 to 8")]
    SequenceBytes(u8),
    /// The content has the wrong length for its kind.
    #[error("wrong length of {got} bytes in a packet of kind {kind:?}")]
    ContentLength {
        /// The packet's kind.
        kind: SealedPacketKind,
        /// Length of the content.
        got: usize,
    },
}

/// A packet before it is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnopenedNetcodePacket<'a> {
    /// A client's request: the only kind that is not sealed, though the token in it is.
    Request(ConnectionRequest<'a>),
    /// Any other kind.
    Sealed(SealedPacket<'a>),
}

/// A client's request to connect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectionRequest<'a> {
    /// Protocol of the payload.
    pub protocol_id: u64,
    /// Expiry of the token, unix seconds; associated with the token.
    pub expires_at: u64,
    /// Nonce of the sealed token.
    pub nonce: &'a [u8; TOKEN_NONCE_BYTES],
    /// The sealed private token.
    pub sealed: &'a [u8; PRIVATE_TOKEN_BYTES],
}

/// A packet with sealed content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SealedPacket<'a> {
    /// The packet's header.
    pub head: SealedHeader,
    /// Content and tag.
    pub sealed: &'a [u8],
}

/// Header before sealed content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SealedHeader {
    kind: SealedPacketKind,
    sequence: u64,
    /// Bytes of the sequence as the sender encoded it. The shortest form is usual but not required.
    sequence_bytes: u8,
}

/// Kind of a sealed packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum SealedPacketKind {
    /// The server refuses the client.
    Denied = 1,
    /// The server's challenge for an address.
    Challenge = 2,
    /// The client's answer to a challenge.
    Response = 3,
    /// Keeps the session alive; the server's first one confirms it to the client.
    KeepAlive = 4,
    /// Carries a frame in either direction.
    Payload = 5,
    /// Either side ends the session.
    Disconnect = 6,
}

impl<'a> UnopenedNetcodePacket<'a> {
    /// Parses a datagram. Errors: the datagram has to be ignored.
    pub fn read(bytes: &'a [u8]) -> Result<UnopenedNetcodePacket<'a>, PacketError> {
        match bytes.first() {
            Some(0) => ConnectionRequest::read(bytes).map(UnopenedNetcodePacket::Request),
            _ => SealedPacket::read(bytes).map(UnopenedNetcodePacket::Sealed),
        }
    }
}

impl<'a> ConnectionRequest<'a> {
    fn read(bytes: &'a [u8]) -> Result<ConnectionRequest<'a>, PacketError> {
        let length = PacketError::RequestLength(bytes.len());
        if bytes.len() != REQUEST_BYTES {
            return Err(length);
        }
        let mut rest = bytes;
        let &[_prefix] = take(&mut rest).ok_or(length)?;
        let version: &[u8; VERSION_INFO_BYTES] = take(&mut rest).ok_or(length)?;
        if version != VERSION_INFO {
            return Err(PacketError::Version);
        }
        let protocol_id = u64::from_le_bytes(*take(&mut rest).ok_or(length)?);
        let expires_at = u64::from_le_bytes(*take(&mut rest).ok_or(length)?);
        let nonce = take(&mut rest).ok_or(length)?;
        let sealed = take(&mut rest).ok_or(length)?;
        Ok(ConnectionRequest { protocol_id, expires_at, nonce, sealed })
    }

    /// Encodes the whole packet.
    pub fn to_bytes(&self) -> [u8; REQUEST_BYTES] {
        let mut bytes = [0; REQUEST_BYTES];
        bytes[1..14].copy_from_slice(VERSION_INFO);
        bytes[14..22].copy_from_slice(&self.protocol_id.to_le_bytes());
        bytes[22..30].copy_from_slice(&self.expires_at.to_le_bytes());
        bytes[30..54].copy_from_slice(self.nonce);
        bytes[54..].copy_from_slice(self.sealed);
        bytes
    }
}

impl<'a> SealedPacket<'a> {
    fn read(bytes: &'a [u8]) -> Result<SealedPacket<'a>, PacketError> {
        let too_short = |least: usize| PacketError::TooShort { got: bytes.len(), least };
        let Some((&prefix, rest)) = bytes.split_first().filter(|_| bytes.len() >= SEALED_PACKET_BYTES_MIN) else {
            return Err(too_short(SEALED_PACKET_BYTES_MIN));
        };
        // Kind 0 is a request, whose whole prefix is 0.
        let (number, sequence_bytes) = (prefix & 0x0f, prefix >> 4);
        let kind = SealedPacketKind::of(number).ok_or(PacketError::Kind(number))?;
        if !(1..=8).contains(&sequence_bytes) {
            return Err(PacketError::SequenceBytes(sequence_bytes));
        }
        let least = 1 + usize::from(sequence_bytes) + TAG_BYTES;
        let (told, sealed) = rest.split_at_checked(usize::from(sequence_bytes)).ok_or(too_short(least))?;
        if sealed.len() < TAG_BYTES {
            return Err(too_short(least));
        }
        let mut sequence = [0; 8];
        sequence.iter_mut().zip(told).for_each(|(byte, told)| *byte = *told);
        let head = SealedHeader { kind, sequence: u64::from_le_bytes(sequence), sequence_bytes };
        Ok(SealedPacket { head, sealed })
    }
}

impl SealedHeader {
    /// The header of a packet to send.
    pub fn new(kind: SealedPacketKind, sequence: u64) -> SealedHeader {
        let sequence_bytes = (8 - sequence.leading_zeros() as u8 / 8).max(1);
        SealedHeader { kind, sequence, sequence_bytes }
    }

    /// Kind of the packet.
    pub fn kind(&self) -> SealedPacketKind {
        self.kind
    }

    /// Sequence of the packet, from which its nonce is derived.
    pub fn sequence(&self) -> u64 {
        self.sequence
    }

    /// Bytes of the header.
    pub fn length(&self) -> usize {
        1 + usize::from(self.sequence_bytes)
    }

    /// Kind, and length of the sequence.
    pub fn prefix(&self) -> u8 {
        (self.sequence_bytes << 4) | self.kind as u8
    }

    /// Associated data of the content: version, protocol, prefix.
    pub fn associated(&self, protocol_id: u64) -> [u8; PACKET_ASSOCIATED_BYTES] {
        let mut bytes = [0; PACKET_ASSOCIATED_BYTES];
        bytes[..13].copy_from_slice(VERSION_INFO);
        bytes[13..21].copy_from_slice(&protocol_id.to_le_bytes());
        bytes[21] = self.prefix();
        bytes
    }

    /// Encodes the header to the beginning of `bytes` and returns its length.
    pub fn write(&self, bytes: &mut [u8; HEAD_BYTES_MAX]) -> usize {
        let [prefix, sequence @ ..] = bytes;
        *prefix = self.prefix();
        *sequence = self.sequence.to_le_bytes();
        self.length()
    }
}

impl SealedPacketKind {
    /// The kind with this number.
    pub fn of(number: u8) -> Option<SealedPacketKind> {
        Some(match number {
            1 => SealedPacketKind::Denied,
            2 => SealedPacketKind::Challenge,
            3 => SealedPacketKind::Response,
            4 => SealedPacketKind::KeepAlive,
            5 => SealedPacketKind::Payload,
            6 => SealedPacketKind::Disconnect,
            _ => return None,
        })
    }

    /// Whether clients send this kind. A server ignores the rest.
    pub fn is_sent_by_clients(self) -> bool {
        !matches!(self, SealedPacketKind::Denied | SealedPacketKind::Challenge)
    }

    /// Whether a repeated packet of this kind has to be ignored (*Replay Protection*).
    pub fn is_guarded_against_replay(self) -> bool {
        matches!(self, SealedPacketKind::KeepAlive | SealedPacketKind::Payload | SealedPacketKind::Disconnect)
    }
}
