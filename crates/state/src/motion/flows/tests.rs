use core::time::Duration;

use stoa_wire::motion::UnitLevel;

use super::*;

const NOW: Time = Time::from_secs(100);
const ADA: MotionSessionId = MotionSessionId { slot: 0, generation: 0 };
const BO: MotionSessionId = MotionSessionId { slot: 1, generation: 0 };

fn flow(epoch: u32, number: u8) -> FlowDeclaration<'static> {
    FlowDeclaration { id: FlowId { epoch, flow: number }, media: FlowMedia::OpusVoice, name: "" }
}

fn by(session: MotionSessionId, id_tag: &str) -> FlowOwner<'_> {
    FlowOwner { session, id_tag }
}

fn unit(epoch: u32, number: u32) -> MediaUnit<'static> {
    let flow = FlowId { epoch, flow: 1 };
    MediaUnit {
        flow,
        number,
        captured_ms: number.wrapping_mul(20),
        level: UnitLevel(0x80 | 30),
        layer: 0,
        payload: b"sound",
    }
}

fn positions(flows: &SceneFlows, from: u64, now: Time) -> Vec<u64> {
    let (_, flow) = flows.iter().next().unwrap();
    flow.units_from(from, now).map(|(position, _)| position).collect()
}

#[test]
fn a_flow_belongs_to_its_sender_and_outlives_the_session() {
    let mut flows = SceneFlows::default();
    assert_eq!(flows.push(ADA, &unit(7, 1), NOW), Err(UnitDrop::Undeclared));
    assert_eq!(flows.admit(&flow(7, 1), by(ADA, "ada"), NOW), Ok(()));
    assert_eq!(flows.admit(&flow(7, 1), by(BO, "bo"), NOW), Err(FlowRefusal::Taken));
    assert_eq!(flows.push(BO, &unit(7, 1), NOW), Err(UnitDrop::Undeclared));
    assert_eq!(flows.push(ADA, &unit(7, 1), NOW), Ok(()));
    flows.leave(ADA, NOW);
    assert_eq!(flows.push(ADA, &unit(7, 2), NOW), Err(UnitDrop::Undeclared));
    let again = MotionSessionId { slot: 5, generation: 9 };
    assert_eq!(flows.admit(&flow(7, 1), by(again, "ada"), NOW), Ok(()));
    assert_eq!(flows.push(again, &unit(7, 1), NOW), Err(UnitDrop::Repeated), "its numbers go on");
    assert_eq!(flows.push(again, &unit(7, 2), NOW), Ok(()));
    flows.leave(again, NOW);
    assert_eq!(flows.admit(&flow(8, 1), by(BO, "bo"), NOW + limits::FLOW_REST / 2), Ok(()));
    assert_eq!(flows.admit(&flow(7, 1), by(BO, "bo"), NOW), Err(FlowRefusal::Taken), "it rests");
    assert_eq!(flows.admit(&flow(9, 1), by(BO, "bo"), NOW + limits::FLOW_REST), Ok(()));
    assert_eq!(flows.iter().count(), 2);
    assert_eq!(flows.admit(&flow(7, 1), by(BO, "bo"), NOW), Ok(()));
}

#[test]
fn flows_of_one_client_and_of_one_scene_are_bounded() {
    let mut flows = SceneFlows::default();
    let admitted = (0..=255).filter(|number| flows.admit(&flow(7, *number), by(ADA, "ada"), NOW).is_ok()).count();
    assert_eq!(admitted, limits::FLOWS_MAX);
    assert_eq!(flows.admit(&flow(8, 1), by(BO, "bo"), NOW), Ok(()), "others have their own");
    let mut all = limits::FLOWS_MAX + 1;
    for slot in 2..2 * limits::SCENE_FLOWS_MAX as u32 {
        let session = MotionSessionId { slot, generation: 0 };
        all += usize::from(flows.admit(&flow(slot + 10, 1), by(session, "c"), NOW).is_ok());
        flows.leave(session, NOW);
    }
    assert_eq!(all, limits::SCENE_FLOWS_MAX);
}

#[test]
fn repeated_late_and_too_many_units_are_dropped() {
    let mut flows = SceneFlows::default();
    flows.admit(&flow(7, 1), by(ADA, "ada"), NOW).unwrap();
    let mut push = |number: u32, now: Time| flows.push(ADA, &unit(7, number), now);
    for number in [u32::MAX, 1, 0] {
        assert_eq!((push(number, NOW), push(number, NOW)), (Ok(()), Err(UnitDrop::Repeated)), "{number}");
    }
    assert_eq!(push(200, NOW), Ok(()));
    assert_eq!(push(137, NOW), Ok(()), "63 behind");
    assert_eq!(push(136, NOW), Err(UnitDrop::Repeated), "too far behind to tell");
    let accepted = (201..10_000).filter(|number| push(*number, NOW).is_ok()).count();
    assert_eq!(accepted + 5, limits::FLOW_UNITS_BURST as usize);
    assert_eq!(push(10_000, NOW), Err(UnitDrop::Flooding));
    assert_eq!(push(10_001, NOW + limits::VOICE_SILENCE), Ok(()));
}

#[test]
fn a_flow_of_60_units_a_second_is_kept_whole_and_one_of_70_is_not() {
    let kept = |rate_hz: u32| {
        let mut flows = SceneFlows::default();
        flows.admit(&flow(7, 1), by(ADA, "ada"), NOW).unwrap();
        let at = |number: u32| NOW + Duration::from_secs(1) * number / rate_hz;
        (0..30 * rate_hz).filter(|number| flows.push(ADA, &unit(7, *number), at(*number)).is_ok()).count()
    };
    assert_eq!(kept(60), 30 * 60);
    assert!(kept(70) < 30 * 70, "negative control");
}

#[test]
fn the_last_units_are_kept_for_a_moment() {
    let mut flows = SceneFlows::default();
    flows.admit(&flow(7, 1), by(ADA, "ada"), NOW).unwrap();
    let at = |number: u32| NOW + limits::VOICE_WAIT_MAX * number / 10;
    for number in 0..20 {
        flows.push(ADA, &unit(7, number), at(number)).unwrap();
    }
    assert_eq!(positions(&flows, 0, at(10)), (4..20).collect::<Vec<u64>>(), "as many as there is space for");
    assert_eq!(positions(&flows, 17, at(19)), [17, 18, 19]);
    assert_eq!(positions(&flows, 0, at(19)), (9..20).collect::<Vec<u64>>(), "none older than they may wait");
    assert_eq!(flows.unit_count(), 20);
}

#[test]
fn only_speech_after_silence_is_a_beginning() {
    let mut flows = SceneFlows::default();
    flows.admit(&flow(7, 1), by(ADA, "ada"), NOW).unwrap();
    let mut push = |number: u32, level: u8, now: Time| {
        flows.push(ADA, &MediaUnit { level: UnitLevel(level), ..unit(7, number) }, now).unwrap();
        flows.speech_count()
    };
    assert_eq!(push(1, 30, NOW), 0, "not speech");
    assert_eq!(push(2, 0x80, NOW), 1);
    assert_eq!(push(3, 0x80, NOW + limits::VOICE_SILENCE / 2), 1);
    assert_eq!(push(4, 0x80, NOW + limits::VOICE_SILENCE * 2), 2);
}
