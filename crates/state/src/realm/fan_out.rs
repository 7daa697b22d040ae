//! One message to all who want it. Receivers of QoS 0 that get the same bytes are a group, and cost one output together; the others cost one look at
//! their session and one output each. The bytes are shared.

use alloc::sync::Arc;
use alloc::vec::Vec;

use stoa_wire::packet::{Delivery, Forward, Frame, Publish, Qos, Version};

use super::{Class, ConnectionId, Counter, Output, Realm};
use crate::mqtt::audience::Group;
use crate::mqtt::routes::{Wanted, merge};
use crate::mqtt::session::{Queued, SessionId};
use crate::time::Time;

/// A message on its way out.
pub(super) struct Message {
    pub(super) publish: Arc<Publish>,
    /// Whose it is, for subscribers that do not want their own.
    pub(super) origin: Option<SessionId>,
    pub(super) class: Class,
}

/// The message's bytes, made when the first receiver of a version needs them.
#[derive(Default)]
struct Encodings {
    v311: Option<Forward>,
    v5: Option<Forward>,
    made: u64,
}

impl Encodings {
    fn of(&mut self, publish: &Publish, version: Version) -> &Forward {
        let slot = match version {
            Version::V311 => &mut self.v311,
            Version::V5 => &mut self.v5,
        };
        slot.get_or_insert_with(|| {
            self.made += 1;
            Forward::new(publish, version)
        })
    }
}

impl Realm {
    pub(super) fn fan_out(&mut self, message: &Message, now: Time) {
        let mut audiences = core::mem::take(&mut self.audiences);
        let mut receivers = core::mem::take(&mut self.receivers);
        self.routes.audiences(message.publish.topic.as_str(), &self.sessions, &mut audiences);
        let mut encodings = Encodings::default();
        let mut delivered = 0;
        receivers.clear();
        for audience in &audiences {
            for group in &audience.groups {
                if self.share(message, &mut encodings, (group, now)) {
                    delivered += group.members.len() as u64;
                } else {
                    let wanted = Wanted { qos: group.qos, no_local: false, retain_as_published: false };
                    receivers.extend(group.members.iter().map(|member| (member.session, wanted)));
                }
            }
            receivers.extend_from_slice(&audience.apart);
        }
        merge(&mut receivers);
        for (id, wanted) in &receivers {
            if wanted.no_local && message.origin == Some(*id) {
                continue;
            }
            delivered += u64::from(self.deliver(message, &mut encodings, Receiver { id: *id, wanted: *wanted, now }));
        }
        audiences.clear();
        (self.audiences, self.receivers) = (audiences, receivers);
        if delivered > 0 {
            self.count(Counter::Delivered, delivered);
        }
        if encodings.made > 0 {
            self.count(Counter::Encoded, encodings.made);
        }
    }

    /// Whether a whole group gets it together; else each of its members is looked at.
    fn share(&mut self, message: &Message, encodings: &mut Encodings, (group, now): (&Arc<Group>, Time)) -> bool {
        if message.publish.qos.min(group.qos) > Qos::AtMostOnce || now >= group.grant_ends_at {
            return false;
        }
        let forward = encodings.of(&message.publish, group.version);
        if forward.len_max() > group.packet_bytes_max {
            return false;
        }
        let frame = forward.shared();
        self.outputs.push_back(Output::Share { group: Arc::clone(group), frame, class: message.class });
        true
    }

    /// Whether something went out.
    fn deliver(&mut self, message: &Message, encodings: &mut Encodings, receiver: Receiver) -> bool {
        let Receiver { id, wanted, now } = receiver;
        let Some(session) = self.sessions.get_mut(id) else {
            return false;
        };
        let qos = message.publish.qos.min(wanted.qos);
        let retain = wanted.retain_as_published && message.publish.retain;
        // Every subscription is covered by the grant in force (checked at SUBSCRIBE and whenever a session meets a new grant), so all that is
        // left to be asked at delivery is whether the grant still is.
        let Some(attachment) = session.attached.filter(|attachment| now < attachment.grant_ends_at) else {
            if qos > Qos::AtMostOnce && session.attached.is_none() {
                let queued = Queued { publish: Arc::clone(&message.publish), forward: None, qos, retain };
                // Without a connection the oldest gives way.
                let _: Result<Option<Frame>, _> = session.outgoing.push(queued, false);
            }
            return false;
        };
        let forward = encodings.of(&message.publish, attachment.version);
        if forward.len_max() > attachment.packet_bytes_max {
            return false; // MQTT 5 section 3.1.2.11.4: as if it had been delivered.
        }
        if qos == Qos::AtMostOnce {
            let frame =
                if retain { forward.to(Delivery { qos, packet_id: 0, retain, dup: false }) } else { forward.shared() };
            self.outputs.push_back(Output::Send { connection: attachment.connection, frame, class: message.class });
            return true;
        }
        let forward = Some((attachment.version, forward.clone()));
        match session.outgoing.push(Queued { publish: Arc::clone(&message.publish), forward, qos, retain }, true) {
            Ok(Some(frame)) => {
                self.outputs.push_back(Output::Send { connection: attachment.connection, frame, class: Class::Event });
                true
            }
            Ok(None) => false,
            Err(_) => {
                self.doomed.push(attachment.connection);
                false
            }
        }
    }

    pub(super) fn send_all(&mut self, connection: ConnectionId, frames: Vec<Frame>) {
        for frame in frames {
            self.outputs.push_back(Output::Send { connection, frame, class: Class::Event });
        }
    }
}

#[derive(Clone, Copy)]
struct Receiver {
    id: SessionId,
    wanted: Wanted,
    now: Time,
}
