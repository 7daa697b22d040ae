//! MQTT reason codes. Source: MQTT 5 section 2.4.

use core::fmt;

use super::Qos;
use crate::reason::Reason;

/// The result of a packet, or the reason for the end of a connection. Codes from 0x80 on are errors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReasonCode(pub u8);

impl ReasonCode {
    /// Success. In a DISCONNECT, a normal end; in a SUBACK, QoS 0 granted.
    pub const SUCCESS: ReasonCode = ReasonCode(0x00);
    /// SUBACK: QoS 1 is granted.
    pub const GRANTED_QOS_1: ReasonCode = ReasonCode(0x01);
    /// SUBACK: QoS 2 is granted.
    pub const GRANTED_QOS_2: ReasonCode = ReasonCode(0x02);
    /// DISCONNECT: publish the will anyway.
    pub const DISCONNECT_WITH_WILL: ReasonCode = ReasonCode(0x04);
    /// PUBACK, PUBREC: accepted, but no subscription matches.
    pub const NO_MATCHING_SUBSCRIBERS: ReasonCode = ReasonCode(0x10);
    /// UNSUBACK: there was no such subscription.
    pub const NO_SUBSCRIPTION_EXISTED: ReasonCode = ReasonCode(0x11);
    /// AUTH: continue with the next step.
    pub const CONTINUE_AUTHENTICATION: ReasonCode = ReasonCode(0x18);
    /// AUTH: authenticate again.
    pub const RE_AUTHENTICATE: ReasonCode = ReasonCode(0x19);
    /// An error without a code of its own.
    pub const UNSPECIFIED_ERROR: ReasonCode = ReasonCode(0x80);
    /// The bytes are no valid packet.
    pub const MALFORMED_PACKET: ReasonCode = ReasonCode(0x81);
    /// An unexpected packet or property.
    pub const PROTOCOL_ERROR: ReasonCode = ReasonCode(0x82);
    /// Valid, but not accepted by this server.
    pub const IMPLEMENTATION_SPECIFIC_ERROR: ReasonCode = ReasonCode(0x83);
    /// The protocol version is neither 3.1.1 nor 5.
    pub const UNSUPPORTED_PROTOCOL_VERSION: ReasonCode = ReasonCode(0x84);
    /// The client id is not allowed.
    pub const CLIENT_IDENTIFIER_NOT_VALID: ReasonCode = ReasonCode(0x85);
    /// The credentials are wrong.
    pub const BAD_USER_NAME_OR_PASSWORD: ReasonCode = ReasonCode(0x86);
    /// The client lacks the right.
    pub const NOT_AUTHORIZED: ReasonCode = ReasonCode(0x87);
    /// The server is unavailable now.
    pub const SERVER_UNAVAILABLE: ReasonCode = ReasonCode(0x88);
    /// The server is busy; try again later.
    pub const SERVER_BUSY: ReasonCode = ReasonCode(0x89);
    /// The client is banned.
    pub const BANNED: ReasonCode = ReasonCode(0x8a);
    /// The server shuts down.
    pub const SERVER_SHUTTING_DOWN: ReasonCode = ReasonCode(0x8b);
    /// The authentication method is not supported.
    pub const BAD_AUTHENTICATION_METHOD: ReasonCode = ReasonCode(0x8c);
    /// The client sent nothing for 1.5 keep-alive intervals.
    pub const KEEP_ALIVE_TIMEOUT: ReasonCode = ReasonCode(0x8d);
    /// Another connection took over the session, with the same client id.
    pub const SESSION_TAKEN_OVER: ReasonCode = ReasonCode(0x8e);
    /// The filter is well-formed, but not accepted.
    pub const TOPIC_FILTER_INVALID: ReasonCode = ReasonCode(0x8f);
    /// The topic is well-formed, but not accepted.
    pub const TOPIC_NAME_INVALID: ReasonCode = ReasonCode(0x90);
    /// The packet id is in use.
    pub const PACKET_IDENTIFIER_IN_USE: ReasonCode = ReasonCode(0x91);
    /// The packet id is not in use.
    pub const PACKET_IDENTIFIER_NOT_FOUND: ReasonCode = ReasonCode(0x92);
    /// More messages in flight than the receive maximum.
    pub const RECEIVE_MAXIMUM_EXCEEDED: ReasonCode = ReasonCode(0x93);
    /// The alias is 0 or above the maximum.
    pub const TOPIC_ALIAS_INVALID: ReasonCode = ReasonCode(0x94);
    /// The packet exceeds the receiver's maximum.
    pub const PACKET_TOO_LARGE: ReasonCode = ReasonCode(0x95);
    /// Too many messages.
    pub const MESSAGE_RATE_TOO_HIGH: ReasonCode = ReasonCode(0x96);
    /// A limit of this server is exceeded.
    pub const QUOTA_EXCEEDED: ReasonCode = ReasonCode(0x97);
    /// An administrator ended the connection.
    pub const ADMINISTRATIVE_ACTION: ReasonCode = ReasonCode(0x98);
    /// The payload doesn't match its declared format.
    pub const PAYLOAD_FORMAT_INVALID: ReasonCode = ReasonCode(0x99);
    /// Retained messages are not supported.
    pub const RETAIN_NOT_SUPPORTED: ReasonCode = ReasonCode(0x9a);
    /// The QoS is above the server's maximum.
    pub const QOS_NOT_SUPPORTED: ReasonCode = ReasonCode(0x9b);
    /// The client should use another server for now.
    pub const USE_ANOTHER_SERVER: ReasonCode = ReasonCode(0x9c);
    /// The client should use another server permanently.
    pub const SERVER_MOVED: ReasonCode = ReasonCode(0x9d);
    /// Shared subscriptions are not supported.
    pub const SHARED_SUBSCRIPTIONS_NOT_SUPPORTED: ReasonCode = ReasonCode(0x9e);
    /// Too many new connections.
    pub const CONNECTION_RATE_EXCEEDED: ReasonCode = ReasonCode(0x9f);
    /// The authorised connection time is over.
    pub const MAXIMUM_CONNECT_TIME: ReasonCode = ReasonCode(0xa0);
    /// Subscription identifiers are not supported.
    pub const SUBSCRIPTION_IDENTIFIERS_NOT_SUPPORTED: ReasonCode = ReasonCode(0xa1);
    /// Wildcard subscriptions are not supported.
    pub const WILDCARD_SUBSCRIPTIONS_NOT_SUPPORTED: ReasonCode = ReasonCode(0xa2);

    /// SUBACK: the granted QoS.
    pub const fn granted(qos: Qos) -> ReasonCode {
        ReasonCode(qos as u8)
    }

    /// Whether the code is an error.
    pub const fn is_error(self) -> bool {
        self.0 >= 0x80
    }
}

impl Reason {
    /// The code of a PUBACK, PUBREC or SUBACK for this reason. Source: MQTT 5 section 3.4.2.1.
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
