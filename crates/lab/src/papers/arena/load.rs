//! Measures the delay of an agent that answers clicks, bandwidth, memory and processor time, over the number of users
//! on one server: figure 10 of paper 000. Figure `arena_users`, with mosquitto, the paper's broker, as reference. The
//! paper's figure 11, its clusters, is added as arithmetic.
//!
//! Each user sends its pose ten times a second and receives the poses of all users, its own included. The clicker is
//! one more client: its answers arrive among everyone's cameras, as in the paper. The agent receives clicks only.

use std::thread::scope;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::agent::{AgentImplementation, ClickAgent, DistantServer, PythonInterpreters};
use super::clicker::{ClickDelaySummary, ClickScheduleSettings, Clicker, clicker};
use crate::choice;
use crate::environment::ExperimentContext;
use crate::limits;
use crate::load::connection::MqttTransport;
use crate::load::ledger::or_never;
use crate::load::packet;
use crate::load::person::{PersonIdentifiers, camera};
use crate::load::swarm::{MqttSwarm, SwarmPlan};
use crate::machine::own_time;
use crate::papers::numbers;
use crate::plot::{Axis, Curve, Plot};
use crate::report::{Figure, ReferenceSystemMeasurement, Report, Table};
use crate::search::{CapacitySearch, LadderSearch, if_carried};
use crate::servers::{IssuedTokenScope, MqttServerKind, Testbed, login};
use crate::statistics::{median, rounded};

/// The figures of the report.
pub(crate) const FIGURES: &[&str] = &["arena_users"];

const KINDS: [MqttServerKind; 2] = [MqttServerKind::Stoa, MqttServerKind::Mosquitto];
/// Searches end when the gap is this share of the number.
const RESOLUTION: f64 = 0.04;

/// Options of the load experiment.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Options {
    /// Numbers of users to try, ascending, until one is not carried
    #[arg(long, value_delimiter = ',', default_values_t = [10, 20, 40, 80, 120, 150, 160, 180, 240, 320, 480, 560, 640, 720, 800])]
    users: Vec<usize>,
    /// Camera messages a second of each user
    #[arg(long, default_value_t = limits::RATE_HZ)]
    rate_hz: f64,
    /// Clicks a second
    #[arg(long, default_value_t = 20.0)]
    click_hz: f64,
    /// Limit of the agent's delay (99th percentile), in milliseconds
    #[arg(long, default_value_t = 250.0)]
    agent_ms_max: f64,
    /// Seconds that count in each step
    #[arg(long, default_value_t = 10)]
    step_s: u64,
    /// Searches of each server; the report has their median. The first begins with the given numbers
    #[arg(long, default_value_t = 3)]
    runs: usize,
    /// Measure only these numbers: the result is the largest that is carried
    #[arg(long)]
    no_search: bool,
    /// Measure only these servers
    #[arg(long, value_delimiter = ',', value_parser = choice::one_of(&KINDS))]
    only: Vec<MqttServerKind>,
    /// Seed of the clicks' times
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    pythons: PythonInterpreters,
}

/// The results for one number of users.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct LoadPoint {
    users: usize,
    agent: ClickDelaySummary,
    #[serde(deserialize_with = "or_never")]
    staleness_p99_ms: f64,
    #[serde(deserialize_with = "or_never")]
    delivery_p99_ms: f64,
    undelivered: f64,
    /// MQTT bytes of delivered cameras, without the headers of TCP and IP.
    bytes_out_per_s: f64,
    /// Shares of one core.
    server_load: f64,
    generator_load: f64,
    server_rss_kib: f64,
}

impl LoadPoint {
    /// Whether the limits hold. An unanswered click counts with its wait, a second or more. Less than one in a hundred
    /// may be unanswered.
    fn holds(&self, options: &Options) -> bool {
        self.agent.p99_ms < options.agent_ms_max
            && self.agent.unanswered < limits::UNDELIVERED_MAX
            && self.undelivered < limits::UNDELIVERED_MAX
    }
}

/// One server's results.
struct LoadServerResults {
    kind: MqttServerKind,
    version: String,
    points: Vec<LoadPoint>,
    largest: Vec<usize>,
    /// Numbers of users that could not be served, with the reason.
    failed: Vec<Value>,
    /// A step failed while the generator was at its limit.
    bound: bool,
}

