//! Limits requests that change something: by account, and by address for all accounts and guests there.

use axum::http::Method;
use axum::http::request::Parts;
use stoa_state::network::ClientNetwork;

use super::Problem;
use super::rate_limit::{RateAndBurst, RequestNetwork, RequestRateLimiter};
use crate::limits;

/// The rate of changes over HTTP, on one endpoint.
#[derive(Debug)]
pub(super) struct ChangeRateLimiter {
    accounts: RequestRateLimiter,
    addresses: RequestRateLimiter,
}

const ALL: RateAndBurst = RateAndBurst { per_s: limits::ALL_CHANGES_PER_S, burst: limits::ALL_CHANGES_BURST };

impl ChangeRateLimiter {
    /// Starts with the rates of [`limits`].
    pub(super) fn new() -> ChangeRateLimiter {
        let own = RateAndBurst { per_s: limits::ACCOUNT_CHANGES_PER_S, burst: limits::ACCOUNT_CHANGES_BURST };
        ChangeRateLimiter::of_accounts(RequestRateLimiter::new(own, ALL))
    }

    /// Starts with another rate of accounts.
    pub(super) fn of_accounts(accounts: RequestRateLimiter) -> ChangeRateLimiter {
        let own = RateAndBurst { per_s: limits::ADDRESS_CHANGES_PER_S, burst: limits::ADDRESS_CHANGES_BURST };
        ChangeRateLimiter { accounts, addresses: RequestRateLimiter::new(own, ALL) }
    }

    /// Charges a request to its account and its address, unless it only reads.
    ///
    /// # Errors
    /// 429.
    pub(super) fn ask(&self, request: &Parts, account: Option<&str>) -> Result<(), Problem> {
        if matches!(request.method, Method::GET | Method::HEAD) {
            return Ok(());
        }
        self.charge(RequestNetwork::of(request.extensions.get()), account)
    }

    /// Charges a change to the account, if there is one, and then to the address. A change that the account's limit
    /// refuses isn't charged to the address. Loopback has no limit by address, because a proxy may be there.
    ///
    /// # Errors
    /// 429.
    pub(super) fn charge(&self, network: RequestNetwork, account: Option<&str>) -> Result<(), Problem> {
        if let Some(account) = account {
            self.accounts.charge_account(account)?;
        }
        if network.0.is_some_and(ClientNetwork::is_here) {
            return Ok(());
        }
        self.addresses.ask(network)
    }
}

#[cfg(test)]
mod tests {
    use super::super::PeerSocketAddress;
    use super::*;

    fn network(last: u8) -> RequestNetwork {
        RequestNetwork::of(Some(&PeerSocketAddress(([192, 0, 2, last], 1_234).into())))
    }

    #[test]
    fn a_flooding_account_does_not_use_up_the_changes_of_its_address() {
        let pace = ChangeRateLimiter::new();
        let passed =
            |last: u8, account: &str| (0..10_000).filter(|_| pace.charge(network(last), Some(account)).is_ok()).count();
        let burst = limits::ACCOUNT_CHANGES_BURST as usize;
        assert!((burst..2 * burst).contains(&passed(1, "mallory")));
        assert!(passed(2, "mallory") < burst / 2, "an account has one allowance, wherever it is");
        assert!(passed(1, "alice") >= burst, "a class shares the address");
    }

    #[test]
    fn all_accounts_of_an_address_together_are_bounded() {
        let pace = ChangeRateLimiter::new();
        let accounts = (0..20_000).map(|number| (number % 100).to_string());
        let passed = accounts.filter(|account| pace.charge(network(1), Some(account)).is_ok()).count();
        let burst = limits::ADDRESS_CHANGES_BURST as usize;
        assert!((burst..2 * burst).contains(&passed), "{passed}");
        assert!(pace.charge(network(2), Some("alice")).is_ok(), "negative control");
    }
}
