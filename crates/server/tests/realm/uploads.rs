//! Uploads, and the child process that checks them.

use std::path::Path;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::running::{PATIENCE, Running, stoa};

/// A GLB model with that JSON.
fn glb(description: &str) -> Vec<u8> {
    let padded = description.len().next_multiple_of(4);
    let mut bytes = b"glTF".to_vec();
    for word in [2, (20 + padded) as u32, padded as u32, u32::from_le_bytes(*b"JSON")] {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend(description.bytes());
    bytes.resize(20 + padded, b' ');
    bytes
}

/// Status and detail, or address, of an upload by alice.
async fn upload(server: &Running, name: &str, content: &[u8]) -> (u16, String) {
    // A token for one scene would write files of that scene alone.
    let token = server.token(&["--user", "alice", "--publish", "#", "--subscribe", "#"]).await;
    let address = server.ports.http.unwrap();
    let mut stream = TcpStream::connect(address).await.unwrap();
    let head = format!(
        "PUT /api/v1/store/users/alice/{name} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
        content.len()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(content).await.unwrap();
    let mut answer = String::new();
    timeout(PATIENCE, stream.read_to_string(&mut answer)).await.unwrap().unwrap();
    let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
    let body: Value = serde_json::from_str(answer.split("\r\n\r\n").nth(1).unwrap()).unwrap();
    (status, body["detail"].as_str().or(body["url"].as_str()).unwrap().to_owned())
}

fn files_left(data: &Path) -> usize {
    let incoming = std::fs::read_dir(data.join("files/incoming"));
    incoming.map_or(0, Iterator::count)
}

#[tokio::test]
async fn a_broken_or_mismatched_file_is_refused_and_leaves_nothing() {
    let data = tempfile::tempdir().unwrap();
    let server = Running::start(data.path()).await;
    let duck = glb(r#"{"asset":{"version":"2.0"}}"#);
    assert_eq!(upload(&server, "duck.glb", &duck).await, (201, "/store/users/alice/duck.glb".to_owned()));
    let broken = glb(r#"{"asset":{"version":"2.0"},"scene":3}"#);
    // Nested deeper than any parser should descend.
    let deep =
        glb(&format!(r#"{{"asset":{{"version":"2.0"}},"extras":{}{}}}"#, "[".repeat(100_000), "]".repeat(100_000)));
    for (name, content, why) in [
        ("duck.glb", &b"quack"[..], "too short"),
        ("duck.vrm", &duck[..duck.len() - 1], "was cut off"),
        ("broken.glb", &broken, "scene refers to something"),
        ("deep.glb", &deep, "no glTF"),
        ("page.png", b"<script>alert(1)</script>", "no image"),
        ("page.mp4", b"<script>alert(1)</script>", "no sound or video"),
    ] {
        let (status, detail) = upload(&server, name, content).await;
        assert!(status == 422 && detail.contains(why), "{name}: {status} {detail}");
    }
    let (status, read) = server.get("/store/users/alice/duck.glb", None).await;
    assert!(status == 200 && read.as_bytes() == duck, "the sound one stays");
    assert_eq!(server.get("/store/users/alice/broken.glb", None).await.0, 404);
    assert_eq!(files_left(data.path()), 0);
    server.kill().await;
}

#[tokio::test]
async fn a_100_mb_model_passes_the_file_check() {
    let data = tempfile::tempdir().unwrap();
    let server = Running::start(data.path()).await;
    let mut large = glb(r#"{"asset":{"version":"2.0"},"buffers":[{"byteLength":100000000}]}"#);
    let binary = 100_000_000_u32;
    large.extend(binary.to_le_bytes().into_iter().chain(*b"BIN\0"));
    large.resize(large.len() + binary as usize, 7);
    let length = large.len() as u32;
    large[8..12].copy_from_slice(&length.to_le_bytes());
    assert_eq!(upload(&server, "large.glb", &large).await.0, 201);
    server.kill().await;
}

#[tokio::test]
async fn the_file_checker_confines_itself_before_it_reads_a_file() {
    let mut command = stoa(&["check-file", "glb", "40"]);
    let mut child = command.stdin(std::process::Stdio::piped()).spawn().unwrap();
    let mut into = child.stdin.take().unwrap();
    let of = |file: &str| std::fs::read_to_string(format!("/proc/{}/{file}", child.id().unwrap())).unwrap();
    // The child confines itself, then waits for bytes.
    let confined = timeout(PATIENCE, async {
        while !of("status").contains("Seccomp:\t2") {
            tokio::task::yield_now().await;
        }
    });
    confined.await.expect("it confines itself before it reads");
    assert!(of("status").contains("NoNewPrivs:\t1"), "{}", of("status"));
    let has_no_files = |line: &str| line.starts_with("Max file size") && line.contains(" 0 ");
    assert!(of("limits").lines().any(has_no_files), "{}", of("limits"));
    assert_eq!(of("oom_score_adj").trim(), "1000", "where memory lacks, it goes and not the realm");
    assert_eq!(of("stat").split(' ').nth(18), Some("19"), "it takes no time from the realm: {}", of("stat"));
    into.write_all(&glb(&json!({"asset": {"version": "2.0"}}).to_string())).await.unwrap();
    drop(into);
    let output = child.wait_with_output().await.unwrap();
    assert_eq!(output.status.code(), Some(3), "it said 40 bytes: {}", String::from_utf8_lossy(&output.stdout));
}
