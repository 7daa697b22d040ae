//! History and restores over HTTP.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use sqlx::SqlitePool;
use sqlx::sqlite::SqliteConnectOptions;
use stoa_state::connection_id::ConnectionId;
use stoa_state::grant::Author;
use stoa_state::scene::{ObjectStateChange, StoredObject, UnixMillis};
use stoa_wire::topic::SceneName;

use super::fixture::{Answer, Fixture};
use super::scenes::with_token;
use crate::os::clock;

const SANDBOX: &str = "/api/v1/scenes/public/sandbox";

fn sandbox() -> SceneName {
    "public/sandbox".parse().unwrap()
}

fn author(name: &str) -> Author {
    Author {
        connection: ConnectionId(1),
        user_client: "x".into(),
        id_tag: "x".into(),
        subject: name.into(),
        guest: false,
        guest_name: None,
        moderator: true,
        payer: None,
    }
}

async fn stored(realm: &Fixture, id: &str) -> Option<StoredObject> {
    let (records, _) = realm.app.realm.settle(sandbox()).await.unwrap();
    records.to_objects().into_iter().find(|record| record.object_id == id)
}

async fn attributes(realm: &Fixture, id: &str) -> Value {
    stored(realm, id).await.map_or(Value::Null, |record| Value::Object(record.attributes))
}

/// Changes an object's attributes as `who`, or removes it with `null`.
async fn change(realm: &Fixture, who: &str, (id, attributes): (&str, Value)) {
    let basis = stored(realm, id).await;
    let at = UnixMillis(clock::unix_now().0 * 1_000);
    let target = attributes.as_object().map(|attributes| StoredObject {
        object_id: id.into(),
        type_name: "object".into(),
        attributes: attributes.clone(),
        expires_at: None,
        created_at: at,
        updated_at: at,
    });
    let amendment = ObjectStateChange { object_id: id.into(), basis, target };
    realm.app.realm.amend(sandbox(), author(who), None, vec![amendment]).await.unwrap();
}

async fn history(realm: &Fixture, cookie: &str, query: &str) -> Value {
    let answer = realm.ask(Method::GET, &format!("{SANDBOX}/history{query}"), (cookie, Value::Null)).await;
    assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
    answer.json()
}

async fn restore(realm: &Fixture, cookie: &str, asked: Value) -> Answer {
    realm.post(&format!("{SANDBOX}/restore"), cookie, asked).await
}

fn revisions(history: &Value) -> Vec<u64> {
    history["entries"].as_array().unwrap().iter().map(|entry| entry["revision"].as_u64().unwrap()).collect()
}

#[tokio::test]
async fn history_lists_changes_newest_first_with_old_and_new_values() {
    let realm = Fixture::open().await;
    let alice = realm.signed_in("alice", false).await;
    change(&realm, "ada", ("lamp", json!({"color": "white", "x": 1}))).await;
    change(&realm, "bob", ("lamp", json!({"color": "red", "x": 1}))).await;
    change(&realm, "ada", ("lamp", Value::Null)).await;
    let told = history(&realm, &alice, "?limit=3").await;
    let [gone, changed, came] = &told["entries"].as_array().unwrap()[..] else { panic!("{told}") };
    assert_eq!((&gone["action"], &gone["author"], &gone["after"]), (&json!("delete"), &json!("ada"), &Value::Null));
    assert_eq!((&gone["before"], &gone["objects"]), (&json!({"color": "red", "x": 1}), &json!(1)));
    assert_eq!((&changed["before"], &changed["after"]), (&json!({"color": "white"}), &json!({"color": "red"})));
    assert_eq!(
        (&changed["author_name"], &changed["guest"], &changed["object_id"]),
        (&json!("bob"), &json!(false), &json!("lamp"))
    );
    assert_eq!((&came["action"], &came["before"]), (&json!("create"), &Value::Null));
    assert_eq!((&told["retention"]["days"], &told["retention"]["bytes"]), (&json!(90), &json!(1_u64 << 30)));
    assert!(told["retention"]["oldest"].as_str().unwrap().starts_with("20"), "{told}");

    let next = history(&realm, &alice, &format!("?limit=200&before={}", told["next"])).await;
    assert!(revisions(&next).iter().all(|revision| *revision < came["revision"].as_u64().unwrap()), "{next}");
    assert_eq!(next["next"], Value::Null, "the rest of it");
    let of_bob = history(&realm, &alice, "?author=bob&object_id=lamp").await;
    assert_eq!(revisions(&of_bob), [changed["revision"].as_u64().unwrap()]);
    assert_eq!(revisions(&history(&realm, &alice, "?until=2001-01-01T00:00:00Z").await), [0_u64; 0]);
}

