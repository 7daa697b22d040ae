//! Compares serving at once with serving in ticks, over the number of people. Figure `motion_at_once_people`, on which
//! the threshold of the server's own switch is based.

use anyhow::Result;
use serde_json::json;

use super::{ContextAndTestbed, MotionExperimentPart, Options, capacity};
use crate::crowd::watch::CrowdOutcome;
use crate::limits;
use crate::plot::{Axis, Curve, Plot};
use crate::report::{Figure, Report};
use crate::servers::motion::{MotionOptions, SendTimingMode};

const WAYS: [SendTimingMode; 2] = [SendTimingMode::AtOnce, SendTimingMode::Ticks];
const PEOPLE: [usize; 10] = [2, 4, 8, 16, 24, 32, 48, 64, 96, 128];
/// Maximum share of the core for serving at once, since a server has other scenes too.
const LOAD_MAX: f64 = 0.25;

/// Measures both modes of serving, and returns the plot.
pub(super) fn measure(
    report: &mut Report,
    options: &Options,
    (setting, testbed): ContextAndTestbed<'_>,
) -> Result<Option<(&'static str, Plot)>> {
    if !options.has(MotionExperimentPart::Serving) {
        return Ok(None);
    }
    let mut curves = Vec::new();
    for way in WAYS {
        let plane = MotionOptions { serving: Some(way), ..options.plane.clone() };
        let options = Options { plane, ..options.clone() };
        let mut outcomes: Vec<CrowdOutcome> = Vec::new();
        // Steps past twice the bound show nothing new.
        while outcomes.last().is_none_or(|outcome| outcome.server_load < 2.0 * LOAD_MAX) {
            let Some(&people) = PEOPLE.get(outcomes.len()) else { break };
            let key = json!({ "serving": way, "people": people });
            outcomes.push(setting.step(key, || capacity::heads(&options, testbed, people))?);
        }
        if way == SendTimingMode::AtOnce {
            let borne = outcomes.iter().take_while(|outcome| outcome.holds() && outcome.server_load < LOAD_MAX);
            let people = borne.map(|outcome| outcome.people).max().unwrap_or(0);
            report.figure("motion_at_once_people", Figure::new(people as f64, "people"));
        }
        report.series(&way.to_string(), json!(outcomes));
        let points = outcomes.iter().map(|outcome| (outcome.people as f64, outcome.delivery.p50_ms));
        curves.push(Curve::new(way.to_string(), points));
    }
    let plot = Plot {
        title: "Delivery time, at once and in ticks".to_owned(),
        x: Axis::linear("people"),
        y: Axis::logarithmic("ms (median)"),
        limit: Some(limits::MOTION_DELIVERY_P99_MS_MAX),
        curves,
    };
    Ok(Some(("serving.svg", plot)))
}
