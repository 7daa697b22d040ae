//! Decodes MQTT packets from a stream of bytes.

use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use bytes::{Buf, Bytes, BytesMut};
use mqtt_protocol_core::mqtt::packet as codec;
use mqtt_protocol_core::mqtt::packet::{Property, SubEntry, v3_1_1, v5_0};
use mqtt_protocol_core::mqtt::result_code::MqttError;

use super::properties;
use super::{
    ConnAck, Connect, Disconnect, MqttVersion, Packet, Publish, PublishAck, PublishProperties, Qos, ReasonCode,
    RetainHandling, Subscribe, SubscribeAck, SubscriptionRequest, Unsubscribe, Will,
};
use crate::limits;
use crate::topic::Topic;

/// Bytes that are no packet, or one beyond a limit. The connection has to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason} (reason code {code})")]
pub struct DecodeError {
    /// Description of the error, never a quote of the bytes.
    pub reason: &'static str,
    /// The code for a DISCONNECT or CONNACK.
    pub code: ReasonCode,
    /// Version for the answer to a CONNECT that is too large to be decoded; else `None`.
    pub version: Option<MqttVersion>,
}

impl DecodeError {
    /// An error without a version: an answer uses the connection's version.
    pub const fn new(reason: &'static str, code: ReasonCode) -> DecodeError {
        DecodeError { reason, code, version: None }
    }

    const fn malformed(reason: &'static str) -> DecodeError {
        DecodeError::new(reason, ReasonCode::MALFORMED_PACKET)
    }
}

impl From<MqttError> for DecodeError {
    fn from(error: MqttError) -> DecodeError {
        match error {
            MqttError::ProtocolError => {
                DecodeError::new("the packet breaks a rule of the protocol", ReasonCode::PROTOCOL_ERROR)
            }
            MqttError::UnsupportedProtocolVersion => {
                DecodeError::new("the protocol version is not supported", ReasonCode::UNSUPPORTED_PROTOCOL_VERSION)
            }
            MqttError::ClientIdentifierNotValid => {
                DecodeError::new("the client id is malformed", ReasonCode::CLIENT_IDENTIFIER_NOT_VALID)
            }
            MqttError::BadUserNameOrPassword => {
                DecodeError::new("user name or password are malformed", ReasonCode::BAD_USER_NAME_OR_PASSWORD)
            }
            MqttError::QuotaExceeded => DecodeError::new("too many user properties", ReasonCode::QUOTA_EXCEEDED),
            _ => DecodeError::malformed("the packet is malformed"),
        }
    }
}

/// Splits a stream of bytes into packets. The first CONNECT sets the version.
#[derive(Debug)]
pub struct Decoder {
    buffer: BytesMut,
    packet_bytes_max: usize,
    version: Option<MqttVersion>,
}

impl Decoder {
    /// A decoder for a server, whose first packet has to be a CONNECT.
    pub fn new(packet_bytes_max: usize) -> Decoder {
        Decoder { buffer: BytesMut::new(), packet_bytes_max, version: None }
    }

    /// A decoder for a client, which knows the version that it requested.
    pub fn for_client(version: MqttVersion) -> Decoder {
        Decoder { version: Some(version), ..Decoder::new(limits::PACKET_BYTES_MAX) }
    }

    /// A decoder for packets of any size that this server encoded.
    pub fn for_own(version: MqttVersion) -> Decoder {
        Decoder { version: Some(version), ..Decoder::new(usize::MAX) }
    }

    /// Appends received bytes.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    /// Bytes that are buffered. Once [`Decoder::next_packet`] returned `None`, they are those of the incomplete packet.
    pub fn buffered_bytes(&self) -> usize {
        self.buffer.len()
    }

    /// Length of the incomplete packet, or its buffered bytes while the length is unknown. Valid after
    /// [`Decoder::next_packet`] returned `None`.
    pub fn expected_bytes(&self) -> usize {
        match self.lengths() {
            Ok(Some((head_bytes, rest))) => head_bytes + rest,
            _ => self.buffer.len(),
        }
    }

    /// The peer's protocol version, once it is known.
    pub fn version(&self) -> Option<MqttVersion> {
        self.version
    }

    /// Whether no packet is partly buffered; valid after [`Decoder::next_packet`] returned `None`.
    pub fn is_between_packets(&self) -> bool {
        self.buffer.is_empty()
    }

