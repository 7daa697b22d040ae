//! Collects an experiment's report, which is printed as one JSON object or as text.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};

use crate::environment::BinaryFingerprints;
use crate::machine::StolenCpuTimeReading;
use crate::statistics::{median, rounded};

/// The results of one experiment.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    experiment: &'static str,
    /// Start of the run.
    date: String,
    /// Commit of the lab's sources. The measured server may be built from another.
    commit: &'static str,
    /// The arguments that select the measurement.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    command: Vec<String>,
    /// The lab's and the server's binary at the start of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    binaries: Option<BinaryFingerprints>,
    /// Versions of the measured servers.
    versions: BTreeMap<String, String>,
    /// Servers that could not be measured, with the reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<Value>,
    parameters: Value,
    machine: Value,
    series: Vec<Value>,
    /// Tables in the layout of a paper, with our values added.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tables: Vec<Table>,
    figures: BTreeMap<String, Figure>,
    /// Figures of the experiment that this run did not measure.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_measured: Vec<String>,
    #[serde(skip)]
    began: Option<StolenCpuTimeReading>,
}

/// A table as text: a title, column heads, and rows of as many cells.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Table {
    pub(crate) title: String,
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<Vec<Value>>,
}

/// A value that scripts read by its name.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Figure {
    /// `None` if the measurement gave no finite number, which counts as worse than any. `null` in JSON.
    pub(crate) value: Option<f64>,
    pub(crate) unit: &'static str,
    /// The reason why there is no value, or why a value within its bar still misses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
    /// Range of the runs whose median is the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) least: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) most: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reference: Option<ReferenceSystemMeasurement>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ratio: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) paper: Option<PublishedFigure>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bar: Option<FigureThreshold>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) holds: Option<bool>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) generator_bound: bool,
}

/// A reference system in the same run.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ReferenceSystemMeasurement {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) value: f64,
    /// Whether the generator was at its limit in a failed step of the reference. The reference may then carry more, and
    /// the true ratio may be smaller.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) generator_bound: bool,
}

/// A paper's value for the same quantity.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct PublishedFigure {
    /// The paper and its table or figure.
    pub(crate) source: String,
    pub(crate) value: f64,
}

/// The requirement on a figure.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct FigureThreshold {
    pub(crate) op: &'static str,
    pub(crate) value: f64,
    pub(crate) of: &'static str,
}

impl Figure {
    pub(crate) fn new(value: f64, unit: &'static str) -> Figure {
        if value.is_finite() { Figure::of(Some(value), unit) } else { Figure::none("it came to no number", unit) }
    }

    /// A figure without a value. With a bar it counts as missed.
    pub(crate) fn none(reason: impl Into<String>, unit: &'static str) -> Figure {
        Figure { reason: Some(reason.into()), ..Figure::of(None, unit) }
    }

    fn of(value: Option<f64>, unit: &'static str) -> Figure {
        Figure {
            value,
            unit,
            reason: None,
            least: None,
            most: None,
            reference: None,
            ratio: None,
            paper: None,
            bar: None,
            holds: None,
            generator_bound: false,
        }
    }

    /// The median of several runs, with their range.
    pub(crate) fn of_runs(values: &[f64], unit: &'static str) -> Figure {
        let (least, most) = (values.iter().copied().reduce(f64::min), values.iter().copied().reduce(f64::max));
        Figure { least, most, ..Figure::new(median(values), unit) }
    }

    /// Whether a generator at its limit makes the value too large instead of too small, as with latencies and
    /// costs.
    fn is_less_better(&self) -> bool {
        matches!(self.unit, "ms" | "times") || self.bar.as_ref().is_some_and(|bar| bar.op.starts_with('<'))
    }

    /// Adds a paper's value for readers. It comes from another machine and other limits, so no ratio is computed.
    pub(crate) fn published(mut self, source: impl Into<String>, value: f64) -> Figure {
        self.paper = Some(PublishedFigure { source: source.into(), value });
        self
    }

    pub(crate) fn beside(mut self, reference: ReferenceSystemMeasurement) -> Figure {
        self.ratio = self.value.filter(|_| reference.value > 0.0).map(|value| value / reference.value);
        self.reference = Some(reference);
        self
    }

