//! Decodes the frames of `frames.json`, and encodes them to the same bytes where our writers can.

use serde_json::{Value, json};
use stoa_wire::limits::FRAME_BYTES_MAX;
use stoa_wire::motion::entries::{reached, requested, withdrawn};
use stoa_wire::motion::flows::{hears, uplink};
use stoa_wire::motion::frame::HEAD_BYTES;
use stoa_wire::motion::{
    FlowDeclaration, FlowId, FrameAck, FrameArrivals, FrameArrivalsWriter, FrameEntriesWriter, FramePartKind,
    MediaUnit, MotionFrame, ObjectDeclaration, ObjectRefusal, OwnPose, PackedPose, PathQuality, Pose, PoseBaseline,
    PoseDelta, Rotation, VisibilityChange,
};

use super::{bytes_of, hex_of, run, text};

/// Tolerance for another order of floating-point operations on numbers around 1.
const TOLERANCE: f64 = 1e-12;

#[test]
fn frames_are_read_and_written_as_the_vectors_say() {
    run("frames.json", |case| {
        if case.get("hex").is_some() {
            check_frame(case);
        } else if case.get("pose").is_some() {
            check_pose(case);
        } else {
            check_rotation(case);
        }
    });
}

fn check_frame(case: &Value) {
    let (name, bytes) = (text(case, "name"), bytes_of(text(case, "hex")));
    let frame = match (MotionFrame::read(&bytes), case["error"].as_str()) {
        (Ok(frame), None) => frame,
        (Err(_), Some("dropped")) => return,
        (outcome, wanted) => panic!("{name}: {outcome:?} is not {wanted:?}"),
    };
    assert_eq!(described(&frame), case["frame"], "{name}");
    let again = written(&frame);
    assert_eq!(
        MotionFrame::read(&again).map(|frame| described(&frame)).as_ref(),
        Ok(&case["frame"]),
        "{name}, said again"
    );
    // Parts that a reader skips are not encoded again, so the frame is shorter.
    assert!(again.len() < bytes.len() || again == bytes, "{name}: {} is not {}", hex_of(&again), hex_of(&bytes));
}

fn check_pose(case: &Value) {
    let numbers = |key: &str| {
        let items = case["pose"][key].as_array().into_iter().flatten();
        items.map(|item| item.as_f64().expect("a number")).collect::<Vec<f64>>()
    };
    let position = numbers("position").try_into().expect("three axes");
    let rotation = numbers("rotation").try_into().expect("four components");
    let packed = PackedPose::pack(&Pose { position, rotation });
    let wanted = case.get("packed");
    assert_eq!(packed.map(|packed| pose(&packed)).as_ref(), wanted, "{}", case["name"]);
    assert_eq!(wanted.is_none(), case["error"] == "cannot be said", "{}", case["name"]);
}

fn check_rotation(case: &Value) {
    let bytes = bytes_of(text(case, "rotation")).try_into().expect("five bytes");
    let unpacked = Rotation(bytes).unpack();
    let wanted = case["unpacked"].as_array().expect("four components");
    assert_eq!(wanted.len(), unpacked.len());
    for (got, wanted) in unpacked.iter().zip(wanted) {
        let error = got - wanted.as_f64().expect("a number");
        assert!(error.abs() < TOLERANCE, "{}: {unpacked:?} is not {wanted:?}", case["name"]);
    }
}

fn pose(pose: &PackedPose) -> Value {
    json!({"position": pose.position, "rotation": hex_of(&pose.rotation.0)})
}

fn described(frame: &MotionFrame) -> Value {
    let said: Vec<Value> = frame.parts().flat_map(|(kind, content)| said(kind, content)).collect();
    json!({"sequence": frame.head.sequence, "time_ms": frame.head.time_ms, "said": said})
}

