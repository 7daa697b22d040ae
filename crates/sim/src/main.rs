//! `stoa-sim`: runs seeds, and replays one.

use std::fmt::Debug;
use std::process::ExitCode;

use clap::Parser;
use stoa_sim::{Coverage, broker, motion, run_many};

/// Simulates a realm with lost connections and crashes, and compares it with a plain model.
#[derive(Parser)]
struct Options {
    /// Number of seeds to run, from `--from` on.
    #[arg(long, default_value_t = 1_000)]
    seeds: u64,
    /// The first seed.
    #[arg(long, default_value_t = 1)]
    from: u64,
    /// Replays this seed only.
    #[arg(long, conflicts_with_all = ["seeds", "from"])]
    seed: Option<u64>,
    /// Simulates plain MQTT instead of scenes.
    #[arg(long)]
    broker: bool,
    /// Simulates the motion plane instead of scenes.
    #[arg(long, conflicts_with = "broker")]
    motion: bool,
    /// Prints how often each situation occurred.
    #[arg(long)]
    coverage: bool,
}

fn main() -> ExitCode {
    let options = Options::parse();
    let seeds = match options.seed {
        Some(seed) => seed..seed + 1,
        None => options.from..options.from + options.seeds,
    };
    let count = seeds.end - seeds.start;
    let told = if options.broker {
        broker::run_many(seeds).map(|coverage| lines(&coverage))
    } else if options.motion {
        motion::run_many(seeds).map(|coverage| lines(&coverage))
    } else {
        run_many(seeds).map(|coverage| lines(&coverage))
    };
    let lines = match told {
        Ok(lines) => lines,
        Err(failure) => {
            eprintln!("{failure}");
            return ExitCode::FAILURE;
        }
    };
    if options.coverage {
        print!("{lines}");
    }
    println!("{count} seeds agree");
    ExitCode::SUCCESS
}

fn lines<R: Copy + Ord + Debug>(coverage: &Coverage<R>) -> String {
    coverage.iter().map(|(row, times)| format!("{times:>9} {row:?}\n")).collect()
}
