//! Measures the users that one server carries: everyone sees everyone, 10 Hz, 300 B. Figures `fanout_users`,
//! `fanout_users_wss` and `fanout_users_beside_…`.

use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::choice;
use crate::environment::ExperimentContext;
use crate::limits;
use crate::load::connection::MqttTransport;
use crate::load::swarm::{MqttSwarm, SwarmOutcome, SwarmPlan};
use crate::papers::numbers;
use crate::plot::{Axis, Curve, Plot};
use crate::report::{Figure, ReferenceSystemMeasurement, Report};
use crate::search::CapacitySearch;
use crate::servers::{IssuedTokenScope, MqttServerKind, Testbed, login};
use crate::statistics::median;

/// The figures of the report.
pub(crate) const FIGURES: &[&str] = &["fanout_users", "fanout_users_wss", "fanout_users_beside_{nats,floor}"];

/// Options of the fan-out experiment.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Options {
    /// Measure only this transport
    #[arg(long)]
    transport: Option<MqttTransport>,
    /// Seconds that count in each step
    #[arg(long, default_value_t = 10)]
    step_s: u64,
    /// Searches for each server; the report has their median
    #[arg(long, default_value_t = 3)]
    runs: usize,
    /// Measure these numbers of users instead of searching
    #[arg(long, value_delimiter = ',')]
    users: Vec<usize>,
    /// Measure only these servers
    #[arg(long, value_delimiter = ',')]
    only: Vec<MqttServerKind>,
}

const KINDS: [MqttServerKind; 4] =
    [MqttServerKind::Stoa, MqttServerKind::Mosquitto, MqttServerKind::Nats, MqttServerKind::Floor];

/// One server's results over one transport.
struct FanoutServerResults {
    kind: MqttServerKind,
    version: String,
    outcomes: Vec<SwarmOutcome>,
    largest: Vec<usize>,
    /// A step failed while the generator was at its limit.
    bound: bool,
}

/// The start of a server's first search, near earlier results, since each step takes seconds. Later searches start at
/// the result before.
fn first_guess(kind: MqttServerKind) -> usize {
    match kind {
        MqttServerKind::Stoa => 480,
        MqttServerKind::Mosquitto | MqttServerKind::Nats => 120,
        MqttServerKind::Floor => 640,
    }
}

pub(crate) fn run(options: &Options, setting: &ExperimentContext) -> Result<Report> {
    let mut report = Report::new(
        "fanout",
        json!({
            "rate_hz": limits::RATE_HZ, "payload_bytes": limits::PAYLOAD_BYTES, "step_s": options.step_s, "runs": options.runs,
            "limits": { "staleness_p99_ms": limits::STALENESS_P99_MS_MAX, "delivery_p99_ms": limits::DELIVERY_P99_MS_MAX,
                        "undelivered": limits::UNDELIVERED_MAX },
        }),
    );
    let testbed = Testbed::new(setting.stoa()?)?;
    // The realm makes its certificate at its first start. Mosquitto uses the same certificate.
    drop(MqttServerKind::Stoa.start(&testbed)?);
    for transport in [MqttTransport::Tcp, MqttTransport::Wss] {
        if options.transport.is_none_or(|only| only == transport) {
            let (contenders, left_out) = compare(options, (setting, &testbed), transport)?;
            report.left_out(left_out);
            tell(&mut report, transport, &contenders)?;
            draw(setting, transport, &contenders)?;
        }
    }
    Ok(report.finish())
}

/// Measures all servers over one transport. Also returns the servers left out, with the reason.
fn compare(
    options: &Options,
    (setting, testbed): (&ExperimentContext, &Testbed),
    transport: MqttTransport,
) -> Result<(Vec<FanoutServerResults>, Vec<Value>)> {
    let mut contenders = Vec::new();
    let mut left_out = Vec::new();
    for kind in KINDS.into_iter().filter(|kind| choice::has(&options.only, kind)) {
        let version = match kind.lacks(transport) {
            Some(why) => Err(anyhow::anyhow!(why)),
            None => kind.version(testbed),
        };
        match version {
            Ok(version) => contenders.push(FanoutServerResults {
                kind,
                version,
                outcomes: Vec::new(),
                largest: Vec::new(),
                bound: false,
            }),
            Err(error) => {
                eprintln!("{}: left out: {error:#}", kind.name());
                left_out.push(json!({ "server": kind.name(), "why": format!("{error:#}") }));
            }
        }
    }
    for run in 0..if options.users.is_empty() { options.runs } else { 1 } {
        for contender in &mut contenders {
            eprintln!("{transport:?}, {}, run {} of {}", contender.kind.name(), run + 1, options.runs);
            contender.measure(options, (setting, testbed), transport)?;
        }
    }
    Ok((contenders, left_out))
}

