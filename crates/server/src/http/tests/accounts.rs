//! Signing in, signing out, the first owner.

use axum::http::{Method, StatusCode, header};
use serde_json::{Value, json};

use super::fixture::{Fixture, PASSWORD};
use crate::accounts::owner_link;
use crate::limits;

#[tokio::test]
async fn the_owner_link_makes_one_owner_who_is_signed_in() {
    let realm = Fixture::open().await;
    let secret = owner_link::renew(&realm.app.store).await.unwrap().expect("nobody owns the realm yet");
    let before = realm.get("/api/v1/me", "").await.json();
    assert_eq!(before, json!({"username": null, "owner": false, "owner_exists": false}));
    let wish = |name: &str| json!({"secret": secret, "username": name, "password": PASSWORD});
    let made = realm.post("/api/v1/owner", "", wish("alice")).await;
    assert_eq!(made.status, StatusCode::OK);
    let cookie = made.cookie("stoa-8080=").expect("a cookie with the port in its name");
    let me = realm.get("/api/v1/me", &cookie).await.json();
    assert_eq!(me, json!({"username": "alice", "owner": true, "owner_exists": true}));
    realm.post("/api/v1/owner", "", wish("bob")).await.problem(403);
}

#[tokio::test]
async fn a_wrong_owner_secret_is_refused_and_not_repeated() {
    let realm = Fixture::open().await;
    owner_link::renew(&realm.app.store).await.unwrap();
    let wish = json!({"secret": "guessed-secret", "username": "mallory", "password": PASSWORD});
    let detail = realm.post("/api/v1/owner", "", wish).await.problem(403);
    assert!(!detail.contains("guessed-secret") && !detail.contains(PASSWORD), "{detail}");
}

#[tokio::test]
async fn guesses_do_not_keep_the_owner_out() {
    let realm = Fixture::open().await;
    let secret = owner_link::renew(&realm.app.store).await.unwrap().expect("nobody owns the realm yet");
    let wish = |secret: &str| json!({"secret": secret, "username": "alice", "password": PASSWORD});
    for _ in 0..limits::LOGIN_FAILURES_PER_NAME_MAX {
        realm.post("/api/v1/owner", "", wish("guessed")).await.problem(403);
    }
    assert_eq!(realm.post("/api/v1/owner", "", wish(&secret)).await.status, StatusCode::OK);
}

#[tokio::test]
async fn the_cookie_is_for_this_door_alone_and_no_script_reads_it() {
    let realm = Fixture::open().await;
    realm.signed_in("alice", false).await;
    let login = json!({"username": "alice", "password": PASSWORD});
    let answer = realm.post("/api/v1/login", "", login).await;
    let cookie = answer.header(header::SET_COOKIE);
    for part in ["stoa-8080=", "HttpOnly", "SameSite=Strict", "Path=/"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert!(!cookie.contains("Secure"), "plain HTTP on loopback could not send it back: {cookie}");
}

#[tokio::test]
async fn signing_out_ends_the_session_on_the_server_too() {
    let realm = Fixture::open().await;
    let cookie = realm.signed_in("alice", false).await;
    assert_eq!(realm.get("/api/v1/me", &cookie).await.json()["username"], "alice");
    assert_eq!(realm.post("/api/v1/logout", &cookie, Value::Null).await.status, StatusCode::NO_CONTENT);
    assert_eq!(realm.get("/api/v1/me", &cookie).await.json()["username"], Value::Null);
}

#[tokio::test]
async fn too_many_wrong_passwords_are_answered_with_when_to_come_back() {
    let realm = Fixture::open().await;
    realm.signed_in("alice", false).await;
    let guess = json!({"username": "alice", "password": "wrong horse"});
    for _ in 0..limits::LOGIN_FAILURES_HERE_MAX {
        let detail = realm.post("/api/v1/login", "", guess.clone()).await.problem(401);
        assert!(!detail.contains("wrong horse"));
    }
    let answer = realm.post("/api/v1/login", "", guess).await;
    answer.problem(429);
    assert!(answer.header(header::RETRY_AFTER).parse::<u64>().unwrap() > 0);
}

#[tokio::test]
async fn a_body_that_is_wrong_is_told_what_is_wrong_without_its_values() {
    let realm = Fixture::open().await;
    let login = |body: Value| realm.post("/api/v1/login", "", body);
    let detail = login(json!({"username": "alice", "password": 12_345_678})).await.problem(400);
    assert!(!detail.contains("12345678"), "{detail}");
    let detail = login(json!({"username": "alice"})).await.problem(400);
    assert!(detail.contains("missing field `password`"), "{detail}");
    let detail = login(Value::from("x".repeat(limits::JSON_BYTES_MAX))).await.problem(413);
    assert!(detail.contains(&limits::JSON_BYTES_MAX.to_string()), "{detail}");
    let detail = realm.ask(Method::POST, "/api/v1/login", ("", Value::Null)).await.problem(400);
    assert!(detail.contains("not JSON"), "{detail}");
}
