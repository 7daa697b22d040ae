//! Restoring earlier states and undoing one author's changes, with logs that the scene itself wrote.

use alloc::collections::BTreeMap;
use core::borrow::Borrow;
use core::cell::Cell;

use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, prop_oneof, proptest};

use super::*;

const IDS: [&str; 4] = ["table", "lamp", "rug", "cup"];
const AUTHORS: [&str; 2] = ["ada", "bob"];

/// Type and attributes of stored objects by id.
type Stored = BTreeMap<String, (String, Value)>;

/// A scene, its log, and its stored state after each entry.
struct RecordedScene {
    stage: Stage,
    log: Vec<StoredLogEntry>,
    stored: Vec<Stored>,
}

impl RecordedScene {
    fn new() -> RecordedScene {
        RecordedScene { stage: stage(), log: Vec::new(), stored: Vec::from([Stored::new()]) }
    }

    fn says(&mut self, who: &str, payload: Value) {
        self.stage.send(&author(who, 1), "o", payload).unwrap();
        self.note();
    }

    fn note(&mut self) {
        for output in self.stage.drain() {
            if let SceneOutput::Store(PendingLogEntry { revision, author, object_id, patch, before, .. }) = output {
                self.log.push(StoredLogEntry { revision, author, object_id, patch, before: *before });
                // One message may write several entries; states between them are never requested.
                self.stored.push(stored_of(&self.stage));
            }
        }
    }

    /// Undoes the requested changes from entry `from` on. Returns the objects that partly remain.
    fn goes_back(&mut self, from: usize, wanted: &UndoRequest) -> Vec<String> {
        let undoing = self.stage.scene.records(None, None).undoing(self.log[from..].iter().rev(), wanted);
        self.stage.scene.amend(&author("eve", 9), undoing.amendments, self.stage.now).unwrap();
        undoing.left.into_iter().collect()
    }

    fn now(&self) -> Stored {
        stored_of(&self.stage)
    }
}

fn stored_of(stage: &Stage) -> Stored {
    let recorded = |record: &StoredObject| (record.type_name.clone(), Value::Object(record.attributes.clone()));
    stage.scene.stored.iter().map(|(id, record)| (id.clone(), recorded(record))).collect()
}

fn by(author: &str) -> UndoRequest {
    UndoRequest { author: Some(author.into()), object_id: None }
}

fn of(object_id: &str) -> UndoRequest {
    UndoRequest { author: None, object_id: Some(object_id.into()) }
}

/// An entry that counts its existing copies.
struct Counted<'c>(StoredLogEntry, &'c Cell<usize>);

impl Borrow<StoredLogEntry> for Counted<'_> {
    fn borrow(&self) -> &StoredLogEntry {
        &self.0
    }
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.1.set(self.1.get() - 1);
    }
}

#[test]
fn an_undo_keeps_only_one_log_entry_in_memory() {
    let mut recorded = RecordedScene::new();
    for color in ["white", "red", "green"] {
        recorded.says("ada", create("lamp", true, json!({"color": color})));
        recorded.says("bob", create("rug", true, json!({"color": color})));
    }
    for wanted in [UndoRequest::default(), by("ada")] {
        let held = Cell::new(0);
        let entries = recorded.log.iter().rev().map(|entry| {
            assert_eq!(held.replace(1), 0, "the one before is gone");
            Counted(entry.clone(), &held)
        });
        let undoing = recorded.stage.scene.records(None, None).undoing(entries, &wanted);
        assert!(!undoing.amendments.is_empty(), "negative control");
    }
}

#[test]
fn undoing_an_author_keeps_later_changes_to_the_same_object() {
    let mut recorded = RecordedScene::new();
    recorded.says("bob", create("lamp", true, json!({"color": "white", "position": {"x": 0, "y": 1}})));
    recorded.says("ada", update("lamp", true, json!({"color": "red", "position": {"x": 5}, "label": "mine"})));
    recorded.says("bob", update("lamp", true, json!({"color": "green"})));
    recorded.says("ada", create("rug", true, json!({})));
    let left = recorded.goes_back(1, &by("ada"));
    assert_eq!(recorded.stage.stored("lamp"), Some(json!({"color": "green", "position": {"x": 0, "y": 1}})));
    assert_eq!((recorded.stage.stored("rug"), left), (None, Vec::from(["lamp".to_string()])));
}

