//! Bounds the unread bytes of all connections. Above the bound, the connections with the most unread bytes are ended.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, Weak};

use stoa_state::connection_id::ConnectionId;
use stoa_state::ledger::Resource;
use stoa_state::origin::ConnectionOrigin;

use super::{ConnectionOutbox, OutboxState};
use crate::limits;
use crate::shared_bytes::{SharedByteLimiter, SharedByteLimits};

/// The unread bytes of all connections of a realm. Clones share them.
#[derive(Clone, Debug)]
pub struct RealmUnreadBytesLimiter {
    level: SharedByteLimiter,
    outboxes: Arc<Mutex<BTreeMap<u64, Weak<ConnectionOutbox>>>>,
}

/// Registers an outbox until it is dropped.
#[derive(Debug)]
pub(crate) struct OutboxRegistration {
    shares: RealmUnreadBytesLimiter,
    connection: ConnectionId,
    pub(crate) outbox: Arc<ConnectionOutbox>,
}

impl Default for RealmUnreadBytesLimiter {
    fn default() -> RealmUnreadBytesLimiter {
        RealmUnreadBytesLimiter::new(limits::ALL_OUTBOXES_BYTES_SHARED, limits::ALL_OUTBOXES_BYTES_MAX)
    }
}

impl RealmUnreadBytesLimiter {
    /// Starts without unread bytes. Above `shared` bytes fair shares count, and above `all_max` nothing is queued.
    pub fn new(shared: u64, all_max: u64) -> RealmUnreadBytesLimiter {
        let level = SharedByteLimiter::new(SharedByteLimits {
            resource: Resource::UnreadBytes,
            of: "unread bytes of all connections",
            shared,
            all_max,
        });
        RealmUnreadBytesLimiter { level, outboxes: Arc::default() }
    }

    /// The counted bytes of all connections.
    pub fn bytes(&self) -> u64 {
        self.level.used()
    }

    /// Creates and registers the outbox of a new connection.
    pub(crate) fn open(&self, connection: ConnectionId, origin: ConnectionOrigin) -> OutboxRegistration {
        let unread = Some(self.level.join(connection.0, origin));
        let state = Mutex::new(OutboxState { unread, ..OutboxState::default() });
        let outbox = Arc::new(ConnectionOutbox { state, ..ConnectionOutbox::default() });
        self.lock().insert(connection.0, Arc::downgrade(&outbox));
        OutboxRegistration { shares: self.clone(), connection, outbox }
    }

    /// While the bytes of all connections exceed the shared bound, returns the connection with the most, in the network
    /// with the most. Its queue is discarded, and the realm must end the connection. Without load the call costs one
    /// atomic read.
    pub fn poll_largest(&self) -> Option<ConnectionId> {
        let largest = self.level.largest()?;
        let outbox = self.lock().get(&largest).and_then(Weak::upgrade)?;
        outbox.discard();
        Some(ConnectionId(largest))
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<u64, Weak<ConnectionOutbox>>> {
        self.outboxes.lock().expect("no code panics while it holds this lock")
    }
}

impl Drop for OutboxRegistration {
    fn drop(&mut self) {
        self.shares.lock().remove(&self.connection.0);
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use bytes::Bytes;
    use stoa_state::outbox::OutboxOverflow;
    use stoa_state::packet_class::PacketClass;
    use stoa_wire::packet::EncodedPacket;

    use super::*;

    const STEP: usize = limits::OUTBOX_STEP_BYTES;

    fn open(shares: &RealmUnreadBytesLimiter, connection: u64, address: &str) -> OutboxRegistration {
        shares.open(ConnectionId(connection), address.parse::<IpAddr>().unwrap().into())
    }

    fn push(counted: &OutboxRegistration, bytes: usize) -> Result<(), OutboxOverflow> {
        counted.outbox.push(EncodedPacket::whole(Bytes::from(vec![0; bytes])), PacketClass::Event)
    }

    fn steps(count: usize) -> u64 {
        (count * STEP) as u64
    }

    #[tokio::test(start_paused = true)]
    async fn connections_that_read_nothing_are_ended_before_one_below_its_share() {
        let shares = RealmUnreadBytesLimiter::new(steps(300), steps(400));
        let guests: Vec<OutboxRegistration> = (0..300).map(|number| open(&shares, number, "192.0.2.1")).collect();
        let honest = open(&shares, 1_000, "192.0.2.2");
        push(&honest, 10 * STEP).unwrap();
        let mut ended = 0;
        for _ in 0..10 {
            ended += guests.iter().filter(|guest| push(guest, STEP).is_err()).count();
            while let Some(connection) = shares.poll_largest() {
                assert_ne!(connection, ConnectionId(1_000));
                ended += 1;
            }
            push(&honest, STEP).expect("it is below its share");
        }
        let unread: usize = guests.iter().map(|guest| guest.outbox.queued_bytes()).sum();
        assert!(unread + 20 * STEP <= 300 * STEP, "{} steps", unread / STEP);
        assert!(ended >= 250, "negative control: {ended} ended");
        assert_eq!(honest.outbox.queued_bytes(), 20 * STEP);
    }

    #[tokio::test(start_paused = true)]
    async fn a_connection_with_many_unread_bytes_is_ended_before_a_newcomer() {
        let shares = RealmUnreadBytesLimiter::new(steps(100), steps(120));
        let hoarder = open(&shares, 1, "192.0.2.1");
        push(&hoarder, 100 * STEP).unwrap();
        let newcomer = open(&shares, 2, "192.0.2.2");
        for _ in 0..40 {
            push(&newcomer, STEP).expect("within its share");
            if let Some(ended) = shares.poll_largest() {
                assert_eq!(ended, ConnectionId(1));
            }
        }
        assert_eq!((hoarder.outbox.queued_bytes(), newcomer.outbox.queued_bytes()), (0, 40 * STEP));
        assert_eq!(shares.poll_largest(), None);
    }

    #[tokio::test(start_paused = true)]
    async fn unread_bytes_are_released_after_their_write_and_on_close() {
        let shares = RealmUnreadBytesLimiter::new(steps(10), steps(12));
        let slow = open(&shares, 1, "192.0.2.1");
        push(&slow, 5 * STEP).unwrap();
        let mut chunks = Vec::new();
        let _ = slow.outbox.take(10 * STEP, &mut chunks);
        assert_eq!((shares.level.used(), slow.outbox.queued_bytes()), (steps(5), 0), "it is being written");
        chunks.clear();
        let _ = slow.outbox.take(10 * STEP, &mut chunks);
        assert_eq!(shares.level.used(), 0);
        push(&slow, 5 * STEP).unwrap();
        drop(slow);
        assert_eq!((shares.level.used(), shares.lock().len()), (0, 0));
    }
}
