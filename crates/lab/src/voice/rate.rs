//! How well a receiver's rate follows its path: a simulation of the server's motion scene, a link and a client. It
//! needs no server, and one seed gives one result.

mod link;
mod receiver;
mod scenario;

use serde_json::json;

use self::scenario::{LinkPhase, PhaseOutcome, RateScenario};
use crate::report::{Figure, Report};
use crate::statistics::mean;

const FAST: u64 = 250_000;
const SLOW: u64 = 50_000;
/// Seconds of each phase, and those until the rate must have followed.
const PHASE_S: u64 = 20;
const FOLLOWED_S: usize = 5;

/// The phases: a path without limit, 2 Mbit/s, 400 kbit/s, 2 Mbit/s, and the same with 5 % of random loss.
const PHASES: [LinkPhase; 5] = [
    LinkPhase { bytes_per_s: 2_500_000, lost_per_mille: 0, seconds: 6 },
    LinkPhase { bytes_per_s: FAST, lost_per_mille: 0, seconds: PHASE_S },
    LinkPhase { bytes_per_s: SLOW, lost_per_mille: 0, seconds: PHASE_S },
    LinkPhase { bytes_per_s: FAST, lost_per_mille: 0, seconds: PHASE_S },
    LinkPhase { bytes_per_s: FAST, lost_per_mille: 50, seconds: PHASE_S },
];

/// Runs the phases once for each seed.
pub(super) fn run(report: &mut Report, runs: usize) {
    let (mut queues_ms, mut used, mut lossy, mut outcomes) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for seed in 0..runs as u64 {
        let mut scenario = RateScenario::new(seed);
        let phases = PHASES.map(|phase| scenario.run(phase));
        let [_, first, slow, fast, loss] = &phases;
        let limited = [first, slow, fast];
        queues_ms.push(limited.iter().map(|phase| phase.queue_p95_ms).fold(0.0, f64::max));
        used.push(limited.iter().map(|phase| used_at_last(phase)).fold(f64::INFINITY, f64::min));
        lossy.push(mean(&loss.used) / mean(&fast.used[FOLLOWED_S..]));
        eprintln!("  rate, seed {seed}: {phases:?}");
        outcomes.push(json!({ "seed": seed, "phases": phases }));
    }
    report.series("rate", json!(outcomes));
    report.figure("voice_rate_queue_ms", Figure::of_runs(&queues_ms, "ms").held_to("<=", 40.0, "value"));
    report.figure("voice_rate_used", Figure::of_runs(&used, "of the capacity").held_to(">=", 0.8, "value"));
    report.figure("voice_rate_random_loss", Figure::of_runs(&lossy, "of the rate").held_to(">=", 0.8, "value"));
}

/// The smallest share of the capacity in any two seconds, once the rate has followed.
fn used_at_last(phase: &PhaseOutcome) -> f64 {
    phase.used[FOLLOWED_S..].windows(2).map(mean).fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_seed_gives_one_result_and_loss_lowers_the_use() {
        let phase = LinkPhase { bytes_per_s: FAST, lost_per_mille: 0, seconds: 3 };
        let run = |lost_per_mille| {
            let outcome = RateScenario::new(7).run(LinkPhase { lost_per_mille, ..phase });
            (outcome.used, outcome.units)
        };
        assert_eq!(run(20), run(20));
        assert!(run(600).0[2] < 0.8 * run(0).0[2], "negative control");
    }
}
