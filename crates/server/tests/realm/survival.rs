//! What a folder holds across ends of its server, good and bad.

use serde_json::json;

use crate::client::{self, Client};
use crate::running::{Running, serve, stoa};

#[tokio::test]
async fn sigterm_ends_a_server_in_good_order() {
    let dir = tempfile::tempdir().unwrap();
    let server = Running::start(dir.path()).await;
    assert_eq!(server.ports.motion, None);
    let token = server.token(&["--user", "alice", "--scene", "public/lobby"]).await;
    let (_client, code) = Client::connect(client::tcp(&server).await, ("alice", "client-alice"), &token).await;
    assert_eq!(code, 0);
    let (status, log) = server.terminate().await;
    assert_eq!(status.code(), Some(0), "{log}");
    assert!(!dir.path().join("run/ports.json").exists());
    assert!(!dir.path().join("run/control.sock").exists());
    assert!(!log.contains(&token), "a token never reaches the log");
}

#[tokio::test]
async fn a_folder_has_one_server() {
    let dir = tempfile::tempdir().unwrap();
    let server = Running::start(dir.path()).await;
    let second = serve(dir.path(), &[]).output().await.unwrap();
    let error = String::from_utf8_lossy(&second.stderr);
    assert!(!second.status.success());
    assert!(error.contains("in use") && error.contains("--data"), "{error}");
    assert_eq!(server.get("/readyz", None).await.0, 200, "the first one didn't notice");
}

#[tokio::test]
async fn an_acknowledged_create_survives_kill_9() {
    let dir = tempfile::tempdir().unwrap();
    let server = Running::start(dir.path()).await;
    let token = server.token(&["--user", "alice", "--scene", "public/lobby"]).await;
    let (mut client, _) = Client::connect(client::tcp(&server).await, ("alice", "client-alice"), &token).await;
    let create = |id: &str, persist: bool| json!({"object_id": id, "action": "create", "type": "object", "persist": persist, "data": {"object_type": "box"}});
    let topic = |id: &str| format!("realm/s/public/lobby/o/client-alice/{id}");
    assert_eq!(client.publish(&topic("kept"), &create("kept", true)).await, 0);
    assert_eq!(client.publish(&topic("fleeting"), &create("fleeting", false)).await, 0);
    server.kill().await;

    let server = Running::start(dir.path()).await;
    let (status, snapshot) = server.get("/api/v1/scenes/public/lobby/snapshot", Some(&token)).await;
    assert_eq!(status, 200, "{snapshot}");
    let snapshot: serde_json::Value = serde_json::from_str(&snapshot).unwrap();
    assert_eq!(snapshot["epoch"], 2, "a new start is a new epoch");
    let ids: Vec<_> = snapshot["messages"].as_array().unwrap().iter().map(|m| &m["payload"]["object_id"]).collect();
    assert!(ids.contains(&&json!("kept")));
    assert!(ids.contains(&&json!("lamp")), "the first objects are there");
    assert!(!ids.contains(&&json!("fleeting")), "negative control: what was not to persist is gone");
}

#[tokio::test]
async fn a_revoked_token_opens_nothing_after_a_restart_either() {
    let dir = tempfile::tempdir().unwrap();
    let server = Running::start(dir.path()).await;
    let token = server.token(&["--user", "alice", "--scene", "public/lobby"]).await;
    let (mut client, code) = Client::connect(client::tcp(&server).await, ("alice", "client-alice"), &token).await;
    assert_eq!(code, 0);
    let jti = stoa_server::tokens::Keys::load_or_create(dir.path()).unwrap().verify(&token).unwrap().jti;
    let revoked = stoa(&["token", "revoke", &jti, "--data"]).arg(dir.path()).output().await.unwrap();
    assert!(revoked.status.success(), "{}", String::from_utf8_lossy(&revoked.stderr));
    let last = client.receive().await;
    assert!(matches!(last, stoa_wire::packet::Packet::Disconnect(_)), "{last:?}");
    assert!(server.terminate().await.0.success());

    let server = Running::start(dir.path()).await;
    let (_, code) = Client::connect(client::tcp(&server).await, ("alice", "client-alice"), &token).await;
    assert!(code >= 0x80, "{code:#x}");
}
