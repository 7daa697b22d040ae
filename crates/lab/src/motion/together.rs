//! How many can be together where everybody sees everybody. Figures `motion_people_all` and `motion_people_hands`.

use anyhow::{Context, Result};
use serde_json::json;

use super::watch::{Outcome, Watch, watch};
use super::{Options, beside};
use crate::bots::random_walk::RandomWalk;
use crate::crowd::lines::NetcodeLines;
use crate::crowd::{Cast, Crowd};
use crate::limits;
use crate::report::{Figure, Report};
use crate::search::Search;
use crate::servers::Stage;
use crate::servers::motion::MotionServer;

/// What one kind of person shows, and the figure's name.
const KINDS: [(&str, usize, usize); 2] = [("all", 1, 1_000), ("hands", 3, 500)];

pub(super) fn measure(report: &mut Report, options: &Options, stage: &Stage) -> Result<()> {
    for (kind, objects, first_guess) in KINDS.into_iter().filter(|(kind, ..)| options.has(kind)) {
        let (mut outcomes, mut largest, mut bound) = (Vec::new(), Vec::new(), false);
        let mut bears = |people: usize| {
            let outcome = step(options, stage, (people, objects))?;
            eprintln!("  {kind} {people}: {}", serde_json::to_string(&outcome)?);
            let holds = outcome.holds();
            bound |= !holds && outcome.is_generator_bound();
            outcomes.push(outcome);
            Ok(holds)
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
        if kind == "all" {
            let number = options.people.iter().copied().max().unwrap_or(median);
            if options.has("beside") {
                figure = figure.beside(beside::relay(report, options, number)?);
                beside::cameras(report, options, (stage, number))?;
            }
            figure = figure.held_to(">=", 1_000.0, "value");
        }
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
