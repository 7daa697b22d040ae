//! People on the motion plane and plain MQTT clients.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::{Value, json};
use stoa_wire::motion::{MotionObjectKind as Part, PackedPose, Pose};
use stoa_wire::packet::MqttVersion;

use super::world::{World, claims, entry, lobby};
use crate::grant::Role;
use crate::limits;
use crate::realm::{Command, CommandAnswer, MotionGrantId, MotionPlaneEvent, PoseFromMqtt};

fn pose(x: f64) -> PackedPose {
    PackedPose::pack(&Pose { position: [x, 1.6, -2.5], rotation: [0.0, 0.6, 0.0, 0.8] }).unwrap()
}

fn id_tag(sub: &str) -> String {
    format!("{sub}_0123456789")
}

fn topic(kind: &str, sub: &str, object_id: &str) -> String {
    format!("realm/s/public/lobby/{kind}/{sub}_0123456789_web/{object_id}")
}

fn camera(sub: &str, action: &str, x: f64) -> String {
    let attributes = json!({"object_type": "camera", "position": {"x": x, "y": 0, "z": 0}});
    json!({"object_id": id_tag(sub), "action": action, "type": "object", "data": attributes}).to_string()
}

fn let_in(world: &mut World, sub: &str) -> MotionGrantId {
    let claims = claims(sub, Role::Editor, false);
    let CommandAnswer::MotionGrant(motion_grant) =
        world.command(Command::GrantMotion { name: lobby(), claims: claims.into(), network: None })
    else {
        panic!("no pass")
    };
    told(world, &[MotionPlaneEvent::Entered { motion_grant: motion_grant.id }]);
    motion_grant.id
}

fn told(world: &mut World, told: &[MotionPlaneEvent]) {
    world.realm.handle_motion(&lobby(), told, world.now);
    world.drain();
}

fn moved(motion_grant: MotionGrantId, part: Part, x: f64) -> MotionPlaneEvent {
    MotionPlaneEvent::Moved { motion_grant, part, pose: pose(x) }
}

fn actions(messages: &[(String, Value)]) -> Vec<(&str, &str)> {
    messages.iter().map(|(topic, payload)| (topic.as_str(), payload["action"].as_str().unwrap())).collect()
}

#[test]
fn a_person_only_on_the_motion_plane_gets_a_camera_on_mqtt_until_it_leaves() {
    let mut world = World::new();
    let mqtt = world.enter_scene(1, entry("alice", MqttVersion::V311));
    let motion_grant = let_in(&mut world, "bob");
    assert_eq!(world.messages(mqtt), []);
    told(&mut world, &[moved(motion_grant, Part::Head, 1.25)]);
    let messages = world.messages(mqtt);
    let (head, leave) = (topic("u", "bob", &id_tag("bob")), topic("x", "bob", &id_tag("bob")));
    assert_eq!(actions(&messages), [(head.as_str(), "create")]);
    let attributes = &messages[0].1["data"];
    assert_eq!(attributes["object_type"], "camera");
    assert_eq!(attributes["position"], json!({"x": 1.25, "y": 1.6, "z": -2.5}));
    assert_eq!(attributes["arena-user"]["displayName"], "bob_0123456789");
    let rotation = attributes["rotation"]["y"].as_f64().unwrap();
    assert!((rotation - 0.6).abs() < 0.001, "{rotation}");
    told(&mut world, &[moved(motion_grant, Part::Head, 2.0)]);
    assert_eq!(actions(&world.messages(mqtt)), [(head.as_str(), "update")]);
    told(&mut world, &[MotionPlaneEvent::Left { motion_grant }]);
    assert_eq!(actions(&world.messages(mqtt)), [(leave.as_str(), "leave")]);
    told(&mut world, &[moved(motion_grant, Part::Head, 3.0)]);
    assert_eq!(world.messages(mqtt), []);
}