pub(crate) fn run(options: &Options, setting: &ExperimentContext) -> Result<Report> {
    let parameters = json!({
        "users": options.users, "rate_hz": options.rate_hz, "payload_bytes": limits::PAYLOAD_BYTES, "click_hz": options.click_hz,
        "step_s": options.step_s, "runs": options.runs, "seed": options.seed,
        "limits": { "agent_p99_ms": options.agent_ms_max, "undelivered": limits::UNDELIVERED_MAX },
    });
    let mut report = Report::new("arena-load", parameters);
    let testbed = Testbed::new(setting.stoa()?)?;
    let mut contenders = Vec::new();
    for kind in KINDS.into_iter().filter(|kind| choice::has(&options.only, kind)) {
        match kind.version(&testbed) {
            Ok(version) => {
                contenders.push(LoadServerResults {
                    kind,
                    version,
                    points: Vec::new(),
                    largest: Vec::new(),
                    failed: Vec::new(),
                    bound: false,
                });
            }
            Err(error) => report.left_out(vec![json!({ "server": kind.name(), "why": format!("{error:#}") })]),
        }
    }
    for run in 0..options.runs {
        for contender in &mut contenders {
            eprintln!("{}, run {} of {}", contender.kind.name(), run + 1, options.runs);
            contender.measure(options, (&testbed, setting), run)?;
        }
    }
    tell(&mut report, &contenders)?;
    draw(setting, options, &contenders)?;
    Ok(report.finish())
}

impl LoadServerResults {
    fn measure(
        &mut self,
        options: &Options,
        (testbed, setting): (&Testbed, &ExperimentContext),
        run: usize,
    ) -> Result<()> {
        let mut bears = |users: usize| {
            let key = json!({ "server": self.kind.name(), "run": run + 1, "users": users });
            let point = match setting.step(key, || if_carried(step(options, (testbed, self.kind), users)))? {
                Ok(point) => point,
                Err(error) => {
                    self.failed.push(json!({ "users": users, "error": error }));
                    return Ok(false);
                }
            };
            let holds = point.holds(options);
            self.bound |= !holds && point.generator_load > limits::GENERATOR_LOAD_MAX;
            self.points.push(point);
            Ok(holds)
        };
        let largest = match self.largest.last() {
            Some(&from) if run > 0 && !options.no_search => {
                CapacitySearch { from, resolution: RESOLUTION, most: limits::USERS_MAX }.largest(&mut bears)?
            }
            _ => {
                let resolution = if options.no_search { f64::INFINITY } else { RESOLUTION };
                let ladder = LadderSearch { rungs: options.users.clone(), resolution, runs: 1 };
                ladder.largest(|users, _| bears(users))?
            }
        };
        self.largest.push(largest);
        Ok(())
    }

    fn median(&self) -> f64 {
        median(&self.largest())
    }

    fn largest(&self) -> Vec<f64> {
        self.largest.iter().map(|users| *users as f64).collect()
    }
}

/// One run with a fresh server, a clicker and an agent.
fn step(options: &Options, (testbed, kind): (&Testbed, MqttServerKind), users: usize) -> Result<LoadPoint> {
    let server = kind.start(testbed)?;
    let endpoint = server.endpoint(MqttTransport::Tcp)?;
    let login = login(kind, testbed, IssuedTokenScope::Scene);
    let mut clicking = Clicker::enter(&endpoint, login(&clicker())?.as_deref())?;
    let target = DistantServer { testbed, kind, server: &server, distance: None };
    let _agent = ClickAgent::start(AgentImplementation::Lab, &target, &options.pythons)?;
    let mut swarm =
        MqttSwarm::enter(users, &endpoint, &login).with_context(|| format!("{users} users at {}", kind.name()))?;
    let clicks = ClickScheduleSettings {
        after: limits::WARM_UP,
        rate_hz: options.click_hz,
        count: (options.click_hz * options.step_s as f64) as usize,
        seed: options.seed,
    };
    let plan = SwarmPlan { people: users, rate_hz: options.rate_hz, measured: Duration::from_secs(options.step_s) };
    let (generator, began) = (own_time(), Instant::now());
    let (outcome, agent) = scope(|scope| {
        let clicked = scope.spawn(|| clicking.run(clicks));
        let outcome = swarm.run(&plan, server.pid());
        (outcome, clicked.join().expect("clicking does not panic"))
    });
    let (outcome, agent) = (outcome?, agent?);
    // Clicker and agent are threads of their own on the generator's core.
    let generator_load = (own_time() - generator).as_secs_f64() / began.elapsed().as_secs_f64();
    Ok(LoadPoint {
        users,
        agent,
        staleness_p99_ms: outcome.staleness.p99_ms,
        delivery_p99_ms: outcome.delivery.p99_ms,
        undelivered: outcome.undelivered,
        bytes_out_per_s: outcome.deliveries_per_s * camera_packet_bytes() as f64,
        server_load: outcome.server_load,
        generator_load: outcome.generator_load.max(generator_load),
        server_rss_kib: outcome.server_rss_kib,
    })
}

