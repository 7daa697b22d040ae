//! MQTT packets, 3.1.1 and 5. The bytes are the crate `mqtt-protocol-core`'s; these types hide it. Reason codes are MQTT 5's in both versions: the
//! encoder narrows them for 3.1.1.

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
pub use forward::{DeliveryOptions, EncodedPublish};
pub use frame::EncodedPacket;

use crate::topic::Topic;

/// The protocol a connection speaks. MQTT 3.1 (`MQIsdp`, level 3) is taken for 3.1.1.
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

/// Whether a new subscription gets what is retained.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RetainHandling {
    /// Always.
    #[default]
    Send,
    /// Only where the subscription did not exist.
    SendIfNew,
    /// Never.
    DoNotSend,
}

/// One control packet.
#[derive(Clone, Debug, PartialEq)]
pub enum Packet {
    /// Asks for a connection.
    Connect(Connect),
    /// Answers it.
    ConnAck(ConnAck),
    /// A message.
    Publish(Publish),
    /// QoS 1: taken.
    PubAck(PublishAck),
    /// QoS 2: received.
    PubRec(PublishAck),
    /// QoS 2: released.
    PubRel(PublishAck),
    /// QoS 2: complete.
    PubComp(PublishAck),
    /// Asks for messages.
    Subscribe(Subscribe),
    /// Answers it.
    SubAck(SubscribeAck),
    /// Asks for no more messages.
    Unsubscribe(Unsubscribe),
    /// Answers it; 3.1.1 carries no codes.
    UnsubAck(SubscribeAck),
    /// Are you there?
    PingReq,
    /// I am.
    PingResp,
    /// An orderly end.
    Disconnect(Disconnect),
    /// MQTT 5 enhanced authentication, which we do not offer.
    Auth,
}

/// Bytes that must not be shown, in logs or in panics: a password or token.
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
        formatter.write_str("Secret(..)")
    }
}

/// CONNECT.
#[derive(Clone, Debug, PartialEq)]
pub struct Connect {
    /// The protocol spoken.
    pub version: MqttVersion,
    /// May be empty: then the server names one.
    pub client_id: String,
    /// Forget an older session.
    pub clean_start: bool,
    /// Seconds; 0 turns it off.
    pub keep_alive_s: u16,
    /// What to publish when the connection ends without a DISCONNECT.
    pub will: Option<Will>,
    /// User name.
    pub username: Option<String>,
    /// Password: here a token.
    pub password: Option<SecretBytes>,
    /// MQTT 5 only: seconds the session outlives the connection.
    pub session_expiry_s: Option<u32>,
    /// MQTT 5 only: how many QoS 1 and 2 messages may be under way to the client.
    pub receive_max: Option<u16>,
    /// MQTT 5 only: the largest packet the client takes.
    pub packet_bytes_max: Option<u32>,
    /// MQTT 5 only: how many topic aliases the client takes.
    pub topic_alias_max: Option<u16>,
    /// MQTT 5 only: whether it asks where it may be answered.
    pub response_information: bool,
    /// MQTT 5 only: whether reason strings are wanted.
    pub problem_information: bool,
    /// MQTT 5 only: an enhanced authentication method.
    pub authentication_method: Option<String>,
}

impl Connect {
    /// A CONNECT that starts clean, without keep-alive, will or credentials, and wants problem information as MQTT 5 does by default. Further
    /// fields are the caller's to set.
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

    /// With a user name and a password.
    #[must_use]
    pub fn with_credentials(self, username: impl Into<String>, password: impl Into<Bytes>) -> Connect {
        Connect { username: Some(username.into()), password: Some(password.into().into()), ..self }
    }
}

/// A will.
#[derive(Clone, Debug, PartialEq)]
pub struct Will {
    /// The topic to publish on.
    pub topic: Topic,
    /// The payload, as sent.
    pub payload: Bytes,
    /// The QoS to publish with.
    pub qos: Qos,
    /// Whether it stays.
    pub retain: bool,
    /// MQTT 5 only: seconds to wait for the client to come back.
    pub delay_s: u32,
    /// MQTT 5 only.
    pub properties: PublishProperties,
}

/// CONNACK.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConnAck {
    /// Whether the session lived on.
    pub session_present: bool,
    /// Success, or why not.
    pub code: ReasonCode,
    /// MQTT 5 only.
    pub properties: ConnAckProperties,
}

