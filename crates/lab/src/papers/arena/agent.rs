//! Starts agents: programs that move an object when it is clicked. One is the lab's own, as bare as possible. The
//! others are typical Python programs (`experiments/arena-click`).

use std::fs;
use std::io::BufRead;
use std::net::SocketAddr;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::thread::{JoinHandle, spawn};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::clicker::{clicker, place_packet, read_click};
use super::delay_proxy::{DelayProxy, LinkDelay};
use crate::child::{ChildProgram, bound};
use crate::limits;
use crate::load::connection::{MqttConnection, MqttEndpoint, MqttTransport};
use crate::load::packet;
use crate::load::person::{PersonIdentifiers, SCENE};
use crate::machine::process_time;
use crate::servers::{IssuedTokenScope, MqttServerKind, RunningServer, Testbed};

/// Interval at which the lab's agent checks whether to end.
const LOOK: Duration = Duration::from_millis(100);

/// The program that answers clicks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum AgentImplementation {
    /// A thread of the lab on plain MQTT, which shows the time of the server and the path
    Lab,
    /// Stoa's Python library
    StoaXr,
    /// Unmodified arena-py
    ArenaPy,
}

impl AgentImplementation {
    pub(crate) fn name(self) -> &'static str {
        match self {
            AgentImplementation::Lab => "bare",
            AgentImplementation::StoaXr => "stoa-xr",
            AgentImplementation::ArenaPy => "arena-py",
        }
    }
}

/// The Python interpreters that run agents.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct PythonInterpreters {
    /// Python with Stoa's library
    #[arg(long, value_name = "PROGRAM", default_value = "python3")]
    python: String,
    /// Python with arena-py
    #[arg(long, value_name = "PROGRAM", env = "ARENA_PYTHON")]
    arena_python: Option<String>,
}

impl PythonInterpreters {
    fn program(&self, kind: AgentImplementation) -> Result<&str> {
        match kind {
            AgentImplementation::Lab => bail!("the lab's agent is no Python program"),
            AgentImplementation::StoaXr => Ok(&self.python),
            AgentImplementation::ArenaPy => {
                self.arena_python.as_deref().context("ARENA_PYTHON is not set: see `make lab`")
            }
        }
    }

    /// The version of the lab, of Python for Stoa's library, or of arena-py; or the reason why the agent cannot run.
    pub(crate) fn version(&self, kind: AgentImplementation) -> Result<String> {
        let ask = match kind {
            AgentImplementation::Lab => return Ok(env!("CARGO_PKG_VERSION").to_owned()),
            AgentImplementation::StoaXr => "import stoa, platform; print('on Python', platform.python_version())",
            AgentImplementation::ArenaPy => {
                "import arena, importlib.metadata as known; print(known.version('arena-py'))"
            }
        };
        let program = self.program(kind)?;
        let output =
            Command::new(program).args(["-c", ask]).output().with_context(|| format!("cannot run {program}"))?;
        let errors = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "{program}: {}", errors.lines().last().unwrap_or("it failed"));
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }
}

/// A server, and the distance of agents from it.
pub(crate) struct DistantServer<'a> {
    pub(crate) testbed: &'a Testbed,
    pub(crate) kind: MqttServerKind,
    pub(crate) server: &'a RunningServer,
    /// `None` on the server's own machine.
    pub(crate) distance: Option<LinkDelay>,
}

impl DistantServer<'_> {
    /// The address of a proxy that delays traffic to a server's endpoint, or without a distance the endpoint itself.
    fn proxy(&self, endpoint: SocketAddr) -> Result<(SocketAddr, Option<DelayProxy>)> {
        let Some(distance) = self.distance else { return Ok((endpoint, None)) };
        let proxy = DelayProxy::to(endpoint, distance)?;
        Ok((proxy.address(), Some(proxy)))
    }
}

/// A running agent, stopped on drop.
pub(crate) struct ClickAgent {
    running: AgentHandle,
    /// Dropped after `running`, so that the agent closes the connection and not the proxy.
    _proxy: Option<DelayProxy>,
}

enum AgentHandle {
    Thread { is_ending: Arc<AtomicBool>, thread: Option<JoinHandle<()>> },
    Python(ChildProgram),
}

impl ClickAgent {
    /// Starts the agent and waits until it has published its object.
    pub(crate) fn start(
        kind: AgentImplementation,
        target: &DistantServer<'_>,
        pythons: &PythonInterpreters,
    ) -> Result<ClickAgent> {
        match kind {
            AgentImplementation::Lab => ClickAgent::start_thread(target),
            AgentImplementation::StoaXr | AgentImplementation::ArenaPy => {
                ensure!(target.kind == MqttServerKind::Stoa, "these agents need a realm");
                ClickAgent::start_python(kind, target, pythons)
            }
        }
    }

