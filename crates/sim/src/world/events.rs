//! What is going to happen, in the order in which it will.

use std::collections::BTreeMap;

use stoa_state::connection_id::ConnectionId;
use stoa_state::time::Time;

use crate::replica::Replica;

/// One event.
pub(super) enum Event {
    /// Bytes reach the server.
    ToServer { connection: ConnectionId, bytes: Vec<u8> },
    /// Bytes reach the client.
    ToClient { connection: ConnectionId, bytes: Vec<u8> },
    /// The server learns that a connection is gone.
    ServerSeesEnd { connection: ConnectionId },
    /// The client learns it.
    ClientSeesEnd { connection: ConnectionId },
    /// A client connects.
    Dial { client: usize },
    /// A client does something.
    Act { client: usize, connection: ConnectionId },
    /// A client says that it is still there.
    Ping { client: usize, connection: ConnectionId },
    /// A client's request for a snapshot reaches the server.
    Ask { client: usize, connection: ConnectionId },
    /// The snapshot reaches the client.
    Answered { client: usize, connection: ConnectionId, snapshot: Box<Replica> },
    /// The store writes what waits.
    Commit { epoch: u64 },
    /// The server is back.
    Restart,
    /// A frozen tab is itself again.
    Thaw { client: usize },
}

/// Events by time; what is due at the same time happens in the order in which it was announced.
#[derive(Default)]
pub(super) struct Events {
    queue: BTreeMap<(Time, u64), Event>,
    announced: u64,
    happened: usize,
}

impl Events {
    pub(super) fn push(&mut self, at: Time, event: Event) {
        self.announced += 1;
        self.queue.insert((at, self.announced), event);
    }

    pub(super) fn pop(&mut self) -> Option<Event> {
        self.happened += 1;
        self.queue.pop_first().map(|(_, event)| event)
    }

    pub(super) fn next_at(&self) -> Option<Time> {
        self.queue.first_key_value().map(|((at, _), _)| *at)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    pub(super) fn happened(&self) -> usize {
        self.happened
    }

    /// Whether a client is about to connect.
    pub(super) fn dials(&self, wanted: usize) -> bool {
        self.queue.values().any(|event| matches!(event, Event::Dial { client } if *client == wanted))
    }

    /// Takes out what clients would begin.
    pub(super) fn drop_initiative(&mut self) {
        self.queue.retain(|_, event| !matches!(event, Event::Act { .. } | Event::Ping { .. }));
    }
}
