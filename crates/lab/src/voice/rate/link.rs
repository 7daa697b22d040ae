//! A simulated link: a capacity, a drop-tail buffer, a delay and random loss.

use std::collections::VecDeque;

/// Longest queue of the buffer.
const BUFFER_US: u64 = 100_000;
/// Delay of the empty link, each way.
pub(super) const WAY_US: u64 = 20_000;
/// Bytes of each datagram besides its frame: headers of IP, UDP and netcode.
const HEADER_BYTES: u64 = 20 + 8 + 20;

/// One direction of a path.
pub(super) struct SimulatedLink {
    bytes_per_s: u64,
    lost_per_mille: u64,
    random: fastrand::Rng,
    now_us: u64,
    queue: VecDeque<QueuedFrame>,
    /// Bytes of the first frame that are sent already, in millionths.
    sent_millionths: u64,
}

struct QueuedFrame {
    bytes: u64,
    entered_us: u64,
    began_us: Option<u64>,
    is_lost: bool,
    frame: Vec<u8>,
}

/// A frame at the end of the link.
pub(super) struct DeliveredFrame {
    pub(super) arrives_us: u64,
    /// How long it waited until its transmission began.
    pub(super) queued_us: u64,
    /// Bytes on the link.
    pub(super) bytes: u64,
    /// The frame; `None` if it was lost at random.
    pub(super) frame: Option<Vec<u8>>,
}

impl SimulatedLink {
    pub(super) fn new(bytes_per_s: u64, seed: u64) -> SimulatedLink {
        SimulatedLink {
            bytes_per_s,
            lost_per_mille: 0,
            random: fastrand::Rng::with_seed(seed),
            now_us: 0,
            queue: VecDeque::new(),
            sent_millionths: 0,
        }
    }

    pub(super) fn set(&mut self, bytes_per_s: u64, lost_per_mille: u64) {
        (self.bytes_per_s, self.lost_per_mille) = (bytes_per_s, lost_per_mille);
    }

    /// Adds a frame, unless the buffer is full.
    pub(super) fn push(&mut self, frame: Vec<u8>) {
        let waiting: u64 = self.queue.iter().map(|queued| queued.bytes).sum();
        let bytes = frame.len() as u64 + HEADER_BYTES;
        if waiting.saturating_sub(self.sent_millionths / 1_000_000) * 1_000_000 / self.bytes_per_s > BUFFER_US {
            return;
        }
        let is_lost = self.random.u64(0..1_000) < self.lost_per_mille;
        self.queue.push_back(QueuedFrame { bytes, entered_us: self.now_us, began_us: None, is_lost, frame });
    }

    /// Lets the time pass, and passes each frame that has left the buffer.
    pub(super) fn advance(&mut self, to_us: u64, mut delivered: impl FnMut(DeliveredFrame)) {
        while let Some(first) = self.queue.front_mut() {
            let began_us = *first.began_us.get_or_insert(self.now_us);
            let left = first.bytes * 1_000_000 - self.sent_millionths;
            let ends_us = self.now_us + left.div_ceil(self.bytes_per_s);
            if ends_us > to_us {
                self.sent_millionths += (to_us - self.now_us) * self.bytes_per_s;
                break;
            }
            (self.now_us, self.sent_millionths) = (ends_us, 0);
            let sent = self.queue.pop_front().expect("is the first");
            delivered(DeliveredFrame {
                arrives_us: ends_us + WAY_US,
                queued_us: began_us - sent.entered_us,
                bytes: sent.bytes,
                frame: (!sent.is_lost).then_some(sent.frame),
            });
        }
        self.now_us = to_us;
    }
}
