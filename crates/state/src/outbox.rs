//! What waits to be written to one connection. Bounded; a state frame that still waits gives way to its newer version, so that a receiver that
//! falls behind comes back to the present and not to the past. A receiver that reads promptly gets everything.

use alloc::collections::{BTreeMap, VecDeque};
use alloc::vec::Vec;

use stoa_wire::packet::Frame;

use crate::batch::{Piece, Run};
use crate::limits;

/// How an outbox may treat a frame when its connection falls behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Protocol answers: never replaced, and with some room of their own.
    Control,
    /// Events, chat: queued up to a limit.
    Event,
    /// Replaces an older frame of the same key that still waits.
    State(ConflationKey),
}

/// Two state messages with the same key: the newer one makes the older one pointless.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConflationKey(pub u64);

/// More waits than the limits allow: the connection must end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("more than {} frames or {} bytes wait for one connection", limits::OUTBOX_FRAMES_MAX, limits::OUTBOX_BYTES_MAX)]
pub struct Overflowed;

#[derive(Debug)]
enum Slot {
    /// A frame was replaced.
    Gone,
    Frame(Frame, Class),
    /// Several that came together; only while the receiver keeps up.
    Run(Run),
}

impl Slot {
    fn len(&self) -> usize {
        match self {
            Slot::Gone => 0,
            Slot::Frame(frame, _) => frame.len(),
            Slot::Run(run) => run.len(),
        }
    }
}

/// Where the frames of one key stand.
#[derive(Debug)]
struct Standing {
    newest: u64,
    moves: u32,
    /// An older frame that was moved often enough and now keeps its place: else a key that changes faster than the queue drains would never
    /// be heard of.
    pinned: Option<u64>,
}

/// The queue of one connection. Frames leave in the order of their newest version, so revisions ascend.
#[derive(Debug, Default)]
pub struct Outbox {
    slots: VecDeque<Slot>,
    /// The number of the slot at the front; numbers only grow.
    front: u64,
    /// Of the keys that wait, while the receiver is behind; else empty, and the bookkeeping is spared.
    standings: BTreeMap<ConflationKey, Standing>,
    behind: bool,
    /// What was taken last is still being written.
    writing: bool,
    frames: usize,
    bytes: usize,
}

impl Outbox {
    /// An empty one.
    pub fn new() -> Outbox {
        Outbox::default()
    }

    /// Takes a frame. Errors: [`Overflowed`]; the frame is then not queued.
    pub fn push(&mut self, frame: Frame, class: Class) -> Result<(), Overflowed> {
        self.look_behind(1);
        self.push_one(frame, class)
    }

    /// Takes several frames. Errors: [`Overflowed`]; the last of them are then not queued.
    pub fn push_run(&mut self, run: Run) -> Result<(), Overflowed> {
        self.look_behind(run.frames().len());
        if self.behind || self.bytes + run.len() > limits::OUTBOX_BYTES_MAX {
            return run.frames().iter().try_for_each(|(frame, class)| self.push_one(frame.clone(), *class));
        }
        self.frames += run.frames().len();
        self.bytes += run.len();
        self.slots.push_back(Slot::Run(run));
        Ok(())
    }

    /// Notes whether the receiver is behind, now that `more` frames come. From then on, until nothing waits, newer state replaces older.
    fn look_behind(&mut self, more: usize) {
        let mark = if self.writing { limits::CONFLATION_FRAMES_MIN } else { limits::BACKLOG_FRAMES_MAX };
        if self.behind || self.frames == 0 || self.frames + more <= mark {
            return;
        }
        self.behind = true;
        let slots = core::mem::take(&mut self.slots);
        (self.front, self.frames, self.bytes) = (0, 0, 0);
        for slot in slots {
            match slot {
                Slot::Gone => {}
                Slot::Frame(frame, class) => self.queue(frame, class),
                Slot::Run(run) => run.frames().iter().for_each(|(frame, class)| self.queue(frame.clone(), *class)),
            }
        }
    }

    fn push_one(&mut self, frame: Frame, class: Class) -> Result<(), Overflowed> {
        if let (Class::State(key), true) = (class, self.behind) {
            self.make_way(key);
        }
        // The word that a client is put out for being slow must still find room.
        let (spare_frames, spare_bytes) = match class {
            Class::Control => (limits::OUTBOX_CONTROL_FRAMES, limits::OUTBOX_CONTROL_BYTES),
            Class::Event | Class::State(_) => (0, 0),
        };
        let full = self.frames >= limits::OUTBOX_FRAMES_MAX + spare_frames
            || self.bytes + frame.len() > limits::OUTBOX_BYTES_MAX + spare_bytes;
        if full && self.frames > 0 {
            return Err(Overflowed);
        }
        self.append(frame, class);
        if self.slots.len() > 2 * self.frames + limits::CONFLATION_FRAMES_MIN {
            self.close_gaps();
        }
        Ok(())
    }

