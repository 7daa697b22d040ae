//! Moderators remove, mute and lock; invitations admit: on both planes.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::net::IpAddr;

use stoa_wire::packet::{MqttVersion, Packet, Qos, ReasonCode};
use stoa_wire::reason::Reason;
use stoa_wire::topic::SceneName;

use super::ConnectionId;
use super::world::{Entry, World, claims, entry, explicit, guest, lobby};
use crate::grant::{Claims, Invitation, Moderation, Restriction, RestrictionKind, Role, SceneSettings};
use crate::limits;
use crate::network::ClientNetwork;
use crate::realm::{Command, CommandAnswer};
use crate::scene::StoredScene;
use crate::time::UnixSeconds;

/// A token that depends on the scene's settings, as HTTP issues it.
fn by_settings(sub: &str, role: Role) -> Entry {
    Entry { claims: Claims { by_realm: false, ..claims(sub, role, false) }, ..entry(sub, MqttVersion::V5) }
}

fn visitor(sub: &str, browser: &str) -> Entry {
    let plain = guest(sub, MqttVersion::V5);
    Entry { claims: Claims { guest_id: Some(browser.into()), ..plain.claims }, ..plain }
}

fn bar(kind: RestrictionKind, who: &str) -> Restriction {
    let (shown, by) = (who.to_string(), "alice".to_string());
    Restriction { id: "b".into(), kind, who: who.into(), shown, by, at: UnixSeconds(1), ends: None, extends: None }
}

fn with_bar(kind: RestrictionKind, who: &str) -> SceneSettings {
    let moderation = Moderation { locked: false, bars: [bar(kind, who)].into() };
    SceneSettings { moderation, ..SceneSettings::default() }
}

fn locked() -> SceneSettings {
    let moderation = Moderation { locked: true, ..Moderation::default() };
    SceneSettings { moderation, ..SceneSettings::default() }
}

fn connack(world: &mut World, id: u64, entry: Entry) -> ReasonCode {
    let connection = world.try_enter(id, entry);
    match &world.inbox(connection)[..] {
        [Packet::ConnAck(ack), ..] => ack.code,
        other => panic!("a CONNACK comes first: {other:?}"),
    }
}

