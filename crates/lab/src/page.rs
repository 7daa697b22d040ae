//! Measures loading time, script and memory of the pages: a first visit by phone, a return to a large scene, script in
//! each frame, and growth of a page that stays open. A real server and the distribution's Chromium run the pages, which
//! measure themselves; people are the lab's crowd.
//!
//! Each run has a fresh server. In the parts where people walk, the browser has a core of its own.

use std::fs;

use anyhow::{Context, Result, ensure};
use clap::ValueEnum;
use serde::Serialize;
use serde_json::{Value, json};

mod large_scene;
mod walking;

use crate::browser::BrowserScripts;
use crate::child::bound;
use crate::choice;
use crate::environment::ExperimentContext;
use crate::load::person::SCENE;
use crate::report::{Figure, Report};
use crate::servers::Testbed;
use crate::servers::motion::{MotionOptions, MotionServerKind, MotionServerUnderTest};
use crate::statistics::median;
use walking::{MeasuredPageOutcome, WalkingCrowdSettings};

/// The figures of the report.
pub(crate) const FIGURES: &[&str] = &[
    "page_interactive_s",
    "page_entered_s",
    "page_script_kib",
    "page_first_frame_s",
    "page_complete_s",
    "page_frame_script_ms",
    "page_crowd_script_ms",
    "page_motion_script_ms",
    "page_heap_growth",
];

/// Options of the page experiment.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Options {
    /// The parts to measure
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = PageExperimentPart::value_variants().to_vec())]
    only: Vec<PageExperimentPart>,
    /// Objects in the large scene
    #[arg(long, default_value_t = 1_000)]
    objects: usize,
    /// Walking people in the large scene
    #[arg(long, default_value_t = 50)]
    some_people: usize,
    /// Walking people in the crowd
    #[arg(long, default_value_t = 500)]
    people: usize,
    /// Seconds of each measurement
    #[arg(long, default_value_t = 20)]
    seconds: u64,
    /// Runs of each part except `heap`, which has one; the report has the medians
    #[arg(long, default_value_t = 3)]
    runs: usize,
    /// Minutes for which the page stays open in `heap`
    #[arg(long, default_value_t = 30.0)]
    heap_minutes: f64,
    /// Seed of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    scripts: BrowserScripts,
}

/// A part of the experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
enum PageExperimentPart {
    /// A first visit by phone
    Visit,
    /// A return to a large scene
    Entering,
    /// Script of the whole page in a large scene with some people
    Objects,
    /// Script of the whole page with a crowd
    Crowd,
    /// The share of motion and avatars with a crowd
    Motion,
    /// Memory of a page that stays open
    Heap,
}

pub(crate) fn run(options: &Options, setting: &ExperimentContext) -> Result<Report> {
    let parameters = json!({
        "only": options.only, "objects": options.objects, "some_people": options.some_people, "people": options.people,
        "seconds": options.seconds, "runs": options.runs, "heap_minutes": options.heap_minutes, "seed": options.seed,
    });
    let mut report = Report::new("page", parameters);
    for part in &options.only {
        let mut runs = Vec::new();
        let times = if *part == PageExperimentPart::Heap { 1 } else { options.runs };
        for run in 1..=times {
            let found = part.measure(options, setting).with_context(|| choice::word(*part))?;
            eprintln!("{}, run {run} of {times}: {}", choice::word(*part), part.told(&found.seen));
            runs.push(found);
        }
        part.report(&runs, &mut report);
    }
    Ok(report.finish())
}

