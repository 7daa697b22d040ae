use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};

use bytes::Bytes;
use proptest::prelude::*;
use stoa_wire::packet::{MqttVersion, Qos};

use super::*;
use crate::mqtt::audience::GroupMember;
use crate::mqtt::session::SessionId;
use crate::time::Time;

/// Collects frames and the way they arrived.
#[derive(Debug, Default)]
struct Pile {
    frames: Vec<String>,
    runs: usize,
    room: Option<usize>,
}

fn text(frame: &EncodedPacket) -> String {
    String::from_utf8(frame.parts().concat()).expect("these frames are text")
}

fn frame(text: &str) -> EncodedPacket {
    EncodedPacket::whole(Bytes::copy_from_slice(text.as_bytes()))
}

impl PacketSink for Pile {
    fn push(&mut self, frame: EncodedPacket, _class: PacketClass) -> Result<(), OutboxOverflow> {
        if self.room == Some(self.frames.len()) {
            return Err(OutboxOverflow);
        }
        self.frames.push(text(&frame));
        Ok(())
    }

    fn push_run(&mut self, run: BatchTail) -> Result<(), OutboxOverflow> {
        self.runs += 1;
        let whole: Vec<u8> = run.frames().iter().flat_map(|(frame, _)| frame.parts().concat()).collect();
        assert_eq!(run.bytes(), whole, "the buffer holds the frames in their order");
        run.frames().iter().try_for_each(|(frame, class)| self.push(frame.clone(), *class))
    }
}

fn group(members: impl IntoIterator<Item = u64>) -> Arc<ReceiverGroup> {
    let member = |id: u64| GroupMember { session: SessionId(id as usize), connection: ConnectionId(id) };
    Arc::new(ReceiverGroup {
        version: MqttVersion::V311,
        qos: Qos::AtMostOnce,
        grant_ends_at: Time::from_secs(60),
        packet_bytes_max: usize::MAX,
        members: members.into_iter().map(member).collect(),
    })
}

fn round(connections: u64) -> OutboxBatcher<Pile> {
    let mut round = OutboxBatcher::default();
    (0..connections).for_each(|id| round.insert(ConnectionId(id), Pile::default()));
    round
}

fn pile(round: &mut OutboxBatcher<Pile>, id: u64) -> &mut Pile {
    round.sink(ConnectionId(id)).expect("is there")
}

#[test]
fn a_round_pushes_one_run_to_each_group_member() {
    let (mut round, all) = (round(100), group(0..100));
    for number in 0..50_u32 {
        round.share(&all, frame(&number.to_string()), PacketClass::Event);
    }
    let mut woken = 0;
    round.end(|_, _| woken += 1);
    assert_eq!(woken, 100);
    for id in 0..100 {
        assert_eq!((pile(&mut round, id).frames.len(), pile(&mut round, id).runs), (50, 1));
    }
    round.end(|_, _| panic!("nothing came since"));
}

#[test]
fn a_member_added_mid_round_adds_only_one_run_for_each_receiver() {
    let (mut round, before, after) = (round(10), group(0..9), group(0..10));
    round.share(&before, frame("a"), PacketClass::Event);
    round.share(&before, frame("b"), PacketClass::Event);
    round.send(ConnectionId(9), frame("SUBACK"), PacketClass::Control);
    round.share(&after, frame("c"), PacketClass::Event);
    round.end(|_, _| ());
    assert_eq!(pile(&mut round, 3).frames, ["a", "b", "c"]);
    assert_eq!(pile(&mut round, 3).runs, 2, "one for each group, not one for each message");
    assert_eq!(pile(&mut round, 9).frames, ["SUBACK", "c"]);
}

#[test]
fn a_sink_receives_its_pending_frames_before_it_is_accessed() {
    let (mut round, all) = (round(5), group(0..5));
    round.share(&all, frame("a"), PacketClass::Event);
    assert_eq!(pile(&mut round, 1).frames, ["a"], "before it is closed, for example");
    assert_eq!(round.sinks().filter(|(_, pile)| pile.frames.is_empty()).count(), 4, "negative control");
}

#[test]
fn a_connection_in_a_reused_slot_gets_no_frames_of_the_previous_member() {
    let (mut round, all) = (round(5), group(0..5));
    round.share(&all, frame("a"), PacketClass::Event);
    round.end(|_, _| ());
    round.share(&all, frame("b"), PacketClass::Event);
    assert!(round.remove(ConnectionId(2)).is_some());
    round.insert(ConnectionId(77), Pile::default());
    round.share(&all, frame("c"), PacketClass::Event);
    let mut woken = 0;
    round.end(|connection, _| woken += u32::from(connection == ConnectionId(77)));
    assert!(pile(&mut round, 77).frames.is_empty() && woken == 0);
    assert_eq!(pile(&mut round, 3).frames, ["a", "b", "c"], "negative control");
}

