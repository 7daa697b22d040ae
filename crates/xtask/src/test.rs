//! `cargo xtask test`: the gates, then the tests that need the real binary, a real browser and unmodified clients, then the count.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::command::run_with;
use crate::tally::Tally;
use crate::{check, netns};

/// Runs every test there is. The last line printed is `N passed, N failed`.
pub(crate) fn run(root: &Path) -> Result<()> {
    let mut total = check::run(root, &[])?;
    total += end_to_end(root)?;
    println!("{} passed, {} failed", total.passed, total.failed);
    ensure!(total.failed == 0, "{} failed", total.failed);
    Ok(())
}

/// The lines run in one network namespace of their own, so that a realm may listen on the ports 443 and 8883 that arena-py wants.
fn end_to_end(root: &Path) -> Result<Tally> {
    println!("\n== end to end");
    let mut total = run_counted(root, "cargo build --quiet --package stoa-server", &[])?;
    let binary = target_folder()?.join("debug/stoa");
    let binary = binary.to_str().context("the path of the target folder is not UTF-8")?;
    let environment = [("STOA_BIN", binary)];
    total += run_counted(&root.join("python"), "python -m pytest -q -m realm", &environment)?;
    for package in ["@stoa/aframe", "@stoa/app"] {
        total += run_counted(&root.join("web"), &format!("npm run --silent test:browser -w {package}"), &environment)?;
    }
    match netns::prefix() {
        Ok(prefix) => {
            let line = format!("{prefix} npx vitest run --config app/e2e/vitest.config.ts");
            total += run_counted(&root.join("web"), &line, &environment)?;
        }
        Err(missing) => {
            println!("end to end: {missing:#}");
            total += Tally::FAILED;
        }
    }
    // It makes its network namespace itself.
    total += run_counted(root, "python interop/arena_examples.py", &environment)?;
    Ok(total)
}

fn target_folder() -> Result<PathBuf> {
    env::var_os("CARGO_TARGET_DIR").map(PathBuf::from).context("CARGO_TARGET_DIR is not set: run this by make test")
}

/// A runner that fails without saying which test counts as one failed test.
fn run_counted(folder: &Path, line: &str, environment: &[(&str, &str)]) -> Result<Tally> {
    let run = run_with(folder, line, environment)?;
    let mut tally = Tally::read(&run.output);
    if !run.succeeded && tally.failed == 0 {
        tally += Tally::FAILED;
    }
    Ok(tally)
}