    /// Sets the bar. `op` is `<`, `<=` or `>=`; `of` selects the value or the ratio.
    pub(crate) fn held_to(mut self, op: &'static str, value: f64, of: &'static str) -> Figure {
        let measured = if of == "ratio" { self.ratio } else { self.value };
        let holds = measured.map(|measured| match op {
            "<" => measured < value,
            "<=" => measured <= value,
            _ => measured >= value,
        });
        self.holds = if self.value.is_none() { Some(false) } else { holds };
        self.bar = Some(FigureThreshold { op, value, of });
        let is_bound = self.reference.as_ref().is_some_and(|reference| reference.generator_bound);
        let is_open = of == "ratio" && op == ">=" && is_bound;
        self.holds_unless(is_open.then_some("the reference may carry more: its generator was at its limit"))
    }

    /// Marks the figure as missed if something else went wrong.
    pub(crate) fn holds_unless(mut self, fault: Option<&str>) -> Figure {
        if let Some(fault) = fault {
            self.holds = self.holds.map(|_| false);
            self.reason.get_or_insert_with(|| fault.to_owned());
        }
        self
    }

    /// One line of the text report.
    fn line(&self, name: &str) -> String {
        let mut line = match self.value {
            Some(value) => format!("  {name}: {value:.2} {}", self.unit),
            None => format!("  {name}: none"),
        };
        if let (Some(least), Some(most)) = (self.least, self.most) {
            let word = |value: f64| if value.is_finite() { format!("{value:.2}") } else { "none".to_owned() };
            line += &format!(" ({} to {})", word(least), word(most));
        }
        if let Some(reference) = &self.reference {
            let bound = if reference.generator_bound { " or more" } else { "" };
            line += &format!(" ({} {}: {:.2}{bound})", reference.name, reference.version, reference.value);
        }
        if let (Some(ratio), Some(reference)) = (self.ratio, &self.reference) {
            let bound = if reference.generator_bound { "at most " } else { "" };
            line += &format!(", ratio {bound}{ratio:.2}");
            if reference.generator_bound && self.generator_bound {
                line += " of what was found";
            }
        }
        if let Some(paper) = &self.paper {
            line += &format!(", {}: {}", paper.source, paper.value);
        }
        if let (Some(bar), Some(holds)) = (&self.bar, self.holds) {
            line += &format!(", {} {} {} {}", bar.of, bar.op, bar.value, if holds { "holds" } else { "MISSED" });
        }
        if let Some(reason) = &self.reason {
            line += &format!(": {reason}");
        }
        if self.generator_bound {
            let bound = if self.is_less_better() { "an upper" } else { "a lower" };
            line += &format!(", {bound} bound: the generator was at its limit");
        }
        line
    }
}

impl Report {
    pub(crate) fn new(experiment: &'static str, parameters: Value) -> Report {
        let now = i64::try_from(stoa_server::clock::unix_now().0).unwrap_or(0);
        Report {
            experiment,
            date: jiff::Timestamp::from_second(now).unwrap_or_default().to_string(),
            commit: env!("STOA_COMMIT"),
            command: Vec::new(),
            binaries: None,
            versions: BTreeMap::new(),
            left_out: Vec::new(),
            parameters,
            machine: crate::machine::describe(),
            series: Vec::new(),
            tables: Vec::new(),
            figures: BTreeMap::new(),
            not_measured: Vec::new(),
            began: Some(StolenCpuTimeReading::now()),
        }
    }

    /// Adds a series of measured points; `points` is an array, or an object with several arrays and values.
    pub(crate) fn series(&mut self, name: &str, points: Value) {
        self.series.push(json!({ "name": name, "points": points }));
    }

    /// Records the version that a server reports.
    pub(crate) fn version(&mut self, name: &str, version: &str) {
        self.versions.insert(name.to_owned(), version.to_owned());
    }

    /// The recorded version of a server, or an empty string.
    pub(crate) fn version_of(&self, name: &str) -> String {
        self.versions.get(name).cloned().unwrap_or_default()
    }

    /// Records servers that were not measured, with the reason.
    pub(crate) fn left_out(&mut self, servers: Vec<Value>) {
        self.left_out.extend(servers);
    }

