//! Serves the load of `fanout` with the least work, as its floor: reads everything available, then writes to each
//! socket once, without checks, storage and topics. No server of the same people over the same sockets can be much
//! faster.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};

use anyhow::{Context, Result};
use rustix::event::epoll;
use rustix::fd::OwnedFd;

use super::RunningServer;
use crate::child::{ChildProgram, part};
use crate::limits;
use crate::load::packet::{self, PacketSplitter};
use crate::machine::raise_file_limit;

pub(super) fn start() -> Result<RunningServer> {
    let mut process = ChildProgram::server(&mut part("floor")?)?;
    let plain: SocketAddr = process.line()?.parse().context("the floor's address")?;
    Ok(RunningServer { process, plain, secure: None, http: None, admin: None, config: None, _folder: None })
}

struct MinimalServerClient {
    stream: TcpStream,
    splitter: PacketSplitter,
    subscribed: bool,
    unsent: Vec<u8>,
}

struct MinimalServer {
    epoll: OwnedFd,
    listener: TcpListener,
    clients: Vec<Option<MinimalServerClient>>,
    /// Packets of this wake-up, to be sent to everyone.
    batch: Vec<u8>,
    scratch: Vec<u8>,
}

const LISTENER: u64 = u64::MAX;

/// Prints the address, then serves until killed.
pub(crate) fn serve() -> Result<()> {
    raise_file_limit();
    let listener = TcpListener::bind("127.0.0.1:0")?;
    println!("{}", listener.local_addr()?);
    std::io::stdout().flush()?;
    listener.set_nonblocking(true)?;
    let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
    epoll::add(&epoll, &listener, epoll::EventData::new_u64(LISTENER), epoll::EventFlags::IN)?;
    let scratch = vec![0; limits::READ_BYTES];
    let mut server = MinimalServer { epoll, listener, clients: Vec::new(), batch: Vec::new(), scratch };
    let mut events = Vec::with_capacity(1_024);
    loop {
        events.clear();
        epoll::wait(&server.epoll, rustix::buffer::spare_capacity(&mut events), None)?;
        for event in &events {
            match event.data.u64() {
                LISTENER => server.accept()?,
                index => server.read(index as usize),
            }
        }
        server.write();
    }
}

impl MinimalServer {
    fn accept(&mut self) -> Result<()> {
        while let Ok((stream, _)) = self.listener.accept() {
            stream.set_nonblocking(true)?;
            stream.set_nodelay(true)?;
            let data = epoll::EventData::new_u64(self.clients.len() as u64);
            epoll::add(&self.epoll, &stream, data, epoll::EventFlags::IN)?;
            self.clients.push(Some(MinimalServerClient {
                stream,
                splitter: PacketSplitter::default(),
                subscribed: false,
                unsent: Vec::new(),
            }));
        }
        Ok(())
    }

    fn read(&mut self, index: usize) {
        let Some(Some(client)) = self.clients.get_mut(index) else { return };
        let batch = &mut self.batch;
        let length = match client.stream.read(&mut self.scratch) {
            Ok(length @ 1..) => length,
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => return,
            _ => {
                self.clients[index] = None;
                return;
            }
        };
        let (unsent, subscribed) = (&mut client.unsent, &mut client.subscribed);
        let fed = client.splitter.feed(&self.scratch[..length], |packet| match packet[0] & 0xf0 {
            0x10 => unsent.extend_from_slice(&[packet::CONNACK, 2, 0, 0]),
            0x80 => {
                *subscribed = true;
                unsent.extend_from_slice(&[packet::SUBACK, 4, packet[2], packet[3], 0, 0]);
            }
            packet::PUBLISH => batch.extend_from_slice(packet),
            _ => {}
        });
        if fed.is_err() {
            self.clients[index] = None;
        }
    }

    fn write(&mut self) {
        for slot in &mut self.clients {
            let Some(client) = slot else { continue };
            let batch: &[u8] = if client.subscribed { &self.batch } else { &[] };
            let taken = if client.unsent.is_empty() {
                if batch.is_empty() {
                    continue;
                }
                client.stream.write(batch).unwrap_or(0)
            } else {
                let taken = client.stream.write(&client.unsent).unwrap_or(0);
                client.unsent.drain(..taken);
                0
            };
            if client.unsent.len() < limits::UNSENT_BYTES_MAX {
                client.unsent.extend_from_slice(&batch[taken..]);
            }
        }
        self.batch.clear();
    }
}
