use axum::routing::get;
use futures_util::stream;
use stoa_net::shutdown;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::{Duration, Instant, timeout};

use super::*;

const SETTINGS: u8 = 4;
const PING: u8 = 6;
const GO_AWAY: u8 = 7;
const HEADERS: u8 = 1;
/// SETTINGS_INITIAL_WINDOW_SIZE: nothing.
const NO_WINDOW: [u8; 6] = [0, 4, 0, 0, 0, 0];

/// The client's side of a connection that speaks HTTP/2 as far as a test needs it.
struct Client {
    io: DuplexStream,
    began: Instant,
    _trigger: shutdown::Trigger,
}

/// A connection to a realm of two pages, before anything is said; the task ends with it.
fn connect() -> (DuplexStream, JoinHandle<()>, shutdown::Trigger) {
    let (ours, theirs) = tokio::io::duplex(64 * 1_024);
    let (trigger, shutdown) = shutdown::channel();
    let (inputs, _) = mpsc::channel(1);
    let large = || async {
        let pieces = stream::iter((0..1_000).map(|_| Ok::<_, Infallible>(vec![b'x'; 10_000])));
        Body::from_stream(pieces)
    };
    let slow = || async {
        let piece = async {
            sleep(3 * limits::HTTP_STALL_TIMEOUT).await;
            Ok::<_, Infallible>("late")
        };
        Body::from_stream(stream::once(piece))
    };
    let router = Router::new().route("/", get("here")).route("/large", get(large)).route("/slow", get(slow));
    let router = router.route("/piece", get(|| async { vec![b'x'; 500_000] }));
    let pages = Pages { router, intake: Intake::new(inputs), tls: None, shutdown };
    let served = tokio::spawn(speak(pages, theirs, SocketAddr::from(([127, 0, 0, 1], 1))));
    (ours, served, trigger)
}

impl Client {
    async fn open() -> Client {
        Client::with_settings(&[]).await
    }

    async fn with_settings(settings: &[u8]) -> Client {
        let (io, _, trigger) = connect();
        let mut client = Client { io, began: Instant::now(), _trigger: trigger };
        client.io.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").await.unwrap();
        client.send(SETTINGS, 0, settings).await;
        client
    }

    /// Asks by the first stream.
    async fn get(&mut self, path: &str) {
        // RFC 7541: GET, http, the path and the authority as they are.
        let path = [&[0x04, u8::try_from(path.len()).unwrap()][..], path.as_bytes()].concat();
        let fields = [&[0x82, 0x86][..], &path[..], &[0x01, 1, b'a'][..]].concat();
        let length = u32::try_from(fields.len()).unwrap().to_be_bytes();
        let frame = [&length[1..], &[HEADERS, 5, 0, 0, 0, 1][..], &fields[..]].concat();
        self.io.write_all(&frame).await.unwrap();
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

#[tokio::test(start_paused = true)]
async fn an_answer_of_which_nothing_is_taken_ends_its_connection() {
    let mut client = Client::with_settings(&NO_WINDOW).await;
    client.get("/large").await;
    let (after, _) = client.until_ended(true).await;
    let limit = limits::HTTP_STALL_TIMEOUT;
    assert!(after >= limit && after < 2 * limit, "{after:?}");
}

#[tokio::test(start_paused = true)]
async fn a_reader_that_waits_for_the_realm_has_not_stalled() {
    let mut client = Client::open().await;
    client.get("/slow").await;
    let (after, told) = client.until_ended(true).await;
    assert!(told && after >= limits::HTTP_IDLE_TIMEOUT, "{after:?}");
}

#[tokio::test(start_paused = true)]
async fn a_socket_that_takes_nothing_more_is_given_up() {
    for (path, is_given_up) in [("/large", true), ("/piece", true), ("/", false)] {
        let (mut io, served, _trigger) = connect();
        io.write_all(format!("GET {path} HTTP/1.1\r\nhost: a\r\n\r\n").as_bytes()).await.unwrap();
        let ended = timeout(2 * limits::HTTP_STALL_TIMEOUT, served).await;
        // Of the small page nothing is left to be taken; HTTP/1's own time-out for the next request ends that.
        assert!(ended.is_ok(), "{path}");
        let mut taken = Vec::new();
        io.read_to_end(&mut taken).await.unwrap();
        assert_eq!(taken.ends_with(b"here"), !is_given_up, "{path}");
    }
}

#[tokio::test(start_paused = true)]
async fn whoever_does_not_say_what_it_speaks_is_ended_soon() {
    for said in [&b""[..], b"PRI * HTTP/2.0\r\n", b"G"] {
        let (mut io, served, _trigger) = connect();
        io.write_all(said).await.unwrap();
        let ended = timeout(2 * limits::HTTP_HEADER_TIMEOUT, served).await;
        assert!(ended.is_ok(), "{said:?}");
    }
}