    /// What was in already finds its room again.
    fn queue(&mut self, frame: Frame, class: Class) {
        if let Class::State(key) = class {
            self.make_way(key);
        }
        self.append(frame, class);
    }

    fn append(&mut self, frame: Frame, class: Class) {
        self.frames += 1;
        self.bytes += frame.len();
        self.slots.push_back(Slot::Frame(frame, class));
    }

    /// Removes the waiting frame of `key`, unless it has earned its place, and notes where its successor will stand.
    fn make_way(&mut self, key: ConflationKey) {
        let next = self.front + self.slots.len() as u64;
        let Some(standing) = self.standings.get_mut(&key) else {
            self.standings.insert(key, Standing { newest: next, moves: 0, pinned: None });
            return;
        };
        let older = core::mem::replace(&mut standing.newest, next);
        if standing.moves >= limits::CONFLATION_MOVES_MAX && standing.pinned.is_none() {
            standing.pinned = Some(older);
            standing.moves = 0;
            return;
        }
        standing.moves += 1;
        let index = usize::try_from(older - self.front).expect("a queue is shorter than memory");
        if let Some(slot @ Slot::Frame(..)) = self.slots.get_mut(index) {
            self.frames -= 1;
            self.bytes -= slot.len();
            *slot = Slot::Gone;
        }
    }

    /// Renumbers what waits, so that replaced frames take no room.
    fn close_gaps(&mut self) {
        let slots = core::mem::take(&mut self.slots);
        self.standings.clear();
        self.front = 0;
        for slot in slots {
            let number = self.slots.len() as u64;
            match slot {
                Slot::Gone => continue,
                Slot::Frame(_, Class::State(key)) => {
                    let fresh = || Standing { newest: number, moves: 0, pinned: None };
                    let standing = self.standings.entry(key).or_insert_with(fresh);
                    if standing.newest != number {
                        standing.pinned = Some(core::mem::replace(&mut standing.newest, number));
                    }
                }
                Slot::Frame(..) | Slot::Run(_) => {}
            }
            self.slots.push_back(slot);
        }
    }

    /// Moves frames to `into`: all, or as many as fit `bytes_max`, but at least one piece. Taking again says that what was taken before is written.
    pub fn take(&mut self, bytes_max: usize, into: &mut Vec<Piece>) {
        let mut taken = 0;
        while let Some(slot) = self.slots.front() {
            let size = slot.len();
            if taken > 0 && taken + size > bytes_max {
                break;
            }
            taken += size;
            self.bytes -= size;
            let number = self.front;
            self.front += 1;
            match self.slots.pop_front() {
                None | Some(Slot::Gone) => {}
                Some(Slot::Run(run)) => {
                    self.frames -= run.frames().len();
                    into.push(Piece::Run(run));
                }
                Some(Slot::Frame(frame, class)) => {
                    self.frames -= 1;
                    if let Class::State(key) = class {
                        self.forget(key, number);
                    }
                    into.push(Piece::Frame(frame));
                }
            }
        }
        self.writing = taken > 0;
        self.behind &= self.frames > 0;
    }

