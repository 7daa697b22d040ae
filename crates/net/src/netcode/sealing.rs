//! Puts packets together and seals them.

use stoa_state::time::Time;
use stoa_wire::netcode::packet::HEAD_BYTES_MAX;
use stoa_wire::netcode::{SealedHeader, SealedKind, TAG_BYTES};

use super::keys::SealingKey;
use super::sessions::NetcodeSession;

/// Seals packets with one key.
#[derive(Clone, Copy, Debug)]
pub(super) struct PacketSealer<'a> {
    pub(super) key: &'a SealingKey,
    pub(super) protocol_id: u64,
}

/// What a session says.
#[derive(Clone, Copy, Debug)]
pub(super) struct SessionPacket {
    pub(super) kind: SealedKind,
    pub(super) protocol_id: u64,
    pub(super) now: Time,
}

impl PacketSealer<'_> {
    /// Writes a packet to the beginning of `out`; the parts, one after the other, are its content. How long it is. Hot path: one copy, no allocation.
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
    /// The same as this session's next packet. 0, and nothing is written, where its address has proved nothing yet and sent less than it got with this.
    pub(super) fn write(&mut self, saying: SessionPacket, parts: &[&[u8]], out: &mut [u8]) -> usize {
        let head = SealedHeader::new(saying.kind, self.sequence);
        let expected = head.length() + length(parts) + TAG_BYTES;
        if let Some(unproved) = &mut self.unproved {
            if unproved.sent_bytes + expected > unproved.received_bytes {
                return 0;
            }
            unproved.sent_bytes += expected;
        }
        self.sequence += 1;
        self.told_at = saying.now;
        PacketSealer { key: &self.ours, protocol_id: saying.protocol_id }.write(head, parts, out)
    }
}

/// Of all parts together.
pub(super) fn length(parts: &[&[u8]]) -> usize {
    parts.iter().map(|part| part.len()).sum()
}
