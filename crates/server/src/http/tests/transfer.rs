//! Whole scenes: export, import, copy.

use std::path::Path;
use std::slice;

use axum::body::Body;
use axum::http::{Method, header};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use stoa_state::grant::{Claims, Role, TokenFilters};

use super::fixture::{Answer, Fixture, browser};
use super::scenes::with_token;
use crate::app::slots::SlotHolder;
use crate::identity::claims;
use crate::limits;
use crate::store::FileRow;

const SCENES: &str = "/api/v1/scenes";

async fn make(realm: &Fixture, (scene, cookie): (&str, &str), settings: Value) {
    let made = realm.ask(Method::PUT, &format!("{SCENES}/{scene}"), (cookie, settings)).await;
    assert_eq!(made.status.as_u16(), 201, "{made:?}");
}

async fn upload(realm: &Fixture, (path, cookie): (&str, &str), content: &[u8]) {
    let request = browser(Method::PUT, &format!("/api/v1/store/{path}")).header(header::COOKIE, cookie);
    let stored = realm.send(request.body(Body::from(content.to_vec())).unwrap()).await;
    assert_eq!(stored.status.as_u16(), 201, "{stored:?}");
}

/// Puts objects of these ids and attributes into a scene.
async fn furnish(realm: &Fixture, scene: &str, objects: &[(&str, Value)]) {
    let objects = objects.iter().map(|(id, attributes)| crate::scenes::transfer::tests::object(id, attributes.clone()));
    realm.app.realm.put_objects(&scene.parse().unwrap(), "test", objects.collect()).await.unwrap();
}

async fn import(realm: &Fixture, (scene, cookie): (&str, &str), text: impl Into<Body>) -> Answer {
    let request = browser(Method::POST, &format!("{SCENES}/{scene}/import")).header(header::COOKIE, cookie);
    realm.send(request.body(text.into()).unwrap()).await
}

async fn export(realm: &Fixture, scene: &str, cookie: &str) -> Answer {
    realm.get(&format!("{SCENES}/{scene}/export"), cookie).await
}

async fn copy(realm: &Fixture, (from, cookie): (&str, &str), to: &str) -> Answer {
    realm.post(&format!("{SCENES}/{from}/clone"), cookie, json!({ "to": to })).await
}

/// The stored objects of a scene: ids and attributes.
async fn stored(realm: &Fixture, scene: &str) -> Vec<(String, Value)> {
    let (_, stored) = realm.app.store.load_scene(&scene.parse().unwrap()).await.unwrap().expect("it is there");
    stored.objects.into_iter().map(|object| (object.object_id, Value::Object(object.attributes))).collect()
}

/// Number of files in the file store, including those being received.
fn contents(realm: &Fixture) -> usize {
    fn count(folder: &Path) -> usize {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| if entry.path().is_dir() { count(&entry.path()) } else { 1 }).sum()
    }
    count(&realm.app.config.data.join("files"))
}

/// A scene of alice's with a file below the scene's folder. Returns the file's content and the export.
async fn a_den(realm: &Fixture, alice: &str) -> (Vec<u8>, Vec<u8>) {
    let content = b"quack ".repeat(200_000);
    make(
        realm,
        ("alice/den", alice),
        json!({"public_write": true, "editors": ["carla"], "people_max": 12, "motion_bytes_per_s": 65_536}),
    )
    .await;
    upload(realm, ("users/alice/scenes/den/my%20duck.bin", alice), &content).await;
    let duck = json!({"object_type": "gltf-model", "url": "/store/users/alice/scenes/den/my%20duck.bin"});
    furnish(realm, "alice/den", &[("duck", duck), ("pond", json!({"object_type": "circle", "parent": "duck"}))]).await;
    let exported = export(realm, "alice/den", alice).await;
    assert_eq!(exported.status.as_u16(), 200, "{exported:?}");
    assert_eq!(exported.header(header::CONTENT_TYPE), "application/x-ndjson");
    assert!(exported.header(header::CONTENT_DISPOSITION).contains("filename=\"alice-den.jsonl\""));
    (exported.body, content)
}

