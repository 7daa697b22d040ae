//! Export and import of scenes between realms, and backups of running realms.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::{Value, json};
use stoa_wire::packet::ReasonCode;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::client::{self, Client};
use crate::running::{PATIENCE, Running, stoa};

/// The output of `stoa` on both streams. Panics unless it succeeds or fails as expected.
async fn run(arguments: &[&str], data: &Path, succeeds: bool) -> (String, String) {
    let output = stoa(arguments).arg("--data").arg(data).output().await.unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let (out, error) = (text(output.stdout), text(output.stderr));
    assert_eq!(output.status.success(), succeeds, "{arguments:?}: {out}{error}");
    (out, error)
}

async fn snapshot(server: &Running, name: &str) -> Vec<Value> {
    let token = server.token(&["--user", "reader", "--scene", name]).await;
    let (status, text) = server.get(&format!("/api/v1/scenes/{name}/snapshot"), Some(&token)).await;
    assert_eq!(status, 200, "{text}");
    let snapshot: Value = serde_json::from_str(&text).unwrap();
    let mut objects: Vec<Value> =
        snapshot["messages"].as_array().unwrap().iter().map(|message| message["payload"].clone()).collect();
    objects.sort_by_key(|object| object["object_id"].to_string());
    objects
}

async fn settings(data: &Path, name: &str) -> String {
    let (list, _) = run(&["scene", "list"], data, true).await;
    list.lines().find(|line| line.starts_with(name)).unwrap_or_default().split("  ").last().unwrap().trim().to_owned()
}

/// Uploads a file of alice's, and builds two boxes in a scene that she alone may enter.
async fn furnish(server: &Running, content: &[u8]) {
    let data = &server.data;
    run(&["scene", "create", "alice/den", "--private"], data, true).await;
    let token = server.token(&["--user", "alice", "--scene", "alice/den"]).await;
    let uploads = server.token(&["--user", "alice", "--publish", "#", "--subscribe", "#"]).await;
    let address = server.ports.http.unwrap();
    let mut stream = TcpStream::connect(address).await.unwrap();
    let head = format!(
        "PUT /api/v1/store/users/alice/my%20duck.bin HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {uploads}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
        content.len()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(content).await.unwrap();
    let mut answer = String::new();
    timeout(PATIENCE, stream.read_to_string(&mut answer)).await.unwrap().unwrap();
    assert!(answer.starts_with("HTTP/1.1 201"), "{answer}");
    let (mut client, _) = Client::connect(client::tcp(server).await, ("alice", "client-alice"), &token).await;
    for (id, attributes) in [
        ("duck", json!({"object_type": "gltf-model", "url": "/store/users/alice/my%20duck.bin"})),
        ("pond", json!({"object_type": "circle", "radius": 2.5, "parent": "duck", "unknown-key": [1, {"a": null}]})),
    ] {
        let create =
            json!({"object_id": id, "action": "create", "type": "object", "persist": true, "data": attributes});
        assert_eq!(
            client.publish(&format!("realm/s/alice/den/o/client-alice/{id}"), &create).await,
            ReasonCode::SUCCESS
        );
    }
}

#[tokio::test]
async fn an_export_recreates_the_scene_and_its_files_in_another_realm() {
    let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (from, to) = (Running::start(here.path()).await, Running::start(there.path()).await);
    let content = b"quack ".repeat(300_000);
    furnish(&from, &content).await;
    let export = here.path().join("den.jsonl");
    let export = export.to_str().unwrap();
    run(&["scene", "export", "alice/den", "--with-files", "--out", export], here.path(), true).await;
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(export.as_ref()), mode(&here.path().join("lock"))), (0o600, 0o600), "others can't read them");
    let (done, warnings) = run(&["scene", "import", export], there.path(), true).await;
    assert_eq!((done.trim(), warnings.as_str()), ("alice/den: 2 objects", ""));
    assert_eq!(snapshot(&to, "alice/den").await, snapshot(&from, "alice/den").await);
    assert_eq!(settings(there.path(), "alice/den").await, settings(here.path(), "alice/den").await);
    let (status, read) = to.get("/store/users/alice/my%20duck.bin", None).await;
    assert!(status == 200 && read.as_bytes() == content, "the file came along: {status}");

    let (_, refused) = run(&["scene", "import", export], there.path(), false).await;
    assert!(refused.contains("scene alice/den already exists"), "{refused}");
    run(&["scene", "import", export, "--as", "alice/copy"], there.path(), true).await;
    let before = snapshot(&to, "alice/copy").await;
    let token = to.token(&["--user", "alice", "--scene", "alice/copy"]).await;
    let (mut client, _) = Client::connect(client::tcp(&to).await, ("alice", "client-alice"), &token).await;
    let delete = json!({"object_id": "duck", "action": "delete"});
    assert_eq!(client.publish("realm/s/alice/copy/o/client-alice/duck", &delete).await, ReasonCode::SUCCESS);
    assert_ne!(snapshot(&to, "alice/copy").await, before, "negative control");
    run(&["scene", "import", export, "--as", "alice/copy", "--replace"], there.path(), true).await;
    assert_eq!(snapshot(&to, "alice/copy").await, before);
    to.kill().await;
    let to = Running::start(there.path()).await;
    assert_eq!(snapshot(&to, "alice/copy").await, before, "it is on disk");
}

