//! Formatters, linters and unit tests of all languages.

use std::path::PathBuf;

use anyhow::Result;

use crate::command::{CommandLine, OutputTiming};
use crate::lanes::{FinishedJob, Job, Kind, Lanes};
use crate::rust_tests;
use crate::summary::{Step, Summary};
use crate::toolbox::Toolbox;

/// Folder, command and kind, in starting order: linters first, because they are fast.
const LINES: [(&str, &[&str], Kind); 8] = [
    (".", &["cargo", "fmt", "--all", "--check"], Kind::Tool),
    ("web", &["npx", "biome", "ci", "--error-on-warnings", "."], Kind::Tool),
    ("web", &["npx", "tsc", "-b"], Kind::Tool),
    ("python", &["python", "-m", "ruff", "check", ".", "../examples"], Kind::Tool),
    ("python", &["python", "-m", "ruff", "format", "--check", ".", "../examples", "../interop"], Kind::Tool),
    ("python", &["python", "-m", "pyright"], Kind::Tool),
    ("web", &["npx", "vitest", "run"], Kind::Vectors("typescript")),
    // pytest would hide the vectors' counts without `-s`.
    ("python", &["python", "-m", "pytest", "-q", "-s"], Kind::Vectors("python")),
];

/// Results for later steps.
#[derive(Default)]
pub(super) struct ToolResults {
    /// Output of the vector tests, by language.
    pub(super) vectors: Vec<(&'static str, String)>,
    /// The `stoa` binary, as built for the tests.
    pub(super) server: Option<PathBuf>,
}

impl ToolResults {
    pub(super) fn take_vectors(&mut self) -> Vec<(&'static str, String)> {
        std::mem::take(&mut self.vectors)
    }
}

/// Clippy replaces the workspace wrapper that separates checkouts (`.cargo/config.toml`). Cargo compares clippy's
/// arguments, so an argument with this checkout's path excludes results of another checkout.
fn clippy(toolbox: &Toolbox) -> CommandLine {
    toolbox
        .line(".", &["cargo", "clippy", "--quiet", "--workspace", "--all-targets", "--", "-D", "warnings"])
        .arg(format!("--remap-path-prefix={}=.", toolbox.root.display()))
}

/// Runs all tools, even after a failure.
pub(super) fn run(toolbox: &Toolbox, summary: &mut Summary) -> Result<(Vec<String>, ToolResults)> {
    toolbox.require_setup()?;
    let lanes = Lanes::default();
    lanes.push(LINES.map(|(folder, words, kind)| job(toolbox, folder, words, kind)));
    let (cargo, finished) = lanes.run(|lanes| compiled(toolbox, lanes));
    let (steps, server) = cargo?;
    let mut ran = ToolResults { vectors: Vec::new(), server };
    let mut findings = Vec::new();
    for FinishedJob { step, vectors } in steps.into_iter().map(without_vectors).chain(finished) {
        if !step.failed.is_empty() {
            findings.push(format!("failed: {}", step.name));
        }
        ran.vectors.extend(vectors);
        summary.add(step);
    }
    Ok((findings, ran))
}

fn without_vectors(step: Step) -> FinishedJob {
    FinishedJob { step, vectors: None }
}

pub(super) fn job(toolbox: &Toolbox, folder: &str, words: &[&str], kind: Kind) -> Job {
    let line = if kind == Kind::Tool { toolbox.line(folder, words) } else { toolbox.test_line(folder, words) };
    Job { name: format!("{} in {folder}", words.join(" ")), line, kind }
}

/// Runs clippy and builds the tests beside the other jobs; the built tests are queued.
fn compiled(toolbox: &Toolbox, lanes: &Lanes) -> Result<(Vec<Step>, Option<PathBuf>)> {
    let clippy = Step::of_tool("cargo clippy", &clippy(toolbox).run(OutputTiming::AtOnce)?);
    let (outcome, built) = rust_tests::build(toolbox, &[])?;
    let build = Step::of_tool("cargo test --no-run", &outcome);
    if outcome.succeeded {
        lanes.push(built.binaries.into_iter().map(rust_tests::TestBinary::job));
        lanes.push([rust_tests::documentation(toolbox)]);
    }
    Ok((vec![clippy, build], built.server))
}
