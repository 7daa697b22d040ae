//! ARENA's account service.

use std::task::Poll;

use axum::body::Body;
use axum::http::{Method, StatusCode, header};
use serde_json::{Value, json};

use super::super::fixture::{Fixture, PASSWORD, browser};
use crate::config::PartialConfig;
use crate::identity::scoped_tokens::{self, TokenHolder, TokenPurpose};

fn id_token(realm: &Fixture, name: &str) -> String {
    let holder = TokenHolder { email: Some(format!("{name}@localhost")), ..TokenHolder::called(name) };
    scoped_tokens::issue(&realm.app.keys, TokenPurpose::SignIn, holder, 60).unwrap().0
}

#[tokio::test]
async fn user_state_reports_the_account_of_a_session_or_sign_in_token() {
    let realm = Fixture::open().await;
    let session = realm.signed_in("alice", true).await;
    assert_eq!(realm.get("/user/v2/user_state", "").await.json(), json!({"authenticated": false}));
    let told = json!({
        "authenticated": true, "username": "alice", "fullname": "alice", "email": "alice@localhost", "type": "arena", "is_staff": true,
    });
    assert_eq!(realm.get("/user/v2/user_state", &session).await.json(), told);
    let by_pass = realm.form("/user/v2/user_state", "", &format!("id_token={}", id_token(&realm, "alice"))).await;
    assert_eq!(by_pass.json(), told);
    let without_account = realm.form("/user/v2/user_state", "", &format!("id_token={}", id_token(&realm, "bob"))).await;
    assert_eq!(
        (&without_account.json()["username"], &without_account.json()["is_staff"]),
        (&json!("bob"), &json!(false))
    );
    let forged = realm.form("/user/v2/user_state", "", "id_token=a.b.c").await;
    assert_eq!(forged.status, StatusCode::FORBIDDEN);
    assert!(forged.json()["error"].as_str().unwrap().contains("id_token"));
}

#[tokio::test]
async fn a_revoked_sign_in_token_is_refused() {
    let realm = Fixture::open().await;
    let (scoped_token, recorded) =
        scoped_tokens::issue(&realm.app.keys, TokenPurpose::SignIn, TokenHolder::called("alice"), 60).unwrap();
    let state =
        async || realm.form("/user/v2/user_state", "", &format!("id_token={scoped_token}")).await.status.as_u16();
    assert_eq!(state().await, 200, "negative control");
    realm.app.keys.revoke(recorded.jti);
    assert_eq!(state().await, 403);
}

#[tokio::test]
async fn a_write_without_a_matching_csrf_header_is_refused() {
    let realm = Fixture::open().await;
    let session = realm.signed_in("alice", false).await;
    let csrf = realm.get("/user/v2/user_state", "").await.cookie("csrftoken=").expect("reading the state sets it");
    let repeated = csrf.trim_start_matches("csrftoken=").to_owned();
    let post = async |path: &str, cookie: String, header: Option<&str>| {
        let mut request = browser(Method::POST, path).header(header::COOKIE, cookie);
        if let Some(header) = header {
            request = request.header("x-csrftoken", header);
        }
        realm.send(request.body(Body::empty()).unwrap()).await.status.as_u16()
    };
    for path in [
        "/user/v2/user_state",
        "/user/v2/my_scenes",
        "/user/v2/my_namespaces",
        "/user/v2/storelogin",
        "/user/v2/mqtt_auth",
    ] {
        for (cookie, header) in [
            (session.clone(), None),
            (format!("{session}; {csrf}"), None),
            (session.clone(), Some(&*repeated)),
            (format!("{session}; {csrf}"), Some("another-token-of-some-length")),
        ] {
            assert_eq!(post(path, cookie, header).await, 403, "{path}");
        }
        assert_ne!(post(path, format!("{session}; {csrf}"), Some(&repeated)).await, 403, "negative control: {path}");
    }
    let cookie = realm.get("/user/v2/login", "").await;
    let cookie = cookie.header(header::SET_COOKIE);
    assert!(cookie.contains("SameSite=Strict") && !cookie.contains("HttpOnly"), "pages read it: {cookie}");
}

