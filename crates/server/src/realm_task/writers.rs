//! The outboxes of all connections, and which of them got something in the present batch.

use std::collections::BTreeMap;
use std::sync::Arc;

use stoa_net::outbox::SharedOutbox;
use stoa_state::connection_id::ConnectionId;
use stoa_state::outbox::Class;
use stoa_wire::packet::Frame;

/// Wakes each connection's writer once for a batch, however many frames it got.
#[derive(Debug, Default)]
pub(super) struct Writers {
    outboxes: BTreeMap<ConnectionId, Writer>,
    dirty: Vec<ConnectionId>,
}

#[derive(Debug)]
struct Writer {
    outbox: Arc<SharedOutbox>,
    dirty: bool,
}

impl Writers {
    pub(super) fn open(&mut self, connection: ConnectionId, outbox: Arc<SharedOutbox>) {
        self.outboxes.insert(connection, Writer { outbox, dirty: false });
    }

    pub(super) fn forget(&mut self, connection: ConnectionId) {
        self.outboxes.remove(&connection);
    }

    /// False if the outbox overflowed. What is for a connection that is gone is dropped.
    pub(super) fn push(&mut self, connection: ConnectionId, frame: Frame, class: Class) -> bool {
        let Some(writer) = self.outboxes.get_mut(&connection) else { return true };
        if !writer.dirty {
            writer.dirty = true;
            self.dirty.push(connection);
        }
        writer.outbox.push(frame, class).is_ok()
    }

    pub(super) fn close(&self, connection: ConnectionId) {
        if let Some(writer) = self.outboxes.get(&connection) {
            writer.outbox.close();
        }
    }

    pub(super) fn close_all(&self) {
        for writer in self.outboxes.values() {
            writer.outbox.close();
        }
    }

    /// At the end of a batch.
    pub(super) fn wake_dirty(&mut self) {
        for connection in self.dirty.drain(..) {
            if let Some(writer) = self.outboxes.get_mut(&connection) {
                writer.dirty = false;
                writer.outbox.wake();
            }
        }
    }
}
