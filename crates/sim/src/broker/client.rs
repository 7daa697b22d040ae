//! A virtual MQTT client: its properties, and the state that the protocol requires of it.

use core::time::Duration;
use std::collections::{BTreeMap, BTreeSet};

use stoa_state::connection_id::ConnectionId;
use stoa_state::grant::{Claims, TokenFilters};
use stoa_state::limits::{GUEST_SESSION_EXPIRY_MAX, IN_FLIGHT_MAX, SESSION_EXPIRY_MAX};
use stoa_state::time::{Time, UnixSeconds};
use stoa_wire::packet::{Connect, Decoder, MqttVersion, Publish};
use stoa_wire::topic_filter::TopicFilter;

use super::model::{ModelConnect, ModelMessage, ModelTokenRights, ModelWill};

/// A message that is not yet acknowledged.
#[derive(Debug)]
pub(super) struct UnackedPublish {
    pub(super) publish: Publish,
    pub(super) id: u64,
    /// QoS 2: PUBREC was received.
    pub(super) is_received: bool,
}

/// One client.
#[derive(Debug)]
pub(super) struct BrokerClient {
    pub(super) index: usize,
    pub(super) subject: String,
    pub(super) version: MqttVersion,
    pub(super) is_guest: bool,
    /// Whether the client requests durable sessions.
    pub(super) lasts: bool,
    pub(super) receive_max: Option<u16>,
    /// Number of its token.
    pub(super) token: u64,
    pub(super) rights: ModelTokenRights,
    pub(super) attached: Option<ConnectionId>,
    /// CONNACK was received.
    pub(super) is_in: bool,
    /// Model clock at which its session began anew, `u64::MAX` until CONNACK arrives; `None` once the new session is on
    /// disk. CONNACK doesn't wait for the disk, so a crash may bring the old session back until then. A client that has
    /// forgotten the old session has to request a clean start again.
    pub(super) forgotten_at: Option<u64>,
    /// Session expiry that it requested. MQTT 5 allows a change in DISCONNECT only if it is not 0.
    pub(super) expiry_s: u32,
    pub(super) decoder: Decoder,
    /// In the order of publishing.
    pub(super) unacknowledged: BTreeMap<u64, UnackedPublish>,
    /// Number of its QoS 1 and 2 publications; it orders `unacknowledged`.
    publish_count: u64,
    /// Packet id of its last SUBSCRIBE or UNSUBSCRIBE.
    last_request_id: u16,
    /// Packet ids of QoS 2 from the server.
    pub(super) received: BTreeSet<u16>,
    /// Numbers of the QoS 2 messages received in this session.
    pub(super) exactly_once_ids: BTreeSet<u64>,
}

impl BrokerClient {
    /// The `index`th client of a run: members, a guest, one with a small receive maximum; some with sessions that
    /// are not durable.
    pub(super) fn new(index: usize) -> BrokerClient {
        let is_guest = index == 5;
        let version = if matches!(index, 1 | 4 | 7) { MqttVersion::V311 } else { MqttVersion::V5 };
        BrokerClient {
            index,
            subject: if is_guest { format!("anonymous-{index:010}") } else { format!("member{index}") },
            version,
            is_guest,
            lasts: !matches!(index, 3 | 4),
            receive_max: (index == 6).then_some(3),
            token: 0,
            rights: ModelTokenRights::default(),
            attached: None,
            is_in: false,
            forgotten_at: None,
            expiry_s: 0,
            decoder: Decoder::for_client(version),
            unacknowledged: BTreeMap::new(),
            publish_count: 0,
            last_request_id: 0,
            received: BTreeSet::new(),
            exactly_once_ids: BTreeSet::new(),
        }
    }