#[tokio::test]
async fn an_import_converts_arena_records_and_warns_about_bad_values() {
    let dir = tempfile::tempdir().unwrap();
    let server = Running::start(dir.path()).await;
    let records = json!([
        {"_id": {"$oid": "64b0"}, "object_id": "lamp", "type": "object", "realm": "realm", "namespace": "alice", "sceneId": "hall",
         "attributes": {"object_type": "box", "width": {"$numberDouble": "1.5"}, "material": {"opacity": 3}},
         "createdAt": {"$date": "2023-07-14T03:29:17.123Z"}, "updatedAt": {"$date": {"$numberLong": "1689305360000"}}, "__v": {"$numberInt": "0"}},
        {"object_id": "scene-options", "type": "scene-options", "namespace": "alice", "sceneId": "hall",
         "attributes": {"env-presets": {"active": true}}}
    ]);
    let file = dir.path().join("records.json");
    std::fs::write(&file, records.to_string()).unwrap();
    let file = file.to_str().unwrap();
    let (_, warnings) = run(&["scene", "import", file, "--dry-run"], dir.path(), true).await;
    assert_eq!(warnings.trim(), "stoa: warning: object \"lamp\": material.opacity = 3: out of range");
    assert!(settings(dir.path(), "alice/hall").await.is_empty(), "a dry run makes nothing");
    run(&["scene", "import", file], dir.path(), true).await;
    let lamp = &snapshot(&server, "alice/hall").await[0];
    assert_eq!((&lamp["object_id"], &lamp["data"]["width"]), (&json!("lamp"), &json!(1.5)));
    let token = server.token(&["--user", "reader", "--scene", "alice/hall"]).await;
    let (_, stored) = server.get("/persist/alice/hall/lamp", Some(&token)).await;
    assert!(stored.contains("2023-07-14T03:29:17.123Z"), "it keeps its times: {stored}");

    let lines = records.as_array().unwrap().iter().map(Value::to_string).collect::<Vec<_>>().join("\n");
    std::fs::write(dir.path().join("lines.json"), lines).unwrap();
    let lines = dir.path().join("lines.json");
    run(&["scene", "import", lines.to_str().unwrap(), "--as", "alice/two"], dir.path(), true).await;
    assert_eq!(snapshot(&server, "alice/two").await, snapshot(&server, "alice/hall").await, "one record a line");
}

#[tokio::test]
async fn an_imported_file_is_validated_like_an_upload() {
    let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let from = Running::start(here.path()).await;
    furnish(&from, b"quack").await;
    let export = here.path().join("den.jsonl");
    let export = export.to_str().unwrap();
    run(&["scene", "export", "alice/den", "--with-files", "--out", export], here.path(), true).await;
    let text = std::fs::read_to_string(export).unwrap();
    let to = Running::start(there.path()).await;
    std::fs::write(export, text.replace("duck.bin", "duck.glb")).unwrap();
    let (_, refused) = run(&["scene", "import", export], there.path(), false).await;
    assert!(refused.contains("my duck.glb\" was not taken: "), "{refused}");
    assert!(settings(there.path(), "alice/den").await.is_empty());
    let (status, _) = to.get("/store/users/alice/my%20duck.glb", None).await;
    assert_eq!(status, 404);
    std::fs::write(export, text).unwrap();
    run(&["scene", "import", export], there.path(), true).await;
}

