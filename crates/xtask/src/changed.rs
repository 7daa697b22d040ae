//! `cargo xtask test --changed`: the tests of changed packages and of their dependents, in every language; no
//! end-to-end tests.

mod selection;

use std::path::Path;

use anyhow::{Context, Result};
use cargo_metadata::Metadata;

use crate::check::{self, Gate};
use crate::command::CommandLine;
use crate::lanes::{Job, Kind, Lanes};
use crate::rust_tests::{self, TestBinary};
use crate::summary::{Step, Summary};
use crate::toolbox::Toolbox;
use selection::{Selection, WEB};

/// Gates that take a second or two, and run after any change.
const GATES: [Gate; 5] = [Gate::Tidy, Gate::Words, Gate::Names, Gate::Layers, Gate::Generated];
/// Checks that `--changed` never runs.
const LEFT_OUT: [&str; 7] = [
    "gate purity",
    "the agreement of the languages on the number of vectors",
    "clippy, pyright and the format of Python files",
    "documentation tests",
    "scripts on a realm",
    "pages in a browser and end to end",
    "examples of arena-py",
];

/// Tests the packages that differ from the merge base of HEAD and `commit`. The default is `origin/main`, or else the
/// local `main`; without either, only uncommitted changes count.
pub(crate) fn run(toolbox: &Toolbox, commit: Option<&str>, summary: &mut Summary) -> Result<()> {
    let base = base(&toolbox.root, commit)?;
    let files = files(&toolbox.root, &base)?;
    let packages = toolbox.packages()?;
    let selection = Selection::of(files.iter().map(String::as_str), &packages);
    println!("{} files differ from {base}: {selection}", files.len());
    check::run(toolbox, &GATES, summary)?;
    println!("\n== changed");
    toolbox.require_setup()?;
    let lanes = Lanes::default();
    lanes.push(jobs(toolbox, &selection));
    let (rust, finished) = lanes.run(|lanes| compiled(toolbox, &selection, lanes));
    rust?.into_iter().chain(finished.into_iter().map(|job| job.step)).for_each(|step| summary.add(step));
    for name in left_out(&selection, &packages) {
        summary.skip(name);
    }
    Ok(())
}

/// Linters of the selected languages, and tests of the selected web packages and of Python. Each linter reads all files
/// of its language.
fn jobs(toolbox: &Toolbox, selection: &Selection) -> Vec<Job> {
    let job = |folder: &str, words: &[&str], kind| Job {
        name: format!("{} in {folder}", words.join(" ")),
        line: if kind == Kind::Tool { toolbox.line(folder, words) } else { toolbox.test_line(folder, words) },
        kind,
    };
    let mut jobs = Vec::new();
    if !selection.rust.is_empty() {
        jobs.push(job(".", &["cargo", "fmt", "--all", "--check"], Kind::Tool));
    }
    if !selection.web.is_empty() {
        jobs.push(job("web", &["npx", "biome", "ci", "--error-on-warnings", "."], Kind::Tool));
        jobs.push(job("web", &["npx", "tsc", "-b"], Kind::Tool));
        let mut words = vec!["npx", "vitest", "run"];
        words.extend(selection.web.iter().flat_map(|project| ["--project", *project]));
        jobs.push(job("web", &words, Kind::Tests));
    }
    if selection.python {
        jobs.push(job("python", &["python", "-m", "ruff", "check", ".", "../examples"], Kind::Tool));
        jobs.push(job("python", &["python", "-m", "pytest", "-q"], Kind::Tests));
    }
    jobs
}

/// If a Rust package is selected, builds the workspace's tests and queues those of the selected packages. Returns the
/// build's step.
fn compiled(toolbox: &Toolbox, selection: &Selection, lanes: &Lanes) -> Result<Vec<Step>> {
    if selection.rust.is_empty() {
        return Ok(Vec::new());
    }
    let (outcome, built) = rust_tests::build(toolbox, &[])?;
    let step = Step::of_tool("cargo test --no-run", &outcome);
    let selected = built.binaries.into_iter().filter(|binary| selection.rust.contains(&binary.package));
    lanes.push(selected.map(TestBinary::job));
    Ok(vec![step])
}

