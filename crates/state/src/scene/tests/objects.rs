use alloc::collections::BTreeSet;

use super::*;
use crate::limits;

#[test]
fn a_persisted_create_changes_the_stored_and_live_state() {
    let mut stage = stage();
    let applied = stage.send(&author("alice", 1), "o", create("box", true, json!({"object_type": "box"}))).unwrap();
    assert_eq!(applied.revision, Some(1));
    assert_eq!(stage.stored("box"), Some(json!({"object_type": "box"})));
    assert_eq!(stage.live("box"), stage.stored("box"));
    let [SceneOutput::Store(change)] = &stage.drain()[..] else { panic!("one change") };
    assert_eq!((change.revision, change.author.as_str(), change.object_id.as_str()), (1, "alice", "box"));
    assert_eq!(change.patch["action"], "create");
}

#[test]
fn a_create_without_persist_changes_only_the_live_state() {
    let mut stage = stage();
    let alice = author("alice", 1);
    stage.send(&alice, "o", create("kept", true, json!({"a": 1}))).unwrap();
    for persist in [json!(false), json!("yes"), json!(1), json!(null)] {
        let mut payload = create("kept", false, json!({"b": 2}));
        payload["persist"] = persist;
        assert!(!stage.stores(&alice, "o", payload));
    }
    assert_eq!(stage.stored("kept"), Some(json!({"a": 1})));
    assert_eq!(stage.live("kept"), Some(json!({"b": 2})));
}

#[test]
fn a_persisted_create_replaces_all_attributes_and_keeps_the_expiry() {
    let mut stage = stage();
    let alice = author("alice", 1);
    let mut first = create("box", true, json!({"a": 1, "b": {"c": 1}}));
    first["ttl"] = json!(10);
    stage.send(&alice, "o", first).unwrap();
    stage.wait(1.0);
    stage.send(&alice, "o", create("box", true, json!({"b": {"d": 1}, "parent": null}))).unwrap();
    assert_eq!(stage.stored("box"), Some(json!({"b": {"d": 1}, "parent": null})));
    stage.wait(8.9);
    assert!(stage.live("box").is_some(), "negative control: 9.9 s of 10 have passed");
    stage.wait(0.1);
    assert_eq!((stage.live("box"), stage.stored("box")), (None, None));
}

#[test]
fn a_persisted_update_merges_attributes_and_keeps_the_type() {
    let mut stage = stage();
    let alice = author("alice", 1);
    stage
        .send(&alice, "o", create("box", true, json!({"position": {"x": 1, "y": 2}, "color": "#f00", "list": [1, 2]})))
        .unwrap();
    let mut payload = update("box", true, json!({"position": {"x": 5}, "color": null, "list": [3]}));
    payload["type"] = json!("program");
    payload["persist"] = json!("truthy is enough");
    assert!(stage.stores(&alice, "o", payload));
    let merged = json!({"position": {"x": 5, "y": 2}, "list": [3]});
    assert_eq!((stage.stored("box"), stage.live("box")), (Some(merged.clone()), Some(merged)));
    assert_eq!(stage.scene.stored_object("box").unwrap().type_name, "object");
}

#[test]
fn a_persisted_update_of_an_unknown_object_stores_nothing() {
    let mut stage = stage();
    assert!(!stage.stores(&author("alice", 1), "o", update("box", true, json!({"a": 1, "b": null}))));
    assert_eq!((stage.stored("box"), stage.live("box")), (None, Some(json!({"a": 1}))));
}

#[test]
fn an_overwrite_replaces_all_attributes_and_clears_the_expiry() {
    let mut stage = stage();
    let alice = author("alice", 1);
    let mut first = create("box", true, json!({"a": 1}));
    first["ttl"] = json!(10);
    stage.send(&alice, "o", first).unwrap();
    let mut payload = update("box", true, json!({"b": 2}));
    payload["overwrite"] = json!(true);
    stage.send(&alice, "o", payload).unwrap();
    stage.wait(60.0);
    assert_eq!((stage.stored("box"), stage.live("box")), (Some(json!({"b": 2})), Some(json!({"b": 2}))));
}

