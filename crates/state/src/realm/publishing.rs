//! PUBLISH: checks the sender's rights, applies the message to its scene, delivers it and acknowledges it.

use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::time::Duration;

use stoa_wire::envelope::{Action, Envelope, ParsedPayload};
use stoa_wire::packet::{MqttVersion, Packet, Publish, PublishAck, Qos, ReasonCode};
use stoa_wire::reason::{Reason, Refusal};
use stoa_wire::topic::{SceneTopic, TopicKind};

use super::acknowledging::PublishAckTarget;
use super::clients::ClientAccess;
use super::ending::DisconnectCause;
use super::fan_out::OutgoingMessage;
use super::scenes::HostedScene;
use super::templates::TemplateSources;
use super::{
    ConnectionId, DatabaseSize, PacketClass, Realm, RealmCounter, RealmOutput, costs, motion_grants, muting,
    network_graph, refusing, templates,
};
use crate::grant::Grant;
use crate::ledger::Ledger;
use crate::limits;
use crate::mqtt::incoming::DuplicateCheck;
use crate::mqtt::received_packet::ReceivedMessage;
use crate::mqtt::retained::RetainedMessage;
use crate::mqtt::session::{DelayedWill, SessionId};
use crate::mqtt::stored::SessionWrite;
use crate::scene;
use crate::time::Time;

/// User properties that carry a message's revision to MQTT 5 receivers. Properties of these names from clients are
/// removed.
const EPOCH: &str = "stoa-epoch";
const REVISION: &str = "stoa-revision";

impl Realm {
    pub(super) fn handle_publish(&mut self, connection: ConnectionId, message: ReceivedMessage, now: Time) {
        let publish = &message.publish;
        let qos = publish.qos;
        let Some(id) = self.access(connection).map(|access| access.session) else {
            return;
        };
        let Some(session) = self.sessions.get_mut(id) else {
            return;
        };
        let version = session.attached.map_or(MqttVersion::V311, |attachment| attachment.version);
        let receipt =
            publish.packet_id.map(|packet_id| PublishAckTarget { session: id, serial: session.serial, packet_id, qos });
        match publish.packet_id.map(|packet_id| session.incoming.handle_publish(packet_id, qos, version)) {
            None | Some(Ok(DuplicateCheck::New)) => {}
            Some(Ok(DuplicateCheck::Ignore)) => return,
            Some(Ok(DuplicateCheck::ReceivedAgain)) => {
                let again = PublishAck::success(publish.packet_id.expect("has one, or would not have arrived before"));
                self.control(connection, &Packet::PubRec(again));
                return;
            }
            Some(Err(violation)) => {
                self.end(connection, DisconnectCause::Because(violation), now);
                return;
            }
        }
        let (topic, bytes, before) = (publish.topic.clone(), publish.payload.len(), self.sequence);
        let kept_before = self.kept_deliveries;
        let is_receipt_stored = qos == Qos::ExactlyOnce;
        let checked = if is_receipt_stored { self.check_session_write(id, 0, now) } else { Ok(()) };
        let taken = checked.and_then(|()| self.take_message(connection, message, now));
        self.charge_kept(connection, kept_before, now);
        match taken {
            Ok(()) => {
                self.count(RealmCounter::Accepted, 1);
                self.note_published(connection, &topic, bytes);
                if let Some(PublishAckTarget { packet_id, qos: Qos::ExactlyOnce, .. }) = receipt {
                    self.keep(id, SessionWrite::Received { packet_id });
                    if topic.as_str() == network_graph::LATENCY {
                        self.note_ping(connection, packet_id, now);
                    }
                }
                // Changed objects, sessions that wait for the message, a retained message: all of them are writes.
                let wait = (self.sequence > before).then_some(self.sequence);
                match self.begun_load.take() {
                    Some(scene) => self.acknowledge_after_load(&scene, receipt),
                    None => self.acknowledge_or_hold(receipt, wait),
                }
            }
            Err(refused) => self.refuse(connection, super::refusing::RefusedMessage { refused, receipt, topic }, now),
        }
    }

