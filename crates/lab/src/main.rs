//! The binary `stoa-lab`: a subcommand for each experiment on the server, and others that run all experiments, write
//! the results page, or serve as a reference. Some experiments measure a reference in the same run.

mod all;
mod bots;
mod browser;
mod child;
mod choice;
mod compare;
mod crowd;
mod environment;
mod experiments;
mod fanout;
mod hostile;
mod http;
mod idle;
mod index;
mod journal;
mod limits;
mod load;
mod machine;
mod map;
mod motion;
mod page;
mod papers;
mod persist;
mod plot;
mod report;
mod seal;
mod search;
mod servers;
mod slow;
mod snapshot;
mod statistics;
mod voice;

use std::path::PathBuf;

use anyhow::Result;
use clap::{Parser, Subcommand};
use stoa_server::cli::print;

use crate::environment::{BinaryFingerprints, ExperimentContext};
use crate::experiments::Experiment;
use crate::journal::Journal;
use crate::papers::{car, vhct};

/// Measures Stoa and its references. Progress goes to standard error, the result to standard output
#[derive(Parser)]
#[command(version)]
struct LabArguments {
    #[command(subcommand)]
    command: LabCommand,
    /// Print one JSON object instead of a table
    #[arg(long, global = true)]
    json: bool,
    /// The release binary under test [default: `stoa` beside this program]
    #[arg(long, global = true, value_name = "FILE")]
    stoa: Option<PathBuf>,
    /// Folder for the plots
    #[arg(long, global = true, value_name = "DIR")]
    plots: Option<PathBuf>,
    /// File that keeps completed steps, so that the same command continues after an interruption
    #[arg(long, global = true, value_name = "FILE")]
    journal: Option<PathBuf>,
}

#[derive(Subcommand)]
enum LabCommand {
    /// List the experiments and their figures
    List,
    /// Run all experiments and write the results page
    All(all::Options),
    /// Write the results page again
    Index(index::Options),
    #[command(flatten)]
    Experiment(Box<Experiment>),
    /// One of the servers of `car`, in its own process
    #[command(hide = true)]
    CarServer(car::servers::ReferenceServerOptions),
    /// The motion plane's state machines, in a process for `motion`
    #[command(hide = true)]
    Bare(servers::motion::MotionOptions),
    /// The plain relay, in a process for `motion`
    #[command(hide = true)]
    Relay(servers::relay::GatherOptions),
    /// A process of a reference of `vhct`
    #[command(hide = true)]
    VhctPart(vhct::server::ReferenceProcessOptions),
    /// The floor of `fanout`, in its own process
    #[command(hide = true)]
    Floor,
}

/// The command line without the flags for the tested binary, the outputs and the journal.
fn asked(mut words: impl Iterator<Item = String>) -> Vec<String> {
    let mut asked = Vec::new();
    while let Some(word) = words.next() {
        match word.split_once('=').map_or(word.as_str(), |(flag, _)| flag) {
            "--json" => {}
            "--stoa" | "--plots" | "--journal" => {
                if !word.contains('=') {
                    words.next();
                }
            }
            _ => asked.push(word),
        }
    }
    asked
}

