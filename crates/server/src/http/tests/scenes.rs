//! Scenes and tokens over HTTP.

use axum::body::Body;
use axum::http::{Method, Request, StatusCode, header};
use serde_json::{Value, json};
use sqlx::SqlitePool;
use sqlx::sqlite::SqliteConnectOptions;
use stoa_state::grant::SceneSettings;
use stoa_wire::topic::SceneName;

use super::fixture::{Answer, Fixture, browser};
use crate::http::rate_limit::RequestNetwork;
use crate::limits;
use crate::scenes::first_scenes;
use crate::store::{SceneContents, SceneImport};

pub(super) async fn with_token(realm: &Fixture, method: Method, (path, token): (&str, &str), body: Value) -> Answer {
    let request = Request::builder().method(method).uri(path).header(header::HOST, "localhost:8080");
    let request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
    realm.send(request.body(Body::from(body.to_string())).unwrap()).await
}

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|item| item.as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_guest_gets_unique_ids_and_viewer_filters_for_one_scene() {
    let realm = Fixture::open().await;
    let ask = json!({"scene": "public/lobby", "name": "Ada", "client": "web"});
    let answer = realm.post("/api/v1/token", "", ask.clone()).await;
    assert_eq!(answer.status, StatusCode::OK);
    assert!(answer.cookie("mqtt_token=").is_some());
    let issued = answer.json();
    assert_eq!((&issued["guest"], &issued["role"]), (&json!(true), &json!("viewer")));
    assert_eq!(issued["mqtt_path"], "/mqtt/");
    let userid = issued["ids"]["userid"].as_str().unwrap();
    assert!(userid.starts_with("anonymous-"), "{userid}");
    assert_eq!(issued["ids"]["userclient"], format!("{userid}_web"));
    assert_eq!(issued["ids"]["handleftid"], format!("handLeft_{userid}"));
    let claims = realm.app.keys.verify(issued["token"].as_str().unwrap()).unwrap();
    assert_eq!(issued["username"], claims.sub);
    assert_eq!(claims.display_name.as_deref(), Some("Ada"));
    let claims = serde_json::to_value(&claims).unwrap();
    for filter in strings(&claims["publ"]).into_iter().chain(strings(&claims["subs"])) {
        let here = filter.starts_with("realm/s/public/lobby/") || filter == "$NETWORK/latency";
        assert!(here && !filter.contains("/o/"), "{filter}");
    }
    let second = realm.post("/api/v1/token", "", ask).await.json();
    assert_ne!(issued["username"], second["username"], "each guest is somebody else");
}

#[tokio::test]
async fn a_role_follows_from_the_scenes_settings() {
    let realm = Fixture::open().await;
    let owner = realm.signed_in("olga", true).await;
    let alice = realm.signed_in("alice", false).await;
    let role = async |cookie: &str, scene: &str| {
        realm.post("/api/v1/token", cookie, json!({"scene": scene})).await.json()["role"].clone()
    };
    assert_eq!(role(&owner, "public/lobby").await, "owner");
    assert_eq!(role(&alice, "public/lobby").await, "viewer");
    assert_eq!(role("", "public/sandbox").await, "editor");
    let settings = json!({"public_read": false, "anonymous_users": false});
    let made = realm.ask(Method::PUT, "/api/v1/scenes/alice/den", (&alice, settings)).await;
    assert_eq!(made.status, StatusCode::CREATED);
    assert_eq!(role(&alice, "alice/den").await, "owner");
    realm.post("/api/v1/token", "", json!({"scene": "alice/den"})).await.problem(404);
    realm.post("/api/v1/token", "", json!({"scene": "alice/attic"})).await.problem(404);
    realm.post("/api/v1/token", "", json!({"scene": "../x"})).await.problem(400);
}

