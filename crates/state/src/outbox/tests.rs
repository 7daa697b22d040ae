use alloc::vec;

use bytes::Bytes;

use super::*;
use crate::batch::ReceiverGroupBatch;

fn frame(text: &'static str) -> EncodedPacket {
    EncodedPacket::whole(Bytes::from_static(text.as_bytes()))
}

fn drain(outbox: &mut Outbox) -> Vec<EncodedPacket> {
    let mut pieces = Vec::new();
    outbox.take(usize::MAX, &mut pieces);
    frames_of(pieces)
}

fn frames_of(pieces: Vec<OutboxChunk>) -> Vec<EncodedPacket> {
    let frames = pieces.into_iter().map(|piece| match piece {
        OutboxChunk::Frame(frame) => vec![frame],
        OutboxChunk::Run(run) => run.frames().iter().map(|(frame, _)| frame.clone()).collect(),
    });
    frames.flatten().collect()
}

/// A run of poses `first` to `last` of ten people.
fn run(first: u64, last: u64) -> BatchTail {
    let poses = (first..=last).map(|number| (frame("pose"), PacketClass::State(ConflationKey(number % 10))));
    BatchTail::new(ReceiverGroupBatch::seal(poses.collect()), 0)
}

/// An outbox behind a blocked write.
fn stuck() -> Outbox {
    let mut outbox = Outbox::new();
    outbox.push(frame("event"), PacketClass::Event).unwrap();
    drain(&mut outbox);
    outbox
}

#[test]
fn a_prompt_reader_gets_every_pose() {
    let mut outbox = Outbox::new();
    for text in ["a1", "a2", "a3"] {
        outbox.push(frame(text), PacketClass::State(ConflationKey(1))).unwrap();
    }
    assert_eq!(drain(&mut outbox), vec![frame("a1"), frame("a2"), frame("a3")]);
}

#[test]
fn a_slow_reader_gets_the_newest_pose_and_every_event() {
    let mut outbox = stuck();
    outbox.push(frame("a1"), PacketClass::State(ConflationKey(1))).unwrap();
    outbox.push(frame("b1"), PacketClass::State(ConflationKey(2))).unwrap();
    outbox.push(frame("chat"), PacketClass::Event).unwrap();
    outbox.push(frame("a2"), PacketClass::State(ConflationKey(1))).unwrap();
    for _ in 4..limits::CONFLATION_FRAMES_MIN {
        outbox.push(frame("event"), PacketClass::Event).unwrap();
    }
    outbox.push(frame("last"), PacketClass::Event).unwrap();
    let bytes = outbox.queued_bytes();
    let frames = drain(&mut outbox);
    assert_eq!(frames[..3], [frame("b1"), frame("chat"), frame("a2")]);
    assert_eq!(frames.len(), limits::CONFLATION_FRAMES_MIN, "all but the older pose");
    assert_eq!(bytes, frames.iter().map(EncodedPacket::len).sum::<usize>());
    assert!(outbox.is_empty() && outbox.queued_bytes() == 0);
}

#[test]
fn a_stalled_reader_costs_bounded_memory() {
    let mut outbox = stuck();
    for round in 0..100_000 {
        outbox.push(frame("pose"), PacketClass::State(ConflationKey(round % 10))).unwrap();
        assert!(outbox.slots.len() <= limits::CONFLATION_FRAMES_MIN, "{} slots", outbox.slots.len());
    }
}

#[test]
fn a_key_that_changes_faster_than_the_queue_drains_is_still_sent() {
    let mut outbox = stuck();
    // So many that the newest version never reaches the front before the next conflation.
    for _ in 0..limits::CONFLATION_FRAMES_MIN * 4 / 5 {
        outbox.push(frame("event"), PacketClass::Event).unwrap();
    }
    let mut heard = 0;
    for _ in 0..10 * limits::CONFLATION_FRAMES_MIN {
        for _ in 0..9 {
            outbox.push(frame("fast"), PacketClass::State(ConflationKey(1))).unwrap();
        }
        outbox.push(frame("event"), PacketClass::Event).unwrap();
        let mut pieces = Vec::new();
        outbox.take(1, &mut pieces);
        heard += frames_of(pieces).iter().filter(|taken| **taken == frame("fast")).count();
    }
    assert!(heard > 0);
}

