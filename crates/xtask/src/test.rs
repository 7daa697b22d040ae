//! `cargo xtask test`: the gates, then the tests that need the real binary, a real browser and unmodified clients, then the count.

use std::path::Path;

use anyhow::Result;

use crate::command::{Line, Show};
use crate::report::{Report, Step};
use crate::toolbox::Toolbox;
use crate::{check, netns};

/// Runs every test there is.
pub(crate) fn run(toolbox: &Toolbox, report: &mut Report) -> Result<()> {
    let server = check::run(toolbox, &[], report)?;
    println!("\n== end to end");
    match server {
        Some(server) => end_to_end(toolbox, &server, report),
        None => report.add(Step::impossible("end to end", "there is no server to test: its build failed")),
    }
    Ok(())
}

/// The steps that want fixed ports run in a network namespace of their own, so that a realm may listen on the ports 443 and 8883 of arena-py.
fn end_to_end(toolbox: &Toolbox, server: &Path, report: &mut Report) {
    let mut add = |name: &str, line: Line| report.add(counted(name, &line.env("STOA_BIN", server)));
    let tested = |folder: &str, words: &[&str]| toolbox.test_line(folder, words);
    add("scripts on a realm", tested("python", &["python", "-m", "pytest", "-q", "-m", "realm"]));
    for package in ["@stoa/aframe", "@stoa/app"] {
        let name = format!("{package} in a browser");
        add(&name, tested("web", &["npm", "run", "--silent", "test:browser", "-w", package]));
    }
    let story = tested("web", &["npx", "vitest", "run", "--config", "app/e2e/vitest.config.ts"]);
    match netns::prefix(&toolbox.root) {
        Ok(prefix) => add("end to end", story.within(prefix)),
        Err(missing) => report.add(Step::impossible("end to end", format!("{missing:#}"))),
    }
    // It makes its network namespace itself.
    let arena = tested(".", &["python", "interop/arena_examples.py"]);
    report.add(counted("examples of arena-py", &arena.env("STOA_BIN", server)));
}

fn counted(name: &str, line: &Line) -> Step {
    match line.run(Show::AtOnce) {
        Ok(outcome) => Step::of_tests(name, &outcome),
        Err(error) => Step::impossible(name, format!("{error:#}")),
    }
}
