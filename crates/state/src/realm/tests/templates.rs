//! `loadTemplate` across scenes: rights, announcements, acknowledgements.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use bytes::Bytes;
use serde_json::{Value, json};
use stoa_wire::packet::{MqttVersion, Packet, ReasonCode};
use stoa_wire::reason::Reason;
use stoa_wire::topic::SceneName;

use super::super::costs;
use super::world::{Entry, World, claims, entry, explicit, guest, lobby};
use crate::connection_id::ConnectionId;
use crate::grant::{Claims, Moderation, Restriction, RestrictionKind, Role, SceneSettings};
use crate::realm::{Command, CommandAnswer};
use crate::scene::{StoredObject, StoredScene, UnixMillis};
use crate::time::UnixSeconds;

const OWN: &str = "realm/s/public/lobby/o/alice_0123456789_web/request";
const CONTAINER: &str = "public|stall::1";

fn stall() -> SceneName {
    "public/stall".parse().unwrap()
}

fn stored(id: &str, attributes: Value) -> StoredObject {
    StoredObject {
        object_id: id.into(),
        type_name: "object".into(),
        attributes: attributes.as_object().unwrap().clone(),
        expires_at: None,
        created_at: UnixMillis(0),
        updated_at: UnixMillis(0),
    }
}

/// A realm with the lobby and a scene that has a table and a cup on it.
fn world(settings: SceneSettings) -> World {
    let mut world = World::new();
    world.let_everybody_build();
    let objects = [stored("cup", json!({"parent": "table"})), stored("table", json!({"object_type": "box"}))].into();
    world.command(Command::OpenScene {
        name: stall(),
        epoch: 7,
        settings,
        stored: StoredScene { revision: 5, objects },
    });
    world
}

fn closed() -> SceneSettings {
    SceneSettings { public_read: false, ..SceneSettings::default() }
}

fn request(source: &str, persist: bool) -> String {
    let data = json!({"templateNamespace": "public", "templateSceneId": source, "instanceId": "1", "persist": persist});
    json!({"object_id": "request", "action": "loadTemplate", "data": data}).to_string()
}

/// Requests the stall as `entry` and returns the reason of a refusal.
fn told(mut world: World, entry: Entry, topic: &str) -> Option<String> {
    let client = world.enter_scene(1, entry);
    let ack = world.say_surely(client, topic, &request("stall", false)).expect("is told at once");
    let answer = world.command(Command::Snapshot { name: lobby() });
    let CommandAnswer::Snapshot(snapshot) = answer else { panic!("a snapshot") };
    assert_eq!(snapshot.messages().len(), if ack.code == ReasonCode::SUCCESS { 3 } else { 0 }, "all or nothing");
    ack.reason
}

#[test]
fn subscribers_receive_each_copy_with_its_revision_after_the_request() {
    let mut world = world(SceneSettings::default());
    let alice = world.enter_scene(1, entry("alice", MqttVersion::V5));
    let bob = world.enter_scene(2, entry("bob", MqttVersion::V5));
    world.say(alice, OWN, &request("stall", true));
    let heard = world.inbox(bob).into_iter().filter_map(|packet| match packet {
        Packet::Publish(publish) => Some(publish),
        _ => None,
    });
    let heard: Vec<(String, Option<String>)> = heard
        .map(|publish| {
            let revision = publish.properties.user_properties.iter().find(|(key, _)| key == "stoa-revision");
            (publish.topic.as_str().to_string(), revision.map(|(_, revision)| revision.clone()))
        })
        .collect();
    let copy =
        |id: &str, revision: &str| (alloc::format!("realm/s/public/lobby/o/stoa/{id}"), Some(revision.to_string()));
    assert_eq!(
        heard,
        [
            (OWN.to_string(), None),
            copy(CONTAINER, "1"),
            copy("public|stall::1::table", "2"),
            copy("public|stall::1::cup", "3"),
        ]
    );
    assert_eq!(world.changes.iter().map(|(_, change)| change.revision).collect::<Vec<_>>(), [1, 2, 3]);
}

#[test]
fn a_template_is_acknowledged_when_its_last_copy_is_on_disk() {
    let mut world = world(SceneSettings::default());
    world.store_waits = true;
    let alice = world.enter_scene(1, entry("alice", MqttVersion::V5));
    assert_eq!(world.say_surely(alice, OWN, &request("stall", true)), None);
    let last = world.changes.last().unwrap().0;
    world.realm.handle_stored(last - 1, world.now);
    world.drain();
    assert_eq!(world.take_ack(alice), None);
    world.realm.handle_stored(last, world.now);
    world.drain();
    assert_eq!(world.take_ack(alice).map(|ack| ack.code), Some(ReasonCode::SUCCESS));
}

