//! Measures an admitted crowd for some seconds: one run.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use super::connections::{CrowdConnections, GeneratorDatagramCounts};
use super::interval::IntervalMeasurements;
use super::pose_ledger::PoseRates;
use super::{Crowd, CrowdSettings};
use crate::limits;
use crate::load::ledger::Percentiles;
use crate::machine::resident_kib;
use crate::servers::motion::{MotionServerUnderTest, ServerDropCounts};

/// The results of one step.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct CrowdOutcome {
    pub(crate) people: usize,
    pub(crate) rates: PoseRates,
    pub(crate) staleness: Percentiles,
    pub(crate) delivery: Percentiles,
    pub(crate) delivery_mean_ms: f64,
    /// Frames a second sent by all people: people times rate if the generator kept up.
    pub(crate) said_per_s: f64,
    pub(crate) datagrams_per_s: f64,
    pub(crate) bytes_per_receiver_s: f64,
    /// Frames that were sent and did not arrive.
    pub(crate) frames_lost: u64,
    /// Share of the sent frames that did not arrive.
    pub(crate) loss: f64,
    /// Objects that entered or left each person's interest set, and frames that carried changes, a second.
    pub(crate) changes_per_s: f64,
    pub(crate) change_frames_per_s: f64,
    /// Datagrams that overflowed the server's sockets.
    pub(crate) server_overflowed: u64,
    /// The server's other drops in the run and in the two seconds after it, by reason.
    pub(crate) server_dropped: BTreeMap<String, u64>,
    pub(crate) line: GeneratorDatagramCounts,
    /// Frames that the generator could not read, and objects of people in other scenes, since the crowd began.
    pub(crate) malformed: u64,
    /// Poses that the server omitted for receivers' budgets.
    pub(crate) thinned: u64,
    /// Shares of one core.
    pub(crate) generator_load: f64,
    pub(crate) server_load: f64,
    pub(crate) server_rss_kib: f64,
    /// Expected number of pairs.
    pub(crate) pairs: usize,
}

impl CrowdOutcome {
    /// A run at 20 Hz without faults, for a number of people and a load.
    #[cfg(test)]
    pub(crate) fn of_load(people: usize, server_load: f64) -> CrowdOutcome {
        CrowdOutcome {
            people,
            rates: PoseRates { pairs: 1, least_per_s: 20.0, mean_per_s: 20.0, below: 0 },
            staleness: Percentiles::default(),
            delivery: Percentiles::default(),
            delivery_mean_ms: 0.0,
            said_per_s: 20.0,
            datagrams_per_s: 1.0,
            bytes_per_receiver_s: 8_000.0,
            frames_lost: 0,
            loss: 0.0,
            changes_per_s: 0.0,
            change_frames_per_s: 0.0,
            server_overflowed: 0,
            server_dropped: BTreeMap::new(),
            line: GeneratorDatagramCounts::default(),
            malformed: 0,
            thinned: 0,
            generator_load: 0.1,
            server_load,
            server_rss_kib: 1.0,
            pairs: 1,
        }
    }

    pub(crate) fn holds(&self) -> bool {
        self.rates.below == 0
            && self.rates.pairs == self.pairs
            && self.staleness.p99_ms < limits::MOTION_STALENESS_P99_MS_MAX
            && self.delivery.p99_ms < limits::MOTION_DELIVERY_P99_MS_MAX
            && self.is_unhurt()
    }

    /// Whether everyone received everything at a sufficient rate.
    pub(crate) fn is_whole(&self) -> bool {
        self.rates.pairs > 0 && self.rates.below == 0 && self.thinned == 0 && self.is_unhurt()
    }

    /// Whether nothing was lost, dropped or unreadable.
    pub(crate) fn is_unhurt(&self) -> bool {
        self.frames_lost == 0
            && self.server_overflowed == 0
            && self.server_dropped.is_empty()
            && self.line.unsent == 0
            && self.line.closed == 0
            && self.malformed == 0
    }

    pub(crate) fn is_generator_bound(&self) -> bool {
        self.generator_load > limits::GENERATOR_LOAD_MAX || self.line.overflowed > 0
    }
}

