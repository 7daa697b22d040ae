//! Draws curves over people, after Ubiq's figures 3 to 7: latency, bandwidth, and changes of interest sets.

use anyhow::Result;

use super::people::{LATENCY_MS_MAX, PeopleTrialOutcome};
use crate::crowd::watch::CrowdOutcome;
use crate::environment::ExperimentContext;
use crate::papers::numbers;
use crate::plot::{Axis, Curve, Plot};

/// Draws latency, bandwidth and changes over people.
pub(super) fn people(setting: &ExperimentContext, kinds: &[(String, Vec<PeopleTrialOutcome>)]) -> Result<()> {
    let curves = |of: fn(&CrowdOutcome) -> f64| -> Vec<Curve> {
        let curve = |(name, steps): &(String, Vec<PeopleTrialOutcome>)| {
            let outcomes = steps.iter().filter_map(|step| Some((step.people as f64, of(step.outcome.as_ref()?))));
            Curve::new(name.replace('_', ", "), outcomes)
        };
        kinds.iter().map(curve).collect()
    };
    let plot = |title: &str, y: Axis, curves: Vec<Curve>| Plot {
        title: title.to_owned(),
        x: Axis::logarithmic("people"),
        y,
        limit: None,
        curves,
    };
    let mut latencies = curves(|outcome| outcome.delivery.p95_ms);
    latencies.push(Curve::new("paper's baseline", [(numbers::UBIQ_BASELINE.read()?, LATENCY_MS_MAX)]).dashed());
    let latency = plot("Latency of poses against people", Axis::logarithmic("ms (95th percentile)"), latencies);
    setting.draw("latency.svg", &Plot { limit: Some(LATENCY_MS_MAX), ..latency })?;
    let bytes = curves(|outcome| outcome.bytes_per_receiver_s / 1_000.0);
    setting.draw("bandwidth.svg", &plot("Bandwidth of each receiver", Axis::logarithmic("kB/s"), bytes))?;
    let changes = curves(|outcome| outcome.changes_per_s);
    setting.draw("changes.svg", &plot("Changes of each interest set", Axis::linear("changes a second"), changes))
}
