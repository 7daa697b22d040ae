//! Measures the delay from a click to the update that answers it, for four network paths to the agent: figure 9 of
//! paper 000. Figures `arena_click_{local,lan,wifi,wan}_ms` are medians with Stoa's Python library,
//! `arena_click_arena_py_…` with unmodified arena-py, and `arena_click_bare_…` with a bare agent, with mosquitto as its
//! reference.
//!
//! A page clicks too (`arena_click_page_…`, an agent with Stoa's library): from the mouse button to the update's
//! arrival in the page. The page is closed-loop as a person is: it waits for each answer before the next click. A
//! press waits for the page's next render frame, and without a graphics card render frames are rare.
//!
//! Clicker and server are on this machine. The emulated path is the agent's, so a click crosses it twice: as the
//! event, and as the update.

mod page;

use std::collections::BTreeMap;
use std::fmt;
use std::time::{Duration, Instant};

use anyhow::Result;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::agent::{AgentImplementation, ClickAgent, DistantServer, PythonInterpreters};
use super::clicker::{ClickDelaySummary, ClickScheduleSettings, Clicker, clicker};
use super::delay_proxy::LinkDelay;
use crate::browser::BrowserScripts;
use crate::choice;
use crate::environment::ExperimentContext;
use crate::load::connection::MqttTransport;
use crate::machine::process_time;
use crate::papers::numbers;
use crate::plot::{Axis, Curve, Plot};
use crate::report::{Figure, ReferenceSystemMeasurement, Report, Table};
use crate::servers::{IssuedTokenScope, MqttServerKind, Testbed, login};
use crate::statistics::{median, rounded};

/// The figures of the report.
pub(crate) const FIGURES: &[&str] = &[
    "arena_click_local_ms",
    "arena_click_lan_ms",
    "arena_click_wifi_ms",
    "arena_click_wan_ms",
    "arena_click_arena_py_local_ms",
    "arena_click_arena_py_lan_ms",
    "arena_click_arena_py_wifi_ms",
    "arena_click_arena_py_wan_ms",
    "arena_click_bare_local_ms",
    "arena_click_bare_lan_ms",
    "arena_click_bare_wifi_ms",
    "arena_click_bare_wan_ms",
    "arena_click_page_local_ms",
    "arena_click_page_lan_ms",
    "arena_click_page_wifi_ms",
    "arena_click_page_wan_ms",
];

/// Options of the click experiment.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Options {
    /// Clicks a second
    #[arg(long, default_value_t = 10.0)]
    rate_hz: f64,
    /// Clicks that count in each run
    #[arg(long, default_value_t = 200)]
    clicks: usize,
    /// Runs of each agent on each path; the report has the median of their medians
    #[arg(long, default_value_t = 3)]
    runs: usize,
    /// Measure only these agents
    #[arg(long, value_delimiter = ',')]
    agents: Vec<AgentImplementation>,
    /// Measure only these paths
    #[arg(long, value_delimiter = ',')]
    places: Vec<NetworkPathKind>,
    /// Delay of the wired local network each way, in milliseconds
    #[arg(long, default_value_t = 0.5)]
    lan_ms: f64,
    /// Maximum additional delay of the wired local network, in milliseconds
    #[arg(long, default_value_t = 0.2)]
    lan_jitter_ms: f64,
    /// Delay of the wireless local network each way, in milliseconds
    #[arg(long, default_value_t = 2.0)]
    wifi_ms: f64,
    /// Maximum additional delay of the wireless local network, in milliseconds
    #[arg(long, default_value_t = 3.0)]
    wifi_jitter_ms: f64,
    /// Delay of the nearby cloud each way, in milliseconds
    #[arg(long, default_value_t = 10.0)]
    wan_ms: f64,
    /// Maximum additional delay of the nearby cloud, in milliseconds
    #[arg(long, default_value_t = 5.0)]
    wan_jitter_ms: f64,
    /// Seed of the clicks' times and of the paths' jitter
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Clicks of a page in each run; 0 measures no page
    #[arg(long, default_value_t = 50)]
    page_clicks: usize,
    #[command(flatten)]
    pythons: PythonInterpreters,
    #[command(flatten)]
    scripts: BrowserScripts,
}

