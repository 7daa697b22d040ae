//! Compares two server binaries: processor time for each message, update and pose, and of an idle realm. Figures
//! `compare_…`: ratios of the newer binary to the older.

mod interval;
mod loads;
mod meter;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use self::interval::CostRatio;
use self::loads::ComparisonLoad;
use self::meter::MeasuredRun;
use crate::choice;
use crate::environment::{BinaryFingerprint, ExperimentContext};
use crate::limits;
use crate::report::{Figure, Report, Table};
use crate::search::if_carried;
use crate::servers::Testbed;
use crate::statistics::{mean, rounded, rounded_to};

/// The figures of the report.
pub(crate) const FIGURES: &[&str] =
    &["compare_{fanout,persist,motion,webtransport,idle}", "compare_{fanout,persist,motion,webtransport,idle}_upper"];

/// The bar on the upper end of the 95 % interval: a newer server uses at most 5 % more processor time.
const UPPER_MAX: f64 = 1.05;

/// Options of the comparison.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Options {
    /// The older server binary
    #[arg(long, value_name = "BINARY")]
    before: PathBuf,
    /// The newer server binary [default: that of --stoa]
    #[arg(long, value_name = "BINARY")]
    pub(crate) after: Option<PathBuf>,
    /// Measure only these loads
    #[arg(long, value_delimiter = ',')]
    only: Vec<ComparisonLoad>,
    /// Pairs of runs for each load
    #[arg(long, default_value_t = 25, value_parser = clap::value_parser!(u32).range(1..))]
    pairs: u32,
    /// Seconds that count in each run
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u64).range(2..))]
    run_s: u64,
    /// Seed of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// One run of each binary, one directly after the other.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct BeforeAndAfterRuns {
    before: MeasuredRun,
    after: MeasuredRun,
}

impl BeforeAndAfterRuns {
    fn runs(&self) -> [&MeasuredRun; 2] {
        [&self.before, &self.after]
    }
}

pub(crate) fn run(options: &Options, setting: &ExperimentContext) -> Result<Report> {
    let binaries = [options.before.clone(), setting.stoa()?];
    let [before, after] = [BinaryFingerprint::of(&binaries[0])?, BinaryFingerprint::of(&binaries[1])?];
    let loads: Vec<ComparisonLoad> = loads::ALL.into_iter().filter(|load| choice::has(&options.only, load)).collect();
    let described: Vec<Value> = loads.iter().map(|load| load.describe()).collect();
    let mut report = Report::new(
        "compare",
        json!({
            "before": before, "after": after, "pairs": options.pairs, "run_s": options.run_s, "seed": options.seed,
            "loads": described, "interval": interval::METHOD,
        }),
    );
    let mut found: Vec<Vec<BeforeAndAfterRuns>> = loads.iter().map(|_| Vec::new()).collect();
    // A pair runs all loads, so a drift over minutes affects all loads alike.
    for number in 0..options.pairs {
        for (load, pairs) in loads.iter().zip(&mut found) {
            let key = json!({ "load": load, "pair": number, "before": before, "after": after });
            pairs.push(setting.step(key, || pair(options, (*load, number), &binaries))?);
        }
    }
    let mut rows = Vec::new();
    for (load, pairs) in loads.iter().zip(&found) {
        rows.push(tell(&mut report, *load, pairs));
    }
    let columns = [
        "load",
        "ns for each",
        "before",
        "after",
        "ratio",
        "95 % from",
        "to",
        "server, %",
        "generator, %",
        "stolen, %",
    ];
    let title = "Processor time before and after".to_owned();
    report.table(Table { title, columns: columns.map(str::to_owned).to_vec(), rows });
    Ok(report.finish())
}

/// Runs both binaries, in an order that alternates from pair to pair.
fn pair(
    options: &Options,
    (load, number): (ComparisonLoad, u32),
    binaries: &[PathBuf; 2],
) -> Result<BeforeAndAfterRuns> {
    let run = |binary: &Path| {
        let carried = if_carried(Testbed::new(binary.to_owned()).and_then(|testbed| load.run(&testbed, options)));
        let run = carried.and_then(|carried| carried.map_err(|why| anyhow!(why)));
        run.with_context(|| format!("{}, {} in pair {}", binary.display(), load.name(), number + 1))
    };
    let [before, after] = binaries;
    if number.is_multiple_of(2) {
        let before = run(before)?;
        Ok(BeforeAndAfterRuns { before, after: run(after)? })
    } else {
        let after = run(after)?;
        Ok(BeforeAndAfterRuns { before: run(before)?, after })
    }
}

