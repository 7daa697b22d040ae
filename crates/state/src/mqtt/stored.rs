//! Sessions and retained messages in the store: the writes that change them, and the state read back at a start.
//! Source: `spec/mqtt.md` section 3.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use bytes::Bytes;
use stoa_wire::packet::{Decoder, EncodedPublish, MqttVersion, Packet, Publish, Qos};
use stoa_wire::topic::Topic;

use super::routes::SubscriptionOptions;
use crate::grant::Claims;
use crate::time::UnixSeconds;

/// Identifies a session: client ids are unique within a subject.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SessionKey {
    /// The owning subject. No other one may take the session over.
    pub subject: String,
    /// The MQTT client id.
    pub client_id: String,
}

/// A message in the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredMessage {
    /// An MQTT 5 PUBLISH of QoS 0.
    pub packet: Bytes,
    /// Time of arrival, from which its expiry counts.
    pub taken_at: UnixSeconds,
}

impl StoredMessage {
    /// Encodes a message.
    pub(crate) fn new(publish: &Publish, taken_at: UnixSeconds) -> StoredMessage {
        let frame = EncodedPublish::new(publish, MqttVersion::V5).shared();
        StoredMessage { packet: frame.parts().concat().into(), taken_at }
    }

    fn decode(&self) -> Option<Publish> {
        // It may exceed the largest packet: a topic replaces its alias, and MQTT 5 adds properties to a 3.1.1
        // message.
        let mut decoder = Decoder::for_own(MqttVersion::V5);
        decoder.feed(&self.packet);
        match decoder.next_packet() {
            Ok(Some(Packet::Publish(publish))) => Some(publish),
            _ => None,
        }
    }

    /// Decodes the message with its remaining expiry; `None` if it has expired or doesn't decode.
    pub(crate) fn restore(&self, now: UnixSeconds) -> Option<Publish> {
        let mut publish = self.decode()?;
        if let Some(seconds) = &mut publish.properties.message_expiry_s {
            let waited = u32::try_from(now.0.saturating_sub(self.taken_at.0)).unwrap_or(u32::MAX);
            *seconds = seconds.checked_sub(waited).filter(|left| *left > 0)?;
        }
        Some(publish)
    }
}

/// A retained message in the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredRetained {
    /// The message's topic.
    pub topic: Topic,
    /// The subject that published it.
    pub subject: Arc<str>,
    /// The QoS that it was published with.
    pub qos: Qos,
    /// The PUBLISH.
    pub message: StoredMessage,
}

/// A QoS 1 or 2 delivery to a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredDelivery {
    /// Greater than that of every earlier delivery; it gives the order.
    pub number: u64,
    /// The PUBLISH.
    pub message: StoredMessage,
    /// QoS of the delivery.
    pub qos: Qos,
    /// Retain flag of the delivery.
    pub retain: bool,
    /// Identifiers of the matching subscriptions.
    pub subscription_ids: Vec<u32>,
    /// The packet id, once it was sent.
    pub packet_id: Option<u16>,
    /// QoS 2: PUBREC has arrived, so the message itself isn't sent again.
    pub released: bool,
}

/// The will of a connected client, or a delayed one.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredWill {
    /// The claims that must still allow it when it is published.
    pub claims: Claims,
    /// The PUBLISH.
    pub message: StoredMessage,
    /// QoS of the publication.
    pub qos: Qos,
    /// Retain flag of the publication.
    pub retain: bool,
    /// Delay after the end of the connection.
    pub delay_s: u32,
    /// When it is published; `None` while its client is connected.
    pub due_at: Option<UnixSeconds>,
}

impl StoredWill {
    /// Decodes the message to publish. Its expiry counts from then.
    pub(crate) fn publish(&self) -> Option<Publish> {
        let publish = self.message.decode()?;
        Some(Publish { qos: self.qos, retain: self.retain, ..publish })
    }
}

/// A change of the stored state.
#[derive(Clone, Debug, PartialEq)]
pub enum BrokerWrite {
    /// A topic's retained message changed or was cleared.
    Retain {
        /// The topic.
        topic: Topic,
        /// The new message; `None` if cleared.
        message: Option<StoredRetained>,
    },
    /// A session changed.
    Session {
        /// Subject and client id of the session.
        session: Arc<SessionKey>,
        /// The change.
        write: SessionWrite,
    },
}

