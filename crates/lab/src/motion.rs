//! The motion plane: how many people one core carries, and what a person costs. Everything over real sockets, the server on its core, the generator on the other.

mod beside;
mod growth;
mod lossy;
mod memory;
mod serving;
mod together;

use anyhow::{Result, ensure};
use serde_json::json;

use crate::choice;
use crate::limits;
use crate::report::Report;
use crate::servers::Stage;
use crate::servers::motion::{MotionKind, MotionOptions};
use crate::setting::Setting;

/// What it finds.
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
    /// Only these parts
    #[arg(long, value_delimiter = ',')]
    only: Vec<Part>,
    /// Which server
    #[arg(long, value_enum, default_value_t = MotionKind::Stoa)]
    server: MotionKind,
    /// Seconds of each step that count
    #[arg(long, default_value_t = 10)]
    step_s: u64,
    /// Searches of each kind; their median is told
    #[arg(long, default_value_t = 3)]
    runs: usize,
    /// Try these numbers of people and search for nothing
    #[arg(long, value_delimiter = ',')]
    people: Vec<usize>,
    /// The smaller number of people of the growth
    #[arg(long, default_value_t = 500)]
    growth_from: usize,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    plane: MotionOptions,
}

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
#[value(rename_all = "snake_case")]
enum Part {
    /// How many, each a head
    All,
    /// How many, each with hands
    Hands,
    /// How many by WebTransport
    Webtransport,
    /// With all: the references
    Beside,
    Memory,
    /// What is drawn on a bad way
    Loss,
    /// At once and in ticks
    Serving,
    /// All four of the next
    Growth,
    GrowthNearestRandomwalk,
    GrowthNearestBoids,
    GrowthHexRandomwalk,
    GrowthHexBoids,
}

/// Where steps are kept, and the realm's folder.
type Place<'a> = (&'a Setting, &'a Stage);

impl Options {
    fn has(&self, part: Part) -> bool {
        choice::has(&self.only, &part)
    }
}

pub(crate) fn run(options: &Options, setting: &Setting) -> Result<Report> {
    ensure!(options.has(Part::All) || !options.has(Part::Beside), "--only beside without all: it is beside that");
    let mut report = Report::new(
        "motion",
        json!({
            "server": format!("{:?}", options.server), "rate_hz": 20, "step_s": options.step_s, "runs": options.runs, "seed": options.seed,
            "bytes_per_s": options.plane.bytes_per_s, "decoders": limits::MOTION_DECODERS,
            "limits": { "poses_per_s": limits::MOTION_POSES_PER_S_MIN, "staleness_p99_ms": limits::MOTION_STALENESS_P99_MS_MAX,
                        "delivery_p99_ms": limits::MOTION_DELIVERY_P99_MS_MAX, "dropped_by_the_server": 0 },
        }),
    );
    let stage = Stage::new(setting.stoa()?)?;
    let place = (setting, &stage);
    let mut plots = together::measure(&mut report, options, place)?;
    growth::measure(&mut report, options, place)?;
    memory::measure(&mut report, options, place)?;
    plots.extend(serving::measure(&mut report, options, place)?);
    lossy::measure(&mut report, options, place)?;
    plots.iter().try_for_each(|(file, plot)| setting.draw(file, plot))?;
    Ok(report.finish())
}
