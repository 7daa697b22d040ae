//! The outbox shared by two tasks: the realm pushes, the connection's writer takes. The realm also pauses the
//! connection's reader through it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};

use stoa_state::batch::{BatchTail, OutboxChunk};
use stoa_state::outbox::{Outbox, OutboxOverflow};
use stoa_state::packet_class::PacketClass;
use stoa_wire::packet::EncodedPacket;
use tokio::sync::Notify;

/// One connection's outbox. The lock is held for a push or a take, never across an await.
#[derive(Debug, Default)]
pub struct SharedOutbox {
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

impl SharedOutbox {
    /// Queues a frame; call [`SharedOutbox::wake`] once after a batch.
    ///
    /// # Errors
    /// [`OutboxOverflow`]: the receiver is too slow, and the frame can't be conflated.
    pub fn push(&self, frame: EncodedPacket, class: PacketClass) -> Result<(), OutboxOverflow> {
        let mut state = self.lock();
        if state.closing {
            // The writer is about to end.
            return Ok(());
        }
        state.outbox.push(frame, class)
    }

    /// Queues several frames that other receivers share. Equal to pushing each, but cheaper.
    ///
    /// # Errors
    /// [`OutboxOverflow`].
    pub fn push_run(&self, run: BatchTail) -> Result<(), OutboxOverflow> {
        let mut state = self.lock();
        if state.closing {
            return Ok(());
        }
        state.outbox.push_run(run)
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

    /// Lets the connection's reader wait before its next packet, until [`SharedOutbox::resume_reading`].
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

    /// Returns once [`SharedOutbox::close`] was called.
    pub(crate) async fn closed(&self) {
        self.closed.notified().await;
    }

    pub(crate) async fn woken(&self) {
        self.wake.notified().await;
    }

    pub(crate) fn take(&self, bytes_max: usize, into: &mut Vec<OutboxChunk>) -> TakeOutcome {
        let mut state = self.lock();
        state.outbox.take(bytes_max, into);
        match (into.is_empty(), state.closing) {
            (false, _) => TakeOutcome::Some,
            (true, false) => TakeOutcome::Nothing,
            (true, true) => TakeOutcome::Ended,
        }
    }

    fn lock(&self) -> MutexGuard<'_, OutboxState> {
        self.state.lock().expect("no code panics while it holds this lock")
    }
}