fn said(kind: u8, content: &[u8]) -> Vec<Value> {
    match FramePartKind::of(kind) {
        None => Vec::new(),
        Some(FramePartKind::Ack) => FrameAck::read(content).map(ack).into_iter().collect(),
        Some(FramePartKind::Quality) => PathQuality::read(content).map(quality).into_iter().collect(),
        Some(FramePartKind::Poses) => PoseDelta::read_all(content).map(update).collect(),
        Some(FramePartKind::Baselines) => PoseBaseline::read_all(content).map(baseline).collect(),
        Some(FramePartKind::Changes) => {
            let told = VisibilityChange::read_all(content).map(|(first, all)| {
                let changes: Vec<Value> = all.map(change).collect();
                json!({"said": "changes", "first": first, "changes": changes})
            });
            told.into_iter().collect()
        }
        Some(FramePartKind::Refused) => {
            let refused = |it: ObjectRefusal| json!({"said": "refused", "index": it.index, "reason": it.reason as u8});
            ObjectRefusal::read_all(content).map(refused).collect()
        }
        Some(FramePartKind::Own) => {
            let own =
                |it: OwnPose| json!({"said": "own", "index": it.index, "age_ms": it.age_ms, "pose": pose(&it.pose)});
            OwnPose::read_all(content).map(own).collect()
        }
        Some(FramePartKind::Declare) => {
            let declared = |it: ObjectDeclaration| json!({"said": "declare", "index": it.index, "kind": it.kind as u8, "name": it.name});
            ObjectDeclaration::read_all(content).map(declared).collect()
        }
        Some(FramePartKind::Ask) => requested(content).map(|id| json!({"said": "ask", "id": id})).collect(),
        Some(FramePartKind::Withdraw) => {
            withdrawn(content).map(|index| json!({"said": "withdraw", "index": index})).collect()
        }
        Some(FramePartKind::Reached) => {
            let told = reached(content).map(|sequence| json!({"said": "reached", "sequence": sequence}));
            told.into_iter().collect()
        }
        Some(FramePartKind::Mark) => vec![json!({"said": "mark"})],
        Some(FramePartKind::Flow) => FlowDeclaration::read_all(content).map(flow).collect(),
        Some(FramePartKind::Units) => MediaUnit::read_all(content).map(unit).collect(),
        Some(FramePartKind::Hears) => {
            hears(content).map(|voices| json!({"said": "hears", "voices": voices})).into_iter().collect()
        }
        Some(FramePartKind::Uplink) => {
            uplink(content).map(|rate| json!({"said": "uplink", "bytes_per_s": rate})).into_iter().collect()
        }
        Some(FramePartKind::Arrivals) => {
            let told = FrameArrivals::read(content).map(|arrivals| {
                let frames: Vec<Value> = arrivals.iter().map(|(sequence, at)| json!([sequence, at])).collect();
                json!({"said": "arrivals", "frames": frames})
            });
            told.into_iter().collect()
        }
    }
}

fn ack(ack: FrameAck) -> Value {
    json!({"said": "ack", "newest": ack.newest, "received": ack.received, "time_ms": ack.time_ms,
        "held_ms": ack.held_ms, "changes": ack.changes})
}

fn quality(quality: PathQuality) -> Value {
    json!({"said": "quality", "bytes_per_s": quality.bytes_per_s, "lost_per_mille": quality.lost_per_mille,
        "round_trip_ms": quality.round_trip_ms, "visible": quality.visible,
        "thinned_per_mille": quality.thinned_per_mille})
}

fn update(update: PoseDelta) -> Value {
    json!({"said": "pose", "id": update.id, "age_ms": update.age_ms, "generation": update.generation,
        "offset": update.offset, "rotation": update.rotation.map(|rotation| hex_of(&rotation.0))})
}

fn baseline(baseline: PoseBaseline) -> Value {
    json!({"said": "baseline", "id": baseline.id, "age_ms": baseline.age_ms, "generation": baseline.generation,
        "pose": pose(&baseline.pose)})
}

fn flow(declared: FlowDeclaration) -> Value {
    let FlowId { epoch, flow } = declared.id;
    json!({"said": "flow", "epoch": epoch, "flow": flow, "media": declared.media as u8, "name": declared.name})
}

fn unit(unit: MediaUnit) -> Value {
    let FlowId { epoch, flow } = unit.flow;
    json!({"said": "unit", "epoch": epoch, "flow": flow, "number": unit.number, "captured_ms": unit.captured_ms,
        "level": unit.level.0, "layer": unit.layer, "payload": hex_of(unit.payload)})
}

