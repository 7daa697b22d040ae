//! Delivers one message to all its subscribers. QoS 0 receivers of the same bytes form a group, which costs one
//! output. Each remaining receiver costs an output of its own. All receivers of a version share the payload's bytes.

use alloc::sync::Arc;
use alloc::vec::Vec;

use stoa_wire::packet::{
    DeliveryOptions, EncodedPacket, EncodedPublish, MqttVersion, Publish, Qos, ReceiverProperties,
};
use stoa_wire::topic::{SceneName, recipient};

use super::acknowledging::DeferredAck;
use super::{ConnectionId, PacketClass, Realm, RealmCounter, RealmOutput};
use crate::mqtt::audience::{GroupMember, ReceiverGroup};
use crate::mqtt::outgoing::QueuedMessage;
use crate::mqtt::routes::{SubscriptionOptions, merge};
use crate::mqtt::session::{AttachedConnection, SessionId};
use crate::mqtt::stored::StoredMessage;
use crate::time::{Time, UnixSeconds};

/// A message to deliver.
pub(super) struct OutgoingMessage {
    pub(super) publish: Arc<Publish>,
    /// The sender's session, for subscribers with No Local.
    pub(super) origin: Option<SessionId>,
    pub(super) class: PacketClass,
    /// The scene on whose motion plane some receivers get the pose. These receivers are skipped.
    pub(super) off_plane: Option<SceneName>,
}

/// The message's encodings, made when the first receiver of a version needs one.
#[derive(Default)]
struct PublishEncodings {
    v311: Option<EncodedPublish>,
    v5: Option<EncodedPublish>,
    /// The last receiver's subscription identifiers and its packet at QoS 0; the next one may have the same.
    named: Option<(Vec<u32>, EncodedPacket)>,
    /// For sessions that survive a restart.
    kept: Option<StoredMessage>,
    made: u64,
}

impl PublishEncodings {
    fn of(&mut self, publish: &Publish, version: MqttVersion) -> &EncodedPublish {
        let slot = match version {
            MqttVersion::V311 => &mut self.v311,
            MqttVersion::V5 => &mut self.v5,
        };
        slot.get_or_insert_with(|| {
            self.made += 1;
            EncodedPublish::new(publish, version)
        })
    }

    /// The packet at QoS 0 of a receiver with these subscription identifiers.
    fn named(&mut self, publish: &Publish, version: MqttVersion, ids: &[u32]) -> EncodedPacket {
        if version == MqttVersion::V311 || ids.is_empty() {
            return self.of(publish, version).shared();
        }
        if let Some((_, frame)) = self.named.as_ref().filter(|(named, _)| named == ids) {
            return frame.clone();
        }
        let delivery = DeliveryOptions { qos: Qos::AtMostOnce, packet_id: 0, retain: false, dup: false };
        let own = ReceiverProperties { subscription_ids: ids, waited_s: 0 };
        let frame = self.of(publish, version).to_subscriber(delivery, own);
        self.named = Some((ids.to_vec(), frame.clone()));
        frame
    }

    fn kept(&mut self, publish: &Publish, taken_at: UnixSeconds) -> StoredMessage {
        self.kept.get_or_insert_with(|| StoredMessage::new(publish, taken_at)).clone()
    }
}

impl Realm {
    /// Delivers a message and returns the number of receivers to which it was sent at once.
    pub(super) fn fan_out(&mut self, message: &OutgoingMessage, now: Time) -> u64 {
        let mut audiences = core::mem::take(&mut self.audiences);
        let mut receivers = core::mem::take(&mut self.receivers);
        self.routes.audiences(message.publish.topic.as_str(), &self.sessions, &mut audiences);
        let mut encodings = PublishEncodings::default();
        let mut delivered = 0;
        receivers.clear();
        // A message with a recipient is checked against each receiver's grant.
        let is_private = recipient(message.publish.topic.as_str()).is_some();
        for audience in &audiences {
            for group in &audience.groups {
                let has_it = |member: &GroupMember| self.has_by_plane(member.session, message);
                // Members are checked only for messages of the motion plane. For all other messages this is the
                // hottest path.
                let is_for_all = message.off_plane.is_none() || !group.members.iter().any(has_it);
                if !is_private && is_for_all && self.share(message, &mut encodings, group, now) {
                    delivered += group.members.len() as u64;
                } else {
                    let wanted = SubscriptionOptions {
                        qos: group.qos,
                        no_local: false,
                        retain_as_published: false,
                        subscription_id: None,
                    };
                    receivers.extend(group.members.iter().map(|member| (member.session, wanted)));
                }
            }
            receivers.extend_from_slice(&audience.apart);
        }
        // Subscription ids come with the matching filter, so no session's list is scanned.
        let mut named = core::mem::take(&mut self.named);
        named.extend(receivers.iter().filter_map(|(id, wanted)| Some((*id, wanted.subscription_id?))));
        named.sort_unstable();
        merge(&mut receivers);
        let own = receivers.len();
        self.choose_sharers(message, &mut receivers, now);
        for (index, (id, wanted)) in receivers.iter().enumerate() {
            if wanted.no_local && message.origin == Some(*id) || is_private && !self.may_hear(*id, message) {
                continue;
            }
            if self.has_by_plane(*id, message) {
                continue;
            }
            let subscription_ids = match wanted.subscription_id {
                None => Vec::new(),
                Some(number) if index >= own => alloc::vec![number],
                Some(_) => {
                    let from = named.partition_point(|(of, _)| of < id);
                    named[from..].iter().take_while(|(of, _)| of == id).map(|(_, number)| *number).collect()
                }
            };
            let receiver = MessageReceiver { id: *id, wanted: *wanted, subscription_ids, now };
            delivered += u64::from(self.deliver(message, &mut encodings, receiver));
        }
        audiences.clear();
        named.clear();
        (self.audiences, self.receivers, self.named) = (audiences, receivers, named);
        if delivered > 0 {
            self.count(RealmCounter::Delivered, delivered);
        }
        if encodings.made > 0 {
            self.count(RealmCounter::Encoded, encodings.made);
        }
        delivered
    }

