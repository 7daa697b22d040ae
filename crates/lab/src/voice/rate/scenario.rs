//! People who move and speak, and one receiver on a link that becomes slow, fast again, and lossy.

use std::collections::VecDeque;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use stoa_state::motion::{MotionEntrant, MotionRights, MotionScene, MotionSessionId, MotionSettings};
use stoa_state::time::Time;
use stoa_wire::motion::{
    FlowDeclaration, FlowId, FlowMedia, FramePartKind, MediaUnit, MotionObjectKind, ObjectDeclaration, OwnPose,
    PackedPose, Rotation, UnitLevel,
};

use super::link::{SimulatedLink, WAY_US};
use super::receiver::LinkReceiver;
use crate::statistics::percentile;

const SUBTICK_US: u64 = 8_000;
/// Time between two frames of a client with its poses.
const PERIOD_US: u64 = 48_000;
/// Time between two units of a voice.
const UNIT_US: u64 = 20_000;
const PEOPLE: usize = 28;
/// Objects of each person: as many poses as make 3 Mbit/s with the voices.
const OBJECTS: u8 = 32;
/// People who speak.
const VOICES: usize = 6;
const UNIT_BYTES: usize = 80;

/// A link's state for some time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LinkPhase {
    pub(super) bytes_per_s: u64,
    pub(super) lost_per_mille: u64,
    pub(super) seconds: u64,
}

/// Results of a phase.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct PhaseOutcome {
    pub(super) capacity_bytes_per_s: u64,
    pub(super) lost_per_mille: u64,
    /// How long frames waited in the buffer.
    pub(super) queue_p50_ms: f64,
    pub(super) queue_p95_ms: f64,
    /// Share of the capacity used in each second.
    pub(super) used: Vec<f64>,
    /// Share of the spoken units that arrived, and their delay.
    pub(super) units: f64,
    pub(super) unit_delay_p95_ms: f64,
    /// Most bytes sent within 40 ms, as a multiple of the rate at that time.
    pub(super) burst: f64,
}

/// Senders, the scene, the link and the receiver.
pub(super) struct RateScenario {
    scene: MotionScene,
    senders: Vec<(MotionSessionId, LinkReceiver)>,
    session: MotionSessionId,
    receiver: LinkReceiver,
    link: SimulatedLink,
    /// The receiver's frames on their way.
    upward: VecDeque<(u64, Vec<u8>)>,
    now_us: u64,
    /// Offset of the clients' periods to each other.
    phase_us: u64,
    unit: u32,
    frames: Vec<(MotionSessionId, Vec<u8>)>,
}

impl RateScenario {
    pub(super) fn new(seed: u64) -> RateScenario {
        let settings = MotionSettings {
            bytes_per_s: stoa_state::limits::MOTION_BYTES_PER_S_MAX,
            has_voice: true,
            ..MotionSettings::default()
        };
        let mut scene = MotionScene::new(settings);
        let mut enter =
            |name: String| scene.enter(MotionEntrant { id_tag: name, rights: MotionRights::ALL }, Time::ZERO);
        let session = enter("receiver".to_owned());
        let senders = (0..PEOPLE).map(|person| (enter(format!("person-{person}")), LinkReceiver::default())).collect();
        RateScenario {
            scene,
            senders,
            session,
            receiver: LinkReceiver::default(),
            link: SimulatedLink::new(u64::from(u32::MAX), seed),
            upward: VecDeque::new(),
            now_us: 0,
            phase_us: seed * 13_700 % PERIOD_US,
            unit: 0,
            frames: Vec::new(),
        }
    }

    /// Runs a phase.
    pub(super) fn run(&mut self, phase: LinkPhase) -> PhaseOutcome {
        self.link.set(phase.bytes_per_s, phase.lost_per_mille);
        let (mut queues_ms, mut used, mut sent) = (Vec::new(), Vec::new(), Vec::new());
        self.receiver.take_unit_delays();
        let spoken = self.unit;
        for _ in 0..phase.seconds {
            let mut bytes = 0;
            for _ in 0..1_000_000 / SUBTICK_US {
                sent.push(self.subtick(&mut |queued_us, length| {
                    queues_ms.push(queued_us as f64 / 1e3);
                    bytes += length;
                }));
            }
            used.push(bytes as f64 / phase.bytes_per_s as f64);
        }
        let delays: Vec<f64> = self.receiver.take_unit_delays().iter().map(|us| *us as f64 / 1e3).collect();
        let spoken = f64::from(self.unit - spoken) * VOICES as f64;
        let units = delays.len() as f64 / spoken;
        let burst = sent.windows(5).map(|subticks| subticks.iter().sum::<u64>()).max().unwrap_or(0);
        PhaseOutcome {
            capacity_bytes_per_s: phase.bytes_per_s,
            lost_per_mille: phase.lost_per_mille,
            queue_p50_ms: percentile(&queues_ms, 0.5),
            queue_p95_ms: percentile(&queues_ms, 0.95),
            used,
            units,
            unit_delay_p95_ms: percentile(&delays, 0.95),
            burst: burst as f64 / (phase.bytes_per_s as f64 * 0.04),
        }
    }

