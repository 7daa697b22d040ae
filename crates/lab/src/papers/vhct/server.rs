//! The references' processes: all in one, or the TCP server and the UDP server in two that share the sessions' table.

use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, UdpSocket};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde::Serialize;
use stoa_net::datagrams::DatagramSocket;

use super::connections::Connections;
use super::flows;
use super::table::{Table, View};
use crate::child::{self, Started};
use crate::crowd::sockets::overflowed;
use crate::machine::{process_time, raise_file_limit};

/// Which reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Reference {
    pub(super) kind: Kind,
    pub(super) processes: Processes,
}

/// How flows are carried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    /// By the connections.
    Tcp,
    /// By UDP, one datagram after the other.
    Hybrid,
    /// By UDP in vectors of so many datagrams.
    Vectors(usize),
}

/// In how many processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Processes {
    One,
    /// As the paper has it: the TCP server and the UDP server, with the table in shared memory.
    Two,
}

/// A part of a reference that this program starts as a process of its own.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct PartOptions {
    /// Connections, flows or both
    #[arg(long, value_enum)]
    part: Part,
    /// The sessions' table, where another process shares it
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// Datagrams in a vector; 0: one after the other, without the datapath
    #[arg(long, default_value_t = 0)]
    batch: usize,
}

/// What a process does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    Connections,
    Flows,
    Both,
}

/// Serves until it is killed; prints its addresses first, each in a line.
pub(crate) fn serve(options: &PartOptions) -> Result<()> {
    raise_file_limit();
    let table = match &options.table {
        Some(path) => Table::in_file(path)?,
        None => Table::in_memory(),
    };
    let carrying = match options.part {
        Part::Connections => None,
        Part::Flows | Part::Both => Some(carry(options.batch, View::new(table.clone()))?),
    };
    if options.part == Part::Flows {
        return carrying
            .context("it was started")?
            .join()
            .map_err(|_| anyhow::anyhow!("the flows' thread panicked"))?;
    }
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    say_address(listener.local_addr()?)?;
    Connections::new(listener, table)?.serve()
}

/// Opens the flows' socket, says where it is, and serves it on a thread of its own.
fn carry(batch: usize, view: View) -> Result<thread::JoinHandle<Result<()>>> {
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

/// A reference that runs until this is dropped.
pub(super) struct Running {
    processes: Vec<Started>,
    /// Where the connections are.
    pub(super) connections: SocketAddr,
    /// Where the flows are, if not there.
    pub(super) flows: Option<SocketAddr>,
    /// The table's.
    _folder: Option<tempfile::TempDir>,
}

impl Reference {
    pub(super) fn start(self) -> Result<Running> {
        let batch = match self.kind {
            Kind::Tcp => return Running::start(&[("connections", 0)], None),
            Kind::Hybrid => 0,
            Kind::Vectors(0) => bail!("a vector of nothing"),
            Kind::Vectors(batch) => batch,
        };
        match self.processes {
            Processes::One => Running::start(&[("both", batch)], None),
            Processes::Two => {
                // Memory, whatever TMPDIR says.
                let folder = tempfile::Builder::new().prefix("stoa-lab-").tempdir_in("/dev/shm")?;
                Running::start(&[("flows", batch), ("connections", 0)], Some(folder))
            }
        }
    }

    /// As plots and tables call it.
    pub(super) fn name(self) -> String {
        let processes = if self.processes == Processes::Two { ", 2 processes" } else { "" };
        match self.kind {
            Kind::Tcp => "TCP".to_owned(),
            Kind::Hybrid => format!("hybrid{processes}"),
            Kind::Vectors(batch) => format!("vectors of {batch}{processes}"),
        }
    }
}

impl Running {
    fn start(parts: &[(&str, usize)], folder: Option<tempfile::TempDir>) -> Result<Running> {
        let table = folder.as_ref().map(|folder| folder.path().join("sessions"));
        let mut running = Running {
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

    /// One that somebody else runs.
    #[cfg(test)]
    pub(super) fn at(connections: SocketAddr, flows: Option<SocketAddr>) -> Running {
        Running { processes: Vec::new(), connections, flows, _folder: None }
    }

    /// Processor time of all its processes.
    pub(super) fn time(&self) -> Duration {
        self.processes.iter().map(|process| process_time(process.pid())).sum()
    }

    /// What its UDP socket had no room for.
    pub(super) fn overflowed(&self) -> u64 {
        self.flows.map_or(0, |address| overflowed(address.port()))
    }
}

/// Starts a process on the server's core; its addresses, and whether each is the flows'.
fn start(part: &str, batch: usize, table: Option<&Path>) -> Result<(Started, Vec<(SocketAddr, bool)>)> {
    let mut command = child::part("vhct-part")?;
    command.args(["--part", part, "--batch", &batch.to_string()]);
    if let Some(table) = table {
        command.arg("--table").arg(table);
    }
    let mut process = Started::server(&mut command)?;
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