#[tokio::test]
async fn an_import_restores_an_exported_scene_and_belongs_to_the_importer() {
    let realm = Fixture::open().await;
    let (alice, bob) = (realm.signed_in("alice", false).await, realm.signed_in("bob", false).await);
    let (text, content) = a_den(&realm, &alice).await;
    let before = stored(&realm, "alice/den").await;
    realm.ask(Method::DELETE, &format!("{SCENES}/alice/den"), (&alice, Value::Null)).await;
    for hash in realm.app.store.remove_files("users/alice/").await.unwrap().1 {
        realm.app.files.forget(&hash).await.unwrap();
    }
    assert_eq!(contents(&realm), 0, "negative control");

    let made = import(&realm, ("alice/den", &alice), text.clone()).await;
    assert_eq!(made.status.as_u16(), 201, "{made:?}");
    let told = json!({"scene": "alice/den", "objects": 2, "files": 1, "missing": [], "warnings": []});
    assert_eq!(made.json(), told);
    assert_eq!(stored(&realm, "alice/den").await, before);
    let read = realm.get("/store/users/alice/scenes/den/my%20duck.bin", &alice).await;
    assert!(read.body == content, "{:?}", read.status);
    let settings = realm.get(&format!("{SCENES}/alice/den"), &alice).await.json();
    assert_eq!((&settings["public_write"], &settings["people_max"]), (&json!(true), &json!(12)));
    assert_eq!(
        (&settings["owner"], &settings["editors"]),
        (&json!("alice"), &json!([])),
        "carla is somebody else elsewhere"
    );

    // Another account, another scene name.
    assert_eq!(import(&realm, ("bob/nest", &bob), text).await.status.as_u16(), 201);
    let url = "/store/users/bob/scenes/nest/my%20duck.bin";
    assert_eq!(stored(&realm, "bob/nest").await[0].1["url"], url);
    assert!(realm.get(url, &bob).await.body == content);
    let used = realm.app.store.files_of("bob").await.unwrap();
    assert_eq!((used.files, used.bytes), (1, content.len() as u64), "it counts as his");
    let query = crate::store::HistoryQuery { entries_max: 10, ..crate::store::HistoryQuery::default() };
    let page = realm.app.store.history(&"bob/nest".parse().unwrap(), &query).await.unwrap().unwrap();
    assert!(page.entries.iter().all(|entry| entry.author == "bob"), "{page:?}");
    assert_eq!(contents(&realm), 1, "one content, and nothing on its way in");
}

#[tokio::test]
async fn an_empty_file_survives_an_export_and_an_import() {
    let realm = Fixture::open().await;
    let (alice, bob) = (realm.signed_in("alice", false).await, realm.signed_in("bob", false).await);
    make(&realm, ("alice/den", &alice), json!({})).await;
    upload(&realm, ("users/alice/scenes/den/empty.bin", &alice), b"").await;
    let url = "/store/users/alice/scenes/den/empty.bin";
    furnish(&realm, "alice/den", &[("duck", json!({"object_type": "gltf-model", "url": url}))]).await;
    let text = export(&realm, "alice/den", &alice).await.body;
    let made = import(&realm, ("bob/nest", &bob), text).await.json();
    assert_eq!((&made["files"], &made["missing"]), (&json!(1), &json!([])));
    let read = realm.get("/store/users/bob/scenes/nest/empty.bin", &bob).await;
    assert_eq!((read.status.as_u16(), read.body.len()), (200, 0));
}

#[tokio::test]
async fn only_editors_with_an_account_export_or_copy_a_scene() {
    let realm = Fixture::open().await;
    let (alice, bob) = (realm.signed_in("alice", false).await, realm.signed_in("bob", false).await);
    make(&realm, ("alice/hall", &alice), json!({})).await;
    make(&realm, ("alice/den", &alice), json!({"public_read": false, "editors": ["bob"]})).await;
    make(&realm, ("alice/vault", &alice), json!({"public_read": false})).await;
    for (scene, cookie, status) in [
        ("alice/hall", "", 403),
        ("alice/hall", bob.as_str(), 403),
        ("alice/vault", "", 404),
        ("alice/vault", bob.as_str(), 404),
        ("alice/attic", bob.as_str(), 404),
        ("public/sandbox", "", 403),
    ] {
        export(&realm, scene, cookie).await.problem(status);
        copy(&realm, (scene, cookie), "bob/copy").await.problem(status);
    }
    for (scene, cookie) in [("alice/hall", &alice), ("alice/den", &bob), ("public/sandbox", &bob)] {
        assert_eq!(export(&realm, scene, cookie).await.status.as_u16(), 200, "{scene}");
    }
    let issued = realm.post("/api/v1/token", &bob, json!({"scene": "public/lobby"})).await.json();
    let token = issued["token"].as_str().unwrap();
    with_token(&realm, Method::GET, (&format!("{SCENES}/alice/den/export"), token), Value::Null).await.problem(404);
}

