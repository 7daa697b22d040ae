//! The expected behaviour of a broker: `spec/mqtt.md` once more, as simple as possible. It tracks connections,
//! sessions, outstanding deliveries and the state on disk. It shares no code with `state`.

mod deliveries;
mod durable;
mod requests;
mod sessions;

use core::time::Duration;
use std::collections::{BTreeMap, BTreeSet};

use stoa_state::time::Time;
use stoa_wire::packet::Qos;

use super::situations::BrokerSituation;

pub(super) use self::deliveries::{AnswerToClient, PublishToClient};
pub(super) use self::durable::DurableKey;
pub(super) use self::requests::{PublishFromClient, SubscribeFromClient};
pub(super) use self::sessions::{ModelConnect, ModelDisconnect};

/// A published message. `id` is the number in its payload; an empty payload is number 0.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ModelMessage {
    pub(super) id: u64,
    pub(super) topic: String,
    pub(super) qos: Qos,
    pub(super) retain: bool,
}

/// A will.
#[derive(Clone, Debug)]
pub(super) struct ModelWill {
    pub(super) message: ModelMessage,
    pub(super) delay: Duration,
    /// `None` while its client is connected.
    pub(super) due_at: Option<Time>,
    pub(super) token: u64,
    pub(super) rights: ModelTokenRights,
}

/// Rights of a token: never `x`, and `u` only if it is not narrow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ModelTokenRights {
    pub(super) is_narrow: bool,
}

impl ModelTokenRights {
    /// Whether it covers a topic or filter; only the first level counts.
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
struct UnackedDelivery {
    message: ModelMessage,
    /// Time of the delivery, or of its release.
    clock: u64,
    packet_id: Option<u16>,
    /// The connection that it was last sent on.
    sent_on: Option<u64>,
    is_released: bool,
    is_shared: bool,
}

/// An acknowledgement that a client waits for.
#[derive(Clone, Debug)]
struct OwedAck {
    id: u64,
    clock: u64,
    /// Of each inner list, one record has to be on disk.
    needs: Vec<Vec<DurableKey>>,
    is_refused: bool,
    has_failed: bool,
    /// The message was published on the present connection.
    is_awaited: bool,
}

/// A SUBACK or UNSUBACK that a client waits for.
#[derive(Clone, Debug)]
struct OwedSubAck {
    connection: Option<u64>,
    clock: u64,
    is_stored: bool,
    /// Of a SUBSCRIBE: the granted QoS per filter.
    granted: Option<Vec<Option<Qos>>>,
    /// New subscriptions.
    fresh: Vec<String>,
    has_failed: bool,
}

#[derive(Clone, Debug, Default)]
struct ModelSession {
    connection: Option<u64>,
    is_guest: bool,
    expiry: Duration,
    /// Whether it was durable before this connection.
    has_lasted: bool,
    ends_at: Option<Time>,
    will: Option<ModelWill>,
    /// Unknown after a restart.
    token: Option<u64>,
    rights: ModelTokenRights,
    receive_max: usize,
    subscriptions: BTreeMap<String, Qos>,
    /// By delivery number, which is their order.
    owed: BTreeMap<u64, UnackedDelivery>,
    /// QoS 2 packet ids of the client, with the numbers of their messages.
    received: BTreeMap<u16, u64>,
    /// Freed QoS 2 packet ids, with their time.
    released: BTreeMap<u16, u64>,
    owed_acks: BTreeMap<u16, OwedAck>,
    owed_subacks: BTreeMap<u16, OwedSubAck>,
    /// The last delivery on this connection, by topic and QoS.
    last: BTreeMap<(String, Qos), u64>,
}

impl ModelSession {
    /// Whether the session survives a restart of the server.
    fn is_kept(&self) -> bool {
        !self.is_guest && (self.has_lasted || !self.expiry.is_zero())
    }
}

/// A message for one member of a shared subscription.
#[derive(Clone, Debug)]
struct PendingSharedDelivery {
    delivery: u64,
    clock: u64,
    message: ModelMessage,
    candidates: BTreeMap<usize, Qos>,
    /// Whether some member has to get it.
    is_certain: bool,
    is_fresh: bool,
}

/// A QoS 0 message that has to be sent with the input that caused it.
#[derive(Clone, Debug, PartialEq)]
struct ExpectedPublish {
    connection: u64,
    id: u64,
    topic: String,
    retain: bool,
}

/// State that survives a crash.
#[derive(Debug, Default)]
struct DurableState {
    clock: u64,
    sessions: BTreeMap<usize, ModelSession>,
    retained: BTreeMap<String, ModelMessage>,
    shared_deliveries: Vec<PendingSharedDelivery>,
}

/// The expected state of the broker.
#[derive(Debug, Default)]
pub(super) struct BrokerModel {
    sessions: BTreeMap<usize, ModelSession>,
    retained: BTreeMap<String, ModelMessage>,
    shared_deliveries: Vec<PendingSharedDelivery>,
    expected: Vec<ExpectedPublish>,
    /// Grows with each input.
    clock: u64,
    deliveries: u64,
    /// Time of the server's last write to its store.
    written_at: u64,
    durable: DurableState,
    /// Records that the disk has in an older state.
    stale: BTreeMap<DurableKey, durable::StaleRecord>,
    /// Numbers of all messages ever accepted.
    accepted: BTreeSet<u64>,
    /// Numbers accepted more than once.
    repeated: BTreeSet<u64>,
    /// Numbers that may be published once more: those accepted while the store failed, whose sender got an error or no
    /// answer, those of a session that ended before its client released them, and wills after a restart.
    spoiled: BTreeSet<u64>,
    /// Rows that occurred since the last query.
    pub(super) met: Vec<BrokerSituation>,
}

/// Whether `filter`, without a share name, matches `topic`.
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

/// The filter of a shared subscription.
fn shared(filter: &str) -> Option<&str> {
    filter.strip_prefix("$share/")?.split_once('/').map(|(_, filter)| filter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topic_filters_match_with_wildcards_and_share_names() {
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
        assert!(
            ModelTokenRights { is_narrow: true }.cover("$share/g/t/+")
                && !ModelTokenRights { is_narrow: true }.cover("u/1")
        );
    }
}
