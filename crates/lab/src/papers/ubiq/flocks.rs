//! Measures flocks that see only through the server (Figs 8 and 10): extension, polarisation and collisions under
//! baseline, kNN and hexagons, over the latency of the path. Figures `ubiq_flock_…`.
//!
//! Every boid decodes its incoming poses and steers by them alone, at their real age. Latency is added in user
//! space, half of it in each direction. The flocks of all trials move at the same time, each in its own scene. They
//! start after everyone has entered. The flocks of one trial start from equal positions under every policy.

use std::time::Duration;

use anyhow::Result;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::people::CONDITIONS;
use super::{Options, UbiqExperimentPart};
use crate::bots::BotKinematics;
use crate::bots::flock::{EXTENSION_M, FlockShapeMeasures, extension_m};
use crate::bots::networked_boids::NetworkedFlocks;
use crate::crowd::connections::NetcodeConnections;
use crate::crowd::impaired::{ImpairedConnections, LinkImpairment};
use crate::crowd::tickets::TicketSource;
use crate::crowd::{Crowd, CrowdSettings};
use crate::environment::ExperimentContext;
use crate::limits;
use crate::machine::thread_time;
use crate::plot::{Axis, Curve, Plot};
use crate::report::{Figure, Report, Table};
use crate::servers::Testbed;
use crate::servers::motion::{MotionOptions, MotionServerKind, MotionServerUnderTest, PolicyName};
use crate::statistics::interval_99;

/// Interval of samples.
const LOOK: Duration = Duration::from_millis(500);
/// Policies of the scenes, in turn.
const POLICIES: [PolicyName; CONDITIONS.len()] = [CONDITIONS[0].1, CONDITIONS[1].1, CONDITIONS[2].1];
/// Number of random subgroups of Fig. 10, and boids in each: as many as an interest set under kNN.
const SUBGROUPS: usize = 100;
const SUBGROUP: usize = 20;

/// All trials of one policy, at one latency and from one kind of start.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct FlockTrials {
    condition: String,
    /// Whether the boids began all over the area.
    is_scattered: bool,
    latency_ms: u64,
    /// For each trial the mean over the second half of its time.
    later: Vec<FlockShapeMeasures>,
    /// The mean over all trials at each sample.
    course: Vec<FlockShapeMeasures>,
    /// Extensions of random subgroups of the first trial at the end, relative to 200 m.
    subgroups: Vec<f64>,
    generator_load: f64,
    /// Datagrams that overflowed the generator's sockets.
    overflowed: u64,
}

impl FlockTrials {
    fn is_generator_bound(&self) -> bool {
        self.generator_load > limits::GENERATOR_LOAD_MAX || self.overflowed > 0
    }
}

/// A measure: name, unit, scale of the normalised value, and accessor.
type FlockMeasureDefinition = (&'static str, &'static str, f64, fn(&FlockShapeMeasures) -> f64);
const MEASURES: [FlockMeasureDefinition; 3] = [
    ("extension_m", "m", EXTENSION_M, |flock| flock.extension),
    ("polarisation_deg", "degrees", 180.0, |flock| flock.polarisation),
    ("collisions", "of all", 1.0, |flock| flock.collisions),
];

pub(super) fn measure(
    report: &mut Report,
    options: &Options,
    (setting, testbed): (&ExperimentContext, &Testbed),
) -> Result<()> {
    if !options.has(UbiqExperimentPart::Flocks) {
        return Ok(());
    }
    let mut all: Vec<FlockTrials> = Vec::new();
    let gathered = options.latencies_ms.iter().map(|latency_ms| (*latency_ms, false));
    // Only flocks that start together can match the paper's. Scattered ones, at no added latency, show the influence of
    // the start.
    for (latency_ms, is_scattered) in gathered.chain((!options.together_only).then_some((0, true))) {
        let key = json!({ "flocks_at_ms": latency_ms, "scattered": is_scattered });
        all.extend(setting.step(key, || watch(options, testbed, (latency_ms, is_scattered)))?);
    }
    tell(report, &all);
    draw(setting, &all)
}

