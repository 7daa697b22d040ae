//! Encodes a message for many receivers, once per protocol version, and messages whose payload ends with shared bytes.

use alloc::vec::Vec;

use bytes::Bytes;
use mqtt_protocol_core::mqtt::packet::VariableByteInteger;

use super::aliased::variable;
use super::{EncodedPacket, MqttVersion, Packet, Publish, Qos, encode};

/// Identifiers of the properties that differ between receivers. Source: MQTT 5 section 2.2.2.2.
const MESSAGE_EXPIRY: u8 = 0x02;
const SUBSCRIPTION_ID: u8 = 0x0b;
/// Bytes of the payload format and of the expiry, with their identifiers.
const PAYLOAD_FORMAT_BYTES: usize = 2;
const MESSAGE_EXPIRY_BYTES: usize = 5;

/// An encoded message. Receivers at QoS 0 without the retain flag and without properties of their own share all of it.
/// Any other receiver has its own header (flags, length, topic, packet id, its properties) and shares the rest.
#[derive(Clone, Debug)]
pub struct EncodedPublish {
    version: MqttVersion,
    plain: Bytes,
    topic_start: usize,
    topic_end: usize,
    /// Bytes of the payload format, which precedes the expiry.
    format_bytes: usize,
    expiry_s: Option<u32>,
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
    /// Whether the message may be a redelivery.
    pub dup: bool,
}

/// Properties of MQTT 5 for one receiver of an [`EncodedPublish`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReceiverProperties<'a> {
    /// Identifiers of the matching subscriptions.
    pub subscription_ids: &'a [u32],
    /// Seconds that the message waited, by which its expiry is reduced, to 0 at least.
    pub waited_s: u64,
}

impl EncodedPublish {
    /// Encodes `publish`. Ignores `qos`, `retain`, `dup` and `packet_id`, which differ between receivers.
    pub fn new(publish: &Publish, version: MqttVersion) -> EncodedPublish {
        let plain = Publish { qos: Qos::AtMostOnce, retain: false, dup: false, packet_id: None, ..publish.clone() };
        let [bytes, _] = encode(&Packet::Publish(plain), version).into_parts();
        let topic_start = header_bytes(&bytes);
        EncodedPublish {
            version,
            topic_start,
            topic_end: topic_start + 2 + publish.topic.as_str().len(),
            plain: bytes,
            format_bytes: publish.properties.payload_is_utf8.map_or(0, |_| PAYLOAD_FORMAT_BYTES),
            expiry_s: publish.properties.message_expiry_s,
        }
    }

    /// The protocol version.
    pub fn version(&self) -> MqttVersion {
        self.version
    }

    /// Bytes of the packet at QoS 0.
    pub fn len(&self) -> usize {
        self.plain.len()
    }

    /// Never true, because a message has a topic.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Most bytes of the packet at any QoS, apart from a receiver's own properties.
    pub fn len_max(&self) -> usize {
        // A packet id, and one more byte of the length field.
        self.plain.len() + 3
    }

    /// The packet for all receivers at QoS 0 without the retain flag and without properties of their own.
    pub fn shared(&self) -> EncodedPacket {
        EncodedPacket::whole(self.plain.clone())
    }

    /// The packet for one receiver. At QoS 0 without the retain flag it is the shared one; else it has a header of its
    /// own and shares the rest.
    pub fn to(&self, delivery: DeliveryOptions) -> EncodedPacket {
        if delivery.qos == Qos::AtMostOnce && !delivery.retain {
            return self.shared();
        }
        self.split(delivery, &[], self.topic_end)
    }

    /// The packet for one receiver with its own properties, which MQTT 3.1.1 lacks: allocates a header and shares the
    /// rest.
    pub fn to_subscriber(&self, delivery: DeliveryOptions, own: ReceiverProperties<'_>) -> EncodedPacket {
        let is_shorter_lived = own.waited_s > 0 && self.expiry_s.is_some();
        if self.version == MqttVersion::V311 || own.subscription_ids.is_empty() && !is_shorter_lived {
            return self.to(delivery);
        }
        let (length, length_bytes) = variable(&self.plain[self.topic_end..]).expect("MQTT 5 has properties");
        let format_start = self.topic_end + length_bytes;
        let mut own_end = format_start + self.format_bytes;
        let mut properties = Vec::with_capacity(16);
        properties.extend_from_slice(&self.plain[format_start..own_end]);
        if let Some(seconds) = self.expiry_s {
            own_end += MESSAGE_EXPIRY_BYTES;
            properties.push(MESSAGE_EXPIRY);
            let left_s = seconds.saturating_sub(u32::try_from(own.waited_s).unwrap_or(u32::MAX));
            properties.extend_from_slice(&left_s.to_be_bytes());
        }
        let shared_bytes = length as usize - (own_end - format_start);
        for id in own.subscription_ids {
            properties.push(SUBSCRIPTION_ID);
            properties.extend_from_slice(variable_length(*id as usize).as_bytes());
        }
        let mut begun = Vec::with_capacity(4 + properties.len());
        begun.extend_from_slice(variable_length(properties.len() + shared_bytes).as_bytes());
        begun.extend_from_slice(&properties);
        self.split(delivery, &begun, own_end)
    }

    /// A packet with its own header, which ends with `begun`, and the shared bytes from `shared_start` on.
    fn split(&self, delivery: DeliveryOptions, begun: &[u8], shared_start: usize) -> EncodedPacket {
        let topic = &self.plain[self.topic_start..self.topic_end];
        let packet_id = delivery.packet_id.to_be_bytes();
        let packet_id = if delivery.qos == Qos::AtMostOnce { &[][..] } else { &packet_id[..] };
        let tail = self.plain.slice(shared_start..);
        let length = variable_length(topic.len() + packet_id.len() + begun.len() + tail.len());
        let flags = u8::from(delivery.dup) << 3 | (delivery.qos as u8) << 1 | u8::from(delivery.retain);
        let mut head = Vec::with_capacity(5 + topic.len() + packet_id.len() + begun.len());
        head.push(0x30 | flags);
        head.extend_from_slice(length.as_bytes());
        head.extend_from_slice(topic);
        head.extend_from_slice(packet_id);
        head.extend_from_slice(begun);
        EncodedPacket::split(head.into(), tail)
    }
}

/// Encodes a message whose payload continues with `rest`. Receivers share `rest` without a copy.
pub fn encode_continued(publish: &Publish, rest: Bytes, version: MqttVersion) -> EncodedPacket {
    let [begun, _] = encode(&Packet::Publish(publish.clone()), version).into_parts();
    let body = &begun[header_bytes(&begun)..];
    let length = variable_length(body.len() + rest.len());
    let mut head = Vec::with_capacity(5 + body.len());
    head.push(begun[0]);
    head.extend_from_slice(length.as_bytes());
    head.extend_from_slice(body);
    EncodedPacket::split(head.into(), rest)
}

/// Encodes a length or an identifier. All of ours are below MQTT's limit.
fn variable_length(value: usize) -> VariableByteInteger {
    let value = u32::try_from(value).expect("a packet is far below 4 GiB");
    VariableByteInteger::from_u32(value).expect("a packet is far below 256 MiB")
}

/// Bytes of a packet's flags and length.
fn header_bytes(packet: &[u8]) -> usize {
    2 + packet.iter().skip(1).take_while(|byte| **byte & 0x80 != 0).count()
}