#[tokio::test]
async fn a_derived_token_covers_the_same_scene_and_expires_no_later() {
    let realm = Fixture::open().await;
    let alice = realm.signed_in("alice", false).await;
    realm.ask(Method::PUT, "/api/v1/scenes/alice/den", (&alice, json!({"public_read": false}))).await;
    let issued = realm.post("/api/v1/token", &alice, json!({"scene": "public/lobby", "client": "py"})).await.json();
    let token = issued["token"].as_str().unwrap();
    let again =
        with_token(&realm, Method::POST, ("/api/v1/token", token), json!({"scene": "public/lobby"})).await.json();
    assert_eq!((&again["role"], &again["guest"]), (&json!("viewer"), &json!(false)));
    assert!(again["expires_at"].as_u64() <= issued["expires_at"].as_u64());
    let other = with_token(&realm, Method::POST, ("/api/v1/token", token), json!({"scene": "alice/den"})).await;
    other.problem(404);
    let detail = with_token(&realm, Method::POST, ("/api/v1/token", "forged"), json!({})).await.problem(401);
    assert!(!detail.contains("forged"));
}

#[tokio::test]
async fn only_owners_change_settings_and_only_the_realms_owner_makes_public_scenes() {
    let realm = Fixture::open().await;
    let owner = realm.signed_in("olga", true).await;
    let alice = realm.signed_in("alice", false).await;
    let put = async |cookie: &str, path: &str, body: Value| realm.ask(Method::PUT, path, (cookie, body)).await;
    put(&alice, "/api/v1/scenes/public/den", json!({})).await.problem(403);
    put(&alice, "/api/v1/scenes/bob/den", json!({})).await.problem(403);
    put(&alice, "/api/v1/scenes/public/lobby", json!({"public_write": true})).await.problem(403);
    put("", "/api/v1/scenes/alice/den", json!({})).await.problem(403);
    assert_eq!(
        put(&owner, "/api/v1/scenes/public/den", json!({"editors": ["alice"]})).await.status,
        StatusCode::CREATED
    );
    let changed = put(&owner, "/api/v1/scenes/public/den", json!({"editors": ["alice"], "users": false})).await;
    assert_eq!(changed.status, StatusCode::OK);
    let seen = realm.get("/api/v1/scenes/public/den", &alice).await.json();
    assert_eq!((&seen["owner"], &seen["editors"], &seen["users"]), (&json!("olga"), &json!(["alice"]), &json!(false)));
    assert_eq!(realm.get("/api/v1/scenes/public/den", "").await.json().get("editors"), None, "not for everybody");
    let detail = put(&owner, "/api/v1/scenes/public/den", json!({"pubic_write": true})).await.problem(400);
    assert!(detail.contains("unknown field `pubic_write`"), "{detail}");
    put(&owner, "/api/v1/scenes/public/den", json!({"editors": ["a b"]})).await.problem(422);
    put(&owner, "/api/v1/scenes/conf/den", json!({})).await.problem(422);
}

#[tokio::test]
async fn the_scene_list_contains_only_scenes_that_the_caller_may_enter() {
    let realm = Fixture::open().await;
    let alice = realm.signed_in("alice", false).await;
    let settings = json!({"public_read": false});
    realm.ask(Method::PUT, "/api/v1/scenes/alice/den", (&alice, settings)).await;
    let names = |answer: &Answer| -> Vec<String> {
        let scenes = answer.json();
        let name =
            |scene: &Value| format!("{}/{} {}", scene["namespace"], scene["scene"], scene["role"]).replace('"', "");
        scenes.as_array().unwrap().iter().map(name).collect()
    };
    let guests = names(&realm.get("/api/v1/scenes", "").await);
    assert_eq!(guests, ["public/lobby viewer", "public/sandbox editor"]);
    let hers = names(&realm.get("/api/v1/scenes", &alice).await);
    assert_eq!(hers, ["alice/den owner", "public/lobby viewer", "public/sandbox editor"]);
}

#[tokio::test]
async fn a_scene_removed_by_its_owner_is_not_found_afterwards() {
    let realm = Fixture::open().await;
    let alice = realm.signed_in("alice", false).await;
    realm.ask(Method::PUT, "/api/v1/scenes/alice/den", (&alice, json!({}))).await;
    realm.ask(Method::DELETE, "/api/v1/scenes/alice/den", ("", Value::Null)).await.problem(403);
    let removed = realm.ask(Method::DELETE, "/api/v1/scenes/alice/den", (&alice, Value::Null)).await;
    assert_eq!(removed.status, StatusCode::NO_CONTENT);
    realm.get("/api/v1/scenes/alice/den", &alice).await.problem(404);
    realm.ask(Method::DELETE, "/api/v1/scenes/alice/den", (&alice, Value::Null)).await.problem(404);
}

