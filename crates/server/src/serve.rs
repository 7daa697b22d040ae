//! Starts the server, runs it and shuts it down.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use stoa_net::connection::MqttConnectionService;
use stoa_net::network_connections::NetworkConnectionLimiter;
use stoa_net::shutdown::ShutdownSignal;
use stoa_state::realm::{Realm, RealmStartParameters};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};

mod banner;
mod chores;
mod endpoints;
mod http;
mod progress;

use endpoints::{BoundEndpoints, EndpointServices};

use crate::app::{App, shared_capacity, slots};
use crate::config::Config;
use crate::config::host_names;
use crate::config::ports::{BoundAddresses, PortsFile};
use crate::files::ContentStore;
use crate::files::check::FileCheckMode;
use crate::identity::accounts;
use crate::identity::accounts::hashing::PasswordHasher;
use crate::identity::signer::TokenSigner;
use crate::identity::tokens::{KeyError, TokenAuthority};
use crate::metrics::Metrics;
use crate::motion::{self, BrowserEndpointAddresses, MotionHandle};
use crate::os::lock::{FolderLock, LockError};
use crate::os::{clock, private_file};
use crate::realm_task::{self, PendingChangeQueue, RealmCommandClient, RealmError};
use crate::scenes::first_scenes;
use crate::scenes::registrar::{self, SceneRegistrar};
use crate::store::{Store, StoreError};
use crate::tls::{RenewableCertificate, ShortLivedCertificates, TlsError};
use crate::{control, limits};
use stoa_net::background::BackgroundThreads;