    /// The next complete packet; `None` until more bytes are fed. After an error the connection has to end.
    pub fn next_packet(&mut self) -> Result<Option<Packet>, DecodeError> {
        let Some((head_bytes, rest)) = self.lengths()? else {
            return Ok(None);
        };
        if self.version.is_none() && head_bytes + rest > limits::CONNECT_BYTES_MAX {
            return self.refuse_large_connect(head_bytes);
        }
        if head_bytes + rest > self.packet_bytes_max {
            return Err(DecodeError::new("the packet is larger than the server takes", ReasonCode::PACKET_TOO_LARGE));
        }
        if self.buffer.len() < head_bytes + rest {
            return Ok(None);
        }
        let first = self.buffer[0];
        self.buffer.advance(head_bytes);
        let body = self.buffer.split_to(rest).freeze();
        if let Some(version) = self.version {
            return packet(version, first, &body).map(Some);
        }
        let connect = connect(first, &body)?;
        self.version = Some(connect.version);
        Ok(Some(Packet::Connect(connect)))
    }

    /// Refuses a first packet that is too large. If it is a CONNECT, waits for the version that the answer needs.
    fn refuse_large_connect(&self, head_bytes: usize) -> Result<Option<Packet>, DecodeError> {
        let error = DecodeError::new("the CONNECT is larger than the server takes", ReasonCode::PACKET_TOO_LARGE);
        if self.buffer[0] >> 4 != 1 {
            return Err(error);
        }
        // In the longer `OLD_NAME` byte 6 is a letter, so the version is 3.1.1.
        let Some(start) = self.buffer.get(head_bytes..head_bytes + NAME.len()) else { return Ok(None) };
        let version = if start[6] == 5 { MqttVersion::V5 } else { MqttVersion::V311 };
        Err(DecodeError { version: Some(version), ..error })
    }

    /// Bytes of the fixed header, and the remaining length.
    fn lengths(&self) -> Result<Option<(usize, usize)>, DecodeError> {
        let mut rest = 0;
        for (index, byte) in self.buffer.iter().skip(1).enumerate() {
            if index == 4 {
                return Err(DecodeError::malformed("the remaining length is malformed"));
            }
            rest |= usize::from(byte & 0x7f) << (7 * index);
            if byte & 0x80 == 0 {
                return Ok(Some((index + 2, rest)));
            }
        }
        Ok(None)
    }
}

/// Checks the fixed header's flags, except those of a PUBLISH. The codec leaves this to its caller.
fn check_flags(first: u8) -> Result<(), DecodeError> {
    let wanted = match first >> 4 {
        3 => return Ok(()),
        6 | 8 | 10 => 2,
        0 => return Err(DecodeError::malformed("packet type 0 is reserved")),
        _ => 0,
    };
    if first & 0x0f == wanted { Ok(()) } else { Err(DecodeError::malformed("the packet's flags are reserved")) }
}

/// Protocol name and level of MQTT 3.1, whose packets otherwise equal those of 3.1.1.
const OLD_NAME: &[u8] = b"\x00\x06MQIsdp\x03";
const NAME: &[u8] = b"\x00\x04MQTT\x04";

fn connect(first: u8, body: &Bytes) -> Result<Connect, DecodeError> {
    if first >> 4 != 1 {
        return Err(DecodeError::new("the first packet is not a CONNECT", ReasonCode::PROTOCOL_ERROR));
    }
    check_flags(first)?;
    let renamed: Vec<u8>;
    let body = match body.strip_prefix(OLD_NAME) {
        Some(rest) => {
            renamed = [NAME, rest].concat();
            &renamed[..]
        }
        None => &body[..],
    };
    check_connect_flags(*body.get(7).ok_or(DecodeError::malformed("the CONNECT is too short"))?)?;
    let (connect, used) = match body[6] {
        5 => connect_v5(body)?,
        _ => connect_v311(body)?,
    };
    check_used(used, body)?;
    check_text(&connect.client_id)?;
    connect.username.iter().try_for_each(|name| check_text(name))?;
    Ok(connect)
}

fn check_connect_flags(flags: u8) -> Result<(), DecodeError> {
    let (will, will_qos, will_retain) = (flags & 4 != 0, flags >> 3 & 3, flags & 0x20 != 0);
    if flags & 1 != 0 || will_qos == 3 || !will && (will_qos != 0 || will_retain) {
        return Err(DecodeError::malformed("the CONNECT's flags contradict each other"));
    }
    Ok(())
}

fn check_used(used: usize, body: &[u8]) -> Result<(), DecodeError> {
    if used == body.len() { Ok(()) } else { Err(DecodeError::malformed("bytes follow the packet's end")) }
}

fn check_text(text: &str) -> Result<(), DecodeError> {
    if text.contains('\0') { Err(DecodeError::malformed("a string contains U+0000")) } else { Ok(()) }
}

