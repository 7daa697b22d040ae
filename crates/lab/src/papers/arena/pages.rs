//! Measures the delay from one page to another: until the second page has received a pose of the first, and until it
//! shows the pose, by the motion plane and by the scene plane. ARENA's paper has no such figure; its pages had camera
//! messages only. Figures `arena_pages_{motion,scene}_ms` and `arena_pages_{motion,scene}_shown_ms` are medians.
//!
//! The load is open-loop: a walking page sends its pose when it is due. Without a graphics card the processor draws
//! both pages, and a shown pose waits for one of their few render frames.

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use crate::browser::BrowserScripts;
use crate::environment::ExperimentContext;
use crate::report::{Figure, Report, Table};
use crate::servers::{MqttServerKind, Testbed};
use crate::statistics::{median, percentile, rounded};

/// The figures of the report.
pub(crate) const FIGURES: &[&str] =
    &["arena_pages_motion_ms", "arena_pages_motion_shown_ms", "arena_pages_scene_ms", "arena_pages_scene_shown_ms"];

/// A scene that guests may enter.
const SCENE: &str = "public/sandbox";
/// Minimum number of poses for a median.
const POSES_MIN: u64 = 10;
const PLANES: [&str; 2] = ["motion", "scene"];

/// Options of the pages experiment.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Options {
    /// Seconds that count in each run
    #[arg(long, default_value_t = 20)]
    seconds: u64,
    /// Runs of each plane; the report has the medians of their medians
    #[arg(long, default_value_t = 3)]
    runs: usize,
    #[command(flatten)]
    scripts: BrowserScripts,
}

pub(crate) fn run(options: &Options, setting: &ExperimentContext) -> Result<Report> {
    let mut report = Report::new("arena-pages", json!({ "seconds": options.seconds, "runs": options.runs }));
    if let Some(why) = options.scripts.lacks() {
        report.left_out(vec![json!({ "pages": "all", "why": why })]);
        return Ok(report.finish());
    }
    let testbed = Testbed::new(setting.stoa()?)?;
    let mut seen: [Vec<Value>; PLANES.len()] = Default::default();
    for turn in 0..options.runs {
        for (plane, seen) in PLANES.into_iter().zip(&mut seen) {
            seen.push(setting.step(json!({ "plane": plane, "run": turn + 1 }), || step(options, &testbed, plane))?);
        }
    }
    let mut rows = Vec::new();
    for (plane, seen) in PLANES.into_iter().zip(seen) {
        let of = |part: &str, share: &str| -> Vec<f64> {
            seen.iter().filter_map(|seen| seen[part][share].as_f64()).collect()
        };
        for (part, suffix, what) in [("had_ms", "", "receives it"), ("shown_ms", "_shown", "shows it")] {
            let (medians, late) = (of(part, "p50"), of(part, "p95"));
            ensure!(medians.len() == options.runs, "the page reports no {part}");
            report.figure(&format!("arena_pages_{plane}{suffix}_ms"), Figure::of_runs(&medians, "ms"));
            let [least, most] = [percentile(&medians, 0.0), percentile(&medians, 1.0)];
            let of_runs = json!(format!("{least:.1}–{most:.1}"));
            rows.push(vec![
                json!(plane),
                json!(what),
                json!(rounded(median(&medians))),
                of_runs,
                json!(rounded(median(&late))),
            ]);
        }
        report.series(plane, json!(seen));
    }
    let columns = ["plane", "the other page", "median, ms", "of runs, ms", "p95, ms"].map(str::to_owned).into();
    report.table(Table { title: "Time from the sending of a pose".to_owned(), columns, rows });
    Ok(report.finish())
}

/// One run with a fresh server and two pages.
fn step(options: &Options, testbed: &Testbed, plane: &str) -> Result<Value> {
    let server = MqttServerKind::Stoa.start(testbed)?;
    let url = format!("http://localhost:{}", server.http()?.port());
    let seconds = options.seconds.to_string();
    let arguments = ["--url", &url, "--scene", SCENE, "--plane", plane, "--seconds", &seconds];
    let seen = options.scripts.start_wide("pages.mjs", &arguments.map(str::to_owned))?.finish()?;
    let count = seen["had_ms"]["count"].as_u64().unwrap_or(0);
    ensure!(count >= POSES_MIN, "the page had {count} poses in {} s", options.seconds);
    Ok(seen)
}
