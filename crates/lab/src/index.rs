//! Writes the results page of the experiments that `all` runs: each one's description, the paper's figures, the figures
//! of this machine, and those of the full version on a quiet machine.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use pulldown_cmark::{Options as Markdown, Parser, html};
use serde_json::Value;

use crate::experiments::{ExperimentDescription, in_all, names};

/// The folders of results.
#[derive(Clone, Debug, clap::Args)]
// `all` flattens these options into its own, and clap rejects two groups of one name.
#[group(skip)]
pub(crate) struct Options {
    /// Folder for this machine's results and the page
    #[arg(long, value_name = "DIR", default_value = "docs/lab")]
    pub(crate) out: PathBuf,
    /// Folder of the experiments' descriptions and the results of their full versions
    #[arg(long, value_name = "DIR", default_value = "experiments")]
    pub(crate) experiments: PathBuf,
}

/// Files in an experiment's folder: its result, or the error of its last run.
pub(crate) const RESULT: &str = "result.json";
pub(crate) const FAILED: &str = "failed.txt";

const HEAD: &str = include_str!("index.head.html");

/// Writes `index.html` from the available results.
pub(crate) fn write(options: &Options) -> Result<()> {
    let mut page = HEAD.to_owned();
    let mut links = String::new();
    let mut sections = String::new();
    for entry in in_all() {
        let here = LoadedExperimentResult::read(&options.out.join(entry.name))?;
        let full = LoadedExperimentResult::read(&options.experiments.join(entry.name))?;
        let _ = write!(links, "<li><a href=\"#{0}\">{0}</a> {1}</li>", entry.name, escaped(entry.about()));
        sections += &section(entry, &options.experiments, (here.as_ref(), full.as_ref()))?;
    }
    let _ = write!(page, "<nav><ul>{links}</ul></nav>\n{sections}</main></body></html>\n");
    let path = options.out.join("index.html");
    fs::write(&path, page).with_context(|| path.display().to_string())?;
    eprintln!("{}", path.display());
    Ok(())
}

/// One result with its plots.
struct LoadedExperimentResult {
    /// Null after a failed run.
    result: Value,
    plots: Vec<(String, String)>,
    failed: Option<String>,
}

impl LoadedExperimentResult {
    fn read(folder: &Path) -> Result<Option<LoadedExperimentResult>> {
        let Ok(text) = fs::read_to_string(folder.join(RESULT)) else {
            let failed = fs::read_to_string(folder.join(FAILED)).ok();
            return Ok(failed.map(|why| LoadedExperimentResult {
                result: Value::Null,
                plots: Vec::new(),
                failed: Some(why),
            }));
        };
        let result = serde_json::from_str(&text).with_context(|| folder.display().to_string())?;
        let mut plots = Vec::new();
        for file in fs::read_dir(folder)?.flatten() {
            let name = file.file_name().to_string_lossy().into_owned();
            if name.ends_with(".svg") {
                plots.push((name, fs::read_to_string(file.path())?));
            }
        }
        plots.sort();
        Ok(Some(LoadedExperimentResult { result, plots, failed: None }))
    }

    fn figure(&self, name: &str) -> &Value {
        &self.result["figures"][name]
    }

    /// Date, versions, commit and machine.
    fn origin(&self) -> String {
        let (result, machine) = (&self.result, &self.result["machine"]);
        let word = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        format!(
            "{}, stoa {}, lab of commit {}, {} cores of {}, kernel {}, {} % stolen",
            word(&result["date"]),
            result["versions"]["stoa"].as_str().unwrap_or("unknown"),
            word(&result["commit"]),
            machine["cores"],
            word(&machine["processor"]),
            word(&machine["kernel"]),
            machine["steal_percent"]
        )
    }