fn main() -> Result<()> {
    let LabArguments { command, json, stoa, plots, journal } = LabArguments::parse();
    machine::raise_file_limit();
    let experiment = match command {
        LabCommand::List => {
            return experiments::ALL.iter().try_for_each(|entry| {
                Ok(print(&format!("{:<14}{}\n{:14}{}", entry.name, entry.about(), "", entry.figures.join(", ")))?)
            });
        }
        LabCommand::All(options) => return all::run(&options, stoa.as_deref()),
        LabCommand::Index(options) => return index::write(&options),
        LabCommand::Floor => return servers::minimal::serve(),
        LabCommand::Relay(gathering) => return servers::relay::serve(gathering),
        LabCommand::CarServer(options) => return car::servers::serve(&options),
        LabCommand::VhctPart(options) => return vhct::server::serve(&options),
        LabCommand::Bare(options) => return servers::bare::serve(&options),
        LabCommand::Experiment(experiment) => experiment,
    };
    let stoa = match &*experiment {
        Experiment::Compare(options) => options.after.clone().or(stoa),
        _ => stoa,
    };
    let binaries = BinaryFingerprints::of(stoa.as_deref());
    let journal = match journal {
        Some(path) => {
            let words: Vec<String> = std::env::args().skip(1).collect();
            Journal::open(&path, &binaries.run(words))?
        }
        None => Journal::default(),
    };
    // In most experiments this thread is the generator. `seal` and parts of `page` pin it to the server's core later.
    machine::pin(limits::GENERATOR_CPU)?;
    let report = experiment
        .run(&ExperimentContext::new(stoa, plots, journal))?
        .measured_with(&binaries)
        .asked_by(asked(std::env::args().skip(1)));
    Ok(print(&if json { serde_json::to_string_pretty(&report)? } else { report.text() })?)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use clap::CommandFactory;
    use serde_json::Value;

    use super::*;

    #[test]
    fn the_command_line_definition_passes_claps_checks() {
        LabArguments::command().debug_assert();
    }

    #[test]
    fn the_arguments_of_each_short_version_parse() {
        for entry in experiments::in_all() {
            let short = entry.short.unwrap_or_default();
            let words = ["stoa-lab", entry.name].into_iter().chain(short.split_whitespace());
            if let Err(error) = LabArguments::try_parse_from(words) {
                panic!("{} {short}: {error}", entry.name);
            }
        }
    }

    #[test]
    fn a_comparison_needs_an_older_binary() {
        let parsed =
            |line: &str| LabArguments::try_parse_from(line.split(' ')).map(drop).map_err(|error| error.to_string());
        let error = parsed("stoa-lab compare").expect_err("there is nothing to compare with");
        assert!(error.contains("--before"), "{error}");
        assert_eq!(parsed("stoa-lab compare --before old"), Ok(()));
        assert_eq!(parsed("stoa-lab compare --before old --after new --only fanout,idle --pairs 5 --json"), Ok(()));
    }

    #[test]
    fn every_figure_in_a_stored_result_is_listed_for_its_experiment() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments");
        for entry in experiments::ALL {
            let Ok(text) = std::fs::read_to_string(folder.join(entry.name).join("result.json")) else { continue };
            let result: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", entry.name));
            let listed = experiments::in_full(entry.figures);
            let found = result["figures"].as_object().unwrap_or_else(|| panic!("{} has no figures", entry.name));
            for name in found.keys() {
                assert!(listed.contains(name), "{}: {name} is not among {listed:?}", entry.name);
            }
        }
    }

    #[test]
    fn the_reported_command_line_omits_output_arguments() {
        let line = "fanout --json --plots out --step-s=2 --journal=steps --stoa ./stoa --users 100,300";
        let words = asked(line.split(' ').map(str::to_owned));
        assert_eq!(words.join(" "), "fanout --step-s=2 --users 100,300");
    }

    #[test]
    fn each_experiment_has_a_folder_with_a_readme_and_each_folder_an_experiment() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments");
        for entry in experiments::ALL {
            let readme = std::fs::read_to_string(folder.join(entry.name).join("README.md"));
            let readme = readme.unwrap_or_else(|error| panic!("{}: {error}", entry.name));
            assert!(readme.starts_with("# ") && readme.contains("./stoa-lab "), "{}: a claim, a command", entry.name);
            for file in ["paper.json", "result.json"] {
                let Ok(text) = std::fs::read_to_string(folder.join(entry.name).join(file)) else { continue };
                let content: Value =
                    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", entry.name));
                assert!(file != "result.json" || content["experiment"] == entry.name, "{}: {file}", entry.name);
            }
        }
        let entries = std::fs::read_dir(&folder).expect("the folder of experiments").flatten();
        let folders = entries.filter(|entry| entry.path().is_dir());
        for name in folders.map(|folder| folder.file_name().to_string_lossy().into_owned()) {
            assert!(experiments::ALL.iter().any(|entry| entry.name == name), "nothing measures {name}");
        }
    }
}
