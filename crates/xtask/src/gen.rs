//! `cargo xtask gen`: writes the Rust, TypeScript and Python types and the reference pages of the schemas in
//! `spec/objects/`, the limits of `spec/limits.json`, the page of all limits, and first vectors for new components. The
//! output depends only on these files, the crates' files of limits, and rustfmt.

mod examples;
mod limits;
mod limits_page;
mod pages;
mod python;
mod rust;
mod schema;
mod spelling;
mod typescript;
mod vectors;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use limits::Limits;
use schema::Schemas;

/// Start and end of the mark in the first line of each generated file. The name of the source is between them.
const MARK_START: &str = "Generated from spec/";
const MARK_END: &str = "by cargo xtask gen. Do not edit.";

/// Folders of generated files. Files without the mark are hand-written and stay untouched.
const FOLDERS: [&str; 4] =
    ["crates/wire/src/objects", "web/client/src/generated", "python/stoa/_generated", "docs/objects"];

/// Generated files outside [`FOLDERS`], besides [`limits_page::PAGE`].
const RUST_CONTENTS: &str = "crates/wire/src/objects.rs";
const RUST_LIMITS: &str = "crates/wire/src/limits/generated.rs";

/// Writes changed files, removes generated files without a source, and prints both counts. Then writes first vectors.
pub(crate) fn run(root: &Path) -> Result<()> {
    let wanted = files(root)?;
    let mut written = 0;
    for (path, text) in &wanted {
        if fs::read_to_string(path).ok().as_ref() != Some(text) {
            fs::create_dir_all(path.parent().context("a generated file without a folder")?)?;
            fs::write(path, text).with_context(|| format!("writing {}", path.display()))?;
            written += 1;
        }
    }
    let mut removed = 0;
    for path in existing(root)?.iter().filter(|path| !wanted.contains_key(*path)) {
        fs::remove_file(path).with_context(|| format!("removing {}", path.display()))?;
        removed += 1;
    }
    println!("gen: {} files, {written} written, {removed} removed", wanted.len());
    write_first_vectors(root)
}

/// Writes vectors for new components. Present files are hand-written and stay untouched.
fn write_first_vectors(root: &Path) -> Result<()> {
    for schema in Schemas::read(&root.join("spec/objects"))?.iter() {
        let path = root.join(format!("spec/vectors/objects/{}.json", schema.stem));
        if let Some(text) = vectors::first_version(schema).filter(|_| !path.exists()) {
            fs::create_dir_all(path.parent().context("a path without a folder")?)?;
            fs::write(&path, text).with_context(|| format!("writing {}", path.display()))?;
            println!("gen: wrote {}; add the cases that the schema doesn't show", path.display());
        }
    }
    Ok(())
}

/// Texts of all generated files, for schemas and limits, by path. The paths include `root`.
pub(crate) fn files(root: &Path) -> Result<BTreeMap<PathBuf, String>> {
    let schemas = Schemas::read(&root.join("spec/objects"))?;
    let mut files = BTreeMap::new();
    for (name, text) in rust::files(&schemas) {
        files.insert(PathBuf::from(FOLDERS[0]).join(name), rust::format(&text)?);
    }
    files.insert(PathBuf::from(RUST_CONTENTS), rust::format(&rust::contents(&schemas))?);
    for (folder, texts) in
        FOLDERS[1..].iter().zip([typescript::files(&schemas), python::files(&schemas), pages::files(&schemas)])
    {
        files.extend(texts.into_iter().map(|(name, text)| (PathBuf::from(folder).join(name), text)));
    }
    let limits = Limits::read(root)?;
    if !limits.is_empty() {
        files.insert(PathBuf::from(RUST_LIMITS), rust::format(&limits.rust())?);
        files.insert(PathBuf::from(FOLDERS[1]).join("limits.ts"), limits.typescript());
        files.insert(PathBuf::from(FOLDERS[2]).join("_limits.py"), limits.python());
    }
    let mut files: BTreeMap<PathBuf, String> = files.into_iter().map(|(path, text)| (root.join(path), text)).collect();
    // The page lists the limits that were just generated, too.
    if let Some(page) = limits_page::page(root, files.get(&root.join(RUST_LIMITS)).map(String::as_str))? {
        files.insert(root.join(limits_page::PAGE), page);
    }
    Ok(files)
}

/// Present generated files below `root`, recognised by their mark; sorted.
pub(crate) fn existing(root: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    found.extend(
        [RUST_CONTENTS, RUST_LIMITS, limits_page::PAGE]
            .map(|name| root.join(name))
            .into_iter()
            .filter(|path| has_mark(path)),
    );
    for folder in FOLDERS {
        let Ok(entries) = fs::read_dir(root.join(folder)) else { continue };
        for entry in entries {
            let path = entry?.path();
            found.extend(has_mark(&path).then_some(path));
        }
    }
    found.sort();
    Ok(found)
}

fn has_mark(path: &Path) -> bool {
    let text = fs::read_to_string(path).unwrap_or_default();
    let first = text.lines().next().unwrap_or_default();
    first.contains(MARK_START) && first.contains(MARK_END)
}

/// The mark of files generated from `source`, a file or pattern in `spec/objects/`.
fn mark(source: &str) -> String {
    mark_of(&format!("objects/{source}"))
}

/// The mark of files generated from a file or pattern in `spec/`.
fn mark_of(source: &str) -> String {
    format!("{MARK_START}{source} {MARK_END}")
}

#[cfg(test)]
mod tests;
