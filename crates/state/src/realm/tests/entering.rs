//! Admission, session takeover, disconnection.

use alloc::string::String;

use stoa_wire::packet::{DecodeError, MqttVersion, Packet, Qos, ReasonCode};

use super::ConnectionId;
use super::world::{Entry, World, entry, explicit, guest};
use crate::limits;
use crate::origin::ConnectionOrigin;
use crate::realm::{Command, RealmCounter, RealmOutput};
use crate::time::{Time, UnixSeconds};

fn refusal_code(world: &mut World, connection: ConnectionId) -> ReasonCode {
    match &world.inbox(connection)[..] {
        [Packet::ConnAck(ack)] => ack.code,
        other => panic!("{other:?} is a CONNACK alone"),
    }
}

#[test]
fn a_user_name_other_than_the_tokens_is_refused() {
    let mut world = World::new();
    let mut other = entry("alice", MqttVersion::V5);
    other.connect.username = Some("bob".into());
    let connection = world.try_enter(1, other);
    assert_eq!(refusal_code(&mut world, connection), ReasonCode::BAD_USER_NAME_OR_PASSWORD);
    assert_eq!(world.closed, [connection]);
    assert_eq!(world.count(RealmCounter::ConnectRefused), 1);
}

#[test]
fn a_client_without_a_token_is_refused() {
    let mut world = World::new();
    let mut bare = entry("alice", MqttVersion::V311);
    bare.connect.password = None;
    let connection = world.try_enter(1, bare);
    assert_eq!(refusal_code(&mut world, connection), ReasonCode::BAD_USER_NAME_OR_PASSWORD);
}

#[test]
fn an_expired_token_is_refused() {
    let mut world = World::new();
    world.now = crate::time::Time::from_secs(3_600 + limits::GRANT_LEEWAY_S + 1);
    let connection = world.try_enter(1, entry("alice", MqttVersion::V5));
    assert_eq!(refusal_code(&mut world, connection), ReasonCode::NOT_AUTHORIZED);
}

#[test]
fn a_session_is_taken_over_by_the_same_subject() {
    let mut world = World::new();
    let first = world.enter(1, entry("alice", MqttVersion::V5));
    let second = world.enter(2, entry("alice", MqttVersion::V5));
    assert!(
        matches!(&world.inbox(first)[..], [Packet::Disconnect(said)] if said.code == ReasonCode::SESSION_TAKEN_OVER)
    );
    assert_eq!(world.closed, [first]);
    world.send(second, Packet::PingReq);
    assert_eq!(world.inbox(second), [Packet::PingResp]);
}

#[test]
fn a_client_id_that_is_an_identity_is_not_taken_by_another_subject() {
    let mut world = World::new();
    let first = world.enter(1, explicit("alice", MqttVersion::V5, &["a/#"]));
    let mut thief = explicit("mallory", MqttVersion::V5, &["a/#"]);
    thief.connect.client_id = "client-alice".into();
    let second = world.try_enter(2, thief.clone());
    assert_eq!(refusal_code(&mut world, second), ReasonCode::CLIENT_IDENTIFIER_NOT_VALID);
    world.send(first, Packet::PingReq);
    assert_eq!(world.inbox(first), [Packet::PingResp], "the first is undisturbed");
    world.close(first);
    world.enter(3, thief);
}

#[test]
fn a_guest_with_an_accounts_client_id_does_not_block_the_account() {
    let mut world = World::new();
    let mut squatter = guest("anonymous-1", MqttVersion::V5);
    squatter.connect.client_id = "client-alice".into();
    let first = world.enter(1, squatter);
    let second = world.enter(2, explicit("alice", MqttVersion::V5, &["a/#"]));
    for connection in [first, second] {
        world.send(connection, Packet::PingReq);
        assert_eq!(
            world.inbox(connection),
            [Packet::PingResp],
            "sessions of two subjects have nothing to do with each other"
        );
    }
}