#[tokio::test]
async fn concurrent_scene_creation_and_removal_keep_store_and_realm_in_sync() {
    let realm = Fixture::open().await;
    let den: stoa_wire::topic::SceneName = "alice/den".parse().unwrap();
    let mut wishes = tokio::task::JoinSet::new();
    for wish in 0..40 {
        let (registrar, den) = (realm.app.registrar.clone(), den.clone());
        wishes.spawn(async move {
            if wish % 2 == 0 {
                registrar.make(den, SceneSettings::default()).await
            } else {
                registrar.remove(den).await
            }
        });
    }
    while let Some(done) = wishes.join_next().await {
        done.unwrap().expect("each wish finds store and realm alike");
    }
    realm.app.registrar.make(den.clone(), SceneSettings::default()).await.unwrap();
    let open: Vec<_> = realm.app.realm.people().await.unwrap().into_iter().map(|(name, _)| name).collect();
    let stored: Vec<_> = realm.app.store.scenes().await.unwrap().into_iter().map(|(name, _)| name).collect();
    assert_eq!(open, stored);
    assert!(stored.contains(&den));
}

#[tokio::test]
async fn a_snapshot_needs_a_token_that_covers_the_scene() {
    let realm = Fixture::open().await;
    let path = "/api/v1/scenes/public/lobby/snapshot";
    realm.get(path, "").await.problem(401);
    let issued = realm.post("/api/v1/token", "", json!({"scene": "public/lobby"})).await;
    let snapshot = realm.get(path, &issued.cookie("mqtt_token=").unwrap()).await.json();
    assert_eq!(snapshot["epoch"], 1);
    let messages = snapshot["messages"].as_array().unwrap();
    assert!(messages.iter().all(|message| message["topic"].as_str().unwrap().starts_with("realm/s/public/lobby/")));
    assert!(snapshot["revision"].as_u64().unwrap() > 0 && !messages.is_empty());
    let elsewhere = realm.post("/api/v1/token", "", json!({"scene": "public/sandbox"})).await.json();
    let token = elsewhere["token"].as_str().unwrap();
    with_token(&realm, Method::GET, (path, token), Value::Null).await.problem(403);
}

#[tokio::test]
async fn private_scenes_and_missing_scenes_get_the_same_response() {
    let realm = Fixture::open().await;
    let alice = realm.signed_in("alice", false).await;
    let bob = realm.signed_in("bob", false).await;
    let made = realm.ask(Method::PUT, "/api/v1/scenes/alice/den", (&alice, json!({"public_read": false}))).await;
    assert_eq!(made.status, StatusCode::CREATED);
    let snapshots = realm.post("/api/v1/token", &bob, json!({"scene": "public/lobby"})).await;
    let token = snapshots.cookie("mqtt_token=").unwrap();
    for (method, path, cookie) in [
        (Method::GET, "/api/v1/scenes/alice/SCENE", ""),
        (Method::GET, "/api/v1/scenes/alice/SCENE", &*bob),
        (Method::PUT, "/api/v1/scenes/alice/SCENE", &bob),
        (Method::DELETE, "/api/v1/scenes/alice/SCENE", &bob),
        (Method::POST, "/api/v1/scenes/alice/SCENE/reset", &bob),
        (Method::GET, "/api/v1/scenes/alice/SCENE/snapshot", &token),
        (Method::GET, "/store/users/alice/scenes/SCENE/duck.glb", &bob),
    ] {
        let ask = async |scene: &str| {
            let answer = realm.ask(method.clone(), &path.replace("SCENE", scene), (cookie, json!({}))).await;
            let said = String::from_utf8(answer.body).unwrap();
            (
                answer.status.as_u16(),
                said.replace(&format!("alice/{scene}"), "SCENE").replace(&format!("scenes/{scene}"), "SCENE"),
            )
        };
        assert_eq!(ask("den").await, ask("attic").await, "{method} {path}");
    }
    let ask = async |scene: &str| realm.post("/api/v1/token", &bob, json!({"scene": scene})).await.problem(404);
    assert_eq!(ask("alice/den").await.replace("den", ""), ask("alice/attic").await.replace("attic", ""));
    assert_eq!(realm.get("/api/v1/scenes/alice/den", &alice).await.status, StatusCode::OK, "negative control");
}

