//! `layers.toml`: the order of the entries (folders, modules, files) of a package. An import may lead to an earlier
//! entry, never to a later one, so there are no cycles between folders. Tests are exempt.

mod rust;
mod typescript;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;

use super::super::tidy::{files_below, is_test};

const FILE: &str = "layers.toml";
/// Entry that stands for all files at the folder's root that the order doesn't name.
const ROOT_FILES: &str = ".";

#[derive(Deserialize)]
struct Section {
    order: Vec<String>,
}

/// An import of another entry.
#[derive(Debug, PartialEq, Eq)]
struct Import {
    line: usize,
    to: String,
}

pub(super) fn findings(root: &Path) -> Result<Vec<String>> {
    let path = root.join(FILE);
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let sections: BTreeMap<String, Section> = toml::from_str(&text).with_context(|| format!("{FILE} doesn't parse"))?;
    let mut findings = unlisted(root, &sections)?;
    for (folder, section) in &sections {
        findings.extend(section_findings(&root.join(folder), folder, &section.order)?);
    }
    Ok(findings)
}

/// Packages without a section.
fn unlisted(root: &Path, sections: &BTreeMap<String, Section>) -> Result<Vec<String>> {
    let mut findings = Vec::new();
    for parent in ["crates", "web"] {
        for entry in fs::read_dir(root.join(parent)).with_context(|| format!("cannot list {parent}"))? {
            let source = format!("{parent}/{}/src", entry?.file_name().to_string_lossy());
            if root.join(&source).is_dir() && !sections.contains_key(&source) {
                findings.push(format!("{FILE} has no section for {source}"));
            }
        }
    }
    Ok(findings)
}

fn section_findings(folder: &Path, shown: &str, order: &[String]) -> Result<Vec<String>> {
    let mut findings = Vec::new();
    let mut met = vec![false; order.len()];
    for path in files_below(folder, &["rs", "ts"])? {
        let below = path.strip_prefix(folder).unwrap_or(&path);
        let Some(from) = rank(order, below) else {
            findings.push(format!("{shown}/{} is in no entry of {FILE}", below.display()));
            continue;
        };
        met[from] = true;
        if is_test(below) {
            continue;
        }
        let text = fs::read_to_string(&path)?;
        let imports = match path.extension().and_then(|it| it.to_str()) {
            Some("rs") => rust::imports(below, &text),
            _ => typescript::imports(folder, below, &text),
        };
        for Import { line, to } in imports {
            let Some(to_rank) = rank(order, Path::new(&to)) else { continue };
            if to_rank > from {
                let (from, to) = (&order[from], &order[to_rank]);
                findings.push(format!(
                    "{shown}/{}:{line}: {from} may not import from {to}, which stands after it in {FILE}",
                    below.display()
                ));
            }
        }
    }
    let idle = order
        .iter()
        .zip(&met)
        .filter(|(_, met)| !**met)
        .map(|(entry, _)| format!("{FILE}: {shown} has no entry {entry}"));
    findings.extend(idle);
    Ok(findings)
}

/// Index of the entry that contains a file.
fn rank(order: &[String], below: &Path) -> Option<usize> {
    let mut parts = below.components();
    let first = parts.next()?.as_os_str().to_str()?;
    let is_root_file = parts.next().is_none();
    let name = if is_root_file { first.split('.').next().unwrap_or(first) } else { first };
    let at = |wanted: &str| order.iter().position(|entry| entry == wanted);
    at(name).or_else(|| if is_root_file { at(ROOT_FILES) } else { None })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &str)], order: &[&str]) -> Result<Vec<String>> {
        let root = tempfile::tempdir()?;
        for (path, text) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().expect("has a folder"))?;
            fs::write(path, text)?;
        }
        let order: Vec<String> = order.iter().map(|entry| (*entry).to_owned()).collect();
        section_findings(root.path(), "src", &order)
    }

    #[test]
    fn an_import_against_the_order_is_rejected_in_typescript() -> Result<()> {
        let files = |text| {
            [
                ("limits.ts", "export const A = 1;\n"),
                ("people/crowd.ts", text),
                ("panels/sheet.ts", ""),
                ("index.ts", ""),
            ]
        };
        let order = ["limits", "panels", "people", "."];
        let good = "import { A } from \"../limits.ts\";\nimport \"../panels/sheet.ts\";\n";
        assert_eq!(found(&files(good), &order)?, Vec::<String>::new(), "negative control");
        assert_eq!(found(&files(good), &["limits", "people", "panels", "."])?.len(), 1);
        assert_eq!(found(&files("const later = await import(\"../index.ts\");\n"), &order)?.len(), 1);
        assert_eq!(found(&files(good), &["limits", "panels", "."])?.len(), 1, "people/ is in no entry");
        assert_eq!(found(&files(good), &["limits", "panels", "people", "gone", "."])?.len(), 1);
        Ok(())
    }

    #[test]
    fn an_import_against_the_order_is_rejected_in_rust() -> Result<()> {
        let files = |text| {
            [
                ("store.rs", "mod files;\n"),
                ("store/files.rs", text),
                ("http.rs", ""),
                ("lib.rs", "mod http;\nmod store;\n"),
            ]
        };
        let order = ["store", "http", "lib"];
        let good =
            "use super::Store;\nuse crate::store::Row;\n\n#[cfg(test)]\nmod tests {\n    use crate::http::Route;\n}\n";
        assert_eq!(found(&files(good), &order)?, Vec::<String>::new(), "negative control");
        for wrong in [
            "use crate::http::Route;\n",
            "use crate::{http::Route, store::Row};\n",
            "fn f() -> super::super::http::Route {}\n",
            "use crate::{\n    store::Row,\n    http::{Route, Guard},\n};\n",
        ] {
            assert_eq!(found(&files(wrong), &order)?.len(), 1, "{wrong}");
        }
        Ok(())
    }
}
