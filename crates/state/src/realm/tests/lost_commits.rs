//! Guarantees for sessions and retained messages while the store fails.

use alloc::format;
use alloc::vec::Vec;

use stoa_wire::packet::{
    MqttVersion, Packet, Publish, PublishAck, Qos, ReasonCode, RetainHandling, Subscribe, SubscriptionRequest,
    Unsubscribe,
};

use super::world::{Entry, World, explicit, publish};
use crate::connection_id::ConnectionId;
use crate::limits;

fn lasting(sub: &str) -> Entry {
    let mut entry = explicit(sub, MqttVersion::V5, &["a/#"]);
    (entry.connect.session_expiry_s, entry.connect.clean_start) = (Some(600), false);
    entry
}

fn surely(text: &str, qos: Qos, packet_id: u16) -> Publish {
    Publish { qos, packet_id: Some(packet_id), ..publish("a/b", text) }
}

/// Sends a SUBSCRIBE whose answer may wait.
fn ask(world: &mut World, connection: ConnectionId, filters: &[&str]) {
    let subscription = |filter: &&str| SubscriptionRequest {
        filter: (*filter).into(),
        qos: Qos::ExactlyOnce,
        no_local: false,
        retain_as_published: false,
        retain_handling: RetainHandling::Send,
    };
    let subscriptions = filters.iter().map(subscription).collect();
    world.send(connection, Packet::Subscribe(Subscribe { packet_id: 9, subscriptions, subscription_id: None }));
}

fn codes(world: &mut World, connection: ConnectionId) -> Option<Vec<ReasonCode>> {
    let code = |packet| if let Packet::SubAck(acks) = packet { Some(acks.codes) } else { None };
    world.inbox(connection).into_iter().find_map(code)
}

/// The disk works again, and the lost writes are repeated.
fn recover(world: &mut World) {
    world.pass(limits::STORE_RETRY.as_secs());
    world.commit();
}

#[test]
fn a_subscription_whose_commit_fails_is_refused_and_has_no_effect() {
    let mut world = World::new();
    let ada = world.enter(1, lasting("ada"));
    world.subscribe(ada, "a/old", Qos::AtLeastOnce);
    world.store_waits = true;
    ask(&mut world, ada, &["a/old", "a/b", "$share/g/a/b", "b"]);
    assert_eq!(codes(&mut world, ada), None, "negative control: the answer waits");
    world.fail();
    let refused = ReasonCode::QUOTA_EXCEEDED;
    assert_eq!(codes(&mut world, ada), Some(Vec::from([refused, refused, refused, ReasonCode::NOT_AUTHORIZED])));
    recover(&mut world);
    let bo = world.enter(2, explicit("bo", MqttVersion::V5, &["a/#"]));
    for topic in ["a/b", "a/old"] {
        world.say(bo, topic, topic);
    }
    assert_eq!(world.texts(ada), ["a/old"]);
    world.restart(1);
    world.store_waits = false;
    let ada = world.try_enter(3, lasting("ada"));
    let bo = world.enter(4, explicit("bo", MqttVersion::V5, &["a/#"]));
    for topic in ["a/b", "a/old"] {
        world.say(bo, topic, topic);
    }
    assert_eq!(world.texts(ada), ["a/old"], "and none after a restart");
}

#[test]
fn a_session_whose_first_commit_failed_survives_a_restart() {
    let mut world = World::new();
    world.store_waits = true;
    let ada = world.enter(1, lasting("ada"));
    world.fail();
    // The next change of the record writes all of it.
    ask(&mut world, ada, &["a/b"]);
    assert_eq!(codes(&mut world, ada), None);
    world.commit();
    assert_eq!(codes(&mut world, ada), Some(Vec::from([ReasonCode::granted(Qos::ExactlyOnce)])));
    world.restart(1);
    let ada = world.try_enter(2, lasting("ada"));
    let Packet::ConnAck(ack) = &world.inbox(ada)[0] else { panic!("is let in") };
    assert!(ack.session_present);
    let bo = world.enter(3, explicit("bo", MqttVersion::V5, &["a/#"]));
    world.say(bo, "a/b", "x");
    assert_eq!(world.texts(ada), ["x"]);
}

#[test]
fn a_qos_2_packet_id_is_released_only_after_its_commit() {
    let mut world = World::new();
    let bo = world.enter(1, lasting("bo"));
    world.send(bo, Packet::Publish(surely("1", Qos::ExactlyOnce, 7)));
    assert!(world.take_ack(bo).is_some());
    world.store_waits = true;
    world.send(bo, Packet::PubRel(PublishAck::success(7)));
    world.fail();
    let complete = |packets: &[Packet]| packets.iter().any(|packet| matches!(packet, Packet::PubComp(_)));
    assert!(!complete(&world.inbox(bo)), "the disk says that 7 was received and not released");
    world.pass(limits::STORE_RETRY.as_secs());
    assert!(!complete(&world.inbox(bo)), "it is written again, and not yet there");
    world.fail();
    recover(&mut world);
    assert!(complete(&world.inbox(bo)));
    world.store_waits = false;
    world.restart(1);
    let ada = world.enter(2, explicit("ada", MqttVersion::V5, &["a/#"]));
    world.subscribe(ada, "a/b", Qos::AtMostOnce);
    let bo = world.try_enter(3, lasting("bo"));
    world.send(bo, Packet::Publish(surely("2", Qos::ExactlyOnce, 7)));
    assert_eq!(world.texts(ada), ["2"]);
}

