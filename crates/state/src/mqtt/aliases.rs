//! Topic aliases towards one client. The first topics get one each and keep it: reassigning an alias costs as much
//! as sending the topic.

use alloc::collections::BTreeMap;

use bytes::Bytes;
use stoa_wire::packet::{AliasablePublish, EncodedPacket};

/// The topic aliases of one connection.
#[derive(Debug, Default)]
pub struct OutgoingTopicAliases {
    max: u16,
    packet_bytes_max: usize,
    topics: BTreeMap<Bytes, u16>,
}

impl OutgoingTopicAliases {
    /// Creates the aliases of a connection with these maxima.
    pub fn new(max: u16, packet_bytes_max: usize) -> OutgoingTopicAliases {
        OutgoingTopicAliases { max, packet_bytes_max, topics: BTreeMap::new() }
    }

    /// Encodes a message with its topic's alias, and assigns one while any is free. The packet must then arrive, or the
    /// connection end.
    pub fn apply(&mut self, frame: EncodedPacket) -> EncodedPacket {
        if self.max == 0 {
            return frame;
        }
        let Some(message) = AliasablePublish::parse(&frame) else {
            return frame;
        };
        if let Some(alias) = self.topics.get(message.topic()) {
            return message.by_alias(*alias, true);
        }
        let Some(alias) =
            u16::try_from(self.topics.len()).ok().filter(|count| *count < self.max).map(|count| count + 1)
        else {
            return frame;
        };
        let introducing = message.by_alias(alias, false);
        if introducing.len() > self.packet_bytes_max {
            return frame;
        }
        self.topics.insert(Bytes::copy_from_slice(message.topic()), alias);
        introducing
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;
    use alloc::vec;

    use stoa_wire::packet::{
        Decoder, DeliveryOptions, EncodedPublish, MqttVersion, Packet, Publish, PublishAck, PublishProperties, Qos,
        encode,
    };
    use stoa_wire::topic::Topic;

    use super::*;

    fn publish(topic: &str, content_type: Option<String>) -> Publish {
        Publish {
            topic: Topic::parse(topic).unwrap(),
            payload: vec![b'x'; 200].into(),
            qos: Qos::AtMostOnce,
            retain: false,
            dup: false,
            packet_id: None,
            properties: PublishProperties { content_type, ..PublishProperties::default() },
        }
    }

    fn decoded(frame: &EncodedPacket) -> Packet {
        let mut decoder = Decoder::for_client(MqttVersion::V5);
        frame.parts().iter().for_each(|part| decoder.feed(part));
        let packet = decoder.next_packet().unwrap().unwrap();
        assert!(decoder.next_packet().unwrap().is_none(), "the length is right");
        packet
    }

    #[test]
    fn a_topic_is_sent_once_and_then_replaced_by_its_alias() {
        let mut aliases = OutgoingTopicAliases::new(2, usize::MAX);
        let mut number = 0;
        // Properties on both sides of the length that takes another byte.
        for bytes in [None, Some(1), Some(121), Some(122), Some(123), Some(300)] {
            let publish = publish("a/b", bytes.map(|bytes| "t".repeat(bytes)));
            for qos in [Qos::AtMostOnce, Qos::AtLeastOnce, Qos::ExactlyOnce] {
                number += 1;
                let packet_id = (qos > Qos::AtMostOnce).then_some(number);
                let delivery = DeliveryOptions { qos, packet_id: number, retain: number % 2 == 0, dup: false };
                let frame = aliases.apply(EncodedPublish::new(&publish, MqttVersion::V5).to(delivery));
                let Packet::Publish(heard) = decoded(&frame) else { panic!("is a message") };
                let topic = if number == 1 { Topic::parse("a/b").unwrap() } else { Topic::by_alias() };
                let properties = PublishProperties { topic_alias: Some(1), ..publish.properties.clone() };
                let (retain, expected) = (delivery.retain, publish.clone());
                assert_eq!(heard, Publish { topic, qos, packet_id, retain, properties, ..expected });
            }
        }
    }

    #[test]
    fn a_packet_without_an_alias_is_sent_unchanged() {
        let mut aliases = OutgoingTopicAliases::new(2, 230);
        let mut alias_of = |topic: &str, content_type: Option<String>| {
            let frame = encode(&Packet::Publish(publish(topic, content_type)), MqttVersion::V5);
            let Packet::Publish(heard) = decoded(&aliases.apply(frame)) else { panic!("is a message") };
            assert!(heard.topic.is_by_alias() || heard.topic.as_str() == topic);
            heard.properties.topic_alias
        };
        assert_eq!(alias_of("a/b", Some("t".repeat(18))), None, "the packet would be too large");
        assert_eq!(["a/b", "a/c", "a/d", "a/b"].map(|topic| alias_of(topic, None)), [Some(1), Some(2), None, Some(1)]);
        let release = encode(&Packet::PubRel(PublishAck::success(1)), MqttVersion::V5);
        assert_eq!(aliases.apply(release.clone()), release);
        let frame = encode(&Packet::Publish(publish(&format!("a/{}", 1), None)), MqttVersion::V5);
        assert_eq!(OutgoingTopicAliases::new(0, usize::MAX).apply(frame.clone()), frame, "who asks for none gets none");
    }
}
