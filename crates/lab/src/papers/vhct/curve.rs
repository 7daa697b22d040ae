//! Measures latency against clients: the paper's figure 4 with its points, and the number of clients that each server
//! carries within the paper's 0.1 s. Figures `vhct_stoa_clients_100ms`, `vhct_stoa_clients_100ms_auto`,
//! `vhct_stoa_flows_clients_100ms` and `vhct_clients_100ms_{tcp,hybrid,vectors}`.

use anyhow::Result;
use serde::Deserialize;
use serde_json::{Value, json};

use super::load::{self, ClientLoad, LoadStepOutcome};
use super::server::{FlowTransport, ProcessCount, ReferenceSetup};
use super::stoa::{self, StoaRunSettings};
use super::{Options, PAIR, VhctExperimentPart, VhctServerArgument, stoa_flows};
use crate::choice;
use crate::environment::ExperimentContext;
use crate::papers::numbers;
use crate::plot::{Axis, Curve, Plot};
use crate::report::{Figure, Report, Table};
use crate::search::{CapacitySearch, if_carried};
use crate::servers::Testbed;
use crate::servers::motion::SendTimingMode;
use crate::statistics::median;

/// A value of figure 4 in the paper's text.
#[derive(Debug, Deserialize)]
struct PaperLatencyPoint {
    server: String,
    clients: usize,
    latency_s: f64,
}

/// The setup of a measured server.
#[derive(Clone, Debug)]
pub(super) enum MeasuredServerSetup {
    Reference(ReferenceSetup),
    /// Stoa with heads.
    Stoa(StoaRunSettings),
    /// Stoa with the paper's flows.
    StoaFlows,
}

impl MeasuredServerSetup {
    pub(super) fn name(&self) -> String {
        match self {
            MeasuredServerSetup::Reference(reference) => reference.name(),
            MeasuredServerSetup::Stoa(setup) => format!("Stoa, {}", setup.serving),
            MeasuredServerSetup::StoaFlows => "Stoa, flows".to_owned(),
        }
    }
}

/// The environment of one experiment: options, setting, and Stoa's folder.
pub(super) struct VhctExperimentContext<'a> {
    pub(super) options: &'a Options,
    pub(super) setting: &'a ExperimentContext,
    pub(super) testbed: &'a Testbed,
}

impl VhctExperimentContext<'_> {
    /// One run of one server, or its earlier outcome in that part of the experiment. `None` for a load that is not
    /// carried; the reason is printed.
    pub(super) fn measure(
        &self,
        server: &MeasuredServerSetup,
        load: &ClientLoad,
        (part, run): (&str, usize),
    ) -> Result<Option<LoadStepOutcome>> {
        let load = ClientLoad { seed: self.options.seed + run as u64, seconds: self.options.step_s, ..load.clone() };
        let key = json!({ "part": part, "server": server.name(), "load": load, "run": run });
        self.setting.step(key, || {
            let found = match server {
                MeasuredServerSetup::Reference(reference) => load::measure(*reference, &self.options.flows, &load),
                MeasuredServerSetup::Stoa(setup) => stoa::measure(self.testbed, setup, &load),
                MeasuredServerSetup::StoaFlows => stoa_flows::measure(self.testbed, &self.options.flows, &load),
            };
            Ok(if_carried(found)?.ok())
        })
    }

    /// The servers of the figure: the paper's three in one process, those with UDP flows also in two processes with
    /// shared memory, nearest to the paper's form, Stoa in the selected modes of serving, and in pairs Stoa's flows. If
    /// everyone receives everyone, a client has more flows to take than a realm sends it.
    fn servers(&self, together: usize) -> Vec<MeasuredServerSetup> {
        let two = |kind| MeasuredServerSetup::Reference(ReferenceSetup { kind, processes: ProcessCount::Two });
        let mut servers = Vec::new();
        for (name, one) in self.references() {
            match name {
                VhctServerArgument::Hybrid => servers.push(two(FlowTransport::Hybrid)),
                VhctServerArgument::Vectors => servers.push(two(self.vectors())),
                VhctServerArgument::Tcp | VhctServerArgument::Stoa | VhctServerArgument::StoaFlows => {}
            }
            servers.push(one);
        }
        servers.extend(self.serving().map(|serving| MeasuredServerSetup::Stoa(self.setup(serving))));
        servers.extend((together == PAIR && self.has_flows()).then_some(MeasuredServerSetup::StoaFlows));
        servers
    }

    /// The paper's three, each in its best form: in one process.
    fn references(&self) -> impl Iterator<Item = (VhctServerArgument, MeasuredServerSetup)> {
        let one = |kind| MeasuredServerSetup::Reference(ReferenceSetup { kind, processes: ProcessCount::One });
        let all = [
            (VhctServerArgument::Tcp, one(FlowTransport::Tcp)),
            (VhctServerArgument::Hybrid, one(FlowTransport::Hybrid)),
            (VhctServerArgument::Vectors, one(self.vectors())),
        ];
        all.into_iter().filter(|(name, _)| choice::has(&self.options.servers, name))
    }

    /// Stoa's selected modes of serving.
    fn serving(&self) -> impl Iterator<Item = SendTimingMode> {
        let serving = self.options.serving.iter().copied();
        serving.filter(|_| choice::has(&self.options.servers, &VhctServerArgument::Stoa))
    }

    /// Whether Stoa's flows are selected.
    fn has_flows(&self) -> bool {
        choice::has(&self.options.servers, &VhctServerArgument::StoaFlows)
    }

    fn vectors(&self) -> FlowTransport {
        FlowTransport::Vectors(self.options.batches.iter().copied().max().unwrap_or(256))
    }

    pub(super) fn setup(&self, serving: SendTimingMode) -> StoaRunSettings {
        StoaRunSettings { serving, rate_hz: self.options.stoa_hz }
    }
}

