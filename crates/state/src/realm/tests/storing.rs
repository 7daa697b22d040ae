use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::time::Duration;

use serde_json::json;
use stoa_wire::packet::{MqttVersion, ReasonCode};

use super::super::costs;
use super::world::{Entry, NOW_UNIX, World, claims, entry, guest, lobby};
use crate::connection_id::ConnectionId;
use crate::grant::{Role, SceneSettings};
use crate::limits;
use crate::realm::Command;
use crate::scene::{StoredObject, StoredScene, UnixMillis};
use crate::time::Time;

/// A guest that may build.
fn builder(name: &str) -> Entry {
    Entry { claims: claims(name, Role::Editor, true), ..guest(name, MqttVersion::V5) }
}

/// Stores one object with a text of this length. Returns the refusal's text.
fn store(world: &mut World, connection: ConnectionId, name: &str, text_bytes: usize) -> Result<(), String> {
    let topic = format!("realm/s/public/lobby/o/{name}_0123456789_web/{name}");
    let data = json!({"object_type": "text", "value": "x".repeat(text_bytes)});
    let create = json!({"object_id": name, "action": "create", "type": "object", "persist": true, "data": data});
    let ack = world.say_surely(connection, &topic, &create.to_string()).expect("an answer");
    let is_stored = ack.code == ReasonCode::SUCCESS;
    if is_stored { Ok(()) } else { Err(ack.reason.unwrap_or_default()) }
}

/// Lets new guests of one address store until the shared bound refuses them. Returns the stored bytes of text.
fn flood(world: &mut World, address: &str, guests: u64) -> usize {
    let text_bytes = 30_000;
    let mut stored = 0;
    for number in 0..guests {
        let id = 1_000 * world.now.as_nanos() / 1_000_000_000 + 1_000 + number;
        let name = format!("anonymous-{id}");
        let connection = world.enter_from(address, id, builder(&name));
        loop {
            match store(world, connection, &name, text_bytes) {
                Ok(()) => stored += text_bytes,
                Err(refused) if refused.contains("all guests store") => return stored,
                Err(_) => break,
            }
        }
        world.changes.clear();
    }
    stored
}

/// Creates an object that isn't stored.
fn create(world: &mut World, connection: ConnectionId, name: &str, id: &str) -> ReasonCode {
    let topic = format!("realm/s/public/lobby/o/{name}_0123456789_web/{id}");
    let create = json!({"object_id": id, "action": "create", "type": "object", "data": {"object_type": "box"}});
    world.say_surely(connection, &topic, &create.to_string()).expect("an answer").code
}

#[test]
fn guests_that_fill_a_scene_do_not_block_a_guest_of_another_address() {
    for stay in [true, false] {
        let mut world = World::new();
        world.let_everybody_build();
        for number in 1..=(limits::GUESTS_OBJECTS_MAX / limits::GUEST_OBJECTS_MAX) as u64 {
            let name = format!("anonymous-{number}");
            let connection = world.enter_from("192.0.2.1", number, builder(&name));
            for object in 0..limits::GUEST_OBJECTS_MAX {
                if object == limits::GUEST_OBJECTS_MAX / 2 {
                    world.pass(2);
                }
                let code = create(&mut world, connection, &name, &format!("{number}-{object}"));
                assert_eq!(code, ReasonCode::SUCCESS);
            }
            if !stay {
                world.close(connection);
            }
        }
        let honest = world.enter_from("198.51.100.7", 100, builder("anonymous-100"));
        for object in 0..20 {
            let code = create(&mut world, honest, "anonymous-100", &format!("mine-{object}"));
            assert_eq!(code, ReasonCode::SUCCESS, "they stay: {stay}");
        }
    }
}

#[test]
fn a_hundred_guests_of_one_address_store_a_burst_and_then_their_rate() {
    let mut world = World::new();
    world.let_everybody_build();
    let stored = flood(&mut world, "192.0.2.1", 100);
    let burst = limits::GUESTS_STORED_BYTES_BURST as usize;
    assert!((burst / 3..burst).contains(&stored), "the text is written with the object and with its log: {stored}");
    world.pass(10);
    let later = flood(&mut world, "192.0.2.1", 100);
    let rate = 10 * limits::GUESTS_STORED_BYTES_PER_S as usize;
    assert!((rate / 4..rate).contains(&later), "{later}");
}

