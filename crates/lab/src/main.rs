//! The binary `stoa-lab`: experiments on the real server, one command each, side by side with a reference.

mod arena;
mod bots;
mod crowd;
mod fanout;
mod http;
mod idle;
mod limits;
mod load;
mod machine;
mod motion;
mod page;
mod persist;
mod plot;
mod report;
mod rights;
mod seal;
mod search;
mod servers;
mod slow;
mod snapshot;
mod statistics;

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};

use crate::report::Report;

/// Measures Stoa beside its references. Progress goes to standard error, the result to standard output
#[derive(Parser)]
#[command(version)]
struct Lab {
    #[command(subcommand)]
    experiment: Experiment,
    /// One JSON object instead of a table
    #[arg(long, global = true)]
    json: bool,
    /// The release binary under test [default: beside this one]
    #[arg(long, global = true, value_name = "FILE")]
    stoa: Option<PathBuf>,
}

#[derive(Subcommand)]
enum Experiment {
    /// Names the experiments and their figures
    List,
    /// How many can be together: everyone sees everyone, 10 Hz, 300 B
    Fanout(fanout::Options),
    /// What one receiver that stops reading costs
    Slow(slow::Options),
    /// Memory of connections that say nothing
    Idle(idle::Options),
    /// Persistent updates acknowledged a second, and whether one is lost to a crash
    Persist(persist::Options),
    /// What checking ARENA's lists of filters costs
    ArenaRights(rights::Options),
    /// From a click to the update that an agent answers it with, by where the agent is
    ArenaClick(arena::click::Options),
    /// Whether a scene goes on while all of it is fetched
    Snapshot(snapshot::Options),
    /// What a page spends on hundreds of moving people
    Page(page::Options),
    /// What sealed datagrams to a thousand receivers cost, beside the bare send and the cipher
    Seal(seal::Options),
    /// How many can be together on the motion plane, what it costs, and what it shows where the way is bad
    Motion(motion::Options),
    /// The machines of the motion plane that `motion` starts as a process of their own
    #[command(hide = true)]
    Bare(servers::motion::MotionOptions),
    /// The plain relay that `motion` starts as a process of its own
    #[command(hide = true)]
    Relay(servers::relay::Gathering),
    /// The floor that `fanout` starts as a process of its own
    #[command(hide = true)]
    Floor,
}

const LIST: &str = "\
arena-click   arena_click_{local,lan,wifi,wan}_ms, arena_click_arena_py_…, arena_click_bare_…
arena-rights  rights_publish_overhead, rights_subscribe_overhead
fanout        fanout_users, fanout_users_wss
idle          idle_connection_kib
motion        motion_people_all, motion_people_hands, motion_people_webtransport, motion_{bytes,cpu}_growth_{nearest,hex}_{randomwalk,boids}, motion_session_kib, motion_session_kib_1000, motion_session_kib_webtransport, motion_at_once_people, motion_loss_error_mm, motion_loss_error_shown_mm
page          page_motion_script_ms
persist       persist_acks_per_s, persist_lost
seal          seal_send_ratio
slow          slow_receiver_kib, slow_receiver_others_p99, slow_receiver_recovery_ms
snapshot      snapshot_block_ms";

fn main() -> Result<()> {
    let Lab { experiment, json, stoa } = Lab::parse();
    machine::raise_file_limit();
    let stoa = || match &stoa {
        Some(path) => Ok(path.clone()),
        None => beside_this().context("give the binary under test by --stoa"),
    };
    let report = match experiment {
        Experiment::List => {
            println!("{LIST}");
            return Ok(());
        }
        Experiment::Floor => return servers::floor::serve(),
        Experiment::Relay(gathering) => return servers::relay::serve(gathering),
        Experiment::Bare(options) => return servers::bare::serve(&options),
        Experiment::Motion(options) => pinned(|| motion::run(&options, stoa()?))?,
        Experiment::Fanout(options) => pinned(|| fanout::run(&options, stoa()?))?,
        Experiment::Slow(options) => pinned(|| slow::run(&options, stoa()?))?,
        Experiment::Idle(options) => pinned(|| idle::run(&options, stoa()?))?,
        Experiment::Persist(options) => pinned(|| persist::run(&options, &stoa()?))?,
        Experiment::ArenaRights(options) => pinned(|| rights::run(&options, stoa()?))?,
        Experiment::ArenaClick(options) => pinned(|| arena::click::run(&options, stoa()?))?,
        Experiment::Snapshot(options) => pinned(|| snapshot::run(&options, stoa()?))?,
        Experiment::Page(options) => pinned(|| page::run(&options, stoa()?))?,
        Experiment::Seal(options) => seal::run(&options)?,
    };
    if json {
        println!("{}", serde_json::to_string_pretty(&report)?)
    } else {
        println!("{}", report.table())
    }
    Ok(())
}

/// Runs an experiment with the generator, which is this thread, on its own core.
fn pinned(experiment: impl FnOnce() -> Result<Report>) -> Result<Report> {
    machine::pin(limits::GENERATOR_CPU)?;
    experiment()
}

fn beside_this() -> Result<PathBuf> {
    let path = std::env::current_exe()?.with_file_name("stoa");
    path.canonicalize().with_context(|| format!("{} is not there", path.display()))
}
