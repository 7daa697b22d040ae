//! Runs all experiments in sequence, each in its own process, and writes the results page.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use serde_json::json;

use crate::child::part;
use crate::environment::BinaryFingerprints;
use crate::experiments::{ALL, ExperimentDescription, in_all};
use crate::index;
use crate::journal::Journal;

/// Options of a run of all experiments.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Options {
    /// The ten-minute version: fewer and shorter steps of everything
    #[arg(long)]
    short: bool,
    /// Run only these experiments
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    #[command(flatten)]
    page: index::Options,
}

/// Runs the selected experiments and writes the page. Completed experiments and journaled steps of an interrupted or
/// failed run are not repeated. Returns an error at the end if an experiment failed.
pub(crate) fn run(options: &Options, stoa: Option<&Path>) -> Result<()> {
    if let Some(unknown) = options.only.iter().find(|name| ALL.iter().all(|entry| entry.name != name.as_str())) {
        bail!("no experiment is called {unknown}: see stoa-lab list");
    }
    let left_out =
        |entry: &&ExperimentDescription| options.only.iter().any(|name| name == entry.name) && entry.short.is_err();
    if let Some(ExperimentDescription { name, short: Err(reason), .. }) = ALL.iter().find(left_out) {
        bail!("{name} is not part of all: {reason}");
    }
    let index::Options { out, experiments } = &options.page;
    ensure!(
        !options.short || !is_same(out, experiments),
        "{} is for the full versions, which the short ones must not replace: give another folder by --out",
        out.display()
    );
    fs::create_dir_all(out).with_context(|| out.display().to_string())?;
    let path = out.join("done.journal");
    let mut done = Journal::open(&path, &BinaryFingerprints::of(stoa).run(json!({ "short": options.short })))?;
    let wanted =
        |entry: &&ExperimentDescription| options.only.is_empty() || options.only.iter().any(|name| name == entry.name);
    let entries: Vec<&ExperimentDescription> = in_all().filter(wanted).collect();
    let mut failed = Vec::new();
    for (number, entry) in (1..).zip(&entries) {
        let shown = format!("[{number}/{}] {}", entries.len(), entry.name);
        if done.find(&json!(entry.name)).is_some() {
            eprintln!("{shown}: done before");
            continue;
        }
        eprintln!("{shown}: {}", entry.about());
        let began = Instant::now();
        match measure(entry, options, stoa) {
            Ok(()) => {
                let seconds = began.elapsed().as_secs();
                eprintln!("{shown}: {seconds} s");
                done.note(&json!(entry.name), &json!(seconds))?;
            }
            Err(error) => {
                eprintln!("{shown}: FAILED: {error:#}");
                failed.push(entry.name);
            }
        }
    }
    index::write(&options.page)?;
    ensure!(failed.is_empty(), "failed: {}", failed.join(", "));
    // The run is complete, so the next one starts over.
    Ok(fs::remove_file(path)?)
}

/// Runs one experiment and stores its result.
fn measure(entry: &ExperimentDescription, options: &Options, stoa: Option<&Path>) -> Result<()> {
    let folder = options.page.out.join(entry.name);
    fs::create_dir_all(&folder)?;
    let journal = folder.join("steps.journal");
    let mut command = part(entry.name)?;
    command.args(["--json", "--plots"]).arg(&folder).arg("--journal").arg(&journal);
    if let Some(stoa) = stoa {
        command.arg("--stoa").arg(stoa);
    }
    if let (true, Ok(words)) = (options.short, entry.short) {
        command.args(words.split_whitespace());
    }
    set_aside(&folder)?;
    let found = run_one(&mut command);
    if let Err(error) = &found {
        fs::write(folder.join(index::FAILED), format!("{error:#}"))?;
    }
    replace(&folder.join(index::RESULT), &found?)?;
    remove(&folder.join(EARLIER))?;
    Ok(fs::remove_file(journal)?)
}

fn run_one(command: &mut Command) -> Result<Vec<u8>> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::inherit()).output().context("it does not start")?;
    ensure!(output.status.success(), "{}", output.status);
    Ok(output.stdout)
}

/// The previous result, kept until a new one replaces it.
const EARLIER: &str = "result.earlier.json";

/// Moves the previous result away, so that it cannot pass for the result of a failed run.
fn set_aside(folder: &Path) -> Result<()> {
    let result = folder.join(index::RESULT);
    if result.exists() {
        fs::rename(&result, folder.join(EARLIER)).with_context(|| result.display().to_string())?;
    }
    remove(&folder.join(index::FAILED))
}

/// Removes a file if it exists.
fn remove(path: &Path) -> Result<()> {
    if path.exists() { fs::remove_file(path).with_context(|| path.display().to_string()) } else { Ok(()) }
}

/// Whether two paths name the same folder.
fn is_same(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => one == other,
    }
}

/// Replaces a file by a rename, so that the old content stays until the new one is complete.
fn replace(path: &PathBuf, content: &[u8]) -> Result<()> {
    let new = path.with_extension("new");
    fs::write(&new, content)?;
    fs::rename(&new, path).with_context(|| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(short: bool, out: &Path, experiments: &Path) -> Options {
        let page = index::Options { out: out.to_owned(), experiments: experiments.to_owned() };
        Options { short, only: vec!["idle".to_owned()], page }
    }

    #[test]
    fn a_failed_run_moves_the_earlier_result_aside() {
        let folder = tempfile::tempdir().expect("a folder");
        let own = folder.path().join("idle");
        fs::create_dir_all(&own).expect("a folder");
        fs::write(own.join(index::RESULT), "{}").expect("room on the disk");
        let entry = ALL.iter().find(|entry| entry.name == "idle").expect("it is there");
        // The child process is this test binary, which rejects such arguments.
        let measured = measure(entry, &options(false, folder.path(), folder.path()), None);
        assert!(measured.is_err());
        assert!(!own.join(index::RESULT).exists() && own.join(index::FAILED).exists());
        assert!(own.join(EARLIER).exists(), "it can be had back");
        set_aside(&own).expect("the next try");
        assert!(!own.join(index::FAILED).exists(), "an older failure neither");
    }

    #[test]
    fn an_experiment_that_all_excludes_is_refused_with_the_reason() {
        let folder = tempfile::tempdir().expect("a folder");
        let options = Options { only: vec!["compare".to_owned()], ..options(true, folder.path(), Path::new("none")) };
        let error = run(&options, None).err().map(|error| error.to_string());
        assert!(error.as_deref().unwrap_or_default().contains("--before"), "{error:?}");
        assert!(in_all().any(|entry| entry.name == "idle") && in_all().all(|entry| entry.name != "compare"));
    }

    #[test]
    fn short_results_are_not_written_into_the_folder_of_the_full_ones() {
        let folder = tempfile::tempdir().expect("a folder");
        let experiments = folder.path().join("experiments");
        fs::create_dir_all(&experiments).expect("a folder");
        let same = experiments.join("../experiments");
        let error = run(&options(true, &same, &experiments), None).err().map(|error| error.to_string());
        assert!(error.as_deref().unwrap_or_default().contains("full versions"), "{error:?}");
        assert!(!is_same(&folder.path().join("lab"), &experiments), "negative control: it is not there yet");
        assert!(!is_same(folder.path(), &experiments), "negative control");
    }
}
