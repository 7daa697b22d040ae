//! Client networks: the addresses whose clients share limits. An IPv6 household has a /64 of its own, and one customer
//! or tunnel may have many /64s.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::net::{IpAddr, Ipv6Addr};

use crate::limits;

/// The network whose connections are counted together: an IPv4 address, or the /64 that one IPv6 household gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClientNetwork(IpAddr);

impl From<IpAddr> for ClientNetwork {
    fn from(address: IpAddr) -> ClientNetwork {
        ClientNetwork(match address.to_canonical() {
            IpAddr::V6(address) if !address.is_loopback() => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
            address => address,
        })
    }
}

impl ClientNetwork {
    /// The first address of the network.
    pub fn address(self) -> IpAddr {
        self.0
    }

    /// Whether the network is this machine (loopback). Limits of connections by network exempt it, because a proxy, a
    /// script or an experiment may open many.
    pub fn is_here(self) -> bool {
        self.0.is_loopback()
    }

    /// The prefixes in which the network is counted, narrowest first, each with the number of households whose limits
    /// it gets.
    pub fn circles(self) -> impl Iterator<Item = (NetworkPrefix, u32)> {
        let widths = match self.0 {
            IpAddr::V6(address) if !address.is_loopback() => limits::CIRCLES_V6,
            _ => &[(128, 1)],
        };
        widths
            .iter()
            .map(move |&(bits, households)| (NetworkPrefix::Within { address: self.within(bits), bits }, households))
    }

    fn within(self, bits: u8) -> IpAddr {
        match self.0 {
            IpAddr::V6(address) if bits < 128 => Ipv6Addr::from_bits(address.to_bits() & !(u128::MAX >> bits)).into(),
            address => address,
        }
    }
}

/// Addresses that are counted together: an IPv4 address, an IPv6 household, or a wider IPv6 prefix, which is often one
/// customer or one tunnel with many households.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NetworkPrefix {
    /// All clients whose address is unknown.
    Unknown,
    /// The addresses with this prefix.
    Within {
        /// The first address.
        address: IpAddr,
        /// Length of the prefix in bits.
        bits: u8,
    },
}

impl NetworkPrefix {
    /// The prefixes in which a client is counted, narrowest first, each with the number of households whose limits it
    /// gets. A client without a known network is counted in [`NetworkPrefix::Unknown`].
    pub fn all_around(household: Option<ClientNetwork>) -> impl Iterator<Item = (NetworkPrefix, u32)> {
        let nowhere = household.is_none().then_some((NetworkPrefix::Unknown, 1));
        household.into_iter().flat_map(ClientNetwork::circles).chain(nowhere)
    }
}

/// Forgets the older half of the entries that have a time. Entries without a time remain.
pub fn forget_older_half<K: Ord, V, At: Ord + Copy>(of: &mut BTreeMap<K, V>, at: impl Fn(&V) -> Option<At>) {
    let mut times: Vec<At> = of.values().filter_map(&at).collect();
    if times.is_empty() {
        return;
    }
    let median_index = times.len() / 2;
    let (_, until, _) = times.select_nth_unstable(median_index);
    let until = *until;
    of.retain(|_, value| at(value).is_none_or(|at| at > until));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_older_half_is_removed_and_entries_without_a_time_stay() {
        let mut times: BTreeMap<u32, Option<u32>> = (0..100).map(|key| (key, Some(key * 37 % 100))).collect();
        times.insert(100, None);
        forget_older_half(&mut times, |at| *at);
        let left: Vec<Option<u32>> = times.values().copied().collect();
        assert!(left.len() == 50 && left.contains(&None), "{left:?}");
        assert!(left.iter().flatten().all(|at| *at > 50), "{left:?}");
        for _ in 0..10 {
            forget_older_half(&mut times, |at| *at);
        }
        assert_eq!(times, BTreeMap::from([(100, None)]));
    }

    #[test]
    fn clients_without_an_address_are_counted_in_one_group() {
        assert_eq!(NetworkPrefix::all_around(None).collect::<Vec<_>>(), [(NetworkPrefix::Unknown, 1)]);
        let told = ClientNetwork::from("2001:db8::1".parse::<IpAddr>().unwrap());
        assert_eq!(NetworkPrefix::all_around(Some(told)).collect::<Vec<_>>(), told.circles().collect::<Vec<_>>());
    }
}
