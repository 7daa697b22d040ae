//! Serves TCP by one thread for all clients: reads all ready sockets of a wake-up, then writes once to each client with
//! pending output.

use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};

use anyhow::Result;
use rustix::event::epoll::{self, EventData, EventFlags};

use crate::papers::car::exchange::SingleThreadedForwarder;
use crate::papers::car::message::{MessageKind, MessageSplitter};

/// Connections handled in one wake-up.
const EVENTS: usize = 64;
const READ_BYTES: usize = 64 * 1_024;
const LISTENER: u64 = u64::MAX;

/// A connection. Its client is known after the hello.
struct Connection {
    stream: TcpStream,
    splitter: MessageSplitter,
}

pub(super) fn serve(listener: &TcpListener, mut exchange: SingleThreadedForwarder) -> Result<()> {
    listener.set_nonblocking(true)?;
    let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
    epoll::add(&epoll, listener, EventData::new_u64(LISTENER), EventFlags::IN)?;
    let mut connections: Vec<Connection> = Vec::new();
    let mut of_client: Vec<Option<usize>> = vec![None; exchange.groups().clients];
    let (mut events, mut scratch) = (Vec::with_capacity(EVENTS), vec![0; READ_BYTES]);
    let mut is_behind = false;
    loop {
        events.clear();
        // A socket that did not accept all bytes is tried again within a millisecond.
        let wait = is_behind.then_some(&rustix::event::Timespec { tv_sec: 0, tv_nsec: 1_000_000 });
        epoll::wait(&epoll, rustix::buffer::spare_capacity(&mut events), wait)?;
        for event in &events {
            if event.data.u64() == LISTENER {
                while let Ok((stream, _)) = listener.accept() {
                    stream.set_nonblocking(true)?;
                    stream.set_nodelay(true)?;
                    epoll::add(&epoll, &stream, EventData::new_u64(connections.len() as u64), EventFlags::IN)?;
                    connections.push(Connection { stream, splitter: MessageSplitter::default() });
                }
                continue;
            }
            let index = event.data.u64() as usize;
            let Connection { stream, splitter } = &mut connections[index];
            let read = match stream.read(&mut scratch) {
                Ok(0) => {
                    epoll::delete(&epoll, &*stream)?;
                    continue;
                }
                Ok(read) => read,
                Err(error) if error.kind() == ErrorKind::WouldBlock => continue,
                Err(error) => return Err(error.into()),
            };
            splitter.feed(&scratch[..read], |message| {
                if message.kind == MessageKind::Hello
                    && let Some(connection) = of_client.get_mut(message.source as usize)
                {
                    *connection = Some(index);
                }
                exchange.handle(message);
            });
        }
        is_behind = false;
        exchange.drain(|client, outbox| {
            let Some(connection) = of_client[client] else { return outbox.clear() };
            let taken = connections[connection].stream.write(outbox).unwrap_or(0);
            outbox.drain(..taken);
            is_behind |= !outbox.is_empty();
        });
    }
}
