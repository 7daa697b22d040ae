//! Runs the paper's servers (sections 3.1, 4.1, 4.2), each in its best form on today's kernel, and one of our own by
//! epoll. Each has a process on the server's core. All write at once (no Nagle), and one client's output of a wake-up
//! is sent in one write or in as few datagrams as possible.

mod ack_latency;
mod epoll;
mod select;
mod threads;
mod udp;

use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread;

use anyhow::{Context, Result};
use serde_json::json;
use stoa_net::datagrams::DatagramSocket;

pub(crate) use self::ack_latency::{AckLatencySummary, ServerAckLatencyRecorder};
use super::exchange::{AckForwardingPolicy, ClientGroupLayout, SingleThreadedForwarder};
use crate::child::{ChildProgram, part};
use crate::machine::raise_file_limit;

/// A reference: a rebuilt server of the paper, or our own by epoll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, clap::ValueEnum, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum PaperServerKind {
    /// TCP, two threads for each client (Fig 3).
    Tcp,
    /// TCP, one thread for each group, which waits for all of its clients (section 4.1).
    Select,
    /// TCP, one thread for all clients by epoll. Our own column: today's kernel interface for the same work.
    Epoll,
    /// UDP, one thread and one socket (section 4.2).
    Udp,
}

impl PaperServerKind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            PaperServerKind::Tcp => "tcp",
            PaperServerKind::Select => "select",
            PaperServerKind::Epoll => "epoll",
            PaperServerKind::Udp => "udp",
        }
    }
}

/// Options of a reference server.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct ReferenceServerOptions {
    #[arg(long)]
    pub(crate) server: PaperServerKind,
    #[arg(long)]
    pub(crate) acks: AckForwardingPolicy,
    #[arg(long)]
    pub(crate) clients: usize,
    /// Members of a group
    #[arg(long)]
    pub(crate) group: usize,
}

/// A running reference, killed on drop.
pub(crate) struct ReferenceServer {
    process: ChildProgram,
    pub(crate) address: SocketAddr,
}

impl ReferenceServer {
    pub(crate) fn start(options: &ReferenceServerOptions) -> Result<ReferenceServer> {
        let mut command = part("car-server")?;
        let ReferenceServerOptions { server, acks, clients, group } = options;
        command.arg(format!("--server={}", server.name()));
        command.arg(format!("--acks={}", if *acks == AckForwardingPolicy::Active { "active" } else { "passive" }));
        command.arg(format!("--clients={clients}")).arg(format!("--group={group}"));
        let mut process = ChildProgram::server(&mut command)?;
        let address = process.line()?.parse().context("the reference's address")?;
        Ok(ReferenceServer { process, address })
    }

    /// Starts recording the clients' answering times.
    pub(crate) fn time_clients(&mut self) -> Result<()> {
        self.process.say("count")
    }

    /// Ends the server; returns the recorded times.
    pub(crate) fn finish(mut self) -> Result<AckLatencySummary> {
        self.process.end_input();
        serde_json::from_str(&self.process.line()?).context("the reference's answering times")
    }

    pub(crate) fn pid(&self) -> u32 {
        self.process.pid()
    }
}

/// Prints the address and serves until standard input ends. A line on standard input starts the recording, whose
/// result is printed at the end.
pub(crate) fn serve(options: &ReferenceServerOptions) -> Result<()> {
    raise_file_limit();
    let bound = BoundSocket::new(options.server)?;
    println!("{}", bound.address()?);
    std::io::stdout().flush()?;
    let times = Arc::new(ServerAckLatencyRecorder::new(options.clients));
    let seen = Arc::clone(&times);
    thread::spawn(move || {
        std::io::stdin().lines().map_while(Result::ok).for_each(|_| seen.begin());
        println!("{}", json!(seen.response()));
        std::process::exit(0);
    });
    bound.serve(options, times)
}

/// A server with a bound port.
pub(super) enum BoundSocket {
    Tcp(TcpListener),
    Udp(Box<DatagramSocket>),
}

impl BoundSocket {
    pub(super) fn new(server: PaperServerKind) -> Result<BoundSocket> {
        let any = (Ipv4Addr::LOCALHOST, 0);
        Ok(match server {
            PaperServerKind::Udp => BoundSocket::Udp(Box::new(DatagramSocket::bind(any.into())?)),
            PaperServerKind::Tcp | PaperServerKind::Select | PaperServerKind::Epoll => {
                BoundSocket::Tcp(TcpListener::bind(any)?)
            }
        })
    }

    pub(super) fn address(&self) -> Result<SocketAddr> {
        Ok(match self {
            BoundSocket::Tcp(listener) => listener.local_addr()?,
            BoundSocket::Udp(datagrams) => datagrams.local_address()?,
        })
    }

    pub(super) fn serve(self, options: &ReferenceServerOptions, times: Arc<ServerAckLatencyRecorder>) -> Result<()> {
        let &ReferenceServerOptions { server, acks, clients, group } = options;
        let groups = ClientGroupLayout { clients, size: group };
        let exchange = || SingleThreadedForwarder::new(groups, acks, Arc::clone(&times));
        match self {
            BoundSocket::Udp(datagrams) => udp::serve(*datagrams, exchange()),
            BoundSocket::Tcp(listener) => match server {
                PaperServerKind::Select => select::serve(&listener, exchange),
                PaperServerKind::Epoll => epoll::serve(&listener, exchange()),
                PaperServerKind::Tcp | PaperServerKind::Udp => threads::serve(&listener, (groups, acks), times),
            },
        }
    }
}
