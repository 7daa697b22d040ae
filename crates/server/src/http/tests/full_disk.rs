//! A full disk stops acknowledgements, not the realm.

use axum::http::StatusCode;
use bytes::Bytes;
use serde_json::{Value, json};
use stoa_wire::packet::Code;

use super::fixture::{Fixture, PASSWORD};
use crate::claims;
use crate::loopback::{Loopback, LoopbackError};

/// Publishes a persistent object with QoS 1 and awaits its acknowledgement.
async fn publish(realm: &Fixture, id: &str, text: &str) -> Result<(), LoopbackError> {
    let claims = claims::new("script", stoa_state::grant::realm_filters(), 60);
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
async fn a_full_disk_refuses_what_must_be_stored_and_the_realm_lives_on() {
    let realm = Fixture::open().await;
    let sandbox: stoa_wire::topic::SceneName = "public/sandbox".parse().unwrap();
    publish(&realm, "before", "x").await.expect("negative control: there is room");
    realm.app.store.limit_pages(1).await.unwrap();
    let big = "x".repeat(30_000);
    let refused = publish(&realm, "during", &big).await;
    assert!(matches!(refused, Err(LoopbackError::Refused { code: Code::QUOTA_EXCEEDED, .. })), "{refused:?}");
    let records = realm.app.realm.records(sandbox.clone(), Some("before".into()), None).await.unwrap();
    assert_eq!(serde_json::from_slice::<Value>(&records).unwrap()[0]["object_id"], "before");
    assert_eq!(realm.get("/readyz", "").await.status, StatusCode::OK);
    realm.app.store.limit_pages(1_000_000).await.unwrap();
    publish(&realm, "after", &big).await.expect("there is room again");
    let stored = realm.app.store.load_scenes().await.unwrap();
    let ids = |id: &str| stored.iter().flat_map(|scene| &scene.2.objects).any(|object| object.object_id == id);
    assert!(ids("before") && ids("after") && !ids("during"));
}

#[tokio::test]
async fn a_full_disk_is_told_to_whoever_asks_by_http() {
    let realm = Fixture::open().await;
    let alice = realm.signed_in("alice", false).await;
    realm.app.store.limit_pages(1).await.unwrap();
    let editors: Vec<String> = (0..4_000).map(|number| format!("somebody-with-a-long-name-{number}")).collect();
    let put =
        realm.ask(axum::http::Method::PUT, "/api/v1/scenes/alice/den", (&alice, json!({"editors": editors}))).await;
    put.problem(507);
    let login = realm.post("/api/v1/login", "", json!({"username": "alice", "password": PASSWORD})).await;
    assert!(login.status.is_success() || login.status == StatusCode::INSUFFICIENT_STORAGE, "{login:?}");
}