#[test]
fn batches_stay_whole_while_no_write_is_blocked() {
    let mut outbox = Outbox::new();
    for round in 0..10 {
        outbox.push_run(run(round * 100, round * 100 + 99)).unwrap();
    }
    let mut pieces = Vec::new();
    outbox.take(usize::MAX, &mut pieces);
    assert_eq!(pieces.len(), 10);
    assert_eq!(pieces.iter().map(OutboxChunk::count).sum::<usize>(), 1_000, "nobody's pose was replaced");
}

#[test]
fn batches_are_split_and_conflated_behind_a_blocked_write() {
    let mut outbox = stuck();
    for round in 0..100 {
        outbox.push_run(run(round * 100, round * 100 + 99)).unwrap();
        assert!(outbox.frames <= limits::CONFLATION_FRAMES_MIN, "{} frames wait", outbox.frames);
    }
    let bytes = outbox.queued_bytes();
    let frames = drain(&mut outbox);
    assert_eq!(bytes, frames.iter().map(EncodedPacket::len).sum::<usize>());
    assert!(drain(&mut outbox).is_empty(), "all is written");
    for round in 0..10 {
        outbox.push_run(run(round * 100, round * 100 + 99)).unwrap();
    }
    assert_eq!(drain(&mut outbox).len(), 1_000, "and it is a prompt reader again");
}

#[test]
fn a_server_that_falls_behind_conflates_too() {
    let mut outbox = Outbox::new();
    for round in 0..1_000 {
        outbox.push_run(run(round * 10, round * 10 + 9)).unwrap();
        assert!(outbox.frames <= limits::BACKLOG_FRAMES_MAX, "{} frames wait", outbox.frames);
    }
    assert!(drain(&mut outbox).len() < 3_000);
}

#[test]
fn events_beyond_the_limit_overflow() {
    let mut outbox = Outbox::new();
    let pushed = (0..=limits::OUTBOX_FRAMES_MAX).map(|_| outbox.push(frame("event"), PacketClass::Event));
    assert_eq!(pushed.filter(Result::is_err).count(), 1);
    assert_eq!(outbox.push(frame("DISCONNECT"), PacketClass::Control), Ok(()), "it is told why it ends");
    let answers = (0..=limits::OUTBOX_CONTROL_FRAMES).map(|_| outbox.push(frame("PINGRESP"), PacketClass::Control));
    assert!(answers.filter(Result::is_err).count() > 0, "answers are bounded too");
}

#[test]
fn memory_pinned_by_a_stalled_receiver_does_not_grow_with_time() {
    const PEOPLE: u64 = 100;
    const POSE: [u8; 380] = [b'p'; 380];
    // Rounds alternate between one pose and two each, as those of a server that keeps up.
    let mut outbox = stuck();
    let mut pinned_max = 0;
    let mut said = 0;
    for round in 0..20_000 {
        let poses = (said..said + 1 + round % 2).map(|number| {
            (EncodedPacket::whole(Bytes::copy_from_slice(&POSE)), PacketClass::State(ConflationKey(number % PEOPLE)))
        });
        outbox.push_run(BatchTail::new(ReceiverGroupBatch::seal(poses.collect()), 0)).unwrap();
        said += 1 + round % 2;
        pinned_max = pinned_max.max(outbox.pinned_bytes());
    }
    // One pose of each, and as many again in batches, which contain each twice.
    let of_each = POSE.len() * PEOPLE as usize;
    assert!(pinned_max < 4 * of_each, "{pinned_max} bytes, where one pose of each has {of_each}");
    let heard = drain(&mut outbox);
    assert!((PEOPLE as usize..=2 * PEOPLE as usize).contains(&heard.len()), "{} frames", heard.len());
}

#[test]
fn a_receiver_stalled_for_a_few_large_batches_still_gets_every_pose() {
    let mut outbox = stuck();
    for round in 0..5 {
        outbox.push_run(run(round * 100, round * 100 + 99)).unwrap();
    }
    assert_eq!(drain(&mut outbox).len(), 500, "nothing was taken apart");
}
