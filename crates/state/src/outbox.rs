//! What waits to be written to one connection. Bounded; a state frame that still waits gives way to its newer version, so that a receiver that
//! falls behind comes back to the present and not to the past. A receiver that reads promptly gets everything.

use alloc::collections::{BTreeMap, VecDeque};
use alloc::vec::Vec;

use stoa_wire::packet::EncodedPacket;

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
    Frame(EncodedPacket, Class, Moves),
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

/// Of each key the newest version stays, where it stands, and at most one that keeps its place. While nothing drains, nothing passes a key by that
/// moves back, and so it need not keep one.
fn choose(marks: &mut [Mark], drains: bool) {
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
            Moves::Times(times) => standing.moved = standing.moved.max(times + u32::from(drains)),
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
pub(crate) fn lasting(frames: &[(EncodedPacket, Class)]) -> Vec<bool> {
    let mut marks: Vec<Mark> = frames.iter().map(|(_, class)| Mark::new(*class, Moves::Fresh)).collect();
    choose(&mut marks, true);
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
    /// Batches that came since then.
    rounds: usize,
    /// Something was taken since the queue was last gone through.
    drains: bool,
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
    pub fn push(&mut self, frame: EncodedPacket, class: Class) -> Result<(), Overflowed> {
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
        self.rounds += 1;
        self.slots.push_back(Slot::Run(run));
        Ok(())
    }

    /// Frames that may wait before the queue is gone through.
    fn patience(&self) -> usize {
        let usual = match (self.writing, self.rounds) {
            (false, _) => limits::BACKLOG_FRAMES_MAX,
            (true, ..limits::STALLED_ROUNDS_MIN) => limits::CONFLATION_FRAMES_MIN,
            (true, _) => limits::STALLED_FRAMES_MIN,
        };
        self.patience.unwrap_or(usual).max(2 * self.kept)
    }

    fn make_room(&mut self, (frames, bytes): (usize, usize), spare: (usize, usize)) -> Result<(), Overflowed> {
        if self.frames + frames > self.patience() {
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
        choose(&mut marks, core::mem::take(&mut self.drains));
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
        self.drains |= taken > 0;
        self.rounds = 0;
        self.kept = self.kept.min(self.frames);
    }

    /// Bytes of memory that cannot be given back while what waits does.
    #[cfg(test)]
    fn pinned_bytes(&self) -> usize {
        let slots = self.slots.len() * size_of::<Slot>();
        self.slots.iter().fold(slots, |sum, slot| match slot {
            Slot::Frame(frame, ..) => sum + frame.len(),
            Slot::Run(run) => sum + run.pinned_bytes(),
        })
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
mod tests;
