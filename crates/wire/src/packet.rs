//! MQTT packets, 3.1.1 and 5. The crate `mqtt-protocol-core` encodes and decodes them, and none of its types is
//! public here. Reason codes are MQTT 5's in both versions; encoder and decoder map those of 3.1.1.

mod aliased;
mod code;
mod decode;
mod encode;
mod forward;
mod frame;
mod properties;
#[cfg(test)]
mod tests;

use alloc::string::String;
use alloc::vec::Vec;

use bytes::Bytes;

pub use aliased::AliasablePublish;
pub use code::ReasonCode;
pub use decode::{DecodeError, Decoder};
pub use encode::encode;
pub use forward::{DeliveryOptions, EncodedPublish, ReceiverProperties, encode_continued};
pub use frame::EncodedPacket;

use crate::topic::Topic;

/// Protocol version of a connection. MQTT 3.1 (`MQIsdp`, level 3) counts as 3.1.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MqttVersion {
    /// MQTT 3.1.1.
    V311,
    /// MQTT 5.
    V5,
}

/// Quality of service.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Qos {
    /// At most once.
    #[default]
    AtMostOnce = 0,
    /// At least once.
    AtLeastOnce = 1,
    /// Exactly once.
    ExactlyOnce = 2,
}

/// Whether a new subscription gets retained messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RetainHandling {
    /// Always.
    #[default]
    Send,
    /// Only if the subscription is new.
    SendIfNew,
    /// Never.
    DoNotSend,
}

/// One control packet.
#[derive(Clone, Debug, PartialEq)]
pub enum Packet {
    /// Requests a connection.
    Connect(Connect),
    /// Answers a CONNECT.
    ConnAck(ConnAck),
    /// A message.
    Publish(Publish),
    /// QoS 1: acknowledged.
    PubAck(PublishAck),
    /// QoS 2: received.
    PubRec(PublishAck),
    /// QoS 2: released.
    PubRel(PublishAck),
    /// QoS 2: complete.
    PubComp(PublishAck),
    /// Subscribes to filters.
    Subscribe(Subscribe),
    /// Answers a SUBSCRIBE.
    SubAck(SubscribeAck),
    /// Cancels subscriptions.
    Unsubscribe(Unsubscribe),
    /// Answers an UNSUBSCRIBE; 3.1.1 carries no codes.
    UnsubAck(SubscribeAck),
    /// The client's ping.
    PingReq,
    /// The server's answer to a ping.
    PingResp,
    /// An orderly end.
    Disconnect(Disconnect),
    /// MQTT 5 enhanced authentication, which this server doesn't offer.
    Auth,
}

/// A password or token. `Debug` hides it, so it can't reach logs or panics.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretBytes(Bytes);

impl From<Bytes> for SecretBytes {
    fn from(bytes: Bytes) -> SecretBytes {
        SecretBytes(bytes)
    }
}

impl core::ops::Deref for SecretBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl core::fmt::Debug for SecretBytes {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.write_str("SecretBytes(..)")
    }
}

/// CONNECT.
#[derive(Clone, Debug, PartialEq)]
pub struct Connect {
    /// The protocol version.
    pub version: MqttVersion,
    /// If empty, the server assigns one.
    pub client_id: String,
    /// Whether to discard an existing session.
    pub clean_start: bool,
    /// Seconds; 0 disables it.
    pub keep_alive_s: u16,
    /// Message to publish if the connection ends without a normal DISCONNECT.
    pub will: Option<Will>,
    /// User name.
    pub username: Option<String>,
    /// Password; for Stoa, a token.
    pub password: Option<SecretBytes>,
    /// MQTT 5 only: seconds for which the session outlives the connection.
    pub session_expiry_s: Option<u32>,
    /// MQTT 5 only: QoS 1 and 2 messages that may be in flight to the client.
    pub receive_max: Option<u16>,
    /// MQTT 5 only: bytes of the largest packet that the client accepts.
    pub packet_bytes_max: Option<u32>,
    /// MQTT 5 only: number of topic aliases that the client accepts.
    pub topic_alias_max: Option<u16>,
    /// MQTT 5 only: whether the CONNACK should name the client's response topics.
    pub response_information: bool,
    /// MQTT 5 only: whether to send reason strings.
    pub problem_information: bool,
    /// MQTT 5 only: an enhanced authentication method.
    pub authentication_method: Option<String>,
}

impl Connect {
    /// A CONNECT with a clean start, without keep-alive, will or credentials. It requests problem information, MQTT
    /// 5's default. The caller sets further fields.
    pub fn new(version: MqttVersion, client_id: impl Into<String>) -> Connect {
        Connect {
            version,
            client_id: client_id.into(),
            clean_start: true,
            keep_alive_s: 0,
            will: None,
            username: None,
            password: None,
            session_expiry_s: None,
            receive_max: None,
            packet_bytes_max: None,
            topic_alias_max: None,
            response_information: false,
            problem_information: true,
            authentication_method: None,
        }
    }

    /// Adds a user name and a password.
    #[must_use]
    pub fn with_credentials(self, username: impl Into<String>, password: impl Into<Bytes>) -> Connect {
        Connect { username: Some(username.into()), password: Some(password.into().into()), ..self }
    }
}

/// A will.
#[derive(Clone, Debug, PartialEq)]
pub struct Will {
    /// Topic of the message.
    pub topic: Topic,
    /// The payload, unchanged.
    pub payload: Bytes,
    /// QoS of the message.
    pub qos: Qos,
    /// Whether the message is retained.
    pub retain: bool,
    /// MQTT 5 only: seconds to wait for the client to reconnect.
    pub delay_s: u32,
    /// MQTT 5 only.
    pub properties: PublishProperties,
}

