//! People's own accounts: creation, password change, reset, deletion.

use axum::http::Method;
use futures_util::future::join_all;
use serde_json::{Value, json};

use super::fixture::{Answer, Fixture, PASSWORD};
use crate::config::PartialConfig;
use crate::limits;

async fn realm(mode: &str) -> Fixture {
    Fixture::with_settings(PartialConfig { accounts: Some(mode.into()), ..PartialConfig::default() }).await
}

fn wish(name: &str) -> Value {
    json!({"username": name, "password": PASSWORD})
}

fn with(mut wish: Value, key: &str, value: &Value) -> Value {
    wish[key] = value.clone();
    wish
}

async fn join(realm: &Fixture, wish: Value) -> Answer {
    realm.post("/api/v1/accounts", "", wish).await
}

async fn invitation(realm: &Fixture, uses_max: Value) -> Value {
    let olga = realm.signed_in("olga", true).await;
    let wish = json!({"role": "editor", "lasts_s": 3_600, "uses_max": uses_max});
    realm.post("/api/v1/scenes/public/lobby/invitations", &olga, wish).await.json()["secret"].clone()
}

#[tokio::test]
async fn accounts_can_be_created_freely_only_in_an_open_realm() {
    let open = realm("open").await;
    let made = join(&open, wish("alice")).await;
    assert_eq!(made.status.as_u16(), 201);
    let cookie = made.cookie("stoa-8080=").expect("signed in");
    let me = open.get("/api/v1/me", &cookie).await.json();
    assert_eq!((&me["username"], &me["owner"], &me["accounts"]), (&json!("alice"), &json!(false), &json!("open")));
    let mine = open.ask(Method::PUT, "/api/v1/scenes/alice/den", (&cookie, json!({}))).await;
    assert_eq!(mine.status.as_u16(), 201, "its own namespace");
    join(&open, wish("Alice")).await.problem(409);
    join(&open, wish("public")).await.problem(422);
    for mode in ["invited", "closed"] {
        let refused = join(&realm(mode).await, wish("alice")).await;
        refused.problem(403);
        assert_eq!(refused.json()["reason"], "accounts_closed");
    }
}

#[tokio::test]
async fn an_invitation_creates_accounts_up_to_its_uses_unless_the_realm_is_closed() {
    let invited = realm("invited").await;
    let secret = invitation(&invited, json!(1)).await;
    join(&invited, with(wish("alice"), "invitation", &json!("guessed"))).await.problem(410);
    let made = join(&invited, with(wish("alice"), "invitation", &secret)).await;
    assert_eq!(made.status.as_u16(), 201);
    let cookie = made.cookie("stoa-8080=").unwrap();
    let token = invited.post("/api/v1/token", &cookie, json!({"scene": "public/lobby"})).await.json();
    assert_eq!(token["role"], "editor", "it has redeemed it");
    let refused = join(&invited, with(wish("bob"), "invitation", &secret)).await;
    refused.problem(410);
    assert_eq!(refused.json()["reason"], "link_used_up");
    assert!(invited.app.store.account("bob").await.unwrap().is_none());
    let closed = realm("closed").await;
    let secret = invitation(&closed, Value::Null).await;
    join(&closed, with(wish("alice"), "invitation", &secret)).await.problem(403);
}

#[tokio::test]
async fn account_creation_attempts_are_rate_limited() {
    let realm = realm("open").await;
    let wishes = limits::JOINS_BURST / limits::JOIN_COST + 20;
    // An invalid name is refused before its password is hashed, but still charged.
    let mut last = 0;
    for _ in 0..wishes {
        last = join(&realm, wish("no name")).await.status.as_u16();
    }
    assert_eq!(last, 429);
}

#[tokio::test]
async fn a_guessed_account_link_is_refused_before_hashing_the_password() {
    let closed = realm("closed").await;
    let guessed = join(&closed, with(wish("alice"), "link", &json!("guessed"))).await;
    guessed.problem(410);
    assert_eq!(guessed.json()["reason"], "link_void");
    assert_eq!(closed.app.hashing.kept(), 0, "nothing was hashed");
    let open = realm("open").await;
    assert_eq!(join(&open, wish("alice")).await.status.as_u16(), 201);
    assert_eq!(open.app.hashing.kept(), 1, "negative control: where passwords are hashed");
}

#[tokio::test]
async fn concurrent_account_creations_cannot_exceed_the_rate_limit() {
    let closed = realm("closed").await;
    let guess = with(wish("alice"), "link", &json!("guessed"));
    let may = limits::JOINS_BURST / limits::JOIN_COST;
    let answers = join_all((0..may + 20).map(|_| join(&closed, guess.clone()))).await;
    let passed = answers.iter().filter(|answer| answer.status.as_u16() != 429).count();
    assert!(passed as u32 <= may + 1, "{passed}");
}

#[tokio::test]
async fn a_used_up_invitation_does_not_reveal_which_names_are_taken() {
    let realm = realm("invited").await;
    let secret = invitation(&realm, json!(1)).await;
    assert_eq!(join(&realm, with(wish("bob"), "invitation", &secret)).await.status.as_u16(), 201);
    for name in ["olga", "bob", "nobody"] {
        let refused = join(&realm, with(wish(name), "invitation", &secret)).await;
        refused.problem(410);
        assert_eq!(refused.json()["reason"], "link_used_up", "{name}");
    }
}

