//! `cargo xtask check`: the gates of STYLE.md section 1, the one definition of "checked". A gate is a function
//! of a repository's root, so that its test can pass a small repository that the gate must reject. `tools` and
//! `vectors` need the programs of the setup, so they take a toolbox.

mod generated;
mod layers;
mod names;
mod purity;
mod tidy;
mod tools;
mod vectors;
mod words;

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Result;

use crate::summary::{Step, Summary};
use crate::toolbox::Toolbox;

/// The gates, fast ones first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Gate {
    Tidy,
    Words,
    Names,
    Layers,
    Generated,
    Purity,
    Tools,
    Vectors,
}

const ALL: [Gate; 8] =
    [Gate::Tidy, Gate::Words, Gate::Names, Gate::Layers, Gate::Generated, Gate::Purity, Gate::Tools, Gate::Vectors];

/// Runs the given gates, or all if none is given. Returns the server for the end-to-end tests, if `tools` has built
/// it. A gate counts as one passed or failed test; the test runners that `tools` calls add their own counts.
pub(crate) fn run(toolbox: &Toolbox, gates: &[Gate], summary: &mut Summary) -> Result<Option<PathBuf>> {
    let root = toolbox.root.as_path();
    let mut ran = None;
    for gate in if gates.is_empty() { &ALL[..] } else { gates } {
        let name = format!("gate {gate:?}").to_lowercase();
        println!("\n== {name}");
        let started = Instant::now();
        let found = match gate {
            Gate::Tidy => tidy::findings(root),
            Gate::Layers => layers::findings(root),
            Gate::Generated => generated::findings(root),
            Gate::Purity => purity::findings(root),
            Gate::Names => names::report(root).map(|report| report.findings),
            Gate::Words => words::report(root).map(|report| report.findings),
            Gate::Vectors => vectors::findings(toolbox, ran.as_mut().map(tools::ToolResults::take_vectors)),
            Gate::Tools => tools::run(toolbox, summary).map(|(findings, tools)| {
                ran = Some(tools);
                findings
            }),
        };
        let found = found.unwrap_or_else(|error| vec![format!("{error:#}")]);
        summary.add(Step::of_gate(name, started.elapsed(), found));
    }
    Ok(ran.and_then(|ran| ran.server))
}

/// Prints the figures of the gates `names` and `words`; the other gates have none.
pub(crate) fn print_figures(root: &Path) -> Result<()> {
    let figures = [names::report(root)?.figures, words::report(root)?.figures];
    for figure in figures.into_iter().flatten() {
        println!("{figure}");
    }
    Ok(())
}
