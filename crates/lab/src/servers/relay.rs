//! Serves as a plain UDP relay, a reference: forwards every datagram unchanged to everyone, without sealing, interest
//! policy or ticks. To be as lean as possible, the relay sends joint arrivals to each receiver together, in as few
//! system calls as the kernel needs.

use std::collections::HashMap;
use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use stoa_net::datagrams::{DatagramAddresses, DatagramSocket};

use crate::child::{ChildProgram, part};

/// Time for which arrivals are gathered before they are forwarded.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct GatherOptions {
    /// Milliseconds; 0 forwards joint arrivals at once
    #[arg(long, default_value_t = 0)]
    pub(crate) gather_ms: u64,
}

/// A running relay, killed on drop.
pub(crate) struct RelayServer {
    process: ChildProgram,
    pub(crate) address: SocketAddr,
}

impl RelayServer {
    pub(crate) fn start(gathering: GatherOptions) -> Result<RelayServer> {
        let mut process = ChildProgram::server(part("relay")?.arg(format!("--gather-ms={}", gathering.gather_ms)))?;
        let address = process.line()?.parse().context("the relay's address")?;
        Ok(RelayServer { process, address })
    }

    pub(crate) fn pid(&self) -> u32 {
        self.process.pid()
    }
}

/// Prints the address, then serves until killed.
pub(crate) fn serve(gathering: GatherOptions) -> Result<()> {
    let mut datagrams = DatagramSocket::bind((Ipv4Addr::LOCALHOST, 0).into())?;
    println!("{}", datagrams.local_address()?);
    std::io::stdout().flush()?;
    let mut people: HashMap<SocketAddr, DatagramAddresses> = HashMap::new();
    let mut said: Vec<u8> = Vec::new();
    let mut ends: Vec<usize> = Vec::new();
    loop {
        said.clear();
        ends.clear();
        let mut until = Instant::now() + Duration::from_secs(1);
        loop {
            for (way, datagram) in datagrams.incoming.receive(until)? {
                people.insert(way.remote, way);
                said.extend_from_slice(datagram);
                ends.push(said.len());
                until = until.min(Instant::now() + Duration::from_millis(gathering.gather_ms));
            }
            if Instant::now() >= until {
                break;
            }
        }
        for way in people.values() {
            let begins = std::iter::once(0).chain(ends.iter().copied());
            for (begin, &end) in begins.zip(&ends) {
                datagrams.outgoing.add(*way, |room| {
                    room[..end - begin].copy_from_slice(&said[begin..end]);
                    end - begin
                });
            }
        }
        datagrams.outgoing.flush();
    }
}