#[test]
fn the_number_of_a_guests_sessions_is_limited() {
    let mut world = World::new();
    let numbered = |number: u64| {
        let mut entry = guest("anonymous-1", MqttVersion::V5);
        entry.connect.client_id = alloc::format!("c{number}");
        entry
    };
    let most = limits::GUEST_SESSIONS_MAX as u64;
    let connections: alloc::vec::Vec<_> = (0..most).map(|number| world.enter(number, numbered(number))).collect();
    let beyond = world.try_enter(most, numbered(most));
    assert_eq!(refusal_code(&mut world, beyond), ReasonCode::QUOTA_EXCEEDED);
    world.enter(most + 1, guest("anonymous-2", MqttVersion::V5));
    world.close(connections[0]);
    world.enter(most + 2, numbered(most));
}

#[test]
fn queued_messages_outside_the_new_grant_are_not_delivered() {
    let mut world = World::new();
    let lasting = |filters: &[&str]| {
        let mut entry = explicit("alice", MqttVersion::V311, filters);
        entry.connect.clean_start = false;
        entry
    };
    let first = world.enter(1, lasting(&["a/#", "b/#"]));
    for filter in ["a/#", "b/#"] {
        world.subscribe(first, filter, Qos::AtLeastOnce);
    }
    let bob = world.enter(2, explicit("bob", MqttVersion::V311, &["#"]));
    world.say_surely(bob, "b/in-flight", "1");
    world.close(first);
    for topic in ["b/pending", "a/pending"] {
        world.say_surely(bob, topic, "1");
    }
    let second = world.try_enter(3, lasting(&["a/#"]));
    let topics: alloc::vec::Vec<String> = world.messages(second).into_iter().map(|(topic, _)| topic).collect();
    assert_eq!(topics, ["a/pending"]);
}

#[test]
fn a_resumed_session_keeps_only_subscriptions_that_its_new_grant_covers() {
    let mut world = World::new();
    let mut wide = explicit("alice", MqttVersion::V311, &["a/#", "b/#"]);
    wide.connect.clean_start = false;
    let mut narrow = explicit("alice", MqttVersion::V311, &["a/#"]);
    narrow.connect.clean_start = false;
    let first = world.enter(1, wide);
    world.subscribe(first, "a/#", Qos::AtMostOnce);
    world.subscribe(first, "b/#", Qos::AtMostOnce);
    world.close(first);
    let second = world.enter(2, narrow);
    let bob = world.enter(3, explicit("bob", MqttVersion::V311, &["#"]));
    world.say(bob, "b/x", "1");
    world.say(bob, "a/x", "1");
    let topics: alloc::vec::Vec<String> = world.messages(second).into_iter().map(|(topic, _)| topic).collect();
    assert_eq!(topics, ["a/x"]);
}

#[test]
fn delivery_and_connection_end_with_the_grant() {
    let mut world = World::new();
    let mut short = explicit("alice", MqttVersion::V5, &["a/#"]);
    short.claims.exp.0 -= 3_000;
    short.connect.keep_alive_s = 600;
    let alice = world.enter(1, short);
    world.subscribe(alice, "a/#", Qos::AtMostOnce);
    let bob = world.enter(2, explicit("bob", MqttVersion::V5, &["a/#"]));
    world.say(bob, "a/x", "1");
    assert_eq!(world.messages(alice).len(), 1, "negative control");
    // A late timer must not delay the end of delivery.
    world.now = crate::time::Time::from_secs(600 + limits::GRANT_LEEWAY_S);
    world.say(bob, "a/x", "1");
    assert_eq!(world.messages(alice), []);
    world.say(alice, "a/x", "1");
    world.realm.handle_timeout(world.now);
    world.drain();
    let inbox = world.inbox(alice);
    assert!(
        matches!(inbox.last(), Some(Packet::Disconnect(said)) if said.code == ReasonCode::NOT_AUTHORIZED),
        "{inbox:?}"
    );
    assert!(world.closed.contains(&alice));
}

