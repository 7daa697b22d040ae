//! UDP: one thread, one socket for all. All that waits (by reads of up to 32 messages a call) goes on together, one datagram for each receiver.

use std::time::{Duration, Instant};

use anyhow::Result;
use stoa_net::datagrams::{DatagramSocket, PeerAddress};
use stoa_net::limits::BATCH_MESSAGES_MAX;

use crate::papers::car::exchange::Exchange;
use crate::papers::car::message::{Kind, Message, datagrams};

/// Datagrams that are taken before anything goes on.
const TAKEN_MAX: usize = 8_192;

pub(super) fn serve(mut socket: DatagramSocket, mut exchange: Exchange) -> Result<()> {
    let mut ways: Vec<Option<PeerAddress>> = vec![None; exchange.groups().clients];
    loop {
        let (mut taken, mut until) = (0, Instant::now() + Duration::from_secs(1));
        // All that waits, so that who is behind has little to send.
        while taken < TAKEN_MAX {
            let before = taken;
            for (way, datagram) in socket.incoming.receive(until)? {
                taken += 1;
                let mut bytes = &datagram[..];
                while let Some(message) = Message::take(&mut bytes) {
                    if message.kind == Kind::Hello
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