fn topic(text: &str) -> Result<Topic, DecodeError> {
    Topic::parse(text).map_err(|_| {
        DecodeError::new("the topic name is empty, too long, or has a wildcard", ReasonCode::TOPIC_NAME_INVALID)
    })
}

fn connect_v311(body: &[u8]) -> Result<(Connect, usize), DecodeError> {
    let (decoded, used) = v3_1_1::Connect::parse(body)?;
    let will = decoded.will_topic().zip(decoded.will_payload()).map(|(name, payload)| {
        Ok::<Will, DecodeError>(Will {
            topic: topic(name)?,
            payload: Bytes::copy_from_slice(payload),
            qos: qos(decoded.will_qos()),
            retain: decoded.will_retain(),
            delay_s: 0,
            properties: PublishProperties::default(),
        })
    });
    let connect = Connect {
        clean_start: decoded.clean_session(),
        keep_alive_s: decoded.keep_alive(),
        will: will.transpose()?,
        username: decoded.user_name().map(ToString::to_string),
        password: decoded.password().map(|bytes| Bytes::copy_from_slice(bytes).into()),
        ..Connect::new(MqttVersion::V311, decoded.client_id())
    };
    Ok((connect, used))
}

fn connect_v5(body: &[u8]) -> Result<(Connect, usize), DecodeError> {
    let (decoded, used) = v5_0::Connect::parse(body)?;
    let will_delay = decoded.will_props().iter().find_map(|property| match property {
        Property::WillDelayInterval(p) => Some(p.val()),
        _ => None,
    });
    let will = decoded.will_topic().zip(decoded.will_payload()).map(|(name, payload)| {
        Ok::<Will, DecodeError>(Will {
            topic: topic(name)?,
            payload: Bytes::copy_from_slice(payload),
            qos: qos(decoded.will_qos()),
            retain: decoded.will_retain(),
            delay_s: will_delay.unwrap_or(0),
            properties: properties::decode_publish(decoded.will_props())?,
        })
    });
    let mut connect = Connect {
        clean_start: decoded.clean_start(),
        keep_alive_s: decoded.keep_alive(),
        will: will.transpose()?,
        username: decoded.user_name().map(ToString::to_string),
        password: decoded.password().map(|bytes| Bytes::copy_from_slice(bytes).into()),
        ..Connect::new(MqttVersion::V5, decoded.client_id())
    };
    for property in decoded.props() {
        match property {
            Property::SessionExpiryInterval(p) => connect.session_expiry_s = Some(p.val()),
            Property::ReceiveMaximum(p) => connect.receive_max = Some(p.val()),
            Property::MaximumPacketSize(p) => connect.packet_bytes_max = Some(p.val()),
            Property::TopicAliasMaximum(p) => connect.topic_alias_max = Some(p.val()),
            Property::RequestResponseInformation(p) => connect.response_information = p.val() != 0,
            Property::RequestProblemInformation(p) => connect.problem_information = p.val() != 0,
            Property::AuthenticationMethod(p) => connect.authentication_method = Some(p.val().into()),
            _ => {}
        }
    }
    Ok((connect, used))
}

fn qos(qos: codec::Qos) -> Qos {
    match qos {
        codec::Qos::AtMostOnce => Qos::AtMostOnce,
        codec::Qos::AtLeastOnce => Qos::AtLeastOnce,
        codec::Qos::ExactlyOnce => Qos::ExactlyOnce,
    }
}

fn packet(version: MqttVersion, first: u8, body: &Bytes) -> Result<Packet, DecodeError> {
    check_flags(first)?;
    if first >> 4 == 3 {
        return publish(version, first & 0x0f, body).map(Packet::Publish);
    }
    let (packet, used) = match version {
        MqttVersion::V311 => packet_v311(first >> 4, body)?,
        MqttVersion::V5 => packet_v5(first >> 4, body)?,
    };
    check_used(used, body)?;
    check_packet(&packet)?;
    Ok(packet)
}

fn check_packet(packet: &Packet) -> Result<(), DecodeError> {
    let (packet_id, filters) = match packet {
        Packet::Subscribe(Subscribe { packet_id, subscriptions, .. }) => (*packet_id, subscriptions.len()),
        Packet::Unsubscribe(Unsubscribe { packet_id, filters }) => (*packet_id, filters.len()),
        Packet::PubAck(ack) | Packet::PubRec(ack) | Packet::PubRel(ack) | Packet::PubComp(ack) => (ack.packet_id, 0),
        _ => (1, 0),
    };
    if packet_id == 0 {
        return Err(DecodeError::malformed("packet id 0 is not allowed"));
    }
    if filters > limits::PACKET_FILTERS_MAX {
        return Err(DecodeError::new("too many filters in one packet", ReasonCode::QUOTA_EXCEEDED));
    }
    Ok(())
}