#[test]
fn a_revoked_token_ends_its_connections_and_publishes_no_will() {
    let mut world = World::new();
    let mut with_will = explicit("alice", MqttVersion::V5, &["a/#"]);
    with_will.connect.will = Some(super::world::will("a/will", "1"));
    let alice = world.enter(1, with_will);
    let bob = world.enter(2, explicit("bob", MqttVersion::V5, &["a/#"]));
    world.subscribe(bob, "a/#", Qos::AtMostOnce);
    world.command(Command::Revoke { jti: "jti-alice".into() });
    assert!(
        matches!(&world.inbox(alice)[..], [Packet::Disconnect(said)] if said.code == ReasonCode::ADMINISTRATIVE_ACTION)
    );
    assert_eq!(world.messages(bob), []);
}

#[test]
fn a_silent_client_is_disconnected_and_its_will_is_published() {
    let mut world = World::new();
    let mut with_will = explicit("alice", MqttVersion::V311, &["a/#"]);
    with_will.connect.will = Some(super::world::will("a/will", "1"));
    let alice = world.enter(1, with_will);
    let mut patient = explicit("bob", MqttVersion::V311, &["a/#"]);
    patient.connect.keep_alive_s = 0;
    let bob = world.enter(2, patient);
    world.subscribe(bob, "a/#", Qos::AtMostOnce);
    world.pass(80);
    world.send(alice, Packet::PingReq);
    world.pass(89);
    assert_eq!(world.closed, [], "negative control: 89 s of silence are allowed");
    world.pass(1);
    assert_eq!(world.closed, [alice]);
    assert_eq!(world.messages(bob).len(), 1);
}

#[test]
fn a_connection_that_closes_without_a_packet_is_not_counted() {
    let mut world = World::new();
    let before = world.counts.clone();
    world.realm.handle_opened(ConnectionId(1), ConnectionOrigin::Here, world.now);
    world.close(ConnectionId(1));
    assert_eq!(world.counts, before);
    assert!(world.closed.is_empty() && world.frames.is_empty());
}

#[test]
fn a_connection_without_a_connect_packet_is_closed_on_timeout() {
    let mut world = World::new();
    world.realm.handle_opened(ConnectionId(1), ConnectionOrigin::Here, world.now);
    world.pass(limits::CONNECT_TIMEOUT.as_secs());
    assert_eq!(world.closed, [ConnectionId(1)]);
}

#[test]
fn malformed_bytes_end_the_connection_with_the_reason() {
    let mut world = World::new();
    let alice = world.enter(1, entry("alice", MqttVersion::V5));
    let error = DecodeError::new("the packet is malformed", ReasonCode::MALFORMED_PACKET);
    world.realm.handle_malformed(alice, error, world.now);
    world.drain();
    assert!(matches!(&world.inbox(alice)[..], [Packet::Disconnect(said)] if said.code == ReasonCode::MALFORMED_PACKET));
    assert_eq!(world.closed, [alice]);
}

#[test]
fn a_too_large_connect_is_refused_in_its_protocol_version() {
    for version in [MqttVersion::V311, MqttVersion::V5] {
        let mut world = World::new();
        world.open(1, version, ConnectionOrigin::Here);
        let mut decoder = stoa_wire::packet::Decoder::new(stoa_wire::limits::PACKET_BYTES_MAX);
        // The header of a CONNECT of 1 MiB, its protocol name and its version.
        let level = if version == MqttVersion::V5 { 5 } else { 4 };
        decoder.feed(&[&[0x10, 0x80, 0x80, 0x40, 0, 4][..], b"MQTT", &[level]].concat());
        let error = decoder.next_packet().expect_err("it is too large");
        world.realm.handle_malformed(ConnectionId(1), error, world.now);
        world.drain();
        // 3.1.1 has no code for it; its 5 is decoded as this one.
        let code = if version == MqttVersion::V5 { ReasonCode::PACKET_TOO_LARGE } else { ReasonCode::NOT_AUTHORIZED };
        let inbox = world.inbox(ConnectionId(1));
        assert!(matches!(&inbox[..], [Packet::ConnAck(ack)] if ack.code == code), "{inbox:?}");
        assert_eq!(world.closed, [ConnectionId(1)]);
    }
}

