//! Acknowledged writes are on disk.

use alloc::string::{String, ToString};

use serde_json::json;
use stoa_wire::packet::{MqttVersion, Packet, Publish, PublishAck, Qos, ReasonCode};

use super::world::{World, entry, lobby, publish};
use crate::realm::{Command, CommandAnswer, CommandId};
use crate::scene::{StoredObject, UnixMillis};

const TOPIC: &str = "realm/s/public/lobby/o/alice_0123456789_web/box1";

fn create() -> String {
    json!({"object_id": "box1", "action": "create", "persist": true, "data": {"object_type": "box"}}).to_string()
}

fn waiting() -> World {
    let mut world = World::new();
    world.store_waits = true;
    world
}

#[test]
fn the_acknowledgement_of_a_stored_change_waits_for_the_store() {
    let mut world = waiting();
    let alice = world.enter_scene(1, entry("alice", MqttVersion::V5));
    assert_eq!(world.say_surely(alice, TOPIC, &create()), None);
    assert_eq!(world.messages(alice).len(), 1, "it is live at once");
    let sequence = world.changes[0].0;
    world.realm.handle_stored(sequence, world.now);
    world.drain();
    assert_eq!(world.take_ack(alice).map(|ack| ack.code), Some(ReasonCode::SUCCESS));
}

#[test]
fn a_change_that_is_not_stored_is_acknowledged_at_once() {
    let mut world = waiting();
    let alice = world.enter_scene(1, entry("alice", MqttVersion::V5));
    let live = json!({"object_id": "box1", "action": "create", "data": {}}).to_string();
    assert_eq!(world.say_surely(alice, TOPIC, &live).map(|ack| ack.code), Some(ReasonCode::SUCCESS));
    assert!(world.changes.is_empty());
}

#[test]
fn a_repeated_message_waits_with_the_first_and_changes_nothing() {
    let mut world = waiting();
    let alice = world.enter_scene(1, entry("alice", MqttVersion::V5));
    let exactly = Publish { qos: Qos::ExactlyOnce, packet_id: Some(3), ..publish(TOPIC, &create()) };
    world.send(alice, Packet::Publish(exactly.clone()));
    world.send(alice, Packet::Publish(Publish { dup: true, ..exactly }));
    assert_eq!(world.changes.len(), 1);
    assert_eq!(world.take_ack(alice), None);
    world.realm.handle_stored(1, world.now);
    world.drain();
    assert_eq!(world.take_ack(alice).map(|ack| ack.packet_id), Some(3));
    world.send(alice, Packet::PubRel(PublishAck::success(3)));
    assert!(
        world
            .inbox(alice)
            .iter()
            .any(|packet| matches!(packet, Packet::PubComp(ack) if ack.code == ReasonCode::SUCCESS))
    );
}

#[test]
fn an_mqtt_5_client_gets_quota_exceeded_when_the_disk_is_full() {
    let mut world = waiting();
    let alice = world.enter_scene(1, entry("alice", MqttVersion::V5));
    world.say_surely(alice, TOPIC, &create());
    world.realm.handle_store_failed(world.changes[0].0, world.now);
    world.drain();
    let ack = world.take_ack(alice).expect("is told");
    assert_eq!((ack.code, ack.reason.as_deref()), (ReasonCode::QUOTA_EXCEEDED, Some("not_stored")));
}

#[test]
fn an_mqtt_3_1_1_client_gets_no_acknowledgement_on_a_full_disk_and_can_retry() {
    let mut world = waiting();
    let alice = world.enter_scene(1, entry("alice", MqttVersion::V311));
    world.say_surely(alice, TOPIC, &create());
    world.realm.handle_store_failed(world.changes[0].0, world.now);
    world.drain();
    assert_eq!(world.take_ack(alice), None);
    let told = world.messages(alice);
    assert_eq!(told.last().expect("is told").1["reason"], "not_stored");
    world.say_surely(alice, TOPIC, &create());
    assert_eq!(world.changes.len(), 2);
    world.realm.handle_stored(world.changes[1].0, world.now);
    world.drain();
    assert!(world.take_ack(alice).is_some());
}

#[test]
fn an_acknowledgement_for_an_ended_session_is_dropped() {
    let mut world = waiting();
    let alice = world.enter_scene(1, entry("alice", MqttVersion::V5));
    world.say_surely(alice, TOPIC, &create());
    world.close(alice);
    let bob = world.enter_scene(2, entry("bob", MqttVersion::V5));
    world.realm.handle_stored(world.changes[0].0, world.now);
    world.drain();
    assert_eq!(world.take_ack(bob), None);
}

fn clear() -> Command {
    Command::ClearScene { name: lobby(), author: "alice".into(), keep: alloc::collections::BTreeSet::new() }
}

fn put() -> Command {
    let object = StoredObject {
        object_id: "box2".into(),
        type_name: "object".into(),
        attributes: serde_json::Map::new(),
        expires_at: None,
        created_at: UnixMillis(0),
        updated_at: UnixMillis(0),
    };
    Command::PutObjects { name: lobby(), author: "alice".into(), objects: alloc::vec![object] }
}

#[test]
fn a_scene_command_is_answered_after_the_store_commits_or_fails() {
    let mut world = waiting();
    world.realm.handle_command(CommandId(1), clear(), world.now);
    world.drain();
    assert!(
        matches!(world.answers.pop(), Some(CommandAnswer::Done)),
        "there was nothing to delete, nothing to wait for"
    );
    for command in [put, clear] {
        world.realm.handle_command(CommandId(2), command(), world.now);
        world.drain();
        assert!(world.answers.is_empty(), "it is not on disk yet");
        let sequence = world.changes.pop().expect("is to be stored").0;
        world.realm.handle_stored(sequence, world.now);
        world.drain();
        assert!(matches!(world.answers.pop(), Some(CommandAnswer::Done)));
    }
    for command in [put, clear] {
        world.realm.handle_command(CommandId(3), command(), world.now);
        world.drain();
        world.realm.handle_store_failed(world.changes.pop().expect("is to be stored").0, world.now);
        world.drain();
        assert!(matches!(world.answers.pop(), Some(CommandAnswer::NotStored)));
    }
}
