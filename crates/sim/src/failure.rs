//! A disagreement, with the line that brings it back.

use std::fmt;
use std::process::Command;
use std::time::Duration;

/// What went wrong in which run, and when.
#[derive(Debug)]
pub struct Failure {
    /// The run.
    pub seed: u64,
    /// Virtual time since its start.
    pub at: Duration,
    /// The disagreement, in words.
    pub what: String,
    /// What the program has to be told to play this world: with a space at the end, or nothing.
    pub flags: &'static str,
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Failure { seed, at, what, flags } = self;
        let (commit, at_s) = (commit(), at.as_secs_f64());
        write!(
            formatter,
            "seed {seed}, commit {commit}, {at_s:.3} s: {what}. replay: cargo run -p stoa-sim -- {flags}--seed {seed}"
        )
    }
}

impl std::error::Error for Failure {}

fn commit() -> String {
    let asked = Command::new("git").args(["rev-parse", "--short", "HEAD"]).output();
    let told = asked.ok().filter(|output| output.status.success());
    told.map_or_else(|| "unknown".to_string(), |output| String::from_utf8_lossy(&output.stdout).trim().to_string())
}
