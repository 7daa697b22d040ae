//! From a click to the update that it brings, by where the agent is that answers it: figure 9 of paper 000. Figures `arena_click_{local,lan,wifi,wan}_ms` (median, an agent with
//! Stoa's Python library), the same of unmodified arena-py (`arena_click_arena_py_…`) and of an agent that is as bare as can be (`arena_click_bare_…`, mosquitto beside it).
//!
//! Clicker and server are on this machine; the way that is emulated is the agent's, so a click crosses it twice: as the event, and as the update.

use std::time::{Duration, Instant};

use anyhow::Result;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::agent::{Agent, AgentKind, Place, Pythons};
use super::clicker::{Clicker, Clicks, Delays, clicker};
use super::way::Distance;
use crate::load::line::Transport;
use crate::machine::process_time;
use crate::report::{Figure, Reference, Report};
use crate::servers::{Kind, Rights, Stage, login};
use crate::setting::Setting;
use crate::statistics::median;

/// What it finds.
pub(crate) const FIGURES: &[&str] =
    &["arena_click_{local,lan,wifi,wan}_ms", "arena_click_arena_py_{…}_ms", "arena_click_bare_{…}_ms"];

/// Options of the click experiment.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Options {
    /// Clicks a second
    #[arg(long, default_value_t = 10.0)]
    rate_hz: f64,
    /// Clicks of a run that count
    #[arg(long, default_value_t = 200)]
    clicks: usize,
    /// Runs of each agent at each place; the median of their medians is told
    #[arg(long, default_value_t = 3)]
    runs: usize,
    /// Only these agents: lab, stoa-xr, arena-py
    #[arg(long, value_delimiter = ',')]
    agents: Vec<AgentKind>,
    /// A wired local network: its delay each way, in milliseconds
    #[arg(long, default_value_t = 0.5)]
    lan_ms: f64,
    /// At most so much more
    #[arg(long, default_value_t = 0.2)]
    lan_jitter_ms: f64,
    /// A wireless local network
    #[arg(long, default_value_t = 2.0)]
    wifi_ms: f64,
    /// At most so much more
    #[arg(long, default_value_t = 3.0)]
    wifi_jitter_ms: f64,
    /// A nearby cloud
    #[arg(long, default_value_t = 10.0)]
    wan_ms: f64,
    /// At most so much more
    #[arg(long, default_value_t = 5.0)]
    wan_jitter_ms: f64,
    /// Of the clicks' moments, and of the ways' jitter
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    pythons: Pythons,
}

/// What is measured on what, and how its figures begin.
const PAIRS: [(Kind, AgentKind, &str); 4] = [
    (Kind::Stoa, AgentKind::StoaXr, "arena_click"),
    (Kind::Stoa, AgentKind::ArenaPy, "arena_click_arena_py"),
    (Kind::Stoa, AgentKind::Lab, "arena_click_bare"),
    (Kind::Mosquitto, AgentKind::Lab, "mosquitto"),
];

/// Where the agent is.
#[derive(Clone, Copy, Debug)]
struct Placement {
    name: &'static str,
    /// None: on the server's machine.
    distance: Option<Distance>,
    /// Where the paper says that its delays are about: the text of section 5.3 and, for wireless, of the introduction. Its figure 9 is a picture.
    paper_ms: Option<f64>,
}

/// What one run found.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Outcome {
    delays: Delays,
    /// Shares of one core.
    agent_load: f64,
    server_load: f64,
}

impl Options {
    fn placements(&self) -> [Placement; 4] {
        let away = |delay_ms: f64, jitter_ms: f64| {
            let [delay, jitter] = [delay_ms, jitter_ms].map(|ms| Duration::from_secs_f64(ms / 1e3));
            Some(Distance { delay, jitter, seed: self.seed })
        };
        [
            Placement { name: "local", distance: None, paper_ms: None },
            Placement { name: "lan", distance: away(self.lan_ms, self.lan_jitter_ms), paper_ms: Some(10.0) },
            Placement { name: "wifi", distance: away(self.wifi_ms, self.wifi_jitter_ms), paper_ms: Some(20.0) },
            Placement { name: "wan", distance: away(self.wan_ms, self.wan_jitter_ms), paper_ms: Some(40.0) },
        ]
    }

    fn wants(&self, agent: AgentKind) -> bool {
        self.agents.is_empty() || self.agents.contains(&agent)
    }
}

