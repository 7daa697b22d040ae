//! Motion frames by WebSocket, a binary message each: for browsers in networks without UDP. Newest wins here too: of what goes out, one tick's frames are being written and
//! one tick's wait at most; a newer tick takes the place of the one that waits.

use std::future::poll_fn;
use std::io::IoSlice;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll, Waker};

use bytes::{Buf, BufMut, Bytes, BytesMut};
use stoa_wire::limits::FRAME_BYTES_MAX;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::time::{Instant, timeout};
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

use super::deadline::LazyDeadline;
use super::gate::MessageHeader;
use super::{Role, WebSocketIo};
use crate::counters::FrameCounters;
use crate::entrance::MotionSessionHandle;
use crate::frames::FrameSink;
use crate::limits;

/// The WebSocket subprotocol. Source: `spec/wire.md` section 1.
pub const SUBPROTOCOL: &str = "stoa-motion.1";

/// Two ends of a way for frames that a WebSocket is yet to be opened for.
pub fn lane(counters: &Arc<FrameCounters>) -> (WebSocketFrameSink, WebSocketFrameSource) {
    let shared = Arc::new(FrameHandoff { waiting: Mutex::default(), counters: Arc::clone(counters) });
    counters.opened.add(1);
    let sink = WebSocketFrameSink { shared: Arc::clone(&shared), bytes: BytesMut::new(), frames: 0 };
    (sink, WebSocketFrameSource { shared })
}

#[derive(Debug)]
struct FrameHandoff {
    waiting: Mutex<WaitingFrames>,
    counters: Arc<FrameCounters>,
}

#[derive(Debug, Default)]
struct WaitingFrames {
    /// Whole messages, as they are written.
    bytes: Bytes,
    frames: u64,
    is_over: bool,
    writer: Option<Waker>,
}

/// Where frames are put.
#[derive(Debug)]
pub struct WebSocketFrameSink {
    shared: Arc<FrameHandoff>,
    bytes: BytesMut,
    frames: usize,
}

/// Where they come out.
#[derive(Debug)]
pub struct WebSocketFrameSource {
    shared: Arc<FrameHandoff>,
}

/// What is being written, and until when some of it must have gone.
#[derive(Debug, Default)]
struct BegunWrite {
    rest: Bytes,
    moves_by: Option<Instant>,
    stuck: LazyDeadline,
}

impl BegunWrite {
    fn advance(&mut self, written: usize) {
        self.rest.advance(written);
        self.moves_by = None;
    }

    /// Ready when nothing of it has gone for too long: whoever says something, and so is not silent, might never take what holds our memory.
    fn poll_stuck(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let moves_by = *self.moves_by.get_or_insert_with(|| Instant::now() + limits::FRAMES_STUCK_TIMEOUT);
        self.stuck.poll(moves_by, context)
    }
}

impl FrameHandoff {
    fn lock(&self) -> MutexGuard<'_, WaitingFrames> {
        self.waiting.lock().expect("no code panics while it holds this lock")
    }
}

impl FrameSink for WebSocketFrameSink {
    fn put(&mut self, parts: &[&[u8]]) {
        let length: usize = parts.iter().map(|part| part.len()).sum();
        if length > FRAME_BYTES_MAX || self.frames == limits::TICK_FRAMES_MAX {
            self.shared.counters.frames_dropped.add(1);
            return;
        }
        let head = MessageHeader::of(length);
        self.bytes.reserve(head.rest().len() + length);
        self.bytes.put_slice(head.rest());
        for part in parts {
            self.bytes.put_slice(part);
        }
        self.frames += 1;
    }

    fn flush(&mut self) {
        if self.frames == 0 {
            return;
        }
        let mut waiting = self.shared.lock();
        self.shared.counters.frames_dropped.add(waiting.frames);
        waiting.bytes = self.bytes.split().freeze();
        waiting.frames = std::mem::take(&mut self.frames) as u64;
        let writer = waiting.writer.take();
        drop(waiting);
        if let Some(writer) = writer {
            writer.wake();
        }
    }

    fn close(self: Box<Self>) {}
}

impl Drop for WebSocketFrameSink {
    fn drop(&mut self) {
        let mut waiting = self.shared.lock();
        waiting.is_over = true;
        if let Some(writer) = waiting.writer.take() {
            writer.wake();
        }
    }
}

impl Drop for WebSocketFrameSource {
    fn drop(&mut self) {
        self.shared.counters.closed.add(1);
    }
}

