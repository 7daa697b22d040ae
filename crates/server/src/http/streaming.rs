//! Streams a snapshot or an export: chunks are made on a thread, as fast as the client reads.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use futures_util::stream;
use stoa_state::scene::SceneSnapshot;
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};

use super::rate_limit::RequestNetwork;
use super::{Problem, RouteState};
use crate::limits;
use crate::realm_task::RealmError;

/// Streams the snapshot that `read` returns, as JSON. Few streams run at one time, and each address is charged for
/// the bytes.
pub(super) async fn snapshot(
    web: Arc<RouteState>,
    asker: RequestNetwork,
    read: impl AsyncFnOnce() -> Result<SceneSnapshot, RealmError>,
) -> Result<Body, Problem> {
    let slot = web.streaming.take(&asker).await?;
    web.readings.ask(asker)?;
    let snapshot = read().await?;
    let (chunks, taken) = mpsc::channel(limits::STREAMING_CHUNKS_QUEUED_MAX);
    let mut making = JoinSet::new();
    making.spawn_blocking(move || {
        let spend = |bytes: usize| web.readings.spend(asker, u32::try_from(bytes / 1_024).unwrap_or(u32::MAX));
        let made = make(snapshot.into_json(), chunks, spend);
        drop(slot);
        made
    });
    Ok(body_of(taken, making))
}

/// Streams an export, with the bytes of each piece by `bytes_of`. `held` is dropped at its end.
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
        let mut reader = ResponsePacer::new(chunks);
        let mut chunk = Vec::new();
        for piece in pieces {
            chunk.extend_from_slice(&Handle::current().block_on(bytes_of(piece))?);
            if chunk.len() >= limits::STREAMING_CHUNK_BYTES {
                reader.send(std::mem::take(&mut chunk))?;
            }
        }
        let sent = reader.send(chunk);
        drop(held);
        sent
    });
    body_of(taken, making)
}

/// A body of the chunks from `making`.
fn body_of(taken: mpsc::Receiver<Bytes>, making: JoinSet<io::Result<()>>) -> Body {
    Body::from_stream(stream::unfold((taken, making), |(mut taken, mut making)| async {
        let next = match taken.recv().await {
            Some(chunk) => Ok(chunk),
            // An error, so that a truncated response doesn't look complete.
            None => match making.join_next().await? {
                Ok(made @ Err(_)) => made.map(|()| Bytes::new()),
                Ok(Ok(())) => return None,
                Err(error) => Err(io::Error::other(error)),
            },
        };
        Some((next, (taken, making)))
    }))
}

/// The reader of a stream, and its speed.
struct ResponsePacer {
    chunks: mpsc::Sender<Bytes>,
    began: Instant,
    bytes: u64,
}

impl ResponsePacer {
    fn new(chunks: mpsc::Sender<Bytes>) -> ResponsePacer {
        ResponsePacer { chunks, began: Instant::now(), bytes: 0 }
    }

    /// Sends a chunk. Errors: the reader is gone or too slow.
    fn send(&mut self, chunk: Vec<u8>) -> io::Result<()> {
        self.bytes += chunk.len() as u64;
        if self.began.elapsed() > allowed(self.bytes) {
            return Err(io::Error::from(io::ErrorKind::TimedOut));
        }
        let sent = timeout(limits::STREAMING_STALL_TIMEOUT, self.chunks.send(chunk.into()));
        match Handle::current().block_on(sent) {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(io::Error::from(io::ErrorKind::BrokenPipe)),
            Err(_) => Err(io::Error::from(io::ErrorKind::TimedOut)),
        }
    }
}

/// Gathers pieces into chunks and sends them. Errors: the reader is gone or too slow.
fn make(
    pieces: impl Iterator<Item = Vec<u8>>,
    chunks: mpsc::Sender<Bytes>,
    spend: impl Fn(usize),
) -> Result<(), io::Error> {
    let mut reader = ResponsePacer::new(chunks);
    let mut send = |chunk: Vec<u8>| {
        spend(chunk.len());
        reader.send(chunk)
    };
    let mut chunk = Vec::with_capacity(2 * limits::STREAMING_CHUNK_BYTES);
    for piece in pieces {
        chunk.extend_from_slice(&piece);
        if chunk.len() >= limits::STREAMING_CHUNK_BYTES {
            send(std::mem::take(&mut chunk))?;
        }
    }
    send(chunk)
}

/// Longest time for so many bytes. A slower reader would keep a slot from other clients.
fn allowed(bytes: u64) -> Duration {
    limits::STREAMING_STALL_TIMEOUT + Duration::from_secs(bytes / limits::STREAMING_BYTES_PER_S_MIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn pieces_leave_in_chunks_and_all_of_them() {
        let (chunks, mut taken) = mpsc::channel(limits::STREAMING_CHUNKS_QUEUED_MAX);
        let pieces = || (0_u32..50_000).map(|number| number.to_string().into_bytes());
        let making = tokio::task::spawn_blocking(move || make(pieces(), chunks, |_| {}));
        let (mut whole, mut count) = (Vec::new(), 0);
        while let Some(chunk) = taken.recv().await {
            assert!(chunk.len() < 2 * limits::STREAMING_CHUNK_BYTES);
            whole.extend_from_slice(&chunk);
            count += 1;
        }
        making.await.unwrap().unwrap();
        assert!(whole == pieces().flatten().collect::<Vec<u8>>() && count > 2);
    }

    #[tokio::test]
    async fn what_nobody_reads_any_more_is_not_made() {
        let (chunks, taken) = mpsc::channel(1);
        drop(taken);
        let endless = std::iter::repeat_with(|| vec![b'x'; limits::STREAMING_CHUNK_BYTES]);
        let made = tokio::task::spawn_blocking(move || make(endless, chunks, |_| {})).await.unwrap();
        assert_eq!(made.unwrap_err().kind(), io::ErrorKind::BrokenPipe);
    }

    #[tokio::test(start_paused = true)]
    async fn a_reader_that_is_slow_all_the_time_gives_its_place_up() {
        let (chunks, mut taken) = mpsc::channel(1);
        let endless = std::iter::repeat_with(|| vec![b'x'; limits::STREAMING_CHUNK_BYTES]);
        let making = tokio::task::spawn_blocking(move || make(endless, chunks, |_| {}));
        let mut count = 0;
        while taken.recv().await.is_some() {
            count += 1;
            assert!(count < 1_000, "it is still served");
            tokio::time::advance(Duration::from_secs(2)).await;
        }
        assert_eq!(making.await.unwrap().unwrap_err().kind(), io::ErrorKind::TimedOut);
        assert!(count >= 30, "negative control: some seconds of it are let pass");
    }
}
