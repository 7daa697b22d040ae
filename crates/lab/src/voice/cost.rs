//! The server's processor time for each unit that a listener receives for the first time, beside LiveKit with as many
//! speakers and listeners: figures `voice_us_per_delivery` and `voice_us_per_delivery_ratio`.

use anyhow::{Context, Result};
use serde::Serialize;
use serde_json::json;

use super::delivery::DeliveryCostOutcome;
use super::livekit::{LivekitClients, LivekitHall};
use super::{Options, VoiceTransport};
use crate::environment::ExperimentContext;
use crate::limits;
use crate::report::{Figure, ReferenceSystemMeasurement, Report};
use crate::search::{CapacitySearch, if_carried};
use crate::servers::Testbed;
use crate::servers::livekit::LivekitServer;
use crate::statistics::median;

/// The most listeners, and the number at which the search begins.
const LISTENERS_MAX: usize = 40;
const FIRST_GUESS: usize = 10;
/// The most processor time for a unit, as a share of LiveKit's.
const RATIO_MAX: f64 = 0.25;
/// The units of LiveKit's speakers are counted by its listeners alone, so their number is only known within a packet of
/// each speaker.
const LIVEKIT_ARRIVED_MIN: f64 = 0.99;

/// A measured server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum VoiceServerKind {
    Stoa,
    Livekit,
}

/// The servers and clients of the experiment.
struct DeliveryCostSetup<'a> {
    options: &'a Options,
    setting: &'a ExperimentContext,
    testbed: &'a Testbed,
    clients: &'a LivekitClients,
}

/// Measures both servers in turns, with the most listeners that both generators serve.
pub(super) fn measure(
    report: &mut Report,
    options: &Options,
    setting: &ExperimentContext,
    testbed: &Testbed,
) -> Result<()> {
    let version = match LivekitServer::version().and_then(|server| Ok((server, options.livekit.version()?))) {
        Ok((server, clients)) => {
            report.version("livekit, its clients", &clients);
            server
        }
        Err(error) => {
            eprintln!("livekit: left out: {error:#}");
            report.left_out(vec![json!({ "server": "livekit", "why": format!("{error:#}") })]);
            return Ok(());
        }
    };
    report.version("livekit", &version);
    let setup = DeliveryCostSetup { options, setting, testbed, clients: &options.livekit };
    let listeners = match options.cost_listeners {
        Some(listeners) => listeners,
        None => setup.most_listeners()?,
    };
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for run in 0..options.runs {
        theirs.push(setup.step(VoiceServerKind::Livekit, listeners, run)?);
        ours.push(setup.step(VoiceServerKind::Stoa, listeners, run)?);
    }
    tell(report, &version, &ours, &theirs);
    report.series("cost", json!({ "listeners": listeners, "stoa": ours, "livekit": theirs }));
    Ok(())
}

/// Reports the medians of interleaved runs, and the median of their ratios.
fn tell(report: &mut Report, version: &str, ours: &[DeliveryCostOutcome], theirs: &[DeliveryCostOutcome]) {
    let us = |outcomes: &[DeliveryCostOutcome]| -> Vec<f64> {
        outcomes.iter().map(|outcome| outcome.us_per_delivery).collect()
    };
    let fault = fault(ours, limits::VOICE_ARRIVED_MIN).or_else(|| fault(theirs, LIVEKIT_ARRIVED_MIN));
    let ratios: Vec<f64> = us(ours).iter().zip(us(theirs)).map(|(own, other)| own / other).collect();
    let reference = ReferenceSystemMeasurement {
        name: "livekit".to_owned(),
        version: version.to_owned(),
        value: median(&us(theirs)),
        generator_bound: false,
    };
    report.figure("voice_us_per_delivery", Figure::of_runs(&us(ours), "us").beside(reference));
    let ratio = Figure::of_runs(&ratios, "of LiveKit's").held_to("<=", RATIO_MAX, "value");
    report.figure("voice_us_per_delivery_ratio", ratio.holds_unless(fault.as_deref()));
}

