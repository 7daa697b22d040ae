//! Muted people: no reactions and no other name, but they move on.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::{Value, json};
use stoa_wire::motion::{MotionObjectKind as Part, PackedPose, Pose};
use stoa_wire::packet::{MqttVersion, ReasonCode};

use super::ConnectionId;
use super::world::{Entry, World, guest, lobby};
use crate::grant::{Claims, Moderation, Restriction, RestrictionKind, SceneSettings};
use crate::realm::{Command, CommandAnswer, MotionPlaneEvent};
use crate::time::UnixSeconds;

const GUEST: &str = "anonymous-1_0123456789";
const WHO: &str = "guest:browser";

fn muted() -> SceneSettings {
    let (who, shown, by) = (WHO.to_string(), "Mallory".to_string(), "alice".to_string());
    let kind = RestrictionKind::Silence;
    let bar = Restriction { id: "b".into(), kind, who, shown, by, at: UnixSeconds(1), ends: None, extends: None };
    SceneSettings { moderation: Moderation { locked: false, bars: [bar].into() }, ..SceneSettings::default() }
}

fn enter(world: &mut World) -> ConnectionId {
    let mut entry = guest("anonymous-1", MqttVersion::V5);
    entry.claims = Claims { guest_id: Some("browser".into()), ..entry.claims };
    world.enter_scene(1, entry)
}

/// Publishes on the guest's own topic of this kind. Returns the reason code, and the payload that the other guest
/// received.
fn said(world: &mut World, connection: ConnectionId, kind: &str, payload: &Value) -> (ReasonCode, Option<Value>) {
    let topic = format!("realm/s/public/lobby/{kind}/{GUEST}_web/{GUEST}");
    let other = ConnectionId(2);
    world.messages(other);
    let ack = world.say_surely(connection, &topic, &payload.to_string()).expect("a PUBACK");
    let heard = world.messages(other).into_iter().find(|(heard, _)| *heard == topic);
    (ack.code, heard.map(|(_, payload)| payload))
}

fn camera(name: &str, x: i32) -> Value {
    let data =
        json!({"object_type": "camera", "position": {"x": x, "y": 0, "z": 0}, "arena-user": {"displayName": name}});
    json!({"object_id": GUEST, "action": "update", "type": "object", "data": data})
}

fn join(name: &str) -> Value {
    json!({"object_id": GUEST, "action": "join", "type": "arena", "dn": name})
}

fn names(heard: Option<Value>) -> String {
    let heard = heard.expect("others received it");
    let name = heard.get("dn").or_else(|| heard["data"]["arena-user"].get("displayName"));
    name.and_then(Value::as_str).expect("a name").to_string()
}

#[test]
fn a_muted_person_can_move_but_not_rename_until_unmuted() {
    let mut world = World::new();
    world.enter_scene(2, guest("anonymous-2", MqttVersion::V5));
    let person = enter(&mut world);
    said(&mut world, person, "u", &camera("Mallory", 1));
    assert_eq!(names(said(&mut world, person, "x", &join("Mallory")).1), "Mallory");
    world.set(muted());
    let (code, heard) = said(&mut world, person, "u", &camera("you are all stupid", 2));
    assert_eq!(code, ReasonCode::SUCCESS);
    assert_eq!(heard.as_ref().map(|heard| &heard["data"]["position"]["x"]), Some(&json!(2)), "it moves");
    assert_eq!(names(heard), "Mallory");
    assert_eq!(names(said(&mut world, person, "u", &camera("Mallory", 3)).1), "Mallory");
    said(&mut world, person, "x", &json!({"object_id": GUEST, "action": "leave"}));
    assert_eq!(names(said(&mut world, person, "x", &join("and again")).1), "Mallory", "after a leave");
    world.set(SceneSettings::default());
    assert_eq!(names(said(&mut world, person, "u", &camera("Sorry", 4)).1), "Sorry");
}

