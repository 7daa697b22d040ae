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
    /// Several that came together.
    Run(Run),
    /// One, and how often it has moved back in the queue for its older versions.
    Frame(Frame, Class, Moves),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Moves {
    /// It came after the queue was last gone through.
    Fresh,
    Times(u32),
    /// It moved often enough and keeps its place: else a key that changes faster than the queue drains would never be heard of.
    Pinned,
}

impl Slot {
    fn len(&self) -> usize {
        match self {
            Slot::Frame(frame, ..) => frame.len(),
            Slot::Run(run) => run.len(),
        }
    }
}

/// What one pass finds out about a frame.
#[derive(Debug)]
struct Mark {
    key: Option<ConflationKey>,
    moves: Moves,
    kept: bool,
}

impl Mark {
    fn new(class: Class, moves: Moves) -> Mark {
        let key = if let Class::State(key) = class { Some(key) } else { None };
        Mark { key, moves, kept: true }
    }
}

/// What one pass has met of a key.
#[derive(Debug, Default)]
struct Standing {
    /// Where its newest version stands so far.
    newest: Option<usize>,
    /// How often that has moved by now.
    moved: u32,
    /// One of its versions keeps its place.
    pinned: bool,
}

/// Of each key the newest version stays, where it stands, and at most one that keeps its place.
fn choose(marks: &mut [Mark]) {
    let mut standings: BTreeMap<ConflationKey, Standing> = BTreeMap::new();
    for index in 0..marks.len() {
        let Some(key) = marks[index].key else { continue };
        let standing = standings.entry(key).or_default();
        if marks[index].moves == Moves::Pinned {
            standing.pinned = true;
            continue;
        }
        let Some(older) = standing.newest.replace(index) else { continue };
        match marks[older].moves {
            Moves::Times(times) if times >= limits::CONFLATION_MOVES_MAX && !standing.pinned => {
                standing.pinned = true;
                marks[older].moves = Moves::Pinned;
                continue;
            }
            Moves::Times(times) => standing.moved = standing.moved.max(times + 1),
            Moves::Fresh | Moves::Pinned => {}
        }
        marks[older].kept = false;
    }
    for standing in standings.values() {
        if let Some(newest) = standing.newest.map(|index| &mut marks[index])
            && newest.moves == Moves::Fresh
        {
            newest.moves = Moves::Times(standing.moved);
        }
    }
}

/// Of frames that come together, which are not made pointless by a later one of them.
pub(crate) fn lasting(frames: &[(Frame, Class)]) -> Vec<bool> {
    let mut marks: Vec<Mark> = frames.iter().map(|(_, class)| Mark::new(*class, Moves::Fresh)).collect();
    choose(&mut marks);
    marks.into_iter().map(|mark| mark.kept).collect()
}

/// The queue of one connection. Frames leave in the order of their newest version, so revisions ascend. While a receiver keeps up, all that happens is
/// that its batches are queued and taken; where too much waits, the queue is gone through once, and what newer state has made pointless leaves it.
#[derive(Debug, Default)]
pub struct Outbox {
    slots: VecDeque<Slot>,
    frames: usize,
    bytes: usize,
    /// Frames that were left when the queue was last gone through: it is not worth it again before there are twice as many.
    kept: usize,
    /// What was taken last is still being written.
    writing: bool,
    /// Frames that may wait before the queue is gone through, where the limits do not say it.
    patience: Option<usize>,
}

impl Outbox {
    /// An empty one.
    pub fn new() -> Outbox {
        Outbox::default()
    }

    /// An empty one that is gone through where more than so many frames wait, for those who do not say in a minute what a crowd says in a second.
    pub fn with_patience(frames: usize) -> Outbox {
        Outbox { patience: Some(frames), ..Outbox::default() }
    }

    /// Takes a frame. Errors: [`Overflowed`]; the frame is then not queued.
    pub fn push(&mut self, frame: Frame, class: Class) -> Result<(), Overflowed> {
        // The word that a client is put out for being slow must still find room.
        let spare = match class {
            Class::Control => (limits::OUTBOX_CONTROL_FRAMES, limits::OUTBOX_CONTROL_BYTES),
            Class::Event | Class::State(_) => (0, 0),
        };
        self.make_room((1, frame.len()), spare)?;
        self.frames += 1;
        self.bytes += frame.len();
        self.slots.push_back(Slot::Frame(frame, class, Moves::Fresh));
        Ok(())
    }

    /// Takes several frames. Errors: [`Overflowed`]; none of them is then queued.
    pub fn push_run(&mut self, run: Run) -> Result<(), Overflowed> {
        let (frames, bytes) = (run.frames().len(), run.len());
        self.make_room((frames, bytes), (0, 0))?;
        self.frames += frames;
        self.bytes += bytes;
        self.slots.push_back(Slot::Run(run));
        Ok(())
    }

    fn make_room(&mut self, (frames, bytes): (usize, usize), spare: (usize, usize)) -> Result<(), Overflowed> {
        let mark = if self.writing { limits::CONFLATION_FRAMES_MIN } else { limits::BACKLOG_FRAMES_MAX };
        if self.frames + frames > self.patience.unwrap_or(mark).max(2 * self.kept) {
            self.conflate();
        }
        let fits = |outbox: &Outbox| {
            outbox.frames == 0
                || outbox.frames + frames <= limits::OUTBOX_FRAMES_MAX + spare.0
                    && outbox.bytes + bytes <= limits::OUTBOX_BYTES_MAX + spare.1
        };
        if !fits(self) {
            self.conflate();
        }
        if fits(self) { Ok(()) } else { Err(Overflowed) }
    }

