use stoa_wire::motion::{FlowDeclaration, FlowId, FlowMedia, MediaUnit, MotionFrame, UnitLevel};

use super::*;
use crate::limits;

/// The content of a receiver's frames: `flow` parts by name, and `units` parts by epoch and number.
#[derive(Debug, Default, PartialEq, Eq)]
struct Heard {
    declared: Vec<String>,
    units: Vec<(u32, u32)>,
}

fn heard(frames: &[(MotionSessionId, Vec<u8>)], session: MotionSessionId) -> Heard {
    let mut heard = Heard::default();
    for (_, bytes) in frames.iter().filter(|(to, _)| *to == session) {
        for (kind, content) in MotionFrame::read(bytes).unwrap().parts() {
            match FramePartKind::of(kind) {
                Some(FramePartKind::Flow) => {
                    heard.declared.extend(FlowDeclaration::read_all(content).map(|flow| flow.name.to_string()));
                }
                Some(FramePartKind::Units) => {
                    heard.units.extend(MediaUnit::read_all(content).map(|unit| (unit.flow.epoch, unit.number)));
                }
                _ => {}
            }
        }
    }
    heard
}

impl World {
    fn say_part(&mut self, client: usize, kind: FramePartKind, entry: &[u8]) {
        let Client { sequence, session, .. } = &mut self.clients[client];
        *sequence += 1;
        let head = FrameHeader { sequence: *sequence, time_ms: MotionTime::at(self.now).0 };
        let mut parts = FrameEntriesWriter::new(FRAME_BYTES_MAX - HEAD_BYTES);
        assert!(parts.put(kind, entry));
        self.scene.handle_frame(*session, &[&head.to_bytes()[..], parts.bytes()].concat(), self.now);
    }

    fn declare_voice(&mut self, client: usize) {
        let id = FlowId { epoch: client as u32, flow: 1 };
        let mut entry = Vec::new();
        FlowDeclaration { id, media: FlowMedia::OpusVoice, name: "" }.write(&mut entry);
        self.say_part(client, FramePartKind::Flow, &entry);
    }

    fn speak(&mut self, client: usize, number: u32) {
        let flow = FlowId { epoch: client as u32, flow: 1 };
        let level = UnitLevel(0x80 | 20);
        let mut entry = Vec::new();
        MediaUnit { flow, number, captured_ms: 20 * number, level, layer: 0, payload: &[7; 70] }.write(&mut entry);
        self.say_part(client, FramePartKind::Units, &entry);
    }

    fn hear(&mut self, client: usize, most: u8) {
        self.say_part(client, FramePartKind::Hears, &[most]);
    }

    /// Passes two subticks, in which all receivers get voice.
    fn pass_twice(&mut self) -> Vec<(MotionSessionId, Vec<u8>)> {
        let mut frames = self.pass();
        frames.extend(self.pass());
        frames
    }

    fn heard_by(&mut self, client: usize) -> Heard {
        let (frames, session) = (self.pass_twice(), self.clients[client].session);
        let heard = heard(&frames, session);
        self.deliver(frames);
        heard
    }
}

/// People at these metres along x, the first of whom hears; all but the first have declared a voice.
fn hall(metres: &[i32]) -> World {
    let mut world = World::new(InterestSetPolicy::All, PLENTY);
    let people: Vec<usize> = (0..metres.len()).map(|number| world.person(&format!("p{number}"))).collect();
    (0..2).for_each(|_| world.tick(|client| pose(metres[client] * 1_000, 0, 0)));
    people[1..].iter().for_each(|person| world.declare_voice(*person));
    world.hear(people[0], 16);
    world
}

