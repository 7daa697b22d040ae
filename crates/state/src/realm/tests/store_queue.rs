//! A disk that writes nothing for a time.

use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::json;
use stoa_wire::packet::{MqttVersion, Packet, Publish, PublishAck, Qos, ReasonCode};
use stoa_wire::reason::Reason;

use super::super::costs;
use super::world::{Entry, World, claims, entry, explicit, guest, lobby, publish};
use crate::connection_id::ConnectionId;
use crate::grant::{Role, SceneSettings};
use crate::limits;
use crate::realm::{Command, CommandAnswer, DatabaseSize};
use crate::scene::{ObjectStateChange, StoredObject, StoredScene, UnixMillis};

/// A guest that may build.
fn builder(name: &str) -> Entry {
    Entry { claims: claims(name, Role::Editor, true), ..guest(name, MqttVersion::V5) }
}

fn object(name: &str, text_bytes: usize) -> (String, String) {
    let data = json!({"object_type": "text", "value": "x".repeat(text_bytes)});
    let create = json!({"object_id": name, "action": "create", "type": "object", "persist": true, "data": data});
    (format!("realm/s/public/lobby/o/{name}_0123456789_web/{name}"), create.to_string())
}

/// Stores an object with QoS 1. Returns the acknowledgement; none while the change waits for the disk.
fn store(world: &mut World, connection: ConnectionId, name: &str, text_bytes: usize) -> Option<PublishAck> {
    let (topic, create) = object(name, text_bytes);
    world.say_surely(connection, &topic, &create)
}

/// Guests of one address store until the level is reached. Returns the first of them.
fn fill(world: &mut World) -> ConnectionId {
    let level = usize::try_from(limits::GUESTS_QUEUED_BYTES_MAX).unwrap();
    for number in 0..40_u64 {
        let name = format!("anonymous-{number}");
        let connection = world.enter_from("192.0.2.1", 1_000 + number, builder(&name));
        let (topic, create) = object(&name, 30_000);
        for _ in 0..60 {
            world.say(connection, &topic, &create);
        }
        if world.realm.queued_bytes() >= level {
            return ConnectionId(1_000);
        }
    }
    panic!("{} bytes wait", world.realm.queued_bytes());
}

#[test]
fn a_full_store_queue_refuses_only_writes_of_the_largest_share() {
    let mut world = World::new();
    world.let_everybody_build();
    let lena = world.enter_scene(1, entry("lena", MqttVersion::V5));
    let honest = world.enter_from("192.0.2.2", 2, builder("anonymous-honest"));
    world.store_waits = true;
    let flooder = fill(&mut world);
    world.pass_millis(2_000);
    world.inbox(lena);
    let refused = store(&mut world, flooder, "anonymous-0", 30_000).expect("a refusal comes at once");
    let reason = refused.reason.unwrap_or_default();
    assert_eq!(refused.code, ReasonCode::QUOTA_EXCEEDED);
    assert!(reason.ends_with("bytes of all guests that wait for the disk"), "{reason}");
    assert_eq!(store(&mut world, honest, "anonymous-honest", 1_000), None, "it waits for the disk");
    assert!(world.changes.last().is_some_and(|(_, change)| change.object_id == "anonymous-honest"));
    world.inbox(lena);

    let id_tag = "anonymous-0_0123456789";
    let chat = json!({"object_id": id_tag, "type": "chat", "text": "hi"}).to_string();
    world.say(flooder, &format!("realm/s/public/lobby/c/{id_tag}_web/{id_tag}"), &chat);
    let camera = json!({"object_id": id_tag, "action": "create", "data": {"object_type": "camera"}}).to_string();
    world.say(flooder, &format!("realm/s/public/lobby/u/{id_tag}_web/{id_tag}"), &camera);
    assert_eq!(world.messages(lena).len(), 2, "chat and camera go on");

    let last = world.changes.last().map_or(0, |(sequence, _)| *sequence);
    world.realm.handle_stored(last, world.now);
    world.drain();
    assert_eq!(world.take_ack(honest).map(|ack| ack.code), Some(ReasonCode::SUCCESS));
    assert_eq!(world.realm.queued_bytes(), 0);
    world.store_waits = false;
    let stored = store(&mut world, flooder, "anonymous-0", 30_000).expect("an answer");
    assert_eq!(stored.code, ReasonCode::SUCCESS, "nothing waits any more");
}

