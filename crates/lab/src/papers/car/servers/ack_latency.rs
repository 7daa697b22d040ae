//! Records the answering times of clients, as the server sees them. Source: paper 002, Table 3.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use serde::{Deserialize, Serialize};

/// The record of all clients' answers.
#[derive(Debug)]
pub(crate) struct ServerAckLatencyRecorder {
    /// Whether the recording is on. It is off by default, since a clock reading and shared counters for each message
    /// would count as the server's time.
    is_counting: AtomicBool,
    zero: Instant,
    /// Arrival of each client's last update, in microseconds since `zero`; 0 before the first.
    came_us: Vec<AtomicU64>,
    sum_us: AtomicU64,
    longest_us: AtomicU64,
    acks: AtomicU64,
}

/// Mean and longest answering time of the recording.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct AckLatencySummary {
    pub(crate) mean_ms: f64,
    pub(crate) longest_ms: f64,
}

impl ServerAckLatencyRecorder {
    pub(crate) fn new(clients: usize) -> ServerAckLatencyRecorder {
        let came_us = (0..clients).map(|_| AtomicU64::new(0)).collect();
        ServerAckLatencyRecorder {
            is_counting: AtomicBool::new(false),
            zero: Instant::now(),
            came_us,
            sum_us: AtomicU64::new(0),
            longest_us: AtomicU64::new(0),
            acks: AtomicU64::new(0),
        }
    }

    fn now_us(&self) -> u64 {
        self.zero.elapsed().as_micros() as u64
    }

    /// Starts the recording.
    pub(crate) fn begin(&self) {
        self.is_counting.store(true, Ordering::Relaxed);
    }

    /// An update arrived.
    pub(crate) fn note_update(&self, source: usize) {
        if !self.is_counting.load(Ordering::Relaxed) {
            return;
        }
        self.came_us[source].store(self.now_us().max(1), Ordering::Relaxed);
    }

    /// An acknowledgement of an update of `source` arrived.
    pub(crate) fn note_ack(&self, source: usize) {
        // Updates from before the recording don't count.
        let Some(came_us @ 1..) =
            self.is_counting.load(Ordering::Relaxed).then(|| self.came_us[source].load(Ordering::Relaxed))
        else {
            return;
        };
        let us = self.now_us().saturating_sub(came_us);
        self.sum_us.fetch_add(us, Ordering::Relaxed);
        self.acks.fetch_add(1, Ordering::Relaxed);
        self.longest_us.fetch_max(us, Ordering::Relaxed);
    }

    pub(crate) fn response(&self) -> AckLatencySummary {
        let acks = self.acks.load(Ordering::Relaxed).max(1);
        let ms = |us: &AtomicU64| us.load(Ordering::Relaxed) as f64 / 1_000.0;
        AckLatencySummary { mean_ms: ms(&self.sum_us) / acks as f64, longest_ms: ms(&self.longest_us) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_acks_of_updates_since_the_start_of_recording_count() {
        let times = ServerAckLatencyRecorder::new(2);
        times.note_update(0);
        times.note_ack(0);
        times.begin();
        times.note_ack(0);
        assert_eq!(times.response(), AckLatencySummary { mean_ms: 0.0, longest_ms: 0.0 });
        times.note_update(1);
        let came = times.zero.elapsed();
        while times.zero.elapsed().as_micros() < came.as_micros() + 100 {}
        times.note_ack(1);
        assert!(times.response().longest_ms > 0.0);
    }

    #[test]
    fn an_update_in_the_first_microsecond_counts() {
        let mut times = ServerAckLatencyRecorder::new(1);
        times.begin();
        times.zero = Instant::now() + std::time::Duration::from_secs(3_600);
        times.note_update(0);
        times.zero = Instant::now();
        while times.now_us() < 100 {}
        times.note_ack(0);
        assert!(times.response().longest_ms > 0.0);
    }
}
