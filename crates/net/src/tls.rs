//! TLS on accepted sockets.

use std::io;
use std::sync::Arc;

use rustls::ServerConfig;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use crate::limits;

/// Performs the handshake, within [`limits::HANDSHAKE_TIMEOUT`].
///
/// # Errors
/// The handshake failed or timed out. Clients that connect and leave are common, so this is not worth a log line.
pub async fn accept<Io: AsyncRead + AsyncWrite + Unpin>(
    io: Io,
    config: Arc<ServerConfig>,
) -> io::Result<TlsStream<Io>> {
    match timeout(limits::HANDSHAKE_TIMEOUT, TlsAcceptor::from(config).accept(io)).await {
        Ok(accepted) => accepted,
        Err(elapsed) => Err(io::Error::new(io::ErrorKind::TimedOut, elapsed)),
    }
}
