//! Tests of the store: scenes, history, tokens and files.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value, json};
use stoa_state::grant::{Claims, SceneSettings, TokenFilters};
use stoa_state::realm::StoreWrite;
use stoa_state::scene::{PendingLogEntry, ReplacedState, StoredObject, StoredObjectEffect, UnixMillis};
use stoa_state::time::{Time, UnixSeconds};
use stoa_wire::topic::SceneName;

use super::sqlite::Sqlite;
use super::{
    DatabaseSizeControl, FileNameStorage, FileRow, FileUsage, HistoryQuery, HistoryReader, HistoryRetention,
    RestoreEntriesResult, RestorePoint, SceneStorage, Store, StoreError, TokenStorage,
};
use crate::identity::claims;
use crate::limits;

pub(super) fn lobby() -> SceneName {
    "public/lobby".parse().unwrap()
}

pub(super) fn object(id: &str, attributes: Value) -> StoredObject {
    let Value::Object(attributes) = attributes else { panic!("attributes are an object") };
    let at = UnixMillis(1_700_000_000_000);
    let type_name = "object".into();
    StoredObject { object_id: id.into(), type_name, attributes, expires_at: None, created_at: at, updated_at: at }
}

pub(super) fn put(revision: u64, id: &str, attributes: Value) -> PendingLogEntry {
    let patch = json!({"action": "update", "data": attributes.clone()});
    PendingLogEntry {
        scene: lobby(),
        epoch: 1,
        revision,
        at: Time::from_secs(revision),
        unix_at: UnixMillis(1_700_000_000_000 + revision),
        author: "alice".into(),
        object_id: id.into(),
        kind: StoredObjectEffect::Put(object(id, attributes)),
        patch,
        before: Box::new(ReplacedState::Objects(Vec::new())),
        guest_name: None,
    }
}

fn delete(revision: u64, id: &str, descendants: &[&str]) -> PendingLogEntry {
    let descendants = descendants.iter().map(|id| (*id).to_owned()).collect();
    let kind = StoredObjectEffect::Delete { descendants };
    PendingLogEntry { kind, patch: json!({"action": "delete"}), ..put(revision, id, Value::Object(Map::new())) }
}

pub(super) fn writes(changes: impl IntoIterator<Item = PendingLogEntry>) -> Vec<StoreWrite> {
    changes.into_iter().map(StoreWrite::Change).collect()
}

pub(super) async fn sqlite(dir: &tempfile::TempDir) -> Sqlite {
    let store = Sqlite::open(&dir.path().join("realm.sqlite")).await.unwrap();
    assert_eq!(store.make_scene(&lobby(), &SceneSettings::default()).await.unwrap(), Some(1));
    store
}

#[tokio::test]
async fn a_scene_survives_a_restart() {
    let dir = tempfile::tempdir().unwrap();
    let settings = SceneSettings { public_write: true, editors: ["bob".into()].into(), ..SceneSettings::default() };
    {
        let store = Store::open(dir.path()).await.unwrap();
        assert_eq!(store.make_scene(&lobby(), &settings).await.unwrap(), Some(1));
        let changes = vec![put(1, "table", json!({"x": 1})), put(2, "lamp", json!({"parent": "table"}))];
        store.append(writes(changes)).await.unwrap();
        store.append(writes(vec![put(3, "table", json!({"x": 2})), put(4, "chair", json!({}))])).await.unwrap();
        store.append(writes(vec![delete(5, "chair", &[])])).await.unwrap();
    }
    let store = Store::open(dir.path()).await.unwrap();
    let scenes = store.load_scenes().await.unwrap();
    let [(name, found, stored)] = &scenes[..] else { panic!("one scene: {scenes:?}") };
    assert_eq!((name, found, stored.revision), (&lobby(), &settings, 5));
    assert_eq!(stored.objects, [object("lamp", json!({"parent": "table"})), object("table", json!({"x": 2}))]);
}

#[tokio::test]
async fn a_delete_removes_the_descendants_of_its_object() {
    let dir = tempfile::tempdir().unwrap();
    let store = sqlite(&dir).await;
    let changes = vec![put(1, "table", json!({})), put(2, "lamp", json!({})), put(3, "rug", json!({}))];
    store.append(writes(changes)).await.unwrap();
    store.append(writes(vec![delete(4, "table", &["lamp"])])).await.unwrap();
    let scenes = store.load_scenes().await.unwrap();
    assert_eq!(scenes[0].2.objects, [object("rug", json!({}))]);
}