    /// The command line, the versions of references, and the servers left out.
    fn circumstances(&self) -> String {
        let words = |key: &str| self.result[key].as_array().into_iter().flatten();
        let mut told = Vec::new();
        let command: Vec<&str> = words("command").filter_map(Value::as_str).collect();
        if !command.is_empty() {
            told.push(format!("<code>stoa-lab {}</code>", escaped(&command.join(" "))));
        }
        let versions = self.result["versions"].as_object().into_iter().flatten();
        let beside: Vec<String> = versions
            .filter(|(name, _)| *name != "stoa")
            .map(|(name, version)| format!("{} {}", escaped(name), escaped(version.as_str().unwrap_or_default())))
            .collect();
        if !beside.is_empty() {
            told.push(format!("Beside: {}", beside.join(", ")));
        }
        for left in words("left_out") {
            let of = |key: &str| escaped(left[key].as_str().unwrap_or_default());
            told.push(format!("Left out: {} ({})", of("server"), of("why")));
        }
        if told.is_empty() { String::new() } else { format!("<p class=\"quiet\">{}.</p>", told.join(". ")) }
    }
}

/// The title and source of the paper's numbers, if `paper.json` exists.
fn from_paper(path: &Path) -> Result<String> {
    let Ok(text) = fs::read_to_string(path) else { return Ok(String::new()) };
    let paper: Value = serde_json::from_str(&text).with_context(|| path.display().to_string())?;
    let [title, from] = ["paper", "from"].map(|key| escaped(paper[key].as_str().unwrap_or_default()));
    let words: Vec<String> = [title, from].into_iter().filter(|words| !words.is_empty()).collect();
    Ok(if words.is_empty() { String::new() } else { format!("<p class=\"quiet\">Paper: {}.</p>", words.join(". ")) })
}

fn section(
    entry: &ExperimentDescription,
    experiments: &Path,
    (here, full): (Option<&LoadedExperimentResult>, Option<&LoadedExperimentResult>),
) -> Result<String> {
    let path = experiments.join(entry.name).join("README.md");
    let readme = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let mut text = String::new();
    html::push_html(&mut text, Parser::new_ext(&readme, Markdown::ENABLE_TABLES));
    // The page has its own `<h1>`.
    let text = text.replace("<h2>", "<h3>").replace("</h2>", "</h3>").replace("<h1>", "<h2>").replace("</h1>", "</h2>");
    let mut section = format!("<section id=\"{}\">{text}", entry.name);
    if full.is_none() {
        section += "<p><strong>Not yet run in full: the heading is a claim, and nothing here shows it.</strong></p>";
    }
    section += &from_paper(&experiments.join(entry.name).join("paper.json"))?;
    section += &figures(here, full);
    section += &not_measured(entry, (here, full));
    for (title, found) in [("Here", here), ("Full version", full)] {
        let Some(found) = found.filter(|found| found.failed.is_none()) else { continue };
        let is_only = here.is_none_or(|here| here.failed.is_some());
        let open = if title == "Here" || is_only { " open" } else { "" };
        let _ = write!(section, "<details{open}><summary>{title}: {}</summary>", escaped(&found.origin()));
        section += &found.circumstances();
        for table in found.result["tables"].as_array().into_iter().flatten() {
            section += &rows(table);
        }
        for (name, svg) in &found.plots {
            let _ = write!(section, "<figure aria-label=\"{}\">{svg}</figure>", escaped(name));
        }
        section += "</details>";
    }
    Ok(section + "</section>\n")
}

/// The table of figures: the paper's, those of this machine, those of the full version, and the bar.
fn figures(here: Option<&LoadedExperimentResult>, full: Option<&LoadedExperimentResult>) -> String {
    let found = || [here, full].into_iter().flatten();
    let mut names: Vec<&String> =
        found().filter_map(|found| found.result["figures"].as_object()).flat_map(|figures| figures.keys()).collect();
    names.sort();
    names.dedup();
    let mut table =
        "<table><tr><th>figure</th><th>paper</th><th>here</th><th>full version</th><th>bar</th></tr>".to_owned();
    for name in names {
        let [in_here, in_full] = [here, full].map(|found| found.map_or(&Value::Null, |found| found.figure(name)));
        let either = if in_full.is_null() { in_here } else { in_full };
        let _ = write!(
            table,
            "<tr><td><code>{}</code></td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            escaped(name),
            paper(either),
            cell(here, name),
            cell(full, name),
            bar(either)
        );
    }
    table + "</table>"
}

