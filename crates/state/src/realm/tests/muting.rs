//! Muted people: no reactions and no other name, but they move on.

use alloc::format;
use alloc::string::{String, ToString};

use serde_json::{Value, json};
use stoa_wire::packet::{MqttVersion, ReasonCode};

use super::ConnectionId;
use super::world::{World, guest};
use crate::grant::{Claims, Moderation, Restriction, RestrictionKind, SceneSettings};
use crate::time::UnixTime;

const GUEST: &str = "anonymous-1_0123456789";
const WHO: &str = "guest:browser";

fn muted() -> SceneSettings {
    let (who, shown, by) = (WHO.to_string(), "as a moderator sees it".to_string(), "alice".to_string());
    let kind = RestrictionKind::Silence;
    let bar = Restriction { id: "b".into(), kind, who, shown, by, at: UnixTime(1), ends: None, extends: None };
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
fn a_muted_person_moves_under_the_name_it_had_and_gets_another_when_that_is_lifted() {
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

#[test]
fn a_muted_person_without_a_name_keeps_its_first_one() {
    let mut world = World::new();
    world.enter_scene(2, guest("anonymous-2", MqttVersion::V5));
    world.set(muted());
    let person = enter(&mut world);
    for (message, name) in [(camera("Mallory", 1), "Mallory"), (camera("stupid", 2), "Mallory")] {
        assert_eq!(names(said(&mut world, person, "u", &message).1), name);
    }
    assert_eq!(names(said(&mut world, person, "x", &join("all of you")).1), "Mallory");
}

#[test]
fn a_muted_person_shows_no_reactions_and_clicks_on() {
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
