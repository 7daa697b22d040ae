//! Tokens issued under earlier settings of a scene, at the routes that take tokens.

use axum::body::Body;
use axum::http::{Method, Request, header};
use serde_json::{Value, json};

use super::fixture::{Answer, Fixture, browser};

const DEN: &str = "/api/v1/scenes/alice/den";

async fn bearing(realm: &Fixture, method: Method, (path, token): (&str, &str), body: Value) -> Answer {
    let request = Request::builder().method(method).uri(path).header(header::HOST, "localhost:8080");
    let request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
    let request = request.header(header::CONTENT_TYPE, "application/json");
    realm.send(request.body(Body::from(body.to_string())).unwrap()).await
}

async fn token(realm: &Fixture, cookie: &str, scene: &str) -> String {
    let issued = realm.post("/api/v1/token", cookie, json!({"scene": scene})).await.json();
    issued["token"].as_str().unwrap_or_else(|| panic!("{issued}")).to_owned()
}

/// Statuses for a token: the scene's snapshot, its stored objects, one of its files, its settings, and its emptying.
async fn doors(realm: &Fixture, token: &str) -> [u16; 5] {
    let status =
        async |method: Method, path: &str| bearing(realm, method, (path, token), Value::Null).await.status.as_u16();
    [
        status(Method::GET, &format!("{DEN}/snapshot")).await,
        status(Method::GET, "/persist/alice/den").await,
        status(Method::GET, "/store/users/alice/scenes/den/cup.txt").await,
        status(Method::GET, DEN).await,
        status(Method::DELETE, "/persist/alice/den").await,
    ]
}

#[tokio::test]
async fn an_earlier_token_grants_no_more_than_the_current_settings() {
    let realm = Fixture::open().await;
    let [alice, bob] = [realm.signed_in("alice", false).await, realm.signed_in("bob", false).await];
    let owner = realm.signed_in("olga", true).await;
    let set = async |settings: Value| realm.ask(Method::PUT, DEN, (&alice, settings)).await.status.as_u16();
    assert_eq!(set(json!({"editors": ["bob"]})).await, 201);
    let file = browser(Method::PUT, "/api/v1/store/users/alice/scenes/den/cup.txt").header(header::COOKIE, &alice);
    assert_eq!(realm.send(file.body(Body::from("tea")).unwrap()).await.status.as_u16(), 201);
    let tokens = [
        token(&realm, &bob, "alice/den").await,
        token(&realm, "", "alice/den").await,
        token(&realm, &alice, "alice/den").await,
        token(&realm, &owner, "alice/den").await,
    ];
    let all = async || {
        let mut seen = Vec::new();
        for token in &tokens {
            seen.push(doors(&realm, token).await);
        }
        seen
    };
    let (builds, looks, none) = ([200; 5], [200, 200, 200, 200, 401], [404, 401, 404, 404, 401]);
    assert_eq!(all().await, [builds, looks, builds, builds], "bob, a guest, alice, the realm's owner");
    assert_eq!(set(json!({})).await, 200);
    assert_eq!(all().await, [looks, looks, builds, builds], "bob builds no more");
    assert_eq!(set(json!({"anonymous_users": false, "public_read": false})).await, 200);
    assert_eq!(all().await, [none, none, builds, builds], "nobody else may enter");
}

#[tokio::test]
async fn only_tokens_of_the_realms_owner_are_marked_as_issued_by_the_realm() {
    let realm = Fixture::open().await;
    let [alice, owner] = [realm.signed_in("alice", false).await, realm.signed_in("olga", true).await];
    let given = |token: &str| realm.app.keys.verify(token).unwrap().by_realm;
    let by_owner = token(&realm, &owner, "public/lobby").await;
    assert!(given(&by_owner));
    assert!(!given(&token(&realm, &alice, "public/lobby").await));
    assert!(!given(&token(&realm, "", "public/lobby").await));
    let passed_on =
        bearing(&realm, Method::POST, ("/api/v1/token", &by_owner), json!({"scene": "public/lobby"})).await.json();
    assert!(given(passed_on["token"].as_str().unwrap()), "of a token that the realm gave, so is the next");
    for (cookie, scene, expected) in [
        (&owner, "scene=public%2Flobby&", true),
        (&owner, "", true),
        (&alice, "scene=public%2Flobby&", false),
        (&alice, "", false),
    ] {
        let answer = realm.form("/user/v2/mqtt_auth", cookie, &format!("{scene}client=web")).await.json();
        assert_eq!(given(answer["token"].as_str().unwrap_or_else(|| panic!("{answer}"))), expected, "{scene}");
    }
}
