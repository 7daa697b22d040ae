//! A full disk stops acknowledgements, not the realm.

use axum::http::{Method, StatusCode};
use bytes::Bytes;
use serde_json::{Value, json};
use stoa_wire::packet::ReasonCode;

use super::fixture::{Fixture, PASSWORD};
use super::loopback::{Loopback, LoopbackError};
use crate::identity::claims;

/// Publishes a persistent object with QoS 1 and awaits its acknowledgement.
async fn publish(realm: &Fixture, id: &str, text: &str) -> Result<(), LoopbackError> {
    let claims = claims::of_realm_owner("script", 60);
    let token = realm.app.keys.issue(&claims).unwrap();
    let topic = format!("realm/s/public/sandbox/o/script/{id}");
    let data = json!({"object_type": "text", "value": text});
    let message = json!({"object_id": id, "action": "create", "type": "object", "persist": true, "data": data});
    Loopback::with(&realm.app.intake, ("script", "script", token), async |client| {
        client.publish(&topic, Bytes::from(message.to_string())).await
    })
    .await
}

#[tokio::test]
async fn a_full_disk_refuses_publishes_and_the_realm_keeps_running() {
    let realm = Fixture::open().await;
    let sandbox: stoa_wire::topic::SceneName = "public/sandbox".parse().unwrap();
    publish(&realm, "before", "x").await.expect("negative control: there is room");
    realm.app.store.limit_pages(1).await.unwrap();
    let big = "x".repeat(30_000);
    let refused = publish(&realm, "during", &big).await;
    assert!(matches!(refused, Err(LoopbackError::Refused { code: ReasonCode::QUOTA_EXCEEDED, .. })), "{refused:?}");
    let records = realm.app.realm.records(sandbox.clone(), Some("before".into()), None).await.unwrap();
    assert_eq!(serde_json::from_slice::<Value>(&records.to_json()).unwrap()[0]["object_id"], "before");
    assert_eq!(realm.get("/readyz", "").await.status, StatusCode::OK);
    realm.app.store.limit_pages(1_000_000).await.unwrap();
    publish(&realm, "after", &big).await.expect("there is room again");
    let stored = realm.app.store.load_scenes().await.unwrap();
    let ids = |id: &str| stored.iter().flat_map(|scene| &scene.2.objects).any(|object| object.object_id == id);
    assert!(ids("before") && ids("after") && !ids("during"));
}

#[tokio::test]
async fn an_http_write_on_a_full_disk_gets_507() {
    let realm = Fixture::open().await;
    let alice = realm.signed_in("alice", false).await;
    realm.app.store.limit_pages(1).await.unwrap();
    let editors: Vec<String> = (0..4_000).map(|number| format!("somebody-with-a-long-name-{number}")).collect();
    let put = realm.ask(Method::PUT, "/api/v1/scenes/alice/den", (&alice, json!({"editors": editors}))).await;
    put.problem(507);
    let login = realm.post("/api/v1/login", "", json!({"username": "alice", "password": PASSWORD})).await;
    assert!(login.status.is_success() || login.status == StatusCode::INSUFFICIENT_STORAGE, "{login:?}");
}

#[tokio::test]
async fn a_reset_or_clone_on_a_full_disk_gets_507() {
    let realm = Fixture::open().await;
    let owner = realm.signed_in("olga", true).await;
    let script = realm.app.keys.issue(&claims::of_realm_owner("script", 60)).unwrap();
    let script = format!("mqtt_token={script}");
    let order = json!({"action": "clone", "namespace": "public", "sceneId": "lobby", "allowNonEmptyTarget": true});
    let reset = async || realm.post("/api/v1/scenes/public/sandbox/reset", &owner, Value::Null).await;
    let clone = async || realm.post("/persist/public/sandbox", &script, order.clone()).await.status;
    assert_eq!(reset().await.status, StatusCode::NO_CONTENT, "negative control: there is room");
    realm.app.store.limit_pages(1).await.unwrap();
    // Free space inside existing database pages is used up first.
    publish(&realm, "big", &"x".repeat(30_000)).await.expect_err("there is no room");
    reset().await.problem(507);
    assert_eq!(clone().await, StatusCode::INSUFFICIENT_STORAGE);
    realm.app.store.limit_pages(1_000_000).await.unwrap();
    assert_eq!((reset().await.status, clone().await), (StatusCode::NO_CONTENT, StatusCode::OK));
}
