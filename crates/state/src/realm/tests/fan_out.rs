//! One message, many receivers.

use alloc::format;
use alloc::string::ToString;

use serde_json::json;
use stoa_wire::packet::{
    MqttVersion, Packet, Publish, Qos, ReasonCode, RetainHandling, Subscribe, SubscriptionRequest,
};

use super::ConnectionId;
use super::world::{Entry, World, entry, explicit, lobby, publish};
use crate::grant::{Claims, Role, RoleRequester, SceneSettings, TokenIds, filters};
use crate::realm::RealmCounter;

#[test]
fn a_message_is_encoded_once_per_mqtt_version_for_all_receivers() {
    let mut world = World::new();
    let clients = 40_u64;
    for id in 0..clients {
        let version = if id % 2 == 0 { MqttVersion::V311 } else { MqttVersion::V5 };
        world.enter_scene(id, entry(&format!("user{id}"), version));
    }
    let (encoded, delivered) = (world.count(RealmCounter::Encoded), world.count(RealmCounter::Delivered));
    world.frames.clear();
    let id_tag = "user0_0123456789";
    let camera = json!({"object_id": id_tag, "action": "create", "data": {"object_type": "camera"}}).to_string();
    world.say(ConnectionId(0), &format!("realm/s/public/lobby/u/{id_tag}_web/{id_tag}"), &camera);
    assert_eq!(world.count(RealmCounter::Delivered) - delivered, clients);
    assert_eq!(world.count(RealmCounter::Encoded) - encoded, 2, "once for 3.1.1, once for 5");
    let mut buffers: alloc::vec::Vec<_> = world.frames.iter().map(|(_, frame)| frame.parts()[0].as_ptr()).collect();
    assert_eq!(buffers.len(), 40);
    buffers.sort();
    buffers.dedup();
    assert_eq!(buffers.len(), 2, "the bytes are shared, not copied");
}