/// Server, agent, and the prefix of the figures' names.
type AgentMeasurementCase = (MqttServerKind, AgentImplementation, &'static str);
const PAIRS: [AgentMeasurementCase; 4] = [
    (MqttServerKind::Stoa, AgentImplementation::StoaXr, "arena_click"),
    (MqttServerKind::Stoa, AgentImplementation::ArenaPy, "arena_click_arena_py"),
    (MqttServerKind::Stoa, AgentImplementation::Lab, "arena_click_bare"),
    (MqttServerKind::Mosquitto, AgentImplementation::Lab, MOSQUITTO),
];
const MOSQUITTO: &str = "mosquitto";

/// The kind of a path to the agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
enum NetworkPathKind {
    /// On the server's machine
    Local,
    /// A wired local network
    Lan,
    /// A wireless local network
    Wifi,
    /// A nearby cloud
    Wan,
}

impl fmt::Display for NetworkPathKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&choice::word(*self))
    }
}

/// A path to the agent.
#[derive(Clone, Copy, Debug)]
struct EmulatedAgentPath {
    name: NetworkPathKind,
    /// `None` on the server's machine.
    distance: Option<LinkDelay>,
    /// The paper's approximate delay: the text of section 5.3, and of the introduction for wireless. Its figure 9
    /// is a picture.
    paper: Option<(&'static str, f64)>,
}

/// The results of one run.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct ClickOutcome {
    delays: ClickDelaySummary,
    /// Shares of one core. The clicker's is that of the lab, with the emulated paths and the lab's agent.
    clicker_load: f64,
    agent_load: f64,
    server_load: f64,
}

impl Options {
    fn placements(&self) -> Result<Vec<EmulatedAgentPath>> {
        let away = |delay_ms: f64, jitter_ms: f64| {
            let [delay, jitter] = [delay_ms, jitter_ms].map(|ms| Duration::from_secs_f64(ms / 1e3));
            Some(LinkDelay { delay, jitter, seed: self.seed })
        };
        let all = [
            EmulatedAgentPath { name: NetworkPathKind::Local, distance: None, paper: None },
            EmulatedAgentPath {
                name: NetworkPathKind::Lan,
                distance: away(self.lan_ms, self.lan_jitter_ms),
                paper: Some(("000, section 5.3: under 10 ms", numbers::CLICK_LAN_MS.read()?)),
            },
            EmulatedAgentPath {
                name: NetworkPathKind::Wifi,
                distance: away(self.wifi_ms, self.wifi_jitter_ms),
                paper: Some(("000, section 1: below 20 ms", numbers::CLICK_WIFI_MS.read()?)),
            },
            EmulatedAgentPath {
                name: NetworkPathKind::Wan,
                distance: away(self.wan_ms, self.wan_jitter_ms),
                paper: Some(("000, section 5.3: often under 40 ms", numbers::CLICK_WAN_MS.read()?)),
            },
        ];
        Ok(all.into_iter().filter(|placement| choice::has(&self.places, &placement.name)).collect())
    }

    fn wants(&self, agent: AgentImplementation) -> bool {
        choice::has(&self.agents, &agent)
    }
}

