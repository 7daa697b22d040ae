//! Listening addresses of one endpoint.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// The machines that can reach an endpoint by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefaultListenScope {
    /// Other machines, both address families.
    Public,
    /// This machine alone. Other addresses than loopback are rejected.
    Loopback,
}

/// The addresses of one endpoint, and the flag that sets them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndpointListenAddresses {
    /// The flag, for error messages.
    pub flag: &'static str,
    /// Empty if the endpoint is off. The first address must bind; a further one is of the other family and may be
    /// missing.
    pub addresses: Vec<SocketAddr>,
}

/// An unusable address.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum ListenError {
    /// Neither an address nor a port.
    #[error("{flag} is {text:?}; it takes an address such as 127.0.0.1:8080 or [::]:8080, a port, or off")]
    Malformed {
        /// The flag.
        flag: &'static str,
        /// The given text.
        text: String,
    },
    /// Unencrypted, and reachable from other machines.
    #[error(
        "{flag} is {address}, which other machines can reach; this endpoint has no TLS and takes loopback addresses only"
    )]
    NotLoopback {
        /// The flag.
        flag: &'static str,
        /// The given address.
        address: SocketAddr,
    },
}

impl EndpointListenAddresses {
    /// Parses `ADDR`, a port or `off`. `None` gives the default port.
    ///
    /// # Errors
    /// [`ListenError`].
    pub fn parse(
        text: Option<&str>,
        flag: &'static str,
        reach: DefaultListenScope,
        port: u16,
    ) -> Result<EndpointListenAddresses, ListenError> {
        let Some(text) = text else { return Ok(EndpointListenAddresses { flag, addresses: at_port(reach, port) }) };
        if text == "off" {
            return Ok(EndpointListenAddresses { flag, addresses: Vec::new() });
        }
        if let Ok(port) = text.parse::<u16>() {
            return Ok(EndpointListenAddresses { flag, addresses: at_port(reach, port) });
        }
        let text_of_ip = text.replace("localhost:", "127.0.0.1:");
        let address: SocketAddr =
            text_of_ip.parse().map_err(|_| ListenError::Malformed { flag, text: text.to_owned() })?;
        if reach == DefaultListenScope::Loopback && !super::is_loopback(address) {
            return Err(ListenError::NotLoopback { flag, address });
        }
        Ok(EndpointListenAddresses { flag, addresses: vec![address] })
    }
}

fn at_port(reach: DefaultListenScope, port: u16) -> Vec<SocketAddr> {
    let ips: &[IpAddr] = match reach {
        DefaultListenScope::Public => &[IpAddr::V6(Ipv6Addr::UNSPECIFIED)],
        DefaultListenScope::Loopback => &[IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)],
    };
    ips.iter().map(|&ip| SocketAddr::new(ip, port)).collect()
}
