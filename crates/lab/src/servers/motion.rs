//! Starts the servers of the motion plane under test: Stoa with its own tickets, the bare state machines with the
//! lab's tokens, and the relay.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::net::SocketAddr;

use anyhow::{Context, Result, bail, ensure};
use clap::ValueEnum;
use serde::Serialize;
use stoa_state::motion::interest::InterestSetPolicy;

use super::bare::BareServer;
use super::relay::RelayServer;
use super::{RunningServer, Testbed, stoa};
use crate::choice;
use crate::http;

/// Default of the byte budget: a scene's maximum, so that the core is measured and not the budget.
const BYTES_PER_S: u32 = stoa_state::limits::MOTION_BYTES_PER_S_MAX;
const THINNED: &str = "stoa_motion_poses_thinned_total";
const DROPPED: &str = "stoa_motion_dropped_total";
const DROPPED_BY_WAY: &str = "stoa_motion_way_frames_dropped_total";
const SUBTICK_US: u64 = stoa_state::limits::MOTION_SUBTICK.as_micros() as u64;

/// An interest policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum PolicyName {
    All,
    Radius,
    Nearest,
    Hex,
}

impl PolicyName {
    pub(crate) fn policy(self) -> InterestSetPolicy {
        match self {
            PolicyName::All => InterestSetPolicy::All,
            PolicyName::Radius => InterestSetPolicy::RADIUS,
            PolicyName::Nearest => InterestSetPolicy::NEAREST,
            PolicyName::Hex => InterestSetPolicy::HEX,
        }
    }
}

impl fmt::Display for PolicyName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&choice::word(*self))
    }
}

/// A mode of sending.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum SendTimingMode {
    /// Chosen by the load
    Auto,
    /// As soon as frames arrive
    AtOnce,
    /// In ticks
    Ticks,
}

impl fmt::Display for SendTimingMode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&choice::word(*self))
    }
}

/// Options of a server's motion plane.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct MotionOptions {
    /// Interest policy of the scene
    #[arg(long, value_enum, default_value_t = PolicyName::All)]
    pub(crate) policy: PolicyName,
    /// Byte budget a second of each receiver
    #[arg(long, default_value_t = BYTES_PER_S)]
    pub(crate) bytes_per_s: u32,
    /// Microseconds between two groups of receivers, of which there are five; for the server `bare` only
    #[arg(long, default_value_t = SUBTICK_US)]
    pub(crate) subtick_us: u64,
    /// When frames are sent [default: the server's own choice]
    #[arg(long)]
    pub(crate) serving: Option<SendTimingMode>,
}

impl Default for MotionOptions {
    /// The defaults of the command line.
    fn default() -> MotionOptions {
        let subtick_us = SUBTICK_US;
        MotionOptions { policy: PolicyName::All, bytes_per_s: BYTES_PER_S, subtick_us, serving: None }
    }
}

impl MotionOptions {
    pub(crate) fn to_arguments(&self) -> Vec<String> {
        let MotionOptions { policy, bytes_per_s, subtick_us, serving } = self;
        let mut arguments = vec![
            format!("--policy={policy}"),
            format!("--bytes-per-s={bytes_per_s}"),
            format!("--subtick-us={subtick_us}"),
        ];
        arguments.extend(serving.as_ref().map(|way| format!("--serving={way}")));
        arguments
    }
}

/// Drops that a server reports.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ServerDropCounts {
    /// Frames and datagrams, by reason.
    pub(crate) dropped: BTreeMap<String, u64>,
    /// Poses omitted for receivers' budgets.
    pub(crate) thinned: u64,
}

impl ServerDropCounts {
    /// Sums the metrics over all threads. A missing metric is an error, since it would look like no drops.
    fn read(metrics: &str) -> Result<ServerDropCounts> {
        let (mut drops, mut kinds) = (ServerDropCounts::default(), BTreeSet::new());
        for (name, count) in metrics.lines().filter_map(|line| line.rsplit_once(' ')) {
            let (kind, labels) = name.split_once('{').unwrap_or((name, ""));
            let label = |of: &str| labels.split(&format!("{of}=\"")).nth(1)?.split('"').next();
            let why = match kind {
                THINNED => "",
                DROPPED => label("reason").with_context(|| name.to_owned())?,
                DROPPED_BY_WAY if label("way") == Some("webtransport") => "webtransport_full",
                _ => continue,
            };
            kinds.insert(kind);
            let count: u64 = count.parse().with_context(|| name.to_owned())?;
            if kind == THINNED {
                drops.thinned += count;
            } else {
                *drops.dropped.entry(why.to_owned()).or_default() += count;
            }
        }
        for kind in [THINNED, DROPPED, DROPPED_BY_WAY] {
            ensure!(kinds.contains(kind), "the server's metrics have no {kind}");
        }
        Ok(drops)
    }

    /// The increases since `before`.
    pub(crate) fn since(self, before: &ServerDropCounts) -> ServerDropCounts {
        let grown = self.dropped.into_iter().map(|(why, count)| {
            let known = before.dropped.get(&why).copied().unwrap_or(0);
            (why, count - known)
        });
        ServerDropCounts {
            dropped: grown.filter(|(_, count)| *count > 0).collect(),
            thinned: self.thinned - before.thinned,
        }
    }
}

