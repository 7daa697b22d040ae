//! The envelope of a scene message: its common JSON keys, parsed and checked before any client receives the message.
//! Source: `spec/topics.md` section 2.

mod json;

use alloc::string::String;

use serde_json::{Map, Value};

use crate::display_name::is_display_name;
use crate::limits;
use crate::reason::{Reason, Refusal};
use crate::topic::{SceneTopic, TopicKind};

/// The key `action` of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Action {
    /// Creates an object, or replaces it.
    Create,
    /// Changes an object or a person's presence.
    Update,
    /// Deletes an object.
    Delete,
    /// Reports a click, a collision or a button; changes nothing.
    ClientEvent,
    /// A person enters.
    Join,
    /// A person leaves.
    Leave,
    /// A person's origin was corrected.
    Relocalized,
    /// Requests the stored objects.
    GetPersist,
    /// Requests a copy of another scene.
    LoadTemplate,
    /// Requests a ticket for the motion plane.
    GetMotionTicket,
}

impl Action {
    /// The name on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Action::Create => "create",
            Action::Update => "update",
            Action::Delete => "delete",
            Action::ClientEvent => "clientEvent",
            Action::Join => "join",
            Action::Leave => "leave",
            Action::Relocalized => "relocalized",
            Action::GetPersist => "getPersist",
            Action::LoadTemplate => "loadTemplate",
            Action::GetMotionTicket => "getMotionTicket",
        }
    }

    /// All actions.
    const ALL: [Action; 10] = [
        Action::Create,
        Action::Update,
        Action::Delete,
        Action::ClientEvent,
        Action::Join,
        Action::Leave,
        Action::Relocalized,
        Action::GetPersist,
        Action::LoadTemplate,
        Action::GetMotionTicket,
    ];

    /// The action with this name.
    pub fn parse(name: &str) -> Option<Action> {
        Action::ALL.into_iter().find(|action| action.as_str() == name)
    }

    const fn belongs_to(self, kind: TopicKind) -> bool {
        match kind {
            TopicKind::X => matches!(self, Action::Join | Action::Update | Action::Leave | Action::Relocalized),
            TopicKind::U => {
                matches!(self, Action::Create | Action::Update | Action::Delete | Action::ClientEvent)
            }
            TopicKind::O => {
                !matches!(self, Action::Join | Action::Leave | Action::Relocalized | Action::GetMotionTicket)
            }
            _ => true,
        }
    }
}

/// The key `persist`, by strength.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Persist {
    /// Absent, or falsy in JavaScript.
    #[default]
    False,
    /// Truthy in JavaScript, but not `true`: sufficient for an update.
    Truthy,
    /// `true` itself, which a create needs.
    True,
}

/// A checked envelope.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Envelope {
    /// Equals the topic's token 6 on `x u o c`; empty if absent on a kind that doesn't require it.
    pub object_id: String,
    /// Always `Some` on `x u o`; elsewhere only for a known action.
    pub action: Option<Action>,
    /// The key `type`.
    pub type_name: Option<String>,
    /// The key `persist`.
    pub persist: Persist,
    /// Seconds; `None` also for -1.
    pub ttl: Option<f64>,
    /// The key `overwrite`.
    pub overwrite: bool,
    /// The key `private`.
    pub private: bool,
    /// ARENA's key `data`; always `Some` on `create`, `update` and `clientEvent` of `u` and `o`, and on
    /// `loadTemplate`.
    pub attributes: Option<Map<String, Value>>,
    /// All other keys: `dn`, `text`, `program_id`, `timestamp`, …
    pub rest: Map<String, Value>,
}

/// The keys of a payload, or the reason of its refusal. A payload may be parsed before its message is checked.
#[derive(Clone, Debug, PartialEq)]
pub struct ParsedPayload(Result<Map<String, Value>, Refusal>);

impl ParsedPayload {
    /// Parses a payload within the limits of size, depth, keys and array values.
    pub fn of(payload: &[u8]) -> ParsedPayload {
        ParsedPayload(parsed_keys(payload))
    }