#[tokio::test]
async fn uploads_and_exports_have_separate_concurrency_limits() {
    let realm = Fixture::open().await;
    let alice = realm.signed_in("alice", false).await;
    let who = [SlotHolder::Account("alice".to_owned())];
    let uploads = [(); 2].map(|()| realm.app.uploads.take_now(&who, "uploads").unwrap());
    assert_eq!(export(&realm, "public/sandbox", &alice).await.status.as_u16(), 200);
    copy(&realm, ("public/sandbox", &alice), "alice/copy").await.problem(429);
    drop(uploads);
    let exports = [(); 2].map(|()| realm.web.exports.take_now(&who, "exports").unwrap());
    let refused = export(&realm, "public/sandbox", &alice).await.problem(429);
    assert!(refused.contains("your exports are still running"), "{refused}");
    upload(&realm, ("users/alice/duck.bin", &alice), b"quack").await;
    drop(exports);
}

#[tokio::test]
async fn exports_and_copies_are_rate_limited_by_their_bytes() {
    let realm = Fixture::with_readings(1, 100).await;
    let alice = realm.signed_in("alice", false).await;
    make(&realm, ("alice/den", &alice), json!({})).await;
    furnish(&realm, "alice/den", &[("page", json!({"text": "x".repeat(40_000)}))]).await;
    let made = copy(&realm, ("alice/den", &alice), "alice/copy").await;
    assert_eq!(made.status.as_u16(), 201, "negative control: {made:?}");
    for _ in 0..2 {
        assert_eq!(export(&realm, "alice/copy", &alice).await.status.as_u16(), 200, "negative control");
    }
    export(&realm, "alice/copy", &alice).await.problem(429);
    copy(&realm, ("alice/copy", &alice), "alice/second").await.problem(429);
}

#[tokio::test]
async fn imports_and_copies_need_a_writable_namespace_and_a_free_name() {
    let realm = Fixture::open().await;
    let (alice, bob) = (realm.signed_in("alice", false).await, realm.signed_in("bob", false).await);
    let olga = realm.signed_in("olga", true).await;
    make(&realm, ("alice/den", &alice), json!({"editors": ["bob"]})).await;
    let text = export(&realm, "alice/den", &alice).await.body;
    for (scene, cookie, status) in [
        ("bob/den", "", 403),
        ("alice/copy", bob.as_str(), 403),
        ("public/copy", bob.as_str(), 403),
        ("alice/den", alice.as_str(), 409),
        ("alice/..", alice.as_str(), 400),
    ] {
        import(&realm, (scene, cookie), text.clone()).await.problem(status);
    }
    copy(&realm, ("alice/den", &bob), "alice/copy").await.problem(403);
    copy(&realm, ("alice/den", &alice), "alice/den").await.problem(409);
    copy(&realm, ("alice/den", &alice), "nonsense").await.problem(400);
    assert_eq!(import(&realm, ("public/copy", &olga), text).await.status.as_u16(), 201);
    for number in 1..limits::SCENES_PER_ACCOUNT_MAX {
        assert_eq!(copy(&realm, ("alice/den", &alice), &format!("alice/{number}")).await.status.as_u16(), 201);
    }
    let full = copy(&realm, ("alice/den", &alice), "alice/one-more").await.problem(422);
    assert!(full.contains("256 scenes"), "{full}");
}

#[tokio::test]
async fn a_refused_import_names_the_error_and_leaves_no_content() {
    let realm = Fixture::open().await;
    let alice = realm.signed_in("alice", false).await;
    let (text, _) = a_den(&realm, &alice).await;
    realm.app.store.remove_files("users/alice/").await.unwrap();
    let before = contents(&realm);
    let text = String::from_utf8(text).unwrap();
    let head = text.lines().next().unwrap();
    let long = format!("{head}\n{{\"object_id\": \"x\", \"attributes\": {{\"note\": \"{}\"}}}}", "x".repeat(5 << 20));
    let other = text.replace("\"content\":\"cXVh", "\"content\":\"aGVs");
    assert_ne!(other, text, "negative control");
    for (text, why) in [
        ("<html>".to_owned(), "the file is not JSON"),
        (String::new(), "the file contains no scene"),
        (head.replace("\"stoa_scene\":1", "\"stoa_scene\":7"), "version 7 of the format; this stoa knows 1"),
        (long, "a value in it has more than 4194304 bytes"),
        (format!("{head}\n{{\"object_id\": \"a/b\", \"attributes\": {{}}}}"), "\"a/b\""),
        (format!("{head}\n{{\"object_id\": \"lamp\"}}"), "attributes is missing"),
        (format!("{head}\n{{\"file\": \"users/../x\", \"sha256\": \"\", \"size_bytes\": 1}}"), "users/../x"),
        (other, "is not what was exported"),
        (text.replace("\"size_bytes\":1200000", "\"size_bytes\":7"), "is not what was exported"),
        (text.replace("\"size_bytes\":1200000", "\"size_bytes\":900000000"), "671088640 bytes in all"),
        (format!("{text}{text}"), "is there twice"),
        (head.replace("\"bytes_per_s\":65536", "\"bytes_per_s\":4000000000"), "4000000000"),
    ] {
        let told = import(&realm, ("alice/copy", &alice), text).await.problem(422);
        assert!(told.contains(why) && !told.contains("/files/"), "{why}: {told}");
        realm.get(&format!("{SCENES}/alice/copy"), &alice).await.problem(404);
        assert_eq!(contents(&realm), before, "{why}");
    }
    let request = browser(Method::POST, &format!("{SCENES}/alice/copy/import")).header(header::COOKIE, &alice);
    let request = request.header(header::CONTENT_LENGTH, limits::CARRIED_BYTES_MAX + 1);
    let told = realm.send(request.body(Body::from("x")).unwrap()).await.problem(413);
    assert!(told.contains(&limits::CARRIED_BYTES_MAX.to_string()), "{told}");
}