pub(crate) fn run(options: &Options, setting: &ExperimentContext) -> Result<Report> {
    let placements = options.placements()?;
    let told: Vec<Value> =
        placements.iter().map(|placement| json!({ "name": placement.name, "each_way": placement.distance })).collect();
    let parameters = json!({
        "rate_hz": options.rate_hz, "clicks": options.clicks, "runs": options.runs, "seed": options.seed, "placements": told,
    });
    let mut report = Report::new("arena-click", parameters);
    let testbed = Testbed::new(setting.stoa()?)?;
    // The realm makes its certificate authority at its first start.
    drop(MqttServerKind::Stoa.start(&testbed)?);
    let pairs = at_hand(&mut report, options, &testbed);
    let mut outcomes: ClickOutcomes = BTreeMap::new();
    // The runs take turns, so that a drift of the machine affects all.
    for turn in 0..options.runs as u64 {
        for &placement in &placements {
            for &(kind, agent, name) in &pairs {
                let key = json!({ "pair": name, "place": placement.name, "run": turn + 1 });
                let outcome = setting.step(key, || step(options, (&testbed, kind, agent), (placement, turn)))?;
                outcomes.entry((name, placement.name)).or_default().push(outcome);
            }
        }
    }
    for &(kind, agent, name) in &pairs {
        let told = |path: &EmulatedAgentPath| json!({ "place": path.name, "runs": outcomes[&(name, path.name)] });
        let places: Vec<Value> = placements.iter().map(told).collect();
        report.series(name, json!({ "server": kind.name(), "agent": agent, "places": places }));
    }
    tell(&mut report, &placements, &outcomes);
    if options.page_clicks > 0 && pairs.iter().any(|(_, agent, _)| *agent == AgentImplementation::StoaXr) {
        page::measure(&mut report, options, (&testbed, setting))?;
    }
    draw(setting, (&placements, &pairs), &outcomes)?;
    Ok(report.finish())
}

