//! Measures the motion plane: the people that one core carries, and the cost of a person. All load uses real sockets,
//! with the server and the generator on a core each.

mod capacity;
mod growth;
mod lossy;
mod memory;
mod references;
mod serving;

use anyhow::{Result, ensure};
use serde_json::json;

use crate::choice;
use crate::environment::ExperimentContext;
use crate::limits;
use crate::report::Report;
use crate::servers::Testbed;
use crate::servers::motion::{MotionOptions, MotionServerKind};

/// The figures of the report.
pub(crate) const FIGURES: &[&str] = &[
    "motion_people_all",
    "motion_people_hands",
    "motion_people_webtransport",
    "motion_{bytes,cpu}_growth_{nearest,hex}_{randomwalk,boids}",
    "motion_session_kib",
    "motion_session_kib_1000",
    "motion_session_kib_webtransport",
    "motion_at_once_people",
    "motion_loss_error_mm",
    "motion_loss_error_shown_mm",
];

/// Options of the motion experiment.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Options {
    /// Measure only these parts
    #[arg(long, value_delimiter = ',')]
    only: Vec<MotionExperimentPart>,
    /// The server under test
    #[arg(long, value_enum, default_value_t = MotionServerKind::Stoa)]
    server: MotionServerKind,
    /// Seconds that count in each step
    #[arg(long, default_value_t = 10)]
    step_s: u64,
    /// Searches of each kind; the report has their median
    #[arg(long, default_value_t = 3)]
    runs: usize,
    /// Measure these numbers of people instead of searching
    #[arg(long, value_delimiter = ',')]
    people: Vec<usize>,
    /// The smaller number of people for the growth
    #[arg(long, default_value_t = 500)]
    growth_from: usize,
    /// Seed of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    plane: MotionOptions,
}

/// A part of the experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
#[value(rename_all = "snake_case")]
enum MotionExperimentPart {
    /// The most people with a head each
    All,
    /// The most people with a head and two hands each
    Hands,
    /// The most people by WebTransport
    Webtransport,
    /// With `all`: the references
    Beside,
    /// Resident memory of a session
    Memory,
    /// Drawing error over a lossy path
    Loss,
    /// Serving at once and in ticks
    Serving,
    /// All four parts of growth
    Growth,
    GrowthNearestRandomwalk,
    GrowthNearestBoids,
    GrowthHexRandomwalk,
    GrowthHexBoids,
}

/// The experiment's context, and the realm's folder.
type ContextAndTestbed<'a> = (&'a ExperimentContext, &'a Testbed);

impl Options {
    fn has(&self, part: MotionExperimentPart) -> bool {
        choice::has(&self.only, &part)
    }
}

pub(crate) fn run(options: &Options, setting: &ExperimentContext) -> Result<Report> {
    ensure!(
        options.has(MotionExperimentPart::All) || !options.has(MotionExperimentPart::Beside),
        "--only beside needs all: the references use its number"
    );
    let mut report = Report::new(
        "motion",
        json!({
            "server": format!("{:?}", options.server), "rate_hz": 20, "step_s": options.step_s, "runs": options.runs, "seed": options.seed,
            "bytes_per_s": options.plane.bytes_per_s, "decoders": limits::MOTION_DECODERS,
            "limits": { "poses_per_s": limits::MOTION_POSES_PER_S_MIN, "staleness_p99_ms": limits::MOTION_STALENESS_P99_MS_MAX,
                        "delivery_p99_ms": limits::MOTION_DELIVERY_P99_MS_MAX, "dropped_by_the_server": 0 },
        }),
    );
    let testbed = Testbed::new(setting.stoa()?)?;
    let context = (setting, &testbed);
    let mut plots = capacity::measure(&mut report, options, context)?;
    growth::measure(&mut report, options, context)?;
    memory::measure(&mut report, options, context)?;
    plots.extend(serving::measure(&mut report, options, context)?);
    lossy::measure(&mut report, options, context)?;
    plots.iter().try_for_each(|(file, plot)| setting.draw(file, plot))?;
    Ok(report.finish())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use clap::Parser;
    use serde_json::Value;

    use super::*;
    use crate::crowd::watch::CrowdOutcome;
    use crate::journal::Journal;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        options: Options,
    }

    /// Runs with a journal of known steps, and a server that cannot start.
    fn run_with(known: &[(Value, Value)], line: &str) -> Result<Value> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("journal");
        let mut journal = Journal::open(&path, &json!(line))?;
        known.iter().try_for_each(|(key, outcome)| journal.note(key, outcome))?;
        let setting = ExperimentContext::new(
            Some(Path::new("/nowhere/stoa").to_owned()),
            None,
            Journal::open(&path, &json!(line))?,
        );
        let Line { options } = Line::parse_from(["motion"].into_iter().chain(line.split_whitespace()));
        Ok(serde_json::to_value(run(&options, &setting)?)?["figures"].clone())
    }

    #[test]
    fn journaled_measurements_are_not_repeated() {
        let memory = [
            (json!({ "memory": 2_000, "objects": 0 }), json!(5.0)),
            (json!({ "memory_by_webtransport": 500 }), json!(40.0)),
            (json!({ "memory": 1_000, "objects": 1 }), json!(9.0)),
        ];
        let figures = run_with(&memory, "--only memory").expect("all is known");
        assert_eq!(figures["motion_session_kib_1000"]["value"], 9.0);
        assert!(run_with(&memory[..2], "--only memory").is_err(), "negative control: no server starts");

        let outcome = |people| json!({ "Ok": CrowdOutcome::of_load(people, 0.1) });
        let together = |people| (json!({ "together": "hands", "people": people, "run": 0 }), outcome(people));
        let line = "--only hands --people 20,40";
        let figures = run_with(&[together(20), together(40)], line).expect("all is known");
        assert_eq!(figures["motion_people_hands"]["value"], 40.0);

        let grown: Vec<_> = [(10, 0.1), (40, 0.4)]
            .into_iter()
            .flat_map(|(people, load)| {
                [0, 1].map(|run| {
                    let key = json!({ "growth": "hex_boids", "people": people, "run": run });
                    (key, json!(CrowdOutcome::of_load(people, load)))
                })
            })
            .collect();
        let line = "--only growth_hex_boids --growth-from 10 --runs 2";
        let figures = run_with(&grown, line).expect("all is known");
        assert_eq!(figures["motion_cpu_growth_hex_boids"]["value"], 1.0);
        assert!(run_with(&grown[..3], line).is_err(), "each run is a step of its own");
    }

    #[test]
    fn the_references_part_without_the_all_part_is_an_error() {
        let error = run_with(&[], "--only beside").expect_err("it would measure nothing").to_string();
        assert!(error.contains("all"), "{error}");
    }
}