    fn forget(&mut self, key: ConflationKey, number: u64) {
        let Some(standing) = self.standings.get_mut(&key) else {
            return;
        };
        if standing.newest == number {
            self.standings.remove(&key);
        } else if standing.pinned == Some(number) {
            standing.pinned = None;
        }
    }

    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.frames == 0
    }

    /// Bytes that wait.
    pub fn queued_bytes(&self) -> usize {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use bytes::Bytes;

    use super::*;
    use crate::batch::Batch;

    fn frame(text: &'static str) -> Frame {
        Frame::whole(Bytes::from_static(text.as_bytes()))
    }

    fn drain(outbox: &mut Outbox) -> Vec<Frame> {
        let mut pieces = Vec::new();
        outbox.take(usize::MAX, &mut pieces);
        frames_of(pieces)
    }

    fn frames_of(pieces: Vec<Piece>) -> Vec<Frame> {
        let frames = pieces.into_iter().map(|piece| match piece {
            Piece::Frame(frame) => vec![frame],
            Piece::Run(run) => run.frames().iter().map(|(frame, _)| frame.clone()).collect(),
        });
        frames.flatten().collect()
    }

    /// Of poses `first` to `last` of ten people.
    fn run(first: u64, last: u64) -> Run {
        let poses = (first..=last).map(|number| (frame("pose"), Class::State(ConflationKey(number % 10))));
        Run::new(Batch::seal(poses.collect()), 0)
    }

    fn fallen_behind() -> Outbox {
        let mut outbox = Outbox::new();
        // A write that is stuck.
        outbox.push(frame("event"), Class::Event).unwrap();
        drain(&mut outbox);
        for _ in 0..limits::CONFLATION_FRAMES_MIN {
            outbox.push(frame("event"), Class::Event).unwrap();
        }
        outbox
    }

    #[test]
    fn a_prompt_reader_gets_every_pose() {
        let mut outbox = Outbox::new();
        for text in ["a1", "a2", "a3"] {
            outbox.push(frame(text), Class::State(ConflationKey(1))).unwrap();
        }
        assert_eq!(drain(&mut outbox), vec![frame("a1"), frame("a2"), frame("a3")]);
    }

    #[test]
    fn a_slow_reader_gets_the_newest_pose_and_every_event() {
        let mut outbox = fallen_behind();
        outbox.push(frame("a1"), Class::State(ConflationKey(1))).unwrap();
        outbox.push(frame("b1"), Class::State(ConflationKey(2))).unwrap();
        outbox.push(frame("chat"), Class::Event).unwrap();
        outbox.push(frame("a2"), Class::State(ConflationKey(1))).unwrap();
        let bytes = outbox.queued_bytes();
        let frames = drain(&mut outbox);
        assert_eq!(frames[limits::CONFLATION_FRAMES_MIN..], [frame("b1"), frame("chat"), frame("a2")]);
        assert_eq!(bytes, frames.iter().map(Frame::len).sum::<usize>());
        assert!(outbox.is_empty() && outbox.queued_bytes() == 0);
    }

    #[test]
    fn a_stalled_reader_costs_bounded_memory() {
        let mut outbox = fallen_behind();
        for round in 0..100_000 {
            outbox.push(frame("pose"), Class::State(ConflationKey(round % 10))).unwrap();
        }
        assert!(outbox.slots.len() <= 3 * limits::CONFLATION_FRAMES_MIN + 60, "{} slots", outbox.slots.len());
        assert!(outbox.standings.len() == 10);
    }

    #[test]
    fn a_key_that_changes_faster_than_the_queue_drains_is_still_heard_of() {
        let mut outbox = fallen_behind();
        let mut heard = 0;
        for _ in 0..1_000 {
            outbox.push(frame("fast"), Class::State(ConflationKey(1))).unwrap();
            outbox.push(frame("event"), Class::Event).unwrap();
            let mut pieces = Vec::new();
            outbox.take(1, &mut pieces);
            heard += frames_of(pieces).iter().filter(|taken| **taken == frame("fast")).count();
        }
        assert!(heard > 0);
    }

    #[test]
    fn batches_stay_whole_while_nothing_is_stuck() {
        let mut outbox = Outbox::new();
        for round in 0..10 {
            outbox.push_run(run(round * 100, round * 100 + 99)).unwrap();
        }
        let mut pieces = Vec::new();
        outbox.take(usize::MAX, &mut pieces);
        assert_eq!(pieces.len(), 10);
        assert_eq!(pieces.iter().map(Piece::count).sum::<usize>(), 1_000, "nobody's pose was replaced");
    }

    #[test]
    fn batches_are_taken_apart_behind_a_stuck_write() {
        let mut outbox = fallen_behind();
        for round in 0..100 {
            outbox.push_run(run(round * 100, round * 100 + 99)).unwrap();
        }
        assert!(outbox.frames <= limits::CONFLATION_FRAMES_MIN + 20, "{} frames wait", outbox.frames);
        let bytes = outbox.queued_bytes();
        let frames = drain(&mut outbox);
        assert_eq!(bytes, frames.iter().map(Frame::len).sum::<usize>());
        assert!(drain(&mut outbox).is_empty() && !outbox.behind, "all is written");
        outbox.push_run(run(0, 99)).unwrap();
        assert_eq!(drain(&mut outbox).len(), 100, "and it is a prompt reader again");
    }

    #[test]
    fn a_server_that_falls_behind_conflates_too() {
        let mut outbox = Outbox::new();
        for round in 0..1_000 {
            outbox.push_run(run(round * 10, round * 10 + 9)).unwrap();
        }
        assert!(outbox.frames <= limits::BACKLOG_FRAMES_MAX, "{} frames wait", outbox.frames);
        assert!(drain(&mut outbox).len() < 100, "ten people have ten poses, and some that kept their place");
    }

    #[test]
    fn events_beyond_the_limit_overflow() {
        let mut outbox = Outbox::new();
        let pushed = (0..=limits::OUTBOX_FRAMES_MAX).map(|_| outbox.push(frame("event"), Class::Event));
        assert_eq!(pushed.filter(Result::is_err).count(), 1);
        assert_eq!(outbox.push(frame("DISCONNECT"), Class::Control), Ok(()), "it is told why it ends");
        let answers = (0..=limits::OUTBOX_CONTROL_FRAMES).map(|_| outbox.push(frame("PINGRESP"), Class::Control));
        assert!(answers.filter(Result::is_err).count() > 0, "answers are bounded too");
    }
}