/// A server that can't start, or failed.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The data folder can't be created or written.
    #[error("cannot use the data folder {path}: {source}")]
    Folder {
        /// The folder or file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// Another program uses the address.
    #[error("{address} is taken by another program; choose another with {flag} PORT or {variable}=PORT, or {flag} off", variable = variable(flag))]
    Taken {
        /// The flag that sets the address.
        flag: &'static str,
        /// The address.
        address: std::net::SocketAddr,
    },
    /// The address can't be bound for another reason.
    #[error("cannot listen on {address} ({flag}): {source}")]
    Bind {
        /// The flag that sets the address.
        flag: &'static str,
        /// The address.
        address: std::net::SocketAddr,
        /// The system's error.
        source: io::Error,
    },
    /// The threads of the motion plane can't be started.
    #[error("cannot start the motion plane: {source}")]
    Motion {
        /// The system's error.
        source: io::Error,
    },
    /// The background threads, which hash passwords and sign tokens, can't be started.
    #[error("cannot start threads for passwords: {source}")]
    Background {
        /// The system's error.
        source: io::Error,
    },
    /// Another server or command uses the folder.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The certificate can't be loaded or made.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// The signing keys can't be loaded or made.
    #[error(transparent)]
    Keys(#[from] KeyError),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The file store failed.
    #[error(transparent)]
    Files(#[from] crate::files::ContentStoreError),
    /// The first owner's link can't be made.
    #[error(transparent)]
    Accounts(#[from] accounts::AccountError),
    /// The realm task failed.
    #[error(transparent)]
    Realm(#[from] RealmError),
    /// The first scenes can't be created.
    #[error(transparent)]
    FirstScenes(#[from] first_scenes::FirstScenesError),
    /// A task of the server ended before the shutdown.
    #[error("{0} ended unexpectedly")]
    PartEnded(&'static str),
}

/// The environment variable of a flag: `STOA_PUBLIC_HOST` for `--public-host`.
fn variable(flag: &str) -> String {
    format!("STOA_{}", flag.trim_start_matches('-').replace('-', "_").to_uppercase())
}

/// Runs a server until `shutdown`. Calls `ready` once it serves.
///
/// # Errors
/// [`ServeError`] if it can't start, or if a task of it fails.
pub async fn run(
    config: Config,
    mut shutdown: ShutdownSignal,
    ready: impl FnOnce(&BoundAddresses),
) -> Result<(), ServeError> {
    let config = Arc::new(config);
    let run_dir = config.run_dir();
    private_file::make_dir(&run_dir).map_err(|source| ServeError::Folder { path: run_dir.clone(), source })?;
    let _lock = FolderLock::take(&config.data)?;
    let opened = OpenedFolder::lay(&config).await?;
    let addresses = NetworkConnectionLimiter::new(config.connections_per_address);
    let mut endpoints = BoundEndpoints::bind(&config, &addresses).await?;
    let ports = endpoints.ports();
    let mut around = JoinSet::new();
    let (sockets, browsers) = (endpoints.take_motion(), opened.browsers(&config, &endpoints));
    let serving = config.motion_serving;
    let plan = |zero| motion::MotionConfig { zero, started_at: clock::unix_now(), sockets, browsers, serving };
    let motion = start_motion(plan, &mut around, shutdown.clone())?;
    let mut core = JoinSet::new();
    let resources = RealmResources {
        files: ContentStore::open(&config.data)?,
        addresses,
        motion,
        defaults: config.motion_defaults,
    };
    let inner = opened.start_realm(&resources, &mut core, shutdown.clone());
    let app = opened.app(&config, ports, resources, inner);

    let epoch = app.store.next_epoch().await?;
    for (name, settings, stored) in app.store.load_scenes().await? {
        app.realm.open_scene(name, epoch, settings, stored).await?;
    }
    let mut kept = app.store.load_broker().await?;
    kept.drop_wills(|jti| app.keys.is_revoked(jti));
    app.realm.restore_broker(kept).await?;
    first_scenes::make_once(&app.store, &app.registrar, &app.realm).await?;
    let OpenedFolder { certificate, short_lived, handshaking, .. } = &opened;
    let context = EndpointServices { app: &app, certificate, handshaking, short_lived, shutdown: &shutdown };
    endpoints.open(&context, &mut around)?;
    let socket = control::listen(&run_dir).map_err(|source| ServeError::Folder { path: run_dir.clone(), source })?;
    around.spawn(named("the control socket", control::serve(socket, app.clone(), shutdown.clone())));
    chores::write_run_token(&app).await?;
    around.spawn(named("the chores", chores::run(app.clone(), opened.certificates(), shutdown.clone())));
    let owner_secret = accounts::owner_link::renew(&app.store).await?;
    let links = banner::BannerLinks::new(&app, owner_secret.as_deref());
    links.write_owner_link(&run_dir).map_err(|source| ServeError::Folder { path: run_dir.clone(), source })?;
    let ports =
        PortsFile::write(&run_dir, &app.ports).map_err(|source| ServeError::Folder { path: run_dir, source })?;
    links.show(&config.run_dir());
    let shown = |port: Option<std::net::SocketAddr>| port.map(tracing::field::display);
    let (http, https, mqtts) = (shown(app.ports.http), shown(app.ports.https), shown(app.ports.mqtts));
    tracing::info!(epoch, http, https, mqtts, "ready");
    ready(&app.ports);

    // Biased: after a shutdown, a task that ends because of it has not ended early.
    let ended_early = tokio::select! {
        biased;
        () = shutdown.wait() => None,
        Some(part) = around.join_next() => Some(part.unwrap_or("a part of the server")),
        Some(part) = core.join_next() => Some(part.unwrap_or("the realm")),
    };
    drop(ports);
    drop(app);
    end(around, core).await;
    ended_early.map_or(Ok(()), |part| Err(ServeError::PartEnded(part)))
}

/// Ends the endpoints, then the realm, which ends once its last handle is dropped, then the store, which ends once
/// all is written.
async fn end(mut around: JoinSet<&'static str>, mut core: JoinSet<&'static str>) {
    let drained = async { while around.join_next().await.is_some() {} };
    if timeout(limits::DRAIN_TIMEOUT, drained).await.is_err() {
        tracing::warn!(parts = around.len(), "connections were cut off: they took too long to end");
    }
    around.shutdown().await;
    while core.join_next().await.is_some() {}
    tracing::info!("ended");
}

/// Starts the threads of the motion plane, and a task that joins them.
fn start_motion(
    plan: impl FnOnce(std::time::Instant) -> motion::MotionConfig,
    around: &mut JoinSet<&'static str>,
    mut shutdown: ShutdownSignal,
) -> Result<(MotionHandle, Instant), ServeError> {
    let zero = Instant::now();
    let (motion, running) = motion::start(plan(zero.into_std())).map_err(|source| ServeError::Motion { source })?;
    around.spawn(named("the motion plane", async move {
        tokio::select! {
            () = shutdown.wait() => {}
            () = running.wait_for_end() => {}
        }
        // The threads send their goodbyes first, which takes at most a tick.
        tokio::task::spawn_blocking(move || drop(running)).await.expect("dropping it does not panic");
    }));
    Ok((motion, zero))
}

async fn named(name: &'static str, part: impl Future<Output = ()>) -> &'static str {
    part.await;
    name
}

/// State that the realm's tasks share with the endpoints.
struct RealmResources {
    files: ContentStore,
    addresses: NetworkConnectionLimiter,
    motion: (MotionHandle, Instant),
    /// Motion settings of scenes without their own.
    defaults: stoa_state::motion::MotionSettings,
}

/// Handles to the realm's tasks.
struct RealmHandles {
    realm: RealmCommandClient,
    registrar: SceneRegistrar,
    intake: MqttConnectionService,
}

/// The opened data folder.
struct OpenedFolder {
    store: Store,
    keys: Arc<TokenAuthority>,
    background: BackgroundThreads,
    /// Parses long JSON.
    parsing: BackgroundThreads,
    /// Computes the server's part of TLS handshakes.
    handshaking: BackgroundThreads,
    certificate: Arc<RenewableCertificate>,
    short_lived: Arc<ShortLivedCertificates>,
    hosts: Arc<[String]>,
    metrics: Arc<Metrics>,
}

impl OpenedFolder {
    async fn lay(config: &Config) -> Result<OpenedFolder, ServeError> {
        let hosts: Arc<[String]> = host_names::host_names(config).into();
        let certificate = RenewableCertificate::load_or_create(&config.data, &hosts, config.public_host.as_deref())?;
        let short_lived = ShortLivedCertificates::load_or_create(&config.data, clock::unix_now())?;
        let keys = Arc::new(TokenAuthority::load_or_create(&config.data)?);
        let store = Store::open(&config.data).await?;
        store.limit_size(config.database_bytes_max);
        for jti in store.revoked_jtis().await? {
            keys.revoke(jti);
        }
        let start = |threads| BackgroundThreads::start(threads).map_err(|source| ServeError::Background { source });
        let background = start(limits::BACKGROUND_THREADS)?;
        let parsing = start(stoa_net::limits::JSON_PARSED_AT_ONCE_MAX)?;
        let handshaking = start(stoa_net::limits::HANDSHAKES_AT_ONCE_MAX)?;
        let metrics = Arc::new(Metrics::new());
        Ok(OpenedFolder { store, keys, background, parsing, handshaking, certificate, short_lived, hosts, metrics })
    }

    fn certificates(&self) -> (Arc<RenewableCertificate>, Arc<ShortLivedCertificates>) {
        (Arc::clone(&self.certificate), Arc::clone(&self.short_lived))
    }

    /// Addresses at which browsers reach the motion plane.
    fn browsers(&self, config: &Config, endpoints: &BoundEndpoints) -> BrowserEndpointAddresses {
        let ports = endpoints.ports();
        let public: Option<std::net::IpAddr> = config.public_host.as_deref().and_then(|host| host.parse().ok());
        BrowserEndpointAddresses {
            webtransport: endpoints.webtransport_address().map(|bound| (bound, Arc::clone(&self.short_lived))),
            https: ports.https,
            http: ports.http,
            public_host: config.public_host.clone(),
            addresses: public.into_iter().chain(host_names::lan_addresses()).collect(),
        }
    }

    fn start_realm(
        &self,
        around: &RealmResources,
        core: &mut JoinSet<&'static str>,
        shutdown: ShutdownSignal,
    ) -> RealmHandles {
        let (motion, zero) = around.motion.clone();
        let start =
            RealmStartParameters { unix_at_zero: clock::unix_now(), seed: rand::random(), motion: around.defaults };
        let (inputs_sender, inputs) = mpsc::channel(limits::INPUTS_QUEUED_MAX);
        let (outcomes_sender, outcomes) = mpsc::channel(limits::OUTCOMES_QUEUED_MAX);
        let (handle, requests) = RealmCommandClient::channel();
        let intake = MqttConnectionService::new(inputs_sender, self.parsing.clone());
        let changes = Arc::new(PendingChangeQueue::default());
        let writing = realm_task::write_changes(self.store.clone(), Arc::clone(&changes), outcomes_sender);
        let parts = realm_task::RealmTaskParts {
            realm: Realm::new(start),
            zero,
            keys: self.keys.clone(),
            accounts: Arc::new(self.store.clone()),
            addresses: around.addresses.clone(),
            unread: intake.unread().clone(),
            metrics: Arc::clone(&self.metrics),
            changes,
            motion,
        };
        let channels = realm_task::RealmChannels { inputs, requests, outcomes, shutdown };
        core.spawn(named("the realm", realm_task::run(parts, channels)));
        core.spawn(named("the store", writing));
        let (registrar, orders) = SceneRegistrar::channel();
        core.spawn(named(
            "the registrar",
            registrar::run(self.store.clone(), around.files.clone(), handle.clone(), orders),
        ));
        RealmHandles { realm: handle, registrar, intake }
    }

    fn app(&self, config: &Arc<Config>, ports: BoundAddresses, around: RealmResources, inner: RealmHandles) -> App {
        let RealmHandles { realm, registrar, intake } = inner;
        App {
            config: Arc::clone(config),
            realm,
            registrar,
            store: self.store.clone(),
            files: around.files,
            motion: around.motion.0,
            checker: FileCheckMode::Child,
            uploads: slots::for_uploads(),
            open_uploads: shared_capacity::of_uploads(),
            open_requests: shared_capacity::of_requests().counting(&self.metrics.http_ended),
            unread_bytes: shared_capacity::of_unread_bytes().counting(&self.metrics.http_ended),
            keys: Arc::clone(&self.keys),
            background: self.background.clone(),
            signer: TokenSigner::new(Arc::clone(&self.keys), self.background.clone()),
            hashing: PasswordHasher::new(self.background.clone()),
            metrics: Arc::clone(&self.metrics),
            attempts: accounts::attempts::SignInFailureLimiter::default(),
            ports,
            hosts: Arc::clone(&self.hosts),
            intake,
        }
    }
}

/// Locks a data folder that no server uses, and opens its store.
///
/// # Errors
/// [`ServeError::Lock`] if a server or another command uses it.
pub async fn open_idle_folder(data_dir: &Path) -> Result<(FolderLock, Store), ServeError> {
    private_file::make_dir(data_dir).map_err(|source| ServeError::Folder { path: data_dir.to_owned(), source })?;
    let lock = FolderLock::take(data_dir)?;
    Ok((lock, Store::open(data_dir).await?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::PartialConfig;

    #[tokio::test]
    async fn the_configured_database_limit_applies_to_the_opened_database() {
        let dir = tempfile::tempdir().unwrap();
        let config = PartialConfig {
            data: Some(dir.path().to_owned()),
            database_mib: Some(limits::DATABASE_MIB_MIN),
            ..PartialConfig::default()
        };
        let opened = OpenedFolder::lay(&config.resolve().unwrap()).await.unwrap();
        assert_eq!(opened.store.database_size().bytes_max, u64::from(limits::DATABASE_MIB_MIN) << 20);
    }
}