/// The parameters of a run.
pub(crate) struct CrowdRunSettings {
    pub(crate) cast: CrowdSettings,
    pub(crate) measured_s: u64,
    /// The bar for new poses a second of each pair.
    pub(crate) poses_per_s_min: f64,
}

/// Measures a crowd that has entered.
pub(crate) fn watch<L: CrowdConnections>(
    crowd: &mut Crowd<L>,
    server: &MotionServerUnderTest<'_>,
    watch: &CrowdRunSettings,
) -> Result<CrowdOutcome> {
    let &CrowdRunSettings { cast, measured_s, poses_per_s_min } = watch;
    ensure!(measured_s >= 2, "{measured_s} s say nothing of a pair's rate: at least 2");
    let from_us = crowd.now_us() + limits::WARM_UP.as_micros() as u64;
    let to_us = from_us + measured_s * 1_000_000;
    crowd.open_ledger((from_us, to_us));
    crowd.drive(from_us)?;
    let interval = IntervalMeasurements::drive(crowd, server, |crowd| crowd.drive(to_us))?;
    let server_rss_kib = resident_kib(server.pid())?;
    let ledger = crowd.close_ledger().context("it was opened")?;
    let ServerDropCounts { dropped: server_dropped, thinned } = interval.drops(crowd, server)?;
    let IntervalMeasurements { wall_s, came, line, server_overflowed, generator_load, server_load, .. } = interval;
    let frames_lost = came.lost();
    Ok(CrowdOutcome {
        people: cast.people,
        rates: ledger.rates(poses_per_s_min),
        staleness: ledger.staleness(),
        delivery: ledger.delivery(),
        delivery_mean_ms: ledger.delivery_mean_ms(),
        said_per_s: came.said as f64 / wall_s,
        datagrams_per_s: line.opened as f64 / wall_s,
        bytes_per_receiver_s: line.bytes as f64 / wall_s / cast.people as f64,
        frames_lost,
        loss: frames_lost as f64 / came.sent.max(1) as f64,
        changes_per_s: came.changes as f64 / wall_s / cast.people as f64,
        change_frames_per_s: came.change_frames as f64 / wall_s / cast.people as f64,
        server_overflowed,
        server_dropped,
        line,
        malformed: crowd.malformed(),
        thinned,
        generator_load,
        server_load,
        server_rss_kib,
        pairs: crowd.pairs(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(spoil: impl Fn(&mut CrowdOutcome)) -> bool {
        let mut outcome = CrowdOutcome::of_load(100, 0.5);
        spoil(&mut outcome);
        outcome.holds()
    }

    #[test]
    fn a_run_holds_only_if_all_pairs_get_timely_poses_and_nothing_is_lost() {
        assert!(holds(|_| {}), "negative control");
        assert!(!holds(|outcome| outcome.rates.below = 1));
        assert!(!holds(|outcome| outcome.rates.pairs = 0), "a pair that is not there");
        assert!(!holds(|outcome| outcome.pairs = 2));
        assert!(!holds(|outcome| outcome.staleness.p99_ms = limits::MOTION_STALENESS_P99_MS_MAX));
        assert!(!holds(|outcome| outcome.delivery.p99_ms = limits::MOTION_DELIVERY_P99_MS_MAX));
        for hurt in [
            (|outcome| outcome.frames_lost = 1) as fn(&mut CrowdOutcome),
            |outcome| outcome.server_overflowed = 1,
            |outcome| outcome.server_dropped = [("late".to_owned(), 1)].into(),
            |outcome| outcome.line.unsent = 1,
            |outcome| outcome.line.closed = 1,
            |outcome| outcome.malformed = 1,
        ] {
            assert!(!holds(hurt));
        }
    }

    #[test]
    fn a_run_with_thinned_poses_holds_but_is_not_whole() {
        let mut outcome = CrowdOutcome::of_load(100, 0.5);
        assert!(outcome.is_whole(), "negative control");
        outcome.thinned = 1;
        assert!(outcome.holds() && !outcome.is_whole());
    }
}
