//! The paper's servers (sections 3.1, 4.1, 4.2), each in its best form on today's kernel, and each a process on the
//! server's core. All write at once (no Nagle), and one client's output of a wake-up is sent in one write or
//! datagram.

mod epoll;
mod select;
mod threads;
mod times;
mod udp;

use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread;

use anyhow::{Context, Result};
use serde_json::json;
use stoa_net::datagrams::DatagramSocket;

pub(crate) use self::times::{ServerResponse, Times};
use super::exchange::{Acks, Exchange, Groups};
use crate::child::{Started, part};
use crate::machine::raise_file_limit;

/// A rebuilt server of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, clap::ValueEnum, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Reference {
    /// TCP, two threads for each client (Fig 3).
    Tcp,
    /// TCP, one thread for each group, which waits for all of its clients (section 4.1).
    Select,
    /// TCP, one thread for all clients by epoll. Our own column: today's kernel interface for the same work.
    Epoll,
    /// UDP, one thread and one socket (section 4.2).
    Udp,
}

impl Reference {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Reference::Tcp => "tcp",
            Reference::Select => "select",
            Reference::Epoll => "epoll",
            Reference::Udp => "udp",
        }
    }
}

/// Options of a reference server.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct ServerOptions {
    #[arg(long)]
    pub(crate) server: Reference,
    #[arg(long)]
    pub(crate) acks: Acks,
    #[arg(long)]
    pub(crate) clients: usize,
    /// Members of a group
    #[arg(long)]
    pub(crate) group: usize,
}

/// A running reference, killed on drop.
pub(crate) struct ReferenceServer {
    process: Started,
    pub(crate) address: SocketAddr,
}

impl ReferenceServer {
    pub(crate) fn start(options: &ServerOptions) -> Result<ReferenceServer> {
        let mut command = part("car-server")?;
        let ServerOptions { server, acks, clients, group } = options;
        command.arg(format!("--server={}", server.name()));
        command.arg(format!("--acks={}", if *acks == Acks::Active { "active" } else { "passive" }));
        command.arg(format!("--clients={clients}")).arg(format!("--group={group}"));
        let mut process = Started::server(&mut command)?;
        let address = process.line()?.parse().context("the reference's address")?;
        Ok(ReferenceServer { process, address })
    }

    /// Starts recording the clients' answering times.
    pub(crate) fn time_clients(&mut self) -> Result<()> {
        self.process.say("count")
    }

    /// Ends the server; returns the recorded times.
    pub(crate) fn finish(mut self) -> Result<ServerResponse> {
        self.process.end_input();
        serde_json::from_str(&self.process.line()?).context("the reference's answering times")
    }

    pub(crate) fn pid(&self) -> u32 {
        self.process.pid()
    }
}

/// Prints the address and serves until standard input ends. A line on standard input starts the recording, whose
/// result is printed at the end.
pub(crate) fn serve(options: &ServerOptions) -> Result<()> {
    raise_file_limit();
    let bound = Bound::new(options.server)?;
    println!("{}", bound.address()?);
    std::io::stdout().flush()?;
    let times = Arc::new(Times::new(options.clients));
    let seen = Arc::clone(&times);
    thread::spawn(move || {
        std::io::stdin().lines().map_while(Result::ok).for_each(|_| seen.begin());
        println!("{}", json!(seen.response()));
        std::process::exit(0);
    });
    bound.serve(options, times)
}

/// A server with a bound port.
pub(super) enum Bound {
    Tcp(TcpListener),
    Udp(Box<DatagramSocket>),
}

impl Bound {
    pub(super) fn new(server: Reference) -> Result<Bound> {
        let any = (Ipv4Addr::LOCALHOST, 0);
        Ok(match server {
            Reference::Udp => Bound::Udp(Box::new(DatagramSocket::bind(any.into())?)),
            Reference::Tcp | Reference::Select | Reference::Epoll => Bound::Tcp(TcpListener::bind(any)?),
        })
    }

    pub(super) fn address(&self) -> Result<SocketAddr> {
        Ok(match self {
            Bound::Tcp(listener) => listener.local_addr()?,
            Bound::Udp(datagrams) => datagrams.local_address()?,
        })
    }

    pub(super) fn serve(self, options: &ServerOptions, times: Arc<Times>) -> Result<()> {
        let &ServerOptions { server, acks, clients, group } = options;
        let groups = Groups { clients, size: group };
        let exchange = || Exchange::new(groups, acks, Arc::clone(&times));
        match self {
            Bound::Udp(datagrams) => udp::serve(*datagrams, exchange()),
            Bound::Tcp(listener) => match server {
                Reference::Select => select::serve(&listener, exchange),
                Reference::Epoll => epoll::serve(&listener, exchange()),
                Reference::Tcp | Reference::Udp => threads::serve(&listener, (groups, acks), times),
            },
        }
    }
}
