//! `stoa-sim`: runs seeds, and replays one.

use std::process::ExitCode;

use clap::Parser;
use stoa_sim::run_many;

/// Simulates a realm with lost connections and crashes, and compares it with a plain model.
#[derive(Parser)]
struct Options {
    /// How many seeds to run, beginning with `--from`.
    #[arg(long, default_value_t = 1_000)]
    seeds: u64,
    /// The first seed.
    #[arg(long, default_value_t = 1)]
    from: u64,
    /// Replays this seed alone.
    #[arg(long, conflicts_with_all = ["seeds", "from"])]
    seed: Option<u64>,
    /// Tells how often each situation was met.
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
    let coverage = match run_many(seeds) {
        Ok(coverage) => coverage,
        Err(failure) => {
            eprintln!("{failure}");
            return ExitCode::FAILURE;
        }
    };
    if options.coverage {
        coverage.iter().for_each(|(row, times)| println!("{times:>9} {row:?}"));
    }
    println!("{count} seeds agree");
    ExitCode::SUCCESS
}