#[tokio::test]
async fn a_failed_import_leaves_neither_scene_nor_content() {
    let dir = tempfile::tempdir().unwrap();
    let server = Running::start(dir.path()).await;
    let good = json!({"object_id": "good", "attributes": {"object_type": "box"}});
    let file = dir.path().join("bad.json");
    for (bad, why) in [
        (json!({"object_id": "a/b", "attributes": {"object_type": "box"}}), "a/b"),
        (json!({"object_id": "good", "attributes": {"object_type": "box"}}), "twice"),
        (json!({"object_id": "large", "attributes": {"object_type": "box", "note": "x".repeat(300_000)}}), "large"),
        (json!({"object_id": "none"}), "attributes is missing"),
        (json!({"stoa_scene": 9, "scene": "alice/bad", "settings": {}}), "version 9"),
        (json!(17), "not an object"),
    ] {
        std::fs::write(&file, json!([good, bad]).to_string()).unwrap();
        let (_, error) =
            run(&["scene", "import", file.to_str().unwrap(), "--as", "alice/bad"], dir.path(), false).await;
        assert!(error.contains(why), "{why}: {error}");
    }
    std::fs::write(&file, "[{\"object_id\": \"half\"").unwrap();
    run(&["scene", "import", file.to_str().unwrap(), "--as", "alice/bad"], dir.path(), false).await;
    let lost = json!({"file": "users/alice/a.txt", "sha256": "0".repeat(64), "size_bytes": 5}).to_string();
    let content = json!({"content": "aGVsbG8="}).to_string();
    std::fs::write(&file, format!("{good}\n{lost}\n{content}\n")).unwrap();
    let (_, error) = run(&["scene", "import", file.to_str().unwrap(), "--as", "alice/bad"], dir.path(), false).await;
    assert!(error.contains("not what was exported"), "{error}");
    assert!(settings(dir.path(), "alice/bad").await.is_empty());
    assert_eq!(contents(dir.path()), 0, "no content stays");
    drop(server);
}

fn contents(data: &Path) -> usize {
    let folders = std::fs::read_dir(data.join("files/sha256")).into_iter().flatten().flatten();
    folders.map(|folder| std::fs::read_dir(folder.path()).unwrap().count()).sum()
}

#[tokio::test]
async fn a_clone_copies_a_scene_with_and_without_a_running_server() {
    let dir = tempfile::tempdir().unwrap();
    let server = Running::start(dir.path()).await;
    run(&["scene", "clone", "public/lobby", "alice/lobby"], dir.path(), true).await;
    let (_, refused) = run(&["scene", "clone", "public/none", "alice/none"], dir.path(), false).await;
    assert!(refused.contains("there is no scene public/none"), "{refused}");
    let lobby = snapshot(&server, "public/lobby").await;
    assert!(!lobby.is_empty() && snapshot(&server, "alice/lobby").await == lobby);
    assert!(server.terminate().await.0.success());
    run(&["scene", "clone", "alice/lobby", "alice/second"], dir.path(), true).await;
    let export = dir.path().join("second.jsonl");
    run(&["scene", "export", "alice/second", "--out", export.to_str().unwrap()], dir.path(), true).await;
    run(&["scene", "import", export.to_str().unwrap(), "--as", "alice/third"], dir.path(), true).await;
    let server = Running::start(dir.path()).await;
    assert_eq!(snapshot(&server, "alice/second").await, lobby);
    assert_eq!(snapshot(&server, "alice/third").await, lobby);
}