/// CONNACK.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConnAck {
    /// Whether the server had a session of the client.
    pub session_present: bool,
    /// Success, or the reason of the refusal.
    pub code: ReasonCode,
    /// MQTT 5 only.
    pub properties: ConnAckProperties,
}

/// Properties of a server (MQTT 5).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConnAckProperties {
    /// The session expiry in seconds, if it differs from the requested one.
    pub session_expiry_s: Option<u32>,
    /// QoS 1 and 2 messages that may be in flight to the server.
    pub receive_max: Option<u16>,
    /// Bytes of the largest packet that the server accepts.
    pub packet_bytes_max: Option<u32>,
    /// The client id that the server assigned.
    pub assigned_client_id: Option<String>,
    /// The highest topic alias that the server accepts.
    pub topic_alias_max: Option<u16>,
    /// Prefix of the client's response topics, if the client requested it.
    pub response_information: Option<String>,
    /// Human-readable reason.
    pub reason: Option<String>,
    /// The keep-alive that the client has to use.
    pub keep_alive_s: Option<u16>,
    /// Whether the server supports subscription identifiers.
    pub subscription_ids: Option<bool>,
    /// Whether the server supports shared subscriptions.
    pub shared_subscriptions: Option<bool>,
}

/// PUBLISH.
#[derive(Clone, Debug, PartialEq)]
pub struct Publish {
    /// Topic of the message. In MQTT 5 it is empty if the alias alone names the topic.
    pub topic: Topic,
    /// The payload, unchanged.
    pub payload: Bytes,
    /// The QoS of this delivery.
    pub qos: Qos,
    /// To the server: whether to retain the message. To clients: whether it is a retained message, or the publisher set
    /// the flag and the subscription keeps it.
    pub retain: bool,
    /// Whether it may be a redelivery.
    pub dup: bool,
    /// `Some` exactly if `qos` is above 0.
    pub packet_id: Option<u16>,
    /// MQTT 5 only.
    pub properties: PublishProperties,
}

impl Publish {
    /// Bytes that limits count: topic, payload, and the texts and correlation data of the properties.
    pub fn size_bytes(&self) -> usize {
        self.topic.as_str().len() + self.payload.len() + self.properties.size_bytes()
    }
}

/// Properties of a message (MQTT 5).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PublishProperties {
    /// Whether the payload is declared as UTF-8.
    pub payload_is_utf8: Option<bool>,
    /// Seconds until the message expires.
    pub message_expiry_s: Option<u32>,
    /// MIME type.
    pub content_type: Option<String>,
    /// Topic for an answer.
    pub response_topic: Option<String>,
    /// Correlation data for an answer.
    pub correlation: Option<Bytes>,
    /// Name-value pairs of the application.
    pub user_properties: Vec<(String, String)>,
    /// Alias of the topic on this connection.
    pub topic_alias: Option<u16>,
    /// Identifiers of the matching subscriptions; only towards clients.
    pub subscription_ids: Vec<u32>,
}

impl PublishProperties {
    fn size_bytes(&self) -> usize {
        let texts = [&self.content_type, &self.response_topic].into_iter().flatten().map(String::len);
        let pairs = self.user_properties.iter().map(|(key, value)| key.len() + value.len());
        texts.chain(pairs).chain(self.correlation.as_ref().map(Bytes::len)).sum()
    }
}

/// PUBACK, PUBREC, PUBREL, PUBCOMP.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishAck {
    /// Packet id of the acknowledged packet.
    pub packet_id: u16,
    /// Success, or the reason of the failure; 3.1.1 carries none.
    pub code: ReasonCode,
    /// Human-readable reason; 3.1.1 carries none.
    pub reason: Option<String>,
}

impl PublishAck {
    /// A successful acknowledgement.
    pub fn success(packet_id: u16) -> PublishAck {
        PublishAck { packet_id, code: ReasonCode::SUCCESS, reason: None }
    }
}

/// SUBSCRIBE.
#[derive(Clone, Debug, PartialEq)]
pub struct Subscribe {
    /// Repeated in the SUBACK.
    pub packet_id: u16,
    /// One or more.
    pub subscriptions: Vec<SubscriptionRequest>,
    /// MQTT 5 only.
    pub subscription_id: Option<u32>,
}

/// One filter of a SUBSCRIBE, not yet parsed.
#[derive(Clone, Debug, PartialEq)]
pub struct SubscriptionRequest {
    /// The filter.
    pub filter: String,
    /// The highest QoS requested.
    pub qos: Qos,
    /// MQTT 5 only: whether to omit the subscriber's own messages.
    pub no_local: bool,
    /// MQTT 5 only: whether to keep the retain flag.
    pub retain_as_published: bool,
    /// MQTT 5 only.
    pub retain_handling: RetainHandling,
}

/// SUBACK, UNSUBACK.
#[derive(Clone, Debug, PartialEq)]
pub struct SubscribeAck {
    /// Packet id of the SUBSCRIBE or UNSUBSCRIBE.
    pub packet_id: u16,
    /// One per filter: the granted QoS, or the reason of the failure.
    pub codes: Vec<ReasonCode>,
}

/// UNSUBSCRIBE.
#[derive(Clone, Debug, PartialEq)]
pub struct Unsubscribe {
    /// Repeated in the UNSUBACK.
    pub packet_id: u16,
    /// One or more.
    pub filters: Vec<String>,
}

/// DISCONNECT.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Disconnect {
    /// Success is a normal end.
    pub code: ReasonCode,
    /// MQTT 5 only: a new session expiry.
    pub session_expiry_s: Option<u32>,
    /// Human-readable reason.
    pub reason: Option<String>,
}