#[tokio::test]
async fn imported_files_count_towards_the_quota_and_overwrite_no_file() {
    let realm = Fixture::open().await;
    let (alice, bob) = (realm.signed_in("alice", false).await, realm.signed_in("bob", false).await);
    let (text, content) = a_den(&realm, &alice).await;
    upload(&realm, ("users/bob/scenes/nest/my%20duck.bin", &bob), b"another duck").await;
    assert_eq!(import(&realm, ("bob/nest", &bob), text.clone()).await.status.as_u16(), 201);
    assert_eq!(realm.get("/store/users/bob/scenes/nest/my%20duck.bin", &bob).await.body, b"another duck");
    let url = stored(&realm, "bob/nest").await[0].1["url"].as_str().unwrap().to_owned();
    assert!(url.starts_with("/store/users/bob/scenes/nest/my%20duck-") && url.ends_with(".bin"), "{url}");
    assert!(realm.get(&url, &bob).await.body == content);

    let most = limits::FILES_BYTES_PER_ACCOUNT_MAX;
    let large = FileRow {
        path: "users/bob/large.bin".into(),
        hash: "0".repeat(64),
        size_bytes: most - 2_000_000,
        content_type: String::new(),
        owner: "bob".into(),
    };
    realm.app.store.put_file(&large).await.unwrap();
    let before = contents(&realm);
    let told = import(&realm, ("bob/second", &bob), text).await.problem(413);
    assert!(told.contains("bob has room for") && told.contains("1200000"), "{told}");
    copy(&realm, ("alice/den", &bob), "bob/third").await.problem(413);
    assert_eq!(contents(&realm), before);
}

#[tokio::test]
async fn a_copy_gets_its_own_files_but_none_that_its_creator_cannot_read() {
    let realm = Fixture::open().await;
    let (alice, bob) = (realm.signed_in("alice", false).await, realm.signed_in("bob", false).await);
    let (_, content) = a_den(&realm, &alice).await;
    make(&realm, ("carla/secret", &realm.signed_in("carla", false).await), json!({"public_read": false})).await;
    let carla =
        realm.post("/api/v1/login", "", json!({"username": "carla", "password": super::fixture::PASSWORD})).await;
    let carla = carla.cookie("stoa-8080=").unwrap();
    upload(&realm, ("users/carla/scenes/secret/plan.png", &carla), b"secret plan").await;
    let spy = json!({"object_type": "image", "url": "/store/users/carla/scenes/secret/plan.png"});
    furnish(&realm, "alice/den", &[("spy", spy)]).await;
    let made = copy(&realm, ("alice/den", &bob), "bob/nest").await;
    assert_eq!((made.status.as_u16(), &made.json()["files"]), (201, &json!(1)), "not what bob may not read");
    let objects = stored(&realm, "bob/nest").await;
    assert_eq!(objects[0].1["url"], "/store/users/bob/scenes/nest/my%20duck.bin");
    assert_eq!(objects[2].1["url"], "/store/users/carla/scenes/secret/plan.png");
    realm.ask(Method::PUT, &format!("{SCENES}/alice/den"), (&alice, json!({"public_read": false}))).await;
    realm.get("/store/users/alice/scenes/den/my%20duck.bin", &bob).await.problem(404);
    assert!(realm.get("/store/users/bob/scenes/nest/my%20duck.bin", "").await.body == content);
    let text = String::from_utf8(export(&realm, "alice/den", &alice).await.body).unwrap();
    assert!(!text.contains("\"file\":\"users/carla"), "nor what alice may not read");
}