#[test]
fn dropped_receiver_groups_are_removed() {
    let mut round = round(5);
    for _ in 0..100 {
        round.share(&group(0..5), frame("a"), PacketClass::Event);
        round.end(|_, _| ());
    }
    assert!(round.groups.len() <= 2, "{} groups are remembered", round.groups.len());
}

#[test]
fn a_full_sink_is_reported_and_blocks_no_other_receiver() {
    let (mut round, all) = (round(5), group(0..5));
    pile(&mut round, 2).room = Some(1);
    round.share(&all, frame("a"), PacketClass::Event);
    round.share(&all, frame("b"), PacketClass::Event);
    round.end(|_, _| ());
    assert_eq!(round.poll_overflowed(), Some(ConnectionId(2)));
    assert_eq!(round.poll_overflowed(), None);
    assert_eq!(pile(&mut round, 3).frames, ["a", "b"]);
}

#[test]
fn a_large_round_keeps_every_event_and_only_the_newest_state() {
    use crate::packet_class::ConflationKey;
    let (mut round, all) = (round(5), group(0..5));
    let poses = limits::CONFLATION_FRAMES_MIN as u64 * 3 / 2;
    round.share(&all, frame("chat"), PacketClass::Event);
    for number in 0..poses {
        if number == poses / 2 {
            round.send(ConnectionId(2), frame("PUBACK"), PacketClass::Control);
        }
        round.share(&all, frame(&number.to_string()), PacketClass::State(ConflationKey(number % 10)));
    }
    round.end(|_, _| ());
    let newest: Vec<String> = (poses - 10..poses).map(|number| number.to_string()).collect();
    assert_eq!(pile(&mut round, 1).frames[0], "chat");
    assert_eq!(pile(&mut round, 1).frames[1..], newest);
    let early = &pile(&mut round, 2).frames;
    assert_eq!(early.len() as u64, 1 + poses / 2 + 1 + 10, "what it had got before, its own, and the newest");
    assert_eq!(early[early.len() - 10..], newest);
    round.share(&all, frame("a"), PacketClass::State(ConflationKey(1)));
    round.share(&all, frame("b"), PacketClass::State(ConflationKey(1)));
    round.end(|_, _| ());
    assert_eq!(pile(&mut round, 1).frames[11..], ["a", "b"], "negative control: in time, everything arrives");
}

#[derive(Clone, Debug)]
enum Step {
    Send(u64),
    Share(usize),
    Remove(u64),
    Insert(u64),
    End,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (0..12_u64).prop_map(Step::Send),
        8 => (0..5_usize).prop_map(Step::Share),
        1 => (0..12_u64).prop_map(Step::Remove),
        1 => (12..15_u64).prop_map(Step::Insert),
        1 => Just(Step::End),
    ]
}

proptest! {
    #[test]
    fn each_connection_receives_its_frames_once_and_in_send_order(steps in prop::collection::vec(step(), 0..80)) {
        // All, all but one, halves, and two members of both.
        let groups =
            [group(0..12), group(0..11), group(0..6), group(6..12), group([1, 7])];
        let mut round = round(12);
        let mut expected: BTreeMap<u64, Vec<String>> = (0..12).map(|id| (id, Vec::new())).collect();
        for (number, step) in steps.into_iter().enumerate() {
            let said = number.to_string();
            match step {
                Step::Send(id) => {
                    round.send(ConnectionId(id), frame(&said), PacketClass::Control);
                    expected.entry(id).and_modify(|frames| frames.push(said));
                }
                Step::Share(index) => {
                    round.share(&groups[index], frame(&said), PacketClass::Event);
                    for member in &groups[index].members {
                        expected.entry(member.connection.0).and_modify(|frames| frames.push(said.clone()));
                    }
                }
                Step::Remove(id) => {
                    let kept = round.sink(ConnectionId(id)).map(|pile| pile.frames.clone());
                    prop_assert_eq!(kept, expected.remove(&id));
                    round.remove(ConnectionId(id));
                }
                Step::Insert(id) => {
                    // Connections outside all groups, which reuse freed slots.
                    if expected.insert(id, Vec::new()).is_none() {
                        round.insert(ConnectionId(id), Pile::default());
                    } else {
                        expected.insert(id, pile(&mut round, id).frames.clone());
                    }
                }
                Step::End => round.end(|_, _| ()),
            }
        }
        round.end(|_, _| ());
        for (id, frames) in expected {
            prop_assert_eq!(&pile(&mut round, id).frames, &frames, "connection {}", id);
        }
    }
}
