//! Measures the memory of idle connections. Figure `idle_connection_kib`; secure WebSockets are reported separately.

use std::thread::sleep;
use std::time::Duration;

use anyhow::Result;
use serde_json::json;

use crate::environment::ExperimentContext;
use crate::load::connection::MqttTransport;
use crate::load::swarm::MqttSwarm;
use crate::machine::resident_kib;
use crate::report::{Figure, Report};
use crate::servers::{IssuedTokenScope, MqttServerKind, Testbed, login};

/// The figures of the report.
pub(crate) const FIGURES: &[&str] = &["idle_connection_kib", "idle_connection_kib_wss"];

/// Options of the idle-connections experiment.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Options {
    /// Number of plain TCP connections
    #[arg(long, default_value_t = 10_000)]
    connections: usize,
    /// Number of secure WebSockets
    #[arg(long, default_value_t = 2_000)]
    secure: usize,
}

/// The time for allocators and tasks to settle.
const REST: Duration = Duration::from_secs(3);

pub(crate) fn run(options: &Options, setting: &ExperimentContext) -> Result<Report> {
    let mut report = Report::new("idle", json!({ "connections": options.connections, "secure": options.secure }));
    let testbed = Testbed::new(setting.stoa()?)?;
    let plain = each_kib(&testbed, MqttTransport::Tcp, options.connections)?;
    report.figure("idle_connection_kib", Figure::new(plain, "KiB").held_to("<", 24.0, "value"));
    let secure = each_kib(&testbed, MqttTransport::Wss, options.secure)?;
    report.figure("idle_connection_kib_wss", Figure::new(secure, "KiB"));
    Ok(report.finish())
}

/// Resident memory that each connection adds, in KiB. Each logs in, subscribes to its scene and then sends nothing.
fn each_kib(testbed: &Testbed, transport: MqttTransport, connections: usize) -> Result<f64> {
    let server = MqttServerKind::Stoa.start(testbed)?;
    let before = resident_kib(server.pid())?;
    let swarm = MqttSwarm::enter(
        connections,
        &server.endpoint(transport)?,
        &login(MqttServerKind::Stoa, testbed, IssuedTokenScope::Scene),
    )?;
    sleep(REST);
    let after = resident_kib(server.pid())?;
    eprintln!("{transport:?}: {before} KiB before, {after} KiB with {connections} connections");
    drop(swarm);
    Ok((after - before) / connections.max(1) as f64)
}
