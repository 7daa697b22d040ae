//! Sessions of guests without a connection: their bounds, and the shares in them.

use alloc::format;

use stoa_wire::packet::{MqttVersion, Packet, Publish, Qos};

use super::ConnectionId;
use super::world::{Entry, World, explicit, publish};
use crate::limits;

const FLOOD: &str = "192.0.2.1";
const HOME: &str = "192.0.2.2";

fn lasting(sub: &str, is_guest: bool) -> Entry {
    let mut entry = explicit(sub, MqttVersion::V5, &["a/#"]);
    entry.claims.guest = is_guest;
    entry.connect.session_expiry_s = Some(60);
    entry.connect.clean_start = false;
    entry
}

/// Connects, subscribes and disconnects.
fn idle(world: &mut World, address: &str, id: u64, entry: Entry) {
    let topic = format!("a/{}", entry.claims.sub);
    let connection = world.enter_from(address, id, entry);
    world.subscribe(connection, &topic, Qos::AtLeastOnce);
    world.close(connection);
}

/// Connects again. Returns whether the session is present, and the number of messages that waited.
fn come_back(world: &mut World, id: u64, entry: Entry) -> (bool, usize) {
    let connection = world.try_enter(id, entry);
    let inbox = world.inbox(connection);
    let Some(Packet::ConnAck(ack)) = inbox.first() else { panic!("{inbox:?}") };
    (ack.session_present, inbox.iter().filter(|packet| matches!(packet, Packet::Publish(_))).count())
}

fn send(world: &mut World, sender: ConnectionId, sub: &str, text: &str) {
    let message = Publish { qos: Qos::AtLeastOnce, packet_id: Some(1), ..publish(&format!("a/{sub}"), text) };
    world.send(sender, Packet::Publish(message));
    world.commit();
}

#[test]
fn a_flood_of_idle_guest_sessions_ends_only_sessions_above_their_share() {
    let mut world = World::new();
    idle(&mut world, HOME, 1, lasting("ada", false));
    idle(&mut world, HOME, 2, lasting("early", true));
    let flood = limits::GUESTS_IDLE_SESSIONS_MAX as u64 + 10;
    for number in 0..flood {
        idle(&mut world, FLOOD, 100 + number, lasting(&format!("flood-{number}"), true));
    }
    idle(&mut world, HOME, 3, lasting("late", true));
    idle(&mut world, HOME, 4, lasting("bo", false));
    for (id, sub, is_guest) in [(11, "ada", false), (12, "early", true), (13, "late", true), (14, "bo", false)] {
        assert!(come_back(&mut world, id, lasting(sub, is_guest)).0, "{sub}");
    }
    let kept = (0..flood).filter(|n| come_back(&mut world, 10_000 + n, lasting(&format!("flood-{n}"), true)).0);
    assert_eq!(kept.count(), limits::GUESTS_IDLE_SESSIONS_MAX - 2, "all but one for each guest of another address");
}

#[test]
fn messages_queued_for_idle_guests_are_dropped_from_the_largest_share() {
    let mut world = World::new();
    let sender = world.enter(1, explicit("sender", MqttVersion::V5, &["a/#"]));
    let text = "x".repeat(stoa_wire::limits::PAYLOAD_BYTES_MAX);
    let full = limits::PENDING_BYTES_MAX / text.len();
    let flood = limits::GUESTS_IDLE_BYTES_MAX / limits::PENDING_BYTES_MAX + 2;
    for number in 0..flood as u64 {
        let sub = format!("flood-{number}");
        idle(&mut world, FLOOD, 100 + number, lasting(&sub, true));
        (0..full).for_each(|_| send(&mut world, sender, &sub, &text));
    }
    for (id, sub, is_guest) in [(2, "late", true), (3, "ada", false)] {
        idle(&mut world, HOME, id, lasting(sub, is_guest));
        (0..3).for_each(|_| send(&mut world, sender, sub, &text));
    }
    assert_eq!(come_back(&mut world, 12, lasting("late", true)), (true, 3), "within its share");
    assert_eq!(come_back(&mut world, 13, lasting("ada", false)), (true, 3), "members have their own part");
    let mut waited = 0;
    for number in 0..flood as u64 {
        let (is_present, messages) = come_back(&mut world, 200 + number, lasting(&format!("flood-{number}"), true));
        assert!(is_present, "sessions stay");
        waited += messages;
    }
    let most = limits::GUESTS_IDLE_BYTES_MAX / text.len() - 3;
    assert!((most - 6..=most).contains(&waited), "{waited} of {most}");
}