#[tokio::test]
async fn an_owner_resets_a_first_scene_to_its_first_objects() {
    let realm = Fixture::open().await;
    let owner = realm.signed_in("olga", true).await;
    let path = "/api/v1/scenes/public/sandbox";
    realm.post(&format!("{path}/reset"), "", Value::Null).await.problem(403);
    let sandbox: stoa_wire::topic::SceneName = "public/sandbox".parse().unwrap();
    let objects = async || realm.app.realm.records(sandbox.clone(), None, None).await.unwrap().count();
    let first = objects().await;
    assert!(first > 0);
    realm.app.realm.clear_scene(sandbox.clone(), "olga".into()).await.unwrap();
    assert_eq!(objects().await, 0, "negative control: it was emptied");
    assert_eq!(realm.post(&format!("{path}/reset"), &owner, Value::Null).await.status, StatusCode::NO_CONTENT);
    assert_eq!(objects().await, first);
    assert!(first_scenes::names().contains(&sandbox));
}

#[tokio::test]
async fn guest_tokens_are_rate_limited_for_each_address() {
    let realm = Fixture::open().await;
    let wish = json!({"scene": "public/lobby"});
    let alice = realm.signed_in("alice", false).await;
    let mut issued = 0;
    let refused = loop {
        let answer = realm.post("/api/v1/token", "", wish.clone()).await;
        if answer.status != StatusCode::OK {
            break answer;
        }
        issued += 1;
    };
    refused.problem(429);
    assert!(refused.header(header::RETRY_AFTER).parse::<u64>().unwrap() > 0);
    assert!(issued >= limits::GUEST_TOKENS_BURST, "{issued}");
    assert_eq!(realm.post("/api/v1/token", &alice, wish).await.status, StatusCode::OK, "who is signed in is no guest");
}

#[tokio::test]
async fn a_display_name_with_hidden_characters_gets_no_token() {
    let realm = Fixture::open().await;
    let ask = async |name: &str| realm.post("/api/v1/token", "", json!({"scene": "public/lobby", "name": name})).await;
    for name in ["a\u{202e}nimda", "adm\u{200d}in", "\u{200b}"] {
        let detail = ask(name).await.problem(400);
        assert!(detail.contains("hides or turns"), "{name:?}: {detail}");
    }
    assert_eq!(ask("علی\u{200c}رضا").await.status, StatusCode::OK, "negative control");
}

#[tokio::test]
async fn an_account_cannot_exceed_its_scene_limit() {
    let realm = Fixture::open().await;
    let alice = realm.signed_in("alice", false).await;
    let make = async |name: &str| {
        let path = format!("/api/v1/scenes/{name}");
        realm.ask(Method::PUT, &path, (&alice, json!({}))).await
    };
    for number in 1..limits::SCENES_PER_ACCOUNT_MAX {
        realm
            .app
            .store
            .make_scene(&format!("alice/s{number}").parse().unwrap(), &SceneSettings::default())
            .await
            .unwrap();
    }
    assert_eq!(make("alice/last").await.status, StatusCode::CREATED, "negative control: one is left");
    let detail = make("alice/one-more").await.problem(422);
    assert!(detail.contains("alice has reached the limit of 256 scenes"), "{detail}");
    assert_eq!(make("alice/last").await.status, StatusCode::OK, "what is there can be changed all the same");
    let bob = realm.signed_in("bob", false).await;
    let others = realm.ask(Method::PUT, "/api/v1/scenes/bob/den", (&bob, json!({}))).await;
    assert_eq!(others.status, StatusCode::CREATED, "others have places of their own");
}