    /// Charges the sender for writes to persistent sessions, up to [`limits::KEPT_PAID_MAX`]. The sessions' own
    /// subject is limited for the rest.
    fn charge_kept(&mut self, connection: ConnectionId, before: u64, now: Time) {
        let kept = usize::try_from(self.kept_deliveries - before).unwrap_or(usize::MAX);
        if kept == 0 {
            return;
        }
        if let Some(access) = self.access_mut(connection) {
            access.allowance.spend(kept.min(limits::KEPT_PAID_MAX), 0, now);
        }
    }

    /// Checks and delivers a message. It may be acknowledged once all its writes are on disk.
    pub(super) fn take_message(
        &mut self,
        connection: ConnectionId,
        message: impl Into<ReceivedMessage>,
        now: Time,
    ) -> Result<(), Refusal> {
        let ReceivedMessage { publish, parsed } = message.into();
        let access = self.access_mut(connection).ok_or(Reason::NotGranted)?;
        access.allowance.take(publish.size_bytes(), now)?;
        if access.ends_at <= now {
            return Err(Reason::NotGranted.into());
        }
        let payer = access.payer;
        let topic = SceneTopic::parse(publish.topic.as_str()).transpose()?;
        self.store_queue.payer = Some(payer);
        let taken = match topic {
            None => self.take_plain(connection, publish, now),
            Some(topic) => self.take_in_scene(connection, ScenePublish { topic, publish, parsed }, now),
        };
        self.store_queue.payer = None;
        let pause = self.ledger.take_pause();
        if !pause.is_zero() {
            self.outputs.push_back(RealmOutput::SlowReading { connection, pause });
        }
        taken
    }

    /// Handles a message outside of scenes.
    fn take_plain(&mut self, connection: ConnectionId, mut publish: Publish, now: Time) -> Result<(), Refusal> {
        let access = self.access(connection).ok_or(Reason::NotGranted)?;
        let (origin, payer) = (access.session, access.payer);
        check_plain(&access.grant, &mut publish)?;
        let subject = publish.retain.then(|| access.grant.subject().into());
        if publish.retain {
            // An empty message deletes the retained one.
            let database = if publish.payload.is_empty() { DatabaseSize::default() } else { self.database };
            costs::check_store(&mut self.ledger, database, payer, publish.size_bytes(), now)?;
            self.ledger.settle(now, payer, costs::stored(publish.size_bytes()));
        }
        self.publish_plain(publish, origin, subject, now)
    }

    /// Delivers a message outside of scenes. `subject` is the sender of a retained message.
    fn publish_plain(
        &mut self,
        publish: Publish,
        origin: SessionId,
        subject: Option<Arc<str>>,
        now: Time,
    ) -> Result<(), Refusal> {
        let publish = Arc::new(publish);
        if let Some(subject) = subject {
            self.retain(RetainedMessage { publish: Arc::clone(&publish), taken_at: now, subject })?;
        }
        self.fan_out(
            &OutgoingMessage { publish, origin: Some(origin), class: PacketClass::Event, off_plane: None },
            now,
        );
        Ok(())
    }

    /// Publishes a will whose delay is over or whose session ended. The client has gone, so a refusal is only
    /// counted.
    pub(super) fn publish_delayed(&mut self, origin: SessionId, will: DelayedWill, now: Time) {
        let DelayedWill { mut publish, grant, grant_ends_at, .. } = will;
        let is_over = grant_ends_at <= now || !self.is_still_granted(grant.claims());
        let checked = if is_over { Err(Reason::NotGranted) } else { check_plain(&grant, &mut publish) };
        let subject = publish.retain.then(|| grant.subject().into());
        let published = checked.map_err(Refusal::from).and_then(|()| self.publish_plain(publish, origin, subject, now));
        if let Err(refused) = published {
            self.count_refused(refused.reason);
        }
    }

