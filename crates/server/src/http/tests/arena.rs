//! What ARENA's programs ask of a host.

use axum::body::Body;
use axum::http::{Request, header};
use serde_json::{Value, json};

use super::fixture::Fixture;
use crate::config::Settings;

async fn defaults(realm: &Fixture, host: &str) -> Value {
    let request = Request::get("/conf/defaults.json").header(header::HOST, host).body(Body::empty()).unwrap();
    realm.send(request).await.json()["ARENADefaults"].clone()
}

#[tokio::test]
async fn the_defaults_name_the_host_that_was_asked() {
    let realm = Fixture::open().await;
    let found = defaults(&realm, "realm.local:8080").await;
    assert_eq!((&found["mqttHost"], &found["persistHost"]), (&json!("realm.local"), &json!("realm.local:8443")));
    assert_eq!((&found["persistPath"], &found["latencyTopic"]), (&json!("/persist/"), &json!("$NETWORK/latency")));
    let found = defaults(&realm, "[::1]:8080").await;
    assert_eq!((&found["mqttHost"], &found["persistHost"]), (&json!("::1"), &json!("[::1]:8443")));
    let script = realm.get("/conf/defaults.js", "").await;
    let text = String::from_utf8(script.body.clone()).unwrap();
    assert!(text.starts_with("const ARENADefaults = {") && text.contains(r#""mqttHost": "localhost:8443""#), "{text}");
    assert_eq!(script.header(header::CONTENT_TYPE), "text/javascript; charset=utf-8");
}

#[tokio::test]
async fn a_public_host_is_named_to_everybody() {
    let settings = Settings { public_host: Some("stoa.example.org".into()), ..Settings::default() };
    let realm = Fixture::with_settings(settings).await;
    assert_eq!(defaults(&realm, "localhost").await["mqttHost"], "stoa.example.org");
    assert_eq!(defaults(&realm, "stoa.example.org").await["persistHost"], "stoa.example.org:8443");
}

#[tokio::test]
async fn persist_lists_stored_objects_below_their_parents() {
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
async fn persist_answers_without_a_right_as_arena_does() {
    let realm = Fixture::open().await;
    let issued = realm.post("/api/v1/token", "", json!({"scene": "public/sandbox"})).await;
    for cookie in ["", "mqtt_token=forged", &issued.cookie("mqtt_token=").unwrap()] {
        let answer = realm.get("/persist/public/lobby", cookie).await;
        assert_eq!(answer.status.as_u16(), 401);
        assert!(answer.json().is_string(), "{answer:?}");
    }
}

#[tokio::test]
async fn a_scene_that_nobody_made_is_empty_to_a_token_that_covers_it() {
    let realm = Fixture::open().await;
    let claims = crate::claims::new("script", stoa_state::grant::realm_filters(), 60);
    let token = realm.app.keys.issue(&claims).unwrap();
    let answer = realm.get("/persist/alice/attic", &format!("mqtt_token={token}")).await;
    assert_eq!((answer.status.as_u16(), answer.json()), (200, json!([])));
}
