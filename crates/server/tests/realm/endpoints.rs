//! Inputs that the endpoints accept and refuse.

use serde_json::json;
use stoa_wire::packet::{Packet, ReasonCode};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};

use crate::client::{self, Client};
use crate::running::{Running, ask, get, serve, stoa};

const EVERYBODY: &str = "realm/s/public/lobby/+/+/+";

async fn connect(server: &Running, io: Box<dyn client::Io>, name: &str) -> Client {
    let token = server.token(&["--user", name, "--scene", "public/lobby"]).await;
    let (client, code) = Client::connect(io, (name, &format!("client-{name}")), &token).await;
    assert_eq!(code, ReasonCode::SUCCESS, "{name} may enter");
    client
}

#[tokio::test]
async fn tcp_tls_and_websocket_clients_receive_each_others_messages() {
    let dir = tempfile::tempdir().unwrap();
    let server = Running::start(dir.path()).await;
    let mut clients = Vec::new();
    for (name, io) in [
        ("tcp", client::tcp(&server).await),
        ("tls", client::tls(&server).await),
        ("ws", client::websocket(&server).await),
    ] {
        let mut client = connect(&server, io, name).await;
        client.subscribe(EVERYBODY).await;
        clients.push((name, client));
    }
    for sender in 0..clients.len() {
        let name = clients[sender].0;
        let box_ = json!({"object_id": name, "action": "create", "type": "object", "data": {"object_type": "box"}});
        let topic = format!("realm/s/public/lobby/o/client-{name}/{name}");
        assert_eq!(clients[sender].1.publish(&topic, &box_).await, ReasonCode::SUCCESS);
        for (receiver, client) in clients.iter_mut().enumerate().filter(|(receiver, _)| *receiver != sender) {
            assert_eq!(client.1.message().await, (topic.clone(), box_.clone()), "{sender} to {receiver}");
        }
    }
    assert!(server.terminate().await.0.success());
}

#[tokio::test]
async fn a_malformed_token_is_refused_and_counted() {
    let dir = tempfile::tempdir().unwrap();
    let server = Running::start(dir.path()).await;
    let (_, code) = Client::connect(client::tcp(&server).await, ("alice", "client-alice"), "a.b.c").await;
    assert!(code.is_error(), "{code}");
    let (_, metrics) = get(server.ports.admin.unwrap(), "/metrics", None).await;
    assert!(metrics.contains("stoa_connect_refused_total 1"), "{metrics}");
}

