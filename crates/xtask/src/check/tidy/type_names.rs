//! STYLE.md, *Names*: at most two product files of a package define a type name, and everyday words are no role.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::Result;

use super::names::{declared_types, words_of};
use super::{files_below, is_generated};
use crate::house::{Figure, Report};

const FILES_PER_NAME_MAX: usize = 2;
/// The options of a class or function; the module says of which.
const REPEATED: [&str; 1] = ["Options"];
const EVERYDAY: [&str; 20] = [
    "pass", "room", "place", "way", "stay", "seat", "stand", "standing", "shelf", "desk", "teller", "told", "wish",
    "asked", "held", "seen", "known", "beside", "doings", "look",
];
/// Product code of each package. A name counts once per file.
const PACKAGES: [&str; 13] = [
    "crates/wire/src",
    "crates/state/src",
    "crates/net/src",
    "crates/server/src",
    "crates/sim/src",
    "crates/lab/src",
    "crates/xtask/src",
    "fuzz/src",
    "web/client/src",
    "web/voice/src",
    "web/aframe/src",
    "web/app/src",
    "python/stoa",
];
/// The load generator and the simulator. Their names don't count in the share of one-word names.
const WITHOUT_SHARE: [&str; 2] = ["crates/lab/src", "crates/sim/src"];

#[derive(Default)]
struct Measure {
    repeated: Vec<String>,
    everyday: Vec<String>,
    one_word: usize,
    counted: usize,
}

pub(crate) fn report(root: &Path) -> Result<Report> {
    let mut measure = Measure::default();
    for path in files_below(root, &["rs", "ts", "mjs", "py"])? {
        let text = fs::read_to_string(&path)?;
        if !is_generated(&text) {
            measure.names(path.strip_prefix(root).unwrap_or(&path), &text);
        }
    }
    for package in PACKAGES.iter().filter(|package| root.join(package).is_dir()) {
        let mut files: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for path in files_below(&root.join(package), &["rs", "ts", "py"])? {
            let text = fs::read_to_string(&path)?;
            let shown = path.strip_prefix(root).unwrap_or(&path).to_path_buf();
            if is_generated(&text) || is_test(&shown) {
                continue;
            }
            for name in declared_types(&shown, product_part(&text)) {
                // Module names are lower case; only types count.
                if name.starts_with(char::is_uppercase) {
                    files.entry(name).or_default().insert(shown.display().to_string());
                }
            }
        }
        measure.package(package, &files);
    }
    Ok(measure.report())
}

impl Measure {
    fn names(&mut self, path: &Path, text: &str) {
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let element = stem.strip_prefix("stoa-").map(words_of);
        // A custom element's or component's file has its public name, and so do its class and its settings.
        let is_elements = |name: &str| {
            element.as_ref().is_some_and(|element| {
                let words = words_of(name);
                words.strip_prefix(&["stoa".to_owned()][..]).unwrap_or(&words).starts_with(element)
            })
        };
        let declared = declared_types(path, text).into_iter().filter(|name| !is_elements(name));
        if let Some(word) = everyday_word(stem).filter(|_| element.is_none()) {
            self.everyday.push(format!("{}: the file's name contains {word:?}, which is no role", path.display()));
        }
        for name in declared {
            if let Some(word) = everyday_word(&name) {
                self.everyday.push(format!("{}: the name {name} contains {word:?}, which is no role", path.display()));
            }
        }
    }

    fn package(&mut self, package: &str, files: &BTreeMap<String, BTreeSet<String>>) {
        for (name, paths) in files.iter().filter(|(name, _)| !REPEATED.contains(&name.as_str())) {
            if paths.len() > FILES_PER_NAME_MAX {
                let list = paths.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
                self.repeated.push(format!(
                    "{name} is defined in {} files, the limit is {FILES_PER_NAME_MAX}: {list}",
                    paths.len()
                ));
            }
        }
        if !WITHOUT_SHARE.contains(&package) {
            self.counted += files.len();
            self.one_word += files.keys().filter(|name| words_of(name).len() == 1).count();
        }
    }

    fn report(self) -> Report {
        let share = 100.0 * self.one_word as f64 / self.counted.max(1) as f64;
        let figures = vec![
            Figure::at_most("names_defined_in_over_two_files", self.repeated.len() as f64, 0.0),
            Figure::at_most("names_of_everyday_words", self.everyday.len() as f64, 0.0),
            Figure::unbounded("names_of_one_word_percent", share),
        ];
        let mut findings = self.repeated;
        findings.extend(self.everyday);
        Report { findings, figures }
    }
}

/// Whether a file or folder contains only tests.
pub(crate) fn is_test(path: &Path) -> bool {
    let mut names = path.components().filter_map(|part| part.as_os_str().to_str());
    names.any(|name| matches!(name, "tests" | "tests.rs" | "test" | "e2e" | "test-browser"))
}

/// The text without the tests at its end.
pub(crate) fn product_part(text: &str) -> &str {
    text.split("\n#[cfg(test)]\nmod ").next().unwrap_or(text)
}

fn everyday_word(name: &str) -> Option<String> {
    words_of(name).into_iter().find(|word| {
        let singular = word.strip_suffix('s').unwrap_or(word);
        EVERYDAY.contains(&word.as_str()) || EVERYDAY.contains(&singular) || word == "passes" || word == "wishes"
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(files: &[(&str, &str)]) -> Result<Vec<String>> {
        let root = tempfile::tempdir()?;
        for (path, text) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().expect("has a folder"))?;
            fs::write(path, text)?;
        }
        Ok(report(root.path())?.findings)
    }

    #[test]
    fn a_type_name_in_a_third_product_file_is_rejected() -> Result<()> {
        let two = [("crates/net/src/a.rs", "struct Part;\n"), ("crates/net/src/b.rs", "enum Part {\n")];
        assert_eq!(findings(&two)?, Vec::<String>::new(), "negative control");
        let other =
            [two[0], two[1], ("crates/wire/src/c.rs", "struct Part;\n"), ("crates/net/src/tests.rs", "struct Part;\n")];
        assert_eq!(findings(&other)?, Vec::<String>::new(), "another package and tests don't count");
        assert_eq!(findings(&[two[0], two[1], ("crates/net/src/c.rs", "type Part = u8;\n")])?.len(), 1);
        Ok(())
    }

    #[test]
    fn an_everyday_word_in_a_name_is_rejected() -> Result<()> {
        let public = [
            ("web/aframe/src/stoa-seat.ts", "export class StoaSeat {\n"),
            ("crates/net/src/a.rs", "struct SendQueue;\n"),
        ];
        assert_eq!(findings(&public)?, Vec::<String>::new(), "negative control");
        for (path, text) in [
            ("crates/net/src/a.rs", "struct ScenePlace;\n"),
            ("crates/net/src/passes.rs", ""),
            ("crates/net/src/a.rs", "mod rooms;\n"),
            ("web/app/src/edit-look.ts", ""),
            ("python/stoa/_a.py", "class Told:\n"),
        ] {
            assert_eq!(findings(&[(path, text)])?.len(), 1, "{path} {text}");
        }
        Ok(())
    }
}
