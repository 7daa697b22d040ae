//! Properties of every route.

use std::collections::BTreeSet;
use std::convert::Infallible;

use axum::body::{Body, Bytes};
use axum::extract::FromRequest;
use axum::http::{Method, Request, StatusCode, header};
use serde_json::{Value, json};

use super::fixture::{Fixture, browser};
use crate::config::PartialConfig;
use crate::http::body::Json;
use crate::limits;

#[tokio::test]
async fn a_request_for_a_foreign_host_gets_421() {
    let realm = Fixture::open().await;
    let status = async |host: &str| {
        let request = Request::get("/healthz").header(header::HOST, host).body(Body::empty()).unwrap();
        realm.send(request).await.status.as_u16()
    };
    for host in [
        "localhost",
        "localhost:8080",
        "127.0.0.1:8080",
        "[::1]:8080",
        "realm.local",
        "REALM.local:1",
        "192.0.2.7:8443",
    ] {
        assert_eq!(status(host).await, 200, "{host}");
    }
    for host in ["evil.example", "localhost.evil.example:8080", "192.0.2.8"] {
        assert_eq!(status(host).await, 421, "{host}");
    }
    assert_eq!(status("user@localhost").await, 400);
    let without = realm.send(Request::get("/healthz").body(Body::empty()).unwrap()).await;
    assert!(without.problem(400).contains("Host"));
}

#[tokio::test]
async fn a_write_or_an_upgrade_from_another_sites_page_is_refused() {
    let realm = Fixture::open().await;
    let from = async |method: Method, path: &str, origin: &str| {
        let request = Request::builder().method(method).uri(path).header(header::HOST, "localhost:8080");
        let request = request.header(header::ORIGIN, origin).header(header::UPGRADE, "websocket");
        realm.send(request.body(Body::empty()).unwrap()).await.status.as_u16()
    };
    for origin in ["https://evil.example", "http://localhost:8081", "null", "http://localhost:8080.evil.example"] {
        assert_eq!(from(Method::POST, "/api/v1/logout", origin).await, 403, "{origin}");
        assert_eq!(from(Method::GET, "/mqtt/", origin).await, 403, "{origin}");
    }
    assert_eq!(from(Method::POST, "/api/v1/logout", "http://localhost:8080").await, 204, "negative control");
    let untold =
        Request::post("/api/v1/logout").header(header::HOST, "localhost").header("sec-fetch-site", "cross-site");
    realm.send(untold.body(Body::empty()).unwrap()).await.problem(403);
    let script = Request::post("/api/v1/logout").header(header::HOST, "localhost").body(Body::empty()).unwrap();
    assert_eq!(realm.send(script).await.status, StatusCode::NO_CONTENT, "scripts send no Origin");
}

#[tokio::test]
async fn unknown_paths_and_methods_get_a_problem_document() {
    let realm = Fixture::open().await;
    for path in ["/api/v1/nothing", "/a/b/c", "/assets/gone.js", "/conf/other.json"] {
        realm.get(path, "").await.problem(404);
    }
    realm.ask(Method::DELETE, "/api/v1/me", ("", Value::Null)).await.problem(405);
    realm.post("/public/lobby", "", Value::Null).await.problem(404);
}

#[tokio::test]
async fn a_browser_gets_an_html_error_page_and_a_program_a_problem_document() {
    let realm = Fixture::open().await;
    let ask = async |path: &str, accept: &str| {
        let request = browser(Method::GET, path).header(header::ACCEPT, accept);
        realm.send(request.body(Body::empty()).unwrap()).await
    };
    let person = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    for path in ["/a/b/c", "/assets/gone%3Cscript%3E.js", "/store/users/alice/none.glb"] {
        let page = ask(path, person).await;
        let html = String::from_utf8(page.body.clone()).unwrap();
        assert_eq!(
            (page.status.as_u16(), page.header(header::CONTENT_TYPE)),
            (404, "text/html; charset=utf-8"),
            "{path}"
        );
        assert!(html.contains("Page not found") && html.contains("href=/") && !html.contains("<script>"), "{html}");
        assert!(page.header(header::CONTENT_SECURITY_POLICY).contains("default-src 'none'"), "{page:?}");
        ask(path, "*/*").await.problem(404);
    }
    ask("/api/v1/nothing", person).await.problem(404);
}

