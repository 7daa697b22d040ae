//! People who speak by prepared packets while a page measures. Each has a head at a fixed position. All are on one
//! thread, on the server's core.

use std::f64::consts::TAU;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use serde_json::Value;
use stoa_wire::limits::FRAME_BYTES_MAX;
use stoa_wire::motion::frame::HEAD_BYTES;
use stoa_wire::motion::{FlowId, FrameEntriesWriter, MediaUnit, PackedPose, Pose};

use super::hall::UNIT_US;
use crate::bots::HEAD_HEIGHT_M;
use crate::browser::RunningScript;
use crate::crowd::CrowdSettings;
use crate::crowd::connections::{CrowdConnections, NetcodeConnections, SAID_TOGETHER, listen};
use crate::crowd::flows::{LEVEL, REPORT_US, put_unit};
use crate::crowd::protocol::{OutgoingPosesAndRequests, ProtocolState};
use crate::crowd::tickets::TicketSource;
use crate::limits;
use crate::load::person::PersonIdentifiers;
use crate::machine;
use crate::servers::motion::MotionServerUnderTest;

/// Interval between checks of the browser.
const ASK_US: u64 = 100_000;
/// The golden angle: consecutive people stand in all directions.
const TURN_RAD: f64 = TAU * 0.381_966;
/// Each speaker's packets begin further on by so many than the speaker's before.
const APART_PACKETS: usize = 37;

/// The people and their voices.
pub(super) struct ChorusSettings {
    pub(super) people: usize,
    /// Centre of the circles on which people stand, in metres on the ground.
    pub(super) centre_m: [f64; 2],
    /// Radii of the innermost and outermost circle in metres.
    pub(super) radii_m: [f64; 2],
    /// Packets of 20 ms of Opus, spoken again and again.
    pub(super) packets: Vec<Vec<u8>>,
    /// Time for which people are silent, and then speak, in turns. `None` if they always speak.
    pub(super) turn: Option<Duration>,
}

impl ChorusSettings {
    /// Lets the people enter, starts the script, and speaks until it is done.
    pub(super) fn beside(
        &self,
        server: &MotionServerUnderTest<'_>,
        start: impl FnOnce() -> Result<RunningScript>,
    ) -> Result<Value> {
        machine::pin(limits::SERVER_CPU)?;
        let cast = CrowdSettings { people: self.people, ..CrowdSettings::default() };
        let mut tickets = TicketSource::of(server, &cast)?;
        let mut chorus = VoiceChorus::new(self, NetcodeConnections::new(self.people, server.address())?);
        chorus.connections.admit(&tickets.tickets(0..self.people)?)?;
        chorus.enter()?;
        let mut browser = start()?;
        loop {
            chorus.drive(chorus.now_us() + ASK_US)?;
            if let Some(found) = browser.seen()? {
                return Ok(found);
            }
        }
    }

    /// A person's head, turned to the centre's −z.
    fn head(&self, person: usize) -> PackedPose {
        let [inner, outer] = self.radii_m;
        let share = (person as f64 + 0.5) / self.people as f64;
        let (sine, cosine) = (person as f64 * TURN_RAD).sin_cos();
        let radius = inner + (outer - inner) * share;
        let [x, z] = self.centre_m;
        let position = [x + radius * sine, HEAD_HEIGHT_M, z + radius * cosine];
        PackedPose::pack(&Pose { position, rotation: [0.0, 0.0, 0.0, 1.0] }).expect("they stand near the origin")
    }

    /// Whether people speak at a time after the beginning.
    fn is_speaking(&self, at_us: u64) -> bool {
        self.turn.is_none_or(|turn| !(at_us / turn.as_micros() as u64).is_multiple_of(2))
    }
}

/// The speaking people.
struct VoiceChorus<'a> {
    settings: &'a ChorusSettings,
    connections: NetcodeConnections,
    people: Vec<ProtocolState>,
    heads: Vec<PackedPose>,
    began: Instant,
    /// Numbers of the next unit and of the next report of all people together.
    unit: u64,
    report: u64,
    writer: FrameEntriesWriter,
}