#[tokio::test]
async fn a_full_disk_refuses_the_whole_commit_until_space_is_free() {
    let dir = tempfile::tempdir().unwrap();
    let store = sqlite(&dir).await;
    store.append(writes(vec![put(1, "kept", json!({}))])).await.unwrap();
    store.limit_pages(1).await.unwrap();
    let big = json!({"text": "x".repeat(100_000)});
    let refused = store.append(writes(vec![put(2, "small", json!({})), put(3, "big", big.clone())])).await;
    assert!(matches!(refused, Err(StoreError::Full)), "{refused:?}");
    let stored = &store.load_scenes().await.unwrap()[0].2;
    assert_eq!((stored.revision, stored.objects.len()), (1, 1), "nothing of the refused commit is there");
    store.limit_pages(1_000_000).await.unwrap();
    store.append(writes(vec![put(4, "big", big)])).await.unwrap();
    assert_eq!(store.load_scenes().await.unwrap()[0].2.revision, 4);
}

#[tokio::test]
async fn a_database_at_its_size_limit_refuses_imports() {
    let dir = tempfile::tempdir().unwrap();
    let store = sqlite(&dir).await;
    let carried = super::SceneContents { settings: SceneSettings::default(), objects: Vec::new(), files: Vec::new() };
    let mut import = super::SceneImport { name: "public/den".parse().unwrap(), carried, replace: false, author: None };
    assert!(store.import_scene(&import).await.unwrap().is_some(), "negative control");
    store.limit_size(1);
    import.replace = true;
    assert!(matches!(store.import_scene(&import).await, Err(StoreError::Ceiling { mib: 0 })));
    assert!(store.database_size().bytes > 1);
}

#[tokio::test]
async fn a_change_is_written_between_the_pieces_of_an_import() {
    let dir = tempfile::tempdir().unwrap();
    let store = sqlite(&dir).await;
    let objects: Vec<_> =
        (0..6).map(|number| object(&format!("box{number}"), json!({"text": "x".repeat(1_500_000)}))).collect();
    let carried = super::SceneContents { settings: SceneSettings::default(), objects, files: Vec::new() };
    let den: SceneName = "public/den".parse().unwrap();
    let import = super::SceneImport { name: den.clone(), carried, replace: false, author: Some("ada".into()) };
    let mut importing = std::pin::pin!(store.import_scene(&import));
    let change = async {
        store.append(writes(vec![put(1, "lamp", json!({}))])).await.unwrap();
        assert!(store.scene(&den).await.unwrap().is_none(), "the rest of the import follows");
    };
    tokio::select! {
        biased;
        _ = &mut importing => panic!("the change waits for the whole import"),
        () = change => {}
    }
    assert_eq!(importing.await.unwrap().unwrap().stored_revision, 6);
    let (_, stored) = store.load_scene(&den).await.unwrap().unwrap();
    assert_eq!((stored.revision, &stored.objects[..]), (6, &import.carried.objects[..]));
    assert!(store.import_scene(&import).await.unwrap().is_none(), "the name is taken");
    assert_eq!(store.scenes().await.unwrap().len(), 2);
}

#[tokio::test]
async fn changes_of_a_removed_scene_are_dropped() {
    let dir = tempfile::tempdir().unwrap();
    let store = sqlite(&dir).await;
    store.append(writes(vec![put(1, "lamp", json!({}))])).await.unwrap();
    assert!(store.remove_scene(&lobby()).await.unwrap());
    store.append(writes(vec![put(2, "lamp", json!({}))])).await.unwrap();
    assert!(store.load_scenes().await.unwrap().is_empty());
    store.make_scene(&lobby(), &SceneSettings::default()).await.unwrap();
    assert!(store.load_scenes().await.unwrap()[0].2.objects.is_empty(), "a new scene of that name begins empty");
}

