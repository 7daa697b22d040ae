//! Selects the packages that a set of changed files affects.

use std::collections::BTreeSet;
use std::fmt;

use cargo_metadata::{Metadata, Package};

/// The packages of `web/`; each may use those before it.
pub(super) const WEB: [&str; 4] = ["client", "voice", "aframe", "app"];

/// Packages to test, by language.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Selection {
    pub(super) rust: BTreeSet<String>,
    pub(super) web: BTreeSet<&'static str>,
    pub(super) python: bool,
}

/// Packages that a changed file affects.
#[derive(Clone, Copy)]
enum AffectedPackages {
    /// The tests of these packages, without their dependents.
    Tests { rust: &'static [&'static str], web: &'static [&'static str], python: bool },
    /// A web package and its dependents, which follow it in [`WEB`].
    Web(usize),
    /// All Rust packages.
    AllRust,
}

const NONE: AffectedPackages = AffectedPackages::Tests { rust: &[], web: &[], python: false };
const PYTHON: AffectedPackages = AffectedPackages::Tests { rust: &[], web: &[], python: true };

/// By path prefix; the first matching row applies. Folders of Rust packages are read from their manifests.
const TABLE: [(&str, AffectedPackages); 25] = [
    (
        "spec/",
        AffectedPackages::Tests {
            rust: &["stoa-wire", "stoa-state", "stoa-sim", "stoa-xtask"],
            web: &["client", "aframe"],
            python: true,
        },
    ),
    ("experiments/", AffectedPackages::Tests { rust: &["stoa-lab"], web: &[], python: false }),
    ("docs/components/", AffectedPackages::Tests { rust: &[], web: &["aframe"], python: true }),
    ("docs/guide/", AffectedPackages::Tests { rust: &[], web: &["app"], python: true }),
    // A test of the server compares this page with the flags.
    ("docs/operator.md", AffectedPackages::Tests { rust: &["stoa-server"], web: &[], python: true }),
    ("docs/", PYTHON),
    ("README.md", PYTHON),
    ("examples/", PYTHON),
    ("python/", PYTHON),
    ("interop/", PYTHON),
    ("web/app/e2e/", NONE),
    ("web/app/test-browser/", NONE),
    ("web/aframe/test-browser/", NONE),
    ("web/voice/test-browser/", NONE),
    // The server's own pages include this file.
    ("web/app/src/styles/theme.css", AffectedPackages::Tests { rust: &["stoa-server"], web: &["app"], python: false }),
    ("web/client/", AffectedPackages::Web(0)),
    ("web/voice/", AffectedPackages::Web(1)),
    ("web/aframe/", AffectedPackages::Web(2)),
    ("web/app/", AffectedPackages::Web(3)),
    ("web/", AffectedPackages::Web(0)),
    ("Cargo.", AffectedPackages::AllRust),
    (".cargo/", AffectedPackages::AllRust),
    ("clippy.toml", NONE),
    ("deploy/rustc.sh", AffectedPackages::AllRust),
    ("", NONE),
];

impl Selection {
    /// `files` are paths relative to the repository's root.
    pub(super) fn of<'a>(files: impl Iterator<Item = &'a str>, packages: &Metadata) -> Selection {
        let mut selection = Selection::default();
        let mut changed = BTreeSet::new();
        for file in files {
            match owner(file, packages) {
                Some(package) => drop(changed.insert(package.name.to_string())),
                None => selection.add(file, packages),
            }
        }
        selection.rust.extend(with_dependents(changed, packages));
        selection
    }

    fn add(&mut self, file: &str, packages: &Metadata) {
        let row = TABLE.iter().find(|(prefix, _)| file.starts_with(prefix));
        match row.map_or(NONE, |(_, concerns)| *concerns) {
            AffectedPackages::Tests { rust, web, python } => {
                self.rust.extend(rust.iter().map(|name| (*name).to_owned()));
                self.web.extend(web);
                self.python |= python;
            }
            AffectedPackages::Web(first) => self.web.extend(WEB.iter().skip(first)),
            AffectedPackages::AllRust => {
                self.rust.extend(packages.packages.iter().map(|package| package.name.to_string()))
            }
        }
    }
}

/// The Rust package that contains a file.
fn owner<'a>(file: &str, packages: &'a Metadata) -> Option<&'a Package> {
    packages.packages.iter().find(|package| {
        let folder = package.manifest_path.parent();
        let below = folder.and_then(|folder| folder.strip_prefix(&packages.workspace_root).ok());
        below.is_some_and(|below| std::path::Path::new(file).starts_with(below))
    })
}

fn with_dependents(mut names: BTreeSet<String>, packages: &Metadata) -> BTreeSet<String> {
    loop {
        let depends = |package: &&Package| package.dependencies.iter().any(|on| names.contains(on.name.as_str()));
        let more: Vec<String> =
            packages.packages.iter().filter(depends).map(|package| package.name.to_string()).collect();
        let before = names.len();
        names.extend(more);
        if names.len() == before {
            return names;
        }
    }
}

impl fmt::Display for Selection {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut names: Vec<String> = self.rust.iter().cloned().collect();
        names.extend(self.web.iter().map(|name| format!("@stoa/{name}")));
        names.extend(self.python.then(|| "python".to_owned()));
        if names.is_empty() { write!(to, "no package's tests") } else { write!(to, "{}", names.join(", ")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selected(files: &[&str]) -> anyhow::Result<String> {
        let mut metadata = cargo_metadata::MetadataCommand::new();
        let packages = metadata.current_dir(env!("CARGO_MANIFEST_DIR")).no_deps().exec()?;
        Ok(Selection::of(files.iter().copied(), &packages).to_string())
    }

    #[test]
    fn a_changed_package_also_selects_its_dependents() -> anyhow::Result<()> {
        assert_eq!(selected(&["crates/xtask/src/main.rs"])?, "stoa-xtask");
        assert_eq!(selected(&["crates/net/src/lib.rs"])?, "stoa-fuzz, stoa-lab, stoa-net, stoa-server");
        let wire = "stoa-fuzz, stoa-lab, stoa-net, stoa-server, stoa-sim, stoa-state, stoa-wire";
        assert_eq!(selected(&["crates/wire/tests/vectors.rs"])?, wire);
        assert_eq!(selected(&["web/aframe/src/index.ts"])?, "@stoa/aframe, @stoa/app");
        assert_eq!(selected(&["web/client/src/index.ts"])?, "@stoa/aframe, @stoa/app, @stoa/client, @stoa/voice");
        Ok(())
    }

    #[test]
    fn a_changed_vector_selects_three_languages_and_an_end_to_end_test_none() -> anyhow::Result<()> {
        let vector = selected(&["spec/vectors/grants.json"])?;
        assert_eq!(vector, "stoa-sim, stoa-state, stoa-wire, stoa-xtask, @stoa/aframe, @stoa/client, python");
        assert_eq!(selected(&["web/app/e2e/story.test.ts", "Makefile"])?, "no package's tests");
        assert_eq!(selected(&["docs/operator.md"])?, "stoa-server, python");
        assert!(selected(&["Cargo.lock"])?.starts_with("stoa-fuzz, stoa-lab, stoa-net, stoa-server, stoa-sim"));
        Ok(())
    }
}
