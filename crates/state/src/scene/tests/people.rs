use super::*;

fn ids(stage: &Stage) -> Vec<String> {
    let topics = stage.scene.presence().into_iter().map(|(topic, _)| topic);
    topics.map(|topic| topic.strip_prefix("realm/s/public/lobby/").unwrap().to_string()).collect()
}

#[test]
fn a_late_joiner_sees_camera_and_hands_before_the_join() {
    let mut stage = stage();
    let alice = author("alice", 1);
    stage.send(&alice, "x", presence("alice", "join")).unwrap();
    stage.send(&alice, "u", camera("alice", "create", 0.0)).unwrap();
    for id in ["face_alice", "handRight_alice", "handLeft_alice"] {
        stage.send(&alice, "u", json!({"object_id": id, "action": "create", "data": {}})).unwrap();
    }
    let order = [
        "u/alice_web/alice",
        "u/alice_web/handLeft_alice",
        "u/alice_web/handRight_alice",
        "u/alice_web/face_alice",
        "x/alice_web/alice",
    ];
    assert_eq!(ids(&stage), order);
    let join: Value = serde_json::from_slice(&stage.scene.presence()[4].1).unwrap();
    assert_eq!(join, presence("alice", "join"));
}

#[test]
fn a_snapshot_after_a_move_has_the_new_position() {
    let mut stage = stage();
    let alice = author("alice", 1);
    stage.send(&alice, "u", camera("alice", "create", 1.0)).unwrap();
    stage.send(&alice, "u", camera("alice", "update", 2.0)).unwrap();
    stage.send(&alice, "o", create("box", true, json!({"position": {"x": 1, "y": 0}}))).unwrap();
    stage.send(&alice, "o", update("box", false, json!({"position": {"x": 2}}))).unwrap();
    let snapshot = stage.scene.snapshot(stage.now);
    assert_eq!(snapshot.messages()[0].1["data"]["position"]["x"], 2.0);
    assert_eq!(stage.live("box"), Some(json!({"position": {"x": 2, "y": 0}})));
}

#[test]
fn late_messages_after_a_leave_do_not_restore_the_person() {
    let mut stage = stage();
    let alice = author("alice", 1);
    stage.send(&alice, "u", camera("alice", "create", 0.0)).unwrap();
    stage.send(&alice, "x", presence("alice", "join")).unwrap();
    let before = stage.scene.people.get("alice").unwrap().generation;
    stage.send(&alice, "x", presence("alice", "leave")).unwrap();
    let hand = json!({"object_id": "handLeft_alice", "action": "create", "data": {}});
    for payload in [camera("alice", "update", 1.0), hand] {
        assert_eq!(stage.send(&alice, "u", payload), Err(Reason::Departed));
    }
    assert_eq!(stage.send(&alice, "x", presence("alice", "update")), Err(Reason::Departed));
    assert_eq!(stage.scene.people(), 0);
    stage.send(&alice, "u", camera("alice", "create", 1.0)).unwrap();
    assert!(stage.scene.people.get("alice").unwrap().generation > before, "negative control: a new stay begins");
    assert!(stage.send(&alice, "u", camera("alice", "update", 2.0)).is_ok());
}

#[test]
fn a_closed_connection_removes_its_person_and_publishes_a_leave() {
    let mut stage = stage();
    let alice = author("alice", 1);
    stage.send(&alice, "u", camera("alice", "create", 0.0)).unwrap();
    stage.send(&alice, "x", presence("alice", "join")).unwrap();
    stage.send(&author("bob", 2), "u", camera("bob", "update", 0.0)).unwrap();
    stage.scene.handle_connection_ended(ConnectionId(1));
    assert_eq!(stage.published(), [("x/alice_web/alice".to_string(), "leave".to_string())]);
    assert_eq!(ids(&stage), ["u/bob_web/bob"]);
    stage.wait(60.0);
    assert_eq!(
        stage.published(),
        [("u/stoa/bob".to_string(), "delete".to_string())],
        "alice's camera has no deadline left"
    );
}

#[test]
fn a_connection_closed_after_its_leave_publishes_no_second_leave() {
    let mut stage = stage();
    let alice = author("alice", 1);
    stage.send(&alice, "u", camera("alice", "create", 0.0)).unwrap();
    stage.send(&alice, "x", presence("alice", "leave")).unwrap();
    stage.scene.handle_connection_ended(ConnectionId(1));
    assert_eq!(stage.published(), []);
}

