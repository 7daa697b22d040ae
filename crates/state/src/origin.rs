//! The origin of a connection: the server's own process, or a client's address.

use core::net::IpAddr;

use crate::network::ClientNetwork;

/// The other end of a connection, as the transport knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ConnectionOrigin {
    /// The server's own process.
    Here,
    /// A client at this address.
    Address(IpAddr),
}

impl ConnectionOrigin {
    /// The client's network. `None` for the server's own process.
    pub fn network(self) -> Option<ClientNetwork> {
        match self {
            ConnectionOrigin::Here => None,
            ConnectionOrigin::Address(address) => Some(address.into()),
        }
    }
}

impl From<IpAddr> for ConnectionOrigin {
    /// Maps an IPv4-mapped IPv6 address to IPv4.
    fn from(address: IpAddr) -> ConnectionOrigin {
        ConnectionOrigin::Address(address.to_canonical())
    }
}