#[tokio::test]
async fn a_fully_received_import_completes_after_its_client_disconnects() {
    let realm = Fixture::open().await;
    let (alice, bob) = (realm.signed_in("alice", false).await, realm.signed_in("bob", false).await);
    let (text, content) = a_den(&realm, &alice).await;
    let before = contents(&realm);
    let request = browser(Method::POST, &format!("{SCENES}/bob/nest/import")).header(header::COOKIE, &bob);
    realm.hang_up(request.body(Body::from(text)).unwrap()).await;
    realm.nothing_incoming().await;
    assert!(realm.get("/store/users/bob/scenes/nest/my%20duck.bin", &bob).await.body == content);
    assert_eq!((stored(&realm, "bob/nest").await.len(), contents(&realm)), (2, before));
}

/// The line of a file, and the lines of its content.
fn lines_of(path: &str, content: &[u8], parts: usize) -> Vec<Value> {
    let digest = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, content);
    let sha256: String = digest.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    let part = |part: &[u8]| json!({"content": STANDARD.encode(part)});
    let file = json!({"file": path, "sha256": sha256, "size_bytes": content.len()});
    std::iter::once(file).chain(content.chunks(content.len().div_ceil(parts)).map(part)).collect()
}

#[tokio::test]
async fn a_scene_token_imports_no_file_outside_its_scene() {
    let realm = Fixture::open().await;
    realm.signed_in("alice", false).await;
    let filters = TokenFilters { publ: ["realm/s/alice/den/#".parse().unwrap()].into(), subs: Vec::new() };
    let scene = Some("alice/den".parse().unwrap());
    let claims = Claims { scene, role: Some(Role::Owner), by_realm: true, ..claims::new("alice", filters, 60) };
    let bearer = format!("Bearer {}", realm.app.keys.issue(&claims).unwrap());
    let import_with = async |path: &str| {
        let head = json!({"stoa_scene": 1, "scene": "alice/den", "settings": {}});
        let lines = std::iter::once(head).chain(lines_of(path, b"logo", 1));
        let text = lines.map(|line| format!("{line}\n")).collect::<String>();
        let request = browser(Method::POST, &format!("{SCENES}/alice/den/import"));
        realm.send(request.header(header::AUTHORIZATION, &bearer).body(Body::from(text)).unwrap()).await
    };
    import_with("users/carla/logo.txt").await.problem(403);
    assert_eq!(contents(&realm), 0);
    assert_eq!(import_with("users/carla/scenes/old/logo.txt").await.status.as_u16(), 201, "a file of the scene");
}

#[tokio::test]
async fn an_import_line_of_two_kinds_claims_no_stored_content_and_leaves_none() {
    let realm = Fixture::open().await;
    let (alice, mallory) = (realm.signed_in("alice", false).await, realm.signed_in("mallory", false).await);
    let (text, secret) = a_den(&realm, &alice).await;
    let head: Value = serde_json::from_slice(text.split(|byte| *byte == b'\n').next().unwrap()).unwrap();
    let stolen = lines_of("users/mallory/stolen.bin", &secret, 1).remove(0);
    let bait = lines_of("users/mallory/bait.bin", b"bait", 1);
    let both = |mut one: Value, other: &Value| {
        one.as_object_mut().unwrap().extend(other.as_object().unwrap().clone());
        one
    };
    let import_of = async |scene: &str, values: &[Value]| {
        let text = values.iter().map(|value| format!("{value}\n")).collect::<String>();
        import(&realm, (scene, &mallory), text).await
    };
    let before = contents(&realm);
    assert_eq!(import_of("mallory/plain", &[slice::from_ref(&head), &bait[..]].concat()).await.status.as_u16(), 201);
    assert_eq!(contents(&realm), before + 1, "negative control");

    // Claims another account's content by its hash: the line is both a file's and a part of the previous file.
    let empty = json!({"content": ""});
    let thief = [head.clone(), bait[0].clone(), bait[1].clone(), both(stolen, &empty), empty];
    import_of("mallory/thief", &thief).await;
    realm.get("/store/users/mallory/stolen.bin", &mallory).await.problem(404);

    // A head that is a file too: its content would belong to no account and never be removed.
    let hoard = lines_of("users/mallory/hoard.bin", b"hoard", 1);
    import_of("mallory/hoard", &[both(head, &hoard[0]), hoard[1].clone()]).await;
    assert_eq!(contents(&realm), before + 1);
}
