//! Bounds the datagrams that are opened for each client network without a session, so that a flood from one network
//! doesn't use up the rate of all networks.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::net::IpAddr;

use stoa_state::bucket::TokenBucket;
use stoa_state::network::ClientNetwork;
use stoa_state::time::Time;

use crate::limits;

/// A fixed table of buckets, so forged addresses take no memory. A hash of the network selects its bucket, which it
/// shares with other networks. The hash has a random seed, so no client chooses these networks.
#[derive(Debug)]
pub(super) struct SourceRateLimiter {
    buckets: Box<[TokenBucket]>,
    hashing: RandomState,
}

impl SourceRateLimiter {
    pub(super) fn new() -> SourceRateLimiter {
        let buckets = vec![opening_rate(Time::ZERO); limits::SOURCES_COUNTED].into_boxed_slice();
        SourceRateLimiter { buckets, hashing: RandomState::new() }
    }

    /// Takes one datagram of an address; false if its network is above the rate. Addresses of this machine have no
    /// bound, because a proxy or an experiment may have many clients.
    pub(super) fn take(&mut self, source: IpAddr, now: Time) -> bool {
        let network = ClientNetwork::from(source);
        if network.is_here() {
            return true;
        }
        let hash = self.hashing.hash_one(network.address());
        let index = usize::try_from(hash % self.buckets.len() as u64).expect("it is below a length");
        self.buckets[index].take(now)
    }
}

/// The rate of the datagrams that are opened for one session, or one network.
pub(super) fn opening_rate(now: Time) -> TokenBucket {
    TokenBucket::new(limits::DATAGRAMS_OPENED_PER_S, limits::DATAGRAMS_OPENED_BURST, now)
}
