//! Connects clients to the TCP references: one connection each, all on one epoll, with one write for a client's output
//! of a wake-up.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use rustix::event::Timespec;
use rustix::event::epoll::{self, EventData, EventFlags};
use rustix::fd::OwnedFd;

use super::{AllClientsTransport, ClientOutboxes, ReceivedGroupMessage};
use crate::crowd::connections::GeneratorDatagramCounts;
use crate::limits;
use crate::papers::car::message::{GroupMessage, MessageKind, MessageSplitter};
use crate::search::LoadNotCarried;

/// Connections handled in one wake-up.
const EVENTS: usize = 64;
const READ_BYTES: usize = 64 * 1_024;

/// The connections to one server.
pub(crate) struct TcpTransport {
    epoll: OwnedFd,
    streams: Vec<(TcpStream, MessageSplitter)>,
    events: Vec<epoll::Event>,
    outboxes: ClientOutboxes,
    counts: GeneratorDatagramCounts,
    scratch: Vec<u8>,
}

impl TcpTransport {
    /// Lets all clients enter.
    pub(crate) fn enter(clients: usize, server: SocketAddr) -> Result<TcpTransport> {
        let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        let mut streams = Vec::with_capacity(clients);
        for client in 0..clients {
            let mut stream = TcpStream::connect(server).with_context(|| format!("client {client}"))?;
            stream.set_nodelay(true)?;
            let mut hello = Vec::new();
            GroupMessage::about(MessageKind::Hello, client).write(&mut hello);
            stream.write_all(&hello)?;
            epoll::add(&epoll, &stream, EventData::new_u64(client as u64), EventFlags::IN)?;
            streams.push((stream, MessageSplitter::default()));
        }
        for (client, (stream, splitter)) in streams.iter_mut().enumerate() {
            stream.set_read_timeout(Some(limits::ENTERING_TIMEOUT))?;
            let (mut welcome, mut bytes) = (false, [0; 64]);
            while !welcome {
                let read = stream.read(&mut bytes).with_context(|| format!("no welcome for client {client}"))?;
                ensure!(read > 0, "the server closed the connection of client {client} before its welcome");
                splitter.feed(&bytes[..read], |message| welcome |= message.kind == MessageKind::Welcome);
            }
            stream.set_nonblocking(true)?;
        }
        Ok(TcpTransport {
            epoll,
            streams,
            events: Vec::with_capacity(EVENTS),
            outboxes: ClientOutboxes::new(clients),
            counts: GeneratorDatagramCounts::default(),
            scratch: vec![0; READ_BYTES],
        })
    }
}

impl AllClientsTransport for TcpTransport {
    fn say(&mut self, client: usize, turn: u32) {
        self.outboxes.put(client, &GroupMessage::update(client, turn));
    }

    fn flush(&mut self) {
        let TcpTransport { streams, outboxes, .. } = self;
        // Bytes that the socket does not accept remain for the next write.
        outboxes.drain(|client, outbox| {
            let taken = streams[client].0.write(outbox).unwrap_or(0);
            outbox.drain(..taken);
        });
    }

    fn receive(&mut self, until: Instant, hear: &mut impl FnMut(ReceivedGroupMessage)) -> Result<()> {
        let TcpTransport { epoll, streams, events, outboxes, counts, scratch } = self;
        let left = until.saturating_duration_since(Instant::now());
        let left = Timespec::try_from(left).context("a wait of some milliseconds")?;
        events.clear();
        match epoll::wait(&*epoll, rustix::buffer::spare_capacity(events), Some(&left)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        for client in events.iter().map(|event| event.data.u64() as usize) {
            let (stream, splitter) = &mut streams[client];
            let read = match stream.read(scratch) {
                Ok(0) => bail!(LoadNotCarried(format!("the server closed the connection of client {client}"))),
                Ok(read) => read,
                Err(error) if error.kind() == ErrorKind::WouldBlock => continue,
                Err(error) => return Err(error.into()),
            };
            counts.bytes += read as u64;
            counts.opened += 1;
            splitter.feed(&scratch[..read], |message| outboxes.hear(client, message).into_iter().for_each(&mut *hear));
        }
        Ok(())
    }

    fn counts(&self) -> GeneratorDatagramCounts {
        self.counts
    }
}
