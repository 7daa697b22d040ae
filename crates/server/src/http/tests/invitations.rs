//! Invitations: creation by an owner, redemption, expiry, revocation.

use axum::http::{Method, Request, header};
use serde_json::{Value, json};
use sqlx::SqlitePool;
use sqlx::sqlite::SqliteConnectOptions;
use stoa_state::grant::{Invitation, Role, SceneSettings};
use stoa_state::time::UnixSeconds;
use stoa_wire::topic::SceneName;

use super::fixture::{Answer, Fixture};
use crate::identity::accounts::secret;
use crate::limits;
use crate::os::clock;
use crate::scenes::expiry;
use crate::store::{InvitationRow, Redeemer};

const DEN: &str = "/api/v1/scenes/alice/den";

/// A private scene of alice's, and her cookie.
async fn den(realm: &Fixture) -> String {
    let alice = realm.signed_in("alice", false).await;
    let made = realm.ask(Method::PUT, DEN, (&alice, json!({"public_read": false}))).await;
    assert_eq!(made.status.as_u16(), 201);
    alice
}

async fn invite(realm: &Fixture, cookie: &str, wish: Value) -> Value {
    let made = realm.post(&format!("{DEN}/invitations"), cookie, wish).await;
    assert_eq!(made.status.as_u16(), 201, "{made:?}");
    made.json()
}

async fn redeem(realm: &Fixture, cookie: &str, invitation: &Value) -> Answer {
    realm.post("/api/v1/invitations/redeem", cookie, json!({"secret": invitation["secret"]})).await
}

async fn enter(realm: &Fixture, cookie: &str) -> Answer {
    realm.post("/api/v1/token", cookie, json!({"scene": "alice/den"})).await
}

fn editor() -> Value {
    json!({"role": "editor", "lasts_s": 3_600})
}

