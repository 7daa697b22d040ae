//! Uploads.

use std::net::IpAddr;
use std::time::Duration;

use axum::body::Body;
use axum::http::{Method, StatusCode, header};
use http_body_util::BodyExt;
use serde_json::json;
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::fixture::{Answer, Fixture, PASSWORD, browser};
use crate::app::slots::SlotHolder;
use crate::files::ContentStore;
use crate::http::rate_limit::RequestNetwork;
use crate::http::uploads::{UploadSlot, receive};
use crate::http::{PeerSocketAddress, Problem};
use crate::limits;
use crate::store::FileRow;

async fn upload(realm: &Fixture, (path, cookie): (&str, &str), content: &str) -> Answer {
    let request = browser(Method::PUT, &format!("/api/v1/store/{path}")).header(header::COOKIE, cookie);
    realm.send(request.body(Body::from(content.to_owned())).unwrap()).await
}

#[tokio::test]
async fn an_upload_is_read_back_under_its_name_whole_and_in_part() {
    let realm = Fixture::open().await;
    let alice = realm.signed_in("alice", false).await;
    let stored = upload(&realm, ("users/alice/my%20duck.glb", &alice), "quack quack").await;
    assert_eq!(stored.status, StatusCode::CREATED);
    assert_eq!(stored.json(), json!({"url": "/store/users/alice/my%20duck.glb"}));
    let read = realm.get("/store/users/alice/my%20duck.glb", "").await;
    assert_eq!((read.status, &read.body[..]), (StatusCode::OK, &b"quack quack"[..]));
    assert_eq!(read.header(header::CONTENT_TYPE), "model/gltf-binary");
    assert_eq!(read.header(header::CONTENT_LENGTH), "11");
    let request = browser(Method::GET, "/store/users/alice/my%20duck.glb").header(header::RANGE, "bytes=6-7");
    let part = realm.send(request.body(Body::empty()).unwrap()).await;
    assert_eq!((part.status, &part.body[..]), (StatusCode::PARTIAL_CONTENT, &b"qu"[..]));
    assert_eq!(part.header(header::CONTENT_RANGE), "bytes 6-7/11");
    let request = browser(Method::GET, "/store/users/alice/my%20duck.glb")
        .header(header::IF_NONE_MATCH, read.header(header::ETAG));
    assert_eq!(realm.send(request.body(Body::empty()).unwrap()).await.status, StatusCode::NOT_MODIFIED);
}

#[tokio::test]
async fn an_account_can_query_its_storage_use_and_limits() {
    let realm = Fixture::open().await;
    realm.get("/api/v1/store-room", "").await.problem(401);
    let alice = realm.signed_in("alice", false).await;
    upload(&realm, ("users/alice/duck.glb", &alice), "quack").await;
    let room = realm.get("/api/v1/store-room", &alice).await.json();
    let (all, one) = (limits::FILES_BYTES_PER_ACCOUNT_MAX, limits::FILE_BYTES_MAX);
    let told = json!({"used_bytes": 5, "bytes_max": all, "files": 1, "files_max": limits::FILES_PER_ACCOUNT_MAX, "file_bytes_max": one, "scene_bytes_max": limits::CARRIED_BYTES_MAX});
    assert_eq!(room, told);
}

#[tokio::test]
async fn an_uploaded_html_or_svg_file_is_served_as_a_sandboxed_download() {
    let realm = Fixture::open().await;
    let alice = realm.signed_in("alice", false).await;
    for name in ["page.html", "drawing.svg"] {
        upload(&realm, (&format!("users/alice/{name}"), &alice), "<script>alert(1)</script>").await;
        let read = realm.get(&format!("/store/users/alice/{name}"), "").await;
        assert_eq!(read.status, StatusCode::OK);
        assert_ne!(read.header(header::CONTENT_TYPE), "text/html");
        assert_eq!(read.header(header::CONTENT_DISPOSITION), "attachment");
        assert!(read.header(header::CONTENT_SECURITY_POLICY).starts_with("sandbox"));
        assert_eq!(read.header(header::X_CONTENT_TYPE_OPTIONS), "nosniff");
    }
}

#[tokio::test]
async fn an_upload_to_a_foreign_folder_or_an_unsafe_path_is_refused() {
    let realm = Fixture::open().await;
    let alice = realm.signed_in("alice", false).await;
    let owner = realm.signed_in("olga", true).await;
    upload(&realm, ("users/alice/a.png", ""), "x").await.problem(401);
    upload(&realm, ("users/bob/a.png", &alice), "x").await.problem(403);
    assert_eq!(upload(&realm, ("users/alice/a.png", &owner), "x").await.status, StatusCode::CREATED);
    for path in [
        "users/alice/..%2f..%2fkeys%2ftokens.pem",
        "users/alice/%2e%2e/x",
        "users/alice/a%5cb",
        "users/alice/.hidden",
        "keys/tokens.pem",
    ] {
        upload(&realm, (path, &alice), "x").await.problem(400);
        realm.get(&format!("/store/{path}"), &alice).await.problem(400);
    }
}

