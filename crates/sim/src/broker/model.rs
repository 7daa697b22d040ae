//! What a broker ought to be: `spec/mqtt.md` written down once more, as plainly as possible. It knows who is connected, who has a session, what each is
//! still to get, and what of that is on disk; it shares no code with `state`.

mod durable;
mod owing;
mod sessions;
mod taking;

use core::time::Duration;
use std::collections::{BTreeMap, BTreeSet};

use stoa_state::time::Time;
use stoa_wire::packet::Qos;

use super::rows::BrokerRow;

pub(super) use self::durable::DurableRecord;
pub(super) use self::owing::{SentAnswer, SentPublish};
pub(super) use self::sessions::{ModelConnect, ModelDisconnect};
pub(super) use self::taking::{ReceivedPublish, ReceivedSubscribe};

/// What is said. `id` is in its payload; an empty payload is number 0.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ModelMessage {
    pub(super) id: u64,
    pub(super) topic: String,
    pub(super) qos: Qos,
    pub(super) retain: bool,
}

/// What is said of somebody who has gone.
#[derive(Clone, Debug)]
pub(super) struct ModelWill {
    pub(super) said: ModelMessage,
    pub(super) delay: Duration,
    /// `None` while its client is connected.
    pub(super) due_at: Option<Time>,
    pub(super) token: u64,
    pub(super) rights: TokenRights,
}

/// What a token allows: `x` never, `u` not where it is narrow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TokenRights {
    pub(super) is_narrow: bool,
}

impl TokenRights {
    /// Of a topic or of a filter: all that is asked of either is its first level.
    pub(super) fn cover(self, text: &str) -> bool {
        let own = text.strip_prefix("$share/").and_then(|rest| rest.split_once('/')).map_or(text, |(_, filter)| filter);
        match own.split('/').next() {
            Some("t" | "job" | "task" | "w") => true,
            Some("u") => !self.is_narrow,
            _ => false,
        }
    }
}

/// A message of QoS 1 or 2 that a session has not acknowledged.
#[derive(Clone, Debug)]
struct OwedDelivery {
    said: ModelMessage,
    /// Since when, or since when it is released.
    clock: u64,
    packet_id: Option<u16>,
    /// The connection that it was sent on last.
    sent_on: Option<u64>,
    is_released: bool,
}

/// An acknowledgement that a client waits for.
#[derive(Clone, Debug)]
struct OwedAck {
    id: u64,
    clock: u64,
    /// Of each, one must be on disk.
    needs: Vec<Vec<DurableRecord>>,
    is_refused: bool,
    has_failed: bool,
    /// It was said on the connection that there is.
    is_awaited: bool,
}

/// A SUBACK or UNSUBACK that a client waits for.
#[derive(Clone, Debug)]
struct OwedSubAck {
    connection: Option<u64>,
    clock: u64,
    is_stored: bool,
    /// Of a SUBSCRIBE: what is granted.
    granted: Option<Vec<Option<Qos>>>,
    /// Subscriptions that were not there before.
    fresh: Vec<String>,
    has_failed: bool,
}

#[derive(Clone, Debug, Default)]
struct ModelSession {
    connection: Option<u64>,
    is_guest: bool,
    expiry: Duration,
    /// Before this connection.
    has_lasted: bool,
    ends_at: Option<Time>,
    will: Option<ModelWill>,
    /// Unknown after a restart.
    token: Option<u64>,
    rights: TokenRights,
    receive_max: usize,
    subscriptions: BTreeMap<String, Qos>,
    /// By number of delivery: their order.
    owed: BTreeMap<u64, OwedDelivery>,
    /// Packet ids of QoS 2 from the client, and when those that are free again were released.
    received: BTreeSet<u16>,
    released: BTreeMap<u16, u64>,
    debts: BTreeMap<u16, OwedAck>,
    asked: BTreeMap<u16, OwedSubAck>,
    /// The last delivery of this connection, by topic and quality.
    last: BTreeMap<(String, Qos), u64>,
}

impl ModelSession {
    /// Whether it outlives the server.
    fn is_kept(&self) -> bool {
        !self.is_guest && (self.has_lasted || !self.expiry.is_zero())
    }
}

/// A message that one member of a share is to get.
#[derive(Clone, Debug)]
struct SharedDelivery {
    delivery: u64,
    clock: u64,
    said: ModelMessage,
    candidates: BTreeMap<usize, Qos>,
    /// Somebody must get it.
    is_certain: bool,
    is_fresh: bool,
}

/// A message of QoS 0 that must go out with the input that brought it.
#[derive(Clone, Debug, PartialEq)]
struct ExpectedPublish {
    connection: u64,
    id: u64,
    topic: String,
    retain: bool,
}

/// What outlives a crash.
#[derive(Debug, Default)]
struct DurableState {
    clock: u64,
    sessions: BTreeMap<usize, ModelSession>,
    retained: BTreeMap<String, ModelMessage>,
    dues: Vec<SharedDelivery>,
}

/// The broker.
#[derive(Debug, Default)]
pub(super) struct BrokerModel {
    sessions: BTreeMap<usize, ModelSession>,
    retained: BTreeMap<String, ModelMessage>,
    dues: Vec<SharedDelivery>,
    expected: Vec<ExpectedPublish>,
    /// Grows with each input.
    clock: u64,
    deliveries: u64,
    /// When the server gave its store something last.
    written_at: u64,
    durable: DurableState,
    /// What the disk has otherwise.
    stale: BTreeMap<DurableRecord, durable::StaleRecord>,
    /// All that was ever taken.
    taken: BTreeSet<u64>,
    /// And what of it more than once.
    repeated: BTreeSet<u64>,
    /// What was taken when the store failed: its sender was told so, or nothing, and may say it once more.
    spoiled: BTreeSet<u64>,
    /// Rows met since they were last asked for.
    pub(super) met: Vec<BrokerRow>,
}

/// Whether `filter`, without a share's name, is for `topic`.
fn matches(filter: &str, topic: &str) -> bool {
    let (mut levels, mut names) = (filter.split('/'), topic.split('/'));
    loop {
        match (levels.next(), names.next()) {
            (Some("#"), _) | (None, None) => return true,
            (Some("+"), Some(_)) => {}
            (Some(level), Some(name)) if level == name => {}
            _ => return false,
        }
    }
}

/// A share's own filter.
fn shared(filter: &str) -> Option<&str> {
    filter.strip_prefix("$share/")?.split_once('/').map(|(_, filter)| filter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_is_for_what_it_says() {
        for (filter, topic, is_for) in [
            ("t/#", "t", true),
            ("t/#", "t/1", true),
            ("t/+", "t/1", true),
            ("t/1", "t/2", false),
            ("t/+", "u/1", false),
        ] {
            assert_eq!(matches(filter, topic), is_for, "{filter} {topic}");
        }
        assert_eq!(shared("$share/g/job/+"), Some("job/+"));
        assert!(TokenRights { is_narrow: true }.cover("$share/g/t/+") && !TokenRights { is_narrow: true }.cover("u/1"));
    }
}