#[test]
fn an_old_connections_late_will_does_not_remove_the_newer_person() {
    let mut stage = stage();
    let (old, new) = (author("alice", 1), author("alice", 2));
    stage.send(&old, "u", camera("alice", "create", 0.0)).unwrap();
    stage.send(&new, "u", camera("alice", "create", 1.0)).unwrap();
    assert_eq!(stage.send(&old, "u", camera("alice", "update", 5.0)), Err(Reason::Departed));
    assert_eq!(stage.send(&old, "x", presence("alice", "leave")), Err(Reason::Departed));
    stage.scene.handle_connection_ended(ConnectionId(1));
    // A delayed will arrives after that.
    assert_eq!(stage.send(&old, "x", presence("alice", "leave")), Err(Reason::Departed));
    stage.scene.handle_connection_ended(ConnectionId(1));
    assert_eq!((stage.scene.people(), stage.published()), (1, Vec::new()));
}

#[test]
fn a_person_created_by_a_will_is_removed_when_its_connection_closes() {
    let mut stage = stage();
    stage.send(&author("alice", 1), "u", camera("alice", "create", 0.0)).unwrap();
    stage.scene.handle_connection_ended(ConnectionId(1));
    assert_eq!(stage.scene.people(), 0);
    assert_eq!(stage.published(), [("x/alice_web/alice".to_string(), "leave".to_string())]);
}

#[test]
fn the_owner_leaves_and_the_persisted_object_stays() {
    let mut stage = stage();
    let alice = author("alice", 1);
    stage.send(&alice, "u", camera("alice", "create", 0.0)).unwrap();
    stage.send(&alice, "o", create("box", true, json!({"parent": "alice"}))).unwrap();
    stage.scene.handle_connection_ended(ConnectionId(1));
    assert!(stage.live("box").is_some() && stage.stored("box").is_some());
    let stage = stage.restarted();
    assert!(stage.live("box").is_some());
    assert_eq!(stage.scene.people(), 0);
}

#[test]
fn a_person_that_changes_scenes_leaves_its_objects_behind() {
    let (mut first, mut second) = (stage(), stage());
    let alice = author("alice", 1);
    first.send(&alice, "u", camera("alice", "create", 0.0)).unwrap();
    first.send(&alice, "o", create("box", true, json!({}))).unwrap();
    first.send(&alice, "x", presence("alice", "leave")).unwrap();
    second.send(&alice, "u", camera("alice", "create", 9.0)).unwrap();
    assert_eq!((first.scene.people(), second.scene.people()), (0, 1));
    assert_eq!(second.live("box"), None);
    assert_eq!(first.send(&alice, "u", camera("alice", "update", 1.0)), Err(Reason::Departed), "left there");
    assert!(second.send(&alice, "u", camera("alice", "update", 1.0)).is_ok(), "present here");
}

#[test]
fn a_client_frozen_for_a_minute_regains_its_expired_camera() {
    let mut stage = stage();
    let (alice, bob) = (author("alice", 1), author("bob", 2));
    stage.send(&alice, "u", camera("alice", "create", 0.0)).unwrap();
    stage.send(&alice, "x", presence("alice", "join")).unwrap();
    for second in 0..60 {
        stage.wait(1.0);
        stage.send(&bob, "o", update("box", false, json!({"position": {"x": second}}))).unwrap();
    }
    assert_eq!(stage.published(), [("u/stoa/alice".to_string(), "delete".to_string())]);
    assert_eq!(ids(&stage), ["x/alice_web/alice"], "the camera is gone, the person is not");
    stage.send(&alice, "u", camera("alice", "update", 3.0)).unwrap();
    assert_eq!(ids(&stage), ["u/alice_web/alice", "x/alice_web/alice"]);
    assert_eq!(stage.live("box"), Some(json!({"position": {"x": 59}})));
}

#[test]
fn updates_keep_a_camera_from_expiring() {
    let mut stage = stage();
    let alice = author("alice", 1);
    stage.send(&alice, "u", camera("alice", "create", 0.0)).unwrap();
    let mut heartbeat = camera("alice", "update", 0.0);
    heartbeat["ttl"] = Value::Null;
    for _ in 0..3 {
        stage.wait(29.0);
        stage.send(&alice, "u", heartbeat.clone()).unwrap();
    }
    assert_eq!(stage.published(), []);
}

#[test]
fn an_event_or_private_join_creates_no_person() {
    let mut stage = stage();
    let alice = author("alice", 1);
    let event = json!({"object_id": "alice", "action": "clientEvent", "type": "mousedown", "data": {"target": "box"}});
    assert_eq!(stage.send(&alice, "u", event), Ok(AppliedMessage::default()));
    assert_eq!(
        stage.send_on(&alice, "x/alice_web/alice/bob", presence("alice", "join")),
        Ok(AppliedMessage::default())
    );
    assert_eq!(stage.scene.people(), 0);
}