fn publish(version: MqttVersion, flags: u8, body: &Bytes) -> Result<Publish, DecodeError> {
    let shared: Arc<[u8]> = Arc::from(&body[..]);
    let (name, packet_id, properties, payload) = match version {
        MqttVersion::V311 => {
            let (decoded, _) = v3_1_1::Publish::parse(flags, shared)?;
            let name = topic(decoded.topic_name())?;
            (name, decoded.packet_id(), PublishProperties::default(), copy(decoded.payload().as_slice()))
        }
        MqttVersion::V5 => {
            let (decoded, _) = v5_0::Publish::parse(flags, shared)?;
            let properties = properties::decode_publish(decoded.props())?;
            let by_alias = decoded.topic_name().is_empty() && properties.topic_alias.is_some();
            let name = if by_alias { Topic::by_alias() } else { topic(decoded.topic_name())? };
            (name, decoded.packet_id(), properties, copy(decoded.payload().as_slice()))
        }
    };
    let qos = match flags >> 1 & 3 {
        0 => Qos::AtMostOnce,
        1 => Qos::AtLeastOnce,
        _ => Qos::ExactlyOnce,
    };
    let dup = flags & 8 != 0;
    if packet_id == Some(0) || dup && qos == Qos::AtMostOnce {
        return Err(DecodeError::malformed("packet id 0, or DUP at QoS 0"));
    }
    Ok(Publish { topic: name, payload, qos, retain: flags & 1 != 0, dup, packet_id, properties })
}

/// Copies a payload, because it may outlive its packet by far (retained, stored) and must not keep the packet's body.
fn copy(payload: &[u8]) -> Bytes {
    Bytes::copy_from_slice(payload)
}

fn subscription(entry: &SubEntry) -> SubscriptionRequest {
    let options = entry.sub_opts();
    SubscriptionRequest {
        filter: entry.topic_filter().to_string(),
        qos: qos(options.qos()),
        no_local: options.nl(),
        retain_as_published: options.rap(),
        retain_handling: match options.rh() {
            codec::RetainHandling::SendRetained => RetainHandling::Send,
            codec::RetainHandling::SendRetainedIfNotExists => RetainHandling::SendIfNew,
            codec::RetainHandling::DoNotSendRetained => RetainHandling::DoNotSend,
        },
    }
}

/// Maps 3.1.1's return codes to MQTT 5's.
fn connect_code(code: u8) -> ReasonCode {
    match code {
        0 => ReasonCode::SUCCESS,
        1 => ReasonCode::UNSUPPORTED_PROTOCOL_VERSION,
        2 => ReasonCode::CLIENT_IDENTIFIER_NOT_VALID,
        3 => ReasonCode::SERVER_UNAVAILABLE,
        4 => ReasonCode::BAD_USER_NAME_OR_PASSWORD,
        _ => ReasonCode::NOT_AUTHORIZED,
    }
}

fn packet_v311(kind: u8, body: &[u8]) -> Result<(Packet, usize), DecodeError> {
    Ok(match kind {
        2 => {
            let (decoded, used) = v3_1_1::Connack::parse(body)?;
            let code = connect_code(decoded.return_code() as u8);
            let session_present = decoded.session_present();
            (Packet::ConnAck(ConnAck { session_present, code, ..ConnAck::default() }), used)
        }
        4..=7 => (acknowledgement(kind, packet_id(body)?), 2),
        8 => {
            let (decoded, used) = v3_1_1::Subscribe::parse(body)?;
            let subscriptions = decoded.entries().iter().map(subscription).collect();
            (
                Packet::Subscribe(Subscribe { packet_id: decoded.packet_id(), subscriptions, subscription_id: None }),
                used,
            )
        }
        9 => {
            let (decoded, used) = v3_1_1::Suback::parse(body)?;
            let codes = decoded.return_codes().into_iter().map(|code| ReasonCode(code as u8)).collect();
            (Packet::SubAck(SubscribeAck { packet_id: decoded.packet_id(), codes }), used)
        }
        10 => {
            let (decoded, used) = v3_1_1::Unsubscribe::parse(body)?;
            let filters = decoded.entries().iter().map(|filter| String::from(filter.as_str())).collect();
            (Packet::Unsubscribe(Unsubscribe { packet_id: decoded.packet_id(), filters }), used)
        }
        11 => {
            let (decoded, used) = v3_1_1::Unsuback::parse(body)?;
            (Packet::UnsubAck(SubscribeAck { packet_id: decoded.packet_id(), codes: Vec::new() }), used)
        }
        12 => (Packet::PingReq, 0),
        13 => (Packet::PingResp, 0),
        14 => (Packet::Disconnect(Disconnect::default()), 0),
        _ => return Err(DecodeError::new("a packet that the protocol does not have here", ReasonCode::PROTOCOL_ERROR)),
    })
}

