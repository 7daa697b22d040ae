//! Assigns addresses to the realm and its clients, all in the prefix for documentation (RFC 3849). The realm counts
//! clients by /64, /56 and /48, so every party has a /48 of its own.

use std::collections::BTreeSet;
use std::net::Ipv6Addr;

use serde::{Deserialize, Serialize};

/// The realm. The people whose delays are measured have this address too: a client that binds no address connects from
/// its destination's address.
pub(super) const REALM: Ipv6Addr = address(0, 0);
/// The class whose guests build.
pub(super) const CLASS: Ipv6Addr = address(0xd, 0);
/// The people that enter.
pub(super) const ENTRANCE: Ipv6Addr = address(0xe, 0);
/// The readers of pages, and the accounts that sign in.
pub(super) const READERS: Ipv6Addr = address(0xf, 0);
/// The honest guest that builds in the attacked scene.
pub(super) const INSIDE: Ipv6Addr = address(0x10, 0);

/// Guests of the single address.
const GUESTS_TOGETHER: usize = 300;
/// Addresses or networks of the other topologies, and the guests of each.
const NETWORKS: u16 = 32;
const GUESTS_EACH: usize = 10;

/// The addresses of the hostile clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(super) enum AttackerAddressLayout {
    /// 300 clients of one address
    A,
    /// 32 addresses in different /48, with 10 clients each
    B,
    /// 32 networks (/64) in one /48, with 10 clients each
    C,
}

impl AttackerAddressLayout {
    /// The address of each client.
    pub(super) fn sources(self) -> Vec<Ipv6Addr> {
        match self {
            AttackerAddressLayout::A => vec![address(0xa, 0); GUESTS_TOGETHER],
            AttackerAddressLayout::B => each(|number| address(0xb00 + number, 0)),
            // Different /56 too, since the realm counts those more strictly than a /48.
            AttackerAddressLayout::C => each(|number| address(0xc, number << 8)),
        }
    }
}

fn each(network: impl Fn(u16) -> Ipv6Addr) -> Vec<Ipv6Addr> {
    (0..NETWORKS).flat_map(|number| std::iter::repeat_n(network(number), GUESTS_EACH)).collect()
}

const fn address(company: u16, network: u16) -> Ipv6Addr {
    Ipv6Addr::new(0x2001, 0xdb8, company, network, 0, 0, 0, 1)
}

/// All addresses of a run.
pub(super) fn all(topology: AttackerAddressLayout) -> Vec<Ipv6Addr> {
    let own = [REALM, CLASS, ENTRANCE, READERS, INSIDE];
    own.into_iter().chain(topology.sources()).collect::<BTreeSet<_>>().into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [AttackerAddressLayout; 3] =
        [AttackerAddressLayout::A, AttackerAddressLayout::B, AttackerAddressLayout::C];

    fn prefixes(of: &[Ipv6Addr], bits: u32) -> BTreeSet<u128> {
        of.iter().map(|address| address.to_bits() >> (128 - bits)).collect()
    }

    #[test]
    fn each_topology_has_its_number_of_addresses_and_networks() {
        let counts = ALL.map(|topology| {
            let sources = topology.sources();
            (sources.len(), prefixes(&sources, 48).len(), prefixes(&sources, 64).len())
        });
        assert_eq!(counts, [(300, 1, 1), (320, 32, 32), (320, 1, 32)]);
    }

    #[test]
    fn hostile_clients_share_no_network_with_honest_people() {
        let own = prefixes(&[REALM, CLASS, ENTRANCE, READERS, INSIDE], 48);
        assert_eq!(own.len(), 5);
        for topology in ALL {
            assert!(prefixes(&topology.sources(), 48).is_disjoint(&own), "{topology:?}");
            assert!(all(topology).iter().all(|address| !address.is_loopback()), "{topology:?}");
        }
    }
}