#[test]
fn a_failed_commit_frees_its_bytes_in_the_store_queue() {
    let mut world = World::new();
    world.let_everybody_build();
    let ada = world.enter_from("192.0.2.1", 1, builder("anonymous-ada"));
    world.store_waits = true;
    assert_eq!(store(&mut world, ada, "anonymous-ada", 1_000), None);
    assert!(world.realm.queued_bytes() > 1_000, "negative control");
    let last = world.changes.last().map_or(0, |(sequence, _)| *sequence);
    world.realm.handle_store_failed(last, world.now);
    world.drain();
    assert_eq!(world.realm.queued_bytes(), 0);
    let waiting: u64 = world.realm.ledger.usage(world.now).skip(2).map(|(_, _, used, _)| used).sum();
    assert_eq!(waiting, 0, "nor is it charged any longer");
}

/// A client with a session that is stored.
fn lasting(sub: &str) -> Entry {
    let mut entry = explicit(sub, MqttVersion::V5, &["a/#"]);
    (entry.connect.session_expiry_s, entry.connect.clean_start) = (Some(600), false);
    entry
}

#[test]
fn an_account_above_its_queue_share_is_refused_session_writes() {
    let mut world = World::new();
    let [ada, bo] = [(1, "ada"), (2, "bo")].map(|(id, name)| world.enter(id, lasting(name)));
    for connection in [ada, bo] {
        assert_eq!(world.subscribe(connection, "a/+", Qos::AtLeastOnce), ReasonCode::granted(Qos::AtLeastOnce));
    }
    let payer = world.realm.access(ada).expect("it entered").payer;
    let too_much = usize::try_from(limits::MEMBERS_QUEUED_BYTES_MAX).unwrap() + 1;
    world.realm.ledger.settle(world.now, payer, costs::queued(too_much));
    assert_eq!(world.subscribe(ada, "a/b/+", Qos::AtLeastOnce), ReasonCode::QUOTA_EXCEEDED);
    let twice = Publish { qos: Qos::ExactlyOnce, packet_id: Some(7), ..publish("a/b", "twice") };
    world.send(ada, Packet::Publish(twice));
    assert_eq!(world.take_ack(ada).map(|ack| ack.code), Some(ReasonCode::QUOTA_EXCEEDED));
    let surely = Publish { qos: Qos::AtLeastOnce, packet_id: Some(1), ..publish("a/b", "surely") };
    world.send(bo, Packet::Publish(surely));
    assert_eq!(world.texts(ada), Vec::<String>::new(), "its sessions get nothing that must be written");
    assert_eq!(world.texts(bo), ["surely"]);
}

#[test]
fn guests_never_use_the_last_fifth_of_the_database_and_deletions_pass() {
    let mut world = World::new();
    world.let_everybody_build();
    let guest = world.enter_from("192.0.2.1", 1, builder("anonymous-ada"));
    let member = world.enter_from("192.0.2.2", 2, entry("dora", MqttVersion::V5));
    let mut outcomes = |tenths: u64| {
        world.realm.handle_database_size(DatabaseSize { bytes: tenths << 30, bytes_max: 10 << 30 }, world.now);
        [(guest, "anonymous-ada"), (member, "dora")].map(|(connection, name)| {
            let ack = store(&mut world, connection, name, 100).expect("an answer");
            if ack.code == ReasonCode::SUCCESS { None } else { ack.reason }
        })
    };
    assert_eq!(outcomes(7), [None, None]);
    let of_guests = Some("not_stored: at most 8192 MiB of the realm's database, for guests".to_string());
    assert_eq!(outcomes(8), [of_guests.clone(), None]);
    assert_eq!(outcomes(10), [of_guests, Some("not_stored: at most 10240 MiB of the realm's database".to_string())]);
    for (connection, name) in [(guest, "anonymous-ada"), (member, "dora")] {
        let delete = json!({"object_id": name, "action": "delete"}).to_string();
        let topic = format!("realm/s/public/lobby/o/{name}_0123456789_web/{name}");
        let ack = world.say_surely(connection, &topic, &delete).expect("an answer");
        assert_eq!(ack.code, ReasonCode::SUCCESS, "{name}");
    }
    let objects: Vec<StoredObject> = Vec::new();
    let put = Command::PutObjects { name: lobby(), author: "dora".into(), objects };
    assert!(matches!(world.command(put), CommandAnswer::Refused(_)));
    let clear = Command::ClearScene { name: lobby(), author: "dora".into(), keep: BTreeSet::new() };
    assert!(matches!(world.command(clear), CommandAnswer::Done));
}