/// Bytes of a camera message as an MQTT packet; all have the same size.
fn camera_packet_bytes() -> usize {
    let (name, mut payload) = (PersonIdentifiers::of(0), String::new());
    camera(&name, 0, 0, &mut payload);
    packet::publish(&name.camera_topic(), payload.as_bytes(), None).len()
}

fn tell(report: &mut Report, contenders: &[LoadServerResults]) -> Result<()> {
    for contender in contenders {
        report.version(contender.kind.name(), &contender.version);
        let points = json!({ "largest": contender.largest, "steps": contender.points, "failed": contender.failed });
        report.series(contender.kind.name(), points);
    }
    let of = |kind: MqttServerKind| contenders.iter().find(|contender| contender.kind == kind);
    let Some(ours) = of(MqttServerKind::Stoa) else { return Ok(()) };
    let mut figure = Figure::of_runs(&ours.largest(), "users");
    figure.generator_bound = ours.bound;
    if let Some(other) = of(MqttServerKind::Mosquitto) {
        let (name, version) = (other.kind.name().to_owned(), other.version.clone());
        figure = figure.beside(ReferenceSystemMeasurement {
            name,
            version,
            value: other.median(),
            generator_bound: other.bound,
        });
    }
    report.figure("arena_users", figure.published("000, Fig. 10: 150 to 160", numbers::LOAD_USERS.read()?));
    let mut rows: Vec<Vec<Value>> = Vec::new();
    for contender in contenders {
        let mut points: Vec<&LoadPoint> = contender.points.iter().collect();
        points.sort_by_key(|point| point.users);
        rows.extend(points.into_iter().map(|point| point.row(contender.kind)));
    }
    let columns =
        ["server", "users", "agent p50, ms", "agent p99, ms", "undelivered", "MB/s out", "of a core", "memory, MiB"];
    let told: Vec<PaperBrokerLoad> = numbers::LOAD_SERVER.read()?;
    let told =
        told.iter().map(|point| format!("{:.0} % of the processor at {}", 100.0 * point.of_a_processor, point.users));
    let (told, most) = (told.collect::<Vec<_>>().join(", "), numbers::LOAD_BYTES_PER_S.read()? / 1e6);
    let title = format!("One server's load (figure 10: {told} users, then {most} MB/s)");
    report.table(Table { title, columns: columns.map(str::to_owned).into(), rows });
    report.table(clusters(ours)?);
    Ok(())
}

impl LoadPoint {
    fn row(&self, kind: MqttServerKind) -> Vec<Value> {
        let LoadPoint { agent, undelivered, bytes_out_per_s, server_load, server_rss_kib, .. } = self;
        let numbers =
            [agent.p50_ms, agent.p99_ms, *undelivered, bytes_out_per_s / 1e6, *server_load, server_rss_kib / 1_024.0];
        [json!(kind.name()), json!(self.users)]
            .into_iter()
            .chain(numbers.map(|number| json!(rounded(number))))
            .collect()
    }
}

