//! Carries a crowd's frames: the trait of all its transports, and netcode over UDP.

use std::net::SocketAddr;
use std::time::Instant;

use anyhow::{Context, Result};
use base64::prelude::{BASE64_STANDARD, Engine};
use serde_json::Value;

use super::sockets::{self, SharedSockets};
use crate::load::netcode::{NetcodeClient, OpenedDatagram};

/// Maximum number of frames sent between two reads.
pub(crate) const SAID_TOGETHER: usize = 128;

/// One thread's connections to the server, one for each person.
pub(crate) trait CrowdConnections {
    /// Maximum number of people admitted together, with tickets requested together. Small enough that admitted people
    /// don't count as silent meanwhile.
    const WAVE: usize = 500;

    /// Whether arriving datagrams are the senders' own, unchanged.
    const IS_RELAYED: bool = false;

    /// Adds the next people, with a ticket for each in the realm's format. They enter while the connections are driven.
    ///
    /// # Errors
    /// A value is no ticket.
    fn admit(&mut self, _tickets: &[Value]) -> Result<()> {
        Ok(())
    }

    /// Sends a frame. For a person that has not entered yet, a transport with a handshake sends a handshake packet
    /// instead, or nothing.
    fn say(&mut self, person: usize, frame: &[u8]);

    /// Waits for arrivals until `until` at most, and passes some of them to `hear`: the person and the frame.
    /// Returns the number of datagrams, frames or not.
    ///
    /// # Errors
    /// A socket is broken.
    fn receive(&mut self, until: Instant, hear: &mut dyn FnMut(usize, &[u8])) -> Result<usize>;

    /// Whether a person has entered.
    fn is_in(&self, person: usize) -> bool;

    /// Counts so far.
    fn counts(&self) -> GeneratorDatagramCounts;
}

/// Handles all arrivals until `until`. If that time has passed, handles waiting arrivals for as long as sending took
/// since `speaking_since`. With less time, a late generator would only send and its sockets overflow; with more, it
/// would send in bursts.
///
/// # Errors
/// A socket is broken.
pub(crate) fn listen(
    connections: &mut impl CrowdConnections,
    (speaking_since, until): (Instant, Instant),
    hear: &mut dyn FnMut(usize, &[u8]),
) -> Result<()> {
    let enough_at = until.max(Instant::now() + speaking_since.elapsed());
    while connections.receive(until, hear)? > 0 && Instant::now() < enough_at {}
    Ok(())
}

/// Counts at the generator's end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct GeneratorDatagramCounts {
    /// Received datagrams with a frame; from a relay, all received datagrams.
    pub(crate) opened: u64,
    /// Bytes of these datagrams; over WebTransport, of their frames only.
    pub(crate) bytes: u64,
    /// Received datagrams of netcode without a frame: unreadable ones, handshake packets and keep-alives.
    pub(crate) closed: u64,
    /// Datagrams that overflowed the receive buffers.
    pub(crate) overflowed: u64,
    /// Datagrams that the system did not accept for sending.
    pub(crate) unsent: u64,
}

impl GeneratorDatagramCounts {
    pub(crate) fn since(self, before: &GeneratorDatagramCounts) -> GeneratorDatagramCounts {
        GeneratorDatagramCounts {
            opened: self.opened - before.opened,
            bytes: self.bytes - before.bytes,
            closed: self.closed - before.closed,
            overflowed: self.overflowed - before.overflowed,
            unsent: self.unsent - before.unsent,
        }
    }
}

/// Connections by netcode over UDP.
pub(crate) struct NetcodeConnections {
    sockets: SharedSockets,
    clients: Vec<NetcodeClient>,
    scratch: [u8; 2_048],
    counts: GeneratorDatagramCounts,
    overflowed_before: u64,
}

