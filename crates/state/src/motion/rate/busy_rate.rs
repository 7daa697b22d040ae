//! The rate at which a path delivers while its queue is not empty: its capacity, at whatever rate frames are sent.

use super::transit::{FrameTransit, QUARTERS};

/// Each of the two windows, in quarters of a millisecond.
const WINDOW_Q: u32 = 100 * QUARTERS;
/// Shortest time that gives a rate.
const SPAN_Q_MIN: u32 = 50 * QUARTERS;

/// Delivered bytes of the present busy period, in its last one or two windows.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BusyRateMeter {
    window: DeliveryWindow,
    before: Option<DeliveryWindow>,
    is_busy: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct DeliveryWindow {
    began_q: u32,
    span_q: u32,
    bytes: u32,
}

impl BusyRateMeter {
    /// Adds a frame; `is_queued` tells that it waited in the queue.
    pub(super) fn add(&mut self, transit: FrameTransit, is_queued: bool) {
        let FrameTransit { arrived_q, delivered, .. } = transit;
        if !is_queued || !self.is_busy {
            // The period begins when this frame has arrived.
            self.window = DeliveryWindow { began_q: arrived_q, span_q: 0, bytes: 0 };
            (self.before, self.is_busy) = (None, is_queued);
            return;
        }
        let since = arrived_q.wrapping_sub(self.window.began_q).cast_signed();
        self.window.span_q = self.window.span_q.max(since.max(0).unsigned_abs());
        self.window.bytes = self.window.bytes.saturating_add(delivered);
        if self.window.span_q >= WINDOW_Q {
            let began_q = self.window.began_q.wrapping_add(self.window.span_q);
            self.before = Some(core::mem::replace(&mut self.window, DeliveryWindow { began_q, span_q: 0, bytes: 0 }));
        }
    }

    /// The rate in bytes per second; `None` if the path was not busy for long enough.
    pub(super) fn bytes_per_s(&self) -> Option<u32> {
        let before = self.before.unwrap_or_default();
        let span_q = before.span_q.saturating_add(self.window.span_q);
        let bytes = u64::from(before.bytes.saturating_add(self.window.bytes));
        let rate = bytes * u64::from(1_000 * QUARTERS) / u64::from(span_q.max(1));
        (self.is_busy && span_q >= SPAN_Q_MIN).then(|| u32::try_from(rate).unwrap_or(u32::MAX))
    }
}
