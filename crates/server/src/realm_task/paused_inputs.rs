//! Inputs of connections that are not handled at present, because their last message takes several rounds.

use std::collections::{BTreeMap, VecDeque};

use stoa_net::connection::ConnectionInput;
use stoa_state::connection_id::ConnectionId;

/// Keeps the inputs of paused connections in order. Their readers are paused too, so these are the inputs that were
/// already queued, and they keep their share of that queue.
#[derive(Debug, Default)]
pub(super) struct PausedInputs {
    paused: BTreeMap<ConnectionId, VecDeque<ConnectionInput>>,
    /// Inputs of resumed connections, which precede all queued ones.
    resumed: VecDeque<(ConnectionId, ConnectionInput)>,
}

impl PausedInputs {
    /// Pauses a connection.
    pub(super) fn pause(&mut self, connection: ConnectionId) {
        self.paused.entry(connection).or_default();
    }

    /// Resumes a connection: its inputs are next.
    pub(super) fn resume(&mut self, connection: ConnectionId) {
        let inputs = self.paused.remove(&connection).unwrap_or_default();
        self.resumed.extend(inputs.into_iter().map(|input| (connection, input)));
    }

    /// Returns the input, or keeps it if its connection is paused.
    pub(super) fn keep(&mut self, connection: ConnectionId, input: ConnectionInput) -> Option<ConnectionInput> {
        match self.paused.get_mut(&connection) {
            Some(inputs) => {
                inputs.push_back(input);
                None
            }
            None => Some(input),
        }
    }

    /// The next input of a resumed connection.
    pub(super) fn next_resumed(&mut self) -> Option<(ConnectionId, ConnectionInput)> {
        self.resumed.pop_front()
    }

    /// Whether an input of a resumed connection waits.
    pub(super) fn has_resumed(&self) -> bool {
        !self.resumed.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use stoa_net::connection::InboundQueuePermit;
    use stoa_wire::packet::Packet;

    use super::*;

    fn ping() -> ConnectionInput {
        ConnectionInput::Packet(Packet::PingReq.into(), InboundQueuePermit::default())
    }

    #[test]
    fn inputs_of_a_paused_connection_follow_in_order_when_it_resumes() {
        let (mut inputs, [paused, other]) = (PausedInputs::default(), [1, 2].map(ConnectionId));
        inputs.pause(paused);
        assert!(inputs.keep(other, ping()).is_some());
        assert!(inputs.keep(paused, ping()).is_none() && inputs.keep(paused, ConnectionInput::Closed).is_none());
        assert!(!inputs.has_resumed());
        inputs.resume(paused);
        assert!(matches!(inputs.next_resumed(), Some((ConnectionId(1), ConnectionInput::Packet(..)))));
        inputs.pause(paused);
        let (connection, input) = inputs.next_resumed().unwrap();
        assert!(inputs.keep(connection, input).is_none(), "it was paused again");
        inputs.resume(paused);
        assert!(matches!(inputs.next_resumed(), Some((ConnectionId(1), ConnectionInput::Closed))));
        assert!(!inputs.has_resumed() && inputs.keep(paused, ping()).is_some());
    }
}