#[tokio::test]
async fn every_response_forbids_framing_and_content_sniffing() {
    let realm = Fixture::open().await;
    for path in [
        "/",
        "/public/lobby",
        "/api/v1/me",
        "/conf/defaults.js",
        "/user/v2/login",
        "/persist/health",
        "/nothing/at/all",
    ] {
        let answer = realm.get(path, "").await;
        let policy = answer.header(header::CONTENT_SECURITY_POLICY);
        assert!(policy.contains("frame-ancestors 'none'") && policy.contains("default-src"), "{path}: {policy}");
        assert!(!policy.contains("script-src 'unsafe-inline'"), "{path}: {policy}");
        assert_eq!(answer.header(header::X_FRAME_OPTIONS), "DENY", "{path}");
        assert_eq!(answer.header(header::X_CONTENT_TYPE_OPTIONS), "nosniff", "{path}");
        assert_eq!(answer.header(header::REFERRER_POLICY), "same-origin", "{path}");
    }
}

#[tokio::test]
async fn arenas_pages_find_their_files_below_any_scene() {
    let pages = tempfile::tempdir().unwrap();
    for folder in ["static", "build"] {
        std::fs::create_dir(pages.path().join(folder)).unwrap();
    }
    std::fs::write(pages.path().join("index.html"), "scene").unwrap();
    std::fs::write(pages.path().join("build/index.html"), "build").unwrap();
    std::fs::write(pages.path().join("static/auth.js"), "auth").unwrap();
    std::fs::write(pages.path().join("build/main.js"), "main").unwrap();
    let settings = PartialConfig { web: Some(pages.path().to_owned()), ..PartialConfig::default() };
    let realm = Fixture::with_settings(settings).await;
    for (path, content) in [
        ("/public/lobby", "scene"),
        ("/build/", "build"),
        ("/build/main.js", "main"),
        ("/static/auth.js", "auth"),
        ("/public/static/auth.js", "auth"),
        ("/a/b/static/auth.js", "auth"),
    ] {
        assert_eq!(realm.get(path, "").await.body, content.as_bytes(), "{path}");
    }
    for path in ["/conf/defaults.js", "/public/conf/defaults.js", "/a/b/conf/defaults.js"] {
        let script = realm.get(path, "").await;
        assert!(script.body.starts_with(b"const ARENADefaults = "), "{path}");
        assert_eq!(script.header(header::CONTENT_TYPE), "text/javascript; charset=utf-8");
    }
    for (path, there) in [("/build", "/build/"), ("/build?scene=a/b", "/build/?scene=a/b"), ("//build", "/build/")] {
        let sent = realm.get(path, "").await;
        assert_eq!(
            (sent.status.as_u16(), sent.header(header::LOCATION)),
            (307, there),
            "its files lie beside it: {path}"
        );
    }
    for missing in ["/build/gone.js", "/public/style.css", "/public/logo.png"] {
        realm.get(missing, "").await.problem(404);
    }
    realm.get("/public/static/../index.html", "").await.problem(404);
    realm.get("/a/b/c/static/auth.js", "").await.problem(404);
}

#[tokio::test(start_paused = true)]
async fn a_body_that_never_ends_times_out() {
    // The store's threads ignore paused time, so this test avoids the store.
    let body = Body::from_stream(futures_util::stream::pending::<Result<Bytes, Infallible>>());
    let request = browser(Method::POST, "/api/v1/login").body(body).unwrap();
    let given_up = <Json<Value> as FromRequest<()>>::from_request(request, &()).await;
    let Err(problem) = given_up else { panic!("a body that never ends") };
    assert!(format!("{problem:?}").contains(&format!("{} s", limits::JSON_TIMEOUT.as_secs())), "{problem:?}");
}

