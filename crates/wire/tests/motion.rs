//! Properties of random poses, and of random bytes as frames of the motion plane.

use std::f64::consts::TAU;
use std::fmt::Debug;

use fastrand::Rng;
use stoa_wire::limits::{FRAME_BYTES_MAX, MOTION_EXTENT_M};
use stoa_wire::motion::entries::{reached, requested, withdrawn};
use stoa_wire::motion::flows::{hears, uplink};
use stoa_wire::motion::frame::{HEAD_BYTES, PART_HEAD_BYTES};
use stoa_wire::motion::{
    FlowDeclaration, FrameAck, FrameArrivals, FrameEntriesWriter, FrameError, FrameHeader, FramePartKind, MediaUnit,
    MotionFrame, MotionObjectKind, ObjectDeclaration, ObjectRefusal, OwnPose, PackedPose, PathQuality, Pose,
    PoseBaseline, PoseDelta, Rotation, VisibilityChange,
};

const POSES: u32 = 1_000_000;
const FRAMES: u32 = 20_000;
/// `spec/wire.md` section 3.
const POSITION_ERROR_M: f64 = 0.000_5;
const ROTATION_ERROR_DEGREES: f64 = 0.07;
const PARTS: [FramePartKind; 17] = [
    FramePartKind::Flow,
    FramePartKind::Units,
    FramePartKind::Uplink,
    FramePartKind::Hears,
    FramePartKind::Arrivals,
    FramePartKind::Ack,
    FramePartKind::Poses,
    FramePartKind::Baselines,
    FramePartKind::Changes,
    FramePartKind::Quality,
    FramePartKind::Refused,
    FramePartKind::Own,
    FramePartKind::Declare,
    FramePartKind::Ask,
    FramePartKind::Withdraw,
    FramePartKind::Reached,
    FramePartKind::Mark,
];

/// Uniformly distributed rotations. Source: Shoemake, Uniform Random Rotations (1992).
fn any_rotation(random: &mut Rng) -> [f64; 4] {
    let (share, one, other) = (random.f64(), random.f64() * TAU, random.f64() * TAU);
    let (less, more) = ((1.0 - share).sqrt(), share.sqrt());
    [less * one.sin(), less * one.cos(), more * other.sin(), more * other.cos()]
}

fn any_pose(random: &mut Rng) -> Pose {
    let mut axis = || (random.f64() * 2.0 - 1.0) * MOTION_EXTENT_M;
    let position = [axis(), axis(), axis()];
    Pose { position, rotation: any_rotation(random) }
}

fn degrees_between(one: [f64; 4], other: [f64; 4]) -> f64 {
    let cosine: f64 = one.iter().zip(other).map(|(one, other)| one * other).sum();
    (2.0 * cosine.abs().min(1.0).acos()).to_degrees()
}

#[test]
fn a_million_poses_come_back_within_the_stated_error() {
    let mut random = Rng::with_seed(5);
    let (mut farthest_m, mut most_turned) = (0.0_f64, 0.0_f64);
    for _ in 0..POSES {
        let pose = any_pose(&mut random);
        let packed = PackedPose::pack(&pose).expect("lies within the extent");
        assert!(packed.is_within_extent(), "{packed:?}");
        let back = PackedPose::from_bytes(&packed.to_bytes()).unpack();
        for (was, is) in pose.position.iter().zip(back.position) {
            let error_m = (was - is).abs();
            assert!(error_m <= POSITION_ERROR_M + was.abs() * 4.0 * f64::EPSILON, "{was} came back as {is}");
            farthest_m = farthest_m.max(error_m);
        }
        let turned = degrees_between(pose.rotation, back.rotation);
        assert!(turned < ROTATION_ERROR_DEGREES, "{:?} came back as {:?}", pose.rotation, back.rotation);
        most_turned = most_turned.max(turned);
    }
    assert!(farthest_m > 0.000_49 && most_turned > 0.03, "negative control: the errors are seen");
}

