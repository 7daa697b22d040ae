//! Reason codes. Source: MQTT 5 section 2.4.

use core::fmt;

use super::Qos;
use crate::reason::Reason;

/// Says what became of a packet, or why a connection ends. Codes from 0x80 on are errors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReasonCode(pub u8);

impl ReasonCode {
    /// All went well; of a DISCONNECT: a normal end; of a SUBACK: QoS 0 is granted.
    pub const SUCCESS: ReasonCode = ReasonCode(0x00);
    /// SUBACK: QoS 1 is granted.
    pub const GRANTED_QOS_1: ReasonCode = ReasonCode(0x01);
    /// SUBACK: QoS 2 is granted.
    pub const GRANTED_QOS_2: ReasonCode = ReasonCode(0x02);
    /// DISCONNECT: the will is to be published all the same.
    pub const DISCONNECT_WITH_WILL: ReasonCode = ReasonCode(0x04);
    /// PUBACK, PUBREC: taken, and nobody wanted it.
    pub const NO_MATCHING_SUBSCRIBERS: ReasonCode = ReasonCode(0x10);
    /// UNSUBACK: there was nothing to take away.
    pub const NO_SUBSCRIPTION_EXISTED: ReasonCode = ReasonCode(0x11);
    /// AUTH: the next step.
    pub const CONTINUE_AUTHENTICATION: ReasonCode = ReasonCode(0x18);
    /// AUTH: once more.
    pub const RE_AUTHENTICATE: ReasonCode = ReasonCode(0x19);
    /// It did not work, and no other code says why.
    pub const UNSPECIFIED_ERROR: ReasonCode = ReasonCode(0x80);
    /// The bytes are no packet.
    pub const MALFORMED_PACKET: ReasonCode = ReasonCode(0x81);
    /// A packet, or a property, that is out of place.
    pub const PROTOCOL_ERROR: ReasonCode = ReasonCode(0x82);
    /// Well-formed, and not taken by this server.
    pub const IMPLEMENTATION_SPECIFIC_ERROR: ReasonCode = ReasonCode(0x83);
    /// Neither 3.1.1 nor 5.
    pub const UNSUPPORTED_PROTOCOL_VERSION: ReasonCode = ReasonCode(0x84);
    /// A client id that may not be used.
    pub const CLIENT_IDENTIFIER_NOT_VALID: ReasonCode = ReasonCode(0x85);
    /// The server does not know them.
    pub const BAD_USER_NAME_OR_PASSWORD: ReasonCode = ReasonCode(0x86);
    /// The client has no right to it.
    pub const NOT_AUTHORIZED: ReasonCode = ReasonCode(0x87);
    /// Not now.
    pub const SERVER_UNAVAILABLE: ReasonCode = ReasonCode(0x88);
    /// Later.
    pub const SERVER_BUSY: ReasonCode = ReasonCode(0x89);
    /// Never.
    pub const BANNED: ReasonCode = ReasonCode(0x8a);
    /// The server ends.
    pub const SERVER_SHUTTING_DOWN: ReasonCode = ReasonCode(0x8b);
    /// A method that is not offered.
    pub const BAD_AUTHENTICATION_METHOD: ReasonCode = ReasonCode(0x8c);
    /// Nothing was heard for one and a half keep-alives.
    pub const KEEP_ALIVE_TIMEOUT: ReasonCode = ReasonCode(0x8d);
    /// Another connection has the client id now.
    pub const SESSION_TAKEN_OVER: ReasonCode = ReasonCode(0x8e);
    /// The filter is well-formed, and not taken.
    pub const TOPIC_FILTER_INVALID: ReasonCode = ReasonCode(0x8f);
    /// The topic is well-formed, and not taken.
    pub const TOPIC_NAME_INVALID: ReasonCode = ReasonCode(0x90);
    /// The packet id is under way already.
    pub const PACKET_IDENTIFIER_IN_USE: ReasonCode = ReasonCode(0x91);
    /// The packet id is not under way.
    pub const PACKET_IDENTIFIER_NOT_FOUND: ReasonCode = ReasonCode(0x92);
    /// More is under way than was agreed.
    pub const RECEIVE_MAXIMUM_EXCEEDED: ReasonCode = ReasonCode(0x93);
    /// 0, or above what was agreed.
    pub const TOPIC_ALIAS_INVALID: ReasonCode = ReasonCode(0x94);
    /// Larger than the receiver takes.
    pub const PACKET_TOO_LARGE: ReasonCode = ReasonCode(0x95);
    /// Too much at once.
    pub const MESSAGE_RATE_TOO_HIGH: ReasonCode = ReasonCode(0x96);
    /// A limit of this server.
    pub const QUOTA_EXCEEDED: ReasonCode = ReasonCode(0x97);
    /// Somebody ended it.
    pub const ADMINISTRATIVE_ACTION: ReasonCode = ReasonCode(0x98);
    /// The payload is not what it says to be.
    pub const PAYLOAD_FORMAT_INVALID: ReasonCode = ReasonCode(0x99);
    /// Nothing is retained.
    pub const RETAIN_NOT_SUPPORTED: ReasonCode = ReasonCode(0x9a);
    /// A QoS beyond what was agreed.
    pub const QOS_NOT_SUPPORTED: ReasonCode = ReasonCode(0x9b);
    /// For now.
    pub const USE_ANOTHER_SERVER: ReasonCode = ReasonCode(0x9c);
    /// For good.
    pub const SERVER_MOVED: ReasonCode = ReasonCode(0x9d);
    /// There are none.
    pub const SHARED_SUBSCRIPTIONS_NOT_SUPPORTED: ReasonCode = ReasonCode(0x9e);
    /// Too many connections at once.
    pub const CONNECTION_RATE_EXCEEDED: ReasonCode = ReasonCode(0x9f);
    /// The time that the client was given is over.
    pub const MAXIMUM_CONNECT_TIME: ReasonCode = ReasonCode(0xa0);
    /// There are none.
    pub const SUBSCRIPTION_IDENTIFIERS_NOT_SUPPORTED: ReasonCode = ReasonCode(0xa1);
    /// There are none.
    pub const WILDCARD_SUBSCRIPTIONS_NOT_SUPPORTED: ReasonCode = ReasonCode(0xa2);

    /// SUBACK: a subscription at this quality.
    pub const fn granted(qos: Qos) -> ReasonCode {
        ReasonCode(qos as u8)
    }

    /// Whether it did not work.
    pub const fn is_error(self) -> bool {
        self.0 >= 0x80
    }
}

impl Reason {
    /// The reason code of a PUBACK or PUBREC that tells it. Source: MQTT 5 section 3.4.2.1.
    pub const fn code(self) -> ReasonCode {
        match self {
            Reason::BadTopic => ReasonCode::TOPIC_NAME_INVALID,
            Reason::NotGranted
            | Reason::WrongIdentity
            | Reason::NotModerator
            | Reason::ReservedType
            | Reason::Silenced
            | Reason::Locked => ReasonCode::NOT_AUTHORIZED,
            Reason::TooManyObjects | Reason::TooManyRetained | Reason::Flood | Reason::NotStored | Reason::Full => {
                ReasonCode::QUOTA_EXCEEDED
            }
            Reason::NoSuchScene | Reason::Departed | Reason::AlreadyThere => ReasonCode::IMPLEMENTATION_SPECIFIC_ERROR,
            _ => ReasonCode::PAYLOAD_FORMAT_INVALID,
        }
    }
}

impl fmt::Display for ReasonCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:#04x}", self.0)
    }
}
