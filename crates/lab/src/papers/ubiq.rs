//! Repeats Ubiq's scaling experiments (Friston et al., "Exploring Server-Centric Scalability for Social VR"): people to
//! failure under baseline, kNN and hexagonal partitions, the paper's Table I, and its flocks.

mod flocks;
mod messages;
mod paper;
mod people;
mod plots;

use anyhow::Result;
use serde_json::json;

use self::people::PolicyAndMovement;
use crate::bots::boids::{Boids, FlockingWeights};
use crate::choice;
use crate::environment::ExperimentContext;
use crate::report::Report;
use crate::servers::{MqttServerKind, Testbed};

/// The figures of the report.
pub(crate) const FIGURES: &[&str] = &[
    "ubiq_people_500ms_{baseline,knn,hex}_{randomwalk,boids}",
    "ubiq_people_500ms_{baseline,knn,hex}_randomwalk_60hz",
    "ubiq_messages_people_500ms_{10,60,500,1000}hz_{0,500,1500}b",
    "ubiq_flock_{extension_m,polarisation_deg,collisions}_{baseline,knn,hex}",
    "ubiq_flock_{extension_m,polarisation_deg,collisions}_{baseline,knn,hex}_scattered",
];

/// Options of the experiment. Defaults are the paper's where it states them.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Options {
    /// Measure only these parts
    #[arg(long, value_delimiter = ',')]
    only: Vec<UbiqExperimentPart>,
    /// Measure only these kinds of people
    #[arg(long, value_delimiter = ',')]
    kinds: Vec<PolicyAndMovement>,
    /// Numbers of people to try, ascending, until one is not carried
    #[arg(long, value_delimiter = ',', default_values_t = [48, 480, 960, 1_920, 3_000])]
    people: Vec<usize>,
    /// Poses a second of each person
    #[arg(long, default_value_t = 10.0)]
    rate_hz: f64,
    /// Side of the square in which people walk, in metres
    #[arg(long, default_value_t = 200.0)]
    side_m: f64,
    /// Let the square grow with the people instead, 400 m² for each
    #[arg(long)]
    grow: bool,
    /// Numbers of people to try at 60 Hz
    #[arg(long, value_delimiter = ',', default_values_t = [24, 96, 384, 768, 1_536])]
    people_60hz: Vec<usize>,
    /// Measure only these rows of Table I, from 1
    #[arg(long, value_delimiter = ',')]
    rows: Vec<usize>,
    /// Numbers of people to try for each row of Table I, as multiples of its peers
    #[arg(long, value_delimiter = ',', default_values_t = [1, 4, 16])]
    times: Vec<usize>,
    /// Measure Table I's rows only with these servers
    #[arg(long, value_delimiter = ',', value_parser = choice::one_of(&messages::KINDS))]
    servers: Vec<MqttServerKind>,
    /// Seconds that count in each step
    #[arg(long, default_value_t = 3)]
    step_s: u64,
    /// Runs of a number, of which more than half must carry it
    #[arg(long, default_value_t = 3)]
    runs: usize,
    /// A search ends when its gap is this share of the number
    #[arg(long, default_value_t = 0.3)]
    resolution: f64,
    /// Side of the square in the middle in which boids begin, in metres: a cell
    #[arg(long, default_value_t = 20.0)]
    begin_m: f64,
    /// Measure no flocks that begin all over the area
    #[arg(long)]
    together_only: bool,
    /// Latency added between two people, in milliseconds
    #[arg(long, value_delimiter = ',', default_values_t = [0, 100, 250, 500])]
    latencies_ms: Vec<u64>,
    /// Boids of a flock
    #[arg(long, default_value_t = 100)]
    flock: usize,
    /// Flocks of each policy, at the same time in scenes of their own
    #[arg(long, default_value_t = 7)]
    trials: usize,
    /// Seconds for which flocks are measured
    #[arg(long, default_value_t = 60)]
    trial_s: u64,
    /// Seed of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// A part of the experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum UbiqExperimentPart {
    /// People to failure
    People,
    /// People to failure at 60 Hz
    Rates,
    /// Table I, by MQTT messages
    Messages,
    /// Flocks that see only through the server
    Flocks,
}

impl Options {
    /// Boids in the experiment's area, starting in a square of `begin_m` in its middle. The paper does not state the
    /// starting positions. Its flocks under hexagons were within one cell after a minute. Flocks that start all over
    /// the area never are.
    fn boids(&self, side_m: f64, bots: usize, (seed, begin_m): (u64, f64)) -> Boids {
        Boids::within(side_m, bots, (seed, FlockingWeights::default())).gathered(begin_m / side_m)
    }

    fn has(&self, part: UbiqExperimentPart) -> bool {
        choice::has(&self.only, &part)
    }
}

pub(crate) fn run(options: &Options, setting: &ExperimentContext) -> Result<Report> {
    let Options { rate_hz, side_m, grow, step_s, runs, seed, .. } = options;
    let mut report = Report::new(
        "ubiq",
        json!({
            "rate_hz": rate_hz, "area": if *grow { json!("400 m² for each") } else { json!([side_m, side_m]) },
            "step_s": step_s, "runs": runs, "seed": seed, "begin_m": options.begin_m, "flock": options.flock, "trials": options.trials, "trial_s": options.trial_s,
            "limits": { "latency_p95_ms": people::LATENCY_MS_MAX, "achieved": people::ACHIEVED_MIN, "lost": people::LOST_MAX },
        }),
    );
    let testbed = Testbed::new(setting.stoa()?)?;
    people::measure(&mut report, options, (setting, &testbed))?;
    messages::measure(&mut report, options, (setting, &testbed))?;
    flocks::measure(&mut report, options, (setting, &testbed))?;
    Ok(report.finish())
}
