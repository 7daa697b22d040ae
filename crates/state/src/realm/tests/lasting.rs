//! Many lasting sessions of one member: what they cost, and whom.

use alloc::collections::BTreeMap;
use alloc::string::String;

use stoa_wire::packet::{Packet, Publish, Qos, Version};

use super::world::{Entry, World, explicit, guest, publish};
use crate::limits;
use crate::mqtt::kept::{BrokerWrite, SessionWrite};
use crate::realm::Counter;

const SCENE: &str = "realm/s/public/lobby/c/anonymous-1_0123456789_web/anonymous-1_0123456789";

/// One of a member's clients, whose session outlives its connection.
fn lasting(sub: &str, number: u64) -> Entry {
    let mut entry = explicit(sub, Version::V5, &["a/#", "realm/s/public/lobby/#"]);
    entry.connect.client_id = alloc::format!("{sub}-{number}");
    (entry.connect.session_expiry_s, entry.connect.clean_start) = (Some(600), false);
    entry
}

/// So many sessions of one member that wait for messages on `filter`.
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

/// What was given to the store for each subject's sessions.
fn queued(world: &World) -> BTreeMap<String, usize> {
    let mut queued = BTreeMap::new();
    for (_, write) in &world.writes {
        if let BrokerWrite::Session { session, write: SessionWrite::Queued(_) } = write {
            *queued.entry(session.subject.clone()).or_default() += 1;
        }
    }
    queued
}

/// What waits is on disk now, and still looked at here.
fn store(world: &mut World) {
    let last = world.writes.last().map_or(0, |(sequence, _)| *sequence);
    world.realm.handle_stored(last, world.now);
    world.drain();
}

#[test]
fn many_lasting_sessions_of_one_member_silence_nobody_else() {
    let mut world = World::new();
    fill(&mut world, "mallory", ("realm/s/public/lobby/#", limits::MEMBER_IDLE_SESSIONS_MAX as u64));
    let visitor = world.enter(1, guest("anonymous-1", Version::V5));
    world.store_waits = true;
    let text = r#"{"object_id":"anonymous-1_0123456789","action":"create","type":"chat","text":"x"}"#;
    // A second of camera and hands, and beside them as many messages that are surely heard.
    for _ in 0..10 {
        world.send(visitor, surely(SCENE, text));
        for _ in 0..3 {
            world.say(visitor, SCENE, text);
        }
        store(&mut world);
        world.now = world.now + core::time::Duration::from_millis(100);
    }
    assert_eq!((world.count(Counter::Accepted), world.count(Counter::Refused)), (40, 0));
    assert!(world.closed.iter().all(|closed| *closed != visitor));
}

#[test]
fn whose_lasting_sessions_get_too_much_is_spared_the_rest_and_no_one_else_is() {
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
    assert_eq!(world.count(Counter::Refused), 0, "whoever says it is not held to it");
    let before = queued(&world);
    assert_eq!(before["mallory"], limits::KEPT_BURST as usize);
    assert_eq!(before["ada"] as u64, said, "negative control");
    world.now = world.now + core::time::Duration::from_secs(1);
    world.send(bo, surely("a/b", "later"));
    assert_eq!(queued(&world)["mallory"], before["mallory"] + sessions as usize, "a second later there is room again");
}