    /// Publishes all delayed wills of sessions that don't survive a restart.
    pub(super) fn publish_all_delayed(&mut self, now: Time) {
        let ids: Vec<SessionId> = self.sessions.ids().collect();
        for id in ids {
            let is_kept = self.sessions.get(id).is_some_and(|session| session.is_kept);
            if let Some(will) = self.take_will(id, |_| !is_kept) {
                self.publish_delayed(id, will, now);
            }
        }
    }

    fn take_in_scene(&mut self, connection: ConnectionId, mut message: ScenePublish, now: Time) -> Result<(), Refusal> {
        let client = self.clients.get_mut(&connection).ok_or(Reason::NotGranted)?;
        let access = client.access.as_mut().ok_or(Reason::NotGranted)?;
        let envelope = checked_envelope(access, &mut self.ledger, &mut message, now)?;
        let ScenePublish { topic, publish, .. } = message;
        if motion_grants::is_request(&topic, &envelope) {
            return self.issue_motion_grant(connection, &topic.scene, now);
        }
        let asks = templates::is_request(&topic, &envelope);
        let sources = TemplateSources { scenes: &self.scenes, bearers: &self.bearers };
        let template = asks.then(|| templates::template(sources, &mut self.ledger, access, &envelope, now));
        let template = template.transpose()?;
        let hosted = self.scenes.get_mut(&topic.scene).ok_or(Reason::NoSuchScene)?;
        let mut message = EnvelopeCheckedPublish { topic, publish, envelope };
        let pause = hosted.screen(access, &mut message, now)?;
        self.ledger.note_pause(pause);
        let EnvelopeCheckedPublish { topic, mut publish, envelope } = message;
        let payload_bytes = publish.payload.len();
        // The estimate walks the stored object, so a message that is refused afterwards pays for the walk too.
        let bytes_to_write = hosted.scene.bytes_to_write(&topic, &envelope, payload_bytes);
        let refused_walk = bytes_to_write.unwrap_or(0).saturating_sub(limits::LOG_ENTRY_BYTES + 2 * payload_bytes);
        if let Some(bytes) = bytes_to_write {
            self.namespaces.check(topic.scene.namespace())?;
            costs::check_store(&mut self.ledger, self.database, access.payer, bytes, now)
                .inspect_err(|_| access.pay_for_walk(refused_walk, payload_bytes, now))?;
        }
        if let Some(bytes) = hosted.scene.bytes_to_return(&topic, &envelope)
            && refusing::is_heard_by(access, &self.sessions, publish.topic.as_str())
        {
            costs::charge(&mut self.ledger, access.payer, costs::returned(bytes), now)?;
        }
        let written_before = hosted.scene.written_bytes();
        let was_present = hosted.scene.is_present(connection);
        let author = access.author(connection, &topic.scene);
        let bridge_message = self.plane.bridge_message(&topic, &envelope, &author.id_tag);
        let applied = match template {
            Some(template) => hosted.scene.load_template(author, template, now),
            None => hosted.scene.handle_message(scene::SceneMessage { author, topic: &topic, envelope }, now),
        };
        let applied = applied.inspect_err(|_| access.pay_for_walk(refused_walk, payload_bytes, now))?;
        let written = usize::try_from(hosted.scene.written_bytes() - written_before).unwrap_or(usize::MAX);
        if written > 0 {
            self.ledger.settle(now, access.payer, costs::stored(written));
        }
        access.spoke_at = Some(now);
        if !access.scenes.contains(&topic.scene) {
            access.scenes.insert(topic.scene.clone());
        }
        access.pay_for_walk(applied.walked_bytes, payload_bytes, now);
        let origin = Some(access.session);
        strip_revision(&mut publish);
        publish.retain = false;
        if let Some(revision) = applied.revision {
            add_revision(&mut publish, hosted.scene.epoch(), revision);
        }
        let presence_changed = hosted.scene.is_present(connection) != was_present;
        // State is conflated at QoS 0 only: fan-out delivers QoS 1 and 2 as events.
        let class = applied.conflation.map_or(PacketClass::Event, PacketClass::State);
        self.fan_out(&OutgoingMessage { publish: Arc::new(publish), origin, class, off_plane: None }, now);
        self.outputs.extend(bridge_message);
        if presence_changed {
            self.note_presence(&topic.scene, connection, now);
        }
        if asks {
            self.pause_for_template(connection, &topic.scene);
        }
        self.drain_scene(&topic.scene, now);
        Ok(())
    }