/// A figure in one result.
fn cell(found: Option<&LoadedExperimentResult>, name: &str) -> String {
    let Some(found) = found else { return String::new() };
    match found.figure(name) {
        Value::Null if found.failed.is_some() => "failed".to_owned(),
        Value::Null => "not measured".to_owned(),
        figure => value(figure),
    }
}

/// Announced figures that a result lacks, a line for each result, since a missing figure cannot miss its bar. The line
/// of a failed run has its error instead.
fn not_measured(
    entry: &ExperimentDescription,
    (here, full): (Option<&LoadedExperimentResult>, Option<&LoadedExperimentResult>),
) -> String {
    let mut lines = String::new();
    for (place, found) in [("here", here), ("in the full version", full)] {
        let Some(found) = found else { continue };
        if let Some(why) = &found.failed {
            let _ = write!(lines, "<p>The last run {place} <strong>failed</strong>: {}</p>", escaped(why));
            continue;
        }
        let lacking = entry.figures.iter().flat_map(|pattern| {
            let all = names(pattern);
            let lacking: Vec<String> = all.iter().filter(|name| found.figure(name).is_null()).cloned().collect();
            // If all names of a pattern are missing, the pattern is shorter.
            if lacking.len() == all.len() { vec![(*pattern).to_owned()] } else { lacking }
        });
        let lacking: Vec<String> = lacking.map(|name| format!("<code>{}</code>", escaped(&name))).collect();
        if !lacking.is_empty() {
            let _ = write!(lines, "<p class=\"quiet\">Not measured {place}: {}</p>", lacking.join(", "));
        }
    }
    lines
}

fn value(figure: &Value) -> String {
    let is_less_better = ["ms", "times"].iter().any(|unit| figure["unit"] == *unit)
        || figure["bar"]["op"].as_str().is_some_and(|op| op.starts_with('<'));
    let bound = match (figure["generator_bound"] == true, is_less_better) {
        (false, _) => "",
        (true, false) => " or more",
        (true, true) => " or less",
    };
    let missed = if figure["holds"] == false { " <strong>missed</strong>" } else { "" };
    let unit = escaped(figure["unit"].as_str().unwrap_or_default());
    // An infinite value is null in JSON and counts as the worst.
    let number = |value: &Value| value.as_f64().map_or_else(|| "none".to_owned(), rounded);
    let range = match (figure.get("least"), figure.get("most")) {
        (Some(least), Some(most)) => format!("<br><small>{} to {}</small>", number(least), number(most)),
        _ => String::new(),
    };
    let shown = match figure["value"].as_f64() {
        Some(value) => format!("{} {unit}{bound}", rounded(value)),
        None => "none".to_owned(),
    };
    let reason = figure["reason"].as_str().map_or(String::new(), |why| format!("<br><small>{}</small>", escaped(why)));
    format!("{shown}{missed}{reason}{range}{}", reference(figure))
}

fn reference(figure: &Value) -> String {
    let reference = &figure["reference"];
    let Some(value) = reference["value"].as_f64() else { return String::new() };
    let name = escaped(reference["name"].as_str().unwrap_or_default());
    // A reference at the generator's limit may carry more than was found. If Stoa may too, the ratio is of the found
    // values.
    let is_bound = reference["generator_bound"] == true;
    let [more, at_most] = if is_bound { [" or more", "at most "] } else { [""; 2] };
    let found = if is_bound && figure["generator_bound"] == true { " of what was found" } else { "" };
    let ratio = figure["ratio"].as_f64();
    let ratio = ratio.map_or(String::new(), |ratio| format!(", ratio {at_most}{}{found}", rounded(ratio)));
    format!("<br><small>{name}: {}{more}{ratio}</small>", rounded(value))
}

