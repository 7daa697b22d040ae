//! Protocol state of one connection: order of packets, keep-alive, topic aliases, the will.

use alloc::string::String;
use alloc::vec::Vec;
use core::hash::Hasher;
use core::time::Duration;

use stoa_wire::envelope::ParsedPayload;
use stoa_wire::packet::{Connect, Disconnect, MqttVersion, Packet, Publish, PublishProperties, ReasonCode, Will};
use stoa_wire::topic::Topic;

use super::received_packet::ReceivedPacket;
use crate::limits;
use crate::time::Time;

/// A reason for which the realm ends a connection, such as a protocol error of the client or a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason} (reason code {code})")]
pub struct ProtocolViolation {
    /// Reason code of the DISCONNECT or CONNACK.
    pub code: ReasonCode,
    /// Reason string.
    pub reason: &'static str,
}

const fn violation(code: ReasonCode, reason: &'static str) -> ProtocolViolation {
    ProtocolViolation { code, reason }
}

/// The caller's next step after a packet.
#[derive(Debug)]
pub(crate) enum PacketNextStep {
    /// Authenticate the client.
    Authenticate(Connect),
    /// Act on the packet. Topic aliases are resolved.
    Act(ReceivedPacket),
    /// Do nothing: the packet waits for the authentication.
    Later,
}

#[derive(Debug)]
enum ConnectPhase {
    /// Before CONNECT.
    Silent,
    /// During authentication, with the packets received meanwhile.
    Checking(EarlyPackets),
    /// Connected.
    Live,
}

/// Packets received before the verdict on a connection's token.
#[derive(Debug, Default)]
struct EarlyPackets {
    packets: Vec<ReceivedPacket>,
    /// An upper bound of the bytes that the packets' parsed payloads take.
    parsed_bytes: usize,
}

impl EarlyPackets {
    /// Adds a packet. False if it is beyond the limits.
    fn add(&mut self, received: ReceivedPacket) -> bool {
        self.parsed_bytes += received.parsed.as_ref().map_or(0, ParsedPayload::size_bytes);
        self.packets.push(received);
        self.packets.len() <= limits::EARLY_PACKETS_MAX && self.parsed_bytes <= limits::EARLY_PARSED_BYTES_MAX
    }
}

/// A connection's protocol state.
#[derive(Debug)]
pub(crate) struct ConnectionStateMachine {
    phase: ConnectPhase,
    version: MqttVersion,
    opened_at: Time,
    received_at: Time,
    silence_max: Duration,
    aliases: Vec<Option<Topic>>,
    will: Option<Will>,
    packet_bytes_max: usize,
    session_expiry_s: u32,
}

impl ConnectionStateMachine {
    /// Creates the state of a newly opened connection.
    pub(crate) fn new(now: Time) -> ConnectionStateMachine {
        ConnectionStateMachine {
            phase: ConnectPhase::Silent,
            version: MqttVersion::V311,
            opened_at: now,
            received_at: now,
            silence_max: limits::SILENCE_MAX,
            aliases: Vec::new(),
            will: None,
            packet_bytes_max: usize::MAX,
            session_expiry_s: 0,
        }
    }

    /// The protocol version.
    pub(crate) fn version(&self) -> MqttVersion {
        self.version
    }

    /// Notes the version of a CONNECT that is refused unread, so that the client understands the answer.
    pub(crate) fn handle_unread_connect(&mut self, version: MqttVersion) {
        if !self.has_spoken() {
            (self.version, self.phase) = (version, ConnectPhase::Checking(EarlyPackets::default()));
        }
    }

    /// Whether CONNECT has arrived, so that the client understands an answer.
    pub(crate) fn has_spoken(&self) -> bool {
        !matches!(self.phase, ConnectPhase::Silent)
    }

    /// Whether the client is connected.
    pub(crate) fn is_live(&self) -> bool {
        matches!(self.phase, ConnectPhase::Live)
    }

    /// Largest packet that the client accepts.
    pub(crate) fn packet_bytes_max(&self) -> usize {
        self.packet_bytes_max
    }

