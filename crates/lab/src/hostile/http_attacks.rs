//! Attacks by HTTP/1.1: slow snapshots, slow uploads, and requests of tokens and lists.

use anyhow::{Result, bail, ensure};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::{MissedTickBehavior, interval, sleep};

use super::attack::{AttackerKind, HostileClient};
use super::outside::{DialOptions, HttpsConnection, HttpsRequest, bearer};
use super::stage::ATTACKED;

/// The requested receive buffer of a slow reader.
const SLOW_BUFFER_BYTES: u32 = 4_096;
/// Bytes of one piece of a slow transfer.
const PIECE_BYTES: usize = 1_024;
/// The length that a slow upload announces.
const UPLOAD_BYTES: usize = 8 << 20;
/// The lists, in turn. The first is open to guests. The other two have content for signed-in browsers only.
const LISTS: [&str; 3] = ["/api/v1/scenes", "/api/v1/account", "/user/v2/my_scenes"];

/// Reads a snapshot at ten kilobytes a second.
pub(super) async fn read_snapshot(client: &HostileClient) -> Result<()> {
    let options = DialOptions { receive_bytes: Some(SLOW_BUFFER_BYTES), ..DialOptions::of(client.from) };
    let mut stream = client.server.dial(client.server.https, &options).await?;
    let path = format!("/api/v1/scenes/{ATTACKED}/snapshot");
    let request = HttpsRequest::get(&path, &bearer(&client.visitor.token)).text(client.server.https.port());
    stream.write_all(request.as_bytes()).await?;
    stream.flush().await?;
    client.tally.count(request.len());
    let mut scratch = vec![0; PIECE_BYTES];
    // The realm keeps the connection open after a response, so the attempt ends only if the realm closes it early.
    loop {
        sleep(client.period).await;
        ensure!(stream.read(&mut scratch).await? > 0, "the realm ended the connection");
    }
}

/// Uploads a file at one kilobyte a second.
pub(super) async fn upload(client: &HostileClient) -> Result<()> {
    let mut stream = client.server.dial(client.server.https, &DialOptions::of(client.from)).await?;
    let head = format!(
        "PUT /api/v1/store/users/{}/slow-{}.txt HTTP/1.1\r\nHost: localhost:{}\r\n{}Content-Type: text/plain\r\n\
         Content-Length: {UPLOAD_BYTES}\r\n\r\n",
        client.account,
        client.index,
        client.server.https.port(),
        client.session,
    );
    stream.write_all(head.as_bytes()).await?;
    stream.flush().await?;
    client.tally.count(head.len());
    let mut tick = interval(client.period);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let (mut scratch, piece) = (vec![0; PIECE_BYTES], vec![b'x'; PIECE_BYTES]);
    loop {
        tokio::select! {
            read = stream.read(&mut scratch) => {
                bail!("the realm ended the upload, with {} bytes of an answer", read?);
            }
            _ = tick.tick() => {
                stream.write_all(&piece).await?;
                stream.flush().await?;
            }
        }
    }
}

/// Requests tokens on one connection.
pub(super) async fn request_tokens(client: &HostileClient) -> Result<()> {
    let fields = match client.actor {
        AttackerKind::Guest => String::new(),
        AttackerKind::Member => bearer(&client.visitor.token),
    };
    let body = json!({ "scene": ATTACKED }).to_string();
    ask_on(client, |_| HttpsRequest::post("/api/v1/token", &fields, &body)).await
}

/// Requests lists on one connection.
pub(super) async fn request_lists(client: &HostileClient) -> Result<()> {
    ask_on(client, |number| HttpsRequest::get(LISTS.get(number % LISTS.len()).copied().unwrap_or("/"), &client.session))
        .await
}

/// Sends a request in every period. Refused ones count as failures.
async fn ask_on<'a>(client: &HostileClient, make: impl Fn(usize) -> HttpsRequest<'a> + Send + Sync) -> Result<()> {
    let mut connection = HttpsConnection::open(&client.server, client.from).await?;
    let mut tick = interval(client.period);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let port = client.server.https.port();
    let mut number = 0;
    loop {
        tick.tick().await;
        let request = make(number);
        let answer = connection.ask(&request).await?;
        number += 1;
        if (200..300).contains(&answer.status) {
            client.tally.count(request.text(port).len());
        } else {
            client.tally.fail();
        }
    }
}
