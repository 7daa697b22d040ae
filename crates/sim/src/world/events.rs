//! What is going to happen to a scene's clients.

use stoa_state::connection_id::ConnectionId;

use crate::queue::EventQueue;
use crate::replica::SceneReplica;

/// One event.
pub(super) enum SceneEvent {
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
    Answered { client: usize, connection: ConnectionId, snapshot: Box<SceneReplica> },
    /// The store writes what waits.
    Commit { epoch: u64 },
    /// The server is back.
    Restart,
    /// A frozen tab is itself again.
    Thaw { client: usize },
}

/// By time.
pub(super) type SceneEvents = EventQueue<SceneEvent>;

impl EventQueue<SceneEvent> {
    /// Whether a client is about to connect.
    pub(super) fn dials(&self, wanted: usize) -> bool {
        self.any(|event| matches!(event, SceneEvent::Dial { client } if *client == wanted))
    }

    /// Takes out what clients would begin.
    pub(super) fn drop_initiative(&mut self) {
        self.retain(|event| !matches!(event, SceneEvent::Act { .. } | SceneEvent::Ping { .. }));
    }
}
