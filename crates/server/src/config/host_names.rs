//! This machine's names and addresses, for its certificate, the allow-list of `Host` headers, links and the QR code.

use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, UdpSocket};

use crate::config::Config;

/// Names and addresses in text form, sorted: the machine's name (whole, bare and below `.local`), localhost, the
/// loopback addresses, the private addresses towards the network, and `--public-host`.
pub fn host_names(config: &Config) -> Vec<String> {
    let mut names: BTreeSet<String> = ["localhost", "127.0.0.1", "::1"].into_iter().map(str::to_owned).collect();
    if let Some(name) = machine_name() {
        let bare = name.split('.').next().unwrap_or_default().to_owned();
        names.insert(format!("{bare}.local"));
        names.insert(bare);
        names.insert(name);
    }
    names.extend(lan_addresses().into_iter().map(|ip| ip.to_string()));
    names.extend(config.public_host.as_deref().map(str::to_ascii_lowercase));
    names.into_iter().collect()
}

/// This machine's private addresses towards the network. Connecting a UDP socket queries the routing table and sends
/// no packet.
pub fn lan_addresses() -> Vec<IpAddr> {
    let towards = |from: &str, to: &str| {
        let socket = UdpSocket::bind(from).ok()?;
        socket.connect(to).ok()?;
        Some(socket.local_addr().ok()?.ip())
    };
    // Documentation addresses (RFC 5737, RFC 3849): routed like any other.
    [towards("0.0.0.0:0", "192.0.2.1:9"), towards("[::]:0", "[2001:db8::1]:9")]
        .into_iter()
        .flatten()
        .filter(|&ip| is_private(ip))
        .collect()
}

/// A URL of scheme, host and port. The scheme's default port, 443 or 80, is omitted (RFC 3986, section 6.2.3).
pub fn base_url(scheme: &str, host: &str, port: u16) -> String {
    match (scheme, port) {
        ("https", 443) | ("http", 80) => format!("{scheme}://{host}"),
        _ => format!("{scheme}://{host}:{port}"),
    }
}

/// Whether the realm's authority may certify `ip`. Such addresses are valid inside one network only.
pub fn is_private(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => ip.is_private() || ip.is_link_local() || ip.is_loopback(),
        IpAddr::V6(ip) => ip.is_unique_local() || ip.is_unicast_link_local() || ip.is_loopback(),
    }
}

/// The ranges of [`is_private`], with the lengths of their prefixes.
pub const PRIVATE_RANGES: [(IpAddr, u8); 8] = [
    (IpAddr::V4(Ipv4Addr::new(10, 0, 0, 0)), 8),
    (IpAddr::V4(Ipv4Addr::new(127, 0, 0, 0)), 8),
    (IpAddr::V4(Ipv4Addr::new(169, 254, 0, 0)), 16),
    (IpAddr::V4(Ipv4Addr::new(172, 16, 0, 0)), 12),
    (IpAddr::V4(Ipv4Addr::new(192, 168, 0, 0)), 16),
    (IpAddr::V6(Ipv6Addr::LOCALHOST), 128),
    (IpAddr::V6(Ipv6Addr::new(0xfc00, 0, 0, 0, 0, 0, 0, 0)), 7),
    (IpAddr::V6(Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0, 0)), 10),
];

fn machine_name() -> Option<String> {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").ok()?.trim().to_ascii_lowercase();
    let usable = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '.';
    (!name.is_empty() && name.len() <= 253 && name.chars().all(usable)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_url_omits_the_default_port() {
        assert_eq!(base_url("https", "stoa.local", 443), "https://stoa.local");
        assert_eq!(base_url("http", "localhost", 80), "http://localhost");
        assert_eq!(base_url("https", "[fd00::1]", 8443), "https://[fd00::1]:8443");
        assert_eq!(base_url("http", "localhost", 443), "http://localhost:443");
    }
}