/// Runs all policies' trials at one latency. Scenes have the three policies in turn, and the three scenes of a trial
/// start alike.
fn watch(options: &Options, testbed: &Testbed, (latency_ms, is_scattered): (u64, bool)) -> Result<Vec<FlockTrials>> {
    let &Options { flock, trials, seed, .. } = options;
    let server = MotionServerUnderTest::start(MotionServerKind::Stoa, testbed, &MotionOptions::default())?;
    let scenes = trials * CONDITIONS.len();
    let people = flock * scenes;
    let policies = &POLICIES;
    let period = Duration::from_secs_f64(1.0 / options.rate_hz);
    let cast =
        CrowdSettings { people, decoders: people, together: flock, period, policies, seed, ..CrowdSettings::default() };
    let delay = Duration::from_millis(latency_ms) / 2;
    let impairment = LinkImpairment { loss: 0.0, delay, jitter: Duration::ZERO, seed };
    let connections = ImpairedConnections::new(NetcodeConnections::new(people, server.address())?, impairment);
    let begin_m = if is_scattered { options.side_m } else { options.begin_m };
    let flocks = (0..scenes).map(|scene| {
        let seed = seed + (scene / CONDITIONS.len()) as u64;
        options.boids(options.side_m, flock, (seed, begin_m))
    });
    let mut crowd = Crowd::new(cast, connections, Box::new(NetworkedFlocks::new(flocks.collect())));
    crowd.enter(&mut TicketSource::of(&server, &cast)?)?;
    // Boids rest during the warm-up, and receive each other's positions.
    crowd.drive(crowd.now_us() + limits::WARM_UP.as_micros() as u64)?;
    crowd.begin();
    let (began_us, busy, counts) = (crowd.now_us(), thread_time(), crowd.counts());
    let looks = (Duration::from_secs(options.trial_s).as_millis() / LOOK.as_millis()).max(2) as u64;
    let mut seen: Vec<Vec<FlockShapeMeasures>> = Vec::new();
    for look in 1..=looks {
        crowd.drive(began_us + look * LOOK.as_micros() as u64)?;
        seen.push(crowd.bots().chunks(flock).map(FlockShapeMeasures::of).collect());
    }
    let generator_load = (thread_time() - busy).as_secs_f64() / (LOOK.as_secs_f64() * looks as f64);
    let overflowed = crowd.counts().since(&counts).overflowed;
    let trials = CONDITIONS.into_iter().enumerate().map(|(at, (condition, _))| {
        let mine = |flocks: &[FlockShapeMeasures]| -> Vec<FlockShapeMeasures> {
            flocks.iter().skip(at).step_by(CONDITIONS.len()).copied().collect()
        };
        let seen: Vec<Vec<FlockShapeMeasures>> = seen.iter().map(|flocks| mine(flocks)).collect();
        let later = (0..seen[0].len()).map(|trial| mean(seen[seen.len() / 2..].iter().map(|flocks| flocks[trial])));
        FlockTrials {
            condition: condition.to_owned(),
            is_scattered,
            latency_ms,
            later: later.collect(),
            course: seen.iter().map(|flocks| mean(flocks.iter().copied())).collect(),
            subgroups: subgroups(&crowd.bots()[at * flock..][..flock], seed),
            generator_load,
            overflowed,
        }
    });
    Ok(trials.collect())
}

fn mean(flocks: impl Iterator<Item = FlockShapeMeasures> + Clone) -> FlockShapeMeasures {
    let share = 1.0 / flocks.clone().count().max(1) as f64;
    let of = |of: fn(&FlockShapeMeasures) -> f64| flocks.clone().map(|flock| of(&flock)).sum::<f64>() * share;
    FlockShapeMeasures {
        extension: of(|flock| flock.extension),
        polarisation: of(|flock| flock.polarisation),
        collisions: of(|flock| flock.collisions),
    }
}

fn subgroups(bots: &[BotKinematics], seed: u64) -> Vec<f64> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut subgroup = || {
        let some: Vec<BotKinematics> = rng.choose_multiple(bots.iter(), SUBGROUP).into_iter().cloned().collect();
        extension_m(&some) / EXTENSION_M
    };
    (0..SUBGROUPS).map(|_| subgroup()).collect()
}