    /// Adds a table.
    pub(crate) fn table(&mut self, table: Table) {
        assert!(table.rows.iter().all(|row| row.len() == table.columns.len()), "{}", table.title);
        self.tables.push(table);
    }

    pub(crate) fn figure(&mut self, name: &str, figure: Figure) {
        self.figures.insert(name.to_owned(), figure);
    }

    /// Records the announced figures that are missing. A missing figure cannot miss its bar, so the report names it.
    pub(crate) fn promised(mut self, names: impl IntoIterator<Item = String>) -> Report {
        self.not_measured = names.into_iter().filter(|name| !self.figures.contains_key(name)).collect();
        self
    }

    /// Records the command line.
    pub(crate) fn asked_by(mut self, command: Vec<String>) -> Report {
        self.command = command;
        self
    }

    /// Records the binaries, and the version that the server's binary prints.
    pub(crate) fn measured_with(mut self, binaries: &BinaryFingerprints) -> Report {
        if let Some(stoa) = &binaries.stoa {
            self.version("stoa", &stoa.version);
        }
        self.binaries = Some(binaries.clone());
        self
    }

    /// Completes the report with the share of time that the hypervisor took during the run.
    pub(crate) fn finish(mut self) -> Report {
        if let Some(began) = self.began.take() {
            self.machine["steal_percent"] = json!(rounded(began.stolen_percent()));
        }
        self
    }