#[test]
fn a_repacked_pose_keeps_its_position_and_nearly_its_rotation() {
    let mut random = Rng::with_seed(6);
    for _ in 0..FRAMES {
        let packed = PackedPose::pack(&any_pose(&mut random)).expect("lies within the extent");
        let again = PackedPose::pack(&packed.unpack()).expect("lies within the extent");
        assert_eq!(packed.position, again.position);
        let drift = degrees_between(packed.rotation.unpack(), again.rotation.unpack());
        assert!(drift < ROTATION_ERROR_DEGREES, "{packed:?} became {again:?}");
    }
}

#[test]
fn half_millimetres_are_rounded_away_from_zero() {
    let at = |x: f64| {
        let pose = Pose { position: [x, -x, 0.0], rotation: [0.0, 0.0, 0.0, 1.0] };
        PackedPose::pack(&pose).map(|packed| packed.position)
    };
    // Sixteenths are exact in binary: 62.5 mm.
    assert_eq!(at(0.062_5), Some([63, -63, 0]));
    assert_eq!(at(0.062_4), Some([62, -62, 0]), "negative control");
}

#[test]
fn a_pose_with_an_invalid_position_or_rotation_is_not_packed() {
    let still = [0.0, 0.0, 0.0, 1.0];
    let can_be_said = |position, rotation| PackedPose::pack(&Pose { position, rotation }).is_some();
    assert!(can_be_said([MOTION_EXTENT_M, 0.0, 0.0], still), "negative control");
    for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, MOTION_EXTENT_M.next_up(), -MOTION_EXTENT_M.next_up()] {
        assert!(!can_be_said([0.0, x, 0.0], still), "{x} m");
    }
    for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert!(!can_be_said([0.0; 3], [0.0, x, 0.0, 1.0]), "a component {x}");
    }
    assert!(!can_be_said([0.0; 3], [0.0; 4]));
}

#[test]
fn any_five_bytes_are_a_unit_quaternion() {
    let mut random = Rng::with_seed(7);
    for _ in 0..POSES / 10 {
        let mut bytes = [0; 5];
        random.fill(&mut bytes);
        let length: f64 = Rotation(bytes).unpack().iter().map(|part| part * part).sum();
        assert!((length - 1.0).abs() < 1e-12, "{bytes:?} is of length {length}");
    }
}

/// The entries of a part.
fn entries(kind: u8, content: &[u8]) -> Vec<String> {
    fn each<T: Debug>(entries: impl IntoIterator<Item = T>) -> Vec<String> {
        entries.into_iter().map(|entry| format!("{entry:?}")).collect()
    }
    match FramePartKind::of(kind) {
        None => Vec::new(),
        Some(FramePartKind::Ack) => each(FrameAck::read(content)),
        Some(FramePartKind::Poses) => each(PoseDelta::read_all(content)),
        Some(FramePartKind::Baselines) => each(PoseBaseline::read_all(content)),
        Some(FramePartKind::Changes) => match VisibilityChange::read_all(content) {
            None => Vec::new(),
            Some((first, changes)) => std::iter::once(first.to_string()).chain(each(changes)).collect(),
        },
        Some(FramePartKind::Quality) => each(PathQuality::read(content)),
        Some(FramePartKind::Refused) => each(ObjectRefusal::read_all(content)),
        Some(FramePartKind::Own) => each(OwnPose::read_all(content)),
        Some(FramePartKind::Declare) => each(ObjectDeclaration::read_all(content)),
        Some(FramePartKind::Ask) => each(requested(content)),
        Some(FramePartKind::Withdraw) => each(withdrawn(content)),
        Some(FramePartKind::Reached) => each(reached(content)),
        Some(FramePartKind::Mark) => each(["mark"]),
        Some(FramePartKind::Flow) => each(FlowDeclaration::read_all(content)),
        Some(FramePartKind::Units) => each(MediaUnit::read_all(content)),
        Some(FramePartKind::Hears) => each(hears(content)),
        Some(FramePartKind::Uplink) => each(uplink(content)),
        Some(FramePartKind::Arrivals) => {
            each(FrameArrivals::read(content).into_iter().flat_map(|arrivals| arrivals.iter()))
        }
    }
}