    /// An upper bound of the bytes that the parsed payload takes.
    pub fn size_bytes(&self) -> usize {
        self.0.as_ref().map_or(0, keys_bytes)
    }

    /// A payload that is refused without being parsed.
    pub fn refused(refusal: Refusal) -> ParsedPayload {
        ParsedPayload(Err(refusal))
    }
}

impl Envelope {
    /// Checks the payload of a message on `topic`. Console lines of a page and streams of a program are only
    /// checked for size. Errors: as [`Envelope::parse`]; on `e`, unless token 7 is `-`, [`Reason::NotAnObject`]
    /// for a payload that would end an arena-py client's receive loop.
    pub fn on(topic: &SceneTopic, payload: &[u8]) -> Result<Envelope, Refusal> {
        Envelope::on_parsed(topic, payload, None)
    }

    /// Checks a payload as [`Envelope::on`] does, with the same errors. `parsed` holds the keys of a payload that was
    /// parsed before.
    pub fn on_parsed(topic: &SceneTopic, payload: &[u8], parsed: Option<ParsedPayload>) -> Result<Envelope, Refusal> {
        let is_to_nobody = topic.to_uid.as_deref() == Some("-");
        let is_text = topic.stream.is_some() || topic.kind == TopicKind::D && is_to_nobody;
        check_size(payload)?;
        if is_text {
            return Ok(Envelope::default());
        }
        if topic.kind == TopicKind::E {
            let ends_loop = !is_to_nobody && json::deafens(payload);
            return if ends_loop { Err(Reason::NotAnObject.into()) } else { Ok(Envelope::default()) };
        }
        let ParsedPayload(keys) = parsed.unwrap_or_else(|| ParsedPayload::of(payload));
        Envelope::of_keys(topic.kind, &topic.uuid, keys?)
    }

    /// Checks a payload of `kind` on a topic with `uuid` as token 6. On `e` only the size is checked. Errors: the
    /// first violation, in this order: size, UTF-8, depth and syntax as read, object, keys in the order of section
    /// 2's table.
    pub fn parse(kind: TopicKind, uuid: &str, payload: &[u8]) -> Result<Envelope, Refusal> {
        check_size(payload)?;
        if kind == TopicKind::E {
            return Ok(Envelope::default());
        }
        Envelope::of_keys(kind, uuid, ParsedPayload::of(payload).0?)
    }

    /// Checks the keys of a payload. Errors: the first violation, in the order of section 2's table.
    fn of_keys(kind: TopicKind, uuid: &str, mut keys: Map<String, Value>) -> Result<Envelope, Refusal> {
        let envelope = Envelope {
            object_id: object_id(kind, uuid, &keys)?,
            action: action(kind, &keys)?,
            type_name: short(&keys, "type", limits::TYPE_BYTES_MAX)?.map(String::from),
            persist: persist(keys.get("persist")),
            ttl: ttl(&keys)?,
            overwrite: optional(&keys, "overwrite", Value::as_bool)?.unwrap_or(false),
            private: optional(&keys, "private", Value::as_bool)?.unwrap_or(false),
            attributes: None,
            rest: Map::new(),
        };
        if kind == TopicKind::O && keys.get("program_id").is_some_and(Value::is_string) {
            short(&keys, "program_id", limits::OBJECT_ID_BYTES_MAX)?;
        }
        let attributes = attributes(kind, envelope.action, &mut keys)?;
        if display_name(kind, &keys, attributes.as_ref()).is_some_and(|name| !is_display_name(name)) {
            return Err(Reason::BadValue.into());
        }
        if kind == TopicKind::C {
            check_chat(&keys)?;
        }
        for key in ["object_id", "action", "type", "persist", "ttl", "overwrite", "private"] {
            keys.remove(key);
        }
        Ok(Envelope { attributes, rest: keys, ..envelope })
    }

    /// The name that a message of `kind` shows for its sender, if it has one.
    pub fn display_name(&self, kind: TopicKind) -> Option<&str> {
        display_name(kind, &self.rest, self.attributes.as_ref())
    }
}

