//! What every door of the server is given: one value, shared, instead of globals.

use std::sync::Arc;

use stoa_net::connection::Intake;

use crate::accounts::attempts::Attempts;
use crate::config::Config;
use crate::files::Files;
use crate::http::Places;
use crate::metrics::Metrics;
use crate::ports::Ports;
use crate::realm_task::RealmHandle;
use crate::registrar::Registrar;
use crate::store::Store;
use crate::tokens::Keys;

/// The running server, as its HTTP routes and its control socket see it.
#[derive(Clone)]
pub struct App {
    /// Flags, environment and file, put together.
    pub config: Arc<Config>,
    /// The realm's task.
    pub realm: RealmHandle,
    /// Makes, changes and removes scenes.
    pub registrar: Registrar,
    /// The data folder's database.
    pub store: Store,
    /// The data folder's files.
    pub files: Files,
    /// Places for uploads under way.
    pub uploads: Places,
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
    pub intake: Intake,
}
