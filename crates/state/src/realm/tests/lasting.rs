//! Many persistent sessions of one member: their cost, and the bearer of it.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use stoa_wire::packet::{MqttVersion, Packet, Publish, Qos};

use super::world::{Entry, World, explicit, guest, publish};
use crate::limits;
use crate::mqtt::stored::{BrokerWrite, SessionWrite};
use crate::realm::RealmCounter;

const SCENE: &str = "realm/s/public/lobby/c/anonymous-1_0123456789_web/anonymous-1_0123456789";

/// One of a member's clients, with a persistent session.
fn lasting(sub: &str, number: u64) -> Entry {
    let mut entry = explicit(sub, MqttVersion::V5, &["a/#", "realm/s/public/lobby/#"]);
    entry.connect.client_id = alloc::format!("{sub}-{number}");
    (entry.connect.session_expiry_s, entry.connect.clean_start) = (Some(600), false);
    entry
}

/// Opens this many idle sessions of one member that queue messages on `filter`.
fn fill(world: &mut World, sub: &str, (filter, count): (&str, u64)) {
    for number in 0..count {
        let connection = world.enter(10_000 + number, lasting(sub, number));
        world.subscribe(connection, filter, Qos::AtLeastOnce);
        world.close(connection);
    }
}

fn surely(topic: &str, text: &str) -> Packet {
    Packet::Publish(Publish { qos: Qos::AtLeastOnce, packet_id: Some(1), ..publish(topic, text) })
}

/// Writes to the store by subject.
fn queued(world: &World) -> BTreeMap<String, usize> {
    let mut queued = BTreeMap::new();
    for (_, write) in &world.writes {
        if let BrokerWrite::Session { session, write: SessionWrite::Queued(_) } = write {
            *queued.entry(session.subject.clone()).or_default() += 1;
        }
    }
    queued
}

/// Commits all pending writes, but keeps them in the world for inspection.
fn store(world: &mut World) {
    let last = world.writes.last().map_or(0, |(sequence, _)| *sequence);
    world.realm.handle_stored(last, world.now);
    world.drain();
}

#[test]
fn many_persistent_sessions_of_a_member_block_no_other_client() {
    let mut world = World::new();
    fill(&mut world, "mallory", ("realm/s/public/lobby/#", limits::MEMBER_IDLE_SESSIONS_MAX as u64));
    let visitor = world.enter(1, guest("anonymous-1", MqttVersion::V5));
    world.store_waits = true;
    let text = r#"{"object_id":"anonymous-1_0123456789","action":"create","type":"chat","text":"x"}"#;
    // A second of camera and hands, and as many QoS 1 messages.
    for _ in 0..10 {
        world.send(visitor, surely(SCENE, text));
        for _ in 0..3 {
            world.say(visitor, SCENE, text);
        }
        store(&mut world);
        world.now = world.now + core::time::Duration::from_millis(100);
    }
    assert_eq!((world.count(RealmCounter::Accepted), world.count(RealmCounter::Refused)), (40, 0));
    assert!(world.closed.iter().all(|closed| *closed != visitor));
}

#[test]
fn a_member_above_its_queued_message_rate_loses_only_its_own_messages() {
    let mut world = World::new();
    let sessions = 100;
    fill(&mut world, "mallory", ("a/b", sessions));
    fill(&mut world, "ada", ("a/b", 1));
    let bo = world.enter(1, lasting("bo", 0));
    world.store_waits = true;
    let said = u64::from(limits::KEPT_BURST) / sessions + 50;
    for _ in 0..said {
        world.send(bo, surely("a/b", "x"));
        store(&mut world);
    }
    assert_eq!(world.count(RealmCounter::Refused), 0, "whoever says it is not held to it");
    let before = queued(&world);
    assert_eq!(before["mallory"], limits::KEPT_BURST as usize);
    assert_eq!(before["ada"] as u64, said, "negative control");
    world.now = world.now + core::time::Duration::from_secs(1);
    world.send(bo, surely("a/b", "later"));
    assert_eq!(queued(&world)["mallory"], before["mallory"] + sessions as usize, "a second later there is room again");
}

