//! Starts the processes of the references: one, or two for the TCP server and the UDP server, which share the table of
//! sessions.

use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, UdpSocket};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde::Serialize;
use stoa_net::datagrams::DatagramSocket;

use super::connections::TcpReferenceServer;
use super::flows;
use super::table::{SessionTableReader, SharedSessionTable};
use crate::child::{self, ChildProgram};
use crate::crowd::sockets::overflowed;
use crate::machine::{process_time, raise_file_limit};

/// A reference server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) struct ReferenceSetup {
    pub(super) kind: FlowTransport,
    pub(super) processes: ProcessCount,
}

/// The carrier of flows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum FlowTransport {
    /// The TCP connections.
    Tcp,
    /// UDP, single datagrams.
    Hybrid,
    /// UDP in vectors: a turn receives at most this many messages, and a call sends at most this many datagrams (64
    /// at most).
    Vectors(usize),
}

/// The number of processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ProcessCount {
    One,
    /// A TCP server and a UDP server for all flows, with the table in shared memory. The paper has a UDP server for
    /// each flow.
    Two,
}

/// A process of a reference, started from this program.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct ReferenceProcessOptions {
    /// Connections, flows or both
    #[arg(long, value_enum)]
    part: ReferenceProcessRole,
    /// File of the session table, if another process shares it
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// Datagrams in a vector; 0 sends single datagrams without the datapath
    #[arg(long, default_value_t = 0)]
    batch: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum ReferenceProcessRole {
    Connections,
    Flows,
    Both,
}

/// Prints its addresses, one a line, then serves until killed.
pub(crate) fn serve(options: &ReferenceProcessOptions) -> Result<()> {
    raise_file_limit();
    let table = match &options.table {
        Some(path) => SharedSessionTable::in_file(path)?,
        None => SharedSessionTable::in_memory(),
    };
    let carrying = match options.part {
        ReferenceProcessRole::Connections => None,
        ReferenceProcessRole::Flows | ReferenceProcessRole::Both => {
            Some(carry(options.batch, SessionTableReader::new(table.clone()))?)
        }
    };
    if options.part == ReferenceProcessRole::Flows {
        return carrying
            .context("it was started")?
            .join()
            .map_err(|_| anyhow::anyhow!("the flows' thread panicked"))?;
    }
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    say_address(listener.local_addr()?)?;
    TcpReferenceServer::new(listener, table)?.serve()
}

/// Opens the flows' socket, prints its address, and serves it on its own thread.
fn carry(batch: usize, view: SessionTableReader) -> Result<thread::JoinHandle<Result<()>>> {
    let any = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    if batch == 0 {
        let socket = UdpSocket::bind(any)?;
        say_address(socket.local_addr()?)?;
        return Ok(thread::spawn(move || flows::serve_sequentially(&socket, view)));
    }
    let datagrams = DatagramSocket::bind(any)?.with_batch(batch);
    say_address(datagrams.local_address()?)?;
    Ok(thread::spawn(move || flows::serve_in_vectors(datagrams, view)))
}

fn say_address(address: SocketAddr) -> Result<()> {
    println!("{address}");
    Ok(std::io::stdout().flush()?)
}

/// A running server that forwards flows.
pub(super) trait FlowServer {
    /// Its processor time.
    fn time(&self) -> Duration;

    /// Datagrams that overflowed its UDP sockets.
    fn overflowed(&self) -> u64;
}

/// A running reference, killed on drop.
pub(super) struct RunningReference {
    processes: Vec<ChildProgram>,
    /// The address of the connections.
    pub(super) connections: SocketAddr,
    /// The address of the flows, if UDP carries them.
    pub(super) flows: Option<SocketAddr>,
    /// The folder of the table.
    _folder: Option<tempfile::TempDir>,
}

impl ReferenceSetup {
    pub(super) fn start(self) -> Result<RunningReference> {
        let batch = match self.kind {
            FlowTransport::Tcp => return RunningReference::start(&[("connections", 0)], None),
            FlowTransport::Hybrid => 0,
            FlowTransport::Vectors(0) => bail!("a vector of nothing"),
            FlowTransport::Vectors(batch) => batch,
        };
        match self.processes {
            ProcessCount::One => RunningReference::start(&[("both", batch)], None),
            ProcessCount::Two => {
                // The folder is in memory, independent of TMPDIR.
                let folder = tempfile::Builder::new().prefix("stoa-lab-").tempdir_in("/dev/shm")?;
                RunningReference::start(&[("flows", batch), ("connections", 0)], Some(folder))
            }
        }
    }

    /// The name in plots and tables.
    pub(super) fn name(self) -> String {
        let processes = if self.processes == ProcessCount::Two { ", 2 processes" } else { "" };
        match self.kind {
            FlowTransport::Tcp => "TCP".to_owned(),
            FlowTransport::Hybrid => format!("hybrid{processes}"),
            FlowTransport::Vectors(batch) => format!("vectors of {batch}{processes}"),
        }
    }
}

impl RunningReference {
    fn start(parts: &[(&str, usize)], folder: Option<tempfile::TempDir>) -> Result<RunningReference> {
        let table = folder.as_ref().map(|folder| folder.path().join("sessions"));
        let mut running = RunningReference {
            processes: Vec::new(),
            connections: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            flows: None,
            _folder: folder,
        };
        for &(part, batch) in parts {
            let (process, addresses) = start(part, batch, table.as_deref())?;
            running.processes.push(process);
            for (address, is_flows) in addresses {
                if is_flows { running.flows = Some(address) } else { running.connections = address }
            }
        }
        Ok(running)
    }

    /// A reference that the caller runs.
    #[cfg(test)]
    pub(super) fn at(connections: SocketAddr, flows: Option<SocketAddr>) -> RunningReference {
        RunningReference { processes: Vec::new(), connections, flows, _folder: None }
    }
}

impl FlowServer for RunningReference {
    fn time(&self) -> Duration {
        self.processes.iter().map(|process| process_time(process.pid())).sum()
    }

    fn overflowed(&self) -> u64 {
        self.flows.map_or(0, |address| overflowed(address.port()))
    }
}

/// Starts a process on the server's core. Returns its addresses, each with a flag for the flows.
fn start(part: &str, batch: usize, table: Option<&Path>) -> Result<(ChildProgram, Vec<(SocketAddr, bool)>)> {
    let mut command = child::part("vhct-part")?;
    command.args(["--part", part, "--batch", &batch.to_string()]);
    if let Some(table) = table {
        command.arg("--table").arg(table);
    }
    let mut process = ChildProgram::server(&mut command)?;
    let expected: &[bool] = match part {
        "flows" => &[true],
        "connections" => &[false],
        _ => &[true, false],
    };
    let mut addresses = Vec::new();
    for &is_flows in expected {
        addresses.push((process.line()?.parse().context("a part's address")?, is_flows));
    }
    Ok((process, addresses))
}
