//! Grants issued under settings that a scene no longer has.

use alloc::vec::Vec;

use stoa_wire::packet::{MqttVersion, Packet, Qos, ReasonCode, Will};
use stoa_wire::topic_filter::TopicFilter;

use super::ConnectionId;
use super::world::{Entry, World, claims, entry, explicit, guest, lobby, will};
use crate::grant::{Claims, Role, SceneSettings};
use crate::realm::Command;
use crate::scene::StoredScene;

/// With a token that depends on the scene's settings, as HTTP issues it.
fn by_settings(sub: &str, role: Role, version: MqttVersion) -> Entry {
    Entry { claims: Claims { by_realm: false, ..claims(sub, role, false) }, ..entry(sub, version) }
}

fn private() -> SceneSettings {
    SceneSettings { public_read: false, ..SceneSettings::default() }
}

/// Returns an ended connection's reason code, and whether the reason mentions the settings.
fn farewell(world: &mut World, connection: ConnectionId) -> Option<(ReasonCode, bool)> {
    let inbox = world.inbox(connection);
    let told = inbox.into_iter().find_map(|packet| match packet {
        Packet::Disconnect(said) => Some((said.code, said.reason.is_some_and(|reason| reason.contains("settings")))),
        _ => None,
    });
    assert_eq!(told.is_some(), world.closed.contains(&connection));
    told
}

fn connack(world: &mut World, id: u64, entry: Entry) -> (ReasonCode, bool) {
    let connection = world.try_enter(id, entry);
    match &world.inbox(connection)[..] {
        [Packet::ConnAck(ack), ..] => (ack.code, ack.session_present),
        other => panic!("a CONNACK comes first: {other:?}"),
    }
}

const OUT: Option<(ReasonCode, bool)> = Some((ReasonCode::NOT_AUTHORIZED, true));

#[test]
fn a_scene_made_private_disconnects_clients_without_access() {
    let mut world = World::new();
    let owner = world.enter_scene(1, entry("alice", MqttVersion::V5));
    let viewer = world.enter_scene(2, by_settings("bob", Role::Viewer, MqttVersion::V5));
    let visitor = world.enter_scene(3, guest("anonymous-1", MqttVersion::V5));
    let listed = world.enter_scene(4, by_settings("carla", Role::Viewer, MqttVersion::V5));
    let join = r#"{"object_id":"bob_0123456789","action":"join","data":{}}"#;
    world.say(viewer, "realm/s/public/lobby/x/bob_0123456789_web/bob_0123456789", join);
    for connection in [owner, viewer, visitor, listed] {
        world.inbox(connection);
    }
    world.set(SceneSettings { viewers: ["carla".into()].into(), ..private() });
    assert_eq!(farewell(&mut world, viewer), OUT);
    assert_eq!(farewell(&mut world, visitor), OUT);
    let told = world.messages(owner);
    assert_eq!(told.len(), 1, "who is put out leaves: {told:?}");
    assert_eq!(told[0].1["action"], "leave");
    assert_eq!(farewell(&mut world, owner), None, "what the realm gave stays");
    assert_eq!(farewell(&mut world, listed), None, "so does who is listed");
}

#[test]
fn a_removed_editor_is_disconnected_and_can_return_only_as_a_viewer() {
    let mut world = World::new();
    world.set(SceneSettings { editors: ["bob".into()].into(), ..SceneSettings::default() });
    let editor = || by_settings("bob", Role::Editor, MqttVersion::V5);
    let bob = world.enter_scene(1, editor());
    world.set(SceneSettings::default());
    assert_eq!(farewell(&mut world, bob), OUT);
    assert_eq!(connack(&mut world, 2, editor()), (ReasonCode::NOT_AUTHORIZED, false), "the old token opens nothing");
    let as_viewer = by_settings("bob", Role::Viewer, MqttVersion::V5);
    assert_eq!(connack(&mut world, 3, as_viewer), (ReasonCode::SUCCESS, false));
    world.set(SceneSettings { editors: ["bob".into()].into(), ..SceneSettings::default() });
    assert_eq!(farewell(&mut world, ConnectionId(3)), None, "to gain a right ends nothing");
}

#[test]
fn a_client_is_disconnected_only_by_settings_that_withdraw_its_rights() {
    for (settings, kept) in [
        (SceneSettings { anonymous_users: false, ..SceneSettings::default() }, [false, true]),
        (SceneSettings { users: false, ..SceneSettings::default() }, [false, false]),
        (SceneSettings { video_conference: false, ..SceneSettings::default() }, [true, true]),
    ] {
        let mut world = World::new();
        let visitor = world.enter_scene(1, guest("anonymous-1", MqttVersion::V5));
        let member = world.enter_scene(2, by_settings("bob", Role::Viewer, MqttVersion::V5));
        world.set(settings.clone());
        let here = [visitor, member].map(|connection| farewell(&mut world, connection).is_none());
        assert_eq!(here, kept, "{settings:?}");
    }
}

#[test]
fn a_client_that_loses_access_loses_its_session_and_its_will() {
    let lasting = |topic: &str, delay_s: u32| {
        let mut entry = by_settings("bob", Role::Viewer, MqttVersion::V5);
        entry.claims.publ.push(TopicFilter::parse("a/#").unwrap());
        entry.claims.subs.push(TopicFilter::parse("a/#").unwrap());
        entry.connect.session_expiry_s = Some(600);
        entry.connect.clean_start = false;
        entry.connect.will = Some(Will { delay_s, ..will(topic, "gone") });
        entry
    };
    for (connected, made_private) in [(true, true), (false, true), (false, false)] {
        let mut world = World::new();
        let mut hearer = entry("alice", MqttVersion::V5);
        hearer.claims.subs.push(TopicFilter::parse("a/#").unwrap());
        let alice = world.enter(1, hearer);
        world.subscribe(alice, "a/#", Qos::AtMostOnce);
        let bob = world.enter(2, lasting("a/will", 60));
        if !connected {
            world.close(bob);
        }
        if made_private {
            world.set(private());
            world.set(SceneSettings::default());
        }
        world.pass(61);
        let published = world.texts(alice);
        assert_eq!(published.len(), usize::from(!made_private), "{connected}: {published:?}");
        assert_eq!(connack(&mut world, 3, lasting("a/will", 60)), (ReasonCode::SUCCESS, !made_private), "{connected}");
    }
}

