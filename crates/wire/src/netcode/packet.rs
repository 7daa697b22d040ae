//! Packets before they are opened. Source: netcode, *Packets* and *Reading Encrypted Packets*.

use super::{
    PACKET_ASSOCIATED_BYTES, PRIVATE_TOKEN_BYTES, REQUEST_BYTES, TAG_BYTES, TOKEN_NONCE_BYTES, VERSION_INFO,
    VERSION_INFO_BYTES,
};
use crate::take::take;

/// A prefix, and the longest sequence.
pub const HEAD_BYTES_MAX: usize = 1 + 8;
/// The shortest that is sealed: a prefix, a sequence of one byte, nothing, its tag.
const SEALED_PACKET_BYTES_MIN: usize = 1 + 1 + TAG_BYTES;

/// Why a packet is to be ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PacketError {
    /// It ends before it should.
    #[error("a packet of {got} bytes, at least {least}")]
    TooShort {
        /// How long it is.
        got: usize,
        /// How long it would have to be.
        least: usize,
    },
    /// It is a request, and not as long as one is.
    #[error("a request of {0} bytes, not {REQUEST_BYTES}")]
    RequestLength(usize),
    /// It is a request of another version.
    #[error("a request of another version than netcode 1.02")]
    Version,
    /// It is of a kind that is none.
    #[error("a packet of kind {0}, which is none")]
    Kind(u8),
    /// Its sequence has no bytes, or too many.
    #[error("a sequence of {0} bytes; 1 to 8 may be")]
    SequenceBytes(u8),
    /// What was sealed in it is not as long as that of its kind is.
    #[error("{got} bytes in a packet of kind {kind:?}")]
    ContentLength {
        /// The packet's kind.
        kind: SealedKind,
        /// How long the content is.
        got: usize,
    },
}

/// A packet before it is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetcodePacket<'a> {
    /// A client asks to be let in. The one kind whose packet is not sealed; its token is.
    Request(ConnectionRequest<'a>),
    /// All else.
    Sealed(SealedPacket<'a>),
}

/// A client asks to be let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectionRequest<'a> {
    /// What it wants to speak.
    pub protocol_id: u64,
    /// When its token ends, unix seconds; associated with the token.
    pub expires_at: u64,
    /// What its token was sealed with, beside the servers' key.
    pub nonce: &'a [u8; TOKEN_NONCE_BYTES],
    /// Its private token, sealed.
    pub sealed: &'a [u8; PRIVATE_TOKEN_BYTES],
}

/// A packet whose content is sealed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SealedPacket<'a> {
    /// What stands before it.
    pub head: SealedHeader,
    /// Content and tag.
    pub sealed: &'a [u8],
}

/// What stands before sealed content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SealedHeader {
    kind: SealedKind,
    sequence: u64,
    /// As the sender wrote it; the shortest is usual and not demanded.
    sequence_bytes: u8,
}

/// What a sealed packet is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum SealedKind {
    /// The server lets nobody in.
    Denied = 1,
    /// The server gives an address something to say back.
    Challenge = 2,
    /// The client says it back.
    Response = 3,
    /// Either is there; by the server's first the client is in.
    KeepAlive = 4,
    /// Carries a frame in either direction.
    Payload = 5,
    /// Either goes.
    Disconnect = 6,
}

impl<'a> NetcodePacket<'a> {
    /// Takes a datagram apart. Errors: it is to be ignored.
    pub fn read(bytes: &'a [u8]) -> Result<NetcodePacket<'a>, PacketError> {
        match bytes.first() {
            Some(0) => ConnectionRequest::read(bytes).map(NetcodePacket::Request),
            _ => SealedPacket::read(bytes).map(NetcodePacket::Sealed),
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

    /// The whole packet.
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
        // Of kind 0 are requests, whose whole prefix is 0.
        let (number, sequence_bytes) = (prefix & 0x0f, prefix >> 4);
        let kind = SealedKind::of(number).ok_or(PacketError::Kind(number))?;
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
    /// Of a packet that is to be sent.
    pub fn new(kind: SealedKind, sequence: u64) -> SealedHeader {
        let sequence_bytes = (8 - sequence.leading_zeros() as u8 / 8).max(1);
        SealedHeader { kind, sequence, sequence_bytes }
    }

    /// What the packet is.
    pub fn kind(&self) -> SealedKind {
        self.kind
    }

    /// Its number; the nonce follows from it.
    pub fn sequence(&self) -> u64 {
        self.sequence
    }

    /// How many bytes of the packet stand before what is sealed.
    pub fn length(&self) -> usize {
        1 + usize::from(self.sequence_bytes)
    }

    /// Kind, and length of the sequence.
    pub fn prefix(&self) -> u8 {
        (self.sequence_bytes << 4) | self.kind as u8
    }

    /// What is associated with the content: version, protocol, prefix.
    pub fn associated(&self, protocol_id: u64) -> [u8; PACKET_ASSOCIATED_BYTES] {
        let mut bytes = [0; PACKET_ASSOCIATED_BYTES];
        bytes[..13].copy_from_slice(VERSION_INFO);
        bytes[13..21].copy_from_slice(&protocol_id.to_le_bytes());
        bytes[21] = self.prefix();
        bytes
    }

    /// Writes its bytes to the beginning of `bytes`; how many they are.
    pub fn write(&self, bytes: &mut [u8; HEAD_BYTES_MAX]) -> usize {
        let [prefix, sequence @ ..] = bytes;
        *prefix = self.prefix();
        *sequence = self.sequence.to_le_bytes();
        self.length()
    }
}

impl SealedKind {
    /// The kind of that number.
    pub fn of(number: u8) -> Option<SealedKind> {
        Some(match number {
            1 => SealedKind::Denied,
            2 => SealedKind::Challenge,
            3 => SealedKind::Response,
            4 => SealedKind::KeepAlive,
            5 => SealedKind::Payload,
            6 => SealedKind::Disconnect,
            _ => return None,
        })
    }

    /// Whether clients send it: what else comes to a server is to be ignored.
    pub fn is_sent_by_clients(self) -> bool {
        !matches!(self, SealedKind::Denied | SealedKind::Challenge)
    }

    /// Whether one that came before is to be ignored (*Replay Protection*).
    pub fn is_guarded_against_replay(self) -> bool {
        matches!(self, SealedKind::KeepAlive | SealedKind::Payload | SealedKind::Disconnect)
    }
}
