//! Repeats paper 002, *Server Implementations for Improving the Performance of CAR Systems Based on Mobile Phones*.
//! Rebuilds the paper's servers in their best form on today's kernel, its clients and its tables, and runs Stoa's
//! motion plane at the same load. Server and clients have a core each and the loopback network; the paper's had
//! Gigabit Ethernet and two cores.

mod ceiling;
mod clients;
mod exchange;
mod load;
mod message;
mod paper;
mod run;
pub(crate) mod servers;
mod tables;
mod tally;
mod transports;

use std::cell::RefCell;
use std::collections::BTreeMap;

use anyhow::Result;
use serde_json::json;

use self::exchange::AckForwardingPolicy;
use self::run::{CarRunOutcome, CarRunSettings, CarServerArgument, ComparedServer};
use self::servers::PaperServerKind;
use crate::choice;
use crate::environment::ExperimentContext;
use crate::report::Report;
use crate::search::if_carried;

/// The figures of the report.
pub(crate) const FIGURES: &[&str] = &[
    "car_stoa_p50_ms",
    "car_stoa_loss",
    "car_stoa_clients_250ms",
    "car_stoa_clients_2ms",
    "car_stoa_at_once_clients_250ms",
    "car_stoa_auto_clients_250ms",
    "car_stoa_{ticks,auto}_p50_ms",
    "car_{tcp,select,epoll,udp}_p50_ms",
    "car_{tcp,select,epoll,udp}_active_p50_ms",
    "car_{tcp,select,epoll,udp}_clients_250ms",
    "car_{tcp,select,epoll,udp}_active_clients_250ms",
];

/// Options of the experiment. Defaults for tables, clients, groups and cycle are the paper's.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Options {
    /// Measure only these parts
    #[arg(long, value_delimiter = ',')]
    only: Vec<CarExperimentPart>,
    /// Measure only these servers
    #[arg(long, value_delimiter = ',')]
    servers: Vec<CarServerArgument>,
    /// The paper's tables to measure
    #[arg(long, value_delimiter = ',', default_value = "1,2,3,4,5,7,8")]
    tables: Vec<u32>,
    /// Clients in the tables
    #[arg(long, value_delimiter = ',', default_value = "100,200,300,400,500,600,700,800,900,1000")]
    populations: Vec<usize>,
    /// Clients of the figures at one load
    #[arg(long, default_value_t = 1_000)]
    clients: usize,
    /// Members of a group, in these figures and in the searches
    #[arg(long, default_value_t = 25)]
    group: usize,
    /// Action cycle of these clients: the HTC Nexus One's
    #[arg(long, default_value_t = 167.11)]
    period_ms: f64,
    /// Largest number of clients that a search tries
    #[arg(long, default_value_t = 10_000)]
    clients_max: usize,
    /// Runs of each measurement for a figure
    #[arg(long, default_value_t = 3)]
    runs: u64,
    /// Milliseconds that count in each step
    #[arg(long, default_value_t = 2_000)]
    step_ms: u64,
    /// Milliseconds that count in a measurement for a figure at one load
    #[arg(long, default_value_t = 10_000)]
    load_ms: u64,
    /// Milliseconds of load before the measurement
    #[arg(long, default_value_t = 1_000)]
    warm_up_ms: u64,
    /// Seed of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// A part of the experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum CarExperimentPart {
    /// All servers at one load
    Load,
    /// The most clients within a limit
    Ceiling,
    /// The paper's tables
    Tables,
    /// The paper's figures 5 to 8
    Figures,
}

/// All servers, in the order in which `load` and `ceiling` measure them.
const SERVERS: [ComparedServer; 11] = {
    use AckForwardingPolicy::{Active, Passive};
    use PaperServerKind::{Epoll, Select, Tcp, Udp};
    [
        ComparedServer::Reference(Tcp, Passive),
        ComparedServer::Reference(Select, Passive),
        ComparedServer::Reference(Epoll, Passive),
        ComparedServer::Reference(Udp, Passive),
        ComparedServer::Reference(Tcp, Active),
        ComparedServer::Reference(Select, Active),
        ComparedServer::Reference(Epoll, Active),
        ComparedServer::Reference(Udp, Active),
        ComparedServer::AtOnce,
        ComparedServer::Ticks,
        ComparedServer::Auto,
    ]
};

/// The state that the experiment's parts share.
struct CarExperimentContext<'a> {
    options: &'a Options,
    setting: &'a ExperimentContext,
    /// Outcomes of earlier cases: several tables share runs.
    known: RefCell<BTreeMap<String, Option<CarRunOutcome>>>,
    /// A realm's data folder and the server's binary, for all runs.
    testbed: crate::servers::Testbed,
}

impl CarExperimentContext<'_> {
    fn has(&self, part: CarExperimentPart) -> bool {
        choice::has(&self.options.only, &part)
    }

    fn servers(&self) -> impl Iterator<Item = ComparedServer> {
        SERVERS.into_iter().filter(|server| choice::has(&self.options.servers, &server.name()))
    }

    /// The settings of a run with the group size and the cycle of the options.
    fn case(&self, server: ComparedServer, clients: usize) -> CarRunSettings {
        let Options { group, period_ms, step_ms, warm_up_ms, seed, .. } = *self.options;
        let period_us = (period_ms * 1_000.0).round() as u64;
        CarRunSettings { server, clients, group, period_us, warm_up_ms, measured_ms: step_ms, seed, is_timed: false }
    }

    /// Measures a case once; returns the earlier outcome if there is one. `None` if the server does not carry the
    /// clients: not all could enter, or it closed a connection.
    fn measure(&self, case: &CarRunSettings) -> Result<Option<CarRunOutcome>> {
        let key = serde_json::to_string(case)?;
        if let Some(known) = self.known.borrow().get(&key) {
            return Ok(known.clone());
        }
        let measured = self.setting.step(case, || Ok(if_carried(run::run(case, &self.testbed))?.ok()))?;
        self.known.borrow_mut().insert(key, measured.clone());
        Ok(measured)
    }
}

pub(crate) fn run(options: &Options, setting: &ExperimentContext) -> Result<Report> {
    let mut report = Report::new(
        "car",
        json!({
            "clients": options.clients, "group": options.group, "period_ms": options.period_ms, "runs": options.runs, "seed": options.seed,
            "load_ms": options.load_ms, "step_ms": options.step_ms, "warm_up_ms": options.warm_up_ms, "clients_max": options.clients_max,
            "loop": "closed, as the paper's; from_grid adds the moments that it omits",
        }),
    );
    let known = RefCell::default();
    let lab = CarExperimentContext { options, setting, known, testbed: crate::servers::Testbed::new(setting.stoa()?)? };
    load::measure(&mut report, &lab)?;
    ceiling::measure(&mut report, &lab)?;
    tables::measure(&mut report, &lab)?;
    Ok(report.finish())
}