#[test]
fn a_units_receivers_get_it_once_within_two_subticks_with_its_declaration() {
    let mut world = hall(&[0, 1, 2]);
    world.speak(1, 5);
    assert_eq!(world.heard_by(0), Heard { declared: vec!["p1".to_string()], units: vec![(1, 5)] });
    assert_eq!(world.heard_by(0), Heard::default(), "once");
    world.speak(1, 6);
    world.speak(2, 9);
    let again = world.heard_by(0);
    assert_eq!(again.units, [(1, 6), (2, 9)]);
    assert_eq!(world.heard_by(2), Heard::default(), "a client that hears nothing gets no unit");
    let counts = world.scene.counts().voice;
    assert_eq!((counts.units_in, counts.units_out), (3, 3));
}

#[test]
fn a_declaration_is_repeated_until_it_is_acknowledged() {
    let mut world = hall(&[0, 1]);
    for number in 1..4 {
        world.speak(1, number);
        assert_eq!(world.heard_by(0).declared, ["p1"], "{number}");
    }
    world.say(0, &[]);
    world.speak(1, 4);
    assert_eq!(world.heard_by(0), Heard { declared: vec![], units: vec![(1, 4)] });
}

#[test]
fn the_nearest_speakers_within_reach_are_heard_up_to_what_the_client_can_take() {
    let mut world = hall(&[0, 9, 3, 6, 25]);
    world.hear(0, 2);
    (1..5).for_each(|speaker| world.speak(speaker, 1));
    assert_eq!(world.heard_by(0).units, [(2, 1), (3, 1)]);
    world.hear(0, 16);
    world.now = world.now + limits::VOICE_CHOICE_PERIOD;
    (1..5).for_each(|speaker| world.speak(speaker, 2));
    assert_eq!(world.heard_by(0).units, [(1, 2), (2, 2), (3, 2)], "the fourth is out of reach");
    world.hear(0, 0);
    (1..5).for_each(|speaker| world.speak(speaker, 3));
    assert_eq!(world.heard_by(0), Heard::default());
}

