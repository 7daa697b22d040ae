//! What of sessions and retained messages outlives a restart: the writes that change it, and what is read back. Source: `spec/mqtt.md` section 3.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use bytes::Bytes;
use stoa_wire::packet::{Decoder, EncodedPublish, MqttVersion, Packet, Publish, Qos};
use stoa_wire::topic::Topic;

use super::routes::SubscriptionOptions;
use crate::grant::Claims;
use crate::time::UnixTime;

/// Whose session it is: client ids are counted for each subject.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SessionName {
    /// Only the same one may take the session over.
    pub subject: String,
    /// The client's name for it.
    pub client_id: String,
}

/// A message as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredMessage {
    /// An MQTT 5 PUBLISH of QoS 0.
    pub packet: Bytes,
    /// When it came; its expiry counts from here.
    pub taken_at: UnixTime,
}

impl StoredMessage {
    /// Of a message.
    pub(crate) fn new(publish: &Publish, taken_at: UnixTime) -> StoredMessage {
        let frame = EncodedPublish::new(publish, MqttVersion::V5).shared();
        StoredMessage { packet: frame.parts().concat().into(), taken_at }
    }

    fn decode(&self) -> Option<Publish> {
        // A packet of the largest size grew by its topic, where that came by an alias, and by what 5 has and 3.1.1 has not.
        let mut decoder = Decoder::for_own(MqttVersion::V5);
        decoder.feed(&self.packet);
        match decoder.next_packet() {
            Ok(Some(Packet::Publish(publish))) => Some(publish),
            _ => None,
        }
    }

    /// The message, with what is left of its time; `None` where that is over, or where the bytes are no message.
    pub(crate) fn restore(&self, now: UnixTime) -> Option<Publish> {
        let mut publish = self.decode()?;
        if let Some(seconds) = &mut publish.properties.message_expiry_s {
            let waited = u32::try_from(now.0.saturating_sub(self.taken_at.0)).unwrap_or(u32::MAX);
            *seconds = seconds.checked_sub(waited).filter(|left| *left > 0)?;
        }
        Some(publish)
    }
}

/// A retained message as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredRetained {
    /// The topic that retains it.
    pub topic: Topic,
    /// The subject that published it.
    pub subject: Arc<str>,
    /// The QoS that it was published with.
    pub qos: Qos,
    /// The PUBLISH.
    pub message: StoredMessage,
}

/// A message of QoS 1 or 2 on its way to a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredDelivery {
    /// Greater than that of every delivery before; their order.
    pub number: u64,
    /// The PUBLISH.
    pub message: StoredMessage,
    /// At which it goes to this client.
    pub qos: Qos,
    /// The retain flag towards this client.
    pub retain: bool,
    /// Of the subscriptions that it matched.
    pub subscription_ids: Vec<u32>,
    /// Under which it was sent.
    pub packet_id: Option<u16>,
    /// QoS 2: PUBREC has come.
    pub released: bool,
}

/// What is to be said of a client when it has been gone for long enough.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredWill {
    /// By which right; it must still hold then.
    pub claims: Claims,
    /// The PUBLISH.
    pub message: StoredMessage,
    /// The QoS to publish it with.
    pub qos: Qos,
    /// Whether it is to stay.
    pub retain: bool,
    /// How long it waits from the end of the connection.
    pub delay_s: u32,
    /// When it goes out; `None` while its client is connected.
    pub due_at: Option<UnixTime>,
}

impl StoredWill {
    /// As it is to be published: its time counts from then.
    pub(crate) fn publish(&self) -> Option<Publish> {
        let publish = self.message.decode()?;
        Some(Publish { qos: self.qos, retain: self.retain, ..publish })
    }
}

/// One change of what is kept.
#[derive(Clone, Debug, PartialEq)]
pub enum BrokerWrite {
    /// A topic's retained message; `None` where it was cleared.
    Retain {
        /// The topic whose retained message changed.
        topic: Topic,
        /// The message.
        message: Option<StoredRetained>,
    },
    /// Of a session.
    Session {
        /// Subject and client id of the session.
        session: Arc<SessionName>,
        /// The change.
        write: SessionWrite,
    },
}

/// One change of a session that outlives its connection.
#[derive(Clone, Debug, PartialEq)]
pub enum SessionWrite {
    /// It lasts, or it has or lost its connection.
    Lasts {
        /// How long it outlives a connection.
        expiry_s: u32,
        /// When it ends; `None` while it has a connection.
        expires_at: Option<UnixTime>,
        /// Whether its client id is its identity in topics.
        is_identity: bool,
    },
    /// It is gone, and all that was in it.
    Ended,
    /// What is to be said of its client; `None`: nothing, or it was said.
    Will(Option<Box<StoredWill>>),
    /// A subscription came or changed.
    Subscribed {
        /// As it was asked for, `$share/` and all.
        filter: String,
        /// Options of the subscription.
        wanted: SubscriptionOptions,
    },
    /// A subscription went.
    Unsubscribed {
        /// As it was asked for.
        filter: String,
    },
    /// A message is on its way to the client.
    Queued(StoredDelivery),
    /// It was sent.
    Sent {
        /// Number of the delivery.
        number: u64,
        /// Under this packet id.
        packet_id: u16,
    },
    /// QoS 2: PUBREC has come.
    Released {
        /// Number of the delivery.
        number: u64,
    },
    /// The client has it, or will not get it.
    Arrived {
        /// Number of the delivery.
        number: u64,
    },
    /// QoS 2 from the client: taken.
    Received {
        /// Under this packet id.
        packet_id: u16,
    },
    /// QoS 2 from the client: released, so the packet id is free again.
    Forgotten {
        /// The packet id that is free again.
        packet_id: u16,
    },
}