/// The reason why runs don't count, if there is one.
fn fault(outcomes: &[DeliveryCostOutcome], share_min: f64) -> Option<String> {
    let DeliveryCostOutcome { share, generator_load, .. } =
        outcomes.iter().find(|outcome| !outcome.is_served(share_min))?;
    Some(format!("a share of {share:.3} arrived, and the generator used {generator_load:.2} of its core"))
}

impl DeliveryCostSetup<'_> {
    /// The most listeners whose voices all arrive from both servers, by generators that are not at their limit.
    fn most_listeners(&self) -> Result<usize> {
        let search = CapacitySearch { from: FIRST_GUESS, resolution: 0.1, most: LISTENERS_MAX };
        let most = search.largest(|listeners| {
            for (kind, share_min) in
                [(VoiceServerKind::Livekit, LIVEKIT_ARRIVED_MIN), (VoiceServerKind::Stoa, limits::VOICE_ARRIVED_MIN)]
            {
                let key = json!({ "cost_search": kind, "listeners": listeners });
                let found = self.setting.step(key, || if_carried(self.run(kind, listeners)))?;
                if !found.is_ok_and(|outcome: DeliveryCostOutcome| outcome.is_served(share_min)) {
                    return Ok(false);
                }
            }
            Ok(true)
        })?;
        (most > 0).then_some(most).context("no listener gets all voices")
    }

    fn step(&self, kind: VoiceServerKind, listeners: usize, run: usize) -> Result<DeliveryCostOutcome> {
        self.setting.step(json!({ "cost": kind, "listeners": listeners, "run": run }), || self.run(kind, listeners))
    }

    /// One run with a fresh server.
    fn run(&self, kind: VoiceServerKind, listeners: usize) -> Result<DeliveryCostOutcome> {
        let Options { speakers, step_s, .. } = *self.options;
        match kind {
            VoiceServerKind::Stoa => {
                let step = super::step(self.options, (self.testbed, VoiceTransport::Webtransport), listeners)?;
                Ok(step.delivery_cost())
            }
            VoiceServerKind::Livekit => LivekitHall::enter(self.clients, (speakers, listeners))?.measure(step_s),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(us_per_delivery: f64) -> DeliveryCostOutcome {
        DeliveryCostOutcome {
            listeners: 5,
            deliveries: 1_000,
            share: 1.0,
            payload_bytes: 70.0,
            generator_load: 0.5,
            server_load: 0.5,
            us_per_delivery,
        }
    }

    fn ratio(ours: &[DeliveryCostOutcome], theirs: &[DeliveryCostOutcome]) -> (Option<f64>, Option<bool>) {
        let mut report = Report::new("voice", json!({}));
        tell(&mut report, "1.8.4", ours, theirs);
        let told = serde_json::to_value(&report).expect("a report is JSON");
        let figure = &told["figures"]["voice_us_per_delivery_ratio"];
        (figure["value"].as_f64(), figure["holds"].as_bool())
    }

    #[test]
    fn the_ratio_is_the_median_of_the_pairs_and_is_held_to_a_quarter() {
        let (ours, theirs) = ([2.0, 6.0, 3.0].map(outcome), [10.0, 20.0, 15.0].map(outcome));
        assert_eq!(ratio(&ours, &theirs), (Some(0.2), Some(true)));
        assert_eq!(ratio(&[2.0, 6.0, 4.0].map(outcome), &theirs), (Some(0.266_666_666_666_666_66), Some(false)));
    }

    #[test]
    fn a_run_in_which_units_are_missing_or_a_generator_is_at_its_limit_does_not_hold() {
        let good = [outcome(1.0)];
        assert_eq!(ratio(&good, &[outcome(10.0)]), (Some(0.1), Some(true)), "negative control");
        for spoil in
            [(|outcome| outcome.share = 0.98) as fn(&mut DeliveryCostOutcome), |outcome| outcome.generator_load = 0.86]
        {
            let mut bad = [outcome(10.0)];
            spoil(&mut bad[0]);
            assert_eq!(ratio(&good, &bad), (Some(0.1), Some(false)));
            let mut bad = [outcome(1.0)];
            spoil(&mut bad[0]);
            assert_eq!(ratio(&bad, &[outcome(10.0)]), (Some(0.1), Some(false)));
        }
    }
}