#[test]
fn a_template_request_for_a_missing_or_empty_scene_is_refused() {
    let mut world = world(SceneSettings::default());
    let (settings, stored) = (SceneSettings::default(), StoredScene::default());
    world.command(Command::OpenScene { name: "public/void".parse().unwrap(), epoch: 7, settings, stored });
    let alice = world.enter_scene(1, entry("alice", MqttVersion::V5));
    for source in ["void", "nowhere", "lobby"] {
        let ack = world.say_surely(alice, OWN, &request(source, true)).expect("a refusal is told at once");
        assert_eq!(ack.reason.as_deref(), Some(Reason::NoSuchScene.as_str()), "{source}");
        assert_eq!(world.messages(alice), [], "nothing is forwarded");
    }
    assert_eq!(
        world.say_surely(alice, OWN, &request("stall", true)).map(|ack| ack.code),
        Some(ReasonCode::SUCCESS),
        "negative control"
    );
}

#[test]
fn a_scene_can_be_copied_only_by_clients_that_may_read_it() {
    let no_such_scene = Some(Reason::NoSuchScene.as_str().to_string());
    assert_eq!(told(world(SceneSettings::default()), entry("alice", MqttVersion::V5), OWN), None, "everybody may");
    assert_eq!(told(world(closed()), entry("alice", MqttVersion::V5), OWN), no_such_scene, "as if it weren't there");
    assert_eq!(told(World::new(), entry("alice", MqttVersion::V5), OWN), no_such_scene, "it isn't there");
    let wide = explicit("tool", MqttVersion::V5, &["realm/s/public/lobby/#", "realm/s/public/stall/o/+/+"]);
    assert_eq!(told(world(closed()), wide, "realm/s/public/lobby/o/client-tool/request"), None, "its grant covers it");
    let narrow = explicit("tool", MqttVersion::V5, &["realm/s/public/lobby/#", "realm/s/public/stall/o/+/table"]);
    assert_eq!(told(world(closed()), narrow, "realm/s/public/lobby/o/client-tool/request"), no_such_scene);
}

/// A member's token that depends on the settings, for the lobby.
fn member(sub: &str) -> Entry {
    Entry { claims: Claims { by_realm: false, ..claims(sub, Role::Editor, false) }, ..entry(sub, MqttVersion::V5) }
}

/// A token that reads the stall alone.
fn visitor(sub: &str) -> Entry {
    let subs = ["realm/s/public/stall/+/+/+".parse().unwrap()].into();
    let plain = member(sub);
    let claims = Claims { scene: Some(stall()), role: Some(Role::Viewer), publ: Vec::new(), subs, ..plain.claims };
    Entry { claims, ..plain }
}

#[test]
fn a_locked_scene_is_copied_by_its_moderators_and_people_inside() {
    let locked = || {
        let moderation = Moderation { locked: true, ..Moderation::default() };
        SceneSettings { moderation, editors: ["alice".into()].into(), ..SceneSettings::default() }
    };
    let reason = Some(Reason::Locked.as_str().to_string());
    let bobs = OWN.replace("alice", "bob");
    assert_eq!(told(world(SceneSettings::default()), member("bob"), &bobs), None, "negative control");
    assert_eq!(told(world(locked()), member("bob"), &bobs), reason);
    let outside = explicit("tool", MqttVersion::V5, &["realm/s/public/lobby/#", "realm/s/public/stall/o/x/+"]);
    assert_eq!(told(world(locked()), outside, "realm/s/public/lobby/o/client-tool/request"), reason, "a script");
    assert_eq!(told(world(locked()), member("alice"), OWN), None, "a moderator");
    let mut lock_later = world(SceneSettings::default());
    let connect = entry("bob-2", MqttVersion::V5).connect.with_credentials("bob", Bytes::from_static(b"token"));
    lock_later.enter(9, Entry { connect, ..visitor("bob") });
    lock_later.command(Command::ChangeSettings { name: stall(), settings: locked() });
    assert_eq!(told(lock_later, member("bob"), &bobs), None, "inside by another connection");
}