#[tokio::test]
async fn an_upload_past_the_limit_is_refused_before_it_is_read() {
    let realm = Fixture::open().await;
    let alice = realm.signed_in("alice", false).await;
    let request = browser(Method::PUT, "/api/v1/store/users/alice/big.bin").header(header::COOKIE, &alice);
    let request = request.header(header::CONTENT_LENGTH, limits::FILE_BYTES_MAX + 1);
    let detail = realm.send(request.body(Body::from("x")).unwrap()).await.problem(413);
    assert!(detail.contains(&limits::FILE_BYTES_MAX.to_string()), "{detail}");
    realm.get("/store/users/alice/big.bin", "").await.problem(404);
}

#[tokio::test]
async fn an_upload_without_a_length_is_refused_at_the_size_limit() {
    let dir = tempfile::tempdir().unwrap();
    let files = ContentStore::open(dir.path()).unwrap();
    let mut incoming = files.receive().await.unwrap();
    let check = |size: u64| if size <= 10 { Ok(()) } else { Err(Problem::bad_request("too much")) };
    receive(&mut incoming, Body::from("123456"), check).await.expect("negative control: it fits");
    receive(&mut incoming, Body::from("123456"), check).await.expect_err("12 bytes of 10");
    assert_eq!(incoming.size_bytes(), 6, "the piece that was too much was not taken");
    incoming.abort().await;
}

/// The result of an upload of 60 pieces, one every 900 ms, and its duration.
async fn upload_slowly(piece_bytes: usize) -> (Result<(), u16>, Duration) {
    let dir = tempfile::tempdir().unwrap();
    let files = ContentStore::open(dir.path()).unwrap();
    let mut incoming = files.receive().await.unwrap();
    let pieces = futures_util::stream::unfold(0, move |number| async move {
        tokio::time::sleep(Duration::from_millis(900)).await;
        (number < 60).then(|| (Ok::<_, std::io::Error>(vec![b'x'; piece_bytes]), number + 1))
    });
    let began = Instant::now();
    let received = receive(&mut incoming, Body::from_stream(pieces), |_| Ok(())).await;
    let received = received.map_err(|problem| problem.status().as_u16());
    let after = began.elapsed();
    incoming.abort().await;
    (received, after)
}

#[tokio::test(start_paused = true)]
async fn an_upload_that_is_too_slow_from_the_fifth_second_on_is_refused() {
    let (received, after) = upload_slowly(1_024).await;
    assert_eq!(received, Err(408));
    assert!(after >= limits::UPLOAD_GRACE && after < 2 * limits::UPLOAD_GRACE, "{after:?}");
    let (received, after) = upload_slowly(limits::UPLOAD_BYTES_PER_S_MIN as usize).await;
    assert!(received.is_ok() && after > 10 * limits::UPLOAD_GRACE, "negative control: {after:?}");
}

#[tokio::test]
async fn one_customers_uploads_leave_slots_to_other_addresses() {
    let realm = Fixture::open().await;
    let alice = realm.signed_in("alice", false).await;
    let network = |address: &str| Some(address.parse::<IpAddr>().unwrap().into());
    let take = |number: usize| {
        let holders = SlotHolder::of_account(&format!("account{number}"), network(&format!("2001:db8:0:{number}::1")));
        realm.app.uploads.take_now(&holders, "uploads").unwrap()
    };
    let slots: Vec<_> = (0..limits::UPLOADS_PER_ADDRESS_MAX).map(take).collect();
    let upload_from = async |address: &str| {
        let request = browser(Method::PUT, "/api/v1/store/users/alice/duck.bin").header(header::COOKIE, &alice);
        let mut request = request.body(Body::from("quack")).unwrap();
        request.extensions_mut().insert(PeerSocketAddress((address.parse::<IpAddr>().unwrap(), 1_234).into()));
        realm.send(request).await
    };
    let refused = upload_from("2001:db8:0:ff00::1").await;
    let detail = refused.problem(429);
    assert!(detail.contains("your address's uploads are still running; the limit is 8 at a time"), "{detail}");
    assert_eq!(upload_from("2001:db8:1::1").await.status, StatusCode::CREATED);
    drop(slots);
    assert_eq!(upload_from("2001:db8:0:ff00::1").await.status, StatusCode::CREATED, "negative control");
}