impl WebSocketFrameSource {
    /// The frames that wait; `None`: there will be no more.
    fn poll_take(&self, context: &mut Context<'_>) -> Poll<Option<Bytes>> {
        let mut waiting = self.shared.lock();
        if waiting.frames > 0 {
            self.shared.counters.frames_out.add(std::mem::take(&mut waiting.frames));
            return Poll::Ready(Some(std::mem::take(&mut waiting.bytes)));
        }
        if waiting.is_over {
            return Poll::Ready(None);
        }
        waiting.writer = Some(context.waker().clone());
        Poll::Pending
    }

    /// Carries frames both ways over `io`, whose HTTP upgrade is done, until either side ends it. A text message ends it, and one that is too long for a frame.
    pub async fn run<Io: AsyncRead + AsyncWrite + Unpin>(self, io: Io, session: impl MotionSessionHandle) {
        let config = WebSocketConfig::default()
            .read_buffer_size(limits::FRAMES_READ_BYTES)
            .write_buffer_size(0)
            .max_write_buffer_size(limits::FRAMES_ANSWER_BYTES_MAX)
            .max_message_size(Some(FRAME_BYTES_MAX))
            .max_frame_size(Some(FRAME_BYTES_MAX));
        let mut io = WebSocketIo::with(io, Role::Server, config).await;
        let mut begun = BegunWrite::default();
        {
            let mut ended = pin!(session.ended());
            poll_fn(|context| {
                if ended.as_mut().poll(context).is_ready() {
                    return Poll::Ready(());
                }
                // What goes out comes first: whoever floods would leave it, and its deadline, nothing of what tokio grants a task at once.
                if self.poll_out(context, &mut io, &mut begun).is_ready() {
                    return Poll::Ready(());
                }
                self.poll_in(context, &mut io, &session)
            })
            .await;
        }
        drop(session);
        // Half a message can't be followed by a farewell.
        if begun.rest.is_empty() {
            let _ = timeout(limits::CLOSE_TIMEOUT, io.shutdown()).await;
        }
    }

    /// Ready when no more comes.
    fn poll_in<Io: AsyncRead + AsyncWrite + Unpin>(
        &self,
        context: &mut Context<'_>,
        io: &mut WebSocketIo<Io>,
        session: &impl MotionSessionHandle,
    ) -> Poll<()> {
        loop {
            match io.poll_message(context) {
                Poll::Ready(Ok(Some(frame))) => {
                    self.shared.counters.frames_in.add(1);
                    session.handle_frame(frame);
                }
                Poll::Ready(Ok(None)) => return Poll::Ready(()),
                Poll::Ready(Err(_)) => {
                    self.shared.counters.frames_refused.add(1);
                    return Poll::Ready(());
                }
                Poll::Pending => return Poll::Pending,
            }
        }
    }

    /// Ready when nothing more can be written, or what is written has not moved for too long.
    fn poll_out<Io: AsyncRead + AsyncWrite + Unpin>(
        &self,
        context: &mut Context<'_>,
        io: &mut WebSocketIo<Io>,
        begun: &mut BegunWrite,
    ) -> Poll<()> {
        loop {
            if begun.rest.is_empty() {
                match self.poll_take(context) {
                    Poll::Ready(Some(bytes)) => begun.rest = bytes,
                    Poll::Ready(None) => return Poll::Ready(()),
                    Poll::Pending => return io.poll_flush_all(context),
                }
            }
            match io.poll_write_whole(context, &[IoSlice::new(&begun.rest)]) {
                Poll::Ready(Ok(written)) => begun.advance(written),
                Poll::Ready(Err(_)) => return Poll::Ready(()),
                Poll::Pending => return begun.poll_stuck(context),
            }
        }
    }
}

impl<Io: AsyncRead + AsyncWrite + Unpin> WebSocketIo<Io> {
    /// Writes whole messages, heads and all.
    fn poll_write_whole(
        &mut self,
        context: &mut Context<'_>,
        messages: &[IoSlice<'_>],
    ) -> Poll<std::io::Result<usize>> {
        self.poll_write_by(context, |gate, context| gate.poll_write_whole(context, messages))
    }

    /// Ready only if that failed.
    fn poll_flush_all(&mut self, context: &mut Context<'_>) -> Poll<()> {
        match Pin::new(self).poll_flush(context) {
            Poll::Ready(Err(_)) => Poll::Ready(()),
            Poll::Ready(Ok(())) | Poll::Pending => Poll::Pending,
        }
    }
}

#[cfg(test)]
mod tests;
