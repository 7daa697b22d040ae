//! Reason codes. Source: MQTT 5 section 2.4.

use core::fmt;

use super::Qos;
use crate::reason::Reason;

/// Says what became of a packet, or why a connection ends. Codes from 0x80 on are errors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(pub u8);

impl Code {
    /// All went well; of a DISCONNECT: a normal end; of a SUBACK: QoS 0 is granted.
    pub const SUCCESS: Code = Code(0x00);
    /// SUBACK: QoS 1 is granted.
    pub const GRANTED_QOS_1: Code = Code(0x01);
    /// SUBACK: QoS 2 is granted.
    pub const GRANTED_QOS_2: Code = Code(0x02);
    /// DISCONNECT: the will is to be published all the same.
    pub const DISCONNECT_WITH_WILL: Code = Code(0x04);
    /// PUBACK, PUBREC: taken, and nobody wanted it.
    pub const NO_MATCHING_SUBSCRIBERS: Code = Code(0x10);
    /// UNSUBACK: there was nothing to take away.
    pub const NO_SUBSCRIPTION_EXISTED: Code = Code(0x11);
    /// AUTH: the next step.
    pub const CONTINUE_AUTHENTICATION: Code = Code(0x18);
    /// AUTH: once more.
    pub const RE_AUTHENTICATE: Code = Code(0x19);
    /// It did not work, and no other code says why.
    pub const UNSPECIFIED_ERROR: Code = Code(0x80);
    /// The bytes are no packet.
    pub const MALFORMED_PACKET: Code = Code(0x81);
    /// A packet, or a property, that is out of place.
    pub const PROTOCOL_ERROR: Code = Code(0x82);
    /// Well-formed, and not taken by this server.
    pub const IMPLEMENTATION_SPECIFIC_ERROR: Code = Code(0x83);
    /// Neither 3.1.1 nor 5.
    pub const UNSUPPORTED_PROTOCOL_VERSION: Code = Code(0x84);
    /// A client id that may not be used.
    pub const CLIENT_IDENTIFIER_NOT_VALID: Code = Code(0x85);
    /// The server does not know them.
    pub const BAD_USER_NAME_OR_PASSWORD: Code = Code(0x86);
    /// The client has no right to it.
    pub const NOT_AUTHORIZED: Code = Code(0x87);
    /// Not now.
    pub const SERVER_UNAVAILABLE: Code = Code(0x88);
    /// Later.
    pub const SERVER_BUSY: Code = Code(0x89);
    /// Never.
    pub const BANNED: Code = Code(0x8a);
    /// The server ends.
    pub const SERVER_SHUTTING_DOWN: Code = Code(0x8b);
    /// A method that is not offered.
    pub const BAD_AUTHENTICATION_METHOD: Code = Code(0x8c);
    /// Nothing was heard for one and a half keep-alives.
    pub const KEEP_ALIVE_TIMEOUT: Code = Code(0x8d);
    /// Another connection has the client id now.
    pub const SESSION_TAKEN_OVER: Code = Code(0x8e);
    /// The filter is well-formed, and not taken.
    pub const TOPIC_FILTER_INVALID: Code = Code(0x8f);
    /// The topic is well-formed, and not taken.
    pub const TOPIC_NAME_INVALID: Code = Code(0x90);
    /// The packet id is under way already.
    pub const PACKET_IDENTIFIER_IN_USE: Code = Code(0x91);
    /// The packet id is not under way.
    pub const PACKET_IDENTIFIER_NOT_FOUND: Code = Code(0x92);
    /// More is under way than was agreed.
    pub const RECEIVE_MAXIMUM_EXCEEDED: Code = Code(0x93);
    /// 0, or above what was agreed.
    pub const TOPIC_ALIAS_INVALID: Code = Code(0x94);
    /// Larger than the receiver takes.
    pub const PACKET_TOO_LARGE: Code = Code(0x95);
    /// Too much at once.
    pub const MESSAGE_RATE_TOO_HIGH: Code = Code(0x96);
    /// A limit of this server.
    pub const QUOTA_EXCEEDED: Code = Code(0x97);
    /// Somebody ended it.
    pub const ADMINISTRATIVE_ACTION: Code = Code(0x98);
    /// The payload is not what it says to be.
    pub const PAYLOAD_FORMAT_INVALID: Code = Code(0x99);
    /// Nothing is retained.
    pub const RETAIN_NOT_SUPPORTED: Code = Code(0x9a);
    /// A QoS beyond what was agreed.
    pub const QOS_NOT_SUPPORTED: Code = Code(0x9b);
    /// For now.
    pub const USE_ANOTHER_SERVER: Code = Code(0x9c);
    /// For good.
    pub const SERVER_MOVED: Code = Code(0x9d);
    /// There are none.
    pub const SHARED_SUBSCRIPTIONS_NOT_SUPPORTED: Code = Code(0x9e);
    /// Too many connections at once.
    pub const CONNECTION_RATE_EXCEEDED: Code = Code(0x9f);
    /// The time that the client was given is over.
    pub const MAXIMUM_CONNECT_TIME: Code = Code(0xa0);
    /// There are none.
    pub const SUBSCRIPTION_IDENTIFIERS_NOT_SUPPORTED: Code = Code(0xa1);
    /// There are none.
    pub const WILDCARD_SUBSCRIPTIONS_NOT_SUPPORTED: Code = Code(0xa2);

    /// SUBACK: a subscription at this quality.
    pub const fn granted(qos: Qos) -> Code {
        Code(qos as u8)
    }

    /// Whether it did not work.
    pub const fn is_error(self) -> bool {
        self.0 >= 0x80
    }
}

impl Reason {
    /// The reason code of a PUBACK or PUBREC that tells it. Source: MQTT 5 section 3.4.2.1.
    pub const fn code(self) -> Code {
        match self {
            Reason::BadTopic => Code::TOPIC_NAME_INVALID,
            Reason::NotGranted
            | Reason::WrongIdentity
            | Reason::NotModerator
            | Reason::ReservedType
            | Reason::Silenced
            | Reason::Locked => Code::NOT_AUTHORIZED,
            Reason::TooManyObjects | Reason::TooManyRetained | Reason::Flood | Reason::NotStored | Reason::Full => {
                Code::QUOTA_EXCEEDED
            }
            Reason::NoSuchScene | Reason::Departed | Reason::AlreadyThere => Code::IMPLEMENTATION_SPECIFIC_ERROR,
            _ => Code::PAYLOAD_FORMAT_INVALID,
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:#04x}", self.0)
    }
}