#[test]
fn undoing_an_authors_deletion_restores_the_object_and_its_children() {
    let mut recorded = RecordedScene::new();
    recorded.says("bob", create("table", true, json!({"x": 1})));
    recorded.says("bob", create("cup", true, json!({"parent": "table"})));
    recorded.says("ada", update("table", true, json!({"x": 2})));
    recorded.says("ada", delete("table"));
    let before = recorded.stored[2].clone();
    assert_eq!(recorded.goes_back(2, &by("ada")), [""; 0]);
    assert_eq!(recorded.now(), before);
}

#[test]
fn undoing_an_author_keeps_objects_with_another_authors_children() {
    let mut recorded = RecordedScene::new();
    recorded.says("ada", create("table", true, json!({})));
    recorded.says("ada", create("rug", true, json!({})));
    recorded.says("bob", create("cup", true, json!({"parent": "table"})));
    assert_eq!(recorded.goes_back(0, &by("ada")), ["table"]);
    assert_eq!(recorded.now().into_keys().collect::<Vec<_>>(), ["cup", "table"], "the rug carries nothing");
}

#[test]
fn an_object_whose_parent_another_author_deleted_is_not_restored() {
    let mut recorded = RecordedScene::new();
    recorded.says("bob", create("table", true, json!({})));
    recorded.says("bob", create("cup", true, json!({"parent": "table"})));
    recorded.says("ada", delete("cup"));
    recorded.says("bob", delete("table"));
    assert_eq!(recorded.goes_back(2, &by("ada")), ["cup"]);
    assert!(recorded.now().is_empty());
}

#[test]
fn restoring_one_object_restores_its_deleted_parent_and_nothing_else() {
    let mut recorded = RecordedScene::new();
    recorded.says("bob", create("table", true, json!({})));
    recorded.says("bob", create("cup", true, json!({"parent": "table"})));
    recorded.says("bob", create("rug", true, json!({"x": 1})));
    recorded.says("ada", update("rug", true, json!({"x": 2})));
    recorded.says("ada", delete("table"));
    recorded.goes_back(3, &of("cup"));
    assert_eq!(recorded.now().into_keys().collect::<Vec<_>>(), ["cup", "rug", "table"]);
    assert_eq!(recorded.stage.stored("rug"), Some(json!({"x": 2})), "which nobody asked for");
}

#[test]
fn a_restore_is_published_and_logged_and_can_be_undone() {
    let mut recorded = RecordedScene::new();
    recorded.says("bob", create("lamp", true, json!({"color": "white", "label": "old"})));
    recorded.says("ada", update("lamp", true, json!({"color": "red", "label": null})));
    let before = recorded.now();
    let undoing =
        recorded.stage.scene.records(None, None).undoing(recorded.log[1..].iter().rev(), &UndoRequest::default());
    recorded.stage.scene.amend(&author("eve", 9), undoing.amendments, recorded.stage.now).unwrap();
    let outputs = recorded.stage.drain();
    let [SceneOutput::Store(change), SceneOutput::Publish { topic, payload, revision }] = &outputs[..] else {
        panic!("{outputs:?}")
    };
    let told_payload: Value = serde_json::from_slice(payload).unwrap();
    assert_eq!((change.author.as_str(), *revision), ("eve", Some(change.revision)));
    assert_eq!(topic, "realm/s/public/lobby/o/stoa/lamp");
    assert_eq!(told_payload["data"], json!({"color": "white", "label": "old"}));
    assert_eq!(told_payload["action"], "update", "a change of two leaves, so nothing else is touched");
    let PendingLogEntry { revision, author, object_id, patch, before: was, .. } = change.clone();
    recorded.log.push(StoredLogEntry { revision, author, object_id, patch, before: *was });
    recorded.goes_back(2, &UndoRequest::default());
    assert_eq!(recorded.now(), before);
}

#[test]
fn a_restore_keeps_leaves_changed_since_it_was_computed() {
    let mut recorded = RecordedScene::new();
    recorded.says("bob", create("lamp", true, json!({"color": "white", "x": 0})));
    recorded.says("ada", update("lamp", true, json!({"color": "red", "x": 1})));
    let undoing =
        recorded.stage.scene.records(None, None).undoing(recorded.log[1..].iter().rev(), &UndoRequest::default());
    recorded.says("bob", update("lamp", true, json!({"x": 7})));
    recorded.stage.scene.amend(&author("eve", 9), undoing.amendments, recorded.stage.now).unwrap();
    assert_eq!(recorded.stage.stored("lamp"), Some(json!({"color": "white", "x": 7})));
}

