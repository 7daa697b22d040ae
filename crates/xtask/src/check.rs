//! `cargo xtask check`: the six gates of STYLE.md section 1, the one definition of "checked". Each gate is a function of a repository's root, so that
//! its own test can hand it a small repository that it must reject.

mod generated;
mod layers;
mod names;
mod purity;
mod tidy;
mod tools;
mod vectors;
mod words;

use std::path::Path;

use anyhow::Result;

use crate::tally::Tally;

/// The gates, in the order in which they run: fast ones first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Gate {
    Tidy,
    Layers,
    Generated,
    Purity,
    Vectors,
    Tools,
    Words,
    Names,
}

const ALL: [Gate; 6] = [Gate::Tidy, Gate::Layers, Gate::Generated, Gate::Purity, Gate::Tools, Gate::Vectors];

/// Runs the given gates (all where none is named). A gate counts as one passed or failed test; the test runners that `tools` and `vectors` call add what they count.
pub(crate) fn run(root: &Path, gates: &[Gate]) -> Result<Tally> {
    let mut total = Tally::default();
    for gate in if gates.is_empty() { &ALL[..] } else { gates } {
        let name = format!("{gate:?}").to_lowercase();
        println!("\n== gate {name}");
        let (findings, tally) = match gate {
            Gate::Tidy => (tidy::findings(root)?, Tally::default()),
            Gate::Layers => (layers::findings(root)?, Tally::default()),
            Gate::Generated => (generated::findings(root)?, Tally::default()),
            Gate::Purity => (purity::findings(root)?, Tally::default()),
            Gate::Vectors => (vectors::findings(root)?, Tally::default()),
            Gate::Tools => tools::run(root)?,
            Gate::Names => (names::report(root)?.findings, Tally::default()),
            Gate::Words => (words::report(root)?.findings, Tally::default()),
        };
        for finding in &findings {
            println!("{name}: {finding}");
        }
        total += tally;
        total += if findings.is_empty() { Tally::PASSED } else { Tally::FAILED };
    }
    Ok(total)
}

/// Prints the figures of all gates that have some.
pub(crate) fn print_figures(root: &Path) -> Result<()> {
    let figures = [names::report(root)?.figures, words::report(root)?.figures];
    for figure in figures.into_iter().flatten() {
        println!("{figure}");
    }
    Ok(())
}