/// What a server tells of itself (MQTT 5).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConnAckProperties {
    /// The expiry it uses, where it differs.
    pub session_expiry_s: Option<u32>,
    /// QoS 1 and 2 messages that may be under way to the server.
    pub receive_max: Option<u16>,
    /// The largest packet it takes.
    pub packet_bytes_max: Option<u32>,
    /// The client id it chose.
    pub assigned_client_id: Option<String>,
    /// The highest topic alias it takes.
    pub topic_alias_max: Option<u16>,
    /// Where this client may be answered, if it asked: the beginning of its response topics.
    pub response_information: Option<String>,
    /// In words.
    pub reason: Option<String>,
    /// The keep-alive it wants.
    pub keep_alive_s: Option<u16>,
    /// Whether it knows subscription identifiers.
    pub subscription_ids: Option<bool>,
    /// Whether it knows shared subscriptions.
    pub shared_subscriptions: Option<bool>,
}

/// PUBLISH.
#[derive(Clone, Debug, PartialEq)]
pub struct Publish {
    /// Where to; by alias only in MQTT 5.
    pub topic: Topic,
    /// The payload, as sent.
    pub payload: Bytes,
    /// The QoS of this delivery.
    pub qos: Qos,
    /// Whether it stays, or stayed.
    pub retain: bool,
    /// Whether it is sent again.
    pub dup: bool,
    /// There exactly where `qos` is above 0.
    pub packet_id: Option<u16>,
    /// MQTT 5 only.
    pub properties: PublishProperties,
}

impl Publish {
    /// What it counts for wherever bytes are bounded: topic, payload, and all properties that can be long.
    pub fn size_bytes(&self) -> usize {
        self.topic.as_str().len() + self.payload.len() + self.properties.size_bytes()
    }
}

/// Properties of a message (MQTT 5).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PublishProperties {
    /// Whether the payload says to be UTF-8.
    pub payload_is_utf8: Option<bool>,
    /// Seconds until it is worthless.
    pub message_expiry_s: Option<u32>,
    /// MIME type.
    pub content_type: Option<String>,
    /// Where an answer should go.
    pub response_topic: Option<String>,
    /// What an answer should carry.
    pub correlation: Option<Bytes>,
    /// Free.
    pub user_properties: Vec<(String, String)>,
    /// The topic's number on this connection.
    pub topic_alias: Option<u16>,
    /// Which subscriptions it matched; only towards clients.
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
    /// Success, or why not; 3.1.1 carries none.
    pub code: ReasonCode,
    /// In words; 3.1.1 carries none.
    pub reason: Option<String>,
}

impl PublishAck {
    /// All went well.
    pub fn success(packet_id: u16) -> PublishAck {
        PublishAck { packet_id, code: ReasonCode::SUCCESS, reason: None }
    }
}

/// SUBSCRIBE.
#[derive(Clone, Debug, PartialEq)]
pub struct Subscribe {
    /// Comes back in the SUBACK.
    pub packet_id: u16,
    /// One or more.
    pub subscriptions: Vec<SubscriptionRequest>,
    /// MQTT 5 only.
    pub subscription_id: Option<u32>,
}

/// One filter of a SUBSCRIBE, not yet looked at.
#[derive(Clone, Debug, PartialEq)]
pub struct SubscriptionRequest {
    /// The filter.
    pub filter: String,
    /// The highest QoS wanted.
    pub qos: Qos,
    /// MQTT 5 only: not the subscriber's own messages.
    pub no_local: bool,
    /// MQTT 5 only: keep the retain flag.
    pub retain_as_published: bool,
    /// MQTT 5 only.
    pub retain_handling: RetainHandling,
}

/// SUBACK, UNSUBACK.
#[derive(Clone, Debug, PartialEq)]
pub struct SubscribeAck {
    /// Packet id of the SUBSCRIBE or UNSUBSCRIBE.
    pub packet_id: u16,
    /// One for each filter: the granted QoS, or why not.
    pub codes: Vec<ReasonCode>,
}

/// UNSUBSCRIBE.
#[derive(Clone, Debug, PartialEq)]
pub struct Unsubscribe {
    /// Comes back in the UNSUBACK.
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
    /// In words.
    pub reason: Option<String>,
}