#[test]
fn a_guest_of_another_address_can_store_during_a_storage_flood() {
    let mut world = World::new();
    world.let_everybody_build();
    flood(&mut world, "192.0.2.1", 100);
    let honest = world.enter_from("192.0.2.2", 1, builder("anonymous-honest"));
    for second in 1..=10_u64 {
        world.pass(1);
        // Fresh guests of the flooding address reach the bound again.
        let stored = flood(&mut world, &format!("192.0.2.{}", 100 + second), 100);
        assert!(stored > 0, "negative control: the bound is reached in second {second}");
        for _ in 0..2 {
            assert_eq!(store(&mut world, honest, "anonymous-honest", 1_000), Ok(()), "second {second}");
        }
    }
}

#[test]
fn a_guest_near_its_fair_share_is_read_more_slowly_and_no_other_client_is() {
    let mut world = World::new();
    world.let_everybody_build();
    let [honest, bystander] = [(1, "anonymous-honest"), (2, "anonymous-other")]
        .map(|(id, name)| world.enter_from("192.0.2.2", id, builder(name)));
    for _ in 0..20 {
        world.pass_millis(150);
        assert_eq!(store(&mut world, honest, "anonymous-honest", 30_000), Ok(()));
    }
    assert!(world.pauses.is_empty(), "negative control: the bound is not reached");
    // Guests of many addresses use more than twice as much each, and together more than all of it.
    let payer = |world: &World, connection| world.realm.access(connection).expect("it entered").payer;
    let used = 40 * 60_000;
    for number in 0..limits::GUESTS_STORED_BYTES_BURST as usize / used {
        let address = format!("198.51.100.{number}");
        let other = world.enter_from(&address, 10 + number as u64, builder(&format!("anonymous-{number}")));
        let payer = payer(&world, other);
        world.realm.ledger.settle(world.now, payer, costs::stored(used * 5 / 4));
    }
    world.pauses.clear();
    assert_eq!(store(&mut world, honest, "anonymous-honest", 5_000), Ok(()), "within its share");
    let pauses = core::mem::take(&mut world.pauses);
    assert!(!pauses.is_empty(), "but above half of it");
    assert!(pauses.iter().all(|(connection, _)| *connection == honest));
    assert!(pauses.iter().all(|(_, pause)| !pause.is_zero() && *pause <= limits::CHARGE_PAUSE_MAX), "{pauses:?}");
    world.say(bystander, "realm/s/public/lobby/c/anonymous-other_0123456789_web/anonymous-other_0123456789", "{}");
    assert!(world.pauses.is_empty());
}

#[test]
fn guests_with_long_inputs_wait_and_no_other_client_does() {
    let mut world = World::new();
    world.let_everybody_build();
    let long = Duration::from_millis(5);
    let flooders: Vec<_> =
        (0..40).map(|number| world.enter_from("192.0.2.1", number, builder(&format!("anonymous-{number}")))).collect();
    let [honest, member] = [
        world.enter_from("192.0.2.2", 100, builder("anonymous-honest")),
        world.enter_from("192.0.2.1", 101, entry("dora", MqttVersion::V5)),
    ];
    let longest = |world: &mut World, connection: ConnectionId, excess: Duration| {
        world.pauses.clear();
        world.realm.handle_long_input(connection, excess, world.now);
        world.drain();
        assert!(world.pauses.iter().all(|(paused, _)| *paused == connection));
        world.pauses.iter().map(|(_, pause)| *pause).max().unwrap_or_default()
    };
    assert_eq!(longest(&mut world, flooders[0], long), Duration::ZERO, "negative control");
    for flooder in &flooders {
        for _ in 0..10 {
            longest(&mut world, *flooder, long);
        }
    }
    assert_eq!(longest(&mut world, flooders[0], long), long * limits::LONG_INPUT_PAUSE_TIMES);
    assert_eq!(longest(&mut world, flooders[0], 100 * long), limits::LONG_INPUT_PAUSE_MAX);
    assert!(longest(&mut world, honest, long) <= limits::CHARGE_PAUSE_MAX, "another address");
    assert_eq!(longest(&mut world, member, long), Duration::ZERO, "accounts have bounds of their own");
    world.pass(60);
    assert_eq!(longest(&mut world, flooders[0], long), Duration::ZERO, "the flood is over");
}

