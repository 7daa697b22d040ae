//! Binds all endpoints before anything starts, so that a taken port is reported at once, and opens them when the realm
//! is ready.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use stoa_net::background::BackgroundThreads;
use stoa_net::datagrams::DatagramSocket;
use stoa_net::endpoint::{EndpointConnectionLimits, LimitedTcpListeners};
use stoa_net::network_connections::NetworkConnectionLimiter;
use stoa_net::shutdown::ShutdownSignal;
use stoa_net::tls::HandshakePerformer;
use stoa_net::webtransport::{self, WebTransport};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use super::{ServeError, http, named};
use crate::app::App;
use crate::config::ports::BoundAddresses;
use crate::config::{Config, EndpointListenAddresses};
use crate::http::admin;
use crate::limits;
use crate::motion::{BrowserTicketRedeemer, MotionTransportKind};
use crate::os::descriptors;
use crate::tls::{RenewableCertificate, ShortLivedCertificates};

/// Bound endpoints that don't accept yet.
pub(super) struct BoundEndpoints {
    https: Option<LimitedTcpListeners>,
    http: Option<LimitedTcpListeners>,
    mqtt: Option<LimitedTcpListeners>,
    mqtts: Option<LimitedTcpListeners>,
    admin: Option<LimitedTcpListeners>,
    addresses: NetworkConnectionLimiter,
    webtransport: Option<WebTransport>,
    /// One socket for each thread of the motion plane. Empty if native clients are off.
    motion: Vec<DatagramSocket>,
}

/// The services behind the endpoints.
pub(super) struct EndpointServices<'a> {
    pub(super) app: &'a App,
    pub(super) certificate: &'a Arc<RenewableCertificate>,
    pub(super) handshaking: &'a BackgroundThreads,
    pub(super) short_lived: &'a Arc<ShortLivedCertificates>,
    pub(super) shutdown: &'a ShutdownSignal,
}

impl BoundEndpoints {
    pub(super) async fn bind(
        config: &Config,
        addresses: &NetworkConnectionLimiter,
    ) -> Result<BoundEndpoints, ServeError> {
        let open = [&config.https, &config.http, &config.mqtt, &config.mqtts];
        let open = open.iter().filter(|listener| !listener.addresses.is_empty()).count();
        let (own, shared) = descriptors::connection_counts(open, descriptors::allowed());
        let caps =
            EndpointConnectionLimits { own, shared: Arc::new(Semaphore::new(shared)), addresses: addresses.clone() };
        let few = EndpointConnectionLimits {
            own: limits::ADMIN_CONNECTIONS_MAX,
            shared: Arc::new(Semaphore::new(0)),
            ..caps.clone()
        };
        let https = bind(&config.https, &caps).await?;
        Ok(BoundEndpoints {
            webtransport: bind_webtransport(&config.https, https.as_ref())?,
            https,
            http: bind(&config.http, &caps).await?,
            mqtt: bind(&config.mqtt, &caps).await?,
            mqtts: bind(&config.mqtts, &caps).await?,
            admin: bind(&config.admin, &few).await?,
            addresses: addresses.clone(),
            motion: bind_motion(config)?,
        })
    }

    pub(super) fn ports(&self) -> BoundAddresses {
        let at = |door: &Option<LimitedTcpListeners>| {
            door.as_ref().and_then(LimitedTcpListeners::local_address).map(reachable)
        };
        BoundAddresses {
            https: at(&self.https),
            http: at(&self.http),
            webtransport: self.webtransport_address().map(reachable),
            mqtt: at(&self.mqtt),
            mqtts: at(&self.mqtts),
            motion: self.motion.first().and_then(|socket| socket.local_address().ok()).map(reachable),
            admin: at(&self.admin),
            pid: std::process::id(),
        }
    }

    /// The bound address of WebTransport.
    pub(super) fn webtransport_address(&self) -> Option<SocketAddr> {
        self.webtransport.as_ref()?.local_address().ok()
    }

    /// Takes the sockets of the motion plane, for its threads.
    pub(super) fn take_motion(&mut self) -> Vec<DatagramSocket> {
        std::mem::take(&mut self.motion)
    }

