//! What every experiment is given: the binary under test, where its plots go, and what it had measured before it was cut off.

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use anyhow::{Context, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::journal::Journal;
use crate::plot::Plot;

/// See the module.
pub(crate) struct Setting {
    stoa: Option<PathBuf>,
    plots: Option<PathBuf>,
    journal: RefCell<Journal>,
}

impl Setting {
    /// `stoa`: beside this binary where it isn't given. Without `plots` nothing is drawn.
    pub(crate) fn new(stoa: Option<PathBuf>, plots: Option<PathBuf>, journal: Journal) -> Setting {
        Setting { stoa, plots, journal: RefCell::new(journal) }
    }

    /// The release binary under test.
    pub(crate) fn stoa(&self) -> Result<PathBuf> {
        match &self.stoa {
            Some(path) => Ok(path.clone()),
            None => beside_this().context("give the binary under test by --stoa"),
        }
    }

    /// Measures one step, or has it from the journal of a run that was cut off. `key` names the step with all that it depends on, beside the command line. Both are told to standard error.
    pub(crate) fn step<T: Serialize + DeserializeOwned>(
        &self,
        key: impl Serialize,
        measure: impl FnOnce() -> Result<T>,
    ) -> Result<T> {
        let key = serde_json::to_value(key)?;
        let known = self.journal.borrow().find(&key);
        let outcome = match known {
            Some(value) => value,
            None => {
                let measured = serde_json::to_value(measure()?)?;
                self.journal.borrow_mut().note(&key, &measured)?;
                measured
            }
        };
        eprintln!("  {key}: {outcome}");
        serde_json::from_value(outcome).with_context(|| format!("the journal's {key}"))
    }

    /// Draws a plot where plots go.
    pub(crate) fn draw(&self, file: &str, plot: &Plot) -> Result<()> {
        self.draw_svg(file, || plot.svg())
    }

    /// The same of any other picture.
    pub(crate) fn draw_svg(&self, file: &str, svg: impl FnOnce() -> String) -> Result<()> {
        let Some(folder) = &self.plots else { return Ok(()) };
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        fs::write(folder.join(file), svg()).with_context(|| file.to_owned())
    }
}

/// Which binary is under test: its length, and the second in which it was made.
pub(crate) fn state_of(stoa: Option<&Path>) -> Option<(u64, u64)> {
    let found = fs::metadata(stoa.map(Path::to_owned).or_else(|| beside_this().ok())?).ok()?;
    let made = found.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some((found.len(), made.as_secs()))
}

fn beside_this() -> Result<PathBuf> {
    let path = std::env::current_exe()?.with_file_name("stoa");
    path.canonicalize().with_context(|| format!("{} is not there", path.display()))
}
