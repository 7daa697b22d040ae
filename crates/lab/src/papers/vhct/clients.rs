//! Connects the test clients to a reference: each logs in by TCP, enters its scene, and then sends its flows by TCP or
//! UDP.

use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4, TcpStream};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use rustix::event::{Timespec, epoll};
use rustix::fd::OwnedFd;

use super::packet::{LENGTH_BYTES, ReferenceServerMessage, take_messages};
use super::server::RunningReference;
use crate::crowd::connections::{CrowdConnections, GeneratorDatagramCounts};
use crate::crowd::sockets::SharedSockets;
use crate::limits;
use crate::search::LoadNotCarried;

/// Logs in and enters a scene. The session equals the client's number, since clients enter in sequence.
fn enter(server: SocketAddr, (client, scene): (usize, u32), address: SocketAddrV4) -> Result<TcpStream> {
    let mut stream = TcpStream::connect(server).with_context(|| format!("client {client}"))?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(limits::ANSWER_TIMEOUT))?;
    stream.write_all(&ReferenceServerMessage::Login.frame())?;
    match answer(&mut stream)? {
        ReferenceServerMessage::Welcome { session } if session as usize == client => {}
        other => bail!("unexpected answer to client {client}: {other:?}"),
    }
    stream.write_all(&ReferenceServerMessage::Enter { scene, address }.frame())?;
    match answer(&mut stream)? {
        ReferenceServerMessage::Entered => Ok(stream),
        other => bail!("unexpected answer to client {client}: {other:?}"),
    }
}

fn answer(stream: &mut TcpStream) -> Result<ReferenceServerMessage> {
    let mut length = [0; LENGTH_BYTES];
    stream.read_exact(&mut length)?;
    let mut message = vec![0; usize::from(u16::from_le_bytes(length))];
    stream.read_exact(&mut message)?;
    ReferenceServerMessage::read(&message).context("no message")
}

/// Flows by UDP, each client from its own address.
pub(super) struct UdpClients {
    sockets: SharedSockets,
    /// Open connections, which keep the sessions alive.
    _connections: Vec<TcpStream>,
    counts: GeneratorDatagramCounts,
    overflowed_before: u64,
}

impl UdpClients {
    pub(super) fn enter(server: &RunningReference, scenes: &[u32]) -> Result<UdpClients> {
        let flows = server.flows.context("this reference has no UDP server")?;
        let sockets = SharedSockets::new(scenes.len(), flows)?;
        let mut connections = Vec::new();
        for (client, scene) in scenes.iter().enumerate() {
            let SocketAddr::V4(address) = sockets.address(client) else { bail!("an address of another kind") };
            connections.push(enter(server.connections, (client, *scene), address)?);
        }
        let overflowed_before = sockets.overflowed();
        Ok(UdpClients {
            sockets,
            _connections: connections,
            counts: GeneratorDatagramCounts::default(),
            overflowed_before,
        })
    }
}

impl CrowdConnections for UdpClients {
    fn say(&mut self, person: usize, packet: &[u8]) {
        if self.sockets.send(person, packet).is_err() {
            self.counts.unsent += 1;
        }
    }

    fn receive(&mut self, until: Instant, hear: &mut dyn FnMut(usize, &[u8])) -> Result<usize> {
        let counts = &mut self.counts;
        self.sockets.receive(until, |person, packet| {
            counts.opened += 1;
            counts.bytes += packet.len() as u64;
            hear(person, packet);
        })
    }

    fn is_in(&self, _person: usize) -> bool {
        true
    }

    fn counts(&self) -> GeneratorDatagramCounts {
        GeneratorDatagramCounts { overflowed: self.sockets.overflowed() - self.overflowed_before, ..self.counts }
    }
}

struct TcpClient {
    stream: TcpStream,
    unread: Vec<u8>,
    unsent: Vec<u8>,
}

