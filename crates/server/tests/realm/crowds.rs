//! More connections than the process may open by default.

use std::process::Stdio;
use stoa_wire::packet::ReasonCode;

use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;
use tokio::process::Command;
use tokio::time::timeout;

use crate::client::{self, Client};
use crate::running::{PATIENCE, Running, get, serve};

/// `stoa serve` with these limits of open files.
fn serve_under(soft: u64, hard: u64, data: &std::path::Path) -> Command {
    let inner = serve(data, &[]);
    let inner = inner.as_std();
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("ulimit -Sn {soft} && ulimit -Hn {hard} && exec \"$0\" \"$@\""));
    command.arg(inner.get_program()).args(inner.get_args());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    command
}

#[tokio::test]
async fn the_server_raises_its_open_file_limit_to_the_hard_limit() {
    let dir = tempfile::tempdir().unwrap();
    let server = Running::start_by(serve_under(256, 1_200, dir.path()), dir.path()).await;
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", server.ports.pid)).unwrap();
    let files = limits.lines().find(|line| line.starts_with("Max open files")).unwrap();
    assert_eq!(files.split_whitespace().nth(3), Some("1200"), "{files}");
    let (_, log) = server.terminate().await;
    assert!(log.contains("fewer connections than") && log.contains("ulimit"), "{log}");
}

#[tokio::test]
async fn a_full_listener_leaves_descriptors_for_other_listeners_and_the_database() {
    let dir = tempfile::tempdir().unwrap();
    let server = Running::start_by(serve_under(400, 400, dir.path()), dir.path()).await;
    let all = 400 - 256;
    let mut held = Vec::new();
    for _ in 0..all - 3 * (all / 16) {
        held.push(TcpStream::connect(server.ports.mqtt.unwrap()).await.unwrap());
    }
    let mut late = TcpStream::connect(server.ports.mqtt.unwrap()).await.unwrap();
    let ended = timeout(PATIENCE, late.read(&mut [0])).await.expect("it is turned away at once");
    assert!(matches!(ended, Ok(0) | Err(_)), "{ended:?}");
    let token = server.token(&["--user", "alice", "--scene", "public/lobby"]).await;
    let (_client, code) = Client::connect(client::tls(&server).await, ("alice", "client-alice"), &token).await;
    assert_eq!(code, ReasonCode::SUCCESS, "another door still serves, and the token could be recorded");
    drop(held);
}

/// Fewer connections than an experiment opens, and more than any other address may.
#[tokio::test]
async fn loopback_connections_are_exempt_from_the_opening_rate_limit() {
    let dir = tempfile::tempdir().unwrap();
    let server = Running::start(dir.path()).await;
    let count = stoa_net::limits::OPENINGS_BURST + 50;
    stoa_server::descriptors::raise();
    assert!(stoa_server::descriptors::allowed() > u64::from(count) + 512, "this test needs a larger hard ulimit -n");
    let mut held = Vec::new();
    for _ in 0..count {
        held.push(TcpStream::connect(server.ports.mqtt.unwrap()).await.unwrap());
    }
    let token = server.token(&["--user", "alice", "--scene", "public/lobby"]).await;
    let (_client, code) = Client::connect(client::tcp(&server).await, ("alice", "client-alice"), &token).await;
    assert_eq!(code, ReasonCode::SUCCESS);
    let (_, page) = get(server.ports.admin.unwrap(), "/metrics", None).await;
    assert!(page.contains("stoa_net_turned_away_by_address_total 0"), "{page}");
    drop(held);
}