/// A session as it is read back.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredSession {
    /// Subject and client id.
    pub name: SessionName,
    /// How long it outlives a connection.
    pub expiry_s: u32,
    /// When it ends; `None` where it had a connection when the server ended.
    pub expires_at: Option<UnixTime>,
    /// Whether its client id is its identity in topics.
    pub is_identity: bool,
    /// What is to be said of its client.
    pub will: Option<StoredWill>,
    /// As they were asked for.
    pub subscriptions: Vec<(String, SubscriptionOptions)>,
    /// By number.
    pub deliveries: Vec<StoredDelivery>,
    /// Packet ids.
    pub received: Vec<u16>,
}

/// All that is read back at a start.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StoredBroker {
    /// One for each topic.
    pub retained: Vec<StoredRetained>,
    /// Those that last.
    pub sessions: Vec<StoredSession>,
}

impl StoredBroker {
    /// No will goes out by a right that was taken back.
    pub fn drop_wills(&mut self, is_revoked: impl Fn(&str) -> bool) {
        for session in &mut self.sessions {
            session.will.take_if(|will| will.claims.names().any(&is_revoked));
        }
    }

    /// What is kept after one more change: what every store must come to.
    pub fn apply(&mut self, write: BrokerWrite) {
        match write {
            BrokerWrite::Retain { topic, message } => {
                self.retained.retain(|kept| kept.topic != topic);
                self.retained.extend(message);
            }
            BrokerWrite::Session { session, write } => self.apply_to(&session, write),
        }
    }

    fn apply_to(&mut self, name: &SessionName, write: SessionWrite) {
        let place = self.sessions.iter().position(|session| session.name == *name);
        match (write, place) {
            (SessionWrite::Ended, Some(place)) => {
                self.sessions.remove(place);
            }
            (SessionWrite::Lasts { expiry_s, expires_at, is_identity }, None) => {
                self.sessions.push(StoredSession {
                    name: name.clone(),
                    expiry_s,
                    expires_at,
                    is_identity,
                    will: None,
                    subscriptions: Vec::new(),
                    deliveries: Vec::new(),
                    received: Vec::new(),
                });
            }
            (write, Some(place)) => self.sessions[place].apply(write),
            (_, None) => {}
        }
    }
}

impl StoredDelivery {
    /// All that is left of a message of QoS 2 when PUBREC has come.
    pub(crate) fn released(number: u64, packet_id: Option<u16>) -> StoredDelivery {
        StoredDelivery {
            number,
            message: StoredMessage { packet: Bytes::new(), taken_at: UnixTime(0) },
            qos: Qos::ExactlyOnce,
            retain: false,
            subscription_ids: Vec::new(),
            packet_id,
            released: true,
        }
    }
}

impl StoredSession {
    /// When it ends, where the server starts at `now`.
    pub(crate) fn ends_at(&self, now: UnixTime) -> UnixTime {
        self.expires_at.unwrap_or(UnixTime(now.0.saturating_add(u64::from(self.expiry_s))))
    }

    fn apply(&mut self, write: SessionWrite) {
        let delivery =
            |deliveries: &mut Vec<StoredDelivery>, number: u64, change: fn(&mut StoredDelivery, u16), id: u16| {
                deliveries.iter_mut().filter(|delivery| delivery.number == number).for_each(|kept| change(kept, id));
            };
        match write {
            SessionWrite::Lasts { expiry_s, expires_at, is_identity } => {
                (self.expiry_s, self.expires_at, self.is_identity) = (expiry_s, expires_at, is_identity);
            }
            SessionWrite::Ended => {}
            SessionWrite::Will(will) => self.will = will.map(|will| *will),
            SessionWrite::Subscribed { filter, wanted } => {
                self.subscriptions.retain(|(kept, _)| *kept != filter);
                self.subscriptions.push((filter, wanted));
            }
            SessionWrite::Unsubscribed { filter } => self.subscriptions.retain(|(kept, _)| *kept != filter),
            SessionWrite::Queued(queued) => {
                self.deliveries.retain(|kept| kept.number != queued.number);
                self.deliveries.push(queued);
            }
            SessionWrite::Sent { number, packet_id } => {
                delivery(&mut self.deliveries, number, |kept, id| kept.packet_id = Some(id), packet_id);
            }
            SessionWrite::Released { number } => {
                delivery(&mut self.deliveries, number, |kept, _| kept.released = true, 0);
            }
            SessionWrite::Arrived { number } => self.deliveries.retain(|kept| kept.number != number),
            SessionWrite::Received { packet_id } => {
                self.received.retain(|kept| *kept != packet_id);
                self.received.push(packet_id);
            }
            SessionWrite::Forgotten { packet_id } => self.received.retain(|kept| *kept != packet_id),
        }
    }
}