#[tokio::test]
async fn a_few_busy_addresses_leave_upload_slots_to_new_addresses() {
    let realm = Fixture::open().await;
    let alice = realm.signed_in("alice", false).await;
    let network =
        |address: &str| RequestNetwork::of(Some(&PeerSocketAddress((address.parse::<IpAddr>().unwrap(), 1).into())));
    let mut slots = Vec::new();
    for number in 0..limits::UPLOADS_MAX {
        let (account, address) = (format!("account{number}"), format!("192.0.2.{}", number % 4));
        slots.extend(UploadSlot::take(&realm.web, (&account, network(&address)), "uploads").ok());
    }
    assert_eq!(slots.len(), limits::UPLOADS_SHARED, "the others are refused");
    let upload_from = async |address: &str| {
        let request = browser(Method::PUT, "/api/v1/store/users/alice/duck.bin").header(header::COOKIE, &alice);
        let mut request = request.body(Body::from("quack")).unwrap();
        request.extensions_mut().insert(PeerSocketAddress((address.parse::<IpAddr>().unwrap(), 1_234).into()));
        realm.send(request).await
    };
    let detail = upload_from("192.0.2.1").await.problem(429);
    assert!(detail.contains("of which your address has its share"), "{detail}");
    assert_eq!(upload_from("192.0.2.9").await.status, StatusCode::CREATED);
}

#[tokio::test]
async fn a_scenes_files_are_readable_only_with_access_to_the_scene() {
    let realm = Fixture::open().await;
    let alice = realm.signed_in("alice", false).await;
    let path = "users/alice/scenes/den/duck.glb";
    upload(&realm, (path, &alice), "quack").await;
    let read = async |cookie: &str| realm.get(&format!("/store/{path}"), cookie).await;
    read("").await.problem(404);
    assert_eq!(read(&alice).await.status, StatusCode::OK, "her own, though the scene is not made yet");
    realm.ask(Method::PUT, "/api/v1/scenes/alice/den", (&alice, json!({"anonymous_users": false}))).await;
    read("").await.problem(404);
    realm.ask(Method::PUT, "/api/v1/scenes/alice/den", (&alice, json!({}))).await;
    let found = read("").await;
    assert_eq!((found.status, found.header(header::CACHE_CONTROL)), (StatusCode::OK, "private, no-cache"));
}

/// Statuses of uploads below `users/alice/`, and of reading files there, with a token.
async fn by_token(realm: &Fixture, token: &str, (written, read): (&[&str], &[&str])) -> (Vec<u16>, Vec<u16>) {
    let status = async |method: Method, path: String| {
        let request = browser(method, &path).header(header::AUTHORIZATION, format!("Bearer {token}"));
        realm.send(request.body(Body::from("logo")).unwrap()).await.status.as_u16()
    };
    let (mut writes, mut reads) = (Vec::new(), Vec::new());
    for file in written {
        writes.push(status(Method::PUT, format!("/api/v1/store/users/alice/{file}")).await);
    }
    for file in read {
        reads.push(status(Method::GET, format!("/store/users/alice/{file}")).await);
    }
    (writes, reads)
}

#[tokio::test]
async fn a_token_writes_and_reads_only_files_of_scenes_that_its_filters_cover() {
    let realm = Fixture::open().await;
    let alice = realm.signed_in("alice", false).await;
    for scene in ["den", "vault"] {
        let private = json!({"public_read": false});
        realm.ask(Method::PUT, &format!("/api/v1/scenes/alice/{scene}"), (&alice, private)).await;
    }
    for file in ["scenes/den/plan.txt", "scenes/vault/plan.txt", "scenes/attic/plan.txt", "plan.txt"] {
        let stored = upload(&realm, (&format!("users/alice/{file}"), &alice), "plan").await;
        assert_eq!(stored.status, StatusCode::CREATED, "a signed-in browser writes all of them: {file}");
    }
    let token = async |scene: &str| {
        let form = format!("client=web&scene={scene}");
        let issued = realm.form("/user/v2/mqtt_auth", &alice, &form).await.json();
        issued["token"].as_str().unwrap_or_else(|| panic!("{issued}")).to_owned()
    };
    let written = ["logo.txt", "scenes/den/logo.txt", "scenes/vault/logo.txt"];
    let read = ["plan.txt", "scenes/den/plan.txt", "scenes/vault/plan.txt", "scenes/attic/plan.txt"];
    for (scene, writes, reads) in [
        ("public/lobby", [403, 403, 403], [200, 404, 404, 404]),
        ("alice/den", [403, 201, 403], [200, 200, 404, 404]),
        ("", [201, 201, 201], [200, 200, 200, 200]),
    ] {
        let answers = by_token(&realm, &token(scene).await, (&written, &read)).await;
        assert_eq!(answers, (writes.to_vec(), reads.to_vec()), "{scene:?}");
    }
}

