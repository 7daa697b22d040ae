//! One message, many receivers.

use alloc::format;
use alloc::string::ToString;

use serde_json::json;
use stoa_wire::packet::{Packet, Publish, Qos, RetainHandling, Subscribe, Subscription, Version};

use super::world::{World, entry, explicit, publish};
use crate::realm::Counter;

#[test]
fn a_message_is_encoded_once_per_version_however_many_receive_it() {
    let mut world = World::new();
    let clients = 40_u64;
    for id in 0..clients {
        let version = if id % 2 == 0 { Version::V311 } else { Version::V5 };
        world.enter_scene(id, entry(&format!("user{id}"), version));
    }
    let (encoded, delivered) = (world.count(Counter::Encoded), world.count(Counter::Delivered));
    world.frames.clear();
    let id_tag = "user0_0123456789";
    let camera = json!({"object_id": id_tag, "action": "create", "data": {"object_type": "camera"}}).to_string();
    world.say(super::ConnectionId(0), &format!("realm/s/public/lobby/u/{id_tag}_web/{id_tag}"), &camera);
    assert_eq!(world.count(Counter::Delivered) - delivered, clients);
    assert_eq!(world.count(Counter::Encoded) - encoded, 2, "once for 3.1.1, once for 5");
    let mut buffers: alloc::vec::Vec<_> = world.frames.iter().map(|(_, frame)| frame.parts()[0].as_ptr()).collect();
    assert_eq!(buffers.len(), 40);
    buffers.sort();
    buffers.dedup();
    assert_eq!(buffers.len(), 2, "the bytes are shared, not copied");
}

#[test]
fn no_local_is_kept_where_mqtt_5_asks_for_it() {
    let mut world = World::new();
    let alice = world.enter(1, explicit("alice", Version::V5, &["a/#"]));
    let subscription = Subscription {
        filter: "a/#".into(),
        qos: Qos::AtMostOnce,
        no_local: true,
        retain_as_published: false,
        retain_handling: RetainHandling::Send,
    };
    let subscribe = Subscribe { packet_id: 1, subscriptions: alloc::vec![subscription], subscription_id: None };
    world.send(alice, Packet::Subscribe(subscribe));
    world.say(alice, "a/b", "1");
    assert_eq!(world.messages(alice).len(), 0);
    let bob = world.enter(2, explicit("bob", Version::V5, &["a/#"]));
    world.say(bob, "a/b", "1");
    assert_eq!(world.messages(alice).len(), 1, "negative control");
}

#[test]
fn latency_probes_are_taken_at_qos_2_and_reach_no_wildcard() {
    let mut world = World::new();
    let alice = world.enter(1, explicit("alice", Version::V311, &["#", "$NETWORK/#"]));
    world.subscribe(alice, "#", Qos::AtMostOnce);
    let probe = Publish { qos: Qos::ExactlyOnce, packet_id: Some(1), ..publish("$NETWORK/latency", "") };
    world.send(alice, Packet::Publish(probe));
    assert!(matches!(&world.inbox(alice)[..], [Packet::PubRec(ack)] if ack.packet_id == 1));
    world.send(alice, Packet::PubRel(stoa_wire::packet::Ack::success(1)));
    assert!(matches!(&world.inbox(alice)[..], [Packet::PubComp(ack)] if ack.packet_id == 1));
    world.subscribe(alice, "$NETWORK/#", Qos::AtMostOnce);
    world.say(alice, "$NETWORK/latency", "");
    assert_eq!(world.inbox(alice).len(), 1, "negative control: asked for by name");
}

#[test]
fn a_retained_message_reaches_later_subscribers_until_it_is_cleared() {
    let mut world = World::new();
    let alice = world.enter(1, explicit("alice", Version::V5, &["a/#"]));
    world.send(alice, Packet::Publish(Publish { retain: true, ..publish("a/b", "1") }));
    world.subscribe(alice, "a/+", Qos::AtMostOnce);
    let inbox = world.inbox(alice);
    assert!(matches!(&inbox[..], [Packet::Publish(message)] if message.retain), "{inbox:?}");
    world.send(alice, Packet::Publish(Publish { retain: true, ..publish("a/b", "") }));
    world.inbox(alice);
    world.subscribe(alice, "a/#", Qos::AtMostOnce);
    assert_eq!(world.inbox(alice), []);
}

#[test]
fn nothing_of_a_scene_is_retained() {
    let mut world = World::new();
    let alice = world.enter_scene(1, entry("alice", Version::V5));
    let chat = json!({"object_id": "alice_0123456789", "type": "chat", "text": "hi"}).to_string();
    let topic = "realm/s/public/lobby/c/alice_0123456789_web/alice_0123456789";
    world.send(alice, Packet::Publish(Publish { retain: true, ..publish(topic, &chat) }));
    assert_eq!(world.messages(alice).len(), 1, "negative control");
    let bob = world.enter_scene(2, entry("bob", Version::V5));
    assert_eq!(world.messages(bob), []);
}

#[test]
fn a_message_of_qos_1_waits_for_a_client_that_will_be_back() {
    let mut world = World::new();
    let mut lasting = explicit("alice", Version::V311, &["a/#"]);
    lasting.connect.clean_start = false;
    let alice = world.enter(1, lasting.clone());
    world.subscribe(alice, "a/#", Qos::AtLeastOnce);
    world.close(alice);
    let bob = world.enter(2, explicit("bob", Version::V5, &["a/#"]));
    let surely = Publish { qos: Qos::AtLeastOnce, packet_id: Some(5), ..publish("a/b", "1") };
    world.send(bob, Packet::Publish(surely));
    let alice = world.try_enter(3, lasting);
    let inbox = world.inbox(alice);
    assert!(
        matches!(&inbox[..], [Packet::ConnAck(ack), Packet::Publish(message)] if ack.session_present && message.qos == Qos::AtLeastOnce),
        "{inbox:?}"
    );
}

#[test]
fn a_private_message_reaches_its_addressee_alone() {
    let mut world = World::new();
    let alice = world.enter_scene(1, entry("alice", Version::V5));
    let bob = world.enter_scene(2, entry("bob", Version::V5));
    let carol = world.enter_scene(3, entry("carol", Version::V5));
    let chat = json!({"object_id": "alice_0123456789", "type": "chat", "text": "psst"}).to_string();
    world.say(alice, "realm/s/public/lobby/c/alice_0123456789_web/alice_0123456789/bob_0123456789", &chat);
    assert_eq!(world.messages(bob).len(), 1);
    assert_eq!(world.messages(carol), []);
}