/// Measures the curves, in pairs and with everyone together, and then searches.
pub(super) fn measure(report: &mut Report, lab: &VhctExperimentContext<'_>) -> Result<()> {
    let paper: Vec<PaperLatencyPoint> = numbers::VHCT_POINTS.read()?;
    for (part, name, together) in
        [(VhctExperimentPart::Pairs, "pairs", PAIR), (VhctExperimentPart::Everyone, "everyone", usize::MAX)]
    {
        if !lab.options.has(part) {
            continue;
        }
        let (mut curves, mut all) = (Vec::new(), Vec::new());
        for server in lab.servers(together) {
            let outcomes = curve(lab, &server, together)?;
            let points = outcomes.iter().map(|outcome| (outcome.clients as f64, outcome.mean_ms));
            curves.push((server.name(), Curve::new(server.name(), points)));
            report.series(&format!("{name}: {}", server.name()), json!(outcomes));
            all.push((server.name(), outcomes));
        }
        if together == PAIR {
            report.table(table(lab, &paper, &all));
        }
        draw(lab, (name, curves), &paper)?;
    }
    search(report, lab)
}

fn numbers<'a>(lab: &VhctExperimentContext<'a>, together: usize) -> &'a [usize] {
    if together == PAIR { &lab.options.clients } else { &lab.options.everyone }
}

/// All runs at all numbers, up to and including the first number at which every run is past the limits.
fn curve(
    lab: &VhctExperimentContext<'_>,
    server: &MeasuredServerSetup,
    together: usize,
) -> Result<Vec<LoadStepOutcome>> {
    let mut outcomes = Vec::new();
    for &clients in numbers(lab, together) {
        let load = ClientLoad { clients, together, ..ClientLoad::default() };
        let mut borne = 0;
        for run in 0..lab.options.runs {
            let Some(outcome) = lab.measure(server, &load, ("curve", run))? else { continue };
            borne += usize::from(outcome.is_borne(lab.options.limit_ms));
            outcomes.push(outcome);
        }
        if borne == 0 {
            break;
        }
    }
    Ok(outcomes)
}

