//! Sign-in, sign-out and the first owner.

use axum::body::{Body, Bytes};
use axum::http::{Method, StatusCode, header};
use serde_json::{Value, json};
use stoa_state::origin::ConnectionOrigin;
use stoa_wire::packet::ReasonCode;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::oneshot;

use super::fixture::{Answer, Fixture, PASSWORD, browser};
use super::loopback::{Loopback, LoopbackError};
use crate::control::{ControlRequest, ControlTarget, execute};
use crate::identity::accounts::{self, owner_link, web_session};
use crate::identity::claims;
use crate::identity::scoped_tokens::{self, TokenHolder, TokenPurpose};
use crate::limits;

#[tokio::test]
async fn the_owner_link_creates_and_signs_in_exactly_one_owner() {
    let realm = Fixture::open().await;
    let secret = owner_link::renew(&realm.app.store).await.unwrap().expect("nobody owns the realm yet");
    let before = realm.get("/api/v1/me", "").await.json();
    assert_eq!(before, json!({"username": null, "owner": false, "owner_exists": false, "accounts": "invited"}));
    let wish = |name: &str| json!({"secret": secret, "username": name, "password": PASSWORD});
    let made = realm.post("/api/v1/owner", "", wish("alice")).await;
    assert_eq!(made.status, StatusCode::OK);
    let cookie = made.cookie("stoa-8080=").expect("a cookie with the port in its name");
    let me = realm.get("/api/v1/me", &cookie).await.json();
    assert_eq!(me, json!({"username": "alice", "owner": true, "owner_exists": true, "accounts": "invited"}));
    realm.post("/api/v1/owner", "", wish("bob")).await.problem(403);
}

#[tokio::test]
async fn a_wrong_owner_secret_is_refused_without_echoing_it() {
    let realm = Fixture::open().await;
    owner_link::renew(&realm.app.store).await.unwrap();
    let wish = json!({"secret": "guessed-secret", "username": "mallory", "password": PASSWORD});
    let detail = realm.post("/api/v1/owner", "", wish).await.problem(403);
    assert!(!detail.contains("guessed-secret") && !detail.contains(PASSWORD), "{detail}");
}

#[tokio::test]
async fn wrong_owner_secrets_do_not_block_the_owner_link() {
    let realm = Fixture::open().await;
    let secret = owner_link::renew(&realm.app.store).await.unwrap().expect("nobody owns the realm yet");
    let wish = |secret: &str| json!({"secret": secret, "username": "alice", "password": PASSWORD});
    for _ in 0..limits::LOGIN_FAILURES_PER_NAME_MAX {
        realm.post("/api/v1/owner", "", wish("guessed")).await.problem(403);
    }
    assert_eq!(realm.post("/api/v1/owner", "", wish(&secret)).await.status, StatusCode::OK);
}