impl NetcodeConnections {
    /// Connections for a number of people.
    pub(crate) fn new(people: usize, server: SocketAddr) -> Result<NetcodeConnections> {
        let sockets = SharedSockets::new(people, server)?;
        let overflowed_before = sockets.overflowed();
        Ok(NetcodeConnections {
            sockets,
            clients: Vec::new(),
            scratch: [0; 2_048],
            counts: GeneratorDatagramCounts::default(),
            overflowed_before,
        })
    }
}

impl CrowdConnections for NetcodeConnections {
    fn admit(&mut self, tickets: &[Value]) -> Result<()> {
        for ticket in tickets {
            let token = ticket["netcode"]["token"].as_str().context("a ticket without a connect token")?;
            self.clients.push(NetcodeClient::new(&BASE64_STANDARD.decode(token)?)?);
        }
        Ok(())
    }

    fn say(&mut self, person: usize, frame: &[u8]) {
        let Some(client) = self.clients.get_mut(person) else { return };
        let length = if client.is_in() { client.seal(frame, &mut self.scratch) } else { client.say(&mut self.scratch) };
        if length > 0 && self.sockets.send(person, &self.scratch[..length]).is_err() {
            self.counts.unsent += 1;
        }
    }

    fn receive(&mut self, until: Instant, hear: &mut dyn FnMut(usize, &[u8])) -> Result<usize> {
        let NetcodeConnections { sockets, clients, counts, .. } = self;
        sockets.receive(until, |person, datagram| {
            let Some(client) = clients.get_mut(person) else { return };
            let bytes = datagram.len() as u64;
            match client.hear(datagram) {
                OpenedDatagram::Frame(frame) => {
                    counts.opened += 1;
                    counts.bytes += bytes;
                    hear(person, frame);
                }
                OpenedDatagram::Nothing => counts.closed += 1,
            }
        })
    }

    fn is_in(&self, person: usize) -> bool {
        self.clients.get(person).is_some_and(NetcodeClient::is_in)
    }

    fn counts(&self) -> GeneratorDatagramCounts {
        GeneratorDatagramCounts { overflowed: self.sockets.overflowed() - self.overflowed_before, ..self.counts }
    }
}

/// Datagrams that overflowed the server's UDP sockets.
pub(crate) fn overflowed_at(ports: impl Iterator<Item = u16>) -> u64 {
    ports.map(sockets::overflowed).sum()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// One frame at each read, `left` times.
    struct EndlessArrivals {
        left: usize,
        looks: usize,
    }

    impl CrowdConnections for EndlessArrivals {
        fn say(&mut self, _person: usize, _frame: &[u8]) {}

        fn receive(&mut self, _until: Instant, hear: &mut dyn FnMut(usize, &[u8])) -> Result<usize> {
            self.looks += 1;
            let came = self.left.min(1);
            (0..came).for_each(|_| hear(0, b"frame"));
            self.left -= came;
            Ok(came)
        }

        fn is_in(&self, _person: usize) -> bool {
            true
        }

        fn counts(&self) -> GeneratorDatagramCounts {
            GeneratorDatagramCounts::default()
        }
    }

    fn listened(left: usize, (spoken, left_until): (Duration, Duration)) -> (usize, EndlessArrivals) {
        let (mut connections, mut heard) = (EndlessArrivals { left, looks: 0 }, 0);
        let now = Instant::now();
        listen(&mut connections, (now - spoken, now + left_until), &mut |_, _| heard += 1).expect("it is not broken");
        (heard, connections)
    }

    #[test]
    fn listening_drains_all_frames_but_stops_on_an_endless_stream() {
        let (long, none) = (Duration::from_secs(60), Duration::ZERO);
        let (heard, connections) = listened(300, (long, none));
        assert_eq!((heard, connections.looks), (300, 301), "who lags takes what is there, and does not wait");
        assert_eq!(listened(300, (none, long)).0, 300, "who has time too");
        let began = Instant::now();
        let (heard, _) = listened(usize::MAX, (Duration::from_millis(5), none));
        assert!(heard > 0 && began.elapsed() >= Duration::from_millis(5), "{heard}");
        assert!(listened(usize::MAX, (none, none)).0 > 0, "and at least once");
    }
}