    /// The report as text.
    pub(crate) fn text(&self) -> String {
        let Report { experiment, commit, date, machine, .. } = self;
        let stoa = self.versions.get("stoa").map_or("none", String::as_str);
        let mut lines = vec![format!("{experiment} by the lab of {commit} with stoa {stoa} at {date} on {machine}")];
        lines.extend(self.left_out.iter().map(|server| format!("  left out: {server}")));
        lines.extend(self.figures.iter().map(|(name, figure)| figure.line(name)));
        if !self.not_measured.is_empty() {
            lines.push(format!("  not measured: {}", self.not_measured.join(", ")));
        }
        for table in &self.tables {
            lines.push(format!("\n{}\n{}", table.title, table.columns.join("\t")));
            let word = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            lines.extend(table.rows.iter().map(|row| row.iter().map(word).collect::<Vec<_>>().join("\t")));
        }
        lines.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_applies_to_the_value_or_to_the_ratio() {
        let mosquitto = ReferenceSystemMeasurement {
            name: "mosquitto".into(),
            version: "2.0.11".into(),
            value: 100.0,
            generator_bound: false,
        };
        let figure = Figure::new(450.0, "users").beside(mosquitto);
        assert_eq!(figure.clone().held_to(">=", 4.0, "ratio").holds, Some(true));
        assert_eq!(figure.clone().held_to(">=", 5.0, "ratio").holds, Some(false));
        assert_eq!(figure.clone().held_to("<", 400.0, "value").holds, Some(false));
        assert_eq!(Figure::new(1.0, "users").held_to(">=", 4.0, "ratio").holds, None, "no reference, no ratio");
        let bound =
            figure.reference.clone().map(|reference| ReferenceSystemMeasurement { generator_bound: true, ..reference });
        let figure = Figure { reference: bound, ..figure };
        assert_eq!(figure.clone().held_to(">=", 4.0, "ratio").holds, Some(false), "it is at most what is told");
        assert_eq!(figure.held_to(">=", 4.0, "value").holds, Some(true));
    }

    #[test]
    fn a_figure_without_a_finite_value_misses_its_bar() {
        for value in [f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
            for op in ["<", ">="] {
                let figure = Figure::new(value, "ms").held_to(op, 1_000.0, "value");
                let told = serde_json::to_value(&figure).expect("a figure is JSON");
                assert_eq!((&told["value"], &told["holds"]), (&Value::Null, &json!(false)), "{value}");
                let line = figure.line("slow_receiver_recovery_ms");
                assert!(line.contains("none") && line.ends_with("MISSED: it came to no number"), "{line}");
            }
        }
        let mosquitto = ReferenceSystemMeasurement {
            name: "mosquitto".into(),
            version: "2.0.11".into(),
            value: 100.0,
            generator_bound: false,
        };
        let none = Figure::none("nobody came in", "users").beside(mosquitto).held_to(">=", 4.0, "ratio");
        assert_eq!((none.ratio, none.holds), (None, Some(false)));
        let line = Figure::of_runs(&[1.0, 2.0, f64::INFINITY], "ms").line("delay");
        assert!(line.contains("2.00 ms (1.00 to none)"), "{line}");
    }

    #[test]
    #[should_panic(expected = "Users and servers")]
    fn a_table_row_with_a_missing_cell_panics() {
        let (title, columns) = ("Users and servers".to_owned(), vec!["server".to_owned(), "users".to_owned()]);
        Report::new("fanout", json!({})).table(Table { title, columns, rows: vec![vec![json!("stoa")]] });
    }

    #[test]
    fn a_fault_makes_a_value_within_its_bar_miss() {
        let figure = Figure::new(500.0, "KiB").held_to("<", 1_024.0, "value");
        assert_eq!(figure.clone().holds_unless(None).holds, Some(true), "negative control");
        let faulty = figure.holds_unless(Some("a connection was ended"));
        assert_eq!(faulty.holds, Some(false));
        assert!(faulty.line("slow_receiver_kib").ends_with("MISSED: a connection was ended"));
        assert_eq!(Figure::new(1.0, "ms").holds_unless(Some("a fault")).holds, None, "no bar, nothing to miss");
    }

    #[test]
    fn a_reference_at_the_generator_limit_makes_the_ratio_an_upper_bound() {
        let told = |theirs: bool, ours: bool| {
            let (name, version) = ("floor".to_owned(), "0.1.0".to_owned());
            let reference = ReferenceSystemMeasurement { name, version, value: 1_050.0, generator_bound: theirs };
            let mut figure = Figure::new(600.0, "users").beside(reference);
            figure.generator_bound = ours;
            figure.line("fanout_users_beside_floor")
        };
        assert!(
            told(true, false).ends_with("(floor 0.1.0: 1050.00 or more), ratio at most 0.57"),
            "{}",
            told(true, false)
        );
        assert!(
            told(true, true).contains("ratio at most 0.57 of what was found, a lower bound"),
            "{}",
            told(true, true)
        );
        assert!(told(false, false).ends_with("(floor 0.1.0: 1050.00), ratio 0.57"), "{}", told(false, false));
    }

    #[test]
    fn the_report_contains_the_version_of_the_measured_server() {
        let folder = tempfile::tempdir().expect("a folder");
        let none = BinaryFingerprints::of(Some(&folder.path().join("stoa")));
        let told = serde_json::to_value(Report::new("forest-trees", json!({})).measured_with(&none)).expect("JSON");
        assert_eq!(told["versions"]["stoa"], Value::Null, "the lab's own version is not the server's");
        let mut stoa = none.lab.clone().expect("this one");
        stoa.version = "9.8.7".to_owned();
        let told = Report::new("idle", json!({})).measured_with(&BinaryFingerprints { stoa: Some(stoa), ..none });
        assert!(told.text().contains("with stoa 9.8.7"), "{}", told.text());
        let told = serde_json::to_value(told).expect("JSON");
        assert_eq!(told["versions"]["stoa"], "9.8.7");
        assert!(told["binaries"]["lab"]["bytes"].as_u64() > Some(0), "{told}");
    }

    #[test]
    fn promised_figures_without_a_value_are_listed_as_not_measured() {
        let mut report = Report::new("fanout", json!({}));
        report.figure("fanout_users", Figure::new(600.0, "users"));
        let report = report.promised(["fanout_users", "fanout_users_wss"].map(str::to_owned));
        let told = serde_json::to_value(&report).expect("a report is JSON");
        assert_eq!(told["not_measured"], json!(["fanout_users_wss"]));
        assert!(report.text().contains("not measured: fanout_users_wss"), "{}", report.text());
        let whole = report.promised(["fanout_users".to_owned()]);
        assert!(!whole.text().contains("not measured"), "negative control: {}", whole.text());
    }

    #[test]
    fn absent_fields_of_a_figure_are_omitted_from_its_json() {
        let json = serde_json::to_value(Figure::new(1.0, "KiB")).expect("a figure is JSON");
        assert_eq!(json, serde_json::json!({ "value": 1.0, "unit": "KiB" }));
    }
}