/// A guest of this browser, by a token with this name.
fn named(sub: &str, browser: &str, name: &str) -> Entry {
    let entry = guest(sub, MqttVersion::V5);
    let (guest_id, display_name) = (Some(browser.into()), Some(name.into()));
    Entry { claims: Claims { guest_id, display_name, ..entry.claims }, ..entry }
}

/// The muted guest, by a new token with another name, and a guest who isn't muted. Returns their connections.
fn enter_again(world: &mut World) -> [ConnectionId; 2] {
    world.enter_scene(2, guest("anonymous-2", MqttVersion::V5));
    world.set(muted());
    [("anonymous-3", "browser", "stupid"), ("anonymous-4", "browser-4", "Dora")]
        .map(|(sub, browser, name)| world.enter_scene(sub.as_bytes()[10].into(), named(sub, browser, name)))
}

/// Publishes the two people's joins and cameras, and returns the names in them as the other guest receives them.
fn enter_names(world: &mut World, people: [ConnectionId; 2]) -> Vec<String> {
    let mut heard = Vec::new();
    for (connection, number, name) in [(people[0], 3, "stupid"), (people[1], 4, "Dora")] {
        let id = format!("anonymous-{number}_0123456789");
        let join = json!({"object_id": id, "action": "join", "type": "arena", "dn": name});
        let data = json!({"object_type": "camera", "arena-user": {"displayName": name}});
        let camera = json!({"object_id": id, "action": "create", "type": "object", "data": data});
        for (kind, message) in [("x", join), ("u", camera)] {
            world.messages(ConnectionId(2));
            world.say(connection, &format!("realm/s/public/lobby/{kind}/{id}_web/{id}"), &message.to_string());
            heard.push(names(world.messages(ConnectionId(2)).pop().map(|(_, payload)| payload)));
        }
    }
    heard
}

#[test]
fn a_muted_person_with_a_new_token_keeps_its_previous_name() {
    let mut world = World::new();
    let people = enter_again(&mut world);
    assert_eq!(enter_names(&mut world, people), ["Mallory", "Mallory", "Dora", "Dora"]);
    world.set(SceneSettings::default());
    assert_eq!(enter_names(&mut world, people), ["stupid", "stupid", "Dora", "Dora"]);
}

#[test]
fn the_scene_list_shows_a_muted_person_under_its_previous_name() {
    let mut world = World::new();
    let people = enter_again(&mut world);
    enter_names(&mut world, people);
    let listed = |world: &mut World| match world.command(Command::Names) {
        CommandAnswer::Names(names) => names.into_values().next(),
        other => panic!("{other:?}"),
    };
    let both = |name: &str| Some([format!("{name} (guest)"), "Dora (guest)".into()].into());
    assert_eq!(listed(&mut world), both("Mallory"));
    world.set(SceneSettings::default());
    assert_eq!(listed(&mut world), both("stupid"));
}