fn tell(report: &mut Report, all: &[FlockTrials]) {
    let mut rows = Vec::new();
    for trials in all {
        let begin = if trials.is_scattered { "scattered" } else { "together" };
        let mut row = vec![json!(trials.condition), json!(begin), json!(trials.latency_ms)];
        for (name, unit, scale, of) in MEASURES {
            let values: Vec<f64> = trials.later.iter().map(|flock| of(flock) * scale).collect();
            let (mean, half) = interval_99(&values);
            row.push(json!(if half.is_finite() { format!("{mean:.3} ± {half:.3}") } else { format!("{mean:.3}") }));
            // Only trials without added latency have figures; the table has all.
            if trials.latency_ms == 0 {
                let suffix = if trials.is_scattered { "_scattered" } else { "" };
                let mut figure = Figure::new(mean, unit);
                figure.generator_bound = trials.is_generator_bound();
                report.figure(&format!("ubiq_flock_{name}_{}{suffix}", trials.condition), figure);
            }
        }
        row.push(json!(within(all, trials)));
        let bound = if trials.is_generator_bound() { ", at its limit" } else { "" };
        row.push(json!(format!("{:.2}{bound}", trials.generator_load)));
        rows.push(row);
    }
    let columns = [
        "condition",
        "begun",
        "added latency ms",
        "extension m",
        "polarisation °",
        "collisions",
        "subgroups within",
        "generator's core",
    ];
    let title = "Flocks that see only through the server: means of the second half with 99 % intervals, and the number of 100 random subgroups within the baseline's interval".to_owned();
    report.table(Table { title, columns: columns.map(str::to_owned).to_vec(), rows });
    report.series("flocks", json!(all));
}

/// The number of random subgroups whose extension is within the interval of the baseline's flocks at the same
/// latency and from the same kind of start, as in Fig. 10.
fn within(all: &[FlockTrials], trials: &FlockTrials) -> Option<usize> {
    let way = |trials: &FlockTrials| (trials.is_scattered, trials.latency_ms);
    let baseline = all.iter().find(|other| other.condition == "baseline" && way(other) == way(trials))?;
    let extensions: Vec<f64> = baseline.later.iter().map(|flock| flock.extension).collect();
    let (mean, half) = interval_99(&extensions);
    Some(trials.subgroups.iter().filter(|extension| (**extension - mean).abs() <= half).count())
}

fn draw(setting: &ExperimentContext, all: &[FlockTrials]) -> Result<()> {
    for (name, unit, scale, of) in MEASURES {
        let curve = |(condition, _): (&'static str, PolicyName)| {
            let those = all.iter().filter(move |trials| trials.condition == condition && !trials.is_scattered);
            let points = those
                .flat_map(|trials| trials.later.iter().map(move |flock| (trials.latency_ms as f64, of(flock) * scale)));
            Curve::new(condition, points)
        };
        let title = format!("Flocks that steer by received poses: {}", name.split('_').next().unwrap_or(name));
        let curves = CONDITIONS.into_iter().map(curve).collect();
        let plot = Plot { title, x: Axis::linear("added latency, ms"), y: Axis::linear(unit), limit: None, curves };
        setting.draw(&format!("flock_{name}.svg"), &plot)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subgroups_are_compared_with_the_interval_of_the_baseline() {
        let flock = |extension| FlockShapeMeasures { extension, ..FlockShapeMeasures::default() };
        let trials = |condition: &str, subgroups: Vec<f64>| FlockTrials {
            condition: condition.to_owned(),
            is_scattered: false,
            latency_ms: 0,
            later: [0.010, 0.011, 0.012].map(flock).to_vec(),
            course: Vec::new(),
            subgroups,
            generator_load: 0.0,
            overflowed: 0,
        };
        // 0.011 ± 9.925 × 0.001 / √3.
        let all = [trials("baseline", vec![]), trials("knn", vec![0.006, 0.011, 0.016, 0.004, 0.018])];
        assert_eq!(within(&all, &all[1]), Some(3));
        assert_eq!(within(&all[1..], &all[1]), None, "no baseline, no interval");
    }
}