    /// Checks a packet against the protocol's rules. Errors: [`ProtocolViolation`].
    pub(crate) fn handle_packet(
        &mut self,
        received: impl Into<ReceivedPacket>,
        now: Time,
    ) -> Result<PacketNextStep, ProtocolViolation> {
        self.received_at = now;
        let ReceivedPacket { packet, parsed } = received.into();
        match (&mut self.phase, packet) {
            (ConnectPhase::Silent, Packet::Connect(connect)) => {
                self.handle_connect(connect).map(PacketNextStep::Authenticate)
            }
            (ConnectPhase::Silent, _) => {
                Err(violation(ReasonCode::PROTOCOL_ERROR, "the first packet is not a CONNECT"))
            }
            (_, Packet::Connect(_)) => Err(violation(ReasonCode::PROTOCOL_ERROR, "a second CONNECT")),
            (ConnectPhase::Checking(early), packet) => {
                if early.add(ReceivedPacket { packet, parsed }) {
                    Ok(PacketNextStep::Later)
                } else {
                    Err(violation(ReasonCode::QUOTA_EXCEEDED, "too many packets before the connection was accepted"))
                }
            }
            (ConnectPhase::Live, packet) => {
                self.check(packet).map(|packet| PacketNextStep::Act(ReceivedPacket { packet, parsed }))
            }
        }
    }

    fn handle_connect(&mut self, connect: Connect) -> Result<Connect, ProtocolViolation> {
        self.version = connect.version;
        self.phase = ConnectPhase::Checking(EarlyPackets::default());
        if connect.authentication_method.is_some() {
            return Err(violation(ReasonCode::BAD_AUTHENTICATION_METHOD, "enhanced authentication is not offered"));
        }
        if connect.client_id.len() > limits::CLIENT_ID_BYTES_MAX || connect.client_id.contains(['/', '+', '#']) {
            return Err(violation(
                ReasonCode::CLIENT_IDENTIFIER_NOT_VALID,
                "the client id is too long, or holds a slash or a wildcard",
            ));
        }
        if connect.client_id.is_empty() && connect.version == MqttVersion::V311 && !connect.clean_start {
            return Err(violation(ReasonCode::CLIENT_IDENTIFIER_NOT_VALID, "a persistent session needs a client id"));
        }
        if connect.receive_max == Some(0) || connect.packet_bytes_max == Some(0) {
            return Err(violation(ReasonCode::PROTOCOL_ERROR, "Receive Maximum or Maximum Packet Size is 0"));
        }
        self.silence_max = match self.keep_alive_s(&connect) {
            0 => limits::SILENCE_MAX,
            seconds => Duration::from_secs(u64::from(seconds)) * 3 / 2,
        };
        self.packet_bytes_max = connect.packet_bytes_max.map_or(usize::MAX, |max| max as usize);
        self.session_expiry_s = match (connect.version, connect.clean_start) {
            (MqttVersion::V311, false) => u32::MAX,
            (MqttVersion::V311, true) => 0,
            (MqttVersion::V5, _) => connect.session_expiry_s.unwrap_or(0),
        };
        if connect.will.as_ref().is_some_and(|will| message_of(will.clone()).size_bytes() > limits::WILL_BYTES_MAX) {
            return Err(violation(ReasonCode::QUOTA_EXCEEDED, "the will is too large"));
        }
        self.will.clone_from(&connect.will);
        Ok(connect)
    }

    /// The keep-alive in force. An MQTT 5 client that sends none or a longer one gets [`limits::KEEP_ALIVE_S_MAX`].
    pub(crate) fn keep_alive_s(&self, connect: &Connect) -> u16 {
        match (connect.version, connect.keep_alive_s) {
            (MqttVersion::V5, seconds) if !(1..=limits::KEEP_ALIVE_S_MAX).contains(&seconds) => {
                limits::KEEP_ALIVE_S_MAX
            }
            (_, seconds) => seconds,
        }
    }

    fn check(&mut self, packet: Packet) -> Result<Packet, ProtocolViolation> {
        match packet {
            Packet::Publish(publish) => self.resolve_alias(publish).map(Packet::Publish),
            Packet::ConnAck(_) | Packet::SubAck(_) | Packet::UnsubAck(_) | Packet::PingResp => {
                Err(violation(ReasonCode::PROTOCOL_ERROR, "only servers send this packet"))
            }
            Packet::Auth => Err(violation(ReasonCode::PROTOCOL_ERROR, "enhanced authentication is not offered")),
            Packet::Disconnect(disconnect) => self.check_disconnect(disconnect).map(Packet::Disconnect),
            packet => Ok(packet),
        }
    }