/// Methods and paths, as the OpenAPI document lists them.
const CONTRACT: &[&str] = &[
    "delete /api/v1/scenes/{namespace}/{scene}",
    "delete /api/v1/scenes/{namespace}/{scene}/invitations/{id}",
    "delete /persist/{namespace}/{scene}",
    "delete /storemng/api/resources/{path}",
    "delete /user/v2/scenes/{namespace}/{scene}",
    "get /.well-known/jwks.json",
    "get /api/v1/account",
    "get /api/v1/accounts",
    "get /api/v1/ca.pem",
    "get /api/v1/me",
    "get /api/v1/openapi.json",
    "get /api/v1/qr.svg",
    "get /api/v1/scenes",
    "get /api/v1/scenes/{namespace}/{scene}",
    "get /api/v1/scenes/{namespace}/{scene}/export",
    "get /api/v1/scenes/{namespace}/{scene}/history",
    "get /api/v1/scenes/{namespace}/{scene}/invitations",
    "get /api/v1/scenes/{namespace}/{scene}/moderation",
    "get /api/v1/scenes/{namespace}/{scene}/picture",
    "get /api/v1/scenes/{namespace}/{scene}/snapshot",
    "get /api/v1/store-room",
    "get /conf/defaults.js",
    "get /conf/defaults.json",
    "get /conf/gauth-device.json",
    "get /conf/gauth.json",
    "get /healthz",
    "get /persist/!allnamespaces",
    "get /persist/!allscenes",
    "get /persist/health",
    "get /persist/{namespace}/!allscenes",
    "get /persist/{namespace}/{scene}",
    "get /persist/{namespace}/{scene}/{object_id}",
    "get /readyz",
    "get /recorder/list",
    "get /recorder/status",
    "get /store/{path}",
    "get /storemng/api/resources/{path}",
    "get /storemng/files/{path}",
    "get /user/v2/health",
    "get /user/v2/login",
    "get /user/v2/logout",
    "get /user/v2/my_namespaces",
    "get /user/v2/my_scenes",
    "get /user/v2/profile",
    "get /user/v2/profile/scenes/{namespace}/{scene}",
    "get /user/v2/scenes/{namespace}/{scene}",
    "get /user/v2/storelogin",
    "get /user/v2/user_state",
    "post /api/v1/account-links",
    "post /api/v1/account/delete",
    "post /api/v1/account/password",
    "post /api/v1/account/reset",
    "post /api/v1/accounts",
    "post /api/v1/invitations/redeem",
    "post /api/v1/login",
    "post /api/v1/logout",
    "post /api/v1/motion-ticket",
    "post /api/v1/owner",
    "post /api/v1/scenes/{namespace}/{scene}/clone",
    "post /api/v1/scenes/{namespace}/{scene}/import",
    "post /api/v1/scenes/{namespace}/{scene}/invitations",
    "post /api/v1/scenes/{namespace}/{scene}/moderation",
    "post /api/v1/scenes/{namespace}/{scene}/rename",
    "post /api/v1/scenes/{namespace}/{scene}/reset",
    "post /api/v1/scenes/{namespace}/{scene}/restore",
    "post /api/v1/token",
    "post /persist/{namespace}/{scene}",
    "post /recorder/start",
    "post /recorder/stop",
    "post /storemng/api/resources/{path}",
    "post /user/v2/login",
    "post /user/v2/logout",
    "post /user/v2/mqtt_auth",
    "post /user/v2/my_namespaces",
    "post /user/v2/my_scenes",
    "post /user/v2/profile/scenes/{namespace}/{scene}",
    "post /user/v2/scenes/{namespace}/{scene}",
    "post /user/v2/storelogin",
    "post /user/v2/user_state",
    "put /api/v1/scenes/{namespace}/{scene}",
    "put /api/v1/scenes/{namespace}/{scene}/picture",
    "put /api/v1/store/{path}",
    "put /user/v2/scenes/{namespace}/{scene}",
];