#[tokio::test]
async fn only_editors_of_a_scene_read_its_history() {
    let realm = Fixture::open().await;
    let alice = realm.signed_in("alice", false).await;
    let ask = async |cookie: &str, scene: &str| {
        realm.ask(Method::GET, &format!("/api/v1/scenes/{scene}/history"), (cookie, Value::Null)).await
    };
    ask(&alice, "public/lobby").await.problem(403);
    ask("", "public/sandbox").await.problem(401);
    ask("", "alice/attic").await.problem(404);
    realm.ask(Method::PUT, "/api/v1/scenes/alice/den", (&alice, json!({"public_read": false}))).await;
    ask("", "alice/den").await.problem(404);
    let empty = ask(&alice, "alice/den").await.json();
    assert_eq!((&empty["entries"], &empty["reaches"]), (&json!([]), &Value::Null));
    let issued = realm.post("/api/v1/token", "", json!({"scene": "public/sandbox", "name": "Ada"})).await.json();
    let token = issued["token"].as_str().unwrap();
    let told = with_token(&realm, Method::GET, (&format!("{SANDBOX}/history"), token), Value::Null).await;
    assert_eq!(told.status, StatusCode::OK, "a guest who may build");
    let path = "/api/v1/scenes/public/lobby/history";
    with_token(&realm, Method::GET, (path, token), Value::Null).await.problem(403);
}

#[tokio::test]
async fn a_restore_reverts_a_scene_in_the_callers_name_and_is_reversible() {
    let realm = Fixture::open().await;
    let alice = realm.signed_in("alice", false).await;
    change(&realm, "ada", ("lamp", json!({"color": "white"}))).await;
    let then = revisions(&history(&realm, &alice, "?limit=1").await)[0];
    change(&realm, "bob", ("lamp", json!({"color": "red"}))).await;
    change(&realm, "bob", ("rug", json!({}))).await;
    let later = revisions(&history(&realm, &alice, "?limit=1").await)[0];

    let preview = restore(&realm, &alice, json!({"revision": then, "dry_run": true})).await.json();
    assert_eq!((&preview["changed"], &preview["removed"], &preview["done"]), (&json!(1), &json!(1), &json!(false)));
    assert_eq!(attributes(&realm, "lamp").await["color"], "red", "it was only asked");

    let done = restore(&realm, &alice, json!({"revision": then})).await.json();
    assert_eq!((&done["revision"], &done["done"], &done["created"]), (&json!(then), &json!(true), &json!(0)));
    assert_eq!(
        (attributes(&realm, "lamp").await, attributes(&realm, "rug").await),
        (json!({"color": "white"}), Value::Null)
    );
    let newest = history(&realm, &alice, "?limit=2").await;
    assert_eq!((&newest["entries"][0]["author"], &newest["entries"][1]["author"]), (&json!("alice"), &json!("alice")));

    restore(&realm, &alice, json!({"revision": later, "object_id": "rug"})).await.json();
    assert_eq!(
        (attributes(&realm, "lamp").await, attributes(&realm, "rug").await),
        (json!({"color": "white"}), json!({}))
    );
}

