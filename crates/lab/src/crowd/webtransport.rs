//! People who come as browsers do: WebTransport, by the crates wtransport and quinn, all on this one thread. Much dearer than netcode, at both ends.

use std::net::{Ipv4Addr, UdpSocket};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use anyhow::{Context, Result};
use base64::prelude::{BASE64_STANDARD, Engine};
use bytes::Bytes;
use nix::sys::socket::{setsockopt, sockopt};
use serde_json::Value;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Notify;
use tokio::task::JoinSet;
use wtransport::endpoint::endpoint_side::Client;
use wtransport::tls::Sha256Digest;
use wtransport::{ClientConfig, Connection, Endpoint};

use super::lines::{LineCounts, Lines};
use super::sockets;

/// People at one socket.
const PEOPLE_A_SOCKET: usize = 50;
/// What is asked for; systems give what they allow.
const BUFFER_BYTES: usize = 8 * 1_024 * 1_024;

/// The ways of all people.
pub(crate) struct WebTransportLines {
    runtime: Runtime,
    connections: Vec<Connection>,
    inbox: Arc<Inbox>,
    ports: Vec<u16>,
    counts: LineCounts,
    /// They live as long as their connections.
    _endpoints: Vec<Endpoint<Client>>,
}

/// What came and was not looked at.
#[derive(Default)]
struct Inbox {
    frames: Mutex<Vec<(usize, Bytes)>>,
    came: Notify,
}

impl WebTransportLines {
    /// With a ticket for each, as the server answered.
    pub(crate) fn new(tickets: &[Value]) -> Result<WebTransportLines> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let inbox = Arc::new(Inbox::default());
        let mut lines = WebTransportLines {
            runtime,
            connections: Vec::new(),
            inbox,
            ports: Vec::new(),
            counts: LineCounts::default(),
            _endpoints: Vec::new(),
        };
        for tickets in tickets.chunks(PEOPLE_A_SOCKET) {
            lines.enter(tickets)?;
        }
        Ok(lines)
    }

    /// Some come in together, by a socket of theirs.
    fn enter(&mut self, tickets: &[Value]) -> Result<()> {
        let guard = self.runtime.enter();
        let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
        if setsockopt(&socket, sockopt::RcvBufForce, &BUFFER_BYTES).is_err() {
            let _ = setsockopt(&socket, sockopt::RcvBuf, &BUFFER_BYTES);
        }
        self.ports.push(socket.local_addr()?.port());
        let hashes = hashes(tickets.first().context("somebody")?)?;
        let config = ClientConfig::builder().with_bind_socket(socket).with_server_certificate_hashes(hashes).build();
        let endpoint = Arc::new(Endpoint::client(config)?);
        drop(guard);
        let mut entering = JoinSet::new();
        for (number, ticket) in tickets.iter().enumerate() {
            let url = ticket["webtransport"]["url"].as_str().context("a ticket without WebTransport")?.to_owned();
            let endpoint = Arc::clone(&endpoint);
            entering.spawn_on(async move { (number, endpoint.connect(url).await) }, self.runtime.handle());
        }
        let mut entered = self.runtime.block_on(entering.join_all());
        entered.sort_unstable_by_key(|(number, _)| *number);
        for (_, connection) in entered {
            let connection = connection.context("entering by WebTransport")?;
            self.listen(&connection);
            self.connections.push(connection);
        }
        self._endpoints.extend(Arc::into_inner(endpoint));
        Ok(())
    }

    fn listen(&self, connection: &Connection) {
        let (person, connection, inbox) = (self.connections.len(), connection.clone(), Arc::clone(&self.inbox));
        self.runtime.spawn(async move {
            while let Ok(datagram) = connection.receive_datagram().await {
                inbox.frames.lock().unwrap_or_else(PoisonError::into_inner).push((person, datagram.payload()));
                inbox.came.notify_one();
            }
        });
    }
}

impl Lines for WebTransportLines {
    fn say(&mut self, person: usize, frame: &[u8]) {
        let _guard = self.runtime.enter();
        if self.connections[person].send_datagram(frame).is_err() {
            self.counts.unsent += 1;
        }
    }

    fn receive(&mut self, until: Instant, hear: &mut dyn FnMut(usize, &[u8])) -> Result<()> {
        let WebTransportLines { runtime, inbox, counts, .. } = self;
        runtime.block_on(async {
            let _ = tokio::time::timeout_at(until.into(), inbox.came.notified()).await;
        });
        let frames = std::mem::take(&mut *inbox.frames.lock().unwrap_or_else(PoisonError::into_inner));
        for (person, frame) in frames {
            counts.opened += 1;
            counts.bytes += frame.len() as u64;
            hear(person, &frame);
        }
        Ok(())
    }

    fn is_in(&self, _person: usize) -> bool {
        true
    }

    fn counts(&self) -> LineCounts {
        let overflowed = self.ports.iter().map(|port| sockets::overflowed(*port)).sum();
        LineCounts { overflowed, ..self.counts }
    }
}

fn hashes(ticket: &Value) -> Result<Vec<Sha256Digest>> {
    let hashes = ticket["webtransport"]["certificate_hashes"].as_array().context("hashes of certificates")?;
    let digest = |hash: &Value| {
        let bytes = BASE64_STANDARD.decode(hash.as_str().context("a hash")?)?;
        Ok(Sha256Digest::new(bytes.try_into().ok().context("a hash of 32 bytes")?))
    };
    hashes.iter().map(digest).collect()
}