#[test]
fn guests_with_many_short_inputs_are_paced_and_no_other_client_is() {
    let mut world = World::new();
    world.let_everybody_build();
    let flooders: Vec<_> =
        (0..40).map(|number| world.enter_from("192.0.2.1", number, builder(&format!("anonymous-{number}")))).collect();
    let [honest, member] = [
        world.enter_from("192.0.2.2", 100, builder("anonymous-honest")),
        world.enter_from("192.0.2.1", 101, entry("dora", MqttVersion::V5)),
    ];
    let paused = |world: &mut World, connection: ConnectionId, millis: u64| {
        world.pauses.clear();
        let payer = world.realm.payer(connection).expect("it entered");
        world.realm.handle_input_time(connection, payer, Duration::from_millis(millis), world.now);
        world.drain();
        !world.pauses.is_empty()
    };
    let used: u64 = u64::from(limits::GUESTS_INPUT_TIME_BURST) / 1_000 / 40;
    assert!(!flooders.iter().any(|flooder| paused(&mut world, *flooder, used)), "the bound is not exceeded");
    assert!(flooders.iter().all(|flooder| paused(&mut world, *flooder, 10)));
    assert!(!paused(&mut world, honest, 10), "another address");
    assert!(!paused(&mut world, member, 10), "accounts have a bound of their own");
    world.pass(60);
    assert!(!paused(&mut world, flooders[0], 10), "the flood is over");
}

#[test]
fn a_guest_above_its_stored_byte_rate_is_refused() {
    let mut world = World::new();
    world.let_everybody_build();
    let ada = world.enter_from("192.0.2.1", 1, builder("anonymous-ada"));
    let refused = (0..300).find_map(|_| {
        world.changes.clear();
        // The allowances for messages and for walked objects refill meanwhile.
        world.pass_millis(150);
        store(&mut world, ada, "anonymous-ada", 30_000).err()
    });
    assert!(refused.as_ref().is_some_and(|text| text.ends_with("bytes a second that one guest stores")), "{refused:?}");
}

#[test]
fn only_the_account_above_its_stored_byte_rate_is_refused() {
    let mut world = World::new();
    world.let_everybody_build();
    let [dora, emil] =
        [(1, "dora"), (2, "emil")].map(|(id, name)| world.enter_from("192.0.2.1", id, entry(name, MqttVersion::V5)));
    assert_eq!(store(&mut world, dora, "dora", 1_000), Ok(()), "negative control");
    let payer = world.realm.access(dora).expect("it entered").payer;
    world.realm.ledger.settle(world.now, payer, costs::stored(2 * limits::MEMBER_STORED_BYTES_BURST as usize));
    let refused = store(&mut world, dora, "dora", 1_000).unwrap_err();
    assert!(refused.ends_with("bytes a second that one account stores"), "{refused}");
    assert_eq!(store(&mut world, emil, "emil", 1_000), Ok(()));
}

#[test]
fn the_shared_store_bound_of_accounts_refuses_only_the_largest_writers() {
    let mut world = World::new();
    let used = limits::MEMBER_STORED_BYTES_BURST as usize - 1_024 * 1_024;
    let accounts = limits::MEMBERS_STORED_BYTES_BURST as usize / used + 1;
    let large: Vec<(ConnectionId, String)> = (1..=accounts)
        .map(|number| {
            let name = format!("account{number}");
            let address = format!("198.51.100.{number}");
            (world.enter_from(&address, number as u64, entry(&name, MqttVersion::V5)), name)
        })
        .collect();
    for (connection, name) in &large {
        assert_eq!(store(&mut world, *connection, name, 1_000), Ok(()), "negative control");
        let payer = world.realm.payer(*connection).expect("it entered");
        world.realm.ledger.settle(world.now, payer, costs::stored(used));
    }
    for (connection, name) in &large {
        let refused = store(&mut world, *connection, name, 1_000).unwrap_err();
        assert!(refused.ends_with("bytes a second that all accounts store"), "{name}: {refused}");
    }
    let dora = world.enter_from("192.0.2.1", 1_000, entry("dora", MqttVersion::V5));
    assert_eq!(store(&mut world, dora, "dora", 1_000), Ok(()));
}

