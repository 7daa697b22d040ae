//! Connects clients to the UDP reference. Each client has its own address, and packs the output of a wake-up into as
//! few datagrams as possible.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use super::{AllClientsTransport, ClientOutboxes, ReceivedGroupMessage};
use crate::crowd::connections::GeneratorDatagramCounts;
use crate::crowd::sockets::SharedSockets;
use crate::limits;
use crate::papers::car::message::{GroupMessage, MessageKind, datagrams};
use crate::search::LoadNotCarried;

/// After this many datagrams output is sent, even if more wait. Reading many lets one datagram acknowledge several.
pub(super) const TAKEN_MAX: usize = 1_024;
/// Time between two attempts to enter.
const HELLO_PERIOD: Duration = Duration::from_millis(200);
/// Clients that enter at the same time.
const ENTERING_TOGETHER: usize = 500;

/// The connections to one server.
pub(crate) struct UdpTransport {
    sockets: SharedSockets,
    outboxes: ClientOutboxes,
    counts: GeneratorDatagramCounts,
    overflowed_before: u64,
}

impl UdpTransport {
    /// Lets all clients enter.
    pub(crate) fn enter(clients: usize, server: SocketAddr) -> Result<UdpTransport> {
        let sockets = SharedSockets::new(clients, server)?;
        let overflowed_before = sockets.overflowed();
        let outboxes = ClientOutboxes::new(clients);
        let mut transport =
            UdpTransport { sockets, outboxes, counts: GeneratorDatagramCounts::default(), overflowed_before };
        let mut welcome = vec![false; clients];
        let deadline = Instant::now() + limits::ENTERING_TIMEOUT;
        let mut hello = Vec::new();
        while let outside @ [_, ..] = &(0..clients).filter(|client| !welcome[*client]).collect::<Vec<_>>()[..] {
            if Instant::now() >= deadline {
                bail!(LoadNotCarried(format!("{} of {clients} have not entered", outside.len())));
            }
            for client in outside.iter().take(ENTERING_TOGETHER) {
                hello.clear();
                GroupMessage::about(MessageKind::Hello, *client).write(&mut hello);
                transport.sockets.send(*client, &hello)?;
            }
            let until = Instant::now() + HELLO_PERIOD;
            while transport.sockets.receive(until, |client, _| welcome[client] = true)? > 0 {}
        }
        Ok(transport)
    }
}

impl AllClientsTransport for UdpTransport {
    fn say(&mut self, client: usize, turn: u32) {
        self.outboxes.put(client, &GroupMessage::update(client, turn));
    }

    fn flush(&mut self) {
        let UdpTransport { sockets, outboxes, counts, .. } = self;
        outboxes.drain(|client, outbox| {
            for datagram in datagrams(outbox) {
                counts.unsent += u64::from(sockets.send(client, datagram).is_err());
            }
            outbox.clear();
        });
    }

    fn receive(&mut self, until: Instant, hear: &mut impl FnMut(ReceivedGroupMessage)) -> Result<()> {
        let UdpTransport { sockets, outboxes, counts, .. } = self;
        let (mut taken, mut until) = (0, until);
        while taken < TAKEN_MAX {
            let came = sockets.receive(until, |client, datagram| {
                counts.opened += 1;
                counts.bytes += datagram.len() as u64;
                let mut bytes = &datagram[..];
                while let Some(message) = GroupMessage::take(&mut bytes) {
                    outboxes.hear(client, message).into_iter().for_each(&mut *hear);
                }
                counts.closed += u64::from(!bytes.is_empty());
            })?;
            if came == 0 {
                break;
            }
            taken += came;
            until = Instant::now();
        }
        Ok(())
    }

    fn counts(&self) -> GeneratorDatagramCounts {
        GeneratorDatagramCounts { overflowed: self.sockets.overflowed() - self.overflowed_before, ..self.counts }
    }
}