#[tokio::test]
async fn a_complete_upload_is_kept_if_its_client_disconnects() {
    let realm = Fixture::open().await;
    let alice = realm.signed_in("alice", false).await;
    let request = browser(Method::PUT, "/api/v1/store/users/alice/duck.bin").header(header::COOKIE, &alice);
    realm.hang_up(request.body(Body::from("quack")).unwrap()).await;
    realm.nothing_incoming().await;
    // The upload gets its name under the same lock.
    drop(realm.app.files.naming().await);
    assert_eq!(realm.get("/store/users/alice/duck.bin", "").await.body, b"quack");
}

#[tokio::test]
async fn concurrent_uploads_cannot_exceed_the_accounts_storage_limit() {
    for left in [100, 200] {
        let realm = Fixture::open().await;
        let alice = realm.signed_in("alice", false).await;
        let others = FileRow {
            path: "users/alice/old.bin".into(),
            hash: "0".repeat(64),
            size_bytes: limits::FILES_BYTES_PER_ACCOUNT_MAX - left,
            content_type: "application/octet-stream".into(),
            owner: "alice".into(),
        };
        realm.app.store.put_file(&others).await.unwrap();
        let (begun, begins) = oneshot::channel();
        let (go_on, goes_on) = oneshot::channel::<()>();
        // The body is first polled after the check of free storage.
        let body = Body::from_stream(futures_util::stream::once(async move {
            begun.send(()).unwrap();
            goes_on.await.unwrap();
            Ok::<_, std::io::Error>("x".repeat(80))
        }));
        let request = browser(Method::PUT, "/api/v1/store/users/alice/slow.bin").header(header::COOKIE, &alice);
        let slow = realm.send(request.body(body).unwrap());
        let fast = async {
            begins.await.unwrap();
            let stored = upload(&realm, ("users/alice/fast.bin", &alice), &"y".repeat(80)).await;
            assert_eq!(stored.status, StatusCode::CREATED);
            go_on.send(()).unwrap();
        };
        let (slow, ()) = tokio::join!(slow, fast);
        assert_eq!(slow.status.as_u16(), if left == 100 { 413 } else { 201 });
    }
}

/// A file of many pieces, and its answer of which one piece is read.
async fn begun_answer(realm: &Fixture) -> (String, Body) {
    let alice = realm.signed_in("alice", false).await;
    let content = "quack ".repeat(4 * limits::FILE_PIECE_BYTES as usize);
    assert_eq!(upload(realm, ("users/alice/duck.bin", &alice), &content).await.status, StatusCode::CREATED);
    let request = browser(Method::GET, "/store/users/alice/duck.bin").body(Body::empty()).unwrap();
    let mut body = realm.begin(request).await.into_body();
    let piece = body.frame().await.unwrap().unwrap().into_data().unwrap();
    (content[piece.len()..].to_owned(), body)
}

/// Open files of this process below the realm's folder of contents.
fn open_contents(realm: &Fixture) -> usize {
    let contents = realm.app.config.data.canonicalize().unwrap().join("files/sha256");
    let open = std::fs::read_dir("/proc/self/fd").unwrap().flatten();
    let paths = open.filter_map(|entry| std::fs::read_link(entry.path()).ok());
    paths.filter(|path| path.starts_with(&contents) && path.is_file()).count()
}

#[tokio::test]
async fn an_answer_that_is_not_read_holds_no_file_open() {
    let realm = Fixture::open().await;
    let (rest, body) = begun_answer(&realm).await;
    assert_eq!(open_contents(&realm), 0);
    let content = std::fs::read_dir(realm.app.config.data.join("files/sha256")).unwrap().next().unwrap().unwrap();
    let content = std::fs::read_dir(content.path()).unwrap().next().unwrap().unwrap();
    let open = std::fs::File::open(content.path()).unwrap();
    assert_eq!(open_contents(&realm), 1, "negative control");
    drop(open);
    assert!(body.collect().await.unwrap().to_bytes() == rest, "it goes on where it was");
}

#[tokio::test]
async fn an_answer_whose_file_is_replaced_meanwhile_ends_with_an_error() {
    for replaced in [true, false] {
        let realm = Fixture::open().await;
        let (rest, body) = begun_answer(&realm).await;
        if replaced {
            let again = realm.post("/api/v1/login", "", json!({"username": "alice", "password": PASSWORD})).await;
            let alice = again.cookie("stoa-8080=").unwrap();
            let content = "moo".repeat(rest.len());
            assert_eq!(upload(&realm, ("users/alice/duck.bin", &alice), &content).await.status, StatusCode::CREATED);
        }
        match body.collect().await {
            Ok(read) => assert!(!replaced && read.to_bytes() == rest, "negative control"),
            Err(_) => assert!(replaced),
        }
    }
}