/// Bytes that resemble a frame: a header, and parts of known kinds, of which the last may be truncated.
fn likely_frame(random: &mut Rng) -> Vec<u8> {
    let mut bytes = FrameHeader { sequence: random.u32(..), time_ms: random.u32(..) }.to_bytes().to_vec();
    for _ in 0..random.usize(0..6) {
        let mut content = vec![0; random.usize(0..120)];
        random.fill(&mut content);
        // Small numbers are ops, kinds, reasons and lengths.
        content.iter_mut().for_each(|byte| *byte %= if random.bool() { 4 } else { 255 });
        bytes.push(random.choice(PARTS).map_or(0, |kind| kind as u8));
        bytes.extend_from_slice(&(content.len() as u16).to_le_bytes());
        bytes.extend_from_slice(&content);
    }
    bytes.truncate(bytes.len() - random.usize(0..4));
    bytes
}

#[test]
fn the_parts_of_a_frame_never_exceed_its_bytes() {
    let mut random = Rng::with_seed(8);
    let mut said = 0;
    for _ in 0..FRAMES {
        let bytes = likely_frame(&mut random);
        let Ok(frame) = MotionFrame::read(&bytes) else { continue };
        let mut left = bytes.len() - HEAD_BYTES;
        for (kind, content) in frame.parts() {
            let taken = PART_HEAD_BYTES + content.len();
            assert!(taken <= left, "{taken} bytes of {left}: {bytes:?}");
            left -= taken;
            said += entries(kind, content).len();
        }
    }
    assert!(said > FRAMES as usize, "negative control: something was read");
}

#[test]
fn random_bytes_do_not_panic_the_frame_reader() {
    let mut random = Rng::with_seed(9);
    for _ in 0..FRAMES / 10 {
        let mut bytes = vec![0; random.usize(0..FRAME_BYTES_MAX + 50)];
        random.fill(&mut bytes);
        if let (true, Some(version)) = (random.bool(), bytes.first_mut()) {
            *version = 1;
        }
        if let Ok(frame) = MotionFrame::read(&bytes) {
            frame.parts().for_each(|(kind, content)| drop(entries(kind, content)));
        }
        for kind in PARTS {
            entries(kind as u8, &bytes);
        }
    }
}

#[test]
fn a_truncated_frame_yields_a_prefix_of_its_parts_and_entries() {
    let mut random = Rng::with_seed(10);
    for _ in 0..FRAMES / 100 {
        let bytes = likely_frame(&mut random);
        let Ok(whole) = MotionFrame::read(&bytes) else { continue };
        let parts: Vec<(u8, &[u8])> = whole.parts().collect();
        for end in HEAD_BYTES..bytes.len() {
            let cut = MotionFrame::read(&bytes[..end]).expect("its head is whole");
            let left: Vec<(u8, &[u8])> = cut.parts().collect();
            assert!(parts.starts_with(&left), "{left:?} of {parts:?}");
        }
        for (kind, content) in parts {
            let all = entries(kind, content);
            for end in 0..content.len() {
                let left = entries(kind, &content[..end]);
                assert!(all.starts_with(&left), "{left:?} of {all:?}");
            }
        }
    }
}

#[test]
fn a_frame_shorter_than_its_header_or_too_long_is_refused() {
    let frame = |length: usize| {
        let mut bytes = vec![0; length];
        bytes.iter_mut().take(1).for_each(|version| *version = 1);
        MotionFrame::read(&bytes).map(|frame| frame.head)
    };
    for length in 0..HEAD_BYTES {
        assert_eq!(frame(length), Err(FrameError::TooShort(length)));
    }
    assert_eq!(frame(FRAME_BYTES_MAX + 1), Err(FrameError::TooLong(FRAME_BYTES_MAX + 1)));
    for length in [HEAD_BYTES, FRAME_BYTES_MAX] {
        assert_eq!(frame(length), Ok(FrameHeader { sequence: 0, time_ms: 0 }), "negative control");
    }
}

