//! `getPersist`: who gets an answer, how often it is written, and who pays.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::{Value, json};
use stoa_wire::packet::{MqttVersion, Qos, ReasonCode};

use super::super::costs;
use super::world::{Entry, World, claims, entry, guest, lobby};
use crate::connection_id::ConnectionId;
use crate::grant::{Role, SceneSettings};
use crate::limits;
use crate::realm::Command;
use crate::scene::{StoredObject, StoredScene, UnixMillis};

const ALL: &str = "realm/s/public/lobby/+/+/+";

/// Requests all objects. Returns the refusal's text.
fn request(world: &mut World, connection: ConnectionId, name: &str) -> Result<(), String> {
    let topic = format!("realm/s/public/lobby/o/{name}_0123456789_web/any");
    let payload = json!({"object_id": "any", "action": "getPersist"}).to_string();
    let ack = world.say_surely(connection, &topic, &payload).expect("an answer");
    if ack.code == ReasonCode::SUCCESS { Ok(()) } else { Err(ack.reason.unwrap_or_default()) }
}

fn create(world: &mut World, connection: ConnectionId, id: &str, persist: bool) {
    let topic = format!("realm/s/public/lobby/o/alice_0123456789_web/{id}");
    let create = json!({"object_id": id, "action": "create", "type": "object", "persist": persist, "data": {}});
    world.say(connection, &topic, &create.to_string());
}

/// The answers among a client's messages: revision and object ids.
fn answers(world: &mut World, connection: ConnectionId) -> Vec<(u64, Vec<String>)> {
    let messages = world.messages(connection).into_iter().map(|(_, payload)| payload);
    let id = |record: &Value| record["object_id"].as_str().unwrap().to_string();
    messages
        .filter(|payload| payload["action"] == "returnPersist")
        .map(|payload| {
            assert_eq!((&payload["object_id"], &payload["epoch"]), (&json!("any"), &json!(7)));
            (payload["revision"].as_u64().unwrap(), payload["data"].as_array().unwrap().iter().map(id).collect())
        })
        .collect()
}

/// One expected answer.
fn answer(revision: u64, ids: &[&str]) -> Vec<(u64, Vec<String>)> {
    Vec::from([(revision, ids.iter().map(ToString::to_string).collect())])
}

/// A realm with people in the lobby.
fn world() -> (World, [ConnectionId; 3]) {
    let mut world = World::new();
    world.let_everybody_build();
    let alice = world.enter_scene(1, entry("alice", MqttVersion::V5));
    let bob = world.enter_scene(2, entry("bob", MqttVersion::V5));
    let carla = world.enter_scene(3, entry("carla", MqttVersion::V5));
    create(&mut world, alice, "box", true);
    for connection in [alice, bob, carla] {
        world.inbox(connection);
    }
    (world, [alice, bob, carla])
}

#[test]
fn a_get_persist_without_a_matching_subscription_writes_no_answer() {
    let mut world = World::new();
    let alice = world.enter(1, entry("alice", MqttVersion::V5));
    assert_eq!(request(&mut world, alice, "alice"), Ok(()));
    world.subscribe(alice, "realm/s/public/lobby/o/+/other", Qos::AtMostOnce);
    assert_eq!(request(&mut world, alice, "alice"), Ok(()));
    assert_eq!((world.jobs_begun, answers(&mut world, alice)), (0, Vec::new()));
    world.subscribe(alice, ALL, Qos::AtMostOnce);
    assert_eq!(request(&mut world, alice, "alice"), Ok(()));
    assert_eq!((world.jobs_begun, answers(&mut world, alice).len()), (1, 1), "negative control");
}

