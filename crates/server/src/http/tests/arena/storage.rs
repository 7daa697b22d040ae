//! ARENA's file store.

use axum::body::{Body, Bytes};
use axum::http::{Method, header};
use serde_json::{Value, json};
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
async fn a_chunked_upload_is_stored_where_arena_reads_it() {
    let realm = Fixture::open().await;
    let session = realm.signed_in("alice", false).await;
    let scoped_token = x_auth(&realm, &session).await;
    let answer = upload(&realm, "scenes/den/my%20duck.glb?override=true", &scoped_token).await;
    assert_eq!((answer.status.as_u16(), answer.body.is_empty()), (200, false));
    let read = realm.get("/store/users/alice/scenes/den/my%20duck.glb", &session).await;
    assert_eq!(&read.body[..], b"quack quack");
    assert_eq!(upload(&realm, "scenes/den/my%20duck.glb", &scoped_token).await.status.as_u16(), 409);
    assert_eq!(upload(&realm, "scenes/den/my%20duck.glb?override=true", &scoped_token).await.status.as_u16(), 200);
    assert_eq!(upload(&realm, "scenes/den/", &scoped_token).await.status.as_u16(), 200, "a folder");
}

#[tokio::test]
async fn the_realms_owner_uploads_anywhere_and_accounts_only_to_their_folder() {
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
async fn an_upload_without_an_upload_token_is_refused() {
    let realm = Fixture::open().await;
    let session = realm.signed_in("alice", false).await;
    let token = realm.form("/user/v2/mqtt_auth", &session, "client=web&scene=alice/den").await;
    for other in ["", "a.b.c", token.json()["token"].as_str().unwrap()] {
        assert_eq!(upload(&realm, "a.glb?override=true", other).await.status.as_u16(), 401);
    }
    let guest = realm.get("/user/v2/storelogin", "").await;
    assert!(guest.header(header::SET_COOKIE).contains("Max-Age=0"), "{guest:?}");
}

/// Sends a request as the file browser does.
async fn ask(realm: &Fixture, method: Method, path: &str, x_auth: &str) -> Answer {
    let request = browser(method, &format!("/storemng/api/resources/{path}")).header("x-auth", x_auth);
    realm.send(request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn the_upload_token_is_a_jwt_with_an_expiry_claim() {
    let realm = Fixture::open().await;
    let scoped_token = x_auth(&realm, &realm.signed_in("alice", false).await).await;
    let parts: Vec<&str> = scoped_token.split('.').collect();
    let [_, claims, _] = parts[..] else { panic!("three parts: {scoped_token}") };
    let claims = base64::Engine::decode(&base64::engine::general_purpose::URL_SAFE_NO_PAD, claims).unwrap();
    let claims: Value = serde_json::from_slice(&claims).unwrap();
    assert!(claims["exp"].as_u64().unwrap() > crate::os::clock::unix_now().0 + 60, "{claims}");
}

#[tokio::test]
async fn folders_and_files_are_described_in_the_file_browsers_format() {
    let realm = Fixture::open().await;
    let alice = x_auth(&realm, &realm.signed_in("alice", false).await).await;
    for path in ["scenes/den/my%20duck.glb?override=true", "scenes/den/a.PNG?override=true", "note.txt?override=true"] {
        assert_eq!(upload(&realm, path, &alice).await.status.as_u16(), 200);
    }
    let told = ask(&realm, Method::GET, "scenes/den/", &alice).await.json();
    let of = |value: &Value, keys: &[&str]| -> Vec<Value> { keys.iter().map(|key| value[key].clone()).collect() };
    assert_eq!(
        of(&told, &["numDirs", "numFiles", "isDir", "path"]),
        [json!(0), json!(2), json!(true), json!("/scenes/den")]
    );
    let duck = &told["items"][1];
    assert_eq!(of(duck, &["name", "path"]), [json!("my duck.glb"), json!("/scenes/den/my duck.glb")]);
    assert_eq!(
        of(duck, &["size", "extension", "type", "isDir"]),
        [json!(11), json!(".glb"), json!("blob"), json!(false)]
    );
    assert_eq!(told["items"][0]["type"], "image");
    assert!(duck["modified"].as_str().unwrap().starts_with("20"), "{duck}");
    assert_eq!(ask(&realm, Method::GET, "scenes/den/my%20duck.glb", &alice).await.json(), *duck);
    let top = ask(&realm, Method::GET, "", &alice).await.json();
    let names: Vec<Vec<Value>> =
        top["items"].as_array().unwrap().iter().map(|item| of(item, &["name", "isDir"])).collect();
    assert_eq!(names, [[json!("note.txt"), json!(false)], [json!("scenes"), json!(true)]]);
    let owner = x_auth(&realm, &realm.signed_in("olga", true).await).await;
    assert_eq!(ask(&realm, Method::GET, "", &owner).await.json()["items"][0]["name"], "users", "all that there is");
    assert_eq!(ask(&realm, Method::GET, "users/alice/note.txt", &owner).await.json()["name"], "note.txt");
    for (path, scoped_token, status) in
        [("scenes/none", &*alice, 404), ("users/alice/note.txt", &alice, 404), ("", "a.b.c", 401)]
    {
        assert_eq!(ask(&realm, Method::GET, path, scoped_token).await.status.as_u16(), status, "{path}");
    }
}

#[tokio::test]
async fn only_its_owner_or_the_realms_owner_removes_a_file_or_folder() {
    let realm = Fixture::open().await;
    let session = realm.signed_in("alice", false).await;
    let alice = x_auth(&realm, &session).await;
    let bob = x_auth(&realm, &realm.signed_in("bob", false).await).await;
    let owner = x_auth(&realm, &realm.signed_in("olga", true).await).await;
    for path in [
        "a.glb?override=true",
        "scenes/den/b.glb?override=true",
        "scenes/den/c.glb?override=true",
        "scenes/hut/d.glb?override=true",
    ] {
        upload(&realm, path, &alice).await;
    }
    upload(&realm, "a.glb?override=true", &bob).await;
    let there = async |path: &str| realm.get(&format!("/store/users/{path}"), &session).await.status.as_u16() == 200;
    for (path, scoped_token, status) in [
        ("a.glb", "", 401),
        ("users/alice/a.glb", &*bob, 404),
        ("../alice/a.glb", &bob, 400),
        ("users", &owner, 400),
        ("scenes/none", &alice, 404),
        ("a.glb", &alice, 204),
        ("scenes/den", &alice, 204),
    ] {
        assert_eq!(
            ask(&realm, Method::DELETE, &path.replace("..", "%2e%2e"), scoped_token).await.status.as_u16(),
            status,
            "{path}"
        );
    }
    assert!(
        !there("alice/a.glb").await && !there("alice/scenes/den/b.glb").await && !there("alice/scenes/den/c.glb").await
    );
    assert!(
        there("alice/scenes/hut/d.glb").await && there("bob/a.glb").await,
        "others stay, and their content with them"
    );
    assert_eq!(ask(&realm, Method::DELETE, "users/alice/scenes/", &owner).await.status.as_u16(), 204);
    assert!(!there("alice/scenes/hut/d.glb").await);
}

#[tokio::test]
async fn the_files_page_may_be_framed_and_uses_file_browser_paths() {
    let realm = Fixture::open().await;
    let session = realm.signed_in("alice", false).await;
    upload(&realm, "scenes/den/my%20duck.glb?override=true", &x_auth(&realm, &session).await).await;
    for path in ["/storemng", "/storemng/"] {
        assert_eq!(realm.get(path, &session).await.header(header::LOCATION), "/storemng/files/");
    }
    let html = async |path: &str| String::from_utf8(realm.get(path, &session).await.body).unwrap();
    assert!(html("/storemng/files/").await.contains(r#"href="/storemng/files/scenes/""#));
    let page = html("/storemng/files/scenes/den/").await;
    assert!(page.contains(r#"href="/store/users/alice/scenes/den/my%20duck.glb""#), "{page}");
    assert!(
        page.contains(r#"data-folder="scenes/den/""#) && page.contains(r#"data-remove="scenes/den/my%20duck.glb""#),
        "{page}"
    );
    let file = realm.get("/storemng/files/scenes/den/my%20duck.glb", &session).await;
    assert_eq!(file.header(header::LOCATION), "/store/users/alice/scenes/den/my%20duck.glb");
    let answer = realm.get("/storemng/files/", &session).await;
    let policy = answer.header(header::CONTENT_SECURITY_POLICY);
    assert!(policy.contains("frame-ancestors 'self'") && policy.contains("script-src 'self';"), "{policy}");
    assert_eq!(answer.header(header::X_FRAME_OPTIONS), "SAMEORIGIN");
    let script = realm.get("/storemng/files.js", "").await;
    assert!(script.header(header::CONTENT_TYPE).starts_with("text/javascript"), "{script:?}");
    let guest = realm.get("/storemng/files/", "").await;
    assert_eq!(guest.status.as_u16(), 401);
    assert!(String::from_utf8(guest.body).unwrap().contains("/user/v2/login"));
    assert_eq!(realm.get("/storemng/files/none/", &session).await.status.as_u16(), 404);
}

#[tokio::test]
async fn the_realms_owner_sees_own_files_first_with_a_link_to_all_accounts() {
    let realm = Fixture::open().await;
    let (owner, alice) = (realm.signed_in("olga", true).await, realm.signed_in("alice", false).await);
    upload(&realm, "scenes/den/duck.glb?override=true", &x_auth(&realm, &alice).await).await;
    assert_eq!(realm.get("/storemng/files/", &owner).await.header(header::LOCATION), "/storemng/files/users/olga/");
    let html = async |path: &str, session: &str| String::from_utf8(realm.get(path, session).await.body).unwrap();
    let own = html("/storemng/files/users/olga/", &owner).await;
    assert!(
        own.contains("<h1>Your files</h1>") && own.contains("No files yet.") && own.contains("href=/account"),
        "{own}"
    );
    assert!(own.contains(r#"<a href="/storemng/files/users/">Files of all accounts</a>"#), "{own}");
    let all = html("/storemng/files/users/", &owner).await;
    assert!(all.contains("<h1>Files of all accounts</h1>") && !all.contains("data-remove"), "{all}");
    assert!(html("/storemng/files/users/alice/", &owner).await.contains("<h1>Files of alice</h1>"));
    let hers = html("/storemng/files/", &alice).await;
    assert!(hers.contains("<h1>Your files</h1>") && !hers.contains("all accounts"), "{hers}");
}
