//! Objects of guests give way where all guests of a scene reach their bound.

use core::net::IpAddr;

use super::*;
use crate::ledger::{Ledger, PayerClass};
use crate::limits::{
    DESCENDANT_DEPTH_MAX, DESCENDANTS_MAX, GUEST_OBJECTS_MAX, GUESTS_OBJECTS_MAX, RESERVED_FOLLOWED_MAX,
};

const FLOODERS: usize = GUESTS_OBJECTS_MAX / GUEST_OBJECTS_MAX;

/// A guest at an address.
fn builder(ledger: &mut Ledger, number: u64, address: &str) -> Author {
    let name = format!("g{number}");
    let network = address.parse::<IpAddr>().unwrap().into();
    let payer = ledger.payer(PayerClass::Guests, &name, Some(network), Time::ZERO);
    Author { payer: Some(payer), ..guest(&name, number) }
}

/// A scene that ten guests of one address have filled, each object with these attributes.
fn filled(ledger: &mut Ledger, data: impl Fn(usize, usize) -> Value) -> (Stage, Vec<Author>) {
    let mut stage = stage();
    let flooders: Vec<Author> = (1..=FLOODERS).map(|number| builder(ledger, number as u64, "192.0.2.1")).collect();
    for (at, flooder) in flooders.iter().enumerate() {
        for number in 0..GUEST_OBJECTS_MAX {
            stage.send(flooder, "o", create(&format!("{at}-{number}"), true, data(at, number))).unwrap();
        }
    }
    stage.drain();
    (stage, flooders)
}

fn depart(stage: &mut Stage, authors: &[Author]) {
    authors.iter().for_each(|author| stage.scene.handle_connection_ended(author.connection));
    stage.drain();
}

fn box_named(id: &str) -> Value {
    create(id, true, json!({}))
}

#[test]
fn a_full_scene_deletes_the_oldest_object_of_a_departed_guest() {
    let mut ledger = Ledger::new(&[], Time::ZERO);
    let (mut stage, flooders) = filled(&mut ledger, |_, _| json!({}));
    depart(&mut stage, &flooders);
    let newcomer = builder(&mut ledger, 100, "198.51.100.7");
    let applied = stage.send(&newcomer, "o", box_named("mine")).unwrap();
    let outputs = stage.drain();
    let is_later = |revision: Option<u64>| revision > applied.revision;
    let deleted = outputs.iter().find_map(|output| match output {
        SceneOutput::Publish { topic, revision, .. } if is_later(*revision) => Some(topic.as_str()),
        _ => None,
    });
    assert_eq!(deleted, Some("realm/s/public/lobby/o/stoa/0-0"), "after the message that is forwarded");
    let logged = |output: &&SceneOutput| matches!(output, SceneOutput::Store(change) if change.object_id == "0-0" && change.author == "stoa");
    assert_eq!(outputs.iter().filter(logged).count(), 1, "the history has it");
    assert_eq!((stage.live("0-0"), stage.stored("0-0")), (None, None));
    assert!(stage.live("0-1").is_some() && stage.live("mine").is_some());
}

#[test]
fn an_eviction_of_a_stored_object_by_a_live_one_counts_as_a_stored_change() {
    let mut ledger = Ledger::new(&[], Time::ZERO);
    let (mut stage, flooders) = filled(&mut ledger, |_, _| json!({}));
    depart(&mut stage, &flooders);
    let (changes, written_bytes) = (stage.scene.stored_changes(), stage.scene.written_bytes());
    let newcomer = builder(&mut ledger, 100, "198.51.100.7");
    stage.send(&newcomer, "o", create("mine", false, json!({}))).unwrap();
    assert_eq!(stage.stored("0-0"), None);
    assert_eq!(stage.scene.stored_changes(), changes + 1, "answers to getPersist are written again");
    assert_eq!(stage.scene.written_bytes(), written_bytes, "the newcomer is not charged for it");
}

#[test]
fn a_returning_guest_keeps_its_objects() {
    let mut ledger = Ledger::new(&[], Time::ZERO);
    let (mut stage, flooders) = filled(&mut ledger, |_, _| json!({}));
    depart(&mut stage, &flooders);
    let back = Author { connection: ConnectionId(200), ..flooders[0].clone() };
    stage.send(&back, "o", update("0-5", true, json!({"a": 1}))).unwrap();
    let newcomer = builder(&mut ledger, 100, "198.51.100.7");
    stage.send(&newcomer, "o", box_named("mine")).unwrap();
    assert_eq!(stage.live("1-0"), None, "the oldest of those who are away");
    assert!(stage.live("0-0").is_some());
}

#[test]
fn a_guest_of_another_address_displaces_objects_of_the_largest_share() {
    let mut ledger = Ledger::new(&[], Time::ZERO);
    let (mut stage, _) = filled(&mut ledger, |_, _| json!({}));
    let honest = builder(&mut ledger, 100, "198.51.100.7");
    for number in 0..GUEST_OBJECTS_MAX {
        stage.send(&honest, "o", box_named(&format!("honest-{number}"))).unwrap();
        stage.wait(0.1);
    }
    let eleventh = builder(&mut ledger, 101, "192.0.2.1");
    for number in 0..10 {
        stage.send(&eleventh, "o", box_named(&format!("eleventh-{number}"))).unwrap();
    }
    let kept = (0..GUEST_OBJECTS_MAX).filter(|number| stage.stored(&format!("honest-{number}")).is_some()).count();
    assert_eq!(kept, GUEST_OBJECTS_MAX, "the flooders' address pays for its eleventh guest");
    assert_eq!(stage.scene.stored_objects().len(), GUESTS_OBJECTS_MAX);
}

