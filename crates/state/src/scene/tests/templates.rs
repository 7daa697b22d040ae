//! Copies of another scene's stored objects.

use super::*;
use crate::limits;

const CONTAINER: &str = "public|stall::1";

/// A source scene: a table with a cup on it, a lamp below an absent parent, a program, scene options, and an object
/// that is only live.
fn stall() -> Stage {
    let mut stall = Stage { scene: Scene::new(SceneName::new("public", "stall").unwrap(), 7, UNIX_AT_ZERO), ..stage() };
    let alice = author("alice", 1);
    for payload in [
        create("cup", true, json!({"object_type": "cylinder", "parent": "table"})),
        create("lamp", true, json!({"object_type": "light", "parent": "alice", "a": null})),
        json!({"object_id": "table", "action": "create", "persist": true, "ttl": 60, "data": {"object_type": "box"}}),
        json!({"object_id": "bot", "action": "create", "type": "program", "persist": true, "data": {"parent": "table"}}),
        json!({"object_id": "options", "action": "create", "type": "scene-options", "persist": true, "data": {}}),
        create("smoke", false, json!({})),
    ] {
        stall.send(&alice, "o", payload).unwrap();
    }
    stall
}

/// The stall with `boxes` further objects.
fn stall_with(boxes: usize) -> Stage {
    let mut stall = stall();
    for i in 0..boxes {
        stall.send(&author("alice", 1), "o", create(&format!("box{i}"), true, json!({}))).unwrap();
    }
    stall
}

fn request(more: Value) -> Value {
    let mut asked = json!({"templateNamespace": "public", "templateSceneId": "stall", "instanceId": "1"});
    asked.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    asked
}

fn read(asked: Value) -> Result<TemplateRequest, Reason> {
    let payload = json!({"object_id": "request", "action": "loadTemplate", "data": asked}).to_string();
    TemplateRequest::read(
        &Envelope::parse(TopicKind::O, "request", payload.as_bytes()).map_err(|refused| refused.reason)?,
    )
}

impl Stage {
    fn load(&mut self, author: &Author, source: &Stage, more: Value) -> Result<AppliedMessage, Reason> {
        let template = PendingTemplateCopy::new(read(request(more))?, &source.scene);
        let applied = template.and_then(|template| self.scene.load_template(author, template, self.now));
        applied.map_err(|refused| refused.reason)
    }

    /// Advances time until no timeout is due any more.
    fn finish(&mut self) {
        while let Some(at) = self.scene.poll_timeout() {
            self.now = self.now.max(at);
            self.scene.handle_timeout(self.now);
        }
    }

    fn ids(&self) -> Vec<String> {
        let messages = self.scene.snapshot(self.now).messages();
        let ids = messages.iter().map(|(_, payload)| payload["object_id"].as_str().unwrap().to_string());
        ids.collect()
    }
}

fn copy(id: &str) -> String {
    format!("{CONTAINER}::{id}")
}

#[test]
fn a_template_is_copied_below_its_container() {
    let mut stage = stage();
    let position = json!({"x": 1, "y": 0, "z": -2});
    let applied = stage.load(&author("alice", 1), &stall(), json!({"persist": true, "position": position}));
    assert_eq!(applied, Ok(AppliedMessage::default()));
    let container = json!({"object_type": "templateContainer", "position": position});
    assert_eq!(stage.live(CONTAINER), Some(container.clone()));
    assert_eq!(stage.stored(CONTAINER), Some(container));
    assert_eq!(stage.stored(&copy("table")), Some(json!({"object_type": "box", "parent": CONTAINER})));
    assert_eq!(stage.stored(&copy("cup")), Some(json!({"object_type": "cylinder", "parent": copy("table")})));
    let lamp = json!({"object_type": "light", "parent": CONTAINER, "a": null});
    assert_eq!(stage.live(&copy("lamp")), Some(lamp), "its parent was not copied");
    assert_eq!(stage.ids().len(), 4, "no program, no options, nothing that is only live: {:?}", stage.ids());
    assert_eq!(stage.scene.poll_timeout(), None, "the table's own expiry stays behind");
}