#[test]
fn a_banned_member_or_guest_copies_nothing() {
    let banning = |who: &str| {
        let (who, shown, by) = (who.to_string(), String::new(), "alice".to_string());
        let (at, kind) = (UnixSeconds(1), RestrictionKind::Out);
        let bar = Restriction { id: "b".into(), kind, who, shown, by, at, ends: None, extends: None };
        let moderation = Moderation { locked: false, bars: [bar].into() };
        SceneSettings { moderation, ..SceneSettings::default() }
    };
    let no_such_scene = Some(Reason::NoSuchScene.as_str().to_string());
    let bobs = OWN.replace("alice", "bob");
    assert_eq!(told(world(banning("dora")), member("bob"), &bobs), None, "negative control");
    assert_eq!(told(world(banning("bob")), member("bob"), &bobs), no_such_scene);
    let of_browser = || {
        let claims = Claims { guest_id: Some("browser".into()), ..claims("anonymous-1", Role::Editor, true) };
        Entry { claims, ..guest("anonymous-1", MqttVersion::V5) }
    };
    assert_eq!(told(world(banning("guest:other")), of_browser(), GUESTS_OWN), None, "negative control");
    assert_eq!(told(world(banning("guest:browser")), of_browser(), GUESTS_OWN), no_such_scene);
}

#[test]
fn a_guest_can_copy_only_scenes_that_guests_may_read() {
    let own = "realm/s/public/lobby/o/anonymous-1_0123456789_web/request";
    let builder =
        || Entry { claims: claims("anonymous-1", Role::Editor, true), ..guest("anonymous-1", MqttVersion::V5) };
    let members_only = SceneSettings { anonymous_users: false, ..SceneSettings::default() };
    let [no_such_scene, not_granted] =
        [Reason::NoSuchScene, Reason::NotGranted].map(|reason| Some(reason.as_str().to_string()));
    assert_eq!(told(world(SceneSettings::default()), builder(), own), None);
    assert_eq!(told(world(members_only), builder(), own), no_such_scene);
    let viewer = guest("anonymous-1", MqttVersion::V5);
    assert_eq!(told(world(SceneSettings::default()), viewer, own), not_granted, "who may not build copies nothing");
}

#[test]
fn template_copies_count_as_messages_of_their_requester() {
    let mut world = world(SceneSettings::default());
    let builder = Entry { claims: claims("anonymous-1", Role::Editor, true), ..guest("anonymous-1", MqttVersion::V5) };
    let client = world.enter_scene(1, builder);
    let own = "realm/s/public/lobby/o/anonymous-1_0123456789_web";
    let delete = json!({"object_id": CONTAINER, "action": "delete"}).to_string();
    let mut made = 0;
    let ack = loop {
        let ack = world.say_surely(client, &alloc::format!("{own}/request"), &request("stall", false)).unwrap();
        if ack.code != ReasonCode::SUCCESS {
            break ack;
        }
        made += 1;
        world.say(client, &alloc::format!("{own}/{CONTAINER}"), &delete);
    };
    assert_eq!(ack.reason.as_deref(), Some("flood: at most 60 messages a second of a guest"));
    let allowed = crate::limits::GUEST_MESSAGES_BURST / (5 + crate::limits::READING_MESSAGES);
    assert_eq!(made, allowed, "the request, looking, three copies and the delete count");
}

#[test]
fn a_failed_template_lookup_is_charged_as_a_read() {
    let mut world = world(SceneSettings::default());
    let (settings, stored) = (SceneSettings::default(), StoredScene::default());
    world.command(Command::OpenScene { name: "public/void".parse().unwrap(), epoch: 7, settings, stored });
    let builder = Entry { claims: claims("anonymous-1", Role::Editor, true), ..guest("anonymous-1", MqttVersion::V5) };
    let client = world.enter_scene(1, builder);
    let own = "realm/s/public/lobby/o/anonymous-1_0123456789_web/request";
    let looked = core::iter::from_fn(|| world.say_surely(client, own, &request("void", false)).unwrap().reason)
        .take_while(|reason| reason == Reason::NoSuchScene.as_str());
    let allowed = crate::limits::GUEST_MESSAGES_BURST / (1 + crate::limits::READING_MESSAGES);
    assert_eq!(looked.count(), allowed as usize);
}

/// A realm whose public stall has this many objects, and a guest that may build in the lobby.
fn world_with_a_guest(objects: usize) -> (World, ConnectionId) {
    let mut world = World::new();
    world.let_everybody_build();
    let objects = (0..objects).map(|number| stored(&alloc::format!("box-{number}"), json!({}))).collect();
    let (settings, stored) = (SceneSettings::default(), StoredScene { revision: 5, objects });
    world.command(Command::OpenScene { name: stall(), epoch: 7, settings, stored });
    let builder = Entry { claims: claims("anonymous-1", Role::Editor, true), ..guest("anonymous-1", MqttVersion::V5) };
    let client = world.enter_scene(1, builder);
    (world, client)
}

const GUESTS_OWN: &str = "realm/s/public/lobby/o/anonymous-1_0123456789_web/request";