#[tokio::test]
async fn the_description_lists_every_route_of_the_contract() {
    let realm = Fixture::open().await;
    let description = realm.get("/api/v1/openapi.json", "").await.json();
    assert!(description["openapi"].as_str().unwrap().starts_with("3.1"));
    let described: BTreeSet<String> = description["paths"]
        .as_object()
        .unwrap()
        .iter()
        .flat_map(|(path, item)| {
            let methods = item.as_object().unwrap().keys().filter(|key| *key != "parameters");
            methods.map(|method| format!("{method} {path}")).collect::<Vec<_>>()
        })
        .collect();
    let listed: BTreeSet<String> = CONTRACT.iter().copied().map(str::to_owned).collect();
    let undescribed: Vec<&String> = listed.difference(&described).collect();
    assert!(undescribed.is_empty(), "openapi.rs has no route for these lines of CONTRACT: {undescribed:?}");
    let unlisted: Vec<&String> = described.difference(&listed).collect();
    assert!(unlisted.is_empty(), "CONTRACT has no line for these routes: {unlisted:?}");
}

#[tokio::test]
async fn every_described_path_is_served() {
    let realm = Fixture::open().await;
    let description = realm.get("/api/v1/openapi.json", "").await.json();
    for path in description["paths"].as_object().unwrap().keys() {
        let concrete = path
            .replace("{namespace}", "public")
            .replace("{scene}", "lobby")
            .replace("{object_id}", "x")
            .replace("{id}", "x");
        let concrete = concrete.replace("{path}", "users/alice/x.glb");
        let answer = realm.ask(Method::PATCH, &concrete, ("", Value::Null)).await;
        assert_eq!(answer.status.as_u16(), 405, "{path} is a route, but has no PATCH");
    }
}

#[tokio::test]
async fn every_scene_gets_the_same_page_with_a_content_security_policy() {
    let pages = tempfile::tempdir().unwrap();
    std::fs::create_dir(pages.path().join("assets")).unwrap();
    std::fs::write(pages.path().join("index.html"), "<!doctype html>page").unwrap();
    std::fs::write(pages.path().join("assets/app-1a2b.js"), "script").unwrap();
    let settings = PartialConfig { web: Some(pages.path().to_owned()), ..PartialConfig::default() };
    let realm = Fixture::with_settings(settings).await;
    for path in ["/", "/owner", "/account", "/public/lobby", "/alice/v1.2"] {
        let page = realm.get(path, "").await;
        assert_eq!((page.status, &page.body[..]), (StatusCode::OK, &b"<!doctype html>page"[..]), "{path}");
        assert_eq!(page.header(header::CONTENT_TYPE), "text/html; charset=utf-8");
        assert_eq!(page.header(header::CACHE_CONTROL), "no-cache");
        assert!(page.header(header::CONTENT_SECURITY_POLICY).contains("frame-ancestors 'none'"));
        assert!(!page.header(header::CONTENT_SECURITY_POLICY).contains("'unsafe-eval'"));
        assert_eq!(page.header(header::X_CONTENT_TYPE_OPTIONS), "nosniff");
    }
    let script = realm.get("/assets/app-1a2b.js", "").await;
    assert_eq!(script.header(header::CONTENT_TYPE), "text/javascript; charset=utf-8");
    assert!(script.header(header::CACHE_CONTROL).contains("immutable"));
    realm.get("/assets/app-old.js", "").await.problem(404);
}