#[test]
fn a_small_update_of_a_large_object_is_charged_for_all_of_it() {
    let mut world = World::new();
    world.let_everybody_build();
    let ada = world.enter_from("192.0.2.1", 1, builder("anonymous-ada"));
    store(&mut world, ada, "anonymous-ada", 30_000).unwrap();
    let topic = "realm/s/public/lobby/o/anonymous-ada_0123456789_web/anonymous-ada";
    let update = r#"{"object_id": "anonymous-ada", "action": "update", "type": "object", "persist": true, "data": {"color": "red"}}"#;
    let payer = world.realm.access(ada).expect("it entered").payer;
    let spent = limits::GUEST_STORED_BYTES_BURST as usize - 10 * 30_000;
    world.realm.ledger.settle(world.now, payer, costs::stored(spent));
    let refused = (0..20).find_map(|number| {
        let ack = world.say_surely(ada, topic, update).expect("an answer");
        (ack.code != ReasonCode::SUCCESS).then(|| (number, ack.reason.unwrap_or_default()))
    });
    let (number, text) = refused.expect("each update writes 30 kB");
    assert!(text.ends_with("bytes a second that one guest stores") && number > 3, "{number}: {text}");
}

#[test]
fn one_timeout_expires_objects_in_a_limited_number_of_scenes() {
    let mut world = World::new();
    let scenes = limits::SCENES_FIRED_AT_ONCE_MAX + 2;
    for number in 0..scenes {
        let lamp = StoredObject {
            object_id: "lamp".into(),
            type_name: "object".into(),
            attributes: serde_json::Map::new(),
            expires_at: Some(UnixMillis((NOW_UNIX + 10) * 1_000)),
            created_at: UnixMillis(0),
            updated_at: UnixMillis(0),
        };
        let name = format!("public/scene-{number}").parse().unwrap();
        let stored = StoredScene { revision: 1, objects: [lamp].into() };
        world.command(Command::OpenScene { name, epoch: 7, settings: SceneSettings::default(), stored });
    }
    world.now = Time::from_secs(10);
    for removed in [limits::SCENES_FIRED_AT_ONCE_MAX, scenes] {
        world.realm.handle_timeout(world.now);
        world.drain();
        assert_eq!(world.changes.len(), removed);
    }
}

#[test]
fn a_scene_rename_or_server_shutdown_finishes_pending_deletions() {
    for stops in [true, false] {
        let mut world = World::new();
        let record = |id: String, parent: &str| StoredObject {
            object_id: id,
            type_name: "object".into(),
            attributes: serde_json::from_value(json!({"parent": parent})).unwrap(),
            expires_at: None,
            created_at: UnixMillis(1),
            updated_at: UnixMillis(1),
        };
        let children = 3 * limits::EXPIRED_AT_ONCE_MAX;
        let mut objects: Vec<_> = (0..children).map(|number| record(format!("child-{number}"), "top")).collect();
        objects.push(record("top".into(), "none"));
        let (settings, stored) = (SceneSettings::default(), StoredScene { revision: 1, objects });
        world.command(Command::CloseScene { name: lobby() });
        world.command(Command::OpenScene { name: lobby(), epoch: 8, settings, stored });
        let alice = world.enter(1, entry("alice", MqttVersion::V5));
        let delete = json!({"object_id": "top", "action": "delete"}).to_string();
        let ack = world.say_surely(alice, "realm/s/public/lobby/o/alice_0123456789_web/top", &delete);
        assert_eq!(ack.map(|ack| ack.code), Some(ReasonCode::SUCCESS));
        assert!(world.changes.len() <= 1 + limits::EXPIRED_AT_ONCE_MAX, "negative control: some are left");
        if stops {
            world.realm.handle_shutdown(world.now);
            world.drain();
        } else {
            world.command(Command::VacateScene { name: lobby(), to: "public/hall".parse().unwrap() });
        }
        assert_eq!(world.changes.len(), 1 + children, "stops: {stops}");
    }
}
