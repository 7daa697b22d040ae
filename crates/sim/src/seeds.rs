//! Runs many seeds in parallel: one thread per core, and each thread runs a share of the seeds.

use std::num::NonZero;
use std::ops::Range;
use std::thread;

use crate::coverage::Coverage;
use crate::failure::Failure;
use crate::world::run;

/// Runs all seeds of `seeds`. Errors: the failure with the lowest seed among those found before all threads
/// stopped.
pub fn run_many(seeds: Range<u64>) -> Result<Coverage, Failure> {
    run_each(seeds, |seed| run(seed).map(|report| report.coverage))
}

/// Runs `one` for every seed. Errors: as in [`run_many`].
pub(crate) fn run_each<R: Copy + Ord + Send>(
    seeds: Range<u64>,
    one: impl Fn(u64) -> Result<Coverage<R>, Failure> + Sync,
) -> Result<Coverage<R>, Failure> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let one = &one;
    let shares = thread::scope(|scope| {
        let share = |first: usize| {
            let seeds = seeds.clone().skip(first).step_by(threads);
            scope.spawn(move || run_share(seeds, one))
        };
        let started: Vec<_> = (0..threads).map(share).collect();
        started.into_iter().map(|share| share.join().expect("a run does not panic")).collect::<Vec<_>>()
    });
    let (mut coverage, mut failures) = (Coverage::default(), Vec::new());
    for share in shares {
        match share {
            Ok(share) => coverage.add(&share),
            Err(failure) => failures.push(failure),
        }
    }
    failures.into_iter().min_by_key(|failure| failure.seed).map_or(Ok(coverage), Err)
}

fn run_share<R: Copy + Ord>(
    seeds: impl Iterator<Item = u64>,
    one: impl Fn(u64) -> Result<Coverage<R>, Failure>,
) -> Result<Coverage<R>, Failure> {
    let mut coverage = Coverage::default();
    for seed in seeds {
        coverage.add(&one(seed)?);
    }
    Ok(coverage)
}
