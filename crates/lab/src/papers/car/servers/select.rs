//! Serves TCP as the paper's *TCP-Select*: one thread for each working group waits for all of its clients by `poll`
//! (`select` without the bound of 1,024 descriptors), reads, and writes. The paper has a second thread a group for
//! writing and found that more threads gained nothing. Here the reading thread also writes, which saves a handover.

use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

use anyhow::{Context, Result};
use rustix::event::{PollFd, PollFlags, poll};

use crate::papers::car::exchange::SingleThreadedForwarder;
use crate::papers::car::message::{GroupMessage, MessageKind, MessageSplitter};

const READ_BYTES: usize = 16 * 1_024;

pub(super) fn serve(listener: &TcpListener, exchanges: impl Fn() -> SingleThreadedForwarder) -> Result<()> {
    let groups = exchanges().groups();
    let mut waiting: Vec<Option<TcpStream>> = (0..groups.clients).map(|_| None).collect();
    loop {
        let (stream, _) = listener.accept()?;
        stream.set_nodelay(true)?;
        let client = hello(&stream)?;
        waiting[client] = Some(stream);
        let members = groups.members(client);
        if waiting[members.clone()].iter().all(Option::is_some) {
            let group: Vec<TcpStream> = waiting[members.clone()].iter_mut().filter_map(Option::take).collect();
            let exchange = exchanges();
            thread::Builder::new().stack_size(super::threads::STACK_BYTES).spawn(move || {
                // The thread ends when one of its clients closes the connection.
                let _ = serve_group(exchange, members.start, group);
            })?;
        }
    }
}

/// Reads a connection's hello; returns the client's number.
pub(super) fn hello(mut stream: &TcpStream) -> Result<usize> {
    let mut bytes = Vec::new();
    GroupMessage::about(MessageKind::Hello, 0).write(&mut bytes);
    stream.read_exact(&mut bytes)?;
    let message = GroupMessage::take(&mut &bytes[..]).context("no hello from a client")?;
    Ok(message.source as usize)
}

fn serve_group(mut exchange: SingleThreadedForwarder, first: usize, mut streams: Vec<TcpStream>) -> Result<()> {
    let mut cutters: Vec<MessageSplitter> = streams.iter().map(|_| MessageSplitter::default()).collect();
    let mut scratch = vec![0; READ_BYTES];
    streams.iter().try_for_each(|stream| stream.set_nonblocking(true))?;
    (first..first + streams.len()).for_each(|client| exchange.handle(GroupMessage::about(MessageKind::Hello, client)));
    let mut behind = vec![true; streams.len()];
    loop {
        behind.fill(false);
        exchange.drain(|client, outbox| {
            let taken = streams[client - first].write(outbox).unwrap_or(0);
            outbox.drain(..taken);
            behind[client - first] = !outbox.is_empty();
        });
        let ready: Vec<usize> = {
            let flags = |behind: bool| if behind { PollFlags::IN | PollFlags::OUT } else { PollFlags::IN };
            let mut fds: Vec<PollFd<'_>> =
                streams.iter().zip(&behind).map(|(stream, behind)| PollFd::new(stream, flags(*behind))).collect();
            poll(&mut fds, None)?;
            let has_some = |fd: &PollFd<'_>| fd.revents().intersects(PollFlags::IN | PollFlags::HUP | PollFlags::ERR);
            fds.iter().enumerate().filter(|(_, fd)| has_some(fd)).map(|(member, _)| member).collect()
        };
        for member in ready {
            match streams[member].read(&mut scratch) {
                Ok(0) => return Ok(()),
                Ok(read) => cutters[member].feed(&scratch[..read], |message| exchange.handle(message)),
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
}
