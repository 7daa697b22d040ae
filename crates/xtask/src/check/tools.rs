//! The languages' own formatters, linters and unit tests.

use std::path::Path;

use anyhow::Result;

use crate::command;
use crate::tally::Tally;

/// Folder and command, in the order in which they run after clippy: linters first, because they are fast.
const LINES: [(&str, &str); 9] = [
    (".", "cargo fmt --all --check"),
    ("web", "npx biome ci --error-on-warnings ."),
    ("web", "npx tsc -b"),
    ("python", "python -m ruff check . ../examples"),
    ("python", "python -m ruff format --check . ../examples ../interop"),
    ("python", "python -m pyright"),
    ("web", "npx vitest run"),
    ("python", "python -m pytest -q"),
    (".", "cargo test --workspace --no-fail-fast"),
];

/// Clippy takes the place of the workspace wrapper that separates checkouts (`.cargo/config.toml`). Its own arguments are part of what cargo compares,
/// so an argument with this checkout's path keeps the results of another checkout out.
fn clippy_line(root: &Path) -> String {
    format!("cargo clippy --quiet --workspace --all-targets -- -D warnings --remap-path-prefix={}=.", root.display())
}

/// Runs them all, also after one has failed. Python's come from the virtual environment that `make` puts first in `PATH`.
pub(super) fn run(root: &Path) -> Result<(Vec<String>, Tally)> {
    let clippy = (".", clippy_line(root));
    let lines = LINES.iter().map(|(folder, line)| (*folder, (*line).to_owned()));
    run_lines(root, [clippy].into_iter().chain(lines))
}

fn run_lines<'a>(root: &Path, lines: impl Iterator<Item = (&'a str, String)>) -> Result<(Vec<String>, Tally)> {
    let mut findings = Vec::new();
    let mut total = Tally::default();
    for (folder, line) in lines {
        let run = command::run(&root.join(folder), &line)?;
        total += Tally::read(&run.output);
        if !run.succeeded {
            findings.push(format!("failed in {folder}: {line}"));
        }
    }
    Ok((findings, total))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_tool_is_reported_and_the_next_one_still_runs() -> Result<()> {
        let root = tempfile::tempdir()?;
        let lines = ["false", "echo test result: ok. 2 passed; 0 failed;"].map(|line| (".", line.to_owned()));
        let (findings, tally) = run_lines(root.path(), lines.into_iter())?;
        assert_eq!(findings, ["failed in .: false"]);
        assert_eq!(tally, Tally { passed: 2, failed: 0 });
        Ok(())
    }
}