    fn has_by_plane(&self, id: SessionId, message: &OutgoingMessage) -> bool {
        message.off_plane.as_ref().is_some_and(|scene| self.is_on_plane(id, scene))
    }

    /// Whether a session's holder may receive a private message. If its grant is unknown, the message passes, and is
    /// checked when the session meets its next grant.
    fn may_hear(&self, id: SessionId, message: &OutgoingMessage) -> bool {
        let Some(session) = self.sessions.get(id) else {
            return false;
        };
        let connected = session.attached.and_then(|attachment| self.access(attachment.connection));
        let grant = connected.map(|access| &access.grant).or(session.last_grant.as_ref());
        grant.is_none_or(|grant| grant.may_hear(message.publish.topic.as_str()))
    }

    /// Delivers to a whole group at once. Returns false if each member must be checked.
    fn share(
        &mut self,
        message: &OutgoingMessage,
        encodings: &mut PublishEncodings,
        group: &Arc<ReceiverGroup>,
        now: Time,
    ) -> bool {
        if message.publish.qos.min(group.qos) > Qos::AtMostOnce || now >= group.grant_ends_at {
            return false;
        }
        let forward = encodings.of(&message.publish, group.version);
        if forward.len_max() > group.packet_bytes_max {
            return false;
        }
        let frame = forward.shared();
        self.outputs.push_back(RealmOutput::Share { group: Arc::clone(group), frame, class: message.class });
        true
    }

    /// Chooses one member of each matching shared subscription.
    fn choose_sharers(
        &mut self,
        message: &OutgoingMessage,
        chosen: &mut Vec<(SessionId, SubscriptionOptions)>,
        now: Time,
    ) {
        let (sessions, publish) = (&self.sessions, &message.publish);
        let is_fit = |id: SessionId| {
            let attached = sessions.get(id).and_then(|session| session.attached);
            attached.is_some_and(|attachment| now < attachment.grant_ends_at)
        };
        self.shares.choose(publish.topic.as_str(), publish.qos, is_fit, chosen);
    }

    /// Delivers to one session. Returns whether a packet was sent.
    fn deliver(
        &mut self,
        message: &OutgoingMessage,
        encodings: &mut PublishEncodings,
        receiver: MessageReceiver,
    ) -> bool {
        let MessageReceiver { id, wanted, subscription_ids, now } = receiver;
        let Some(session) = self.sessions.get(id) else {
            return false;
        };
        let qos = message.publish.qos.min(wanted.qos);
        let retain = wanted.retain_as_published && message.publish.retain;
        let publish = &message.publish;
        let kept = (session.is_kept && qos > Qos::AtMostOnce).then(|| encodings.kept(publish, self.unix(now)));
        // Every subscription is covered by the grant in force: checked at SUBSCRIBE and whenever a session meets a
        // new grant. So the delivery checks only the grant's expiry.
        let Some(attachment) = session.attached.filter(|attachment| now < attachment.grant_ends_at) else {
            if qos > Qos::AtMostOnce && session.attached.is_none() {
                let publish = Arc::clone(publish);
                let onward =
                    SessionDelivery { publish, forward: None, qos, retain, subscription_ids, taken_at: now, kept };
                self.send_surely(id, onward, now);
            }
            return false;
        };
        if qos == Qos::AtMostOnce {
            let frame = if retain {
                let delivery = DeliveryOptions { qos, packet_id: 0, retain, dup: false };
                let own = ReceiverProperties { subscription_ids: &subscription_ids, waited_s: 0 };
                encodings.of(publish, attachment.version).to_subscriber(delivery, own)
            } else {
                encodings.named(publish, attachment.version, &subscription_ids)
            };
            if frame.len() > attachment.packet_bytes_max {
                // MQTT 5 section 3.1.2.11.4: discards the packet as if it were sent.
                return false;
            }
            self.forward(id, attachment, frame, message.class);
            return true;
        }
        // A packet id makes the packet longer, so the size is checked once the id is assigned.
        let forward = Some(encodings.of(publish, attachment.version).clone());
        let publish = Arc::clone(publish);
        let onward = SessionDelivery { publish, forward, qos, retain, subscription_ids, taken_at: now, kept };
        self.send_surely(id, onward, now)
    }