/// Number of a payload's colons, commas and opening brackets of arrays, three of JSON's structural characters (RFC 8259
/// section 2), counted without parsing. It bounds the keys and array values, with which the time to parse grows.
pub fn structural_characters(payload: &[u8]) -> usize {
    count(payload, |byte| matches!(byte, b':' | b',' | b'['))
}

/// Number of bytes for which `is_counted` is true. Sums of at most 255 bytes fit into a byte, so the compiler counts 16
/// bytes with each instruction: a flood of long messages is counted on the thread that reads them.
fn count(payload: &[u8], is_counted: impl Fn(u8) -> bool) -> usize {
    let in_chunk = |chunk: &[u8]| chunk.iter().map(|byte| u8::from(is_counted(*byte))).sum::<u8>();
    payload.chunks(usize::from(u8::MAX)).map(|chunk| usize::from(in_chunk(chunk))).sum()
}

const _: () = assert!(11 * (size_of::<String>() + size_of::<Value>()) + 64 < limits::PARSED_KEY_BYTES_MAX);
const _: () = assert!(4 * size_of::<Value>() + 48 < limits::PARSED_VALUE_BYTES_MAX);

/// An upper bound of the bytes that a payload takes once it is parsed, found without parsing.
pub fn parsed_bytes_max(payload: &[u8]) -> usize {
    let keys = count(payload, |byte| byte == b':').min(limits::JSON_KEYS_MAX);
    let values = count(payload, |byte| matches!(byte, b',' | b'[')).min(limits::JSON_VALUES_MAX);
    payload.len() + keys * limits::PARSED_KEY_BYTES_MAX + values * limits::PARSED_VALUE_BYTES_MAX
}

/// An upper bound of the bytes of parsed keys. All nodes of a map but one hold at least five keys each.
fn keys_bytes(keys: &Map<String, Value>) -> usize {
    let nodes = if keys.is_empty() { 0 } else { keys.len() / 5 + 1 };
    let contents = keys.iter().map(|(key, value)| allocation_bytes(key.capacity()) + value_bytes(value));
    nodes * limits::PARSED_KEY_BYTES_MAX + contents.sum::<usize>()
}

/// An upper bound of the bytes that glibc takes for an allocation: a header and rounding, but at least 32.
fn allocation_bytes(bytes: usize) -> usize {
    if bytes == 0 { 0 } else { bytes + 31 }
}

/// Bytes that a parsed value takes besides the value itself.
fn value_bytes(value: &Value) -> usize {
    match value {
        Value::String(text) => allocation_bytes(text.capacity()),
        Value::Array(values) => {
            allocation_bytes(values.capacity() * size_of::<Value>()) + values.iter().map(value_bytes).sum::<usize>()
        }
        Value::Object(keys) => keys_bytes(keys),
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    }
}

/// Parses a payload's keys. Errors: the first violation, in this order: size, UTF-8, depth and syntax as read, object.
fn parsed_keys(payload: &[u8]) -> Result<Map<String, Value>, Refusal> {
    check_size(payload)?;
    let text = core::str::from_utf8(payload).map_err(|_| Reason::BadUtf8)?;
    match json::parse(text)? {
        Value::Object(keys) => Ok(keys),
        _ => Err(Reason::NotAnObject.into()),
    }
}

/// Checks a payload's size. Errors: [`Reason::TooLarge`].
fn check_size(payload: &[u8]) -> Result<(), Refusal> {
    if payload.len() > limits::PAYLOAD_BYTES_MAX {
        return Err(Refusal::beyond(Reason::TooLarge, limits::PAYLOAD_BYTES_MAX, "bytes of payload"));
    }
    Ok(())
}

/// The value of a key that may be missing or null, but not of another type.
fn optional<'a, T>(
    keys: &'a Map<String, Value>,
    key: &str,
    read: impl Fn(&'a Value) -> Option<T>,
) -> Result<Option<T>, Reason> {
    match keys.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => read(value).map(Some).ok_or(Reason::BadValue),
    }
}

