//! Who gets what is published, made ready: sessions that get the very same bytes are a group, so that a message is handled once for all of them.

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

/// Connections that get the same bytes of each message of QoS 0. Who is in one never changes: whoever holds it knows it again by its address.
#[derive(Debug)]
pub struct ReceiverGroup {
    /// The members' protocol version.
    pub version: MqttVersion,
    /// What they subscribed at.
    pub qos: Qos,
    /// When the first of their grants ends.
    pub grant_ends_at: Time,
    /// The largest packet that all of them take.
    pub packet_bytes_max: usize,
    /// The connections that get the bytes.
    pub members: Box<[GroupMember]>,
}

/// One of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupMember {
    /// Its session.
    pub session: SessionId,
    /// The connection that has it.
    pub connection: ConnectionId,
}

/// The subscribers of one filter.
#[derive(Debug, Default)]
pub struct Audience {
    /// Those who share.
    pub groups: Vec<Arc<ReceiverGroup>>,
    /// Those who are asked one by one: who is away, wants what others do not, may match twice, or is one of very few.
    pub apart: Vec<(SessionId, SubscriptionOptions)>,
}

impl Audience {
    /// Sorts `subscribers`.
    pub fn of(subscribers: &BTreeMap<SessionId, SubscriptionOptions>, sessions: &Sessions) -> Audience {
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
        Audience { groups, apart }
    }
}