impl VoiceChorus<'_> {
    fn new(settings: &ChorusSettings, connections: NetcodeConnections) -> VoiceChorus<'_> {
        let people = 0..settings.people;
        VoiceChorus {
            settings,
            connections,
            people: people.clone().map(|person| ProtocolState::new(PersonIdentifiers::of(person).id_tag)).collect(),
            heads: people.map(|person| settings.head(person)).collect(),
            began: Instant::now(),
            unit: 0,
            report: 0,
            writer: FrameEntriesWriter::new(FRAME_BYTES_MAX - HEAD_BYTES),
        }
    }

    /// Waits until all people have entered and the server shows their heads.
    fn enter(&mut self) -> Result<()> {
        let deadline = Instant::now() + limits::ENTERING_TIMEOUT;
        while !self.people.iter().all(|person| person.is_shown(1)) {
            self.drive(self.now_us() + REPORT_US)?;
            if Instant::now() >= deadline {
                bail!("not all of {} speakers have entered", self.people.len());
            }
        }
        Ok(())
    }

    fn now_us(&self) -> u64 {
        self.began.elapsed().as_micros() as u64
    }

    /// Speaks, reports and acknowledges until a time.
    fn drive(&mut self, until_us: u64) -> Result<()> {
        while self.now_us() < until_us {
            let speaking_since = Instant::now();
            for _ in 0..SAID_TOGETHER {
                let (unit_us, report_us) = self.due_us();
                if unit_us.min(report_us) > self.now_us() {
                    break;
                }
                if unit_us <= report_us { self.speak(unit_us) } else { self.send_report() }
            }
            let (unit_us, report_us) = self.due_us();
            let until = self.began + Duration::from_micros(unit_us.min(report_us).min(until_us));
            let VoiceChorus { connections, people, began, .. } = self;
            listen(connections, (speaking_since, until), &mut |person, bytes| {
                people[person].take(bytes, began.elapsed().as_micros() as u64, &mut |_| {});
            })?;
        }
        Ok(())
    }

    /// When the next unit and the next report are due. People take turns.
    fn due_us(&self) -> (u64, u64) {
        let people = self.people.len() as u64;
        (self.unit * UNIT_US / people, self.report * REPORT_US / people)
    }

    fn speak(&mut self, due_us: u64) {
        let people = self.people.len() as u64;
        let (speaker, number) = ((self.unit % people) as usize, self.unit / people);
        self.unit += 1;
        if !self.settings.is_speaking(due_us) {
            return;
        }
        let packets = &self.settings.packets;
        let payload = &packets[(number as usize + speaker * APART_PACKETS) % packets.len()];
        let flow = FlowId { epoch: speaker as u32, flow: 0 };
        let captured_ms = (due_us / 1_000) as u32;
        let head = self.begin(speaker, false);
        let unit = MediaUnit { flow, number: number as u32, captured_ms, level: LEVEL, layer: 0, payload };
        put_unit(&mut self.writer, &mut Vec::new(), &unit);
        self.send(speaker, head);
    }

    fn send_report(&mut self) {
        let person = (self.report % self.people.len() as u64) as usize;
        self.report += 1;
        let head = self.begin(person, true);
        self.send(person, head);
    }

    /// Begins a frame, with the person's pose if `is_report`.
    fn begin(&mut self, person: usize, is_report: bool) -> [u8; HEAD_BYTES] {
        let poses = if is_report { &self.heads[person..=person] } else { &[] };
        let saying = OutgoingPosesAndRequests { poses, asks: &[], now_us: self.began.elapsed().as_micros() as u64 };
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

#[cfg(test)]
mod tests {
    use super::*;

    fn chorus(turn: Option<Duration>) -> ChorusSettings {
        ChorusSettings { people: 30, centre_m: [1.0, 3.0], radii_m: [5.0, 15.0], packets: Vec::new(), turn }
    }

    #[test]
    fn speakers_stand_on_circles_in_all_directions() {
        let heads: Vec<PackedPose> = (0..30).map(|person| chorus(None).head(person)).collect();
        let aside = |head: &PackedPose| [f64::from(head.position[0]) - 1_000.0, f64::from(head.position[2]) - 3_000.0];
        for head in &heads {
            let [x, z] = aside(head);
            assert!((5_000.0..=15_000.0).contains(&x.hypot(z)), "{head:?}");
        }
        for axis in 0..2 {
            let ahead = heads.iter().filter(|head| aside(head)[axis] > 0.0).count();
            assert!((12..=18).contains(&ahead), "{ahead} of 30");
        }
    }

    #[test]
    fn speakers_are_silent_and_speak_in_turns() {
        let turns = chorus(Some(Duration::from_secs(2)));
        let at = |seconds: u64| turns.is_speaking(seconds * 1_000_000);
        assert_eq!([at(0), at(1), at(2), at(3), at(4), at(6)], [false, false, true, true, false, true]);
        assert!(chorus(None).is_speaking(0), "without turns they always speak");
    }
}
