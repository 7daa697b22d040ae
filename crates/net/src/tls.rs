//! TLS on accepted sockets.

use std::io;
use std::sync::Arc;

use rustls::ServerConfig;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use crate::limits;

/// Makes the handshake, within [`limits::HANDSHAKE_TIMEOUT`].
///
/// # Errors
/// What the client did wrong; a client that connects and leaves is one of these, and nothing to tell anybody.
pub async fn accept<Io: AsyncRead + AsyncWrite + Unpin>(
    io: Io,
    config: Arc<ServerConfig>,
) -> io::Result<TlsStream<Io>> {
    match timeout(limits::HANDSHAKE_TIMEOUT, TlsAcceptor::from(config).accept(io)).await {
        Ok(accepted) => accepted,
        Err(elapsed) => Err(io::Error::new(io::ErrorKind::TimedOut, elapsed)),
    }
}