#[tokio::test]
async fn the_session_cookie_is_http_only_same_site_and_named_by_port() {
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
async fn an_account_has_a_bounded_number_of_sessions_and_the_newest_stay() {
    let realm = Fixture::open().await;
    let bobs = realm.signed_in("bob", false).await;
    let first = realm.signed_in("alice", false).await;
    let alice = realm.app.store.account("alice").await.unwrap().expect("was just made");
    // The sessions end in different seconds, as those of a person do.
    let now = crate::os::clock::unix_now();
    let begin = async |number: u32| {
        let secret_hash = crate::identity::accounts::secret::hash(&format!("secret-{number}"));
        let expires = stoa_state::time::UnixSeconds(now.0 + 31 * 86_400 + u64::from(number));
        let (account, password) = (alice.name.clone(), alice.password.clone());
        let session = crate::store::WebSession { secret_hash, account, password, expires };
        realm.app.store.add_web_session(&session, now).await.unwrap()
    };
    let account_of = async |cookie: &str| realm.get("/api/v1/me", cookie).await.json()["username"].clone();
    for number in 1..limits::WEB_SESSIONS_PER_ACCOUNT_MAX {
        assert!(begin(number).await);
    }
    assert_eq!(account_of(&first).await, "alice", "negative control");
    assert!(begin(limits::WEB_SESSIONS_PER_ACCOUNT_MAX).await);
    assert_eq!(account_of(&first).await, Value::Null);
    assert_eq!(account_of("stoa-8080=secret-1").await, "alice");
    assert_eq!(account_of(&bobs).await, "bob");
}

#[tokio::test]
async fn too_many_wrong_passwords_get_429_with_retry_after() {
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
async fn an_account_signs_in_from_its_own_browser_while_strangers_guess_its_password() {
    let realm = Fixture::open().await;
    realm.signed_in("alice", false).await;
    realm.signed_in("bob", false).await;
    let sign_in = async |name: &str, password: &str, cookie: &str| {
        realm.post("/api/v1/login", cookie, json!({"username": name, "password": password})).await
    };
    let browser_of = async |name: &str| {
        sign_in(name, PASSWORD, "").await.cookie("stoa-browser-8080=").expect("a cookie for the browser")
    };
    let (alices, bobs) = (browser_of("alice").await, browser_of("bob").await);
    for _ in 0..limits::LOGIN_FAILURES_HERE_MAX {
        sign_in("alice", "wrong horse", "").await.problem(401);
    }
    sign_in("alice", PASSWORD, "").await.problem(429);
    sign_in("alice", PASSWORD, &bobs).await.problem(429);
    assert_eq!(sign_in("alice", PASSWORD, &alices).await.status, StatusCode::OK);
    for _ in 0..limits::LOGIN_FAILURES_HERE_MAX {
        sign_in("alice", "wrong horse", &alices).await.problem(401);
    }
    sign_in("alice", PASSWORD, &alices).await.problem(429);
}

#[tokio::test]
async fn an_invalid_json_body_gets_an_error_that_repeats_no_values() {
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

async fn with_token(realm: &Fixture, (method, path): (Method, &str), token: &str, body: Value) -> Answer {
    let request = browser(method, path).header(header::AUTHORIZATION, format!("Bearer {token}"));
    realm.send(request.body(Body::from(body.to_string())).unwrap()).await
}

/// A token for the lobby, requested with another token.
async fn minted_by(realm: &Fixture, token: &str) -> Answer {
    with_token(realm, (Method::POST, "/api/v1/token"), token, json!({"scene": "public/lobby"})).await
}

fn token_of(answer: &Answer) -> String {
    answer.json()["token"].as_str().expect("a token").to_owned()
}

#[tokio::test]
async fn an_account_over_its_token_rate_gets_429_and_other_callers_do_not() {
    const BURST: u32 = 8;
    let realm = Fixture::with_tokens(1, BURST).await;
    let [alice, bob] = [realm.signed_in("alice", false).await, realm.signed_in("bob", false).await];
    let scene = json!({"scene": "public/lobby"});
    let token = token_of(&realm.post("/api/v1/token", &alice, scene.clone()).await);
    let ask = async |kind: &str| match kind {
        "session" => realm.post("/api/v1/token", &alice, scene.clone()).await,
        "token" => minted_by(&realm, &token).await,
        "mqtt_auth" => realm.form("/user/v2/mqtt_auth", &alice, "client=web&scene=public/lobby").await,
        _ => realm.get("/user/v2/storelogin", &alice).await,
    };
    for kind in ["session", "token", "mqtt_auth", "storelogin"] {
        // The allowance refills by one a second, so a slow machine gets a few more.
        let mut refused = None;
        for _ in 0..100 * BURST {
            let answer = ask(kind).await;
            if answer.status == StatusCode::TOO_MANY_REQUESTS {
                refused = Some(answer);
                break;
            }
        }
        let refused = refused.unwrap_or_else(|| panic!("{kind} is not limited"));
        assert!(refused.header(header::RETRY_AFTER).parse::<u64>().unwrap() > 0, "{kind}");
    }
    for cookie in [&*bob, ""] {
        assert_eq!(realm.post("/api/v1/token", cookie, scene.clone()).await.status, StatusCode::OK);
    }
}

#[tokio::test]
async fn revoking_a_token_revokes_all_tokens_derived_from_it() {
    let realm = Fixture::open().await;
    let cookie = realm.signed_in("alice", false).await;
    let first = token_of(&realm.post("/api/v1/token", &cookie, json!({"scene": "public/lobby"})).await);
    let mut all = vec![first.clone()];
    for _ in 0..stoa_state::limits::TOKEN_PARENTS_MAX {
        all.push(token_of(&minted_by(&realm, all.last().unwrap()).await));
    }
    let detail = minted_by(&realm, all.last().unwrap()).await.problem(403);
    assert!(detail.contains("earlier"), "{detail}");
    let me = async |token: &str| with_token(&realm, (Method::GET, "/api/v1/me"), token, Value::Null).await.status;
    assert_eq!(me(&all[2]).await, StatusCode::OK, "negative control");
    let jti = realm.app.keys.verify(&all[1]).unwrap().jti;
    execute(&ControlTarget::of_server(&realm.app), ControlRequest::TokenRevoke { jti }).await.unwrap();
    assert_eq!(me(&first).await, StatusCode::OK, "what it comes from goes on");
    for token in &all[1..] {
        assert_eq!(me(token).await, StatusCode::UNAUTHORIZED);
    }
}

#[tokio::test]
async fn a_new_password_revokes_the_tokens_of_the_account() {
    let realm = Fixture::open().await;
    let folder = ControlTarget::of_server(&realm.app);
    let scene = json!({"scene": "public/lobby"});
    let mut tokens = Vec::new();
    for name in ["alice", "bob"] {
        let cookie = realm.signed_in(name, false).await;
        tokens.push(token_of(&realm.post("/api/v1/token", &cookie, scene.clone()).await));
    }
    let (pass, recorded) =
        scoped_tokens::issue(&realm.app.keys, TokenPurpose::SignIn, TokenHolder::called("alice"), 60).unwrap();
    execute(&folder, ControlRequest::TokenRecord { claims: Box::new(recorded) }).await.unwrap();
    assert!(scoped_tokens::verify(&realm.app.keys, TokenPurpose::SignIn, &pass).is_ok(), "negative control");
    let changed = ControlRequest::UserPasswd { name: "alice".into(), password: "another horse".into() };
    execute(&folder, changed).await.unwrap();
    assert!(scoped_tokens::verify(&realm.app.keys, TokenPurpose::SignIn, &pass).is_err());
    let me = async |token: &str| with_token(&realm, (Method::GET, "/api/v1/me"), token, Value::Null).await.status;
    assert_eq!(me(&tokens[0]).await, StatusCode::UNAUTHORIZED);
    assert_eq!(me(&tokens[1]).await, StatusCode::OK, "others are not meant");
    let revoked = realm.app.store.revoked_jtis().await.unwrap();
    assert_eq!(revoked.len(), 2, "they stay revoked after a restart: {revoked:?}");
}

#[tokio::test]
async fn a_new_password_ends_the_connections_of_the_account() {
    let realm = Fixture::open().await;
    let cookie = realm.signed_in("alice", false).await;
    let token = token_of(&realm.post("/api/v1/token", &cookie, json!({"scene": "public/lobby"})).await);
    let text = |text: &str| [&u16::try_from(text.len()).unwrap().to_be_bytes()[..], text.as_bytes()].concat();
    // MQTT 3.1.1 section 3.1: user name, password, a clean session.
    let body = [text("MQTT"), vec![4, 0xc2, 0, 60], text("client"), text("alice"), text(&token)].concat();
    let length = [0x80 | (body.len() % 128) as u8, (body.len() / 128) as u8];
    let (mut client, io) = tokio::io::duplex(4_096);
    let talk = async {
        client.write_all(&[&[0x10], &length[..], &body].concat()).await.unwrap();
        let mut answer = [0; 4];
        client.read_exact(&mut answer).await.unwrap();
        assert_eq!(answer, [0x20, 2, 0, 0], "negative control: it is let in");
        let changed = ControlRequest::UserPasswd { name: "alice".into(), password: "another horse".into() };
        execute(&ControlTarget::of_server(&realm.app), changed).await.unwrap();
        client.read_to_end(&mut Vec::new()).await.unwrap();
    };
    let both = async { tokio::join!(realm.app.intake.serve(ConnectionOrigin::Here, io), talk) };
    tokio::time::timeout(std::time::Duration::from_secs(30), both).await.expect("the connection ends");
}

#[tokio::test]
async fn a_token_request_fails_if_the_password_changes_during_it() {
    for changes in [true, false] {
        let realm = Fixture::open().await;
        let cookie = realm.signed_in("alice", false).await;
        let (asked, under_way) = oneshot::channel();
        let (go_on, goes_on) = oneshot::channel::<()>();
        // The body is first polled after the authentication.
        let body = Body::from_stream(futures_util::stream::once(async move {
            asked.send(()).unwrap();
            goes_on.await.unwrap();
            Ok::<_, std::io::Error>(Bytes::from(json!({"scene": "public/lobby"}).to_string()))
        }));
        let request = browser(Method::POST, "/api/v1/token").header(header::COOKIE, cookie).body(body).unwrap();
        let changed = async {
            under_way.await.unwrap();
            if changes {
                let changed = ControlRequest::UserPasswd { name: "alice".into(), password: "another horse".into() };
                execute(&ControlTarget::of_server(&realm.app), changed).await.unwrap();
            }
            go_on.send(()).unwrap();
        };
        let (answer, ()) = tokio::join!(realm.send(request), changed);
        assert_eq!(answer.status.as_u16(), if changes { 401 } else { 200 });
    }
}

#[tokio::test]
async fn a_sign_in_fails_if_the_password_changes_during_it() {
    let realm = Fixture::open().await;
    realm.signed_in("alice", false).await;
    let compared = realm.app.store.account("alice").await.unwrap().unwrap();
    assert!(web_session::begin(&realm.app.store, &compared).await.unwrap().is_some(), "negative control");
    accounts::set_password(&realm.app.store, &realm.app.hashing, "alice", "another horse".into()).await.unwrap();
    assert!(web_session::begin(&realm.app.store, &compared).await.unwrap().is_none());
}

#[tokio::test]
async fn only_direct_loopback_requests_get_the_servers_network_address() {
    let public_host = Some("192.0.2.7".to_owned());
    let realm = Fixture::with_settings(crate::config::PartialConfig { public_host, ..Default::default() }).await;
    let told = async |client: &str, headers: &[(&str, &str)]| {
        let mut request = axum::http::Request::get("/api/v1/me");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let mut request = request.body(Body::empty()).unwrap();
        let client = (client.parse::<std::net::IpAddr>().unwrap(), 1_234).into();
        request.extensions_mut().insert(crate::http::PeerSocketAddress(client));
        realm.send(request).await.json()["network"].clone()
    };
    let here = ("host", "localhost:8080");
    assert_eq!(told("127.0.0.1", &[here]).await, "https://192.0.2.7:8443");
    assert_eq!(told("192.0.2.9", &[here]).await, Value::Null, "somebody else");
    assert_eq!(told("127.0.0.1", &[("host", "realm.local")]).await, Value::Null, "by a proxy, under its own name");
    for name in ["x-forwarded-for", "forwarded", "via"] {
        assert_eq!(told("127.0.0.1", &[here, (name, "192.0.2.9")]).await, Value::Null, "{name}");
    }
}

#[tokio::test]
async fn a_client_id_equal_to_another_accounts_name_is_refused() {
    let realm = Fixture::open().await;
    realm.signed_in("bob", false).await;
    let enter = async |client_id: &str| {
        let claims = claims::of_realm_owner("alice", 60);
        let token = realm.app.keys.issue(&claims).unwrap();
        Loopback::with(&realm.app.intake, (client_id, "alice", token), async |_| Ok(())).await
    };
    let refused = enter("bob").await;
    assert!(
        matches!(refused, Err(LoopbackError::Refused { code: ReasonCode::CLIENT_IDENTIFIER_NOT_VALID, .. })),
        "{refused:?}"
    );
    enter("bobs-lamp").await.expect("negative control");
}
