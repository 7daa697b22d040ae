//! Starts the servers under test: Stoa, the references, and the floor. Each is a process on the server's core, killed
//! when its value is dropped.

pub(crate) mod bare;
pub(crate) mod livekit;
pub(crate) mod minimal;
mod mosquitto;
pub(crate) mod motion;
mod nats;
pub(crate) mod relay;
mod stoa;

use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rustls::ClientConfig;
use serde::Serialize;

use crate::child::ChildProgram;
use crate::limits;
use crate::load::connection::{MqttEndpoint, MqttTransport};
use crate::load::person::{PersonIdentifiers, SCENE};
use crate::machine::on_core;

pub(crate) use stoa::{IssuedTokenScope, RealmFolder, start_in, start_outside};

/// A server that speaks MQTT.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum MqttServerKind {
    /// This project's release binary, with a token for each client.
    Stoa,
    /// Eclipse Mosquitto.
    Mosquitto,
    /// The NATS server in its MQTT mode.
    #[value(alias = "nats-server")]
    Nats,
    /// A server that only writes to each socket once per wake-up.
    Floor,
}

impl MqttServerKind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            MqttServerKind::Stoa => "stoa",
            MqttServerKind::Mosquitto => "mosquitto",
            MqttServerKind::Nats => "nats-server",
            MqttServerKind::Floor => "floor",
        }
    }

    /// The server's version, or the reason why it cannot run.
    pub(crate) fn version(self, testbed: &Testbed) -> Result<String> {
        match self {
            MqttServerKind::Stoa => version_of(&testbed.stoa.to_string_lossy(), "--version", 1),
            // `mosquitto -h` exits with 3 and prints its version first.
            MqttServerKind::Mosquitto => version_of("mosquitto", "-h", 2),
            MqttServerKind::Nats => version_of("nats-server", "--version", 1),
            MqttServerKind::Floor => Ok(env!("CARGO_PKG_VERSION").to_owned()),
        }
    }

    /// The reason why the server is not measured over a transport.
    pub(crate) fn lacks(self, transport: MqttTransport) -> Option<&'static str> {
        match (self, transport) {
            (MqttServerKind::Nats, MqttTransport::Wss) => {
                Some("its MQTT over WebSocket needs another listener, which is not configured here")
            }
            (MqttServerKind::Floor, MqttTransport::Wss) => Some("it supports plain TCP only"),
            _ => None,
        }
    }

    /// Starts the server on its core and waits until it accepts connections.
    pub(crate) fn start(self, testbed: &Testbed) -> Result<RunningServer> {
        match self {
            MqttServerKind::Stoa => stoa::start(testbed),
            MqttServerKind::Mosquitto => mosquitto::start(testbed),
            MqttServerKind::Nats => nats::start(testbed),
            MqttServerKind::Floor => minimal::start(),
        }
    }
}

pub(crate) fn version_of(program: &str, flag: &str, word: usize) -> Result<String> {
    let output = Command::new(program).arg(flag).output().with_context(|| format!("cannot run {program}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(text.split_whitespace().nth(word).unwrap_or("unknown").trim_start_matches('v').to_owned())
}

/// The path of the release binary, and a data folder with the realm's keys and certificate, which all servers started
/// with this testbed share.
pub(crate) struct Testbed {
    pub(crate) stoa: PathBuf,
    pub(crate) folder: RealmFolder,
}

impl Testbed {
    pub(crate) fn new(stoa: PathBuf) -> Result<Testbed> {
        Ok(Testbed { stoa, folder: RealmFolder::new()? })
    }

    /// A token for a program in the scene, issued by `stoa token`. The realm must have run once.
    pub(crate) fn token(&self, user: &str) -> Result<String> {
        let mut command = Command::new(&self.stoa);
        command.args(["token", "--user", user, "--scene", SCENE, "--role", "editor", "--data"]).arg(self.folder.path());
        let output = command.output().with_context(|| format!("{} does not start", self.stoa.display()))?;
        let errors = String::from_utf8_lossy(&output.stderr);
        anyhow::ensure!(output.status.success(), "stoa token: {}", errors.trim());
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }
}

/// A running server, killed on drop.
pub(crate) struct RunningServer {
    process: ChildProgram,
    plain: SocketAddr,
    secure: Option<(SocketAddr, &'static str)>,
    /// Plain HTTP, if the server has it.
    http: Option<SocketAddr>,
    /// The address of the server's metrics.
    admin: Option<SocketAddr>,
    config: Option<Arc<ClientConfig>>,
    /// Files that the server needs while it runs.
    _folder: Option<tempfile::TempDir>,
}

impl RunningServer {
    pub(crate) fn pid(&self) -> u32 {
        self.process.pid()
    }

    pub(crate) fn endpoint(&self, transport: MqttTransport) -> Result<MqttEndpoint> {
        match (transport, self.secure, &self.config) {
            (MqttTransport::Tcp, ..) => Ok(MqttEndpoint::Plain(self.plain)),
            (MqttTransport::Wss, Some((address, path)), Some(config)) => {
                Ok(MqttEndpoint::Secure { address, path, config: Arc::clone(config) })
            }
            _ => bail!("this server has no secure WebSocket here"),
        }
    }

    pub(crate) fn port(&self) -> u16 {
        self.plain.port()
    }

    pub(crate) fn http(&self) -> Result<SocketAddr> {
        self.http.context("this server has no HTTP address")
    }

    /// The address of TLS over TCP, and of QUIC under the same port.
    pub(crate) fn secure_address(&self) -> Option<SocketAddr> {
        self.secure.map(|(address, _)| address)
    }

    pub(crate) fn admin(&self) -> Result<SocketAddr> {
        self.admin.context("this server has no admin address")
    }

    /// Kills the server, as a crash would.
    pub(crate) fn kill(&mut self) {
        self.process.kill();
    }
}

/// Passwords for a kind: tokens for Stoa, none for the references.
pub(crate) fn login(
    kind: MqttServerKind,
    testbed: &Testbed,
    rights: IssuedTokenScope,
) -> impl Fn(&PersonIdentifiers) -> Result<Option<String>> + '_ {
    move |name| if kind == MqttServerKind::Stoa { testbed.folder.token(name, rights).map(Some) } else { Ok(None) }
}

fn spawn(command: &mut Command) -> Result<ChildProgram> {
    on_core(limits::SERVER_CPU, || ChildProgram::silent(command))
}

/// A port that is free at the moment.
fn free_port() -> Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

/// Waits until `look` returns a value. Returns an error if the server exits, or after [`limits::START_TIMEOUT`].
fn await_start<T>(process: &mut ChildProgram, mut look: impl FnMut() -> Option<T>) -> Result<T> {
    let began = Instant::now();
    while began.elapsed() < limits::START_TIMEOUT {
        if let Some(found) = look() {
            return Ok(found);
        }
        if let Some(status) = process.ended()? {
            bail!("the server ended at its start: {status}");
        }
        sleep(Duration::from_millis(20));
    }
    bail!("the server did not start in {:?}", limits::START_TIMEOUT)
}

fn accepts(address: SocketAddr) -> Option<()> {
    TcpStream::connect(address).ok().map(drop)
}
