//! Builds and seals netcode packets, within the byte budget of an unproved address.

use stoa_state::time::Time;
use stoa_wire::netcode::packet::HEAD_BYTES_MAX;
use stoa_wire::netcode::{SealedHeader, SealedPacketKind, TAG_BYTES};

use super::keys::SealingKey;
use super::sessions::NetcodeSession;

/// Seals packets with one key.
#[derive(Clone, Copy, Debug)]
pub(super) struct PacketSealer<'a> {
    pub(super) key: &'a SealingKey,
    pub(super) protocol_id: u64,
}

/// Properties of a session's next packet.
#[derive(Clone, Copy, Debug)]
pub(super) struct PacketSealParameters {
    pub(super) kind: SealedPacketKind,
    pub(super) protocol_id: u64,
    pub(super) now: Time,
}

impl PacketSealer<'_> {
    /// Writes a packet, with the concatenation of `parts` as content, to the beginning of `out` and returns its
    /// length. Hot path: one copy, no allocation.
    pub(super) fn write(&self, head: SealedHeader, parts: &[&[u8]], out: &mut [u8]) -> usize {
        let mut head_bytes = [0; HEAD_BYTES_MAX];
        let begin = head.write(&mut head_bytes);
        let end = begin + length(parts);
        assert!(end + TAG_BYTES <= out.len(), "a packet of {} bytes, and room for {}", end + TAG_BYTES, out.len());
        out[..begin].copy_from_slice(&head_bytes[..begin]);
        let mut at = begin;
        for part in parts {
            out[at..at + part.len()].copy_from_slice(part);
            at += part.len();
        }
        let tag = self.key.seal(head.sequence(), &head.associated(self.protocol_id), &mut out[begin..end]);
        out[end..end + TAG_BYTES].copy_from_slice(&tag);
        end + TAG_BYTES
    }
}

impl NetcodeSession {
    /// Writes this session's next packet. Writes nothing and returns 0 if the address is unproved and would be sent
    /// more than it sent.
    pub(super) fn write(&mut self, packet: PacketSealParameters, parts: &[&[u8]], out: &mut [u8]) -> usize {
        let head = SealedHeader::new(packet.kind, self.sequence);
        let expected = head.length() + length(parts) + TAG_BYTES;
        if let Some(unproved) = &mut self.unproved {
            if unproved.sent_bytes + expected > unproved.received_bytes {
                return 0;
            }
            unproved.sent_bytes += expected;
        }
        self.sequence += 1;
        self.sent_at = packet.now;
        PacketSealer { key: &self.send_key, protocol_id: packet.protocol_id }.write(head, parts, out)
    }
}

/// Total bytes of all parts.
pub(super) fn length(parts: &[&[u8]]) -> usize {
    parts.iter().map(|part| part.len()).sum()
}