/// A server of the motion plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum MotionServerKind {
    /// This project's release binary
    Stoa,
    /// Its state machines alone
    Bare,
}

/// A running server of the motion plane, killed on drop.
pub(crate) enum MotionServerUnderTest<'a> {
    Stoa { running: RunningServer, address: SocketAddr, testbed: &'a Testbed },
    Bare(BareServer),
    Relay(RelayServer),
}

impl MotionServerUnderTest<'_> {
    pub(crate) fn start<'a>(
        kind: MotionServerKind,
        testbed: &'a Testbed,
        options: &MotionOptions,
    ) -> Result<MotionServerUnderTest<'a>> {
        Ok(match kind {
            MotionServerKind::Bare => MotionServerUnderTest::Bare(BareServer::start(options)?),
            MotionServerKind::Stoa => {
                let (running, address) = stoa::start_with_motion(testbed, options)?;
                MotionServerUnderTest::Stoa { running, address, testbed }
            }
        })
    }

    pub(crate) fn pid(&self) -> u32 {
        match self {
            MotionServerUnderTest::Stoa { running, .. } => running.pid(),
            MotionServerUnderTest::Bare(bare) => bare.pid(),
            MotionServerUnderTest::Relay(relay) => relay.pid(),
        }
    }

    /// The address of the server's pages.
    pub(crate) fn http(&self) -> Result<SocketAddr> {
        match self {
            MotionServerUnderTest::Stoa { running, .. } => running.http(),
            MotionServerUnderTest::Bare(_) | MotionServerUnderTest::Relay(_) => bail!("only a realm has pages"),
        }
    }

    /// The port of WebTransport. Only a realm has one.
    pub(crate) fn webtransport_port(&self) -> Option<u16> {
        match self {
            MotionServerUnderTest::Stoa { running, .. } => running.secure_address().map(|address| address.port()),
            MotionServerUnderTest::Bare(_) | MotionServerUnderTest::Relay(_) => None,
        }
    }

    /// The ports of the server's UDP sockets.
    pub(crate) fn ports(&self) -> impl Iterator<Item = u16> {
        [Some(self.address().port()), self.webtransport_port()].into_iter().flatten()
    }

    /// The destination of datagrams to the server.
    pub(crate) fn address(&self) -> SocketAddr {
        match self {
            MotionServerUnderTest::Stoa { address, .. } => *address,
            MotionServerUnderTest::Bare(bare) => bare.address,
            MotionServerUnderTest::Relay(relay) => relay.address,
        }
    }

    /// The server's drops and omitted poses so far. Stoa updates its counters once a second; the bare server and the
    /// relay report none.
    pub(crate) fn drops(&self) -> Result<ServerDropCounts> {
        let MotionServerUnderTest::Stoa { running, .. } = self else { return Ok(ServerDropCounts::default()) };
        ServerDropCounts::read(&String::from_utf8(http::get(running.admin()?, "/metrics", None)?)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# HELP stoa_motion_dropped_total why\n\
        stoa_motion_dropped_total{reason=\"forged\",thread=\"0\"} 3\n\
        stoa_motion_dropped_total{reason=\"forged\",thread=\"1\"} 4\n\
        stoa_motion_dropped_total{reason=\"late\",thread=\"1\"} 0\n\
        stoa_motion_poses_thinned_total{thread=\"0\"} 5\n\
        stoa_motion_way_frames_dropped_total{way=\"webtransport\"} 6\n\
        stoa_motion_way_frames_dropped_total{way=\"websocket\"} 7\n";

    #[test]
    fn drop_counts_are_summed_over_threads_and_differences_are_reported() {
        let drops = ServerDropCounts::read(PAGE).expect("all kinds are there");
        let counts: Vec<(&str, u64)> = drops.dropped.iter().map(|(why, count)| (why.as_str(), *count)).collect();
        assert_eq!((counts, drops.thinned), (vec![("forged", 7), ("late", 0), ("webtransport_full", 6)], 5));
        let later = ServerDropCounts::read(&PAGE.replace("} 4", "} 9")).expect("all kinds are there").since(&drops);
        assert_eq!(later, ServerDropCounts { dropped: BTreeMap::from([("forged".to_owned(), 5)]), thinned: 0 });
    }

    #[test]
    fn a_metrics_page_without_a_drop_counter_is_an_error() {
        for kind in [THINNED, DROPPED, DROPPED_BY_WAY] {
            let error =
                ServerDropCounts::read(&PAGE.replace(kind, "other")).expect_err("nothing tells of it").to_string();
            assert!(error.contains(kind), "{error}");
        }
    }

    #[test]
    fn the_command_line_takes_every_policy() {
        for policy in InterestSetPolicy::SAMPLES {
            let name = PolicyName::from_str(policy.name(), false).expect("PolicyName has a variant for each policy");
            assert_eq!(name.policy(), policy);
        }
        for name in PolicyName::value_variants() {
            let policy = name.policy();
            assert!(InterestSetPolicy::SAMPLES.contains(&policy), "InterestSetPolicy::SAMPLES lacks {policy}");
        }
    }
}