fn chat(world: &mut World, connection: ConnectionId, sub: &str) -> ReasonCode {
    let topic = alloc::format!("realm/s/public/lobby/c/{sub}_0123456789_web/{sub}_0123456789");
    let said = alloc::format!(r#"{{"object_id":"{sub}_0123456789","type":"chat","dn":"x","text":"hello"}}"#);
    world.say_surely(connection, &topic, &said).expect("a PUBACK").code
}

fn join(world: &mut World, connection: ConnectionId, sub: &str) {
    let joined = alloc::format!(r#"{{"object_id":"{sub}_0123456789","action":"join","data":{{}}}}"#);
    let topic = alloc::format!("realm/s/public/lobby/x/{sub}_0123456789_web/{sub}_0123456789");
    assert_eq!(world.say_surely(connection, &topic, &joined).map(|ack| ack.code), Some(ReasonCode::SUCCESS));
}

/// A guest with a browser of its own.
fn guest_number(number: u64) -> Entry {
    visitor(&alloc::format!("anonymous-{number}"), &alloc::format!("browser-{number}"))
}

fn room_for(people: u32) -> SceneSettings {
    SceneSettings { people_max: Some(people), ..SceneSettings::default() }
}

/// The idTags of bearers without a join.
fn listening(world: &mut World) -> Vec<String> {
    match world.command(Command::Listening { name: lobby() }) {
        CommandAnswer::Listening(listening) => listening.into_iter().map(|bearer| bearer.id_tag).collect(),
        other => panic!("{other:?}"),
    }
}

fn count(world: &mut World) -> usize {
    match world.command(Command::People) {
        CommandAnswer::People(people) => people[0].1,
        other => panic!("{other:?}"),
    }
}

/// A token that reads all public scenes.
fn many(sub: &str) -> Entry {
    let plain = by_settings(sub, Role::Viewer);
    let subs = ["realm/s/public/+/+/+/+".parse().unwrap()].into();
    let roaming = Claims { scene: None, role: None, publ: [].into(), subs, ..plain.claims };
    Entry { claims: roaming, ..plain }
}

fn grant_motion(world: &mut World, claims: Claims) -> CommandAnswer {
    world.command(Command::GrantMotion { name: lobby(), claims: Box::new(claims), network: None })
}

#[test]
fn a_removed_guest_leaves_both_planes_and_cannot_return() {
    let mut world = World::new();
    let other = world.enter_scene(2, visitor("anonymous-2", "browser-2"));
    let meant = world.enter_scene(1, visitor("anonymous-1", "browser-1"));
    let CommandAnswer::MotionGrant(motion_grant) = grant_motion(&mut world, visitor("anonymous-1", "browser-1").claims)
    else {
        panic!("negative control: may be on the motion plane")
    };
    world.set(with_bar(RestrictionKind::Out, "guest:browser-1"));
    assert!(world.closed.contains(&meant) && !world.closed.contains(&other));
    let said = world.inbox(meant).into_iter().find_map(|packet| match packet {
        Packet::Disconnect(said) => Some((said.code, said.reason.unwrap_or_default())),
        _ => None,
    });
    let (code, reason) = said.expect("a DISCONNECT");
    assert_eq!(code, ReasonCode::NOT_AUTHORIZED);
    assert!(reason.contains("removed you"), "{reason}");
    assert_eq!(world.ended_motion_grants, [motion_grant.id]);
    assert!(matches!(grant_motion(&mut world, visitor("anonymous-1", "browser-1").claims), CommandAnswer::Refused(_)));
    // Guests get a new name with each token, but their browser stays the same.
    assert_eq!(connack(&mut world, 3, visitor("anonymous-3", "browser-1")), ReasonCode::NOT_AUTHORIZED);
    assert_eq!(connack(&mut world, 4, visitor("anonymous-3", "browser-3")), ReasonCode::SUCCESS, "negative control");
    world.set(SceneSettings::default());
    assert_eq!(connack(&mut world, 5, visitor("anonymous-1", "browser-1")), ReasonCode::SUCCESS, "lifted");
}

#[test]
fn a_muted_member_cannot_chat_but_is_not_disconnected() {
    let mut world = World::new();
    let bob = world.enter_scene(1, by_settings("bob", Role::Viewer));
    assert_eq!(chat(&mut world, bob, "bob"), ReasonCode::SUCCESS, "negative control");
    world.set(with_bar(RestrictionKind::Silence, "bob"));
    assert!(!world.closed.contains(&bob));
    assert_eq!(chat(&mut world, bob, "bob"), ReasonCode::NOT_AUTHORIZED);
    let join = r#"{"object_id":"bob_0123456789","action":"join","data":{}}"#;
    let joined = world.say_surely(bob, "realm/s/public/lobby/x/bob_0123456789_web/bob_0123456789", join);
    assert_eq!(joined.expect("a PUBACK").code, ReasonCode::SUCCESS);
    world.set(SceneSettings::default());
    assert_eq!(chat(&mut world, bob, "bob"), ReasonCode::SUCCESS, "lifted");
}

#[test]
fn a_locked_scene_admits_only_people_inside_and_moderators() {
    let mut world = World::new();
    let inside = world.enter_scene(1, visitor("anonymous-1", "browser-1"));
    world.set(locked());
    assert!(!world.closed.contains(&inside), "whoever is inside stays");
    assert!(matches!(
        grant_motion(&mut world, visitor("anonymous-1", "browser-1").claims),
        CommandAnswer::MotionGrant(_)
    ));
    assert_eq!(connack(&mut world, 2, visitor("anonymous-2", "browser-2")), ReasonCode::NOT_AUTHORIZED);
    let refused = grant_motion(&mut world, visitor("anonymous-2", "browser-2").claims);
    assert!(matches!(refused, CommandAnswer::Refused(refused) if refused.reason == Reason::Locked), "{refused:?}");
    assert_eq!(connack(&mut world, 3, by_settings("bob", Role::Viewer)), ReasonCode::NOT_AUTHORIZED);
    let settings = SceneSettings { editors: ["bob".into()].into(), ..locked() };
    world.set(settings);
    assert_eq!(connack(&mut world, 4, by_settings("bob", Role::Editor)), ReasonCode::SUCCESS, "moderators may");
}

#[test]
fn a_guest_can_return_to_a_locked_scene_only_shortly_after_leaving() {
    let mut world = World::new();
    for (seconds, code) in [
        (limits::BACK_INSIDE.as_secs() / 2, ReasonCode::SUCCESS),
        (limits::BACK_INSIDE.as_secs() + 1, ReasonCode::NOT_AUTHORIZED),
    ] {
        world.set(SceneSettings::default());
        let inside = world.enter_scene(seconds, visitor("anonymous-1", "browser-1"));
        world.set(locked());
        world.close(inside);
        world.pass(seconds);
        assert_eq!(
            connack(&mut world, 1_000 + seconds, visitor("anonymous-2", "browser-1")),
            code,
            "after {seconds} s"
        );
        world.close(ConnectionId(1_000 + seconds));
        world.pass(2 * limits::BACK_INSIDE.as_secs());
    }
}

#[test]
fn people_in_a_locked_scene_are_admitted_again_after_its_rename() {
    let mut world = World::new();
    world.enter_scene(1, visitor("anonymous-1", "browser-1"));
    assert!(matches!(
        grant_motion(&mut world, visitor("anonymous-2", "browser-2").claims),
        CommandAnswer::MotionGrant(_)
    ));
    world.set(locked());
    let hall: SceneName = "public/hall".parse().unwrap();
    world.command(Command::VacateScene { name: lobby(), to: hall.clone() });
    let (settings, stored) = (locked(), StoredScene::default());
    world.command(Command::OpenScene { name: hall.clone(), epoch: 8, settings, stored });
    let mut check = |browser: &str| {
        let claims = Claims { scene: Some(hall.clone()), ..visitor("anonymous-9", browser).claims };
        world.command(Command::CheckAdmission { name: hall.clone(), claims: Box::new(claims), network: None })
    };
    assert!(matches!(check("browser-1"), CommandAnswer::Done));
    assert!(matches!(check("browser-2"), CommandAnswer::Done), "was on the motion plane");
    assert!(matches!(check("browser-3"), CommandAnswer::Refused(refused) if refused.reason == Reason::Locked));
}

#[test]
fn a_removed_member_with_an_explicit_token_is_disconnected() {
    let mut world = World::new();
    let explicit = |sub: &str| {
        let plain = by_settings(sub, Role::Viewer);
        Entry { claims: Claims { explicit: true, scene: None, role: None, ..plain.claims }, ..plain }
    };
    assert_eq!(connack(&mut world, 1, explicit("bob")), ReasonCode::SUCCESS, "negative control");
    world.set(with_bar(RestrictionKind::Out, "bob"));
    assert!(world.closed.contains(&ConnectionId(1)));
    assert_eq!(connack(&mut world, 2, explicit("bob")), ReasonCode::NOT_AUTHORIZED);
    world.set(SceneSettings::default());
    assert_eq!(connack(&mut world, 3, explicit("bob")), ReasonCode::SUCCESS, "lifted");
}

#[test]
fn a_guest_whose_removal_was_lifted_cannot_enter_the_locked_scene() {
    let mut world = World::new();
    let first = world.enter_scene(1, visitor("anonymous-1", "browser-1"));
    world.close(first);
    world.enter_scene(2, visitor("anonymous-2", "browser-1"));
    let kicked = with_bar(RestrictionKind::Out, "guest:browser-1");
    let moderation = Moderation { locked: true, ..kicked.moderation };
    world.set(SceneSettings { moderation, ..SceneSettings::default() });
    world.set(locked());
    assert_eq!(connack(&mut world, 3, visitor("anonymous-3", "browser-1")), ReasonCode::NOT_AUTHORIZED);
}

#[test]
fn a_locked_scene_disconnects_a_client_with_a_token_for_many_scenes() {
    let mut world = World::new();
    assert_eq!(connack(&mut world, 1, many("bob")), ReasonCode::SUCCESS, "negative control");
    world.set(locked());
    assert!(world.closed.contains(&ConnectionId(1)));
    assert_eq!(connack(&mut world, 2, many("bob")), ReasonCode::NOT_AUTHORIZED);
    assert_eq!(connack(&mut world, 3, many("carla")), ReasonCode::NOT_AUTHORIZED);
    world.set(SceneSettings::default());
    assert_eq!(connack(&mut world, 4, many("bob")), ReasonCode::SUCCESS);
}

#[test]
fn a_full_scene_admits_only_moderators_and_people_already_inside() {
    let mut world = World::new();
    world.set(SceneSettings { people_max: Some(2), ..SceneSettings::default() });
    world.enter_scene(1, visitor("anonymous-1", "browser-1"));
    let second = world.enter_scene(2, visitor("anonymous-2", "browser-2"));
    assert_eq!(connack(&mut world, 3, visitor("anonymous-3", "browser-3")), ReasonCode::QUOTA_EXCEEDED);
    assert_eq!(
        connack(&mut world, 4, visitor("anonymous-4", "browser-1")),
        ReasonCode::SUCCESS,
        "another page of the first"
    );
    let check = |claims: Claims| Command::CheckAdmission { name: lobby(), claims: Box::new(claims), network: None };
    let refused = world.command(check(visitor("anonymous-3", "browser-3").claims));
    assert!(matches!(refused, CommandAnswer::Refused(refused) if refused.limit.is_some()), "{refused:?}");
    assert!(matches!(world.command(check(entry("alice", MqttVersion::V5).claims)), CommandAnswer::Done), "an owner");
    world.close(second);
    assert_eq!(connack(&mut world, 5, visitor("anonymous-3", "browser-3")), ReasonCode::SUCCESS);
}

#[test]
fn an_invited_guest_is_disconnected_when_the_invitation_is_revoked() {
    let mut world = World::new();
    let invitation =
        Invitation { id: "i".into(), role: Role::Editor, ends: UnixSeconds(9), uses_max: None, by: "alice".into() };
    let private = SceneSettings { public_read: false, ..SceneSettings::default() };
    let invited = SceneSettings { invitations: [invitation].into(), ..private.clone() };
    world.set(invited);
    let plain = Entry { claims: claims("anonymous-1", Role::Editor, true), ..guest("anonymous-1", MqttVersion::V5) };
    assert_eq!(connack(&mut world, 1, plain.clone()), ReasonCode::NOT_AUTHORIZED, "negative control: not invited");
    let entry = Entry { claims: Claims { invitation: Some("i".into()), ..plain.claims.clone() }, ..plain };
    let guest = world.enter_scene(2, entry);
    let create = r#"{"object_id":"box","action":"create","type":"object","data":{"object_type":"box"}}"#;
    let made = world.say_surely(guest, "realm/s/public/lobby/o/anonymous-1_0123456789_web/box", create);
    assert_eq!(made.expect("a PUBACK").code, ReasonCode::SUCCESS);
    world.set(private);
    assert!(world.closed.contains(&guest));
}

#[test]
fn an_id_tag_identifies_its_bearer_while_the_bearer_is_connected() {
    let mut world = World::new();
    let bob = world.enter_scene(1, by_settings("bob", Role::Viewer));
    let ask = |world: &mut World| match world.command(Command::WhoIs { name: lobby(), id_tag: "bob_0123456789".into() })
    {
        CommandAnswer::Bearer(bearer) => bearer.map(|bearer| bearer.claims.who().into_owned()),
        other => panic!("{other:?}"),
    };
    assert_eq!(ask(&mut world).as_deref(), Some("bob"), "also before it joins");
    join(&mut world, bob, "bob");
    assert_eq!(ask(&mut world).as_deref(), Some("bob"));
    world.close(bob);
    assert_eq!(ask(&mut world), None);
}

#[test]
fn moderators_can_list_and_remove_listeners() {
    let mut world = World::new();
    let guest = world.enter_scene(1, guest_number(1));
    let bob = world.enter(2, many("bob"));
    assert_eq!(listening(&mut world), ["anonymous-1_0123456789"], "bob subscribes to nothing yet");
    assert!(!world.subscribe(bob, "realm/s/public/+/+/+/+", Qos::AtMostOnce).is_error());
    assert!(matches!(grant_motion(&mut world, guest_number(3).claims), CommandAnswer::MotionGrant(_)));
    assert_eq!(listening(&mut world), ["anonymous-1_0123456789", "anonymous-3_0123456789", "bob_0123456789"]);
    assert_eq!(count(&mut world), 2, "a token for many scenes takes no one's slot");
    let who = world.command(Command::WhoIs { name: lobby(), id_tag: "bob_0123456789".into() });
    assert!(matches!(who, CommandAnswer::Bearer(Some(bearer)) if bearer.claims.who() == "bob"));
    join(&mut world, guest, "anonymous-1");
    assert_eq!(
        listening(&mut world),
        ["anonymous-3_0123456789", "bob_0123456789"],
        "who has joined is in the list of people"
    );
    for who in ["bob", "guest:browser-3"] {
        world.set(with_bar(RestrictionKind::Out, who));
    }
    assert_eq!((listening(&mut world), count(&mut world)), (Vec::new(), 1));
    assert!(world.closed.contains(&bob) && world.ended_motion_grants.len() == 1);
}

#[test]
fn a_full_scene_evicts_its_longest_silent_listener_for_a_newcomer() {
    let mut world = World::new();
    world.set(room_for(5));
    for number in 1..=4 {
        world.enter_scene(number, guest_number(number));
        world.pass(1);
    }
    let ada = world.enter_scene(5, guest_number(5));
    join(&mut world, ada, "anonymous-5");
    assert_eq!(count(&mut world), 5);
    assert_eq!(connack(&mut world, 6, guest_number(6)), ReasonCode::QUOTA_EXCEEDED, "all came just now");
    world.pass(limits::LISTENER_GRACE.as_secs());
    world.closed.clear();
    let check = Command::CheckAdmission { name: lobby(), claims: Box::new(guest_number(7).claims), network: None };
    assert!(matches!(world.command(check), CommandAnswer::Done));
    assert_eq!(world.closed, [], "a question puts nobody out");
    world.inbox(ConnectionId(1));
    assert_eq!(connack(&mut world, 7, guest_number(7)), ReasonCode::SUCCESS);
    assert_eq!(world.closed, [ConnectionId(1)]);
    assert_eq!(count(&mut world), 5);
    let told = world.inbox(ConnectionId(1));
    assert!(matches!(&told[..], [Packet::Disconnect(told)] if told.code == ReasonCode::QUOTA_EXCEEDED), "{told:?}");
    let again = visitor("anonymous-8", "browser-1");
    assert_eq!(connack(&mut world, 8, again), ReasonCode::QUOTA_EXCEEDED, "who gave way puts nobody out");
    for number in 9..=11 {
        assert_eq!(connack(&mut world, number, guest_number(number)), ReasonCode::SUCCESS);
    }
    assert_eq!(connack(&mut world, 12, guest_number(12)), ReasonCode::QUOTA_EXCEEDED, "the rest came just now");
    assert!(!world.closed.contains(&ada), "who has joined stays");
}

/// Enters as the guest with this number; returns the CONNACK's code.
fn connack_from(world: &mut World, address: &str, number: u64) -> ReasonCode {
    match &world.answers_from(address, number, guest_number(number))[..] {
        [Packet::ConnAck(ack), ..] => ack.code,
        other => panic!("a CONNACK comes first: {other:?}"),
    }
}

/// Lets the guests up to this number enter from an address, one a second.
fn fill_from(world: &mut World, address: &str, guests: u64) {
    for number in 1..=guests {
        assert_eq!(connack_from(world, address, number), ReasonCode::SUCCESS);
        world.pass(1);
    }
}

#[test]
fn a_newcomer_takes_a_slot_of_the_network_with_the_most_listeners() {
    let mut world = World::new();
    world.set(room_for(3));
    for number in 1..=3 {
        // Different /56 in one /48.
        let address = alloc::format!("2001:db8:c:{}00::1", number);
        assert_eq!(connack_from(&mut world, &address, number), ReasonCode::SUCCESS);
        world.pass(1);
    }
    let check = Command::CheckAdmission {
        name: lobby(),
        claims: Box::new(guest_number(4).claims),
        network: Some(ClientNetwork::from("192.0.2.1".parse::<IpAddr>().unwrap())),
    };
    assert_eq!(connack_from(&mut world, "2001:db8:c:900::1", 4), ReasonCode::QUOTA_EXCEEDED, "the same network");
    assert!(matches!(world.command(check), CommandAnswer::Done));
    assert_eq!(connack_from(&mut world, "192.0.2.1", 5), ReasonCode::SUCCESS);
    assert!(world.closed.contains(&ConnectionId(1)), "who listens longest leaves: {:?}", world.closed);
    world.pass(1);
    world.closed.clear();
    assert_eq!(connack_from(&mut world, "192.0.2.2", 6), ReasonCode::SUCCESS);
    assert_eq!(world.closed, [ConnectionId(2)]);
    world.pass(1);
    assert_eq!(connack_from(&mut world, "192.0.2.3", 7), ReasonCode::QUOTA_EXCEEDED, "all networks have one");
    assert_eq!(connack_from(&mut world, "2001:db8:c:900::1", 8), ReasonCode::QUOTA_EXCEEDED, "nor do they swap");
}

#[test]
fn joined_people_of_one_network_keep_their_slots_in_a_full_scene() {
    let mut world = World::new();
    world.set(room_for(3));
    fill_from(&mut world, "192.0.2.1", 3);
    for number in 2..=3 {
        join(&mut world, ConnectionId(number), &alloc::format!("anonymous-{number}"));
    }
    assert_eq!(connack_from(&mut world, "198.51.100.1", 4), ReasonCode::QUOTA_EXCEEDED, "one listens");
    assert_eq!(count(&mut world), 3);
}

#[test]
fn a_motion_grant_takes_the_slot_of_a_larger_network() {
    let mut world = World::new();
    world.set(room_for(2));
    fill_from(&mut world, "192.0.2.1", 2);
    let grant = |world: &mut World, network: Option<ClientNetwork>| {
        let claims = Box::new(guest_number(3).claims);
        world.command(Command::GrantMotion { name: lobby(), claims, network })
    };
    assert!(matches!(grant(&mut world, None), CommandAnswer::Refused(_)), "negative control");
    let other = ClientNetwork::from("198.51.100.1".parse::<IpAddr>().unwrap());
    assert!(matches!(grant(&mut world, Some(other)), CommandAnswer::MotionGrant(_)));
    assert_eq!(world.closed, [ConnectionId(1)]);
}

#[test]
fn a_person_belongs_to_the_network_of_its_connection() {
    let mut world = World::new();
    world.set(room_for(2));
    let (claims, elsewhere) = (Box::new(guest_number(1).claims), "203.0.113.1".parse::<IpAddr>().unwrap());
    let granted = Command::GrantMotion { name: lobby(), claims, network: Some(elsewhere.into()) };
    assert!(matches!(world.command(granted), CommandAnswer::MotionGrant(_)));
    fill_from(&mut world, "192.0.2.1", 2);
    assert_eq!(connack_from(&mut world, "198.51.100.1", 3), ReasonCode::SUCCESS);
    assert_eq!(world.closed, [ConnectionId(1)]);
}

#[test]
fn a_guest_evicted_within_its_grace_can_take_a_slot_again() {
    let mut world = World::new();
    world.set(room_for(4));
    fill_from(&mut world, "192.0.2.1", 4);
    assert_eq!(connack_from(&mut world, "198.51.100.1", 5), ReasonCode::SUCCESS);
    assert_eq!(world.closed, [ConnectionId(1)]);
    let again = world.answers_from("203.0.113.1", 6, guest_number(1));
    assert!(matches!(&again[..], [Packet::ConnAck(ack), ..] if ack.code == ReasonCode::SUCCESS), "{again:?}");
}

#[test]
fn a_full_scene_is_searched_for_listeners_at_most_once_a_second() {
    let mut world = World::new();
    world.set(room_for(1));
    let silent = world.enter_scene(1, guest_number(1));
    world.pass(limits::LISTENER_GRACE.as_secs());
    world.now = world.now + limits::OCCUPANCY_COUNT_LASTS / 2;
    join(&mut world, silent, "anonymous-1");
    assert_eq!(connack(&mut world, 2, guest_number(2)), ReasonCode::QUOTA_EXCEEDED, "it has joined");
    let leave = r#"{"object_id":"anonymous-1_0123456789","action":"leave"}"#;
    world.say(silent, "realm/s/public/lobby/x/anonymous-1_0123456789_web/anonymous-1_0123456789", leave);
    assert_eq!(connack(&mut world, 3, guest_number(3)), ReasonCode::QUOTA_EXCEEDED, "it was counted just now");
    let check = |world: &mut World| {
        let claims = Box::new(guest_number(3).claims);
        world.command(Command::CheckAdmission { name: lobby(), claims, network: None })
    };
    assert!(matches!(check(&mut world), CommandAnswer::Refused(_)));
    world.now = world.now + limits::OCCUPANCY_COUNT_LASTS;
    assert!(matches!(check(&mut world), CommandAnswer::Done));
    assert_eq!(connack(&mut world, 4, guest_number(3)), ReasonCode::SUCCESS);
    assert_eq!(world.closed.last(), Some(&silent));
}

#[test]
fn a_silent_listener_is_evicted_before_a_client_that_publishes() {
    let mut world = World::new();
    world.set(room_for(2));
    let program = world.enter_scene(1, guest_number(1));
    world.pass(1);
    let listener = world.enter_scene(2, guest_number(2));
    world.pass(limits::LISTENER_GRACE.as_secs());
    assert_eq!(chat(&mut world, program, "anonymous-1"), ReasonCode::SUCCESS);
    assert_eq!(connack(&mut world, 3, guest_number(3)), ReasonCode::SUCCESS);
    assert_eq!(world.closed, [listener]);
}

#[test]
fn a_moderator_is_never_evicted_from_a_full_scene() {
    let mut world = World::new();
    world.set(room_for(1));
    let bot = world.enter_scene(1, entry("alice", MqttVersion::V5));
    world.pass(limits::LISTENER_GRACE.as_secs());
    assert_eq!(connack(&mut world, 2, guest_number(2)), ReasonCode::QUOTA_EXCEEDED);
    assert!(!world.closed.contains(&bot));
}

#[test]
fn a_second_connection_or_motion_grant_does_not_extend_the_grace() {
    let mut world = World::new();
    world.set(room_for(1));
    let first = world.enter_scene(1, visitor("anonymous-1", "browser-1"));
    world.pass(limits::LISTENER_GRACE.as_secs() - 10);
    let again = visitor("anonymous-2", "browser-1");
    let second = world.enter_scene(2, again.clone());
    assert!(matches!(grant_motion(&mut world, again.claims), CommandAnswer::MotionGrant(_)));
    world.close(first);
    assert_eq!(connack(&mut world, 3, guest_number(3)), ReasonCode::QUOTA_EXCEEDED, "negative control");
    world.pass(10);
    assert_eq!(connack(&mut world, 4, guest_number(3)), ReasonCode::SUCCESS);
    assert!(world.closed.contains(&second));
    assert_eq!((world.ended_motion_grants.len(), count(&mut world)), (1, 1));
}

#[test]
fn a_session_takeover_does_not_extend_the_grace() {
    let mut world = World::new();
    world.set(room_for(1));
    let listener = guest_number(1);
    world.enter_scene(1, listener.clone());
    world.pass(limits::LISTENER_GRACE.as_secs() - 1);
    world.enter_scene(2, listener);
    assert_eq!(connack(&mut world, 3, guest_number(3)), ReasonCode::QUOTA_EXCEEDED, "negative control");
    world.pass(1);
    assert_eq!(connack(&mut world, 4, guest_number(4)), ReasonCode::SUCCESS);
    assert!(world.closed.contains(&ConnectionId(2)), "{:?}", world.closed);
}

#[test]
fn a_scene_above_its_limit_evicts_one_listener_for_each_newcomer() {
    let mut world = World::new();
    world.set(room_for(5));
    for number in 1..=5 {
        world.enter_scene(number, guest_number(number));
    }
    world.set(room_for(2));
    world.pass(limits::LISTENER_GRACE.as_secs());
    assert_eq!(connack(&mut world, 6, guest_number(6)), ReasonCode::SUCCESS);
    assert_eq!((world.closed.len(), count(&mut world)), (1, 5));
}

#[test]
fn a_person_with_an_explicit_token_counts_from_join_to_leave() {
    let mut world = World::new();
    let carla = world.enter(1, explicit("carla", MqttVersion::V5, &["realm/s/public/lobby/#"]));
    let topic = "realm/s/public/lobby/x/client-carla/client-carla";
    assert_eq!(count(&mut world), 0);
    for (action, people) in [("join", 1), ("leave", 0), ("join", 1)] {
        world.say(carla, topic, &alloc::format!(r#"{{"object_id":"client-carla","action":"{action}"}}"#));
        assert_eq!(count(&mut world), people, "{action}");
    }
    world.close(carla);
    assert_eq!(count(&mut world), 0);
}

#[test]
fn the_scene_list_is_cached_until_a_scenes_settings_change() {
    let mut world = World::new();
    let list = |world: &mut World| match world.command(Command::Scenes) {
        CommandAnswer::Scenes { listed, people } => (listed, people),
        other => panic!("{other:?}"),
    };
    let (first, nobody) = list(&mut world);
    world.enter_scene(1, visitor("anonymous-1", "browser-1"));
    let (second, people) = list(&mut world);
    assert!(alloc::sync::Arc::ptr_eq(&first, &second));
    assert_eq!((nobody, people), (Vec::new(), alloc::vec![(lobby(), 1)]));
    world.set(room_for(3));
    let (third, _) = list(&mut world);
    let changed = third.iter().find(|(name, _)| *name == lobby()).map(|(_, settings)| settings.people_max);
    assert_eq!(changed, Some(Some(3)));
}

#[test]
fn a_listener_with_an_all_scenes_token_is_listed_until_it_disconnects() {
    let mut world = World::new();
    let roaming = world.enter_scene(1, many("anonymous-1"));
    assert_eq!(listening(&mut world).len(), 1);
    world.realm.handle_closed(roaming, world.now);
    world.drain();
    assert!(listening(&mut world).is_empty());
}
