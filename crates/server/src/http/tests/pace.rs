//! Rates of requests that cost the disk or the realm's task something.

use axum::body::Body;
use axum::http::{Method, header};
use serde_json::{Value, json};

use super::fixture::{Fixture, browser};
use crate::http::PeerSocketAddress;
use crate::http::rate_limit::RequestNetwork;
use crate::limits;

const DEN: &str = "/api/v1/scenes/alice/den";

/// Leaves nothing of the allowance that was refilled meanwhile.
fn use_up(realm: &Fixture) {
    while realm.web.changes.charge(RequestNetwork(None), Some("alice")).is_ok() {}
}

#[tokio::test]
async fn an_account_over_its_change_rate_gets_429_but_can_still_read() {
    let realm = Fixture::with_changes(1, 4).await;
    let (alice, bob) = (realm.signed_in("alice", false).await, realm.signed_in("bob", false).await);
    let invite = json!({"role": "viewer", "lasts_s": 3_600});
    let lock = json!({"act": "lock"});
    for (method, path, body) in [
        (Method::PUT, DEN.to_owned(), json!({})),
        (Method::POST, format!("{DEN}/invitations"), invite),
        (Method::POST, format!("{DEN}/moderation"), lock),
        (Method::POST, format!("{DEN}/reset"), Value::Null),
    ] {
        let answer = realm.ask(method, &path, (&alice, body)).await;
        assert!(answer.status.is_success(), "{path}: {answer:?}");
    }
    for (method, path, body) in [
        (Method::PUT, DEN.to_owned(), json!({})),
        (Method::POST, format!("{DEN}/moderation"), json!({"act": "unlock"})),
        (Method::DELETE, DEN.to_owned(), Value::Null),
        (Method::PUT, "/user/v2/scenes/alice/den".to_owned(), json!({"summary": "a den"})),
    ] {
        use_up(&realm);
        let refused = realm.ask(method, &path, (&alice, body)).await;
        assert_eq!((refused.status.as_u16(), refused.header(header::RETRY_AFTER)), (429, "1"), "{path}");
    }
    let picture = browser(Method::PUT, &format!("{DEN}/picture")).header(header::COOKIE, &alice);
    use_up(&realm);
    realm.send(picture.body(Body::from("GIF89a")).unwrap()).await.problem(429);
    assert_eq!(realm.get(DEN, &alice).await.status.as_u16(), 200, "reading changes nothing");
    let token = realm.post("/api/v1/token", &alice, json!({"scene": "alice/den"})).await;
    assert_eq!(token.status.as_u16(), 200, "tokens have a rate of their own");
    let other = realm.ask(Method::PUT, "/api/v1/scenes/bob/den", (&bob, json!({}))).await;
    assert_eq!(other.status.as_u16(), 201);
}

#[tokio::test]
async fn an_address_with_too_many_requests_still_gets_pages() {
    let realm = Fixture::open().await;
    realm.web.requests.spend(RequestNetwork(None), 2 * limits::API_REQUESTS_BURST);
    for path in ["/persist/health", "/api/v1/me", "/user/v2/health", "//api/v1/me"] {
        assert_eq!(realm.get(path, "").await.status.as_u16(), 429, "{path}");
    }
    for path in ["/", "/healthz", "/readyz", "/public/lobby"] {
        assert_eq!(realm.get(path, "").await.status.as_u16(), 200, "{path}");
    }
    realm.get("/store/users/alice/none.glb", "").await.problem(404);
    let elsewhere = PeerSocketAddress(([192, 0, 2, 1], 1_234).into());
    let request = browser(Method::GET, "/persist/health").extension(elsewhere).body(Body::empty()).unwrap();
    assert_eq!(realm.send(request).await.status.as_u16(), 200, "another address");
}

#[tokio::test]
async fn qr_codes_are_rate_limited_for_each_address() {
    let realm = Fixture::open().await;
    const CODE: &str = "/api/v1/qr.svg?text=https%3A%2F%2Flocalhost%2F";
    assert_eq!(realm.get(CODE, "").await.status.as_u16(), 200);
    realm.web.codes.spend(RequestNetwork(None), 2 * limits::QR_CODES_BURST);
    realm.get(CODE, "").await.problem(429);
}

#[tokio::test]
async fn writes_are_refused_to_an_account_over_its_stored_bytes_rate() {
    let realm = Fixture::open().await;
    let (alice, bob) = (realm.signed_in("alice", false).await, realm.signed_in("bob", false).await);
    assert_eq!(realm.ask(Method::PUT, DEN, (&alice, json!({}))).await.status.as_u16(), 201);
    let debt = 3 * stoa_state::limits::MEMBER_STORED_BYTES_BURST as usize;
    realm.app.realm.charge_stored("alice/den".parse().unwrap(), "alice".into(), debt).await.unwrap();
    for (method, path, body) in [
        (Method::PUT, DEN.to_owned(), json!({"public_read": false})),
        (Method::PUT, "/api/v1/scenes/alice/hall".to_owned(), json!({})),
        (Method::PUT, "/user/v2/scenes/alice/den".to_owned(), json!({"summary": "a den"})),
        (Method::POST, format!("{DEN}/invitations"), json!({"role": "viewer", "lasts_s": 3_600})),
        (Method::POST, format!("{DEN}/clone"), json!({"to": "alice/copy"})),
    ] {
        let refused = realm.ask(method, &path, (&alice, body)).await;
        assert_eq!(refused.status.as_u16(), 429, "{path}: {refused:?}");
    }
    assert_eq!(realm.ask(Method::PUT, "/api/v1/scenes/bob/den", (&bob, json!({}))).await.status.as_u16(), 201);
    let lock = realm.post(&format!("{DEN}/moderation"), &alice, json!({"act": "lock"})).await;
    assert_eq!(lock.status.as_u16(), 200, "moderation is never refused for its bytes");
    assert_eq!(realm.ask(Method::DELETE, DEN, (&alice, Value::Null)).await.status.as_u16(), 204);
}
