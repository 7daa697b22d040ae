//! What of a client survives a reconnect: its subscriptions, and the messages of QoS 1 and 2 under way in both directions.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use core::time::Duration;

use stoa_wire::packet::{MqttVersion, Publish};
use stoa_wire::topic_filter::TopicFilter;

use super::aliases::TopicAliases;
use super::incoming::InboundMessages;
use super::outgoing::OutboundMessages;
use super::routes::SubscriptionOptions;
use super::shares::SharedFilter;
use super::stored::SessionName;
use crate::connection_id::ConnectionId;
use crate::grant::Grant;
use crate::time::Time;

/// A session's number; a later session may get it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SessionId(pub usize);

/// What a delivery must know of the connection that has a session, in one place: it is looked at once for each receiver.
#[derive(Clone, Copy, Debug)]
pub struct AttachedConnection {
    /// Number of the connection.
    pub connection: ConnectionId,
    /// The connection's protocol version.
    pub version: MqttVersion,
    /// When its grant ends, and with it all delivery.
    pub grant_ends_at: Time,
    /// The largest packet that it takes.
    pub packet_bytes_max: usize,
    /// Whether it takes topic aliases.
    pub takes_aliases: bool,
}

/// A will whose delay is not over.
#[derive(Debug)]
pub struct DelayedWill {
    /// What is to be said.
    pub publish: Publish,
    /// By which right; it must still hold then.
    pub grant: Grant,
    /// When the grant ends.
    pub grant_ends_at: Time,
    /// When it goes out, unless the session ends before.
    pub due_at: Time,
}

/// One client's session.
#[derive(Debug)]
pub struct Session {
    /// Subject and client id.
    pub name: Arc<SessionName>,
    /// Different for each session ever.
    pub serial: u64,
    /// The connection that has it.
    pub attached: Option<AttachedConnection>,
    /// How long it outlives a connection.
    pub expiry: Duration,
    /// When it ends, while it has no connection.
    pub expires_at: Option<Time>,
    /// Whether it is counted as one without a connection.
    pub(super) is_idle: bool,
    /// Whether it outlives the server too.
    pub is_kept: bool,
    /// Its subscriptions, without shared ones.
    pub subscriptions: BTreeMap<TopicFilter, SubscriptionOptions>,
    /// Whether one message may match two of its subscriptions. It then can't share what others get by one of them.
    pub overlaps: bool,
    /// What it wants to share.
    pub shares: BTreeMap<SharedFilter, SubscriptionOptions>,
    /// Of its connection.
    pub aliases: TopicAliases,
    /// Towards the client.
    pub outgoing: OutboundMessages,
    /// From the client.
    pub incoming: InboundMessages,
    /// While it has no connection: by which grant its last one was there. Unknown after a restart.
    pub last_grant: Option<Grant>,
    /// Of its last connection.
    pub will: Option<DelayedWill>,
    /// Whether a will of it is written down.
    pub will_is_kept: bool,
}

impl Session {
    /// A new session.
    pub fn new(name: SessionName, serial: u64) -> Session {
        Session {
            name: Arc::new(name),
            serial,
            attached: None,
            expiry: Duration::ZERO,
            expires_at: None,
            is_idle: false,
            is_kept: false,
            subscriptions: BTreeMap::new(),
            overlaps: false,
            shares: BTreeMap::new(),
            aliases: TopicAliases::default(),
            outgoing: OutboundMessages::default(),
            incoming: InboundMessages::default(),
            last_grant: None,
            will: None,
            will_is_kept: false,
        }
    }

    /// Adds or changes a subscription. True if the session did not overlap before and does now: then all its routes have to be refreshed.
    pub fn subscribe(&mut self, filter: &TopicFilter, wanted: SubscriptionOptions) -> bool {
        let overlapped = self.overlaps;
        self.overlaps |= self.subscriptions.keys().any(|other| other != filter && other.overlaps(filter));
        self.subscriptions.insert(filter.clone(), wanted);
        self.overlaps && !overlapped
    }
}
