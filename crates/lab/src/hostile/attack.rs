//! The attacks: their default actors, their rates, and the loop of one hostile client.

use std::net::Ipv6Addr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::Result;
use serde::{Deserialize, Serialize};
use tokio::runtime::Builder;
use tokio::task::JoinSet;
use tokio::time::sleep;

use super::outside::{ClientCredentials, EncryptedEndpoints};
use super::{http_attacks, http2, mqtt_attacks};
use crate::choice;
use crate::machine;

/// The hostile clients' accounts: as many as one address creates at once.
pub(super) const MEMBERS: usize = 40;
/// Pause after each attempt, failed or not.
const RETRY: Duration = Duration::from_millis(200);

/// The kind of client that attacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(super) enum AttackerKind {
    /// Guests, each with a token of its own
    Guest,
    /// Accounts without any right but the scene's own
    Member,
}

/// An attack. [`AttackKind::profile`] has its actor and rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(super) enum AttackKind {
    /// Store large objects again and again
    Store,
    /// Fill the history with small changes
    History,
    /// Request whole scenes by getPersist, and read slowly
    #[value(name = "getpersist")]
    GetPersist,
    /// Send JSON with as many keys as fit
    Json,
    /// Load a template of 1,550 objects
    Template,
    /// Enter, publish nothing, and return
    Listeners,
    /// Read snapshots slowly
    Snapshots,
    /// Upload slowly
    Uploads,
    /// Request files by HTTP/2 and accept none of their bytes
    #[value(name = "http2files")]
    Http2Files,
    /// Request tokens
    Tokens,
    /// Request lists of scenes and accounts
    Lists,
}

/// All attacks, in the order in which they run.
pub(super) const ALL: [AttackKind; 11] = [
    AttackKind::Store,
    AttackKind::History,
    AttackKind::GetPersist,
    AttackKind::Json,
    AttackKind::Template,
    AttackKind::Listeners,
    AttackKind::Snapshots,
    AttackKind::Uploads,
    AttackKind::Http2Files,
    AttackKind::Tokens,
    AttackKind::Lists,
];

/// Actor and rate of an attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AttackDefaults {
    /// The actor of the default run.
    pub(super) actor: AttackerKind,
    /// Time between two requests of one client, or between two pieces of a slow transfer.
    pub(super) period: Duration,
}

impl AttackKind {
    pub(super) fn name(self) -> String {
        choice::word(self)
    }

    /// The table of actors and rates.
    pub(super) fn profile(self) -> AttackDefaults {
        use AttackerKind::{Guest, Member};
        let (actor, period_ms) = match self {
            // 300 guests offer 70 MiB/s, each as many bytes as its own allowance.
            AttackKind::Store => (Guest, 125),
            // 300 clients offer 1.2 MiB/s, at which the history of a realm lasts for a quarter of an hour.
            AttackKind::History => (Member, 250),
            AttackKind::GetPersist => (Guest, 1_000),
            AttackKind::Json => (Guest, 500),
            AttackKind::Template => (Guest, 1_000),
            // Time that one listener remains.
            AttackKind::Listeners => (Guest, 5_000),
            AttackKind::Snapshots => (Guest, 100),
            // Guests have no files.
            AttackKind::Uploads => (Member, 1_000),
            AttackKind::Http2Files => (Guest, 1_000),
            AttackKind::Tokens => (Member, 250),
            AttackKind::Lists => (Member, 500),
        };
        AttackDefaults { actor, period: Duration::from_millis(period_ms) }
    }
}