#[test]
fn the_realm_publishes_each_copy_as_a_revision_parents_first() {
    let mut stage = stage();
    stage.load(&author("alice", 1), &stall(), json!({"persist": true, "ttl": 60.5})).unwrap();
    let outputs = stage.drain();
    let ids = [CONTAINER.to_string(), copy("lamp"), copy("table"), copy("cup")];
    assert_eq!(outputs.len(), 2 * ids.len());
    for (place, (pair, id)) in outputs.chunks(2).zip(&ids).enumerate() {
        let [SceneOutput::Store(change), SceneOutput::Publish { topic, payload, revision }] = pair else {
            panic!("{pair:?}")
        };
        let expected = u64::try_from(place).unwrap() + 1;
        assert_eq!(
            (change.revision, change.object_id.as_str(), change.author.as_str()),
            (expected, id.as_str(), "alice")
        );
        assert_eq!((topic, *revision), (&format!("realm/s/public/lobby/o/stoa/{id}"), Some(expected)));
        let payload: Value = serde_json::from_slice(payload).unwrap();
        assert_eq!(
            (&payload["action"], &payload["persist"], &payload["type"]),
            (&json!("create"), &json!(true), &json!("object"))
        );
        assert_eq!(payload["object_id"], json!(id));
        assert_eq!(payload.get("ttl"), (place == 0).then_some(&json!(60.5)));
        assert_eq!(Some(&payload["data"]), stage.live(id).as_ref());
    }
    assert_eq!(stage.restarted().ids().len(), ids.len());
}

#[test]
fn copies_of_a_non_persistent_template_expire_with_their_container() {
    let mut stage = stage();
    stage.load(&author("alice", 1), &stall(), json!({"ttl": 2})).unwrap();
    assert!(stage.scene.stored_objects().is_empty());
    assert_eq!(stage.published().len(), 4);
    stage.wait(1.9);
    assert_eq!(stage.ids().len(), 4, "negative control");
    stage.wait(0.2);
    assert_eq!(stage.ids(), [""; 0]);
    assert_eq!(stage.published(), [(format!("o/stoa/{CONTAINER}"), "delete".to_string())]);
}

#[test]
fn copies_in_a_cycle_are_made_last_and_deleted_with_the_container() {
    let mut source = stall();
    let alice = author("alice", 1);
    source.send(&alice, "o", create("chicken", true, json!({"parent": "egg"}))).unwrap();
    source.send(&alice, "o", create("egg", true, json!({"parent": "chicken"}))).unwrap();
    let mut stage = stage();
    stage.load(&alice, &source, json!({"persist": true})).unwrap();
    assert_eq!(
        stage.published()[4..].iter().map(|(topic, _)| topic).collect::<Vec<_>>(),
        [&format!("o/stoa/{}", copy("chicken")), &format!("o/stoa/{}", copy("egg")),]
    );
    assert!(stage.stores(&alice, "o", delete(CONTAINER)));
    assert_eq!((stage.ids().len(), stage.scene.stored_objects().len()), (0, 0));
}

#[test]
fn a_copy_moved_out_of_its_container_is_deleted_with_it_and_announced() {
    let mut stage = stage();
    let alice = author("alice", 1);
    stage.send(&alice, "o", create("elsewhere", true, json!({}))).unwrap();
    stage.load(&alice, &stall(), json!({"persist": true})).unwrap();
    stage.send(&alice, "o", update(&copy("table"), true, json!({"parent": "elsewhere"}))).unwrap();
    stage.drain();
    let applied = stage.send(&alice, "o", delete(CONTAINER)).unwrap();
    let told = [copy("cup"), copy("table")].map(|id| (format!("o/stoa/{id}"), "delete".to_string()));
    assert_eq!(stage.published(), told, "the lamp hung below the container");
    assert_eq!(applied.revision, Some(stage.scene.revision() - 2));
    assert_eq!(stage.ids(), ["elsewhere"]);
    assert_eq!(stage.restarted().ids(), ["elsewhere"]);
}