fn paper(figure: &Value) -> String {
    let paper = &figure["paper"];
    let Some(value) = paper["value"].as_f64() else { return String::new() };
    format!("{} ({})", rounded(value), escaped(paper["source"].as_str().unwrap_or_default()))
}

fn bar(figure: &Value) -> String {
    let bar = &figure["bar"];
    let Some(value) = bar["value"].as_f64() else { return String::new() };
    let of = if bar["of"] == "ratio" { "ratio " } else { "" };
    format!("{of}{} {}", escaped(bar["op"].as_str().unwrap_or_default()), rounded(value))
}

fn rows(table: &Value) -> String {
    let cell = |value: &Value| match value {
        Value::String(word) => escaped(word),
        Value::Null => String::new(),
        other => other.as_f64().map_or_else(|| escaped(&other.to_string()), rounded),
    };
    let line = |cells: &Value, tag: &str| {
        let cells = cells.as_array().into_iter().flatten();
        let cells: String = cells.map(|value| format!("<{tag}>{}</{tag}>", cell(value))).collect();
        format!("<tr>{cells}</tr>")
    };
    let mut text = format!("<table><caption>{}</caption>", cell(&table["title"]));
    text += &line(&table["columns"], "th");
    text.extend(table["rows"].as_array().into_iter().flatten().map(|row| line(row, "td")));
    text + "</table>"
}