#[tokio::test]
async fn the_published_keys_verify_the_realms_tokens() {
    let realm = Fixture::open().await;
    let keys: jsonwebtoken::jwk::JwkSet =
        serde_json::from_value(realm.get("/.well-known/jwks.json", "").await.json()).unwrap();
    let issued = realm.post("/api/v1/token", "", json!({"scene": "public/lobby"})).await.json();
    let token = issued["token"].as_str().unwrap();
    let key_id = jsonwebtoken::decode_header(token).unwrap().kid.expect("a kid");
    let key = jsonwebtoken::DecodingKey::from_jwk(keys.find(&key_id).expect("the kid is among the keys")).unwrap();
    let mut validation = jsonwebtoken::Validation::new(jsonwebtoken::Algorithm::RS256);
    validation.set_audience(&["stoa-mqtt"]);
    let claims = jsonwebtoken::decode::<Value>(token, &key, &validation).unwrap().claims;
    assert_eq!(claims["typ"], "mqtt");
}

#[tokio::test]
async fn only_arenas_own_pages_may_load_external_scripts_and_fonts() {
    let pages = tempfile::tempdir().unwrap();
    std::fs::write(pages.path().join("index.html"), "scene").unwrap();
    for folder in ["scenes", "network"] {
        std::fs::create_dir(pages.path().join(folder)).unwrap();
        std::fs::write(pages.path().join(folder).join("index.html"), folder).unwrap();
    }
    let settings = PartialConfig { web: Some(pages.path().to_owned()), ..PartialConfig::default() };
    let realm = Fixture::with_settings(settings).await;
    let policy = async |path: &str| realm.get(path, "").await.header(header::CONTENT_SECURITY_POLICY).to_owned();
    assert!(policy("/scenes/").await.contains("'wasm-unsafe-eval' https://cdn.jsdelivr.net;"));
    assert!(policy("/network/").await.contains("font-src 'self' data: https://fonts.gstatic.com;"));
    for path in ["/", "/public/lobby", "/user/v2/login", "/api/v1/me"] {
        let strict = policy(path).await;
        assert!(!strict.contains("jsdelivr") && !strict.contains("fonts.g"), "{path}: {strict}");
    }
}

#[tokio::test]
async fn scene_pages_load_files_only_from_the_configured_file_hosts() {
    let policy = async |file_hosts: Option<&str>| {
        let settings = PartialConfig { file_hosts: file_hosts.map(str::to_owned), ..PartialConfig::default() };
        let page = Fixture::with_settings(settings).await.get("/public/lobby", "").await;
        page.header(header::CONTENT_SECURITY_POLICY).to_owned()
    };
    let files = |hosts: &str| format!("media-src 'self' blob: data:{hosts};");
    let connections = |hosts: &str| format!("connect-src 'self' blob: data:{hosts};");
    let own = " ws://localhost:8080 wss://localhost:8080 https://localhost:*";
    for (file_hosts, listed) in
        [("own", ""), ("cdn.example,media.example:8443", " https://cdn.example https://media.example:8443")]
    {
        let limited = policy(Some(file_hosts)).await;
        assert!(limited.contains(&files(listed)), "{file_hosts}: {limited}");
        assert!(limited.contains(&connections(&format!("{own}{listed}"))), "{file_hosts}: {limited}");
    }
    for file_hosts in [None, Some("any")] {
        let open = policy(file_hosts).await;
        assert!(open.contains(&files(" https: http:")) && !open.contains(own), "{file_hosts:?}: {open}");
    }
}

#[tokio::test]
async fn an_account_name_cannot_be_the_first_segment_of_a_route() {
    let realm = Fixture::open().await;
    let description = realm.get("/api/v1/openapi.json", "").await.json();
    let paths = description["paths"].as_object().unwrap();
    let first = |path: &String| path.trim_start_matches('/').split('/').next().unwrap_or_default().to_owned();
    let firsts: std::collections::BTreeSet<String> = paths.keys().map(first).collect();
    assert!(firsts.contains("persist") && firsts.len() > 5, "{firsts:?}");
    for name in firsts {
        assert!(
            crate::identity::accounts::check_name_rules(&name).is_err(),
            "a namespace {name:?} would hide its pages"
        );
    }
}
