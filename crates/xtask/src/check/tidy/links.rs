//! Links of pages lead to existing files and headings, paths in backticks exist, and each page and picture below
//! `docs/` is linked from a page.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::Result;

use super::files_below;

/// Folder for readers: each of its pages and pictures is linked from a page.
const DOCS: &str = "docs";
/// A path in backticks that begins with one of these has to exist.
const TOP_FOLDERS: [&str; 12] = [
    "crates",
    "deploy",
    "docs",
    "examples",
    "experiments",
    "fuzz",
    "interop",
    "python",
    "spec",
    "web",
    ".ci",
    ".cargo",
];
/// Pages that name paths of other projects, or of earlier versions.
const FOREIGN_PATHS: [&str; 2] = ["docs/models.md", "CHANGELOG.md"];
/// Written by `make lab`.
const MADE: &str = "docs/lab/";
const PICTURE_KINDS: [&str; 5] = ["png", "jpg", "webp", "svg", "gif"];

pub(super) fn findings(root: &Path) -> Result<Vec<String>> {
    let mut pages = BTreeMap::new();
    for path in files_below(root, &["md"])? {
        pages.insert(path.clone(), fs::read_to_string(&path)?);
    }
    let mut findings = Vec::new();
    let mut used = BTreeSet::new();
    for (page, text) in &pages {
        let folder = page.parent().unwrap_or(root);
        let shown = page.strip_prefix(root).unwrap_or(page).display();
        let prose = prose(text);
        let names_our_paths = !FOREIGN_PATHS.iter().any(|foreign| page == &root.join(foreign));
        for path in named_paths(&prose).into_iter().filter(|_| names_our_paths) {
            if !root.join(path).exists() {
                findings.push(format!("{shown} names `{path}`, which doesn't exist"));
            }
        }
        for (target, anchor) in targets(&prose) {
            let file = if target.is_empty() { page.clone() } else { plain(&folder.join(target)) };
            if !file.exists() {
                findings.push(format!("{shown} links to {target}, which doesn't exist"));
            } else if let (Some(anchor), Some(there)) = (anchor, pages.get(&file))
                && !anchors(there).contains(anchor)
            {
                findings.push(format!("{shown} links to {target}#{anchor}, a heading that doesn't exist"));
            }
            used.insert(file);
        }
    }
    let pages: Vec<PathBuf> = pages.into_keys().filter(|page| page.starts_with(root.join(DOCS))).collect();
    findings.extend(unused(root, &used, pages, "no page leads to"));
    let pictures = if root.join(DOCS).is_dir() { files_below(&root.join(DOCS), &PICTURE_KINDS)? } else { Vec::new() };
    findings.extend(unused(root, &used, pictures, "no page shows"));
    Ok(findings)
}

/// Files that no page links to.
fn unused(root: &Path, used: &BTreeSet<PathBuf>, files: Vec<PathBuf>, words: &str) -> Vec<String> {
    let unused = files.into_iter().filter(|file| !used.contains(file));
    unused.map(|file| format!("{words} {}", file.strip_prefix(root).unwrap_or(&file).display())).collect()
}

/// The path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            _ => plain.push(part),
        }
    }
    plain
}

/// Relative targets of a page's links and pictures, including HTML's `<img>`, each with its fragment.
fn targets(text: &str) -> Vec<(&str, Option<&str>)> {
    let markdown = text.split("](").skip(1).filter_map(|part| part.split_once(')'));
    let html = text.split("<img src=\"").skip(1).filter_map(|part| part.split_once('"'));
    let addresses = markdown.chain(html).map(|(address, _)| address);
    addresses
        .filter(|address| {
            !address.is_empty() && !address.contains("://") && !address.starts_with('/') && !address.contains(' ')
        })
        .map(|address| match address.split_once('#') {
            Some((path, anchor)) => (path, Some(anchor)),
            None => (address, None),
        })
        .collect()
}

/// Paths in backticks that begin with a top-level folder, without a trailing `:line` or `:symbol`. Patterns such as
/// `docs/*.md` are omitted.
fn named_paths(text: &str) -> Vec<&str> {
    let spans = text.split('`').enumerate().filter(|(at, _)| at % 2 == 1).map(|(_, span)| span);
    let paths = spans.map(|span| span.split([':', '#']).next().unwrap_or(span));
    paths
        .filter(|path| path.split_once('/').is_some_and(|(top, _)| TOP_FOLDERS.contains(&top)))
        .filter(|path| {
            !path.starts_with(MADE) && !path.contains(['*', '<', '{', ' ', '…', '$', '(']) && !path.contains("NAME")
        })
        .collect()
}

/// The text without code blocks.
fn prose(text: &str) -> String {
    let mut is_code = false;
    let lines = text.lines().filter(|line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    });
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// Fragments of a page's headings, as GitHub makes them; a repeated heading gets a number.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut anchors = BTreeSet::new();
    for line in prose(text).lines() {
        let heading = line.trim_start_matches('#');
        if heading.len() == line.len() || !heading.starts_with(' ') {
            continue;
        }
        let slug = slug(heading);
        let count = counts.entry(slug.clone()).or_default();
        anchors.insert(if *count == 0 { slug } else { format!("{slug}-{count}") });
        *count += 1;
    }
    anchors
}

fn slug(heading: &str) -> String {
    let letters = heading.trim().chars().flat_map(char::to_lowercase);
    let kept = letters.filter(|letter| letter.is_alphanumeric() || [' ', '-', '_'].contains(letter));
    kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_links_and_paths_are_rejected() -> Result<()> {
        let root = tempfile::tempdir()?;
        let write = |name: &str, text: &str| fs::write(root.path().join(name), text);
        write(
            "there.md",
            "# A `part` of it, no. 2\n## Twice\n## Twice\n```\n# code\n[b](gone.md)\n```\n[web](https://example.org) [top](#twice)",
        )?;
        write("page.md", "![a](there.md) [b](there.md#a-part-of-it-no-2) [c](./there.md#twice-1) `crates/*.rs` `a/b`")?;
        assert_eq!(findings(root.path())?, Vec::<String>::new(), "negative control");
        for wrong in [
            "[b](gone.md)",
            "[b](there.md#gone)",
            "[b](#gone)",
            "[b](there.md#code)",
            "<img src=\"gone.png\">",
            "`crates/gone.rs`",
            "`spec/gone.md#here`",
        ] {
            write("page.md", wrong)?;
            assert_eq!(findings(root.path())?.len(), 1, "{wrong}");
        }
        Ok(())
    }

    #[test]
    fn an_unused_picture_and_an_unlinked_page_are_rejected() -> Result<()> {
        let root = tempfile::tempdir()?;
        fs::create_dir_all(root.path().join("docs/pictures"))?;
        let picture = root.path().join("docs/pictures/lobby.jpg");
        fs::write(&picture, "")?;
        assert_eq!(findings(root.path())?.len(), 1);
        fs::create_dir(root.path().join("docs/guide"))?;
        fs::write(root.path().join("docs/guide/page.md"), "![The lobby](../pictures/lobby.jpg)")?;
        assert_eq!(findings(root.path())?.len(), 1, "nothing leads to that page");
        fs::write(root.path().join("README.md"), "[Guide](docs/guide/page.md)")?;
        assert_eq!(findings(root.path())?, Vec::<String>::new(), "negative control");
        Ok(())
    }
}