#[test]
fn copies_are_charged_before_their_source_is_read() {
    let (mut world, client) = world_with_a_guest(crate::limits::TEMPLATE_OBJECTS_MAX + 1);
    let ack = world.say_surely(client, GUESTS_OWN, &request("stall", false)).expect("is told at once");
    assert_eq!(ack.reason.as_deref(), Some("flood: at most 60 messages a second of a guest"), "not that it is large");
    let alice = world.enter_scene(2, entry("alice", MqttVersion::V5));
    let ack = world.say_surely(alice, OWN, &request("stall", false)).expect("is told at once");
    assert_eq!(
        ack.reason.as_deref(),
        Some("too_many_objects: at most 5000 objects of a template"),
        "a member can pay for them"
    );
}

#[test]
fn a_template_refused_for_its_cost_charges_nothing_for_its_copies() {
    let burst = crate::limits::GUEST_MESSAGES_BURST as usize;
    let (mut world, client) = world_with_a_guest(burst);
    let ack = world.say_surely(client, GUESTS_OWN, &request("stall", false)).expect("is told at once");
    assert_eq!(ack.reason.as_deref(), Some("flood: at most 60 messages a second of a guest"));
    let event = json!({"object_id": "request", "action": "clientEvent", "type": "mousedown", "data": {}}).to_string();
    let ack = world.say_surely(client, GUESTS_OWN, &event).expect("an answer");
    assert_eq!(ack.code, ReasonCode::SUCCESS, "there is something left for other messages");
}

#[test]
fn only_a_template_that_persists_is_charged_as_stored() {
    let (mut world, client) = world_with_a_guest(20);
    let payer = world.realm.access(client).expect("it entered").payer;
    let spent = costs::stored(crate::limits::GUEST_STORED_BYTES_BURST as usize);
    world.realm.ledger.settle(world.now, payer, spent);
    let refused = world.say_surely(client, GUESTS_OWN, &request("stall", true)).and_then(|ack| ack.reason);
    assert!(refused.is_some_and(|text| text.ends_with("bytes a second that one guest stores")));
    let ack = world.say_surely(client, GUESTS_OWN, &request("stall", false)).expect("an answer");
    assert_eq!(ack.code, ReasonCode::SUCCESS);
}

/// Number of objects that fit into three pieces, with their container.
const LARGE: usize = 2 * crate::limits::COPIED_AT_ONCE_MAX + 1;

#[test]
fn a_large_template_is_copied_in_pieces_and_acknowledged_after_the_last() {
    let (mut world, _) = world_with_a_guest(LARGE);
    let alice = world.enter_scene(2, entry("alice", MqttVersion::V5));
    world.store_waits = true;
    assert_eq!(world.say_surely(alice, OWN, &request("stall", true)), None);
    assert_eq!(world.changes.len(), crate::limits::COPIED_AT_ONCE_MAX + 1);
    assert_eq!(world.paused, [alice], "its next message may be about the copies");
    let first = world.changes.last().unwrap().0;
    world.realm.handle_stored(first, world.now);
    world.drain();
    assert_eq!(world.take_ack(alice), None, "further copies follow");
    world.pass(1);
    assert_eq!((world.changes.len(), world.paused.len()), (LARGE + 1, 0));
    assert_eq!(world.take_ack(alice), None, "they are not on disk yet");
    let last = world.changes.last().unwrap().0;
    world.realm.handle_stored(last, world.now);
    world.drain();
    assert_eq!(world.take_ack(alice).map(|ack| ack.code), Some(ReasonCode::SUCCESS));
}

#[test]
fn a_template_whose_earlier_pieces_were_lost_is_refused() {
    let (mut world, _) = world_with_a_guest(LARGE);
    let alice = world.enter_scene(2, entry("alice", MqttVersion::V5));
    world.store_waits = true;
    assert_eq!(world.say_surely(alice, OWN, &request("stall", true)), None);
    let first = world.changes.last().unwrap().0;
    world.realm.handle_store_failed(first, world.now);
    world.drain();
    world.pass(1);
    let refused = world.take_ack(alice).and_then(|ack| ack.reason);
    assert_eq!(refused.as_deref(), Some(Reason::NotStored.as_str()));
}

#[test]
fn a_scene_that_closes_leaves_no_connection_paused() {
    let (mut world, _) = world_with_a_guest(LARGE);
    let alice = world.enter_scene(2, entry("alice", MqttVersion::V5));
    assert_eq!(world.say_surely(alice, OWN, &request("stall", false)), None);
    assert_eq!(world.paused, [alice]);
    world.command(Command::CloseScene { name: lobby() });
    assert!(world.paused.is_empty());
    assert!(world.take_ack(alice).is_some());
}