    fn resolve_alias(&mut self, mut publish: Publish) -> Result<Publish, ProtocolViolation> {
        if !publish.properties.subscription_ids.is_empty() {
            return Err(violation(ReasonCode::PROTOCOL_ERROR, "clients must not send subscription identifiers"));
        }
        let Some(alias) = publish.properties.topic_alias.take() else {
            return Ok(publish);
        };
        if alias == 0 || alias > limits::TOPIC_ALIASES_MAX {
            return Err(violation(ReasonCode::TOPIC_ALIAS_INVALID, "the topic alias is 0 or above the maximum"));
        }
        let index = usize::from(alias) - 1;
        if self.aliases.len() <= index {
            self.aliases.resize(index + 1, None);
        }
        let alias_topic = &mut self.aliases[index];
        if publish.topic.is_by_alias() {
            publish.topic =
                alias_topic.clone().ok_or(violation(ReasonCode::PROTOCOL_ERROR, "the topic alias has no topic"))?;
        } else {
            *alias_topic = Some(publish.topic.clone());
        }
        Ok(publish)
    }

    fn check_disconnect(&mut self, disconnect: Disconnect) -> Result<Disconnect, ProtocolViolation> {
        if let Some(seconds) = disconnect.session_expiry_s {
            if self.session_expiry_s == 0 && seconds > 0 {
                return Err(violation(ReasonCode::PROTOCOL_ERROR, "a session expiry of 0 cannot be extended"));
            }
            self.session_expiry_s = seconds;
        }
        if disconnect.code != ReasonCode::DISCONNECT_WITH_WILL {
            self.will = None;
        }
        Ok(disconnect)
    }

    /// Accepts the connection and returns the packets received during authentication.
    pub(crate) fn accept(&mut self) -> Vec<ReceivedPacket> {
        match core::mem::replace(&mut self.phase, ConnectPhase::Live) {
            ConnectPhase::Checking(early) => early.packets,
            ConnectPhase::Silent | ConnectPhase::Live => Vec::new(),
        }
    }

    /// Session expiry interval.
    pub(crate) fn session_expiry(&self) -> Duration {
        Duration::from_secs(u64::from(self.session_expiry_s)).min(limits::SESSION_EXPIRY_MAX)
    }

    /// Topic and delay of the will.
    pub(crate) fn will(&self) -> Option<(&Topic, Duration)> {
        self.will.as_ref().map(|will| (&will.topic, Duration::from_secs(u64::from(will.delay_s))))
    }

    /// The will, until it is taken or discarded.
    pub(crate) fn whole_will(&self) -> Option<&Will> {
        self.will.as_ref()
    }

    /// Takes the will for publication at the end of the connection.
    pub(crate) fn take_will(&mut self) -> Option<Publish> {
        self.will.take().map(message_of)
    }

    /// Deadline of the keep-alive; before admission, that of the CONNECT with its authentication.
    pub(crate) fn poll_timeout(&self) -> Option<Time> {
        match self.phase {
            ConnectPhase::Live => Some(self.received_at + self.silence_max),
            ConnectPhase::Silent | ConnectPhase::Checking(_) => Some(self.opened_at + limits::CONNECT_TIMEOUT),
        }
    }
}

/// Converts a will to a message.
pub(crate) fn message_of(will: Will) -> Publish {
    let Will { topic, payload, qos, retain, properties, .. } = will;
    let properties = PublishProperties { topic_alias: None, subscription_ids: Vec::new(), ..properties };
    Publish { topic, payload, qos, retain, dup: false, packet_id: None, properties }
}

