//! Measures durable updates: the rate of acknowledgements at QoS 1, and acknowledged updates lost to `kill -9`. Figures
//! `persist_acks_per_s` and `persist_lost`.

pub(crate) mod authors;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use self::authors::{AUTHORS, AuthorCrew, WINDOW};
use crate::environment::ExperimentContext;
use crate::http;
use crate::limits;
use crate::load::person::{PersonIdentifiers, SCENE};
use crate::report::{Figure, Report};
use crate::servers::{IssuedTokenScope, RealmFolder, RunningServer, start_in};

/// The figures of the report.
pub(crate) const FIGURES: &[&str] = &["persist_acks_per_s", "persist_lost"];

/// Options of the persistence experiment.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Options {
    /// Persistent objects, updated in turn
    #[arg(long, default_value_t = 1_200)]
    objects: usize,
    /// Seconds of the run that counts acknowledgements
    #[arg(long, default_value_t = 20)]
    run_s: u64,
    /// Number of kills, each at a random moment
    #[arg(long, default_value_t = 100)]
    kills: usize,
    /// Folder on the disk under test
    #[arg(long, value_name = "DIR", default_value = ".")]
    disk: PathBuf,
    /// Seed of the random moments
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub(crate) fn run(options: &Options, setting: &ExperimentContext) -> Result<Report> {
    let parameters = json!({
        "objects": options.objects, "run_s": options.run_s, "kills": options.kills, "authors": AUTHORS,
        "window": WINDOW, "seed": options.seed, "fsyncs_per_s": fsyncs_per_s(&options.disk)?.round(),
    });
    let mut report = Report::new("persist", parameters);
    let stoa = setting.stoa()?;
    let folder = RealmFolder::below(&options.disk)?;
    let mut server = start_in(&stoa, &folder)?;
    let mut crew = AuthorCrew::enter(&server, &folder, options.objects)?;
    crew.work(limits::WARM_UP)?;
    let (before, began) = (crew.acknowledged, Instant::now());
    crew.work(Duration::from_secs(options.run_s))?;
    let per_s = (crew.acknowledged - before) as f64 / began.elapsed().as_secs_f64();
    eprintln!("{per_s:.0} acknowledged a second");
    report.figure("persist_acks_per_s", Figure::new(per_s, "1/s").held_to(">=", 5_000.0, "value"));
    let mut rng = fastrand::Rng::with_seed(options.seed);
    let mut lost = 0;
    for kill in 0..options.kills {
        // From a first batch to many.
        crew.work(Duration::from_millis(rng.u64(20..1_500)))?;
        server.kill();
        let promised = crew.promises();
        server = start_in(&stoa, &folder)?;
        let missing = missing(&server, &folder, &promised)?;
        eprintln!("kill {}: {} promised, {missing} lost", kill + 1, promised.len());
        lost += missing;
        let count = crew.counter;
        crew = AuthorCrew::enter(&server, &folder, options.objects)?;
        crew.counter = count;
    }
    report.figure("persist_lost", Figure::new(lost as f64, "updates").held_to("<=", 0.0, "value"));
    Ok(report.finish())
}

/// The disk's own rate: small synchronised writes in sequence.
fn fsyncs_per_s(disk: &Path) -> Result<f64> {
    let mut file: File = tempfile::tempfile_in(disk).with_context(|| format!("writing in {}", disk.display()))?;
    let began = Instant::now();
    let mut count = 0;
    while began.elapsed() < Duration::from_secs(1) {
        file.write_all(&[0; 4_096])?;
        file.sync_data()?;
        count += 1;
    }
    Ok(f64::from(count) / began.elapsed().as_secs_f64())
}

/// Number of objects that are missing, or whose stored update is older than the newest acknowledged one.
fn missing(server: &RunningServer, folder: &RealmFolder, promised: &BTreeMap<String, u64>) -> Result<usize> {
    let token = folder.token(&PersonIdentifiers::of(0), IssuedTokenScope::Scene)?;
    let body = http::get(server.http()?, &format!("/api/v1/scenes/{SCENE}/snapshot"), Some(&token))?;
    let snapshot: Value = serde_json::from_slice(&body)?;
    let stored = counts(&snapshot);
    ensure!(promised.is_empty() || !stored.is_empty(), "the snapshot holds no object of ours");
    Ok(promised.iter().filter(|(id, count)| stored.get(*id).is_none_or(|stored| stored < *count)).count())
}

/// The counter of each object, anywhere in the snapshot.
fn counts(value: &Value) -> BTreeMap<String, u64> {
    match value {
        Value::Array(items) => items.iter().flat_map(counts).collect(),
        Value::Object(keys) => match (keys.get("object_id").and_then(Value::as_str), keys.get("data")) {
            (Some(id), Some(data)) => data["count"].as_u64().map(|count| (id.to_owned(), count)).into_iter().collect(),
            _ => keys.values().flat_map(counts).collect(),
        },
        _ => BTreeMap::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn object_counts_are_read_from_a_snapshot() {
        let snapshot = json!({ "revision": 7, "messages": [{ "topic": "t", "payload": {
            "object_id": "kept-3", "action": "create", "data": { "object_type": "box", "count": 41 } } }] });
        assert_eq!(counts(&snapshot), BTreeMap::from([("kept-3".to_owned(), 41)]));
    }
}
