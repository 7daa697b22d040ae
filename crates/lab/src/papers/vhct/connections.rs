//! Serves TCP: connection management of sections III-C and III-D (login, entry, exit), and the flows too if there is no
//! UDP server. One thread runs one epoll loop, and a client's output of a wake-up is sent in one write.
//! `TCP_NODELAY` is set, since all output is already collected.

use std::collections::HashMap;
use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};

use anyhow::Result;
use rustix::event::epoll;
use rustix::fd::OwnedFd;

use super::packet::{LENGTH_BYTES, ReferenceServerMessage, take_messages};
use super::table::{FlowParticipant, SharedSessionTable};
use crate::limits;

const LISTENER: u64 = u64::MAX;

struct ClientConnection {
    stream: TcpStream,
    unread: Vec<u8>,
    unsent: Vec<u8>,
    scene: Option<u32>,
    /// Whether output waits for space in the client's socket.
    is_stuck: bool,
}

/// The TCP server and its clients.
pub(super) struct TcpReferenceServer {
    epoll: OwnedFd,
    listener: TcpListener,
    clients: Vec<Option<ClientConnection>>,
    scenes: HashMap<u32, Vec<u32>>,
    /// Clients with pending output.
    due: Vec<u32>,
    table: SharedSessionTable,
    scratch: Vec<u8>,
}

impl TcpReferenceServer {
    pub(super) fn new(listener: TcpListener, table: SharedSessionTable) -> Result<TcpReferenceServer> {
        listener.set_nonblocking(true)?;
        let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        epoll::add(&epoll, &listener, epoll::EventData::new_u64(LISTENER), epoll::EventFlags::IN)?;
        let (clients, scenes, due) = (Vec::new(), HashMap::new(), Vec::new());
        Ok(TcpReferenceServer { epoll, listener, clients, scenes, due, table, scratch: vec![0; limits::READ_BYTES] })
    }

    /// Serves until killed.
    pub(super) fn serve(mut self) -> Result<()> {
        let mut events = Vec::with_capacity(1_024);
        loop {
            self.turn(&mut events)?;
        }
    }

    /// Handles one wake-up.
    fn turn(&mut self, events: &mut Vec<epoll::Event>) -> Result<()> {
        events.clear();
        epoll::wait(&self.epoll, rustix::buffer::spare_capacity(events), None)?;
        for event in events.iter() {
            let (data, flags) = (event.data.u64(), event.flags);
            if data == LISTENER {
                self.accept()?;
                continue;
            }
            if flags.contains(epoll::EventFlags::OUT) {
                self.due.push(data as u32);
            }
            if flags.intersects(epoll::EventFlags::IN | epoll::EventFlags::HUP | epoll::EventFlags::ERR) {
                self.read(data as u32)?;
            }
        }
        for client in std::mem::take(&mut self.due) {
            self.write(client)?;
        }
        Ok(())
    }

    fn accept(&mut self) -> Result<()> {
        while let Ok((stream, _)) = self.listener.accept() {
            stream.set_nonblocking(true)?;
            stream.set_nodelay(true)?;
            let data = epoll::EventData::new_u64(self.clients.len() as u64);
            epoll::add(&self.epoll, &stream, data, epoll::EventFlags::IN)?;
            let client =
                ClientConnection { stream, unread: Vec::new(), unsent: Vec::new(), scene: None, is_stuck: false };
            self.clients.push(Some(client));
        }
        Ok(())
    }

    fn read(&mut self, id: u32) -> Result<()> {
        let Some(Some(client)) = self.clients.get_mut(id as usize) else { return Ok(()) };
        match client.stream.read(&mut self.scratch) {
            Ok(length @ 1..) => client.unread.extend_from_slice(&self.scratch[..length]),
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
            _ => return self.exit(id),
        }
        let mut unread = std::mem::take(&mut client.unread);
        let mut heard = Ok(());
        take_messages(&mut unread, |message| {
            if heard.is_ok() {
                heard = self.hear(id, message);
            }
        });
        if let Some(Some(client)) = self.clients.get_mut(id as usize) {
            client.unread = unread;
        }
        heard
    }

    /// Handles one message with its length prefix.
    fn hear(&mut self, id: u32, framed: &[u8]) -> Result<()> {
        match ReferenceServerMessage::read(&framed[LENGTH_BYTES..]) {
            Some(ReferenceServerMessage::Login) => {
                self.say(id, &ReferenceServerMessage::Welcome { session: id }.frame())
            }
            Some(ReferenceServerMessage::Enter { scene, address }) => {
                self.leave(id);
                if let Some(Some(client)) = self.clients.get_mut(id as usize) {
                    client.scene = Some(scene);
                }
                self.scenes.entry(scene).or_default().push(id);
                // The table has the client before the answer, since an entered client may send at once.
                self.table.put(id, Some(FlowParticipant { scene, address }))?;
                self.say(id, &ReferenceServerMessage::Entered.frame());
            }
            // The sender is known by its connection, not by the packet's content.
            Some(ReferenceServerMessage::Flow(_)) => self.hand_on(id, framed),
            Some(ReferenceServerMessage::Welcome { .. } | ReferenceServerMessage::Entered) | None => {}
        }
        Ok(())
    }

    fn hand_on(&mut self, id: u32, framed: &[u8]) {
        let scene = self.clients.get(id as usize).and_then(|client| client.as_ref()?.scene);
        let Some(members) = scene.and_then(|scene| self.scenes.get(&scene)) else { return };
        for &member in members.iter().filter(|member| **member != id) {
            say(&mut self.clients, &mut self.due, (member, framed));
        }
    }

    fn say(&mut self, id: u32, framed: &[u8]) {
        say(&mut self.clients, &mut self.due, (id, framed));
    }

    fn write(&mut self, id: u32) -> Result<()> {
        let Some(Some(client)) = self.clients.get_mut(id as usize) else { return Ok(()) };
        if client.unsent.is_empty() {
            return Ok(());
        }
        let taken = match client.stream.write(&client.unsent) {
            Ok(taken) => taken,
            Err(error) if error.kind() == ErrorKind::WouldBlock => 0,
            Err(_) => return self.exit(id),
        };
        client.unsent.drain(..taken);
        let is_stuck = !client.unsent.is_empty();
        if is_stuck != client.is_stuck {
            client.is_stuck = is_stuck;
            let more = if is_stuck { epoll::EventFlags::OUT } else { epoll::EventFlags::empty() };
            let data = epoll::EventData::new_u64(u64::from(id));
            epoll::modify(&self.epoll, &client.stream, data, epoll::EventFlags::IN | more)?;
        }
        Ok(())
    }

    fn leave(&mut self, id: u32) {
        let scene = self.clients.get_mut(id as usize).and_then(|client| client.as_mut()?.scene.take());
        if let Some(members) = scene.and_then(|scene| self.scenes.get_mut(&scene)) {
            members.retain(|member| *member != id);
        }
    }

    /// Ends the session of a connection that has ended.
    fn exit(&mut self, id: u32) -> Result<()> {
        self.leave(id);
        self.clients[id as usize] = None;
        Ok(self.table.put(id, None)?)
    }
}

/// Queues a message for a client, unless the client does not read and its queue is at the limit.
fn say(clients: &mut [Option<ClientConnection>], due: &mut Vec<u32>, (id, framed): (u32, &[u8])) {
    let Some(Some(client)) = clients.get_mut(id as usize) else { return };
    if client.unsent.is_empty() {
        due.push(id);
    }
    if client.unsent.len() < limits::UNSENT_BYTES_MAX {
        client.unsent.extend_from_slice(framed);
    }
}