#[test]
fn storing_commands_are_refused_while_the_store_queue_is_full() {
    let mut world = World::new();
    let clear = || Command::ClearScene { name: lobby(), author: "ada".into(), keep: BTreeSet::new() };
    assert!(matches!(world.command(clear()), CommandAnswer::Done), "negative control");
    world.realm.store_queue.add_unpaid(limits::COMMANDS_QUEUED_BYTES_MAX);
    assert!(matches!(world.command(clear()), CommandAnswer::Refused(_)));
    assert!(matches!(world.command(Command::People), CommandAnswer::People(_)), "reading goes on");
}

fn record(id: &str, text_bytes: usize) -> StoredObject {
    let at = crate::scene::UnixMillis(1);
    let attributes = json!({"object_type": "text", "value": "x".repeat(text_bytes)});
    StoredObject {
        object_id: id.into(),
        type_name: "object".into(),
        attributes: attributes.as_object().cloned().unwrap(),
        expires_at: None,
        created_at: at,
        updated_at: at,
    }
}

fn put(author: &str) -> Command {
    Command::PutObjects { name: lobby(), author: author.into(), objects: Vec::from([record("copy", 1_000)]) }
}

#[test]
fn server_side_copies_are_charged_to_their_requesting_account() {
    let mut world = World::new();
    assert!(matches!(world.command(put("dora")), CommandAnswer::Done), "negative control");
    let payer = world.realm.ledger.payer(crate::ledger::PayerClass::Members, "dora", None, world.now);
    world.realm.ledger.settle(world.now, payer, costs::stored(2 * limits::MEMBER_STORED_BYTES_BURST as usize));
    let CommandAnswer::Refused(refused) = world.command(put("dora")) else { panic!("it is charged") };
    assert_eq!(refused.reason, Reason::Flood);
    assert!(matches!(world.command(put("emil")), CommandAnswer::Done), "another account");
}

#[test]
fn a_guest_is_charged_for_bytes_stored_by_its_restores() {
    let mut world = World::new();
    let Entry { claims, connect } = guest("anonymous-ada", MqttVersion::V5);
    let grant = crate::grant::Grant::new(claims, &connect.client_id).expect("its own identity");
    let restore = |world: &mut World| {
        let author = Box::new(grant.author(ConnectionId(1), &lobby()));
        let amendments = Vec::from([ObjectStateChange {
            object_id: "copy".into(),
            basis: None,
            target: Some(record("copy", 1_000)),
        }]);
        world.command(Command::Amend { name: lobby(), author, network: None, amendments })
    };
    assert!(matches!(restore(&mut world), CommandAnswer::Amended(1)), "negative control");
    let payer = world.realm.ledger.payer(crate::ledger::PayerClass::Guests, grant.subject(), None, world.now);
    world.realm.ledger.settle(world.now, payer, costs::stored(2 * limits::GUEST_STORED_BYTES_BURST as usize));
    assert!(matches!(restore(&mut world), CommandAnswer::Refused(refused) if refused.reason == Reason::Flood));
}

