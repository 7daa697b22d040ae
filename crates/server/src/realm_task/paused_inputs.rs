//! Keeps the inputs of paused connections. A connection is paused while its last message takes several rounds, or for a
//! time if its client is near its fair share of a bound or above its fair share of the realm's time.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use stoa_net::connection::ConnectionEvent;
use stoa_state::connection_id::ConnectionId;
use stoa_state::time::Time;

/// A connection's input, or the end of its kept inputs.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "nearly all are inputs; a box would cost each of them an allocation")]
pub(super) enum InputOrResumption {
    /// An input.
    Input(ConnectionEvent),
    /// All kept inputs are handled: the connection's reader continues.
    ReadingResumes,
}

/// Keeps the inputs of paused connections in order. Readers of paused connections are paused too, so the kept inputs
/// are those that were already queued. They still count towards the limit of queued large packets.
#[derive(Debug, Default)]
pub(super) struct PausedInputs {
    paused: BTreeMap<ConnectionId, PausedConnection>,
    /// Connections that resume at a time.
    due: BTreeSet<(Time, ConnectionId)>,
    /// Inputs of resumed connections, which precede all queued ones.
    resumed: VecDeque<(ConnectionId, InputOrResumption)>,
}

#[derive(Debug, Default)]
struct PausedConnection {
    inputs: VecDeque<InputOrResumption>,
    /// `None`: paused until [`PausedInputs::resume`].
    resumes_at: Option<Time>,
}

impl PausedInputs {
    /// Pauses a connection until [`PausedInputs::resume`].
    pub(super) fn pause(&mut self, connection: ConnectionId) {
        let paused = self.paused.entry(connection).or_default();
        if let Some(at) = paused.resumes_at.take() {
            self.due.remove(&(at, connection));
        }
    }

    /// Pauses a connection until a time. A longer pause is not shortened.
    pub(super) fn pause_until(&mut self, connection: ConnectionId, until: Time) {
        match self.paused.entry(connection) {
            Entry::Vacant(free) => {
                free.insert(PausedConnection { inputs: VecDeque::new(), resumes_at: Some(until) });
                self.due.insert((until, connection));
            }
            Entry::Occupied(mut paused) => {
                if let Some(at) = &mut paused.get_mut().resumes_at
                    && *at < until
                {
                    self.due.remove(&(*at, connection));
                    self.due.insert((until, connection));
                    *at = until;
                }
            }
        }
    }

    /// Resumes a connection: its inputs are next, and then its reader.
    pub(super) fn resume(&mut self, connection: ConnectionId) {
        let Some(PausedConnection { mut inputs, resumes_at }) = self.paused.remove(&connection) else { return };
        if let Some(at) = resumes_at {
            self.due.remove(&(at, connection));
        }
        if !matches!(inputs.back(), Some(InputOrResumption::ReadingResumes)) {
            inputs.push_back(InputOrResumption::ReadingResumes);
        }
        self.resumed.extend(inputs.into_iter().map(|input| (connection, input)));
    }

    /// Resumes all connections whose time has come.
    pub(super) fn resume_due(&mut self, now: Time) {
        while let Some((_, connection)) = self.due.first().copied().filter(|(at, _)| *at <= now) {
            self.resume(connection);
        }
    }

    /// When the next connection resumes.
    pub(super) fn next_due(&self) -> Option<Time> {
        self.due.first().map(|(at, _)| *at)
    }

    /// Returns the input, or keeps it if its connection is paused.
    pub(super) fn keep(&mut self, connection: ConnectionId, input: InputOrResumption) -> Option<InputOrResumption> {
        match self.paused.get_mut(&connection) {
            Some(paused) => {
                paused.inputs.push_back(input);
                None
            }
            None => Some(input),
        }
    }

    /// The next input of a resumed connection.
    pub(super) fn next_resumed(&mut self) -> Option<(ConnectionId, InputOrResumption)> {
        self.resumed.pop_front()
    }

    /// Whether an input of a resumed connection waits.
    pub(super) fn has_resumed(&self) -> bool {
        !self.resumed.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use stoa_net::connection::LargePacketQueuePermit;
    use stoa_wire::packet::Packet;

    use super::InputOrResumption::{Input, ReadingResumes};
    use super::*;

    const ONE: ConnectionId = ConnectionId(1);

    fn ping() -> InputOrResumption {
        Input(ConnectionEvent::Packet(Packet::PingReq.into(), LargePacketQueuePermit::default()))
    }

    #[test]
    fn inputs_of_a_paused_connection_follow_in_order_when_it_resumes() {
        let mut inputs = PausedInputs::default();
        inputs.pause(ONE);
        assert!(inputs.keep(ConnectionId(2), ping()).is_some());
        assert!(inputs.keep(ONE, ping()).is_none() && inputs.keep(ONE, Input(ConnectionEvent::Closed)).is_none());
        assert!(!inputs.has_resumed());
        inputs.resume(ONE);
        assert!(matches!(inputs.next_resumed(), Some((ONE, Input(ConnectionEvent::Packet(..))))));
        inputs.pause(ONE);
        while let Some((connection, input)) = inputs.next_resumed() {
            assert!(inputs.keep(connection, input).is_none(), "it was paused again");
        }
        inputs.resume(ONE);
        assert!(matches!(inputs.next_resumed(), Some((ONE, Input(ConnectionEvent::Closed)))));
        assert!(matches!(inputs.next_resumed(), Some((ONE, ReadingResumes))), "once, and last");
        assert!(!inputs.has_resumed() && inputs.keep(ONE, ping()).is_some());
    }

    #[test]
    fn a_connection_resumes_at_the_end_of_its_longest_pause() {
        let (mut inputs, at) = (PausedInputs::default(), Time::from_millis);
        for millis in [20, 30, 10] {
            inputs.pause_until(ONE, at(millis));
        }
        inputs.pause_until(ConnectionId(2), at(50));
        assert_eq!(inputs.next_due(), Some(at(30)));
        inputs.resume_due(at(29));
        assert!(inputs.keep(ONE, ping()).is_none());
        inputs.resume_due(at(30));
        assert!(matches!(inputs.next_resumed(), Some((ONE, Input(_)))));
        assert!(matches!(inputs.next_resumed(), Some((ONE, ReadingResumes))));
        // A pause without a time replaces one with a time.
        inputs.pause(ConnectionId(2));
        inputs.pause_until(ConnectionId(2), at(60));
        assert_eq!(inputs.next_due(), None);
        inputs.resume(ConnectionId(2));
        assert!(matches!(inputs.next_resumed(), Some((ConnectionId(2), ReadingResumes))));
    }
}
