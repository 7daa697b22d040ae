//! Deletion of objects with many descendants.

use alloc::collections::BTreeMap;

use proptest::prelude::{Strategy, any, proptest};

use super::*;
use crate::limits::{DESCENDANT_DEPTH_MAX, DESCENDANTS_MAX, EXPIRED_AT_ONCE_MAX, EXPIRY_PAUSE};

/// More descendants than are deleted at once.
const MANY: usize = 3 * EXPIRED_AT_ONCE_MAX;

fn below(parent: &str) -> Value {
    json!({"parent": parent})
}

fn fill(stage: &mut Stage, parent: &str, count: usize) {
    for number in 0..count {
        stage.send(&author("alice", 1), "o", create(&format!("{parent}-{number:05}"), true, below(parent))).unwrap();
    }
}

/// A scene with the stored object `top` and `count` children of it.
fn tree(count: usize) -> Stage {
    let mut stage = stage();
    stage.send(&author("alice", 1), "o", create("top", true, json!({}))).unwrap();
    fill(&mut stage, "top", count);
    stage.drain();
    stage
}

/// The next piece, which is due at once.
fn next_piece(stage: &mut Stage) -> usize {
    stage.now = stage.now + EXPIRY_PAUSE;
    assert!(stage.scene.poll_timeout().is_some_and(|at| at <= stage.now));
    stage.scene.handle_timeout(stage.now);
    stage.published().len()
}

#[test]
fn many_descendants_of_an_expired_object_are_deleted_in_pieces() {
    let mut stage = tree(MANY);
    let mut brief = update("top", true, json!({}));
    brief["ttl"] = json!(10);
    stage.send(&guest("bob", 2), "o", brief).unwrap();
    stage.drain();
    stage.wait(10.0);
    let mut announced = stage.published();
    assert_eq!(announced[0], ("o/stoa/top".into(), "delete".into()));
    while stage.scene.poll_timeout().is_some() {
        let left = stage.scene.live.len();
        stage.now = stage.now + EXPIRY_PAUSE;
        stage.scene.handle_timeout(stage.now);
        assert!((1..=EXPIRED_AT_ONCE_MAX).contains(&(left - stage.scene.live.len())));
        announced.extend(stage.published());
    }
    assert_eq!((stage.scene.live.len(), stage.scene.stored_objects().len()), (0, 0));
    assert_eq!(announced.len(), 1 + MANY, "each of them is announced");
    assert!(announced.iter().all(|(_, action)| action == "delete"));
}

#[test]
fn a_large_deletion_logs_each_descendant_under_the_deleting_author() {
    let mut stage = tree(MANY);
    stage.send(&author("carol", 3), "o", delete("top")).unwrap();
    assert!(stage.stored("top").is_none() && stage.stored("top-00000").is_some(), "the rest follows");
    stage.scene.finish_deletions(stage.now);
    let mut logged = BTreeMap::new();
    for output in stage.drain() {
        if let SceneOutput::Store(change) = output {
            assert_eq!((change.author.as_str(), &change.patch["action"]), ("carol", &json!("delete")));
            let ReplacedState::Objects(records) = *change.before else { panic!("whole records") };
            assert_eq!(records[0].object_id, change.object_id);
            assert_eq!(logged.insert(change.revision, change.object_id), None);
        }
    }
    assert_eq!(logged.len(), 1 + MANY);
}

#[test]
fn a_large_deletion_ends_at_the_limits() {
    let record = |id: String, parent: String| StoredObject {
        object_id: id,
        type_name: "object".into(),
        attributes: serde_json::from_value(below(&parent)).unwrap(),
        expires_at: None,
        created_at: UnixMillis(1),
        updated_at: UnixMillis(1),
    };
    let filled = |objects: Vec<StoredObject>| {
        let mut stage = stage();
        stage.scene.restore(StoredScene { revision: 1, objects }, stage.now);
        stage.send(&author("alice", 1), "o", delete("top")).unwrap();
        stage.scene.finish_deletions(stage.now);
        stage
    };
    let mut wide: Vec<_> = (0..DESCENDANTS_MAX + 5).map(|number| record(format!("o{number}"), "top".into())).collect();
    wide.push(record("top".into(), "none".into()));
    let mut stage = filled(wide);
    assert_eq!((stage.scene.live.len(), stage.scene.stored_objects().len()), (5, 5));
    stage.send(&author("alice", 1), "o", create("top", true, json!({}))).unwrap();
    stage.send(&author("alice", 1), "o", delete("top")).unwrap();
    assert_eq!((stage.scene.live.len(), stage.scene.stored_objects().len()), (0, 0), "they are its children again");

    let name = |level: usize| if level == 0 { "top".to_string() } else { format!("level{level}") };
    let mut deep = Vec::from([record("top".into(), "none".into())]);
    deep.extend((0..DESCENDANT_DEPTH_MAX + 3).map(|level| record(name(level + 1), name(level))));
    deep.extend((0..MANY).map(|number| record(format!("leaf{number}"), "top".into())));
    let stage = filled(deep);
    assert_eq!(stage.scene.live.len(), 3);
    assert!(stage.live(&name(DESCENDANT_DEPTH_MAX)).is_none() && stage.live(&name(DESCENDANT_DEPTH_MAX + 1)).is_some());
}

