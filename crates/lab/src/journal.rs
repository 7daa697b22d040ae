//! Keeps the journal of a long experiment, a line of JSON for each completed step, so that an interrupted run
//! continues.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{Seek, Write};
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::{Value, json};

/// Outcomes of steps by their keys. A journal without a file stores nothing.
#[derive(Debug, Default)]
pub(crate) struct Journal {
    file: Option<File>,
    known: BTreeMap<String, Value>,
}

impl Journal {
    /// Opens the journal of a run. It starts empty if `run` (the state of the sources, both binaries and the
    /// command line) differs from the run in the file.
    pub(crate) fn open(path: &Path, run: &Value) -> Result<Journal> {
        let shown = || path.display().to_string();
        let mut file = OpenOptions::new().create(true).read(true).append(true).open(path).with_context(shown)?;
        let text = fs::read_to_string(path).with_context(shown)?;
        // A line that an interruption left incomplete has no line end.
        let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
        let mut lines = whole.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let mut known = BTreeMap::new();
        if lines.next().as_ref() == Some(run) {
            known.extend(lines.map(|mut line| (line["key"].to_string(), line["outcome"].take())));
            file.set_len(whole.len() as u64)?;
        } else {
            if !whole.is_empty() {
                eprintln!("{}: of another command or other binaries: begun anew", shown());
            }
            file.set_len(0)?;
            file.rewind()?;
            writeln!(file, "{run}")?;
        }
        Ok(Journal { file: Some(file), known })
    }

    /// The outcome of a completed step.
    pub(crate) fn find(&self, key: &Value) -> Option<Value> {
        self.known.get(&key.to_string()).cloned()
    }

    /// Appends a step's outcome.
    pub(crate) fn note(&mut self, key: &Value, outcome: &Value) -> Result<()> {
        if let Some(file) = &mut self.file {
            writeln!(file, "{}", json!({ "key": key, "outcome": outcome })).context("the journal")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interrupted_run_continues_with_its_completed_steps() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("journal");
        let run = json!({ "commit": "a" });
        let mut journal = Journal::open(&path, &run).expect("a new journal");
        journal.note(&json!({ "people": 2 }), &json!(1.5)).expect("room on the disk");
        let mut cut = OpenOptions::new().append(true).open(&path).expect("it is there");
        cut.write_all(b"{\"key\":{\"people\":4},\"out").expect("room on the disk");
        let mut journal = Journal::open(&path, &run).expect("the same journal");
        assert_eq!(journal.find(&json!({ "people": 2 })), Some(json!(1.5)));
        assert_eq!(journal.find(&json!({ "people": 4 })), None, "half a line says nothing");
        journal.note(&json!({ "people": 4 }), &json!(2.5)).expect("room on the disk");
        let journal = Journal::open(&path, &run).expect("the same journal");
        assert_eq!(journal.find(&json!({ "people": 4 })), Some(json!(2.5)));
    }

    #[test]
    fn a_different_run_starts_with_an_empty_journal() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("journal");
        let mut journal = Journal::open(&path, &json!({ "commit": "a" })).expect("a new journal");
        journal.note(&json!(1), &json!(1)).expect("room on the disk");
        for run in [json!({ "commit": "b" }), json!({ "commit": "a" })] {
            assert_eq!(Journal::open(&path, &run).expect("a journal").find(&json!(1)), None, "{run}");
        }
    }
}
