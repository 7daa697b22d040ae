//! People and objects in a scene.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use serde_json::json;
use stoa_wire::packet::{
    Disconnect, MqttVersion, Packet, Qos, RetainHandling, Subscribe, SubscriptionRequest, Unsubscribe,
};

use super::world::{World, entry, explicit, guest, lobby, will};
use crate::grant::SceneSettings;
use crate::limits;
use crate::realm::{Command, CommandAnswer, CommandId};
use crate::scene::StoredScene;

const ALICE: &str = "alice_0123456789";

fn user_topic(kind: &str) -> String {
    format!("realm/s/public/lobby/{kind}/{ALICE}_web/{ALICE}")
}

fn camera(action: &str) -> String {
    json!({"object_id": ALICE, "action": action, "type": "object", "data": {"object_type": "camera"}}).to_string()
}

fn presence(action: &str) -> String {
    json!({"object_id": ALICE, "action": action, "type": "arena", "dn": "Alice"}).to_string()
}

fn leaves(messages: &[(String, serde_json::Value)]) -> usize {
    messages.iter().filter(|(_, payload)| payload["action"] == "leave").count()
}

#[test]
fn two_clients_see_each_other_and_themselves() {
    let mut world = World::new();
    let alice = world.enter_scene(1, entry("alice", MqttVersion::V5));
    let bob = world.enter_scene(2, entry("bob", MqttVersion::V311));
    world.say(alice, &user_topic("u"), &camera("create"));
    for client in [alice, bob] {
        let messages = world.messages(client);
        assert_eq!(messages.len(), 1);
        assert_eq!(messages[0].0, user_topic("u"));
    }
    world.say(
        bob,
        "realm/s/public/lobby/u/bob_0123456789_web/bob_0123456789",
        &camera("create").replace("alice", "bob"),
    );
    assert_eq!(world.messages(alice).len(), 1);
}

#[test]
fn a_closed_connection_publishes_a_leave() {
    let mut world = World::new();
    let alice = world.enter_scene(1, entry("alice", MqttVersion::V311));
    let bob = world.enter_scene(2, entry("bob", MqttVersion::V311));
    world.say(alice, &user_topic("u"), &camera("create"));
    world.say(alice, &user_topic("x"), &presence("join"));
    assert_eq!(leaves(&world.messages(bob)), 0, "negative control");
    world.close(alice);
    assert_eq!(leaves(&world.messages(bob)), 1);
}

