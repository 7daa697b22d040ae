//! Simulates people with media flows and without heads, all on one thread. They send units, and count each unit that
//! arrives for the first time.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use stoa_state::motion::UnitNumberWindow;
use stoa_wire::limits::{FLOWS_MAX, FRAME_BYTES_MAX};
use stoa_wire::motion::frame::HEAD_BYTES;
use stoa_wire::motion::{
    FlowDeclaration, FlowId, FlowMedia, FrameEntriesWriter, FramePartKind, MediaUnit, MotionFrame, UnitLevel,
};

use super::connections::{CrowdConnections, GeneratorDatagramCounts, SAID_TOGETHER, listen};
use super::protocol::{OutgoingPosesAndRequests, ProtocolState};
use super::tickets::TicketSource;
use crate::limits;
use crate::load::person::PersonIdentifiers;
use crate::search::LoadNotCarried;

/// Pause between two reports of a person.
pub(crate) const REPORT_US: u64 = 100_000;
/// The level of all units: speech at -30 dBov. Without speech a flow would not be forwarded.
pub(crate) const LEVEL: UnitLevel = UnitLevel(0x80 | 30);

/// Puts a unit of a voice and the declaration of its flow into a frame. `entry` holds each part in turn.
pub(crate) fn put_unit(writer: &mut FrameEntriesWriter, entry: &mut Vec<u8>, unit: &MediaUnit<'_>) {
    entry.clear();
    FlowDeclaration { id: unit.flow, media: FlowMedia::OpusVoice, name: "" }.write(entry);
    writer.put(FramePartKind::Flow, entry);
    entry.clear();
    unit.write(entry);
    writer.put(FramePartKind::Units, entry);
}

/// People with flows, and their connections.
pub(crate) struct FlowCrowd<L> {
    connections: L,
    people: Vec<FlowPerson>,
    admitted: usize,
    began: Instant,
    /// Number of the next report. People report in turns.
    report: u64,
    frame: FlowFrame,
}

/// A person's side of the protocol.
struct FlowPerson {
    protocol: ProtocolState,
    /// Flows that the person takes at once.
    hears: u8,
    /// The next number of each flow.
    numbers: [u32; FLOWS_MAX],
    heard: BTreeMap<FlowId, UnitNumberWindow>,
}

/// Scratch memory for frames.
struct FlowFrame {
    writer: FrameEntriesWriter,
    entry: Vec<u8>,
    bytes: [u8; FRAME_BYTES_MAX],
}

impl<L: CrowdConnections> FlowCrowd<L> {
    /// A crowd with so many people as `hears` has items: how many flows each takes at once. With 0 a person only sends.
    pub(crate) fn new(connections: L, hears: impl IntoIterator<Item = u8>) -> FlowCrowd<L> {
        let writer = FrameEntriesWriter::new(FRAME_BYTES_MAX - HEAD_BYTES);
        FlowCrowd {
            connections,
            people: hears.into_iter().enumerate().map(|(person, hears)| FlowPerson::new(person, hears)).collect(),
            admitted: 0,
            began: Instant::now(),
            report: 0,
            frame: FlowFrame { writer, entry: Vec::new(), bytes: [0; FRAME_BYTES_MAX] },
        }
    }

    /// Lets all people enter in waves. Admitted people report meanwhile, since the server ends silent sessions.
    ///
    /// # Errors
    /// A socket is broken, the server issues no ticket, or some people have not entered in time.
    pub(crate) fn enter(&mut self, tickets: &mut TicketSource<'_>) -> Result<()> {
        while self.admitted < self.people.len() {
            let wave = self.admitted..self.people.len().min(self.admitted + L::WAVE);
            let young = tickets.young_tickets(wave)?;
            self.connections.admit(&young)?;
            self.admitted += young.len();
            let deadline = Instant::now() + limits::ENTERING_TIMEOUT;
            while !(0..self.admitted).all(|person| self.connections.is_in(person)) {
                self.report_until(self.now_us() + REPORT_US)?;
                if Instant::now() >= deadline {
                    let outside = (0..self.admitted).filter(|person| !self.connections.is_in(*person)).count();
                    bail!(LoadNotCarried(format!("{outside} of {} have not entered", self.admitted)));
                }
            }
        }
        Ok(())
    }

