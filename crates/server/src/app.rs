//! What every door of the server is given: one value, shared, instead of globals.

use std::sync::Arc;

use crate::config::Config;
use crate::metrics::Metrics;
use crate::ports::Ports;
use crate::realm_task::RealmHandle;
use crate::store::Store;
use crate::tokens::Keys;

/// The running server, as its HTTP routes and its control socket see it.
#[derive(Clone)]
pub struct App {
    /// Flags, environment and file, put together.
    pub config: Arc<Config>,
    /// The realm's task.
    pub realm: RealmHandle,
    /// The data folder's database.
    pub store: Store,
    /// The realm's signing keys.
    pub keys: Arc<Keys>,
    /// Counters behind `/metrics`.
    pub metrics: Arc<Metrics>,
    /// The addresses that are bound.
    pub ports: Ports,
    /// Takes connections that came by WebSocket.
    pub intake: stoa_net::connection::Intake,
}
