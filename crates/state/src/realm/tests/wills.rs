//! The bytes of wills: their bound, and the shares in it.

use alloc::format;

use bytes::Bytes;
use stoa_wire::packet::{Disconnect, MqttVersion, Packet, ReasonCode, Will};

use super::ConnectionId;
use super::world::{Entry, World, explicit, will};
use crate::ledger::Resource;
use crate::limits;

const FLOOD: &str = "192.0.2.1";
const HOME: &str = "192.0.2.2";

fn entry(sub: &str, version: MqttVersion, is_guest: bool, delay_s: u32) -> Entry {
    let mut entry = explicit(sub, version, &["a/#"]);
    entry.claims.guest = is_guest;
    entry.connect.session_expiry_s = (version == MqttVersion::V5).then_some(60);
    let payload = Bytes::from("x".repeat(limits::WILL_BYTES_MAX - 1_024));
    entry.connect.will = Some(Will { payload, delay_s, ..will("a/b", "") });
    entry
}

fn guest(sub: &str) -> Entry {
    entry(sub, MqttVersion::V5, true, 0)
}

fn code(world: &mut World, address: &str, id: u64, entry: Entry) -> ReasonCode {
    let inbox = world.answers_from(address, id, entry);
    let [Packet::ConnAck(ack), ..] = &inbox[..] else { panic!("{inbox:?}") };
    ack.code
}

/// Connects guests of one address until one is refused; returns their number.
fn flood(world: &mut World, first_id: u64, delay_s: u32) -> u64 {
    let enters = |n: &u64| {
        let entry = entry(&format!("flood-{first_id}-{n}"), MqttVersion::V5, true, delay_s);
        code(world, FLOOD, first_id + n, entry) == ReasonCode::SUCCESS
    };
    (0..1_000).take_while(enters).count() as u64
}

fn used(world: &World) -> u64 {
    let usage = world.realm.ledger.usage(world.now);
    usage.filter(|(resource, ..)| *resource == Resource::WillBytes).map(|(_, _, used, _)| used).sum()
}

#[test]
fn the_byte_bound_of_wills_refuses_only_guests_above_their_share() {
    let mut world = World::new();
    let entered = flood(&mut world, 1_000, 0);
    let each = used(&world) / entered;
    let most = limits::WILLS_BYTES_SHARED as u64 / each;
    assert!((most..=most + most / 32).contains(&entered), "{entered} of {most}: shares are computed from time to time");
    assert_eq!(code(&mut world, FLOOD, 1, guest("more")), ReasonCode::QUOTA_EXCEEDED);
    let old = entry("old", MqttVersion::V311, true, 0);
    assert_eq!(code(&mut world, FLOOD, 2, old), ReasonCode::SERVER_UNAVAILABLE);
    assert_eq!(code(&mut world, HOME, 3, guest("ada")), ReasonCode::SUCCESS, "within its share");
    let account = entry("bo", MqttVersion::V5, false, 0);
    assert_eq!(code(&mut world, FLOOD, 4, account), ReasonCode::SUCCESS, "accounts have a bound of their own");
    let mut plain = guest("plain");
    plain.connect.will = None;
    assert_eq!(code(&mut world, FLOOD, 5, plain), ReasonCode::SUCCESS, "without a will");
    let again = guest("flood-1000-0");
    assert_eq!(code(&mut world, FLOOD, 6, again), ReasonCode::SUCCESS, "its will replaces its former one");
}

#[test]
fn a_will_counts_until_it_is_published_or_discarded() {
    let mut world = World::new();
    let entered = flood(&mut world, 1_000, 30);
    let each = used(&world) / entered;
    for id in 0..entered {
        match id % 2 {
            0 => world.close(ConnectionId(1_000 + id)),
            _ => world.send(
                ConnectionId(1_000 + id),
                Packet::Disconnect(Disconnect { code: ReasonCode::SUCCESS, session_expiry_s: None, reason: None }),
            ),
        }
    }
    let delayed = entered.div_ceil(2) * each;
    assert_eq!(used(&world), delayed, "delayed wills count, discarded ones don't");
    assert_eq!(code(&mut world, FLOOD, 1, guest("flood-1000-0")), ReasonCode::SUCCESS);
    assert_eq!(used(&world), delayed, "a returning client's will replaces its delayed one");
    world.pass(31);
    assert_eq!(used(&world), each, "that of the client who returned");
    world.close(ConnectionId(1));
    assert_eq!(used(&world), 0);
}
