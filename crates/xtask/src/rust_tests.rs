//! Builds all Rust tests at once and runs the binaries in parallel. Each gets its package's folder and variables,
//! as from cargo.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use cargo_metadata::{Message, Metadata, Package, TargetKind};

use crate::command::{CommandLine, Outcome, OutputTiming};
use crate::lanes::{Job, Kind};
use crate::toolbox::Toolbox;

/// Test binaries that print the counts of vectors.
pub(crate) const VECTOR_TESTS: [&str; 2] = ["vectors", "object_vectors"];
/// Packages whose long tests start first, so that no long test runs alone at the end.
const LONG_FIRST: [&str; 2] = ["stoa-sim", "stoa-server"];

/// A test binary.
pub(crate) struct TestBinary {
    pub(crate) package: String,
    /// `lib`, `tests/realm`, `bin stoa`.
    target: String,
    prints_vectors: bool,
    line: CommandLine,
}

/// Output of `cargo test --no-run`.
#[derive(Default)]
pub(crate) struct TestBuild {
    pub(crate) binaries: Vec<TestBinary>,
    /// The `stoa` binary, with the same features.
    pub(crate) server: Option<PathBuf>,
}

/// Builds the tests of the whole workspace, so that all callers share one set of features per crate. `targets`
/// names test targets; empty means all.
pub(crate) fn build(toolbox: &Toolbox, targets: &[&str]) -> Result<(Outcome, TestBuild)> {
    let mut line =
        toolbox.line(".", &["cargo", "test", "--workspace", "--no-run", "--message-format", "json-render-diagnostics"]);
    for target in targets {
        line = line.arg("--test").arg(*target);
    }
    println!("+ {}", line.shown());
    let outcome = line.run(OutputTiming::Never)?;
    let mut built = TestBuild::default();
    if outcome.succeeded {
        let packages = toolbox.packages()?;
        built = read(toolbox, &packages, &outcome.output)?;
    }
    Ok((outcome, built))
}

fn read(toolbox: &Toolbox, packages: &Metadata, output: &str) -> Result<TestBuild> {
    let mut built = TestBuild::default();
    for message in Message::parse_stream(output.as_bytes()) {
        let Message::CompilerArtifact(artifact) = message? else { continue };
        let Some(executable) = &artifact.executable else { continue };
        if !artifact.profile.test {
            if artifact.target.name == "stoa" {
                built.server = Some(executable.clone().into());
            }
            continue;
        }
        let package = packages.packages.iter().find(|package| package.id == artifact.package_id);
        let package = package.with_context(|| format!("{} is not in the workspace", artifact.package_id))?;
        let prints_vectors = VECTOR_TESTS.contains(&artifact.target.name.as_str());
        let target = match artifact.target.kind.first() {
            Some(TargetKind::Test) => format!("tests/{}", artifact.target.name),
            Some(TargetKind::Bin) => format!("bin {}", artifact.target.name),
            _ => "lib".to_owned(),
        };
        built.binaries.push(TestBinary {
            package: package.name.to_string(),
            target,
            prints_vectors,
            line: line(toolbox, package, executable.as_std_path(), prints_vectors)?,
        });
    }
    built
        .binaries
        .sort_by_key(|binary| LONG_FIRST.iter().position(|name| *name == binary.package).unwrap_or(LONG_FIRST.len()));
    Ok(built)
}

fn line(toolbox: &Toolbox, package: &Package, executable: &Path, prints_vectors: bool) -> Result<CommandLine> {
    let folder = package.manifest_path.parent().context("a manifest stands in a folder")?;
    let executable = executable.to_str().context("the path of the target folder is not UTF-8")?;
    let mut line = toolbox.line(folder.as_str(), &[executable]);
    for (name, value) in variables(package) {
        line = line.env(name, value);
    }
    if prints_vectors {
        line = line.arg("--nocapture");
    }
    if toolbox.with_timings {
        // libtest's durations are unstable; the variable allows them in a stable compiler.
        line = line.env("RUSTC_BOOTSTRAP", "1").arg("-Zunstable-options").arg("--report-time");
    }
    Ok(line)
}

/// Variables that cargo sets for a test. This program has its own values, which the tests would inherit otherwise.
fn variables(package: &Package) -> Vec<(&'static str, String)> {
    let version = &package.version;
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let path = |path: &Option<cargo_metadata::camino::Utf8PathBuf>| {
        path.as_ref().map_or_else(String::new, ToString::to_string)
    };
    let folder = package.manifest_path.parent().map_or_else(String::new, ToString::to_string);
    vec![
        ("CARGO_MANIFEST_DIR", folder),
        ("CARGO_MANIFEST_PATH", package.manifest_path.to_string()),
        ("CARGO_PKG_NAME", package.name.to_string()),
        ("CARGO_PKG_VERSION", version.to_string()),
        ("CARGO_PKG_VERSION_MAJOR", version.major.to_string()),
        ("CARGO_PKG_VERSION_MINOR", version.minor.to_string()),
        ("CARGO_PKG_VERSION_PATCH", version.patch.to_string()),
        ("CARGO_PKG_VERSION_PRE", version.pre.to_string()),
        ("CARGO_PKG_AUTHORS", package.authors.join(":")),
        ("CARGO_PKG_DESCRIPTION", text(&package.description)),
        ("CARGO_PKG_HOMEPAGE", text(&package.homepage)),
        ("CARGO_PKG_REPOSITORY", text(&package.repository)),
        ("CARGO_PKG_LICENSE", text(&package.license)),
        ("CARGO_PKG_LICENSE_FILE", path(&package.license_file)),
        ("CARGO_PKG_RUST_VERSION", package.rust_version.as_ref().map_or_else(String::new, ToString::to_string)),
        ("CARGO_PKG_README", path(&package.readme)),
    ]
}

impl TestBinary {
    pub(crate) fn job(self) -> Job {
        let kind = if self.prints_vectors { Kind::Vectors("rust") } else { Kind::Tests };
        Job { name: format!("{} ({})", self.package, self.target), line: self.line, kind }
    }
}

/// The documentation examples of all libraries.
pub(crate) fn documentation(toolbox: &Toolbox) -> Job {
    let line = toolbox.line(".", &["cargo", "test", "--workspace", "--doc", "--no-fail-fast"]);
    Job { name: "documentation tests".to_owned(), line, kind: Kind::Tests }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_gets_the_folder_and_the_variables_of_its_own_package() -> Result<()> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).context("crates/xtask")?;
        let toolbox = Toolbox::find(root.to_path_buf(), false)?;
        let packages = toolbox.packages()?;
        let package =
            packages.packages.iter().find(|package| package.name.as_str() == "stoa-wire").context("exists")?;
        let script = Path::new("sh");
        let outcome = line(&toolbox, package, script, false)?
            .arg("-c")
            .arg("pwd; echo $CARGO_MANIFEST_DIR; echo $CARGO_PKG_NAME")
            .run(OutputTiming::Never)?;
        let folder = root.join("crates/wire").display().to_string();
        assert_eq!(outcome.output.lines().collect::<Vec<_>>(), [folder.as_str(), folder.as_str(), "stoa-wire"]);
        Ok(())
    }
}
