//! Tests of ARENA's configuration and of arena-persist's interface.

use axum::body::Body;
use axum::http::{Method, Request, header};
use serde_json::{Value, json};
use stoa_state::network::NetworkPrefix;
use stoa_state::scene::{StoredObject, UnixMillis};

use super::super::fixture::{Fixture, browser};
use crate::app::slots::SlotHolder;
use crate::config::PartialConfig;
use crate::http::rate_limit::RequestNetwork;
use crate::limits;

async fn defaults(realm: &Fixture, host: &str) -> Value {
    let request = Request::get("/conf/defaults.json").header(header::HOST, host).body(Body::empty()).unwrap();
    realm.send(request).await.json()["ARENADefaults"].clone()
}

#[tokio::test]
async fn the_defaults_name_the_requested_host() {
    let realm = Fixture::open().await;
    let found = defaults(&realm, "realm.local:8080").await;
    assert_eq!((&found["mqttHost"], &found["persistHost"]), (&json!("realm.local"), &json!("realm.local:8443")));
    assert_eq!((&found["persistPath"], &found["latencyTopic"]), (&json!("/persist/"), &json!("$NETWORK/latency")));
    let found = defaults(&realm, "[::1]:8080").await;
    assert_eq!((&found["mqttHost"], &found["persistHost"]), (&json!("::1"), &json!("[::1]:8443")));
    let script = realm.get("/conf/defaults.js", "").await;
    let text = String::from_utf8(script.body.clone()).unwrap();
    assert!(text.starts_with("const ARENADefaults = {") && text.contains(r#""mqttHost": "localhost:8443""#), "{text}");
    assert!(text.contains(r#"type === "onauth""#), "who listens late for the token is told of it: {text}");
    assert_eq!(script.header(header::CONTENT_TYPE), "text/javascript; charset=utf-8");
}

#[tokio::test]
async fn the_defaults_hold_every_key_that_arenas_clients_read() {
    let realm = Fixture::open().await;
    let found = defaults(&realm, "localhost:8080").await;
    for (key, is_right) in [
        ("realm", found["realm"] == "realm"),
        ("namespace", found["namespace"] == "public"),
        ("sceneName", found["sceneName"] == "lobby"),
        ("userName", found["userName"].is_string()),
        ("camUpdateIntervalMs", found["camUpdateIntervalMs"] == 100),
        ("startCoords", ["x", "y", "z"].iter().all(|axis| found["startCoords"][axis].is_number())),
        ("camHeight", found["camHeight"] == 1.6),
        ("mqttPath", found["mqttPath"] == json!(["/mqtt/"])),
        ("graphTopic", found["graphTopic"] == "$NETWORK"),
        ("latencyTopic", found["latencyTopic"] == "$NETWORK/latency"),
        ("vioTopic", found["vioTopic"].is_string()),
        ("jitsiHost", found["jitsiHost"].is_string()),
        ("ATLASurl", found["ATLASurl"].as_str().is_some_and(|url| url.starts_with("https://"))),
        ("headModelPath", found["headModelPath"].as_str().is_some_and(|path| path.starts_with('/'))),
    ] {
        assert!(is_right, "{key}: {}", found[key]);
    }
    let script = String::from_utf8(realm.get("/conf/defaults.js", "").await.body).unwrap();
    let keys: Vec<&String> = found.as_object().unwrap().keys().collect();
    assert!(keys.iter().all(|key| script.contains(&format!("\"{key}\": "))), "the script says no less: {script}");
}

#[tokio::test]
async fn the_defaults_name_the_public_host_for_every_request_host() {
    let settings = PartialConfig { public_host: Some("stoa.example.org".into()), ..PartialConfig::default() };
    let realm = Fixture::with_settings(settings).await;
    assert_eq!(defaults(&realm, "localhost").await["mqttHost"], "stoa.example.org");
    assert_eq!(defaults(&realm, "stoa.example.org").await["persistHost"], "stoa.example.org:8443");
}

#[tokio::test]
async fn persist_lists_stored_objects_sorted_by_parent() {
    let realm = Fixture::open().await;
    let issued = realm.post("/api/v1/token", "", json!({"scene": "public/lobby"})).await;
    let cookie = issued.cookie("mqtt_token=").unwrap();
    let records = realm.get("/persist/public/lobby", &cookie).await.json();
    let records = records.as_array().unwrap();
    assert!(!records.is_empty());
    let parents: Vec<_> = records.iter().map(|record| record["attributes"]["parent"].as_str()).collect();
    assert!(parents.is_sorted(), "{parents:?}");
    let options = realm.get("/persist/public/lobby?type=scene-options", &cookie).await.json();
    assert_eq!((options.as_array().unwrap().len(), &options[0]["type"]), (1, &json!("scene-options")));
    let id = records[0]["object_id"].as_str().unwrap();
    assert_eq!(realm.get(&format!("/persist/public/lobby/{id}"), &cookie).await.json()[0]["object_id"], id);
    assert_eq!(realm.get("/persist/public/lobby/nothing", &cookie).await.json(), json!([]));
}

#[tokio::test]
async fn persist_answers_401_with_a_json_string_without_read_access() {
    let realm = Fixture::open().await;
    let issued = realm.post("/api/v1/token", "", json!({"scene": "public/sandbox"})).await;
    for cookie in ["", "mqtt_token=forged", &issued.cookie("mqtt_token=").unwrap()] {
        let answer = realm.get("/persist/public/lobby", cookie).await;
        assert_eq!(answer.status.as_u16(), 401);
        assert!(answer.json().is_string(), "{answer:?}");
    }
}

#[tokio::test]
async fn persist_lists_a_missing_scene_as_empty_for_a_covering_token() {
    let realm = Fixture::open().await;
    let claims = crate::identity::claims::of_realm_owner("script", 60);
    let token = realm.app.keys.issue(&claims).unwrap();
    let answer = realm.get("/persist/alice/attic", &format!("mqtt_token={token}")).await;
    assert_eq!((answer.status.as_u16(), answer.json()), (200, json!([])));
}

/// A token by `mqtt_auth`, as the cookie.
async fn cookie_of(realm: &Fixture, session: &str, scene: &str) -> String {
    let answer =
        realm.form("/user/v2/mqtt_auth", session, &format!("client=web&username=anonymous-bob&scene={scene}")).await;
    answer.cookie("mqtt_token=").unwrap_or_else(|| panic!("{answer:?}"))
}

async fn clone(realm: &Fixture, cookie: &str, (target, order): (&str, Value)) -> (u16, Value) {
    let answer = realm.post(&format!("/persist/{target}"), cookie, order).await;
    (answer.status.as_u16(), answer.json())
}

#[tokio::test]
async fn persist_clones_into_an_editable_scene_and_empties_it() {
    let realm = Fixture::open().await;
    let session = realm.signed_in("alice", false).await;
    let alice = cookie_of(&realm, &session, "alice/copy").await;
    let order = json!({"action": "clone", "namespace": "public", "sceneId": "lobby"});
    let lobby = realm.get("/persist/public/lobby", &cookie_of(&realm, "", "public/lobby").await).await.json();
    let count = lobby.as_array().unwrap().len();
    assert_eq!(
        clone(&realm, &alice, ("alice/copy", order.clone())).await,
        (200, json!({"result": "success", "objectsCloned": count}))
    );
    let copies = realm.get("/persist/alice/copy", &alice).await.json();
    let told = |records: &Value| -> Vec<(Value, Value)> {
        let records = records.as_array().unwrap().iter();
        let mut told: Vec<_> =
            records.map(|record| (record["object_id"].clone(), record["attributes"].clone())).collect();
        told.sort_by_key(|(id, _)| id.to_string());
        told
    };
    assert_eq!(told(&copies), told(&lobby));
    assert_eq!(clone(&realm, &alice, ("alice/copy", order.clone())).await.0, 409, "it isn't empty any more");
    let mut anyway = order.clone();
    anyway["allowNonEmptyTarget"] = true.into();
    assert_eq!(clone(&realm, &alice, ("alice/copy", anyway)).await.0, 200);
    let deleted = realm.ask(axum::http::Method::DELETE, "/persist/alice/copy", (&alice, Value::Null)).await;
    assert_eq!(deleted.json(), json!({"result": "success", "deletedCount": count}));
    assert_eq!(realm.get("/persist/alice/copy", &alice).await.json(), json!([]));
}

#[tokio::test]
async fn unauthorized_or_invalid_clones_and_deletes_get_arenas_codes() {
    let realm = Fixture::open().await;
    let session = realm.signed_in("alice", false).await;
    let alice = cookie_of(&realm, &session, "alice/copy").await;
    let guest = cookie_of(&realm, "", "public/lobby").await;
    let secret = json!({"public_read": false});
    let owner = realm.signed_in("olga", true).await;
    assert_eq!(
        realm.ask(axum::http::Method::PUT, "/api/v1/scenes/olga/secret", (&owner, secret)).await.status.as_u16(),
        201
    );
    let order = |namespace: &str, scene: &str| json!({"action": "clone", "namespace": namespace, "sceneId": scene});
    for (cookie, target, order, expected) in [
        ("", "public/lobby", order("public", "sandbox"), 401),
        (&*guest, "public/lobby", order("public", "sandbox"), 401),
        (&alice, "public/lobby", order("public", "sandbox"), 401),
        (&alice, "alice/copy", json!({"action": "burn"}), 400),
        (&alice, "alice/copy", json!({"action": "clone"}), 400),
        (&alice, "alice/copy", order("olga", "secret"), 401),
        (&alice, "alice/copy", order("alice", "copy"), 404),
    ] {
        let (status, said) = clone(&realm, cookie, (target, order.clone())).await;
        assert_eq!(status, expected, "{target} {order}: {said}");
        assert!(said.is_string(), "{said}");
    }
    let builds_here = cookie_of(&realm, "", "public/sandbox").await;
    assert_eq!(
        clone(&realm, &builds_here, ("public/sandbox", order("public", "lobby"))).await.0,
        401,
        "guests have limits"
    );
    let emptied = realm.ask(axum::http::Method::DELETE, "/persist/public/sandbox", (&builds_here, Value::Null)).await;
    assert_eq!(emptied.status.as_u16(), 401);
    for cookie in ["", &guest, &alice] {
        let answer = realm.ask(axum::http::Method::DELETE, "/persist/public/lobby", (cookie, Value::Null)).await;
        assert_eq!((answer.status.as_u16(), answer.json().is_string()), (401, true));
    }
}

#[tokio::test]
async fn persist_lists_scenes_only_to_tokens_that_cover_them_all() {
    let realm = Fixture::open().await;
    let alice = cookie_of(&realm, &realm.signed_in("alice", false).await, "alice/den").await;
    let roaming = cookie_of(&realm, &realm.signed_in("bob", false).await, "").await;
    let owner = cookie_of(&realm, &realm.signed_in("olga", true).await, "public/lobby").await;
    let get = async |path: &str, cookie: &str| {
        let answer = realm.get(path, cookie).await;
        (answer.status.as_u16(), answer.json())
    };
    let all = json!(["alice/den", "public/lobby", "public/sandbox"]);
    assert_eq!(get("/persist/!allscenes", &owner).await, (200, all));
    assert_eq!(get("/persist/!allnamespaces", &owner).await, (200, json!(["alice", "public"])));
    assert_eq!(get("/persist/bob/!allscenes", &roaming).await, (200, json!([])));
    assert_eq!(get("/persist/public/!allscenes", &roaming).await, (200, json!(["public/lobby", "public/sandbox"])));
    for (path, cookie) in
        [("/persist/!allscenes", &*alice), ("/persist/!allnamespaces", ""), ("/persist/alice/!allscenes", &roaming)]
    {
        assert_eq!(get(path, cookie).await.0, 401, "{path}");
    }
    assert_eq!(get("/persist/health", "").await, (200, json!({"result": "success"})));
    realm.web.readings.spend(RequestNetwork(None), 2 * limits::READ_KIB_BURST);
    for (path, cookie) in [("/persist/!allscenes", &owner), ("/persist/public/!allscenes", &roaming)] {
        assert_eq!(get(path, cookie).await.0, 429, "{path}");
    }
}

#[tokio::test]
async fn persist_and_health_answer_503_after_the_realm_ends() {
    let mut realm = Fixture::open().await;
    let cookie = cookie_of(&realm, "", "public/lobby").await;
    assert_eq!(realm.get("/persist/public/lobby", &cookie).await.status.as_u16(), 200, "negative control");
    realm.end().await;
    assert_eq!(realm.get("/persist/public/lobby", &cookie).await.status.as_u16(), 503);
    assert_eq!(realm.get("/persist/health", "").await.status.as_u16(), 503);
    let told = realm.get("/user/v2/health", "").await;
    assert_eq!((told.status.as_u16(), &told.json()["result"]), (503, &json!("failure")));
}

#[tokio::test]
async fn both_gauth_files_name_stoa_as_the_sign_in_client() {
    let realm = Fixture::open().await;
    for path in ["/conf/gauth.json", "/conf/gauth-device.json"] {
        assert_eq!(realm.get(path, "").await.json()["installed"]["client_id"], "stoa-sign-in", "{path}");
    }
}

#[tokio::test]
async fn the_public_scene_list_omits_scenes_that_the_caller_cannot_enter() {
    let realm = Fixture::open().await;
    let owner = realm.signed_in("olga", true).await;
    let alice = realm.signed_in("alice", false).await;
    for (scene, settings) in [
        ("hidden", json!({"public_read": false})),
        ("members", json!({"anonymous_users": false})),
        ("hers", json!({"public_read": false, "viewers": ["alice"]})),
    ] {
        let made =
            realm.ask(axum::http::Method::PUT, &format!("/api/v1/scenes/public/{scene}"), (&owner, settings)).await;
        assert_eq!(made.status.as_u16(), 201);
    }
    let listed = async |cookie: &str| {
        let answer = realm.get("/persist/public/!allscenes", cookie).await;
        (answer.status.as_u16(), answer.json())
    };
    let guest = cookie_of(&realm, "", "").await;
    assert_eq!(listed(&guest).await, (200, json!(["public/lobby", "public/sandbox"])));
    let roaming = cookie_of(&realm, &alice, "").await;
    assert_eq!(
        listed(&roaming).await,
        (200, json!(["public/hers", "public/lobby", "public/members", "public/sandbox"]))
    );
    for cookie in ["", &cookie_of(&realm, &alice, "public/lobby").await] {
        assert_eq!(listed(cookie).await.0, 401);
    }
}

#[tokio::test]
async fn cloning_a_scene_is_refused_when_the_read_allowance_is_used_up() {
    let realm = Fixture::open().await;
    assert_eq!(copy(&realm, "first").await, 200, "negative control");
    realm.web.readings.spend(RequestNetwork(None), 2 * limits::READ_KIB_BURST);
    assert_eq!(copy(&realm, "second").await, 429);
}

#[tokio::test]
async fn cloning_a_scene_is_charged_by_its_size() {
    for (bytes, again) in [(100_000, 429), (0, 200)] {
        let realm = Fixture::with_readings(1, 60).await;
        let text = StoredObject {
            object_id: "text1".into(),
            type_name: "object".into(),
            attributes: json!({"object_type": "text", "value": "x".repeat(bytes)}).as_object().unwrap().clone(),
            expires_at: None,
            created_at: UnixMillis(0),
            updated_at: UnixMillis(0),
        };
        realm.app.realm.put_objects(&"public/sandbox".parse().unwrap(), "alice", vec![text]).await.unwrap();
        assert_eq!(copy(&realm, "first").await, 200);
        assert_eq!(copy(&realm, "second").await, again, "{bytes}");
    }
}

#[tokio::test]
async fn cloning_a_scene_occupies_a_read_slot_and_waits_for_a_free_one() {
    let realm = Fixture::open().await;
    let request_count_of = async |places: usize| {
        while realm.web.reading.request_count_of(&SlotHolder::Network(NetworkPrefix::Unknown)) != places {
            tokio::task::yield_now().await;
        }
    };
    tokio::select! {
        status = copy(&realm, "first") => panic!("{status} without a place"),
        () = request_count_of(1) => {}
    }
    let place = realm.web.reading.take(&RequestNetwork(None).holders()).await.unwrap();
    tokio::select! {
        status = copy(&realm, "second") => panic!("{status} in a place that somebody else has"),
        () = request_count_of(2) => {}
    }
    drop(place);
    assert_eq!(copy(&realm, "third").await, 200);
}

/// The status of a command to copy the sandbox.
async fn copy(realm: &Fixture, to: &str) -> u16 {
    let claims = crate::identity::claims::of_realm_owner("script", 60);
    let order = json!({"action": "clone", "namespace": "public", "sceneId": "sandbox"});
    let request = browser(Method::POST, &format!("/persist/public/{to}"))
        .header(header::AUTHORIZATION, format!("Bearer {}", realm.app.keys.issue(&claims).unwrap()))
        .body(Body::from(order.to_string()));
    realm.send(request.unwrap()).await.status.as_u16()
}
