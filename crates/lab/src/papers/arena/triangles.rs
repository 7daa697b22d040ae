//! Measures a real page's render frames a second over the triangles in its scene: figure 8 of paper 000, whose devices
//! were phones, a headset and laptops. Figure `arena_triangles_30fps` is the largest number of drawn triangles at 30
//! or more frames a second. Figure `arena_triangles_script_ms` is the script time of this project's components in a
//! render frame, p95, at the largest number. Without a graphics card the processor draws, which the series
//! (`renderer`) and the plots' titles show.
//!
//! The scene is created by the scene protocol: spheres at seeded positions in front of the page's person, with
//! segments for the requested triangles.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use fastrand::Rng;
use serde_json::{Value, json};

use crate::browser::BrowserScripts;
use crate::environment::ExperimentContext;
use crate::limits;
use crate::load::connection::{MqttConnection, MqttTransport};
use crate::load::packet;
use crate::load::person::PersonIdentifiers;
use crate::plot::{Axis, Curve, Plot};
use crate::report::{Figure, Report, Table};
use crate::servers::{IssuedTokenScope, MqttServerKind, Testbed};
use crate::statistics::{median, rounded};

/// The figures of the report.
pub(crate) const FIGURES: &[&str] = &["arena_triangles_30fps", "arena_triangles_script_ms"];

/// A scene that guests may enter.
const SCENE: &str = "public/sandbox";
/// The rate that people see as smooth.
const SMOOTH_PER_S: f64 = 30.0;

/// Options of the triangles experiment.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Options {
    /// Approximate numbers of triangles in the scene
    #[arg(long, value_delimiter = ',', default_values_t = [1_000, 10_000, 30_000, 100_000, 300_000, 1_000_000])]
    triangles: Vec<usize>,
    /// Objects that share the triangles
    #[arg(long, default_value_t = 20)]
    objects: usize,
    /// Seconds that count in each run
    #[arg(long, default_value_t = 10)]
    seconds: u64,
    /// Runs of each number; the report has the medians
    #[arg(long, default_value_t = 3)]
    runs: usize,
    /// Draw with the graphics card
    #[arg(long)]
    gpu: bool,
    /// Seed of the objects' positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    scripts: BrowserScripts,
}

pub(crate) fn run(options: &Options, setting: &ExperimentContext) -> Result<Report> {
    let parameters = json!({
        "triangles": options.triangles, "objects": options.objects, "seconds": options.seconds, "runs": options.runs, "gpu": options.gpu,
        "seed": options.seed,
    });
    let mut report = Report::new("arena-triangles", parameters);
    if let Some(why) = options.scripts.lacks() {
        report.left_out(vec![json!({ "pages": "all", "why": why })]);
        return Ok(report.finish());
    }
    let testbed = Testbed::new(setting.stoa()?)?;
    let mut steps = Vec::new();
    for &triangles in &options.triangles {
        for turn in 0..options.runs {
            let key = json!({ "triangles": triangles, "run": turn + 1 });
            steps.push((triangles, setting.step(key, || step(options, &testbed, triangles))?));
        }
    }
    let of = |triangles: usize, number: &dyn Fn(&Value) -> Option<f64>| {
        let found: Vec<f64> =
            steps.iter().filter(|(asked, _)| *asked == triangles).filter_map(|(_, seen)| number(seen)).collect();
        median(&found)
    };
    // The drawn triangles are the requested ones and those of the surroundings.
    let is_smooth = |triangles: &&usize| of(**triangles, &|seen| seen["frames_per_s"].as_f64()) >= SMOOTH_PER_S;
    let smooth =
        options.triangles.iter().filter(is_smooth).map(|triangles| of(*triangles, &|seen| seen["triangles"].as_f64()));
    report.figure("arena_triangles_30fps", Figure::new(smooth.fold(0.0, f64::max), "triangles"));
    let most = options.triangles.iter().max().copied().context("a number of triangles")?;
    let script_ms = of(most, &|seen| seen["stoa_ms"]["p95"].as_f64());
    report.figure("arena_triangles_script_ms", Figure::new(script_ms, "ms"));
    let renderer = steps.first().and_then(|(_, seen)| seen["renderer"].as_str()).unwrap_or("unknown").to_owned();
    let how =
        if renderer.contains("SwiftShader") { "drawn by the processor (SwiftShader)".to_owned() } else { renderer };
    let points = |number: &dyn Fn(&Value) -> Option<f64>| -> Vec<(f64, f64)> {
        steps.iter().filter_map(|(_, seen)| Some((seen["triangles"].as_f64()?, number(seen)?))).collect()
    };
    let plot = |title: &str, y: &str, limit: Option<f64>, curves: Vec<Curve>| Plot {
        title: format!("{title}, {how}"),
        x: Axis::logarithmic("triangles"),
        y: Axis::linear(y),
        limit,
        curves,
    };
    let frames = vec![Curve::new("page", points(&|seen| seen["frames_per_s"].as_f64()))];
    setting.draw("frames.svg", &plot("Render frames against triangles", "a second", Some(SMOOTH_PER_S), frames))?;
    let script = [("all script", "script_ms"), ("three.js", "render_ms"), ("stoa", "stoa_ms")]
        .map(|(name, part)| Curve::new(name, points(&|seen| seen[part]["p50"].as_f64())));
    setting.draw("script.svg", &plot("Script for a render frame", "ms (median)", None, script.into()))?;
    let row = |asked: &usize| -> Vec<Value> {
        let p50 = |part: &'static str| of(*asked, &move |seen| seen[part]["p50"].as_f64());
        let [drawn, frames] = ["triangles", "frames_per_s"].map(|key| of(*asked, &move |seen| seen[key].as_f64()));
        let numbers = [
            drawn,
            frames,
            p50("script_ms"),
            p50("render_ms"),
            p50("stoa_ms"),
            of(*asked, &|seen| seen["stoa_ms"]["p95"].as_f64()),
        ];
        numbers.map(|number| json!(rounded(number))).into()
    };
    let columns = ["triangles", "render frames/s", "script, ms", "three.js, ms", "stoa, ms", "stoa p95, ms"];
    report.table(Table {
        title: format!("Render frames (figure 8), {how}: medians"),
        columns: columns.map(str::to_owned).into(),
        rows: options.triangles.iter().map(row).collect(),
    });
    let seen: Vec<&Value> = steps.iter().map(|(_, seen)| seen).collect();
    report.series("page", json!(seen));
    Ok(report.finish())
}

