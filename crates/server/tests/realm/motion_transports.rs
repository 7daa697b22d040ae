//! The motion plane by a browser's transports: WebTransport with the certificate's hash, and WebSocket.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use stoa_wire::limits::FRAME_BYTES_MAX;
use stoa_wire::motion::frame::HEAD_BYTES;
use stoa_wire::motion::{FrameAck, FrameEntriesWriter, FrameHeader, FramePartKind, MotionFrame};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::{WebSocketStream, client_async};
use wtransport::tls::Sha256Digest;

use crate::running::{PATIENCE, Running, ask, get};

/// A ticket for the lobby, as a page gets it over plain HTTP.
async fn ticket(server: &Running, name: &str) -> Value {
    let http = server.ports.http.unwrap();
    let account = server.token(&["--user", name, "--scene", "public/lobby"]).await;
    let scene = json!({"scene": "public/lobby"}).to_string();
    let (status, issued) = ask(http, ("POST", "/api/v1/token"), &account, &scene).await;
    assert_eq!(status, 200, "{issued}");
    let issued: Value = serde_json::from_str(&issued).unwrap();
    let token = issued["token"].as_str().unwrap();
    let (status, ticket) = ask(http, ("POST", "/api/v1/motion-ticket"), token, &scene).await;
    assert_eq!(status, 200, "{ticket}");
    serde_json::from_str(&ticket).unwrap()
}

/// A frame without content.
fn frame(sequence: u32) -> Vec<u8> {
    let mut parts = FrameEntriesWriter::new(FRAME_BYTES_MAX - HEAD_BYTES);
    let ack = FrameAck { newest: 0, received: 0, time_ms: 0, held_ms: 0, changes: 0 };
    assert!(parts.put(FramePartKind::Ack, &ack.to_bytes()));
    [&FrameHeader { sequence, time_ms: 0 }.to_bytes()[..], parts.bytes()].concat()
}

/// Whether a frame acknowledges one of ours.
fn acknowledges(bytes: &[u8]) -> bool {
    let frame = MotionFrame::read(bytes).expect("a frame");
    let mut acks = frame.parts().filter(|(kind, _)| *kind == FramePartKind::Ack as u8);
    acks.any(|(_, content)| FrameAck::read(content).is_some_and(|ack| ack.newest > 0))
}

async fn by_webtransport(ticket: &Value) -> Result<wtransport::Connection, wtransport::error::ConnectingError> {
    let way = &ticket["webtransport"];
    let hashes = way["certificate_hashes"].as_array().unwrap().iter().map(|hash| {
        let bytes = STANDARD.decode(hash.as_str().unwrap()).unwrap();
        Sha256Digest::new(bytes.try_into().unwrap())
    });
    let config = wtransport::ClientConfig::builder().with_bind_default().with_server_certificate_hashes(hashes).build();
    wtransport::Endpoint::client(config).unwrap().connect(way["url"].as_str().unwrap()).await
}

async fn by_websocket(ticket: &Value, origin: Option<&str>) -> Result<WebSocketStream<TcpStream>, u16> {
    let url = ticket["websocket"]["url"].as_str().unwrap();
    let mut request = url.into_client_request().unwrap();
    let headers = request.headers_mut();
    headers.insert("sec-websocket-protocol", HeaderValue::from_static("stoa-motion.1"));
    if let Some(origin) = origin {
        headers.insert("origin", origin.try_into().unwrap());
    }
    let stream = TcpStream::connect(request.uri().authority().unwrap().as_str()).await.unwrap();
    match client_async(request, stream).await {
        Ok((socket, _)) => Ok(socket),
        Err(tokio_tungstenite::tungstenite::Error::Http(response)) => Err(response.status().as_u16()),
        Err(error) => panic!("{error}"),
    }
}

#[tokio::test]
async fn a_ticket_works_once_over_webtransport_and_is_never_logged() {
    let dir = tempfile::tempdir().unwrap();
    let server = Running::start(dir.path()).await;
    assert_eq!(server.ports.webtransport.map(|at| at.ip()), server.ports.https.map(|at| at.ip()));
    let ticket = ticket(&server, "ada").await;
    let client = by_webtransport(&ticket).await.unwrap();
    let acknowledged = async {
        for sequence in 1.. {
            client.send_datagram(frame(sequence)).unwrap();
            if acknowledges(&client.receive_datagram().await.unwrap()) {
                return;
            }
        }
    };
    timeout(PATIENCE, acknowledged).await.expect("the realm answers frames in time");
    assert!(by_webtransport(&ticket).await.is_err(), "a second time");
    // The client knows before the realm has counted.
    let lines = [
        "stoa_motion_way_connections{way=\"webtransport\"} 1",
        "stoa_motion_way_tickets_refused_total{way=\"webtransport\"} 1",
        "stoa_motion_way_connections{way=\"websocket\"} 0",
    ];
    let counted = async {
        loop {
            let (_, metrics) = get(server.ports.admin.unwrap(), "/metrics", None).await;
            if lines.iter().all(|line| metrics.contains(line)) {
                return;
            }
        }
    };
    timeout(PATIENCE, counted).await.expect("one is in, and one was refused");
    let (status, log) = server.terminate().await;
    assert!(status.success(), "{log}");
    client.closed().await;
    let secret = ticket["webtransport"]["url"].as_str().unwrap().split_once('=').unwrap().1.to_owned();
    assert!(!log.contains(&secret), "a ticket is never logged: {log}");
}

#[tokio::test]
async fn a_ticket_works_once_over_websocket_and_only_from_the_realms_origin() {
    let dir = tempfile::tempdir().unwrap();
    let server = Running::start(dir.path()).await;
    let ticket = ticket(&server, "ada").await;
    assert_eq!(by_websocket(&ticket, Some("https://elsewhere.example")).await.err(), Some(403));
    let ours = format!("http://{}", server.ports.http.unwrap());
    let mut client = by_websocket(&ticket, Some(&ours)).await.expect("the ticket was not spent");
    let acknowledged = async {
        for sequence in 1.. {
            client.send(Message::binary(frame(sequence))).await.unwrap();
            match client.next().await.expect("it goes on").unwrap() {
                Message::Binary(bytes) if acknowledges(&bytes) => return,
                _ => {}
            }
        }
    };
    timeout(PATIENCE, acknowledged).await.expect("the realm answers frames in time");
    assert_eq!(by_websocket(&ticket, Some(&ours)).await.err(), Some(403), "a second time");
    assert!(by_webtransport(&ticket).await.is_ok(), "each way has its own entry");
    let (status, log) = server.terminate().await;
    assert!(status.success(), "{log}");
    let over = async { while !matches!(client.next().await, None | Some(Err(_) | Ok(Message::Close(_)))) {} };
    timeout(PATIENCE, over).await.expect("the end is told");
}
