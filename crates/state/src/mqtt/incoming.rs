//! Packet ids of QoS 1 and 2 messages from a client. A repeated message is not accepted again while its acknowledgement
//! is pending, and at QoS 2 not before PUBREL.

use alloc::collections::BTreeMap;

use stoa_wire::packet::{MqttVersion, Qos, ReasonCode};

use super::connection::ProtocolViolation;
use crate::limits;

/// Stage of a QoS 1 or 2 message from a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum InboundStage {
    /// The acknowledgement waits until the message's writes are stored.
    AwaitingStore {
        /// Whether the message arrived on the present connection.
        is_awaited: bool,
    },
    /// QoS 2: PUBREC sent.
    Received,
}

/// Packet ids of unfinished QoS 1 and 2 messages from a client.
#[derive(Debug, Default)]
pub struct InboundPacketIds {
    taken: BTreeMap<u16, InboundStage>,
    /// Number of messages in [`InboundStage::Received`], which only the client can complete.
    received: usize,
}

/// Treatment of a QoS 1 or 2 PUBLISH.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DuplicateCheck {
    /// Process it.
    New,
    /// Ignore the duplicate; its acknowledgement is pending.
    Ignore,
    /// QoS 2: repeat the PUBREC.
    ReceivedAgain,
}

impl InboundPacketIds {
    /// Restores the stored state: received QoS 2 packet ids without PUBREL.
    pub fn restored(received: impl IntoIterator<Item = u16>) -> InboundPacketIds {
        let taken: BTreeMap<_, _> = received.into_iter().map(|packet_id| (packet_id, InboundStage::Received)).collect();
        InboundPacketIds { received: taken.len(), taken }
    }

    /// Packet ids to store, for [`InboundPacketIds::restored`].
    pub fn received(&self) -> impl Iterator<Item = u16> {
        self.taken.iter().filter(|(_, taken)| **taken == InboundStage::Received).map(|(packet_id, _)| *packet_id)
    }

    /// Handles a PUBLISH. Errors: the Receive Maximum is exceeded. MQTT 3.1.1 has no Receive Maximum; for its clients
    /// only QoS 2 messages that wait for PUBREL count, with a higher limit.
    pub fn handle_publish(
        &mut self,
        packet_id: u16,
        qos: Qos,
        version: MqttVersion,
    ) -> Result<DuplicateCheck, ProtocolViolation> {
        match self.taken.get(&packet_id) {
            Some(InboundStage::AwaitingStore { .. }) => {
                self.taken.insert(packet_id, InboundStage::AwaitingStore { is_awaited: true });
                Ok(DuplicateCheck::Ignore)
            }
            Some(InboundStage::Received) => Ok(DuplicateCheck::ReceivedAgain),
            None if self.is_full(qos, version) => Err(ProtocolViolation {
                code: ReasonCode::RECEIVE_MAXIMUM_EXCEEDED,
                reason: "more messages in flight than the Receive Maximum",
            }),
            None => {
                self.taken.insert(packet_id, InboundStage::AwaitingStore { is_awaited: true });
                Ok(DuplicateCheck::New)
            }
        }
    }

    /// Notes the end of the connection. On the next one only repeated messages are acknowledged. A second
    /// acknowledgement would be taken for that of the next message with this packet id.
    pub fn pause(&mut self) {
        for taken in self.taken.values_mut() {
            if let InboundStage::AwaitingStore { is_awaited } = taken {
                *is_awaited = false;
            }
        }
    }

    /// Notes an acknowledgement. Returns false if it must not be sent, because the client no longer waits for it or
    /// has not repeated the message yet.
    pub fn acknowledge(&mut self, packet_id: u16, qos: Qos, code: ReasonCode) -> bool {
        let known = self.taken.remove(&packet_id);
        self.received -= usize::from(known == Some(InboundStage::Received));
        if known.is_some() && qos == Qos::ExactlyOnce && !code.is_error() {
            self.taken.insert(packet_id, InboundStage::Received);
            self.received += 1;
        }
        known.is_some_and(|taken| taken != InboundStage::AwaitingStore { is_awaited: false })
    }

    /// Handles PUBREL and returns the reason code of the answer.
    pub fn handle_release(&mut self, packet_id: u16) -> ReasonCode {
        match self.taken.get(&packet_id) {
            Some(InboundStage::Received) => {
                self.taken.remove(&packet_id);
                self.received -= 1;
                ReasonCode::SUCCESS
            }
            _ => ReasonCode::PACKET_IDENTIFIER_NOT_FOUND,
        }
    }

