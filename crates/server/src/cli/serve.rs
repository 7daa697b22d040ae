//! `stoa serve`.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use stoa_net::shutdown;
use tokio::signal::unix::{SignalKind, signal};
use tokio::time::Instant;
use tracing_subscriber::EnvFilter;

use super::{CommandFailure, layered};
use crate::config::ports::BoundAddresses;
use crate::config::{self, PartialConfig};
use crate::limits;
use crate::os::descriptors;

/// Options of `stoa serve`.
#[derive(Debug, clap::Args)]
pub(super) struct ServeOptions {
    #[command(flatten)]
    settings: PartialConfig,
    /// A TOML file with the same keys
    #[arg(long, env = "STOA_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
    /// Don't open the page in a browser
    #[arg(long)]
    no_open: bool,
}

impl ServeOptions {
    pub(super) async fn run(self) -> Result<(), CommandFailure> {
        log_to_stderr();
        descriptors::raise();
        let mut flags = self.settings;
        flags.open = match std::env::var("STOA_OPEN") {
            _ if self.no_open => Some(false),
            Ok(text) => Some(config::open_from_env(&text)?),
            Err(_) => None,
        };
        let config = layered(flags, self.config.as_ref())?.resolve()?;
        let open = config.open && std::io::stdout().is_terminal();
        let (trigger, shutdown) = shutdown::channel();
        let mut terminate = signal(SignalKind::terminate())?;
        let mut interrupt = signal(SignalKind::interrupt())?;
        let signals = async {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
            tracing::info!("ending");
            trigger.pull();
            // One Ctrl+C arrives twice if a script started the server: from the terminal and from the script. A later
            // signal ends the process without waiting for clients.
            let end_of_first = Instant::now() + limits::ONE_SIGNAL;
            loop {
                tokio::select! {
                    _ = terminate.recv() => {}
                    _ = interrupt.recv() => {}
                }
                if Instant::now() >= end_of_first {
                    break;
                }
            }
        };
        let ready = |ports: &BoundAddresses| {
            if open && let Some(http) = ports.http {
                open_browser(&format!("http://localhost:{}", http.port()));
            }
        };
        tokio::select! {
            ended = crate::serve::run(config, shutdown, ready) => Ok(ended?),
            () = signals => Err(CommandFailure::Usage("ended by a second signal, before all clients were disconnected".to_owned())),
        }
    }
}

fn log_to_stderr() {
    let filter = EnvFilter::try_from_env("STOA_LOG").unwrap_or_else(|_| EnvFilter::new("info"));
    let color = std::io::stderr().is_terminal();
    // It fails where a logger exists already, as in tests.
    let _ = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(color).with_writer(std::io::stderr).try_init();
}

fn open_browser(link: &str) {
    // A machine without a desktop lacks this program, and loses nothing.
    let _ = Command::new("xdg-open").arg(link).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
}
