//! Detects clients that stop reading. Such a client holds a connection, and a request in progress for each of its
//! responses.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

use axum::body::{Body, Bytes};
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use hyper::rt::Executor;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep, sleep_until};

use crate::app::request_abort::RequestAbort;
use crate::limits;

tokio::task_local! {
    /// State of the HTTP/2 stream that this task serves.
    static STALL_TIMER: StreamStallTimer;
}

/// Runs the streams of an HTTP/2 connection. A stalled stream is reset alone, because the others may belong to other
/// people. An aborted stream ends its connection too if the client takes no bytes: the connection could not send the
/// reset, and would keep the stream's bytes.
#[derive(Clone, Debug)]
pub(super) struct StreamExecutor {
    pub(super) connection: RequestAbort,
    pub(super) progress: ConnectionProgress,
}

impl<Stream> Executor<Stream> for StreamExecutor
where
    Stream: Future<Output: Send> + Send + 'static,
{
    fn execute(&self, stream: Stream) {
        let stall_timer = StreamStallTimer::default();
        // Dropping a stream before its end resets it.
        let until_stalled = STALL_TIMER.scope(stall_timer.clone(), async move {
            tokio::select! {
                _ = stream => {}
                () = stall_timer.stalled() => {}
            }
        });
        let StreamExecutor { connection, progress } = self.clone();
        tokio::spawn(async move {
            let is_aborted = RequestAbort::default().serve(until_stalled).await;
            if is_aborted && progress.is_blocked() {
                connection.abort();
            }
        });
    }
}

/// The time since which a stream's response has bytes that the reader has not taken. Clones share it.
#[derive(Clone, Debug, Default)]
struct StreamStallTimer(Arc<Mutex<Option<Instant>>>);

impl StreamStallTimer {
    /// Completes after [`limits::HTTP_STALL_TIMEOUT`] without progress.
    async fn stalled(&self) {
        loop {
            let since = *self.lock();
            match since.map(|since| since + limits::HTTP_STALL_TIMEOUT) {
                Some(end) if end <= Instant::now() => return,
                Some(end) => sleep_until(end).await,
                None => sleep(limits::HTTP_STALL_TIMEOUT).await,
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Instant>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Watches a response body of an HTTP/2 stream. An HTTP/1 response has the whole connection, whose writes then fail:
/// see [`WriteTimeoutIo`].
pub(super) fn watch(body: Body) -> Body {
    let Ok(stall_timer) = STALL_TIMER.try_with(StreamStallTimer::clone) else { return body };
    *stall_timer.lock() = Some(Instant::now());
    Body::new(StallWatchedResponseBody { body, stall_timer })
}

/// Progress of one connection. Clones share it.
#[derive(Clone, Debug, Default)]
pub(super) struct ConnectionProgress(Arc<ConnectionProgressState>);

#[derive(Debug, Default)]
struct ConnectionProgressState {
    bytes_in: AtomicU64,
    /// The connection speaks another protocol than HTTP.
    is_upgraded: AtomicBool,
    /// The transport took no byte of the last write.
    is_blocked: AtomicBool,
}

impl ConnectionProgress {
    /// Completes after [`limits::HTTP_HEADER_TIMEOUT`] if the client has not sent enough to tell its protocol.
    pub(super) async fn mute(&self) {
        sleep(limits::HTTP_HEADER_TIMEOUT).await;
        if self.0.bytes_in.load(Ordering::Relaxed) >= limits::HTTP_PREFACE_BYTES {
            std::future::pending::<()>().await;
        }
    }

    /// Records a request, from which the protocol is known.
    pub(super) fn hear(&self) {
        self.0.bytes_in.fetch_max(limits::HTTP_PREFACE_BYTES, Ordering::Relaxed);
    }

    /// Whether the client takes no bytes.
    fn is_blocked(&self) -> bool {
        self.0.is_blocked.load(Ordering::Relaxed)
    }

    /// Records the upgrade to another protocol, which has limits of its own.
    pub(super) fn upgrade(&self) {
        self.0.is_upgraded.store(true, Ordering::Relaxed);
    }
}

struct StallWatchedResponseBody {
    body: Body,
    stall_timer: StreamStallTimer,
}

impl HttpBody for StallWatchedResponseBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        *self.stall_timer.lock() = match &polled {
            Poll::Ready(Some(Ok(_))) => Some(Instant::now()),
            // The body has no bytes to send, so the reader isn't late.
            Poll::Pending | Poll::Ready(_) => None,
        };
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for StallWatchedResponseBody {
    fn drop(&mut self) {
        *self.stall_timer.lock() = None;
    }
}

/// A transport whose writes fail if they make no progress for [`limits::HTTP_STALL_TIMEOUT`].
pub(super) struct WriteTimeoutIo<Io> {
    io: Io,
    progress: ConnectionProgress,
    /// Runs while no byte is taken.
    overdue: Option<Pin<Box<Sleep>>>,
}

impl<Io> WriteTimeoutIo<Io> {
    pub(super) fn new(io: Io, progress: ConnectionProgress) -> WriteTimeoutIo<Io> {
        WriteTimeoutIo { io, progress, overdue: None }
    }

    fn in_time<T>(&mut self, polled: Poll<io::Result<T>>, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        if polled.is_ready() || self.progress.0.is_upgraded.load(Ordering::Relaxed) {
            self.overdue = None;
            return polled;
        }
        let overdue = self.overdue.get_or_insert_with(|| Box::pin(sleep(limits::HTTP_STALL_TIMEOUT)));
        ready!(overdue.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<Io: AsyncRead + Unpin> AsyncRead for WriteTimeoutIo<Io> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = into.filled().len();
        ready!(Pin::new(&mut self.io).poll_read(context, into))?;
        let bytes = (into.filled().len() - before) as u64;
        self.progress.0.bytes_in.fetch_add(bytes, Ordering::Relaxed);
        Poll::Ready(Ok(()))
    }
}

impl<Io: AsyncWrite + Unpin> AsyncWrite for WriteTimeoutIo<Io> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.io).poll_write(context, bytes);
        self.progress.0.is_blocked.store(polled.is_pending(), Ordering::Relaxed);
        self.in_time(polled, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.io).poll_write_vectored(context, parts);
        self.progress.0.is_blocked.store(polled.is_pending(), Ordering::Relaxed);
        self.in_time(polled, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.io).poll_flush(context);
        self.in_time(polled, context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.io).poll_shutdown(context);
        self.in_time(polled, context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncWriteExt, duplex};
    use tokio::time::timeout;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn writes_of_an_upgraded_connection_have_no_stall_timeout() {
        for upgrades in [true, false] {
            let (_client, io) = duplex(1);
            let progress = ConnectionProgress::default();
            let mut pushed = WriteTimeoutIo::new(io, progress.clone());
            if upgrades {
                progress.upgrade();
            }
            let written = timeout(10 * limits::HTTP_STALL_TIMEOUT, pushed.write_all(b"ab")).await;
            assert_eq!(written.is_err(), upgrades, "{written:?}");
        }
    }
}