/// Flows over the TCP connections.
pub(super) struct TcpClients {
    epoll: OwnedFd,
    clients: Vec<TcpClient>,
    /// Clients whose socket was full.
    stuck: Vec<usize>,
    events: Vec<epoll::Event>,
    scratch: Vec<u8>,
    counts: GeneratorDatagramCounts,
}

impl TcpClients {
    pub(super) fn enter(server: &RunningReference, scenes: &[u32]) -> Result<TcpClients> {
        let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        let mut clients = Vec::new();
        for (client, scene) in scenes.iter().enumerate() {
            let stream = enter(server.connections, (client, *scene), SocketAddrV4::new(Ipv4Addr::LOCALHOST, 0))?;
            stream.set_nonblocking(true)?;
            epoll::add(&epoll, &stream, epoll::EventData::new_u64(client as u64), epoll::EventFlags::IN)?;
            clients.push(TcpClient { stream, unread: Vec::new(), unsent: Vec::new() });
        }
        let (events, scratch) = (Vec::with_capacity(256), vec![0; limits::READ_BYTES]);
        Ok(TcpClients {
            epoll,
            clients,
            stuck: Vec::new(),
            events,
            scratch,
            counts: GeneratorDatagramCounts::default(),
        })
    }

    fn write(&mut self, person: usize) {
        let TcpClient { stream, unsent, .. } = &mut self.clients[person];
        let taken = stream.write(unsent).unwrap_or(0);
        unsent.drain(..taken);
        if !unsent.is_empty() {
            self.stuck.push(person);
        }
    }
}

impl CrowdConnections for TcpClients {
    fn say(&mut self, person: usize, packet: &[u8]) {
        let unsent = &mut self.clients[person].unsent;
        if unsent.len() > limits::UNSENT_BYTES_MAX {
            self.counts.unsent += 1;
            return;
        }
        let is_stuck = !unsent.is_empty();
        unsent.extend_from_slice(&(packet.len() as u16).to_le_bytes());
        unsent.extend_from_slice(packet);
        if !is_stuck {
            self.write(person);
        }
    }

    fn receive(&mut self, until: Instant, hear: &mut dyn FnMut(usize, &[u8])) -> Result<usize> {
        for person in std::mem::take(&mut self.stuck) {
            self.write(person);
        }
        let left = Timespec::try_from(until.saturating_duration_since(Instant::now())).context("a short wait")?;
        self.events.clear();
        match epoll::wait(&self.epoll, rustix::buffer::spare_capacity(&mut self.events), Some(&left)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        for event in &self.events {
            let person = event.data.u64() as usize;
            let TcpClient { stream, unread, .. } = &mut self.clients[person];
            match stream.read(&mut self.scratch) {
                Ok(length @ 1..) => unread.extend_from_slice(&self.scratch[..length]),
                Err(error) if error.kind() == ErrorKind::WouldBlock => continue,
                _ => bail!(LoadNotCarried(format!("the server closed the connection of client {person}"))),
            }
            take_messages(unread, |message| {
                self.counts.opened += 1;
                self.counts.bytes += message.len() as u64;
                hear(person, &message[LENGTH_BYTES..]);
            });
        }
        Ok(self.events.len())
    }

    fn is_in(&self, _person: usize) -> bool {
        true
    }

    fn counts(&self) -> GeneratorDatagramCounts {
        self.counts
    }
}

#[cfg(test)]
mod tests {
    use std::net::{TcpListener, UdpSocket};
    use std::thread;
    use std::time::Duration;

    use stoa_net::datagrams::DatagramSocket;

    use super::*;
    use crate::papers::vhct::connections::TcpReferenceServer;
    use crate::papers::vhct::flows;
    use crate::papers::vhct::packet::{FlowHeader, HEAD_BYTES};
    use crate::papers::vhct::server::FlowTransport;
    use crate::papers::vhct::table::{SessionTableReader, SharedSessionTable};

