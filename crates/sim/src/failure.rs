//! A disagreement, with the command that replays it.

use std::fmt;
use std::process::Command;
use std::time::Duration;

/// A failed run.
#[derive(Debug)]
pub struct Failure {
    /// The run.
    pub seed: u64,
    /// Virtual time since its start.
    pub at: Duration,
    /// Description of the disagreement.
    pub what: String,
    /// Flags that select this world, with a trailing space; may be empty.
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