/// By the names of pair and path.
type ClickOutcomes = BTreeMap<(&'static str, NetworkPathKind), Vec<ClickOutcome>>;

/// The pairs that can be measured here. The report has the reason for the missing ones.
fn at_hand(report: &mut Report, options: &Options, testbed: &Testbed) -> Vec<AgentMeasurementCase> {
    let mut pairs = Vec::new();
    for (kind, agent, name) in PAIRS.into_iter().filter(|(_, agent, _)| options.wants(*agent)) {
        let versions = kind.version(testbed).and_then(|version| Ok((version, options.pythons.version(agent)?)));
        match versions {
            Ok((version, with)) => {
                report.version(kind.name(), &version);
                if agent != AgentImplementation::Lab {
                    report.version(agent.name(), &with);
                }
                pairs.push((kind, agent, name));
            }
            Err(error) => {
                eprintln!("{name}: left out: {error:#}");
                report.left_out(vec![json!({ "server": kind.name(), "agent": agent, "why": format!("{error:#}") })]);
            }
        }
    }
    pairs
}

/// One run with a fresh server and a fresh agent.
fn step(
    options: &Options,
    (testbed, kind, agent): (&Testbed, MqttServerKind, AgentImplementation),
    (placement, turn): (EmulatedAgentPath, u64),
) -> Result<ClickOutcome> {
    let server = kind.start(testbed)?;
    let seed = options.seed + 1_000 * turn;
    let distance = placement.distance.map(|distance| LinkDelay { seed, ..distance });
    // The clicker enters first, so that the agent's object is news for it.
    let password = login(kind, testbed, IssuedTokenScope::Scene)(&clicker())?;
    let mut clicker = Clicker::enter(&server.endpoint(MqttTransport::Tcp)?, password.as_deref())?;
    let target = DistantServer { testbed, kind, server: &server, distance };
    let agent = ClickAgent::start(agent, &target, &options.pythons)?;
    let own = std::process::id();
    let (in_agent, in_server, in_lab) = (agent.processor_time(), process_time(server.pid()), process_time(own));
    let began = Instant::now();
    let delays = clicker.run(ClickScheduleSettings {
        after: Duration::ZERO,
        rate_hz: options.rate_hz,
        count: options.clicks,
        seed,
    })?;
    let share =
        |after: Duration, before: Duration| after.saturating_sub(before).as_secs_f64() / began.elapsed().as_secs_f64();
    Ok(ClickOutcome {
        delays,
        clicker_load: share(process_time(own), in_lab),
        agent_load: share(agent.processor_time(), in_agent),
        server_load: share(process_time(server.pid()), in_server),
    })
}

/// The median over the runs of one of their percentiles.
fn of_runs(outcomes: &[ClickOutcome], part: fn(&ClickDelaySummary) -> f64) -> f64 {
    median(&outcomes.iter().map(|outcome| part(&outcome.delays)).collect::<Vec<_>>())
}

fn tell(report: &mut Report, placements: &[EmulatedAgentPath], outcomes: &ClickOutcomes) {
    let p50_ms = |name, placement| outcomes.get(&(name, placement)).map(|runs| of_runs(runs, |delays| delays.p50_ms));
    let mut rows = Vec::new();
    for (kind, agent, name) in PAIRS {
        for placement in placements {
            let Some(runs) = outcomes.get(&(name, placement.name)) else { continue };
            let [p50, p95] = [of_runs(runs, |delays| delays.p50_ms), of_runs(runs, |delays| delays.p95_ms)];
            let paper = placement.paper.map_or(json!("–"), |(_, about_ms)| json!(format!("about {about_ms}")));
            let medians = runs.iter().map(|outcome| outcome.delays.p50_ms);
            let [least, most] = [medians.clone().fold(f64::MAX, f64::min), medians.fold(0.0, f64::max)];
            rows.push(vec![
                json!(kind.name()),
                json!(agent.name()),
                json!(placement.name),
                json!(rounded(p50)),
                json!(format!("{least:.1}–{most:.1}")),
                json!(rounded(p95)),
                paper,
            ]);
            if kind != MqttServerKind::Stoa {
                continue;
            }
            let mut figure = Figure::new(p50, "ms");
            if let (AgentImplementation::Lab, Some(value)) = (agent, p50_ms(MOSQUITTO, placement.name)) {
                let name = MqttServerKind::Mosquitto.name();
                let (name, version) = (name.to_owned(), report.version_of(name));
                figure = figure.beside(ReferenceSystemMeasurement { name, version, value, generator_bound: false });
            }
            if let Some((source, about_ms)) = placement.paper {
                figure = figure.published(source, about_ms);
            }
            report.figure(&format!("{name}_{}_ms", placement.name), figure);
        }
    }
    let title = "From a click to the update that answers it, by the path to the agent (figure 9)".to_owned();
    let columns =
        ["server", "agent", "place", "median, ms", "of runs, ms", "p95, ms", "paper, ms"].map(str::to_owned).into();
    report.table(Table { title, columns, rows });
}

fn draw(
    setting: &ExperimentContext,
    (placements, pairs): (&[EmulatedAgentPath], &[AgentMeasurementCase]),
    outcomes: &ClickOutcomes,
) -> Result<()> {
    // The mean delay each way: jitter adds half of its maximum.
    let away_ms = |placement: &EmulatedAgentPath| {
        placement.distance.map_or(0.0, |distance| (distance.delay + distance.jitter / 2).as_secs_f64() * 1e3)
    };
    let curve = |(kind, agent, name): &AgentMeasurementCase| {
        let points = placements.iter().map(|placement| {
            (away_ms(placement), of_runs(&outcomes[&(*name, placement.name)], |delays| delays.p50_ms))
        });
        Curve::new(format!("{}, {}", agent.name(), kind.name()), points)
    };
    let about = placements.iter().filter_map(|placement| Some((away_ms(placement), placement.paper?.1)));
    let paper = Curve::new("paper, about", about).dashed();
    let plot = Plot {
        title: "From a click to its update (paths emulated in user space)".to_owned(),
        x: Axis::linear("the agent's path, ms each way"),
        y: Axis::linear("ms (median)"),
        limit: None,
        curves: pairs.iter().map(curve).chain([paper]).collect(),
    };
    setting.draw("click.svg", &plot)
}