#[test]
fn revoking_a_token_ends_its_idle_session() {
    let mut world = World::new();
    let mut bob = by_settings("bob", Role::Viewer, MqttVersion::V5);
    bob.connect.session_expiry_s = Some(600);
    bob.connect.clean_start = false;
    for revoked in ["jti-alice", "jti-bob"] {
        let connection = world.enter(2, bob.clone());
        world.close(connection);
        world.command(Command::Revoke { jti: revoked.into() });
        let again = Entry { claims: Claims { jti: "jti-new".into(), ..bob.claims.clone() }, ..bob.clone() };
        assert_eq!(connack(&mut world, 3, again), (ReasonCode::SUCCESS, revoked == "jti-alice"), "{revoked}");
        world.close(ConnectionId(3));
    }
}

#[test]
fn a_token_for_many_scenes_needs_access_to_each() {
    let roaming = |filters: &[&str]| {
        let plain = by_settings("bob", Role::Viewer, MqttVersion::V5);
        let subs: Vec<TopicFilter> = filters.iter().map(|text| TopicFilter::parse(text).unwrap()).collect();
        let claims = Claims { publ: Vec::new(), subs, scene: None, role: None, ..plain.claims };
        Entry { claims, ..plain }
    };
    let (public, own) = (["realm/s/public/+/+/+/+"], ["realm/s/bob/+/+/+/+"]);
    let mut world = World::new();
    let looker = world.enter(1, roaming(&public));
    world.set(private());
    assert_eq!(farewell(&mut world, looker), OUT);
    assert_eq!(connack(&mut world, 2, roaming(&public)), (ReasonCode::NOT_AUTHORIZED, false));
    assert_eq!(connack(&mut world, 3, roaming(&["realm/s/public/lobby/+/+/+"])), (ReasonCode::NOT_AUTHORIZED, false));
    assert_eq!(connack(&mut world, 4, roaming(&own)), (ReasonCode::SUCCESS, false), "negative control");
}

#[test]
fn a_recreated_private_scene_disconnects_clients_with_old_grants() {
    let mut world = World::new();
    let viewer = world.enter_scene(1, by_settings("bob", Role::Viewer, MqttVersion::V5));
    world.command(Command::CloseScene { name: lobby() });
    assert_eq!(farewell(&mut world, viewer), None, "negative control");
    let opened = Command::OpenScene { name: lobby(), epoch: 8, settings: private(), stored: StoredScene::default() };
    world.command(opened);
    assert_eq!(farewell(&mut world, viewer), OUT);
}

#[test]
fn revoking_a_token_disconnects_clients_of_its_child_tokens() {
    let mut world = World::new();
    let child = |sub: &str| {
        let plain = entry(sub, MqttVersion::V5);
        let claims = Claims { jti: "child".into(), parents: plain.claims.lineage().unwrap(), ..plain.claims };
        Entry { claims, ..plain }
    };
    let (alice, bob) = (world.enter(1, child("alice")), world.enter(2, child("bob")));
    world.command(Command::Revoke { jti: "jti-alice".into() });
    assert!(world.closed.contains(&alice) && !world.closed.contains(&bob));
}

#[test]
fn ending_an_account_ends_its_sessions_and_spares_a_namesake_guest() {
    let mut world = World::new();
    let lasting = |sub: &str, client_id: &str| {
        let mut entry = entry(sub, MqttVersion::V5);
        entry.connect.session_expiry_s = Some(600);
        entry.connect.clean_start = false;
        entry.connect.client_id = client_id.into();
        entry
    };
    let away = world.enter(1, lasting("alice", "one"));
    world.close(away);
    let here = world.enter(2, lasting("alice", "two"));
    let bob = world.enter(3, lasting("bob", "one"));
    let namesake = world.enter(4, guest("alice", MqttVersion::V5));
    world.command(Command::EndAccount { name: "alice".into() });
    assert!(world.closed.contains(&here) && !world.closed.contains(&bob) && !world.closed.contains(&namesake));
    let next = |client_id: &str| {
        let entry = lasting("alice", client_id);
        Entry { claims: Claims { jti: "jti-new".into(), ..entry.claims.clone() }, ..entry }
    };
    assert_eq!(connack(&mut world, 5, next("one")), (ReasonCode::SUCCESS, false));
    assert_eq!(connack(&mut world, 6, next("two")), (ReasonCode::SUCCESS, false));
}

#[test]
fn a_restored_session_ends_with_its_account() {
    for ends in [true, false] {
        let mut world = World::new();
        let mut lasting = explicit("alice", MqttVersion::V5, &["a/#"]);
        (lasting.connect.session_expiry_s, lasting.connect.clean_start) = (Some(600), false);
        let alice = world.enter(1, lasting.clone());
        world.close(alice);
        world.restart(1);
        let name = if ends { "alice" } else { "alice2" };
        world.command(Command::EndAccount { name: name.into() });
        assert_eq!(connack(&mut world, 2, lasting), (ReasonCode::SUCCESS, !ends));
    }
}
