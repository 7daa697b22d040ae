//! Finds the programs, folders and variables that checks and tests need, with or without `make`.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use cargo_metadata::{Metadata, MetadataCommand};

use crate::command::{CommandLine, OutputTiming};

/// Tools of a checkout, and options of its test runs.
pub(crate) struct Toolbox {
    pub(crate) root: PathBuf,
    /// Whether tests print their durations.
    pub(crate) with_timings: bool,
    /// The folder that `deploy/venv.sh` prints. It contains the virtual environments `python` and `arena`.
    environments: PathBuf,
    path: OsString,
    wants_no_color: bool,
}

/// Variables that request colours and override `NO_COLOR` in one of the runners.
const COLOR_VARIABLES: [&str; 3] = ["FORCE_COLOR", "CLICOLOR_FORCE", "PY_COLORS"];

impl Toolbox {
    /// Errors: `deploy/venv.sh` fails.
    pub(crate) fn find(root: PathBuf, with_timings: bool) -> Result<Toolbox> {
        let printed = CommandLine::new(&root, [root.join("deploy/venv.sh")]).output()?;
        let environments = PathBuf::from(printed.trim());
        let own = env::var_os("PATH").unwrap_or_default();
        let folders = [environments.join("python/bin")].into_iter().chain(env::split_paths(&own));
        let path = env::join_paths(folders).context("a folder of PATH can't be part of it")?;
        let wants_no_color = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Ok(Toolbox { root, with_timings, environments, path, wants_no_color })
    }

    /// A command of this checkout, in a folder below its root.
    pub(crate) fn line(&self, folder: &str, words: &[&str]) -> CommandLine {
        let arena = env::var_os("ARENA_PYTHON").unwrap_or_else(|| self.environments.join("arena/bin/python").into());
        let line = CommandLine::new(self.root.join(folder), words.iter().copied())
            .env("PATH", &self.path)
            .env("PYTHONPATH", self.root.join("python"))
            .env("ARENA_PYTHON", arena);
        if !self.wants_no_color {
            return line;
        }
        let line = line.env("CARGO_TERM_COLOR", "never");
        let line = COLOR_VARIABLES.iter().fold(line, |line, name| line.env_remove(*name));
        // Biome does not know NO_COLOR.
        if words.contains(&"biome") { line.arg("--colors=off") } else { line }
    }

    /// A command that runs tests of Vitest, pytest or node, with durations if requested.
    pub(crate) fn test_line(&self, folder: &str, words: &[&str]) -> CommandLine {
        let line = self.line(folder, words);
        if !self.with_timings {
            line
        } else if words.contains(&"vitest") {
            line.arg("--reporter=verbose")
        } else if words.contains(&"pytest") {
            line.arg("--durations=100")
        } else {
            line
        }
    }

    /// The packages of the workspace, without their dependencies.
    pub(crate) fn packages(&self) -> Result<Metadata> {
        let mut metadata = MetadataCommand::new();
        metadata.manifest_path(self.root.join("Cargo.toml")).no_deps();
        metadata.exec().context("cargo metadata failed")
    }

    /// Errors: a part of the setup is missing; the message names it and the command that installs it.
    pub(crate) fn require_setup(&self) -> Result<()> {
        let missing = missing(&self.root, &self.environments);
        if missing.is_empty() {
            return Ok(());
        }
        bail!("the setup is incomplete: {}; `make setup-test web` makes it", missing.join(", "))
    }
}

fn missing(root: &Path, environments: &Path) -> Vec<String> {
    let wanted = [
        ("Python's tools", environments.join("python/bin/python")),
        ("arena-py", environments.join("arena/bin/python")),
        ("the web's packages", root.join("web/node_modules/.bin/vitest")),
        ("the built pages", root.join("web/app/dist/index.html")),
    ];
    let missing = wanted.into_iter().filter(|(_, path)| !path.exists());
    missing.map(|(name, path)| format!("{name} ({}) are missing", path.display())).collect()
}

impl CommandLine {
    /// The output of a short program. Errors: it can't be started, or it fails.
    pub(crate) fn output(&self) -> Result<String> {
        let outcome = self.run(OutputTiming::Never)?;
        if !outcome.succeeded {
            bail!("failed in {}: {}", self.folder().display(), self.shown());
        }
        Ok(outcome.output)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_tools_are_named_with_their_paths() -> Result<()> {
        let folder = tempfile::tempdir()?;
        assert_eq!(missing(folder.path(), folder.path()).len(), 4);
        for path in ["python/bin", "arena/bin", "web/node_modules/.bin", "web/app/dist"] {
            std::fs::create_dir_all(folder.path().join(path))?;
        }
        for path in ["python/bin/python", "arena/bin/python", "web/node_modules/.bin/vitest"] {
            std::fs::write(folder.path().join(path), "")?;
        }
        let found = missing(folder.path(), folder.path());
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("web/app/dist/index.html"), "{found:?}");
        Ok(())
    }
}
