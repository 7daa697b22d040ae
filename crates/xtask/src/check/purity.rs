//! `wire` and `state` have no access to the outside: they are `no_std` and build for a target without an operating
//! system. The build alone proves little, because that target ships a stub `std`, in which `Instant::now` compiles
//! and fails only at run time.

use std::fs;
use std::path::Path;

use anyhow::Result;

use super::tidy::files_below;
use crate::command::{CommandLine, OutputTiming};

const PURE: [&str; 2] = ["wire", "state"];

pub(super) fn findings(root: &Path) -> Result<Vec<String>> {
    let mut findings = Vec::new();
    for name in PURE {
        let folder = root.join("crates").join(name);
        for file in files_below(&folder.join("src"), &["rs"])? {
            let text = fs::read_to_string(&file)?;
            let shown = file.strip_prefix(root).unwrap_or(&file).display().to_string();
            findings.extend(impurity(&text, file == folder.join("src/lib.rs")).map(|why| format!("{shown}: {why}")));
        }
        if !builds_for_wasm(&folder)? {
            findings.push(format!("crates/{name} does not build for wasm32-unknown-unknown"));
        }
    }
    Ok(findings)
}

/// Reason why this source could reach `std`, if there is one.
fn impurity(text: &str, is_lib: bool) -> Option<&'static str> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    if is_lib && !lines.contains(&"#![no_std]") {
        return Some("lacks #![no_std]");
    }
    let before = |at: usize| at.checked_sub(1).and_then(|before| lines.get(before).copied());
    let is_forbidden =
        |(at, line): (usize, &&str)| line.starts_with("extern crate std") && before(at) != Some("#[cfg(test)]");
    lines.iter().enumerate().any(is_forbidden).then_some("takes std back by `extern crate std` outside of tests")
}

fn builds_for_wasm(folder: &Path) -> Result<bool> {
    Ok(wasm_check(folder).run(OutputTiming::AtOnce)?.succeeded)
}

fn wasm_check(folder: &Path) -> CommandLine {
    CommandLine::new(folder, ["cargo", "check", "--quiet", "--lib", "--target", "wasm32-unknown-unknown"])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_with_std_is_rejected() {
        assert_eq!(impurity("#![no_std]\nextern crate alloc;\n", true), None, "negative control");
        assert_eq!(impurity("#[cfg(test)]\nextern crate std;\n", false), None, "negative control: tests may");
        assert!(impurity("pub fn now() {}\n", true).is_some());
        assert!(impurity("#![cfg_attr(target_family = \"wasm\", no_std)]\n", true).is_some());
        assert!(impurity("#![no_std]\nextern crate std;\n", true).is_some());
        assert!(impurity("#[cfg(test)]\nextern crate std;\nextern crate std as again;\n", false).is_some());
    }

    #[test]
    fn a_crate_that_reads_the_clock_does_not_build() -> Result<()> {
        let folder = tempfile::tempdir()?;
        fs::create_dir(folder.path().join("src"))?;
        fs::write(
            folder.path().join("Cargo.toml"),
            "[package]\nname = \"planted\"\nedition = \"2024\"\n[workspace]\n",
        )?;
        fs::write(folder.path().join("src/lib.rs"), "//! Planted.\n#![no_std]\n")?;
        // A target folder of its own, because in the shared one the build would wait for all others.
        let target = folder.path().join("target");
        let builds = || -> Result<bool> {
            let line = wasm_check(folder.path()).env("CARGO_TARGET_DIR", &target);
            Ok(line.run(OutputTiming::AtOnce)?.succeeded)
        };
        assert!(builds()?, "negative control: a pure crate builds");
        fs::write(
            folder.path().join("src/lib.rs"),
            "#![no_std]\npub fn now() -> std::time::Instant { std::time::Instant::now() }\n",
        )?;
        assert!(!builds()?);
        Ok(())
    }
}