    /// Goes through all that waits: of each key the newest version stays, where it stands, and at most one that keeps its place.
    fn conflate(&mut self) {
        let slots = core::mem::take(&mut self.slots);
        let mut marks: Vec<Mark> = Vec::with_capacity(self.frames);
        for slot in &slots {
            match slot {
                Slot::Run(run) => marks.extend(run.frames().iter().map(|(_, class)| Mark::new(*class, Moves::Fresh))),
                Slot::Frame(_, class, moves) => marks.push(Mark::new(*class, *moves)),
            }
        }
        choose(&mut marks);
        let mut marks = marks.into_iter();
        let mut next = || marks.next().expect("each frame has a mark");
        for slot in slots {
            match slot {
                Slot::Run(run) => {
                    // Only what stays is taken out of its batch.
                    let kept = run.frames().iter().map(|frame| (frame, next())).filter(|(_, mark)| mark.kept);
                    self.slots
                        .extend(kept.map(|((frame, class), mark)| Slot::Frame(frame.clone(), *class, mark.moves)));
                }
                Slot::Frame(frame, class, _) => {
                    let mark = next();
                    if mark.kept {
                        self.slots.push_back(Slot::Frame(frame, class, mark.moves));
                    }
                }
            }
        }
        self.frames = self.slots.len();
        self.bytes = self.slots.iter().map(Slot::len).sum();
        self.kept = self.frames;
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
            let piece = match self.slots.pop_front().expect("was just looked at") {
                Slot::Run(run) => Piece::Run(run),
                Slot::Frame(frame, ..) => Piece::Frame(frame),
            };
            self.frames -= piece.count();
            into.push(piece);
        }
        self.writing = taken > 0;
        self.kept = self.kept.min(self.frames);
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

    /// Behind a write that its receiver does not take.
    fn stuck() -> Outbox {
        let mut outbox = Outbox::new();
        outbox.push(frame("event"), Class::Event).unwrap();
        drain(&mut outbox);
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
        let mut outbox = stuck();
        outbox.push(frame("a1"), Class::State(ConflationKey(1))).unwrap();
        outbox.push(frame("b1"), Class::State(ConflationKey(2))).unwrap();
        outbox.push(frame("chat"), Class::Event).unwrap();
        outbox.push(frame("a2"), Class::State(ConflationKey(1))).unwrap();
        for _ in 4..limits::CONFLATION_FRAMES_MIN {
            outbox.push(frame("event"), Class::Event).unwrap();
        }
        outbox.push(frame("last"), Class::Event).unwrap();
        let bytes = outbox.queued_bytes();
        let frames = drain(&mut outbox);
        assert_eq!(frames[..3], [frame("b1"), frame("chat"), frame("a2")]);
        assert_eq!(frames.len(), limits::CONFLATION_FRAMES_MIN, "all but the older pose");
        assert_eq!(bytes, frames.iter().map(Frame::len).sum::<usize>());
        assert!(outbox.is_empty() && outbox.queued_bytes() == 0);
    }

    #[test]
    fn a_stalled_reader_costs_bounded_memory() {
        let mut outbox = stuck();
        for round in 0..100_000 {
            outbox.push(frame("pose"), Class::State(ConflationKey(round % 10))).unwrap();
            assert!(outbox.slots.len() <= limits::CONFLATION_FRAMES_MIN, "{} slots", outbox.slots.len());
        }
    }

    #[test]
    fn a_key_that_changes_faster_than_the_queue_drains_is_still_heard_of() {
        let mut outbox = stuck();
        // So many that the newest version never gets to the front before the queue is gone through again.
        for _ in 0..limits::CONFLATION_FRAMES_MIN * 4 / 5 {
            outbox.push(frame("event"), Class::Event).unwrap();
        }
        let mut heard = 0;
        for _ in 0..10 * limits::CONFLATION_FRAMES_MIN {
            for _ in 0..9 {
                outbox.push(frame("fast"), Class::State(ConflationKey(1))).unwrap();
            }
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
        let mut outbox = stuck();
        for round in 0..100 {
            outbox.push_run(run(round * 100, round * 100 + 99)).unwrap();
            assert!(outbox.frames <= limits::CONFLATION_FRAMES_MIN, "{} frames wait", outbox.frames);
        }
        let bytes = outbox.queued_bytes();
        let frames = drain(&mut outbox);
        assert_eq!(bytes, frames.iter().map(Frame::len).sum::<usize>());
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
        let pushed = (0..=limits::OUTBOX_FRAMES_MAX).map(|_| outbox.push(frame("event"), Class::Event));
        assert_eq!(pushed.filter(Result::is_err).count(), 1);
        assert_eq!(outbox.push(frame("DISCONNECT"), Class::Control), Ok(()), "it is told why it ends");
        let answers = (0..=limits::OUTBOX_CONTROL_FRAMES).map(|_| outbox.push(frame("PINGRESP"), Class::Control));
        assert!(answers.filter(Result::is_err).count() > 0, "answers are bounded too");
    }
}
