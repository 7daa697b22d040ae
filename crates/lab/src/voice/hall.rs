//! People who speak all the time, and people who only listen. All are on one thread, and none has a head.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};
use stoa_wire::limits::FRAME_BYTES_MAX;
use stoa_wire::motion::frame::HEAD_BYTES;
use stoa_wire::motion::{
    FlowDeclaration, FlowId, FlowMedia, FrameEntriesWriter, FramePartKind, MediaUnit, MotionFrame, UnitLevel,
};

use crate::crowd::connections::{CrowdConnections, GeneratorDatagramCounts, SAID_TOGETHER, listen, overflowed_at};
use crate::crowd::protocol::{OutgoingPosesAndRequests, ProtocolState};
use crate::crowd::tickets::TicketSource;
use crate::limits;
use crate::load::person::PersonIdentifiers;
use crate::machine::{process_time, thread_time};
use crate::search::LoadNotCarried;
use crate::servers::motion::MotionServerUnderTest;
use crate::statistics::percentile;

/// Pause between two units of a speaker.
pub(super) const UNIT_US: u64 = 20_000;
/// Pause between two reports of a listener.
pub(super) const REPORT_US: u64 = 100_000;
/// One of so many delays is kept.
const DELAYS_KEPT: u64 = 7;

/// Puts a unit of a voice and the declaration of its flow into a frame.
pub(super) fn put_unit(writer: &mut FrameEntriesWriter, unit: &MediaUnit<'_>) {
    let (mut declared, mut bytes) = (Vec::new(), Vec::new());
    FlowDeclaration { id: unit.flow, media: FlowMedia::OpusVoice, name: "" }.write(&mut declared);
    unit.write(&mut bytes);
    writer.put(FramePartKind::Flow, &declared);
    writer.put(FramePartKind::Units, &bytes);
}

/// Speakers and listeners, in this order, and their connections.
pub(super) struct VoiceHall<L> {
    connections: L,
    speakers: usize,
    people: Vec<ProtocolState>,
    admitted: usize,
    began: Instant,
    /// Numbers of the next unit and of the next report.
    unit: u64,
    report: u64,
    writer: FrameEntriesWriter,
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
    /// Units spoken, and units that listeners received.
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
    /// Processor time of the server for each delivery.
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

    pub(super) fn is_generator_bound(&self) -> bool {
        self.generator_load > limits::GENERATOR_LOAD_MAX || self.line.overflowed > 0
    }
}

impl<L: CrowdConnections> VoiceHall<L> {
    pub(super) fn new(connections: L, (speakers, listeners): (usize, usize)) -> VoiceHall<L> {
        let people = (0..speakers + listeners).map(|person| ProtocolState::new(PersonIdentifiers::of(person).id_tag));
        VoiceHall {
            connections,
            speakers,
            people: people.collect(),
            admitted: 0,
            began: Instant::now(),
            unit: 0,
            report: 0,
            writer: FrameEntriesWriter::new(FRAME_BYTES_MAX - HEAD_BYTES),
            tally: UnitTally::default(),
        }
    }

