//! The events of the scenes' world, which happen at a time in the queue.

use stoa_state::connection_id::ConnectionId;

use crate::queue::EventQueue;
use crate::replica::SceneReplica;

/// One event.
pub(super) enum SceneSimulationEvent {
    /// Bytes reach the server.
    ToServer { connection: ConnectionId, bytes: Vec<u8> },
    /// Bytes reach the client.
    ToClient { connection: ConnectionId, bytes: Vec<u8> },
    /// The server notices that a connection has ended.
    ServerSeesEnd { connection: ConnectionId },
    /// The client notices that a connection has ended.
    ClientSeesEnd { connection: ConnectionId },
    /// A client connects.
    Dial { client: usize },
    /// A client performs its next action.
    Act { client: usize, connection: ConnectionId },
    /// A client sends a ping.
    Ping { client: usize, connection: ConnectionId },
    /// A client's request for a snapshot reaches the server.
    Ask { client: usize, connection: ConnectionId },
    /// The snapshot reaches the client.
    Answered { client: usize, connection: ConnectionId, snapshot: Box<SceneReplica> },
    /// The store writes the queued group.
    Commit { epoch: u64 },
    /// The server restarts.
    Restart,
    /// A frozen tab continues.
    Thaw { client: usize },
}

/// Events of scenes, by time.
pub(super) type SceneEventQueue = EventQueue<SceneSimulationEvent>;

impl EventQueue<SceneSimulationEvent> {
    /// Whether a client is about to connect.
    pub(super) fn dials(&self, wanted: usize) -> bool {
        self.any(|event| matches!(event, SceneSimulationEvent::Dial { client } if *client == wanted))
    }

    /// Removes actions that clients would begin.
    pub(super) fn drop_initiative(&mut self) {
        self.retain(|event| !matches!(event, SceneSimulationEvent::Act { .. } | SceneSimulationEvent::Ping { .. }));
    }
}
