//! What a page spends on many moving people: a scene of a real server, five hundred of the crowd in it, and the distribution's Chromium, which measures itself. Figure
//! `page_motion_script_ms`. The browser has a core of its own; the server and the crowd share the other.

use std::io::Read;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::bots::random_walk::RandomWalk;
use crate::crowd::lines::NetcodeLines;
use crate::crowd::{Cast, Crowd};
use crate::limits;
use crate::load::person::SCENE;
use crate::machine;
use crate::report::{Figure, Report};
use crate::servers::Stage;
use crate::servers::motion::{MotionKind, MotionOptions, MotionServer};
use crate::setting::Setting;

/// What it finds.
pub(crate) const FIGURES: &[&str] = &["page_motion_script_ms"];

/// Options of the page experiment.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Options {
    /// People who move
    #[arg(long, default_value_t = 500)]
    people: usize,
    /// Seconds that count
    #[arg(long, default_value_t = 20)]
    seconds: u64,
    /// What opens the page and measures: of a checkout where `npm ci` ran in `web`
    #[arg(long, value_name = "FILE", default_value = "web/app/lab/page.mjs")]
    page: PathBuf,
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// While the crowd walks, how often the browser is asked whether it is done.
const ASK_US: u64 = 100_000;

pub(crate) fn run(options: &Options, setting: &Setting) -> Result<Report> {
    let &Options { people, seconds, seed, .. } = options;
    let mut report = Report::new("page", json!({ "people": people, "seconds": seconds, "seed": seed }));
    let stage = Stage::new(setting.stoa()?)?;
    let plane = MotionOptions::default();
    let server = MotionServer::start(MotionKind::Stoa, &stage, &plane)?;
    machine::pin(limits::SERVER_CPU)?;
    let cast = Cast { people, seed, ..Cast::default() };
    let lines = NetcodeLines::new(people, server.address())?;
    let mut crowd = Crowd::new(cast, lines, Box::new(RandomWalk::new(people, seed)));
    crowd.enter(&mut server.gate(&cast)?)?;
    let mut browser = Browser::open(options, &format!("http://localhost:{}", server.http()?.port()))?;
    let seen = loop {
        crowd.drive(crowd.now_us() + ASK_US)?;
        if let Some(seen) = browser.seen()? {
            break seen;
        }
    };
    let script_ms = seen["page_motion_script_ms"].as_f64().context("the page tells no time")?;
    report.series("page", seen);
    report.figure("page_motion_script_ms", Figure::new(script_ms, "ms").held_to("<", 4.0, "value"));
    Ok(report.finish())
}

/// The browser, and who drives it. It ends with its value.
struct Browser(Child);

impl Browser {
    fn open(options: &Options, url: &str) -> Result<Browser> {
        let mut command = Command::new("node");
        command.arg(&options.page).args(["--url", url, "--scene", SCENE]);
        command.args(["--people", &options.people.to_string(), "--seconds", &options.seconds.to_string()]);
        command.stdin(Stdio::null()).stdout(Stdio::piped());
        let child = machine::on_core(limits::GENERATOR_CPU, || command.spawn().context("node is needed"))?;
        Ok(Browser(child))
    }

    /// What it measured, once it is done.
    fn seen(&mut self) -> Result<Option<Value>> {
        let Some(status) = self.0.try_wait()? else { return Ok(None) };
        let mut told = String::new();
        self.0.stdout.take().context("it has an output")?.read_to_string(&mut told)?;
        ensure!(status.success(), "the page failed: {status}: {told}");
        Ok(Some(serde_json::from_str(&told)?))
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
