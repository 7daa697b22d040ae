//! `cargo xtask gen`: types and pages of the schemas and limits. `cargo xtask check`: the gates. `cargo xtask house`:
//! the gates' figures. `cargo xtask test`: the gates and all other tests.

mod changed;
mod check;
mod command;
mod r#gen;
mod house;
mod lanes;
mod netns;
mod rust_tests;
mod summary;
mod tally;
mod test;
mod toolbox;
mod transcript;

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};
use summary::Summary;
use toolbox::Toolbox;

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Generates, checks and tests this repository")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Writes the types and reference pages of the schemas in spec/objects/.
    Gen,
    /// Runs the gates of STYLE.md section 1: all of them, or the named ones.
    Check { gates: Vec<check::Gate> },
    /// Prints every figure of the gates, with its limit.
    House,
    /// Runs the gates and all other tests, and counts them.
    Test {
        /// Runs only the tests of packages that differ from the merge base with COMMIT [default: origin/main], and
        /// of their dependents; no end-to-end tests.
        #[arg(long, value_name = "COMMIT", num_args = 0..=1)]
        changed: Option<Option<String>>,
        /// Lists the slowest tests at the end.
        #[arg(long)]
        timings: bool,
    },
}

fn main() -> Result<ExitCode> {
    let root = root()?;
    let mut summary = Summary::default();
    let mut with_timings = false;
    match Arguments::parse().task {
        Task::Gen => {
            r#gen::run(&root)?;
            return Ok(ExitCode::SUCCESS);
        }
        Task::House => {
            check::print_figures(&root)?;
            return Ok(ExitCode::SUCCESS);
        }
        Task::Test { changed, timings } => {
            with_timings = timings;
            let toolbox = Toolbox::find(root, timings)?;
            match changed {
                Some(commit) => changed::run(&toolbox, commit.as_deref(), &mut summary)?,
                None => test::run(&toolbox, &mut summary)?,
            }
        }
        Task::Check { gates } => {
            check::run(&Toolbox::find(root, false)?, &gates, &mut summary)?;
        }
    }
    summary.print(with_timings);
    Ok(if summary.tally().failed > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The repository's root: two folders above this crate.
fn root() -> Result<PathBuf> {
    root_of(env::var_os("CARGO_MANIFEST_DIR"))
}

/// `started_in` is the crate's folder according to `cargo run`. It counts before the folder at compile time: checkouts
/// that share a target folder overwrite each other's binary, perhaps between a build and its start.
fn root_of(started_in: Option<OsString>) -> Result<PathBuf> {
    let compiled = Path::new(env!("CARGO_MANIFEST_DIR"));
    let started = started_in.map(PathBuf::from).filter(|folder| folder.ends_with("crates/xtask"));
    let root = started.as_deref().unwrap_or(compiled).ancestors().nth(2).context("the crate stands in crates/")?;
    Ok(root.to_path_buf())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checkout_in_which_cargo_runs_is_checked() -> Result<()> {
        assert_eq!(root_of(Some("/other/crates/xtask".into()))?, Path::new("/other"));
        for not_cargo_run in [None, Some("/other/crates/wire".into())] {
            assert!(root_of(not_cargo_run)?.join("crates/xtask/Cargo.toml").exists());
        }
        Ok(())
    }
}
