//! Packets as the realm receives them: the reader of the connection has already parsed long JSON payloads.

use bytes::Bytes;
use stoa_wire::envelope::{ParsedPayload, structural_characters};
use stoa_wire::packet::{Packet, Publish};
use stoa_wire::topic::{SceneTopic, TopicKind};

use crate::limits;

/// A packet, and its payload if that was parsed before.
#[derive(Clone, Debug, PartialEq)]
pub struct ReceivedPacket {
    /// The packet.
    pub packet: Packet,
    /// The parsed payload of a PUBLISH; `None` if the realm parses it itself.
    pub parsed: Option<ParsedPayload>,
}

impl From<Packet> for ReceivedPacket {
    fn from(packet: Packet) -> ReceivedPacket {
        ReceivedPacket { packet, parsed: None }
    }
}

/// A message with its parsed payload.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ReceivedMessage {
    pub(crate) publish: Publish,
    pub(crate) parsed: Option<ParsedPayload>,
}

impl From<Publish> for ReceivedMessage {
    fn from(publish: Publish) -> ReceivedMessage {
        ReceivedMessage { publish, parsed: None }
    }
}

/// The payload of a packet if it is JSON that takes long to parse; the reader of its connection parses it, and not the
/// realm. A topic that is given by an alias may be that of a scene.
pub fn long_json(packet: &Packet) -> Option<&Bytes> {
    let Packet::Publish(Publish { topic, payload, .. }) = packet else { return None };
    let is_long = payload.len() > limits::UNPARSED_JSON_STRUCTURE
        && (topic.is_by_alias() || is_json(topic.as_str()))
        && structural_characters(payload) > limits::UNPARSED_JSON_STRUCTURE;
    is_long.then_some(payload)
}

/// Whether payloads on a topic are parsed.
fn is_json(topic: &str) -> bool {
    let Some(Ok(topic)) = SceneTopic::parse(topic) else { return false };
    topic.kind != TopicKind::E && topic.stream.is_none()
}

#[cfg(test)]
mod tests {
    use stoa_wire::packet::{PublishProperties, Qos};
    use stoa_wire::topic::Topic;

    use super::*;

    fn publish(topic: Topic, structure: usize) -> Packet {
        Packet::Publish(Publish {
            topic,
            payload: alloc::format!("[{}1]", "1,".repeat(structure - 1)).into(),
            qos: Qos::AtMostOnce,
            retain: false,
            dup: false,
            packet_id: None,
            properties: PublishProperties::default(),
        })
    }

    #[test]
    fn long_json_is_preparsed_only_on_scene_topics_and_aliases() {
        let long = limits::UNPARSED_JSON_STRUCTURE + 1;
        let is_long = |topic: Topic, structure: usize| long_json(&publish(topic, structure)).is_some();
        for (topic, expected) in [
            ("realm/s/public/lobby/o/alice/box", true),
            ("realm/s/public/lobby/c/alice/alice", true),
            ("realm/s/public/lobby/e/alice/-", false),
            ("realm/g/alice/p/-", false),
            ("a/b", false),
        ] {
            assert_eq!(is_long(Topic::parse(topic).unwrap(), long), expected, "{topic}");
        }
        assert!(is_long(Topic::by_alias(), long));
        assert!(!is_long(Topic::by_alias(), long - 1), "the realm parses it itself");
        assert!(long_json(&Packet::PingReq).is_none());
    }
}
