//! What a page spends on many moving people: a scene of a real server, five hundred of the crowd in it, and the distribution's Chromium, which measures itself. Figure
//! `page_motion_script_ms`. The browser has a core of its own; the server and the crowd share the other.

use anyhow::{Context, Result};
use serde::Serialize;
use serde_json::{Value, json};

use crate::bots::random_walk::RandomWalk;
use crate::browser::{Script, Scripts};
use crate::crowd::gate::Gate;
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
/// So many of the crowd look at all poses: enough to tell whether the server keeps up, on whose core they are.
const DECODERS: usize = 10;
/// The crowd is watched in slices, for nobody tells it when the page measures: longer than a pair must be together to have a rate.
const SLICE_US: u64 = 2_500_000;
/// Of what is due, so much must have been said and have come: a page that gets less has less to do.
const SHARE_MIN: f64 = 0.95;

/// What the crowd said, and got.
#[derive(Clone, Copy, Debug, Serialize)]
struct Slice {
    /// Of all.
    said_per_s: f64,
    /// New ones of each pair.
    poses_per_s: f64,
    /// To each.
    datagrams_per_s: f64,
}

pub(crate) fn run(options: &Options, setting: &Setting) -> Result<Report> {
    let &Options { people, seconds, seed, .. } = options;
    let mut report = Report::new("page", json!({ "people": people, "seconds": seconds, "seed": seed }));
    let stage = Stage::new(setting.stoa()?)?;
    let plane = MotionOptions::default();
    let server = MotionServer::start(MotionKind::Stoa, &stage, &plane)?;
    machine::pin(limits::SERVER_CPU)?;
    let cast = Cast { people, decoders: DECODERS.min(people), seed, ..Cast::default() };
    let lines = NetcodeLines::new(people, server.address())?;
    let mut crowd = Crowd::new(cast, lines, Box::new(RandomWalk::new(people, seed)));
    crowd.enter(&mut Gate::of(&server, &cast)?)?;
    let url = format!("http://localhost:{}", server.http()?.port());
    let [asked, lasts] = [people.to_string(), seconds.to_string()];
    let arguments = ["--url", &url, "--scene", SCENE, "--people", &asked, "--seconds", &lasts].map(str::to_owned);
    let mut browser = options.scripts.start("page.mjs", &arguments)?;
    let (seen, slices) = walk(&mut crowd, &mut browser, people)?;
    let script_ms = seen["page_motion_script_ms"].as_f64().context("the page tells no time")?;
    // It measured last, and what was before is not of it.
    let last = slices.len().saturating_sub((seconds * 1_000_000 / SLICE_US) as usize);
    let fault = fault(&cast, &seen, &slices[last..]);
    report.series("page", seen);
    report.series("crowd", json!(slices));
    let figure = Figure::new(script_ms, "ms").held_to("<", 4.0, "value").holds_unless(fault.as_deref());
    report.figure("page_motion_script_ms", figure);
    Ok(report.finish())
}

/// The crowd walks until the page is done.
fn walk(crowd: &mut Crowd<NetcodeLines>, browser: &mut Script, people: usize) -> Result<(Value, Vec<Slice>)> {
    let mut slices = Vec::new();
    loop {
        let (from_us, to_us) = (crowd.now_us(), crowd.now_us() + SLICE_US);
        let (said, opened) = (crowd.came().said, crowd.counts().opened);
        crowd.open_book((from_us, to_us));
        while crowd.now_us() < to_us {
            crowd.drive(to_us.min(crowd.now_us() + ASK_US))?;
            if let Some(seen) = browser.seen()? {
                return Ok((seen, slices));
            }
        }
        let seconds = (crowd.now_us() - from_us) as f64 / 1e6;
        let book = crowd.close_book().context("it was opened")?;
        slices.push(Slice {
            said_per_s: (crowd.came().said - said) as f64 / seconds,
            poses_per_s: book.rates(0.0).mean_per_s,
            datagrams_per_s: (crowd.counts().opened - opened) as f64 / seconds / people as f64,
        });
    }
}

/// Why a page had less to do than it should: a slower server makes it look better.
fn fault(cast: &Cast, seen: &Value, slices: &[Slice]) -> Option<String> {
    let mean = |of: fn(&Slice) -> f64| slices.iter().map(of).sum::<f64>() / slices.len().max(1) as f64;
    let rate_hz = 1.0 / cast.period.as_secs_f64();
    let told = |key: &str| seen[key].as_f64().unwrap_or(0.0);
    let people = cast.people as f64;
    if told("people") < people {
        return Some(format!("the page drew {} of {people} people", told("people")));
    }
    // The page is one more in the same scene, and gets what each of the crowd gets.
    let due = [
        ("poses a second that the crowd said", mean(|slice| slice.said_per_s), people * rate_hz),
        ("poses a second of each pair in the crowd", mean(|slice| slice.poses_per_s), rate_hz),
        ("datagrams a second at the page", told("datagrams_per_s"), mean(|slice| slice.datagrams_per_s)),
    ];
    let is_met = |(_, found, due): &(&str, f64, f64)| *due > 0.0 && *found >= SHARE_MIN * due;
    let missed = due.into_iter().find(|one| !is_met(one));
    missed.map(|(what, found, due)| format!("{what}: {found:.1} of {due:.1}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_had_less_to_do_does_not_hold() {
        let cast = Cast { people: 500, ..Cast::default() };
        let slice = |said_per_s, poses_per_s, datagrams_per_s| Slice { said_per_s, poses_per_s, datagrams_per_s };
        let seen =
            |people: usize, datagrams_per_s: f64| json!({ "people": people, "datagrams_per_s": datagrams_per_s });
        let whole = slice(9_990.0, 20.0, 165.0);
        let holds = |seen: Value, slices: &[Slice]| fault(&cast, &seen, slices).is_none();
        assert!(holds(seen(500, 164.8), &[whole; 2]), "negative control");
        assert!(!holds(seen(499, 164.8), &[whole; 2]), "somebody was not drawn");
        assert!(!holds(seen(500, 150.0), &[whole; 2]), "the page lost some");
        assert!(!holds(seen(500, 164.8), &[whole, slice(8_900.0, 20.0, 165.0)]), "the crowd said too little");
        assert!(!holds(seen(500, 120.0), &[slice(9_990.0, 14.0, 120.0)]), "the server left some out for all");
        assert!(!holds(seen(500, 164.8), &[]), "nobody looked");
        assert!(!holds(json!({}), &[whole]), "the page said nothing");
    }
}
