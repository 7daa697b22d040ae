//! Voices between pages in two real browsers, beside WebRTC between the same pages.

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
    let text = run(scripts, setting, ("text", VOID_MS)).context("the text views")?;
    // Drawing fills the core that both browsers share, so that every reference is late.
    let walking = run(scripts, setting, ("3d", DELAY_MS_MAX)).context("a speaker in 3D")?;
    let fault = (number(&text, "counted") < PAIRS as f64).then(|| format!("{} pairs count", text["counted"]));
    let figure = |seen: &Value, key: &str| Figure::new(number(seen, key), "ms beyond WebRTC");
    let held = |key: &str, most: f64| figure(&text, key).held_to("<=", most, "value").holds_unless(fault.as_deref());
    report.figure("voice_mouth_to_ear_ms", held("difference_ms", 25.0));
    report.figure("voice_mouth_to_ear_p95_ms", held("difference_p95_ms", 60.0));
    report.figure("voice_mouth_to_ear_walking_ms", figure(&walking, "difference_ms"));
    report.series("delay", json!({ "text": text, "3d": walking }));
    Ok(())
}

/// One run with a fresh server on a core of its own; `view` is the speaker's. Pairs whose reference takes longer than
/// `void_ms` don't count.
fn run(scripts: &BrowserScripts, setting: &ExperimentContext, (view, void_ms): (&str, u64)) -> Result<Value> {
    let testbed = Testbed::new(setting.stoa()?)?;
    let server = MotionServerUnderTest::start(MotionServerKind::Stoa, &testbed, &MotionOptions::default())?;
    let url = format!("http://localhost:{}", server.http()?.port());
    let (pairs, void_ms) = (PAIRS.to_string(), void_ms.to_string());
    let words = ["--url", &url, "--scene", SCENE, "--view", view, "--pairs", &pairs, "--void-ms", &void_ms];
    let words = words.map(str::to_owned);
    let seen = scripts.start("voice-delay.mjs", &words)?.finish()?;
    eprintln!("  delay, speaker in {view}: {} ms beyond WebRTC", seen["difference_ms"]);
    Ok(seen)
}

/// A value of a script's result; NaN if missing.
pub(super) fn number(seen: &Value, key: &str) -> f64 {
    seen[key].as_f64().unwrap_or(f64::NAN)
}
