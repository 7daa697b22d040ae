//! The outbox shared by two tasks: the realm pushes, the connection's writer takes. The realm also pauses the
//! connection's reader through it.

mod unread;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};

use stoa_state::batch::{BatchTail, OutboxChunk};
use stoa_state::outbox::{Outbox, OutboxOverflow};
use stoa_state::packet_class::PacketClass;
use stoa_wire::packet::EncodedPacket;
use tokio::sync::Notify;

pub use self::unread::RealmUnreadBytesLimiter;
use crate::limits;
use crate::shared_bytes::ConnectionByteShare;

/// One connection's outbox. The lock is held for a push or a take, never across an await.
#[derive(Debug, Default)]
pub struct ConnectionOutbox {
    state: Mutex<OutboxState>,
    wake: Notify,
    closed: Notify,
    reading_paused: AtomicBool,
    reading_resumed: Notify,
}

#[derive(Debug, Default)]
struct OutboxState {
    outbox: Outbox,
    closing: bool,
    /// Bytes taken by the writer and not yet written.
    writing_bytes: usize,
    /// This connection's part of the unread bytes of all connections, if these are bounded.
    unread: Option<ConnectionByteShare>,
    /// The queue was discarded. From then on, only control packets are queued.
    discarded: bool,
}

/// Result of taking from the outbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TakeOutcome {
    /// Frames to write.
    Some,
    /// The queue is empty.
    Nothing,
    /// The queue is empty and closed.
    Ended,
}

impl ConnectionOutbox {
    /// Queues a frame; call [`ConnectionOutbox::wake`] once after a batch.
    ///
    /// # Errors
    /// [`OutboxOverflow`]: the receiver is too slow, and the frame can't be conflated; or the unread bytes of all
    /// connections are above the shared bound and this connection is above its fair share; or they have reached the
    /// ceiling.
    pub fn push(&self, frame: EncodedPacket, class: PacketClass) -> Result<(), OutboxOverflow> {
        let mut state = self.lock();
        if state.closing {
            // The writer is about to end.
            return Ok(());
        }
        if state.discarded && class != PacketClass::Control {
            return Ok(());
        }
        state.outbox.push(frame, class)?;
        state.count_unread()
    }

    /// Queues several frames that other receivers share. Equal to pushing each, but cheaper.
    ///
    /// # Errors
    /// [`OutboxOverflow`], as by [`ConnectionOutbox::push`].
    pub fn push_run(&self, run: BatchTail) -> Result<(), OutboxOverflow> {
        let mut state = self.lock();
        if state.closing || state.discarded {
            return Ok(());
        }
        state.outbox.push_run(run)?;
        state.count_unread()
    }

    /// Wakes the writer. Several calls before it runs cause one wake-up.
    pub fn wake(&self) {
        self.wake.notify_one();
    }

    /// Ends the connection once the queue is written.
    pub fn close(&self) {
        self.lock().closing = true;
        self.closed.notify_one();
        self.wake();
    }

    /// Makes the connection's reader wait before its next packet, until [`ConnectionOutbox::resume_reading`].
    pub fn pause_reading(&self) {
        self.reading_paused.store(true, Ordering::Release);
    }

    /// Lets the connection's reader continue.
    pub fn resume_reading(&self) {
        self.reading_paused.store(false, Ordering::Release);
        self.reading_resumed.notify_one();
    }

    /// Returns once the connection may be read.
    pub(crate) async fn readable(&self) {
        while self.reading_paused.load(Ordering::Acquire) {
            self.reading_resumed.notified().await;
        }
    }

    /// Bytes in the queue.
    pub fn queued_bytes(&self) -> usize {
        self.lock().outbox.queued_bytes()
    }

    /// Returns once [`ConnectionOutbox::close`] was called.
    pub(crate) async fn closed(&self) {
        self.closed.notified().await;
    }

    pub(crate) async fn woken(&self) {
        self.wake.notified().await;
    }

    pub(crate) fn take(&self, bytes_max: usize, into: &mut Vec<OutboxChunk>) -> TakeOutcome {
        let mut state = self.lock();
        let before = state.outbox.queued_bytes();
        state.outbox.take(bytes_max, into);
        state.writing_bytes = before - state.outbox.queued_bytes();
        // Never above the last amount: nothing was added.
        let _ = state.count_unread();
        match (into.is_empty(), state.closing) {
            (false, _) => TakeOutcome::Some,
            (true, false) => TakeOutcome::Nothing,
            (true, true) => TakeOutcome::Ended,
        }
    }

    /// Discards the queue of a connection that the realm ends next.
    fn discard(&self) {
        self.lock().discard();
    }

    fn lock(&self) -> MutexGuard<'_, OutboxState> {
        self.state.lock().expect("no code panics while it holds this lock")
    }
}

impl OutboxState {
    /// Counts the unread bytes in steps, so that a client that keeps up costs a comparison.
    fn count_unread(&mut self) -> Result<(), OutboxOverflow> {
        let Some(unread) = &mut self.unread else { return Ok(()) };
        let bytes = self.outbox.queued_bytes() + self.writing_bytes;
        let counted = bytes - bytes % limits::OUTBOX_STEP_BYTES;
        if self.discarded || unread.set(counted as u64).is_ok() {
            return Ok(());
        }
        self.discard();
        Err(OutboxOverflow)
    }

    /// Drops the queue and its part of the unread bytes. A write in progress ends soon, with its connection.
    fn discard(&mut self) {
        (self.outbox, self.discarded) = (Outbox::new(), true);
        if let Some(unread) = &mut self.unread {
            let _ = unread.set(0);
        }
    }
}
