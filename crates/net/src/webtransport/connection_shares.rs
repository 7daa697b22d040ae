//! Fair shares of the WebTransport connections: when most of them are taken, client networks above their fair share are
//! refused.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard};

use stoa_state::ledger::{Bound, ChargeVerdict, Cost, Ledger, Payer, PayerClass, PayerClassBounds, Resource};
use stoa_state::network::ClientNetwork;
use stoa_state::time::Time;
use tokio::time::Instant;

use crate::limits;

const CONNECTION: Cost = Cost { resource: Resource::QuicConnections, amount: 1 };

/// The open connections of each client network.
#[derive(Clone, Debug)]
pub(super) struct FairConnectionLimiter {
    zero: Instant,
    ledger: Arc<Mutex<Ledger>>,
}

/// Counts one connection until it is dropped.
#[derive(Debug)]
pub(super) struct FairConnectionPermit {
    /// `None` for loopback.
    counted: Option<(FairConnectionLimiter, Payer)>,
}

impl FairConnectionLimiter {
    /// Allows `all_max` connections; none is open yet.
    pub(super) fn new(all_max: usize) -> FairConnectionLimiter {
        let all_max = all_max as u64;
        let most = all_max - all_max / limits::QUIC_CONNECTIONS_SHARED_PART;
        let bounds = PayerClassBounds {
            resource: CONNECTION.resource,
            class: PayerClass::Guests,
            own: None,
            shared: Bound::Level { most, ceiling: all_max },
            of: "WebTransport connections",
        };
        FairConnectionLimiter { zero: Instant::now(), ledger: Arc::new(Mutex::new(Ledger::new(&[bounds], Time::ZERO))) }
    }

    /// Takes one connection; `None` if most are taken and the client's network has its fair share. Programs on this
    /// machine have no bound but that of all connections.
    pub(super) fn take(&self, address: IpAddr) -> Option<FairConnectionPermit> {
        let network = ClientNetwork::from(address);
        if network.is_here() {
            return Some(FairConnectionPermit { counted: None });
        }
        let now = Time::ZERO + self.zero.elapsed();
        let mut ledger = self.lock();
        let payer = ledger.address_payer(&network.address().to_string(), Some(network), now);
        match ledger.charge(now, payer, CONNECTION) {
            ChargeVerdict::Pass | ChargeVerdict::Slow(_) => {}
            ChargeVerdict::Refuse(_) => return None,
        }
        Some(FairConnectionPermit { counted: Some((self.clone(), payer)) })
    }

    fn lock(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().expect("no code panics while it holds this lock")
    }
}

impl Drop for FairConnectionPermit {
    fn drop(&mut self) {
        if let Some((shares, payer)) = &self.counted {
            shares.lock().release(*payer, CONNECTION);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(shares: &FairConnectionLimiter, address: impl Fn(u32) -> String) -> Vec<FairConnectionPermit> {
        (0..1_000).filter_map(|number| shares.take(address(number).parse().unwrap())).collect()
    }

    #[tokio::test(start_paused = true)]
    async fn a_few_networks_never_take_the_connections_of_newcomers() {
        let shares = FairConnectionLimiter::new(400);
        let few = taken(&shares, |number| format!("192.0.2.{}", number % 36));
        let customer = taken(&shares, |number| format!("2001:db8:0:{:x}::1", number % 200));
        assert!((300..320).contains(&few.len()), "{}", few.len());
        assert!((1..100).contains(&customer.len()), "one customer has one share: {}", customer.len());
        let newcomers: Vec<_> = (0..20).map(|number| shares.take([198, 51, 100, number].into())).collect();
        assert!(newcomers.iter().all(Option::is_some));
        assert!(shares.take([192, 0, 2, 1].into()).is_none(), "a large network is above its share");
        drop(few);
        assert!(shares.take([192, 0, 2, 1].into()).is_some(), "connections are given back");
    }

    #[tokio::test(start_paused = true)]
    async fn loopback_connections_are_not_limited() {
        let shares = FairConnectionLimiter::new(4);
        assert_eq!(taken(&shares, |_| "127.0.0.1".into()).len(), 1_000);
    }
}