pub(crate) fn run(options: &Options, setting: &Setting) -> Result<Report> {
    let placements = options.placements();
    let told: Vec<Value> =
        placements.iter().map(|place| json!({ "name": place.name, "each_way": place.distance })).collect();
    let parameters = json!({
        "rate_hz": options.rate_hz, "clicks": options.clicks, "runs": options.runs, "seed": options.seed, "placements": told,
    });
    let mut report = Report::new("arena-click", parameters);
    let stage = Stage::new(setting.stoa()?)?;
    // The realm makes its authority at its first start.
    drop(Kind::Stoa.start(&stage)?);
    let mut medians_ms = Vec::new();
    for (kind, agent, name) in PAIRS.into_iter().filter(|(_, agent, _)| options.wants(*agent)) {
        let versions = kind.version(&stage).and_then(|version| Ok((version, options.pythons.version(agent)?)));
        let (version, with) = match versions {
            Ok(versions) => versions,
            Err(error) => {
                eprintln!("{name}: left out: {error:#}");
                report.left_out(vec![json!({ "server": kind.name(), "agent": agent, "why": format!("{error:#}") })]);
                continue;
            }
        };
        report.version(kind.name(), &version);
        let mut places = Vec::new();
        for placement in placements {
            let mut outcomes = Vec::new();
            for turn in 0..options.runs as u64 {
                let outcome = step(options, (&stage, kind, agent), (placement, turn))?;
                eprintln!("{name} {} {}: {}", placement.name, turn + 1, serde_json::to_string(&outcome)?);
                outcomes.push(outcome);
            }
            let p50_ms = median(&outcomes.iter().map(|outcome| outcome.delays.p50_ms).collect::<Vec<_>>());
            let p95_ms = median(&outcomes.iter().map(|outcome| outcome.delays.p95_ms).collect::<Vec<_>>());
            medians_ms.push((kind, agent, placement.name, p50_ms));
            places.push(json!({ "place": placement.name, "p50_ms": p50_ms, "p95_ms": p95_ms, "runs": outcomes }));
        }
        report.series(name, json!({ "server": kind.name(), "agent": agent, "agent_version": with, "places": places }));
    }
    tell(&mut report, &placements, &medians_ms);
    Ok(report.finish())
}

/// A fresh server and a fresh agent, so many clicks.
fn step(
    options: &Options,
    (stage, kind, agent): (&Stage, Kind, AgentKind),
    (placement, turn): (Placement, u64),
) -> Result<Outcome> {
    let server = kind.start(stage)?;
    let seed = options.seed + 1_000 * turn;
    let distance = placement.distance.map(|distance| Distance { seed, ..distance });
    // The clicker first: the agent's object is then news for it, as everything else.
    let password = login(kind, stage, Rights::Scene)(&clicker())?;
    let mut clicker = Clicker::enter(&server.door(Transport::Tcp)?, password.as_deref())?;
    let place = Place { stage, kind, server: &server, distance };
    let agent = Agent::start(agent, &place, &options.pythons)?;
    let (in_agent, in_server, began) = (agent.processor_time(), process_time(server.pid()), Instant::now());
    let delays = clicker.run(Clicks { rate_hz: options.rate_hz, count: options.clicks, seed })?;
    let share =
        |after: Duration, before: Duration| after.saturating_sub(before).as_secs_f64() / began.elapsed().as_secs_f64();
    let agent_load = share(agent.processor_time(), in_agent);
    Ok(Outcome { delays, agent_load, server_load: share(process_time(server.pid()), in_server) })
}

fn tell(report: &mut Report, placements: &[Placement], medians_ms: &[(Kind, AgentKind, &str, f64)]) {
    let of = |kind: Kind, agent: AgentKind, place: &str| {
        medians_ms.iter().find(|found| (found.0, found.1, found.2) == (kind, agent, place)).map(|found| found.3)
    };
    for (kind, agent, name) in PAIRS.into_iter().filter(|(kind, ..)| *kind == Kind::Stoa) {
        for placement in placements {
            let Some(p50_ms) = of(kind, agent, placement.name) else { continue };
            let figure = Figure::new(p50_ms, "ms");
            let figure = match (agent, of(Kind::Mosquitto, agent, placement.name), placement.paper_ms) {
                (AgentKind::Lab, Some(value), _) => figure.beside(Reference {
                    name: "mosquitto".to_owned(),
                    version: report.version_of("mosquitto"),
                    value,
                }),
                (AgentKind::StoaXr | AgentKind::ArenaPy, _, Some(value)) => {
                    let name = "ARENA (paper 000, section 5.3: about)".to_owned();
                    figure.beside(Reference { name, version: "2021".to_owned(), value })
                }
                _ => figure,
            };
            report.figure(&format!("{name}_{}_ms", placement.name), figure);
        }
    }
}
