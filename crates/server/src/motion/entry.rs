//! Somebody who came in by WebTransport or WebSocket, as their connection sees it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::time::Instant;

use bytes::Bytes;
use stoa_state::time::Time;
use tokio::sync::watch;

use super::room::Place;
use super::thread::Order;
use crate::limits;

/// A stay by a connection of its own. Dropping it ends the stay.
#[derive(Debug)]
pub struct Entry {
    place: Place,
    orders: Sender<Order>,
    /// The moment that the machines call zero.
    zero: Instant,
    /// Frames of its that the thread has not taken yet.
    waiting: Arc<AtomicUsize>,
    /// How many of all entries' were dropped because too many waited.
    dropped: Arc<AtomicU64>,
    /// Closed by the thread when the stay is over.
    over: watch::Receiver<()>,
}

/// The thread's end of an entry.
#[derive(Debug)]
pub(super) struct Admitted {
    pub(super) place: Place,
    pub(super) over: watch::Receiver<()>,
}

impl Entry {
    pub(super) fn new(admitted: Admitted, (orders, zero): (Sender<Order>, Instant), dropped: Arc<AtomicU64>) -> Entry {
        let Admitted { place, over } = admitted;
        Entry { place, orders, zero, waiting: Arc::default(), dropped, over }
    }

    /// A frame came. Dropped where so many of its frames wait that it must be flooding: nobody else waits for it.
    pub fn handle_frame(&self, frame: Bytes) {
        if self.waiting.load(Ordering::Relaxed) >= limits::MOTION_FRAMES_WAITING_MAX {
            self.dropped.fetch_add(1, Ordering::Relaxed);
            return;
        }
        self.waiting.fetch_add(1, Ordering::Relaxed);
        // Now, and not at the next tick: the time at which its poses were taken follows from it.
        let at = Time::ZERO + self.zero.elapsed();
        // The thread may have ended; then so has the stay.
        let _ = self.orders.send(Order::Frame { place: self.place, frame, at, waiting: Arc::clone(&self.waiting) });
    }

    /// Returns when the stay is over.
    pub async fn ended(&self) {
        let mut over = self.over.clone();
        while over.changed().await.is_ok() {}
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        let _ = self.orders.send(Order::Leave { place: self.place });
    }
}
