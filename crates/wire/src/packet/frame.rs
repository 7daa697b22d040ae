//! An encoded packet, ready to be written.

use bytes::Bytes;

/// Cheap to clone: the bytes are shared. Two parts, so that a message of QoS 1 or 2 has a head of its own and shares the rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodedPacket {
    head: Bytes,
    tail: Bytes,
}

impl EncodedPacket {
    /// A packet in one piece.
    pub fn whole(bytes: Bytes) -> EncodedPacket {
        EncodedPacket { head: bytes, tail: Bytes::new() }
    }

    pub(super) fn split(head: Bytes, tail: Bytes) -> EncodedPacket {
        EncodedPacket { head, tail }
    }

    /// The same, to be kept.
    pub fn into_parts(self) -> [Bytes; 2] {
        [self.head, self.tail]
    }

    /// Bytes to write.
    pub fn len(&self) -> usize {
        self.head.len() + self.tail.len()
    }

    /// Never true: the smallest packet has two bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What to write, in order; the second may be empty.
    pub fn parts(&self) -> [&[u8]; 2] {
        [&self.head, &self.tail]
    }
}
