//! Measures voices: how many listeners one core serves and at which cost, how a receiver's rate follows its path, and
//! the delay between pages and the size of their script.

mod chorus;
mod cost;
mod delivery;
mod hall;
mod hearing;
mod livekit;
mod pages;
mod rate;

use anyhow::Result;
use serde_json::json;

use self::hall::{HallOutcome, VoiceHall};
use self::livekit::LivekitClients;
use crate::browser::BrowserScripts;
use crate::choice;
use crate::crowd::CrowdSettings;
use crate::crowd::connections::NetcodeConnections;
use crate::crowd::tickets::TicketSource;
use crate::crowd::webtransport::WebTransportConnections;
use crate::environment::ExperimentContext;
use crate::limits;
use crate::report::{Figure, Report};
use crate::search::{CapacitySearch, if_carried};
use crate::servers::Testbed;
use crate::servers::motion::{MotionOptions, MotionServerKind, MotionServerUnderTest};

/// The figures of the report.
pub(crate) const FIGURES: &[&str] = &[
    "voice_listeners_{netcode,webtransport}",
    "voice_us_per_delivery",
    "voice_us_per_delivery_ratio",
    "voice_rate_{queue_ms,used,random_loss}",
    "voice_mouth_to_ear_{ms,p95_ms,walking_ms}",
    "voice_lossy_{estoi,delay}",
    "voice_blocked_gaps",
    "voice_first_word",
    "voice_page_cores",
    "voice_script_kib",
];

/// Options of the voice experiment.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Options {
    /// Measure only these
    #[arg(long, value_delimiter = ',')]
    only: Vec<VoiceSubject>,
    /// People who speak all the time
    #[arg(long, default_value_t = 10)]
    speakers: usize,
    /// Measure these numbers of listeners instead of searching
    #[arg(long, value_delimiter = ',')]
    listeners: Vec<usize>,
    /// Seconds that count in each step
    #[arg(long, default_value_t = 10)]
    step_s: u64,
    /// Searches for each transport, and runs of each server for the cost; the report has their medians
    #[arg(long, default_value_t = 3)]
    runs: usize,
    /// Measure the cost with this number of listeners instead of searching
    #[arg(long)]
    cost_listeners: Option<usize>,
    #[command(flatten)]
    livekit: LivekitClients,
    #[command(flatten)]
    scripts: BrowserScripts,
}

/// A subject of the experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
#[value(rename_all = "lowercase")]
enum VoiceSubject {
    /// Listeners by netcode
    Netcode,
    /// Listeners by WebTransport
    Webtransport,
    /// Processor time for each delivery, beside LiveKit
    Cost,
    /// The rate on a simulated link, without a server
    Rate,
    /// The delay from mouth to ear between two pages, beside WebRTC
    Delay,
    /// Intelligibility and delay over a bad path between two pages, beside WebRTC
    Lossy,
    /// Gaps in a voice while the listener's page is blocked
    Blocked,
    /// Words heard from their beginning after a silence
    Words,
    /// Processor time of a page that plays many voices
    Cores,
    /// The size of the script that a page loads to talk and hear
    Script,
}

/// Measures a subject in pages.
type MeasureHearing = fn(&mut Report, &BrowserScripts, &ExperimentContext) -> Result<()>;

/// The subjects that a listening page measures.
const HEARING: [(VoiceSubject, MeasureHearing); 4] = [
    (VoiceSubject::Lossy, hearing::measure_lossy),
    (VoiceSubject::Blocked, hearing::measure_blocked),
    (VoiceSubject::Words, hearing::measure_words),
    (VoiceSubject::Cores, hearing::measure_cores),
];

/// A transport of the voices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
#[value(rename_all = "lowercase")]
enum VoiceTransport {
    /// netcode over UDP, as native clients use it
    Netcode,
    /// WebTransport, as browsers use it
    Webtransport,
}

impl VoiceTransport {
    const ALL: [VoiceTransport; 2] = [VoiceTransport::Netcode, VoiceTransport::Webtransport];

    fn subject(self) -> VoiceSubject {
        match self {
            VoiceTransport::Netcode => VoiceSubject::Netcode,
            VoiceTransport::Webtransport => VoiceSubject::Webtransport,
        }
    }

    /// The listeners to try first, those required, and the highest 99th percentile of a unit's delay.
    fn bars(self) -> (usize, f64, f64) {
        match self {
            VoiceTransport::Netcode => (3_000, 3_000.0, 25.0),
            VoiceTransport::Webtransport => (600, 600.0, 30.0),
        }
    }
}