/// Reconnects a member's sessions. Returns whether each was present, and its messages.
fn come_back(world: &mut World, count: u64) -> Vec<(bool, Vec<Publish>)> {
    let back = |number| {
        let connection = world.try_enter(20_000 + number, lasting("ada", number));
        let inbox = world.inbox(connection);
        let present = matches!(&inbox[..], [Packet::ConnAck(ack), ..] if ack.session_present);
        let publish = |packet: Packet| if let Packet::Publish(publish) = packet { Some(publish) } else { None };
        (present, inbox.into_iter().filter_map(publish).collect())
    };
    (0..count).map(back).collect()
}

#[test]
fn a_restart_drops_a_members_oldest_queued_messages_above_its_bound() {
    for connected in [true, false] {
        let mut world = World::new();
        let text = "x".repeat(200 * 1_024);
        let connections: Vec<_> = (0..5).map(|number| world.enter(100 + number, lasting("ada", number))).collect();
        for (number, connection) in connections.iter().enumerate() {
            world.subscribe(*connection, &alloc::format!("a/{number}"), Qos::AtLeastOnce);
        }
        let bo = world.enter(1, explicit("bo", MqttVersion::V5, &["a/#"]));
        for number in 0..5 {
            for order in 0..10 {
                world.send(bo, surely(&alloc::format!("a/{number}"), &alloc::format!("{order}{text}")));
            }
        }
        if !connected {
            connections.into_iter().for_each(|connection| world.close(connection));
        }
        world.restart(1);
        assert_eq!(world.kept.sessions.len(), 5);
        let each = publish("a/0", &alloc::format!("0{text}")).size_bytes();
        let on_disk: usize = world.kept.sessions.iter().map(|session| session.deliveries.len()).sum();
        assert_eq!(on_disk, limits::MEMBER_IDLE_BYTES_MAX / each, "what gave way is gone from the disk too");
        let back = come_back(&mut world, 5);
        assert!(back.iter().all(|(present, _)| *present), "connected: {connected}");
        assert_eq!(back.iter().map(|(_, heard)| heard.len()).sum::<usize>(), on_disk);
        for (_, heard) in &back {
            assert_eq!(heard.last().map(|last| last.payload[0]), Some(b'9'), "the oldest gave way");
        }
    }
}

#[test]
fn a_members_byte_bound_drops_messages_of_its_fullest_session_first() {
    let mut world = World::new();
    let text = "x".repeat(200 * 1_024);
    let bo = world.enter(1, explicit("bo", MqttVersion::V5, &["a/#"]));
    for (number, packet_id) in [(0, 1), (1, 1)] {
        let connection = world.enter(100 + number, lasting("ada", number));
        world.subscribe(connection, &alloc::format!("a/{number}"), Qos::ExactlyOnce);
        let Packet::Publish(said) = surely(&alloc::format!("a/{number}"), &text) else { unreachable!("is one") };
        let said = Publish { qos: Qos::ExactlyOnce, packet_id: Some(packet_id), ..said };
        let times = if number == 0 { 39 } else { 0 };
        for _ in 0..times {
            world.send(bo, Packet::Publish(said.clone()));
            world.send(bo, Packet::PubRel(stoa_wire::packet::PublishAck::success(packet_id)));
        }
        world.send(bo, surely(&alloc::format!("a/{number}"), "small"));
        world.close(connection);
    }
    for _ in 0..20 {
        world.send(bo, surely("a/1", &text));
    }
    let back = come_back(&mut world, 2);
    let [(true, _), (true, heard)] = &back[..] else { panic!("both are there") };
    assert_eq!(heard.len(), 21, "the fullest gave way, and that was another");
}