impl FanoutServerResults {
    fn measure(
        &mut self,
        options: &Options,
        (setting, testbed): (&ExperimentContext, &Testbed),
        transport: MqttTransport,
    ) -> Result<()> {
        let measured = Duration::from_secs(options.step_s);
        let mut bears = |users: usize| {
            let plan = SwarmPlan { people: users, rate_hz: limits::RATE_HZ, measured };
            let key = (self.kind.name(), suffix(transport), self.largest.len(), users);
            let outcome = setting.step(key, || step(self.kind, testbed, transport, plan))?;
            self.outcomes.push(outcome);
            self.bound |= !outcome.holds() && outcome.is_generator_bound();
            Ok(outcome.holds())
        };
        if options.users.is_empty() {
            let from = self.largest.last().copied().unwrap_or(first_guess(self.kind));
            let largest = CapacitySearch { from, resolution: 0.04, most: limits::USERS_MAX }.largest(bears)?;
            self.largest.push(largest);
        } else {
            let mut largest = 0;
            for &users in &options.users {
                if bears(users)? {
                    largest = largest.max(users);
                }
            }
            self.largest.push(largest);
        }
        Ok(())
    }

    fn largest(&self) -> Vec<f64> {
        self.largest.iter().map(|users| *users as f64).collect()
    }

    fn reference(&self) -> ReferenceSystemMeasurement {
        ReferenceSystemMeasurement {
            name: self.kind.name().to_owned(),
            version: self.version.clone(),
            value: median(&self.largest()),
            generator_bound: self.bound,
        }
    }
}

/// One run of a fresh server with the plan's number of people.
fn step(kind: MqttServerKind, testbed: &Testbed, transport: MqttTransport, plan: SwarmPlan) -> Result<SwarmOutcome> {
    let server = kind.start(testbed)?;
    let mut swarm =
        MqttSwarm::enter(plan.people, &server.endpoint(transport)?, &login(kind, testbed, IssuedTokenScope::Scene))
            .with_context(|| format!("{} users at {}", plan.people, kind.name()))?;
    let outcome = swarm.run(&plan, server.pid())?;
    if swarm.gone() > 0 {
        eprintln!("  {} connections were ended by the server", swarm.gone());
    }
    Ok(outcome)
}

fn tell(report: &mut Report, transport: MqttTransport, contenders: &[FanoutServerResults]) -> Result<()> {
    let suffix = suffix(transport);
    for contender in contenders {
        let name = format!("{}{suffix}", contender.kind.name());
        report.version(contender.kind.name(), &contender.version);
        report.series(&name, json!({ "largest": contender.largest, "steps": contender.outcomes }));
    }
    let of = |kind: MqttServerKind| contenders.iter().find(|contender| contender.kind == kind);
    let Some(ours) = of(MqttServerKind::Stoa) else { return Ok(()) };
    let figure = |against: Option<&FanoutServerResults>| {
        let mut figure = Figure::of_runs(&ours.largest(), "users");
        figure.generator_bound = ours.bound;
        match against {
            Some(other) => figure.beside(other.reference()),
            None => figure,
        }
    };
    let bar = if transport == MqttTransport::Wss { 3.0 } else { 4.0 };
    report.figure(
        &format!("fanout_users{suffix}"),
        figure(of(MqttServerKind::Mosquitto))
            .held_to(">=", bar, "ratio")
            .published("000, Fig. 10: 150 to 160", numbers::FANOUT_USERS.read()?),
    );
    for (kind, name) in [(MqttServerKind::Nats, "nats"), (MqttServerKind::Floor, "floor")] {
        if let Some(other) = of(kind) {
            report.figure(&format!("fanout_users{suffix}_beside_{name}"), figure(Some(other)));
        }
    }
    Ok(())
}

/// The suffix of names for a transport.
fn suffix(transport: MqttTransport) -> &'static str {
    if transport == MqttTransport::Wss { "_wss" } else { "" }
}

fn draw(setting: &ExperimentContext, transport: MqttTransport, contenders: &[FanoutServerResults]) -> Result<()> {
    let curve = |contender: &FanoutServerResults, of: fn(&SwarmOutcome) -> f64| {
        let points = contender.outcomes.iter().map(|outcome| (outcome.users as f64, of(outcome)));
        let curve = Curve::new(contender.kind.name(), points);
        if contender.kind == MqttServerKind::Stoa { curve } else { curve.dashed() }
    };
    let plot = |title: &str, limit, of: fn(&SwarmOutcome) -> f64| Plot {
        title: title.to_owned(),
        x: Axis::linear("users"),
        y: Axis::logarithmic("ms (99th percentile)"),
        limit: Some(limit),
        curves: contenders.iter().map(|contender| curve(contender, of)).collect(),
    };
    let staleness = plot("Staleness against users", limits::STALENESS_P99_MS_MAX, |outcome| outcome.staleness.p99_ms);
    let delivery = plot("Delivery time against users", limits::DELIVERY_P99_MS_MAX, |outcome| outcome.delivery.p99_ms);
    let suffix = suffix(transport);
    setting.draw(&format!("staleness{suffix}.svg"), &staleness)?;
    setting.draw(&format!("delivery{suffix}.svg"), &delivery)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_is_a_median_and_reports_a_generator_at_its_limit() {
        let of = |largest: &[usize], bound: bool| {
            let (version, largest) = ("0.1.0".to_owned(), largest.to_vec());
            FanoutServerResults { kind: MqttServerKind::Floor, version, outcomes: Vec::new(), largest, bound }
                .reference()
        };
        assert_eq!(of(&[1_120, 1_050, 1_000], false).value, 1_050.0);
        assert_eq!(of(&[100, 120], false).value, 110.0, "of two neither is the median");
        assert_eq!([true, false].map(|bound| of(&[100], bound).generator_bound), [true, false]);
    }
}