#[test]
fn objects_created_during_a_large_deletion_survive_it() {
    let (mut stage, alice) = (tree(MANY), author("alice", 1));
    stage.send(&alice, "o", delete("top")).unwrap();
    stage.send(&alice, "o", create("top", true, json!({"new": true}))).unwrap();
    stage.send(&alice, "o", create("top-00100", true, below("top"))).unwrap();
    stage.send(&alice, "o", update("top-00150", true, json!({"a": 1}))).unwrap();
    stage.send(&alice, "o", create("more", true, below("top"))).unwrap();
    while stage.scene.poll_timeout().is_some() {
        next_piece(&mut stage);
    }
    let left: Vec<_> = stage.scene.stored_objects().iter().map(|record| record.object_id.clone()).collect();
    assert_eq!(left, ["more", "top", "top-00100"]);
    assert_eq!(stage.live("top-00150"), Some(json!({"a": 1})), "an update of a deleted object creates it");
}

#[test]
fn an_object_moved_in_the_live_state_survives_its_stored_deletion() {
    let (mut stage, alice) = (tree(MANY), author("alice", 1));
    stage.send(&alice, "o", update("top-00100", false, below("other"))).unwrap();
    stage.send(&alice, "o", delete("top")).unwrap();
    let before = stage.scene.revision();
    stage.drain();
    stage.scene.finish_deletions(stage.now);
    let moved: Vec<_> = stage.published().into_iter().filter(|(topic, _)| topic.ends_with("top-00100")).collect();
    assert_eq!(moved, [("o/stoa/top-00100".to_string(), "update".to_string())], "its revision has a message");
    assert_eq!(stage.scene.revision(), before + MANY as u64);
    assert_eq!((stage.live("top-00100"), stage.stored("top-00100")), (Some(below("other")), None));
}

#[test]
fn a_restore_that_deletes_a_parent_keeps_its_children() {
    let (mut stage, alice) = (tree(MANY), author("alice", 1));
    let basis = stage.scene.stored_object("top").cloned();
    let gone = ObjectStateChange { object_id: "top".into(), basis, target: None };
    assert_eq!(stage.scene.amend(&alice, Vec::from([gone]), stage.now), Ok(1));
    stage.scene.finish_deletions(stage.now);
    assert_eq!((stage.scene.live.len(), stage.scene.stored_objects().len()), (MANY, MANY));
}

#[test]
fn a_large_scene_is_cleared_in_parts() {
    let mut stage = tree(MANY);
    for number in 0..limits::CLEARED_AT_ONCE_MAX {
        stage.send(&author("alice", 1), "o", create(&format!("z-{number:05}"), number % 2 == 0, json!({}))).unwrap();
    }
    stage.send(&author("alice", 1), "o", create("kept", true, json!({}))).unwrap();
    stage.drain();
    let (mut parts, keep) = (0, ["kept".to_string()].into());
    loop {
        let left = stage.scene.live.len();
        parts += 1;
        if stage.scene.clear("owner", &keep, stage.now) {
            break;
        }
        let deleted = left - stage.scene.live.len();
        assert!((1..=limits::CLEARED_AT_ONCE_MAX + EXPIRED_AT_ONCE_MAX).contains(&deleted), "{deleted}");
    }
    assert!(parts > 1, "negative control");
    assert_eq!(stage.scene.stored_objects().len(), 1);
    assert_eq!(stage.scene.live.len(), 1);
    assert!(stage.live("kept").is_some());
}

/// A change of a scene of few objects, some with many children.
#[derive(Clone, Debug)]
enum Step {
    Put { id: u8, parent: u8, persist: bool },
    Fill(u8),
    Delete(u8),
    Piece,
}

fn step() -> impl Strategy<Value = Step> {
    (any::<u8>(), 0..6_u8, 0..6_u8, any::<bool>()).prop_map(|(kind, id, parent, persist)| match kind % 8 {
        0..=2 => Step::Put { id, parent, persist },
        3..=4 => Step::Fill(id),
        5..=6 => Step::Delete(id),
        _ => Step::Piece,
    })
}

/// Objects by id: whether they are live, and whether they are stored, with their attributes.
fn contents(stage: &Stage) -> BTreeMap<String, (Option<Value>, Option<Value>)> {
    let live = stage.scene.live.all();
    let ids = live.keys().cloned().chain(stage.scene.stored.keys().cloned());
    ids.map(|id| (id.clone(), (live.get(&id).map(|object| object.attributes.clone().into()), stage.stored(&id))))
        .collect()
}

proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(48))]

    #[test]
    fn messages_between_deletion_pieces_see_the_objects_as_deleted(steps in proptest::collection::vec(step(), 1..14)) {
        let (mut divided, mut whole) = (stage(), stage());
        let alice = author("alice", 1);
        for step in steps {
            for (stage, is_whole) in [(&mut divided, false), (&mut whole, true)] {
                match step {
                    Step::Put { id, parent, persist } => {
                        let parent = below(&format!("n{parent}"));
                        stage.send(&alice, "o", update(&format!("n{id}"), persist, parent.clone())).unwrap();
                        stage.send(&alice, "o", create(&format!("n{}", (id + 1) % 6), persist, parent)).unwrap();
                    }
                    Step::Fill(id) => fill(stage, &format!("n{id}"), EXPIRED_AT_ONCE_MAX + 1),
                    Step::Delete(id) => drop(stage.send(&alice, "o", delete(&format!("n{id}"))).unwrap()),
                    Step::Piece if !is_whole => {
                        stage.now = stage.now + EXPIRY_PAUSE;
                        stage.scene.handle_timeout(stage.now);
                    }
                    Step::Piece => {}
                }
                if is_whole {
                    stage.scene.finish_deletions(stage.now);
                }
            }
        }
        divided.scene.finish_deletions(divided.now);
        assert_eq!(contents(&divided), contents(&whole));
        assert_eq!(divided.scene.stored_bytes(), whole.scene.stored_bytes());
        assert_eq!(divided.scene.live.size_bytes(), whole.scene.live.size_bytes());
    }
}