#[test]
fn an_oversized_or_forbidden_restore_changes_nothing() {
    let mut recorded = RecordedScene::new();
    recorded.says(
        "bob",
        json!({"object_id": "sky", "action": "create", "type": "scene-options", "persist": true, "data": {}}),
    );
    recorded.says("bob", create("lamp", true, json!({})));
    recorded.says("bob", update("sky", true, json!({"x": 1})));
    recorded.says("bob", delete("lamp"));
    let undoing =
        recorded.stage.scene.records(None, None).undoing(recorded.log[2..].iter().rev(), &UndoRequest::default());
    let refused = recorded.stage.scene.amend(&guest("guest", 3), undoing.amendments.clone(), recorded.stage.now);
    assert_eq!(refused.unwrap_err().reason, Reason::ReservedType);
    assert_eq!(recorded.stage.stored("lamp"), None, "not even what it may");
    let [any, ..] = &undoing.amendments[..] else { panic!("two of them") };
    let lamp = |n: usize| ObjectStateChange {
        object_id: format!("lamp{n}"),
        basis: None,
        target: Some(StoredObject { object_id: format!("lamp{n}"), ..any.target.clone().unwrap() }),
    };
    let many = (0..=crate::limits::AMENDED_MAX).map(lamp).collect();
    let refused = recorded.stage.scene.amend(&author("eve", 9), many, recorded.stage.now);
    assert_eq!(refused.unwrap_err().to_string(), "too_many_objects: at most 10000 objects changed by one restore");
    assert_eq!(
        recorded.stage.scene.amend(&author("eve", 9), undoing.amendments, recorded.stage.now),
        Ok(2),
        "negative control"
    );
}

#[test]
fn an_expired_object_is_not_restored() {
    let mut recorded = RecordedScene::new();
    let mut spark = create("spark", true, json!({}));
    spark["ttl"] = json!(5);
    recorded.says("ada", spark);
    recorded.stage.wait(6.0);
    recorded.note();
    assert_eq!(recorded.log.len(), 2, "its end is in the log");
    recorded.goes_back(1, &UndoRequest::default());
    assert!(recorded.now().is_empty());
}

/// A random action, by index.
#[derive(Clone, Debug)]
enum Deed {
    Create(usize, Value),
    Update(usize, Value),
    Overwrite(usize, Value),
    Hang(usize, usize),
    Delete(usize),
}

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!(1)),
        Just(json!(2)),
        Just(json!("text")),
        Just(json!([1, 2])),
        Just(Value::Null),
        Just(json!({}))
    ]
}

fn attributes() -> impl Strategy<Value = Value> {
    let inner = prop_oneof![
        leaf(),
        (leaf(), leaf()).prop_map(|(x, y)| json!({"x": x, "y": y})),
        leaf().prop_map(|z| json!({"z": z})),
    ];
    prop_oneof![
        inner.clone().prop_map(|a| json!({"a": a})),
        (inner.clone(), inner).prop_map(|(a, b)| json!({"a": a, "b": b})),
    ]
}

fn deed() -> impl Strategy<Value = Deed> {
    let id = || 0..IDS.len();
    prop_oneof![
        (id(), attributes()).prop_map(|(id, data)| Deed::Create(id, data)),
        (id(), attributes()).prop_map(|(id, data)| Deed::Update(id, data)),
        (id(), attributes()).prop_map(|(id, data)| Deed::Update(id, data)),
        (id(), attributes()).prop_map(|(id, data)| Deed::Overwrite(id, data)),
        (id(), id()).prop_map(|(id, parent)| Deed::Hang(id, parent)),
        id().prop_map(Deed::Delete),
    ]
}

fn deeds() -> impl Strategy<Value = Vec<(usize, Deed)>> {
    vec((0..AUTHORS.len(), deed()), 1..14)
}

fn payload(deed: &Deed) -> Value {
    match deed {
        Deed::Create(id, data) => create(IDS[*id], true, data.clone()),
        Deed::Update(id, data) => update(IDS[*id], true, data.clone()),
        Deed::Overwrite(id, data) => {
            let mut payload = update(IDS[*id], true, data.clone());
            payload["overwrite"] = json!(true);
            payload
        }
        Deed::Hang(id, parent) => update(IDS[*id], true, json!({"parent": IDS[*parent]})),
        Deed::Delete(id) => delete(IDS[*id]),
    }
}