#[test]
fn an_overwrite_without_persist_changes_only_the_live_state() {
    let mut stage = stage();
    let alice = author("alice", 1);
    stage.send(&alice, "o", create("box", true, json!({"a": 1}))).unwrap();
    let mut payload = update("box", false, json!({"b": 2}));
    payload["overwrite"] = json!(true);
    stage.send(&alice, "o", payload).unwrap();
    assert_eq!((stage.stored("box"), stage.live("box")), (Some(json!({"a": 1})), Some(json!({"b": 2}))));
}

#[test]
fn a_delete_removes_all_descendants_without_publishing_them() {
    let mut stage = stage();
    let alice = author("alice", 1);
    for (id, parent) in [("root", None), ("child", Some("root")), ("grandchild", Some("child")), ("other", None)] {
        stage.send(&alice, "o", create(id, true, json!({"parent": parent}))).unwrap();
    }
    stage.send(&alice, "o", create("passing", false, json!({"parent": "child"}))).unwrap();
    stage.drain();
    assert!(stage.stores(&alice, "o", delete("root")));
    let [SceneOutput::Store(change)] = &stage.drain()[..] else { panic!("one change and no message") };
    assert_eq!(
        change.kind,
        StoredObjectEffect::Delete { descendants: ["child", "grandchild"].map(String::from).to_vec() }
    );
    for id in ["root", "child", "grandchild", "passing"] {
        assert_eq!((stage.live(id), stage.stored(id)), (None, None), "{id}");
    }
    assert!(stage.stored("other").is_some(), "negative control");
}

#[test]
fn a_delete_of_an_unknown_object_changes_nothing() {
    let mut stage = stage();
    assert_eq!(stage.send(&author("alice", 1), "o", delete("box")), Ok(AppliedMessage::default()));
}

#[test]
fn an_expiry_publishes_one_delete_for_the_root_only() {
    let mut stage = stage();
    let alice = author("alice", 1);
    let mut root = create("root", true, json!({}));
    root["ttl"] = json!(2.5);
    stage.send(&alice, "o", root).unwrap();
    stage.send(&alice, "o", create("child", true, json!({"parent": "root"}))).unwrap();
    assert_eq!(stage.scene.poll_timeout(), Some(stage.now + core::time::Duration::from_millis(2_500)));
    stage.drain();
    stage.wait(2.4);
    assert_eq!(stage.published(), [], "negative control");
    stage.wait(0.1);
    assert_eq!(stage.published(), [("o/stoa/root".to_string(), "delete".to_string())]);
    assert_eq!((stage.stored("child"), stage.live("child")), (None, None));
    assert_eq!(stage.scene.poll_timeout(), None);
}

#[test]
fn an_object_that_was_never_stored_expires_too() {
    let mut stage = stage();
    let mut payload = update("spark", false, json!({"a": 1}));
    payload["ttl"] = json!(1);
    stage.send(&author("alice", 1), "o", payload).unwrap();
    stage.wait(1.0);
    assert_eq!(stage.published(), [("o/stoa/spark".to_string(), "delete".to_string())]);
    assert_eq!(stage.live("spark"), None);
}

#[test]
fn a_ttl_in_a_persisted_update_moves_the_stored_deadline() {
    let mut stage = stage();
    let alice = author("alice", 1);
    stage.send(&alice, "o", create("box", true, json!({}))).unwrap();
    let mut payload = update("box", true, json!({}));
    payload["ttl"] = json!(5);
    stage.send(&alice, "o", payload).unwrap();
    let expires_at = stage.scene.stored_object("box").unwrap().expires_at;
    assert_eq!(expires_at, Some(UnixMillis((UNIX_AT_ZERO.0 + 105) * 1_000)));
    let mut stage = stage.restarted();
    stage.wait(5.0);
    assert_eq!(stage.stored("box"), None);
}