/// Searches for each server's largest number within the limit.
fn search(report: &mut Report, lab: &VhctExperimentContext<'_>) -> Result<()> {
    if !lab.options.has(VhctExperimentPart::Search) {
        return Ok(());
    }
    let published = numbers::VHCT_CLIENTS.read()?;
    for (name, server) in lab.references() {
        let (figure, found) = largest(lab.options, &server, |load, run| lab.measure(&server, load, ("search", run)))?;
        // The paper's own server is the vectorised one.
        let figure =
            if name == VhctServerArgument::Vectors { figure.published("004, Fig. 4", published) } else { figure };
        let name = choice::word(name);
        report.figure(&format!("vhct_clients_100ms_{name}"), figure);
        report.series(&format!("search: {name}"), found);
    }
    for (serving, name) in
        [(SendTimingMode::AtOnce, "vhct_stoa_clients_100ms"), (SendTimingMode::Auto, "vhct_stoa_clients_100ms_auto")]
    {
        if !lab.serving().any(|wanted| wanted == serving) {
            continue;
        }
        let server = MeasuredServerSetup::Stoa(lab.setup(serving));
        let (mut figure, found) =
            largest(lab.options, &server, |load, run| lab.measure(&server, load, ("search", run)))?;
        figure = figure.published("004, Fig. 4", published);
        if serving == SendTimingMode::AtOnce {
            figure = figure.held_to(">=", 2_000.0, "value");
        }
        report.figure(name, figure);
        report.series(&format!("search: {serving}"), found);
    }
    if lab.has_flows() {
        let server = MeasuredServerSetup::StoaFlows;
        let (figure, found) = largest(lab.options, &server, |load, run| lab.measure(&server, load, ("search", run)))?;
        let figure = figure.published("004, Fig. 4", published).held_to(">=", 1_500.0, "value");
        report.figure("vhct_stoa_flows_clients_100ms", figure);
        report.series("search: flows", found);
    }
    Ok(())
}

/// The median of several searches by doubling and bisection. The second argument of `measure` is the number of the
/// search.
fn largest(
    options: &Options,
    server: &MeasuredServerSetup,
    measure: impl Fn(&ClientLoad, usize) -> Result<Option<LoadStepOutcome>>,
) -> Result<(Figure, Value)> {
    let (mut largest, mut steps, mut bound) = (Vec::new(), Vec::new(), false);
    for run in 0..options.runs {
        let from = largest.last().map_or(options.search_from, |found| *found as usize);
        let found = CapacitySearch { from, resolution: 0.1, most: options.most }.largest(|clients| {
            let clients = clients.next_multiple_of(PAIR);
            let load = ClientLoad { clients, together: PAIR, ..ClientLoad::default() };
            let Some(outcome) = measure(&load, run)? else { return Ok(false) };
            // Unless it sends at once, Stoa omits poses that newer ones replace. The references forward everything.
            let leaves_out =
                matches!(server, MeasuredServerSetup::Stoa(setup) if setup.serving != SendTimingMode::AtOnce);
            let borne = outcome.is_borne(options.limit_ms) && (leaves_out || outcome.has_poses());
            bound |= !borne && outcome.is_generator_bound();
            steps.push(outcome);
            Ok(borne)
        })?;
        largest.push(found.next_multiple_of(PAIR) as f64);
    }
    let mut figure = Figure::of_runs(&largest, "clients");
    figure.generator_bound = bound || figure.value.is_some_and(|value| value >= options.most as f64);
    Ok((figure, json!({ "largest": largest, "steps": steps })))
}

/// The paper's values for its servers, and ours at as many clients (one fewer for an odd number).
fn table(
    lab: &VhctExperimentContext<'_>,
    paper: &[PaperLatencyPoint],
    all: &[(String, Vec<LoadStepOutcome>)],
) -> Table {
    let two = |kind| ReferenceSetup { kind, processes: ProcessCount::Two }.name();
    let here = |point: &PaperLatencyPoint| {
        let name = match point.server.as_str() {
            "TCP" => ReferenceSetup { kind: FlowTransport::Tcp, processes: ProcessCount::One }.name(),
            "hybrid" => two(FlowTransport::Hybrid),
            _ => two(lab.vectors()),
        };
        let (_, outcomes) = all.iter().find(|(server, _)| *server == name)?;
        let pairs = outcomes.iter().filter(|outcome| outcome.clients == point.clients / PAIR * PAIR);
        let means: Vec<f64> = pairs.map(|outcome| outcome.mean_ms).collect();
        (!means.is_empty()).then(|| median(&means))
    };
    let rows = paper.iter().map(|point| {
        vec![json!(point.server), json!(point.clients), json!(point.latency_s * 1_000.0), json!(here(point))]
    });
    let columns = ["server", "clients", "paper's latency, ms", "here, ms"].map(str::to_owned).to_vec();
    Table { title: "Figure 4 by the paper's text".to_owned(), columns, rows: rows.collect() }
}