#[test]
fn clients_that_request_the_same_state_share_one_answer() {
    let (mut world, [alice, bob, carla]) = world();
    world.records_wait = true;
    for (connection, name) in [(alice, "alice"), (bob, "bob")] {
        assert_eq!(request(&mut world, connection, name), Ok(()));
    }
    world.frames.clear();
    world.write_records();
    // It is kept, also while objects change that are not stored.
    create(&mut world, alice, "smoke", false);
    assert_eq!(request(&mut world, carla, "carla"), Ok(()));
    assert_eq!(world.jobs_begun, 1);
    let ends: Vec<*const u8> = world
        .frames
        .iter()
        .map(|(_, frame)| frame.parts()[1])
        .filter(|end| !end.is_empty())
        .map(<[u8]>::as_ptr)
        .collect();
    assert_eq!(ends, [ends[0]; 3], "they are one buffer");
    assert_eq!(answers(&mut world, alice), answer(1, &["box"]));
    assert_eq!(answers(&mut world, bob), answer(1, &["box"]));
    assert_eq!(answers(&mut world, carla), answer(2, &["box"]));
    create(&mut world, alice, "cup", true);
    assert_eq!(request(&mut world, carla, "carla"), Ok(()));
    assert_eq!(world.jobs_begun, 2, "negative control: another state is another answer");
}

#[test]
fn an_answer_is_never_older_than_its_request() {
    let (mut world, [alice, bob, carla]) = world();
    world.records_wait = true;
    assert_eq!(request(&mut world, alice, "alice"), Ok(()));
    create(&mut world, alice, "cup", true);
    for (connection, name) in [(bob, "bob"), (carla, "carla")] {
        assert_eq!(request(&mut world, connection, name), Ok(()));
    }
    assert_eq!(world.jobs_begun, 1, "one answer is written at a time");
    world.write_records();
    assert_eq!((answers(&mut world, alice), answers(&mut world, bob)), (answer(1, &["box"]), Vec::new()));
    world.write_records();
    let both = answer(2, &["box", "cup"]);
    assert_eq!((answers(&mut world, bob), answers(&mut world, carla)), (both.clone(), both));
    assert_eq!(world.jobs_begun, 2);
}

#[test]
fn a_disconnected_client_gets_no_answer() {
    let (mut world, [alice, bob, carla]) = world();
    world.records_wait = true;
    for (connection, name) in [(alice, "alice"), (bob, "bob"), (carla, "carla")] {
        assert_eq!(request(&mut world, connection, name), Ok(()));
    }
    world.close(alice);
    world.command(Command::EndAccount { name: "bob".into() });
    for connection in [alice, bob] {
        world.inbox(connection);
    }
    world.write_records();
    assert_eq!((answers(&mut world, alice), answers(&mut world, bob)), (Vec::new(), Vec::new()));
    assert_eq!(answers(&mut world, carla).len(), 1, "negative control");
}

/// A realm whose lobby is nearly as large as one answer may be.
fn world_with_a_large_scene() -> World {
    let mut world = World::new();
    let object = |number: u32| StoredObject {
        object_id: format!("sign-{number}"),
        type_name: "object".into(),
        attributes: json!({"value": "x".repeat(250_000)}).as_object().unwrap().clone(),
        expires_at: None,
        created_at: UnixMillis(0),
        updated_at: UnixMillis(0),
    };
    let stored = StoredScene { revision: 8, objects: (0..8).map(object).collect() };
    world.command(Command::CloseScene { name: lobby() });
    let settings = SceneSettings { public_write: true, ..SceneSettings::default() };
    world.command(Command::OpenScene { name: lobby(), epoch: 8, settings, stored });
    world
}

/// Lets a guest enter from an address, and request the scene. Returns the number of answers before the refusal.
fn enter_and_request(world: &mut World, address: &str, id: u64, times: usize) -> (usize, Option<String>) {
    let name = format!("anonymous-{id}");
    let entry = Entry { claims: claims(&name, Role::Editor, true), ..guest(&name, MqttVersion::V5) };
    let connection = world.enter_from(address, id, entry);
    request_again(world, connection, &name, times)
}