#[tokio::test]
async fn changes_of_an_earlier_epoch_of_a_recreated_scene_are_dropped() {
    let dir = tempfile::tempdir().unwrap();
    let store = sqlite(&dir).await;
    let settings = SceneSettings::default();
    assert_eq!(store.make_scene(&lobby(), &settings).await.unwrap(), None, "negative control: it is there");
    let late = vec![put(8, "lamp", json!({})), put(9, "rug", json!({}))];
    store.remove_scene(&lobby()).await.unwrap();
    assert_eq!(store.make_scene(&lobby(), &settings).await.unwrap(), Some(2));
    let own = PendingLogEntry { epoch: 2, ..put(1, "chair", json!({})) };
    store.append(writes(late.into_iter().chain([own]))).await.unwrap();
    store.append(writes(vec![put(10, "lamp", json!({}))])).await.unwrap();
    let stored = &store.load_scenes().await.unwrap()[0].2;
    assert_eq!((stored.revision, &stored.objects[..]), (1, &[object("chair", json!({}))][..]));

    assert_eq!(store.next_epoch().await.unwrap(), 3, "a start opens all scenes anew");
    store.append(writes(vec![PendingLogEntry { epoch: 2, ..put(2, "lamp", json!({})) }])).await.unwrap();
    store.append(writes(vec![PendingLogEntry { epoch: 3, ..put(2, "door", json!({})) }])).await.unwrap();
    let ids: Vec<String> =
        store.load_scenes().await.unwrap()[0].2.objects.iter().map(|object| object.object_id.clone()).collect();
    assert_eq!(ids, ["chair", "door"]);
}

