//! What a page spends on many moving people: a scene of a real server, five hundred of the crowd in it, and the distribution's Chromium, which measures itself. Figure
//! `page_motion_script_ms`. The browser has a core of its own; the server and the crowd share the other.

use anyhow::{Context, Result};
use serde_json::json;

use crate::bots::random_walk::RandomWalk;
use crate::browser::Scripts;
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
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    scripts: Scripts,
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
    let [url, people, seconds] =
        [format!("http://localhost:{}", server.http()?.port()), people.to_string(), seconds.to_string()];
    let arguments = ["--url", &url, "--scene", SCENE, "--people", &people, "--seconds", &seconds].map(str::to_owned);
    let mut browser = options.scripts.start("page.mjs", &arguments)?;
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