    pub(super) fn acknowledge_or_hold(&mut self, receipt: Option<PublishAckTarget>, wait: Option<u64>) {
        match (receipt, wait) {
            (Some(receipt), Some(sequence)) => self.hold(receipt, sequence),
            (Some(receipt), None) => self.acknowledge(receipt, ReasonCode::SUCCESS, None),
            (None, _) => {}
        }
    }

    /// Handles the client's acknowledgement of a message that the realm sent.
    pub(super) fn handle_done(&mut self, connection: ConnectionId, packet_id: u16, now: Time) {
        let Some(id) = self.access(connection).map(|access| access.session) else {
            return;
        };
        let frames = self.change_outgoing(id, |outgoing| outgoing.handle_done(packet_id, now));
        self.send_all(connection, frames.unwrap_or_default());
    }

    /// QoS 2: handles the PUBREC for a message that the realm sent.
    pub(super) fn handle_received(&mut self, connection: ConnectionId, ack: &PublishAck, now: Time) {
        if ack.code.is_error() {
            self.handle_done(connection, ack.packet_id, now);
            return;
        }
        let Some(id) = self.access(connection).map(|access| access.session) else {
            return;
        };
        let before = self.sequence;
        let release = self.change_outgoing(id, |outgoing| outgoing.handle_received(ack.packet_id));
        if let Some(release) = release {
            self.control_after(connection, &release, before);
        }
    }

    /// QoS 2: handles the PUBREL for a message that the client sent.
    pub(super) fn handle_release(&mut self, connection: ConnectionId, packet_id: u16, now: Time) {
        self.note_pong(connection, packet_id, now);
        let Some(id) = self.access(connection).map(|access| access.session) else {
            return;
        };
        let before = self.sequence;
        let Some(code) = self.sessions.get_mut(id).map(|session| session.incoming.handle_release(packet_id)) else {
            return;
        };
        // An unknown packet id may have been released on an earlier connection without reaching the disk.
        let may_be_known = self.sequence > self.stored || self.repairs.has_stale();
        if code != ReasonCode::SUCCESS && self.check_session_write(id, 0, now).is_err() {
            // The client repeats the PUBREL after a reconnect. Answers to unknown ids must not fill the store's queue.
            return;
        }
        if code == ReasonCode::SUCCESS || may_be_known {
            self.keep(id, SessionWrite::Forgotten { packet_id });
        }
        self.control_after(connection, &Packet::PubComp(PublishAck { packet_id, code, reason: None }), before);
    }
}

/// A message with its scene topic.
struct ScenePublish {
    topic: SceneTopic,
    publish: Publish,
    parsed: Option<ParsedPayload>,
}

/// A scene message whose envelope was checked.
struct EnvelopeCheckedPublish {
    topic: SceneTopic,
    publish: Publish,
    envelope: Envelope,
}

impl HostedScene {
    /// Applies the scene's settings and rates to a message. Returns the pause before its sender's connection is read
    /// again. Errors: the first violation.
    fn screen(
        &mut self,
        access: &ClientAccess,
        message: &mut EnvelopeCheckedPublish,
        now: Time,
    ) -> Result<Duration, Refusal> {
        let EnvelopeCheckedPublish { topic, publish, envelope } = message;
        if access.grant.claims().guest && !self.settings.anonymous_users {
            return Err(Reason::NotGranted.into());
        }
        if let Some(name) = self.muted_name(&access.grant, topic, envelope)? {
            let renamed = muting::rename(envelope, topic.kind, &publish.payload, &name);
            publish.payload = renamed.ok_or(Reason::Silenced)?;
        }
        self.bounds.take(publish.size_bytes(), access.payer, now)
    }
}