#[test]
fn a_newcomer_is_refused_when_all_guests_are_at_their_fair_share() {
    let mut ledger = Ledger::new(&[], Time::ZERO);
    let mut stage = stage();
    for number in 0..GUESTS_OBJECTS_MAX as u64 {
        let author = builder(&mut ledger, number, &format!("10.0.{}.{}", number / 250, number % 250 + 1));
        stage.send(&author, "o", box_named(&format!("box{number}"))).unwrap();
    }
    let newcomer = builder(&mut ledger, 9_999, "198.51.100.7");
    assert_eq!(stage.send(&newcomer, "o", box_named("more")), Err(Reason::TooManyObjects));
    let member = author("alice", 10_000);
    assert!(stage.send(&member, "o", box_named("more")).is_ok(), "negative control: an account");
}

#[test]
fn a_guests_object_with_a_members_child_is_not_evicted() {
    let mut ledger = Ledger::new(&[], Time::ZERO);
    let (mut stage, flooders) = filled(&mut ledger, |_, _| json!({}));
    stage.send(&author("alice", 50), "o", create("lamp", true, json!({"parent": "0-0"}))).unwrap();
    depart(&mut stage, &flooders);
    let newcomer = builder(&mut ledger, 100, "198.51.100.7");
    stage.send(&newcomer, "o", create("mine", true, json!({"parent": "0-1"}))).unwrap();
    assert!(stage.live("lamp").is_some() && stage.live("0-0").is_some());
    assert!(stage.live("0-1").is_some(), "nor the new object's parent");
    assert_eq!(stage.live("0-2"), None);
}

#[test]
fn objects_in_a_parent_cycle_are_evicted_together() {
    let next = |at: usize, number: usize| json!({"parent": format!("{at}-{}", (number + 1) % GUEST_OBJECTS_MAX)});
    let mut ledger = Ledger::new(&[], Time::ZERO);
    let (mut stage, flooders) = filled(&mut ledger, next);
    depart(&mut stage, &flooders);
    let newcomer = builder(&mut ledger, 100, "198.51.100.7");
    stage.send(&newcomer, "o", box_named("mine")).unwrap();
    let left = stage.scene.stored_objects().len();
    assert_eq!(left, GUESTS_OBJECTS_MAX - 1 - DESCENDANT_DEPTH_MAX + 1);
}

#[test]
fn a_guest_cannot_delete_the_current_ancestor_of_a_program() {
    let (mut stage, bob) = (stage(), guest("bob", 2));
    let alice = author("alice", 1);
    let program = |parent: &str| json!({"object_id": "p", "action": "create", "type": "program", "persist": true, "data": {"parent": parent}});
    for id in ["top", "other"] {
        stage.send(&bob, "o", box_named(id)).unwrap();
    }
    stage.send(&alice, "o", create("middle", true, json!({"parent": "top"}))).unwrap();
    stage.send(&alice, "o", program("middle")).unwrap();
    assert_eq!(stage.send(&bob, "o", delete("top")), Err(Reason::ReservedType));
    stage.send(&alice, "o", program("other")).unwrap();
    assert!(stage.send(&bob, "o", delete("top")).is_ok(), "the program has moved");
    assert_eq!(stage.send(&bob, "o", delete("other")), Err(Reason::ReservedType));
    stage.send(&alice, "o", delete("p")).unwrap();
    assert!(stage.send(&bob, "o", delete("other")).is_ok(), "the program is gone");
}

#[test]
fn guests_delete_small_trees_in_a_scene_with_many_programs() {
    let (mut stage, bob) = (stage(), guest("bob", 2));
    let alice = author("alice", 1);
    for number in 0..=RESERVED_FOLLOWED_MAX {
        let program = json!({"object_id": format!("p{number}"), "action": "create", "type": "program", "data": {"parent": "far"}});
        stage.send(&alice, "o", program).unwrap();
    }
    for id in ["small", "large", "holder"] {
        stage.send(&bob, "o", box_named(id)).unwrap();
    }
    stage.send(&alice, "o", create("below", true, json!({"parent": "small"}))).unwrap();
    stage
        .send(
            &alice,
            "o",
            json!({"object_id": "p0", "action": "create", "type": "program", "data": {"parent": "holder"}}),
        )
        .unwrap();
    for number in 0..=RESERVED_FOLLOWED_MAX {
        stage.send(&alice, "o", create(&format!("o{number}"), false, json!({"parent": "large"}))).unwrap();
    }
    assert!(stage.send(&bob, "o", delete("small")).is_ok());
    assert_eq!(stage.send(&bob, "o", delete("holder")), Err(Reason::ReservedType));
    assert_eq!(stage.send(&bob, "o", delete("large")), Err(Reason::ReservedType), "it is not searched to its end");
}

#[test]
fn a_program_beyond_the_search_limit_protects_its_parent_from_guests() {
    let (mut stage, bob) = (stage(), guest("bob", 2));
    let record = |id: String, type_name: &str| StoredObject {
        object_id: id,
        type_name: type_name.into(),
        attributes: serde_json::from_value(json!({"parent": "large"})).unwrap(),
        expires_at: None,
        created_at: UnixMillis(1),
        updated_at: UnixMillis(1),
    };
    let mut objects: Vec<StoredObject> = (0..DESCENDANTS_MAX).map(|n| record(format!("o{n}"), "object")).collect();
    objects.push(record("p".into(), "program"));
    stage.scene.restore(StoredScene { revision: 1, objects }, stage.now);
    stage.send(&bob, "o", create("large", true, json!({}))).unwrap();
    assert_eq!(stage.send(&bob, "o", delete("large")), Err(Reason::ReservedType));
    stage.send(&author("alice", 1), "o", delete("p")).unwrap();
    assert!(stage.send(&bob, "o", delete("large")).is_ok(), "negative control");
}