/// Rounds to four significant digits, and from 1,000 on to an integer.
fn rounded(value: f64) -> String {
    if value.abs() >= 1_000.0 {
        return format!("{value:.0}");
    }
    format!("{value:.3e}").parse::<f64>().unwrap_or(value).to_string()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Writes a result with one figure.
    fn put(folder: &Path, value: f64) {
        fs::create_dir_all(folder).expect("a folder");
        let result = json!({
            "date": "2026-01-01T00:00:00Z", "commit": "abc", "machine": { "cores": 2 },
            "command": ["fanout", "--step-s=2"], "versions": { "stoa": "0.1.0", "mosquitto": "2.0.11" },
            "left_out": [{ "server": "nats-server", "why": "it is not there" }],
            "figures": { "fanout_users": { "value": value, "unit": "users", "holds": value > 500.0,
                         "paper": { "source": "000, Fig. 10", "value": 160.0 } } },
            "tables": [{ "title": "Users & servers", "columns": ["server"], "rows": [["<stoa>"]] }],
        });
        fs::write(folder.join("result.json"), result.to_string()).expect("room on the disk");
        fs::write(folder.join("delivery.svg"), "<svg id=\"drawn\"/>").expect("room on the disk");
    }

    #[test]
    fn the_page_shows_local_results_next_to_the_full_version_and_the_paper() {
        let folder = tempfile::tempdir().expect("a folder");
        let options = Options { out: folder.path().join("out"), experiments: folder.path().join("experiments") };
        for entry in in_all() {
            let own = options.experiments.join(entry.name);
            fs::create_dir_all(&own).expect("a folder");
            fs::write(own.join("README.md"), format!("# Whether {} holds\nIt asks.", entry.name)).expect("room");
        }
        put(&options.out.join("fanout"), 300.0);
        put(&options.experiments.join("fanout"), 612.0);
        write(&options).expect("it is written");
        let page = fs::read_to_string(options.out.join("index.html")).expect("it is there");
        assert!(
            page.contains("<td>160 (000, Fig. 10)</td><td>300 users <strong>missed</strong></td><td>612 users</td>"),
            "{page}"
        );
        assert!(page.contains("Users &amp; servers"), "{page}");
        assert!(page.contains("&lt;stoa&gt;") && !page.contains("<stoa>"), "{page}");
        assert_eq!(page.matches("<svg id=\"drawn\"/>").count(), 2);
        assert!(page.contains("<h2>Whether idle holds</h2>"), "an experiment that was not run has its place");
        let circumstances = "<code>stoa-lab fanout --step-s=2</code>. Beside: mosquitto 2.0.11. Left out: nats-server (it is not there).";
        assert_eq!(page.matches(circumstances).count(), 2, "{page}");
        assert_eq!(page.matches("the heading is a claim").count(), in_all().count() - 1, "one of them was run in full");
    }

    #[test]
    fn a_reference_at_the_generator_limit_makes_the_ratio_an_upper_bound() {
        let told = |theirs: bool, ours: bool| {
            let floor = json!({ "name": "floor", "version": "0.1.0", "value": 1050.0, "generator_bound": theirs });
            reference(&json!({ "value": 600.0, "ratio": 0.571, "generator_bound": ours, "reference": floor }))
        };
        assert_eq!(told(true, false), "<br><small>floor: 1050 or more, ratio at most 0.571</small>");
        assert_eq!(told(true, true), "<br><small>floor: 1050 or more, ratio at most 0.571 of what was found</small>");
        assert_eq!(told(false, true), "<br><small>floor: 1050, ratio 0.571</small>");
    }

    #[test]
    fn a_figure_without_a_value_shows_none_and_its_reason() {
        let figure = json!({ "value": null, "unit": "ms", "reason": "it < never came back", "least": 11.0, "most": null,
                             "bar": { "op": "<", "value": 1000.0, "of": "value" }, "holds": false });
        assert_eq!(
            value(&figure),
            "none <strong>missed</strong><br><small>it &lt; never came back</small><br><small>11 to none</small>"
        );
    }

    #[test]
    fn a_failed_run_is_shown_with_its_error() {
        let entry = in_all().find(|entry| entry.name == "fanout").expect("it is there");
        let folder = tempfile::tempdir().expect("a folder");
        assert!(LoadedExperimentResult::read(folder.path()).expect("nothing is there").is_none());
        fs::write(folder.path().join(FAILED), "exit status: 1").expect("room on the disk");
        let here = LoadedExperimentResult::read(folder.path()).expect("it is read");
        let own = folder.path().join("full");
        put(&own, 612.0);
        let full = LoadedExperimentResult::read(&own).expect("it is read");
        let table = figures(here.as_ref(), full.as_ref());
        assert!(table.contains("<td>failed</td><td>612 users</td>"), "{table}");
        let lines = not_measured(entry, (here.as_ref(), None));
        assert_eq!(lines, "<p>The last run here <strong>failed</strong>: exit status: 1</p>");
        put(folder.path(), 300.0);
        let again = LoadedExperimentResult::read(folder.path()).expect("it is read").expect("it is there");
        assert!(again.failed.is_none(), "a result that is there is newer than a failure");
    }

    #[test]
    fn figures_missing_from_a_result_are_listed() {
        let entry = in_all().find(|entry| entry.name == "fanout").expect("it is there");
        let found = |figures: Value| LoadedExperimentResult {
            result: json!({ "figures": figures }),
            plots: Vec::new(),
            failed: None,
        };
        let figure = json!({ "value": 600.0, "unit": "users" });
        let here = found(json!({ "fanout_users": figure }));
        let all_but_one =
            json!({ "fanout_users": figure, "fanout_users_wss": figure, "fanout_users_beside_nats": figure });
        let full = found(all_but_one);
        let table = figures(Some(&here), Some(&full));
        assert!(table.contains("<td>not measured</td><td>600 users</td>"), "{table}");
        let lines = not_measured(entry, (Some(&here), Some(&full)));
        assert!(
            lines.contains("here: <code>fanout_users_wss</code>, <code>fanout_users_beside_{nats,floor}</code></p>"),
            "{lines}"
        );
        assert!(
            lines.contains("Not measured in the full version: <code>fanout_users_beside_floor</code></p>"),
            "{lines}"
        );
        let unrun = (figures(None, Some(&full)), not_measured(entry, (None, None)));
        assert!(!unrun.0.contains("not measured") && unrun.1.is_empty(), "what was not run at all lacks nothing");
    }
}
