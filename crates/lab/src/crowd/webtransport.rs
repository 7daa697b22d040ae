//! Connects people as browsers do: by WebTransport over quinn, all on this thread. Only datagrams are read. The driver
//! of wtransport, which serves streams too, would cost the generator twice as much as the datagrams.

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

use super::connections::{CrowdConnections, GeneratorDatagramCounts};
use super::sockets;
use crate::search::LoadNotCarried;

/// People on one socket.
const PEOPLE_A_SOCKET: usize = 50;
/// People that enter at the same time.
const ENTERING_TOGETHER: usize = 50;
/// Requested buffer size; systems grant less.
const BUFFER_BYTES: usize = 8 * 1_024 * 1_024;
/// Tasks polled between two polls of the sockets.
const LOOK_INTERVAL: u32 = 16;
/// The prefix of each datagram: a quarter of the id of the session's stream, which is the first.
const SESSION: u8 = 0;

/// The connections of all people.
pub(crate) struct WebTransportConnections {
    runtime: Runtime,
    /// Sessions of the people that have entered.
    sessions: Vec<Option<WebTransportSession>>,
    admitted: usize,
    inbox: Arc<SessionInbox>,
    ports: Vec<u16>,
    counts: GeneratorDatagramCounts,
}

/// A person that is to enter, with its socket.
struct QueuedSession {
    person: usize,
    endpoint: Endpoint,
    url: String,
}

/// One person's session, with the streams that must stay open as long as the session.
struct WebTransportSession {
    connection: Connection,
    _streams: [SendStream; 2],
}

/// Arrivals that were not read yet. The inbox needs no bound: the tasks that fill it run only while `receive` waits,
/// and `receive` then empties it.
#[derive(Default)]
struct SessionInbox {
    /// Sessions of the people that entered, or their errors.
    sessions: Mutex<Vec<(usize, Result<WebTransportSession>)>>,
    frames: Mutex<Vec<(usize, Bytes)>>,
    came: Notify,
}

impl WebTransportConnections {
    /// Connections for a number of people.
    pub(crate) fn new(people: usize) -> Result<WebTransportConnections> {
        // Sockets are polled often, so that a due sender does not wait behind all arrivals.
        let runtime = Builder::new_current_thread().enable_all().event_interval(LOOK_INTERVAL).build()?;
        let sessions = (0..people).map(|_| None).collect();
        let (inbox, counts) = (Arc::new(SessionInbox::default()), GeneratorDatagramCounts::default());
        Ok(WebTransportConnections { runtime, sessions, admitted: 0, inbox, ports: Vec::new(), counts })
    }

    /// Datagrams and bytes that UDP delivered to all sessions, with QUIC's overhead.
    pub(crate) fn received(&self) -> (u64, u64) {
        let each = self.sessions.iter().flatten().map(|session| session.connection.stats().udp_rx);
        each.fold((0, 0), |(datagrams, bytes), udp| (datagrams + udp.datagrams, bytes + udp.bytes))
    }

    fn take_sessions(&mut self) -> Result<()> {
        let entered = std::mem::take(&mut *self.inbox.sessions.lock().unwrap_or_else(PoisonError::into_inner));
        for (person, session) in entered {
            self.sessions[person] = Some(session.context("entering by WebTransport")?);
        }
        Ok(())
    }
}

/// A socket for several people.
fn endpoint(runtime: &Runtime, ticket: &Value) -> Result<Endpoint> {
    let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
    if setsockopt(&socket, sockopt::RcvBufForce, &BUFFER_BYTES).is_err() {
        let _ = setsockopt(&socket, sockopt::RcvBuf, &BUFFER_BYTES);
    }
    let config = ClientConfig::builder().with_bind_default().with_server_certificate_hashes(hashes(ticket)?).build();
    let _guard = runtime.enter();
    let mut endpoint = Endpoint::new(EndpointConfig::default(), None, socket, Arc::new(TokioRuntime))?;
    endpoint.set_default_client_config(config.quic_config().clone());
    Ok(endpoint)
}