#[tokio::test]
async fn scene_lists_are_refused_when_the_read_allowance_is_used_up() {
    let realm = Fixture::open().await;
    let owner = realm.signed_in("olga", true).await;
    let issued = realm.form("/user/v2/mqtt_auth", &owner, "client=web&username=anonymous-bob&scene=public/lobby").await;
    let token = issued.cookie("mqtt_token=").unwrap();
    let lists = [
        ("/api/v1/scenes", ""),
        ("/user/v2/my_scenes", &owner[..]),
        ("/user/v2/my_namespaces", &owner),
        ("/user/v2/profile", &owner),
        ("/persist/!allscenes", &token),
    ];
    // A list that parses the stored settings fails from now on.
    let path = realm.app.config.data.join(crate::store::FILE_NAME);
    let database = SqlitePool::connect_with(SqliteConnectOptions::new().filename(path)).await.unwrap();
    sqlx::query("UPDATE scenes SET settings = '{'").execute(&database).await.unwrap();
    for (path, cookie) in lists.into_iter().chain([("/api/v1/account", &owner[..])]) {
        assert_eq!(realm.get(path, cookie).await.status, StatusCode::OK, "negative control: {path}");
    }
    realm.web.readings.spend(RequestNetwork(None), 2 * limits::READ_KIB_BURST);
    for (path, cookie) in lists {
        assert_eq!(realm.get(path, cookie).await.status, StatusCode::TOO_MANY_REQUESTS, "{path}");
    }
}

#[tokio::test]
async fn a_list_of_many_scenes_costs_more_than_one_of_few() {
    for (scenes, again) in [(100, 429), (1, 200)] {
        let realm = Fixture::with_readings(1, 5).await;
        for number in 0..scenes {
            let name = format!("public/scene{number}").parse().unwrap();
            assert!(realm.app.registrar.make(name, SceneSettings::default()).await.unwrap());
        }
        assert_eq!(realm.get("/api/v1/scenes", "").await.status, StatusCode::OK);
        assert_eq!(realm.get("/api/v1/scenes", "").await.status.as_u16(), again, "{scenes}");
    }
}

#[tokio::test]
async fn replacing_settings_keeps_a_concurrent_change_by_arenas_page() {
    let realm = Fixture::open().await;
    let alice = realm.signed_in("alice", false).await;
    realm.post("/user/v2/scenes/alice/den", &alice, json!({})).await;
    let summary = realm.ask(Method::PUT, "/user/v2/scenes/alice/den", (&alice, json!({"summary": "a den"})));
    let settings = realm.ask(Method::PUT, "/api/v1/scenes/alice/den", (&alice, json!({"public_read": false})));
    let (summary, settings) = tokio::join!(summary, settings);
    assert_eq!([summary.status, settings.status], [StatusCode::OK; 2]);
    let told = realm.get("/user/v2/scenes/alice/den", &alice).await.json();
    assert_eq!(told["summary"], "a den", "{told}");
}

#[tokio::test]
async fn a_scene_keeps_its_motion_settings_until_they_are_replaced() {
    let realm = Fixture::open().await;
    let alice = realm.signed_in("alice", false).await;
    let put = async |body: Value| realm.ask(Method::PUT, "/api/v1/scenes/alice/den", (&alice, body)).await;
    assert_eq!(put(json!({"motion_policy": "nearest:7", "motion_bytes_per_s": 65_536})).await.status.as_u16(), 201);
    realm.ask(Method::PUT, "/user/v2/scenes/alice/den", (&alice, json!({"summary": "a den"}))).await;
    let told = realm.get("/api/v1/scenes/alice/den", &alice).await.json();
    assert_eq!((&told["motion_policy"], &told["motion_bytes_per_s"]), (&json!("nearest:7"), &json!(65_536)));
    for wrong in [
        json!({"motion_policy": "everybody"}),
        json!({"motion_policy": "nearest:0"}),
        json!({"motion_bytes_per_s": 1}),
        json!({"motion_bytes_per_s": 1_000_000_000}),
    ] {
        put(wrong).await.problem(422);
    }
    assert_eq!(realm.get("/api/v1/scenes/alice/den", &alice).await.json(), told, "what is refused changes nothing");
    assert_eq!(put(json!({})).await.status.as_u16(), 200);
    let told = realm.get("/api/v1/scenes/alice/den", &alice).await.json();
    assert_eq!((&told["motion_policy"], &told["motion_bytes_per_s"]), (&Value::Null, &Value::Null), "the realm's");
}