/// One run with a fresh server, scene and page.
fn step(options: &Options, testbed: &Testbed, triangles: usize) -> Result<Value> {
    let server = MqttServerKind::Stoa.start(testbed)?;
    let name = PersonIdentifiers::of(0);
    let token = testbed.folder.token_in(SCENE, &name, IssuedTokenScope::Scene)?;
    let hello = packet::connect(&name.user_client, Some((&name.account, &token)));
    let mut connection = MqttConnection::enter(&server.endpoint(MqttTransport::Tcp)?, &[hello])?;
    for (number, sphere) in spheres(options, triangles).into_iter().enumerate() {
        let topic = format!("realm/s/{SCENE}/o/{}/{}", name.user_client, id_of(number));
        connection.send(&packet::publish(&topic, sphere.to_string().as_bytes(), Some(number as u16 + 1)))?;
    }
    await_taken(&mut connection, options.objects)?;
    let [objects, seconds] = [options.objects.to_string(), options.seconds.to_string()];
    let url = format!("http://localhost:{}", server.http()?.port());
    let mut arguments =
        ["--url", &url, "--scene", SCENE, "--objects", &objects, "--seconds", &seconds].map(str::to_owned).to_vec();
    arguments.extend(options.gpu.then(|| "--gpu".to_owned()));
    options.scripts.start_wide("triangles.mjs", &arguments)?.finish()
}

fn id_of(number: usize) -> String {
    format!("arena-triangles-{number:03}")
}

/// Spheres with about the requested triangles together, in front of the entering person.
fn spheres(options: &Options, triangles: usize) -> Vec<Value> {
    let mut rng = Rng::with_seed(options.seed);
    let [across, down] = segments(triangles / options.objects.max(1));
    let sphere = |number: usize| {
        let mut within = |from: f64, to: f64| from + rng.f64() * (to - from);
        let position = json!({ "x": within(-3.0, 3.0), "y": within(0.5, 3.0), "z": within(-8.0, -4.0) });
        json!({
            "object_id": id_of(number), "action": "create", "type": "object", "persist": false,
            "data": { "object_type": "sphere", "radius": 0.4, "segmentsWidth": across, "segmentsHeight": down, "position": position,
                      "material": { "color": format!("#{:06x}", rng.u32(0x20_20_20..0xff_ff_ff)) } },
        })
    };
    (0..options.objects).map(sphere).collect()
}

/// Segments of a sphere: around, and from pole to pole. Each field has two triangles, and one at the poles.
fn segments(triangles: usize) -> [usize; 2] {
    let down = ((triangles as f64 / 4.0).sqrt().round() as usize + 1).max(3);
    let across = (triangles as f64 / 2.0 / (down - 1) as f64).round() as usize;
    [across.max(4), down]
}

/// Waits until all objects are acknowledged.
fn await_taken(connection: &mut MqttConnection, wanted: usize) -> Result<()> {
    let (mut scratch, mut taken, began) = (vec![0; limits::READ_BYTES], 0, Instant::now());
    while taken < wanted {
        let is_open = connection.receive(&mut scratch, |packet| taken += usize::from(packet[0] == packet::PUBACK))?;
        ensure!(is_open && began.elapsed() < limits::ANSWER_TIMEOUT, "{taken} of {wanted} objects were taken");
        std::thread::sleep(Duration::from_millis(1));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sphere_has_about_the_requested_number_of_triangles() {
        for wanted in [50, 500, 1_500, 5_000, 15_000, 50_000] {
            let [across, down] = segments(wanted);
            // The formula of three.js.
            let triangles = 2 * across * (down - 1);
            let off = (triangles as f64 / wanted as f64 - 1.0).abs();
            assert!(off < 0.05, "{triangles} instead of {wanted}");
        }
    }
}