#[test]
fn an_account_pays_for_bytes_that_the_server_stores() {
    let mut world = World::new();
    let mut charge = |account: &str, bytes: usize| {
        let charged = Command::ChargeStored { name: lobby(), account: account.into(), bytes };
        match world.command(charged) {
            CommandAnswer::Done => None,
            CommandAnswer::Refused(refused) => Some(refused.reason),
            answer => panic!("{answer:?}"),
        }
    };
    let burst = limits::MEMBER_STORED_BYTES_BURST as usize;
    assert_eq!([charge("ada", burst), charge("ada", 1), charge("bo", 1)], [None, Some(Reason::Flood), None]);
    world.realm.handle_database_size(DatabaseSize { bytes: 1 << 30, bytes_max: 1 << 30 }, world.now);
    let full = world.command(Command::ChargeStored { name: lobby(), account: "bo".into(), bytes: 1 });
    assert!(matches!(full, CommandAnswer::Refused(refused) if refused.reason == Reason::NotStored));
}

/// A stored text.
fn stored_text(name: &str, text_bytes: usize) -> StoredObject {
    let attributes = [("value".to_string(), json!("x".repeat(text_bytes)))].into_iter().collect();
    let at = UnixMillis(1);
    let type_name = "object".into();
    StoredObject { object_id: name.into(), type_name, attributes, expires_at: None, created_at: at, updated_at: at }
}

#[test]
fn a_half_full_database_allows_only_deletions_in_the_largest_namespace() {
    let mut world = World::new();
    world.let_everybody_build();
    for (account, bytes) in [("ada", 800_000), ("bo", 100_000)] {
        let stored = StoredScene { revision: 1, objects: Vec::from([stored_text("wall", bytes)]) };
        let name = format!("{account}/den").parse().unwrap();
        world.command(Command::OpenScene { name, epoch: 7, settings: SceneSettings::default(), stored });
    }
    let ada = world.enter(1, explicit("ada", MqttVersion::V5, &["#"]));
    let say = |world: &mut World, scene: &str, action: &str| {
        let topic = format!("realm/s/{scene}/o/client-ada/lamp");
        let data = json!({"object_type": "box"});
        let said = json!({"object_id": "lamp", "action": action, "type": "object", "persist": true, "data": data});
        world.say_surely(ada, &topic, &said.to_string()).expect("an answer").reason
    };
    let put = |world: &mut World, account: &str| {
        let name = format!("{account}/den").parse().unwrap();
        let objects = Vec::from([stored_text("box", 10)]);
        match world.command(Command::PutObjects { name, author: "ada".into(), objects }) {
            CommandAnswer::Refused(refused) => Some(refused.to_string()),
            _ => None,
        }
    };
    world.realm.handle_database_size(DatabaseSize { bytes: 499_999, bytes_max: 1_000_000 }, world.now);
    assert_eq!([say(&mut world, "ada/den", "create"), put(&mut world, "ada")], [None, None], "negative control");
    world.realm.handle_database_size(DatabaseSize { bytes: 500_000, bytes_max: 1_000_000 }, world.now);
    let refused = Some("not_stored: at most 0 MiB of objects in the scenes of one account".to_string());
    assert_eq!([say(&mut world, "ada/den", "update"), put(&mut world, "ada")], [refused.clone(), refused]);
    assert_eq!([say(&mut world, "bo/den", "create"), put(&mut world, "bo")], [None, None]);
    assert_eq!(say(&mut world, "public/lobby", "create"), None, "the owner's scenes have no account's share");
    let wall = json!({"object_id": "wall", "action": "delete"}).to_string();
    let deleted = world.say_surely(ada, "realm/s/ada/den/o/client-ada/wall", &wall);
    assert_eq!(deleted.map(|ack| ack.code), Some(ReasonCode::SUCCESS));
    world.now = world.now + limits::NAMESPACES_COUNTED_PERIOD;
    world.realm.handle_database_size(DatabaseSize { bytes: 600_000, bytes_max: 1_000_000 }, world.now);
    assert_eq!(say(&mut world, "ada/den", "update"), None, "what was deleted is free");
}
