//! `cargo xtask test`: the gates, then the tests that need the real server, a real browser or unmodified clients.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::lanes::{FinishedJob, Job, Kind, Lanes};
use crate::summary::{Step, Summary};
use crate::toolbox::Toolbox;
use crate::{check, netns};

/// Steps that wait for outages, retries and time-outs in a third of their time or more. One lane begins with them, the
/// longest first, and the other lane with the drawing steps. Without a graphics card a drawing step uses all cores, so
/// two of them run together only at the end, when the first lane has no waiting step left.
const WAITING: [&str; 7] = [
    "end to end: motion",
    "end to end: network",
    "end to end: coming-in",
    "scripts on a realm",
    "end to end: text-view",
    "end to end: story",
    "examples of arena-py",
];
/// The longest drawing step. It runs first, so that it doesn't outlast all others.
const LONGEST_DRAWING: &str = "end to end: pictures";
/// The end-to-end file that needs a build of ARENA's own client, and the variable with the build's folder:
/// interop/README.md.
const BY_HAND: (&str, &str) = ("arena-web-core", "ARENA_WEB_CORE");

/// Runs all tests.
pub(crate) fn run(toolbox: &Toolbox, summary: &mut Summary) -> Result<()> {
    let server = check::run(toolbox, &[], summary)?;
    println!("\n== end to end");
    let Some(server) = server else {
        summary.add(Step::impossible("end to end", "there is no server to test: its build failed"));
        return Ok(());
    };
    let mut jobs = realm_jobs(toolbox);
    jobs.extend(browser_jobs(toolbox)?);
    match netns::prefix(&toolbox.root) {
        Ok(prefix) => jobs.extend(story_jobs(toolbox, &prefix)?),
        Err(missing) => summary.add(Step::impossible("end to end", format!("{missing:#}"))),
    }
    let jobs = jobs.into_iter().map(|job| Job { line: job.line.env("STOA_BIN", &server), ..job });
    let (mut waiting, mut drawing): (Vec<Job>, Vec<Job>) = jobs.partition(|job| WAITING.contains(&job.name.as_str()));
    waiting.sort_by_key(|job| WAITING.iter().position(|name| *name == job.name));
    drawing.sort_by_key(|job| job.name != LONGEST_DRAWING);
    let lanes = Lanes::default();
    lanes.push(waiting.into_iter().chain(drawing.into_iter().rev()));
    let ((), finished) = lanes.run(Lanes::drain_from_end);
    for FinishedJob { step, .. } in finished {
        summary.add(step);
    }
    Ok(())
}

fn realm_jobs(toolbox: &Toolbox) -> Vec<Job> {
    let scripts = toolbox.test_line("python", &["python", "-m", "pytest", "-q", "-m", "realm"]);
    // The script creates its network namespace itself.
    let arena = toolbox.test_line(".", &["python", "interop/arena_examples.py"]);
    [("scripts on a realm", scripts), ("examples of arena-py", arena)]
        .map(|(name, line)| Job { name: name.to_owned(), line, kind: Kind::Tests })
        .into()
}

/// Components and pages in Chromium, without a realm.
fn browser_jobs(toolbox: &Toolbox) -> Result<Vec<Job>> {
    let mut jobs = Vec::new();
    for package in ["aframe", "app", "voice"] {
        let folder = format!("web/{package}");
        for (stem, file) in test_files(&toolbox.root.join(&folder).join("test-browser"), ".test.mjs")? {
            let line = toolbox.test_line(&folder, &["node", "--test", "--test-reporter=spec"]).arg(file);
            jobs.push(Job { name: format!("in a browser: {package}/{stem}"), line, kind: Kind::Tests });
        }
    }
    Ok(jobs)
}

/// Each file runs in its own network namespace, so that its realm can listen on the ports 443 and 8883 that
/// arena-py requires.
fn story_jobs(toolbox: &Toolbox, prefix: &[OsString]) -> Result<Vec<Job>> {
    let files = test_files(&toolbox.root.join("web/app/e2e"), ".test.ts")?;
    let files = files.into_iter().filter(|(stem, _)| stem != BY_HAND.0 || env::var_os(BY_HAND.1).is_some());
    let job = |(stem, file): (String, OsString)| {
        let line = toolbox.test_line("web", &["npx", "vitest", "run", "--config", "app/e2e/vitest.config.ts"]);
        let line = line.arg(file).within(prefix.iter().cloned());
        Job { name: format!("end to end: {stem}"), line, kind: Kind::Tests }
    };
    Ok(files.map(job).collect())
}

/// The test files of a folder, by the stem of their names.
fn test_files(folder: &Path, ending: &str) -> Result<Vec<(String, OsString)>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if let Some(stem) = name.strip_suffix(ending) {
            files.push((stem.to_owned(), entry.path().into_os_string()));
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_end_to_end_file_name_is_contained_in_another() -> Result<()> {
        // Vitest would run both for the shorter name.
        let folder = crate::root()?.join("web/app/e2e");
        let stems: Vec<String> = test_files(&folder, ".test.ts")?.into_iter().map(|(stem, _)| stem).collect();
        for stem in &stems {
            assert_eq!(stems.iter().filter(|other| other.contains(stem.as_str())).count(), 1, "{stem}");
        }
        Ok(())
    }

    #[test]
    fn only_the_test_files_of_a_folder_are_found() -> Result<()> {
        let folder = tempfile::tempdir()?;
        for name in ["story.test.ts", "history.test.ts", "realm.ts", "page.test.mjs"] {
            fs::write(folder.path().join(name), "")?;
        }
        let found: Vec<String> = test_files(folder.path(), ".test.ts")?.into_iter().map(|(stem, _)| stem).collect();
        assert_eq!(found, ["history", "story"]);
        Ok(())
    }
}
