//! Voices between pages in two real browsers: their delay beside WebRTC between the same pages, and their script.

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::browser::BrowserScripts;
use crate::environment::ExperimentContext;
use crate::load::person::SCENE;
use crate::report::{Figure, Report};
use crate::servers::Testbed;
use crate::servers::motion::{MotionOptions, MotionServerKind, MotionServerUnderTest};

/// Pairs of measurements that count.
const PAIRS: u64 = 11;
/// Delay of the reference from which a pair doesn't count: the machine was busy.
const VOID_MS: u64 = 70;
/// The longest delay that the script finds, in milliseconds.
const DELAY_MS_MAX: u64 = 800;

/// Measures the delay from mouth to ear: both pages in the text view, then with a speaker who sees the scene.
pub(super) fn measure_delay(report: &mut Report, scripts: &BrowserScripts, setting: &ExperimentContext) -> Result<()> {
    let delay = |view: &str, void_ms: u64| {
        let (pairs, void_ms) = (PAIRS.to_string(), void_ms.to_string());
        let words = ["--view", view, "--pairs", &pairs, "--void-ms", &void_ms];
        let seen = run(scripts, setting, "voice-delay.mjs", &words)?;
        eprintln!("  delay, speaker in {view}: {} ms beyond WebRTC", seen["difference_ms"]);
        anyhow::Ok(seen)
    };
    let text = delay("text", VOID_MS).context("the text views")?;
    // Drawing fills the core that both browsers share, so that every reference is late.
    let walking = delay("3d", DELAY_MS_MAX).context("a speaker in 3D")?;
    let fault = (number(&text, "counted") < PAIRS as f64).then(|| format!("{} pairs count", text["counted"]));
    let figure = |seen: &Value, key: &str| Figure::new(number(seen, key), "ms beyond WebRTC");
    let held = |key: &str, most: f64| figure(&text, key).held_to("<=", most, "value").holds_unless(fault.as_deref());
    report.figure("voice_mouth_to_ear_ms", held("difference_ms", 25.0));
    report.figure("voice_mouth_to_ear_p95_ms", held("difference_p95_ms", 60.0));
    report.figure("voice_mouth_to_ear_walking_ms", figure(&walking, "difference_ms"));
    report.series("delay", json!({ "text": text, "3d": walking }));
    Ok(())
}

/// Measures the compressed size of all files that pages load only when they talk or hear.
pub(super) fn measure_script(report: &mut Report, scripts: &BrowserScripts, setting: &ExperimentContext) -> Result<()> {
    let seen = run(scripts, setting, "voice-script.mjs", &[]).context("the script of voices")?;
    let figure = Figure::new(number(&seen, "script_kib"), "KiB").held_to("<", 200.0, "value");
    report.figure("voice_script_kib", figure);
    report.series("script", seen);
    Ok(())
}

/// One run of a script with a fresh server on a core of its own.
fn run(scripts: &BrowserScripts, setting: &ExperimentContext, script: &str, more: &[&str]) -> Result<Value> {
    let testbed = Testbed::new(setting.stoa()?)?;
    let server = MotionServerUnderTest::start(MotionServerKind::Stoa, &testbed, &MotionOptions::default())?;
    let url = format!("http://localhost:{}", server.http()?.port());
    let words: Vec<String> =
        ["--url", &url, "--scene", SCENE].iter().chain(more).map(|word| (*word).to_owned()).collect();
    scripts.start(script, &words)?.finish()
}

/// A value of a script's result; NaN if missing.
pub(super) fn number(seen: &Value, key: &str) -> f64 {
    seen[key].as_f64().unwrap_or(f64::NAN)
}
