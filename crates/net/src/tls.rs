//! TLS on accepted sockets.

use std::io;
use std::sync::Arc;

use rustls::ServerConfig;
use stoa_state::network::ClientNetwork;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
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
    /// Handshakes with this configuration, computed by these threads.
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
        let payer = ComputationPayer::of(Some(client), "TLS");
        let handshake = self.threads.drive(payer, TlsAcceptor::from(Arc::clone(&self.config)).accept(io));
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

    use rustls::crypto::{CryptoProvider, SupportedKxGroup, aws_lc_rs};
    use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer, ServerName};
    use rustls::server::{ClientHello, ResolvesServerCert};
    use rustls::sign::CertifiedKey;
    use rustls::{ClientConfig, RootCertStore};
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};
    use tokio_rustls::TlsConnector;

    use super::*;

    /// Sends the priority of the thread that chooses a certificate, and signs with it next.
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

    /// Performs a handshake with a server of these key exchange groups, and passes a message. Returns the priorities of
    /// the threads that answered the client's hellos.
    async fn priorities_of_a_handshake(groups: Vec<&'static dyn SupportedKxGroup>) -> Vec<i32> {
        let rcgen::CertifiedKey { cert, signing_key } =
            rcgen::generate_simple_self_signed(["localhost".into()]).unwrap();
        let private = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(signing_key.serialize_der()));
        let provider = CryptoProvider { kx_groups: groups, ..aws_lc_rs::default_provider() };
        let key = Arc::new(CertifiedKey::from_der(vec![cert.der().clone()], private, &provider).unwrap());
        let (priorities, seen) = mpsc::channel();
        let config = ServerConfig::builder_with_provider(Arc::new(provider))
            .with_safe_default_protocol_versions()
            .unwrap()
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
        let (mut server, mut client) = (accepted.unwrap(), connected.unwrap());
        client.write_all(b"hello").await.unwrap();
        client.flush().await.unwrap();
        let mut received = [0; 5];
        server.read_exact(&mut received).await.unwrap();
        assert_eq!(&received, b"hello");
        seen.try_iter().collect()
    }

    #[tokio::test]
    async fn handshakes_are_computed_at_low_priority_also_after_a_retry() {
        let own = rustix::process::getpriority_process(None).unwrap();
        let is_low = |priority: &i32| *priority > own;
        let direct = priorities_of_a_handshake(aws_lc_rs::default_provider().kx_groups).await;
        assert!(direct.len() == 1 && direct.iter().all(is_low), "a larger value is a lower priority: {direct:?}");
        let retried = priorities_of_a_handshake(vec![aws_lc_rs::kx_group::SECP384R1]).await;
        assert!(
            retried.len() == 2 && retried.iter().all(is_low),
            "two hellos, of which the first has no share: {retried:?}"
        );
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
