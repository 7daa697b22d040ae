//! Passes frames from the motion thread to the connections. The motion thread leaves a tick's frames in a
//! connection's lane and continues. The endpoint's thread takes the frames of all lanes and hands each connection
//! its frames at once, voice first. Pose frames still in a lane at the next tick are dropped, because newer ones
//! replace them; voice frames wait in order.
//!
//! A tick to one receiver takes at most two locks on the motion thread, for the lane and for the queue of lanes, and
//! one on the endpoint's thread. It doesn't allocate: a run's memory is reused once all of it was sent.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

use quinn::{Connection, VarInt};
use stoa_wire::limits::FRAME_BYTES_MAX;
use tokio::sync::Notify;

use super::session::SESSION_PREFIX;
use crate::counters::MotionTransportCounters;
use crate::frames::{FrameClass, FrameSink, TakenFrames, TickFrames, WaitingFrames};
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
    waiting: Mutex<WaitingFrames>,
    /// The lane is queued in [`ReadyFrameSlots::ready`].
    is_queued: AtomicBool,
}

/// The motion thread's end of a lane.
#[derive(Debug)]
pub(super) struct WebTransportFrameSender {
    dispatch: Arc<ReadyFrameSlots>,
    lane: Arc<ConnectionFrameSlot>,
    tick: TickFrames,
}

impl ReadyFrameSlots {
    pub(super) fn new(counters: Arc<MotionTransportCounters>) -> Arc<ReadyFrameSlots> {
        Arc::new(ReadyFrameSlots { ready: Mutex::default(), wake: Notify::new(), counters })
    }

    /// Opens a lane to a connection.
    pub(super) fn sink(self: &Arc<Self>, connection: Connection) -> WebTransportFrameSender {
        let lane = ConnectionFrameSlot { connection, waiting: Mutex::default(), is_queued: AtomicBool::new(false) };
        WebTransportFrameSender { dispatch: Arc::clone(self), lane: Arc::new(lane), tick: TickFrames::default() }
    }

    /// Hands over frames as they are queued; does not return.
    pub(super) async fn run(&self) {
        let (mut lanes, mut taken) = (Vec::new(), TakenFrames::default());
        loop {
            self.wake.notified().await;
            std::mem::swap(&mut lanes, &mut *self.ready.lock().expect("no code panics while it holds this lock"));
            for (number, lane) in lanes.drain(..).enumerate() {
                if number > 0 && number % limits::QUIC_SLICE_LANES == 0 {
                    // Lets the connections served so far send their frames, and the endpoint handle received datagrams.
                    tokio::task::yield_now().await;
                }
                self.hand_over(&lane, &mut taken);
            }
        }
    }

    /// Sends the voice frames, then the pose frames, as far as the connection has space. quinn would drop older frames
    /// for them, voice among them. Voice that finds no space waits in the lane for the next tick.
    fn hand_over(&self, lane: &ConnectionFrameSlot, taken: &mut TakenFrames) {
        // Cleared before the run is taken, so that a run queued after that queues the lane again.
        lane.is_queued.store(false, Ordering::SeqCst);
        let mut dropped = lane.lock().take(taken, Instant::now);
        let mut room = lane.connection.datagram_send_buffer_space();
        let mut sent = 0;
        let mut fits = |length: usize| {
            let left = room.checked_sub(length + limits::QUIC_KEPT_BYTES);
            room = left.unwrap_or(room);
            left.is_some()
        };
        let mut send = |frame| match lane.connection.send_datagram(frame) {
            Ok(()) => sent += 1,
            Err(_) => dropped += 1,
        };
        while let Some((_, frame)) = taken.voice.pop_front_if(|(_, frame)| fits(frame.len())) {
            send(frame);
        }
        let TakenFrames { voice, poses } = taken;
        let mut crowded_out = 0;
        for length in poses.lengths.drain(..) {
            let frame = poses.bytes.split_to(length);
            if voice.is_empty() && fits(length) {
                send(frame);
            } else {
                crowded_out += 1;
            }
        }
        poses.bytes.clear();
        if !voice.is_empty() {
            lane.lock().put_back(taken);
        }
        self.counters.frames_out.add(sent);
        self.counters.frames_dropped.add(dropped + crowded_out);
    }
}

impl ConnectionFrameSlot {
    fn lock(&self) -> MutexGuard<'_, WaitingFrames> {
        self.waiting.lock().expect("no code panics while it holds this lock")
    }
}

#[cfg(test)]
impl WebTransportFrameSender {
    /// Hands over the lane's frames without the endpoint's thread.
    pub(super) fn hand_over_now(&self) {
        self.dispatch.hand_over(&self.lane, &mut TakenFrames::default());
    }
}

impl FrameSink for WebTransportFrameSender {
    fn put(&mut self, class: FrameClass, parts: &[&[u8]]) {
        let length: usize = parts.iter().map(|part| part.len()).sum();
        if length > FRAME_BYTES_MAX || !self.tick.put(class, &[SESSION_PREFIX], parts) {
            self.dispatch.counters.frames_dropped.add(1);
        }
    }

    fn flush(&mut self) {
        if self.tick.is_empty() {
            return;
        }
        let dropped = self.lane.lock().push(&mut self.tick, Instant::now);
        self.dispatch.counters.frames_dropped.add(dropped);
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