#[tokio::test]
async fn concurrent_deletions_cannot_remove_the_last_owner() {
    let realm = realm("open").await;
    let (olga, otto) = (realm.signed_in("olga", true).await, realm.signed_in("otto", true).await);
    let delete = |cookie| realm.post("/api/v1/account/delete", cookie, json!({"password": PASSWORD}));
    let (one, other) = tokio::join!(delete(&olga), delete(&otto));
    let mut said = [one.status.as_u16(), other.status.as_u16()];
    said.sort_unstable();
    assert_eq!(said, [204, 409]);
    assert!(realm.app.store.owner_exists().await.unwrap());
}

#[tokio::test]
async fn a_password_change_needs_the_old_password_and_ends_other_sessions() {
    let realm = realm("open").await;
    let first = realm.signed_in("alice", false).await;
    let again = realm.post("/api/v1/login", "", wish("alice")).await;
    let second = again.cookie("stoa-8080=").unwrap();
    let token = realm.post("/api/v1/token", &second, json!({"scene": "public/lobby"})).await.json();
    let change = |old: &str| json!({"old": old, "new": "battery staple"});
    realm.post("/api/v1/account/password", "", change(PASSWORD)).await.problem(401);
    realm.post("/api/v1/account/password", &first, change("wrong horse")).await.problem(401);
    realm.post("/api/v1/account/password", &first, json!({"old": PASSWORD, "new": "short"})).await.problem(422);
    let changed = realm.post("/api/v1/account/password", &first, change(PASSWORD)).await;
    assert_eq!(changed.status.as_u16(), 200);
    let fresh = changed.cookie("stoa-8080=").expect("this browser stays signed in, by a new cookie");
    let who = async |cookie: &str| realm.get("/api/v1/me", cookie).await.json()["username"].clone();
    assert_eq!([who(&first).await, who(&second).await, who(&fresh).await], [Value::Null, Value::Null, json!("alice")]);
    assert!(realm.app.keys.verify(token["token"].as_str().unwrap()).is_err(), "its tokens are void");
    let login = |password: &str| json!({"username": "alice", "password": password});
    realm.post("/api/v1/login", "", login(PASSWORD)).await.problem(401);
    assert_eq!(realm.post("/api/v1/login", "", login("battery staple")).await.status.as_u16(), 200);
}

#[tokio::test]
async fn password_guesses_with_a_stolen_cookie_are_rate_limited() {
    let realm = realm("open").await;
    let cookie = realm.signed_in("alice", false).await;
    let guess = json!({"old": "guess", "new": "battery staple"});
    for _ in 0..limits::LOGIN_FAILURES_HERE_MAX {
        realm.post("/api/v1/account/password", &cookie, guess.clone()).await.problem(401);
    }
    realm.post("/api/v1/account/password", &cookie, guess).await.problem(429);
    realm.post("/api/v1/account/delete", &cookie, json!({"password": PASSWORD})).await.problem(429);
}

#[tokio::test]
async fn an_account_link_resets_a_password_or_creates_an_account_once() {
    let realm = realm("closed").await;
    let (alice, olga) = (realm.signed_in("alice", false).await, realm.signed_in("olga", true).await);
    realm.post("/api/v1/account-links", &alice, json!({"username": "alice"})).await.problem(403);
    realm.post("/api/v1/account-links", &olga, json!({"username": "nobody"})).await.problem(404);
    let link = realm.post("/api/v1/account-links", &olga, json!({"username": "alice"})).await.json();
    let reset = async |secret: &Value, password: &str| {
        realm.post("/api/v1/account/reset", "", json!({"secret": secret, "password": password})).await
    };
    reset(&json!("guessed"), "battery staple").await.problem(410);
    reset(&link["secret"], "short").await.problem(422);
    let done = reset(&link["secret"], "battery staple").await;
    assert_eq!(done.json()["username"], "alice");
    assert_eq!(realm.get("/api/v1/me", &alice).await.json()["username"], Value::Null, "whoever was in is out");
    reset(&link["secret"], "another horse").await.problem(410);
    let link = realm.post("/api/v1/account-links", &olga, json!({})).await.json();
    reset(&link["secret"], "another horse").await.problem(410);
    let made = join(&realm, with(wish("bob"), "link", &link["secret"])).await;
    assert_eq!(made.status.as_u16(), 201, "a closed realm takes whom its owner sends");
    join(&realm, with(wish("carla"), "link", &link["secret"])).await.problem(410);
}

#[tokio::test]
async fn deleting_an_account_removes_its_scenes_and_reserves_its_name() {
    let realm = realm("open").await;
    let cookie = realm.signed_in("alice", false).await;
    realm.ask(Method::PUT, "/api/v1/scenes/alice/den", (&cookie, json!({}))).await;
    let belongings = realm.get("/api/v1/account", &cookie).await.json();
    let told = json!({"username": "alice", "scenes": ["alice/den"], "files": 0, "is_last_owner": false});
    assert_eq!(belongings, told);
    realm.post("/api/v1/account/delete", &cookie, json!({"password": "wrong horse"})).await.problem(401);
    let gone = realm.post("/api/v1/account/delete", &cookie, json!({"password": PASSWORD})).await;
    assert_eq!(gone.status.as_u16(), 204);
    assert_eq!(realm.get("/api/v1/me", &cookie).await.json()["username"], Value::Null);
    assert!(realm.app.store.scene(&"alice/den".parse().unwrap()).await.unwrap().is_none());
    assert_eq!(join(&realm, wish("alice")).await.problem(409), "the name \"alice\" is taken");
    let olga = realm.signed_in("olga", true).await;
    let kept = realm.post("/api/v1/account/delete", &olga, json!({"password": PASSWORD})).await;
    kept.problem(409);
    assert_eq!(kept.json()["reason"], "last_owner");
}