fn left_out(selection: &Selection, packages: &Metadata) -> Vec<String> {
    let rust = packages.packages.iter().map(|package| package.name.to_string());
    let mut names: Vec<String> = rust.filter(|name| !selection.rust.contains(name)).collect();
    names.extend(WEB.iter().filter(|name| !selection.web.contains(*name)).map(|name| format!("@stoa/{name}")));
    names.extend((!selection.python).then(|| "python".to_owned()));
    names.extend(LEFT_OUT.map(str::to_owned));
    names
}

/// The commit to compare with. Errors: `named` is no commit of this repository, or has no commit in common with HEAD.
fn base(root: &Path, named: Option<&str>) -> Result<String> {
    let exists = |name: &str| git(root, &["rev-parse", "--verify", "--quiet", &format!("{name}^{{commit}}")]).is_ok();
    let merge_base = |name: &str| {
        let printed = git(root, &["merge-base", "HEAD", name]);
        printed.map(|commit| commit.trim().to_owned()).with_context(|| format!("{name} and HEAD have no common commit"))
    };
    if let Some(name) = named {
        return if exists(name) { merge_base(name) } else { anyhow::bail!("{name} is no commit of this repository") };
    }
    if exists("origin/main") {
        return merge_base("origin/main");
    }
    if exists("main") {
        println!("There is no origin/main: comparing with the local main.");
        return merge_base("main");
    }
    println!("There is neither origin/main nor main: only uncommitted changes count. Name a commit to compare with.");
    Ok("HEAD".to_owned())
}

/// Files that differ from `base`, committed or not, and untracked files.
fn files(root: &Path, base: &str) -> Result<Vec<String>> {
    let differing = git(root, &["diff", "--name-only", "--no-renames", "-z", base])?;
    let unknown = git(root, &["ls-files", "--others", "--exclude-standard", "-z"])?;
    let names = differing.split('\0').chain(unknown.split('\0')).map(|name| name.trim_matches('\n'));
    Ok(names.filter(|name| !name.is_empty()).map(str::to_owned).collect())
}

fn git(root: &Path, arguments: &[&str]) -> Result<String> {
    CommandLine::new(root, ["git"].iter().chain(arguments).copied()).output()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repository() -> Result<tempfile::TempDir> {
        let folder = tempfile::tempdir()?;
        let root = folder.path();
        for arguments in [
            &["init", "--quiet", "--initial-branch", "trunk"][..],
            &["config", "user.email", "a@b"],
            &["config", "user.name", "a"],
        ] {
            git(root, arguments)?;
        }
        std::fs::write(root.join("kept"), "same")?;
        std::fs::write(root.join("edited"), "before")?;
        git(root, &["add", "."])?;
        git(root, &["commit", "--quiet", "-m", "one"])?;
        Ok(folder)
    }

    #[test]
    fn committed_edited_and_untracked_files_count_as_changed() -> Result<()> {
        let folder = repository()?;
        let root = folder.path();
        git(root, &["branch", "main"])?;
        std::fs::write(root.join("committed"), "new")?;
        git(root, &["add", "."])?;
        git(root, &["commit", "--quiet", "-m", "two"])?;
        std::fs::write(root.join("edited"), "after")?;
        std::fs::write(root.join("of two words"), "new")?;
        let mut found = files(root, &base(root, None)?)?;
        found.sort();
        assert_eq!(found, ["committed", "edited", "of two words"]);
        assert_eq!(files(root, &base(root, Some("HEAD"))?)?.len(), 2, "a named commit takes the place of main");
        Ok(())
    }

    #[test]
    fn without_a_main_branch_head_is_the_base_and_an_unknown_commit_is_refused() -> Result<()> {
        let folder = repository()?;
        let root = folder.path();
        assert_eq!(base(root, None)?, "HEAD");
        assert!(files(root, "HEAD")?.is_empty(), "negative control");
        assert!(base(root, Some("nothing")).is_err_and(|error| error.to_string().contains("nothing is no commit")));
        Ok(())
    }
}