#[test]
fn deleting_an_ordinary_object_keeps_objects_with_its_id_as_prefix() {
    let mut stage = stage();
    let alice = author("alice", 1);
    for id in ["a::b", "a::b::c", "a|b::c::d", "a|b::c::d::e"] {
        stage.send(&alice, "o", create(id, true, json!({}))).unwrap();
    }
    stage.send(&alice, "o", delete("a::b")).unwrap();
    stage.send(&alice, "o", delete("a|b::c::d")).unwrap();
    stage.send(&alice, "o", delete("a|b::c")).unwrap();
    assert_eq!(stage.ids(), ["a::b::c", "a|b::c::d::e"], "the last was not there to be deleted");
}

#[test]
fn a_guest_cannot_delete_a_container_with_a_program_among_its_copies() {
    let mut stage = stage();
    stage.load(&guest("g", 2), &stall(), json!({})).unwrap();
    let program = json!({"object_id": copy("bot"), "action": "create", "type": "program", "data": {}});
    stage.send(&author("alice", 1), "o", program).unwrap();
    assert_eq!(stage.send(&guest("g", 2), "o", delete(CONTAINER)), Err(Reason::ReservedType));
    assert!(stage.send(&author("alice", 1), "o", delete(CONTAINER)).is_ok());
    assert_eq!(stage.ids(), [""; 0]);
}

#[test]
fn an_instance_can_be_loaded_again_only_after_its_deletion() {
    let mut stage = stage();
    let alice = author("alice", 1);
    stage.load(&alice, &stall(), json!({"persist": true})).unwrap();
    let before = stage.scene.snapshot(stage.now).messages();
    assert_eq!(stage.load(&alice, &stall(), json!({})), Err(Reason::AlreadyThere));
    assert_eq!(stage.scene.snapshot(stage.now).messages(), before);
    assert!(stage.load(&alice, &stall(), json!({"instanceId": "2"})).is_ok(), "another one");
    stage.send(&alice, "o", delete(CONTAINER)).unwrap();
    stage.send(&alice, "o", create(&copy("cup"), false, json!({}))).unwrap();
    assert_eq!(stage.load(&alice, &stall(), json!({})), Err(Reason::AlreadyThere), "one of the copies is there");
    stage.send(&alice, "o", delete(&copy("cup"))).unwrap();
    assert!(stage.load(&alice, &stall(), json!({})).is_ok());
}

#[test]
fn a_source_without_copyable_objects_is_refused() {
    let mut source = stage();
    let alice = author("alice", 1);
    source.send(&alice, "o", create("smoke", false, json!({}))).unwrap();
    let program = json!({"object_id": "bot", "action": "create", "type": "program", "persist": true, "data": {}});
    source.send(&alice, "o", program).unwrap();
    assert_eq!(stage().load(&alice, &source, json!({})), Err(Reason::NoSuchScene));
}

#[test]
fn a_template_above_a_guests_object_limit_is_refused_as_a_whole() {
    let source = stall_with(limits::GUEST_OBJECTS_MAX - 4);
    let mut stage = stage();
    let one = guest("g", 2);
    stage.send(&one, "o", create("mine", false, json!({}))).unwrap();
    assert_eq!(stage.load(&one, &source, json!({})), Err(Reason::TooManyObjects));
    assert_eq!((stage.ids(), stage.scene.revision()), (Vec::from(["mine".to_string()]), 1));
    stage.send(&one, "o", delete("mine")).unwrap();
    assert!(stage.load(&one, &source, json!({})).is_ok());
    assert_eq!(
        stage.send(&one, "o", create("mine", false, json!({}))),
        Err(Reason::TooManyObjects),
        "they are its own"
    );
}

#[test]
fn a_template_beyond_the_limit_is_refused() {
    let (mut source, alice) = (stall_with(limits::TEMPLATE_OBJECTS_MAX - 3), author("alice", 1));
    assert!(stage().load(&alice, &source, json!({})).is_ok(), "negative control");
    source.send(&alice, "o", create("one more", true, json!({}))).unwrap();
    assert_eq!(stage().load(&alice, &source, json!({})), Err(Reason::TooManyObjects));
}