fn packet_id(body: &[u8]) -> Result<PublishAck, DecodeError> {
    match body {
        [high, low, ..] => Ok(PublishAck::success(u16::from_be_bytes([*high, *low]))),
        _ => Err(DecodeError::malformed("the packet id is missing")),
    }
}

fn acknowledgement(kind: u8, ack: PublishAck) -> Packet {
    match kind {
        4 => Packet::PubAck(ack),
        5 => Packet::PubRec(ack),
        6 => Packet::PubRel(ack),
        _ => Packet::PubComp(ack),
    }
}

fn packet_v5(kind: u8, body: &[u8]) -> Result<(Packet, usize), DecodeError> {
    Ok(match kind {
        2 => {
            let (decoded, used) = v5_0::Connack::parse(body)?;
            let properties = properties::decode_connack(decoded.props());
            let (session_present, code) = (decoded.session_present(), ReasonCode(decoded.reason_code() as u8));
            (Packet::ConnAck(ConnAck { session_present, code, properties }), used)
        }
        4..=7 => {
            let (ack, used) = ack_v5(kind, body)?;
            (acknowledgement(kind, ack), used)
        }
        8 => {
            let (decoded, used) = v5_0::Subscribe::parse(body)?;
            let subscriptions = decoded.entries().iter().map(subscription).collect();
            let subscription_id = decoded.props().iter().find_map(|property| match property {
                Property::SubscriptionIdentifier(p) => Some(p.val()),
                _ => None,
            });
            (Packet::Subscribe(Subscribe { packet_id: decoded.packet_id(), subscriptions, subscription_id }), used)
        }
        9 => {
            let (decoded, used) = v5_0::Suback::parse(body)?;
            let codes = decoded.reason_codes().into_iter().map(|code| ReasonCode(code as u8)).collect();
            (Packet::SubAck(SubscribeAck { packet_id: decoded.packet_id(), codes }), used)
        }
        10 => {
            let (decoded, used) = v5_0::Unsubscribe::parse(body)?;
            let filters = decoded.entries().iter().map(|filter| String::from(filter.as_str())).collect();
            (Packet::Unsubscribe(Unsubscribe { packet_id: decoded.packet_id(), filters }), used)
        }
        11 => {
            let (decoded, used) = v5_0::Unsuback::parse(body)?;
            let codes = decoded.reason_codes().into_iter().map(|code| ReasonCode(code as u8)).collect();
            (Packet::UnsubAck(SubscribeAck { packet_id: decoded.packet_id(), codes }), used)
        }
        12 => (Packet::PingReq, 0),
        13 => (Packet::PingResp, 0),
        14 => disconnect_v5(body)?,
        15 => (Packet::Auth, v5_0::Auth::parse(body)?.1),
        _ => return Err(DecodeError::new("a packet that the protocol does not have here", ReasonCode::PROTOCOL_ERROR)),
    })
}

fn ack_v5(kind: u8, body: &[u8]) -> Result<(PublishAck, usize), DecodeError> {
    macro_rules! ack {
        ($packet:ident) => {{
            let (decoded, used) = v5_0::$packet::parse(body)?;
            let code = decoded.reason_code().map_or(ReasonCode::SUCCESS, |code| ReasonCode(code as u8));
            let reason = properties::decode_reason(decoded.props().as_ref());
            (PublishAck { packet_id: decoded.packet_id(), code, reason }, used)
        }};
    }
    Ok(match kind {
        4 => ack!(Puback),
        5 => ack!(Pubrec),
        6 => ack!(Pubrel),
        _ => ack!(Pubcomp),
    })
}

fn disconnect_v5(body: &[u8]) -> Result<(Packet, usize), DecodeError> {
    let (decoded, used) = v5_0::Disconnect::parse(body)?;
    let own = decoded.props().as_ref();
    let session_expiry_s = own.into_iter().flatten().find_map(|property| match property {
        Property::SessionExpiryInterval(p) => Some(p.val()),
        _ => None,
    });
    let code = decoded.reason_code().map_or(ReasonCode::SUCCESS, |code| ReasonCode(code as u8));
    Ok((Packet::Disconnect(Disconnect { code, session_expiry_s, reason: properties::decode_reason(own) }), used))
}
