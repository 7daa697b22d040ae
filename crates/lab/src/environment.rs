//! Provides the environment of every experiment: the binary under test, the folder of plots, and the journal of an
//! interrupted run.

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use anyhow::{Context, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::journal::Journal;
use crate::plot::Plot;
use crate::servers::version_of;

/// The environment of an experiment.
pub(crate) struct ExperimentContext {
    stoa: Option<PathBuf>,
    plots: Option<PathBuf>,
    journal: RefCell<Journal>,
}

impl ExperimentContext {
    /// Without `stoa` the tested binary is `stoa` in the folder of the lab's binary. Without `plots` nothing is drawn.
    pub(crate) fn new(stoa: Option<PathBuf>, plots: Option<PathBuf>, journal: Journal) -> ExperimentContext {
        ExperimentContext { stoa, plots, journal: RefCell::new(journal) }
    }

    /// Path of the release binary under test.
    pub(crate) fn stoa(&self) -> Result<PathBuf> {
        match &self.stoa {
            Some(path) => Ok(path.clone()),
            None => beside_this().context("give the binary under test by --stoa"),
        }
    }

    /// Measures one step, or takes its outcome from the journal. `key` names the step with all its parameters
    /// beyond the command line. Key and outcome go to standard error.
    ///
    /// # Errors
    /// The measurement fails, or the outcome cannot be read back from JSON. JSON stores a number that isn't finite as
    /// null, and only some fields accept null.
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

    /// Writes a plot, if a folder is set.
    pub(crate) fn draw(&self, file: &str, plot: &Plot) -> Result<()> {
        self.draw_svg(file, || plot.svg())
    }

    /// Writes any other picture, if a folder is set.
    pub(crate) fn draw_svg(&self, file: &str, svg: impl FnOnce() -> String) -> Result<()> {
        let Some(folder) = &self.plots else { return Ok(()) };
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        fs::write(folder.join(file), svg()).with_context(|| file.to_owned())
    }
}

/// The state of a binary in a measurement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct BinaryFingerprint {
    pub(crate) version: String,
    bytes: u64,
    /// Time of modification, in seconds since 1970.
    made_s: u64,
}

impl BinaryFingerprint {
    /// The state of a server binary.
    ///
    /// # Errors
    /// The file is missing or does not start; the error names it.
    pub(crate) fn of(path: &Path) -> Result<BinaryFingerprint> {
        let (bytes, made_s) = state_of(path).with_context(|| format!("{} is not there", path.display()))?;
        Ok(BinaryFingerprint { version: version_of(&path.to_string_lossy(), "--version", 1)?, bytes, made_s })
    }
}

/// The lab's binary and the tested one. Results of a rebuilt binary are not comparable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct BinaryFingerprints {
    /// `None` if the file is missing, since not all experiments need it.
    pub(crate) stoa: Option<BinaryFingerprint>,
    pub(crate) lab: Option<BinaryFingerprint>,
}

impl BinaryFingerprints {
    /// Without `stoa` the tested binary is `stoa` in the folder of the lab's binary. Its version comes from its output.
    pub(crate) fn of(stoa: Option<&Path>) -> BinaryFingerprints {
        let binary = |path: PathBuf, version: &dyn Fn(&Path) -> String| {
            let (bytes, made_s) = state_of(&path)?;
            Some(BinaryFingerprint { version: version(&path), bytes, made_s })
        };
        let says = |path: &Path| version_of(&path.to_string_lossy(), "--version", 1).unwrap_or("unknown".to_owned());
        let stoa = stoa.map(Path::to_owned).or_else(|| beside_this().ok());
        let lab = std::env::current_exe().ok();
        BinaryFingerprints {
            stoa: stoa.and_then(|path| binary(path, &says)),
            lab: lab.and_then(|path| binary(path, &|_| env!("CARGO_PKG_VERSION").to_owned())),
        }
    }

    /// The identity of a run. A journal of another run must not be continued.
    pub(crate) fn run(&self, command: impl Serialize) -> Value {
        json!({ "commit": env!("STOA_COMMIT"), "binaries": self, "command": command })
    }
}

/// Size of a binary in bytes, and its time of modification in seconds.
fn state_of(path: &Path) -> Option<(u64, u64)> {
    let found = fs::metadata(path).ok()?;
    let made = found.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some((found.len(), made.as_secs()))
}

/// Paths of all nulls in a value.
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
    use serde::Deserialize;

    use super::*;

    /// A program that prints its version as the server does.
    const PROGRAM: &str = env!("CARGO");

    #[test]
    fn a_binary_fingerprint_contains_the_binarys_own_version() {
        let binaries = BinaryFingerprints::of(Some(Path::new(PROGRAM)));
        let stoa = binaries.stoa.expect("it is there");
        assert_eq!(stoa.version, version_of(PROGRAM, "--version", 1).expect("it starts"));
        let lab = binaries.lab.expect("this one");
        assert_eq!(lab.version, env!("CARGO_PKG_VERSION"));
        assert_ne!((stoa.version, stoa.bytes), (lab.version, lab.bytes));
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(BinaryFingerprints::of(Some(&folder.path().join("stoa"))).stoa, None, "there is none");
    }

    #[test]
    fn a_rebuilt_binary_does_not_reuse_journaled_steps() {
        let binaries = BinaryFingerprints::of(Some(Path::new(PROGRAM)));
        let takes_over = |now: &BinaryFingerprints| {
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("journal");
            let mut first = Journal::open(&path, &binaries.run(["fanout"])).expect("a new journal");
            first.note(&json!("a step"), &json!(1)).expect("room on the disk");
            let next = Journal::open(&path, &now.run(["fanout"])).expect("a journal");
            next.find(&json!("a step")).is_some()
        };
        let rebuilt = |binary: &Option<BinaryFingerprint>| {
            binary.clone().map(|one| BinaryFingerprint { made_s: one.made_s + 1, ..one })
        };
        assert!(takes_over(&binaries), "negative control: the same ones");
        assert!(
            !takes_over(&BinaryFingerprints { stoa: rebuilt(&binaries.stoa), ..binaries.clone() }),
            "another server"
        );
        assert!(!takes_over(&BinaryFingerprints { lab: rebuilt(&binaries.lab), ..binaries.clone() }), "another lab");
    }

    #[derive(Serialize, Deserialize)]
    struct RecordedStep {
        people: usize,
        delays_ms: Vec<f64>,
    }

    #[test]
    fn a_step_with_a_non_finite_number_fails_and_is_not_journaled() {
        let folder = tempfile::tempdir().expect("a folder");
        let open = || Journal::open(&folder.path().join("journal"), &Value::Null).expect("a journal");
        let setting = ExperimentContext::new(None, None, open());
        let step =
            |delay_ms: f64| setting.step("a step", || Ok(RecordedStep { people: 2, delays_ms: vec![1.0, delay_ms] }));
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