#[test]
fn the_frame_writer_accepts_an_entry_exactly_when_it_fits() {
    let mut random = Rng::with_seed(11);
    let mut refused = 0;
    for _ in 0..FRAMES / 10 {
        let room = random.usize(0..=FRAME_BYTES_MAX - HEAD_BYTES);
        let mut writer = FrameEntriesWriter::new(room);
        let mut wanted: Vec<(u8, Vec<u8>)> = Vec::new();
        let mut is_open = false;
        for _ in 0..random.usize(0..80) {
            if random.u8(0..10) == 0 {
                writer.end_part();
                is_open = false;
            }
            let kind = random.choice(PARTS).expect("there are some");
            let entry = vec![random.u8(..); random.usize(1..40)];
            let goes_on = is_open && wanted.last().is_some_and(|(last, _)| *last == kind as u8);
            let needed = entry.len() + if goes_on { 0 } else { PART_HEAD_BYTES };
            let fits = writer.bytes().len() + needed <= room;
            assert_eq!(writer.put(kind, &entry), fits);
            if !fits {
                refused += 1;
                continue;
            }
            if !goes_on {
                wanted.push((kind as u8, Vec::new()));
            }
            wanted.last_mut().expect("was just pushed").1.extend_from_slice(&entry);
            is_open = true;
            assert!(writer.bytes().len() <= room);
        }
        let frame = [&FrameHeader { sequence: 1, time_ms: 2 }.to_bytes()[..], writer.bytes()].concat();
        let read = MotionFrame::read(&frame).expect("is no longer than a frame");
        let parts: Vec<(u8, Vec<u8>)> = read.parts().map(|(kind, content)| (kind, content.to_vec())).collect();
        assert_eq!(parts, wanted);
    }
    assert!(refused > 100, "negative control: {refused} entries found no room");
}

#[test]
fn a_cleared_writer_begins_a_new_part() {
    let mut writer = FrameEntriesWriter::new(100);
    assert!(writer.put(FramePartKind::Ask, &[1, 0]));
    writer.clear();
    assert!(writer.bytes().is_empty());
    assert!(writer.put(FramePartKind::Ask, &[2, 0]));
    assert_eq!(writer.bytes(), [FramePartKind::Ask as u8, 2, 0, 2, 0]);
}

#[test]
fn every_pose_delta_is_written_in_its_shortest_form() {
    let length = |offset: [i32; 3], rotation| {
        let mut bytes = [0; PoseDelta::BYTES_MAX];
        let length = PoseDelta { id: 7, age_ms: 0, generation: 31, offset, rotation }.write(&mut bytes);
        assert_eq!(PoseDelta::read_all(&bytes[..length]).map(|update| update.offset).collect::<Vec<_>>(), [offset]);
        length
    };
    let turned = Some(Rotation([1, 2, 3, 4, 5]));
    assert_eq!((length([0; 3], None), length([0; 3], turned)), (4, 9));
    assert_eq!((length([-128, 127, 0], None), length([1, 1, 1], turned)), (7, 12));
    assert_eq!((length([-129, 0, 0], None), length([0, 128, 0], turned)), (10, 15));
    assert_eq!((length([0, 0, 32_767], None), length([0, 0, -32_768], None)), (10, 10));
    assert_eq!((length([32_768, 0, 0], None), length([i32::MIN, 0, 0], turned)), (16, 21));
}

#[test]
fn the_longest_object_names_survive_a_round_trip() {
    let name = "x".repeat(128);
    let mut bytes = 9_u32.to_le_bytes().to_vec();
    let change = VisibilityChange::Entered {
        id: 1,
        kind: MotionObjectKind::Tracked,
        name: &name,
        age_ms: 2,
        generation: 3,
        pose: PackedPose::default(),
    };
    change.write(&mut bytes);
    let (first, changes) = VisibilityChange::read_all(&bytes).expect("has a first");
    assert_eq!((first, changes.collect::<Vec<_>>()), (9, vec![change]));
    let mut bytes = Vec::new();
    let declared = ObjectDeclaration { index: 1, kind: MotionObjectKind::Tracked, name: &name };
    declared.write(&mut bytes);
    assert_eq!(ObjectDeclaration::read_all(&bytes).collect::<Vec<_>>(), [declared]);
}
