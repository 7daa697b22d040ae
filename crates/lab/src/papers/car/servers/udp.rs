//! Serves UDP by one thread and one socket for all clients: reads the waiting datagrams (a call reads up to 32
//! messages, each of one or, with GRO, several datagrams), and then sends each receiver as few datagrams as possible.

use std::time::{Duration, Instant};

use anyhow::Result;
use stoa_net::datagrams::{DatagramAddresses, DatagramSocket};
use stoa_net::limits::BATCH_MESSAGES_MAX;

use crate::papers::car::exchange::SingleThreadedForwarder;
use crate::papers::car::message::{GroupMessage, MessageKind, datagrams};

/// Maximum number of datagrams read before output is sent.
const TAKEN_MAX: usize = 8_192;

pub(super) fn serve(mut socket: DatagramSocket, mut exchange: SingleThreadedForwarder) -> Result<()> {
    let mut ways: Vec<Option<DatagramAddresses>> = vec![None; exchange.groups().clients];
    loop {
        let (mut taken, mut until) = (0, Instant::now() + Duration::from_secs(1));
        // Reads everything that waits, so that a late server sends fewer datagrams.
        while taken < TAKEN_MAX {
            let before = taken;
            for (way, datagram) in socket.incoming.receive(until)? {
                taken += 1;
                let mut bytes = &datagram[..];
                while let Some(message) = GroupMessage::take(&mut bytes) {
                    if message.kind == MessageKind::Hello
                        && let Some(known) = ways.get_mut(message.source as usize)
                    {
                        *known = Some(way);
                    }
                    exchange.handle(message);
                }
            }
            if taken - before < BATCH_MESSAGES_MAX {
                break;
            }
            until = Instant::now();
        }
        exchange.drain(|client, outbox| {
            if let Some(way) = ways[client] {
                for datagram in datagrams(outbox) {
                    socket.outgoing.add(way, |room| {
                        room[..datagram.len()].copy_from_slice(datagram);
                        datagram.len()
                    });
                }
            }
            outbox.clear();
        });
        socket.outgoing.flush();
    }
}
