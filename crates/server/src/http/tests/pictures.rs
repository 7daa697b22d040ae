//! Pictures of scenes.

use axum::body::Body;
use axum::http::{Method, header};
use serde_json::json;

use super::fixture::{Answer, Fixture, browser};
use crate::limits;

const PICTURE: &str = "/api/v1/scenes/alice/den/picture";

async fn put(realm: &Fixture, cookie: &str, bytes: Vec<u8>) -> Answer {
    let request = browser(Method::PUT, PICTURE).header(header::COOKIE, cookie).body(Body::from(bytes)).unwrap();
    realm.send(request).await
}

fn png(side: u32) -> Vec<u8> {
    [&b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"[..], &side.to_be_bytes(), &side.to_be_bytes(), &[8, 2, 0, 0, 0]].concat()
}

#[tokio::test]
async fn a_scenes_picture_is_set_by_editors_and_visible_only_with_access() {
    let realm = Fixture::open().await;
    let [alice, bob] = [realm.signed_in("alice", false).await, realm.signed_in("bob", false).await];
    let settings = json!({"public_read": false, "viewers": ["bob"]});
    realm.ask(Method::PUT, "/api/v1/scenes/alice/den", (&alice, settings)).await;
    realm.get(PICTURE, &alice).await.problem(404);
    assert_eq!(put(&realm, &alice, png(640)).await.status.as_u16(), 204);
    let seen = realm.get(PICTURE, &bob).await;
    assert_eq!((seen.status.as_u16(), seen.header(header::CONTENT_TYPE)), (200, "image/png"));
    assert_eq!(seen.header(header::X_CONTENT_TYPE_OPTIONS), "nosniff");
    assert!(seen.header(header::CONTENT_SECURITY_POLICY).contains("sandbox"));
    realm.get(PICTURE, "").await.problem(404);
    put(&realm, &bob, png(640)).await.problem(403);
    put(&realm, "", png(640)).await.problem(404);
    let listed = realm.get("/api/v1/scenes", &bob).await.json();
    let den = listed.as_array().unwrap().iter().find(|entry| entry["scene"] == "den").unwrap();
    assert_eq!(den["picture"], true);
}

#[tokio::test]
async fn a_scene_picture_with_a_wrong_format_or_size_is_refused() {
    let realm = Fixture::open().await;
    let alice = realm.signed_in("alice", false).await;
    realm.ask(Method::PUT, "/api/v1/scenes/alice/den", (&alice, json!({}))).await;
    put(&realm, &alice, b"<svg onload=alert(1)>".to_vec()).await.problem(415);
    put(&realm, &alice, png(limits::PICTURE_SIDE_MAX + 1)).await.problem(422);
    put(&realm, &alice, [png(640), vec![0; limits::PICTURE_BYTES_MAX]].concat()).await.problem(413);
    assert_eq!(put(&realm, &alice, png(limits::PICTURE_SIDE_MAX)).await.status.as_u16(), 204, "negative control");
}
