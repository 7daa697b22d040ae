//! VPP-based hybrid connectivity (paper 004): connections by TCP and flows by UDP, one datagram after the other or in vectors, and when each is the better. The references are rebuilt in their best form on today's
//! kernel; Stoa's own datapath is the vectors of one of them. Figures in [`FIGURES`].

mod batches;
mod clients;
mod connections;
mod curve;
mod flows;
mod load;
mod packet;
pub(crate) mod server;
mod stoa;
mod switch;
mod table;

use anyhow::{Result, ensure};
use serde_json::json;

use self::curve::Lab;
use self::load::Flows;
use crate::choice;
use crate::report::Report;
use crate::servers::Stage;
use crate::servers::motion::Serving;
use crate::setting::Setting;

/// What it finds.
pub(crate) const FIGURES: &[&str] = &[
    "vhct_stoa_clients_100ms",
    "vhct_stoa_clients_100ms_auto",
    "vhct_clients_100ms_{tcp,hybrid,vectors}",
    "vhct_batch_gain",
    "vhct_switch_gain",
    "vhct_switch_gain_interval",
];

/// The paper's clients exchange in twos.
const PAIR: usize = 2;

/// Options of the experiment.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Options {
    /// Only these parts
    #[arg(long, value_delimiter = ',')]
    only: Vec<Part>,
    /// Only these servers, in the curves and searches
    #[arg(long, value_enum, value_delimiter = ',')]
    servers: Vec<ServerName>,
    /// Numbers of clients, in pairs
    #[arg(long, value_delimiter = ',', default_values_t = [24, 74, 224, 1_000, 2_000, 3_000])]
    clients: Vec<usize>,
    /// Numbers of clients where each hears everyone
    #[arg(long, value_delimiter = ',', default_values_t = [25, 100])]
    everyone: Vec<usize>,
    /// The mean latency that nobody should pass, in milliseconds
    #[arg(long, default_value_t = 100.0)]
    limit_ms: f64,
    /// Seconds of each run that count (the paper's took ten minutes)
    #[arg(long, default_value_t = 2)]
    step_s: u64,
    /// Runs of each step, each with a seed of its own; medians are told
    #[arg(long, default_value_t = 3)]
    runs: usize,
    /// Lengths of the vectors
    #[arg(long, value_delimiter = ',', default_values_t = [1, 32, 256])]
    batches: Vec<usize>,
    /// How Stoa serves in the curves and searches
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = [Serving::Auto, Serving::AtOnce])]
    serving: Vec<Serving>,
    /// How often Stoa's clients say where they are
    #[arg(long, default_value_t = 60)]
    stoa_hz: u64,
    /// Where the search for Stoa's clients begins
    #[arg(long, default_value_t = 2_000)]
    search_from: usize,
    /// More clients are not tried
    #[arg(long, default_value_t = 6_000)]
    most: usize,
    /// Numbers of clients of the vectors' gain, in pairs
    #[arg(long, value_delimiter = ',', default_values_t = [224, 2_000])]
    batch_pairs: Vec<usize>,
    /// The same where each hears everyone
    #[arg(long, value_delimiter = ',', default_values_t = [25, 100])]
    batch_everyone: Vec<usize>,
    /// Clients of few pairs, for the switch
    #[arg(long, default_value_t = 16)]
    few: usize,
    /// Clients of many pairs
    #[arg(long, default_value_t = 2_000)]
    many: usize,
    /// Clients around the switch's threshold
    #[arg(long, value_delimiter = ',', default_values_t = [120, 200, 400])]
    between: Vec<usize>,
    /// Pairs of runs, of the switch and of the better one alone
    #[arg(long, default_value_t = 11)]
    switch_pairs: usize,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    flows: Flows,
}

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    /// Latency against clients in pairs
    Pairs,
    /// The same where each hears everyone
    Everyone,
    /// The most clients within the limit
    Search,
    /// What vectors gain
    Batches,
    /// Stoa's own switch
    Switch,
}

/// Whose curves and numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum ServerName {
    Tcp,
    Hybrid,
    Vectors,
    Stoa,
}

impl Options {
    fn has(&self, part: Part) -> bool {
        choice::has(&self.only, &part)
    }
}

pub(crate) fn run(options: &Options, setting: &Setting) -> Result<Report> {
    options.flows.check()?;
    ensure!(options.clients.iter().all(|clients| clients.is_multiple_of(PAIR)), "clients come in pairs");
    let mut report = Report::new(
        "vhct",
        json!({
            "flows": options.flows, "flows_bytes_per_s": options.flows.bytes_per_s(), "flows_packets_per_s": options.flows.packets_per_s(),
            "stoa_hz": options.stoa_hz, "limit_ms": options.limit_ms, "step_s": options.step_s, "runs": options.runs, "seed": options.seed,
            "stoa_frame_bytes": { "pose": stoa::POSE_FRAME_BYTES, "acknowledgement": stoa::ACK_PART_BYTES, "seal": stoa::SEAL_BYTES },
        }),
    );
    let stage = Stage::new(setting.stoa()?)?;
    let lab = Lab { options, setting, stage: &stage };
    curve::measure(&mut report, &lab)?;
    batches::measure(&mut report, &lab)?;
    switch::measure(&mut report, &lab)?;
    Ok(report.finish())
}