#[test]
fn a_template_request_with_missing_or_invalid_values_is_refused() {
    for key in ["templateNamespace", "templateSceneId", "instanceId"] {
        let mut asked = request(json!({}));
        asked.as_object_mut().unwrap().remove(key);
        assert_eq!(read(asked), Err(Reason::MissingKey), "{key}");
    }
    let long = "x".repeat(250);
    for wrong in [
        json!({"templateNamespace": 1}),
        json!({"templateSceneId": "../stall"}),
        json!({"instanceId": 1}),
        json!({"instanceId": ""}),
        json!({"instanceId": "a/b"}),
        json!({"instanceId": "+"}),
        json!({"instanceId": "a\u{0}"}),
        json!({"instanceId": "a::b"}),
        json!({"instanceId": long}),
        json!({"persist": "yes"}),
        json!({"ttl": "60"}),
        json!({"ttl": -2}),
        json!({"position": "1 2 3"}),
        json!({"rotation": [0, 0, 0, 1]}),
    ] {
        assert_eq!(stage().load(&author("alice", 1), &stall(), wrong.clone()), Err(Reason::BadValue), "{wrong}");
    }
    let nothing = json!({"persist": null, "ttl": -1, "position": null, "rotation": null});
    assert!(stage().load(&author("alice", 1), &stall(), nothing).is_ok());
}

#[test]
fn a_large_template_is_copied_in_limited_pieces() {
    let boxes = limits::GUEST_OBJECTS_MAX - 4;
    let source = stall_with(boxes);
    let (mut stage, bob) = (stage(), author("bob", 2));
    stage.load(&bob, &source, json!({})).unwrap();
    assert_eq!(stage.published().len(), 1 + limits::COPIED_AT_ONCE_MAX);
    assert_eq!(stage.load(&bob, &source, json!({})), Err(Reason::AlreadyThere));
    stage.wait(0.0);
    assert!(stage.published().is_empty(), "other inputs are handled meanwhile");
    while let Some(at) = stage.scene.poll_timeout() {
        stage.now = at;
        stage.scene.handle_timeout(at);
        let made = stage.published().len();
        assert!((1..=limits::COPIED_AT_ONCE_MAX).contains(&made), "{made}");
    }
    assert_eq!(stage.ids().len(), boxes + 4);
}

#[test]
fn a_guests_template_is_copied_at_once_during_a_members_large_copy() {
    let boxes = limits::GUEST_OBJECTS_MAX - 4;
    let (source, alice) = (stall_with(boxes), author("alice", 1));
    let (mut stage, one) = (stage(), guest("g", 2));
    stage.load(&alice, &source, json!({"instanceId": "large"})).unwrap();
    assert_eq!(stage.published().len(), 1 + limits::COPIED_AT_ONCE_MAX);
    stage.load(&one, &source, json!({})).unwrap();
    assert_eq!(stage.published().len(), boxes + 4);
    assert_eq!(stage.scene.unfinished_templates(), 1, "the first one");
    assert_eq!(stage.send(&one, "o", create("mine", false, json!({}))), Err(Reason::TooManyObjects));
    stage.send(&one, "o", delete(CONTAINER)).unwrap();
    assert!(stage.send(&one, "o", create("mine", false, json!({}))).is_ok(), "the room is free again");
}

#[test]
fn a_guests_template_does_not_reduce_the_charge_for_a_members_large_copy() {
    let (source, alice) = (stall_with(3 * limits::COPIED_AT_ONCE_MAX), author("alice", 1));
    let charged = |is_interrupted: bool| {
        let mut stage = stage();
        stage.load(&alice, &source, json!({"persist": true, "instanceId": "large"})).unwrap();
        stage.wait(1.0);
        if is_interrupted {
            stage.load(&guest("g", 2), &stall(), json!({})).unwrap();
        }
        stage.drain();
        stage.finish();
        stage.drain().into_iter().find_map(|output| match output {
            SceneOutput::TemplateCopied { written_bytes } => Some(written_bytes),
            _ => None,
        })
    };
    assert!(charged(false).is_some_and(|written_bytes| written_bytes > 0));
    assert_eq!(charged(true), charged(false));
}

