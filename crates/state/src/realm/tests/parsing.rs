//! The bounds of the JSON that the realm parses.

use alloc::format;
use alloc::string::{String, ToString};

use serde_json::{Map, Value, json};
use stoa_wire::envelope::ParsedPayload;
use stoa_wire::packet::{MqttVersion, Packet, Publish, Qos, ReasonCode};
use stoa_wire::reason::{Reason, Refusal};

use super::world::{Entry, World, claims, entry, guest, publish};
use crate::connection_id::ConnectionId;
use crate::grant::Role;
use crate::limits;
use crate::mqtt::received_packet::ReceivedPacket;

fn builder(name: &str) -> Entry {
    Entry { claims: claims(name, Role::Editor, true), ..guest(name, MqttVersion::V5) }
}

/// An event with this number of keys, each of which has two structural characters.
fn event(keys: usize) -> String {
    let data: Map<String, Value> = (0..keys).map(|number| (format!("k{number}"), json!(0))).collect();
    json!({"object_id": "any", "action": "clientEvent", "type": "mousedown", "data": data}).to_string()
}

/// Sends a payload. Returns the refusal's text.
fn send(world: &mut World, connection: ConnectionId, name: &str, payload: &str) -> Result<(), String> {
    let topic = format!("realm/s/public/lobby/o/{name}_0123456789_web/any");
    let ack = world.say_surely(connection, &topic, payload).expect("an answer");
    if ack.code == ReasonCode::SUCCESS { Ok(()) } else { Err(ack.reason.unwrap_or_default()) }
}

#[test]
fn a_guest_above_its_json_rate_is_refused() {
    let mut world = World::new();
    world.let_everybody_build();
    let ada = world.enter_from("192.0.2.1", 1, builder("ada"));
    let large = event(3_000);
    let accepted = (0..30).take_while(|_| send(&mut world, ada, "ada", &large).is_ok()).count();
    assert_eq!(accepted, limits::GUEST_JSON_STRUCTURE_BURST as usize / 6_000 + 1);
    let refused = send(&mut world, ada, "ada", &large).unwrap_err();
    assert_eq!(refused, "flood: at most 20000 structural characters of JSON a second that one guest sends");
    assert_eq!(send(&mut world, ada, "ada", &event(50)), Ok(()), "short messages are bounded by their number");
    let dora = world.enter_from("192.0.2.1", 2, entry("dora", MqttVersion::V5));
    assert_eq!(send(&mut world, dora, "dora", &large), Ok(()), "negative control");
}

#[test]
fn json_above_a_clients_rate_is_refused_before_it_is_parsed() {
    let mut world = World::new();
    world.let_everybody_build();
    let ada = world.enter_from("192.0.2.1", 1, builder("ada"));
    let large = event(3_000);
    let invalid = large.trim_end_matches('}');
    assert_eq!(send(&mut world, ada, "ada", invalid).unwrap_err(), "not_json", "negative control");
    while send(&mut world, ada, "ada", &large).is_ok() {}
    let refused = send(&mut world, ada, "ada", invalid).unwrap_err();
    assert!(refused.starts_with("flood"), "{refused}");
}

#[test]
fn a_json_flood_by_100_guests_refuses_no_guest_within_its_share() {
    let mut world = World::new();
    world.let_everybody_build();
    let large = event(3_000);
    let mut accepted = 0;
    for number in 0..100 {
        let name = format!("anonymous-{number}");
        let flood = world.enter_from("192.0.2.1", number, builder(&name));
        accepted += (0..15).filter(|_| send(&mut world, flood, &name, &large).is_ok()).count();
    }
    let burst = limits::GUESTS_JSON_STRUCTURE_BURST as usize / 6_000;
    assert!((burst / 2..=3 * burst).contains(&accepted), "{accepted} of 1,500, since late guests have shares too");
    let honest = world.enter_from("198.51.100.7", 1_000, builder("honest"));
    for second in 0..10 {
        world.pass(1);
        for _ in 0..10 {
            assert_eq!(send(&mut world, honest, "honest", &event(300)), Ok(()), "second {second}");
        }
    }
}

#[test]
fn a_payload_parsed_by_its_connection_is_charged_and_not_reparsed() {
    let mut world = World::new();
    world.let_everybody_build();
    let ada = world.enter_from("192.0.2.1", 1, builder("ada"));
    let large = event(3_000);
    let mut answer = |topic: &str, parsed: ParsedPayload| {
        let message = Publish { qos: Qos::AtLeastOnce, packet_id: Some(1), ..publish(topic, &large) };
        world.send(ada, ReceivedPacket { packet: Packet::Publish(message), parsed: Some(parsed) });
        world.take_ack(ada).expect("an answer").reason
    };
    let own = "realm/s/public/lobby/o/ada_0123456789_web/any";
    let refused = || ParsedPayload::refused(Refusal::beyond(Reason::Flood, 7, "messages"));
    assert_eq!(answer(own, refused()).as_deref(), Some("flood: at most 7 messages"), "it is not parsed again");
    let other = "realm/s/public/lobby/o/eve_0123456789_web/any";
    assert_ne!(answer(other, refused()).as_deref(), Some("flood: at most 7 messages"), "rights are checked first");
    let parsed = || ParsedPayload::of(large.as_bytes());
    let accepted = (0..30).take_while(|_| answer(own, parsed()).is_none()).count();
    assert_eq!(accepted, limits::GUEST_JSON_STRUCTURE_BURST as usize / 6_000, "and one before, all of them charged");
}