/// Requests the scene a number of times. Returns the number of answers before the refusal.
fn request_again(world: &mut World, connection: ConnectionId, name: &str, times: usize) -> (usize, Option<String>) {
    world.subscribe(connection, ALL, Qos::AtMostOnce);
    for answered in 0..times {
        if let Err(refused) = request(world, connection, name) {
            return (answered, Some(refused));
        }
        let answer = world.publishes(connection).pop().expect("an answer");
        assert!(answer.payload.len() > 2_000_000);
        world.frames.clear();
    }
    (times, None)
}

#[test]
fn a_guests_repeated_reads_of_a_large_scene_hit_its_byte_rate() {
    let mut world = world_with_a_large_scene();
    let (answered, refused) = enter_and_request(&mut world, "192.0.2.1", 1, 5);
    let most = limits::GUEST_RETURNED_BYTES_BURST as usize / 2_000_000 + 1;
    assert!((2..=most).contains(&answered), "{answered}");
    assert!(refused.is_some_and(|text| text.ends_with("bytes of scenes a second that one guest requests")));
    assert_eq!(world.jobs_begun, 1);
}

#[test]
fn a_class_reads_a_large_scene_during_a_read_flood_by_100_guests() {
    let mut world = world_with_a_large_scene();
    let flood: Vec<(usize, Option<String>)> =
        (1_000..1_100).map(|id| enter_and_request(&mut world, "192.0.2.1", id, 3)).collect();
    let answered: usize = flood.iter().map(|(answered, _)| answered).sum();
    let burst = limits::GUESTS_RETURNED_BYTES_BURST as usize / 2_000_000;
    assert!((burst / 2..=150).contains(&answered), "at most half of the requests: {answered}");
    let by_all = |refused: &String| refused.ends_with("bytes of scenes a second that all guests request");
    assert!(flood.iter().filter_map(|(_, refused)| refused.as_ref()).any(by_all));
    for pupil in 0..40 {
        world.pass_millis(1_500);
        assert_eq!(enter_and_request(&mut world, "198.51.100.7", pupil, 1), (1, None), "pupil {pupil}");
    }
}

#[test]
fn only_the_account_above_its_read_rate_is_refused() {
    let mut world = world_with_a_large_scene();
    let [dora, emil] =
        [(1, "dora"), (2, "emil")].map(|(id, name)| world.enter_from("192.0.2.1", id, entry(name, MqttVersion::V5)));
    let most = limits::MEMBER_RETURNED_BYTES_BURST as usize / 2_000_000 + 1;
    let (answered, refused) = request_again(&mut world, dora, "dora", most + 1);
    assert!((most / 2..=most).contains(&answered), "{answered}");
    assert!(refused.is_some_and(|text| text.ends_with("bytes of scenes a second that one account requests")));
    assert_eq!(request_again(&mut world, emil, "emil", 1), (1, None));
}

#[test]
fn the_shared_read_bound_of_accounts_refuses_only_the_largest_readers() {
    let mut world = world_with_a_large_scene();
    let used = limits::MEMBER_RETURNED_BYTES_BURST as usize - 4_000_000;
    let accounts = limits::MEMBERS_RETURNED_BYTES_BURST as usize / used + 1;
    let large: Vec<(ConnectionId, String)> = (1..=accounts)
        .map(|number| {
            let name = format!("account{number}");
            let address = format!("198.51.100.{number}");
            (world.enter_from(&address, number as u64, entry(&name, MqttVersion::V5)), name)
        })
        .collect();
    for (connection, _) in &large {
        let payer = world.realm.payer(*connection).expect("it entered");
        world.realm.ledger.settle(world.now, payer, costs::returned(used));
    }
    for (connection, name) in &large {
        let (answered, refused) = request_again(&mut world, *connection, name, 1);
        let refused = refused.unwrap_or_default();
        assert!(refused.ends_with("bytes of scenes a second that all accounts request"), "{answered}: {refused}");
    }
    let dora = world.enter_from("192.0.2.1", 1_000, entry("dora", MqttVersion::V5));
    assert_eq!(request_again(&mut world, dora, "dora", 1), (1, None));
}
