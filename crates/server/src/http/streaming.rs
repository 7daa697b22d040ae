//! Streams a scene or an export: chunks are made on a thread, as fast as the client reads. A scene's chunks are made on
//! threads of low priority, so that many readers don't delay the realm.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use futures_util::stream;
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};

use super::rate_limit::RequestNetwork;
use super::{Problem, RouteState};
use crate::app::shared_capacity::CapacityPermit;
use crate::limits;
use crate::realm_task::RealmError;
use stoa_net::background::ComputationPayer;

/// Streams a scene as JSON: `read` returns a function that begins its pieces. A slot is taken while a part is made, and
/// never while the part waits for the reader. The client's network is charged for the bytes, and has a bound of unread
/// bytes. Networks take turns for the threads. On this machine, callers take turns by `name`.
pub(super) async fn scene<F: FnOnce() -> JsonPieces + Send + 'static>(
    web: Arc<RouteState>,
    asker: RequestNetwork,
    name: &str,
    read: impl AsyncFnOnce() -> Result<F, RealmError>,
) -> Result<Body, Problem> {
    let unread = web.app.unread_bytes.take_in_time(asker.0, limits::SNAPSHOT_PART_BYTES as u64).await?;
    let slot = web.streaming.take(&asker.holders()).await?;
    web.readings.ask(asker)?;
    let begin = read().await?;
    let payer = asker.payer(name);
    let first = web.app.background.run(payer.clone(), move || SnapshotPart::of(begin())).await;
    drop(slot);
    // The reader did not cause the wait for a thread, so the wait doesn't count as a stall.
    unread.note_progress();
    match &first.rest {
        Some(rest) => unread.grow(rest.size_hint().0 as u64 * limits::SNAPSHOT_ID_BYTES),
        None => unread.shrink(first.size_bytes()),
    }
    let unread = Arc::new(unread);
    let (chunks, taken) = mpsc::channel(limits::SNAPSHOT_CHUNKS_QUEUED_MAX);
    let mut sending = JoinSet::new();
    let reader = MonitoredChunkSender::new(chunks);
    let feed = SnapshotFeed { web, asker, payer, reader, unread: Arc::clone(&unread) };
    sending.spawn(feed.run(first));
    Ok(body_of(taken, sending, unread))
}

/// Streams an export; `bytes_of` makes the bytes of each piece. `held` is dropped when the last chunk is queued for the
/// reader, or on an error.
pub(super) fn export<P, H: Send + 'static>(
    pieces: impl Iterator<Item = P> + Send + 'static,
    bytes_of: impl AsyncFn(P) -> io::Result<Vec<u8>> + Send + 'static,
    held: H,
) -> Body
where
    P: Send + 'static,
{
    let (chunks, taken) = mpsc::channel(limits::STREAMING_CHUNKS_QUEUED_MAX);
    let mut making = JoinSet::new();
    // The thread may block on the disk and on the reader.
    making.spawn_blocking(move || {
        let mut reader = MonitoredChunkSender::new(chunks);
        let mut chunk = Vec::new();
        for piece in pieces {
            chunk.extend_from_slice(&Handle::current().block_on(bytes_of(piece))?);
            if chunk.len() >= limits::STREAMING_CHUNK_BYTES {
                Handle::current().block_on(reader.send(std::mem::take(&mut chunk).into()))?;
            }
        }
        let sent = Handle::current().block_on(reader.send(chunk.into()));
        drop(held);
        sent
    });
    body_of(taken, making, ())
}

/// A body of the chunks that `making` sends. `held` is dropped with the body.
fn body_of<H: Send + 'static>(taken: mpsc::Receiver<Bytes>, making: JoinSet<io::Result<()>>, held: H) -> Body {
    Body::from_stream(stream::unfold((taken, making, held), |(mut taken, mut making, held)| async {
        let next = match taken.recv().await {
            Some(chunk) => Ok(chunk),
            // An error, so that a truncated response doesn't look complete.
            None => match making.join_next().await? {
                Ok(made @ Err(_)) => made.map(|()| Bytes::new()),
                Ok(Ok(())) => return None,
                Err(error) => Err(io::Error::other(error)),
            },
        };
        Some((next, (taken, making, held)))
    }))
}

/// Sends chunks to the reader of a stream, and limits how long they wait for it.
struct MonitoredChunkSender {
    chunks: mpsc::Sender<Bytes>,
    /// Time for which chunks waited for the reader. Time to make them is not the reader's.
    waited: Duration,
    bytes: u64,
}

impl MonitoredChunkSender {
    fn new(chunks: mpsc::Sender<Bytes>) -> MonitoredChunkSender {
        MonitoredChunkSender { chunks, waited: Duration::ZERO, bytes: 0 }
    }

    /// Sends a chunk. Errors: the reader is gone or too slow.
    async fn send(&mut self, chunk: Bytes) -> io::Result<()> {
        self.bytes += chunk.len() as u64;
        let left = allowed(self.bytes).saturating_sub(self.waited).min(limits::STREAMING_STALL_TIMEOUT);
        let began = Instant::now();
        let sent = timeout(left, self.chunks.send(chunk)).await;
        self.waited += began.elapsed();
        match sent {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(io::Error::from(io::ErrorKind::BrokenPipe)),
            Err(_) => Err(io::Error::from(io::ErrorKind::TimedOut)),
        }
    }
}

/// Longest wait for the reader of so many bytes. A slower reader would keep memory from other clients.
fn allowed(bytes: u64) -> Duration {
    limits::STREAMING_GRACE + Duration::from_secs(bytes / limits::STREAMING_BYTES_PER_S_MIN)
}