#[test]
fn lost_writes_are_repeated_after_the_disk_recovers() {
    let mut world = World::new();
    let ada = world.enter(1, lasting("ada"));
    for filter in ["a/b", "a/gone", "$share/g/a/c"] {
        world.subscribe(ada, filter, Qos::ExactlyOnce);
    }
    let bo = world.enter(2, lasting("bo"));
    world.say(bo, "a/x", "");
    let retained = |topic, text| Publish { retain: true, ..publish(topic, text) };
    world.send(bo, Packet::Publish(retained("a/2", "old")));
    world.store_waits = true;
    let unsubscribe = Unsubscribe { packet_id: 3, filters: Vec::from(["a/gone".into()]) };
    world.send(ada, Packet::Unsubscribe(unsubscribe));
    world.send(bo, Packet::Publish(surely("1", Qos::ExactlyOnce, 1)));
    world.send(bo, Packet::Publish(surely("2", Qos::AtLeastOnce, 2)));
    world.send(ada, Packet::PubRec(PublishAck::success(1)));
    world.close(ada);
    world.send(bo, Packet::Publish(surely("3", Qos::AtLeastOnce, 3)));
    world.send(bo, Packet::Publish(retained("a/1", "new")));
    world.send(bo, Packet::Publish(retained("a/2", "")));
    world.fail();
    let acks: Vec<_> = world.inbox(bo);
    let is_refused = |packet: &Packet| match packet {
        Packet::PubAck(ack) | Packet::PubRec(ack) => ack.code == ReasonCode::QUOTA_EXCEEDED,
        _ => true,
    };
    assert!(acks.len() >= 3 && acks.iter().all(is_refused), "{acks:?}");
    recover(&mut world);
    let kept = &world.kept;
    let session = kept.sessions.iter().find(|session| session.name.subject == "ada").expect("is kept");
    let mut filters: Vec<_> = session.subscriptions.iter().map(|(filter, _)| filter.as_str()).collect();
    filters.sort_unstable();
    assert_eq!(filters, ["$share/g/a/c", "a/b"]);
    let stages: Vec<_> = session.deliveries.iter().map(|kept| (kept.packet_id, kept.released)).collect();
    assert_eq!(stages, [(Some(1), true), (Some(2), false), (None, false)]);
    assert!(session.expires_at.is_some(), "its connection ended");
    let topics: Vec<_> = kept.retained.iter().map(|kept| kept.topic.as_str()).collect();
    assert_eq!(topics, ["a/1"]);
    world.store_waits = false;
    world.restart(1);
    let ada = world.try_enter(3, lasting("ada"));
    assert_eq!(world.texts(ada), ["2", "3"]);
}

#[test]
fn a_session_ended_during_a_store_failure_is_deleted_after_recovery() {
    let mut world = World::new();
    let ada = world.enter(1, lasting("ada"));
    world.subscribe(ada, "a/b", Qos::AtLeastOnce);
    world.store_waits = true;
    let bye = stoa_wire::packet::Disconnect { code: ReasonCode::SUCCESS, session_expiry_s: Some(0), reason: None };
    world.send(ada, Packet::Disconnect(bye));
    world.fail();
    assert_eq!(world.kept.sessions.len(), 1, "negative control: the disk still has it");
    recover(&mut world);
    assert_eq!(world.kept.sessions.len(), 0);
}

#[test]
fn a_restart_restores_a_members_longest_lived_sessions_up_to_the_limit() {
    let mut world = World::new();
    for number in 0..=limits::MEMBER_IDLE_SESSIONS_MAX {
        let mut entry = lasting("ada");
        entry.connect.client_id = format!("client-{number}");
        entry.connect.session_expiry_s = Some(if number == 0 { 10 } else { 600 });
        world.enter(number as u64 + 1, entry);
    }
    assert_eq!(world.kept.sessions.len(), limits::MEMBER_IDLE_SESSIONS_MAX + 1, "negative control: all connected");
    world.restart(1);
    assert_eq!(world.kept.sessions.len(), limits::MEMBER_IDLE_SESSIONS_MAX);
    assert!(world.kept.sessions.iter().all(|session| session.name.client_id != "client-0"));
}

#[test]
fn a_retained_message_of_the_largest_size_survives_a_restart() {
    let mut world = World::new();
    let ada = world.enter(1, lasting("ada"));
    // MQTT 3.1.1 has no properties: the stored packet is larger than any client may send.
    let text = "x".repeat(stoa_wire::limits::PACKET_BYTES_MAX - "a/large".len() - 6);
    world.send(ada, Packet::Publish(Publish { retain: true, ..publish("a/large", &text) }));
    let packet = &world.kept.retained[0].message.packet;
    assert!(packet.len() > stoa_wire::limits::PACKET_BYTES_MAX, "negative control: {}", packet.len());
    world.restart(1);
    assert_eq!(world.kept.retained.len(), 1);
}