fn reason(answer: &Answer) -> String {
    answer.json()["reason"].as_str().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn a_redeemed_invitation_gives_a_guest_its_role_until_it_expires() {
    let realm = Fixture::open().await;
    let alice = den(&realm).await;
    enter(&realm, "").await.problem(404);
    let invitation = invite(&realm, &alice, editor()).await;
    let redeemed = redeem(&realm, "", &invitation).await;
    assert_eq!(redeemed.json(), json!({"scene": "alice/den", "role": "editor", "ends_at": invitation["ends_at"]}));
    let guest = redeemed.cookie("stoa-guest-8080=").expect("its browser is known again");
    let token = enter(&realm, &guest).await.json();
    assert_eq!((&token["role"], &token["guest"]), (&json!("editor"), &json!(true)));
    assert!(token["expires_at"].as_u64() <= invitation["ends_at"].as_u64(), "{token}");
    let claims = realm.app.keys.verify(token["token"].as_str().unwrap()).unwrap();
    assert!(!claims.publ.iter().any(|filter| filter.as_str().starts_with("realm/g")), "no guest reaches a runtime");
    enter(&realm, "").await.problem(404);
}

#[tokio::test]
async fn an_accounts_role_by_invitation_is_unlisted_and_ends_on_revocation() {
    let realm = Fixture::open().await;
    let alice = den(&realm).await;
    let bob = realm.signed_in("bob", false).await;
    let invitation = invite(&realm, &alice, editor()).await;
    assert!(redeem(&realm, &bob, &invitation).await.cookie("stoa-guest-8080=").is_none());
    assert_eq!(enter(&realm, &bob).await.json()["role"], "editor");
    let editors = realm.get(DEN, &alice).await.json()["editors"].clone();
    assert_eq!(editors, json!([]));
    let id = invitation["id"].as_str().unwrap();
    let gone = realm.ask(Method::DELETE, &format!("{DEN}/invitations/{id}"), (&alice, Value::Null)).await;
    assert_eq!(gone.status.as_u16(), 204);
    for answer in [enter(&realm, &bob).await, redeem(&realm, &bob, &invitation).await] {
        answer.problem(410);
        assert_eq!(reason(&answer), "link_revoked");
    }
}

#[tokio::test]
async fn an_ended_invitation_is_reported_only_to_its_redeemers() {
    let realm = Fixture::open().await;
    let alice = den(&realm).await;
    let invitation = invite(&realm, &alice, editor()).await;
    let guest = redeem(&realm, "", &invitation).await.cookie("stoa-guest-8080=").unwrap();
    assert_eq!(enter(&realm, &guest).await.status.as_u16(), 200);
    let id = invitation["id"].as_str().unwrap();
    realm.ask(Method::DELETE, &format!("{DEN}/invitations/{id}"), (&alice, Value::Null)).await;
    let told = enter(&realm, &guest).await;
    told.problem(410);
    assert_eq!(reason(&told), "link_revoked");

    let bob = realm.signed_in("bob", false).await;
    let ends = UnixSeconds(clock::unix_now().0 - 1);
    let row = InvitationRow { id: "old".into(), scene: "alice/den".parse().unwrap(), uses_max: None, ends };
    realm.app.store.add_invitation(&secret::hash("old secret"), &row).await.unwrap();
    assert!(realm.app.store.use_invitation("old", Redeemer { who: "bob", before: None }).await.unwrap());
    let told = enter(&realm, &bob).await;
    told.problem(410);
    assert_eq!(reason(&told), "link_expired");

    for stranger in [String::new(), realm.signed_in("carol", false).await] {
        let answer = enter(&realm, &stranger).await;
        answer.problem(404);
        assert_eq!(reason(&answer), "");
    }
}

#[tokio::test]
async fn a_used_up_expired_or_guessed_invitation_is_refused_with_a_reason() {
    let realm = Fixture::open().await;
    let alice = den(&realm).await;
    let once = invite(&realm, &alice, json!({"role": "viewer", "lasts_s": 3_600, "uses_max": 1})).await;
    let first = redeem(&realm, "", &once).await;
    let guest = first.cookie("stoa-guest-8080=").unwrap();
    let second = redeem(&realm, "", &once).await;
    second.problem(410);
    assert_eq!(reason(&second), "link_used_up");
    let again = redeem(&realm, &guest, &once).await;
    assert_eq!(again.status.as_u16(), 200, "whoever has used it opens it again");
    let guess = redeem(&realm, "", &json!({"secret": "x".repeat(43)})).await;
    guess.problem(410);
    assert_eq!(reason(&guess), "link_unknown");

    let row = InvitationRow {
        id: "old".into(),
        scene: "alice/den".parse().unwrap(),
        uses_max: None,
        ends: UnixSeconds(clock::unix_now().0 - 1),
    };
    realm.app.store.add_invitation(&secret::hash("old secret"), &row).await.unwrap();
    let ended = redeem(&realm, "", &json!({"secret": "old secret"})).await;
    ended.problem(410);
    assert_eq!(reason(&ended), "link_expired");
}

#[tokio::test]
async fn redeeming_an_invitation_gives_the_role_to_a_new_guest_identity() {
    let realm = Fixture::open().await;
    let alice = den(&realm).await;
    let lobby = realm.post("/api/v1/token", "", json!({"scene": "public/lobby"})).await;
    let planted = lobby.cookie("stoa-guest-8080=").expect("each guest's browser is told from others");
    let invitation = invite(&realm, &alice, editor()).await;
    let redeemed = redeem(&realm, &planted, &invitation).await.cookie("stoa-guest-8080=").unwrap();
    assert_ne!(redeemed, planted);
    assert_eq!(enter(&realm, &redeemed).await.json()["role"], "editor");
    enter(&realm, &planted).await.problem(404);
    let other = invite(&realm, &alice, json!({"role": "viewer", "lasts_s": 60})).await;
    let both = redeem(&realm, &redeemed, &other).await.cookie("stoa-guest-8080=").unwrap();
    assert_eq!(enter(&realm, &both).await.json()["role"], "editor", "what it had goes over");
}

#[tokio::test]
async fn only_an_owner_creates_invitations_and_only_within_their_limits() {
    let realm = Fixture::open().await;
    let alice = den(&realm).await;
    let bob = realm.signed_in("bob", false).await;
    let path = format!("{DEN}/invitations");
    realm.post(&path, &bob, editor()).await.problem(404);
    let invitation = invite(&realm, &alice, editor()).await;
    redeem(&realm, &bob, &invitation).await;
    realm.post(&path, &bob, editor()).await.problem(403);
    realm.get(&path, &bob).await.problem(403);
    let elsewhere = Request::builder().method(Method::POST).uri(&path).header(header::HOST, "localhost:8080");
    let elsewhere = elsewhere.header(header::ORIGIN, "http://evil.example").header(header::COOKIE, &alice);
    let elsewhere = elsewhere.body(editor().to_string().into()).unwrap();
    assert_eq!(realm.send(elsewhere).await.status.as_u16(), 403, "a page elsewhere invites nobody");
    for wish in [
        json!({"role": "owner", "lasts_s": 60}),
        json!({"role": "viewer", "lasts_s": 0}),
        json!({"role": "viewer", "lasts_s": limits::INVITATION_TTL_MAX.as_secs() + 1}),
        json!({"role": "viewer", "lasts_s": 60, "uses_max": 0}),
    ] {
        realm.post(&path, &alice, wish).await.problem(422);
    }
    let listed = realm.get(&path, &alice).await;
    assert_eq!((&listed.json()[0]["uses"], listed.json()[0].get("secret")), (&json!(1), None), "told once");
    for _ in 2..limits::INVITATIONS_PER_SCENE_MAX {
        invite(&realm, &alice, editor()).await;
    }
    let (one, other) = tokio::join!(realm.post(&path, &alice, editor()), realm.post(&path, &alice, editor()));
    let mut said = [one.status.as_u16(), other.status.as_u16()];
    said.sort_unstable();
    assert_eq!(said, [201, 422], "of two at once for one place one is told that there is none");
    let detail = realm.post(&path, &alice, editor()).await.problem(422);
    assert!(detail.contains("64"), "{detail}");
}

#[tokio::test]
async fn without_guest_access_an_invitation_requires_an_account() {
    let realm = Fixture::open().await;
    let alice = den(&realm).await;
    realm.ask(Method::PUT, DEN, (&alice, json!({"public_read": false, "anonymous_users": false}))).await;
    let invitation = invite(&realm, &alice, editor()).await;
    let refused = redeem(&realm, "", &invitation).await;
    refused.problem(403);
    assert_eq!(reason(&refused), "account_needed");
    let bob = realm.signed_in("bob", false).await;
    assert_eq!(redeem(&realm, &bob, &invitation).await.status.as_u16(), 200);
}

#[tokio::test]
async fn expired_invitations_are_removed_from_the_settings() {
    let realm = Fixture::open().await;
    let alice = den(&realm).await;
    invite(&realm, &alice, editor()).await;
    let with_ended = |mut old: SceneSettings| {
        let mut ended = old.invitations[0].clone();
        (ended.id, ended.ends) = ("old".into(), UnixSeconds(clock::unix_now().0 - 1));
        old.invitations.push(ended);
        old
    };
    realm.app.registrar.change("alice/den".parse().unwrap(), with_ended).await.unwrap();
    let count = async || realm.app.store.scene(&"alice/den".parse().unwrap()).await.unwrap().unwrap().invitations.len();
    assert_eq!(count().await, 2);
    expiry::end_what_is_over(&realm.app.realm, &realm.app.registrar).await.unwrap();
    assert_eq!(count().await, 1, "the one that is good stays");
}

#[tokio::test]
async fn an_unreadable_scene_does_not_block_expiry_in_other_scenes() {
    let realm = Fixture::open().await;
    let alice = den(&realm).await;
    realm.ask(Method::PUT, "/api/v1/scenes/alice/attic", (&alice, json!({}))).await;
    let [attic, den] = ["alice/attic", "alice/den"].map(|name| name.parse::<SceneName>().unwrap());
    let with_ended = |mut old: SceneSettings| {
        let ends = UnixSeconds(clock::unix_now().0 - 1);
        old.invitations.push(Invitation {
            id: "old".into(),
            role: Role::Viewer,
            ends,
            uses_max: None,
            by: "alice".into(),
        });
        old
    };
    for name in [&attic, &den] {
        realm.app.registrar.change(name.clone(), with_ended).await.unwrap();
    }
    let path = realm.app.config.data.join(crate::store::FILE_NAME);
    let database = SqlitePool::connect_with(SqliteConnectOptions::new().filename(path)).await.unwrap();
    sqlx::query("UPDATE scenes SET settings = '{' WHERE scene = 'attic'").execute(&database).await.unwrap();
    expiry::end_what_is_over(&realm.app.realm, &realm.app.registrar).await.unwrap();
    assert!(realm.app.store.scene(&den).await.unwrap().unwrap().invitations.is_empty());
}
