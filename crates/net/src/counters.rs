//! Counters of the transports: plain atomics, exported by the metrics of `stoa-server`.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::datagrams::ReceiveDropReader;

/// A monotonic counter.
#[derive(Debug, Default)]
pub struct Counter(AtomicU64);

impl Counter {
    /// Adds `amount`.
    pub fn add(&self, amount: u64) {
        // Relaxed: nothing else is ordered by a statistic.
        self.0.fetch_add(amount, Ordering::Relaxed);
    }

    /// The current value.
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Totals over all MQTT connections of a server. Refused connections and failed handshakes are those of all TCP
/// endpoints, HTTP included.
#[derive(Debug, Default)]
pub struct MqttConnectionCounters {
    /// WebSockets closed for a text frame: MQTT is binary.
    pub text_frames: Counter,
    /// Connections that reached the MQTT reader.
    pub opened: Counter,
    /// Those of `opened` that have ended.
    pub closed: Counter,
    /// Connections refused because the endpoint was full.
    pub turned_away: Counter,
    /// Connections refused because their network had reached its limit of open connections.
    pub turned_away_by_address: Counter,
    /// Connections refused because their network opened too many recently, or too many with an invalid token.
    pub turned_away_by_rate: Counter,
    /// TLS handshakes that failed or timed out.
    pub handshakes_failed: Counter,
    /// Times a writer was woken.
    pub wakeups: Counter,
    /// Writes after wake-ups: at most one per wake-up while receivers keep up, however many packets are delivered.
    pub writes: Counter,
    /// Packets in those writes.
    pub frames: Counter,
    /// Bytes received, after TLS and WebSocket.
    pub bytes_in: Counter,
    /// Bytes sent, before TLS and WebSocket.
    pub bytes_out: Counter,
}

/// Totals over all connections of one kind (WebTransport or WebSocket) that carry motion frames.
#[derive(Debug, Default)]
pub struct MotionTransportCounters {
    /// Connections accepted, also those whose ticket is then refused.
    pub opened: Counter,
    /// Those of `opened` that have ended.
    pub closed: Counter,
    /// Connections refused because there were too many, or too many recently from their network.
    pub turned_away: Counter,
    /// First packets answered with a Retry, to validate the address.
    pub retried: Counter,
    /// First packets left unanswered because many arrived at once; clients resend them.
    pub put_off: Counter,
    /// Handshakes that failed, timed out, or requested no motion session.
    pub handshakes_failed: Counter,
    /// Connections with an invalid ticket.
    pub tickets_refused: Counter,
    /// Frames received.
    pub frames_in: Counter,
    /// Datagrams received that were no frame: too long, or of another session. For WebSocket, connections that ended
    /// with a text message, a message too long, or another violation of the protocol.
    pub frames_refused: Counter,
    /// Frames handed to connections.
    pub frames_out: Counter,
    /// Frames dropped for newer ones, or for lack of space.
    pub frames_dropped: Counter,
    /// Reads the drops of the UDP socket that all connections share; set for WebTransport only.
    pub(crate) socket: OnceLock<ReceiveDropReader>,
}

impl MotionTransportCounters {
    /// Datagrams dropped because the socket's receive buffer was full. Reads files below `/proc`.
    pub fn socket_overflowed(&self) -> u64 {
        self.socket.get().map_or(0, ReceiveDropReader::count)
    }
}
