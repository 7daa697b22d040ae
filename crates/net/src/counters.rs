//! What transports count. Plain atomics, read by the metrics of `stoa-server`.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::datagrams::OverflowProbe;

/// A number that only grows.
#[derive(Debug, Default)]
pub struct Counter(AtomicU64);

impl Counter {
    /// Adds `amount`.
    pub fn add(&self, amount: u64) {
        // Relaxed: nothing else is ordered by a statistic.
        self.0.fetch_add(amount, Ordering::Relaxed);
    }

    /// Its present value.
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// What all connections of a server count together.
#[derive(Debug, Default)]
pub struct ConnectionCounters {
    /// WebSockets that were ended for a text frame: MQTT is binary.
    pub text_frames: Counter,
    /// Connections that began to speak MQTT, or could have.
    pub opened: Counter,
    /// Of these, how many have ended.
    pub closed: Counter,
    /// Connections turned away because the endpoint was full.
    pub turned_away: Counter,
    /// Connections turned away because their address had all it may have.
    pub turned_away_by_address: Counter,
    /// Connections turned away because their address had opened too many of late, or too many without a good token.
    pub turned_away_by_rate: Counter,
    /// TLS handshakes that failed or took too long.
    pub handshakes_failed: Counter,
    /// Times a writer was woken.
    pub wakeups: Counter,
    /// Writes that followed: never more than wake-ups while receivers keep up, however many packets were delivered.
    pub writes: Counter,
    /// Packets in those writes.
    pub frames: Counter,
    /// Bytes received, after TLS and WebSocket.
    pub bytes_in: Counter,
    /// Bytes sent, before TLS and WebSocket.
    pub bytes_out: Counter,
}

/// What the connections that carry motion frames count, those of one kind (WebTransport, WebSocket) together.
#[derive(Debug, Default)]
pub struct FrameCounters {
    /// Connections that were let begin.
    pub opened: Counter,
    /// Of these, how many have ended.
    pub closed: Counter,
    /// Connections turned away because there were too many, or too many of late from their address.
    pub turned_away: Counter,
    /// First packets that were told to prove their address.
    pub retried: Counter,
    /// First packets left unanswered because many others came; they come again.
    pub put_off: Counter,
    /// Handshakes that failed, took too long, or asked for something else.
    pub handshakes_failed: Counter,
    /// Connections whose ticket was not good.
    pub tickets_refused: Counter,
    /// Frames that came.
    pub frames_in: Counter,
    /// Datagrams or messages that came and were no frame: too long, or of no session.
    pub frames_refused: Counter,
    /// Frames handed to connections.
    pub frames_out: Counter,
    /// Frames that were dropped for newer ones, or had no room.
    pub frames_dropped: Counter,
    /// The socket of them all, where there is one: of WebTransport.
    pub(crate) socket: OnceLock<OverflowProbe>,
}

impl FrameCounters {
    /// Datagrams that came and that the socket's buffer had no room for. Reads a file of the system's.
    pub fn socket_overflowed(&self) -> u64 {
        self.socket.get().map_or(0, OverflowProbe::count)
    }
}
