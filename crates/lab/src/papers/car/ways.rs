//! How the clients' messages go to a server and come from it. One thread has the ways of all clients; a client acknowledges what came to it as soon as all that waited was read, in
//! one write or datagram, with what else it has to say.

pub(crate) mod stoa;
pub(crate) mod tcp;
pub(crate) mod udp;

use std::time::Instant;

use anyhow::Result;

use super::message::{Kind, Message};
use crate::crowd::lines::LineCounts;

/// What came to a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Heard {
    /// Somebody's update; it is being acknowledged.
    Update { source: usize, turn: u32 },
    /// One of the others has got an update of its own.
    Ack { source: usize, turn: u32 },
    /// All of them have.
    AllAcks { source: usize, turn: u32 },
}

/// The ways of all clients to one server.
pub(crate) trait Ways {
    /// A client says a new location, with the next [`Ways::flush`].
    fn say(&mut self, client: usize, turn: u32);

    /// Sends what lies there.
    fn flush(&mut self);

    /// Waits until something is there, but not beyond `until`, and takes some of it.
    ///
    /// # Errors
    /// A socket is broken.
    fn receive(&mut self, until: Instant, hear: &mut impl FnMut(Heard)) -> Result<()>;

    /// What was counted so far.
    fn counts(&self) -> LineCounts;
}

/// What clients of a reference have to send. What one has to say lies together.
#[derive(Debug, Default)]
struct Outboxes {
    outboxes: Vec<Vec<u8>>,
    dirty: Vec<usize>,
}

impl Outboxes {
    fn new(clients: usize) -> Outboxes {
        Outboxes { outboxes: vec![Vec::new(); clients], dirty: Vec::new() }
    }

    fn put(&mut self, client: usize, message: &Message) {
        if self.outboxes[client].is_empty() {
            self.dirty.push(client);
        }
        message.write(&mut self.outboxes[client]);
    }

    /// A message came to a client: what that says, and its acknowledgement.
    fn hear(&mut self, client: usize, message: Message) -> Option<Heard> {
        let (source, turn) = (message.source as usize, message.turn);
        match message.kind {
            Kind::Update => {
                self.put(client, &message.ack(client));
                Some(Heard::Update { source, turn })
            }
            Kind::Ack => Some(Heard::Ack { source, turn }),
            Kind::AllAcks => Some(Heard::AllAcks { source, turn }),
            Kind::Hello | Kind::Welcome => None,
        }
    }

    /// Hands out all; what is left of one is handed out again with what follows.
    fn drain(&mut self, mut send: impl FnMut(usize, &mut Vec<u8>)) {
        let Outboxes { outboxes, dirty } = self;
        dirty.retain(|client| {
            send(*client, &mut outboxes[*client]);
            !outboxes[*client].is_empty()
        });
    }
}