#[tokio::test]
async fn a_new_scene_has_voice_and_keeps_its_setting_until_it_is_changed() {
    let realm = Fixture::open().await;
    let alice = realm.signed_in("alice", false).await;
    let put = async |body: Value| realm.ask(Method::PUT, "/api/v1/scenes/alice/den", (&alice, body)).await;
    let voice = async || realm.get("/api/v1/scenes/alice/den", &alice).await.json()["voice"].clone();
    assert_eq!(put(json!({})).await.status.as_u16(), 201);
    assert_eq!(voice().await, "open");
    assert_eq!(put(json!({"voice": "off"})).await.status.as_u16(), 200);
    assert_eq!(put(json!({"public_read": false})).await.status.as_u16(), 200);
    assert_eq!(voice().await, "off", "a request without it keeps it");
    let detail = put(json!({"voice": "loud"})).await.problem(422);
    assert_eq!(detail, "voice \"loud\" is none of open and off");
    assert_eq!(put(json!({"voice": "open", "video_conference": false})).await.status.as_u16(), 200);
    assert_eq!(voice().await, "off", "ARENA's setting turns it off");
    assert_eq!(put(json!({"video_conference": true})).await.status.as_u16(), 200);
    assert_eq!(voice().await, "open");
}

#[tokio::test]
async fn a_summary_over_the_length_limit_is_refused() {
    let realm = Fixture::open().await;
    let cookie = realm.signed_in("alice", false).await;
    let path = "/user/v2/scenes/alice/den";
    let wish = |bytes: usize| json!({"summary": "x".repeat(bytes)});
    let made = async |bytes: usize| realm.post(path, &cookie, wish(bytes)).await.status.as_u16();
    assert_eq!(made(limits::SUMMARY_BYTES_MAX + 1).await, 422);
    assert_eq!(made(limits::SUMMARY_BYTES_MAX).await, 201, "negative control");
}

#[tokio::test]
async fn a_scene_with_an_overlong_old_summary_can_still_be_changed() {
    let realm = Fixture::open().await;
    let cookie = realm.signed_in("alice", false).await;
    let long =
        SceneSettings { summary: Some("x".repeat(2 * limits::SUMMARY_BYTES_MAX)), ..SceneSettings::owned_by("alice") };
    assert!(realm.app.registrar.make("alice/den".parse().unwrap(), long).await.unwrap());
    let put = async |path: &str, change: Value| realm.ask(Method::PUT, path, (&cookie, change)).await;
    assert_eq!(put("/api/v1/scenes/alice/den", json!({"public_read": false})).await.status, StatusCode::OK);
    let arenas = "/user/v2/scenes/alice/den";
    assert_eq!(put(arenas, json!({"users": false})).await.status, StatusCode::OK);
    let longer = json!({"summary": "x".repeat(limits::SUMMARY_BYTES_MAX + 1)});
    assert_eq!(put(arenas, longer).await.status.as_u16(), 422, "negative control");
    let told = put("/api/v1/scenes/alice/den", json!({"owner": "bob"})).await.json();
    let stored = realm.app.store.scene(&"alice/den".parse().unwrap()).await.unwrap().unwrap();
    assert_eq!(
        (&told["owner"], stored.owner.as_deref()),
        (&json!("bob"), Some("bob")),
        "what is told is what is stored"
    );
}

