//! How frames go to the server and come from it.

use std::net::SocketAddr;
use std::time::Instant;

use anyhow::Result;

use super::sockets::{self, Sockets};
use crate::load::netcode::{Client, Heard};

/// One thread's ways to the server, one for each person.
pub(crate) trait Lines {
    /// Whether what comes is what others said, as they said it.
    const IS_RELAYED: bool = false;

    /// Says a frame; who isn't in yet takes a step towards it instead.
    fn say(&mut self, person: usize, frame: &[u8]);

    /// Waits until something is there, but not beyond `until`, and takes some of it: who heard which frame.
    ///
    /// # Errors
    /// A socket is broken.
    fn receive(&mut self, until: Instant, hear: &mut dyn FnMut(usize, &[u8])) -> Result<()>;

    /// Whether somebody is in.
    fn is_in(&self, person: usize) -> bool;

    /// What was counted so far.
    fn counts(&self) -> LineCounts;
}

/// What was counted at the generator's end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub(crate) struct LineCounts {
    /// Datagrams that came and were opened.
    pub(crate) opened: u64,
    /// Their bytes.
    pub(crate) bytes: u64,
    /// Datagrams that came and could not be opened.
    pub(crate) closed: u64,
    /// What the system had no room for.
    pub(crate) overflowed: u64,
    /// What the system did not take.
    pub(crate) unsent: u64,
}

impl LineCounts {
    pub(crate) fn since(self, before: &LineCounts) -> LineCounts {
        LineCounts {
            opened: self.opened - before.opened,
            bytes: self.bytes - before.bytes,
            closed: self.closed - before.closed,
            overflowed: self.overflowed - before.overflowed,
            unsent: self.unsent - before.unsent,
        }
    }
}

/// netcode over UDP.
pub(crate) struct NetcodeLines {
    sockets: Sockets,
    clients: Vec<Client>,
    scratch: [u8; 2_048],
    counts: LineCounts,
    overflowed_before: u64,
}

impl NetcodeLines {
    /// With a connect token for each.
    pub(crate) fn new(tokens: &[Vec<u8>], server: SocketAddr) -> Result<NetcodeLines> {
        let clients: Result<Vec<Client>> = tokens.iter().map(|token| Client::new(token)).collect();
        let sockets = Sockets::new(tokens.len(), server)?;
        let overflowed_before = sockets.overflowed();
        Ok(NetcodeLines {
            sockets,
            clients: clients?,
            scratch: [0; 2_048],
            counts: LineCounts::default(),
            overflowed_before,
        })
    }
}

impl Lines for NetcodeLines {
    fn say(&mut self, person: usize, frame: &[u8]) {
        let client = &mut self.clients[person];
        let length = if client.is_in() { client.seal(frame, &mut self.scratch) } else { client.say(&mut self.scratch) };
        if length > 0 && self.sockets.send(person, &self.scratch[..length]).is_err() {
            self.counts.unsent += 1;
        }
    }

    fn receive(&mut self, until: Instant, hear: &mut dyn FnMut(usize, &[u8])) -> Result<()> {
        let NetcodeLines { sockets, clients, counts, .. } = self;
        sockets.receive(until, |person, datagram| {
            let Some(client) = clients.get_mut(person) else { return };
            let bytes = datagram.len() as u64;
            match client.hear(datagram) {
                Heard::Frame(frame) => {
                    counts.opened += 1;
                    counts.bytes += bytes;
                    hear(person, frame);
                }
                Heard::Nothing => counts.closed += 1,
            }
        })?;
        Ok(())
    }

    fn is_in(&self, person: usize) -> bool {
        self.clients[person].is_in()
    }

    fn counts(&self) -> LineCounts {
        LineCounts { overflowed: self.sockets.overflowed() - self.overflowed_before, ..self.counts }
    }
}

/// What the server's own UDP sockets had no room for.
pub(crate) fn overflowed_at(ports: impl Iterator<Item = u16>) -> u64 {
    ports.map(sockets::overflowed).sum()
}