#[tokio::test]
async fn the_scriptless_login_page_signs_in_and_returns_to_the_previous_page() {
    let realm = Fixture::open().await;
    realm.signed_in("alice", false).await;
    let request =
        browser(Method::GET, "/user/v2/login").header(header::REFERER, "http://localhost:8080/public/lobby?a=1");
    let page = realm.send(request.body(Body::empty()).unwrap()).await;
    let html = String::from_utf8(page.body.clone()).unwrap();
    assert!(html.contains(r#"value="/public/lobby?a=1""#) && html.contains("auth=anonymous"), "{html}");
    assert!(page.header(header::CONTENT_SECURITY_POLICY).starts_with("default-src 'none'"));
    let csrf = page.cookie("csrftoken=").unwrap();
    let submit = async |fields: &str| {
        let request = browser(Method::POST, "/user/v2/login")
            .header(header::COOKIE, &csrf)
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        realm.send(request.body(Body::from(fields.to_owned())).unwrap()).await
    };
    let token = csrf.trim_start_matches("csrftoken=");
    assert_eq!(submit(&format!("username=alice&password={PASSWORD}")).await.status, StatusCode::FORBIDDEN);
    let wrong = submit(&format!("csrfmiddlewaretoken={token}&username=alice&password=wrong+horse&next=/")).await;
    assert_eq!(wrong.status, StatusCode::UNAUTHORIZED);
    assert!(wrong.cookie("stoa-8080=").is_none() && !String::from_utf8_lossy(&wrong.body).contains("wrong horse"));
    let password = PASSWORD.replace(' ', "+");
    let right =
        submit(&format!("csrfmiddlewaretoken={token}&username=alice&password={password}&next=/public/lobby")).await;
    assert_eq!((right.status, right.header(header::LOCATION)), (StatusCode::SEE_OTHER, "/public/lobby"));
    let session = right.cookie("stoa-8080=").expect("a session");
    assert!(right.header(header::SET_COOKIE).contains("HttpOnly"));
    let elsewhere =
        submit(&format!("csrfmiddlewaretoken={token}&username=alice&password={password}&next=//evil.example")).await;
    assert_eq!(elsewhere.header(header::LOCATION), "/");
    assert_eq!(realm.get("/user/v2/user_state", &session).await.json()["authenticated"], true);
    let profile = realm.get("/user/v2/profile", &session).await;
    assert!(String::from_utf8_lossy(&profile.body).contains("alice"));
    let asks = realm.get("/user/v2/logout", &session).await;
    assert!(String::from_utf8_lossy(&asks.body).contains("<form method=post action=/user/v2/logout>"));
    assert_eq!(
        realm.get("/user/v2/user_state", &session).await.json()["authenticated"],
        true,
        "a link signs nobody out"
    );
    let out = browser(Method::POST, "/user/v2/logout").header(header::COOKIE, &session);
    let out = realm.send(out.header("sec-fetch-site", "same-origin").body(Body::empty()).unwrap()).await;
    assert_eq!((out.status, out.header(header::LOCATION)), (StatusCode::SEE_OTHER, "/user/v2/login"));
    assert_eq!(realm.get("/user/v2/user_state", &session).await.json(), json!({"authenticated": false}));
}

#[tokio::test]
async fn password_guesses_on_the_login_page_are_limited() {
    let realm = Fixture::open().await;
    realm.signed_in("alice", false).await;
    let csrf = realm.get("/user/v2/login", "").await.cookie("csrftoken=").unwrap();
    let token = csrf.trim_start_matches("csrftoken=");
    let guess = async || {
        let request = browser(Method::POST, "/user/v2/login").header(header::COOKIE, &csrf);
        let fields = format!("csrfmiddlewaretoken={token}&username=alice&password=wrong");
        realm.send(request.body(Body::from(fields)).unwrap()).await.status.as_u16()
    };
    for _ in 0..crate::limits::LOGIN_FAILURES_HERE_MAX {
        assert_eq!(guess().await, 401);
    }
    assert_eq!(guess().await, 429);
}

#[tokio::test]
async fn a_cross_site_sign_out_is_refused() {
    let realm = Fixture::open().await;
    let session = realm.signed_in("alice", false).await;
    let request = browser(Method::POST, "/user/v2/logout")
        .header(header::COOKIE, &session)
        .header("sec-fetch-site", "cross-site");
    assert_eq!(realm.send(request.body(Body::empty()).unwrap()).await.status, StatusCode::FORBIDDEN);
    assert_eq!(realm.get("/user/v2/user_state", &session).await.json()["authenticated"], true);
}

#[tokio::test]
async fn unversioned_account_routes_get_426_upgrade_required() {
    let realm = Fixture::open().await;
    for path in [
        "mqtt_auth",
        "my_scenes",
        "my_namespaces",
        "user_state",
        "login",
        "logout",
        "storelogin",
        "health",
        "scenes/public/lobby",
        "profile",
    ] {
        for method in [Method::GET, Method::POST] {
            let answer = realm.ask(method, &format!("/user/{path}"), ("", Value::Null)).await;
            assert_eq!(answer.status, StatusCode::UPGRADE_REQUIRED, "{path}");
            assert!(answer.json()["error"].as_str().unwrap().contains("v2"));
        }
    }
    assert_eq!(realm.get("/user/v2/nothing", "").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn arenas_scene_api_creates_reads_updates_and_deletes_a_scene() {
    let realm = Fixture::open().await;
    let alice = realm.signed_in("alice", false).await;
    let bob = realm.signed_in("bob", false).await;
    let csrf = realm.get("/user/v2/login", "").await.cookie("csrftoken=").unwrap();
    let ask = async |method: Method, path: &str, (session, body): (&str, Value)| {
        let request = browser(method, path)
            .header(header::COOKIE, format!("{csrf}; {session}"))
            .header("x-csrftoken", csrf.trim_start_matches("csrftoken="));
        let body = if body.is_null() { Body::empty() } else { Body::from(body.to_string()) };
        let answer = realm.send(request.body(body).unwrap()).await;
        (answer.status.as_u16(), answer.json())
    };
    let den = "/user/v2/scenes/alice/den";
    assert_eq!(ask(Method::GET, den, (&alice, Value::Null)).await.0, 404);
    assert_eq!(ask(Method::POST, den, (&bob, Value::Null)).await.0, 400);
    assert_eq!(ask(Method::POST, den, ("", Value::Null)).await.0, 400);
    let (status, made) = ask(Method::POST, den, (&alice, Value::Null)).await;
    assert_eq!(
        (status, &made["name"], &made["public_read"], &made["editors"]),
        (201, &json!("alice/den"), &json!(true), &json!([]))
    );
    assert!(made["creation_date"].as_str().unwrap().ends_with('Z'), "{made}");
    assert_eq!(ask(Method::POST, den, (&alice, Value::Null)).await.0, 400, "there is one");
    assert_eq!(ask(Method::PUT, den, (&alice, Value::Null)).await.0, 400, "nothing to change");
    let change = json!({"name": "alice/den", "summary": "a den", "public_read": false, "editors": ["bob"]});
    let (status, changed) = ask(Method::PUT, den, (&alice, change)).await;
    assert_eq!(
        (status, &changed["summary"], &changed["public_read"], &changed["users"]),
        (200, &json!("a den"), &json!(false), &json!(true))
    );
    assert_eq!(ask(Method::GET, den, (&bob, Value::Null)).await, (200, changed.clone()), "editors look");
    assert_eq!(ask(Method::DELETE, den, (&bob, Value::Null)).await.0, 400, "and look only");
    let (_, own) = ask(Method::GET, "/user/v2/my_scenes", (&bob, Value::Null)).await;
    assert_eq!(own, json!([changed]));
    assert_eq!(ask(Method::GET, "/user/v2/my_scenes", ("", Value::Null)).await.1, json!([]));
    let (_, namespaces) = ask(Method::GET, "/user/v2/my_namespaces", (&alice, Value::Null)).await;
    assert_eq!(namespaces, json!([{"name": "alice", "editors": [], "viewers": [], "account": true}]));
    assert_eq!(ask(Method::DELETE, den, (&alice, Value::Null)).await.0, 200);
    assert_eq!(ask(Method::GET, den, (&alice, Value::Null)).await.0, 404);
}

#[tokio::test]
async fn health_is_reported_and_recording_is_not_implemented() {
    let realm = Fixture::open().await;
    assert_eq!(realm.get("/user/v2/health", "").await.json()["result"], "success");
    let status = realm.get("/recorder/status?namespace=public&sceneId=lobby", "").await.json();
    assert_eq!(status["is_recording"], false);
    assert_eq!(realm.get("/recorder/list", "").await.json(), json!([]));
    for path in ["/recorder/start", "/recorder/stop"] {
        let told = realm.post(path, "", json!({"namespace": "public", "sceneId": "lobby"})).await;
        assert_eq!(told.status, StatusCode::NOT_IMPLEMENTED, "{path}");
        assert!(told.body.is_ascii() && !told.body.starts_with(b"{"), "ARENA's page shows it as it is");
    }
}

#[tokio::test]
async fn deleting_a_scene_without_a_csrf_token_needs_the_sites_own_origin() {
    let realm = Fixture::open().await;
    let session = realm.signed_in("alice", false).await;
    let den = "/user/v2/scenes/alice/den";
    let ask = async |method: Method, origin: Option<&str>| {
        let request = axum::http::Request::builder().method(method).uri(den).header(header::HOST, "localhost:8080");
        let request = request.header(header::COOKIE, &session);
        let request = origin.into_iter().fold(request, |request, origin| request.header(header::ORIGIN, origin));
        realm.send(request.body(Body::empty()).unwrap()).await.status.as_u16()
    };
    let own = Some("http://localhost:8080");
    assert_eq!(ask(Method::POST, own).await, 201);
    assert_eq!(ask(Method::DELETE, None).await, 403, "nobody vouches, nothing is repeated");
    assert_eq!(ask(Method::DELETE, Some("http://evil.example")).await, 403);
    assert_eq!(ask(Method::GET, None).await, 200, "it is still there");
    assert_eq!(ask(Method::DELETE, own).await, 200);
    assert_eq!(ask(Method::GET, None).await, 404);
}

/// A realm that serves ARENA's pages.
async fn with_arenas_pages() -> (Fixture, tempfile::TempDir) {
    let pages = tempfile::tempdir().unwrap();
    let settings = PartialConfig { web: Some(pages.path().to_owned()), ..PartialConfig::default() };
    (Fixture::with_settings(settings).await, pages)
}

#[tokio::test]
async fn only_the_owner_changes_permissions_on_the_scenes_profile_page() {
    let (realm, _pages) = with_arenas_pages().await;
    let [alice, bob] = [realm.signed_in("alice", false).await, realm.signed_in("bob", false).await];
    realm.ask(Method::PUT, "/api/v1/scenes/alice/den", (&alice, json!({"editors": ["carol"]}))).await;
    let path = "/user/v2/profile/scenes/alice/den";
    let page = realm.get(path, &alice).await;
    let html = String::from_utf8(page.body.clone()).unwrap();
    assert!(html.contains("name=public_read checked") && html.contains("name=public_write>"), "{html}");
    assert!(html.contains(r#"name=editors value="carol""#) && !html.contains("<script"), "{html}");
    let csrf = page.cookie("csrftoken=").unwrap();
    let submit = async |session: &str, token: &str, fields: &str| {
        let request = browser(Method::POST, path).header(header::COOKIE, format!("{csrf}; {session}"));
        let fields = format!("csrfmiddlewaretoken={token}&{fields}");
        realm.send(request.body(Body::from(fields)).unwrap()).await.status.as_u16()
    };
    let token = csrf.trim_start_matches("csrftoken=");
    let wish = "summary=+a+den+&editors=bob,+dora&viewers=&anonymous_users=on&users=on";
    assert_eq!(submit(&alice, "another-token-of-some-length", wish).await, 403);
    assert_eq!(submit(&bob, token, wish).await, 403, "it is open to him, but not his");
    assert_eq!(submit(&alice, token, "editors=a/b").await, 422);
    assert_eq!(submit(&alice, token, wish).await, 303);
    let told = realm.get("/user/v2/scenes/alice/den", &alice).await.json();
    assert_eq!((&told["summary"], &told["editors"]), (&json!("a den"), &json!(["bob", "dora"])));
    let ticked = ["public_read", "public_write", "anonymous_users", "video_conference", "users"];
    assert_eq!(ticked.map(|field| told[field] == true), [false, false, true, false, true]);
    let stranger = realm.signed_in("mallory", false).await;
    for (session, path, status) in
        [(&*stranger, path, 404), (&*alice, "/user/v2/profile/scenes/alice/none", 404), ("", path, 303)]
    {
        assert_eq!(realm.get(path, session).await.status.as_u16(), status, "{path}");
    }
}

#[tokio::test]
async fn without_arenas_pages_the_permissions_page_redirects_to_the_scene() {
    let realm = Fixture::open().await;
    let sent = realm.get("/user/v2/profile/scenes/alice/den", "").await;
    assert_eq!((sent.status.as_u16(), sent.header(header::LOCATION)), (303, "/alice/den"));
}

#[tokio::test]
async fn the_dashboard_in_arenas_frame_says_that_no_programs_run() {
    let (realm, _pages) = with_arenas_pages().await;
    let page = realm.get("/dashboard", "").await;
    assert!(String::from_utf8_lossy(&page.body).contains("runs no programs"), "{page:?}");
    assert!(page.header(header::CONTENT_SECURITY_POLICY).contains("frame-ancestors 'self'"));
    assert_eq!(page.header(header::X_FRAME_OPTIONS), "SAMEORIGIN");
    let own = Fixture::open().await.get("/dashboard", "").await;
    assert_eq!(
        (own.status.as_u16(), own.header(header::X_FRAME_OPTIONS)),
        (200, "DENY"),
        "a word is a page of the realm's own"
    );
}

#[tokio::test]
async fn concurrent_changes_of_scene_settings_are_all_kept() {
    let realm = Fixture::open().await;
    let alice = realm.signed_in("alice", false).await;
    let den = "/user/v2/scenes/alice/den";
    realm.post(den, &alice, json!({})).await;
    let put = |change: Value| realm.ask(Method::PUT, den, (&alice, change));
    let changes = [json!({"public_read": false}), json!({"users": false}), json!({"editors": ["bob"]})];
    let [a, b, c] = changes.map(put);
    let answers = tokio::join!(a, b, c);
    assert_eq!([answers.0.status, answers.1.status, answers.2.status], [StatusCode::OK; 3]);
    let told = realm.get(den, &alice).await.json();
    assert_eq!((&told["public_read"], &told["users"]), (&json!(false), &json!(false)), "{told}");
    assert_eq!(told["editors"], json!(["bob"]), "{told}");
}

/// The upload token and the scene token for a sign-in token.
async fn issued(realm: &Fixture, id_token: &str) -> (scoped_tokens::ScopedTokenClaims, stoa_state::grant::Claims) {
    let shown = format!("id_token={id_token}");
    let cookie = realm.form("/user/v2/storelogin", "", &shown).await.cookie("auth=").expect("the store's pass");
    let scoped_token =
        scoped_tokens::verify(&realm.app.keys, TokenPurpose::Upload, cookie.trim_start_matches("auth=")).unwrap();
    let token = realm.form("/user/v2/mqtt_auth", "", &format!("{shown}&client=web&scene=public/lobby")).await.json();
    (scoped_token, realm.app.keys.verify(token["token"].as_str().expect("a token")).unwrap())
}

#[tokio::test]
async fn tokens_issued_for_a_sign_in_token_record_it_and_its_parents() {
    let realm = Fixture::open().await;
    let holder = TokenHolder { parents: vec!["first".into()], ..TokenHolder::called("alice") };
    let (scoped_token, recorded) = scoped_tokens::issue(&realm.app.keys, TokenPurpose::SignIn, holder, 60).unwrap();
    let (stored, token) = issued(&realm, &scoped_token).await;
    let lineage = vec!["first".to_owned(), recorded.jti];
    assert_eq!((stored.parents, token.parents), (lineage.clone(), lineage));
}

#[tokio::test]
async fn an_upload_token_issued_for_an_owners_token_records_it_as_parent() {
    let realm = Fixture::open().await;
    let claims = crate::identity::claims::of_realm_owner("olga", 60);
    let token = realm.app.keys.issue(&claims).unwrap();
    let request = browser(Method::GET, "/user/v2/storelogin").header(header::AUTHORIZATION, format!("Bearer {token}"));
    let answer = realm.send(request.body(Body::empty()).unwrap()).await;
    let cookie = answer.cookie("auth=").expect("the store's pass");
    let scoped_token =
        scoped_tokens::verify(&realm.app.keys, TokenPurpose::Upload, cookie.trim_start_matches("auth=")).unwrap();
    assert_eq!(scoped_token.parents, [claims.jti]);
}

#[tokio::test]
async fn a_sign_in_token_revoked_during_a_request_yields_no_token() {
    for (path, fields) in [("/user/v2/storelogin", ""), ("/user/v2/mqtt_auth", "&client=web&scene=public/lobby")] {
        for revokes in [true, false] {
            let realm = Fixture::open().await;
            let (scoped_token, recorded) =
                scoped_tokens::issue(&realm.app.keys, TokenPurpose::SignIn, TokenHolder::called("alice"), 60).unwrap();
            let csrf = realm.get("/user/v2/login", "").await.cookie("csrftoken=").expect("a CSRF cookie");
            let request = browser(Method::POST, path)
                .header("x-csrftoken", csrf.trim_start_matches("csrftoken="))
                .header(header::COOKIE, csrf)
                .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
            let mut asking =
                Box::pin(realm.send(request.body(Body::from(format!("id_token={scoped_token}{fields}"))).unwrap()));
            // The request waits for the store here, after its authentication.
            let begun = std::future::poll_fn(|context| Poll::Ready(asking.as_mut().poll(context).is_pending()));
            assert!(begun.await);
            if revokes {
                realm.app.keys.revoke(recorded.jti);
            }
            assert_eq!(asking.await.status.as_u16(), if revokes { 403 } else { 200 }, "{path}");
        }
    }
}
