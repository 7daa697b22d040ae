//! A realm that admits each new ticket once, and an independent client.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use rustls::pki_types::PrivateKeyDer;
use tokio::sync::{Notify, mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use wtransport::tls::Sha256Digest;

use crate::counters::MotionTransportCounters;
use crate::endpoint::EndpointConnectionLimits;
use crate::entrance::{MotionSessionHandle, MotionTicketRedeemer};
use crate::frames::FrameSink;
use crate::shutdown::{self, ShutdownTrigger};
use crate::webtransport::{PROTOCOL, WebTransport, WebTransportConfig};

/// Longer than any step takes; only a hang exceeds it.
pub(super) const PATIENCE: Duration = Duration::from_secs(20);

pub(super) struct Realm {
    pub(super) address: SocketAddr,
    pub(super) counters: Arc<MotionTransportCounters>,
    hash: [u8; 32],
    entered: tokio::sync::Mutex<mpsc::UnboundedReceiver<(Box<dyn FrameSink>, EnteredGuest)>>,
    trigger: ShutdownTrigger,
    running: JoinHandle<()>,
}

/// A guest that entered, from the realm side.
pub(super) struct EnteredGuest {
    frames: tokio::sync::Mutex<mpsc::UnboundedReceiver<Bytes>>,
    end: Arc<Notify>,
    dropped: watch::Receiver<()>,
}

#[derive(Clone)]
struct Tickets {
    spent: Arc<Mutex<BTreeSet<String>>>,
    entered: mpsc::UnboundedSender<(Box<dyn FrameSink>, EnteredGuest)>,
}

struct Guest {
    frames: mpsc::UnboundedSender<Bytes>,
    end: Arc<Notify>,
    _dropped: watch::Sender<()>,
}

impl MotionSessionHandle for Guest {
    fn handle_frame(&self, frame: Bytes) {
        let _ = self.frames.send(frame);
    }

    async fn ended(&self) {
        self.end.notified().await;
    }
}

impl MotionTicketRedeemer for Tickets {
    type Session = Guest;

    async fn enter(&self, ticket: &str, sink: Box<dyn FrameSink>) -> Option<Guest> {
        if !ticket.starts_with('t') || !self.spent.lock().unwrap().insert(ticket.to_owned()) {
            return None;
        }
        let (frames, received) = mpsc::unbounded_channel();
        let (dropped, seen_dropped) = watch::channel(());
        let end = Arc::new(Notify::new());
        let seen = EnteredGuest { frames: received.into(), end: Arc::clone(&end), dropped: seen_dropped };
        self.entered.send((sink, seen)).ok()?;
        Some(Guest { frames, end, _dropped: dropped })
    }
}

impl EnteredGuest {
    pub(super) async fn next(&self) -> Vec<u8> {
        let mut frames = self.frames.lock().await;
        timeout(PATIENCE, frames.recv()).await.expect("a frame in time").expect("it is here").to_vec()
    }

    pub(super) fn end(&self) {
        self.end.notify_one();
    }

    pub(super) async fn dropped(&self) {
        let mut dropped = self.dropped.clone();
        assert!(timeout(PATIENCE, dropped.changed()).await.expect("a stay ends in time").is_err());
    }
}

impl Realm {
    pub(super) async fn start() -> Realm {
        Realm::under(EndpointConnectionLimits::default()).await
    }

    pub(super) async fn under(caps: EndpointConnectionLimits) -> Realm {
        Realm::over(WebTransport::bind("127.0.0.1:0".parse().unwrap()).unwrap(), caps).await
    }

    pub(super) async fn over(socket: WebTransport, caps: EndpointConnectionLimits) -> Realm {
        let (tls, hash) = certificate();
        let address = socket.local_address().unwrap();
        let counters = Arc::new(MotionTransportCounters::default());
        let (trigger, shutdown) = shutdown::channel();
        let (sender, entered) = mpsc::unbounded_channel();
        let entrance = Tickets { spent: Arc::default(), entered: sender };
        let terms = WebTransportConfig { tls, caps, counters: Arc::clone(&counters) };
        let running = tokio::spawn(socket.run(terms, entrance, shutdown).unwrap());
        Realm { address, counters, hash, entered: entered.into(), trigger, running }
    }

    /// Opens a session as a browser does.
    pub(super) async fn open(&self, path: &str) -> Result<wtransport::Connection, wtransport::error::ConnectingError> {
        let client = self.client();
        client.connect(format!("https://{}{path}", self.address)).await
    }

    pub(super) fn client(&self) -> wtransport::Endpoint<wtransport::endpoint::endpoint_side::Client> {
        let config = wtransport::ClientConfig::builder()
            .with_bind_default()
            .with_server_certificate_hashes([Sha256Digest::new(self.hash)])
            .build();
        wtransport::Endpoint::client(config).unwrap()
    }

    pub(super) async fn enter(
        &self,
        ticket: &str,
    ) -> Result<wtransport::Connection, wtransport::error::ConnectingError> {
        self.open(&format!("/motion?ticket={ticket}")).await
    }

    pub(super) async fn entered(&self) -> (Box<dyn FrameSink>, EnteredGuest) {
        let mut entered = self.entered.lock().await;
        timeout(PATIENCE, entered.recv()).await.expect("somebody comes in in time").unwrap()
    }

    pub(super) async fn end(self) {
        self.trigger.pull();
        timeout(PATIENCE, self.running).await.expect("an endpoint ends in time").unwrap();
    }
}

/// Waits until `holds`; the condition changes on another thread.
pub(super) async fn eventually(what: &str, holds: impl Fn() -> bool) {
    let watching = async {
        while !holds() {
            tokio::task::yield_now().await;
        }
    };
    timeout(PATIENCE, watching).await.unwrap_or_else(|_| panic!("in time: {what}"));
}

fn certificate() -> (Arc<rustls::ServerConfig>, [u8; 32]) {
    let key = rcgen::KeyPair::generate().unwrap();
    let mut params = rcgen::CertificateParams::new(["localhost".to_owned(), "127.0.0.1".to_owned()]).unwrap();
    let now = std::time::SystemTime::now();
    params.not_before = now.into();
    params.not_after = (now + Duration::from_secs(13 * 86_400)).into();
    let certificate = params.self_signed(&key).unwrap();
    let digest = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, certificate.der());
    let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let mut config = rustls::ServerConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&rustls::version::TLS13])
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate.der().clone()], key)
        .unwrap();
    config.alpn_protocols = vec![PROTOCOL.as_bytes().to_vec()];
    (Arc::new(config), digest.as_ref().try_into().unwrap())
}
