//! Runs a program, shows what it prints as it comes, and keeps it.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use anyhow::{Context, Result};

/// How a program ended and all that it printed.
pub(crate) struct Run {
    pub(crate) succeeded: bool,
    pub(crate) output: String,
}

/// Runs `line` (a program and its arguments, separated by blanks) in `folder`. Errors: only when it can't be started.
pub(crate) fn run(folder: &Path, line: &str) -> Result<Run> {
    run_with(folder, line, &[])
}

/// Like [`run`], with environment variables set.
pub(crate) fn run_with(folder: &Path, line: &str, environment: &[(&str, &str)]) -> Result<Run> {
    println!("+ {line}");
    let mut words = line.split_whitespace();
    let program = words.next().context("an empty command line")?;
    let mut child = Command::new(program)
        .args(words)
        .current_dir(folder)
        .envs(environment.iter().copied())
        .env("NO_COLOR", "1")
        .env("CARGO_TERM_COLOR", "never")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .with_context(|| format!("cannot start {program}"))?;
    let stdout = child.stdout.take().context("standard output is piped")?;
    let reader = thread::spawn(move || {
        let mut kept = String::new();
        for bytes in BufReader::new(stdout).split(b'\n').map_while(Result::ok) {
            let line = String::from_utf8_lossy(&bytes);
            println!("{line}");
            kept.push_str(&line);
            kept.push('\n');
        }
        kept
    });
    let succeeded = child.wait()?.success();
    let output = reader.join().map_err(|_| anyhow::anyhow!("the reader of {program}'s output panicked"))?;
    Ok(Run { succeeded, output })
}