#[test]
fn objects_that_expired_during_downtime_are_deleted_at_start() {
    let mut stage = stage();
    let mut payload = create("box", true, json!({}));
    payload["ttl"] = json!(5);
    stage.send(&author("alice", 1), "o", payload).unwrap();
    stage.now = stage.now + core::time::Duration::from_secs(60);
    let mut stage = stage.restarted();
    assert_eq!(stage.scene.poll_timeout(), Some(stage.now));
    stage.wait(0.0);
    assert_eq!(stage.published(), [("o/stoa/box".to_string(), "delete".to_string())]);
}

#[test]
fn a_private_object_is_neither_stored_nor_live() {
    let mut stage = stage();
    let applied = stage.send_on(&author("alice", 1), "o/alice_web/secret/bob", create("secret", true, json!({"a": 1})));
    assert_eq!(applied, Ok(AppliedMessage::default()));
    assert_eq!((stage.live("secret"), stage.stored("secret")), (None, None));
}

#[test]
fn a_get_persist_returns_stored_objects_only_to_its_requester() {
    let mut stage = stage();
    let alice = author("alice", 1);
    stage.send(&alice, "o", create("child", true, json!({"parent": "root"}))).unwrap();
    stage.send(&alice, "o", create("root", true, json!({}))).unwrap();
    stage
        .send(
            &alice,
            "o",
            json!({"object_id": "p", "action": "create", "type": "program", "persist": true, "data": {}}),
        )
        .unwrap();
    stage.drain();
    let ask = json!({"object_id": "any", "action": "getPersist", "data": {"type": "object"}});
    assert_eq!(stage.send(&author("bob", 2), "o", ask), Ok(AppliedMessage::default()));
    let [SceneOutput::Return(request)] = &stage.drain()[..] else { panic!("one answer") };
    let (topic, object_id) = ("realm/s/public/lobby/o/bob_web/any".to_string(), "any".to_string());
    let type_name = Some("object".to_string());
    let expected = StoredObjectsRequest { connection: ConnectionId(2), topic, object_id, type_name: type_name.clone() };
    assert_eq!(*request, expected);
    let data: Value = serde_json::from_slice(&stage.scene.records(None, type_name).to_json()).unwrap();
    let record = json!({"object_id": "root", "type": "object", "attributes": {},
        "createdAt": "2027-01-15T08:01:40.000Z", "updatedAt": "2027-01-15T08:01:40.000Z"});
    assert_eq!(data[0], record);
    assert_eq!(data.as_array().unwrap().len(), 2);
}

#[test]
fn events_and_camera_commands_create_no_object() {
    let mut stage = stage();
    let alice = author("alice", 1);
    let event = json!({"object_id": "alice", "action": "clientEvent", "type": "mousedown", "data": {"target": "box"}});
    let order =
        json!({"object_id": "bob", "action": "update", "type": "camera-override", "data": {"object_type": "camera"}});
    let rig =
        json!({"object_id": "bob", "action": "update", "type": "rig", "persist": true, "data": {"position": {"x": 1}}});
    for payload in [event, order, rig] {
        assert_eq!(stage.send(&alice, "o", payload), Ok(AppliedMessage::default()));
    }
    assert_eq!(stage.scene.snapshot(stage.now).messages(), []);
}

#[test]
fn a_guest_cannot_create_or_change_objects_of_reserved_types() {
    let mut stage = stage();
    let program = |action: &str, kind: &str| json!({"object_id": "p", "action": action, "type": kind, "persist": true, "data": {}});
    for kind in ["program", "scene-options", "camera-override", "rig"] {
        assert_eq!(stage.send(&guest("g", 1), "o", program("create", kind)), Err(Reason::ReservedType));
    }
    stage.send(&author("alice", 2), "o", program("create", "program")).unwrap();
    for payload in [program("update", "object"), program("create", "object"), delete("p")] {
        assert_eq!(stage.send(&guest("g", 1), "o", payload), Err(Reason::ReservedType));
    }
}

