//! The motion plane: how many people one core carries, and what a person costs. Everything over real sockets, the server on its core, the generator on the other.

mod beside;
mod growth;
mod lossy;
mod memory;
mod serving;
mod together;

use anyhow::Result;
use serde_json::json;

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
    /// Only these parts: all, hands, webtransport, beside, memory, loss, serving, growth (or growth_nearest_boids, …)
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
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

impl Options {
    fn has(&self, part: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only == part)
    }
}

pub(crate) fn run(options: &Options, setting: &Setting) -> Result<Report> {
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
    let mut plots = together::measure(&mut report, options, &stage)?;
    growth::measure(&mut report, options, &stage)?;
    memory::measure(&mut report, options, &stage)?;
    plots.extend(serving::measure(&mut report, options, &stage)?);
    lossy::measure(&mut report, options, &stage)?;
    plots.iter().try_for_each(|(file, plot)| setting.draw(file, plot))?;
    Ok(report.finish())
}