    /// Delivers a QoS 1 or 2 message to one session. Returns whether the message was sent. It is queued while the
    /// in-flight window is full or there is no connection; without one, the oldest messages are dropped for it. The
    /// message itself is dropped if they don't free enough, or if the writes for its subject's sessions exceed their
    /// rate or their share of the writes that wait for the disk.
    pub(super) fn send_surely(&mut self, id: SessionId, onward: SessionDelivery, now: Time) -> bool {
        let Some(attached) = self.sessions.get(id).map(|session| session.attached) else {
            return false;
        };
        if onward.kept.is_some() {
            let bytes = onward.publish.size_bytes();
            if !self.sessions.take_kept(id, now) || self.check_session_write(id, bytes, now).is_err() {
                return false;
            }
        }
        if attached.is_none() {
            let bytes = onward.publish.size_bytes();
            if !self.free_idle_space(id, bytes, now) {
                return false;
            }
        }
        self.deliveries += 1;
        let SessionDelivery { publish, forward, qos, retain, subscription_ids, taken_at, kept } = onward;
        let number = self.deliveries;
        self.kept_deliveries += u64::from(kept.is_some());
        let queued = QueuedMessage { publish, forward, qos, retain, subscription_ids, taken_at, number, kept };
        let pushed = self.change_outgoing(id, |outgoing| outgoing.push(queued, now));
        match (pushed, attached) {
            (Some(Ok(Some(frame))), Some(attachment)) => {
                self.forward(id, attachment, frame, PacketClass::Event);
                true
            }
            (Some(Err(_)), Some(AttachedConnection { connection, .. })) => {
                self.doomed.push(connection);
                false
            }
            _ => false,
        }
    }

    pub(super) fn send_all(&mut self, connection: ConnectionId, frames: Vec<EncodedPacket>) {
        let session = self.access(connection).map(|access| access.session);
        let attached = session.and_then(|id| Some((id, self.sessions.get(id)?.attached?)));
        for frame in frames {
            match attached {
                Some((id, attachment)) => self.forward(id, attachment, frame, PacketClass::Event),
                None => self.outputs.push_back(RealmOutput::Send { connection, frame, class: PacketClass::Event }),
            }
        }
    }

    /// Sends a packet to one client. A topic alias is used where the client accepts them, unless a later message may
    /// replace this one or the packet waits for the disk.
    fn forward(&mut self, id: SessionId, attachment: AttachedConnection, frame: EncodedPacket, class: PacketClass) {
        let is_kept = self.sessions.get(id).is_some_and(|session| session.is_kept);
        if is_kept && self.sequence > self.stored && is_of_qos_2(&frame) {
            // After a crash now, the restarted server would give the packet id to another message, which the client
            // would take for this one. So the packet waits for the disk, without an alias because other messages
            // overtake it. QoS 2 messages keep their order: pending repairs are written first.
            if self.repairs.are_awaited() {
                self.repair();
            }
            self.deferred_acks.push_back(DeferredAck::answer(attachment.connection, frame, self.sequence));
            return;
        }
        let aliases = self.sessions.get_mut(id).filter(|_| attachment.takes_aliases && class == PacketClass::Event);
        let frame = match aliases {
            Some(session) => session.aliases.apply(frame),
            None => frame,
        };
        self.outputs.push_back(RealmOutput::Send { connection: attachment.connection, frame, class });
    }
}

/// Whether the packet is a QoS 2 PUBLISH or a PUBREL.
fn is_of_qos_2(frame: &EncodedPacket) -> bool {
    frame.parts()[0].first().is_some_and(|flags| flags >> 4 == 6 || (flags >> 4 == 3 && flags >> 1 & 3 == 2))
}

/// A QoS 1 or 2 message to one session.
pub(super) struct SessionDelivery {
    pub(super) publish: Arc<Publish>,
    pub(super) forward: Option<EncodedPublish>,
    pub(super) qos: Qos,
    pub(super) retain: bool,
    pub(super) subscription_ids: Vec<u32>,
    pub(super) taken_at: Time,
    /// `Some` if the session survives a restart.
    pub(super) kept: Option<StoredMessage>,
}

struct MessageReceiver {
    id: SessionId,
    wanted: SubscriptionOptions,
    /// Identifiers of all matching filters, or of the shared subscription.
    subscription_ids: Vec<u32>,
    now: Time,
}