/// A change of a session that survives a restart.
#[derive(Clone, Debug, PartialEq)]
pub enum SessionWrite {
    /// The session was created, or its expiry or connection changed.
    Lasts {
        /// Session expiry interval.
        expiry_s: u32,
        /// When it ends; `None` while it has a connection.
        expires_at: Option<UnixSeconds>,
        /// Whether its client id is its identity in topics.
        is_identity: bool,
    },
    /// The session ended; all its state is removed.
    Ended,
    /// The will changed; `None` if it was removed or published.
    Will(Option<Box<StoredWill>>),
    /// A subscription was added or changed.
    Subscribed {
        /// The filter as requested; a shared one begins with `$share/<name>/`.
        filter: String,
        /// Options of the subscription.
        wanted: SubscriptionOptions,
    },
    /// A subscription was removed.
    Unsubscribed {
        /// The filter as requested.
        filter: String,
    },
    /// A delivery was queued.
    Queued(StoredDelivery),
    /// A delivery was sent.
    Sent {
        /// Number of the delivery.
        number: u64,
        /// Its packet id.
        packet_id: u16,
    },
    /// QoS 2: PUBREC arrived.
    Released {
        /// Number of the delivery.
        number: u64,
    },
    /// The delivery was acknowledged or dropped.
    Arrived {
        /// Number of the delivery.
        number: u64,
    },
    /// QoS 2 from the client: the message was received.
    Received {
        /// Its packet id.
        packet_id: u16,
    },
    /// QoS 2 from the client: PUBREL freed the packet id.
    Forgotten {
        /// The packet id.
        packet_id: u16,
    },
}

/// A stored session.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredSession {
    /// Subject and client id.
    pub name: SessionKey,
    /// Session expiry interval.
    pub expiry_s: u32,
    /// When the session ends; `None` if it had a connection when the server ended.
    pub expires_at: Option<UnixSeconds>,
    /// Whether its client id is its identity in topics.
    pub is_identity: bool,
    /// The will, of the connected client or delayed.
    pub will: Option<StoredWill>,
    /// Filters as requested, with their options.
    pub subscriptions: Vec<(String, SubscriptionOptions)>,
    /// Deliveries by ascending number.
    pub deliveries: Vec<StoredDelivery>,
    /// QoS 2 from the client: received packet ids without PUBREL.
    pub received: Vec<u16>,
}

/// All stored MQTT state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StoredBroker {
    /// Retained messages, one for each topic.
    pub retained: Vec<StoredRetained>,
    /// Sessions that survive a restart.
    pub sessions: Vec<StoredSession>,
}

impl StoredBroker {
    /// Drops wills whose token was revoked.
    pub fn drop_wills(&mut self, is_revoked: impl Fn(&str) -> bool) {
        for session in &mut self.sessions {
            session.will.take_if(|will| will.claims.names().any(&is_revoked));
        }
    }

    /// Applies a write. This defines the result for every store.
    pub fn apply(&mut self, write: BrokerWrite) {
        match write {
            BrokerWrite::Retain { topic, message } => {
                self.retained.retain(|kept| kept.topic != topic);
                self.retained.extend(message);
            }
            BrokerWrite::Session { session, write } => self.apply_to(&session, write),
        }
    }

    fn apply_to(&mut self, name: &SessionKey, write: SessionWrite) {
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
    /// A QoS 2 delivery after PUBREC, which needs no message.
    pub(crate) fn released(number: u64, packet_id: Option<u16>) -> StoredDelivery {
        StoredDelivery {
            number,
            message: StoredMessage { packet: Bytes::new(), taken_at: UnixSeconds(0) },
            qos: Qos::ExactlyOnce,
            retain: false,
            subscription_ids: Vec::new(),
            packet_id,
            released: true,
        }
    }
}

impl StoredSession {
    /// When the session ends if the server starts at `now`.
    pub(crate) fn ends_at(&self, now: UnixSeconds) -> UnixSeconds {
        self.expires_at.unwrap_or(UnixSeconds(now.0.saturating_add(u64::from(self.expiry_s))))
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
