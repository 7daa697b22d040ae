//! Measures Ubiq's Table I: people to failure over update rate and padding, by opaque messages. Figures
//! `ubiq_messages_people_500ms_…`.
//!
//! The motion plane carries poses, not padding, so these messages are published on plain MQTT topics over TCP,
//! outside any scene, to all people. Latency counts for every message, from its due time (open loop). As in the
//! table, the mean latency must not exceed 500 ms.

use std::time::Duration;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::paper::{self, MessageRow};
use super::people::{LATENCY_MS_MAX, LOST_MAX};
use super::{Options, UbiqExperimentPart};
use crate::choice;
use crate::environment::ExperimentContext;
use crate::load::connection::MqttTransport;
use crate::load::swarm::{MqttSwarm, SwarmOutcome, SwarmPlan, SwarmTrafficKind};
use crate::report::{Figure, ReferenceSystemMeasurement, Report, Table};
use crate::search::{LadderSearch, if_carried};
use crate::servers::{IssuedTokenScope, MqttServerKind, Testbed, login};
use crate::statistics::rounded_to;

pub(super) const KINDS: [MqttServerKind; 2] = [MqttServerKind::Stoa, MqttServerKind::Mosquitto];
/// Above this rate only Stoa runs, which saves a third of the time: no headset sends 500 messages a second.
const REFERENCE_RATE_HZ_MAX: u32 = 60;

/// The result of one run.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct MessageTrialOutcome {
    people: usize,
    outcome: Option<SwarmOutcome>,
    /// Connections that the server closed.
    gone: usize,
    holds: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    failed: Option<String>,
}

/// A server's result for a row.
#[derive(Clone, Debug)]
struct PeerCapacityResult {
    largest: usize,
    /// Whether the server may carry more: the generator was at its limit, or no larger number was tried.
    is_lower_bound: bool,
    /// Payload delivered to all people at the largest number, in MB a second.
    out_mb_per_s: f64,
}

pub(super) fn measure(
    report: &mut Report,
    options: &Options,
    (setting, testbed): (&ExperimentContext, &Testbed),
) -> Result<()> {
    if !options.has(UbiqExperimentPart::Messages) {
        return Ok(());
    }
    let mut rows = Vec::new();
    let mosquitto = MqttServerKind::Mosquitto.version(testbed);
    match &mosquitto {
        Ok(version) => report.version(MqttServerKind::Mosquitto.name(), version),
        Err(error) => report.left_out(vec![json!({ "server": "mosquitto", "why": format!("{error:#}") })]),
    }
    for (number, row) in (1..).zip(paper::rows()?) {
        if !options.rows.is_empty() && !options.rows.contains(&number) {
            continue;
        }
        let mut found = [const { None }; KINDS.len()];
        for (kind, found) in KINDS.into_iter().zip(&mut found) {
            let is_wanted = choice::has(&options.servers, &kind);
            if is_wanted && (kind == MqttServerKind::Stoa || mosquitto.is_ok() && row.rate_hz <= REFERENCE_RATE_HZ_MAX)
            {
                *found = Some(search(report, options, ((setting, testbed), kind, row))?);
            }
        }
        let [ours, theirs] = found;
        if let Some(ours) = &ours {
            report.figure(&format!("ubiq_messages_people_500ms_{}", name(row)), figure(report, row, (ours, &theirs)));
        }
        rows.push(told(row, [&ours, &theirs]));
    }
    let columns = [
        "Hz",
        "padding B",
        "each sends /s",
        "of B",
        "paper: peers",
        "paper: out MB/s",
        "Stoa: people",
        "Stoa: out MB/s",
        "mosquitto: people",
    ];
    let title = "Table I: people when the mean latency passed 500 ms (plain MQTT topics)".to_owned();
    report.table(Table { title, columns: columns.map(str::to_owned).to_vec(), rows });
    Ok(())
}

fn name(row: MessageRow) -> String {
    format!("{}hz_{}b", row.rate_hz, row.padding_bytes)
}

