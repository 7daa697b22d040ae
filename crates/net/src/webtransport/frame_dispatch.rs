//! Passes frames from the motion thread to the connections. The motion thread leaves a tick's frames in a
//! connection's lane and continues. The endpoint's thread takes the frames of all lanes and hands each connection
//! its frames at once. Frames still in a lane at the next tick are dropped, because newer ones replace them.
//!
//! A tick to one receiver takes at most two locks on the motion thread, for the lane and for the queue of lanes, and
//! one on the endpoint's thread. It doesn't allocate: a run's memory is reused once all of it was sent.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use bytes::{BufMut, Bytes, BytesMut};
use quinn::{Connection, VarInt};
use stoa_wire::limits::FRAME_BYTES_MAX;
use tokio::sync::Notify;

use super::session::SESSION_PREFIX;
use crate::counters::MotionTransportCounters;
use crate::frames::FrameSink;
use crate::limits;

/// `H3_NO_ERROR`: the session ended without an error.
pub(super) const NO_ERROR: VarInt = VarInt::from_u32(0x100);

/// Queue of the lanes that hold frames.
#[derive(Debug)]
pub(super) struct ReadyFrameSlots {
    ready: Mutex<Vec<Arc<ConnectionFrameSlot>>>,
    wake: Notify,
    counters: Arc<MotionTransportCounters>,
}

#[derive(Debug)]
struct ConnectionFrameSlot {
    connection: Connection,
    waiting: Mutex<ReceiverTickFrames>,
    /// The lane is queued in [`ReadyFrameSlots::ready`].
    is_queued: AtomicBool,
}

/// Frames of one tick to one receiver, one after the other, each after the session's prefix.
#[derive(Debug, Default)]
struct ReceiverTickFrames {
    bytes: Bytes,
    lengths: Vec<usize>,
}

/// The motion thread's end of a lane.
#[derive(Debug)]
pub(super) struct WebTransportFrameSender {
    dispatch: Arc<ReadyFrameSlots>,
    lane: Arc<ConnectionFrameSlot>,
    bytes: BytesMut,
    lengths: Vec<usize>,
}

impl ReadyFrameSlots {
    pub(super) fn new(counters: Arc<MotionTransportCounters>) -> Arc<ReadyFrameSlots> {
        Arc::new(ReadyFrameSlots { ready: Mutex::default(), wake: Notify::new(), counters })
    }

    /// Opens a lane to a connection.
    pub(super) fn sink(self: &Arc<Self>, connection: Connection) -> WebTransportFrameSender {
        let lane = ConnectionFrameSlot { connection, waiting: Mutex::default(), is_queued: AtomicBool::new(false) };
        WebTransportFrameSender {
            dispatch: Arc::clone(self),
            lane: Arc::new(lane),
            bytes: BytesMut::new(),
            lengths: Vec::new(),
        }
    }

    /// Hands over frames as they are queued; does not return.
    pub(super) async fn run(&self) {
        let (mut lanes, mut lengths) = (Vec::new(), Vec::new());
        loop {
            self.wake.notified().await;
            std::mem::swap(&mut lanes, &mut *self.ready.lock().expect("no code panics while it holds this lock"));
            for (number, lane) in lanes.drain(..).enumerate() {
                if number > 0 && number % limits::QUIC_SLICE_LANES == 0 {
                    // Lets the connections served so far send their frames, and the endpoint handle received datagrams.
                    tokio::task::yield_now().await;
                }
                self.hand_over(&lane, &mut lengths);
            }
        }
    }

    fn hand_over(&self, lane: &ConnectionFrameSlot, lengths: &mut Vec<usize>) {
        // Cleared before the run is taken, so that a run queued after that queues the lane again.
        lane.is_queued.store(false, Ordering::SeqCst);
        let mut bytes = {
            let mut waiting = lane.waiting.lock().expect("no code panics while it holds this lock");
            std::mem::swap(lengths, &mut waiting.lengths);
            std::mem::take(&mut waiting.bytes)
        };
        // Unsent frames of an earlier tick are dropped for these, oldest first.
        let mut room = lane.connection.datagram_send_buffer_space();
        let (mut sent, mut dropped) = (0, 0);
        for length in lengths.drain(..) {
            let is_sent = lane.connection.send_datagram(bytes.split_to(length)).is_ok();
            sent += u64::from(is_sent);
            dropped += u64::from(!is_sent || length > room);
            room = room.saturating_sub(length + limits::QUIC_KEPT_BYTES);
        }
        self.counters.frames_out.add(sent);
        self.counters.frames_dropped.add(dropped);
    }
}

impl FrameSink for WebTransportFrameSender {
    fn put(&mut self, parts: &[&[u8]]) {
        let length: usize = parts.iter().map(|part| part.len()).sum();
        if length > FRAME_BYTES_MAX || self.lengths.len() == limits::TICK_FRAMES_MAX {
            self.dispatch.counters.frames_dropped.add(1);
            return;
        }
        // Reuses the previous run's memory, if all of it was sent.
        self.bytes.reserve(1 + length);
        self.bytes.put_u8(SESSION_PREFIX);
        for part in parts {
            self.bytes.put_slice(part);
        }
        self.lengths.push(1 + length);
    }

    fn flush(&mut self) {
        if self.lengths.is_empty() {
            return;
        }
        let bytes = self.bytes.split().freeze();
        {
            let mut waiting = self.lane.waiting.lock().expect("no code panics while it holds this lock");
            waiting.bytes = bytes;
            std::mem::swap(&mut waiting.lengths, &mut self.lengths);
        }
        self.dispatch.counters.frames_dropped.add(self.lengths.len() as u64);
        self.lengths.clear();
        if !self.lane.is_queued.swap(true, Ordering::SeqCst) {
            let is_first = {
                let mut ready = self.dispatch.ready.lock().expect("no code panics while it holds this lock");
                ready.push(Arc::clone(&self.lane));
                ready.len() == 1
            };
            if is_first {
                self.dispatch.wake.notify_one();
            }
        }
    }

    fn close(self: Box<Self>) {
        self.lane.connection.close(NO_ERROR, b"");
    }
}