#[test]
fn a_client_without_an_id_is_given_one() {
    let mut world = World::new();
    let mut nameless: Entry = explicit("alice", MqttVersion::V5, &["a/#"]);
    nameless.connect.client_id = String::new();
    let connection = world.try_enter(1, nameless);
    let inbox = world.inbox(connection);
    let Packet::ConnAck(ack) = &inbox[0] else { panic!("{inbox:?} begins with a CONNACK") };
    assert!(ack.properties.assigned_client_id.as_ref().is_some_and(|id| id.starts_with("auto-")));
}

#[test]
fn a_client_that_falls_too_far_behind_is_disconnected_with_quota_exceeded() {
    let mut world = World::new();
    let alice = world.enter(1, entry("alice", MqttVersion::V5));
    world.realm.handle_overflow(alice, world.now);
    world.drain();
    assert!(matches!(&world.inbox(alice)[..], [Packet::Disconnect(said)] if said.code == ReasonCode::QUOTA_EXCEEDED));
    assert_eq!(world.count(RealmCounter::Overflowed), 1);
}

#[test]
fn an_authentication_request_carries_the_clients_canonical_address() {
    let mut realm = World::new().realm;
    let mapped: core::net::IpAddr = "::ffff:192.0.2.7".parse().unwrap();
    let plain: core::net::IpAddr = "192.0.2.7".parse().unwrap();
    realm.handle_opened(ConnectionId(1), mapped.into(), Time::ZERO);
    realm.handle_packet(ConnectionId(1), Packet::Connect(entry("alice", MqttVersion::V5).connect), Time::ZERO);
    let asked = core::iter::from_fn(|| realm.poll_output()).find_map(|output| match output {
        RealmOutput::Authenticate { origin, .. } => Some(origin),
        _ => None,
    });
    assert_eq!(asked, Some(ConnectionOrigin::Address(plain)));
}

#[test]
fn a_clock_set_back_neither_extends_nor_shortens_a_new_grant() {
    let mut world = World::new();
    world.pass(10_000);
    world.realm.handle_clock(UnixSeconds(super::world::NOW_UNIX + 10_000 - 3_000), world.now);
    let mut alice = entry("alice", MqttVersion::V5);
    alice.claims.exp = UnixSeconds(super::world::NOW_UNIX + 7_000 + 600);
    alice.connect.keep_alive_s = 0;
    let connection = world.enter(1, alice);
    for _ in 0..9 {
        world.pass(60);
        world.send(connection, Packet::PingReq);
        assert!(!world.closed.contains(&connection), "it ends by the clock that is shown now");
    }
    world.pass(140);
    assert!(world.closed.contains(&connection));
}

#[test]
fn a_grant_expires_by_the_wall_clock_even_after_the_clock_was_set() {
    for (step_s, ends_after_s) in [(0, 3_600), (3_000, 600), (1, 3_600)] {
        let mut world = World::new();
        world.pass(10);
        let shown = UnixSeconds(super::world::NOW_UNIX + 10 + step_s);
        world.realm.handle_clock(shown, world.now);
        let mut alice = entry("alice", MqttVersion::V5);
        alice.claims.exp = UnixSeconds(super::world::NOW_UNIX + 10 + 3_600);
        alice.connect.keep_alive_s = 0;
        let connection = world.enter(1, alice);
        for _ in 0..ends_after_s / 60 - 1 {
            world.pass(60);
            world.send(connection, Packet::PingReq);
        }
        assert!(!world.closed.contains(&connection), "{step_s}");
        world.pass(80);
        assert!(world.closed.contains(&connection), "{step_s}");
    }
}
