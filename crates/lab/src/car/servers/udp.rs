//! UDP: one thread, one socket for all. What came together (up to 256 reads in one call each for 32) goes on together, one datagram for each receiver.

use std::time::{Duration, Instant};

use anyhow::Result;
use stoa_net::datagrams::{Datagrams, Way};

use crate::car::exchange::Exchange;
use crate::car::message::{Kind, Message, datagrams};

pub(super) fn serve(mut socket: Datagrams, mut exchange: Exchange) -> Result<()> {
    let mut ways: Vec<Option<Way>> = vec![None; exchange.groups().clients];
    loop {
        for (way, datagram) in socket.incoming.receive(Instant::now() + Duration::from_secs(1))? {
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