#[test]
fn a_client_on_the_motion_plane_gets_no_pose_updates_by_mqtt() {
    let mut world = World::new();
    let both = world.enter_scene(1, entry("alice", MqttVersion::V5));
    // Large enough for groups.
    let crowd: Vec<_> =
        (0..6).map(|number| world.enter_scene(2 + number, entry(&format!("m{number}"), MqttVersion::V5))).collect();
    let (alice, bob) = (let_in(&mut world, "alice"), let_in(&mut world, "bob"));
    told(&mut world, &[moved(bob, Part::Head, 1.0)]);
    let first = world.messages(both);
    let head = topic("u", "bob", &id_tag("bob"));
    assert_eq!(actions(&first), [(head.as_str(), "create")], "who it is, nothing else says");
    assert_eq!(first[0].1["data"]["arena-user"]["displayName"], "bob_0123456789");
    crowd.iter().for_each(|client| assert_eq!(world.messages(*client).len(), 1));
    told(&mut world, &[moved(bob, Part::Head, 1.5)]);
    assert_eq!(world.messages(both), []);
    crowd.iter().for_each(|client| assert_eq!(world.messages(*client).len(), 1));
    told(&mut world, &[MotionPlaneEvent::Left { motion_grant: alice }, moved(bob, Part::Head, 2.0)]);
    assert_eq!(world.messages(both).len(), 1, "negative control");
}

#[test]
fn the_realm_reports_once_when_a_scene_loses_or_gains_mqtt_followers() {
    let mut world = World::new();
    let bob = let_in(&mut world, "bob");
    for x in 1..4 {
        assert_eq!(world.followed, [true], "whoever is told of in turns is heard of in turns");
        told(&mut world, &[moved(bob, Part::Head, f64::from(x))]);
        world.now = world.now + limits::MOTION_UNHEARD / 2;
    }
    told(&mut world, &[moved(bob, Part::Head, 4.0)]);
    assert_eq!(world.followed, [true, false]);
    let both = world.enter_scene(1, entry("alice", MqttVersion::V5));
    let alice = let_in(&mut world, "alice");
    told(&mut world, &[moved(bob, Part::Head, 5.0)]);
    assert_eq!(world.followed, [true, false], "who is on the plane has it by that");
    world.enter_scene(2, entry("carol", MqttVersion::V5));
    for x in 6..9 {
        told(&mut world, &[moved(bob, Part::Head, f64::from(x)), moved(alice, Part::Head, 1.0)]);
    }
    assert_eq!(world.followed, [true, false, true]);
    assert_eq!(world.messages(both).len(), 1, "that alice is there herself");
    for motion_grant in [bob, alice] {
        told(&mut world, &[MotionPlaneEvent::Left { motion_grant }]);
    }
    let carol = let_in(&mut world, "carol");
    told(&mut world, &[moved(carol, Part::Head, 1.0)]);
    assert_eq!(world.followed, [true, false, true, true], "until it is said, somebody does");
}

#[test]
fn the_first_entry_to_an_empty_motion_plane_reports_the_scene_as_followed() {
    let mut world = World::new();
    let bob = let_in(&mut world, "bob");
    for x in 1..4 {
        told(&mut world, &[moved(bob, Part::Head, f64::from(x))]);
        world.now = world.now + limits::MOTION_UNHEARD / 2;
    }
    assert_eq!(world.followed, [true, false]);
    told(&mut world, &[MotionPlaneEvent::Left { motion_grant: bob }, MotionPlaneEvent::Entered { motion_grant: bob }]);
    assert_eq!(world.followed, [true, false, true], "by another way, while the plane keeps the scene");
}

#[test]
fn a_hand_is_created_on_mqtt_only_with_its_head_and_deleted_when_withdrawn() {
    let mut world = World::new();
    let mqtt = world.enter_scene(1, entry("alice", MqttVersion::V311));
    let motion_grant = let_in(&mut world, "bob");
    told(&mut world, &[moved(motion_grant, Part::LeftHand, 1.0)]);
    assert_eq!(world.messages(mqtt), [], "a hand without a person");
    told(&mut world, &[moved(motion_grant, Part::Head, 1.0), moved(motion_grant, Part::LeftHand, 1.0)]);
    let messages = world.messages(mqtt);
    let hand = topic("u", "bob", "handLeft_bob_0123456789");
    assert_eq!(actions(&messages)[1], (hand.as_str(), "create"));
    assert_eq!(messages[1].1["data"]["object_type"], "handLeft");
    assert_eq!(messages[1].1["data"]["dep"], id_tag("bob"));
    told(&mut world, &[MotionPlaneEvent::Gone { motion_grant, part: Part::LeftHand }]);
    assert_eq!(actions(&world.messages(mqtt)), [(hand.as_str(), "delete")]);
    told(&mut world, &[MotionPlaneEvent::Gone { motion_grant, part: Part::LeftHand }]);
    assert_eq!(world.messages(mqtt), []);
}

