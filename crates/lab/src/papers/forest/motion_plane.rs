//! Runs the game's bots as people of one scene on a real server, under an interest policy similar to regions, and
//! compares the load of a receiver with the scene's state machine for the same bots in virtual time. Also measures the
//! rate at which one core changes interest sets, against the paper's routers.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::json;
use stoa_state::motion::MotionSettings;
use stoa_state::motion::interest::{InterestInput, InterestItem, InterestSets, ItemId, Observer, ObserverId};
use stoa_state::time::Time;

use crate::bots::CrowdMovementModel;
use crate::bots::halls::HallMap;
use crate::bots::item_run::ItemRunners;
use crate::crowd::connections::{CrowdConnections, NetcodeConnections};
use crate::crowd::interval::IntervalMeasurements;
use crate::crowd::simulated::{MeanReceiverRates, simulate};
use crate::crowd::tickets::TicketSource;
use crate::crowd::{Crowd, CrowdSettings};
use crate::limits;
use crate::machine::thread_time;
use crate::servers::Testbed;
use crate::servers::motion::{MotionOptions, MotionServerKind, MotionServerUnderTest, PolicyName, ServerDropCounts};

/// Steps before anyone enters, in which the bots spread from their first rooms.
const SETTLING_TICKS: usize = 600;
/// Interval of samples of the interest sets' sizes.
const LOOK_US: u64 = 100_000;
/// Evaluations of interest sets for the rate of changes: enough for a second or two.
const EVALUATIONS: usize = 200;

/// Parameters of one run.
#[derive(Clone, Copy, Debug)]
pub(super) struct MotionPlaneRunSettings {
    pub(super) people: usize,
    pub(super) policy: PolicyName,
    pub(super) measured_s: u64,
    /// Seed of the map and the bots.
    pub(super) seed: u64,
}

/// Results of one run.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct MotionPlaneOutcome {
    pub(super) people: usize,
    /// Rates on the wire, and in virtual time.
    pub(super) wire: MeanReceiverRates,
    pub(super) simulated: MeanReceiverRates,
    /// Datagrams to all people together.
    pub(super) datagrams_per_s: f64,
    /// Frames that were sent and did not arrive, and poses omitted for receivers' budgets.
    pub(super) frames_lost: u64,
    pub(super) thinned: u64,
    pub(super) overflowed: u64,
    /// The server's drops, unsent datagrams, and unreadable datagrams and frames.
    pub(super) unheard: u64,
    /// Shares of one core.
    pub(super) server_load: f64,
    pub(super) generator_load: f64,
}

impl MotionPlaneOutcome {
    /// The largest relative deviation of the wire from virtual time.
    pub(super) fn deviation(&self) -> f64 {
        let parts: [fn(&MeanReceiverRates) -> f64; 3] =
            [|told| told.fan_in, |told| told.bytes_per_s, |told| told.changes_per_s];
        let apart = parts.iter().map(|of| (of(&self.wire) / of(&self.simulated) - 1.0).abs());
        apart.fold(0.0, f64::max)
    }

    /// Whether nothing was lost and the generator's core was not too busy. The server's core is not checked.
    pub(super) fn is_whole(&self) -> bool {
        let lost = self.frames_lost + self.thinned + self.overflowed + self.unheard;
        lost == 0 && !self.is_generator_bound()
    }

    pub(super) fn is_generator_bound(&self) -> bool {
        self.generator_load > limits::GENERATOR_LOAD_MAX || self.overflowed > 0
    }
}

/// Bots spread over the halls.
fn bots(run: &MotionPlaneRunSettings) -> ItemRunners {
    let mut bots = ItemRunners::new(Arc::new(HallMap::new(run.seed)), run.people, run.seed);
    (0..SETTLING_TICKS).for_each(|_| bots.step(limits::MOTION_PERIOD));
    bots
}

/// Lets people enter a fresh server and measures them. Then runs the same bots at the same times without a server.
pub(super) fn meet(testbed: &Testbed, run: &MotionPlaneRunSettings) -> Result<MotionPlaneOutcome> {
    let plane = MotionOptions { policy: run.policy, ..MotionOptions::default() };
    let settings =
        MotionSettings { policy: run.policy.policy(), bytes_per_s: plane.bytes_per_s, ..MotionSettings::default() };
    let server = MotionServerUnderTest::start(MotionServerKind::Stoa, testbed, &plane)?;
    let cast = CrowdSettings { people: run.people, seed: run.seed, ..CrowdSettings::default() };
    let mut crowd = Crowd::new(cast, NetcodeConnections::new(run.people, server.address())?, Box::new(bots(run)));
    crowd.enter(&mut TicketSource::of(&server, &cast)?).with_context(|| format!("{} people", run.people))?;
    let (mut met, window_us) = watch(&mut crowd, &server, run)?;
    drop((crowd, server));
    met.simulated = simulate(cast, settings, Box::new(bots(run)), window_us);
    Ok(met)
}