#[test]
fn moderators_see_a_muted_person_under_its_previous_name() {
    let mut world = World::new();
    let people = enter_again(&mut world);
    let listening = |world: &mut World| match world.command(Command::Listening { name: lobby() }) {
        CommandAnswer::Listening(listening) => {
            listening.into_iter().map(|bearer| bearer.shown).filter(|name| name != "anonymous-2").collect::<Vec<_>>()
        }
        other => panic!("{other:?}"),
    };
    let bearer = |world: &mut World| {
        let command = Command::WhoIs { name: lobby(), id_tag: "anonymous-3_0123456789".into() };
        match world.command(command) {
            CommandAnswer::Bearer(bearer) => bearer.and_then(|bearer| bearer.shown),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(listening(&mut world), ["Mallory", "Dora"]);
    assert_eq!(bearer(&mut world).as_deref(), Some("Mallory"));
    world.set(SceneSettings::default());
    assert_eq!(listening(&mut world), ["stupid", "Dora"]);
    assert_eq!(bearer(&mut world).as_deref(), Some("stupid"));
    world.set(muted());
    enter_names(&mut world, people);
    assert_eq!(bearer(&mut world).as_deref(), Some("Mallory"), "a second mute keeps the name of the first");
}

#[test]
fn a_bearers_shown_name_follows_its_camera_rather_than_its_token() {
    let mut world = World::new();
    let person = world.enter_scene(1, named("anonymous-1", "browser", "of the token"));
    let bearer = |world: &mut World| match world.command(Command::WhoIs { name: lobby(), id_tag: GUEST.into() }) {
        CommandAnswer::Bearer(bearer) => bearer.and_then(|bearer| bearer.shown),
        other => panic!("{other:?}"),
    };
    assert_eq!(bearer(&mut world).as_deref(), Some("of the token"));
    said(&mut world, person, "u", &camera("of the camera", 1));
    assert_eq!(bearer(&mut world).as_deref(), Some("of the camera"));
}

#[test]
fn a_muted_person_on_the_motion_plane_keeps_its_previous_name() {
    let mut world = World::new();
    enter_again(&mut world);
    let on_plane =
        [("anonymous-3", "browser", "stupid"), ("anonymous-4", "browser-4", "Dora")].map(|(sub, browser, name)| {
            let claims = named(sub, browser, name).claims.into();
            let CommandAnswer::MotionGrant(issued) =
                world.command(Command::GrantMotion { name: lobby(), claims, network: None })
            else {
                panic!("no motion grant")
            };
            world.realm.handle_motion(&lobby(), &[MotionPlaneEvent::Entered { motion_grant: issued.id }], world.now);
            issued.id
        });
    let moved = |world: &mut World, x: f64| {
        let pose = PackedPose::pack(&Pose { position: [x, 1.6, 0.0], rotation: [0.0, 0.0, 0.0, 1.0] }).unwrap();
        let heads = on_plane.map(|motion_grant| MotionPlaneEvent::Moved { motion_grant, part: Part::Head, pose });
        world.messages(ConnectionId(2));
        world.realm.handle_motion(&lobby(), &heads, world.now);
        world.drain();
        let name =
            |(_, payload): (String, Value)| payload["data"]["arena-user"]["displayName"].as_str().map(String::from);
        world.messages(ConnectionId(2)).into_iter().map(name).collect::<Vec<_>>()
    };
    let [mallory, dora, stupid] = ["Mallory", "Dora", "stupid"].map(|name| Some(name.to_string()));
    assert_eq!(moved(&mut world, 1.0), [mallory.clone(), dora]);
    world.set(SceneSettings::default());
    assert_eq!(moved(&mut world, 2.0), [stupid, None], "one pose tells the other name");
    assert_eq!(moved(&mut world, 3.0), [None, None]);
    world.set(muted());
    assert_eq!(moved(&mut world, 4.0), [mallory, None], "a mute in another tab");
}

#[test]
fn a_muted_person_cannot_send_reactions_but_can_click() {
    let mut world = World::new();
    world.enter_scene(2, guest("anonymous-2", MqttVersion::V5));
    let person = enter(&mut world);
    let event = |kind: &str| {
        let data = json!({"target": GUEST, "reaction": "heart"});
        json!({"object_id": GUEST, "action": "clientEvent", "type": kind, "data": data})
    };
    for kind in ["u", "o"] {
        world.set(SceneSettings::default());
        let (code, heard) = said(&mut world, person, kind, &event("reaction"));
        assert_eq!((code, heard.is_some()), (ReasonCode::SUCCESS, true), "negative control");
        world.set(muted());
        let (code, heard) = said(&mut world, person, kind, &event("reaction"));
        assert_eq!((code, heard), (ReasonCode::NOT_AUTHORIZED, None));
        assert_eq!(said(&mut world, person, kind, &event("mousedown")).0, ReasonCode::SUCCESS);
    }
}
