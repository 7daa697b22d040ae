//! Runs one attack on a fresh realm, and measures delivery first without the attack and then under it.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::thread::{self, ScopedJoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use serde::{Deserialize, Serialize};

use super::attack::{self, AchievedAttackRates, AttackKind, AttackTotals};
use super::disk;
use super::honest::{HonestLoad, HonestOutcome};
use super::stage::{self, ATTACKED, AttackPlan, BYSTANDERS, RealmUnderAttack};
use crate::limits;
use crate::load::ledger::{DeliveryLedger, or_never};
use crate::load::swarm::{MqttSwarm, SendSchedule};

/// Bystanders: 4,000 deliveries a second.
const BYSTANDERS_COUNT: usize = 20;
/// Honest people in the attacked scene: 360 deliveries a second.
const INSIDE_COUNT: usize = 6;
/// Load before the attacked part is measured: the hostile clients connect, and queues fill.
const ATTACK_WARM_UP: Duration = Duration::from_secs(10);

/// The parts of a run, in microseconds since it began.
#[derive(Clone, Debug, PartialEq, Eq)]
struct RunTimeline {
    /// Messages of this time are measured without the attack.
    quiet_us: Range<u64>,
    attack_us: u64,
    /// Messages of this time are measured under the attack.
    attacked_us: Range<u64>,
    end_us: u64,
}

impl RunTimeline {
    fn of(measured: Duration) -> RunTimeline {
        let [measured, warm_up, grace, attack_warm_up] =
            [measured, limits::WARM_UP, limits::GRACE, ATTACK_WARM_UP].map(|time| time.as_micros() as u64);
        let quiet_us = warm_up..warm_up + measured;
        let attack_us = quiet_us.end + grace;
        let attacked_us = attack_us + attack_warm_up..attack_us + attack_warm_up + measured;
        RunTimeline { quiet_us, attack_us, end_us: attacked_us.end + grace, attacked_us }
    }
}

/// Delivery in one part of a run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct DeliveryPhaseStats {
    /// Time from a message's due time to its delivery; infinite without deliveries.
    #[serde(deserialize_with = "or_never")]
    pub(super) p99_ms: f64,
    pub(super) delivered: u64,
    /// Share of the expected deliveries that did not arrive.
    pub(super) undelivered: f64,
}

/// Delivery before and under the attack.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct QuietAndAttackedDelivery {
    pub(super) quiet: DeliveryPhaseStats,
    pub(super) attacked: DeliveryPhaseStats,
}

/// The results of one run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct HostileOutcome {
    pub(super) bystanders: QuietAndAttackedDelivery,
    pub(super) inside: QuietAndAttackedDelivery,
    pub(super) honest: HonestOutcome,
    pub(super) attack: AchievedAttackRates,
    /// The history after the attack `history`.
    #[serde(default)]
    pub(super) history: Option<HistoryOutcome>,
}

/// The history after an attack.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct HistoryOutcome {
    /// The share of the class's changes that the history keeps.
    pub(super) kept: f64,
    /// The size of the database, divided by the history that the realm may keep.
    pub(super) size: f64,
}

/// Runs an attack on a binary. Each part is measured for `measured`.
pub(super) fn one(stoa: &Path, plan: &AttackPlan, measured: Duration) -> Result<HostileOutcome> {
    let realm = RealmUnderAttack::set_up(stoa, &stage::flags_for(plan.kind), plan.kind)?;
    let mut bystanders = realm.swarm(BYSTANDERS, "bystander", BYSTANDERS_COUNT)?;
    let mut inside = realm.swarm(ATTACKED, "insider", INSIDE_COUNT)?;
    let (tally, honest) = (Arc::new(AttackTotals::default()), HonestLoad::new(&realm)?);
    let clients = realm.hostile_clients(plan, &tally)?;
    let timeline = RunTimeline::of(measured);
    let began = Instant::now();
    let [attack_at, until, end] = [timeline.attack_us, timeline.attacked_us.end, timeline.end_us]
        .map(|at_us| began + Duration::from_micros(at_us));
    let (bystanders, inside, honest) = thread::scope(|scope| {
        let attacking = scope.spawn(|| attack::run(clients, plan.kind, attack_at, until));
        let honest = scope.spawn(|| honest.run(attack_at, end));
        let inside = scope.spawn(|| observe(&mut inside, INSIDE_COUNT, &timeline));
        let bystanders = observe(&mut bystanders, BYSTANDERS_COUNT, &timeline);
        let (inside, honest, attacked) = (joined(inside), joined(honest), joined(attacking));
        attacked.and_then(|()| Ok((bystanders?, inside?, honest?)))
    })?;
    let attack = tally.rates((until - attack_at).as_secs_f64());
    let history = match plan.kind {
        AttackKind::History => {
            let size = disk::size_mib(realm.testbed.folder.path()) / f64::from(stage::HISTORY_MIB);
            Some(HistoryOutcome { kept: realm.kept_history()? as f64 / honest.built.max(1) as f64, size })
        }
        _ => None,
    };
    Ok(HostileOutcome { bystanders, inside, honest, attack, history })
}

fn joined<T>(thread: ScopedJoinHandle<'_, Result<T>>) -> Result<T> {
    thread.join().map_err(|_| anyhow!("a thread of the load panicked"))?
}

/// Drives a swarm through both parts of the run.
fn observe(swarm: &mut MqttSwarm, people: usize, timeline: &RunTimeline) -> Result<QuietAndAttackedDelivery> {
    let mut pace = SendSchedule::new(people, limits::RATE_HZ);
    swarm.begin();
    let mut part = |measured_us: &Range<u64>, until_us: u64| {
        let mut ledger = DeliveryLedger::new((people, people), (measured_us.start, measured_us.end));
        swarm.drive(&mut pace, until_us, &mut ledger)?;
        let (p99_ms, delivered) = (ledger.delivery().p99_ms, ledger.delivered());
        Ok::<_, anyhow::Error>(DeliveryPhaseStats { p99_ms, delivered, undelivered: ledger.undelivered() })
    };
    let quiet = part(&timeline.quiet_us, timeline.attack_us)?;
    Ok(QuietAndAttackedDelivery { quiet, attacked: part(&timeline.attacked_us, timeline.end_us)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_phases_of_a_run_do_not_overlap() {
        let timeline = RunTimeline::of(Duration::from_secs(30));
        let RunTimeline { quiet_us, attack_us, attacked_us, end_us } = timeline;
        assert_eq!([&quiet_us, &attacked_us].map(|part| part.end - part.start), [30_000_000; 2]);
        let order = [quiet_us.start, quiet_us.end, attack_us, attacked_us.start, attacked_us.end, end_us];
        assert!(order.is_sorted_by(|one, next| one < next), "{order:?}");
    }
}
