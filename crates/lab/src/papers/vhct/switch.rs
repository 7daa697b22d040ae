//! Stoa's own switch between serving at once and in ticks (the paper's "automatic switching function", its future work) against the better of either alone. Figure `vhct_switch_gain`, the least of two:
//!
//! * few pairs: mean latency of the better one over that of the automatic one. There is room on the core, so what counts is how soon a pose comes;
//! * many pairs: processor time of the better one over that of the automatic one. The core is what ends the growth, and all are within the limit either way.
//!
//! Between them, around its threshold of so many frames a second, it trades the one for the other: told by latency, and held to nothing.
//!
//! 1 is a switch that chooses as well as one who knew the load beforehand. Each is the mean of interleaved pairs of runs, which of the two begins alternates, with its 95 % interval (Student's). Which of
//! both alone is the better at a load is found by a run of each before, by the same quantity. A run of the switch past the limit, at less than the asked rate or with losses counts as 0, and one of the better alone as no better: 1.

use anyhow::{Context, Result};
use serde_json::json;

use super::curve::{Lab, Server};
use super::load::{Load, Outcome};
use super::{PAIR, Part};
use crate::report::{Figure, Report, Table};
use crate::servers::motion::Serving;
use crate::statistics::interval;

/// What counts at a load; less is better.
type Quantity = fn(&Outcome) -> f64;

pub(super) fn measure(report: &mut Report, lab: &Lab<'_>) -> Result<()> {
    if !lab.options.has(Part::Switch) {
        return Ok(());
    }
    let mut least: Option<(f64, f64)> = None;
    let mut rows = Vec::new();
    let mut bound = false;
    let latency: (&str, Quantity) = ("mean latency", |outcome| outcome.mean_ms);
    let processor: (&str, Quantity) = ("processor time", |outcome| outcome.server_load);
    let mut loads = vec![(lab.options.few, latency, true), (lab.options.many, processor, true)];
    loads.extend(lab.options.between.iter().map(|clients| (*clients, latency, false)));
    for (clients, (counted, quantity), counts) in loads {
        let load = Load { clients, together: PAIR, ..Load::default() };
        let better = better_alone(lab, &load, quantity)?;
        let (auto, better) = (Server::Stoa(lab.setup(Serving::Auto)), Server::Stoa(lab.setup(better)));
        let mut ratios = Vec::new();
        let mut steps = Vec::new();
        for pair in 0..lab.options.switch_pairs {
            let order = if pair % 2 == 0 { [&auto, &better] } else { [&better, &auto] };
            // Runs from here on are others than those that said which is better.
            let first = lab.measure(order[0], &load, ("switch", pair + 1))?;
            let second = lab.measure(order[1], &load, ("switch", pair + 1))?;
            let (of_auto, of_better) = if pair % 2 == 0 { (first, second) } else { (second, first) };
            bound |= [&of_auto, &of_better].into_iter().flatten().any(Outcome::is_generator_bound);
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
    report.table(Table { title: "The switch against the better of both alone".to_owned(), columns, rows });
    let (mean, half) = least.context("two loads")?;
    let mut figure = Figure::new(mean, "times").held_to(">=", 0.95, "value");
    figure.generator_bound = bound;
    report.figure("vhct_switch_gain", figure);
    report.figure("vhct_switch_gain_interval", Figure::new(half, "to either side"));
    Ok(())
}

/// Which of both alone is better; one that is past the limit never is.
fn better_alone(lab: &Lab<'_>, load: &Load, quantity: Quantity) -> Result<Serving> {
    let cost = |serving: Serving| -> Result<f64> {
        let found = lab.measure(&Server::Stoa(lab.setup(serving)), load, ("switch", 0))?;
        let borne = found.filter(|outcome| outcome.is_borne(lab.options.limit_ms));
        Ok(borne.map_or(f64::INFINITY, |outcome| quantity(&outcome)))
    };
    Ok(if cost(Serving::AtOnce)? <= cost(Serving::Ticks)? { Serving::AtOnce } else { Serving::Ticks })
}

fn ratio(limit_ms: f64, (auto, better): (Option<&Outcome>, Option<&Outcome>), quantity: Quantity) -> f64 {
    let borne = |outcome: &&Outcome| outcome.is_borne(limit_ms);
    match (auto.filter(borne), better.filter(borne)) {
        (Some(auto), Some(better)) => quantity(better) / quantity(auto).max(f64::MIN_POSITIVE),
        // The better one is not better any more.
        (Some(_), None) => 1.0,
        (None, _) => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_is_the_better_ones_over_the_switchs_where_both_are_borne() {
        let of = |mean_ms| Outcome { mean_ms, ..Outcome::borne(100) };
        let gain = |auto: Option<&Outcome>, better: Option<&Outcome>| ratio(100.0, (auto, better), |of| of.mean_ms);
        let (quick, slow, late) = (of(10.0), of(20.0), of(101.0));
        assert_eq!((gain(Some(&quick), Some(&slow)), gain(Some(&slow), Some(&quick))), (2.0, 0.5));
        assert_eq!(gain(Some(&quick), Some(&late)), 1.0, "the better one is past the limit: no better");
        assert_eq!(gain(Some(&quick), None), 1.0);
        let lossy = Outcome { lost: 0.01, ..of(1.0) };
        let slack = Outcome { said_per_s: 89.0, ..of(1.0) };
        for spoilt in [Some(&late), Some(&lossy), Some(&slack), None] {
            assert_eq!((gain(spoilt, Some(&slow)), gain(spoilt, None)), (0.0, 0.0), "{spoilt:?}");
        }
    }
}