    /// Passes a subtick, and returns the bytes sent to the receiver.
    fn subtick(&mut self, delivered: &mut impl FnMut(u64, u64)) -> u64 {
        let before_us = self.now_us;
        self.now_us += SUBTICK_US;
        let now_us = self.now_us;
        let is_due =
            |period_us: u64, phase_us: u64| (before_us + phase_us) / period_us < (now_us + phase_us) / period_us;
        self.unit = (now_us / UNIT_US) as u32;
        for person in 0..PEOPLE {
            let phase_us = person as u64 * PERIOD_US / PEOPLE as u64;
            // The voices are out of phase with each other.
            if person < VOICES && is_due(UNIT_US, unit_phase_us(person as u32)) {
                self.speak(person);
            }
            if is_due(PERIOD_US, phase_us) {
                self.move_objects(person);
            }
        }
        let receiver = &mut self.receiver;
        self.link.advance(now_us, |frame| {
            delivered(frame.queued_us, frame.bytes);
            receiver.push(frame);
        });
        receiver.receive(now_us, |flow, number| u64::from(number) * UNIT_US - unit_phase_us(flow.epoch));
        if is_due(PERIOD_US, self.phase_us) {
            let frame = receiver.say(VOICES as u8, now_us, &[]);
            self.upward.push_back((now_us + WAY_US, frame));
        }
        while let Some((_, frame)) = self.upward.pop_front_if(|(at_us, _)| *at_us <= now_us) {
            self.scene.handle_frame(self.session, &frame, at(now_us));
        }
        self.serve()
    }

    fn serve(&mut self) -> u64 {
        let (now, frames) = (at(self.now_us), &mut self.frames);
        self.scene.tick(now, &mut |out| {
            let mut frame = [&out.head[..], out.own, out.shared].concat();
            frame.resize(frame.len() + out.padding, 0);
            frames.push((out.session, frame));
        });
        let mut bytes = 0;
        for (session, frame) in self.frames.drain(..) {
            if session == self.session {
                bytes += frame.len() as u64;
                self.link.push(frame);
            } else if let Some((_, sender)) = self.senders.iter_mut().find(|(of, _)| *of == session) {
                sender.replica.handle_frame(&frame, now).expect("is a frame");
            }
        }
        bytes
    }

    fn speak(&mut self, person: usize) {
        let id = FlowId { epoch: person as u32, flow: 1 };
        let mut flow = Vec::new();
        FlowDeclaration { id, media: FlowMedia::OpusVoice, name: "" }.write(&mut flow);
        let mut unit = Vec::new();
        let level = UnitLevel(0x80 | 20);
        let number = ((self.now_us + unit_phase_us(id.epoch)) / UNIT_US) as u32;
        let captured_ms = number * (UNIT_US / 1_000) as u32;
        MediaUnit { flow: id, number, captured_ms, level, layer: 0, payload: &[7; UNIT_BYTES] }.write(&mut unit);
        self.say(person, &[(FramePartKind::Flow, flow), (FramePartKind::Units, unit)]);
    }

    fn move_objects(&mut self, person: usize) {
        let step = (self.now_us / PERIOD_US) as i32;
        let mut parts = Vec::new();
        // Declarations take more than a frame: some of them in each.
        for index in (0..OBJECTS).filter(|index| (u64::from(*index) + self.now_us / PERIOD_US).is_multiple_of(8)) {
            let mut declaration = Vec::new();
            let (kind, name) = match index {
                0 => (MotionObjectKind::Head, String::new()),
                _ => (MotionObjectKind::Tracked, format!("object-{person}-{index}")),
            };
            ObjectDeclaration { index, kind, name: &name }.write(&mut declaration);
            if step < 200 {
                parts.push((FramePartKind::Declare, declaration));
            }
        }
        for index in 0..OBJECTS {
            let sway = |speed: i32| (step * speed * (1 + i32::from(index) % 7) % 2_000 - 1_000).abs();
            let position = [person as i32 * 300 + sway(31), 1_600 + sway(7), i32::from(index) * 300 + sway(43)];
            let rotation = Rotation::pack(turn(step, index)).unwrap_or_default();
            let pose = PackedPose { position, rotation };
            parts.push((FramePartKind::Own, OwnPose { index, age_ms: 0, pose }.to_bytes().to_vec()));
        }
        self.say(person, &parts);
    }

    fn say(&mut self, person: usize, parts: &[(FramePartKind, Vec<u8>)]) {
        let (session, sender) = &mut self.senders[person];
        let frame = sender.say(0, self.now_us, parts);
        self.scene.handle_frame(*session, &frame, at(self.now_us));
    }
}

/// How much earlier than the first voice this one sends its units.
fn unit_phase_us(person: u32) -> u64 {
    u64::from(person) * UNIT_US / VOICES as u64
}

/// A rotation that changes with each step.
fn turn(step: i32, index: u8) -> [f64; 4] {
    let angle = f64::from(step) * 0.05 + f64::from(index);
    [0.0, (angle / 2.0).sin(), 0.0, (angle / 2.0).cos()]
}

fn at(now_us: u64) -> Time {
    Time::ZERO + Duration::from_micros(now_us)
}