/// Generates a client id. `number` is unique; the secret seed makes the next id unpredictable.
pub(crate) fn assigned_client_id(seed: u64, number: u64) -> String {
    #[expect(deprecated, reason = "deprecated in favour of std's, which no_std has not; it is SipHash-2-4 for good")]
    let mut hasher = core::hash::SipHasher::new_with_keys(seed, !seed);
    hasher.write_u64(number);
    alloc::format!("auto-{:016x}", hasher.finish())
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use stoa_wire::envelope::ParsedPayload;
    use stoa_wire::packet::Qos;

    use super::*;

    fn connect(version: MqttVersion) -> Connect {
        Connect { keep_alive_s: 60, ..Connect::new(version, "pyClient-1") }
    }

    fn live(version: MqttVersion) -> ConnectionStateMachine {
        let mut connection = ConnectionStateMachine::new(Time::ZERO);
        connection.handle_packet(Packet::Connect(connect(version)), Time::ZERO).unwrap();
        connection.accept();
        connection
    }

    fn publish(topic: Topic, alias: u16) -> Packet {
        Packet::Publish(Publish {
            topic,
            payload: Bytes::new(),
            qos: Qos::AtMostOnce,
            retain: false,
            dup: false,
            packet_id: None,
            properties: PublishProperties { topic_alias: Some(alias), ..PublishProperties::default() },
        })
    }

    #[test]
    fn the_keep_alive_deadline_is_one_and_a_half_intervals_after_the_last_packet() {
        let mut connection = live(MqttVersion::V311);
        connection.handle_packet(Packet::PingReq, Time::from_secs(10)).unwrap();
        assert_eq!(connection.poll_timeout(), Some(Time::from_secs(100)));
    }

    #[test]
    fn every_requested_keep_alive_gets_a_finite_deadline() {
        for (version, keep_alive_s, silence) in [
            (MqttVersion::V311, 0, limits::SILENCE_MAX),
            (MqttVersion::V311, 3_600, Duration::from_secs(5_400)),
            (MqttVersion::V311, u16::MAX, Duration::from_secs(u64::from(u16::MAX)) * 3 / 2),
            (MqttVersion::V311, 600, Duration::from_secs(900)),
            (MqttVersion::V5, 0, Duration::from_secs(90)),
        ] {
            let mut connection = ConnectionStateMachine::new(Time::ZERO);
            let connect = Connect { keep_alive_s, ..connect(version) };
            connection.handle_packet(Packet::Connect(connect), Time::ZERO).unwrap();
            connection.accept();
            assert_eq!(connection.poll_timeout(), Some(Time::ZERO + silence), "{version:?} {keep_alive_s}");
        }
    }

    #[test]
    fn a_connect_whose_will_exceeds_the_limit_is_refused() {
        for (bytes, is_taken) in [(limits::WILL_BYTES_MAX - 1_024, true), (limits::WILL_BYTES_MAX + 1, false)] {
            let will = Will {
                topic: Topic::parse("a").unwrap(),
                payload: Bytes::from(alloc::vec![0; bytes]),
                qos: Qos::AtMostOnce,
                retain: false,
                delay_s: 0,
                properties: PublishProperties::default(),
            };
            let connect = Connect { will: Some(will), ..connect(MqttVersion::V5) };
            let said = ConnectionStateMachine::new(Time::ZERO).handle_packet(Packet::Connect(connect), Time::ZERO);
            assert_eq!(said.is_ok(), is_taken, "{bytes}");
        }
    }

    #[test]
    fn an_assigned_client_id_does_not_reveal_the_next() {
        let number_of = |id: &str| u64::from_str_radix(id.strip_prefix("auto-").unwrap(), 16).unwrap();
        // SplitMix64 mixes as well, but is easily inverted.
        let mix = |mut number: u64| {
            number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            number ^ (number >> 31)
        };
        let back = |mut number: u64| {
            number = (number ^ (number >> 31) ^ (number >> 62)).wrapping_mul(0x3196_42b2_d24d_8ec3);
            number = (number ^ (number >> 27) ^ (number >> 54)).wrapping_mul(0x96de_1b17_3f11_9089);
            number ^ (number >> 30) ^ (number >> 60)
        };
        assert_eq!(back(mix(7)), 7, "negative control");
        let [first, second] = [1, 2].map(|number| number_of(&assigned_client_id(42, number)));
        assert_ne!(mix(back(first).wrapping_add(0x9e37_79b9_7f4a_7c15)), second);
        assert_ne!(assigned_client_id(42, 1), assigned_client_id(43, 1));
    }

    #[test]
    fn a_connection_without_a_connect_packet_times_out() {
        let connection = ConnectionStateMachine::new(Time::from_secs(1));
        assert_eq!(connection.poll_timeout(), Some(Time::from_secs(1) + limits::CONNECT_TIMEOUT));
    }

    #[test]
    fn a_topic_alias_resolves_to_its_topic_and_unknown_aliases_are_errors() {
        let mut connection = live(MqttVersion::V5);
        connection.handle_packet(publish(Topic::parse("a/b").unwrap(), 3), Time::ZERO).unwrap();
        let received = connection.handle_packet(publish(Topic::by_alias(), 3), Time::ZERO);
        let Ok(PacketNextStep::Act(ReceivedPacket { packet: Packet::Publish(publish_3), .. })) = received else {
            panic!("is a publish")
        };
        assert_eq!(publish_3.topic.as_str(), "a/b");
        let unknown = connection.handle_packet(publish(Topic::by_alias(), 4), Time::ZERO).unwrap_err();
        assert_eq!(unknown.code, ReasonCode::PROTOCOL_ERROR);
        let beyond = connection.handle_packet(publish(Topic::by_alias(), 33), Time::ZERO).unwrap_err();
        assert_eq!(beyond.code, ReasonCode::TOPIC_ALIAS_INVALID);
    }

    #[test]
    fn a_normal_disconnect_discards_the_will() {
        for (code, kept) in [(ReasonCode::SUCCESS, false), (ReasonCode::DISCONNECT_WITH_WILL, true)] {
            let mut connection = live(MqttVersion::V5);
            connection.will = Some(Will {
                topic: Topic::parse("a").unwrap(),
                payload: Bytes::new(),
                qos: Qos::AtMostOnce,
                retain: false,
                delay_s: 0,
                properties: PublishProperties::default(),
            });
            let disconnect = Disconnect { code, ..Disconnect::default() };
            connection.handle_packet(Packet::Disconnect(disconnect), Time::ZERO).unwrap();
            assert_eq!(connection.take_will().is_some(), kept);
        }
    }

    #[test]
    fn packets_received_during_authentication_are_queued() {
        let mut connection = ConnectionStateMachine::new(Time::ZERO);
        connection.handle_packet(Packet::Connect(connect(MqttVersion::V311)), Time::ZERO).unwrap();
        let received = connection.handle_packet(Packet::PingReq, Time::ZERO).unwrap();
        assert!(matches!(received, PacketNextStep::Later));
        assert_eq!(connection.accept(), [ReceivedPacket::from(Packet::PingReq)]);
    }

    #[test]
    fn packets_keep_their_parsed_payload_and_early_payloads_are_bounded() {
        let Packet::Publish(small) = publish(Topic::parse("a/b").unwrap(), 3) else { panic!("is a publish") };
        let parsed = |entries: usize| {
            let payload = Bytes::from(alloc::format!("{{\"a\":[{}1]}}", "\"x\",".repeat(entries)));
            let parsed = Some(ParsedPayload::of(&payload));
            ReceivedPacket { packet: Packet::Publish(Publish { payload, ..small.clone() }), parsed }
        };
        let mut connection = ConnectionStateMachine::new(Time::ZERO);
        connection.handle_packet(Packet::Connect(connect(MqttVersion::V5)), Time::ZERO).unwrap();
        connection.handle_packet(parsed(2_000), Time::ZERO).unwrap();
        let large = limits::EARLY_PARSED_BYTES_MAX / 40;
        let refused = connection.handle_packet(parsed(large), Time::ZERO).unwrap_err();
        assert_eq!(refused.code, ReasonCode::QUOTA_EXCEEDED);
        assert!(connection.accept().first().is_some_and(|received| received.parsed.is_some()));
        let received = connection.handle_packet(parsed(large), Time::ZERO);
        assert!(matches!(received, Ok(PacketNextStep::Act(ReceivedPacket { parsed: Some(_), .. }))));
    }

    #[test]
    fn a_second_connect_and_a_servers_packet_break_the_protocol() {
        let mut connection = live(MqttVersion::V5);
        let second = connection.handle_packet(Packet::Connect(connect(MqttVersion::V5)), Time::ZERO).unwrap_err();
        assert_eq!(second.code, ReasonCode::PROTOCOL_ERROR);
        assert_eq!(
            connection.handle_packet(Packet::PingResp, Time::ZERO).unwrap_err().code,
            ReasonCode::PROTOCOL_ERROR
        );
    }
}
