//! The shared state of the server's endpoints: one value instead of globals.

pub(crate) mod request_abort;
pub(crate) mod shared_capacity;
pub(crate) mod slots;

use std::net::IpAddr;
use std::sync::Arc;

use stoa_net::connection::MqttConnectionService;

use self::shared_capacity::FairCapacityLimiter;
use self::slots::RequestSlots;
use crate::config::host_names::{base_url, lan_addresses};
use crate::config::ports::BoundAddresses;
use crate::config::{Config, is_loopback};
use crate::files::ContentStore;
use crate::files::check::FileCheckMode;
use crate::identity::accounts::attempts::SignInFailureLimiter;
use crate::identity::accounts::hashing::PasswordHasher;
use crate::identity::signer::TokenSigner;
use crate::identity::tokens::TokenAuthority;
use crate::metrics::Metrics;
use crate::motion::MotionHandle;
use crate::realm_task::RealmCommandClient;
use crate::scenes::registrar::SceneRegistrar;
use crate::store::Store;
use stoa_net::background::BackgroundThreads;

/// The running server as seen by its HTTP routes and its control socket.
#[derive(Clone)]
pub(crate) struct App {
    /// The configuration from flags, environment and file.
    pub config: Arc<Config>,
    /// A handle to the realm's task.
    pub realm: RealmCommandClient,
    /// Creates, changes and removes scenes.
    pub registrar: SceneRegistrar,
    /// A handle to the motion plane.
    pub motion: MotionHandle,
    /// The data folder's database.
    pub store: Store,
    /// The data folder's files.
    pub files: ContentStore,
    /// Checks uploads before they are kept.
    pub checker: FileCheckMode,
    /// Slots for concurrent uploads, imports and copies.
    pub uploads: Arc<RequestSlots>,
    /// Uploads, imports and copies in progress, by address.
    pub open_uploads: FairCapacityLimiter,
    /// HTTP requests in progress.
    pub open_requests: FairCapacityLimiter,
    /// Bytes of snapshots that wait for their readers.
    pub unread_bytes: FairCapacityLimiter,
    /// The realm's signing keys.
    pub keys: Arc<TokenAuthority>,
    /// Threads for the computations of requests.
    pub background: BackgroundThreads,
    /// Signs tokens for requests.
    pub signer: TokenSigner,
    /// Hashes passwords.
    pub hashing: PasswordHasher,
    /// Counters behind `/metrics`.
    pub metrics: Arc<Metrics>,
    /// Failed sign-ins, to slow down guessing.
    pub attempts: SignInFailureLimiter,
    /// The bound ports.
    pub ports: BoundAddresses,
    /// Names and addresses in the certificate.
    pub hosts: Arc<[String]>,
    /// Accepts MQTT connections.
    pub intake: MqttConnectionService,
}

impl App {
    /// The URL of the pages for other devices on this network. `None` if HTTPS is off or listens on loopback only, or
    /// if the machine has neither a `--public-host` nor a private address.
    pub(crate) fn network_address(&self) -> Option<String> {
        let https = self.ports.https?;
        if self.config.https.addresses.iter().all(|address| is_loopback(*address)) {
            return None;
        }
        let bracketed = |ip: &IpAddr| if ip.is_ipv6() { format!("[{ip}]") } else { ip.to_string() };
        let host = self.config.public_host.clone().or_else(|| lan_addresses().first().map(bracketed))?;
        Some(base_url("https", &host, https.port()))
    }
}