#[test]
fn a_no_local_subscription_skips_the_clients_own_messages() {
    let mut world = World::new();
    let alice = world.enter(1, explicit("alice", MqttVersion::V5, &["a/#"]));
    let subscription = SubscriptionRequest {
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
    let bob = world.enter(2, explicit("bob", MqttVersion::V5, &["a/#"]));
    world.say(bob, "a/b", "1");
    assert_eq!(world.messages(alice).len(), 1, "negative control");
}

#[test]
fn a_latency_probe_completes_at_qos_2_and_skips_leading_wildcards() {
    let mut world = World::new();
    let alice = world.enter(1, explicit("alice", MqttVersion::V311, &["#", "$NETWORK/#"]));
    world.subscribe(alice, "#", Qos::AtMostOnce);
    let probe = Publish { qos: Qos::ExactlyOnce, packet_id: Some(1), ..publish("$NETWORK/latency", "") };
    world.send(alice, Packet::Publish(probe));
    assert!(matches!(&world.inbox(alice)[..], [Packet::PubRec(ack)] if ack.packet_id == 1));
    world.send(alice, Packet::PubRel(stoa_wire::packet::PublishAck::success(1)));
    assert!(matches!(&world.inbox(alice)[..], [Packet::PubComp(ack)] if ack.packet_id == 1));
    world.subscribe(alice, "$NETWORK/#", Qos::AtMostOnce);
    world.say(alice, "$NETWORK/latency", "");
    assert_eq!(world.inbox(alice).len(), 1, "negative control: asked for by name");
}

#[test]
fn a_retained_message_reaches_later_subscribers_until_it_is_cleared() {
    let mut world = World::new();
    let alice = world.enter(1, explicit("alice", MqttVersion::V5, &["a/#"]));
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
fn retained_messages_count_as_delivered_at_each_qos() {
    for qos in [Qos::AtMostOnce, Qos::AtLeastOnce] {
        let mut world = World::new();
        let alice = world.enter(1, explicit("alice", MqttVersion::V5, &["a/#"]));
        let packet_id = (qos == Qos::AtLeastOnce).then_some(1);
        world.send(alice, Packet::Publish(Publish { retain: true, qos, packet_id, ..publish("a/b", "1") }));
        let delivered = world.count(RealmCounter::Delivered);
        world.subscribe(alice, "a/+", qos);
        assert_eq!(world.count(RealmCounter::Delivered), delivered + 1, "{qos:?}");
    }
}

#[test]
fn scene_messages_are_never_retained() {
    let mut world = World::new();
    let alice = world.enter_scene(1, entry("alice", MqttVersion::V5));
    let chat = json!({"object_id": "alice_0123456789", "type": "chat", "text": "hi"}).to_string();
    let topic = "realm/s/public/lobby/c/alice_0123456789_web/alice_0123456789";
    world.send(alice, Packet::Publish(Publish { retain: true, ..publish(topic, &chat) }));
    assert_eq!(world.messages(alice).len(), 1, "negative control");
    let bob = world.enter_scene(2, entry("bob", MqttVersion::V5));
    assert_eq!(world.messages(bob), []);
}

#[test]
fn a_qos_1_message_is_queued_for_a_disconnected_persistent_session() {
    let mut world = World::new();
    let mut lasting = explicit("alice", MqttVersion::V311, &["a/#"]);
    lasting.connect.clean_start = false;
    let alice = world.enter(1, lasting.clone());
    world.subscribe(alice, "a/#", Qos::AtLeastOnce);
    world.close(alice);
    let bob = world.enter(2, explicit("bob", MqttVersion::V5, &["a/#"]));
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
    let alice = world.enter_scene(1, entry("alice", MqttVersion::V5));
    let bob = world.enter_scene(2, entry("bob", MqttVersion::V5));
    let carol = world.enter_scene(3, entry("carol", MqttVersion::V5));
    let chat = json!({"object_id": "alice_0123456789", "type": "chat", "text": "psst"}).to_string();
    world.say(alice, "realm/s/public/lobby/c/alice_0123456789_web/alice_0123456789/bob_0123456789", &chat);
    assert_eq!(world.messages(bob).len(), 1);
    assert_eq!(world.messages(carol), []);
}

/// With an environment token that names no client id.
fn unnamed(sub: &str) -> Entry {
    let plain = entry(sub, MqttVersion::V311);
    let granted = filters(&crate::grant::TokenFilterInput {
        role: Role::Viewer,
        scene: &lobby(),
        settings: &SceneSettings::default(),
        account: &RoleRequester { name: sub, realm_owner: false, guest: false },
        ids: &TokenIds::default(),
    });
    let claims = Claims { publ: granted.publ, subs: granted.subs, user_client: None, user_id: None, ..plain.claims };
    Entry { claims, ..plain }
}

#[test]
fn a_wildcard_subscription_gets_no_private_messages_for_other_clients() {
    let mut world = World::new();
    let alice = world.enter_scene(1, entry("alice", MqttVersion::V5));
    // One alone, and enough of them for a group.
    for crowd in [1, 6] {
        let eavesdroppers: alloc::vec::Vec<_> = (0..crowd)
            .map(|number| {
                let connection = world.enter(100 * crowd + number, unnamed(&alloc::format!("kiosk-{crowd}-{number}")));
                let code = world.subscribe(connection, "realm/s/public/lobby/+/+/+/+/#", Qos::AtMostOnce);
                assert_eq!(code, ReasonCode::SUCCESS);
                connection
            })
            .collect();
        let mut say = |to: &str| {
            let chat = json!({"object_id": "alice_0123456789", "type": "chat", "text": "psst"}).to_string();
            let own = "realm/s/public/lobby/c/alice_0123456789_web/alice_0123456789";
            world.say(alice, &alloc::format!("{own}/{to}"), &chat);
            eavesdroppers.iter().map(|connection| world.messages(*connection).len()).collect::<alloc::vec::Vec<_>>()
        };
        assert!(say("bob_0123456789").iter().all(|count| *count == 0));
        let heard = say(&alloc::format!("client-kiosk-{crowd}-0"));
        assert_eq!((heard[0], heard.iter().sum::<usize>()), (1, 1), "negative control: its client id is its idTag");
    }
}

/// Enough clients for a group.
fn crowd(world: &mut World, filter: &str, qos: Qos) -> alloc::vec::Vec<super::ConnectionId> {
    let names = ["ann", "ben", "cem", "dan", "eve", "fay"];
    let enter = |(id, name): (usize, &&str)| {
        let connection = world.enter(10 + id as u64, explicit(name, MqttVersion::V311, &["a/#"]));
        world.subscribe(connection, filter, qos);
        connection
    };
    names.iter().enumerate().map(enter).collect()
}

#[test]
fn a_message_for_a_receiver_group_is_one_output() {
    let mut world = World::new();
    let crowd = crowd(&mut world, "a/#", Qos::AtMostOnce);
    let said = Packet::Publish(publish("a/b", "1"));
    world.realm.handle_packet(crowd[0], said, world.now);
    let outputs: alloc::vec::Vec<_> = core::iter::from_fn(|| world.realm.poll_output()).collect();
    let shared = outputs
        .iter()
        .filter(|output| matches!(output, crate::realm::RealmOutput::Share { group, .. } if group.members.len() == 6));
    assert_eq!(shared.count(), 1);
    assert!(!outputs.iter().any(|output| matches!(output, crate::realm::RealmOutput::Send { .. })), "{outputs:?}");
}

#[test]
fn a_receiver_group_follows_subscription_changes_at_the_next_message() {
    let mut world = World::new();
    let crowd = crowd(&mut world, "a/#", Qos::AtMostOnce);
    world.say(crowd[0], "a/b", "1");
    let leave = stoa_wire::packet::Unsubscribe { packet_id: 3, filters: alloc::vec!["a/#".into()] };
    world.send(crowd[1], Packet::Unsubscribe(leave));
    world.close(crowd[2]);
    world.inbox(crowd[1]);
    let late = world.enter(30, explicit("gil", MqttVersion::V311, &["a/#"]));
    world.subscribe(late, "a/+", Qos::AtMostOnce);
    world.say(crowd[0], "a/b", "2");
    assert_eq!(world.messages(crowd[1]), []);
    assert_eq!(world.messages(crowd[3]).len(), 2, "negative control");
    assert_eq!(world.messages(late).len(), 1);
}

#[test]
fn a_crowd_member_with_overlapping_subscriptions_gets_one_copy() {
    let mut world = World::new();
    let crowd = crowd(&mut world, "a/#", Qos::AtMostOnce);
    world.say(crowd[0], "a/b", "1");
    world.subscribe(crowd[1], "a/+", Qos::AtMostOnce);
    world.inbox(crowd[1]);
    world.say(crowd[0], "a/b", "2");
    assert_eq!(world.messages(crowd[1]).len(), 1);
    assert_eq!(world.messages(crowd[2]).len(), 2, "negative control");
}

#[test]
fn each_subscriber_in_a_crowd_gets_its_requested_qos() {
    let mut world = World::new();
    let sure = crowd(&mut world, "a/#", Qos::AtLeastOnce);
    let plain = world.enter(40, explicit("hal", MqttVersion::V311, &["a/#"]));
    world.subscribe(plain, "a/#", Qos::AtMostOnce);
    let surely = Publish { qos: Qos::AtLeastOnce, packet_id: Some(5), ..publish("a/b", "1") };
    world.send(sure[0], Packet::Publish(surely));
    for (connection, qos) in [(sure[1], Qos::AtLeastOnce), (plain, Qos::AtMostOnce)] {
        let inbox = world.inbox(connection);
        assert!(matches!(&inbox[..], [Packet::Publish(message)] if message.qos == qos), "{inbox:?}");
    }
}

#[test]
fn a_subscriber_in_a_crowd_gets_no_packet_above_its_maximum_size() {
    let mut world = World::new();
    let mut enter = |id: u64, packet_bytes_max| {
        let mut small = explicit(&format!("user{id}"), MqttVersion::V5, &["a/#"]);
        small.connect.packet_bytes_max = packet_bytes_max;
        let connection = world.enter(id, small);
        world.subscribe(connection, "a/#", Qos::AtMostOnce);
        connection
    };
    let crowd: alloc::vec::Vec<_> = (0..5).map(|id| enter(id, None)).collect();
    let small = enter(9, Some(100));
    world.say(crowd[0], "a/b", &"x".repeat(200));
    assert_eq!(world.messages(small), []);
    assert_eq!(world.messages(crowd[1]).len(), 1, "negative control");
    world.say(crowd[0], "a/b", "1");
    assert_eq!(world.messages(small).len(), 1);
}

#[test]
fn subscribers_with_equal_subscription_ids_share_one_encoded_packet() {
    let mut world = World::new();
    let subscribed = |world: &mut World, number: u64, filter: &str, id: u32| {
        let subscription = SubscriptionRequest {
            filter: filter.into(),
            qos: Qos::AtMostOnce,
            no_local: false,
            retain_as_published: false,
            retain_handling: RetainHandling::Send,
        };
        let asked = Subscribe { packet_id: 9, subscriptions: alloc::vec![subscription], subscription_id: Some(id) };
        world.send(ConnectionId(number), Packet::Subscribe(asked));
    };
    for number in 1..=10 {
        world.enter(number, explicit(&format!("ada{number}"), MqttVersion::V5, &["a/#"]));
        subscribed(&mut world, number, "a/b", 7);
        subscribed(&mut world, number, "a/+", 3);
    }
    let bo = world.enter(100, explicit("bo", MqttVersion::V5, &["a/#"]));
    let before = world.count(RealmCounter::Encoded);
    world.send(bo, Packet::Publish(publish("a/b", "x")));
    for number in 1..=10 {
        let inbox = world.inbox(ConnectionId(number));
        let Some(Packet::Publish(got)) = inbox.last() else { panic!("{inbox:?}") };
        assert_eq!(got.properties.subscription_ids, [3, 7]);
    }
    assert_eq!(world.count(RealmCounter::Encoded) - before, 1);
}

#[test]
fn subscribers_with_distinct_subscription_ids_share_the_payload() {
    for (qos, filter) in [(Qos::AtMostOnce, "a/b"), (Qos::AtLeastOnce, "a/b"), (Qos::AtMostOnce, "$share/own/a/b")] {
        let mut world = World::new();
        for number in 1..=10_u32 {
            let connection = world.enter(number.into(), explicit(&format!("ada{number}"), MqttVersion::V5, &["a/#"]));
            let subscription = SubscriptionRequest {
                filter: filter.replace("own", &number.to_string()),
                qos,
                no_local: false,
                retain_as_published: false,
                retain_handling: RetainHandling::Send,
            };
            let subscribe =
                Subscribe { packet_id: 9, subscriptions: alloc::vec![subscription], subscription_id: Some(number) };
            world.send(connection, Packet::Subscribe(subscribe));
            world.inbox(connection);
        }
        let bo = world.enter(100, explicit("bo", MqttVersion::V5, &["a/#"]));
        let packet_id = (qos > Qos::AtMostOnce).then_some(1);
        world.frames.clear();
        let payload = "x".repeat(30_000);
        world.send(bo, Packet::Publish(Publish { qos, packet_id, ..publish("a/b", &payload) }));
        let frames: alloc::vec::Vec<_> = world.frames.iter().filter(|(_, frame)| frame.len() > 30_000).collect();
        assert_eq!(frames.len(), 10, "{filter}");
        let shared = frames[0].1.parts()[1].as_ptr();
        assert!(frames.iter().all(|(_, frame)| frame.parts()[1].as_ptr() == shared), "{filter} {qos:?}");
        let own = frames.iter().map(|(_, frame)| frame.parts()[0].len()).max();
        assert!(own < Some(64), "{own:?} bytes of each receiver's own");
        for number in 1..=10_u32 {
            let got = world.publishes(ConnectionId(number.into()));
            assert_eq!(got[0].properties.subscription_ids, [number]);
            assert_eq!(got[0].payload.len(), payload.len());
        }
    }
}

#[test]
fn a_session_resumed_with_mqtt_3_1_1_gets_no_subscription_ids() {
    let mut world = World::new();
    let lasting = |sub: &str, version| {
        let mut entry = explicit(sub, version, &["a/#"]);
        (entry.connect.session_expiry_s, entry.connect.clean_start) = (Some(600), false);
        entry
    };
    for (number, sub) in [(1, "ada"), (2, "bo")] {
        let connection = world.enter(number, lasting(sub, MqttVersion::V5));
        let subscription = SubscriptionRequest {
            filter: "a/b".into(),
            qos: Qos::AtMostOnce,
            no_local: false,
            retain_as_published: false,
            retain_handling: RetainHandling::Send,
        };
        let asked = Subscribe { packet_id: 9, subscriptions: alloc::vec![subscription], subscription_id: Some(7) };
        world.send(connection, Packet::Subscribe(asked));
    }
    world.close(ConnectionId(2));
    let old = world.try_enter(3, lasting("bo", MqttVersion::V311));
    assert!(matches!(&world.inbox(old)[..], [Packet::ConnAck(ack)] if ack.session_present));
    let speaker = world.enter(4, explicit("speaker", MqttVersion::V5, &["a/#"]));
    world.say(speaker, "a/b", "x");
    for (connection, ids) in [(ConnectionId(1), &[7][..]), (old, &[])] {
        let [got] = &world.publishes(connection)[..] else { panic!("one message") };
        assert_eq!((&got.payload[..], &got.properties.subscription_ids[..]), (&b"x"[..], ids));
    }
}