fn figure(
    report: &Report,
    row: MessageRow,
    (ours, theirs): (&PeerCapacityResult, &Option<PeerCapacityResult>),
) -> Figure {
    let mut figure = Figure::new(ours.largest as f64, "people");
    figure.generator_bound = ours.is_lower_bound;
    if let Some(theirs) = theirs {
        let (name, version) = ("mosquitto".to_owned(), report.version_of("mosquitto"));
        figure = figure.beside(ReferenceSystemMeasurement {
            name,
            version,
            value: theirs.largest as f64,
            generator_bound: theirs.is_lower_bound,
        });
    }
    figure.published("001, Table I", f64::from(row.peers))
}

fn told(row: MessageRow, [ours, theirs]: [&Option<PeerCapacityResult>; 2]) -> Vec<serde_json::Value> {
    let work = row.work();
    let people = |found: &Option<PeerCapacityResult>| {
        let found = found.as_ref()?;
        Some(format!("{}{}", found.largest, if found.is_lower_bound { " or more" } else { "" }))
    };
    let out = ours.as_ref().map(|found| rounded_to(1, found.out_mb_per_s));
    vec![
        json!(row.rate_hz),
        json!(row.padding_bytes),
        json!(work.messages_per_s.round()),
        json!(work.bytes),
        json!(row.peers),
        json!(row.out_mb_per_s),
        json!(people(ours)),
        json!(out),
        json!(people(theirs)),
    ]
}

fn search(
    report: &mut Report,
    options: &Options,
    ((setting, testbed), kind, row): ((&ExperimentContext, &Testbed), MqttServerKind, MessageRow),
) -> Result<PeerCapacityResult> {
    let mut steps: Vec<MessageTrialOutcome> = Vec::new();
    let rungs = options.times.iter().map(|times| row.peers as usize * times).collect();
    // Further runs check only Stoa's number.
    let runs = if kind == MqttServerKind::Stoa { options.runs } else { 1 };
    let ladder = LadderSearch { rungs, resolution: options.resolution.max(0.2), runs };
    let largest = ladder.largest(|people, run| {
        let key = json!({ "messages_at": kind.name(), "row": name(row), "people": people, "run": run });
        let step = setting.step(key, || {
            let found = if_carried(step((testbed, kind), row, (people, options.step_s)))?;
            Ok(found.unwrap_or_else(|why| MessageTrialOutcome {
                people,
                outcome: None,
                gone: 0,
                holds: false,
                failed: Some(why),
            }))
        })?;
        let holds = step.holds;
        steps.push(step);
        Ok(holds)
    })?;
    let outcomes = || steps.iter().filter_map(|step| Some((step, step.outcome.as_ref()?)));
    let is_lower_bound =
        ladder.ends_at(largest) || outcomes().any(|(step, outcome)| !step.holds && outcome.is_generator_bound());
    let borne = outcomes().find(|(step, _)| step.people == largest);
    let deliveries_per_s = borne.map_or(0.0, |(_, outcome)| outcome.deliveries_per_s);
    let out_mb_per_s = deliveries_per_s * row.work().bytes as f64 / 1e6;
    report.series(&format!("messages_{}_{}", kind.name(), name(row)), json!({ "largest": largest, "steps": steps }));
    Ok(PeerCapacityResult { largest, is_lower_bound, out_mb_per_s })
}

/// One run with a fresh server.
fn step(
    (testbed, kind): (&Testbed, MqttServerKind),
    row: MessageRow,
    (people, step_s): (usize, u64),
) -> Result<MessageTrialOutcome> {
    let server = kind.start(testbed)?;
    let work = row.work();
    let talk = SwarmTrafficKind::Opaque { bytes: work.bytes };
    let login = login(kind, testbed, IssuedTokenScope::Everything);
    let mut swarm = MqttSwarm::enter_talking((people, talk), &server.endpoint(MqttTransport::Tcp)?, &login)
        .with_context(|| format!("{people} people at {}", kind.name()))?;
    let plan = SwarmPlan { people, rate_hz: work.messages_per_s, measured: Duration::from_secs(step_s) };
    let outcome = swarm.run(&plan, server.pid())?;
    let holds = outcome.delivery_mean_ms <= LATENCY_MS_MAX && outcome.undelivered < LOST_MAX && swarm.gone() == 0;
    Ok(MessageTrialOutcome { people, outcome: Some(outcome), gone: swarm.gone(), holds, failed: None })
}
