use axum::routing::get;
use stoa_net::shutdown;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tokio::sync::mpsc;
use tokio::time::{Duration, Instant, timeout};

use super::*;

const SETTINGS: u8 = 4;
const PING: u8 = 6;
const GO_AWAY: u8 = 7;

/// The client's side of a connection that speaks HTTP/2 as far as a test needs it.
struct Client {
    io: DuplexStream,
    began: Instant,
    _trigger: shutdown::Trigger,
}

impl Client {
    async fn open() -> Client {
        let (ours, theirs) = tokio::io::duplex(64 * 1_024);
        let (trigger, shutdown) = shutdown::channel();
        let (inputs, _) = mpsc::channel(1);
        let router = Router::new().route("/", get("here"));
        let pages = Pages { router, intake: Intake::new(inputs), tls: None, shutdown };
        tokio::spawn(speak(pages, theirs, SocketAddr::from(([127, 0, 0, 1], 1))));
        let mut client = Client { io: ours, began: Instant::now(), _trigger: trigger };
        client.io.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").await.unwrap();
        client.send(SETTINGS, 0, &[]).await;
        client
    }

    async fn send(&mut self, kind: u8, flags: u8, payload: &[u8]) {
        let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
        let frame = [&length[1..], &[kind, flags, 0, 0, 0, 0], payload].concat();
        self.io.write_all(&frame).await.unwrap();
    }

    /// The next frame's kind and payload; `None` at the end.
    async fn receive(&mut self) -> Option<(u8, u8, Vec<u8>)> {
        let mut head = [0; 9];
        self.io.read_exact(&mut head).await.ok()?;
        let mut payload = vec![0; usize::from(head[1]) * 256 + usize::from(head[2])];
        self.io.read_exact(&mut payload).await.ok()?;
        Some((head[3], head[4], payload))
    }

    /// Answers pings, or not, until the server ends the connection; how long that took, and whether it said so.
    async fn until_ended(mut self, answers_pings: bool) -> (Duration, bool) {
        let mut told = false;
        let ended = async {
            while let Some((kind, flags, payload)) = self.receive().await {
                told |= kind == GO_AWAY;
                if kind == PING && flags == 0 && answers_pings {
                    self.send(PING, 1, &payload).await;
                }
            }
        };
        timeout(2 * limits::HTTP_IDLE_TIMEOUT, ended).await.expect("the server ends an idle connection");
        (self.began.elapsed(), told)
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_that_answers_no_ping_is_gone() {
    let (after, _) = Client::open().await.until_ended(false).await;
    assert!(after <= limits::HTTP2_PING_PERIOD + limits::HTTP2_PING_TIMEOUT + Duration::from_secs(1), "{after:?}");
}

#[tokio::test(start_paused = true)]
async fn a_client_that_is_there_but_asks_nothing_is_sent_away() {
    let (after, told) = Client::open().await.until_ended(true).await;
    assert!(told && after >= limits::HTTP_IDLE_TIMEOUT, "not before its time: {after:?}");
}