fn told_of(deeds: &[(usize, Deed)]) -> RecordedScene {
    let mut recorded = RecordedScene::new();
    for (who, deed) in deeds {
        recorded.says(AUTHORS[*who], payload(deed));
    }
    recorded
}

/// The log as a group commit writes it: updates of one object by one author combined.
fn folded(recorded: &mut RecordedScene, from: usize) -> usize {
    let mut entries: Vec<StoredLogEntry> = recorded.log.drain(..from).collect();
    let start = entries.len();
    for entry in recorded.log.drain(..) {
        let last = entries.len().checked_sub(1).filter(|last| *last >= start).map(|last| &mut entries[last]);
        let same = last.filter(|last| last.object_id == entry.object_id && last.author == entry.author);
        let both = same.as_ref().and_then(|last| {
            Some((composed_patch(&last.patch, &entry.patch)?, ReplacedState::composed(&last.before, &entry.before)?))
        });
        match (same, both) {
            (Some(last), Some((patch, before))) => *last = StoredLogEntry { patch, before, ..entry },
            _ => entries.push(entry),
        }
    }
    recorded.log = entries;
    start
}

/// The value at a path of keys, if any.
fn at<'a>(value: &'a Value, path: &[String]) -> Option<&'a Value> {
    path.iter().try_fold(value, |value, key| value.get(key))
}

proptest! {
    #[test]
    fn a_restore_reproduces_the_exact_earlier_stored_state(deeds in deeds(), cut in 0_usize..14) {
        let mut recorded = told_of(&deeds);
        let from = cut.min(recorded.log.len());
        let then = recorded.stored[from].clone();
        recorded.goes_back(from, &UndoRequest::default());
        assert_eq!(recorded.now(), then);
    }

    #[test]
    fn a_restore_from_combined_log_entries_reproduces_the_same_state(deeds in deeds(), cut in 0_usize..14) {
        let mut recorded = told_of(&deeds);
        let from = cut.min(recorded.log.len());
        let then = recorded.stored[from].clone();
        let from = folded(&mut recorded, from);
        recorded.goes_back(from, &UndoRequest::default());
        assert_eq!(recorded.now(), then);
    }

    #[test]
    fn undoing_the_only_author_equals_a_full_restore(deeds in deeds(), cut in 0_usize..14) {
        let mut recorded = told_of(&deeds);
        let from = cut.min(recorded.log.len());
        let then = recorded.stored[from].clone();
        for entry in &mut recorded.log[from..] {
            entry.author = "ada".into();
        }
        let dangles = |stored: &Stored| {
            stored.values().filter_map(|(_, data)| data["parent"].as_str()).any(|parent| !stored.contains_key(parent))
        };
        if !dangles(&then) && !recorded.stored[from..].iter().any(dangles) {
            recorded.goes_back(from, &by("ada"));
            assert_eq!(recorded.now(), then);
        }
    }

    #[test]
    fn undoing_an_author_never_changes_another_authors_latest_changes(deeds in deeds(), cut in 0_usize..14) {
        let mut recorded = told_of(&deeds);
        let from = cut.min(recorded.log.len());
        let before = recorded.now();
        // Bob's changes of objects that did not change later.
        let log = recorded.log[from..].to_vec();
        recorded.goes_back(from, &by("ada"));
        let after = recorded.now();
        for (index, entry) in log.iter().enumerate().filter(|(_, entry)| entry.author == "bob") {
            let id = &entry.object_id;
            let later = || log[index + 1..].iter().filter(|later| later.object_id == *id || later.patch["action"] == "delete");
            if later().next().is_some() {
                continue;
            }
            if entry.patch["action"] == "delete" {
                assert_eq!(after.get(id), None, "{id} was deleted");
                continue;
            }
            let (Some((_, was)), Some((_, is))) = (before.get(id), after.get(id)) else {
                panic!("{id} is there: {before:?} {after:?}");
            };
            let Value::Object(patch) = &entry.patch["data"] else { continue };
            for path in crate::scene::leaves::written_by(patch) {
                assert_eq!(at(was, &path[1..]), at(is, &path[1..]), "{id} {path:?}");
            }
        }
    }
}