#[tokio::test]
async fn disallowing_guests_disconnects_them_and_keeps_the_realm_owner() {
    let dir = tempfile::tempdir().unwrap();
    let server = Running::start(dir.path()).await;
    let http = server.ports.http.unwrap();
    let owner = std::fs::read_to_string(dir.path().join("run/token")).unwrap();
    let issued = async |bearer: &str| {
        let (status, body) = ask(http, ("POST", "/api/v1/token"), bearer, r#"{"scene":"public/lobby"}"#).await;
        assert_eq!(status, 200, "{body}");
        let issued: serde_json::Value = serde_json::from_str(&body).unwrap();
        [&issued["username"], &issued["token"]].map(|text| text.as_str().unwrap().to_owned())
    };
    let enter = async |[name, token]: &[String; 2]| {
        Client::connect(client::tcp(&server).await, (name, &format!("client-{name}")), token).await
    };
    let (by_owner, as_guest) = (issued(&owner).await, issued("").await);
    let ((mut owners, _), (mut guests, code)) = (enter(&by_owner).await, enter(&as_guest).await);
    assert_eq!(code, ReasonCode::SUCCESS);
    let path = ("PUT", "/api/v1/scenes/public/lobby");
    assert_eq!(ask(http, path, &owner, r#"{"anonymous_users":false}"#).await.0, 200);
    match guests.receive().await {
        Packet::Disconnect(said) => assert_eq!(said.code, ReasonCode::NOT_AUTHORIZED, "{said:?}"),
        other => panic!("the guest is told why it has to go: {other:?}"),
    }
    assert_eq!(enter(&as_guest).await.1, ReasonCode::NOT_AUTHORIZED, "its token opens nothing any more");
    assert_eq!(server.get("/api/v1/scenes/public/lobby/snapshot", Some(&as_guest[1])).await.0, 404);
    owners.subscribe(EVERYBODY).await;
    assert_eq!(ask(http, path, &owner, "{}").await.0, 200);
    assert_eq!(enter(&as_guest).await.1, ReasonCode::SUCCESS, "negative control: it was the settings");
    assert!(server.terminate().await.0.success());
}

#[tokio::test]
async fn the_scene_list_hides_names_in_a_locked_scene_from_outsiders() {
    let dir = tempfile::tempdir().unwrap();
    let server = Running::start(dir.path()).await;
    let http = server.ports.http.unwrap();
    let owner = std::fs::read_to_string(dir.path().join("run/token")).unwrap();
    let wish = r#"{"scene":"public/lobby","name":"Gwen"}"#;
    let (status, issued) = ask(http, ("POST", "/api/v1/token"), "", wish).await;
    assert_eq!(status, 200, "{issued}");
    let issued: serde_json::Value = serde_json::from_str(&issued).unwrap();
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let (name, token) = (text(&issued["username"]), text(&issued["token"]));
    let (user_client, id_tag) = (text(&issued["ids"]["userclient"]), text(&issued["ids"]["userid"]));
    let (mut guest, code) = Client::connect(client::tcp(&server).await, (&name, &user_client), &token).await;
    assert_eq!(code, ReasonCode::SUCCESS);
    let join = json!({"object_id": id_tag, "action": "join", "data": {}});
    assert_eq!(
        guest.publish(&format!("realm/s/public/lobby/x/{user_client}/{id_tag}"), &join).await,
        ReasonCode::SUCCESS
    );
    let names = async |bearer: Option<&str>| {
        let scenes: serde_json::Value = serde_json::from_str(&server.get("/api/v1/scenes", bearer).await.1).unwrap();
        let lobby = scenes.as_array().unwrap().iter().find(|entry| entry["scene"] == "lobby").unwrap();
        lobby["names"].clone()
    };
    assert_eq!(names(None).await, json!(["Gwen (guest)"]), "negative control");
    let lock = ("POST", "/api/v1/scenes/public/lobby/moderation");
    assert_eq!(ask(http, lock, &owner, r#"{"act":"lock"}"#).await.0, 200);
    assert_eq!(names(None).await, json!([]));
    assert_eq!(
        [names(Some(&owner)).await, names(Some(&token)).await],
        [json!(["Gwen (guest)"]), json!(["Gwen (guest)"])]
    );
    assert!(server.terminate().await.0.success());
}

#[tokio::test]
async fn a_connection_without_data_is_not_logged() {
    let dir = tempfile::tempdir().unwrap();
    let server = Running::start(dir.path()).await;
    for port in [server.ports.mqtts, server.ports.mqtt, server.ports.https, server.ports.http] {
        drop(TcpStream::connect(port.unwrap()).await.unwrap());
    }
    // A later client: when it is answered, the server has handled the bare connections.
    assert_eq!(server.get("/readyz", None).await.0, 200);
    let (_, log) = server.terminate().await;
    assert_eq!(log.lines().count(), 3, "ready, ending, ended: {log}");
}

#[tokio::test]
async fn the_admin_address_requires_the_realm_owner_except_for_metrics() {
    let dir = tempfile::tempdir().unwrap();
    let server = Running::start(dir.path()).await;
    let admin = server.ports.admin.unwrap();
    assert_eq!(get(admin, "/metrics", None).await.0, 200);
    assert_eq!(get(admin, "/", None).await.0, 401);
    let viewer = server.token(&["--user", "bob", "--scene", "public/lobby", "--role", "viewer"]).await;
    assert_eq!(get(admin, "/", Some(&viewer)).await.0, 403);
    let owner = std::fs::read_to_string(dir.path().join("run/token")).unwrap();
    let (status, body) = get(admin, "/", Some(&owner)).await;
    assert_eq!(status, 200);
    assert!(body.contains("public/sandbox"), "{body}");
}

#[tokio::test]
async fn a_taken_port_is_named_with_its_flag() {
    let taken = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let dir = tempfile::tempdir().unwrap();
    let output = serve(dir.path(), &[("--mqtts", &address)]).output().await.unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(error.contains("--mqtts") && error.contains(&address), "{error}");
    let taken = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let output = serve(dir.path(), &[("--motion", &address)]).output().await.unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(error.contains("--motion PORT") && error.contains("STOA_MOTION=") && error.contains(&address), "{error}");
}

#[tokio::test]
async fn commands_manage_scenes_and_accounts_of_a_running_server() {
    let dir = tempfile::tempdir().unwrap();
    let server = Running::start(dir.path()).await;
    let run = async |arguments: &[&str]| {
        let output = stoa(arguments).arg("--data").arg(dir.path()).output().await.unwrap();
        (output.status.success(), String::from_utf8(output.stdout).unwrap())
    };
    assert!(run(&["scene", "create", "alice/den", "--private"]).await.0);
    assert!(!run(&["scene", "create", "alice/den"]).await.0, "it is there already");
    assert!(run(&["scene", "list"]).await.1.contains("alice/den"));
    let mut adding =
        stoa(&["user", "add", "alice", "--data"]).arg(dir.path()).stdin(std::process::Stdio::piped()).spawn().unwrap();
    adding.stdin.take().unwrap().write_all(b"correct horse\n").await.unwrap();
    assert!(adding.wait().await.unwrap().success());
    assert!(run(&["user", "list"]).await.1.contains("alice"));
    let token = server.token(&["--user", "alice", "--scene", "alice/den"]).await;
    let (_client, code) = Client::connect(client::tcp(&server).await, ("alice", "client-alice"), &token).await;
    assert_eq!(code, ReasonCode::SUCCESS);
    assert!(run(&["scene", "remove", "alice/den"]).await.0);
    assert!(!run(&["scene", "list"]).await.1.contains("alice/den"));
}

#[tokio::test]
async fn a_command_in_a_folder_without_a_realm_fails_and_creates_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let wrong = dir.path().join("elsewhere");
    for arguments in
        [&["scene", "list", "--data"][..], &["token", "--user", "alice", "--scene", "public/lobby", "--data"]]
    {
        let output = stoa(arguments).arg(&wrong).output().await.unwrap();
        assert!(!output.status.success(), "{arguments:?}");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("there is no realm in") && said.contains("elsewhere"), "{said}");
        assert!(!wrong.exists(), "{arguments:?} made a folder");
    }
}
