//! Rust files that no module declares: rustc ignores them, so their tests never run.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::files_below;

pub(super) fn findings(root: &Path) -> Result<Vec<String>> {
    let mut findings = Vec::new();
    for path in files_below(root, &["rs"])? {
        let Ok(shown) = path.strip_prefix(root) else { continue };
        let parents = parents(&path, shown);
        let Some(first) = parents.first() else { continue };
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let mut is_declared = false;
        for parent in parents.iter().filter(|parent| parent.exists()) {
            let text = fs::read_to_string(parent).with_context(|| format!("cannot read {}", parent.display()))?;
            is_declared |= text.lines().any(|line| declares(line, &stem));
        }
        if !is_declared {
            let first = first.strip_prefix(root).unwrap_or(first);
            findings.push(format!(
                "{}: no module declares it: {} needs `mod {stem};`",
                shown.display(),
                first.display()
            ));
        }
    }
    Ok(findings)
}

/// The files that can declare a file as their module; none for the roots of crates.
fn parents(path: &Path, shown: &Path) -> Vec<PathBuf> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { return Vec::new() };
    let parts: Vec<_> = shown.iter().collect();
    let Some(depth) = parts.iter().position(|part| *part == "src" || *part == "tests") else { return Vec::new() };
    // `src/lib.rs` and `src/main.rs`; `tests/NAME.rs` and `tests/NAME/main.rs`.
    let is_in_root = parts.len() == depth + 2;
    let has_sources = parts[depth] == "src";
    let is_root = name == "main.rs" || is_in_root && (!has_sources || name == "lib.rs");
    if is_root {
        return Vec::new();
    }
    let files = ["lib.rs", "main.rs", "mod.rs"].map(|file| folder.join(file));
    // Several test binaries may share a file. Each of them declares the file by its path.
    let shared = if has_sources {
        Vec::new()
    } else {
        files_below(folder.parent().unwrap_or(folder), &["rs"]).unwrap_or_default()
    };
    std::iter::once(folder.with_extension("rs")).chain(files).chain(shared).collect()
}

/// Whether a line is `mod NAME;` or `#[path = "…/NAME.rs"]`, with or without a visibility.
fn declares(line: &str, name: &str) -> bool {
    let line = line.trim();
    if line.starts_with("#[path") && line.ends_with(&format!("/{name}.rs\"]")) {
        return true;
    }
    let Some(declared) = line.strip_suffix(';').and_then(|line| line.split_once("mod ")) else { return false };
    declared.1.trim_start_matches("r#") == name && (declared.0.is_empty() || declared.0.starts_with("pub"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_no_module_declares_is_found() -> Result<()> {
        let root = tempfile::tempdir()?;
        let source = root.path().join("crates/a/src");
        for (path, text) in [
            ("lib.rs", "mod http;\npub(crate) mod store;\nmod r#box;\n"),
            ("box.rs", ""),
            ("store.rs", ""),
            ("http.rs", "#[cfg(test)]\nmod tests;\n// mod forgotten;\n"),
            ("http/tests.rs", "mod page;\n"),
            ("http/tests/page.rs", ""),
            ("http/tests/scenes.rs", ""),
            ("http/forgotten.rs", ""),
            ("../tests/realm/main.rs", "mod transfer;\n"),
            ("../tests/realm/transfer.rs", ""),
            ("../tests/motion.rs", ""),
        ] {
            let path = source.join(path);
            fs::create_dir_all(path.parent().context("a folder")?)?;
            fs::write(path, text)?;
        }
        let mut found = findings(root.path())?;
        found.sort();
        assert_eq!(
            found,
            [
                "crates/a/src/http/forgotten.rs: no module declares it: crates/a/src/http.rs needs `mod forgotten;`",
                "crates/a/src/http/tests/scenes.rs: no module declares it: crates/a/src/http/tests.rs needs `mod scenes;`",
            ]
        );
        Ok(())
    }
}