#[test]
fn a_person_that_left_by_mqtt_is_not_recreated_from_the_motion_plane() {
    let mut world = World::new();
    let mqtt = world.enter_scene(1, entry("alice", MqttVersion::V311));
    let bob = world.enter_scene(2, entry("bob", MqttVersion::V5));
    let motion_grant = let_in(&mut world, "bob");
    world.say(bob, &topic("u", "bob", &id_tag("bob")), &camera("bob", "create", 0.0));
    told(&mut world, &[moved(motion_grant, Part::Head, 1.0)]);
    assert_eq!(actions(&world.messages(mqtt)).len(), 2);
    world.close(bob);
    assert_eq!(actions(&world.messages(mqtt)).len(), 1);
    told(&mut world, &[moved(motion_grant, Part::Head, 2.0), MotionPlaneEvent::Left { motion_grant }]);
    assert_eq!(world.messages(mqtt), []);
}

#[test]
fn mqtt_cameras_are_shown_on_the_motion_plane_while_a_person_is_on_it() {
    let mut world = World::new();
    let alice = world.enter_scene(1, entry("alice", MqttVersion::V311));
    world.say(alice, &topic("u", "alice", &id_tag("alice")), &camera("alice", "create", 1.0));
    assert_eq!(world.placed, [], "nobody is on the plane");
    let motion_grant = let_in(&mut world, "bob");
    let at = |x: f64| {
        let position = Some([x, 0.0, 0.0]);
        Ok(PoseFromMqtt { id_tag: id_tag("alice"), part: Part::Head, position, rotation: None })
    };
    assert_eq!(core::mem::take(&mut world.placed), [at(1.0)], "whoever was there before");
    world.say(alice, &topic("u", "alice", &id_tag("alice")), &camera("alice", "update", 2.0));
    assert_eq!(core::mem::take(&mut world.placed), [at(2.0)]);
    let no_place =
        json!({"object_id": id_tag("alice"), "action": "update", "type": "object", "data": {"color": "red"}});
    world.say(alice, &topic("u", "alice", &id_tag("alice")), &no_place.to_string());
    assert_eq!(world.placed, []);
    world.close(alice);
    assert_eq!(core::mem::take(&mut world.placed), [Err((id_tag("alice"), None))]);
    told(&mut world, &[MotionPlaneEvent::Left { motion_grant }]);
}

#[test]
fn a_persons_mqtt_camera_moves_it_only_after_it_leaves_the_motion_plane() {
    let mut world = World::new();
    let alice = world.enter_scene(1, entry("alice", MqttVersion::V311));
    let (own, other) = (let_in(&mut world, "alice"), let_in(&mut world, "bob"));
    let say = |world: &mut World, x| {
        world.say(alice, &topic("u", "alice", &id_tag("alice")), &camera("alice", "update", x));
        core::mem::take(&mut world.placed).len()
    };
    assert_eq!(say(&mut world, 1.0), 0);
    told(&mut world, &[MotionPlaneEvent::Left { motion_grant: own }]);
    assert_eq!(core::mem::take(&mut world.placed).len(), 1, "it goes on by MQTT");
    assert_eq!(say(&mut world, 2.0), 1);
    told(&mut world, &[MotionPlaneEvent::Left { motion_grant: other }]);
    assert_eq!(say(&mut world, 3.0), 0, "nobody is left on the plane");
}

#[test]
fn a_deleted_or_expired_hand_is_removed_from_the_motion_plane() {
    let mut world = World::new();
    let alice = world.enter_scene(1, entry("alice", MqttVersion::V311));
    let_in(&mut world, "bob");
    world.say(alice, &topic("u", "alice", &id_tag("alice")), &camera("alice", "create", 1.0));
    let hand = |action: &str, id: &str| {
        let attributes = json!({"object_type": "handLeft", "position": {"x": 1, "y": 1, "z": 1}});
        json!({"object_id": id, "action": action, "type": "object", "ttl": 2, "data": attributes}).to_string()
    };
    let [left, right] = ["handLeft_alice_0123456789", "handRight_alice_0123456789"];
    for id in [left, right] {
        world.say(alice, &topic("u", "alice", id), &hand("create", id));
    }
    assert_eq!(core::mem::take(&mut world.placed).len(), 3);
    world.say(alice, &topic("u", "alice", left), &json!({"object_id": left, "action": "delete"}).to_string());
    assert_eq!(core::mem::take(&mut world.placed), [Err((id_tag("alice"), Some(Part::LeftHand)))]);
    world.pass(3);
    assert_eq!(core::mem::take(&mut world.placed), [Err((id_tag("alice"), Some(Part::RightHand)))]);
}