#[tokio::test]
async fn importing_a_scene_truncates_a_long_summary() {
    let realm = Fixture::open().await;
    realm.signed_in("alice", false).await;
    let name: SceneName = "alice/den".parse().unwrap();
    let settings =
        SceneSettings { summary: Some("ä".repeat(limits::SUMMARY_BYTES_MAX)), ..SceneSettings::owned_by("alice") };
    let carried = SceneContents { settings, objects: Vec::new(), files: Vec::new() };
    assert!(
        realm
            .app
            .registrar
            .import(SceneImport { name: name.clone(), carried, replace: false, author: None })
            .await
            .unwrap()
    );
    let stored = realm.app.store.scene(&name).await.unwrap().unwrap();
    assert_eq!(stored.summary, Some("ä".repeat(limits::SUMMARY_BYTES_MAX / 2)));
}

#[tokio::test]
async fn a_renamed_scene_keeps_its_objects_and_shows_members_its_new_name() {
    let realm = Fixture::open().await;
    let alice = realm.signed_in("alice", false).await;
    let den = json!({"public_read": false, "anonymous_users": false});
    realm.ask(Method::PUT, "/api/v1/scenes/alice/den", (&alice, den)).await;
    let name: SceneName = "alice/den".parse().unwrap();
    first_scenes::fill(&realm.app.realm, &"public/lobby".parse().unwrap()).await.unwrap();
    let (records, _) = realm.app.realm.settle("public/lobby".parse().unwrap()).await.unwrap();
    let things = records.to_objects();
    realm.app.realm.put_objects(&name, "alice", things.clone()).await.unwrap();

    let renamed = realm.post("/api/v1/scenes/alice/den/rename", &alice, json!({"to": "alice/attic"})).await;
    assert_eq!(renamed.status, StatusCode::NO_CONTENT, "{renamed:?}");
    let (records, _) = realm.app.realm.settle("alice/attic".parse().unwrap()).await.unwrap();
    assert_eq!(records.to_objects().len(), things.len());
    let issued = realm.post("/api/v1/token", &alice, json!({"scene": "alice/attic"})).await.json();
    assert_eq!(issued["role"], "owner");
    let told = realm.post("/api/v1/token", &alice, json!({"scene": "alice/den"})).await;
    told.problem(404);
    assert_eq!((&told.json()["reason"], &told.json()["scene"]), (&json!("renamed"), &json!("alice/attic")));
    let stranger = realm.post("/api/v1/token", "", json!({"scene": "alice/den"})).await;
    stranger.problem(404);
    assert_eq!((stranger.json().get("reason"), stranger.json().get("scene")), (None, None));

    realm.ask(Method::PUT, "/api/v1/scenes/alice/den", (&alice, json!({}))).await;
    let issued = realm.post("/api/v1/token", &alice, json!({"scene": "alice/den"})).await.json();
    assert_eq!(issued["role"], "owner", "whoever makes a scene of the old name has it");
}

#[tokio::test]
async fn only_its_owner_renames_a_scene_and_only_to_a_free_own_name() {
    let realm = Fixture::open().await;
    let (alice, bob) = (realm.signed_in("alice", false).await, realm.signed_in("bob", false).await);
    for name in ["den", "attic"] {
        realm.ask(Method::PUT, &format!("/api/v1/scenes/alice/{name}"), (&alice, json!({}))).await;
    }
    let rename =
        async |who: &str, to: &str| realm.post("/api/v1/scenes/alice/den/rename", who, json!({"to": to})).await;
    rename(&bob, "alice/cave").await.problem(403);
    rename("", "alice/cave").await.problem(403);
    rename(&alice, "bob/cave").await.problem(403);
    rename(&alice, "public/cave").await.problem(403);
    rename(&alice, "alice/attic").await.problem(409);
    rename(&alice, "alice/den").await.problem(409);
    rename(&alice, "alice/a cave").await.problem(400);
    realm.post("/api/v1/scenes/alice/nothing/rename", &alice, json!({"to": "alice/cave"})).await.problem(404);
    assert!(realm.app.store.scene(&"alice/den".parse().unwrap()).await.unwrap().is_some(), "nothing of it was done");
}

