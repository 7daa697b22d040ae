//! Carries the clients' messages: the trait of all transports. One thread has the connections of all clients. A client
//! acknowledges as soon as it has read its waiting input, in one write or datagram together with its other output.

pub(crate) mod stoa;
pub(crate) mod tcp;
pub(crate) mod udp;

use std::time::Instant;

use anyhow::Result;

use super::message::{GroupMessage, MessageKind};
use crate::crowd::connections::GeneratorDatagramCounts;

/// A message that arrived at a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReceivedGroupMessage {
    /// Another client's update, which is being acknowledged.
    Update { source: usize, turn: u32 },
    /// A member's acknowledgement of the client's own update.
    Ack { source: usize, turn: u32 },
    /// All members have acknowledged the client's own update.
    AllAcks { source: usize, turn: u32 },
}

/// The connections of all clients to one server.
pub(crate) trait AllClientsTransport {
    /// Queues a client's new location for the next [`AllClientsTransport::flush`].
    fn say(&mut self, client: usize, turn: u32);

    /// Sends all pending output.
    fn flush(&mut self);

    /// Waits for input until `until` at most, and handles some of it.
    ///
    /// # Errors
    /// A socket is broken.
    fn receive(&mut self, until: Instant, hear: &mut impl FnMut(ReceivedGroupMessage)) -> Result<()>;

    /// Counts so far.
    fn counts(&self) -> GeneratorDatagramCounts;
}

/// Pending output of a reference's clients, contiguous for each.
#[derive(Debug, Default)]
struct ClientOutboxes {
    outboxes: Vec<Vec<u8>>,
    dirty: Vec<usize>,
}

impl ClientOutboxes {
    fn new(clients: usize) -> ClientOutboxes {
        ClientOutboxes { outboxes: vec![Vec::new(); clients], dirty: Vec::new() }
    }

    fn put(&mut self, client: usize, message: &GroupMessage) {
        if self.outboxes[client].is_empty() {
            self.dirty.push(client);
        }
        message.write(&mut self.outboxes[client]);
    }

    /// Handles a message that `client` received, and queues the acknowledgement of an update.
    fn hear(&mut self, client: usize, message: GroupMessage) -> Option<ReceivedGroupMessage> {
        let (source, turn) = (message.source as usize, message.turn);
        match message.kind {
            MessageKind::Update => {
                self.put(client, &message.ack(client));
                Some(ReceivedGroupMessage::Update { source, turn })
            }
            MessageKind::Ack => Some(ReceivedGroupMessage::Ack { source, turn }),
            MessageKind::AllAcks => Some(ReceivedGroupMessage::AllAcks { source, turn }),
            MessageKind::Hello | MessageKind::Welcome => None,
        }
    }

    /// Passes all pending output to `send`. Bytes left in an outbox are passed again next time.
    fn drain(&mut self, mut send: impl FnMut(usize, &mut Vec<u8>)) {
        let ClientOutboxes { outboxes, dirty } = self;
        dirty.retain(|client| {
            send(*client, &mut outboxes[*client]);
            !outboxes[*client].is_empty()
        });
    }
}