    fn is_full(&self, qos: Qos, version: MqttVersion) -> bool {
        match version {
            MqttVersion::V311 => qos == Qos::ExactlyOnce && self.received >= limits::RECEIVE_V311_MAX,
            MqttVersion::V5 => self.taken.len() >= usize::from(limits::RECEIVE_MAX),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_qos_2_message_is_processed_once() {
        let mut incoming = InboundPacketIds::default();
        assert_eq!(incoming.handle_publish(5, Qos::ExactlyOnce, MqttVersion::V5), Ok(DuplicateCheck::New));
        assert_eq!(
            incoming.handle_publish(5, Qos::ExactlyOnce, MqttVersion::V5),
            Ok(DuplicateCheck::Ignore),
            "while the store has not answered"
        );
        assert!(incoming.acknowledge(5, Qos::ExactlyOnce, ReasonCode::SUCCESS));
        assert_eq!(incoming.handle_publish(5, Qos::ExactlyOnce, MqttVersion::V5), Ok(DuplicateCheck::ReceivedAgain));
        let mut restored = InboundPacketIds::restored([5]);
        assert_eq!(
            restored.handle_publish(5, Qos::ExactlyOnce, MqttVersion::V5),
            Ok(DuplicateCheck::ReceivedAgain),
            "after a restart too"
        );
        assert_eq!(incoming.handle_release(5), ReasonCode::SUCCESS);
        assert_eq!(incoming.handle_release(5), ReasonCode::PACKET_IDENTIFIER_NOT_FOUND);
        assert_eq!(
            incoming.handle_publish(5, Qos::ExactlyOnce, MqttVersion::V5),
            Ok(DuplicateCheck::New),
            "the id is free again"
        );
    }

    #[test]
    fn after_a_reconnect_only_repeated_messages_are_acknowledged() {
        let mut incoming = InboundPacketIds::default();
        for packet_id in [5, 6] {
            assert_eq!(incoming.handle_publish(packet_id, Qos::ExactlyOnce, MqttVersion::V5), Ok(DuplicateCheck::New));
        }
        incoming.pause();
        assert_eq!(
            incoming.handle_publish(6, Qos::ExactlyOnce, MqttVersion::V5),
            Ok(DuplicateCheck::Ignore),
            "it came again"
        );
        assert!(!incoming.acknowledge(5, Qos::AtLeastOnce, ReasonCode::SUCCESS));
        assert!(incoming.acknowledge(6, Qos::AtLeastOnce, ReasonCode::SUCCESS));
    }

    #[test]
    fn unreleased_qos_2_messages_are_limited_in_both_protocol_versions() {
        for (version, taken) in
            [(MqttVersion::V311, limits::RECEIVE_V311_MAX), (MqttVersion::V5, usize::from(limits::RECEIVE_MAX))]
        {
            let mut incoming = InboundPacketIds::default();
            let mut said = |packet_id| {
                let taken = incoming.handle_publish(packet_id, Qos::ExactlyOnce, version).is_ok();
                taken && incoming.acknowledge(packet_id, Qos::ExactlyOnce, ReasonCode::SUCCESS)
            };
            assert_eq!((1..=u16::MAX).take_while(|packet_id| said(*packet_id)).count(), taken, "{version:?}");
            assert_eq!(incoming.handle_release(1), ReasonCode::SUCCESS);
            assert_eq!(
                incoming.handle_publish(9_000, Qos::ExactlyOnce, version),
                Ok(DuplicateCheck::New),
                "one has room again"
            );
        }
    }

    #[test]
    fn mqtt_3_1_1_messages_awaiting_the_store_do_not_count_toward_the_limit() {
        for qos in [Qos::AtLeastOnce, Qos::ExactlyOnce] {
            let mut incoming = InboundPacketIds::default();
            let came = (1..=u16::MAX).filter(|id| incoming.handle_publish(*id, qos, MqttVersion::V311).is_ok());
            assert_eq!(came.count(), usize::from(u16::MAX), "{qos:?}");
        }
        let mut unreleased = InboundPacketIds::restored(1..=u16::MAX - 1);
        let mut take = |qos| unreleased.handle_publish(u16::MAX, qos, MqttVersion::V311);
        assert!(take(Qos::ExactlyOnce).is_err(), "negative control");
        assert_eq!(take(Qos::AtLeastOnce), Ok(DuplicateCheck::New), "QoS 1 has nothing to release");
    }
}
