//! Where a connection comes from.

use core::net::IpAddr;

/// Who is at the other end of a connection, as far as the transport knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// The server itself: a conversation inside its own process.
    Here,
    /// A client at this address.
    Address(IpAddr),
}

impl From<IpAddr> for Origin {
    /// An IPv4 address that came by an IPv6 socket is an IPv4 address.
    fn from(address: IpAddr) -> Origin {
        Origin::Address(address.to_canonical())
    }
}