#[test]
fn no_copies_are_made_while_the_container_is_queued_for_deletion() {
    let (source, alice) = (stall_with(2 * limits::COPIED_AT_ONCE_MAX), author("alice", 1));
    let mut stage = stage();
    stage.send(&alice, "o", create("root", false, json!({}))).unwrap();
    for i in 0..4 * limits::EXPIRED_AT_ONCE_MAX {
        stage.send(&alice, "o", create(&format!("box{i}"), false, json!({"parent": "root"}))).unwrap();
    }
    stage.load(&alice, &source, json!({})).unwrap();
    stage.send(&alice, "o", update(CONTAINER, false, json!({"parent": "root"}))).unwrap();
    stage.send(&alice, "o", delete("root")).unwrap();
    assert!(stage.live(CONTAINER).is_some(), "it is deleted in a later piece");
    stage.finish();
    assert_eq!(stage.ids(), Vec::<String>::new());
}

#[test]
fn a_guest_deletes_a_stored_instance_in_a_scene_with_many_programs() {
    let (source, alice) = (stall_with(limits::GUEST_OBJECTS_MAX - 10), author("alice", 1));
    let (mut stage, one) = (stage(), guest("g", 2));
    for number in 0..=limits::RESERVED_FOLLOWED_MAX {
        let program = json!({"object_id": format!("p{number}"), "action": "create", "type": "program", "data": {}});
        stage.send(&alice, "o", program).unwrap();
    }
    stage.load(&one, &source, json!({"persist": true})).unwrap();
    assert!(stage.send(&one, "o", delete(CONTAINER)).is_ok());
    assert_eq!(stage.live(CONTAINER), None);
}

#[test]
fn records_are_not_put_into_capacity_reserved_for_copies() {
    let (source, alice) = (stall_with(2 * limits::COPIED_AT_ONCE_MAX), author("alice", 1));
    let mut stage = stage();
    stage.load(&alice, &source, json!({})).unwrap();
    let copies_and_container = 2 * limits::COPIED_AT_ONCE_MAX + 4;
    let record = |number: usize| StoredObject {
        object_id: number.to_string(),
        type_name: "object".into(),
        attributes: serde_json::Map::new(),
        expires_at: None,
        created_at: UnixMillis(1),
        updated_at: UnixMillis(1),
    };
    let mut records: Vec<StoredObject> = (0..=limits::OBJECTS_MAX - copies_and_container).map(record).collect();
    let refused = stage.scene.put_objects("alice", records.clone(), stage.now);
    assert_eq!(refused.unwrap_err().reason, Reason::TooManyObjects);
    records.pop();
    stage.scene.put_objects("alice", records, stage.now).expect("negative control: one less fits");
}

#[test]
fn deleting_the_container_cancels_the_remaining_copies() {
    let (source, alice) = (stall_with(2 * limits::COPIED_AT_ONCE_MAX), author("alice", 1));
    let mut stage = stage();
    stage.load(&alice, &source, json!({})).unwrap();
    stage.send(&alice, "o", delete(CONTAINER)).unwrap();
    stage.drain();
    stage.wait(1.0);
    assert_eq!(stage.drain(), [SceneOutput::TemplateCopied { written_bytes: 0 }]);
    assert_eq!((stage.ids(), stage.scene.poll_timeout()), (Vec::new(), None));
    assert!(stage.load(&alice, &source, json!({})).is_ok());
}

#[test]
fn a_template_is_loaded_again_while_its_many_copies_are_being_deleted() {
    let (source, alice) = (stall_with(4 * limits::EXPIRED_AT_ONCE_MAX), author("alice", 1));
    let mut stage = stage();
    stage.load(&alice, &source, json!({})).unwrap();
    stage.finish();
    let ids = stage.ids();
    stage.send(&alice, "o", delete(CONTAINER)).unwrap();
    assert!(stage.ids().len() > limits::EXPIRED_AT_ONCE_MAX, "most of them are left");
    stage.load(&alice, &source, json!({})).unwrap();
    stage.finish();
    assert_eq!(stage.ids(), ids);
}