#[tokio::test]
async fn files_of_a_renamed_scene_follow_its_current_access_rules() {
    let realm = Fixture::open().await;
    let (alice, bob) = (realm.signed_in("alice", false).await, realm.signed_in("bob", false).await);
    realm
        .ask(Method::PUT, "/api/v1/scenes/alice/den", (&alice, json!({"viewers": ["bob"], "public_read": false})))
        .await;
    let file = "users/alice/scenes/den/plan.png";
    let request = browser(Method::PUT, &format!("/api/v1/store/{file}")).header(header::COOKIE, &alice);
    assert_eq!(realm.send(request.body(Body::from("plan")).unwrap()).await.status, StatusCode::CREATED);
    realm.post("/api/v1/scenes/alice/den/rename", &alice, json!({"to": "alice/attic"})).await;
    let read = async |cookie: &str| realm.get(&format!("/store/{file}"), cookie).await;
    assert_eq!(read(&bob).await.body, b"plan");
    read("").await.problem(404);
    realm.ask(Method::DELETE, "/api/v1/scenes/alice/attic", (&alice, Value::Null)).await;
    read(&bob).await.problem(404);
    assert_eq!(read(&alice).await.body, b"plan", "its owner's, as before");
}

#[tokio::test]
async fn a_former_scene_name_stays_reserved_while_it_has_files() {
    let realm = Fixture::open().await;
    let alice = realm.signed_in("alice", false).await;
    let put = async |name: &str, settings: Value| {
        realm.ask(Method::PUT, &format!("/api/v1/scenes/alice/{name}"), (&alice, settings)).await
    };
    let rename = async |from: &str, to: &str| {
        realm.post(&format!("/api/v1/scenes/alice/{from}/rename"), &alice, json!({"to": format!("alice/{to}")})).await
    };
    put("den", json!({"public_read": false})).await;
    let file = "users/alice/scenes/den/plan.png";
    let request = browser(Method::PUT, &format!("/api/v1/store/{file}")).header(header::COOKIE, &alice);
    realm.send(request.body(Body::from("plan")).unwrap()).await;
    rename("den", "attic").await;
    let told = put("den", json!({})).await.problem(409);
    assert!(told.contains("users/alice/scenes/den/") && told.contains("another name"), "{told}");
    put("cave", json!({})).await;
    rename("cave", "den").await.problem(409);
    let text = r#"{"stoa_scene": 1, "scene": "alice/den", "settings": {}}"#;
    let request = browser(Method::POST, "/api/v1/scenes/alice/den/import").header(header::COOKIE, &alice);
    realm.send(request.body(Body::from(text)).unwrap()).await.problem(409);
    realm.get(&format!("/store/{file}"), "").await.problem(404);
    assert_eq!(rename("attic", "den").await.status, StatusCode::NO_CONTENT, "its own former name");
    assert_eq!(rename("den", "loft").await.status, StatusCode::NO_CONTENT);
    realm.app.store.remove_files("users/alice/scenes/den/").await.unwrap();
    assert_eq!(put("den", json!({})).await.status, StatusCode::CREATED, "nothing lies there any more");
}

#[tokio::test]
async fn a_scene_cannot_take_the_former_name_of_another_owners_scene() {
    let realm = Fixture::open().await;
    let (bob, olga) = (realm.signed_in("bob", false).await, realm.signed_in("olga", true).await);
    for (name, owner) in [("hall", "olga"), ("stage", "bob")] {
        realm.ask(Method::PUT, &format!("/api/v1/scenes/public/{name}"), (&olga, json!({"owner": owner}))).await;
    }
    let rename = async |who: &str, from: &str, to: &str| {
        realm.post(&format!("/api/v1/scenes/public/{from}/rename"), who, json!({"to": format!("public/{to}")})).await
    };
    assert_eq!(rename(&olga, "hall", "foyer").await.status, StatusCode::NO_CONTENT);
    rename(&bob, "stage", "hall").await.problem(409);
    assert_eq!(rename(&bob, "stage", "theatre").await.status, StatusCode::NO_CONTENT, "negative control");
    assert_eq!(rename(&bob, "theatre", "stage").await.status, StatusCode::NO_CONTENT, "back to its own old name");
    assert_eq!(rename(&olga, "stage", "hall").await.status, StatusCode::NO_CONTENT, "who makes scenes there");
}
