//! All experiments, one after the other, each as a process of its own, and the page of what they found.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use serde_json::json;

use crate::child::part;
use crate::experiments::{ALL, Entry};
use crate::index;
use crate::journal::Journal;

/// Options of a run of all experiments.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Options {
    /// The ten-minute version: fewer and shorter steps of everything
    #[arg(long)]
    short: bool,
    /// Only these experiments
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    #[command(flatten)]
    page: index::Options,
}

/// Runs them all; what was done before the command was cut off is not done again. Fails in the end if one of them did.
pub(crate) fn run(options: &Options, stoa: Option<&Path>) -> Result<()> {
    if let Some(unknown) = options.only.iter().find(|name| ALL.iter().all(|entry| entry.name != name.as_str())) {
        bail!("no experiment is called {unknown}: see stoa-lab list");
    }
    let out = &options.page.out;
    fs::create_dir_all(out).with_context(|| out.display().to_string())?;
    let path = out.join("done.journal");
    let mut done = Journal::open(&path, &json!({ "commit": env!("STOA_COMMIT"), "short": options.short }))?;
    let wanted = |entry: &&Entry| options.only.is_empty() || options.only.iter().any(|name| name == entry.name);
    let entries: Vec<&Entry> = ALL.iter().filter(wanted).collect();
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
    // All is there; the next time begins anew.
    Ok(fs::remove_file(path)?)
}

fn measure(entry: &Entry, options: &Options, stoa: Option<&Path>) -> Result<()> {
    let folder = options.page.out.join(entry.name);
    fs::create_dir_all(&folder)?;
    let journal = folder.join("steps.journal");
    let mut command = part(entry.name)?;
    command.args(["--json", "--plots"]).arg(&folder).arg("--journal").arg(&journal);
    if let Some(stoa) = stoa {
        command.arg("--stoa").arg(stoa);
    }
    if options.short {
        command.args(entry.short.split_whitespace());
    }
    let output = command.stdin(Stdio::null()).stderr(Stdio::inherit()).output()?;
    ensure!(output.status.success(), "{}", output.status);
    replace(&folder.join("result.json"), &output.stdout)?;
    Ok(fs::remove_file(journal)?)
}

/// The old one stays until the new one is whole.
fn replace(path: &PathBuf, content: &[u8]) -> Result<()> {
    let new = path.with_extension("new");
    fs::write(&new, content)?;
    fs::rename(&new, path).with_context(|| path.display().to_string())
}
