//! QUIC's congestion control, as the motion plane needs it: bytes in flight to a receiver.
//!
//! The motion plane has its own rate per receiver, which falls with the loss and lateness that the receiver
//! reports, and poses are never resent. A controller that halves its window for each loss would reduce the rate a
//! second time, four times too much on a radio link that loses one packet in a hundred. Meanwhile it would queue
//! frames, which grow stale. So this window is fixed, and wide enough for the highest rate on the longest path.
//! Only when nothing is acknowledged at all does it close to a few packets, and it doubles with each
//! acknowledgement.

use std::any::Any;
use std::sync::Arc;
use std::time::Instant;

use quinn::congestion::{Controller, ControllerFactory};

use crate::limits;

/// Makes a window for each path.
#[derive(Debug)]
pub(super) struct FixedCongestionWindowFactory;

#[derive(Clone, Debug)]
struct FixedCongestionWindow {
    bytes: u64,
}

impl ControllerFactory for FixedCongestionWindowFactory {
    fn build(self: Arc<Self>, _now: Instant, _mtu: u16) -> Box<dyn Controller> {
        Box::new(FixedCongestionWindow { bytes: limits::QUIC_WINDOW_BYTES })
    }
}

impl Controller for FixedCongestionWindow {
    fn on_end_acks(&mut self, _now: Instant, _in_flight: u64, _app_limited: bool, _newest: Option<u64>) {
        self.bytes = (2 * self.bytes).min(limits::QUIC_WINDOW_BYTES);
    }

    fn on_congestion_event(&mut self, _now: Instant, _sent: Instant, persistent: bool, _lost_bytes: u64) {
        if persistent {
            self.bytes = limits::QUIC_WINDOW_BYTES_MIN;
        }
    }

    fn on_mtu_update(&mut self, _mtu: u16) {}

    fn window(&self) -> u64 {
        self.bytes
    }

    fn clone_box(&self) -> Box<dyn Controller> {
        Box::new(self.clone())
    }

    fn initial_window(&self) -> u64 {
        limits::QUIC_WINDOW_BYTES
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_persistent_congestion_shrinks_the_window_and_acks_reopen_it() {
        let now = Instant::now();
        let mut window = Arc::new(FixedCongestionWindowFactory).build(now, 1_200);
        for _ in 0..100 {
            window.on_congestion_event(now, now, false, 1_200);
        }
        assert_eq!(window.window(), limits::QUIC_WINDOW_BYTES);
        window.on_congestion_event(now, now, true, 1_200);
        assert_eq!(window.window(), limits::QUIC_WINDOW_BYTES_MIN);
        for _ in 0..10 {
            window.on_end_acks(now, 0, true, Some(1));
        }
        assert_eq!(window.window(), limits::QUIC_WINDOW_BYTES);
    }
}