fn draw(setting: &ExperimentContext, options: &Options, contenders: &[LoadServerResults]) -> Result<()> {
    let plot = |title: &str, y: Axis, limit: Option<f64>, of: fn(&LoadPoint) -> f64| {
        let curve = |contender: &LoadServerResults| {
            let curve =
                Curve::new(contender.kind.name(), contender.points.iter().map(|point| (point.users as f64, of(point))));
            if contender.kind == MqttServerKind::Stoa { curve } else { curve.dashed() }
        };
        let curves = contenders.iter().map(curve).collect();
        Plot { title: title.to_owned(), x: Axis::linear("users"), y, limit, curves }
    };
    let delay = Axis::logarithmic("ms (99th percentile)");
    let delay =
        plot("From a click to its update against users", delay, Some(options.agent_ms_max), |point| point.agent.p99_ms);
    setting.draw("delay.svg", &delay)?;
    let out = plot("Bandwidth of one server", Axis::linear("MB/s"), None, |point| point.bytes_out_per_s / 1e6);
    setting.draw("bandwidth.svg", &out)?;
    let memory = Axis::linear("MiB");
    let memory = plot("Memory against users", memory, None, |point| point.server_rss_kib / 1_024.0);
    setting.draw("memory.svg", &memory)?;
    let mut load = plot("Processor time against users", Axis::linear("of a core"), None, |point| point.server_load);
    let told: Vec<PaperBrokerLoad> = numbers::LOAD_SERVER.read()?;
    let points = told.iter().map(|point| (point.users, point.of_a_processor));
    load.curves.push(Curve::new("paper's broker", points).dashed());
    setting.draw("processor.svg", &load)
}

/// The paper's numbers of its broker.
#[derive(Debug, Deserialize)]
struct PaperBrokerLoad {
    users: f64,
    of_a_processor: f64,
}

/// The paper's numbers of its clusters.
#[derive(Debug, Deserialize)]
struct PaperClusterCapacity {
    clusters: u32,
    users: u32,
}

/// Figure 11 as arithmetic, not measured: the users that fit into a bandwidth, if `scenes` share them evenly and
/// everyone receives everyone. A delivery has the size of the lab's camera messages.
fn users_within(bytes_per_s: f64, scenes: f64) -> f64 {
    // Each scene has users/scenes people: scenes × (users/scenes)² deliveries in each period.
    (bytes_per_s * scenes / (limits::RATE_HZ * camera_packet_bytes() as f64)).sqrt()
}

/// The paper's clusters, the users that would fit into their networks, and our one server.
fn clusters(ours: &LoadServerResults) -> Result<Table> {
    let known: Vec<PaperClusterCapacity> = numbers::LOAD_CLUSTERS.read()?;
    // The network of one cluster.
    let each_bytes_per_s = numbers::LOAD_CLUSTER_BYTES_PER_S.read()?;
    let mut rows = Vec::new();
    for (clusters, scenes) in [(1, 1), (2, 1), (2, 2), (3, 3), (3, 6)] {
        let bytes_per_s = f64::from(clusters) * each_bytes_per_s;
        // The paper's users of several clusters are in separate scenes.
        let is_told = scenes >= clusters;
        let told = known.iter().find(|row| is_told && row.clusters == clusters).map(|row| row.users);
        let users = users_within(bytes_per_s, f64::from(scenes)).floor();
        rows.push(vec![
            json!(format!("{clusters} of the paper's clusters")),
            json!(scenes),
            json!(bytes_per_s / 1e6),
            json!(users),
            json!(told),
        ]);
    }
    let borne = ours.points.iter().filter(|point| point.users as f64 <= ours.median());
    let best = borne.map(|point| point.bytes_out_per_s).fold(0.0, f64::max);
    rows.push(vec![
        json!("one Stoa, measured"),
        json!(1),
        json!((best / 1e6).round()),
        json!(ours.median()),
        json!("–"),
    ]);
    let columns = ["servers", "scenes", "MB/s", "users that fit", "paper's users"].map(str::to_owned).into();
    let title = format!(
        "Clusters (figure 11), computed and not run: users of everyone-to-everyone scenes that fit into {} MB/s a cluster, each delivery as large as here",
        each_bytes_per_s / 1e6
    );
    Ok(Table { title, columns, rows })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_brokers_bandwidth_limits_users_to_about_the_papers_number() {
        // 80 MB/s at 160 users are 312 B a delivery; ours have the topics of today's ARENA.
        let read = |number: numbers::PaperNumberPath| number.read().expect("it is there");
        let (bytes_per_s, limit) = (read(numbers::LOAD_BYTES_PER_S), read(numbers::LOAD_USERS));
        let users = users_within(bytes_per_s, 1.0);
        assert!((0.875 * limit..limit).contains(&users), "{users}");
        assert!(users_within(bytes_per_s, 4.0) == 2.0 * users, "four scenes of half as many each");
    }
}
