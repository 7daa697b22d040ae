//! `cargo xtask gen`: the types and pages of the object schemas. `cargo xtask check`: the gates of the house. `cargo xtask test`: they and every other test.

mod check;
mod command;
mod r#gen;
mod house;
mod netns;
mod tally;
mod test;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Generation and checks of this repository")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Writes the types and reference pages that spec/objects/ describes.
    Gen,
    /// Runs the gates of STYLE.md section 1: all of them, or those named.
    Check { gates: Vec<check::Gate> },
    /// Prints every figure that the gates hold, beside its limit.
    House,
    /// Runs the gates and every other test, and counts them.
    Test,
}

fn main() -> Result<ExitCode> {
    let root = root()?;
    match Arguments::parse().task {
        Task::Gen => r#gen::run(&root)?,
        Task::House => check::print_figures(&root)?,
        Task::Test => test::run(&root)?,
        Task::Check { gates } => {
            let tally = check::run(&root, &gates)?;
            println!("{} passed, {} failed", tally.passed, tally.failed);
            if tally.failed > 0 {
                return Ok(ExitCode::FAILURE);
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The repository's root: two folders above this crate.
fn root() -> Result<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).context("the crate stands in crates/")?;
    Ok(root.to_path_buf())
}
