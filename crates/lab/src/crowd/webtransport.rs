//! People who come as browsers do: WebTransport over quinn, all on this one thread. Nothing but datagrams is looked at: the driver of wtransport, which looks at all else too, costs
//! the generator twice what the datagrams do.

use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use base64::prelude::{BASE64_STANDARD, Engine};
use bytes::{BufMut, Bytes, BytesMut};
use nix::sys::socket::{setsockopt, sockopt};
use quinn::{Connection, Endpoint, EndpointConfig, SendStream, TokioRuntime};
use serde_json::Value;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Notify;
use tokio::task::JoinSet;
use url::Url;
use web_transport_proto::{ConnectRequest, ConnectResponse, Settings};
use wtransport::ClientConfig;
use wtransport::tls::Sha256Digest;

use super::lines::{LineCounts, Lines};
use super::sockets;

/// People at one socket.
const PEOPLE_A_SOCKET: usize = 50;
/// What is asked for; systems give what they allow.
const BUFFER_BYTES: usize = 8 * 1_024 * 1_024;
/// Tasks that have their turn between two looks at the sockets.
const LOOK_INTERVAL: u32 = 16;
/// Before each datagram: a quarter of the number of the session's stream, which is the first.
const SESSION: u8 = 0;

/// The ways of all people.
pub(crate) struct WebTransportLines {
    runtime: Runtime,
    sessions: Vec<Session>,
    inbox: Arc<Inbox>,
    ports: Vec<u16>,
    counts: LineCounts,
}

/// One person's. Its streams stay open as long as the session.
struct Session {
    connection: Connection,
    _streams: [SendStream; 2],
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
        // Looks at the sockets often: who is to say something now does not wait behind all that came.
        let runtime = Builder::new_current_thread().enable_all().event_interval(LOOK_INTERVAL).build()?;
        let (inbox, counts) = (Arc::new(Inbox::default()), LineCounts::default());
        let mut lines = WebTransportLines { runtime, sessions: Vec::new(), inbox, ports: Vec::new(), counts };
        for tickets in tickets.chunks(PEOPLE_A_SOCKET) {
            lines.enter(tickets)?;
        }
        Ok(lines)
    }

    /// Some come in together, by a socket of theirs.
    fn enter(&mut self, tickets: &[Value]) -> Result<()> {
        let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
        if setsockopt(&socket, sockopt::RcvBufForce, &BUFFER_BYTES).is_err() {
            let _ = setsockopt(&socket, sockopt::RcvBuf, &BUFFER_BYTES);
        }
        self.ports.push(socket.local_addr()?.port());
        let hashes = hashes(tickets.first().context("somebody")?)?;
        let config = ClientConfig::builder().with_bind_default().with_server_certificate_hashes(hashes).build();
        let guard = self.runtime.enter();
        let mut endpoint = Endpoint::new(EndpointConfig::default(), None, socket, Arc::new(TokioRuntime))?;
        endpoint.set_default_client_config(config.quic_config().clone());
        drop(guard);
        let mut entering = JoinSet::new();
        for (number, ticket) in tickets.iter().enumerate() {
            let url = ticket["webtransport"]["url"].as_str().context("a ticket without WebTransport")?.to_owned();
            let endpoint = endpoint.clone();
            entering.spawn_on(async move { (number, open(&endpoint, &url).await) }, self.runtime.handle());
        }
        let mut entered = self.runtime.block_on(entering.join_all());
        entered.sort_unstable_by_key(|(number, _)| *number);
        for (_, session) in entered {
            let session = session.context("entering by WebTransport")?;
            self.listen(session.connection.clone());
            self.sessions.push(session);
        }
        Ok(())
    }

    fn listen(&self, connection: Connection) {
        let (person, inbox) = (self.sessions.len(), Arc::clone(&self.inbox));
        self.runtime.spawn(async move {
            while let Ok(datagram) = connection.read_datagram().await {
                if let Some((&SESSION, _)) = datagram.split_first() {
                    let frame = datagram.slice(1..);
                    inbox.frames.lock().unwrap_or_else(PoisonError::into_inner).push((person, frame));
                    inbox.came.notify_one();
                }
            }
        });
    }
}

/// Connects, says that WebTransport is spoken, and asks for a session.
async fn open(endpoint: &Endpoint, url: &str) -> Result<Session> {
    let url: Url = url.parse()?;
    let host = url.host_str().context("a host")?;
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, url.port().context("a port")?));
    let connection = endpoint.connect(address, host)?.await?;
    let mut control = connection.open_uni().await?;
    let mut settings = Settings::default();
    settings.enable_webtransport(1);
    settings.write(&mut control).await?;
    let (mut request, mut answer) = connection.open_bi().await?;
    ConnectRequest::new(url).write(&mut request).await?;
    let status = ConnectResponse::read(&mut answer).await?.status;
    ensure!(status.is_success(), "turned away: {status}");
    Ok(Session { connection, _streams: [control, request] })
}

impl Lines for WebTransportLines {
    fn say(&mut self, person: usize, frame: &[u8]) {
        let mut datagram = BytesMut::with_capacity(1 + frame.len());
        datagram.put_u8(SESSION);
        datagram.put_slice(frame);
        if self.sessions[person].connection.send_datagram(datagram.freeze()).is_err() {
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