#[test]
fn a_guest_cannot_delete_an_ancestor_of_a_program() {
    for persist in [true, false] {
        let mut stage = stage();
        let alice = author("alice", 2);
        stage.send(&alice, "o", create("root", persist, json!({}))).unwrap();
        stage.send(&alice, "o", create("shelf", persist, json!({"parent": "root"}))).unwrap();
        let program = json!({"object_id": "p", "action": "create", "type": "program", "persist": persist, "data": {"parent": "shelf"}});
        stage.send(&alice, "o", program).unwrap();
        assert_eq!(stage.send(&guest("g", 1), "o", delete("root")), Err(Reason::ReservedType));
        assert!(stage.live("root").is_some() && stage.live("p").is_some());
        stage.send(&alice, "o", delete("p")).unwrap();
        assert!(stage.send(&guest("g", 1), "o", delete("root")).is_ok(), "negative control");
    }
}

#[test]
fn stored_objects_of_a_guest_count_after_their_live_copy_expires() {
    let mut stage = stage();
    let first = guest("g", 1);
    let refused = (0..=limits::GUESTS_OBJECTS_MAX).find_map(|i| {
        let id = format!("box{i}");
        let made = stage.send(&first, "o", create(&id, true, json!({})));
        let fleeting = json!({"object_id": id, "action": "update", "ttl": 0, "data": {}});
        let outcome = made.and_then(|_| stage.send(&first, "o", fleeting));
        stage.wait(0.001);
        outcome.err()
    });
    assert_eq!(refused, Some(Reason::TooManyObjects));
}

#[test]
fn a_guests_object_has_a_lower_size_limit_than_a_members() {
    let mut stage = stage();
    let large = json!({"text": "x".repeat(limits::GUEST_OBJECT_BYTES_MAX)});
    assert_eq!(stage.send(&guest("g", 1), "o", create("box", true, large.clone())), Err(Reason::TooLarge));
    assert!(stage.send(&author("alice", 2), "o", create("box", true, large)).is_ok(), "negative control");
}

#[test]
fn each_guest_has_its_own_limit_of_objects() {
    let mut stage = stage();
    let first = guest("g", 1);
    for i in 0..limits::GUEST_OBJECTS_MAX {
        stage.send(&first, "o", create(&format!("box{i}"), false, json!({}))).unwrap();
    }
    assert_eq!(stage.send(&first, "o", create("more", false, json!({}))), Err(Reason::TooManyObjects));
    assert!(stage.send(&first, "o", create("box0", false, json!({}))).is_ok(), "replacing is no more");
    assert!(
        stage.send(&guest("h", 2), "o", create("more", false, json!({}))).is_ok(),
        "another guest has its own share"
    );
    stage.send(&first, "o", delete("box0")).unwrap();
    assert!(stage.send(&first, "o", create("box0", false, json!({}))).is_ok());
}

#[test]
fn an_object_cannot_grow_above_its_size_limit_by_updates() {
    let mut stage = stage();
    let alice = author("alice", 1);
    let long = "x".repeat(limits::OBJECT_BYTES_MAX / 2);
    stage.send(&alice, "o", update("box", false, json!({"a": long}))).unwrap();
    assert_eq!(stage.send(&alice, "o", update("box", false, json!({"b": long}))), Err(Reason::TooLarge));
    assert!(stage.send(&alice, "o", update("box", false, json!({"a": long}))).is_ok(), "the same again is no more");
}

#[test]
fn a_reset_deletes_all_objects_and_no_people() {
    let mut stage = stage();
    let alice = author("alice", 1);
    stage.send(&alice, "u", camera("alice", "create", 0.0)).unwrap();
    stage.send(&alice, "o", create("root", true, json!({}))).unwrap();
    stage.send(&alice, "o", create("child", true, json!({"parent": "root"}))).unwrap();
    stage.send(&alice, "o", create("a", false, json!({"parent": "b"}))).unwrap();
    stage.send(&alice, "o", create("b", false, json!({"parent": "a"}))).unwrap();
    stage.drain();
    assert!(stage.scene.clear("owner", &BTreeSet::new(), stage.now));
    assert!(stage.scene.stored_objects().is_empty());
    assert_eq!(stage.scene.snapshot(stage.now).messages().len(), 1);
    assert_eq!(stage.published(), ["a", "root"].map(|id| (format!("o/stoa/{id}"), "delete".to_string())));
}

