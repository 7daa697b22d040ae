//! Rules of STYLE.md that no other tool checks: lengths, banned names, machines, links, forgotten modules, companions
//! of schemas and components, lock files, and limits that docs/bounds.md doesn't name.

mod bounds_page;
mod companions;
pub(super) mod folders;
mod functions;
mod links;
mod machines;
mod modules;
mod names;
pub(super) mod parameters;
pub(super) mod type_names;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

pub(super) use self::type_names::{is_test, product_part};

/// STYLE.md, *Numbers*: lines of a file, tests included.
const FILE_LINES_MAX: usize = 800;
const GENERATED_MARK: &str = "Generated from spec/";
const SKIPPED_FOLDERS: [&str; 9] =
    ["node_modules", "target", "dist", ".git", ".venv", "__pycache__", "stoa-data", ".pytest_cache", ".ruff_cache"];

pub(super) fn findings(root: &Path) -> Result<Vec<String>> {
    let mut findings = Vec::new();
    for path in files_below(root, &["rs", "ts", "mjs", "py"])? {
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        if is_generated(&text) {
            continue;
        }
        let shown = path.strip_prefix(root).unwrap_or(&path).to_path_buf();
        findings.extend(source_findings(&shown, &text));
    }
    findings.extend(bounds_page::findings(root)?);
    findings.extend(companions::findings(root)?);
    findings.extend(links::findings(root)?);
    findings.extend(modules::findings(root)?);
    findings.extend(lock_findings(root)?);
    Ok(findings)
}

fn source_findings(path: &Path, text: &str) -> Vec<String> {
    let mut findings = Vec::new();
    let lines = text.lines().count();
    if lines > FILE_LINES_MAX {
        findings.push(format!("{lines} lines exceed the limit of {FILE_LINES_MAX}"));
    }
    findings.extend(names::findings(path, text));
    findings.extend(functions::findings(path, text));
    findings.extend(machines::findings(path, text));
    findings.into_iter().map(|finding| format!("{}: {finding}", path.display())).collect()
}

pub(super) fn is_generated(text: &str) -> bool {
    text.lines().take(3).any(|line| line.contains(GENERATED_MARK))
}

/// Lock files must name versions, not the host that one machine downloaded from.
fn lock_findings(root: &Path) -> Result<Vec<String>> {
    let mut findings = Vec::new();
    for path in files_below(root, &["json", "lock", "txt"])? {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if !["package-lock.json", "Cargo.lock", "requirements.lock", "requirements.txt"].contains(&name) {
            continue;
        }
        let text = fs::read_to_string(&path)?;
        if let Some(line) = text.lines().find(|line| names_a_host(line)) {
            findings.push(format!("{}: a download address in a lock file: {}", path.display(), line.trim()));
        }
    }
    Ok(findings)
}

fn names_a_host(line: &str) -> bool {
    let line = line.trim();
    let resolved = line.starts_with("\"resolved\"") && line.contains("://");
    let index = line.starts_with("--index-url") || line.starts_with("--extra-index-url");
    let source =
        line.starts_with("source = ") && line != "source = \"registry+https://github.com/rust-lang/crates.io-index\"";
    resolved || index || source
}

/// All files below `folder` with one of the extensions, sorted, without build output and dependencies.
pub(super) fn files_below(folder: &Path, extensions: &[&str]) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).with_context(|| format!("cannot list {}", folder.display()))? {
            let entry = entry?;
            let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
            if entry.file_type()?.is_dir() {
                if !SKIPPED_FOLDERS.contains(&name.as_str()) {
                    folders.push(path);
                }
            } else if path.extension().and_then(|it| it.to_str()).is_some_and(|it| extensions.contains(&it)) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_file_is_rejected() {
        let path = Path::new("crates/wire/src/topic.rs");
        assert!(source_findings(path, &"//\n".repeat(800)).is_empty(), "negative control");
        assert_eq!(source_findings(path, &"//\n".repeat(801)).len(), 1);
    }

    #[test]
    fn a_download_address_in_a_lock_file_is_rejected() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let lock = folder.path().join("package-lock.json");
        fs::write(&lock, "{ \"version\": \"1.0.0\" }")?;
        assert!(lock_findings(folder.path())?.is_empty(), "negative control");
        fs::write(&lock, "\"resolved\": \"https://example.org/a.tgz\",")?;
        assert_eq!(lock_findings(folder.path())?.len(), 1);
        Ok(())
    }

    #[test]
    fn generated_files_are_identified_by_their_first_line() {
        assert!(is_generated("// Generated from spec/objects/box.json by cargo xtask gen. Do not edit.\n"));
        assert!(!is_generated("//! Boxes.\n"), "negative control");
    }
}
