//! Encodes a message for one client by topic alias: with a new header, sharing the rest.

use alloc::vec::Vec;

use bytes::Bytes;
use mqtt_protocol_core::mqtt::packet::VariableByteInteger;

use super::EncodedPacket;

/// Identifier of the property *Topic Alias*. Source: MQTT 5 section 2.2.2.2.
const TOPIC_ALIAS: u8 = 0x23;
/// Bytes of that property: its identifier and the alias.
const PROPERTY_BYTES: u32 = 3;

/// A parsed PUBLISH of MQTT 5.
#[derive(Clone, Debug)]
pub struct AliasablePublish {
    flags: u8,
    topic: Bytes,
    packet_id: Bytes,
    properties_bytes: u32,
    /// Properties and payload as far as the packet's first part holds them. `rest` holds the remainder.
    begun: Bytes,
    rest: Bytes,
}

impl AliasablePublish {
    /// Parses a PUBLISH of MQTT 5 as [`super::encode()`] and [`super::EncodedPublish`] write it; `None` for another
    /// packet. The caller makes sure that the message has no alias yet.
    pub fn parse(frame: &EncodedPacket) -> Option<AliasablePublish> {
        let [head, tail] = frame.clone().into_parts();
        let flags = *head.first().filter(|byte| *byte >> 4 == 3)?;
        let (_, length_bytes) = variable(head.get(1..)?)?;
        let topic_start = 1 + length_bytes + 2;
        let topic_length = head.get(topic_start - 2..topic_start)?;
        let topic_end = topic_start + usize::from(u16::from_be_bytes([topic_length[0], topic_length[1]]));
        let packet_id_end = topic_end + if flags & 0x06 == 0 { 0 } else { 2 };
        if packet_id_end > head.len() {
            return None;
        }
        let (topic, packet_id) = (head.slice(topic_start..topic_end), head.slice(topic_end..packet_id_end));
        let below = head.slice(packet_id_end..);
        // Of a packet in one part, all bytes after the packet id are shared.
        let (begun, rest) = match (below.is_empty(), tail.is_empty()) {
            (true, _) => (Bytes::new(), tail),
            (false, true) => (Bytes::new(), below),
            (false, false) => (below, tail),
        };
        let properties = if begun.is_empty() { &rest } else { &begun };
        let (properties_bytes, length_bytes) = variable(properties)?;
        let (begun, rest) =
            if begun.is_empty() { (begun, rest.slice(length_bytes..)) } else { (begun.slice(length_bytes..), rest) };
        Some(AliasablePublish { flags, topic, packet_id, properties_bytes, begun, rest })
    }

    /// The message's topic.
    pub fn topic(&self) -> &[u8] {
        &self.topic
    }

    /// Encodes the message with an alias. Without `is_known`, the topic is included, so that the client learns the
    /// alias.
    pub fn by_alias(&self, alias: u16, is_known: bool) -> EncodedPacket {
        let topic: &[u8] = if is_known { &[] } else { &self.topic };
        let properties = length(self.properties_bytes + PROPERTY_BYTES);
        let bytes =
            2 + topic.len() + self.packet_id.len() + properties.size() + PROPERTY_BYTES as usize + self.begun.len();
        let all = length(u32::try_from(bytes + self.rest.len()).expect("a packet is far below 4 GiB"));
        let mut head = Vec::with_capacity(1 + all.size() + bytes);
        head.push(self.flags);
        head.extend_from_slice(all.as_bytes());
        head.extend_from_slice(&u16::try_from(topic.len()).expect("a topic's length has two bytes").to_be_bytes());
        head.extend_from_slice(topic);
        head.extend_from_slice(&self.packet_id);
        head.extend_from_slice(properties.as_bytes());
        head.push(TOPIC_ALIAS);
        head.extend_from_slice(&alias.to_be_bytes());
        head.extend_from_slice(&self.begun);
        EncodedPacket::split(head.into(), self.rest.clone())
    }
}

fn length(bytes: u32) -> VariableByteInteger {
    VariableByteInteger::from_u32(bytes).expect("a packet is far below 256 MiB")
}

/// A variable byte integer, and its length in bytes.
pub(super) fn variable(bytes: &[u8]) -> Option<(u32, usize)> {
    let mut value = 0;
    for (index, byte) in bytes.iter().take(4).enumerate() {
        value |= u32::from(byte & 0x7f) << (7 * index);
        if byte & 0x80 == 0 {
            return Some((value, index + 1));
        }
    }
    None
}