#[test]
fn a_reset_keeps_the_listed_objects() {
    let mut stage = stage();
    let alice = author("alice", 1);
    for id in ["lamp", "clutter", "table"] {
        stage.send(&alice, "o", create(id, true, json!({}))).unwrap();
    }
    stage.drain();
    assert!(stage.scene.clear("owner", &["lamp".to_string(), "table".to_string()].into(), stage.now));
    let left: Vec<_> = stage.scene.stored_objects().iter().map(|object| object.object_id.clone()).collect();
    assert_eq!(left, ["lamp", "table"]);
    assert_eq!(stage.published(), [("o/stoa/clutter".to_string(), "delete".to_string())]);
}

#[test]
fn only_moderators_can_send_chat_control_messages() {
    let mut stage = stage();
    let control = |author: &Author| json!({"object_id": author.id_tag, "type": "chat-ctrl", "text": "logout"});
    let viewer = Author { moderator: false, ..author("bob", 2) };
    assert_eq!(stage.send(&viewer, "c", control(&viewer)), Err(Reason::NotModerator));
    let alice = author("alice", 1);
    assert_eq!(stage.send(&alice, "c", control(&alice)), Ok(AppliedMessage::default()));
}

#[test]
fn a_get_persist_of_a_scene_too_large_for_one_message_is_refused() {
    let mut stage = stage();
    let alice = author("alice", 1);
    let ask = json!({"object_id": "any", "action": "getPersist"});
    let text = "x".repeat(limits::OBJECT_BYTES_MAX / 2);
    let mut made = 0;
    while stage.send(&alice, "o", ask.clone()).is_ok() {
        stage.send(&alice, "o", create(&format!("sign{made}"), true, json!({"value": text}))).unwrap();
        made += 1;
        assert!(made < 1_000, "there is a limit");
    }
    assert!(made >= limits::RETURNED_BYTES_MAX / limits::OBJECT_BYTES_MAX, "negative control: smaller ones are");
    assert_eq!(stage.send(&alice, "o", ask.clone()), Err(Reason::TooLarge));
    stage.send(&alice, "o", delete("sign0")).unwrap();
    stage.send(&alice, "o", ask).expect("what is gone is not counted");
}

#[test]
fn a_stored_record_has_only_the_keys_that_arena_persist_stores() {
    let mut stage = stage();
    let mut payload = create("box", true, json!({"object_type": "box"}));
    for (key, value) in [
        ("private", json!(true)),
        ("program_id", json!("p1")),
        ("timestamp", json!("2026-01-01T00:00:00.123456+00Z")),
        ("dn", json!("Alice")),
    ] {
        payload[key] = value;
    }
    stage.send(&author("alice", 1), "o", payload).unwrap();
    let record = serde_json::to_value(stage.scene.stored_object("box").unwrap()).unwrap();
    let keys: Vec<&String> = record.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["attributes", "createdAt", "object_id", "type", "updatedAt"]);
}

#[test]
fn a_ttl_without_persist_stores_nothing() {
    let mut stage = stage();
    let mut payload = create("spark", false, json!({}));
    payload["ttl"] = json!(60);
    payload.as_object_mut().unwrap().remove("persist");
    assert!(!stage.stores(&author("alice", 1), "o", payload.clone()));
    assert_eq!((stage.stored("spark"), stage.live("spark")), (None, Some(json!({}))));
    payload["persist"] = json!(true);
    assert!(stage.stores(&author("alice", 1), "o", payload), "negative control");
}

#[test]
fn a_reparented_child_survives_deletion_of_its_previous_parent() {
    for back in [json!({"parent": null}), json!({"parent": "other"})] {
        let mut stage = stage();
        let alice = author("alice", 1);
        for (id, parent) in [("root", None), ("moved", Some("root")), ("kept", Some("root")), ("other", None)] {
            stage.send(&alice, "o", create(id, true, json!({"parent": parent}))).unwrap();
        }
        stage.send(&alice, "o", update("moved", true, back)).unwrap();
        stage.send(&alice, "o", delete("root")).unwrap();
        assert!(stage.live("moved").is_some() && stage.stored("moved").is_some());
        assert_eq!((stage.live("kept"), stage.stored("kept")), (None, None), "negative control");
    }
}