    /// Starts accepting, with a task for each endpoint.
    pub(super) fn open(
        self,
        context: &EndpointServices<'_>,
        tasks: &mut JoinSet<&'static str>,
    ) -> Result<(), ServeError> {
        let EndpointServices { app, certificate, handshaking, short_lived, shutdown } = *context;
        let handshakes = |protocols: &[&str]| {
            let config = certificate.server_config(protocols)?;
            Ok::<_, ServeError>(HandshakePerformer::new(config, handshaking.clone()))
        };
        let counters = app.intake.counters();
        let run = |endpoint: LimitedTcpListeners| (endpoint, Arc::clone(counters), shutdown.clone());
        if let Some((endpoint, counters, ending)) = self.mqtt.map(run) {
            let app = app.clone();
            let serve = move |stream, client| mqtt(app.clone(), stream, client);
            tasks.spawn(named("the MQTT endpoint", endpoint.run(counters, ending, serve)));
        }
        if let Some((endpoint, counters, ending)) = self.mqtts.map(run) {
            let (app, handshakes) = (app.clone(), handshakes(&["mqtt"])?);
            let serve = move |stream, client| mqtts(app.clone(), stream, client, handshakes.clone());
            tasks.spawn(named("the MQTTS endpoint", endpoint.run(counters, ending, serve)));
        }
        if let Some((endpoint, counters, ending)) = self.http.map(run) {
            let service = http::HttpService::new(app, endpoint.local_address(), None, shutdown);
            let serve = move |stream, client| http::serve(service.clone(), stream, client);
            tasks.spawn(named("the HTTP endpoint", endpoint.run(counters, ending, serve)));
        }
        if let Some((endpoint, counters, ending)) = self.https.map(run) {
            let tls = handshakes(&["h2", "http/1.1"])?;
            let service = http::HttpService::new(app, endpoint.local_address(), Some(tls), shutdown);
            let serve = move |stream, client| http::serve(service.clone(), stream, client);
            tasks.spawn(named("the HTTPS endpoint", endpoint.run(counters, ending, serve)));
        }
        if let Some(socket) = self.webtransport {
            let terms = webtransport::WebTransportConfig {
                tls: short_lived.server_config(webtransport::PROTOCOL)?,
                caps: EndpointConnectionLimits { addresses: self.addresses, ..EndpointConnectionLimits::default() },
                counters: Arc::clone(&app.metrics.webtransport),
            };
            let entrance = BrowserTicketRedeemer { motion: app.motion.clone(), by: MotionTransportKind::WebTransport };
            let serving = socket.run(terms, entrance, shutdown.clone());
            tasks.spawn(named("the WebTransport endpoint", serving.map_err(|source| ServeError::Motion { source })?));
        }
        if let Some((endpoint, counters, ending)) = self.admin.map(run) {
            let service = http::HttpService::of(admin::router(app.clone()), app, shutdown);
            let serve = move |stream, client| http::serve(service.clone(), stream, client);
            tasks.spawn(named("the admin endpoint", endpoint.run(counters, ending, serve)));
        }
        Ok(())
    }
}

async fn bind(
    listen: &EndpointListenAddresses,
    caps: &EndpointConnectionLimits,
) -> Result<Option<LimitedTcpListeners>, ServeError> {
    if listen.addresses.is_empty() {
        return Ok(None);
    }
    let flag = listen.flag;
    match LimitedTcpListeners::bind(&listen.addresses).await {
        Ok(endpoint) => Ok(Some(endpoint.under(caps.clone()))),
        Err((address, source)) if source.kind() == io::ErrorKind::AddrInUse => Err(ServeError::Taken { flag, address }),
        Err((address, source)) => Err(ServeError::Bind { flag, address, source }),
    }
}

/// Binds the port number of HTTPS, which firewalls may already allow. If the system chose that number and another
/// program uses it in UDP, any port is bound.
fn bind_webtransport(
    listen: &EndpointListenAddresses,
    https: Option<&LimitedTcpListeners>,
) -> Result<Option<WebTransport>, ServeError> {
    let Some(address) = https.and_then(LimitedTcpListeners::local_address) else { return Ok(None) };
    let is_chosen = listen.addresses.first().is_some_and(|asked| asked.port() == 0);
    let bound = match WebTransport::bind(address) {
        Err(error) if is_chosen && error.kind() == io::ErrorKind::AddrInUse => {
            WebTransport::bind(SocketAddr::new(address.ip(), 0))
        }
        bound => bound,
    };
    match bound {
        Ok(socket) => Ok(Some(socket)),
        Err(source) if source.kind() == io::ErrorKind::AddrInUse => {
            Err(ServeError::Taken { flag: listen.flag, address })
        }
        Err(source) => Err(ServeError::Bind { flag: listen.flag, address, source }),
    }
}

/// Binds consecutive ports, one for each thread. If the system chooses the first, it chooses all.
fn bind_motion(config: &Config) -> Result<Vec<DatagramSocket>, ServeError> {
    let flag = config.motion.flag;
    let Some(&first) = config.motion.addresses.first() else { return Ok(Vec::new()) };
    let mut sockets = Vec::new();
    for number in 0..config.motion_threads {
        let port = first.port().saturating_add(u16::try_from(number).unwrap_or(u16::MAX));
        let address = SocketAddr::new(first.ip(), if first.port() == 0 { 0 } else { port });
        match DatagramSocket::bind(address) {
            Ok(socket) => sockets.push(socket),
            Err(source) if source.kind() == io::ErrorKind::AddrInUse => {
                return Err(ServeError::Taken { flag, address });
            }
            Err(source) => return Err(ServeError::Bind { flag, address, source }),
        }
    }
    Ok(sockets)
}

/// Replaces the unspecified address by loopback, so that a script on this machine can connect.
fn reachable(bound: SocketAddr) -> SocketAddr {
    if bound.ip().is_unspecified() { SocketAddr::from(([127, 0, 0, 1], bound.port())) } else { bound }
}

async fn mqtt(app: App, stream: TcpStream, client: SocketAddr) {
    app.intake.serve(client.ip().into(), stream).await;
}

async fn mqtts(app: App, stream: TcpStream, client: SocketAddr, handshakes: HandshakePerformer) {
    // arena-py 1.6.0 opens and closes a bare connection before its real one, so a failed handshake is not logged.
    match handshakes.accept(stream, client.ip().into()).await {
        Ok(stream) => app.intake.serve(client.ip().into(), stream).await,
        Err(_) => app.intake.counters().handshakes_failed.add(1),
    }
}
