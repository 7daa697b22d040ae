//! Reasons for refusing a message or filter, with their texts for the sender. Their MQTT codes are in `packet/code.rs`.
//! Source: `spec/topics.md` section 2.

use core::fmt;

/// A reason, as debug messages, metrics and MQTT 5 reason strings name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Reason {
    /// An invalid topic or filter, by MQTT or by the scene tree.
    BadTopic,
    /// The payload is not JSON.
    NotJson,
    /// The payload is JSON, but not an object.
    NotAnObject,
    /// The payload is not UTF-8.
    BadUtf8,
    /// A limit of bytes, or of JSON keys or values, is exceeded: of a payload, a chat's text, an object or an answer.
    TooLarge,
    /// The payload exceeds the nesting limit.
    TooDeep,
    /// `NaN`, `Infinity`, or a number beyond a double's range.
    NotFinite,
    /// A key occurs twice at one level.
    RepeatedKey,
    /// The payload's `object_id` is not the topic's.
    IdMismatch,
    /// A required key is missing.
    MissingKey,
    /// A key has a value of the wrong type or range.
    BadValue,
    /// A key that would break other programs.
    ReservedKey,
    /// The sender's grant does not allow the topic or the request, or has ended.
    NotGranted,
    /// Token 5 or 6, or the client id, is not the sender's own.
    WrongIdentity,
    /// The scene is not open, or must stay unknown to the sender. As a template's source, it may also be empty.
    NoSuchScene,
    /// The message belongs to a person who has left.
    Departed,
    /// A limit of objects, of their bytes together, or of people is reached.
    TooManyObjects,
    /// The limit of retained messages is reached, the realm's or the sender's.
    TooManyRetained,
    /// The sender exceeds its rate or number, or a bound that it shares with other clients is reached.
    Flood,
    /// Only editors and owners may do this.
    NotModerator,
    /// A type that guests may not publish.
    ReservedType,
    /// The server failed to store the message, or its database has reached a limit.
    NotStored,
    /// An object of a template's instance exists already.
    AlreadyThere,
    /// A moderator has muted the sender.
    Silenced,
    /// The scene is locked for newcomers.
    Locked,
    /// The scene has as many people as it may.
    Full,
}

impl Reason {
    /// The name on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Reason::BadTopic => "bad_topic",
            Reason::NotJson => "not_json",
            Reason::NotAnObject => "not_an_object",
            Reason::BadUtf8 => "bad_utf8",
            Reason::TooLarge => "too_large",
            Reason::TooDeep => "too_deep",
            Reason::NotFinite => "not_finite",
            Reason::RepeatedKey => "repeated_key",
            Reason::IdMismatch => "id_mismatch",
            Reason::MissingKey => "missing_key",
            Reason::BadValue => "bad_value",
            Reason::ReservedKey => "reserved_key",
            Reason::NotGranted => "not_granted",
            Reason::WrongIdentity => "wrong_identity",
            Reason::NoSuchScene => "no_such_scene",
            Reason::Departed => "departed",
            Reason::TooManyObjects => "too_many_objects",
            Reason::TooManyRetained => "too_many_retained",
            Reason::Flood => "flood",
            Reason::NotModerator => "not_moderator",
            Reason::ReservedType => "reserved_type",
            Reason::NotStored => "not_stored",
            Reason::AlreadyThere => "already_there",
            Reason::Silenced => "silenced",
            Reason::Locked => "locked",
            Reason::Full => "full",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// A refusal, with the exceeded limit if there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The reason of the refusal.
    pub reason: Reason,
    /// The exceeded limit.
    pub limit: Option<ExceededLimit>,
}

/// A limit that was exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExceededLimit {
    /// The largest allowed number.
    pub most: usize,
    /// The counted unit: `bytes of a chat`.
    pub of: &'static str,
}

impl Refusal {
    /// A refusal because `most` was exceeded.
    pub const fn beyond(reason: Reason, most: usize, of: &'static str) -> Refusal {
        Refusal { reason, limit: Some(ExceededLimit { most, of }) }
    }
}

impl From<Reason> for Refusal {
    fn from(reason: Reason) -> Refusal {
        Refusal { reason, limit: None }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.limit {
            None => self.reason.fmt(formatter),
            Some(limit) => write!(formatter, "{}: at most {limit}", self.reason),
        }
    }
}

impl fmt::Display for ExceededLimit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.most, self.of)
    }
}