#[test]
fn a_leave_is_published_once_whether_its_will_is_sent_or_discarded() {
    let mut world = World::new();
    let mut with_will = entry("alice", MqttVersion::V311);
    with_will.connect.will = Some(will(&user_topic("x"), r#"{"object_id":"alice_0123456789","action":"leave"}"#));
    let alice = world.enter_scene(1, with_will.clone());
    let bob = world.enter_scene(2, entry("bob", MqttVersion::V311));
    world.say(alice, &user_topic("u"), &camera("create"));
    world.close(alice);
    assert_eq!(leaves(&world.messages(bob)), 1);

    let alice = world.enter_scene(3, with_will);
    world.say(alice, &user_topic("u"), &camera("create"));
    world.send(alice, Packet::Disconnect(Disconnect::default()));
    assert_eq!(leaves(&world.messages(bob)), 1, "the realm says it where a DISCONNECT discards the will");
    assert!(world.closed.contains(&alice));
}

#[test]
fn a_late_pose_after_a_leave_does_not_restore_the_person() {
    let mut world = World::new();
    let alice = world.enter_scene(1, entry("alice", MqttVersion::V311));
    let bob = world.enter_scene(2, entry("bob", MqttVersion::V311));
    world.say(alice, &user_topic("u"), &camera("create"));
    world.say(alice, &user_topic("x"), &presence("leave"));
    world.messages(bob);
    world.say(alice, &user_topic("u"), &camera("update"));
    assert_eq!(world.messages(bob), Vec::new());
    assert_eq!(world.realm.scenes[&lobby()].scene.people(), 0);
    world.say(alice, &user_topic("u"), &camera("create"));
    assert_eq!(world.messages(bob).len(), 1, "negative control: a create begins a new stay");
}

#[test]
fn a_late_mqtt_3_1_1_joiner_receives_cameras_before_joins() {
    let mut world = World::new();
    let alice = world.enter_scene(1, entry("alice", MqttVersion::V5));
    world.say(alice, &user_topic("u"), &camera("create"));
    world.say(alice, &user_topic("x"), &presence("join"));
    let bob = world.enter_scene(2, entry("bob", MqttVersion::V311));
    let topics: Vec<String> = world.messages(bob).into_iter().map(|(topic, _)| topic).collect();
    assert_eq!(topics, [user_topic("u"), user_topic("x")]);
    let carol = world.enter_scene(3, entry("carol", MqttVersion::V5));
    assert_eq!(world.messages(carol), Vec::new(), "an MQTT 5 client takes the snapshot");
}

#[test]
fn presence_is_replayed_once_to_a_client_with_overlapping_filters() {
    let mut world = World::new();
    let alice = world.enter_scene(1, entry("alice", MqttVersion::V5));
    world.say(alice, &user_topic("u"), &camera("create"));
    let bob = world.enter(2, explicit("bob", MqttVersion::V311, &["realm/s/public/#"]));
    let everything = "realm/s/public/lobby/+/+/+";
    let filters = [everything, "realm/s/public/+/+/+/+", "realm/s/public/lobby/#", everything];
    let subscriptions = filters.map(|filter| SubscriptionRequest {
        filter: filter.into(),
        qos: Qos::AtMostOnce,
        no_local: false,
        retain_as_published: false,
        retain_handling: RetainHandling::Send,
    });
    let subscriptions = subscriptions.to_vec();
    world.send(bob, Packet::Subscribe(Subscribe { packet_id: 1, subscriptions, subscription_id: None }));
    assert_eq!(world.messages(bob).len(), 1);
    world.subscribe(bob, everything, Qos::AtLeastOnce);
    assert_eq!(world.messages(bob).len(), 0, "that subscription is not new");
    let filters = vec![everything.to_string()];
    world.send(bob, Packet::Unsubscribe(Unsubscribe { packet_id: 2, filters }));
    world.subscribe(bob, everything, Qos::AtMostOnce);
    assert_eq!(world.messages(bob).len(), 1, "whoever asks again is told again");
}

#[test]
fn a_repeated_presence_replay_is_charged_for_each_person() {
    let mut world = World::new();
    for number in 0..20 {
        let name = format!("anonymous-{number}");
        let connection = world.enter_scene(10 + number, guest(&name, MqttVersion::V5));
        let topic = format!("realm/s/public/lobby/u/{name}_0123456789_web/{name}_0123456789");
        world.say(connection, &topic, &camera("create").replace(ALICE, &format!("{name}_0123456789")));
    }
    let bob = world.enter(2, guest("bob", MqttVersion::V311));
    let everything = "realm/s/public/lobby/+/+/+";
    let again = (0..1_000).take_while(|_| {
        let is_granted = !world.subscribe(bob, everything, Qos::AtMostOnce).is_error();
        let filters = vec![everything.to_string()];
        world.send(bob, Packet::Unsubscribe(Unsubscribe { packet_id: 2, filters }));
        assert_eq!(world.messages(bob).len(), if is_granted { 20 } else { 0 });
        is_granted
    });
    // The first replay is free; each further request counts too.
    let allowed = limits::GUEST_MESSAGES_BURST as usize / (1 + 20);
    let asked = again.count();
    assert!((allowed..=allowed + 2).contains(&asked), "{asked} of {allowed}");
}

#[test]
fn the_owner_leaves_and_the_persisted_object_stays() {
    let mut world = World::new();
    let alice = world.enter_scene(1, entry("alice", MqttVersion::V311));
    let create = json!({"object_id": "box1", "action": "create", "persist": true, "data": {"object_type": "box"}});
    world.say(alice, &format!("realm/s/public/lobby/o/{ALICE}_web/box1"), &create.to_string());
    world.close(alice);
    let CommandAnswer::Records(records) =
        world.command(Command::Records { name: lobby(), object_id: None, object_type: None })
    else {
        panic!("is Records")
    };
    let records: serde_json::Value = serde_json::to_value(&records).unwrap();
    assert_eq!(records[0]["object_id"], "box1");
    let CommandAnswer::Snapshot(snapshot) = world.command(Command::Snapshot { name: lobby() }) else {
        panic!("is Snapshot")
    };
    assert!(snapshot.messages().iter().any(|(_, payload)| payload["object_id"] == "box1"));
    assert_eq!(world.changes.len(), 1);
}

#[test]
fn a_change_carries_its_revision_to_mqtt_5_and_an_event_carries_none() {
    let mut world = World::new();
    let alice = world.enter_scene(1, entry("alice", MqttVersion::V5));
    let forged = alloc::vec![(String::from("stoa-revision"), String::from("999"))];
    let mut publish = super::world::publish(&user_topic("u"), &camera("create"));
    publish.properties.user_properties = forged.clone();
    world.send(alice, Packet::Publish(publish));
    let mut chat =
        super::world::publish(&user_topic("c"), &json!({"object_id": ALICE, "type": "chat", "text": "hi"}).to_string());
    chat.properties.user_properties = forged;
    world.send(alice, Packet::Publish(chat));
    let inbox = world.inbox(alice);
    let properties = |index: usize| match &inbox[index] {
        Packet::Publish(publish) => publish.properties.user_properties.clone(),
        other => panic!("{other:?} is a message"),
    };
    let pair = |key: &str, value: &str| (String::from(key), String::from(value));
    assert_eq!(properties(0), [pair("stoa-epoch", "7"), pair("stoa-revision", "1")]);
    assert_eq!(properties(1), []);
}

#[test]
fn a_closed_scene_announces_leaves_and_refuses_later_messages() {
    let mut world = World::new();
    let alice = world.enter_scene(1, entry("alice", MqttVersion::V311));
    let bob = world.enter_scene(2, entry("bob", MqttVersion::V311));
    world.say(alice, &user_topic("u"), &camera("create"));
    world.command(Command::CloseScene { name: lobby() });
    assert_eq!(leaves(&world.messages(bob)), 1);
    world.say(alice, &user_topic("u"), &camera("create"));
    let told = world.messages(alice);
    assert_eq!(told.last().expect("alice is told").1["reason"], "no_such_scene");
    assert!(matches!(world.command(Command::Snapshot { name: lobby() }), CommandAnswer::NoSuchScene));
}

#[test]
fn a_renamed_scene_disconnects_its_clients_and_waits_for_its_commits() {
    let mut world = World::new();
    let alice = world.enter_scene(1, entry("alice", MqttVersion::V5));
    let topic = format!("realm/s/public/lobby/o/{ALICE}_web/box1");
    let create = json!({"object_id": "box1", "action": "create", "persist": true, "data": {"object_type": "box"}});
    world.store_waits = true;
    world.say(alice, &topic, &create.to_string());
    world.realm.handle_command(
        CommandId(2),
        Command::VacateScene { name: lobby(), to: "public/hall".parse().unwrap() },
        world.now,
    );
    world.drain();
    assert!(world.closed.contains(&alice));
    assert!(world.answers.is_empty(), "the box is not on disk yet");
    let (last, _) = world.changes.last().expect("the box is on its way");
    world.realm.handle_stored(*last, world.now);
    world.drain();
    assert!(matches!(world.answers.pop(), Some(CommandAnswer::Done)));
    assert!(matches!(
        world.command(Command::VacateScene { name: lobby(), to: "public/hall".parse().unwrap() }),
        CommandAnswer::NoSuchScene
    ));
}

#[test]
fn a_recreated_scene_starts_a_new_epoch_at_revision_zero() {
    let mut world = World::new();
    let alice = world.enter_scene(1, entry("alice", MqttVersion::V5));
    let topic = format!("realm/s/public/lobby/o/{ALICE}_web/box1");
    let create = json!({"object_id": "box1", "action": "create", "persist": true, "data": {"object_type": "box"}});
    world.say(alice, &topic, &create.to_string());
    world.say(alice, &topic, &create.to_string());
    world.command(Command::CloseScene { name: lobby() });
    let (settings, stored) = (SceneSettings::default(), StoredScene::default());
    world.command(Command::OpenScene { name: lobby(), epoch: 8, settings, stored });
    let CommandAnswer::Snapshot(snapshot) = world.command(Command::Snapshot { name: lobby() }) else {
        panic!("is Snapshot")
    };
    assert_eq!((snapshot.epoch, snapshot.revision, snapshot.messages().len()), (8, 0, 0));

    let bob = world.enter_scene(2, entry("bob", MqttVersion::V5));
    world.inbox(alice);
    world.say(bob, &topic.replace("alice", "bob"), &create.to_string());
    let inbox = world.inbox(alice);
    let [Packet::Publish(publish)] = &inbox[..] else { panic!("one message: {inbox:?}") };
    let number = |key: &str| publish.properties.user_properties.iter().find(|(name, _)| name == key).unwrap().1.clone();
    assert_eq!((number("stoa-epoch").as_str(), number("stoa-revision").as_str()), ("8", "1"));
    let streams: Vec<_> = world.changes.iter().map(|(_, change)| (change.epoch, change.revision)).collect();
    assert_eq!(streams, [(7, 1), (7, 2), (8, 1)], "the store can tell them apart");
}
