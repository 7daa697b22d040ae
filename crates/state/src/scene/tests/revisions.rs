use alloc::collections::BTreeMap;

use super::*;

/// A client's state from a snapshot and later messages, by the rules of section 4.
#[derive(Default)]
struct Replica {
    objects: BTreeMap<String, Value>,
    revision: u64,
}

impl Replica {
    fn take(&mut self, snapshot: &SceneSnapshot) {
        self.revision = snapshot.revision;
        let objects = snapshot.messages().into_iter().map(|(_, payload)| payload);
        self.objects = objects.map(|payload| (payload["object_id"].to_string(), payload["data"].clone())).collect();
    }

    fn hear(&mut self, revision: u64, payload: &Value) {
        if revision > self.revision {
            assert_eq!(revision, self.revision + 1, "nothing is missing");
            self.revision = revision;
            self.objects.insert(payload["object_id"].to_string(), payload["data"].clone());
        }
    }
}

#[test]
fn every_state_change_gets_the_next_revision_and_events_get_none() {
    let mut stage = stage();
    let alice = author("alice", 1);
    let chat = json!({"object_id": "alice", "type": "chat", "text": "hello"});
    let event = json!({"object_id": "alice", "action": "clientEvent", "data": {}});
    let mut revisions = Vec::new();
    for (kind, payload) in [
        ("u", camera("alice", "create", 0.0)),
        ("x", presence("alice", "join")),
        ("c", chat),
        ("o", create("box", false, json!({}))),
        ("u", event),
        ("o", delete("unknown")),
        ("o", delete("box")),
    ] {
        revisions.push(stage.send(&alice, kind, payload).unwrap().revision);
    }
    assert_eq!(revisions, [Some(1), Some(2), None, Some(3), None, None, Some(4)]);
    assert_eq!(stage.scene.snapshot(stage.now).revision, 4);
}

#[test]
fn a_change_between_snapshot_and_subscription_isnt_lost() {
    let mut stage = stage();
    let alice = author("alice", 1);
    let mut stream = Vec::new();
    let say = |stage: &mut Stage, id: &str, value: u64| {
        let payload = create(id, false, json!({"value": value}));
        let revision = stage.send(&alice, "o", payload.clone()).unwrap().revision.unwrap();
        (revision, payload)
    };
    say(&mut stage, "early", 1);
    // The subscription starts here; the snapshot is taken later.
    stream.push(say(&mut stage, "before", 2));
    let snapshot = stage.scene.snapshot(stage.now);
    stream.push(say(&mut stage, "after", 3));
    stream.push(say(&mut stage, "before", 4));

    let mut replica = Replica::default();
    replica.take(&snapshot);
    stream.iter().for_each(|(revision, payload)| replica.hear(*revision, payload));
    let mut present = Replica::default();
    present.take(&stage.scene.snapshot(stage.now));
    assert_eq!(replica.objects, present.objects);
    assert_eq!(replica.revision, present.revision);
}

