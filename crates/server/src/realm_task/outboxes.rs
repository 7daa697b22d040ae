//! The send queues of all connections, and the set that got frames in the current round.

use std::sync::Arc;

use stoa_net::outbox::{ConnectionOutbox, RealmUnreadBytesLimiter};
use stoa_state::batch::BatchTail;
use stoa_state::connection_id::ConnectionId;
use stoa_state::mqtt::audience::ReceiverGroup;
use stoa_state::outbox::OutboxOverflow;
use stoa_state::packet_class::PacketClass;
use stoa_state::round::{OutboxBatcher, PacketSink};
use stoa_wire::packet::EncodedPacket;

/// Wakes each connection's writer once a round, however many frames it got.
#[derive(Debug)]
pub(super) struct ConnectionOutboxes {
    round: OutboxBatcher<OutboxSink>,
    unread: RealmUnreadBytesLimiter,
}

#[derive(Debug)]
struct OutboxSink(Arc<ConnectionOutbox>);

impl PacketSink for OutboxSink {
    fn push(&mut self, frame: EncodedPacket, class: PacketClass) -> Result<(), OutboxOverflow> {
        self.0.push(frame, class)
    }

    fn push_run(&mut self, run: BatchTail) -> Result<(), OutboxOverflow> {
        self.0.push_run(run)
    }
}

impl ConnectionOutboxes {
    /// Starts without connections. All connections share the bound of `unread`.
    pub(super) fn new(unread: RealmUnreadBytesLimiter) -> ConnectionOutboxes {
        ConnectionOutboxes { round: OutboxBatcher::default(), unread }
    }

    pub(super) fn open(&mut self, connection: ConnectionId, outbox: Arc<ConnectionOutbox>) {
        self.round.insert(connection, OutboxSink(outbox));
    }

    pub(super) fn forget(&mut self, connection: ConnectionId) {
        self.round.remove(connection);
    }

    /// Queues a frame; drops it if the connection is gone.
    pub(super) fn send(&mut self, connection: ConnectionId, frame: EncodedPacket, class: PacketClass) {
        self.round.send(connection, frame, class);
    }

    pub(super) fn share(&mut self, group: &Arc<ReceiverGroup>, frame: EncodedPacket, class: PacketClass) {
        self.round.share(group, frame, class);
    }

    pub(super) fn close(&mut self, connection: ConnectionId) {
        if let Some(OutboxSink(outbox)) = self.round.sink(connection) {
            outbox.close();
        }
    }

    /// Makes the connection's reader wait before its next packet.
    pub(super) fn pause_reading(&mut self, connection: ConnectionId) {
        if let Some(OutboxSink(outbox)) = self.round.sink(connection) {
            outbox.pause_reading();
        }
    }

    pub(super) fn resume_reading(&mut self, connection: ConnectionId) {
        if let Some(OutboxSink(outbox)) = self.round.sink(connection) {
            outbox.resume_reading();
        }
    }

    /// Ends a round: wakes the writers of all queues that got frames.
    pub(super) fn wake(&mut self) {
        self.round.end(|_, OutboxSink(outbox)| outbox.wake());
    }

    /// The next connection whose send queue overflowed. While the unread bytes of all connections together exceed
    /// their bound, the connection with the most unread bytes.
    pub(super) fn poll_overflowed(&mut self) -> Option<ConnectionId> {
        self.round.poll_overflowed().or_else(|| self.unread.poll_largest())
    }
}