#[test]
fn a_hand_requires_a_person_and_can_be_deleted() {
    let mut stage = stage();
    let alice = author("alice", 1);
    let hand = json!({"object_id": "handLeft_alice", "action": "create", "data": {"dep": "alice"}});
    assert_eq!(stage.send(&alice, "u", hand.clone()), Err(Reason::Departed), "no hand without a person");
    stage.send(&alice, "u", camera("alice", "create", 0.0)).unwrap();
    stage.send(&alice, "u", hand).unwrap();
    assert_eq!(ids(&stage), ["u/alice_web/alice", "u/alice_web/handLeft_alice"]);
    stage.send(&alice, "u", delete("handLeft_alice")).unwrap();
    assert_eq!(ids(&stage), ["u/alice_web/alice"]);
}

#[test]
fn a_changed_display_name_is_replayed_with_the_join() {
    let mut stage = stage();
    let alice = author("alice", 1);
    stage.send(&alice, "x", presence("alice", "join")).unwrap();
    stage.send(&alice, "x", json!({"object_id": "alice", "action": "update", "dn": "Alice of Elis"})).unwrap();
    let join: Value = serde_json::from_slice(&stage.scene.presence()[0].1).unwrap();
    assert_eq!(
        (&join["action"], &join["dn"], &join["type"]),
        (&json!("join"), &json!("Alice of Elis"), &json!("arena"))
    );
}

#[test]
fn a_join_cannot_grow_above_its_size_limit_by_updates() {
    let mut stage = stage();
    let alice = author("alice", 1);
    stage.send(&alice, "x", presence("alice", "join")).unwrap();
    let half = "x".repeat(crate::limits::JOIN_BYTES_MAX / 2);
    let update = |key: &str| json!({"object_id": "alice", "action": "update", key: half});
    assert!(stage.send(&alice, "x", update("a")).is_ok(), "negative control");
    assert_eq!(stage.send(&alice, "x", update("b")), Err(Reason::TooLarge));
}

#[test]
fn hands_are_removed_with_their_camera() {
    let mut stage = stage();
    let alice = author("alice", 1);
    let hand = json!({"object_id": "handRight_alice", "action": "create", "ttl": 30, "data": {"dep": "alice"}});
    stage.send(&alice, "u", camera("alice", "create", 0.0)).unwrap();
    stage.send(&alice, "u", hand).unwrap();
    assert_eq!(ids(&stage).len(), 2, "negative control");
    stage.send(&alice, "x", presence("alice", "leave")).unwrap();
    stage.send(&alice, "u", camera("alice", "create", 0.0)).unwrap();
    assert_eq!(ids(&stage), ["u/alice_web/alice"]);
    stage.wait(29.0);
    stage.send(&alice, "u", camera("alice", "update", 1.0)).unwrap();
    stage.wait(2.0);
    assert_eq!(stage.published(), [], "the old hand has no deadline left");
}

#[test]
fn a_relocalized_message_changes_no_state() {
    let mut stage = stage();
    let alice = author("alice", 1);
    let said = json!({"object_id": "alice", "action": "relocalized", "type": "arena"});
    assert_eq!(stage.send(&alice, "x", said.clone()), Ok(AppliedMessage::default()));
    stage.send(&alice, "x", presence("alice", "join")).unwrap();
    assert_eq!(stage.send(&alice, "x", said.clone()), Ok(AppliedMessage::default()));
    stage.send(&alice, "x", presence("alice", "leave")).unwrap();
    assert_eq!(stage.send(&alice, "x", said), Err(Reason::Departed));
}

#[test]
fn an_event_of_a_hand_creates_no_hand() {
    let mut stage = stage();
    let alice = author("alice", 1);
    let hand = "handLeft_alice";
    let pulled = json!({"object_id": hand, "action": "clientEvent", "type": "triggerdown", "data": {"target": hand}});
    stage.send(&alice, "u", camera("alice", "create", 0.0)).unwrap();
    assert_eq!(stage.send(&alice, "u", pulled), Ok(AppliedMessage::default()));
    assert_eq!(ids(&stage), ["u/alice_web/alice"]);
}

#[test]
fn people_with_large_cameras_leave_room_for_a_newcomer() {
    let mut stage = stage();
    let large = "x".repeat(limits::USER_OBJECT_BYTES_MAX / 2);
    let mut camera_of = |name: &str, text: &str| {
        let mut payload = camera(name, "create", 0.0);
        payload["data"]["note"] = text.into();
        stage.send(&author(name, 1), "u", payload)
    };
    let people = limits::PEOPLE_BYTES_MAX / large.len();
    let taken = (0..people + 100).filter(|number| camera_of(&format!("large-{number}"), &large).is_ok()).count();
    assert!((people - 20..people).contains(&taken), "{taken} of {people}");
    assert!(camera_of("alice", "hello").is_ok(), "she is below an even share");
    assert_eq!(camera_of("large-0", &large), Err(Reason::TooLarge), "a change could be larger");
    stage.scene.handle_connection_ended(ConnectionId(1));
    assert_eq!((stage.scene.people(), stage.scene.people.bytes()), (0, 0));
}
