//! What every experiment is given: the binary under test, where its plots go, and what it had measured before it was cut off.

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use anyhow::{Context, Result};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

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
    /// What isn't finite is null in JSON, and refused where a number is expected: it would be lost to whoever goes on with it.
    pub(crate) fn step<T: Serialize + DeserializeOwned>(
        &self,
        key: impl Serialize,
        measure: impl FnOnce() -> Result<T>,
    ) -> Result<T> {
        let key = serde_json::to_value(key)?;
        let known = self.journal.borrow().find(&key);
        let is_new = known.is_none();
        let outcome = match known {
            Some(outcome) => outcome,
            None => serde_json::to_value(measure()?)?,
        };
        eprintln!("  {key}: {outcome}");
        let read = T::deserialize(&outcome)
            .with_context(|| format!("{key} cannot be read again; no number at: {}", nulls(&outcome).join(", ")))?;
        if is_new {
            self.journal.borrow_mut().note(&key, &outcome)?;
        }
        Ok(read)
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

/// Where in a value nothing stands.
fn nulls(value: &Value) -> Vec<String> {
    let below = |name: String, value: &Value| nulls(value).into_iter().map(move |rest| format!("/{name}{rest}"));
    match value {
        Value::Null => vec![String::new()],
        Value::Array(items) => items.iter().enumerate().flat_map(|(at, item)| below(at.to_string(), item)).collect(),
        Value::Object(keys) => keys.iter().flat_map(|(key, item)| below(key.clone(), item)).collect(),
        _ => Vec::new(),
    }
}

fn beside_this() -> Result<PathBuf> {
    let path = std::env::current_exe()?.with_file_name("stoa");
    path.canonicalize().with_context(|| format!("{} is not there", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize, Deserialize)]
    struct Found {
        people: usize,
        delays_ms: Vec<f64>,
    }

    #[test]
    fn what_is_not_finite_is_refused_and_not_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let open = || Journal::open(&folder.path().join("journal"), &Value::Null).expect("a journal");
        let setting = Setting::new(None, None, open());
        let step = |delay_ms: f64| setting.step("a step", || Ok(Found { people: 2, delays_ms: vec![1.0, delay_ms] }));
        for delay_ms in [f64::INFINITY, f64::NAN] {
            let error = step(delay_ms).err().map(|error| format!("{error:#}")).unwrap_or_default();
            assert!(error.contains("a step") && error.contains("/delays_ms/1"), "{error}");
        }
        assert_eq!(open().find(&"a step".into()), None, "whoever goes on tries it again");
        let found = step(3.0).expect("negative control");
        assert_eq!((found.people, found.delays_ms), (2, vec![1.0, 3.0]));
        assert!(open().find(&"a step".into()).is_some(), "negative control");
    }
}
