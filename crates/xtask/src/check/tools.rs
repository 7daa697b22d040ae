//! The languages' own formatters, linters and unit tests.

use std::path::Path;

use anyhow::Result;

use crate::command;
use crate::tally::Tally;

/// Folder and command; the ones that lint come first because they are fast.
const LINES: [(&str, &str); 9] = [
    (".", "cargo fmt --all --check"),
    ("web", "npx biome ci --error-on-warnings ."),
    ("web", "npx tsc -b"),
    ("python", "python -m ruff check . ../examples"),
    ("python", "python -m ruff format --check . ../examples ../interop"),
    ("python", "python -m pyright"),
    (".", "cargo clippy --quiet --workspace --all-targets -- -D warnings"),
    ("web", "npx vitest run"),
    ("python", "python -m pytest -q"),
];
const CARGO_TEST: (&str, &str) = (".", "cargo test --workspace --no-fail-fast");

/// Runs them all, also after one has failed. Python's come from the virtual environment that `make` puts first in `PATH`.
pub(super) fn run(root: &Path) -> Result<(Vec<String>, Tally)> {
    run_lines(root, LINES.iter().chain([&CARGO_TEST]))
}

fn run_lines<'a>(root: &Path, lines: impl Iterator<Item = &'a (&'a str, &'a str)>) -> Result<(Vec<String>, Tally)> {
    let mut findings = Vec::new();
    let mut total = Tally::default();
    for (folder, line) in lines {
        let run = command::run(&root.join(folder), line)?;
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
    fn a_tool_that_fails_is_told_and_the_next_still_runs() -> Result<()> {
        let root = tempfile::tempdir()?;
        let lines = [(".", "false"), (".", "echo test result: ok. 2 passed; 0 failed;")];
        let (findings, tally) = run_lines(root.path(), lines.iter())?;
        assert_eq!(findings, ["failed in .: false"]);
        assert_eq!(tally, Tally { passed: 2, failed: 0 });
        Ok(())
    }
}