    fn report_until(&mut self, until_us: u64) -> Result<()> {
        while self.now_us() < until_us {
            let reporting_since = Instant::now();
            for _ in 0..SAID_TOGETHER {
                if self.report_due_us() > self.now_us() {
                    break;
                }
                self.send_report();
            }
            let until = self.time_at(self.report_due_us().min(until_us));
            self.listen((reporting_since, until), &mut |_, _: &[u8], _| {})?;
        }
        Ok(())
    }

    /// Number of people.
    pub(crate) fn size(&self) -> usize {
        self.people.len()
    }

    /// Microseconds since the crowd began.
    pub(crate) fn now_us(&self) -> u64 {
        self.began.elapsed().as_micros() as u64
    }

    /// A time in microseconds since the crowd began.
    pub(crate) fn time_at(&self, at_us: u64) -> Instant {
        self.began + Duration::from_micros(at_us)
    }

    /// When the next report is due, in microseconds since the crowd began.
    pub(crate) fn report_due_us(&self) -> u64 {
        self.report * REPORT_US / self.people.len() as u64
    }

    /// Sends the next person's report: an acknowledgement, and how many flows it takes.
    pub(crate) fn send_report(&mut self) {
        let person = (self.report % self.people.len() as u64) as usize;
        self.report += 1;
        self.send(person, |_, _, _| {});
    }

    /// Sends a unit of a person's flow, in a frame of its own with the flow's declaration.
    pub(crate) fn say(&mut self, person: usize, flow: u8, payload: &[u8]) {
        let captured_ms = (self.now_us() / 1_000) as u32;
        self.send(person, |sender, writer, entry| {
            let id = FlowId { epoch: person as u32, flow };
            let number = &mut sender.numbers[usize::from(flow)];
            let unit = MediaUnit { flow: id, number: *number, captured_ms, level: LEVEL, layer: 0, payload };
            put_unit(writer, entry, &unit);
            *number = number.wrapping_add(1);
        });
    }

    fn send(&mut self, person: usize, put: impl FnOnce(&mut FlowPerson, &mut FrameEntriesWriter, &mut Vec<u8>)) {
        if person >= self.admitted {
            return;
        }
        let now_us = self.now_us();
        let FlowCrowd { connections, people, frame: FlowFrame { writer, entry, bytes }, .. } = self;
        let sender = &mut people[person];
        let head = sender.protocol.say(&OutgoingPosesAndRequests { poses: &[], asks: &[], now_us }, writer);
        if sender.hears > 0 {
            writer.put(FramePartKind::Hears, &[sender.hears]);
        }
        put(sender, writer, entry);
        let length = HEAD_BYTES + writer.bytes().len();
        bytes[..HEAD_BYTES].copy_from_slice(&head);
        bytes[HEAD_BYTES..length].copy_from_slice(writer.bytes());
        connections.say(person, &bytes[..length]);
    }

    /// Handles arrivals as [`listen`] does, and passes each unit that a person has not received before to `hear`: the
    /// person, the unit's payload, and the time in microseconds since the crowd began.
    ///
    /// # Errors
    /// A socket is broken.
    pub(crate) fn listen(&mut self, times: (Instant, Instant), hear: &mut dyn FnMut(usize, &[u8], u64)) -> Result<()> {
        let FlowCrowd { connections, people, began, .. } = self;
        let began = *began;
        listen(connections, times, &mut |person, bytes| people[person].take(person, bytes, began, hear))
    }

    /// Waits for arrivals once, as [`CrowdConnections::receive`] does. `hear` is that of [`FlowCrowd::listen`].
    ///
    /// # Errors
    /// A socket is broken.
    pub(crate) fn receive(&mut self, until: Instant, hear: &mut dyn FnMut(usize, &[u8], u64)) -> Result<usize> {
        let FlowCrowd { connections, people, began, .. } = self;
        let began = *began;
        connections.receive(until, &mut |person, bytes| people[person].take(person, bytes, began, hear))
    }