fn draw(
    lab: &VhctExperimentContext<'_>,
    (name, curves): (&str, Vec<(String, Curve)>),
    paper: &[PaperLatencyPoint],
) -> Result<()> {
    let mut curves: Vec<Curve> = curves.into_iter().map(|(_, curve)| curve).collect();
    if name == "pairs" {
        for server in ["TCP", "hybrid", "VHCT"] {
            let of = paper.iter().filter(|point| point.server == server);
            let points = of.map(|point| (point.clients as f64, point.latency_s * 1_000.0));
            curves.push(Curve::new(format!("paper: {server}"), points).dashed());
        }
    }
    let plot = Plot {
        title: format!("Latency against clients, {name}"),
        x: Axis::logarithmic("clients"),
        y: Axis::logarithmic("ms (mean)"),
        limit: Some(lab.options.limit_ms),
        curves,
    };
    lab.setting.draw(&format!("latency_{name}.svg"), &plot)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        options: Options,
    }

    fn at_once() -> MeasuredServerSetup {
        MeasuredServerSetup::Stoa(StoaRunSettings { serving: SendTimingMode::AtOnce, rate_hz: 60 })
    }

    /// Three searches of a server that carries 1,000 clients; above them `fail` spoils the outcome.
    fn found(server: &MeasuredServerSetup, fail: fn(&mut LoadStepOutcome)) -> Figure {
        let Line { options } = Line::parse_from(["vhct"]);
        let measure = |load: &ClientLoad, _: usize| {
            let mut outcome = LoadStepOutcome::borne(load.clients);
            if load.clients > 1_000 {
                fail(&mut outcome);
            }
            Ok(Some(outcome))
        };
        largest(&options, server, measure).expect("nothing fails here").0
    }

    #[test]
    fn the_largest_number_of_clients_is_the_last_within_all_limits() {
        let is_near = |figure: &Figure| figure.value.is_some_and(|value| (910.0..=1_000.0).contains(&value));
        let late = found(&at_once(), |outcome| outcome.mean_ms = 100.1);
        assert!(is_near(&late) && !late.generator_bound, "{late:?}");
        for fail in [
            (|outcome| outcome.lost = 0.01) as fn(&mut LoadStepOutcome),
            |outcome| outcome.said_per_s *= 0.89,
            |outcome| outcome.poses_per_s = Some(0.89),
        ] {
            let figure = found(&at_once(), fail);
            assert!(is_near(&figure), "{figure:?}");
        }
        let busy = found(&at_once(), |outcome| (outcome.mean_ms, outcome.generator_load) = (200.0, 0.9));
        assert!(is_near(&busy) && busy.generator_bound, "{busy:?}");
    }

    #[test]
    fn an_exhausted_search_is_a_lower_bound_and_auto_serving_may_omit_poses() {
        let all = found(&at_once(), |_| {});
        assert!(all.value == Some(6_000.0) && all.generator_bound, "{all:?}");
        let auto = MeasuredServerSetup::Stoa(StoaRunSettings { serving: SendTimingMode::Auto, rate_hz: 60 });
        assert_eq!(found(&auto, |outcome| outcome.poses_per_s = Some(0.1)).value, Some(6_000.0));
    }

    #[test]
    fn a_load_that_no_client_could_enter_counts_as_failed() {
        let Line { options } = Line::parse_from(["vhct"]);
        let (figure, _) = largest(&options, &at_once(), |_, _| Ok(None)).expect("nothing fails here");
        assert_eq!(figure.value, Some(0.0));
    }
}
