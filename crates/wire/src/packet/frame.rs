//! Holds an encoded MQTT packet, ready to write.

use bytes::Bytes;

/// An encoded packet in two parts, so that a message of QoS 1 or 2 has its own header and shares the rest. Cheap to
/// clone, because the bytes are shared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodedPacket {
    head: Bytes,
    tail: Bytes,
}

impl EncodedPacket {
    /// A packet in one part.
    pub fn whole(bytes: Bytes) -> EncodedPacket {
        EncodedPacket { head: bytes, tail: Bytes::new() }
    }

    pub(super) fn split(head: Bytes, tail: Bytes) -> EncodedPacket {
        EncodedPacket { head, tail }
    }

    /// Both parts, for storage.
    pub fn into_parts(self) -> [Bytes; 2] {
        [self.head, self.tail]
    }

    /// Bytes of the packet.
    pub fn len(&self) -> usize {
        self.head.len() + self.tail.len()
    }

    /// Never true: the smallest packet has two bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Both parts, in order; the second may be empty.
    pub fn parts(&self) -> [&[u8]; 2] {
        [&self.head, &self.tail]
    }
}
