//! A client's session: subscriptions, and QoS 1 and 2 messages in both directions. It survives reconnects.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use core::time::Duration;

use stoa_wire::packet::{MqttVersion, Publish};
use stoa_wire::topic_filter::TopicFilter;

use super::aliases::OutgoingTopicAliases;
use super::incoming::InboundPacketIds;
use super::outgoing::OutboundMessages;
use super::routes::SubscriptionOptions;
use super::shared_subscriptions::SharedFilter;
use super::stored::SessionKey;
use crate::connection_id::ConnectionId;
use crate::grant::Grant;
use crate::ledger::{Payer, PayerClass};
use crate::time::Time;

/// A session's number, which may be reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SessionId(pub usize);

/// The connection of a session, as deliveries need it. One lookup for each receiver yields all fields.
#[derive(Clone, Copy, Debug)]
pub struct AttachedConnection {
    /// The connection.
    pub connection: ConnectionId,
    /// The connection's protocol version.
    pub version: MqttVersion,
    /// When its grant, and therefore all delivery, ends.
    pub grant_ends_at: Time,
    /// Largest packet that the client accepts.
    pub packet_bytes_max: usize,
    /// Whether the client accepts topic aliases.
    pub takes_aliases: bool,
}

/// A will during its delay.
#[derive(Debug)]
pub struct DelayedWill {
    /// The message.
    pub publish: Publish,
    /// The grant that must still allow it when it is published.
    pub grant: Grant,
    /// When the grant ends.
    pub grant_ends_at: Time,
    /// When it is published, unless the session ends before.
    pub due_at: Time,
}

/// One client's session.
#[derive(Debug)]
pub struct Session {
    /// Subject and client id.
    pub name: Arc<SessionKey>,
    /// Unique among all sessions ever.
    pub serial: u64,
    /// The connection, while there is one.
    pub attached: Option<AttachedConnection>,
    /// Session expiry interval.
    pub expiry: Duration,
    /// When the session ends, while it has no connection.
    pub expires_at: Option<Time>,
    /// Whether the session is counted as idle.
    pub(super) is_idle: bool,
    /// Whether the session survives a restart.
    pub is_kept: bool,
    /// The party that pays for the session: the payer of its last connection.
    pub payer: Option<Payer>,
    /// Subscriptions without shared ones.
    pub subscriptions: BTreeMap<TopicFilter, SubscriptionOptions>,
    /// Whether two of its subscriptions overlap, or once did. The session then can't be in a receiver group.
    pub overlaps: bool,
    /// Shared subscriptions.
    pub shares: BTreeMap<SharedFilter, SubscriptionOptions>,
    /// Topic aliases of the connection.
    pub aliases: OutgoingTopicAliases,
    /// Messages to the client.
    pub outgoing: OutboundMessages,
    /// Packet ids of messages from the client.
    pub incoming: InboundPacketIds,
    /// The last connection's grant, while the session has no connection. Unknown after a restart.
    pub last_grant: Option<Grant>,
    /// The last connection's delayed will.
    pub will: Option<DelayedWill>,
    /// Whether a will of the session is in the store.
    pub will_is_kept: bool,
}

impl Session {
    /// Creates a session.
    pub fn new(name: SessionKey, serial: u64) -> Session {
        Session {
            name: Arc::new(name),
            serial,
            attached: None,
            expiry: Duration::ZERO,
            expires_at: None,
            is_idle: false,
            is_kept: false,
            payer: None,
            subscriptions: BTreeMap::new(),
            overlaps: false,
            shares: BTreeMap::new(),
            aliases: OutgoingTopicAliases::default(),
            outgoing: OutboundMessages::default(),
            incoming: InboundPacketIds::default(),
            last_grant: None,
            will: None,
            will_is_kept: false,
        }
    }

    /// The payer of a guest's session.
    pub(super) fn guest_payer(&self) -> Option<Payer> {
        self.payer.filter(|payer| payer.class() == PayerClass::Guests)
    }

    /// Adds or changes a subscription. Returns true if the session newly overlaps; all its routes must then be
    /// refreshed.
    pub fn subscribe(&mut self, filter: &TopicFilter, wanted: SubscriptionOptions) -> bool {
        let overlapped = self.overlaps;
        self.overlaps |= self.subscriptions.keys().any(|other| other != filter && other.overlaps(filter));
        self.subscriptions.insert(filter.clone(), wanted);
        self.overlaps && !overlapped
    }
}