fn change(change: VisibilityChange) -> Value {
    match change {
        VisibilityChange::Left { id } => json!({"left": id}),
        VisibilityChange::Entered { id, kind, name, age_ms, generation, pose: packed } => {
            json!({"entered": id, "kind": kind as u8, "name": name, "age_ms": age_ms, "generation": generation,
                "pose": pose(&packed)})
        }
    }
}

/// Encodes the decoded content of a frame: its parts, without invalid ones.
fn written(frame: &MotionFrame) -> Vec<u8> {
    let mut parts = FrameEntriesWriter::new(FRAME_BYTES_MAX - HEAD_BYTES);
    for (kind, content) in frame.parts() {
        let Some(kind) = FramePartKind::of(kind) else { continue };
        for entry in entries(kind, content) {
            assert!(parts.put(kind, &entry), "what fitted into one frame fits into another");
        }
        parts.end_part();
    }
    [&frame.head.to_bytes()[..], parts.bytes()].concat()
}

fn written_arrivals(arrivals: &FrameArrivals) -> Vec<u8> {
    let mut writer = FrameArrivalsWriter::default();
    writer.begin(arrivals.first, arrivals.arrived_q);
    for (sequence, at) in arrivals.iter().skip(1) {
        assert_eq!(writer.next(), sequence);
        assert!(writer.push(at), "what was read can be written");
    }
    writer.bytes().to_vec()
}

fn entries(kind: FramePartKind, content: &[u8]) -> Vec<Vec<u8>> {
    match kind {
        FramePartKind::Ack => FrameAck::read(content).map(|ack| ack.to_bytes().to_vec()).into_iter().collect(),
        FramePartKind::Quality => {
            PathQuality::read(content).map(|quality| quality.to_bytes().to_vec()).into_iter().collect()
        }
        FramePartKind::Poses => {
            let entry = |update: PoseDelta| {
                let mut bytes = [0; PoseDelta::BYTES_MAX];
                let length = update.write(&mut bytes);
                bytes[..length].to_vec()
            };
            PoseDelta::read_all(content).map(entry).collect()
        }
        FramePartKind::Baselines => PoseBaseline::read_all(content).map(|it| it.to_bytes().to_vec()).collect(),
        FramePartKind::Changes => {
            let Some((first, changes)) = VisibilityChange::read_all(content) else { return Vec::new() };
            let entry = |change: VisibilityChange| {
                let mut bytes = Vec::new();
                change.write(&mut bytes);
                bytes
            };
            std::iter::once(first.to_le_bytes().to_vec()).chain(changes.map(entry)).collect()
        }
        FramePartKind::Refused => ObjectRefusal::read_all(content).map(|it| it.to_bytes().to_vec()).collect(),
        FramePartKind::Own => OwnPose::read_all(content).map(|it| it.to_bytes().to_vec()).collect(),
        FramePartKind::Declare => {
            let entry = |declared: ObjectDeclaration| {
                let mut bytes = Vec::new();
                declared.write(&mut bytes);
                bytes
            };
            ObjectDeclaration::read_all(content).map(entry).collect()
        }
        FramePartKind::Ask => requested(content).map(|id| id.to_le_bytes().to_vec()).collect(),
        FramePartKind::Withdraw => withdrawn(content).map(|index| vec![index]).collect(),
        FramePartKind::Reached => {
            reached(content).map(|sequence| sequence.to_le_bytes().to_vec()).into_iter().collect()
        }
        FramePartKind::Mark => vec![Vec::new()],
        FramePartKind::Flow => {
            let entry = |declared: FlowDeclaration| {
                let mut bytes = Vec::new();
                declared.write(&mut bytes);
                bytes
            };
            FlowDeclaration::read_all(content).map(entry).collect()
        }
        FramePartKind::Units => {
            let entry = |unit: MediaUnit| {
                let mut bytes = Vec::new();
                unit.write(&mut bytes);
                bytes
            };
            MediaUnit::read_all(content).map(entry).collect()
        }
        FramePartKind::Hears => hears(content).map(|voices| vec![voices]).into_iter().collect(),
        FramePartKind::Uplink => uplink(content).map(|rate| rate.to_le_bytes().to_vec()).into_iter().collect(),
        FramePartKind::Arrivals => {
            FrameArrivals::read(content).map(|arrivals| written_arrivals(&arrivals)).into_iter().collect()
        }
    }
}