    /// A reference on threads of this process, which end with it.
    fn start(kind: FlowTransport, table: (SharedSessionTable, SharedSessionTable)) -> RunningReference {
        let any = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let listener = TcpListener::bind(any).expect("a port");
        let connections = listener.local_addr().expect("bound");
        let (written, view) = (table.0, SessionTableReader::new(table.1));
        thread::spawn(move || TcpReferenceServer::new(listener, written).expect("an epoll").serve());
        let flows = match kind {
            FlowTransport::Tcp => None,
            FlowTransport::Hybrid => {
                let socket = UdpSocket::bind(any).expect("a port");
                let address = socket.local_addr().expect("bound");
                thread::spawn(move || flows::serve_sequentially(&socket, view));
                Some(address)
            }
            FlowTransport::Vectors(batch) => {
                let datagrams = DatagramSocket::bind(any).expect("a port").with_batch(batch);
                let address = datagrams.local_address().expect("bound");
                thread::spawn(move || flows::serve_in_vectors(datagrams, view));
                Some(address)
            }
        };
        RunningReference::at(connections, flows)
    }

    /// Everyone sends a packet of each length. Returns receiver, sender and length of each arrival.
    fn exchange(connections: &mut impl CrowdConnections, people: usize) -> Vec<(usize, u32, usize)> {
        for (speaker, bytes) in (0..people).flat_map(|speaker| [(speaker, 30), (speaker, HEAD_BYTES), (speaker, 16)]) {
            let mut packet = vec![0; bytes];
            FlowHeader { flow: 0, session: speaker as u32, due_us: 7 }.write(&mut packet);
            connections.say(speaker, &packet);
        }
        let mut heard = Vec::new();
        let deadline = Instant::now() + Duration::from_secs(10);
        // Each client has one partner, except the last.
        while heard.len() < 3 * (people - 1) && Instant::now() < deadline {
            connections
                .receive(deadline, &mut |person, packet| {
                    let head = FlowHeader::read(packet).expect("a packet of a flow");
                    heard.push((person, head.session, packet.len()));
                })
                .expect("open");
        }
        heard.sort_unstable();
        heard
    }

    #[test]
    fn every_reference_delivers_a_pairs_flows_only_within_the_pair() {
        let scenes = [0, 0, 1, 1, 2];
        let expected: Vec<(usize, u32, usize)> = [(0, 1), (1, 0), (2, 3), (3, 2)]
            .iter()
            .flat_map(|&(to, of)| [9, 16, 30].map(|bytes| (to, of, bytes)))
            .collect();
        let folder = tempfile::tempdir().expect("a folder");
        for (number, kind) in
            [FlowTransport::Tcp, FlowTransport::Hybrid, FlowTransport::Vectors(1), FlowTransport::Vectors(256)]
                .into_iter()
                .enumerate()
        {
            let memory = SharedSessionTable::in_memory();
            let file = || SharedSessionTable::in_file(&folder.path().join(number.to_string())).expect("a file");
            for table in [(memory.clone(), memory), (file(), file())] {
                let server = start(kind, table);
                let heard = match kind {
                    FlowTransport::Tcp => exchange(&mut TcpClients::enter(&server, &scenes).expect("they come in"), 5),
                    _ => exchange(&mut UdpClients::enter(&server, &scenes).expect("they come in"), 5),
                };
                assert_eq!(heard, expected, "{kind:?}");
            }
        }
    }

    #[test]
    fn a_client_that_left_receives_no_more_flows() {
        let memory = SharedSessionTable::in_memory();
        let server = start(FlowTransport::Vectors(32), (memory.clone(), memory.clone()));
        let mut clients = UdpClients::enter(&server, &[0, 0, 0]).expect("they come in");
        clients._connections.remove(1);
        let mut view = SessionTableReader::new(memory);
        let first = clients.sockets.address(0);
        let deadline = Instant::now() + Duration::from_secs(10);
        while view.receivers(0, first).count() != 1 {
            assert!(Instant::now() < deadline, "whose connection has ended is still in the table");
            view.refresh().expect("a table");
        }
        let heard: Vec<usize> = exchange(&mut clients, 3).into_iter().map(|(person, ..)| person).collect();
        assert_eq!(heard, [0, 0, 0, 2, 2, 2]);
    }
}