/// The JSON of a scene, in pieces.
pub(super) type JsonPieces = Box<dyn Iterator<Item = Vec<u8>> + Send>;

/// A part of a snapshot.
struct SnapshotPart {
    /// Chunks for the reader.
    chunks: Vec<Bytes>,
    /// The source of the next part.
    rest: Option<JsonPieces>,
}

impl SnapshotPart {
    /// Makes a part of [`limits::SNAPSHOT_PART_BYTES`] and at most one chunk more, or a shorter last part.
    fn of(mut pieces: JsonPieces) -> SnapshotPart {
        let (mut chunks, mut size_bytes) = (Vec::new(), 0);
        let mut chunk = Vec::with_capacity(2 * limits::STREAMING_CHUNK_BYTES);
        while let Some(piece) = pieces.next() {
            chunk.extend_from_slice(&piece);
            if chunk.len() >= limits::STREAMING_CHUNK_BYTES {
                size_bytes += chunk.len();
                // A copy has no spare capacity, so it takes the memory that is counted.
                chunks.push(Bytes::copy_from_slice(&chunk));
                chunk.clear();
                if size_bytes >= limits::SNAPSHOT_PART_BYTES {
                    return SnapshotPart { chunks, rest: Some(pieces) };
                }
            }
        }
        chunks.push(Bytes::copy_from_slice(&chunk));
        SnapshotPart { chunks, rest: None }
    }

    fn size_bytes(&self) -> u64 {
        self.chunks.iter().map(|chunk| chunk.len() as u64).sum()
    }
}

/// Sends a snapshot to its reader.
struct SnapshotFeed {
    web: Arc<RouteState>,
    asker: RequestNetwork,
    payer: ComputationPayer,
    reader: MonitoredChunkSender,
    unread: Arc<CapacityPermit>,
}

impl SnapshotFeed {
    /// Sends a part, and makes and sends the next ones. Errors: the reader is gone or too slow, or no slot became free.
    async fn run(mut self, first: SnapshotPart) -> io::Result<()> {
        let sent = self.send_all(first).await;
        // The body keeps the chunks that the reader has not taken.
        self.unread.shrink((limits::SNAPSHOT_CHUNKS_QUEUED_MAX * limits::STREAMING_CHUNK_BYTES) as u64);
        sent
    }

    async fn send_all(&mut self, mut part: SnapshotPart) -> io::Result<()> {
        loop {
            let kib = u32::try_from(part.size_bytes() / 1_024).unwrap_or(u32::MAX);
            self.web.readings.spend(self.asker, kib);
            for chunk in part.chunks {
                self.reader.send(chunk).await?;
                self.unread.note_progress();
            }
            let Some(rest) = part.rest else { return Ok(()) };
            let background = &self.web.app.background;
            let slot = self.web.streaming.take(&self.asker.holders()).await.map_err(io::Error::other)?;
            part = background.run(self.payer.clone(), move || SnapshotPart::of(rest)).await;
            drop(slot);
            self.unread.note_progress();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(count: u32) -> JsonPieces {
        Box::new((0..count).map(|number| number.to_string().into_bytes()))
    }

    #[test]
    fn pieces_are_grouped_into_bounded_chunks_and_parts_without_loss() {
        let (mut whole, mut chunks, mut parts) = (Vec::new(), 0, 0);
        let mut rest = Some(pieces(500_000));
        while let Some(left) = rest {
            let part = SnapshotPart::of(left);
            assert!(part.size_bytes() < (limits::SNAPSHOT_PART_BYTES + limits::STREAMING_CHUNK_BYTES) as u64);
            for chunk in &part.chunks {
                assert!(chunk.len() < 2 * limits::STREAMING_CHUNK_BYTES);
                whole.extend_from_slice(chunk);
            }
            (chunks, parts, rest) = (chunks + part.chunks.len(), parts + 1, part.rest);
        }
        assert!(whole == pieces(500_000).flatten().collect::<Vec<u8>>() && chunks > 16 && parts > 1);
    }

    #[tokio::test]
    async fn sending_to_a_closed_receiver_fails_with_broken_pipe() {
        let (chunks, taken) = mpsc::channel(1);
        drop(taken);
        let sent = MonitoredChunkSender::new(chunks).send(Bytes::from_static(b"x")).await;
        assert_eq!(sent.unwrap_err().kind(), io::ErrorKind::BrokenPipe);
    }

    /// The number of chunks that a reader gets, and the time of the last one, if it takes one in each period.
    async fn read_slowly(period: Duration) -> (u32, Duration) {
        let (chunks, mut taken) = mpsc::channel(1);
        let mut making = JoinSet::new();
        making.spawn(async move {
            let mut reader = MonitoredChunkSender::new(chunks);
            for _ in 0..100 {
                reader.send(Bytes::from(vec![b'x'; limits::STREAMING_CHUNK_BYTES])).await?;
            }
            Ok::<_, io::Error>(())
        });
        let (began, mut count) = (Instant::now(), 0);
        while taken.recv().await.is_some() {
            count += 1;
            tokio::time::sleep(period).await;
        }
        (count, began.elapsed())
    }

    #[tokio::test(start_paused = true)]
    async fn a_reader_that_is_slow_from_the_fifth_second_on_is_disconnected() {
        let (count, after) = read_slowly(Duration::from_secs(2)).await;
        assert!((5..20).contains(&count) && after < Duration::from_secs(40), "{count} in {after:?}");
        let (count, after) = read_slowly(Duration::from_secs(3_600)).await;
        assert!(count <= 2 && after >= limits::STREAMING_GRACE, "{count} in {after:?}");
        assert_eq!(read_slowly(Duration::from_millis(900)).await.0, 100, "negative control: a bad mobile line");
    }
}