/// Checks a message outside of scenes, and clears its retain flag where the grant may not retain. Errors: the grant
/// does not cover it.
fn check_plain(grant: &Grant, publish: &mut Publish) -> Result<(), Reason> {
    grant.may_publish(publish.topic.as_str())?;
    publish.retain &= grant.may_retain(publish.topic.as_str());
    strip_revision(publish);
    Ok(())
}

/// Reads a scene message that its sender's grant and allowance permit. Takes its parsed payload, or parses it. The
/// sender is first charged for long JSON, parsed or not. Errors: the first violation.
fn checked_envelope(
    access: &mut ClientAccess,
    ledger: &mut Ledger,
    message: &mut ScenePublish,
    now: Time,
) -> Result<Envelope, Refusal> {
    let ScenePublish { topic, publish, parsed } = message;
    access.grant.may_publish_in_scene(topic, publish.topic.as_str())?;
    if access.grant.claims().guest {
        check_guest_size(topic.kind, publish.payload.len())?;
    }
    let is_parsed = topic.kind != TopicKind::E && topic.stream.is_none();
    if is_parsed && let Some(cost) = costs::json(&publish.payload) {
        costs::charge(ledger, access.payer, cost, now)?;
    }
    let envelope = Envelope::on_parsed(topic, &publish.payload, parsed.take())?;
    if topic.kind == TopicKind::O {
        if !access.grant.may_act_on_objects(envelope.action) {
            return Err(Reason::NotGranted.into());
        }
        access.allowance.may_walk(now)?;
    }
    if envelope.action == Some(Action::GetPersist) {
        access.allowance.take_reading(now)?;
    }
    Ok(envelope)
}

/// Checks the size of a guest's message on `o` or `c`. Errors: [`Reason::TooLarge`].
fn check_guest_size(kind: TopicKind, payload_bytes: usize) -> Result<(), Refusal> {
    let has_bound = matches!(kind, TopicKind::O | TopicKind::C);
    if has_bound && payload_bytes > limits::GUEST_MESSAGE_BYTES_MAX {
        let (most, of) = (limits::GUEST_MESSAGE_BYTES_MAX, "bytes of a guest's message");
        return Err(Refusal::beyond(Reason::TooLarge, most, of));
    }
    Ok(())
}

fn strip_revision(publish: &mut Publish) {
    publish.properties.user_properties.retain(|(key, _)| key != EPOCH && key != REVISION);
}

pub(super) fn add_revision(publish: &mut Publish, epoch: u64, revision: u64) {
    let own = [(String::from(EPOCH), epoch.to_string()), (String::from(REVISION), revision.to_string())];
    publish.properties.user_properties.extend(own);
}

/// Makes a message of the realm itself. `None` if its payload exceeds an outbox or the topic is invalid.
pub(super) fn own_message(topic: &str, payload: bytes::Bytes) -> Option<Publish> {
    if payload.len() > limits::OUTBOX_BYTES_MAX {
        return None;
    }
    Some(Publish {
        topic: stoa_wire::topic::Topic::parse(topic).ok()?,
        payload,
        qos: Qos::AtMostOnce,
        retain: false,
        dup: false,
        packet_id: None,
        properties: stoa_wire::packet::PublishProperties::default(),
    })
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    #[test]
    fn a_message_larger_than_the_outbox_limit_is_not_created() {
        let said = |bytes: usize| own_message("a/b", vec![0; bytes].into()).is_some();
        assert!(said(limits::OUTBOX_BYTES_MAX) && !said(limits::OUTBOX_BYTES_MAX + 1));
    }
}