pub(crate) fn run(options: &Options, setting: &ExperimentContext) -> Result<Report> {
    let mut report = Report::new(
        "voice",
        json!({
            "speakers": options.speakers, "units_per_s": 50, "unit_bytes": limits::VOICE_UNIT_BYTES,
            "step_s": options.step_s, "runs": options.runs,
            "limits": { "arrived": limits::VOICE_ARRIVED_MIN, "dropped_by_the_server": 0 },
        }),
    );
    if choice::has(&options.only, &VoiceSubject::Rate) {
        rate::run(&mut report, options.runs);
    }
    if choice::has(&options.only, &VoiceSubject::Delay) {
        pages::measure_delay(&mut report, &options.scripts, setting)?;
    }
    for (subject, measure) in HEARING {
        if choice::has(&options.only, &subject) {
            measure(&mut report, &options.scripts, setting)?;
        }
    }
    if choice::has(&options.only, &VoiceSubject::Script) {
        pages::measure_script(&mut report, &options.scripts, setting)?;
    }
    let is_chosen = |transport: &VoiceTransport| choice::has(&options.only, &transport.subject());
    let transports: Vec<VoiceTransport> = VoiceTransport::ALL.into_iter().filter(is_chosen).collect();
    let has_cost = choice::has(&options.only, &VoiceSubject::Cost);
    if has_cost || !transports.is_empty() {
        let testbed = Testbed::new(setting.stoa()?)?;
        if has_cost {
            cost::measure(&mut report, options, setting, &testbed)?;
        }
        for transport in transports {
            search(&mut report, options, (setting, &testbed, transport))?;
        }
    }
    Ok(report.finish())
}

fn search(
    report: &mut Report,
    options: &Options,
    (setting, testbed, transport): (&ExperimentContext, &Testbed, VoiceTransport),
) -> Result<()> {
    let (first_guess, bar, delay_ms_max) = transport.bars();
    let name = choice::word(transport);
    let (mut outcomes, mut largest, mut failed, mut is_bound) = (Vec::new(), Vec::new(), Vec::new(), false);
    let mut bears = |listeners: usize, run: usize| {
        let key = json!({ "voice": name, "listeners": listeners, "run": run });
        let outcome = match setting.step(key, || if_carried(step(options, (testbed, transport), listeners)))? {
            Ok(outcome) => outcome,
            Err(why) => {
                failed.push(json!({ "listeners": listeners, "error": why }));
                return Ok(false);
            }
        };
        eprintln!("  {name}: {outcome:?}");
        let holds = outcome.holds(delay_ms_max);
        is_bound |= !holds && outcome.is_generator_bound();
        outcomes.push(outcome);
        Ok(holds)
    };
    if options.listeners.is_empty() {
        for run in 0..options.runs {
            let from = largest.last().copied().unwrap_or(first_guess);
            let search = CapacitySearch { from, resolution: 0.04, most: limits::VOICE_LISTENERS_MAX };
            largest.push(search.largest(|listeners| bears(listeners, run))?);
        }
    } else {
        let mut most = 0;
        for &listeners in &options.listeners {
            most = if bears(listeners, 0)? { most.max(listeners) } else { most };
        }
        largest.push(most);
    }
    report.series(&name, json!({ "largest": largest, "steps": outcomes, "failed": failed }));
    let largest: Vec<f64> = largest.into_iter().map(|listeners| listeners as f64).collect();
    let mut figure = Figure::of_runs(&largest, "listeners");
    figure.generator_bound = is_bound;
    report.figure(&format!("voice_listeners_{name}"), figure.held_to(">=", bar, "value"));
    Ok(())
}

/// One run with a fresh server.
fn step(options: &Options, (testbed, transport): (&Testbed, VoiceTransport), listeners: usize) -> Result<HallOutcome> {
    let server = MotionServerUnderTest::start(MotionServerKind::Stoa, testbed, &MotionOptions::default())?;
    let people = options.speakers + listeners;
    let cast = CrowdSettings { people, ..CrowdSettings::default() };
    let mut tickets = TicketSource::of(&server, &cast)?;
    let shape = (options.speakers, listeners);
    match transport {
        VoiceTransport::Netcode => {
            let connections = NetcodeConnections::new(people, server.address())?;
            VoiceHall::new(connections, shape).measure(&mut tickets, &server, options.step_s)
        }
        VoiceTransport::Webtransport => {
            let connections = WebTransportConnections::new(people)?;
            VoiceHall::new(connections, shape).measure(&mut tickets, &server, options.step_s)
        }
    }
}
