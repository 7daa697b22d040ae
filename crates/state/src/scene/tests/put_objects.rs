//! Whole records put by the server itself.

use super::*;
use crate::limits;

fn record(id: &str, attributes: Value) -> StoredObject {
    StoredObject {
        object_id: id.into(),
        type_name: "object".into(),
        attributes: attributes.as_object().unwrap().clone(),
        expires_at: None,
        created_at: UnixMillis(5_000),
        updated_at: UnixMillis(6_000),
    }
}

#[test]
fn a_put_record_is_stored_unchanged_and_published_by_the_realm() {
    let mut stage = stage();
    let ends = UnixMillis((UNIX_AT_ZERO.0 + 130) * 1_000);
    let lamp = StoredObject { expires_at: Some(ends), ..record("lamp", json!({"object_type": "light"})) };
    stage.scene.put_objects("alice", Vec::from([lamp]), stage.now).unwrap();
    let outputs = stage.drain();
    let [SceneOutput::Store(change), SceneOutput::Publish { topic, payload, revision }] = &outputs[..] else {
        panic!("{outputs:?}")
    };
    assert_eq!((change.author.as_str(), change.revision, *revision), ("alice", 1, Some(1)));
    assert_eq!(
        change.patch,
        json!({"action": "create", "type": "object", "data": {"object_type": "light"}, "ttl": 30.0})
    );
    assert_eq!(topic, &format!("realm/s/public/lobby/o/{REALM_CLIENT}/lamp"));
    let told: Value = serde_json::from_slice(payload).unwrap();
    assert_eq!((&told["persist"], &told["ttl"], &told["action"]), (&json!(true), &json!(30.0), &json!("create")));
    let kept = stage.scene.stored_object("lamp").unwrap();
    assert_eq!((kept.created_at, kept.expires_at), (UnixMillis(5_000), Some(ends)), "it is the same object, elsewhere");
    stage.wait(29.9);
    assert!(stage.live("lamp").is_some(), "negative control");
    stage.wait(0.2);
    assert_eq!((stage.live("lamp"), stage.stored("lamp")), (None, None));
}

#[test]
fn a_put_record_replaces_the_object_with_the_same_id() {
    let mut stage = stage();
    stage.send(&author("bob", 1), "o", create("box", true, json!({"color": "red", "parent": "shelf"}))).unwrap();
    stage.send(&author("bob", 1), "o", json!({"object_id": "live", "action": "create", "data": {"a": 1}})).unwrap();
    let records = Vec::from([record("box", json!({"depth": 2})), record("live", json!({"b": 2}))]);
    stage.scene.put_objects("alice", records, stage.now).unwrap();
    assert_eq!((stage.live("box"), stage.stored("box")), (Some(json!({"depth": 2})), Some(json!({"depth": 2}))));
    assert_eq!((stage.live("live"), stage.stored("live")), (Some(json!({"b": 2})), Some(json!({"b": 2}))));
    stage.send(&author("bob", 1), "o", delete("shelf")).unwrap();
    assert!(stage.live("box").is_some(), "it hangs below nothing any more");
    let mut again = stage.restarted();
    assert_eq!(again.live("box"), Some(json!({"depth": 2})));
    again.send(&author("bob", 1), "o", delete("box")).unwrap();
    again.send(&author("bob", 1), "o", delete("live")).unwrap();
    assert_eq!(again.scene.stored_bytes, 0, "what goes is counted as what came");
}

#[test]
fn a_put_with_a_record_above_the_limits_is_refused_as_a_whole() {
    let mut stage = stage();
    let big = record("big", json!({"text": "x".repeat(limits::OBJECT_BYTES_MAX)}));
    let refused = stage.scene.put_objects("alice", Vec::from([record("small", json!({})), big]), stage.now);
    assert_eq!(refused.unwrap_err().reason, Reason::TooLarge);
    let full: Vec<StoredObject> = (0..limits::OBJECTS_MAX).map(|id| record(&id.to_string(), json!({}))).collect();
    stage.scene.put_objects("alice", full, stage.now).expect("negative control: so many fit");
    stage.drain();
    let again = Vec::from([record("7", json!({"a": 1})), record("one-more", json!({}))]);
    assert_eq!(stage.scene.put_objects("alice", again, stage.now).unwrap_err().reason, Reason::TooManyObjects);
    assert_eq!((stage.stored("7"), stage.drain().len()), (Some(json!({})), 0), "nothing of it was done");
    stage.scene.put_objects("alice", Vec::from([record("7", json!({"a": 1}))]), stage.now).expect("is no new one");
}