#[tokio::test]
async fn restoring_one_authors_changes_keeps_later_changes_by_other_authors() {
    let realm = Fixture::open().await;
    let alice = realm.signed_in("alice", false).await;
    change(&realm, "bob", ("lamp", json!({"color": "white", "x": 1}))).await;
    change(&realm, "ada", ("lamp", json!({"color": "red", "x": 2}))).await;
    change(&realm, "bob", ("lamp", json!({"color": "green", "x": 2}))).await;
    change(&realm, "ada", ("rug", json!({}))).await;
    let hour_ago = UnixMillis((clock::unix_now().0 - 3_600) * 1_000).to_string();
    let done = restore(&realm, &alice, json!({"time": hour_ago, "author": "ada"})).await.json();
    assert_eq!((&done["changed"], &done["removed"], &done["left"]), (&json!(1), &json!(1), &json!(1)));
    assert_eq!(attributes(&realm, "lamp").await, json!({"color": "green", "x": 1}));
    assert_eq!(attributes(&realm, "rug").await, Value::Null);
}

#[tokio::test]
async fn invalid_restore_and_history_requests_are_refused() {
    let realm = Fixture::open().await;
    let alice = realm.signed_in("alice", false).await;
    restore(&realm, &alice, json!({})).await.problem(400);
    restore(&realm, &alice, json!({"revision": 1, "time": "2030-01-01T00:00:00Z"})).await.problem(400);
    restore(&realm, &alice, json!({"time": "yesterday"})).await.problem(400);
    let detail = restore(&realm, &alice, json!({"time": "2001-01-01T00:00:00Z"})).await.problem(422);
    assert!(detail.contains("the history of") && detail.contains("begins at 20"), "{detail}");
    realm.post("/api/v1/scenes/public/lobby/restore", &alice, json!({"revision": 0})).await.problem(403);
    let nothing = restore(&realm, &alice, json!({"time": "2999-01-01T00:00:00Z"})).await.json();
    assert_eq!((&nothing["changed"], &nothing["done"]), (&json!(0), &json!(true)), "negative control");
    for wrong in ["?limit=0", "?limit=201", "?from=now", "?color=red"] {
        let path = format!("{SANDBOX}/history{wrong}");
        assert_eq!(
            realm.ask(Method::GET, &path, (&alice, Value::Null)).await.status,
            StatusCode::BAD_REQUEST,
            "{wrong}"
        );
    }
}

#[tokio::test]
async fn a_guests_restore_is_refused_if_it_touches_a_reserved_object() {
    let realm = Fixture::open().await;
    let owner = realm.signed_in("olga", true).await;
    let issued = realm.post("/api/v1/token", "", json!({"scene": "public/sandbox", "name": "Ada"})).await.json();
    let token = issued["token"].as_str().unwrap();
    let path = format!("{SANDBOX}/restore");
    let ask = async |body: Value| with_token(&realm, Method::POST, (&path, token), body).await;
    let then = revisions(&history(&realm, &owner, "?limit=1").await)[0];
    change(&realm, "bob", ("rug", json!({}))).await;
    let done = ask(json!({"revision": then})).await.json();
    assert_eq!((&done["removed"], &done["done"]), (&json!(1), &json!(true)));
    let newest = &history(&realm, &owner, "?limit=1").await["entries"][0];
    assert_eq!(
        (&newest["author_name"], &newest["guest"], &newest["author"]),
        (&json!("Ada"), &json!(true), &issued["ids"]["userid"])
    );
    change(&realm, "bob", ("scene-options", Value::Null)).await;
    let detail = ask(json!({"revision": then})).await.problem(422);
    assert!(detail.contains("reserved_type"), "{detail}");
}

#[tokio::test]
async fn restores_are_limited_in_objects_per_second() {
    let realm = Fixture::with_restores(1, 3).await;
    let alice = realm.signed_in("alice", false).await;
    let then = revisions(&history(&realm, &alice, "?limit=1").await)[0];
    for id in ["rug", "lamp"] {
        change(&realm, "bob", (id, json!({}))).await;
    }
    let later = revisions(&history(&realm, &alice, "?limit=1").await)[0];
    let back = restore(&realm, &alice, json!({"revision": then})).await.json();
    assert_eq!((&back["removed"], &back["done"]), (&json!(2), &json!(true)), "negative control");
    restore(&realm, &alice, json!({"revision": later})).await.problem(429);
    let look = restore(&realm, &alice, json!({"revision": later, "dry_run": true})).await;
    assert_eq!(look.status, StatusCode::OK, "who only looks changes nothing");
}

