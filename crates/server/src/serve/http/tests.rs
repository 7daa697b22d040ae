use axum::routing::get;
use futures_util::stream;
use stoa_net::background::BackgroundThreads;
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
const DATA: u8 = 0;
const RESET: u8 = 3;
const WINDOW_UPDATE: u8 = 8;
/// SETTINGS_INITIAL_WINDOW_SIZE of 0.
const NO_WINDOW: [u8; 6] = [0, 4, 0, 0, 0, 0];

/// A minimal HTTP/2 client.
struct Client {
    io: DuplexStream,
    began: Instant,
    _trigger: shutdown::ShutdownTrigger,
}

/// A connection to a router of a few pages, before the first byte. Its task ends with it.
fn connect() -> (DuplexStream, JoinHandle<()>, shutdown::ShutdownTrigger) {
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
    let some = || async { Body::from_stream(stream::iter((0..20).map(|_| Ok::<_, Infallible>(vec![b'x'; 10_000])))) };
    let never = || async { Body::from_stream(stream::pending::<Result<Vec<u8>, Infallible>>()) };
    let router = router.route("/some", get(some)).route("/never", get(never));
    let aborted = || async {
        let abort = RequestAbort::current().unwrap();
        tokio::spawn(async move {
            sleep(Duration::from_secs(1)).await;
            abort.abort();
        });
        Body::from_stream(stream::iter((0..50).map(|_| Ok::<_, Infallible>(vec![b'x'; 10_000]))))
    };
    let router = router.route("/aborted", get(aborted));
    let router = router.route("/piece", get(|| async { vec![b'x'; 500_000] }));
    let service = HttpService {
        router,
        intake: MqttConnectionService::new(inputs, BackgroundThreads::start(1).unwrap()),
        tls: None,
        shutdown,
    };
    let served = tokio::spawn(speak(service, theirs, SocketAddr::from(([127, 0, 0, 1], 1))));
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

    /// Sends a request on the first stream.
    async fn get(&mut self, path: &str) {
        self.get_by(1, path).await;
    }

    async fn get_by(&mut self, stream: u8, path: &str) {
        // RFC 7541: GET, http, the path and the authority as literals.
        let path = [&[0x04, u8::try_from(path.len()).unwrap()][..], path.as_bytes()].concat();
        let fields = [&[0x82, 0x86][..], &path[..], &[0x01, 1, b'a'][..]].concat();
        let length = u32::try_from(fields.len()).unwrap().to_be_bytes();
        let frame = [&length[1..], &[HEADERS, 5, 0, 0, 0, stream][..], &fields[..]].concat();
        self.io.write_all(&frame).await.unwrap();
    }

    async fn send(&mut self, kind: u8, flags: u8, payload: &[u8]) {
        self.send_by(0, (kind, flags), payload).await;
    }

    async fn send_by(&mut self, stream: u8, (kind, flags): (u8, u8), payload: &[u8]) {
        let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
        let frame = [&length[1..], &[kind, flags, 0, 0, 0, stream], payload].concat();
        self.io.write_all(&frame).await.unwrap();
    }

    /// The next frame's kind, flags and payload; `None` at the end.
    async fn receive(&mut self) -> Option<(u8, u8, Vec<u8>)> {
        self.receive_by().await.map(|(_, (kind, flags), payload)| (kind, flags, payload))
    }

    /// The next frame with its stream first.
    async fn receive_by(&mut self) -> Option<(u8, (u8, u8), Vec<u8>)> {
        let mut head = [0; 9];
        self.io.read_exact(&mut head).await.ok()?;
        let mut payload = vec![0; usize::from(head[1]) * 256 + usize::from(head[2])];
        self.io.read_exact(&mut payload).await.ok()?;
        Some((head[8], (head[3], head[4]), payload))
    }

    /// Reads until the server ends the connection. Returns the time that took, and whether the server sent GOAWAY.
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
async fn a_client_that_answers_no_ping_is_disconnected() {
    let (after, _) = Client::open().await.until_ended(false).await;
    assert!(after <= limits::HTTP2_PING_PERIOD + limits::HTTP2_PING_TIMEOUT + Duration::from_secs(1), "{after:?}");
}

#[tokio::test(start_paused = true)]
async fn an_idle_client_gets_goaway_after_the_idle_timeout() {
    let (after, told) = Client::open().await.until_ended(true).await;
    assert!(told && after >= limits::HTTP_IDLE_TIMEOUT, "not before its time: {after:?}");
}

#[tokio::test(start_paused = true)]
async fn a_stalled_response_is_reset_and_its_connection_continues() {
    let mut client = Client::with_settings(&NO_WINDOW).await;
    client.send(WINDOW_UPDATE, 0, &1_000_000_u32.to_be_bytes()).await;
    client.get_by(1, "/large").await;
    client.get_by(3, "/some").await;
    let (mut taken, mut reset_after) = (0, None);
    client.send_by(3, (WINDOW_UPDATE, 0), &10_000_u32.to_be_bytes()).await;
    loop {
        let (stream, (kind, flags), payload) = client.receive_by().await.expect("the connection goes on");
        match (stream, kind) {
            (1, RESET) => reset_after = Some(client.began.elapsed()),
            (3, DATA) if flags & 1 != 0 => break taken += payload.len(),
            (3, DATA) => {
                taken += payload.len();
                sleep(limits::HTTP_STALL_TIMEOUT / 6).await;
                client.send_by(3, (WINDOW_UPDATE, 0), &u32::try_from(payload.len()).unwrap().to_be_bytes()).await;
            }
            (0, PING) if flags == 0 => client.send(PING, 1, &payload).await,
            _ => {}
        }
    }
    assert_eq!(taken, 200_000, "all of it");
    let limit = limits::HTTP_STALL_TIMEOUT;
    assert!(client.began.elapsed() > 2 * limit, "negative control: it outlived the other by far");
    assert!(reset_after.is_some_and(|after| after >= limit && after < 2 * limit), "{reset_after:?}");
}

#[tokio::test(start_paused = true)]
async fn an_aborted_request_ends_although_its_client_reads_nothing() {
    let mut client = Client::with_settings(&NO_WINDOW).await;
    client.get_by(1, "/aborted").await;
    client.get_by(3, "/large").await;
    loop {
        let (stream, (kind, _), _) = client.receive_by().await.expect("the connection goes on");
        if kind == RESET {
            assert_eq!(stream, 1, "the other stream goes on");
            break;
        }
    }
    assert!(client.began.elapsed() < limits::HTTP_STALL_TIMEOUT);
    // Without room even for the reset, the connection ends.
    let (io, served, trigger) = connect();
    let mut client = Client { io, began: Instant::now(), _trigger: trigger };
    client.io.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").await.unwrap();
    client.send(SETTINGS, 0, &[0, 4, 0, 16, 0, 0]).await;
    client.send(WINDOW_UPDATE, 0, &1_000_000_u32.to_be_bytes()).await;
    client.get("/aborted").await;
    served.await.unwrap();
    assert!(client.began.elapsed() < limits::HTTP_STALL_TIMEOUT, "{:?}", client.began.elapsed());
    let (mut io, served, _trigger) = connect();
    let began = Instant::now();
    io.write_all(b"GET /aborted HTTP/1.1\r\nhost: a\r\n\r\n").await.unwrap();
    served.await.unwrap();
    assert!(began.elapsed() < limits::HTTP_STALL_TIMEOUT, "the connection ends");
}

#[tokio::test(start_paused = true)]
async fn a_slow_response_does_not_count_as_stalled() {
    let mut client = Client::open().await;
    client.get("/slow").await;
    let (after, told) = client.until_ended(true).await;
    assert!(told && after >= limits::HTTP_IDLE_TIMEOUT, "{after:?}");
}

#[tokio::test(start_paused = true)]
async fn a_stalled_http1_response_is_cut_off_and_a_small_one_completes() {
    for (path, is_given_up) in [("/large", true), ("/piece", true), ("/", false)] {
        let (mut io, served, _trigger) = connect();
        io.write_all(format!("GET {path} HTTP/1.1\r\nhost: a\r\n\r\n").as_bytes()).await.unwrap();
        let ended = timeout(2 * limits::HTTP_STALL_TIMEOUT, served).await;
        // The small page is read completely; HTTP/1's own time-out for the next request ends that connection.
        assert!(ended.is_ok(), "{path}");
        let mut taken = Vec::new();
        io.read_to_end(&mut taken).await.unwrap();
        assert_eq!(taken.ends_with(b"here"), !is_given_up, "{path}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_connection_of_unknown_protocol_is_closed_after_the_header_timeout() {
    for said in [&b""[..], b"PRI * HTTP/2.0\r\n", b"G"] {
        let (mut io, served, _trigger) = connect();
        io.write_all(said).await.unwrap();
        let ended = timeout(2 * limits::HTTP_HEADER_TIMEOUT, served).await;
        assert!(ended.is_ok(), "{said:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_response_reset_by_its_client_does_not_count_as_stalled() {
    let mut client = Client::with_settings(&NO_WINDOW).await;
    client.get("/large").await;
    let frame = [0, 0, 4, RESET, 0, 0, 0, 0, 1, 0, 0, 0, 8];
    client.io.write_all(&frame).await.unwrap();
    let (after, told) = client.until_ended(true).await;
    assert!(told && after >= limits::HTTP_IDLE_TIMEOUT, "{after:?}");
}

#[tokio::test(start_paused = true)]
async fn a_shutdown_does_not_wait_for_a_stalled_response() {
    let mut client = Client::with_settings(&NO_WINDOW).await;
    client.get("/large").await;
    while client.receive().await.expect("the answer begins").0 != HEADERS {}
    client._trigger = shutdown::channel().0;
    let (after, told) = client.until_ended(true).await;
    assert!(told && after < 2 * limits::HTTP_STALL_TIMEOUT, "{after:?}");
}

#[tokio::test(start_paused = true)]
async fn a_closing_connection_ends_unfinished_responses_at_their_timeout() {
    let begun = Instant::now();
    let (mut io, served, _trigger) = connect();
    io.write_all(b"GET /never HTTP/1.1\r\nhost: a\r\n\r\n").await.unwrap();
    let most = limits::HTTP_LAST_ANSWERS_TIMEOUT + 2 * limits::HTTP_IDLE_TIMEOUT;
    assert!(timeout(most, served).await.is_ok());
    assert!(begun.elapsed() >= limits::HTTP_LAST_ANSWERS_TIMEOUT, "not before its time");
}

#[tokio::test(start_paused = true)]
async fn a_request_shorter_than_the_http2_preface_gets_its_response() {
    let (mut io, _served, _trigger) = connect();
    io.write_all(b"GET /slow HTTP/1.0\r\n\r\n").await.unwrap();
    let mut taken = Vec::new();
    io.read_to_end(&mut taken).await.unwrap();
    assert!(taken.ends_with(b"late"), "{}", String::from_utf8_lossy(&taken));
}