/// A figure, the JSON pointer of its value in the page's result, and its bar.
struct PageMetricDefinition {
    figure: &'static str,
    key: &'static str,
    unit: &'static str,
    bar: (&'static str, f64),
}

const fn page_figure(
    figure: &'static str,
    key: &'static str,
    unit: &'static str,
    bar: (&'static str, f64),
) -> PageMetricDefinition {
    PageMetricDefinition { figure, key, unit, bar }
}

impl PageExperimentPart {
    fn figures(self) -> &'static [PageMetricDefinition] {
        const VISIT: [PageMetricDefinition; 3] = [
            page_figure("page_interactive_s", "/interactive_s", "s", ("<", 5.0)),
            page_figure("page_entered_s", "/entered_s", "s", ("<", 8.0)),
            page_figure("page_script_kib", "/script_kib", "KiB", ("<", 350.0)),
        ];
        const ENTERING: [PageMetricDefinition; 2] = [
            page_figure("page_first_frame_s", "/first_frame_s", "s", ("<", 2.0)),
            page_figure("page_complete_s", "/complete_s", "s", ("<", 3.0)),
        ];
        const OBJECTS: [PageMetricDefinition; 1] =
            [page_figure("page_frame_script_ms", "/script_ms/p95", "ms", ("<", 8.0))];
        const CROWD: [PageMetricDefinition; 1] =
            [page_figure("page_crowd_script_ms", "/script_ms/p95", "ms", ("<", 6.0))];
        const MOTION: [PageMetricDefinition; 1] =
            [page_figure("page_motion_script_ms", "/page_motion_script_ms", "ms", ("<", 4.0))];
        const HEAP: [PageMetricDefinition; 1] = [page_figure("page_heap_growth", "/growth", "ratio", ("<=", 0.1))];
        match self {
            PageExperimentPart::Visit => &VISIT,
            PageExperimentPart::Entering => &ENTERING,
            PageExperimentPart::Objects => &OBJECTS,
            PageExperimentPart::Crowd => &CROWD,
            PageExperimentPart::Motion => &MOTION,
            PageExperimentPart::Heap => &HEAP,
        }
    }

    /// One line with a run's figures.
    fn told(self, seen: &Value) -> String {
        let tell = |one: &PageMetricDefinition| format!("{} {:.3} {}", one.figure, number(seen, one.key), one.unit);
        self.figures().iter().map(tell).collect::<Vec<_>>().join(", ")
    }

    /// Runs the part's script with a fresh server and the part's crowd.
    fn measure(self, options: &Options, setting: &ExperimentContext) -> Result<MeasuredPageOutcome> {
        let Options { objects, some_people, people, seconds, seed, heap_minutes, .. } = options;
        let is_large =
            matches!(self, PageExperimentPart::Visit | PageExperimentPart::Entering | PageExperimentPart::Objects);
        let testbed = Testbed::new(setting.stoa()?)?;
        let server = MotionServerUnderTest::start(MotionServerKind::Stoa, &testbed, &MotionOptions::default())?;
        if is_large {
            furnish(&testbed, *objects, *seed)?;
        }
        let url = format!("http://localhost:{}", server.http()?.port());
        let mut words = vec!["--url".to_owned(), url, "--scene".to_owned(), SCENE.to_owned()];
        let mut say = |flag: &str, value: String| words.extend([flag.to_owned(), value]);
        if is_large {
            say("--objects", objects.to_string());
        }
        let walkers = match self {
            PageExperimentPart::Visit | PageExperimentPart::Entering => 0,
            PageExperimentPart::Objects | PageExperimentPart::Heap => *some_people,
            PageExperimentPart::Crowd | PageExperimentPart::Motion => *people,
        };
        match self {
            PageExperimentPart::Visit | PageExperimentPart::Entering => {}
            PageExperimentPart::Heap => say("--minutes", heap_minutes.to_string()),
            PageExperimentPart::Objects | PageExperimentPart::Crowd | PageExperimentPart::Motion => {
                say("--people", walkers.to_string());
                say("--seconds", seconds.to_string());
            }
        }
        let script = match self {
            PageExperimentPart::Visit => "visit.mjs",
            PageExperimentPart::Entering => "entering.mjs",
            PageExperimentPart::Objects | PageExperimentPart::Crowd => "frames.mjs",
            PageExperimentPart::Motion => "page.mjs",
            PageExperimentPart::Heap => "heap.mjs",
        };
        if walkers == 0 {
            return Ok(MeasuredPageOutcome::alone(options.scripts.start_wide(script, &words)?.finish()?));
        }
        let walk = WalkingCrowdSettings {
            people: walkers,
            seconds: *seconds,
            seed: *seed,
            is_constant: self != PageExperimentPart::Heap,
        };
        walk.beside(&server, || options.scripts.start(script, &words))
    }

    /// Reports the part's figures from all its runs.
    fn report(self, runs: &[MeasuredPageOutcome], report: &mut Report) {
        let fault = runs.iter().find_map(|run| run.fault.clone());
        for PageMetricDefinition { figure, key, unit, bar: (op, value) } in self.figures() {
            let found: Vec<f64> = runs.iter().map(|run| number(&run.seen, key)).collect();
            let untold = found.iter().any(|value| value.is_nan()).then_some("a run has no value");
            let figure_of = Figure::new(median(&found), unit).held_to(op, *value, "value");
            report.figure(figure, figure_of.holds_unless(fault.as_deref().or(untold)));
        }
        report.series(&choice::word(self), json!(runs));
    }
}

/// A value of the page's result; NaN if missing.
fn number(seen: &Value, key: &str) -> f64 {
    seen.pointer(key).and_then(Value::as_f64).unwrap_or(f64::NAN)
}

/// Replaces the scene by the large one.
fn furnish(testbed: &Testbed, objects: usize, seed: u64) -> Result<()> {
    let file = testbed.folder.path().join("hall.json");
    fs::write(&file, serde_json::to_vec(&large_scene::records(objects, seed))?)?;
    let mut import = bound(&testbed.stoa);
    import.args(["scene", "import", "--replace", "--as", SCENE]).arg(&file).arg("--data").arg(testbed.folder.path());
    let done = import.output().context("the scene is not imported")?;
    ensure!(done.status.success(), "the scene is not imported: {}", String::from_utf8_lossy(&done.stderr));
    Ok(())
}