/// A text of at most `bytes_max` that may be missing or null.
fn short<'a>(keys: &'a Map<String, Value>, key: &str, bytes_max: usize) -> Result<Option<&'a str>, Reason> {
    match optional(keys, key, Value::as_str)? {
        Some(text) if text.len() > bytes_max => Err(Reason::BadValue),
        text => Ok(text),
    }
}

fn object_id(kind: TopicKind, uuid: &str, keys: &Map<String, Value>) -> Result<String, Reason> {
    if !matches!(kind, TopicKind::X | TopicKind::U | TopicKind::O | TopicKind::C) {
        return Ok(keys.get("object_id").and_then(Value::as_str).unwrap_or_default().into());
    }
    let id = keys.get("object_id").ok_or(Reason::MissingKey)?.as_str().ok_or(Reason::BadValue)?;
    if id.is_empty() || id.len() > limits::OBJECT_ID_BYTES_MAX {
        return Err(Reason::BadValue);
    }
    if id == uuid { Ok(id.into()) } else { Err(Reason::IdMismatch) }
}

fn action(kind: TopicKind, keys: &Map<String, Value>) -> Result<Option<Action>, Reason> {
    let named = keys.get("action").and_then(Value::as_str).and_then(Action::parse);
    if !matches!(kind, TopicKind::X | TopicKind::U | TopicKind::O) {
        return Ok(named);
    }
    if !keys.contains_key("action") {
        return Err(Reason::MissingKey);
    }
    named.filter(|action| action.belongs_to(kind)).map(Some).ok_or(Reason::BadValue)
}

fn persist(value: Option<&Value>) -> Persist {
    let truthy = match value {
        Some(Value::Bool(true)) => return Persist::True,
        None | Some(Value::Null | Value::Bool(false)) => false,
        Some(Value::Number(number)) => number.as_f64() != Some(0.0),
        Some(Value::String(text)) => !text.is_empty(),
        Some(Value::Array(_) | Value::Object(_)) => true,
    };
    if truthy { Persist::Truthy } else { Persist::False }
}

fn ttl(keys: &Map<String, Value>) -> Result<Option<f64>, Reason> {
    match optional(keys, "ttl", Value::as_f64)? {
        Some(-1.0) => Ok(None),
        Some(seconds) if !(0.0..=limits::TTL_S_MAX).contains(&seconds) => Err(Reason::BadValue),
        seconds => Ok(seconds),
    }
}

fn attributes(
    kind: TopicKind,
    action: Option<Action>,
    keys: &mut Map<String, Value>,
) -> Result<Option<Map<String, Value>>, Reason> {
    let required = matches!(kind, TopicKind::U | TopicKind::O)
        && matches!(action, Some(Action::Create | Action::Update | Action::ClientEvent | Action::LoadTemplate));
    match keys.remove("data") {
        Some(Value::Object(attributes)) => Ok(Some(attributes)),
        None | Some(Value::Null) if required => Err(Reason::MissingKey),
        Some(_) if required => Err(Reason::BadValue),
        _ => Ok(None),
    }
}

/// The name that a message shows for its sender, if it has one. An empty name is none.
fn display_name<'a>(
    kind: TopicKind,
    keys: &'a Map<String, Value>,
    attributes: Option<&'a Map<String, Value>>,
) -> Option<&'a str> {
    let name = match kind {
        TopicKind::X | TopicKind::C => keys.get("dn"),
        TopicKind::U => attributes.and_then(|attributes| attributes.get("arena-user")?.get("displayName")),
        _ => None,
    };
    name.and_then(Value::as_str).filter(|name| !name.is_empty())
}

fn check_chat(keys: &Map<String, Value>) -> Result<(), Refusal> {
    // arena-py 1.6.0 passes the keys as keyword arguments, and would crash on `self`.
    if keys.contains_key("self") {
        return Err(Reason::ReservedKey.into());
    }
    let text = optional(keys, "text", Value::as_str)?.unwrap_or_default();
    if text.len() > limits::CHAT_BYTES_MAX {
        return Err(Refusal::beyond(Reason::TooLarge, limits::CHAT_BYTES_MAX, "bytes of a chat"));
    }
    Ok(())
}
