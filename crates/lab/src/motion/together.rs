//! How many can be together where everybody sees everybody. Figures `motion_people_all` and `motion_people_hands`.

use anyhow::{Context, Result};
use serde::Serialize;
use serde_json::json;

use super::Options;
use crate::bots::random_walk::RandomWalk;
use crate::crowd::book::Rates;
use crate::crowd::lines::{LineCounts, Lines, NetcodeLines, overflowed_at};
use crate::crowd::{Cast, Crowd};
use crate::limits;
use crate::load::ledger::Percentiles;
use crate::machine::{process_time, resident_kib, thread_time};
use crate::report::{Figure, Report};
use crate::search::Search;
use crate::servers::Stage;
use crate::servers::motion::MotionServer;

/// What one step found.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Outcome {
    pub(super) people: usize,
    pub(super) rates: Rates,
    pub(super) staleness: Percentiles,
    pub(super) delivery: Percentiles,
    pub(super) datagrams_per_s: f64,
    pub(super) bytes_per_receiver_s: f64,
    /// Of what was sent, frames that did not come.
    pub(super) frames_lost: u64,
    /// What the socket of the server had no room for.
    pub(super) server_overflowed: u64,
    pub(super) line: LineCounts,
    /// The most that a receiver went without for its budget.
    pub(super) thinned_per_mille: u16,
    /// Shares of one core.
    pub(super) generator_load: f64,
    pub(super) server_load: f64,
    pub(super) server_rss_kib: f64,
    /// Pairs that there should be.
    pub(super) pairs: usize,
}

impl Outcome {
    pub(super) fn holds(&self) -> bool {
        self.rates.below == 0
            && self.rates.pairs == self.pairs
            && self.staleness.p99_ms < limits::MOTION_STALENESS_P99_MS_MAX
            && self.delivery.p99_ms < limits::MOTION_DELIVERY_P99_MS_MAX
            && self.frames_lost == 0
            && self.server_overflowed == 0
    }

    pub(super) fn is_generator_bound(&self) -> bool {
        self.generator_load > limits::GENERATOR_LOAD_MAX || self.line.overflowed > 0
    }
}

/// What one kind of person shows, and the figure's name.
const KINDS: [(&str, usize, usize); 2] = [("all", 1, 1_000), ("hands", 3, 500)];

pub(super) fn measure(report: &mut Report, options: &Options, stage: &Stage) -> Result<()> {
    for (kind, objects, first_guess) in KINDS.into_iter().filter(|(kind, ..)| options.has(kind)) {
        let (mut outcomes, mut largest, mut bound) = (Vec::new(), Vec::new(), false);
        let mut bears = |people: usize| {
            let outcome = step(options, stage, (people, objects))?;
            eprintln!("  {kind} {people}: {}", serde_json::to_string(&outcome)?);
            outcomes.push(outcome);
            bound |= !outcome.holds() && outcome.is_generator_bound();
            Ok(outcome.holds())
        };
        if options.people.is_empty() {
            for _ in 0..options.runs {
                let from = largest.last().copied().unwrap_or(first_guess);
                largest.push(Search { from, resolution: 0.04, most: limits::MOTION_PEOPLE_MAX }.largest(&mut bears)?);
            }
        } else {
            let mut most = 0;
            for &people in &options.people {
                most = if bears(people)? { most.max(people) } else { most };
            }
            largest.push(most);
        }
        largest.sort_unstable();
        let median = largest.get(largest.len() / 2).copied().unwrap_or(0);
        report.series(kind, json!({ "largest": largest, "steps": outcomes }));
        let mut figure = Figure::new(median as f64, "people");
        figure.generator_bound = bound;
        let figure = if kind == "all" { figure.held_to(">=", 1_000.0, "value") } else { figure };
        report.figure(&format!("motion_people_{kind}"), figure);
    }
    Ok(())
}

/// A fresh server, so many people, one run.
fn step(options: &Options, stage: &Stage, (people, objects): (usize, usize)) -> Result<Outcome> {
    let server = MotionServer::start(options.server, stage, &options.plane)?;
    let lines = NetcodeLines::new(&server.tokens(people)?, server.address())?;
    let cast = Cast { people, decoders: limits::MOTION_DECODERS.min(people), objects, seed: options.seed };
    let mut crowd = Crowd::new(cast, lines, Box::new(RandomWalk::new(people, options.seed)));
    crowd.enter().with_context(|| format!("{people} people"))?;
    crowd.await_changes((people * objects) as u32)?;
    let measured = options.step_s;
    watch(&mut crowd, &server, &Watch { cast, measured_s: measured })
}

/// What is watched.
struct Watch {
    cast: Cast,
    measured_s: u64,
}

fn watch<L: Lines>(crowd: &mut Crowd<L>, server: &MotionServer<'_>, watch: &Watch) -> Result<Outcome> {
    let &Watch { cast, measured_s } = watch;
    let from_us = crowd.now_us() + limits::WARM_UP.as_micros() as u64;
    let to_us = from_us + measured_s * 1_000_000;
    crowd.open_book((from_us, to_us));
    crowd.drive(from_us)?;
    let (generator, in_server) = (thread_time(), process_time(server.pid()));
    let (came, line, overflowed) = (crowd.came(), crowd.counts(), overflowed_at(server.address()));
    crowd.drive(to_us)?;
    let wall = measured_s as f64;
    let generator_load = (thread_time() - generator).as_secs_f64() / wall;
    let server_load = process_time(server.pid()).saturating_sub(in_server).as_secs_f64() / wall;
    let (came_since, line_since) = (crowd.came().since(&came), crowd.counts().since(&line));
    let book = crowd.close_book().context("it was opened")?;
    Ok(Outcome {
        people: cast.people,
        rates: book.rates(limits::MOTION_POSES_PER_S_MIN),
        staleness: book.staleness(),
        delivery: book.delivery(),
        datagrams_per_s: line_since.opened as f64 / wall,
        bytes_per_receiver_s: line_since.bytes as f64 / wall / cast.people as f64,
        frames_lost: came_since.sent.saturating_sub(came_since.frames),
        server_overflowed: overflowed_at(server.address()) - overflowed,
        line: line_since,
        thinned_per_mille: crowd.qualities().map(|quality| quality.thinned_per_mille).max().unwrap_or(0),
        generator_load,
        server_load,
        server_rss_kib: resident_kib(server.pid()),
        pairs: cast.decoders * cast.people * cast.objects,
    })
}
