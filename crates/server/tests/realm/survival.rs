//! The content of a data folder after clean and unclean ends of its server.

use serde_json::json;
use stoa_wire::packet::ReasonCode;

use crate::client::{self, Client};
use crate::running::{Running, serve, stoa};

#[tokio::test]
async fn sigterm_shuts_a_server_down_cleanly() {
    let dir = tempfile::tempdir().unwrap();
    let server = Running::start(dir.path()).await;
    assert!(server.ports.motion.is_some() && server.ports.webtransport.is_some());
    let token = server.token(&["--user", "alice", "--scene", "public/lobby"]).await;
    let (_client, code) = Client::connect(client::tcp(&server).await, ("alice", "client-alice"), &token).await;
    assert_eq!(code, ReasonCode::SUCCESS);
    let (status, log) = server.terminate().await;
    assert_eq!(status.code(), Some(0), "{log}");
    assert!(!dir.path().join("run/ports.json").exists());
    assert!(!dir.path().join("run/control.sock").exists());
    assert!(!log.contains(&token), "a token never reaches the log");
}

#[tokio::test]
async fn a_ctrl_c_that_arrives_as_two_signals_shuts_a_server_down_cleanly() {
    let dir = tempfile::tempdir().unwrap();
    let server = Running::start(dir.path()).await;
    // Half a request keeps the server draining, so that both signals arrive during that.
    let mut half = tokio::net::TcpStream::connect(server.ports.http.unwrap()).await.unwrap();
    let head = "POST /api/v1/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{";
    tokio::io::AsyncWriteExt::write_all(&mut half, head.as_bytes()).await.unwrap();
    assert_eq!(server.get("/readyz", None).await.0, 200);
    let pid = server.ports.pid.to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let (status, log) = server.terminate().await;
    assert_eq!(status.code(), Some(0), "{log}");
    assert!(!log.contains("second signal"), "{log}");
}

#[tokio::test]
async fn a_second_server_in_the_same_folder_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let server = Running::start(dir.path()).await;
    let second = serve(dir.path(), &[]).output().await.unwrap();
    let error = String::from_utf8_lossy(&second.stderr);
    assert!(!second.status.success());
    assert!(error.contains("in use") && error.contains("--data"), "{error}");
    assert_eq!(server.get("/readyz", None).await.0, 200, "the first one didn't notice");
}

/// The lobby's snapshot.
async fn snapshot(server: &Running, token: &str) -> serde_json::Value {
    let (status, snapshot) = server.get("/api/v1/scenes/public/lobby/snapshot", Some(token)).await;
    assert_eq!(status, 200, "{snapshot}");
    serde_json::from_str(&snapshot).unwrap()
}

#[tokio::test]
async fn an_interrupted_first_start_is_completed_once_at_the_next_start() {
    let dir = tempfile::tempdir().unwrap();
    let lobby = "public/lobby".parse().unwrap();
    {
        // The state after a killed start: an epoch and an empty lobby, but no sandbox.
        let store = stoa_server::store::Store::open(dir.path()).await.unwrap();
        store.next_epoch().await.unwrap();
        store.make_scene(&lobby, &stoa_server::first_scenes::settings(&lobby)).await.unwrap();
    }
    let server = Running::start(dir.path()).await;
    let token = server.token(&["--user", "alice", "--scene", "public/lobby"]).await;
    let ids = |snapshot: &serde_json::Value| snapshot["messages"].to_string();
    assert!(ids(&snapshot(&server, &token).await).contains(r#""object_id":"lamp""#), "the lobby is filled");
    let scenes = server.get("/api/v1/scenes", None).await.1;
    assert!(scenes.contains("sandbox"));
    assert_eq!(scenes.matches(r#""picture":true"#).count(), 2, "each is seen in the list: {scenes}");
    let removed = stoa(&["scene", "remove", "public/sandbox", "--data"]).arg(dir.path()).output().await.unwrap();
    assert!(removed.status.success(), "{}", String::from_utf8_lossy(&removed.stderr));
    assert!(server.terminate().await.0.success());

    let server = Running::start(dir.path()).await;
    let scenes = server.get("/api/v1/scenes", None).await.1;
    assert!(scenes.contains("lobby") && !scenes.contains("sandbox"), "what was removed stays away: {scenes}");
}

#[tokio::test]
async fn an_acknowledged_create_survives_kill_9() {
    let dir = tempfile::tempdir().unwrap();
    let server = Running::start(dir.path()).await;
    let token = server.token(&["--user", "alice", "--scene", "public/lobby"]).await;
    let (mut client, _) = Client::connect(client::tcp(&server).await, ("alice", "client-alice"), &token).await;
    let create = |id: &str, persist: bool| json!({"object_id": id, "action": "create", "type": "object", "persist": persist, "data": {"object_type": "box"}});
    let topic = |id: &str| format!("realm/s/public/lobby/o/client-alice/{id}");
    assert_eq!(client.publish(&topic("kept"), &create("kept", true)).await, ReasonCode::SUCCESS);
    assert_eq!(client.publish(&topic("fleeting"), &create("fleeting", false)).await, ReasonCode::SUCCESS);
    let before = snapshot(&server, &token).await;
    server.kill().await;

    let server = Running::start(dir.path()).await;
    let snapshot = snapshot(&server, &token).await;
    assert!(snapshot["epoch"].as_u64() > before["epoch"].as_u64(), "a new start is a new epoch");
    let ids: Vec<_> = snapshot["messages"].as_array().unwrap().iter().map(|m| &m["payload"]["object_id"]).collect();
    assert!(ids.contains(&&json!("kept")));
    assert!(ids.contains(&&json!("lamp")), "the first objects are there");
    assert!(!ids.contains(&&json!("fleeting")), "negative control: what was not to persist is gone");
}

#[tokio::test]
async fn a_revoked_token_is_refused_after_a_restart() {
    let dir = tempfile::tempdir().unwrap();
    let server = Running::start(dir.path()).await;
    let token = server.token(&["--user", "alice", "--scene", "public/lobby"]).await;
    let (mut client, code) = Client::connect(client::tcp(&server).await, ("alice", "client-alice"), &token).await;
    assert_eq!(code, ReasonCode::SUCCESS);
    let jti = stoa_server::tokens::TokenAuthority::load_or_create(dir.path()).unwrap().verify(&token).unwrap().jti;
    let revoked = stoa(&["token", "revoke", &jti, "--data"]).arg(dir.path()).output().await.unwrap();
    assert!(revoked.status.success(), "{}", String::from_utf8_lossy(&revoked.stderr));
    let last = client.receive().await;
    assert!(matches!(last, stoa_wire::packet::Packet::Disconnect(_)), "{last:?}");
    assert!(server.terminate().await.0.success());

    let server = Running::start(dir.path()).await;
    let (_, code) = Client::connect(client::tcp(&server).await, ("alice", "client-alice"), &token).await;
    assert!(code.is_error(), "{code}");
}
