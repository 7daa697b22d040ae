//! Encodes a message for many receivers: once per protocol version. Also a payload of which receivers share the end.

use alloc::vec::Vec;

use bytes::Bytes;
use mqtt_protocol_core::mqtt::packet::VariableByteInteger;

use super::{EncodedPacket, MqttVersion, Packet, Publish, Qos, encode};

/// An encoded message. Receivers at QoS 0 share all of it. At QoS 1 and 2 each receiver has its own header (length,
/// topic, packet id) and shares the rest.
#[derive(Clone, Debug)]
pub struct EncodedPublish {
    plain: Bytes,
    topic_start: usize,
    topic_end: usize,
}

/// Per-receiver options of an [`EncodedPublish`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeliveryOptions {
    /// At most the subscription's QoS.
    pub qos: Qos,
    /// Not 0; ignored at QoS 0.
    pub packet_id: u16,
    /// The retain flag.
    pub retain: bool,
    /// Whether it may be a redelivery.
    pub dup: bool,
}

impl EncodedPublish {
    /// Encodes `publish`. Ignores `qos`, `retain`, `dup` and `packet_id`, which each receiver has its own.
    pub fn new(publish: &Publish, version: MqttVersion) -> EncodedPublish {
        let plain = Publish { qos: Qos::AtMostOnce, retain: false, dup: false, packet_id: None, ..publish.clone() };
        let [bytes, _] = encode(&Packet::Publish(plain), version).into_parts();
        let topic_start = header_bytes(&bytes);
        EncodedPublish { topic_start, topic_end: topic_start + 2 + publish.topic.as_str().len(), plain: bytes }
    }

    /// Bytes of the packet at QoS 0.
    pub fn len(&self) -> usize {
        self.plain.len()
    }

    /// Never true, because a message has a topic.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Bytes of the packet at any QoS, at most.
    pub fn len_max(&self) -> usize {
        // A packet id, and one more byte of the length field.
        self.plain.len() + 3
    }

    /// The packet for all receivers at QoS 0.
    pub fn shared(&self) -> EncodedPacket {
        EncodedPacket::whole(self.plain.clone())
    }

    /// The packet for one receiver: allocates a header and shares the rest.
    pub fn to(&self, delivery: DeliveryOptions) -> EncodedPacket {
        if delivery.qos == Qos::AtMostOnce && !delivery.retain {
            return self.shared();
        }
        let topic = &self.plain[self.topic_start..self.topic_end];
        let packet_id = delivery.packet_id.to_be_bytes();
        let packet_id = if delivery.qos == Qos::AtMostOnce { &[][..] } else { &packet_id[..] };
        let tail = self.plain.slice(self.topic_end..);
        let rest = u32::try_from(topic.len() + packet_id.len() + tail.len()).expect("a packet is far below 4 GiB");
        let length = VariableByteInteger::from_u32(rest).expect("a packet is far below 256 MiB");
        let flags = u8::from(delivery.dup) << 3 | (delivery.qos as u8) << 1 | u8::from(delivery.retain);
        let mut head = Vec::with_capacity(5 + topic.len() + packet_id.len());
        head.push(0x30 | flags);
        head.extend_from_slice(length.as_bytes());
        head.extend_from_slice(topic);
        head.extend_from_slice(packet_id);
        EncodedPacket::split(head.into(), tail)
    }
}

/// Encodes a message at QoS 0 whose payload continues with `rest`. Receivers share `rest` without a copy.
pub fn encode_continued(publish: &Publish, rest: Bytes, version: MqttVersion) -> EncodedPacket {
    let [begun, _] = encode(&Packet::Publish(publish.clone()), version).into_parts();
    let body = &begun[header_bytes(&begun)..];
    let length = u32::try_from(body.len() + rest.len()).expect("a packet is far below 4 GiB");
    let length = VariableByteInteger::from_u32(length).expect("a packet is far below 256 MiB");
    let mut head = Vec::with_capacity(5 + body.len());
    head.push(begun[0]);
    head.extend_from_slice(length.as_bytes());
    head.extend_from_slice(body);
    EncodedPacket::split(head.into(), rest)
}

/// Bytes of a packet's flags and length.
fn header_bytes(packet: &[u8]) -> usize {
    2 + packet.iter().skip(1).take_while(|byte| **byte & 0x80 != 0).count()
}