    pub(crate) fn counts(&self) -> GeneratorDatagramCounts {
        self.connections.counts()
    }
}

impl FlowPerson {
    fn new(person: usize, hears: u8) -> FlowPerson {
        FlowPerson {
            protocol: ProtocolState::new(PersonIdentifiers::of(person).id_tag),
            hears,
            numbers: [0; FLOWS_MAX],
            heard: BTreeMap::new(),
        }
    }

    fn take(&mut self, person: usize, bytes: &[u8], began: Instant, hear: &mut dyn FnMut(usize, &[u8], u64)) {
        let now_us = began.elapsed().as_micros() as u64;
        let Some(frame) = self.protocol.take(bytes, now_us, &mut |_| {}) else { return };
        for unit in units_of(&frame) {
            let numbers = self.heard.entry(unit.flow).or_default();
            if !numbers.has(unit.number) {
                numbers.add(unit.number);
                hear(person, unit.payload, now_us);
            }
        }
    }
}

fn units_of<'a>(frame: &MotionFrame<'a>) -> impl Iterator<Item = MediaUnit<'a>> {
    let units = frame.parts().filter(|(kind, _)| *kind == FramePartKind::Units as u8);
    units.flat_map(|(_, content)| MediaUnit::read_all(content))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sent frames, which come back to their sender twice.
    #[derive(Default)]
    struct Echo(Vec<(usize, Vec<u8>)>);

    impl CrowdConnections for Echo {
        fn say(&mut self, person: usize, frame: &[u8]) {
            self.0.push((person, frame.to_vec()));
        }

        fn receive(&mut self, _until: Instant, hear: &mut dyn FnMut(usize, &[u8])) -> Result<usize> {
            let frames = std::mem::take(&mut self.0);
            frames.iter().chain(&frames).for_each(|(person, frame)| hear(*person, frame));
            Ok(2 * frames.len())
        }

        fn is_in(&self, _person: usize) -> bool {
            true
        }

        fn counts(&self) -> GeneratorDatagramCounts {
            GeneratorDatagramCounts::default()
        }
    }

    fn entered(hears: &[u8]) -> FlowCrowd<Echo> {
        let mut crowd = FlowCrowd::new(Echo::default(), hears.iter().copied());
        crowd.enter(&mut TicketSource::Open).expect("they are in");
        crowd
    }

    #[test]
    fn a_unit_is_heard_once_and_each_flow_has_numbers_of_its_own() {
        let mut crowd = entered(&[3, 3]);
        for (flow, payload) in [(0, b"a"), (0, b"b"), (1, b"c"), (2, b"d")] {
            crowd.say(0, flow, payload);
        }
        crowd.say(1, 0, b"e");
        let mut heard = Vec::new();
        let mut hear = |person: usize, payload: &[u8], _: u64| heard.push((person, payload.to_vec()));
        crowd.receive(Instant::now(), &mut hear).expect("it is open");
        let expected = [(0, b"a"), (0, b"b"), (0, b"c"), (0, b"d"), (1, b"e")];
        assert_eq!(heard, expected.map(|(person, payload)| (person, payload.to_vec())));
    }

    #[test]
    fn a_frame_with_a_unit_declares_its_flow_and_people_who_only_send_ask_for_none() {
        let mut crowd = entered(&[0, 16]);
        crowd.connections.0.clear();
        crowd.say(0, 2, b"word");
        crowd.say(1, 0, b"word");
        let kinds = |frame: &[u8]| -> Vec<u8> {
            let frame = MotionFrame::read(frame).expect("a frame");
            frame.parts().map(|(kind, _)| kind).collect()
        };
        let sent: Vec<Vec<u8>> = crowd.connections.0.iter().map(|(_, frame)| kinds(frame)).collect();
        let [hears, flow, units] =
            [FramePartKind::Hears, FramePartKind::Flow, FramePartKind::Units].map(|kind| kind as u8);
        assert_eq!(sent, [vec![flow, units], vec![hears, flow, units]]);
    }
}
