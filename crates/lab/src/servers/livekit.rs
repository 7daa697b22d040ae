//! Starts LiveKit, the reference for voices, on one core, with one port for all media and writes in batches.

use std::fs;
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};

use anyhow::Result;

use super::{accepts, await_start, free_port, spawn, version_of};
use crate::child::{ChildProgram, bound};

/// The name of its program, which is in a folder of `PATH`.
pub(crate) const PROGRAM: &str = "livekit-server";
/// The name of the key of its clients' tokens, and the key.
pub(crate) const KEY: (&str, &str) = ("lab", "a key for the lab, which no other program uses");

/// A running server, killed on drop.
pub(crate) struct LivekitServer {
    process: ChildProgram,
    /// The address of its signalling.
    pub(crate) address: SocketAddr,
    _folder: tempfile::TempDir,
}

impl LivekitServer {
    /// The installed version, or the reason why it cannot run.
    pub(crate) fn version() -> Result<String> {
        version_of(PROGRAM, "--version", 2)
    }

    /// Starts the server on its core and waits until it accepts connections.
    pub(crate) fn start() -> Result<LivekitServer> {
        let folder = tempfile::tempdir()?;
        let port = free_port()?;
        let media = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port();
        // Without a STUN server of their own, clients get the addresses of public ones. Nothing answers at this one.
        let settings = format!(
            "port: {port}\nbind_addresses: [127.0.0.1]\nkeys: {{{}: {}}}\n\
             rtc: {{udp_port: {media}, tcp_port: 0, node_ip: 127.0.0.1, interfaces: {{includes: [lo]}}, \
             enable_loopback_candidate: true, use_ice_lite: true, stun_servers: [127.0.0.1:9], \
             batch_io: {{batch_size: 128, max_flush_interval: 2ms}}}}\n\
             logging: {{level: error, pion_level: error}}\n",
            KEY.0, KEY.1
        );
        let file = folder.path().join("livekit.yaml");
        fs::write(&file, settings)?;
        let mut process = spawn(bound(PROGRAM).env("GOMAXPROCS", "1").arg("--config").arg(&file))?;
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        await_start(&mut process, || accepts(address))?;
        Ok(LivekitServer { process, address, _folder: folder })
    }

    pub(crate) fn pid(&self) -> u32 {
        self.process.pid()
    }
}