#[test]
fn a_slow_receiver_hears_as_many_voices_as_its_rate_carries() {
    let mut world = hall(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    let bytes_per_s = limits::MOTION_BYTES_PER_S_MIN;
    let settings = MotionSettings { policy: InterestSetPolicy::All, bytes_per_s, has_voice: true };
    world.scene.change_settings(settings);
    (1..10).for_each(|speaker| world.speak(speaker, 1));
    assert_eq!(world.heard_by(0).units, [(1, 1), (2, 1), (3, 1), (4, 1)], "the nearest four");
}

#[test]
fn the_beginning_of_a_word_is_heard_though_others_have_the_slots() {
    let mut world = hall(&[0, 9, 8, 2]);
    world.hear(0, 2);
    for number in 1..10 {
        (1..3).for_each(|speaker| world.speak(speaker, number));
        assert_eq!(world.heard_by(0).units.len(), 2);
    }
    (1..4).for_each(|speaker| world.speak(speaker, 10));
    assert_eq!(world.heard_by(0).units, [(2, 10), (3, 10)]);
}

#[test]
fn a_voice_continues_on_the_persons_next_session() {
    let mut world = hall(&[0, 1]);
    world.speak(1, 1);
    assert_eq!(world.heard_by(0).units, [(1, 1)]);
    let next = world.person("p1");
    world.declare_voice(next);
    assert_eq!(world.scene.len(), 2, "the next session has taken over");
    // The page's epoch is the same.
    let mut entry = Vec::new();
    let flow = FlowId { epoch: 1, flow: 1 };
    FlowDeclaration { id: flow, media: FlowMedia::OpusVoice, name: "" }.write(&mut entry);
    world.say_part(next, FramePartKind::Flow, &entry);
    let mut unit = Vec::new();
    MediaUnit { flow, number: 2, captured_ms: 40, level: UnitLevel(0x80), layer: 0, payload: &[] }.write(&mut unit);
    world.say_part(next, FramePartKind::Units, &unit);
    world.say_part(next, FramePartKind::Own, &OwnPose { index: 0, age_ms: 0, pose: pose(1_000, 0, 0) }.to_bytes());
    assert_eq!(world.heard_by(0).units, [(1, 2)]);
}

#[test]
fn a_client_may_not_speak_or_hear_without_the_right() {
    let mut world = hall(&[0, 1]);
    let rights = MotionRights { may_speak: false, may_hear: false, ..MotionRights::ALL };
    let session = world.scene.enter(MotionEntrant { id_tag: "mute".to_string(), rights }, world.now);
    world.clients.push(Client { session, replica: MotionReplica::default(), sequence: 0, declared: vec![] });
    world.bytes.push(0);
    world.hear(2, 16);
    world.declare_voice(2);
    world.speak(2, 1);
    world.speak(1, 1);
    let frames = world.pass_twice();
    assert_eq!(heard(&frames, session), Heard::default());
    let counts = world.scene.counts().voice;
    assert_eq!((counts.flows_refused, counts.undeclared, counts.units_in), (1, 1, 1));
}

#[test]
fn sixteen_voices_fit_into_two_frames() {
    let metres: Vec<i32> = (0..17).collect();
    let mut world = hall(&metres);
    for number in 1..5 {
        (1..17).for_each(|speaker| world.speak(speaker, number));
        let (frames, session) = (world.pass_twice(), world.clients[0].session);
        let voice = frames.iter().filter(|(to, _)| *to == session).filter(|(_, bytes)| {
            MotionFrame::read(bytes).unwrap().parts().any(|(kind, _)| kind == FramePartKind::Units as u8)
        });
        assert!(number < 2 || voice.clone().count() == 2, "{} frames", voice.count());
        world.deliver(frames);
        world.say(0, &[]);
    }
}

#[test]
fn a_client_that_hears_gets_frames_in_silence_too() {
    let mut world = hall(&[0, 1]);
    (0..50).for_each(|_| drop(world.pass()));
    let session = world.clients[0].session;
    let (mut last, mut longest) = (world.now, core::time::Duration::ZERO);
    for _ in 0..200 {
        let frames = world.pass();
        if frames.iter().any(|(to, _)| *to == session) {
            longest = longest.max(world.now.since(last));
            last = world.now;
        }
    }
    assert!(longest <= limits::FLOW_BEAT + core::time::Duration::from_millis(50), "{longest:?}");
}

#[test]
fn units_are_sent_again_to_a_receiver_that_loses_frames() {
    let repeated = |lost_percent| {
        let mut world = hall(&[0, 1]);
        world.lost_percent = lost_percent;
        for number in 0..200 {
            world.speak(1, number);
            let frames = world.pass_twice();
            world.deliver(frames);
            if number % 3 == 0 {
                world.say(0, &[]);
            }
        }
        let counts = world.scene.counts().voice;
        assert_eq!(counts.units_out, 200, "each once besides");
        counts.units_repeated
    };
    assert_eq!(repeated(0), 0);
    let lossy = repeated(10);
    assert!((100..=600).contains(&lossy), "{lossy}");
}

#[test]
fn only_clients_with_flows_are_sent_their_own_rate() {
    let mut world = hall(&[0, 1]);
    let mut told = [0, 0];
    for step in 0..40 {
        world.speak(1, step);
        (0..2).for_each(|client| world.say(client, &[]));
        let mut frames = world.pass_twice();
        (0..2).for_each(|_| frames.extend(world.pass_twice()));
        for (client, told) in told.iter_mut().enumerate() {
            let session = world.clients[client].session;
            for (_, bytes) in frames.iter().filter(|(to, _)| *to == session) {
                let is_rate = |kind| FramePartKind::of(kind) == Some(FramePartKind::Uplink);
                *told += MotionFrame::read(bytes).unwrap().parts().filter(|(kind, _)| is_rate(*kind)).count();
            }
        }
        world.deliver(frames);
    }
    assert_eq!(told[0], 0);
    assert!(told[1] > 0);
}