    /// Lets all people enter, and measures for some seconds.
    pub(super) fn measure(
        &mut self,
        tickets: &mut TicketSource<'_>,
        server: &MotionServerUnderTest<'_>,
        seconds: u64,
    ) -> Result<HallOutcome> {
        self.enter(tickets)?;
        let from_us = self.now_us() + limits::WARM_UP.as_micros() as u64;
        let to_us = from_us + seconds * 1_000_000;
        self.tally = UnitTally { window_us: (from_us, to_us), ..UnitTally::default() };
        self.drive(from_us)?;
        let (began, dropped) = (Instant::now(), server.drops()?);
        let (generator, in_server) = (thread_time(), process_time(server.pid()));
        let (line, overflowed) = (self.connections.counts(), overflowed_at(server.ports()));
        self.drive(to_us)?;
        let wall_s = began.elapsed().as_secs_f64();
        let generator_load = (thread_time() - generator).as_secs_f64() / wall_s;
        let server_s = process_time(server.pid()).saturating_sub(in_server).as_secs_f64();
        let line = self.connections.counts().since(&line);
        // The last units arrive, and the server updates its counters once a second.
        self.drive(to_us + 2 * limits::GRACE.as_micros() as u64)?;
        let UnitTally { spoken, arrived, ref delays_ms, .. } = self.tally;
        let listeners = self.people.len() - self.speakers;
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
            server_us_per_delivery: server_s * 1e6 / deliveries,
        })
    }

    fn enter(&mut self, tickets: &mut TicketSource<'_>) -> Result<()> {
        while self.admitted < self.people.len() {
            let wave = self.admitted..self.people.len().min(self.admitted + L::WAVE);
            let young = tickets.young_tickets(wave)?;
            self.connections.admit(&young)?;
            self.admitted += young.len();
            let deadline = Instant::now() + limits::ENTERING_TIMEOUT;
            while !(0..self.admitted).all(|person| self.connections.is_in(person)) {
                self.drive(self.now_us() + REPORT_US)?;
                if Instant::now() >= deadline {
                    let outside = (0..self.admitted).filter(|person| !self.connections.is_in(*person)).count();
                    bail!(LoadNotCarried(format!("{outside} of {} have not entered", self.admitted)));
                }
            }
        }
        Ok(())
    }

    fn now_us(&self) -> u64 {
        self.began.elapsed().as_micros() as u64
    }

    /// Speaks, reports and listens until a time.
    fn drive(&mut self, until_us: u64) -> Result<()> {
        loop {
            let speaking_since = Instant::now();
            for _ in 0..SAID_TOGETHER {
                let (unit_us, report_us) = self.due_us();
                let due_us = unit_us.min(report_us);
                if due_us > self.now_us() || due_us >= until_us {
                    break;
                }
                if unit_us <= report_us { self.speak(unit_us) } else { self.send_report() }
            }
            let (unit_us, report_us) = self.due_us();
            let next_us = unit_us.min(report_us).min(until_us);
            let until = self.began + Duration::from_micros(next_us);
            let VoiceHall { connections, people, tally, speakers, began, .. } = self;
            let mut hear = |person: usize, bytes: &[u8]| {
                let now_us = began.elapsed().as_micros() as u64;
                if let Some(frame) = people[person].take(bytes, now_us, &mut |_| {})
                    && person >= *speakers
                {
                    tally.hear(&frame, now_us);
                }
            };
            listen(connections, (speaking_since, until), &mut hear)?;
            if self.now_us() >= until_us {
                return Ok(());
            }
        }
    }

    /// When the next unit and the next report are due. Speakers and listeners take turns.
    fn due_us(&self) -> (u64, u64) {
        let unit_us = self.unit * UNIT_US / self.speakers.max(1) as u64;
        (unit_us, self.report * REPORT_US / self.people.len() as u64)
    }

    fn speak(&mut self, due_us: u64) {
        let (speaker, number) = ((self.unit % self.speakers as u64) as usize, self.unit / self.speakers as u64);
        self.unit += 1;
        if speaker >= self.admitted {
            return;
        }
        let id = FlowId { epoch: speaker as u32, flow: 0 };
        let head = self.begin(speaker);
        let mut payload = [0; limits::VOICE_UNIT_BYTES];
        payload[..8].copy_from_slice(&due_us.to_le_bytes());
        let (captured_ms, level) = ((due_us / 1_000) as u32, UnitLevel(0x80 | 30));
        let unit = MediaUnit { flow: id, number: number as u32, captured_ms, level, layer: 0, payload: &payload };
        put_unit(&mut self.writer, &unit);
        self.send(speaker, head);
        let (from_us, to_us) = self.tally.window_us;
        self.tally.spoken += u64::from((from_us..to_us).contains(&due_us));
    }

    fn send_report(&mut self) {
        let person = (self.report % self.people.len() as u64) as usize;
        self.report += 1;
        if person >= self.admitted {
            return;
        }
        let head = self.begin(person);
        if person >= self.speakers {
            self.writer.put(FramePartKind::Hears, &[16]);
        }
        self.send(person, head);
    }

    fn begin(&mut self, person: usize) -> [u8; HEAD_BYTES] {
        let saying =
            OutgoingPosesAndRequests { poses: &[], asks: &[], now_us: self.began.elapsed().as_micros() as u64 };
        self.people[person].say(&saying, &mut self.writer)
    }

    fn send(&mut self, person: usize, head: [u8; HEAD_BYTES]) {
        let mut frame = [0; FRAME_BYTES_MAX];
        let length = HEAD_BYTES + self.writer.bytes().len();
        frame[..HEAD_BYTES].copy_from_slice(&head);
        frame[HEAD_BYTES..length].copy_from_slice(self.writer.bytes());
        self.connections.say(person, &frame[..length]);
    }
}

impl UnitTally {
    fn hear(&mut self, frame: &MotionFrame<'_>, now_us: u64) {
        let units = frame.parts().filter(|(kind, _)| *kind == FramePartKind::Units as u8);
        for unit in units.flat_map(|(_, content)| MediaUnit::read_all(content)) {
            let Some(due_us) = unit.payload.first_chunk().map(|bytes| u64::from_le_bytes(*bytes)) else { continue };
            if (self.window_us.0..self.window_us.1).contains(&due_us) {
                self.arrived += 1;
                if self.arrived.is_multiple_of(DELAYS_KEPT) {
                    self.delays_ms.push(now_us.saturating_sub(due_us) as f64 / 1_000.0);
                }
            }
        }
    }
}
