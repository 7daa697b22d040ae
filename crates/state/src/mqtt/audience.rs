//! Cached receivers of a filter. Sessions that get identical bytes form a group, so that fan-out handles a message
//! once for all of them.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;

use stoa_wire::packet::{MqttVersion, Qos};

use super::routes::SubscriptionOptions;
use super::session::SessionId;
use super::sessions::Sessions;
use crate::connection_id::ConnectionId;
use crate::limits;
use crate::time::Time;

/// Connections that get the same bytes of each QoS 0 message. Membership never changes, so a group is identified by
/// its address.
#[derive(Debug)]
pub struct ReceiverGroup {
    /// The members' protocol version.
    pub version: MqttVersion,
    /// Maximum QoS of their subscriptions.
    pub qos: Qos,
    /// Earliest end of their grants.
    pub grant_ends_at: Time,
    /// Largest packet that all of them accept.
    pub packet_bytes_max: usize,
    /// The members.
    pub members: Box<[GroupMember]>,
}

/// A member of a receiver group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupMember {
    /// The member's session.
    pub session: SessionId,
    /// The session's connection.
    pub connection: ConnectionId,
}

/// Receivers of one filter.
#[derive(Debug, Default)]
pub struct FilterReceivers {
    /// Members of groups.
    pub groups: Vec<Arc<ReceiverGroup>>,
    /// Receivers handled one by one: idle sessions, special options, overlapping subscriptions, or too few for a
    /// group.
    pub apart: Vec<(SessionId, SubscriptionOptions)>,
}

impl FilterReceivers {
    /// Groups the subscribers.
    pub fn of(subscribers: &BTreeMap<SessionId, SubscriptionOptions>, sessions: &Sessions) -> FilterReceivers {
        let mut apart = Vec::new();
        let mut alike: BTreeMap<(MqttVersion, Qos), Vec<(SessionId, SubscriptionOptions)>> = BTreeMap::new();
        for (&id, &wanted) in subscribers {
            let session = sessions.get(id).filter(|session| !session.overlaps);
            let plain = !wanted.no_local && !wanted.retain_as_published && wanted.subscription_id.is_none();
            match session.and_then(|session| session.attached).filter(|_| plain) {
                Some(attachment) => alike.entry((attachment.version, wanted.qos)).or_default().push((id, wanted)),
                None => apart.push((id, wanted)),
            }
        }
        let mut groups = Vec::new();
        for ((version, qos), subscribers) in alike {
            if subscribers.len() < limits::GROUP_MEMBERS_MIN {
                apart.extend(subscribers);
                continue;
            }
            let mut group = ReceiverGroup {
                version,
                qos,
                grant_ends_at: Time::from_nanos(u64::MAX),
                packet_bytes_max: usize::MAX,
                members: Box::default(),
            };
            let mut members = Vec::with_capacity(subscribers.len());
            for (id, _) in subscribers {
                let attachment = sessions.get(id).and_then(|session| session.attached).expect("was just found");
                group.grant_ends_at = group.grant_ends_at.min(attachment.grant_ends_at);
                group.packet_bytes_max = group.packet_bytes_max.min(attachment.packet_bytes_max);
                members.push(GroupMember { session: id, connection: attachment.connection });
            }
            group.members = members.into();
            groups.push(Arc::new(group));
        }
        FilterReceivers { groups, apart }
    }
}
