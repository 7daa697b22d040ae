//! Repeats paper 004, VPP-based hybrid connectivity: everything by TCP, or connections by TCP and flows by UDP, with
//! single datagrams or in vectors. The references are rebuilt in their best form on today's kernel. Stoa's own datapath
//! provides the vectors. The paper plans an automatic switch; here Stoa's own is measured, between sending at once and
//! in ticks.

mod batches;
mod clients;
mod connections;
mod curve;
mod flows;
mod load;
mod packet;
pub(crate) mod server;
mod stoa;
mod stoa_flows;
mod switch;
mod table;

use anyhow::{Result, ensure};
use serde_json::json;

use self::curve::VhctExperimentContext;
use self::load::FlowOptions;
use crate::choice;
use crate::environment::ExperimentContext;
use crate::report::Report;
use crate::servers::Testbed;
use crate::servers::motion::SendTimingMode;

/// The figures of the report.
pub(crate) const FIGURES: &[&str] = &[
    "vhct_stoa_clients_100ms",
    "vhct_stoa_clients_100ms_auto",
    "vhct_stoa_flows_clients_100ms",
    "vhct_clients_100ms_{tcp,hybrid,vectors}",
    "vhct_batch_gain",
    "vhct_switch_gain",
    "vhct_switch_gain_interval",
];

/// The paper's clients exchange in pairs.
const PAIR: usize = 2;

/// Options of the experiment.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Options {
    /// Measure only these parts
    #[arg(long, value_delimiter = ',')]
    only: Vec<VhctExperimentPart>,
    /// Measure only these servers, in the curves and searches
    #[arg(long, value_enum, value_delimiter = ',')]
    servers: Vec<VhctServerArgument>,
    /// Numbers of clients in pairs
    #[arg(long, value_delimiter = ',', default_values_t = [24, 74, 224, 1_000, 2_000, 3_000])]
    clients: Vec<usize>,
    /// Numbers of clients if everyone receives everyone
    #[arg(long, value_delimiter = ',', default_values_t = [25, 100])]
    everyone: Vec<usize>,
    /// Limit of the mean latency, in milliseconds
    #[arg(long, default_value_t = 100.0)]
    limit_ms: f64,
    /// Seconds that count in each run (the paper's runs took ten minutes)
    #[arg(long, default_value_t = 2)]
    step_s: u64,
    /// Runs of each step, each with its own seed; the report has the medians
    #[arg(long, default_value_t = 3)]
    runs: usize,
    /// Lengths of the vectors
    #[arg(long, value_delimiter = ',', default_values_t = [1, 32, 256])]
    batches: Vec<usize>,
    /// Stoa's modes of serving in the curves and searches
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = [SendTimingMode::Auto, SendTimingMode::AtOnce])]
    serving: Vec<SendTimingMode>,
    /// Poses a second of Stoa's clients
    #[arg(long, default_value_t = 60)]
    stoa_hz: u64,
    /// Number of clients at which the searches begin
    #[arg(long, default_value_t = 2_000)]
    search_from: usize,
    /// Largest number of clients to try
    #[arg(long, default_value_t = 6_000)]
    most: usize,
    /// Numbers of clients in pairs for the vectors' gain
    #[arg(long, value_delimiter = ',', default_values_t = [224, 2_000])]
    batch_pairs: Vec<usize>,
    /// Numbers of clients that all receive each other, for the vectors' gain
    #[arg(long, value_delimiter = ',', default_values_t = [25, 100])]
    batch_everyone: Vec<usize>,
    /// Number of clients in few pairs, for the switch
    #[arg(long, default_value_t = 16)]
    few: usize,
    /// Number of clients in many pairs, for the switch
    #[arg(long, default_value_t = 2_000)]
    many: usize,
    /// Numbers of clients around the switch's threshold
    #[arg(long, value_delimiter = ',', default_values_t = [120, 200, 400])]
    between: Vec<usize>,
    /// Pairs of runs, of the switch and of the better mode alone
    #[arg(long, default_value_t = 11)]
    switch_pairs: usize,
    /// Seed of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    flows: FlowOptions,
}

/// A part of the experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum VhctExperimentPart {
    /// Latency against clients in pairs
    Pairs,
    /// Latency against clients that all receive each other
    Everyone,
    /// The most clients within the limit
    Search,
    /// The gain of vectors
    Batches,
    /// Stoa's own switch
    Switch,
}

/// A server of the curves and searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum VhctServerArgument {
    Tcp,
    Hybrid,
    Vectors,
    /// Stoa with heads
    Stoa,
    /// Stoa with the paper's flows
    StoaFlows,
}

impl Options {
    fn has(&self, part: VhctExperimentPart) -> bool {
        choice::has(&self.only, &part)
    }
}

pub(crate) fn run(options: &Options, setting: &ExperimentContext) -> Result<Report> {
    options.flows.check()?;
    ensure!(options.clients.iter().all(|clients| clients.is_multiple_of(PAIR)), "the number of clients must be even");
    let mut report = Report::new(
        "vhct",
        json!({
            "flows": options.flows, "flows_bytes_per_s": options.flows.bytes_per_s(), "flows_packets_per_s": options.flows.packets_per_s(),
            "stoa_hz": options.stoa_hz, "limit_ms": options.limit_ms, "step_s": options.step_s, "runs": options.runs, "seed": options.seed,
            "stoa_frame_bytes": { "pose": stoa::POSE_FRAME_BYTES, "acknowledgement": stoa::ACK_PART_BYTES, "seal": stoa::SEAL_BYTES },
        }),
    );
    let testbed = Testbed::new(setting.stoa()?)?;
    let lab = VhctExperimentContext { options, setting, testbed: &testbed };
    curve::measure(&mut report, &lab)?;
    batches::measure(&mut report, &lab)?;
    switch::measure(&mut report, &lab)?;
    Ok(report.finish())
}
