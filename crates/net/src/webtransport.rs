//! The motion plane for browsers: frames as WebTransport datagrams, over quinn. The only bidirectional stream is that
//! of the session request; a connection carries one session.
//!
//! One thread, with its own runtime, serves the socket and all connections. All frames of one receiver's tick are
//! handed to its connection before the connection's driver runs, so that they are sent in one call (GSO). A single
//! datagram costs four times as much as one of such a run.

mod accepting;
mod congestion_window;
mod connection_shares;
mod frame_dispatch;
mod session;
mod settings;
#[cfg(test)]
mod tests;

use std::future::Future;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::sync::Arc;

use rustls::ServerConfig;
use tokio::sync::oneshot;

use self::accepting::ConnectionAcceptor;
use crate::address_family::is_family_missing;
use crate::counters::MotionTransportCounters;
use crate::datagrams::{self, ReceiveDropReader};
use crate::endpoint::EndpointConnectionLimits;
use crate::entrance::MotionTicketRedeemer;
use crate::limits;
use crate::shutdown::ShutdownSignal;

/// ALPN protocol of WebTransport.
pub const PROTOCOL: &str = "h3";

/// A bound socket that does not serve yet.
#[derive(Debug)]
pub struct WebTransport {
    socket: UdpSocket,
}

/// Configuration of a WebTransport endpoint.
#[derive(Clone, Debug)]
pub struct WebTransportConfig {
    /// TLS 1.3, for [`PROTOCOL`].
    pub tls: Arc<ServerConfig>,
    /// Connection limits. The shared pool is for TCP and is not used here.
    pub caps: EndpointConnectionLimits,
    /// Counters of the endpoint's connections and frames.
    pub counters: Arc<MotionTransportCounters>,
}

impl WebTransport {
    /// Binds `address`; `[::]` falls back to IPv4 on a machine without IPv6.
    ///
    /// # Errors
    /// `address` can't be bound.
    pub fn bind(address: SocketAddr) -> io::Result<WebTransport> {
        let socket = match datagrams::open(address) {
            Err(error) if is_family_missing(&error) && address.ip().is_unspecified() && address.is_ipv6() => {
                datagrams::open((Ipv4Addr::UNSPECIFIED, address.port()).into())?
            }
            opened => opened?,
        };
        Ok(WebTransport { socket })
    }

    /// The bound address.
    ///
    /// # Errors
    /// The system doesn't report it.
    pub fn local_address(&self) -> io::Result<SocketAddr> {
        self.socket.local_addr()
    }

    /// Starts a thread that admits sessions by `entrance` until `shutdown`, and returns at once. The returned future
    /// resolves when all connections have ended, at most [`limits::CLOSE_TIMEOUT`] after `shutdown`.
    ///
    /// # Errors
    /// The thread, its runtime or the endpoint can't be created.
    pub fn run(
        self,
        terms: WebTransportConfig,
        entrance: impl MotionTicketRedeemer,
        shutdown: ShutdownSignal,
    ) -> io::Result<impl Future<Output = ()> + Send + 'static> {
        let config = settings::server(&terms.tls)?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .event_interval(limits::QUIC_POLLS_AT_ONCE)
            .enable_all()
            .build()?;
        if let Some(overflow) = ReceiveDropReader::of(&self.socket) {
            // Ignored if a socket is set: one `MotionTransportCounters` serves one socket.
            let _ = terms.counters.socket.set(overflow);
        }
        let (over, ended) = oneshot::channel::<()>();
        let endpoint = {
            let _entered = runtime.enter();
            quinn::Endpoint::new(settings::endpoint(), Some(config), self.socket, Arc::new(quinn::TokioRuntime))?
        };
        std::thread::Builder::new().name("webtransport".to_owned()).spawn(move || {
            runtime.block_on(ConnectionAcceptor::new(endpoint, terms).run(entrance, shutdown));
            drop(over);
        })?;
        Ok(async move {
            let _ = ended.await;
        })
    }
}
