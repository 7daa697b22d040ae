//! TLS on accepted sockets.

use std::io;
use std::sync::Arc;

use rustls::ServerConfig;
use rustls::server::Acceptor;
use stoa_state::network::ClientNetwork;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::timeout;
use tokio_rustls::LazyConfigAcceptor;
use tokio_rustls::server::TlsStream;

use crate::background::{BackgroundThreads, ComputationPayer};
use crate::limits;

/// Performs the handshakes of an endpoint. Clones share the threads.
#[derive(Clone, Debug)]
pub struct HandshakePerformer {
    config: Arc<ServerConfig>,
    threads: BackgroundThreads,
}

impl HandshakePerformer {
    /// Handshakes with this configuration, whose signatures and key exchanges these threads compute.
    pub fn new(config: Arc<ServerConfig>, threads: BackgroundThreads) -> HandshakePerformer {
        HandshakePerformer { config, threads }
    }

    /// Performs a client's handshake, within [`limits::HANDSHAKE_TIMEOUT`]. On a busy core, handshakes delay no
    /// messages, and client networks take turns.
    ///
    /// # Errors
    /// The handshake failed or timed out. Clients that connect and leave are common, so this is not worth a log line.
    pub async fn accept<Io>(&self, io: Io, client: ClientNetwork) -> io::Result<TlsStream<Io>>
    where
        Io: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let handshake = async {
            let hello = LazyConfigAcceptor::new(Acceptor::default(), io).await?;
            let (payer, config) = (ComputationPayer::of(Some(client), "TLS"), Arc::clone(&self.config));
            // Computes the server's answer to the hello. Until the stream is polled, nothing is sent.
            self.threads.run(payer, move || hello.into_stream(config)).await.await
        };
        match timeout(limits::HANDSHAKE_TIMEOUT, handshake).await {
            Ok(accepted) => accepted,
            Err(elapsed) => Err(io::Error::new(io::ErrorKind::TimedOut, elapsed)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};
    use std::sync::mpsc;

    use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer, ServerName};
    use rustls::server::{ClientHello, ResolvesServerCert};
    use rustls::sign::CertifiedKey;
    use rustls::{ClientConfig, RootCertStore};
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};
    use tokio_rustls::TlsConnector;

    use super::*;

    /// Sends the priority of the thread that computes a handshake.
    #[derive(Debug)]
    struct PriorityProbe {
        key: Arc<CertifiedKey>,
        priorities: mpsc::Sender<i32>,
    }

    impl ResolvesServerCert for PriorityProbe {
        fn resolve(&self, _hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
            self.priorities.send(rustix::process::getpriority_process(None).unwrap()).unwrap();
            Some(Arc::clone(&self.key))
        }
    }

    fn here() -> ClientNetwork {
        IpAddr::from(Ipv4Addr::LOCALHOST).into()
    }

    #[tokio::test]
    async fn handshakes_are_computed_at_low_priority_and_then_carry_data() {
        let rcgen::CertifiedKey { cert, signing_key } =
            rcgen::generate_simple_self_signed(["localhost".into()]).unwrap();
        let private = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(signing_key.serialize_der()));
        let provider = rustls::crypto::aws_lc_rs::default_provider();
        let key = Arc::new(CertifiedKey::from_der(vec![cert.der().clone()], private, &provider).unwrap());
        let (priorities, seen) = mpsc::channel();
        let config = ServerConfig::builder()
            .with_no_client_auth()
            .with_cert_resolver(Arc::new(PriorityProbe { key, priorities }));
        let performer = HandshakePerformer::new(Arc::new(config), BackgroundThreads::start(1).unwrap());
        let mut roots = RootCertStore::empty();
        roots.add(cert.der().clone()).unwrap();
        let trusting = ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();

        let (ours, theirs) = duplex(4_096);
        let connector = TlsConnector::from(Arc::new(trusting));
        let (accepted, connected) = tokio::join!(
            performer.accept(ours, here()),
            connector.connect(ServerName::try_from("localhost").unwrap(), theirs),
        );
        let own = rustix::process::getpriority_process(None).unwrap();
        assert!(seen.recv().unwrap() > own, "a larger value is a lower priority");
        let (mut server, mut client) = (accepted.unwrap(), connected.unwrap());
        client.write_all(b"hello").await.unwrap();
        client.flush().await.unwrap();
        let mut received = [0; 5];
        server.read_exact(&mut received).await.unwrap();
        assert_eq!(&received, b"hello");
    }

    #[tokio::test(start_paused = true)]
    async fn a_handshake_without_a_hello_times_out() {
        let config = ServerConfig::builder().with_no_client_auth();
        let config = config.with_cert_resolver(Arc::new(rustls::server::ResolvesServerCertUsingSni::new()));
        let performer = HandshakePerformer::new(Arc::new(config), BackgroundThreads::start(1).unwrap());
        let (ours, _theirs) = duplex(4_096);
        let outcome = performer.accept(ours, here()).await;
        assert_eq!(outcome.unwrap_err().kind(), io::ErrorKind::TimedOut);
    }
}
