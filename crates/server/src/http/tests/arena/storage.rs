//! ARENA's file store.

use axum::body::{Body, Bytes};
use axum::http::{Method, header};
use std::convert::Infallible;

use super::super::fixture::{Answer, Fixture, browser};

async fn x_auth(realm: &Fixture, session: &str) -> String {
    let answer = realm.get("/user/v2/storelogin", session).await;
    let cookie = answer.cookie("auth=").unwrap();
    assert!(!answer.header(header::SET_COOKIE).contains("HttpOnly"), "ARENA's pages read it");
    cookie.trim_start_matches("auth=").to_owned()
}

async fn upload(realm: &Fixture, path: &str, x_auth: &str) -> Answer {
    let pieces = ["quack ", "quack"].map(|piece| Ok::<_, Infallible>(Bytes::from(piece)));
    let request = browser(Method::POST, &format!("/storemng/api/resources/{path}"))
        .header("x-auth", x_auth)
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
    realm.send(request.body(Body::from_stream(futures_util::stream::iter(pieces))).unwrap()).await
}

#[tokio::test]
async fn a_file_is_uploaded_in_pieces_and_found_where_arena_looks() {
    let realm = Fixture::open().await;
    let session = realm.signed_in("alice", false).await;
    let pass = x_auth(&realm, &session).await;
    let answer = upload(&realm, "scenes/den/my%20duck.glb?override=true", &pass).await;
    assert_eq!((answer.status.as_u16(), answer.body.is_empty()), (200, false));
    let read = realm.get("/store/users/alice/scenes/den/my%20duck.glb", &session).await;
    assert_eq!(&read.body[..], b"quack quack");
    assert_eq!(upload(&realm, "scenes/den/my%20duck.glb", &pass).await.status.as_u16(), 409);
    assert_eq!(upload(&realm, "scenes/den/my%20duck.glb?override=true", &pass).await.status.as_u16(), 200);
    assert_eq!(upload(&realm, "scenes/den/", &pass).await.status.as_u16(), 200, "a folder");
}

#[tokio::test]
async fn the_owner_of_the_realm_names_the_whole_path_and_others_stay_in_their_own() {
    let realm = Fixture::open().await;
    let owner = x_auth(&realm, &realm.signed_in("olga", true).await).await;
    assert_eq!(upload(&realm, "users/alice/a.glb?override=true", &owner).await.status.as_u16(), 200);
    let alice = x_auth(&realm, &realm.signed_in("alice", false).await).await;
    assert_eq!(upload(&realm, "users/olga/a.glb?override=true", &alice).await.status.as_u16(), 200);
    assert_eq!(realm.get("/store/users/olga/a.glb", "").await.status.as_u16(), 404);
    assert_eq!(realm.get("/store/users/alice/users/olga/a.glb", "").await.status.as_u16(), 200);
    assert_eq!(upload(&realm, "scenes/%2e%2e/%2e%2e/a?override=true", &alice).await.status.as_u16(), 400);
}

#[tokio::test]
async fn without_a_pass_nothing_is_uploaded() {
    let realm = Fixture::open().await;
    let session = realm.signed_in("alice", false).await;
    let token = realm.form("/user/v2/mqtt_auth", &session, "client=web&scene=alice/den").await;
    for other in ["", "a.b.c", token.json()["token"].as_str().unwrap()] {
        assert_eq!(upload(&realm, "a.glb?override=true", other).await.status.as_u16(), 401);
    }
    let guest = realm.get("/user/v2/storelogin", "").await;
    assert!(guest.header(header::SET_COOKIE).contains("Max-Age=0"), "{guest:?}");
}
