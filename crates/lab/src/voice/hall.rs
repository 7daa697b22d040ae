//! People who speak all the time, and people who only listen. All are on one thread, and none has a head.

use std::collections::BTreeMap;
use std::time::Instant;

use anyhow::Result;
use serde::{Deserialize, Serialize};

use super::delivery::DeliveryCostOutcome;
use crate::crowd::connections::{CrowdConnections, GeneratorDatagramCounts, SAID_TOGETHER, overflowed_at};
use crate::crowd::flows::FlowCrowd;
use crate::crowd::tickets::TicketSource;
use crate::limits;
use crate::machine::{process_time, thread_time};
use crate::servers::motion::MotionServerUnderTest;
use crate::statistics::percentile;

/// Pause between two units of a speaker.
pub(super) const UNIT_US: u64 = 20_000;
/// Voices that a listener takes at once.
const HEARS: u8 = 16;
/// One of so many delays is kept.
const DELAYS_KEPT: u64 = 7;

/// Speakers and listeners, in this order.
pub(super) struct VoiceHall<L> {
    crowd: FlowCrowd<L>,
    speakers: usize,
    /// Number of the next unit. Speakers take turns.
    unit: u64,
    tally: UnitTally,
}

/// Units that were due in the window, and their arrivals.
#[derive(Debug, Default)]
struct UnitTally {
    window_us: (u64, u64),
    spoken: u64,
    arrived: u64,
    delays_ms: Vec<f64>,
}

/// The results of one step.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct HallOutcome {
    listeners: usize,
    /// Units spoken, and units that listeners received for the first time.
    spoken: u64,
    arrived: u64,
    /// Share of the deliveries that arrived.
    share: f64,
    delay_p50_ms: f64,
    delay_p99_ms: f64,
    server_dropped: BTreeMap<String, u64>,
    server_overflowed: u64,
    line: GeneratorDatagramCounts,
    /// Shares of one core.
    generator_load: f64,
    server_load: f64,
    /// Processor time of the server for each of these deliveries.
    server_us_per_delivery: f64,
}

impl HallOutcome {
    pub(super) fn holds(&self, delay_ms_max: f64) -> bool {
        self.share >= limits::VOICE_ARRIVED_MIN
            && self.delay_p99_ms <= delay_ms_max
            && self.server_dropped.is_empty()
            && self.server_overflowed == 0
            && self.line.unsent == 0
    }

    /// The server's cost of a delivery.
    pub(super) fn delivery_cost(&self) -> DeliveryCostOutcome {
        DeliveryCostOutcome {
            listeners: self.listeners,
            deliveries: self.arrived,
            share: self.share,
            payload_bytes: limits::VOICE_UNIT_BYTES as f64,
            generator_load: self.generator_load,
            server_load: self.server_load,
            us_per_delivery: self.server_us_per_delivery,
        }
    }

    pub(super) fn is_generator_bound(&self) -> bool {
        self.generator_load > limits::GENERATOR_LOAD_MAX || self.line.overflowed > 0
    }
}

impl<L: CrowdConnections> VoiceHall<L> {
    pub(super) fn new(connections: L, (speakers, listeners): (usize, usize)) -> VoiceHall<L> {
        let hears = (0..speakers + listeners).map(|person| if person < speakers { 0 } else { HEARS });
        VoiceHall { crowd: FlowCrowd::new(connections, hears), speakers, unit: 0, tally: UnitTally::default() }
    }

    /// Lets all people enter, and measures for some seconds.
    pub(super) fn measure(
        &mut self,
        tickets: &mut TicketSource<'_>,
        server: &MotionServerUnderTest<'_>,
        seconds: u64,
    ) -> Result<HallOutcome> {
        self.crowd.enter(tickets)?;
        self.unit = self.crowd.now_us() * self.speakers as u64 / UNIT_US;
        let from_us = self.crowd.now_us() + limits::WARM_UP.as_micros() as u64;
        let to_us = from_us + seconds * 1_000_000;
        self.tally = UnitTally { window_us: (from_us, to_us), ..UnitTally::default() };
        self.drive(from_us)?;
        let (began, dropped) = (Instant::now(), server.drops()?);
        let (generator, in_server) = (thread_time(), process_time(server.pid()));
        let (line, overflowed) = (self.crowd.counts(), overflowed_at(server.ports()));
        self.drive(to_us)?;
        let wall_s = began.elapsed().as_secs_f64();
        let generator_load = (thread_time() - generator).as_secs_f64() / wall_s;
        let server_s = process_time(server.pid()).saturating_sub(in_server).as_secs_f64();
        let line = self.crowd.counts().since(&line);
        // The last units arrive, and the server updates its counters once a second.
        self.drive(to_us + 2 * limits::GRACE.as_micros() as u64)?;
        let UnitTally { spoken, arrived, ref delays_ms, .. } = self.tally;
        let listeners = self.crowd.size() - self.speakers;
        let deliveries = (spoken * listeners as u64).max(1) as f64;
        Ok(HallOutcome {
            listeners,
            spoken,
            arrived,
            share: arrived as f64 / deliveries,
            delay_p50_ms: percentile(delays_ms, 0.5),
            delay_p99_ms: percentile(delays_ms, 0.99),
            server_dropped: server.drops()?.since(&dropped).dropped,
            server_overflowed: overflowed_at(server.ports()) - overflowed,
            line,
            generator_load,
            server_load: server_s / wall_s,
            server_us_per_delivery: server_s * 1e6 / arrived.max(1) as f64,
        })
    }

    /// Speaks, reports and listens until a time.
    fn drive(&mut self, until_us: u64) -> Result<()> {
        loop {
            let speaking_since = Instant::now();
            for _ in 0..SAID_TOGETHER {
                let (unit_us, report_us) = (self.unit_due_us(), self.crowd.report_due_us());
                let due_us = unit_us.min(report_us);
                if due_us > self.crowd.now_us() || due_us >= until_us {
                    break;
                }
                if unit_us <= report_us { self.speak(unit_us) } else { self.crowd.send_report() }
            }
            let next_us = self.unit_due_us().min(self.crowd.report_due_us()).min(until_us);
            let until = self.crowd.time_at(next_us);
            let VoiceHall { crowd, tally, .. } = self;
            crowd.listen((speaking_since, until), &mut |_, payload: &[u8], now_us| tally.hear(payload, now_us))?;
            if self.crowd.now_us() >= until_us {
                return Ok(());
            }
        }
    }

    fn unit_due_us(&self) -> u64 {
        self.unit * UNIT_US / self.speakers.max(1) as u64
    }

    fn speak(&mut self, due_us: u64) {
        let speaker = (self.unit % self.speakers as u64) as usize;
        self.unit += 1;
        let mut payload = [0; limits::VOICE_UNIT_BYTES];
        payload[..8].copy_from_slice(&due_us.to_le_bytes());
        self.crowd.say(speaker, 0, &payload);
        let (from_us, to_us) = self.tally.window_us;
        self.tally.spoken += u64::from((from_us..to_us).contains(&due_us));
    }
}

impl UnitTally {
    /// Counts a unit if its payload begins with a due time within the window.
    fn hear(&mut self, payload: &[u8], now_us: u64) {
        let Some(due_us) = payload.first_chunk().map(|bytes| u64::from_le_bytes(*bytes)) else { return };
        if (self.window_us.0..self.window_us.1).contains(&due_us) {
            self.arrived += 1;
            if self.arrived.is_multiple_of(DELAYS_KEPT) {
                self.delays_ms.push(now_us.saturating_sub(due_us) as f64 / 1_000.0);
            }
        }
    }
}
