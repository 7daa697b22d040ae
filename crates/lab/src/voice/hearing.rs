//! How well a page hears voices: over bad paths, while it is blocked, after a silence, and at which cost.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use base64::prelude::{BASE64_STANDARD, Engine};
use serde_json::{Value, json};

use super::chorus::ChorusSettings;
use super::pages::number;
use crate::browser::BrowserScripts;
use crate::environment::ExperimentContext;
use crate::limits;
use crate::load::person::SCENE;
use crate::report::{Figure, Report};
use crate::servers::Testbed;
use crate::servers::motion::{MotionOptions, MotionServerKind, MotionServerUnderTest};

/// The start of the scene, in metres on the ground. People arrive within a metre of it.
const START_M: [f64; 2] = [0.0, 3.2];
/// Voices that a page plays at once.
const VOICES: usize = 16;
/// Time for which the speakers of a measurement of processor time are silent, and then speak.
const TURN: Duration = Duration::from_secs(22);
/// Words in the measurement of their beginnings, and people who speak meanwhile.
const WORDS: u64 = 30;
const OTHERS: usize = 30;
/// By how much those people's speech is quieter than a voice, so that their sound doesn't cover the words.
const QUIETER_DB: &str = "90";

/// A fresh server on a core of its own, and the addresses that scripts need.
struct ScriptSetting<'a> {
    scripts: &'a BrowserScripts,
    server: &'a MotionServerUnderTest<'a>,
}

impl ScriptSetting<'_> {
    /// The arguments of a script: the server and its scene, and more.
    fn words(&self, more: &[&str]) -> Result<Vec<String>> {
        let url = format!("http://localhost:{}", self.server.http()?.port());
        Ok(["--url", &url, "--scene", SCENE].iter().chain(more).map(|&word| word.to_owned()).collect())
    }

    fn run(&self, script: &str, more: &[&str]) -> Result<Value> {
        self.scripts.start(script, &self.words(more)?)?.finish().with_context(|| script.to_owned())
    }
}

fn with_server(
    scripts: &BrowserScripts,
    setting: &ExperimentContext,
    measure: impl FnOnce(&ScriptSetting<'_>) -> Result<Value>,
) -> Result<Value> {
    let testbed = Testbed::new(setting.stoa()?)?;
    let server = MotionServerUnderTest::start(MotionServerKind::Stoa, &testbed, &MotionOptions::default())?;
    measure(&ScriptSetting { scripts, server: &server })
}

/// Measures a voice over a path that is bad from the speaker or to the listener, beside WebRTC on the same path.
pub(super) fn measure_lossy(report: &mut Report, scripts: &BrowserScripts, setting: &ExperimentContext) -> Result<()> {
    let direction = |direction: &str| {
        with_server(scripts, setting, |on| {
            let port = on.server.webtransport_port().context("the server has no WebTransport")?.to_string();
            let core = limits::SERVER_CPU.to_string();
            let more = ["--direction", direction, "--udp-port", &port, "--relay-core", &core];
            on.run("voice/lossy.mjs", &more)
        })
    };
    let (up, down) = (direction("up")?, direction("down")?);
    let both = |key: &str| [number(&up, key), number(&down, key)];
    let figure = |value: f64| Figure::new(value, "times WebRTC");
    report.figure("voice_lossy_estoi", figure(worse(both("estoi"), f64::min)).held_to(">=", 0.97, "value"));
    report.figure("voice_lossy_delay", figure(worse(both("delay"), f64::max)).held_to("<=", 1.1, "value"));
    report.series("lossy", json!({ "up": up, "down": down }));
    Ok(())
}

/// The value of the worse direction; NaN if a direction has none.
fn worse(values: [f64; 2], pick: fn(f64, f64) -> f64) -> f64 {
    if values.iter().any(|value| value.is_nan()) { f64::NAN } else { pick(values[0], values[1]) }
}

/// Measures the gaps in a voice while the listener's page is blocked for a part of each second.
pub(super) fn measure_blocked(
    report: &mut Report,
    scripts: &BrowserScripts,
    setting: &ExperimentContext,
) -> Result<()> {
    let found = with_server(scripts, setting, |on| on.run("voice/blocked.mjs", &[]))?;
    let fault = (number(&found, "blocked_share") < 0.25).then_some("the page was not blocked");
    let figure = Figure::new(100.0 * number(&found, "gaps"), "% of voiced time");
    report.figure("voice_blocked_gaps", figure.held_to("<=", 1.0, "value").holds_unless(fault));
    report.series("blocked", found);
    Ok(())
}

/// Measures the processor time of a page that plays as many voices as it can.
pub(super) fn measure_cores(report: &mut Report, scripts: &BrowserScripts, setting: &ExperimentContext) -> Result<()> {
    let found = with_server(scripts, setting, |on| {
        let chorus = ChorusSettings {
            people: VOICES,
            centre_m: START_M,
            radii_m: [2.0, 12.0],
            packets: packets(on.scripts, "0")?,
            turn: Some(TURN),
        };
        let words = on.words(&["--voices", &VOICES.to_string()])?;
        chorus.beside(on.server, || on.scripts.start("voice/cores.mjs", &words))
    })?;
    let figure = Figure::new(number(&found, "cores"), "cores above the silent page");
    report.figure("voice_page_cores", figure.held_to("<=", 0.35, "value"));
    report.series("cores", found);
    Ok(())
}

/// Measures how many words are heard from their beginning, each after a silence, while others speak.
pub(super) fn measure_words(report: &mut Report, scripts: &BrowserScripts, setting: &ExperimentContext) -> Result<()> {
    let found = with_server(scripts, setting, |on| {
        let chorus = ChorusSettings {
            people: OTHERS,
            centre_m: START_M,
            radii_m: [6.0, 14.0],
            packets: packets(on.scripts, QUIETER_DB)?,
            turn: None,
        };
        let words = on.words(&["--others", &OTHERS.to_string(), "--trials", &WORDS.to_string()])?;
        chorus.beside(on.server, || on.scripts.start("voice/first-word.mjs", &words))
    })?;
    let fault = (number(&found, "of") < WORDS as f64).then(|| format!("only {} words were said", found["of"]));
    let figure = Figure::new(number(&found, "heard"), "words of 30").held_to(">=", 28.0, "value");
    report.figure("voice_first_word", figure.holds_unless(fault.as_deref()));
    report.series("words", found);
    Ok(())
}

/// A file of speech as packets of 20 ms of Opus.
fn packets(scripts: &BrowserScripts, quieter_db: &str) -> Result<Vec<Vec<u8>>> {
    let words = ["--quieter-db", quieter_db].map(str::to_owned);
    let found = scripts.start("voice/opus-packets.mjs", &words)?.finish()?;
    let packets = found["packets"].as_array().context("packets")?;
    ensure!(!packets.is_empty(), "the file has no packets");
    let decode = |packet: &Value| Ok(BASE64_STANDARD.decode(packet.as_str().context("a packet")?)?);
    packets.iter().map(decode).collect()
}
