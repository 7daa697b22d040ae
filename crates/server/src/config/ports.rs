//! `DIR/run/ports.json`: the bound addresses, for scripts on this machine. Written by rename once the server is
//! ready, and removed when it ends.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// The bound addresses. `None` for an endpoint that is off.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoundAddresses {
    /// Pages, API and secure WebSocket.
    pub https: Option<SocketAddr>,
    /// Pages and API by plain HTTP, loopback only.
    pub http: Option<SocketAddr>,
    /// The motion plane for browsers: WebTransport in UDP, on the port number of HTTPS.
    pub webtransport: Option<SocketAddr>,
    /// Plain MQTT, loopback only.
    pub mqtt: Option<SocketAddr>,
    /// MQTT over TLS.
    pub mqtts: Option<SocketAddr>,
    /// The motion plane for native clients, in UDP.
    pub motion: Option<SocketAddr>,
    /// Administration and `/metrics`.
    pub admin: Option<SocketAddr>,
    /// The server's process id.
    pub pid: u32,
}

/// The written `run/ports.json`. Dropping this value removes the file.
#[derive(Debug)]
pub struct PortsFile {
    path: PathBuf,
}

impl PortsFile {
    /// Writes `run/ports.json` by rename, so that a reader sees all of it or nothing.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn write(run_dir: &Path, ports: &BoundAddresses) -> std::io::Result<PortsFile> {
        let path = run_dir.join("ports.json");
        let next = run_dir.join("ports.json.next");
        let mut text = serde_json::to_string_pretty(ports).map_err(std::io::Error::other)?;
        text.push('\n');
        std::fs::write(&next, text)?;
        std::fs::rename(&next, &path)?;
        Ok(PortsFile { path })
    }
}

impl Drop for PortsFile {
    fn drop(&mut self) {
        // The server is ending either way. A file left behind names a pid that is gone.
        let _ = std::fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ports_file_lists_bound_addresses_and_is_removed_when_dropped() {
        let dir = tempfile::tempdir().unwrap();
        let ports =
            BoundAddresses { http: Some("127.0.0.1:41234".parse().unwrap()), pid: 123, ..BoundAddresses::default() };
        let file = PortsFile::write(dir.path(), &ports).unwrap();
        let text = std::fs::read_to_string(dir.path().join("ports.json")).unwrap();
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(json["http"], "127.0.0.1:41234");
        assert_eq!(json["motion"], serde_json::Value::Null);
        assert_eq!(json["pid"], 123);
        drop(file);
        assert!(!dir.path().join("ports.json").exists());
    }
}