#[tokio::test]
async fn pruning_removes_old_and_excess_history_and_keeps_objects() {
    let dir = tempfile::tempdir().unwrap();
    let store = sqlite(&dir).await;
    for revision in 1..=4 {
        store.append(writes(vec![put(revision, &format!("box{revision}"), json!({}))])).await.unwrap();
    }
    let now = UnixSeconds(1_700_000_000);
    let all = HistoryRetention { age: Duration::from_secs(60), bytes: 1 << 20 };
    assert_eq!(store.prune(all, now).await.unwrap().entries, 0, "negative control: all of it is young and small");
    let two =
        HistoryRetention { bytes: 2 * ("box1alice".len() + r#"{"action":"update","data":{}}[]"#.len()) as u64, ..all };
    assert_eq!(store.prune(two, now).await.unwrap().entries, 2);
    assert_eq!(store.prune(all, UnixSeconds(now.0 + 3_600)).await.unwrap().entries, 2);
    assert_eq!(store.load_scenes().await.unwrap()[0].2.objects.len(), 4);
}

fn large(revision: u64, author: &str) -> PendingLogEntry {
    PendingLogEntry {
        author: author.into(),
        ..put(revision, &format!("box{revision}"), json!({"text": "x".repeat(1_000)}))
    }
}

async fn revisions(store: &Sqlite, scene: &SceneName) -> (Vec<u64>, Option<u64>) {
    let query = HistoryQuery { entries_max: 100, ..HistoryQuery::default() };
    let page = store.history(scene, &query).await.unwrap().unwrap();
    (page.entries.iter().map(|entry| entry.revision).collect(), page.reaches)
}

#[tokio::test]
async fn a_flood_in_one_scene_leaves_the_history_of_other_scenes() {
    let dir = tempfile::tempdir().unwrap();
    let store = sqlite(&dir).await;
    let den: SceneName = "public/den".parse().unwrap();
    assert_eq!(store.make_scene(&den, &SceneSettings::default()).await.unwrap(), Some(2));
    let of_den = (1..=2).map(|revision| PendingLogEntry { scene: den.clone(), epoch: 2, ..large(revision, "bob") });
    store.append(writes(of_den)).await.unwrap();
    store.append(writes((1..=20).map(|revision| large(revision, "alice")))).await.unwrap();
    let keep = HistoryRetention { age: Duration::MAX, bytes: 8_000 };
    store.prune(keep, UnixSeconds(1_700_000_000)).await.unwrap();
    assert_eq!(revisions(&store, &den).await.0, [2, 1], "although it is older");
    assert_eq!(revisions(&store, &lobby()).await, ((16..=20).rev().collect(), Some(15)));
    store.remove_scene(&lobby()).await.unwrap();
    let of_den = HistoryRetention { bytes: 2_100, ..keep };
    assert_eq!(
        store.prune(of_den, UnixSeconds(1_700_000_000)).await.unwrap().entries,
        0,
        "lobby's share is gone with it"
    );
}

#[tokio::test]
async fn guest_entries_are_pruned_first_and_restores_end_at_the_gap() {
    let dir = tempfile::tempdir().unwrap();
    let store = sqlite(&dir).await;
    let changes =
        (1..=7).map(|revision| large(revision, if (4..=6).contains(&revision) { "anonymous-1" } else { "alice" }));
    store.append(writes(changes)).await.unwrap();
    let prune = async |bytes| {
        let keep = HistoryRetention { age: Duration::MAX, bytes };
        store.prune(keep, UnixSeconds(1_700_000_000)).await.unwrap().entries
    };
    assert_eq!(prune(8_000).await, 0, "negative control");
    assert_eq!(prune(5_500).await, 2);
    assert_eq!(revisions(&store, &lobby()).await, (vec![7, 6, 3, 2, 1], Some(5)));
    let span = async |revision| store.history_since(&lobby(), RestorePoint::Revision(revision), 9).await.unwrap();
    let Some(RestoreEntriesResult::Whole { entries, .. }) = span(5).await else { panic!("nothing is missing since 5") };
    assert_eq!(entries.iter().map(|entry| entry.revision).collect::<Vec<_>>(), [7, 6]);
    assert!(matches!(span(4).await, Some(RestoreEntriesResult::TooOld(_))), "5 is removed");
    assert_eq!(prune(3_300).await, 2, "the guest's last one, then a member's oldest");
    assert_eq!(revisions(&store, &lobby()).await, (vec![7, 3, 2], Some(6)));
}

#[tokio::test]
async fn pruning_removes_the_oldest_entries_of_the_largest_author_first() {
    for [large_author, small_author] in [["anonymous-2", "anonymous-1"], ["bob", "alice"]] {
        let dir = tempfile::tempdir().unwrap();
        let store = sqlite(&dir).await;
        let changes = (1..=8).map(|revision| large(revision, if revision <= 2 { small_author } else { large_author }));
        store.append(writes(changes)).await.unwrap();
        let keep = HistoryRetention { age: Duration::MAX, bytes: 5_500 };
        let pruned = store.prune(keep, UnixSeconds(1_700_000_000)).await.unwrap();
        assert_eq!(pruned.entries, 3, "negative control");
        assert_eq!(revisions(&store, &lobby()).await, (vec![8, 7, 6, 2, 1], Some(5)), "{large_author}");
    }
}

#[tokio::test]
async fn each_start_has_a_new_epoch() {
    let dir = tempfile::tempdir().unwrap();
    let first = Store::open(dir.path()).await.unwrap().next_epoch().await.unwrap();
    let second = Store::open(dir.path()).await.unwrap().next_epoch().await.unwrap();
    assert_eq!((first, second), (1, 2));
}

#[tokio::test]
async fn an_unrecorded_revoked_token_is_never_forgotten() {
    let dir = tempfile::tempdir().unwrap();
    let store = sqlite(&dir).await;
    store.revoke_token("elsewhere").await.unwrap();
    store.revoke_token("elsewhere").await.unwrap();
    assert_eq!(store.revoked_jtis().await.unwrap(), ["elsewhere"]);
    store.forget_tokens(UnixSeconds(u64::MAX)).await.unwrap();
    assert_eq!(store.revoked_jtis().await.unwrap(), ["elsewhere"], "its end is unknown");
}

#[tokio::test]
async fn a_revoked_token_is_kept_until_tokens_derived_from_it_expire() {
    let dir = tempfile::tempdir().unwrap();
    let store = sqlite(&dir).await;
    let granted = |jti: &str| {
        let filters = TokenFilters { publ: Vec::new(), subs: Vec::new() };
        Claims { jti: jti.into(), ..claims::new("alice", filters, 3_600) }
    };
    let (pass, other) = (granted("pass"), granted("other"));
    for token in [&pass, &other] {
        store.record_token(token).await.unwrap();
    }
    store.revoke_token("pass").await.unwrap();
    store.forget_tokens(UnixSeconds(pass.exp.0 + 1)).await.unwrap();
    assert_eq!(store.revoked_jtis().await.unwrap(), ["pass"], "its children live for a day");
    let of_alice = store.revoke_tokens_of("alice", UnixSeconds(0)).await.unwrap();
    assert_eq!(of_alice, ["pass"], "negative control: what was not revoked is forgotten at its end");
    store.forget_tokens(UnixSeconds(pass.exp.0 + limits::REVOKED_KEPT.as_secs())).await.unwrap();
    assert!(store.revoked_jtis().await.unwrap().is_empty(), "nothing of it is left");
}

#[tokio::test]
async fn a_content_is_released_when_its_last_file_is_replaced() {
    let dir = tempfile::tempdir().unwrap();
    let store = sqlite(&dir).await;
    let row = |path: &str, hash: &str| FileRow {
        path: path.into(),
        hash: hash.into(),
        size_bytes: 10,
        content_type: "image/png".into(),
        owner: "alice".into(),
    };
    for path in ["users/alice/a", "users/alice/b"] {
        assert_eq!(store.put_file(&row(path, "one")).await.unwrap(), None);
    }
    assert_eq!(store.files_of("alice").await.unwrap(), FileUsage { files: 2, bytes: 20 });
    assert_eq!(store.put_file(&row("users/alice/a", "two")).await.unwrap(), None, "b still has it");
    assert_eq!(store.put_file(&row("users/alice/b", "two")).await.unwrap(), Some("one".into()));
}

#[tokio::test]
async fn a_folder_lists_its_entries_with_sizes_and_is_removed_recursively() {
    let dir = tempfile::tempdir().unwrap();
    let store = sqlite(&dir).await;
    let put = async |path: &str, hash: &str, size_bytes: u64| {
        let (path, hash, content_type) = (path.into(), hash.into(), "image/png".into());
        let row = FileRow { path, hash, size_bytes, content_type, owner: "alice".into() };
        store.put_file(&row).await.unwrap();
    };
    for (path, hash, size_bytes) in [
        ("users/alice/a b.png", "one", 1),
        ("users/alice/scenes/den/duck.glb", "two", 20),
        ("users/alice/scenes/den/egg.glb", "three", 300),
        ("users/alice/scenes0", "four", 4_000),
        ("users/alice2/\u{1f986}.png", "two", 20),
    ] {
        put(path, hash, size_bytes).await;
    }
    let names = async |folder: &str| -> Vec<(String, u64)> {
        let entries = store.files_in(folder).await.unwrap();
        entries.into_iter().map(|entry| (entry.name, entry.size_bytes)).collect()
    };
    let entry = |name: &str, size_bytes: u64| (name.to_owned(), size_bytes);
    assert_eq!(names("").await, [entry("users/", 4_341)]);
    assert_eq!(names("users/").await, [entry("alice/", 4_321), entry("alice2/", 20)]);
    assert_eq!(names("users/alice/").await, [entry("a b.png", 1), entry("scenes/", 320), entry("scenes0", 4_000)]);
    assert_eq!(names("users/alice/scenes/den/").await, [entry("duck.glb", 20), entry("egg.glb", 300)]);
    assert_eq!(names("users/alice2/").await, [entry("\u{1f986}.png", 20)]);
    assert_eq!(names("users/bob/").await, []);
    assert!(store.files_in("users/").await.unwrap()[0].changed_at.0 > 1_700_000_000);
    assert_eq!(store.remove_files("users/alice/nothing").await.unwrap(), (0, Vec::new()));
    assert_eq!(
        store.remove_files("users/alice/scenes/").await.unwrap(),
        (2, vec!["three".into()]),
        "two has a name left"
    );
    assert_eq!(names("users/alice/").await, [entry("a b.png", 1), entry("scenes0", 4_000)]);
    assert_eq!(store.remove_files("users/alice/a b.png").await.unwrap(), (1, vec!["one".into()]));
    assert_eq!(store.files_of("alice").await.unwrap().bytes, 4_020);
}

#[tokio::test]
async fn readers_do_not_wait_for_a_writer() {
    let dir = tempfile::tempdir().unwrap();
    let store = Arc::new(sqlite(&dir).await);
    let writing = {
        let store = Arc::clone(&store);
        tokio::spawn(async move {
            for revision in 1..=20 {
                store.append(writes(vec![put(revision, "lamp", json!({}))])).await.unwrap();
            }
        })
    };
    while !writing.is_finished() {
        assert_eq!(store.scenes().await.unwrap().len(), 1);
    }
    writing.await.unwrap();
}

#[tokio::test]
async fn history_lists_the_newest_first_and_restores_only_as_far_as_it_reaches() {
    let dir = tempfile::tempdir().unwrap();
    let store = sqlite(&dir).await;
    assert_eq!(
        store.history_since(&lobby(), RestorePoint::Revision(0), 9).await.unwrap(),
        Some(RestoreEntriesResult::TooOld(None))
    );
    for revision in [2, 3, 5, 6] {
        store.append(writes(vec![put(revision, &format!("box{revision}"), json!({}))])).await.unwrap();
    }
    let page =
        store.history(&lobby(), &HistoryQuery { entries_max: 2, ..HistoryQuery::default() }).await.unwrap().unwrap();
    assert_eq!(page.entries.iter().map(|entry| entry.revision).collect::<Vec<_>>(), [6, 5]);
    assert_eq!((page.next, page.reaches), (Some(5), Some(1)));
    assert_eq!((page.entries[0].action.as_str(), page.entries[0].objects), ("update", Some(0)));
    let span = async |since, through| match store.history_since(&lobby(), since, through).await.unwrap() {
        Some(RestoreEntriesResult::Whole { revision, entries }) => {
            Ok((revision, entries.iter().map(|entry| entry.revision).collect::<Vec<_>>()))
        }
        other => Err(other),
    };
    let at = |revision: u64| UnixMillis(1_700_000_000_000 + revision);
    assert_eq!(span(RestorePoint::Revision(3), 5).await, Ok((3, vec![5])), "not what came later");
    assert_eq!(span(RestorePoint::Time { at: at(4), at_most: false }, 9).await, Ok((3, vec![6, 5])));
    assert_eq!(span(RestorePoint::Time { at: at(1), at_most: true }, 9).await, Ok((1, vec![6, 5, 3, 2])));
    let too_old = Some(RestoreEntriesResult::TooOld(Some(at(2))));
    assert_eq!(span(RestorePoint::Time { at: at(1), at_most: false }, 9).await, Err(too_old));

    let entry = "box2alice".len() + r#"{"action":"update","data":{}}[]"#.len();
    let two = HistoryRetention { age: Duration::MAX, bytes: 2 * entry as u64 };
    assert_eq!(store.prune(two, UnixSeconds(1_700_000_000)).await.unwrap().entries, 2);
    assert_eq!(span(RestorePoint::Revision(4), 9).await, Ok((4, vec![6, 5])), "as long as nothing is missing");
    assert_eq!(span(RestorePoint::Revision(3), 9).await, Err(Some(RestoreEntriesResult::TooOld(Some(at(5))))));
    assert_eq!(store.history(&"public/attic".parse().unwrap(), &HistoryQuery::default()).await.unwrap(), None);
}

#[tokio::test]
async fn pending_changes_under_a_former_name_reach_the_renamed_scene() {
    let dir = tempfile::tempdir().unwrap();
    let store = sqlite(&dir).await;
    let (attic, cellar): (SceneName, SceneName) = ("alice/attic".parse().unwrap(), "alice/cellar".parse().unwrap());
    store.append(writes(vec![put(1, "lamp", json!({}))])).await.unwrap();
    let epoch = store.rename_scene(&lobby(), &attic).await.unwrap().unwrap();
    store.append(writes(vec![put(2, "rug", json!({}))])).await.unwrap();
    let (_, stored) = store.load_scene(&attic).await.unwrap().unwrap();
    assert_eq!((stored.revision, stored.objects.len()), (2, 2));
    assert_eq!(store.renamed(&lobby()).await.unwrap(), Some(attic.clone()));

    assert_eq!(store.rename_scene(&attic, &cellar).await.unwrap(), Some(epoch + 1));
    assert_eq!(store.renamed(&lobby()).await.unwrap(), Some(cellar.clone()), "all of its former names lead to it");
    store.make_scene(&lobby(), &SceneSettings::default()).await.unwrap().unwrap();
    assert_eq!(store.renamed(&lobby()).await.unwrap(), None, "another scene has that name now");
    store.append(writes(vec![put(3, "chair", json!({}))])).await.unwrap();
    let (_, stored) = store.load_scene(&lobby()).await.unwrap().unwrap();
    assert!(stored.objects.is_empty(), "what comes this late belongs to no scene of that name");
    assert_eq!(store.rename_scene(&cellar, &lobby()).await.unwrap(), None, "taken");
    store.remove_scene(&cellar).await.unwrap();
    assert_eq!(store.renamed(&attic).await.unwrap(), None);
}