/// Adds a load's figures and pairs to the report. Returns its row of the table.
fn tell(report: &mut Report, load: ComparisonLoad, pairs: &[BeforeAndAfterRuns]) -> Vec<Value> {
    let costs =
        |of: fn(&BeforeAndAfterRuns) -> &MeasuredRun| pairs.iter().map(|pair| of(pair).cost_ns).collect::<Vec<_>>();
    let [before, after] = [costs(|pair| &pair.before), costs(|pair| &pair.after)];
    let CostRatio { middle, lower, upper } = CostRatio::of(&before, &after);
    let runs: Vec<&MeasuredRun> = pairs.iter().flat_map(BeforeAndAfterRuns::runs).collect();
    let is_bound = runs.iter().any(|run| run.is_generator_bound());
    let missing = mean(&pairs.iter().map(|pair| pair.after.missing).collect::<Vec<_>>());
    let fault = (missing > limits::UNDELIVERED_MAX).then(|| format!("{:.1} % did not arrive", 100.0 * missing));
    let name = format!("compare_{}", load.name());
    let mut ratio = Figure::new(middle, "times");
    let mut bound = match upper.is_finite() {
        true => Figure::new(upper, "times"),
        false => Figure::none("one pair has no interval", "times"),
    };
    (ratio.generator_bound, bound.generator_bound) = (is_bound, is_bound);
    bound = bound.held_to("<=", UPPER_MAX, "value").holds_unless(fault.as_deref());
    report.series(&name, json!({ "ratio": middle, "interval_95": [lower, upper], "pairs": pairs }));
    report.figure(&format!("{name}_upper"), bound);
    report.figure(&name, ratio);
    let average =
        |of: fn(&MeasuredRun) -> f64| json!(rounded(100.0 * mean(&runs.iter().map(|run| of(run)).collect::<Vec<_>>())));
    let [before, after] = [before, after].map(|costs| json!(rounded(mean(&costs))));
    let bounds = [middle, lower, upper].map(|bound| json!(rounded_to(4, bound)));
    let shares = [average(|run| run.server_load), average(|run| run.generator_load), average(|run| run.stolen)];
    [json!(load.name()), json!(load.unit()), before, after].into_iter().chain(bounds).chain(shares).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::Journal;

    /// A program that prints a version and cannot serve.
    const PROGRAM: &str = env!("CARGO");

    fn figures(pairs: &[BeforeAndAfterRuns]) -> Value {
        let mut report = Report::new("compare", json!({}));
        tell(&mut report, ComparisonLoad::Fanout, pairs);
        serde_json::to_value(report).expect("a report is JSON")["figures"].clone()
    }

    /// Pairs whose newer binary has these costs, and whose older one costs 100 ns.
    fn pairs(costs_ns: &[f64]) -> Vec<BeforeAndAfterRuns> {
        let run = |cost_ns: f64| MeasuredRun::of_cost(cost_ns);
        costs_ns.iter().map(|cost_ns| BeforeAndAfterRuns { before: run(100.0), after: run(*cost_ns) }).collect()
    }

    #[test]
    fn the_bar_applies_to_the_upper_end_of_the_interval() {
        let narrow = figures(&pairs(&[103.0, 103.2, 102.8, 103.1, 102.9]));
        let [ratio, upper] = ["compare_fanout", "compare_fanout_upper"].map(|name| narrow[name].clone());
        assert!((ratio["value"].as_f64().expect("a ratio") - 1.03).abs() < 1e-3 && ratio["bar"].is_null(), "{ratio}");
        assert!(upper["value"].as_f64() > ratio["value"].as_f64() && upper["holds"] == true, "{upper}");
        let wide = figures(&pairs(&[103.0, 120.0, 90.0, 110.0, 92.0]));
        assert_eq!(
            (&wide["compare_fanout_upper"]["holds"], &wide["compare_fanout_upper"]["bar"]["value"]),
            (&json!(false), &json!(1.05))
        );
    }

    #[test]
    fn one_pair_misses_the_bar() {
        let upper = &figures(&pairs(&[90.0]))["compare_fanout_upper"];
        assert_eq!((&upper["value"], &upper["holds"]), (&Value::Null, &json!(false)), "{upper}");
    }

    #[test]
    fn a_run_with_lost_messages_misses_the_bar() {
        let mut lossy = pairs(&[80.0; 4]);
        assert_eq!(figures(&lossy)["compare_fanout_upper"]["holds"], true, "negative control");
        lossy[2].after.missing = 0.2;
        let upper = &figures(&lossy)["compare_fanout_upper"];
        assert!(upper["holds"] == false && upper["reason"].as_str() == Some("5.0 % did not arrive"), "{upper}");
    }

    #[test]
    fn a_generator_at_its_limit_is_reported() {
        let mut bound = pairs(&[100.0; 3]);
        assert!(figures(&bound)["compare_fanout"]["generator_bound"].is_null(), "negative control");
        bound[1].before.generator_load = 0.9;
        let figures = figures(&bound);
        assert!(["compare_fanout", "compare_fanout_upper"].iter().all(|name| figures[name]["generator_bound"] == true));
    }

    #[test]
    fn the_error_names_the_binary_that_does_not_run() {
        let error = |before: &str, after: &str| {
            let setting = ExperimentContext::new(Some(after.into()), None, Journal::default());
            let (before, only) = (before.into(), vec![ComparisonLoad::Idle]);
            let options = Options { before, after: None, only, pairs: 1, run_s: 2, seed: 1 };
            format!("{:#}", run(&options, &setting).expect_err("it cannot serve"))
        };
        assert!(error("/nowhere/before", PROGRAM).contains("/nowhere/before is not there"));
        assert!(error(PROGRAM, "/nowhere/after").contains("/nowhere/after is not there"));
        let found = error(PROGRAM, PROGRAM);
        assert!(found.contains(PROGRAM) && found.contains("idle in pair 1"), "{found}");
    }
}
