//! The Rust, TypeScript and Python runs of `spec/vectors/` agree: each runs every case without a written reason to
//! skip it, and each runs at least one.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

use super::tidy::files_below;
use super::tools;
use crate::lanes::{FinishedJob, Kind, Lanes};
use crate::rust_tests;
use crate::toolbox::Toolbox;

/// Cases run and skipped, by vector file.
type Counts = BTreeMap<String, (u64, u64)>;

const LANGUAGES: [&str; 3] = ["rust", "typescript", "python"];

/// `printed` is the output of this run's vector tests, by language; `None` runs them first.
pub(super) fn findings(toolbox: &Toolbox, printed: Option<Vec<(&'static str, String)>>) -> Result<Vec<String>> {
    let written = written(&toolbox.root.join("spec/vectors"))?;
    let mut findings = Vec::new();
    let printed = match printed {
        Some(printed) => printed,
        None => run(toolbox, &mut findings)?,
    };
    for language in LANGUAGES {
        let outputs = printed.iter().filter(|(of, _)| *of == language).map(|(_, output)| counts(output));
        findings.extend(disagreements(language, &written, &outputs.flatten().collect()));
    }
    Ok(findings)
}

/// Runs only the vector tests.
fn run(toolbox: &Toolbox, findings: &mut Vec<String>) -> Result<Vec<(&'static str, String)>> {
    toolbox.require_setup()?;
    let lanes = Lanes::default();
    lanes.push([
        tools::job(toolbox, "web", &["npx", "vitest", "run", "vectors"], Kind::Vectors("typescript")),
        tools::job(
            toolbox,
            "python",
            &["python", "-m", "pytest", "-q", "-s", "-k", "vectors"],
            Kind::Vectors("python"),
        ),
    ]);
    let (built, finished) = lanes.run(|lanes| {
        let (outcome, built) = rust_tests::build(toolbox, &rust_tests::VECTOR_TESTS)?;
        lanes.push(built.binaries.into_iter().map(rust_tests::TestBinary::job));
        anyhow::Ok(outcome.succeeded)
    });
    if !built? {
        findings.push("rust: the tests of vectors do not build".to_owned());
    }
    let mut printed = Vec::new();
    for FinishedJob { step, vectors } in finished {
        findings.extend(step.failed);
        printed.extend(vectors);
    }
    Ok(printed)
}

/// Content of a vector file: the number of its cases, and how many each language may skip.
struct VectorFile {
    cases: u64,
    skips: BTreeMap<String, u64>,
    /// Languages that may skip the whole file.
    strangers: Vec<String>,
}

fn written(folder: &Path) -> Result<BTreeMap<String, VectorFile>> {
    let mut all: BTreeMap<String, VectorFile> = BTreeMap::new();
    for path in files_below(folder, &["json"])? {
        let text = fs::read_to_string(&path)?;
        let json: Value = serde_json::from_str(&text).with_context(|| format!("{} is not JSON", path.display()))?;
        let below = path.strip_prefix(folder).context("lies below")?;
        // All of objects/ counts as one file.
        let name = below.components().next().context("has a name")?.as_os_str().to_string_lossy().into_owned();
        let cases = json.get("cases").unwrap_or(&json).as_array().with_context(|| format!("{name} has no cases"))?;
        let entry = all.entry(name).or_insert(VectorFile { cases: 0, skips: BTreeMap::new(), strangers: Vec::new() });
        entry.cases += u64::try_from(cases.len())?;
        for (language, reasons) in json.get("skips").and_then(Value::as_object).into_iter().flatten() {
            if reasons.get("all").is_some() {
                entry.strangers.push(language.clone());
                continue;
            }
            let named = reasons.as_object().into_iter().flatten().filter(|(case, _)| case.as_str() != "*").count();
            *entry.skips.entry(language.clone()).or_default() += u64::try_from(named)?;
        }
    }
    Ok(all)
}

/// Parses lines such as `vectors envelopes.json: 65 run, 0 skipped`.
fn counts(output: &str) -> Counts {
    let mut counts = Counts::new();
    for line in output.lines() {
        let Some((_, rest)) = line.split_once("vectors ") else { continue };
        let words: Vec<&str> = rest.split_whitespace().collect();
        let [name, run, "run,", skipped, "skipped", ..] = words.as_slice() else { continue };
        if let (Ok(run), Ok(skipped)) = (run.parse::<u64>(), skipped.parse::<u64>()) {
            counts.insert(name.trim_end_matches(':').to_owned(), (run, skipped));
        }
    }
    counts
}

fn disagreements(language: &str, written: &BTreeMap<String, VectorFile>, counts: &Counts) -> Vec<String> {
    let mut findings = Vec::new();
    if written.is_empty() || counts.is_empty() {
        findings.push(format!("{language}: no vectors found"));
    }
    for (name, file) in written {
        if file.strangers.iter().any(|stranger| stranger == language) {
            continue;
        }
        let (run, skipped) = counts.get(name).copied().unwrap_or_default();
        let may_skip = file.skips.get(language).copied().unwrap_or_default();
        if run + skipped != file.cases || skipped != may_skip {
            let expected = file.cases - may_skip;
            findings.push(format!(
                "{language}: {name}: {run} run, {skipped} skipped; {expected} and {may_skip} are written"
            ));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one_file() -> BTreeMap<String, VectorFile> {
        let skips = BTreeMap::from([("python".to_owned(), 1)]);
        BTreeMap::from([(
            "envelopes.json".to_owned(),
            VectorFile { cases: 3, skips, strangers: vec!["typescript".to_owned()] },
        )])
    }

    #[test]
    fn a_vector_that_is_skipped_without_a_written_reason_is_rejected() {
        let ran = |line: &str| counts(line);
        assert!(
            disagreements("rust", &one_file(), &ran("vectors envelopes.json: 3 run, 0 skipped")).is_empty(),
            "negative control"
        );
        assert!(
            disagreements("python", &one_file(), &ran("vectors envelopes.json: 2 run, 1 skipped")).is_empty(),
            "negative control"
        );
        assert_eq!(disagreements("rust", &one_file(), &ran("vectors envelopes.json: 2 run, 1 skipped")).len(), 1);
        assert_eq!(disagreements("rust", &one_file(), &ran("vectors envelopes.json: 2 run, 0 skipped")).len(), 1);
    }

    #[test]
    fn only_a_language_listed_as_exempt_may_skip_a_whole_vector_file() {
        let other = counts("vectors grants.json: 1 run, 0 skipped");
        assert!(disagreements("typescript", &one_file(), &other).is_empty());
        assert_eq!(disagreements("rust", &one_file(), &other).len(), 1);
    }

    #[test]
    fn a_run_that_finds_no_vectors_is_rejected() {
        assert!(!disagreements("rust", &one_file(), &counts("test result: ok. 0 passed")).is_empty());
        assert!(!disagreements("rust", &BTreeMap::new(), &Counts::new()).is_empty());
    }
}
