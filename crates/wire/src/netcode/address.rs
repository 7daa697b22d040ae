//! Reads and writes a token's list of servers. Source: netcode, *Connect Token*.

use alloc::vec::Vec;
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use super::ADDRESSES_MAX;
use crate::take::take;

const IPV4: u8 = 1;
const IPV6: u8 = 2;
/// Bytes of the longest entry: kind, IPv6 address, port.
const ADDRESS_BYTES_MAX: usize = 1 + 16 + 2;
/// Bytes of the longest list, including its count.
pub(super) const ADDRESSES_BYTES_MAX: usize = 4 + ADDRESSES_MAX * ADDRESS_BYTES_MAX;

/// Reason why a list of servers is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ServerListError {
    /// The list is truncated.
    #[error("list of servers is truncated")]
    CutShort,
    /// The count is 0 or above the limit.
    #[error("token with {0} servers, the limit is 1 to {ADDRESSES_MAX}")]
    Count(u32),
    /// An address is neither IPv4 nor IPv6.
    #[error("unknown kind {0} of a server's address")]
    Kind(u8),
}

/// Reads a list from the front of `bytes`.
pub(super) fn read(bytes: &mut &[u8]) -> Result<Vec<SocketAddr>, ServerListError> {
    let count = u32::from_le_bytes(*take(bytes).ok_or(ServerListError::CutShort)?);
    if count == 0 || count > ADDRESSES_MAX as u32 {
        return Err(ServerListError::Count(count));
    }
    (0..count).map(|_| read_one(bytes)).collect()
}

fn read_one(bytes: &mut &[u8]) -> Result<SocketAddr, ServerListError> {
    let cut = ServerListError::CutShort;
    let &[kind] = take(bytes).ok_or(cut)?;
    let ip = match kind {
        IPV4 => IpAddr::V4(Ipv4Addr::from(*take::<4>(bytes).ok_or(cut)?)),
        IPV6 => {
            let mut segments = [0; 8];
            for segment in &mut segments {
                *segment = u16::from_le_bytes(*take(bytes).ok_or(cut)?);
            }
            IpAddr::V6(Ipv6Addr::from(segments))
        }
        _ => return Err(ServerListError::Kind(kind)),
    };
    let port = u16::from_le_bytes(*take(bytes).ok_or(cut)?);
    Ok(SocketAddr::new(ip, port))
}

/// Appends a list of 1 to [`ADDRESSES_MAX`] addresses.
pub(super) fn write(addresses: &[SocketAddr], bytes: &mut Vec<u8>) {
    assert!((1..=ADDRESSES_MAX).contains(&addresses.len()), "{} servers in a token", addresses.len());
    bytes.extend_from_slice(&(addresses.len() as u32).to_le_bytes());
    for address in addresses {
        match address.ip() {
            IpAddr::V4(ip) => {
                bytes.push(IPV4);
                bytes.extend_from_slice(&ip.octets());
            }
            IpAddr::V6(ip) => {
                bytes.push(IPV6);
                ip.segments().iter().for_each(|segment| bytes.extend_from_slice(&segment.to_le_bytes()));
            }
        }
        bytes.extend_from_slice(&address.port().to_le_bytes());
    }
}