/// Measures for `measured_s`; returns the outcome, without the simulated rates, and the start and end of the window.
fn watch<L: CrowdConnections>(
    crowd: &mut Crowd<L>,
    server: &MotionServerUnderTest<'_>,
    run: &MotionPlaneRunSettings,
) -> Result<(MotionPlaneOutcome, (u64, u64))> {
    let from_us = crowd.now_us() + limits::WARM_UP.as_micros() as u64;
    let to_us = from_us + run.measured_s * 1_000_000;
    crowd.drive(from_us)?;
    let (mut around, mut looks) = (0.0, 0.0);
    let interval = IntervalMeasurements::drive(crowd, server, |crowd| {
        while crowd.now_us() < to_us {
            crowd.drive((crowd.now_us() + LOOK_US).min(to_us))?;
            (around, looks) = (around + crowd.around(), looks + 1.0);
        }
        Ok(())
    })?;
    let ServerDropCounts { dropped, thinned } = interval.drops(crowd, server)?;
    let IntervalMeasurements { wall_s, came, line, server_overflowed, server_load, generator_load, .. } = interval;
    let each = |count: u64| count as f64 / wall_s / run.people as f64;
    let wire =
        MeanReceiverRates { fan_in: around / looks, bytes_per_s: each(line.bytes), changes_per_s: each(came.changes) };
    let met = MotionPlaneOutcome {
        people: run.people,
        wire,
        simulated: MeanReceiverRates::default(),
        datagrams_per_s: line.opened as f64 / wall_s,
        frames_lost: came.lost(),
        thinned,
        unheard: dropped.values().sum::<u64>() + line.closed + line.unsent + crowd.malformed(),
        overflowed: server_overflowed + line.overflowed,
        server_load,
        generator_load,
    };
    Ok((met, (from_us, to_us)))
}

/// The rate of changes of interest sets on one idle core.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct InterestChangeThroughput {
    pub(super) people: usize,
    /// Entered and left objects a second of processor time.
    pub(super) changes_per_s: f64,
    /// Time of one evaluation for all observers.
    pub(super) evaluation_us: f64,
    pub(super) changes: u64,
}

/// Counts the changes of the interest sets of people that run about the halls.
pub(super) fn change_rate(policy: PolicyName, (people, seed): (usize, u64)) -> InterestChangeThroughput {
    let mut bots = bots(&MotionPlaneRunSettings { people, policy, measured_s: 0, seed });
    let (mut interest, mut crossings) = (InterestSets::new(policy.policy()), Vec::new());
    let (mut changes, mut spent, mut now) = (0, Duration::ZERO, Time::ZERO);
    for evaluation in 0..=EVALUATIONS {
        let interval = interest.poll_timeout().since(now);
        bots.step(interval);
        now = now + interval;
        let places = bots.bots().iter().map(|bot| [(bot.position[0] * 1e3) as i32, 0, (bot.position[1] * 1e3) as i32]);
        let (items, observers): (Vec<InterestItem>, Vec<Observer>) = (0..)
            .zip(places)
            .map(|(slot, position)| {
                let id = ObserverId(slot);
                (InterestItem { id: ItemId(slot), owner: Some(id), position }, Observer { id, position })
            })
            .unzip();
        crossings.clear();
        let began = thread_time();
        interest.update(InterestInput { items: &items, observers: &observers }, now, &mut crossings);
        // The first evaluation only adds objects.
        if evaluation > 0 {
            spent += thread_time() - began;
            changes += crossings.len() as u64;
        }
    }
    let spent_s = spent.as_secs_f64();
    InterestChangeThroughput {
        people,
        changes_per_s: changes as f64 / spent_s,
        evaluation_us: spent_s * 1e6 / EVALUATIONS as f64,
        changes,
    }
}

/// A run's key in the journal.
pub(super) fn key(run: &MotionPlaneRunSettings, number: usize) -> serde_json::Value {
    json!({ "people": run.people, "policy": run.policy, "measured_s": run.measured_s, "seed": run.seed, "run": number })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deviation_is_the_largest_relative_error_of_the_rates() {
        let told = |fan_in, bytes_per_s, changes_per_s| MeanReceiverRates { fan_in, bytes_per_s, changes_per_s };
        let met = |wire| MotionPlaneOutcome {
            people: 1,
            wire,
            simulated: told(10.0, 1_000.0, 4.0),
            datagrams_per_s: 0.0,
            frames_lost: 0,
            thinned: 0,
            overflowed: 0,
            unheard: 0,
            server_load: 0.0,
            generator_load: 0.0,
        };
        assert_eq!(met(told(10.0, 1_000.0, 4.0)).deviation(), 0.0, "negative control");
        assert!((met(told(10.5, 990.0, 4.0)).deviation() - 0.05).abs() < 1e-9);
        assert!((met(told(10.5, 990.0, 3.0)).deviation() - 0.25).abs() < 1e-9);
        assert!((met(told(10.0, 400.0, 4.0)).deviation() - 0.6).abs() < 1e-9);
    }

    #[test]
    fn interest_sets_change_as_people_run() {
        let rate = change_rate(PolicyName::Hex, (40, 1));
        assert!(rate.changes > 0 && rate.changes_per_s > 0.0, "{rate:?}");
    }
}