#[tokio::test]
async fn history_and_dry_run_reads_are_charged_even_with_an_empty_result() {
    // The first read passes. A second one would pass if only the requests were charged.
    let realm = Fixture::with_readings(1, 2).await;
    let alice = realm.signed_in("alice", false).await;
    let nothing = "?until=2001-01-01T00:00:00Z";
    history(&realm, &alice, nothing).await;
    let refused = realm.ask(Method::GET, &format!("{SANDBOX}/history{nothing}"), (&alice, Value::Null)).await;
    refused.problem(429);

    let realm = Fixture::with_readings(1, 2).await;
    let alice = realm.signed_in("alice", false).await;
    let nothing = json!({"time": "2999-01-01T00:00:00Z", "dry_run": true});
    assert_eq!(restore(&realm, &alice, nothing.clone()).await.status, StatusCode::OK);
    restore(&realm, &alice, nothing).await.problem(429);
}

#[tokio::test]
async fn history_marks_values_that_are_too_long_as_shortened() {
    let realm = Fixture::open().await;
    let alice = realm.signed_in("alice", false).await;
    change(&realm, "bob", ("page", json!({"text": "x".repeat(20_000)}))).await;
    change(&realm, "bob", ("page", Value::Null)).await;
    change(&realm, "bob", ("lamp", json!({}))).await;
    let told = history(&realm, &alice, "?limit=3").await;
    let [lamp, gone, came] = &told["entries"].as_array().unwrap()[..] else { panic!("{told}") };
    assert_eq!((&lamp["shortened"], &lamp["before"]), (&Value::Null, &Value::Null), "negative control");
    for entry in [gone, came] {
        assert_eq!((&entry["shortened"], &entry["before"]), (&json!(true), &Value::Null), "{entry}");
    }
}

#[tokio::test]
async fn a_restore_over_too_many_changed_bytes_is_refused_with_the_limit() {
    let realm = Fixture::open().await;
    let alice = realm.signed_in("alice", false).await;
    let then = revisions(&history(&realm, &alice, "?limit=1").await)[0];
    change(&realm, "bob", ("rug", json!({}))).await;
    change(&realm, "bob", ("rug", Value::Null)).await;
    let back = json!({"revision": then, "dry_run": true});
    assert_eq!(restore(&realm, &alice, back.clone()).await.status, StatusCode::OK, "negative control");
    let path = realm.app.config.data.join(crate::store::FILE_NAME);
    let database = SqlitePool::connect_with(SqliteConnectOptions::new().filename(path)).await.unwrap();
    sqlx::query("UPDATE log SET size_bytes = 40000000").execute(&database).await.unwrap();
    let told = restore(&realm, &alice, back.clone()).await.problem(422);
    assert!(told.contains("2 later changes of 80000000 bytes") && told.contains("67108864 bytes"), "{told}");
    sqlx::query("UPDATE log SET before = NULL").execute(&database).await.unwrap();
    let told = restore(&realm, &alice, back).await.problem(422);
    assert!(told.contains("from an older version"), "{told}");
}

#[tokio::test]
async fn a_restore_over_an_unreadable_log_entry_fails_without_changes() {
    let realm = Fixture::open().await;
    let alice = realm.signed_in("alice", false).await;
    let then = revisions(&history(&realm, &alice, "?limit=1").await)[0];
    for id in ["rug", "lamp", "chair"] {
        change(&realm, "bob", (id, json!({}))).await;
    }
    let path = realm.app.config.data.join(crate::store::FILE_NAME);
    let database = SqlitePool::connect_with(SqliteConnectOptions::new().filename(path)).await.unwrap();
    sqlx::query("UPDATE log SET before = '{' WHERE object_id = 'lamp'").execute(&database).await.unwrap();
    restore(&realm, &alice, json!({"revision": then})).await.problem(500);
    assert_eq!(attributes(&realm, "chair").await, json!({}), "nothing of it was done");
}
