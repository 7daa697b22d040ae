//! Compares Stoa's own switch between serving at once and in ticks (the paper's "automatic switching function", its
//! future work) with the better of both modes alone. Figure `vhct_switch_gain` is the smaller of two ratios:
//!
//! * few pairs: mean latency of the better mode over that of the switch. The core has spare time, so latency
//!   counts.
//! * many pairs: processor time of the better mode over that of the switch. The core limits the growth, and latency
//!   is within the limit in both modes.
//!
//! Between these loads, around its threshold in frames a second, the switch trades latency for processor time. The
//! report has the latency of this range, without a bar.
//!
//! A value of 1 is a switch that chooses as well as with prior knowledge of the load. Each value is the mean over
//! interleaved pairs of runs in alternating order, with Student's 95 % interval. One earlier run of each mode
//! decides which is better at a load, by the same quantity. A run of the switch past the limit, below 90 % of the
//! requested rate or with 1 % lost counts as 0. If only the better mode fails, the pair counts as 1.

use anyhow::{Context, Result};
use serde_json::json;

use super::curve::{MeasuredServerSetup, VhctExperimentContext};
use super::load::{ClientLoad, LoadStepOutcome};
use super::{PAIR, VhctExperimentPart};
use crate::report::{Figure, Report, Table};
use crate::servers::motion::SendTimingMode;
use crate::statistics::interval;

/// The quantity that counts at a load; less is better.
type LoadStepCostAccessor = fn(&LoadStepOutcome) -> f64;

pub(super) fn measure(report: &mut Report, lab: &VhctExperimentContext<'_>) -> Result<()> {
    if !lab.options.has(VhctExperimentPart::Switch) {
        return Ok(());
    }
    let mut least: Option<(f64, f64)> = None;
    let mut rows = Vec::new();
    let mut bound = false;
    let latency: (&str, LoadStepCostAccessor) = ("mean latency", |outcome| outcome.mean_ms);
    let processor: (&str, LoadStepCostAccessor) = ("processor time", |outcome| outcome.server_load);
    let mut loads = vec![(lab.options.few, latency, true), (lab.options.many, processor, true)];
    loads.extend(lab.options.between.iter().map(|clients| (*clients, latency, false)));
    for (clients, (counted, quantity), counts) in loads {
        let load = ClientLoad { clients, together: PAIR, ..ClientLoad::default() };
        let better = better_alone(lab, &load, quantity)?;
        let (auto, better) =
            (MeasuredServerSetup::Stoa(lab.setup(SendTimingMode::Auto)), MeasuredServerSetup::Stoa(lab.setup(better)));
        let mut ratios = Vec::new();
        let mut steps = Vec::new();
        for pair in 0..lab.options.switch_pairs {
            let order = if pair % 2 == 0 { [&auto, &better] } else { [&better, &auto] };
            // Run numbers from 1 on: run 0 decided which mode is better.
            let first = lab.measure(order[0], &load, ("switch", pair + 1))?;
            let second = lab.measure(order[1], &load, ("switch", pair + 1))?;
            let (of_auto, of_better) = if pair % 2 == 0 { (first, second) } else { (second, first) };
            bound |= [&of_auto, &of_better].into_iter().flatten().any(LoadStepOutcome::is_generator_bound);
            ratios.push(ratio(lab.options.limit_ms, (of_auto.as_ref(), of_better.as_ref()), quantity));
            steps.push(json!({ "auto": of_auto, "better": of_better }));
        }
        let (mean, half) = interval(&ratios);
        if counts && least.is_none_or(|(other, _)| mean < other) {
            least = Some((mean, half));
        }
        let found = json!({ "clients": clients, "better": better.name(), "ratios": ratios, "mean": mean, "half_interval": half, "pairs": steps });
        report.series(&format!("switch: {clients} clients"), found);
        rows.push(vec![json!(clients), json!(counted), json!(better.name()), json!(mean), json!(half)]);
    }
    let columns = ["clients", "of", "the better alone", "gain", "to either side"].map(str::to_owned).to_vec();
    report.table(Table { title: "The switch against the better of both modes alone".to_owned(), columns, rows });
    let (mean, half) = least.context("two loads")?;
    let mut figure = Figure::new(mean, "times").held_to(">=", 0.95, "value");
    figure.generator_bound = bound;
    report.figure("vhct_switch_gain", figure);
    report.figure("vhct_switch_gain_interval", Figure::new(half, "to either side"));
    Ok(())
}

/// The better mode alone. A mode past a limit of latency, rate or loss is worse than one within. If both are past a
/// limit, the result is `AtOnce`.
fn better_alone(
    lab: &VhctExperimentContext<'_>,
    load: &ClientLoad,
    quantity: LoadStepCostAccessor,
) -> Result<SendTimingMode> {
    let cost = |serving: SendTimingMode| -> Result<f64> {
        let found = lab.measure(&MeasuredServerSetup::Stoa(lab.setup(serving)), load, ("switch", 0))?;
        let borne = found.filter(|outcome| outcome.is_borne(lab.options.limit_ms));
        Ok(borne.map_or(f64::INFINITY, |outcome| quantity(&outcome)))
    };
    Ok(if cost(SendTimingMode::AtOnce)? <= cost(SendTimingMode::Ticks)? {
        SendTimingMode::AtOnce
    } else {
        SendTimingMode::Ticks
    })
}

fn ratio(
    limit_ms: f64,
    (auto, better): (Option<&LoadStepOutcome>, Option<&LoadStepOutcome>),
    quantity: LoadStepCostAccessor,
) -> f64 {
    let borne = |outcome: &&LoadStepOutcome| outcome.is_borne(limit_ms);
    match (auto.filter(borne), better.filter(borne)) {
        (Some(auto), Some(better)) => quantity(better) / quantity(auto).max(f64::MIN_POSITIVE),
        // The better mode failed, so it is not better here.
        (Some(_), None) => 1.0,
        (None, _) => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gain_divides_the_better_mode_by_the_switch_if_both_are_within_limits() {
        let of = |mean_ms| LoadStepOutcome { mean_ms, ..LoadStepOutcome::borne(100) };
        let gain = |auto: Option<&LoadStepOutcome>, better: Option<&LoadStepOutcome>| {
            ratio(100.0, (auto, better), |of| of.mean_ms)
        };
        let (quick, slow, late) = (of(10.0), of(20.0), of(101.0));
        assert_eq!((gain(Some(&quick), Some(&slow)), gain(Some(&slow), Some(&quick))), (2.0, 0.5));
        assert_eq!(gain(Some(&quick), Some(&late)), 1.0, "the better one is past the limit: no better");
        assert_eq!(gain(Some(&quick), None), 1.0);
        let lossy = LoadStepOutcome { lost: 0.01, ..of(1.0) };
        let slack = LoadStepOutcome { said_per_s: 89.0, ..of(1.0) };
        for spoilt in [Some(&late), Some(&lossy), Some(&slack), None] {
            assert_eq!((gain(spoilt, Some(&slow)), gain(spoilt, None)), (0.0, 0.0), "{spoilt:?}");
        }
    }
}