    /// Claims of its token.
    pub(super) fn claims(&self, rights: ModelTokenRights) -> Claims {
        let all = ["job/#", "t/#", "task/#", "u/#", "w/#"];
        let granted = all.into_iter().filter(|filter| rights.cover(filter));
        let granted: Vec<_> = granted.map(|filter| TopicFilter::parse(filter).expect("is a filter")).collect();
        Claims {
            guest: self.is_guest,
            explicit: true,
            ..Claims::new(
                self.subject.clone(),
                format!("token-{}", self.token),
                UnixSeconds(0)..UnixSeconds(u64::from(u32::MAX)),
                TokenFilters { publ: granted.clone(), subs: granted },
            )
        }
    }

    /// A CONNECT, for the model.
    pub(super) fn entry(&self, connection: ConnectionId, connect: &Connect) -> ModelConnect {
        let requested = match (connect.version, connect.clean_start) {
            (MqttVersion::V5, _) => Duration::from_secs(u64::from(connect.session_expiry_s.unwrap_or(0))),
            (MqttVersion::V311, true) => Duration::ZERO,
            (MqttVersion::V311, false) => SESSION_EXPIRY_MAX,
        };
        let will = connect.will.as_ref().map(|will| {
            let id = number(&will.payload);
            let retain = will.retain && !self.is_guest;
            let message = ModelMessage { id, topic: will.topic.as_str().to_string(), qos: will.qos, retain };
            let delay = Duration::from_secs(u64::from(will.delay_s));
            ModelWill { message, delay, due_at: None, token: self.token, rights: self.rights }
        });
        ModelConnect {
            connection: connection.0,
            is_clean: connect.clean_start,
            is_guest: self.is_guest,
            expiry: self.expiry(requested),
            receive_max: connect.receive_max.map_or(IN_FLIGHT_MAX, usize::from),
            token: self.token,
            rights: self.rights,
            will,
        }
    }

    /// The granted session expiry.
    pub(super) fn expiry(&self, requested: Duration) -> Duration {
        requested.min(if self.is_guest { GUEST_SESSION_EXPIRY_MAX } else { SESSION_EXPIRY_MAX })
    }

    /// Drops the state of the old session.
    pub(super) fn forget_session(&mut self) {
        self.unacknowledged.clear();
        self.received.clear();
        self.exactly_once_ids.clear();
    }

    /// Records a message in flight to the server.
    pub(super) fn note_published(&mut self, publish: Publish, id: u64) {
        self.publish_count += 1;
        self.unacknowledged.insert(self.publish_count, UnackedPublish { publish, id, is_received: false });
    }

    /// Numbers of the unacknowledged messages.
    pub(super) fn unacknowledged(&self) -> impl Iterator<Item = u64> {
        self.unacknowledged.values().map(|each| each.id)
    }

    /// Position of the message with a packet id.
    pub(super) fn position_of(&self, packet_id: u16) -> Option<u64> {
        let own = |each: &UnackedPublish| each.publish.packet_id == Some(packet_id);
        self.unacknowledged.iter().find(|(_, each)| own(each)).map(|(position, _)| *position)
    }

    /// The lowest free packet id, so that freed ids are reused at once.
    pub(super) fn free_packet_id(&self) -> u16 {
        (1..=u16::MAX).find(|packet_id| self.position_of(*packet_id).is_none()).expect("there are not so many")
    }

    /// A fresh packet id for a SUBSCRIBE or UNSUBSCRIBE.
    pub(super) fn next_request_id(&mut self) -> u16 {
        self.last_request_id =
            if self.last_request_id >= 60_000 { 20_001 } else { self.last_request_id.max(20_000) + 1 };
        self.last_request_id
    }
}

/// The number in a payload; 0 if it is empty.
pub(super) fn number(payload: &[u8]) -> u64 {
    std::str::from_utf8(payload).ok().and_then(|text| text.parse().ok()).unwrap_or_default()
}

/// The next whole second, because clocks on disk count in seconds.
pub(super) fn next_second(at: Time) -> Time {
    Time::from_secs((at - Time::ZERO).as_secs() + 1)
}