/// Connects everyone, [`ENTERING_TOGETHER`] at a time, and reads from each session as soon as it is open.
async fn usher(entering: Vec<QueuedSession>, inbox: Arc<SessionInbox>) {
    let (mut opening, mut listening) = (JoinSet::new(), JoinSet::new());
    let mut entering = entering.into_iter();
    loop {
        while opening.len() < ENTERING_TOGETHER
            && let Some(QueuedSession { person, endpoint, url }) = entering.next()
        {
            opening.spawn(async move { (person, open(&endpoint, &url).await) });
        }
        let Some(opened) = opening.join_next().await else { break };
        let (person, session) = opened.expect("opening does not panic");
        if let Ok(session) = &session {
            listening.spawn(listen(person, session.connection.clone(), Arc::clone(&inbox)));
        }
        inbox.sessions.lock().unwrap_or_else(PoisonError::into_inner).push((person, session));
        inbox.came.notify_one();
    }
    listening.join_all().await;
}

async fn listen(person: usize, connection: Connection, inbox: Arc<SessionInbox>) {
    while let Ok(datagram) = connection.read_datagram().await {
        if let Some((&SESSION, _)) = datagram.split_first() {
            let frame = datagram.slice(1..);
            inbox.frames.lock().unwrap_or_else(PoisonError::into_inner).push((person, frame));
            inbox.came.notify_one();
        }
    }
}

/// Connects, sends the settings that enable WebTransport, and requests a session.
async fn open(endpoint: &Endpoint, url: &str) -> Result<WebTransportSession> {
    let url: Url = url.parse()?;
    let host = url.host_str().context("a host")?;
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, url.port().context("a port")?));
    let refused = |error| LoadNotCarried(format!("no connection by WebTransport: {error}"));
    let connection = endpoint.connect(address, host)?.await.map_err(refused)?;
    let mut control = connection.open_uni().await?;
    let mut settings = Settings::default();
    settings.enable_webtransport(1);
    settings.write(&mut control).await?;
    let (mut request, mut answer) = connection.open_bi().await?;
    ConnectRequest::new(url).write(&mut request).await?;
    let status = ConnectResponse::read(&mut answer).await?.status;
    ensure!(status.is_success(), LoadNotCarried(format!("rejected with status {status}")));
    Ok(WebTransportSession { connection, _streams: [control, request] })
}

impl CrowdConnections for WebTransportConnections {
    /// A small number, since a handshake takes ten times as long as netcode's.
    const WAVE: usize = 200;

    /// Starts to admit the people. They enter while the connections are driven, some at a time.
    fn admit(&mut self, tickets: &[Value]) -> Result<()> {
        let mut entering = Vec::with_capacity(tickets.len());
        for tickets in tickets.chunks(PEOPLE_A_SOCKET) {
            let endpoint = endpoint(&self.runtime, tickets.first().context("no ticket")?)?;
            self.ports.push(endpoint.local_addr()?.port());
            for ticket in tickets {
                let url = ticket["webtransport"]["url"].as_str().context("a ticket without WebTransport")?.to_owned();
                entering.push(QueuedSession { person: self.admitted, endpoint: endpoint.clone(), url });
                self.admitted += 1;
            }
        }
        self.runtime.spawn(usher(entering, Arc::clone(&self.inbox)));
        Ok(())
    }

    fn say(&mut self, person: usize, frame: &[u8]) {
        let Some(session) = &self.sessions[person] else { return };
        let mut datagram = BytesMut::with_capacity(1 + frame.len());
        datagram.put_u8(SESSION);
        datagram.put_slice(frame);
        if session.connection.send_datagram(datagram.freeze()).is_err() {
            self.counts.unsent += 1;
        }
    }

    fn receive(&mut self, until: Instant, hear: &mut dyn FnMut(usize, &[u8])) -> Result<usize> {
        self.runtime.block_on(async {
            let _ = tokio::time::timeout_at(until.into(), self.inbox.came.notified()).await;
        });
        self.take_sessions()?;
        let WebTransportConnections { inbox, counts, .. } = self;
        let frames = std::mem::take(&mut *inbox.frames.lock().unwrap_or_else(PoisonError::into_inner));
        let came = frames.len();
        for (person, frame) in frames {
            counts.opened += 1;
            counts.bytes += frame.len() as u64;
            hear(person, &frame);
        }
        Ok(came)
    }

    fn is_in(&self, person: usize) -> bool {
        self.sessions[person].is_some()
    }

    fn counts(&self) -> GeneratorDatagramCounts {
        let overflowed = self.ports.iter().map(|port| sockets::overflowed(*port)).sum();
        GeneratorDatagramCounts { overflowed, ..self.counts }
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
