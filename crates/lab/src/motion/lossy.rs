//! Measures the drawing error over a bad path: 20 % of the frames lost, 100 ms of delay and up to 50 ms more, in each
//! direction. Figures `motion_loss_error_mm` and `motion_loss_error_shown_mm`. The reference is the same path without
//! loss.

use std::time::Duration;

use anyhow::Result;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{ContextAndTestbed, MotionExperimentPart, Options};
use crate::bots::random_waypoint::RandomWaypointCrowd;
use crate::crowd::connections::NetcodeConnections;
use crate::crowd::impaired::{ImpairedConnections, LinkImpairment};
use crate::crowd::tickets::TicketSource;
use crate::crowd::{Crowd, CrowdSettings};
use crate::report::{Figure, ReferenceSystemMeasurement, Report};
use crate::servers::Testbed;
use crate::servers::motion::MotionServerUnderTest;
use crate::statistics::percentile;

/// People that see each other, each behind a bad path.
const PEOPLE: usize = 20;
/// Period of a screen.
const RENDER_PERIOD_US: u64 = 16_667;
/// Time for the server's rate to settle.
const SETTLE_US: u64 = 10_000_000;

/// Distances between drawn and true positions.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct DrawnPositionErrorSummary {
    loss: f64,
    /// From the true position at the moment of drawing.
    now_p50_mm: f64,
    now_p95_mm: f64,
    /// From the true position at the shown moment.
    shown_p50_mm: f64,
    shown_p95_mm: f64,
    /// Age of a shown pose.
    behind_p50_ms: f64,
    samples: usize,
    /// The path quality that the server reported to one person.
    bytes_per_s: u32,
    thinned_per_mille: u16,
}

pub(super) fn measure(report: &mut Report, options: &Options, (setting, testbed): ContextAndTestbed<'_>) -> Result<()> {
    if !options.has(MotionExperimentPart::Loss) {
        return Ok(());
    }
    let drawn = |loss: f64| setting.step(json!({ "loss": loss }), || draw(options, testbed, loss));
    let (clean, lossy) = (drawn(0.0)?, drawn(0.2)?);
    report.series("loss", json!([clean, lossy]));
    for (name, of) in [
        ("motion_loss_error_mm", (|errors| errors.now_p95_mm) as fn(&DrawnPositionErrorSummary) -> f64),
        ("motion_loss_error_shown_mm", |errors| errors.shown_p95_mm),
    ] {
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let reference = ReferenceSystemMeasurement {
            name: "the same way without loss".to_owned(),
            version,
            value: of(&clean),
            generator_bound: false,
        };
        report.figure(name, Figure::new(of(&lossy), "mm").beside(reference));
    }
    Ok(())
}

fn draw(options: &Options, testbed: &Testbed, loss: f64) -> Result<DrawnPositionErrorSummary> {
    let server = MotionServerUnderTest::start(options.server, testbed, &options.plane)?;
    let impairment = LinkImpairment {
        loss,
        delay: Duration::from_millis(100),
        jitter: Duration::from_millis(50),
        seed: options.seed,
    };
    let cast = CrowdSettings { people: PEOPLE, decoders: PEOPLE, seed: options.seed, ..CrowdSettings::default() };
    let connections = ImpairedConnections::new(NetcodeConnections::new(PEOPLE, server.address())?, impairment);
    let mut crowd = Crowd::new(cast, connections, Box::new(RandomWaypointCrowd::new(PEOPLE, options.seed)));
    crowd.show();
    crowd.enter(&mut TicketSource::of(&server, &cast)?)?;
    crowd.drive(crowd.now_us() + SETTLE_US)?;
    let end_us = crowd.now_us() + options.step_s * 1_000_000;
    let mut samples = Vec::new();
    while crowd.now_us() < end_us {
        crowd.drive(crowd.now_us() + RENDER_PERIOD_US)?;
        samples.extend(crowd.draw());
    }
    // A position between two turns is known after the second.
    crowd.drive(end_us + 2 * cast.period.as_micros() as u64)?;
    let (mut now, mut shown, mut behind) = (Vec::new(), Vec::new(), Vec::new());
    for sample in &samples {
        now.push(crowd.away_mm(sample, sample.now_us as f64));
        shown.push(crowd.away_mm(sample, sample.shown_us));
        behind.push((sample.now_us as f64 - sample.shown_us) / 1_000.0);
    }
    let quality = crowd.qualities().next().unwrap_or_default();
    Ok(DrawnPositionErrorSummary {
        loss,
        now_p50_mm: percentile(&now, 0.5),
        now_p95_mm: percentile(&now, 0.95),
        shown_p50_mm: percentile(&shown, 0.5),
        shown_p95_mm: percentile(&shown, 0.95),
        behind_p50_ms: percentile(&behind, 0.5),
        samples: samples.len(),
        bytes_per_s: quality.bytes_per_s,
        thinned_per_mille: quality.thinned_per_mille,
    })
}