    fn start_thread(target: &DistantServer<'_>) -> Result<ClickAgent> {
        let MqttEndpoint::Plain(endpoint) = target.server.endpoint(MqttTransport::Tcp)? else {
            bail!("a plain TCP endpoint")
        };
        let (address, proxy) = target.proxy(endpoint)?;
        let name = PersonIdentifiers::of(9_998);
        let token = crate::servers::login(target.kind, target.testbed, IssuedTokenScope::Scene)(&name)?;
        let login = token.as_deref().map(|token| (name.account.as_str(), token));
        // As in the paper, the agent receives the object's events only, not all messages of the scene. The clicker
        // publishes only such events, so the filter has all its messages.
        let clicks = format!("realm/s/{SCENE}/u/{}/+", clicker().user_client);
        let hello = [packet::connect(&name.user_client, login), packet::subscribe(1, &[clicks], 0)];
        let mut connection = MqttConnection::enter(&MqttEndpoint::Plain(address), &hello).context("the agent")?;
        connection.socket().set_nonblocking(false)?;
        connection.socket().set_read_timeout(Some(LOOK))?;
        connection.send(&place_packet(&name, "create", 0.0))?;
        let is_ending = Arc::new(AtomicBool::new(false));
        let ending = Arc::clone(&is_ending);
        let thread = Some(spawn(move || answer(connection, &name, &ending)));
        Ok(ClickAgent { running: AgentHandle::Thread { is_ending, thread }, _proxy: proxy })
    }

    fn start_python(
        kind: AgentImplementation,
        target: &DistantServer<'_>,
        pythons: &PythonInterpreters,
    ) -> Result<ClickAgent> {
        let DistantServer { testbed, server, .. } = target;
        let ports = fs::read_to_string(testbed.folder.path().join("run/ports.json"))?;
        let ports: Value = serde_json::from_str(&ports)?;
        let mqtts = ports["mqtts"].as_str().context("no address for MQTT with TLS")?.parse()?;
        let https = server.secure_address().context("no HTTPS address")?.port();
        let (address, proxy) = target.proxy(mqtts)?;
        let mqtt_port = address.port().to_string();
        let ca = testbed.folder.path().join("tls/ca.pem");
        let token = testbed.token("agent")?;
        let mut command = bound(pythons.program(kind)?);
        if kind == AgentImplementation::StoaXr {
            command.args(["-c", include_str!("../../../../../experiments/arena-click/agent.py")]);
            command.args([&format!("https://localhost:{https}"), &mqtt_port]).arg(ca).env("STOA_TOKEN", token);
        } else {
            command.args(["-c", include_str!("../../../../../experiments/arena-click/agent_arena.py")]);
            command.args([&format!("localhost:{https}"), &mqtt_port]).env("SSL_CERT_FILE", ca);
            command.env("ARENA_USERNAME", "agent").env("ARENA_PASSWORD", token).env("HOME", testbed.folder.path());
        }
        let mut process = ChildProgram::heard(&mut command)?;
        let said = process.take_output()?;
        let agent = ClickAgent { running: AgentHandle::Python(process), _proxy: proxy };
        let (tell, told) = channel();
        // Keeps reading afterwards, so that the agent does not block when it prints.
        spawn(move || {
            for _ in said.lines().map_while(Result::ok).filter(|line| line == "ready") {
                let _ = tell.send(());
            }
        });
        told.recv_timeout(limits::START_TIMEOUT)
            .with_context(|| format!("the agent {kind:?} did not print \"ready\""))?;
        Ok(agent)
    }

    /// Processor time of the agent; zero for the lab's own.
    pub(crate) fn processor_time(&self) -> Duration {
        match &self.running {
            AgentHandle::Thread { .. } => Duration::ZERO,
            AgentHandle::Python(process) => process_time(process.pid()),
        }
    }
}

impl Drop for ClickAgent {
    fn drop(&mut self) {
        if let AgentHandle::Thread { is_ending, thread } = &mut self.running {
            is_ending.store(true, Ordering::Relaxed);
            let _ = thread.take().map(JoinHandle::join);
        }
    }
}

/// Answers clicks as the lab's agent until `is_ending`, or until its connection ends. The clicker then reports
/// unanswered clicks.
fn answer(mut connection: MqttConnection, name: &PersonIdentifiers, is_ending: &AtomicBool) {
    let mut scratch = vec![0; limits::READ_BYTES];
    while !is_ending.load(Ordering::Relaxed) {
        let mut met = Vec::new();
        let open = connection.receive(&mut scratch, |packet| met.extend(read_click(packet)));
        let said: Result<()> = met.into_iter().try_for_each(|x| connection.send(&place_packet(name, "update", x)));
        if !open.unwrap_or(false) || said.is_err() {
            return;
        }
    }
}
