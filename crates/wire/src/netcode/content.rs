//! Reads and writes the content of sealed packets, once opened. Source: netcode, *Packets*.

use alloc::vec::Vec;

use super::packet::{PacketError, SealedPacketKind};
use super::{CHALLENGE_TOKEN_BYTES, PACKET_PAYLOAD_BYTES_MAX};
use crate::take::take;

/// The opened content of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PacketContent<'a> {
    /// The server refuses the client.
    Denied,
    /// The server's challenge for an address.
    Challenge(ChallengePacketContent<'a>),
    /// The client's answer, which returns the bytes of the challenge.
    Response(ChallengePacketContent<'a>),
    /// Sent by either side to keep the session alive.
    KeepAlive {
        /// The server's index of the client.
        client_index: u32,
        /// Maximum number of clients of the server.
        clients_max: u32,
    },
    /// Payload of either side, 1 to `PACKET_PAYLOAD_BYTES_MAX` bytes.
    Payload(&'a [u8]),
    /// Either side ends the session.
    Disconnect,
}

/// A challenge, which the client returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChallengePacketContent<'a> {
    /// Number of the token, from which its nonce is derived.
    pub sequence: u64,
    /// The challenge token, sealed with a key that only the server has.
    pub sealed: &'a [u8; CHALLENGE_TOKEN_BYTES],
}

impl<'a> PacketContent<'a> {
    /// Reads opened content. Errors: the content has the wrong length for its kind, so the packet has to be ignored.
    pub fn read(kind: SealedPacketKind, plain: &'a [u8]) -> Result<PacketContent<'a>, PacketError> {
        let wrong = PacketError::ContentLength { kind, got: plain.len() };
        let mut rest = plain;
        let content = match kind {
            SealedPacketKind::Denied => PacketContent::Denied,
            SealedPacketKind::Challenge => {
                PacketContent::Challenge(ChallengePacketContent::take(&mut rest).ok_or(wrong)?)
            }
            SealedPacketKind::Response => {
                PacketContent::Response(ChallengePacketContent::take(&mut rest).ok_or(wrong)?)
            }
            SealedPacketKind::KeepAlive => {
                let client_index = u32::from_le_bytes(*take(&mut rest).ok_or(wrong)?);
                let clients_max = u32::from_le_bytes(*take(&mut rest).ok_or(wrong)?);
                PacketContent::KeepAlive { client_index, clients_max }
            }
            SealedPacketKind::Payload => PacketContent::Payload(core::mem::take(&mut rest)),
            SealedPacketKind::Disconnect => PacketContent::Disconnect,
        };
        let is_fitting = match content {
            PacketContent::Payload(payload) => (1..=PACKET_PAYLOAD_BYTES_MAX).contains(&payload.len()),
            _ => rest.is_empty(),
        };
        if is_fitting { Ok(content) } else { Err(wrong) }
    }

    /// Kind of the packet.
    pub fn kind(&self) -> SealedPacketKind {
        match self {
            PacketContent::Denied => SealedPacketKind::Denied,
            PacketContent::Challenge(_) => SealedPacketKind::Challenge,
            PacketContent::Response(_) => SealedPacketKind::Response,
            PacketContent::KeepAlive { .. } => SealedPacketKind::KeepAlive,
            PacketContent::Payload(_) => SealedPacketKind::Payload,
            PacketContent::Disconnect => SealedPacketKind::Disconnect,
        }
    }

    /// Appends the content to seal.
    pub fn write(&self, bytes: &mut Vec<u8>) {
        match self {
            PacketContent::Denied | PacketContent::Disconnect => {}
            PacketContent::Challenge(challenge) | PacketContent::Response(challenge) => {
                bytes.extend_from_slice(&challenge.sequence.to_le_bytes());
                bytes.extend_from_slice(challenge.sealed);
            }
            PacketContent::KeepAlive { client_index, clients_max } => {
                bytes.extend_from_slice(&client_index.to_le_bytes());
                bytes.extend_from_slice(&clients_max.to_le_bytes());
            }
            PacketContent::Payload(payload) => {
                let room = 1..=PACKET_PAYLOAD_BYTES_MAX;
                assert!(room.contains(&payload.len()), "a payload of {} bytes", payload.len());
                bytes.extend_from_slice(payload);
            }
        }
    }
}

impl<'a> ChallengePacketContent<'a> {
    fn take(bytes: &mut &'a [u8]) -> Option<ChallengePacketContent<'a>> {
        let sequence = u64::from_le_bytes(*take(bytes)?);
        Some(ChallengePacketContent { sequence, sealed: take(bytes)? })
    }
}
