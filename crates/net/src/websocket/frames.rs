//! Motion frames by WebSocket, one binary message each, for browsers in networks without UDP. The newest poses win
//! here too: at most one tick is being written and one is queued, and a newer tick replaces the queued one. Voice frames
//! are written before a queued tick.

use std::future::poll_fn;
use std::io::{self, IoSlice};
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll, Waker};
use std::time::Instant as SystemInstant;

use bytes::{Buf, Bytes};
use stoa_wire::limits::FRAME_BYTES_MAX;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::time::{Instant, timeout};
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

use super::deadline::LazyDeadline;
use super::gate::UnwrittenMessageHeader;
use super::{Role, WebSocketIo};
use crate::counters::MotionTransportCounters;
use crate::entrance::MotionSessionHandle;
use crate::frames::{FrameClass, FrameSink, TickFrames, WaitingFrames};
use crate::limits;

/// The WebSocket subprotocol. Source: `spec/wire.md` section 1.
pub const SUBPROTOCOL: &str = "stoa-motion.1";

/// Makes both ends of a frame queue, before its WebSocket is open.
pub fn frame_queue(counters: &Arc<MotionTransportCounters>) -> (WebSocketQueueSender, OutboundFrameSource) {
    let shared = Arc::new(FrameHandoff { waiting: Mutex::default(), counters: Arc::clone(counters) });
    counters.opened.add(1);
    let sink = WebSocketQueueSender { shared: Arc::clone(&shared), tick: TickFrames::default() };
    (sink, OutboundFrameSource { shared })
}

#[derive(Debug)]
struct FrameHandoff {
    waiting: Mutex<HandoffState>,
    counters: Arc<MotionTransportCounters>,
}

#[derive(Debug, Default)]
struct HandoffState {
    /// Whole messages, ready to write.
    frames: WaitingFrames,
    is_over: bool,
    writer: Option<Waker>,
}

/// The motion thread's end of a frame queue.
#[derive(Debug)]
pub struct WebSocketQueueSender {
    shared: Arc<FrameHandoff>,
    tick: TickFrames,
}

/// The WebSocket's end of a frame queue.
#[derive(Debug)]
pub struct OutboundFrameSource {
    shared: Arc<FrameHandoff>,
}

/// A write in progress, with the deadline of its next progress.
#[derive(Debug, Default)]
struct BegunWrite {
    rest: Bytes,
    progress_deadline: Option<Instant>,
    stuck: LazyDeadline,
}

impl BegunWrite {
    fn advance(&mut self, written: usize) {
        self.rest.advance(written);
        self.progress_deadline = None;
    }

    /// Ready when a write made no progress for too long. The timeout of silent clients isn't enough: a client may send
    /// frames, and never read those that take our memory.
    fn poll_stuck(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let progress_deadline =
            *self.progress_deadline.get_or_insert_with(|| Instant::now() + limits::FRAMES_STUCK_TIMEOUT);
        self.stuck.poll(progress_deadline, context)
    }
}

impl FrameHandoff {
    fn lock(&self) -> MutexGuard<'_, HandoffState> {
        self.waiting.lock().expect("no code panics while it holds this lock")
    }
}

impl FrameSink for WebSocketQueueSender {
    fn put(&mut self, class: FrameClass, parts: &[&[u8]]) {
        let length: usize = parts.iter().map(|part| part.len()).sum();
        let fits = length <= FRAME_BYTES_MAX;
        if !fits || !self.tick.put(class, UnwrittenMessageHeader::of(length).rest(), parts) {
            self.shared.counters.frames_dropped.add(1);
        }
    }

    fn flush(&mut self) {
        if self.tick.is_empty() {
            return;
        }
        let mut waiting = self.shared.lock();
        self.shared.counters.frames_dropped.add(waiting.frames.push(&mut self.tick, SystemInstant::now));
        let writer = waiting.writer.take();
        drop(waiting);
        if let Some(writer) = writer {
            writer.wake();
        }
    }

    fn close(self: Box<Self>) {}
}

impl Drop for WebSocketQueueSender {
    fn drop(&mut self) {
        let mut waiting = self.shared.lock();
        waiting.is_over = true;
        if let Some(writer) = waiting.writer.take() {
            writer.wake();
        }
    }
}

impl Drop for OutboundFrameSource {
    fn drop(&mut self) {
        self.shared.counters.closed.add(1);
    }
}

impl OutboundFrameSource {
    /// Takes the queued frames; `None` after the last.
    fn poll_take(&self, context: &mut Context<'_>) -> Poll<Option<Bytes>> {
        let mut waiting = self.shared.lock();
        let mut dropped = 0;
        let taken = waiting.frames.take_next(&mut dropped, SystemInstant::now);
        self.shared.counters.frames_dropped.add(dropped);
        if let Some((bytes, count)) = taken {
            self.shared.counters.frames_out.add(count);
            return Poll::Ready(Some(bytes));
        }
        if waiting.is_over {
            return Poll::Ready(None);
        }
        waiting.writer = Some(context.waker().clone());
        Poll::Pending
    }

    /// Carries frames in both directions over `io`, whose HTTP upgrade is complete, until the client or the session
    /// ends. A text message ends it, and so does a message too long for a frame.
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
                // Output comes first: a flooding client would otherwise use up the task's tokio budget, and leave
                // none for output and its deadline.
                if self.poll_out(context, &mut io, &mut begun).is_ready() {
                    return Poll::Ready(());
                }
                self.poll_in(context, &mut io, &session)
            })
            .await;
        }
        drop(session);
        // A close frame can't follow half a message.
        if begun.rest.is_empty() {
            let _ = timeout(limits::CLOSE_TIMEOUT, io.shutdown()).await;
        }
    }

    /// Ready at the end of input.
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
                Poll::Ready(Err(error)) => {
                    if error.kind() == io::ErrorKind::InvalidData {
                        self.shared.counters.frames_refused.add(1);
                    }
                    return Poll::Ready(());
                }
                Poll::Pending => return Poll::Pending,
            }
        }
    }

    /// Ready when the session is over and all is written, or when a write failed or made no progress for too long.
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
    /// Writes whole messages, headers included.
    fn poll_write_whole(
        &mut self,
        context: &mut Context<'_>,
        messages: &[IoSlice<'_>],
    ) -> Poll<std::io::Result<usize>> {
        self.poll_write_by(context, |gate, context| gate.poll_write_whole(context, messages))
    }

    /// Ready only on failure.
    fn poll_flush_all(&mut self, context: &mut Context<'_>) -> Poll<()> {
        match Pin::new(self).poll_flush(context) {
            Poll::Ready(Err(_)) => Poll::Ready(()),
            Poll::Ready(Ok(())) | Poll::Pending => Poll::Pending,
        }
    }
}

#[cfg(test)]
mod tests;