#[test]
fn only_object_messages_are_stored_even_with_persist_set() {
    let mut stage = stage();
    let alice = author("alice", 1);
    let mut persistent = camera("alice", "create", 0.0);
    persistent["persist"] = json!(true);
    assert!(!stage.stores(&alice, "u", persistent));
    let said =
        |kind: &str| json!({"object_id": "alice", "action": "create", "type": kind, "persist": true, "data": {}});
    for kind in ["c", "r", "p", "d"] {
        assert!(!stage.stores(&alice, kind, said("object")), "{kind}");
    }
    let mut join = presence("alice", "join");
    join["persist"] = json!(true);
    assert!(!stage.stores(&alice, "x", join));
    assert!(stage.scene.stored_objects().is_empty());
    assert_eq!(stage.drain(), []);
    stage.send(&alice, "o", create("box", true, json!({}))).unwrap();
    assert_eq!(stage.drain().len(), 1, "negative control");
}

#[test]
fn a_moderator_can_announce_a_recording() {
    let mut stage = stage();
    let alice = author("alice", 1);
    for text in ["recording_started", "recording_stopped", "sound:off"] {
        let said = json!({"object_id": "alice", "action": "recording", "type": "chat-ctrl", "text": text});
        assert_eq!(stage.send(&alice, "c", said), Ok(AppliedMessage::default()), "{text}");
    }
}

#[test]
fn object_ids_count_toward_the_size_of_a_get_persist_answer() {
    let mut stage = stage();
    let alice = author("alice", 1);
    let ask = json!({"object_id": "any", "action": "getPersist"});
    let mut made = 0;
    while stage.send(&alice, "o", ask.clone()).is_ok() {
        for _ in 0..100 {
            made += 1;
            stage.send(&alice, "o", create(&format!("{made:0256}"), true, json!({}))).unwrap();
        }
        stage.drain();
        assert!(made * 256 <= 2 * limits::RETURNED_BYTES_MAX, "{made} empty objects are no small answer");
    }
    assert!(made * 256 >= limits::RETURNED_BYTES_MAX / 2, "negative control: fewer are returned");
}

#[test]
fn a_guest_cannot_set_a_ttl_on_the_parent_of_a_program() {
    for parent_is_there in [false, true] {
        let mut stage = stage();
        let alice = author("alice", 1);
        if parent_is_there {
            stage.send(&alice, "o", create("runtime", true, json!({}))).unwrap();
        }
        let mut program = create("clock", true, json!({"parent": "runtime"}));
        program["type"] = json!("program");
        stage.send(&alice, "o", program).unwrap();
        let mut short = create("runtime", true, json!({}));
        short["ttl"] = json!(0.001);
        assert_eq!(stage.send(&guest("g", 2), "o", short.clone()), Err(Reason::ReservedType), "{parent_is_there}");
        stage.wait(1.0);
        assert!(stage.stored("clock").is_some());
        short["object_id"] = json!("other");
        assert!(stage.send(&guest("g", 2), "o", short).is_ok(), "negative control");
    }
}

#[test]
fn objects_that_expire_together_are_removed_in_pieces() {
    let (mut stage, ada) = (stage(), author("ada", 1));
    for number in 0..=2 * limits::EXPIRED_AT_ONCE_MAX {
        let mut message = create(&format!("o{number}"), false, json!({}));
        message["ttl"] = json!(10);
        stage.send(&ada, "o", message).unwrap();
    }
    stage.wait(10.0);
    assert_eq!(stage.published().len(), limits::EXPIRED_AT_ONCE_MAX);
    stage.wait(0.0);
    assert!(stage.published().is_empty(), "other inputs are handled meanwhile");
    for left in [limits::EXPIRED_AT_ONCE_MAX, 1] {
        stage.now = stage.now + limits::EXPIRY_PAUSE;
        assert_eq!(stage.scene.poll_timeout(), Some(stage.now));
        stage.scene.handle_timeout(stage.now);
        assert_eq!(stage.published().len(), left);
    }
    assert_eq!(stage.scene.poll_timeout(), None);
}
