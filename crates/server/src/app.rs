//! What every door of the server is given: one value, shared, instead of globals.

pub(crate) mod slots;

use std::net::IpAddr;
use std::sync::Arc;

use stoa_net::connection::ConnectionIntake;

use self::slots::Places;
use crate::config::host_names::{base_url, lan_addresses};
use crate::config::ports::Ports;
use crate::config::{Config, is_loopback};
use crate::files::Files;
use crate::files::check::Checker;
use crate::identity::accounts::attempts::Attempts;
use crate::identity::tokens::Keys;
use crate::metrics::Metrics;
use crate::motion::MotionHandle;
use crate::realm_task::RealmHandle;
use crate::scenes::registrar::Registrar;
use crate::store::Store;

/// The running server, as its HTTP routes and its control socket see it.
#[derive(Clone)]
pub(crate) struct App {
    /// Flags, environment and file, put together.
    pub config: Arc<Config>,
    /// The realm's task.
    pub realm: RealmHandle,
    /// Makes, changes and removes scenes.
    pub registrar: Registrar,
    /// The motion plane.
    pub motion: MotionHandle,
    /// The data folder's database.
    pub store: Store,
    /// The data folder's files.
    pub files: Files,
    /// Who looks at uploads before they are kept.
    pub checker: Checker,
    /// Slots for uploads under way.
    pub uploads: Arc<Places<String>>,
    /// The realm's signing keys.
    pub keys: Arc<Keys>,
    /// Counters behind `/metrics`.
    pub metrics: Arc<Metrics>,
    /// Failed sign-ins, so that guessing is slow.
    pub attempts: Attempts,
    /// The addresses that are bound.
    pub ports: Ports,
    /// Names and addresses that the certificate holds.
    pub hosts: Arc<[String]>,
    /// Takes connections that speak MQTT.
    pub intake: ConnectionIntake,
}

impl App {
    /// Where others on this network reach the pages; none where HTTPS listens to this machine alone, or nothing leads out of it.
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