#[tokio::test]
async fn a_backup_of_a_running_realm_restores_to_the_same_realm() {
    let (dir, away) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let server = Running::start(dir.path()).await;
    furnish(&server, b"quack").await;
    let token = server.token(&["--user", "alice", "--scene", "alice/den"]).await;
    let (mut client, _) = Client::connect(client::tcp(&server).await, ("alice", "client-alice"), &token).await;
    let box_of = |number: u32| json!({"object_id": format!("n{number}"), "action": "create", "type": "object", "persist": true, "data": {"object_type": "box"}});
    let topic = |number: u32| format!("realm/s/alice/den/o/client-alice/n{number}");
    let acknowledged = 20;
    for number in 0..acknowledged {
        assert_eq!(client.publish(&topic(number), &box_of(number)).await, ReasonCode::SUCCESS);
    }
    // Changes continue while the backup is taken.
    let building = tokio::spawn(async move {
        for number in acknowledged..acknowledged + 200 {
            client.publish(&topic(number), &box_of(number)).await;
        }
    });
    let backup = away.path().join("backup");
    let (told, _) = run(&["backup", "--to", backup.to_str().unwrap()], dir.path(), true).await;
    assert!(told.contains("3 scenes") && told.contains("1 files"), "{told}");
    building.await.unwrap();
    for path in ["realm.sqlite", "keys/tokens.pem", "tls/key.pem", "backup.json"] {
        let mode = backup.join(path).metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{path} is its owner's alone");
    }
    let (lobby, epoch) = (snapshot(&server, "public/lobby").await, epoch(&server, &token).await);
    server.kill().await;

    let restored = away.path().join("data");
    let restore = ["restore", "--from", backup.to_str().unwrap()];
    run(&restore, &restored, true).await;
    let (_, refused) = run(&restore, &restored, false).await;
    assert!(refused.contains("is not empty"), "{refused}");
    let server = Running::start(&restored).await;
    assert_eq!(snapshot(&server, "public/lobby").await, lobby);
    let den = snapshot(&server, "alice/den").await;
    let has = |id: &str| den.iter().any(|object| object["object_id"] == id);
    assert!(has("duck") && (0..acknowledged).all(|number| has(&format!("n{number}"))), "all that was acknowledged");
    assert_eq!(server.get("/store/users/alice/my%20duck.bin", None).await, (200, "quack".to_owned()));
    let (_, code) = Client::connect(client::tcp(&server).await, ("alice", "client-alice"), &token).await;
    assert_eq!(code, ReasonCode::SUCCESS, "the same keys");
    assert!(self::epoch(&server, &token).await > epoch, "no page takes it for the realm that was lost");
}

async fn epoch(server: &Running, token: &str) -> u64 {
    let (_, text) = server.get("/api/v1/scenes/alice/den/snapshot", Some(token)).await;
    serde_json::from_str::<Value>(&text).unwrap()["epoch"].as_u64().unwrap()
}

#[tokio::test]
async fn a_damaged_or_incomplete_backup_restores_nothing() {
    let (dir, away) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let server = Running::start(dir.path()).await;
    furnish(&server, b"quack").await;
    let (_, refused) = run(&["backup", "--to", dir.path().to_str().unwrap()], dir.path(), false).await;
    assert!(refused.contains("is not empty"), "{refused}");
    let (backup, target) = (away.path().join("backup"), away.path().join("data"));
    run(&["backup", "--to", backup.to_str().unwrap()], dir.path(), true).await;
    let restore = ["restore", "--from", backup.to_str().unwrap()];
    let file = std::fs::read_dir(backup.join("files/sha256")).unwrap().next().unwrap().unwrap().path();
    let file = std::fs::read_dir(file).unwrap().next().unwrap().unwrap().path();
    std::fs::write(&file, "moo!!").unwrap();
    let (_, refused) = run(&restore, &target, false).await;
    assert!(refused.contains("is damaged"), "{refused}");
    std::fs::remove_file(&file).unwrap();
    let (_, refused) = run(&restore, &target, false).await;
    assert!(refused.contains("is damaged"), "{refused}");
    assert_eq!(std::fs::read_dir(&target).unwrap().count(), 0, "nothing stays");
    std::fs::write(&file, "quack").unwrap();
    std::fs::remove_file(backup.join("backup.json")).unwrap();
    let (_, refused) = run(&restore, &target, false).await;
    assert!(refused.contains("no whole backup"), "{refused}");
    drop(server);
}