#[test]
fn a_snapshot_lists_parents_before_children_and_includes_cycles() {
    let mut stage = stage();
    let alice = author("alice", 1);
    for (id, parent) in [("a", Some("z")), ("z", None), ("m", Some("a")), ("c1", Some("c2")), ("c2", Some("c1"))] {
        stage.send(&alice, "o", create(id, false, json!({"parent": parent}))).unwrap();
    }
    let messages = stage.scene.snapshot(stage.now).messages();
    let ids: Vec<&str> = messages.iter().map(|(_, payload)| payload["object_id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["z", "a", "m", "c1", "c2"]);
}

#[test]
fn a_snapshots_json_matches_the_specification() {
    let mut stage = stage();
    let mut payload = create("box", true, json!({"a": 1}));
    payload["ttl"] = json!(10);
    stage.send(&author("alice", 1), "o", payload).unwrap();
    stage.now = stage.now + core::time::Duration::from_secs(4);
    let json: Vec<u8> = stage.scene.snapshot(stage.now).into_json().flatten().collect();
    let snapshot: Value = serde_json::from_slice(&json).unwrap();
    let message = json!({"topic": "realm/s/public/lobby/o/alice_web/box", "payload": {
        "object_id": "box", "action": "create", "type": "object", "persist": true, "ttl": 6.0, "data": {"a": 1}}});
    assert_eq!(snapshot, json!({"epoch": 7, "revision": 1, "messages": [message]}));
}

#[test]
fn a_snapshot_is_unaffected_by_later_changes_of_the_scene() {
    let mut stage = stage();
    let (alice, bob) = (author("alice", 1), author("bob", 2));
    for id in ["changed", "deleted", "child"] {
        let parent = if id == "child" { json!("deleted") } else { Value::Null };
        stage.send(&alice, "o", create(id, true, json!({"a": 1, "parent": parent}))).unwrap();
    }
    stage.send(&alice, "u", camera("alice", "create", 1.0)).unwrap();
    stage.send(&alice, "x", presence("alice", "join")).unwrap();
    stage.send(&bob, "u", camera("bob", "create", 1.0)).unwrap();
    let taken = stage.scene.snapshot(stage.now);
    let records = stage.scene.records(None, None);
    let (messages, stored) = (taken.messages(), serde_json::to_value(&records).unwrap());
    stage.send(&alice, "o", update("changed", true, json!({"a": 2}))).unwrap();
    stage.send(&alice, "o", delete("deleted")).unwrap();
    stage.send(&alice, "o", create("new", true, json!({}))).unwrap();
    stage.send(&alice, "u", camera("alice", "update", 2.0)).unwrap();
    stage.send(&bob, "x", presence("bob", "leave")).unwrap();
    assert_eq!((taken.messages(), taken.revision), (messages.clone(), 6));
    assert_eq!(serde_json::to_value(&records).unwrap(), stored);
    let after = stage.scene.snapshot(stage.now);
    assert!(after.revision == 11 && after.messages() != messages, "negative control: the scene did go on");
}

#[test]
fn a_restart_keeps_only_the_stored_state() {
    let mut stage = stage();
    let alice = author("alice", 1);
    stage.send(&alice, "o", create("kept", true, json!({"a": {"b": 1}}))).unwrap();
    stage.send(&alice, "o", update("kept", false, json!({"a": {"b": 2}}))).unwrap();
    stage.send(&alice, "o", create("passing", false, json!({}))).unwrap();
    let stage = stage.restarted();
    assert_eq!((stage.live("kept"), stage.live("passing")), (Some(json!({"a": {"b": 1}})), None));
    assert_eq!(stage.scene.epoch(), 8);
}

#[test]
fn poses_of_a_camera_are_conflated_but_not_across_a_leave() {
    let mut stage = stage();
    let alice = author("alice", 1);
    assert_eq!(stage.send(&alice, "u", camera("alice", "create", 0.0)).unwrap().conflation, None);
    let first = stage.send(&alice, "u", camera("alice", "update", 1.0)).unwrap().conflation;
    assert!(first.is_some());
    assert_eq!(stage.send(&alice, "u", camera("alice", "update", 2.0)).unwrap().conflation, first);
    stage.send(&alice, "x", presence("alice", "leave")).unwrap();
    stage.send(&alice, "u", camera("alice", "create", 0.0)).unwrap();
    assert_ne!(stage.send(&alice, "u", camera("alice", "update", 1.0)).unwrap().conflation, first);
}

#[test]
fn updates_of_an_object_are_conflated_but_not_across_its_deletion() {
    let mut stage = stage();
    let alice = author("alice", 1);
    let moved = |stage: &mut Stage, x: u64| {
        stage.send(&alice, "o", update("box", true, json!({"position": {"x": x}}))).unwrap().conflation
    };
    let first = moved(&mut stage, 1);
    assert!(first.is_some());
    assert_eq!(moved(&mut stage, 2), first);
    stage.send(&author("alice", 1), "o", delete("box")).unwrap();
    stage.send(&author("alice", 1), "o", create("box", true, json!({}))).unwrap();
    assert_ne!(moved(&mut stage, 3), first);
}