/// Requests and bytes of all hostile clients.
#[derive(Debug, Default)]
pub(super) struct AttackTotals {
    requests: AtomicU64,
    bytes: AtomicU64,
    failures: AtomicU64,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct AchievedAttackRates {
    /// Answered requests of `tokens` and `lists`, entries of `listeners`, and requests and messages that other attacks
    /// sent.
    pub(super) requests_per_s: f64,
    /// Bytes of these requests and messages. The pieces of slow uploads don't count.
    pub(super) mib_per_s: f64,
    /// Refused requests, and connections that the realm ended or did not open.
    pub(super) failures_per_s: f64,
}

impl AttackTotals {
    /// Counts a request of so many sent bytes.
    pub(super) fn count(&self, bytes: usize) {
        self.requests.fetch_add(1, Ordering::Relaxed);
        self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    pub(super) fn fail(&self) {
        self.failures.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn rates(&self, lasted_s: f64) -> AchievedAttackRates {
        let per_s = |count: &AtomicU64| count.load(Ordering::Relaxed) as f64 / lasted_s;
        AchievedAttackRates {
            requests_per_s: per_s(&self.requests),
            mib_per_s: per_s(&self.bytes) / 1_048_576.0,
            failures_per_s: per_s(&self.failures),
        }
    }
}

/// One hostile client.
#[derive(Clone)]
pub(super) struct HostileClient {
    pub(super) server: EncryptedEndpoints,
    pub(super) from: Ipv6Addr,
    /// The client's number among the attack's clients.
    pub(super) index: usize,
    pub(super) visitor: ClientCredentials,
    pub(super) actor: AttackerKind,
    /// The header field with a web session's cookie. Empty in plans without web sessions.
    pub(super) session: String,
    /// The session's account.
    pub(super) account: String,
    pub(super) period: Duration,
    pub(super) tally: Arc<AttackTotals>,
}

impl HostileClient {
    async fn attack_on(self, kind: AttackKind) {
        // The clients start one after another, so that all together send evenly.
        sleep(self.period.mul_f64(self.index as f64 % 100.0 / 100.0)).await;
        loop {
            if self.attempt(kind).await.is_err() {
                self.tally.fail();
            }
            sleep(RETRY).await;
        }
    }

    /// Attacks until the connection ends.
    async fn attempt(&self, kind: AttackKind) -> Result<()> {
        match kind {
            AttackKind::Store => mqtt_attacks::store(self).await,
            AttackKind::History => mqtt_attacks::history(self).await,
            AttackKind::GetPersist => mqtt_attacks::get_persist(self).await,
            AttackKind::Json => mqtt_attacks::json(self).await,
            AttackKind::Template => mqtt_attacks::template(self).await,
            AttackKind::Listeners => mqtt_attacks::listen(self).await,
            AttackKind::Snapshots => http_attacks::read_snapshot(self).await,
            AttackKind::Uploads => http_attacks::upload(self).await,
            AttackKind::Http2Files => http2::withhold_window(self).await,
            AttackKind::Tokens => http_attacks::request_tokens(self).await,
            AttackKind::Lists => http_attacks::request_lists(self).await,
        }
    }
}

/// Runs all clients of an attack on this thread from `from` until `until`, at low priority.
///
/// # Errors
/// The thread cannot be set up. Failures of clients are counted.
pub(super) fn run(clients: Vec<HostileClient>, kind: AttackKind, from: Instant, until: Instant) -> Result<()> {
    machine::yield_core()?;
    let runtime = Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        tokio::time::sleep_until(from.into()).await;
        let mut attacking = JoinSet::new();
        for client in clients {
            attacking.spawn(client.attack_on(kind));
        }
        tokio::time::sleep_until(until.into()).await;
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_attack_has_a_name_and_a_rate() {
        let names: Vec<String> = ALL.into_iter().map(AttackKind::name).collect();
        let expected = "store,history,getpersist,json,template,listeners,snapshots,uploads,http2files,tokens,lists";
        assert_eq!(names.join(","), expected);
        assert!(ALL.into_iter().all(|kind| !kind.profile().period.is_zero()));
        assert_eq!(AttackKind::Uploads.profile().actor, AttackerKind::Member, "guests have no files");
    }

    #[test]
    fn attack_rates_are_totals_divided_by_the_duration() {
        let tally = AttackTotals::default();
        (0..10).for_each(|_| tally.count(1_048_576));
        tally.fail();
        let rates = tally.rates(5.0);
        assert_eq!((rates.requests_per_s, rates.mib_per_s, rates.failures_per_s), (2.0, 2.0, 0.2));
    }
}
